"""Where something lies: boxes of cards, pieces, dice and chips, also of a card that others half cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Quad, batch, box_quad, overlap
from vision.frame import Pixels
from vision.labels import KINDS, Kind
from vision.nets import MODELS, Net, Tensor

TRAINED_PX_PER_MM = 0.5
"""The scale the localiser was trained at: a metre of table in 544 pixels, a card about 31 x 44."""
STRIDE = 4
_MULTIPLE = 32
_AT_LEAST = 0.3
_MOST = 120
_SAME_BOX = 0.6
"""Boxes of one kind sharing more of their union are one thing; cards in a 30 mm fan share 0.36."""
_SAME_ROUND = 0.3

SIZES_MM: dict[Kind, tuple[tuple[float, float], tuple[float, float]]] = {
    Kind.CARD: ((42.0, 76.0), (66.0, 108.0)),
    Kind.PIECE: ((18.0, 52.0), (18.0, 52.0)),
    Kind.DIE: ((8.0, 32.0), (8.0, 32.0)),
    Kind.CHIP: ((18.0, 55.0), (18.0, 55.0)),
}
"""Known sizes with room for a rough box: short side, long side; low and high."""


@dataclass(frozen=True, slots=True)
class Place:
    """A turned box in which something lies, in pixels of the picture it was found in."""

    kind: Kind
    score: float
    """0 ... 1."""
    centre: tuple[float, float]
    short: float
    long: float
    angle: float
    """Of the long side against the x axis, radians in (-pi/2, pi/2], y down."""

    @property
    def quad(self) -> Quad:
        """Corners [4, 2] as they stand when the long side is upright."""
        return box_quad(self.centre, self.short, self.long, self.angle)

    def scaled(self, factor: float, shift: tuple[float, float] = (0.0, 0.0)) -> Place:
        """The same place in a picture *factor* as fine, then shifted."""
        x, y = self.centre
        return replace(
            self,
            centre=(x * factor + shift[0], y * factor + shift[1]),
            short=self.short * factor,
            long=self.long * factor,
        )


class Locator(Protocol):
    """Finds places in a picture in which a card is about 31 x 44 pixels."""

    def locate(self, pixels: Pixels) -> tuple[Place, ...]:
        """All places, best first, doubles removed."""
        ...


class OnnxLocator:
    """The trained localiser: an anchor-free net with one heat plane a kind."""

    def __init__(
        self, path: Path = MODELS / "localiser.onnx", *, threads: int = 1, at_least: float = _AT_LEAST
    ) -> None:
        """ModelError when the file cannot be used."""
        self._net = Net(path, "image", ("heat", "geometry"), threads=threads)
        self._at_least = at_least

    def locate(self, pixels: Pixels) -> tuple[Place, ...]:
        heat, geometry = self._net.run(batch([_padded(pixels)]))
        inside = (pixels.shape[1], pixels.shape[0])
        return without_doubles(places(heat[0], geometry[0], at_least=self._at_least, inside=inside))


def places(
    heat: Tensor, geometry: Tensor, *, at_least: float = _AT_LEAST, inside: tuple[int, int] | None = None
) -> tuple[Place, ...]:
    """Read the localiser's planes [4, h, w] and [6, h, w]: a place for each peak, best first.

    *inside* is the width and height of the picture without its padding.
    """
    peaks = _peaks(heat, at_least)
    kinds, rows, columns = np.nonzero(peaks)
    scores = heat[kinds, rows, columns]
    order = np.argsort(-scores, kind="stable")[:_MOST]
    found = []
    for index in order:
        kind, row, column = int(kinds[index]), int(rows[index]), int(columns[index])
        dx, dy, log_w, log_h, cos, sin = (float(value) for value in geometry[:, row, column])
        x, y = (column + dx) * STRIDE, (row + dy) * STRIDE
        if inside is not None and not (0 <= x < inside[0] and 0 <= y < inside[1]):
            continue
        short, long = float(np.exp(np.clip(log_w, 0, 8))), float(np.exp(np.clip(log_h, 0, 8)))
        angle = float(np.arctan2(sin, cos)) / 2
        if short > long:
            short, long = long, short
            angle = _wrapped(angle + np.pi / 2)
        found.append(Place(KINDS[kind], float(scores[index]), (x, y), short, long, angle))
    return tuple(found)


def _peaks(heat: Tensor, at_least: float) -> NDArray[np.bool_]:
    """Cells that are the highest of their 3 x 3 and high enough."""
    highest = np.stack([cv2.dilate(plane, np.ones((3, 3), np.uint8)) for plane in heat])
    return np.asarray((heat >= highest) & (heat >= at_least))


def without_doubles(found: Sequence[Place]) -> tuple[Place, ...]:
    """Keep the best of places that are one thing (best first in, best first out)."""
    kept: list[tuple[Place, Quad]] = []
    for place in sorted(found, key=lambda place: -place.score):
        quad = place.quad
        if not any(_one_thing(place, quad, other, seen) for other, seen in kept):
            kept.append((place, quad))
    return tuple(place for place, _ in kept)


def _one_thing(place: Place, quad: Quad, other: Place, seen: Quad) -> bool:
    apart = np.hypot(place.centre[0] - other.centre[0], place.centre[1] - other.centre[1])
    if apart > (place.long + other.long) / 2:
        return False
    union, smaller = overlap(quad, seen)
    if place.kind is Kind.CARD and other.kind is Kind.CARD:
        return union > _SAME_BOX
    if Kind.CARD in (place.kind, other.kind):
        return union > _SAME_ROUND
    return union > _SAME_ROUND or smaller > 0.7


def of_possible_size(found: Sequence[Place], px_per_mm: float) -> tuple[Place, ...]:
    """Those whose sides a real card, piece, die or chip may have."""
    return tuple(place for place in found if _possible(place, px_per_mm))


def _possible(place: Place, px_per_mm: float) -> bool:
    (least_short, most_short), (least_long, most_long) = SIZES_MM[place.kind]
    short, long = place.short / px_per_mm, place.long / px_per_mm
    return least_short <= short <= most_short and least_long <= long <= most_long


def _wrapped(angle: float) -> float:
    """Into (-pi/2, pi/2]: a box has no head."""
    wrapped = float((angle + np.pi / 2) % np.pi - np.pi / 2)
    return wrapped if wrapped > -np.pi / 2 else wrapped + np.pi


def _padded(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    below, right = -height % _MULTIPLE, -width % _MULTIPLE
    if not (below or right):
        return pixels
    return np.asarray(cv2.copyMakeBorder(pixels, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
