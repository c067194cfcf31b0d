"""Trains the localiser: where things lie in a view.   python -m vision.training.localiser --steps 12000"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from vision.training.fit import Batch, Plan, Shelf, arguments, decode, fit, pictures, relit
from vision.training.nets import KIND_COUNT, Localiser

BATCH = 12
STRIDE = 4
_LEAST_VISIBLE = 0.15


def targets(boxes: np.ndarray, width: int, height: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Heat (kinds, h, w); its weight (h, w); geometry (6, h, w); and the geometry's weights (2, h, w).

    Of the last, the first is for place and size, the second for the angle, which round things have none of.
    """
    h, w = height // STRIDE, width // STRIDE
    heat = np.zeros((KIND_COUNT, h, w), np.float32)
    weight = np.ones((h, w), np.float32)
    geometry = np.zeros((6, h, w), np.float32)
    shares = np.zeros((2, h, w), np.float32)
    nearest = np.full((h, w), -1.0, np.float32)
    for kind, x, y, short, long, c2, s2, visible in boxes:
        cx, cy = x / STRIDE, y / STRIDE
        if not (-1 < cx < w + 1 and -1 < cy < h + 1) or short < 3:
            continue
        spread = float(np.clip(short / STRIDE * 0.09, 0.7, 2.5))
        reach = int(3.5 * spread) + 1
        x0, y0 = max(0, int(cx) - reach), max(0, int(cy) - reach)
        about = np.s_[y0 : max(0, int(cy) + reach + 1), x0 : max(0, int(cx) + reach + 1)]
        bump_shape = nearest[about].shape
        if 0 in bump_shape:
            continue
        ys = np.arange(y0, y0 + bump_shape[0], dtype=np.float32)[:, None]
        xs = np.arange(x0, x0 + bump_shape[1], dtype=np.float32)[None, :]
        bump = np.exp(-((xs + 0.5 - cx) ** 2 + (ys + 0.5 - cy) ** 2) / (2 * spread**2))
        if visible < _LEAST_VISIBLE or not (0 <= cx < w and 0 <= cy < h):
            weight[about][bump > 0.2] = 0
            continue
        bump = bump / max(bump.max(), 1e-6)
        heat[int(kind)][about] = np.maximum(heat[int(kind)][about], bump)
        mine = (bump > 0.35) & (bump > nearest[about])
        nearest[about][mine] = bump[mine]
        geometry[0][about] = np.where(mine, cx - xs, geometry[0][about])
        geometry[1][about] = np.where(mine, cy - ys, geometry[1][about])
        for channel, value in enumerate((np.log(short), np.log(long), c2, s2), 2):
            geometry[channel][about][mine] = value
        shares[0][about][mine] = bump[mine] ** 2
        shares[1][about][mine] = bump[mine] ** 2 if kind == 0 else 0
    weight = np.where(heat.max(0) > 0.99, 1.0, weight)
    return heat, weight.astype(np.float32), geometry, shares


