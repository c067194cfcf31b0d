"""Reads drawn tables of the demo's kind with the shipped nets, and counts what is right, open and wrong.

    python -m vision.training.check --tables 40

Single frames, no votes: what the tracker adds comes on top. Exits with 1 when a sure reading is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

import numpy as np

from engine.cards import PACK
from engine.pieces import GNAV
from vision.crops import Mips, overlap
from vision.labels import Kind
from vision.locate import TRAINED_PX_PER_MM, OnnxLocator
from vision.recognise import OnnxCardReader, OnnxPieceReader, OnnxRefiner
from vision.render import Mat, Placed, Scene, Truth, View, over_table, render

SURE = 0.9
_TABLE = (1100.0, 650.0)
_FREE = 0.85


def a_table(rng: np.random.Generator) -> list[Placed]:
    """Hands of cards apart, a fan, a trick in the middle, face-down cards, and pieces."""
    placed: list[Placed] = []
    pack = [str(PACK[i]) for i in rng.permutation(52)]
    names = [piece.name for piece in GNAV.low_to_high] + ["back"]
    for x in range(150, 1000, 105):
        turn = float(rng.normal(0, 8) + rng.choice([0, 90, 180, 270]))
        placed.append(Placed(pack.pop(), x, 130 + rng.uniform(-10, 10), turn, "card", bool(rng.random() > 0.25)))
    start = rng.uniform(140, 260)
    for i in range(6):
        placed.append(Placed(pack.pop(), start + 28 * i, 540 + 2 * i, -8 + 4 * i + rng.normal(0, 1), "card"))
    for _ in range(4):
        x, y = np.array([760, 500]) + rng.normal(0, 45, 2)
        placed.append(Placed(pack.pop(), float(x), float(y), float(rng.uniform(0, 360)), "card"))
    for i, name in enumerate(rng.permutation(names)[:16]):
        x, y = 140 + i % 8 * 100 + rng.uniform(-8, 8), 290 + i // 8 * 75 + rng.uniform(-8, 8)
        placed.append(Placed(str(name), float(x), float(y), float(rng.uniform(0, 360)), "piece", name != "back"))
    return placed


def a_view(rng: np.random.Generator) -> View:
    """The demo's camera, a little different each time."""
    view = over_table(_TABLE, tilt_deg=float(rng.uniform(0, 9)), tilt_towards_deg=float(rng.uniform(0, 360)))
    level, warm = rng.uniform(0.7, 1.05), rng.normal(0, 0.04)
    return View(
        view.width, view.height, view.mm_to_px, gains=(level * (1 + warm), level, level * (1 - warm)),
        slope=(float(rng.normal(0, 0.1)), float(rng.normal(0, 0.1))), vignette=0.1,
        blur_px=float(rng.uniform(0, 0.8)), noise=float(rng.integers(1, 5)),
    )  # fmt: skip


class Eye:
    """The nets in their order, on a calibrated frame."""

    def __init__(self) -> None:
        self.locator, self.refiner = OnnxLocator(), OnnxRefiner()
        self.cards, self.pieces = OnnxCardReader(), OnnxPieceReader()

    def read(self, frame: np.ndarray, px_per_mm: float) -> list[tuple[np.ndarray, object, float, Kind]]:
        """Quadrilateral, name, confidence and kind of each thing."""
        import cv2

        factor = TRAINED_PX_PER_MM / px_per_mm
        small = cv2.resize(frame, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        places = [place.scaled(1 / factor) for place in self.locator.locate(small)]
        mips = Mips(frame)
        flat = [place for place in places if place.kind is Kind.CARD]
        quads = self.refiner.refine(mips, flat)
        out = [(q, e.best, e.confidence, Kind.CARD) for q, e in zip(quads, self.cards.read(mips, quads), strict=True)]
        rounds = [place.quad for place in places if place.kind is Kind.PIECE]
        read = self.pieces.read(mips, rounds)
        return out + [(q, e.best, e.confidence, Kind.PIECE) for q, e in zip(rounds, read, strict=True)]


def count(found: list[tuple[np.ndarray, object, float, Kind]], truths: list[Truth], counts: Counter[str]) -> list[str]:
    """Add one frame; returns what was surely read and wrong."""
    wrong = []
    matched: set[int] = set()
    for quad, name, sure, kind in found:
        shares = [overlap(quad, t.corners)[0] if t.kind == kind.value else 0.0 for t in truths]
        best = int(np.argmax(shares))
        truth = truths[best]
        what = truth.what if truth.face_up or truth.kind == "piece" else "back"
        if str(name) == "none" or sure < SURE:
            continue
        if shares[best] < 0.5 or str(name).lower() != what.lower():
            met = f"{truth.visible:.2f} visible, {shares[best]:.2f} met"
            wrong.append(f"{truth.what} ({met}) read as {name} {sure:.3f}")
            counts[f"{kind.value} wrong"] += 1
        elif best not in matched:
            matched.add(best)
    for i, truth in enumerate(truths):
        state = "free" if truth.visible > _FREE else "covered"
        side = truth.kind if truth.face_up or truth.kind == "piece" else "back"
        counts[f"{side} {state}"] += 1
        counts[f"{side} {state} right"] += i in matched
    return wrong


def main() -> None:
    """Render, read, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    eye, counts = Eye(), Counter[str]()
    colours = ((28, 92, 62), (24, 48, 110), (120, 84, 60), (70, 70, 74))
    for number in range(given.tables):
        style = ("felt", "felt", "wood", "cloth")[number % 4]
        mat = Mat(*_TABLE, style, colours[number % 4], seed=number % 8)
        view = a_view(rng)
        frame, truths = render(Scene(tuple(a_table(rng)), mat), view, rng)
        ends = view.to_px(np.array([[0.0, 325.0], [1100.0, 325.0]]))
        for line in count(eye.read(frame, float(np.hypot(*(ends[1] - ends[0]))) / 1100), truths, counts):
            print("wrong:", line)
    for key in sorted(counts):
        if not key.endswith(("right", "wrong")):
            print(f"{key}: {counts[key + ' right']} of {counts[key]}")
    print("surely wrong:", counts["card wrong"], "cards,", counts["piece wrong"], "pieces")
    sys.exit(1 if counts["card wrong"] + counts["piece wrong"] else 0)


if __name__ == "__main__":
    main()
