"""Trains the reader: what a rectified card shows.   python -m vision.training.reader --steps 6000"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.training.data import NONE
from vision.training.fit import Batch, Plan, Shelf, arguments, decode, fit, pictures, relit
from vision.training.nets import Reader

BATCH = 96
_SMOOTH = 0.03


def no_card(frame: np.ndarray, beside: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What may be taken for a card: two cards side by side, half a card, a patch of one."""
    high, wide = frame.shape[:2]
    match int(rng.integers(3)):
        case 0:
            gap = np.full((high, int(rng.integers(1, 10)), 3), rng.integers(0, 255, 3), np.uint8)
            part = np.rot90(np.hstack([frame, gap, beside]), int(rng.choice([1, 3])))
        case 1:
            top = int(rng.choice([0, high // 2]))
            part = np.rot90(frame[top : top + high // 2], int(rng.choice([1, 3])))
        case _:
            share = np.exp(rng.uniform(np.log(0.1), np.log(0.45)))
            h, w = max(12, int(high * share)), max(8, int(wide * share))
            y, x = int(rng.integers(high - h + 1)), int(rng.integers(wide - w + 1))
            part = np.rot90(frame[y : y + h, x : x + w], int(rng.integers(4)))
    return cv2.resize(np.ascontiguousarray(part), (wide, high), interpolation=cv2.INTER_LINEAR)


def batches(shelf: Shelf, rng: np.random.Generator) -> Iterator[Batch]:
    """Crops, turned upside down half the time, and their labels (N, 3)."""
    count = 0
    while True:
        frames, labels = [], []
        for _ in range(BATCH):
            shard, i = shelf.pick(rng, "starts")
            frame = decode(shard["bytes"][shard["starts"][i] : shard["starts"][i + 1]])
            if rng.random() < 0.5:
                frame = frame[::-1, ::-1]
            if rng.random() < 0.1:
                y, x = rng.integers(0, 140), rng.integers(0, 92)
                frame = frame.copy()
                frame[y : y + int(rng.integers(8, 60)), x : x + int(rng.integers(8, 50))] = rng.integers(0, 255, 3)
            label = shard["labels"][i]
            if rng.random() < 0.12 and label[0] != NONE:
                j = (i + int(rng.integers(1, 4))) % (len(shard["starts"]) - 1)
                beside = decode(shard["bytes"][shard["starts"][j] : shard["starts"][j + 1]])
                frame, label = no_card(frame, beside, rng), np.array([NONE, -1, -1])
            frames.append(frame)
            labels.append(label)
        yield relit(pictures(frames), rng), torch.from_numpy(np.array(labels)).long()
        count += 1
        if count % 200 == 0:
            shelf.look()


def loss_of(net: nn.Module, batch: Batch) -> Tensor:
    """Cross entropy of the three heads; where the index is hidden, rank and suit should be open."""
    crops, labels = batch
    with torch.autocast("cpu", torch.bfloat16):
        kind, rank, suit = net(crops)
    kind, rank, suit = kind.float(), rank.float(), suit.float()
    told = labels[:, 1] >= 0
    hidden = (labels[:, 0] == 0) & ~told
    loss = functional.cross_entropy(kind, labels[:, 0], label_smoothing=0.02)
    for logits, wanted in ((rank, labels[:, 1]), (suit, labels[:, 2])):
        if told.any():
            loss = loss + functional.cross_entropy(logits[told], wanted[told], label_smoothing=_SMOOTH)
        if hidden.any():
            loss = loss - 0.25 * hidden.float().mean() * logits[hidden].log_softmax(1).mean()
    return loss


def tester(shelf: Shelf) -> Callable[[nn.Module], str]:
    """A line on the shards held back."""
    (shard,) = shelf.held_back()
    count = min(1200, len(shard["labels"]))
    frames = [decode(shard["bytes"][shard["starts"][i] : shard["starts"][i + 1]]) for i in range(count)]
    labels = torch.from_numpy(shard["labels"][:count]).long()

    def test(net: nn.Module) -> str:
        out = [net(pictures(frames[i : i + 100])) for i in range(0, count, 100)]
        kind, rank, suit = (torch.cat(part).softmax(1) for part in zip(*out, strict=True))
        told = labels[:, 1] >= 0
        right = (rank.argmax(1) == labels[:, 1]) & (suit.argmax(1) == labels[:, 2])
        sure = kind[:, 0] * rank.max(1).values * suit.max(1).values
        shown = sure > 0.6
        wrong = shown & ~right
        return (
            f"kind {float((kind.argmax(1) == labels[:, 0]).float().mean()):.4f} "
            f"card {float(right[told].float().mean()):.4f} "
            f"shown {float(shown[told].float().mean()):.4f} "
            f"wrong of shown {float(wrong.sum() / shown.sum().clamp(min=1)):.4f}"
        )

    return test


def main() -> None:
    """Train, or go on training."""
    given = arguments(__doc__, 6000).parse_args()
    shelf = Shelf(given.data, "crops")
    torch.manual_seed(given.seed)

    def source(step: int) -> Iterator[Batch]:
        return batches(shelf, np.random.default_rng([given.seed, step]))

    plan = Plan(given.steps, given.rate)
    fit(Reader(), "reader", plan, given.out, source, loss_of, tester(shelf), given.start_from)


if __name__ == "__main__":
    main()
