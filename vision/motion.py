"""Where the picture of the mat moves, and where a hand reaches in."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Quad
from vision.frame import Pixels

_CELL = 4
"""The mat's view is looked at in cells of this many pixels (8 mm)."""
_CHANGED = 22
"""Grey levels by which a cell must differ, after the whole picture's change of light is taken out."""
_SETTLES_AFTER = 3
"""Still frames after which a patch that does not reach in from the edge is part of the table."""
_STUCK_AFTER = 40
"""Still frames after which even a patch at the edge is: a sleeve laid down, a glass."""
_SMALLEST_HAND = 12
"""Cells; less at the edge is a shadow or the mat's rim."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Busy:
    """What one frame shows of movement; masks over cells of the mat's view."""

    moving: Mask
    """Changed since the frame before."""
    hand: Mask
    """Reaches in from the edge, over what was there."""

    @property
    def anywhere(self) -> bool:
        return bool(self.moving.any() or self.hand.any())

    def covers(self, quad: Quad) -> bool:
        """Whether something moves or a hand is over the thing with these corners (pixels of the mat's view)."""
        return _share(self.moving | self.hand, quad) > 0.04

    def hand_over(self, quad: Quad) -> bool:
        """Whether a hand covers a tenth of this area."""
        return _share(self.hand, quad) > 0.1


class Motion:
    """Compares each view of the mat with the one before and with the table as it last lay still."""

    def __init__(self) -> None:
        self._before: NDArray[np.float32] | None = None
        self._table: NDArray[np.float32] | None = None
        self._still: NDArray[np.int32] | None = None

    def forget(self) -> None:
        """Start anew: the camera or the light is another."""
        self._before = self._table = self._still = None

    def see(self, view: Pixels) -> Busy:
        """Take the next view (always of the same size)."""
        now = _cells(view)
        if self._before is None or self._table is None or self._still is None or now.shape != self._before.shape:
            self._before, self._table = now, now.copy()
            self._still = np.zeros(now.shape[:2], np.int32)
            nothing = np.zeros(now.shape[:2], np.bool_)
            return Busy(nothing, nothing)
        moving = _differ(now, self._before)
        strange = _differ(now, self._table)
        self._still = np.where(moving, 0, self._still + 1).astype(np.int32)
        hand = _reaching(strange, self._still)
        settled = ~hand & (self._still >= _SETTLES_AFTER)
        self._table[settled] = now[settled]
        self._before = now
        return Busy(_grown(moving), _grown(hand))


def _cells(view: Pixels) -> NDArray[np.float32]:
    height, width = view.shape[0] // _CELL, view.shape[1] // _CELL
    return np.asarray(cv2.resize(view, (width, height), interpolation=cv2.INTER_AREA), np.float32)


def _differ(now: NDArray[np.float32], then: NDArray[np.float32]) -> Mask:
    """Cells that changed by more than the light did."""
    ratio = float(np.clip(np.median((now + 8.0) / (then + 8.0)), 0.7, 1.4))
    return np.asarray(np.abs(now - (then + 8.0) * ratio + 8.0).max(axis=2) > _CHANGED)


def _reaching(strange: Mask, still: NDArray[np.int32]) -> Mask:
    """Strange patches that touch the view's edge: arms come from outside the table."""
    if not strange.any():
        return strange
    count, labels, stats, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8), connectivity=8)
    hand = np.zeros_like(strange)
    height, width = strange.shape
    for number in range(1, count):
        left, top, wide, tall, size = (int(value) for value in stats[number])
        at_edge = left == 0 or top == 0 or left + wide == width or top + tall == height
        if at_edge and size >= _SMALLEST_HAND:
            patch = labels == number
            if still[patch].max() < _STUCK_AFTER or still[patch].mean() < _STUCK_AFTER / 2:
                hand |= patch
    return hand


def _grown(mask: Mask) -> Mask:
    if not mask.any():
        return mask
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _share(mask: Mask, quad: Quad) -> float:
    """How much of the area within *quad* is in *mask*."""
    if not mask.any():
        return 0.0
    inside = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad / _CELL - 0.5).astype(np.int32), 1)
    cells = int(inside.sum())
    return float((mask & (inside > 0)).sum()) / cells if cells else 0.0