def turned(frame: np.ndarray, boxes: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The view mirrored and zoomed at random; the size stays."""
    high, wide = frame.shape[:2]
    boxes = boxes.copy()
    if rng.random() < 0.5:
        frame, boxes[:, 1], boxes[:, 6] = frame[:, ::-1], wide - boxes[:, 1], -boxes[:, 6]
    if rng.random() < 0.5:
        frame, boxes[:, 2], boxes[:, 6] = frame[::-1], high - boxes[:, 2], -boxes[:, 6]
    if rng.random() < 0.5:
        zoom = rng.uniform(0.8, 1.25)
        shift = rng.uniform(-0.1, 0.1, 2) * (wide, high) + np.array([wide, high]) / 2 * (1 - zoom)
        matrix = np.array([[zoom, 0, shift[0]], [0, zoom, shift[1]]])
        fill = [float(v) for v in rng.integers(0, 255, 3)]
        frame = cv2.warpAffine(
            np.ascontiguousarray(frame), matrix, (wide, high), flags=cv2.INTER_LINEAR, borderValue=fill
        )
        boxes[:, 1:3] = boxes[:, 1:3] * zoom + shift
        boxes[:, 3:5] *= zoom
    return frame, boxes


def batches(shelf: Shelf, rng: np.random.Generator) -> Iterator[Batch]:
    """Views and their targets."""
    count = 0
    while True:
        frames, wanted = [], []
        for _ in range(BATCH):
            shard, i = shelf.pick(rng, "starts")
            frame = decode(shard["bytes"][shard["starts"][i] : shard["starts"][i + 1]])
            boxes = shard["boxes"][shard["box_starts"][i] : shard["box_starts"][i + 1]]
            frame, boxes = turned(frame, boxes, rng)
            frames.append(frame)
            wanted.append(targets(boxes, frame.shape[1], frame.shape[0]))
        heat, weight, geometry, shares = (torch.from_numpy(np.stack(part)) for part in zip(*wanted, strict=True))
        yield relit(pictures(frames), rng), heat, weight, geometry, shares
        count += 1
        if count % 200 == 0:
            shelf.look()


def loss_of(net: nn.Module, batch: Batch) -> Tensor:
    """Focal loss of the heat, absolute error of the geometry about the centres."""
    views, heat, weight, geometry, shares = batch
    with torch.autocast("cpu", torch.bfloat16):
        logits, found = net(views)
    logits, found = logits.float(), found.float()
    sure = logits.sigmoid().clamp(1e-5, 1 - 1e-5)
    is_centre = (heat > 0.999).float()
    hit = is_centre * (1 - sure) ** 2 * sure.log()
    miss = (1 - is_centre) * (1 - heat) ** 4 * sure**2 * (1 - sure).log() * weight[:, None]
    centres = is_centre.sum().clamp(min=1)
    loss = -(hit.sum() + miss.sum()) / centres
    away = (found - geometry).abs()
    total = shares[:, 0].sum().clamp(min=1)
    place = (away[:, :2].sum(1) * shares[:, 0]).sum() / total
    size = (away[:, 2:4].sum(1) * shares[:, 0]).sum() / total
    angle = (away[:, 4:].sum(1) * shares[:, 1]).sum() / shares[:, 1].sum().clamp(min=1)
    return loss + 0.5 * place + 2.0 * size + 1.0 * angle


def peaks(heat: np.ndarray, geometry: np.ndarray, least: float = 0.3) -> np.ndarray:
    """Boxes (N, 8): kind, x, y, short, long, cos 2t, sin 2t, score, of one view's outputs."""
    out = []
    for kind in range(heat.shape[0]):
        top = cv2.dilate(heat[kind], np.ones((3, 3), np.uint8))
        for y, x in zip(*np.nonzero((heat[kind] >= top) & (heat[kind] > least)), strict=True):
            dx, dy, short, long, c2, s2 = geometry[:, y, x]
            place = ((x + dx) * STRIDE, (y + dy) * STRIDE)
            out.append((kind, *place, np.exp(short), np.exp(long), c2, s2, heat[kind, y, x]))
    return np.array(out, np.float32).reshape(-1, 8)


def tester(shelf: Shelf) -> Callable[[nn.Module], str]:
    """A line on the shards held back: found and right by kind, for what is half visible or more."""
    (shard,) = shelf.held_back()
    count = min(150, len(shard["starts"]) - 1)
    frames = [decode(shard["bytes"][shard["starts"][i] : shard["starts"][i + 1]]) for i in range(count)]
    boxes = [shard["boxes"][shard["box_starts"][i] : shard["box_starts"][i + 1]] for i in range(count)]

    def test(net: nn.Module) -> str:
        counts = np.zeros((4, 3))
        covered = np.zeros(2)
        turn_errors = []
        for start in range(0, count, 10):
            logits, geometry = net(pictures(frames[start : start + 10]))
            for heat, shape, truth in zip(
                logits.sigmoid().numpy(), geometry.numpy(), boxes[start : start + 10], strict=True
            ):
                found = peaks(heat, shape)
                _score(found, truth, counts, covered, turn_errors)
        parts = []
        for what, (true, right, false) in zip(("card", "piece", "die", "chip"), counts, strict=True):
            parts.append(f"{what} {right / max(1, true):.3f} at {right / max(1, right + false):.3f}")
        parts.append(f"covered cards {covered[1] / max(1, covered[0]):.3f}")
        return "; ".join(parts) + f"; turn {np.mean(turn_errors or [0]):.1f} deg"

    return test


def _score(found: np.ndarray, truth: np.ndarray, counts: np.ndarray, covered: np.ndarray, turns: list[float]) -> None:
    """Add one view to the counts: true, found, false."""
    inside = (truth[:, 1] > 4) & (truth[:, 1] < 380) & (truth[:, 2] > 4) & (truth[:, 2] < 284)
    used = np.zeros(len(found), bool)
    for box, is_inside in zip(truth, inside, strict=True):
        near = np.hypot(found[:, 1] - box[1], found[:, 2] - box[2]) < 0.2 * box[3]
        near &= (np.abs(np.log(found[:, 3] / box[3])) < 0.25) & (found[:, 0] == box[0])
        hits = np.nonzero(near & ~used)[0]
        if len(hits):
            used[hits[0]] = True
        if is_inside and box[7] >= 0.5:
            counts[int(box[0]), 0] += 1
            counts[int(box[0]), 1] += len(hits) > 0
            if len(hits) and box[0] == 0:
                a, b = np.arctan2(found[hits[0], 6], found[hits[0], 5]), np.arctan2(box[6], box[5])
                turns.append(abs(float(np.rad2deg(np.angle(np.exp(1j * (a - b)))) / 2)))
        elif is_inside and box[0] == 0 and box[7] >= _LEAST_VISIBLE:
            covered += (1, len(hits) > 0)
    for kind in range(4):
        wrong = (found[:, 0] == kind) & ~used
        counts[kind, 2] += int(wrong.sum())


def main() -> None:
    """Train, or go on training."""
    given = arguments(__doc__, 12000).parse_args()
    shelf = Shelf(given.data, "tables")
    torch.manual_seed(given.seed)

    def source(step: int) -> Iterator[Batch]:
        return batches(shelf, np.random.default_rng([given.seed, step, 1]))

    plan = Plan(given.steps, given.rate, average=0.999)
    fit(Localiser(), "localiser", plan, given.out, source, loss_of, tester(shelf), given.start_from)


if __name__ == "__main__":
    main()
