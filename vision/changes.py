"""What was laid since the table last lay settled: the changed patch of a card's size is a card, whatever lies below."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from .crops import Quad, overlap
from .frame import Pixels
from .labels import Kind
from .locate import Place

_CHANGED = 26
_SIZE = (0.86, 1.12)
"""Both sides of a changed patch, as shares of a card's; white laid on white does not show at once."""
_FILLED = 0.45
"""Share of its box that must have changed."""
_SCORE = 0.5
_KNOWN = 0.6
_INSTEAD = 0.4
"""A patch that overlaps a found box more than this replaces it: where cards overlap, boxes are guessed between them."""


class Changes:
    """Compares the mat's view with the last settled one; positions are pixels of the view."""

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

    def cards(self, view: Pixels, known: Sequence[Quad] = ()) -> tuple[Place, ...]:
        """Places of card-sized patches that have changed; not where something *known* lies or lay."""
        if self._settled is None or self._settled.shape != view.shape:
            return ()
        mask = _changed(view, self._settled)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        found = []
        for number in range(1, count):
            if stats[number][cv2.CC_STAT_AREA] >= 0.3 * self._card_px[0] * self._card_px[1]:
                place = self._card(labels == number)
                if place is not None and all(overlap(place.quad, quad)[0] <= _KNOWN for quad in known):
                    found.append(place)
        return tuple(found)

    def _card(self, patch: NDArray[np.bool_]) -> Place | None:
        points = np.argwhere(patch)[:, ::-1].astype(np.float32)
        (x, y), (one, other), degrees = cv2.minAreaRect(points)
        one, other = one + 1, other + 1  # from the middles of the outermost pixels to their edges
        short, long = min(one, other), max(one, other)
        shares = short / self._card_px[0], long / self._card_px[1]
        if not all(_SIZE[0] <= share <= _SIZE[1] for share in shares) or len(points) < _FILLED * short * long:
            return None
        angle = np.deg2rad(degrees if one >= other else degrees + 90)
        wrapped = float((angle + np.pi / 2) % np.pi - np.pi / 2)
        return Place(Kind.CARD, _SCORE, (float(x), float(y)), *self._card_px, wrapped)


def with_changes(found: tuple[Place, ...], changed: tuple[Place, ...]) -> tuple[Place, ...]:
    """The localiser's places, and the changed patches instead of those that they contradict."""
    if not changed:
        return found
    quads = [place.quad for place in changed]
    kept = [
        place
        for place in found
        if place.kind is not Kind.CARD or all(overlap(place.quad, quad)[0] <= _INSTEAD for quad in quads)
    ]
    return (*kept, *changed)


def _changed(view: Pixels, settled: Pixels) -> NDArray[np.uint8]:
    now, then = (cv2.blur(one, (3, 3)).astype(np.float32) + 8 for one in (view, settled))
    gain = float(np.clip(np.median(now[::4, ::4] / then[::4, ::4]), 0.65, 1.5))
    mask = (np.abs(now - then * gain).max(axis=2) > _CHANGED).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
