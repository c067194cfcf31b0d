"""What was laid since the table last lay settled: the changed patch of a card's size is a card, whatever lies below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Quad, overlap
from vision.frame import Pixels
from vision.labels import Kind
from vision.locate import Place
from vision.zones import CARD_MM

_DIFFERS = 26
"""Grey levels."""
_SIZE = (0.86, 1.12)
"""Both sides of a changed patch, as shares of a card's; white laid on white does not show at once."""
_ROUND_MM = (20.0, 48.0)
_ROUND_APART = 0.1
_PART = 0.4
"""Of one side, where the rest is white on a known card's white."""
_FILLED = 0.45
"""Share of its box that must have changed."""
_SCORE = 0.5
_INSTEAD = 0.3
"""A patch that overlaps a found box more than this replaces it: where cards overlap, boxes are guessed between them."""
_KNOWN = 0.6
_AMONG = 0.15
"""A box that overlaps known cards by this share of its area ..."""
_NEW = 0.3
"""... is a card only if this share of it has changed, ..."""
_BESIDE = 0.2
"""... or if its middle is this near (in widths of a card) to a known card's: then it is that one."""


@dataclass(frozen=True, slots=True, eq=False)
class Changed:
    """Where a view differs from the table as it last lay settled; positions are pixels of the view."""

    card_px: tuple[float, float]
    mask: NDArray[np.uint8] | None
    """None when the table has not been seen settled yet."""

    def cards(self, known: Sequence[Quad] = ()) -> tuple[Place, ...]:
        """Places of card-sized patches that have changed; not where something *known* lies or lay."""
        return _unknown(self._patches(known), known)

    def rounds(self, found: Sequence[Place]) -> tuple[Place, ...]:
        """Places of round patches of a piece's size that have changed, where the localiser has *found* nothing."""
        low, high = (side * self.card_px[0] / CARD_MM[0] for side in _ROUND_MM)
        patches = []
        for points in self._components(0.6 * low**2):
            (x, y), sides, _ = cv2.minAreaRect(points)
            short, long = min(sides) + 1, max(sides) + 1
            if low <= short <= long <= high and long <= 1.25 * short and len(points) >= 0.6 * short * long:
                patches.append(Place(Kind.PIECE, _SCORE, (float(x), float(y)), short, long, 0.0))
        return tuple(
            patch for patch in patches if all(overlap(patch.quad, place.quad)[0] < _ROUND_APART for place in found)
        )

    def _patches(self, known: Sequence[Quad]) -> list[Place]:
        cards = [self._card(points, known) for points in self._components(0.3 * self.card_px[0] * self.card_px[1])]
        return [place for place in cards if place is not None]

    def _components(self, at_least: float) -> list[NDArray[np.float32]]:
        """The points [N, 2] of each patch of that many pixels."""
        if self.mask is None or not self.mask.any():
            return []
        count, labels, stats, _ = cv2.connectedComponentsWithStats(self.mask, connectivity=8)
        large = [number for number in range(1, count) if stats[number][cv2.CC_STAT_AREA] >= at_least]
        return [np.argwhere(labels == number)[:, ::-1].astype(np.float32) for number in large]

    def weigh(self, found: Sequence[Place], known: Sequence[Quad]) -> tuple[Place, ...]:
        """The localiser's places without those that cannot be, and the changed patches instead.

        Among overlapping cards the localiser guesses boxes between them; but nothing new can lie where nothing changed.
        """
        patches = self._patches(known)
        quads = [place.quad for place in patches]
        kept = [place for place in found if place.kind is not Kind.CARD or self._may_be(place.quad, known, quads)]
        return (*kept, *_unknown(patches, known))

    def _may_be(self, quad: Quad, known: Sequence[Quad], patches: Sequence[Quad]) -> bool:
        near = _BESIDE * self.card_px[0]
        if any(np.hypot(*(quad.mean(axis=0) - other.mean(axis=0))) < near for other in known):
            return True
        if any(overlap(quad, patch)[0] > _INSTEAD for patch in patches):
            return False
        if self.mask is None or all(overlap(quad, other)[1] < _AMONG for other in known):
            return True
        return self._share(quad) >= _NEW

    def _share(self, quad: Quad) -> float:
        """How much of the area within *quad* has changed."""
        assert self.mask is not None
        inside = np.zeros(self.mask.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 1)
        return float((self.mask & inside).sum()) / max(int(inside.sum()), 1)

    def _card(self, points: NDArray[np.float32], known: Sequence[Quad]) -> Place | None:
        middle, (one, other), degrees = cv2.minAreaRect(points)
        one, other = one + 1, other + 1  # from the middles of the outermost pixels to their edges
        short, long = min(one, other), max(one, other)
        if len(points) < _FILLED * short * long:
            return None
        angle = float(np.deg2rad(degrees if one >= other else degrees + 90))
        return self._completed(np.asarray(middle, np.float64), (short, long), angle, known)

    def _completed(
        self, middle: NDArray[np.float64], sides: tuple[float, float], angle: float, known: Sequence[Quad]
    ) -> Place | None:
        """The card of which this box is the changed part: all of it, or all but what lies white on a white card."""
        if sides[0] > self.card_px[0] * _SIZE[1]:  # longer than wide, but the other way round
            sides, angle = (sides[1], sides[0]), angle + np.pi / 2
        shares = [side / card for side, card in zip(sides, self.card_px, strict=True)]
        if max(shares) > _SIZE[1] or max(shares) < _SIZE[0] or min(shares) < _PART:
            return None
        options = [middle]
        if min(shares) < _SIZE[0]:
            lacking = shares.index(min(shares))
            along = angle + np.pi / 2 if lacking == 0 else angle
            step = np.array([np.cos(along), np.sin(along)]) * (self.card_px[lacking] - sides[lacking]) / 2
            options = [middle - step, middle + step]
        wrapped = float((angle + np.pi / 2) % np.pi - np.pi / 2)
        places = [Place(Kind.CARD, _SCORE, (float(x), float(y)), *self.card_px, wrapped) for x, y in options]
        if len(places) == 1:
            return places[0]
        covers = [sum(overlap(place.quad, quad)[1] for quad in known) for place in places]
        return places[int(np.argmax(covers))] if max(covers) > _AMONG else None


