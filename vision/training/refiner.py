"""Trains the refiner: the four corners in a rough crop.   python -m vision.training.refiner --steps 4000"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.training.fit import Batch, Plan, Shelf, arguments, decode, fit, pictures, relit
from vision.training.nets import Refiner

BATCH = 96


def _turned(corners: np.ndarray, kind: int) -> np.ndarray:
    """Corners (8,) of a picture turned by half (1), mirrored left to right (2) or top to bottom (3)."""
    points = corners.reshape(4, 2).copy()
    if kind in (1, 2):
        points[:, 0] = 1 - points[:, 0]
    if kind in (1, 3):
        points[:, 1] = 1 - points[:, 1]
    order = {0: (0, 1, 2, 3), 1: (2, 3, 0, 1), 2: (1, 0, 3, 2), 3: (3, 2, 1, 0)}[kind]
    return points[list(order)].reshape(8)


def batches(shelf: Shelf, rng: np.random.Generator) -> Iterator[Batch]:
    """Crops, turned and mirrored, and their corners (N, 8)."""
    count = 0
    while True:
        frames, corners = [], []
        for _ in range(BATCH):
            shard, i = shelf.pick(rng, "refiner_starts")
            frame = decode(shard["refiner_bytes"][shard["refiner_starts"][i] : shard["refiner_starts"][i + 1]])
            kind = int(rng.integers(4))
            frame = (frame, frame[::-1, ::-1], frame[:, ::-1], frame[::-1])[kind]
            frames.append(frame)
            corners.append(_turned(shard["corners"][i], kind))
        yield relit(pictures(frames), rng), torch.from_numpy(np.array(corners)).float()
        count += 1
        if count % 200 == 0:
            shelf.look()


def loss_of(net: nn.Module, batch: Batch) -> Tensor:
    """Smooth distance of the corners."""
    crops, corners = batch
    with torch.autocast("cpu", torch.bfloat16):
        found = net(crops)
    return 100 * functional.smooth_l1_loss(found.float(), corners, beta=0.02)


def tester(shelf: Shelf) -> Callable[[nn.Module], str]:
    """A line on the shards held back: the error in hundredths of the card's width."""
    (shard,) = shelf.held_back()
    count = min(600, len(shard["corners"]))
    starts = shard["refiner_starts"]
    frames = [decode(shard["refiner_bytes"][starts[i] : starts[i + 1]]) for i in range(count)]
    corners = torch.from_numpy(shard["corners"][:count])

    def test(net: nn.Module) -> str:
        found = torch.cat([net(pictures(frames[i : i + 100])) for i in range(0, count, 100)])
        away = (found - corners).reshape(-1, 4, 2) * torch.tensor([130.0, 130.0 * 136 / 96])
        error = away.norm(dim=2).mean(1)
        return f"error {float(error.median()):.2f} median, {float(error.mean()):.2f} mean, % of a card's width"

    return test


def main() -> None:
    """Train, or go on training."""
    given = arguments(__doc__, 4000).parse_args()
    shelf = Shelf(given.data, "crops")
    torch.manual_seed(given.seed)

    def source(step: int) -> Iterator[Batch]:
        return batches(shelf, np.random.default_rng([given.seed, step, 2]))

    plan = Plan(given.steps, given.rate)
    fit(Refiner(), "refiner", plan, given.out, source, loss_of, tester(shelf), given.start_from)


if __name__ == "__main__":
    main()
