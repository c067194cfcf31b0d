"""Draws the data to train with, in shards of JPEG pictures; a shard that is there already is not drawn again.

    python -m vision.training.data tables --shards 40
    python -m vision.training.data crops --shards 60

*tables* feed the localiser (whole views with boxes), *crops* the reader and the refiner.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from engine.cards import RANK_LETTERS
from vision.render.scene import Placed, Scene, Truth, render
from vision.render.view import View
from vision.training.tables import Looks, Rng, a_hand, camera, group, random_mat, small_things, spoil

KINDS = ("card", "piece", "die", "chip")
TABLE_SIZE = (384, 288)
READER_SIZE = (112, 160)
REFINER_SIZE = (96, 136)
FACE, BACK, NONE = 0, 1, 2
_CARD = (63.0, 88.0)


def box_of(truth: Truth) -> tuple[float, ...]:
    """Centre x and y, short side, long side, cos 2t and sin 2t of the amodal box, in pixels."""
    c = truth.corners
    top, right = c[1] - c[0], c[2] - c[1]
    bottom, left = c[2] - c[3], c[3] - c[0]
    across, down = (top + bottom) / 2, (right + left) / 2
    wide, high = float(np.hypot(*across)), float(np.hypot(*down))
    long = down if high >= wide else across
    turn = np.arctan2(long[1], long[0])
    x, y = c.mean(0)
    return x, y, min(wide, high), max(wide, high), float(np.cos(2 * turn)), float(np.sin(2 * turn))


def a_table(rng: Rng, looks: Looks, mat_seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A view (BGR) and its boxes (N, 8): kind, the six of ``box_of``, visible share."""
    card_px = rng.uniform(36, 54) if rng.random() < 0.65 else np.exp(rng.uniform(np.log(26), np.log(130)))
    px_per_mm = card_px / 88
    span = np.array(TABLE_SIZE) / px_per_mm
    mat = random_mat(np.random.default_rng(mat_seed), 900.0, 700.0)
    middle = rng.uniform(0.25, 0.75, 2) * (900, 700)
    placed: list[Placed] = []

    def somewhere() -> tuple[float, float]:
        x, y = middle + rng.uniform(-0.62, 0.62, 2) * span
        return float(x), float(y)

    for _ in range(int(rng.integers(0, 4))):
        placed.append(Placed(str(rng.integers(64)), *somewhere(), float(rng.uniform(0, 360)), "clutter"))
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(1, 4))):
            name = f"marker{rng.integers(50)}"
            placed.append(Placed(name, *somewhere(), float(rng.choice([0, 90, 180, rng.uniform(0, 360)])), "clutter"))
    room = float(span[0] * span[1]) / (63 * 88)
    wanted = min(60.0, room * rng.uniform(0.08, 0.6)) + 1
    while len(placed) < wanted:
        if rng.random() < 0.72:
            placed += group(rng, *somewhere(), backs=0.45)
        else:
            placed += small_things(rng, *somewhere())
    if rng.random() < 0.2:
        placed.append(Placed(str(rng.integers(64)), *somewhere(), float(rng.uniform(0, 360)), "clutter"))
    hands = tuple(a_hand(rng, *somewhere()) for _ in range(int(rng.choice(3, p=[0.75, 0.18, 0.07]))))
    steep = 38.0 if rng.random() < 0.35 else 14.0
    view = camera(rng, TABLE_SIZE, px_per_mm, (float(middle[0]), float(middle[1])), steep)
    frame, truths = render(Scene(tuple(placed), mat, hands, looks), view, rng)
    boxes = [
        (KINDS.index(t.kind), *box_of(t), t.visible)
        for t in truths
        if t.kind != "clutter"
        and np.all(t.corners.mean(0) > -20)
        and np.all(t.corners.mean(0) < np.array(TABLE_SIZE) + 20)
    ]
    return spoil(frame, rng), np.array(boxes, np.float32).reshape(-1, 8)