def _unknown(patches: Sequence[Place], known: Sequence[Quad]) -> tuple[Place, ...]:
    return tuple(place for place in patches if all(overlap(place.quad, quad)[0] <= _KNOWN for quad in known))


class Changes:
    """Compares the mat's view with the last settled one."""

    def __init__(self, card_px: tuple[float, float]) -> None:
        """*card_px*: short and long side of a card."""
        self._card_px = card_px
        self._settled: Pixels | None = None

    def settle(self, view: Pixels) -> None:
        """Nothing moves and all that lies there is known."""
        self._settled = view

    def forget(self) -> None:
        """The camera has moved."""
        self._settled = None

    def see(self, view: Pixels) -> Changed:
        """Where *view* differs."""
        if self._settled is None or self._settled.shape != view.shape:
            return Changed(self._card_px, None)
        return Changed(self._card_px, _differs(view, self._settled))


def _differs(view: Pixels, settled: Pixels) -> NDArray[np.uint8]:
    few, before = (one[::4, ::4].astype(np.float32) + 8 for one in (view, settled))
    gain = float(np.clip(np.median(few / before), 0.65, 1.5))
    then = cv2.convertScaleAbs(settled, alpha=gain, beta=8 * (gain - 1))
    apart = cv2.absdiff(cv2.blur(view, (3, 3)), cv2.blur(then, (3, 3)))
    blue, green, red = cv2.split(apart)
    _, mask = cv2.threshold(cv2.max(cv2.max(blue, green), red), _DIFFERS, 1, cv2.THRESH_BINARY)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