def _covered(target: Placed, above: list[Placed], inset: float, corners: int, view: View) -> tuple[float, float]:
    """The best visible share of an index corner, and the visible share of the card, by sampling points."""
    spots = np.array([(x, y) for x in (3, 5, 7, 9) for y in (3, 7, 11, 15, 19)], float) - (
        _CARD[0] / 2,
        _CARD[1] / 2,
    )
    groups = [spots, -spots, spots * (-1, 1), spots * (1, -1)][: max(1, corners)]
    body = np.stack(np.meshgrid(np.linspace(-29, 29, 9), np.linspace(-42, 42, 11)), -1).reshape(-1, 2)

    def free(points: np.ndarray) -> float:
        t = np.deg2rad(target.turn_deg)
        spin = np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]])
        world = points @ spin + (target.x_mm, target.y_mm)
        seen = view.to_px(world)
        hidden = ~np.all((seen > 1) & (seen < (view.width - 2, view.height - 2)), 1)
        for other in above:
            u = np.deg2rad(other.turn_deg)
            back = np.array([[np.cos(u), -np.sin(u)], [np.sin(u), np.cos(u)]])
            own = (world - (other.x_mm, other.y_mm)) @ back
            half = {"card": _CARD, "die": (16, 16), "clutter": (60, 60)}.get(other.kind, (36, 36))
            hidden |= (np.abs(own[:, 0]) < half[0] / 2 + inset) & (np.abs(own[:, 1]) < half[1] / 2 + inset)
        return 1 - float(hidden.mean())

    return max(free(g) for g in groups), free(body)


def _warp(frame: np.ndarray, corners: np.ndarray, size: tuple[int, int], smooth: bool) -> np.ndarray:
    """The quadrilateral (tl, tr, br, bl) of the frame, stretched to width x height."""
    wide, high = size
    scale = np.hypot(*(corners[3] - corners[0])) / high
    if smooth and scale > 1.3:
        less = 1 / scale
        frame = cv2.resize(frame, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
        corners = corners * less
    target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    # the runtime repeats the edge where a card leaves the picture
    return cv2.warpPerspective(frame, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


@dataclass(slots=True)
class Crops:
    """What one small table gives the reader and the refiner."""

    reader: list[np.ndarray]
    labels: list[tuple[int, int, int]]
    """Kind; rank 0 ... 12 and suit 0 ... 3, or -1 where the picture does not tell."""
    refiner: list[np.ndarray]
    corners: list[np.ndarray]


def _near_target(rng: Rng, x: float, y: float) -> tuple[list[Placed], Placed, list[Placed]]:
    """What lies under the target, the target, and what lies on it."""
    turn = float(rng.uniform(0, 360))
    what = str(RANK_LETTERS[int(rng.integers(13))]) + "cdhs"[int(rng.integers(4))]
    target = Placed(what, x, y, turn, "card", bool(rng.random() > 0.16))
    c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))

    def other(along: float, across: float, spin: float) -> Placed:
        card = str(RANK_LETTERS[int(rng.integers(13))]) + "cdhs"[int(rng.integers(4))]
        return Placed(
            card,
            x + along * c - across * s,
            y + along * s + across * c,
            turn + spin,
            "card",
            bool(rng.random() > 0.2),
        )

    below: list[Placed] = []
    above: list[Placed] = []
    style = rng.random()
    if style < 0.4:
        for _ in range(int(rng.integers(0, 4))):
            away, direction = rng.uniform(66, 110), rng.uniform(0, 2 * np.pi)
            below.append(other(away * np.cos(direction), away * np.sin(direction), float(rng.normal(0, 20))))
    elif style < 0.7:
        step, bend = rng.uniform(10, 40) * rng.choice([-1, 1]), rng.uniform(-9, 9)
        for k in range(1, int(rng.integers(2, 5))):
            below.insert(0, other(-step * k, 0.6 * bend * k, -bend * k))
        for k in range(1, int(rng.integers(1, 4))):
            above.append(other(step * k, 0.6 * bend * k, bend * k))
    elif style < 0.8:
        below = [
            other(63 + rng.uniform(-1, 6), rng.normal(0, 3), rng.normal(0, 2)),
            other(rng.normal(0, 3), 90, 0),
        ]
    else:
        for _ in range(int(rng.integers(1, 4))):
            below.append(other(rng.normal(0, 28), rng.normal(0, 36), float(rng.uniform(0, 360))))
        for _ in range(int(rng.integers(0, 3))):
            above.append(other(rng.normal(0, 40), rng.normal(0, 50), float(rng.uniform(0, 360))))
    if rng.random() < 0.12:
        kind = str(rng.choice(["piece", "chip", "die"]))
        things = {
            "piece": f"other{rng.integers(8)}",
            "chip": str(rng.integers(6)),
            "die": str(rng.integers(1, 7)),
        }
        px, py = np.array([x, y]) + rng.normal(0, 30, 2)
        above.append(Placed(things[kind], float(px), float(py), 0.0, kind))  # type: ignore[arg-type]
    if rng.random() < 0.2:
        below.insert(
            0,
            Placed(
                str(rng.integers(64)),
                x + rng.normal(0, 60),
                y + rng.normal(0, 60),
                rng.uniform(0, 360),
                "clutter",
            ),
        )
    return below, target, above


def _label(
    placed: Placed, above: list[Placed], index_corners: int, truth: Truth, view: View
) -> tuple[int, int, int] | None:
    """The reader's label, or None where so little shows that neither answer would be fair."""
    if truth.visible < 0.12:
        return None
    if not placed.face_up:
        return BACK, -1, -1
    index, body = _covered(placed, above, -0.5, index_corners, view)
    told = index > 0.93 or (body > 0.82 and truth.visible > 0.8)
    if not told and (index > 0.6 or body > 0.6):
        return None
    rank, suit = RANK_LETTERS.index(placed.what[0]), "cdhs".index(placed.what[1])
    return (FACE, rank, suit) if told else (FACE, -1, -1)


def crops(rng: Rng, looks: Looks, mat_seed: int, into: Crops) -> None:
    """Render one small table and cut from it."""
    card_px = float(np.exp(rng.uniform(np.log(52), np.log(340))))
    px_per_mm = card_px / 88
    side = int(card_px * 1.9)
    below, target, above = _near_target(rng, 150.0, 150.0)
    hands = (a_hand(rng, *(150 + rng.normal(0, 60, 2))),) if rng.random() < 0.05 else ()
    placed = (*below, target, *above)
    mat = random_mat(np.random.default_rng(mat_seed), 300.0, 300.0)
    view = camera(rng, (side, side), px_per_mm, (150.0, 150.0), 38.0 if rng.random() < 0.5 else 12.0)
    frame, truths = render(Scene(placed, mat, hands, looks), view, rng)
    frame = spoil(frame, rng)
    at = len(below)
    wanted = [at, *(i for i in rng.permutation(len(placed))[:2] if i != at and placed[i].kind == "card")]
    for i in wanted:
        truth = truths[i]
        if i != at and truth.visible < 0.3:
            continue
        label = _label(placed[i], list(placed[i + 1 :]), looks.index_corners, truth, view)
        if label is None:
            continue
        unit = np.hypot(*(truth.corners[1] - truth.corners[0]))
        if rng.random() < 0.82:
            spread = 0.05 if rng.random() < 0.15 else 0.02
            seen = truth.corners + rng.normal(0, spread, (4, 2)) * unit
            into.labels.append(label)
        else:
            seen = _misplaced(truth.corners, rng)
            into.labels.append((NONE, -1, -1))
        seen = np.roll(seen, 2, 0) if rng.random() < 0.5 else seen
        into.reader.append(_warp(frame, seen, READER_SIZE, bool(rng.random() < 0.7)))
    if rng.random() < 0.12:
        corner = rng.uniform(0, side * 0.6, 2)
        size = np.array([63, 88]) * px_per_mm * rng.uniform(0.3, 1.3)
        quad = corner + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size
        clear = all(np.abs(t.corners.mean(0) - quad.mean(0)).max() > 0.42 * card_px for t in truths if t.kind == "card")
        if clear:
            into.reader.append(_warp(frame, quad, READER_SIZE, True))
            into.labels.append((NONE, -1, -1))
    if truths[at].visible > 0.25:
        _refine(frame, truths[at], rng, into)


def strangers(rng: Rng, looks: Looks, mat_seed: int, into: Crops) -> None:
    """Render something that is no card, where a localiser might take it for one, and cut it out."""
    px_per_mm = float(np.exp(rng.uniform(np.log(52), np.log(240)))) / 88
    kind = str(rng.choice(["marker", "clutter", "piece", "chip", "die"], p=[0.4, 0.3, 0.14, 0.1, 0.06]))
    names = {
        "marker": f"marker{rng.integers(50)}",
        "clutter": str(rng.integers(64)),
        "piece": f"other{rng.integers(8)}",
    }
    names |= {"chip": str(rng.integers(6)), "die": str(rng.integers(1, 7))}
    thing = "clutter" if kind == "marker" else kind
    turn = float(rng.uniform(0, 360))
    placed = Placed(names[kind], 150.0, 150.0, turn, thing)  # type: ignore[arg-type]
    side = int(140 * px_per_mm)
    mat = random_mat(np.random.default_rng(mat_seed), 300.0, 300.0)
    view = camera(rng, (side, side), px_per_mm, (150.0, 150.0), 12.0)
    frame, (truth,) = render(Scene((placed,), mat, (), looks), view, rng)
    frame = spoil(frame, rng)
    across, down = truth.corners[1] - truth.corners[0], truth.corners[3] - truth.corners[0]
    stretch = rng.uniform(-0.25, 0.25, 2)
    wider = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * stretch
    seen = truth.corners + wider[:, :1] * across + wider[:, 1:] * down + rng.normal(0, 0.05, (4, 2)) * np.hypot(*across)
    into.reader.append(_warp(frame, np.roll(seen, int(rng.integers(4)), 0), READER_SIZE, bool(rng.random() < 0.7)))
    into.labels.append((NONE, -1, -1))


def _misplaced(corners: np.ndarray, rng: Rng) -> np.ndarray:
    """A quadrilateral that is clearly not the card, of the kinds that localisers and contours find."""
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    middle = corners.mean(0)
    match int(rng.integers(7)):
        case 0:
            return corners + across * rng.choice([-1, 1]) * rng.uniform(0.42, 0.8)
        case 1:
            return corners + down * rng.choice([-1, 1]) * rng.uniform(0.38, 0.8)
        case 2:
            return middle + (np.roll(corners, 1, 0) - middle) * rng.uniform(0.8, 1.2)
        case 3:
            zoom = rng.uniform(0.3, 0.55) if rng.random() < 0.5 else rng.uniform(1.6, 2.4)
            return middle + (corners - middle) * zoom + across * rng.normal(0, 0.1)
        case 4:  # two cards side by side have a card's shape
            twice = middle + across * rng.choice([-0.5, 0.5]) * rng.uniform(0.9, 1.15)
            wide, high = across * rng.uniform(0.95, 1.08), down * rng.uniform(0.47, 0.53)
            return np.roll(
                np.array([twice - wide - high, twice + wide - high, twice + wide + high, twice - wide + high]),
                1,
                0,
            )
        case 5:  # and so has half a card
            half = middle + down * rng.choice([-0.25, 0.25])
            wide, high = across * rng.uniform(0.45, 0.52), down * rng.uniform(0.22, 0.28)
            return np.roll(
                np.array([half - wide - high, half + wide - high, half + wide + high, half - wide + high]),
                1,
                0,
            )
        case _:  # a patch of it: pips, bars, a court's coat
            zoom = np.exp(rng.uniform(np.log(0.06), np.log(0.4)))
            at = middle + across * rng.uniform(-0.45, 0.45) + down * rng.uniform(-0.45, 0.45)
            return at + (np.roll(corners, int(rng.integers(2)), 0) - middle) * zoom


def _refine(frame: np.ndarray, truth: Truth, rng: Rng, into: Crops) -> None:
    """A crop of 1.3 times a localiser's rough box, and where the true corners are in it."""
    x, y, wide, high, c2, s2 = box_of(truth)
    turn = np.arctan2(s2, c2) / 2 + np.deg2rad(rng.normal(0, 8.0 if rng.random() < 0.2 else 3.5))
    if rng.random() < 0.5:
        turn += np.pi
    x, y = np.array([x, y]) + rng.normal(0, 0.06 if rng.random() < 0.8 else 0.12, 2) * wide
    wide, high = 1.3 * np.array([wide, high]) * np.exp(rng.normal(0, 0.07, 2))
    down = np.array([np.cos(turn), np.sin(turn)])
    right = np.array([down[1], -down[0]])
    middle = np.array([x, y])
    quad = np.array(
        [middle + right * wide * i + down * high * j for i, j in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
    )
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), unit)
    inside = cv2.perspectiveTransform(truth.corners[None].astype(np.float32), matrix)[0]
    ideal = (unit - 0.5) / 1.3 + 0.5
    turns = [np.roll(inside, k, 0) for k in range(4)]
    best = min(turns, key=lambda t: float(np.abs(t - ideal).sum()))
    into.refiner.append(_warp(frame, quad, REFINER_SIZE, bool(rng.random() < 0.7)))
    into.corners.append(best.reshape(-1))


def pack(pictures: list[np.ndarray], rng: Rng) -> dict[str, np.ndarray]:
    """Pictures as JPEG bytes end to end, and where each begins."""
    codes = [
        cv2.imencode(
            ".jpg",
            p,
            [cv2.IMWRITE_JPEG_QUALITY, int(rng.choice([96, 90, 80, 65, 45], p=[0.3, 0.25, 0.2, 0.15, 0.1]))],
        )[1]
        for p in pictures
    ]
    starts = np.cumsum([0, *map(len, codes)])
    return {"bytes": np.concatenate(codes) if codes else np.zeros(0, np.uint8), "starts": starts}


def _shard(job: tuple[str, int, int, Path, Path]) -> str:
    what, number, count, out, art = job
    path = out / f"{what}_{number:04d}.npz"
    if path.exists():
        return f"{path.name} is there"
    began = time.time()
    rng = np.random.default_rng([number, 0 if what == "tables" else 1, 20])
    cv2.setRNGSeed(number)
    cv2.setNumThreads(1)
    looks, mat_seed = Looks(rng, art), 0
    arrays: dict[str, np.ndarray]
    if what == "tables":
        frames, boxes = [], []
        for i in range(count):
            if i % 10 == 0:
                looks = Looks(rng, art)
            if i % 14 == 0:
                mat_seed = int(rng.integers(1 << 30))
            frame, found = a_table(rng, looks, mat_seed)
            frames.append(frame)
            boxes.append(found)
        arrays = pack(frames, rng)
        arrays["boxes"] = np.concatenate(boxes)
        arrays["box_starts"] = np.cumsum([0, *map(len, boxes)])
    else:
        got = Crops([], [], [], [])
        for i in range(count):
            if i % 16 == 0:
                looks = Looks(rng, art)
            if i % 12 == 0:
                mat_seed = int(rng.integers(1 << 30))
            crops(rng, looks, mat_seed, got)
            if i % 7 == 0:
                strangers(rng, looks, mat_seed, got)
        arrays = pack(got.reader, rng) | {"labels": np.array(got.labels, np.int8)}
        arrays |= {f"refiner_{k}": v for k, v in pack(got.refiner, rng).items()}
        arrays["corners"] = np.array(got.corners, np.float32)
    part = path.with_suffix(".part.npz")
    np.savez(part, **arrays)
    part.rename(path)
    return f"{path.name}: {count} in {time.time() - began:.0f} s"


def main() -> None:
    """Draw the shards that are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["tables", "crops"])
    parser.add_argument("--shards", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=500, help="tables a shard")
    parser.add_argument("--out", type=Path, default=Path("work/data"))
    parser.add_argument("--art", type=Path, default=Path("work/art"))
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    numbers = range(given.first, given.first + given.shards)
    jobs = [(given.what, number, given.count, given.out, given.art) for number in numbers]
    with Pool(given.processes) as pool:
        for said in pool.imap(_shard, jobs):
            print(said, flush=True)


if __name__ == "__main__":
    main()
