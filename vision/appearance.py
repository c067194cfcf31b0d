"""Whether a place still looks as it did: cheap enough for every thing in every frame."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Quad, widen
from vision.frame import Pixels

Patch = NDArray[np.float32]
"""A small grey picture [28, 20] of a thing and a little of the table about it, its brightness taken out."""

_SIZE = (20, 28)
_WIDER = 1.14
_RIM = 2
"""Cells of the table about it."""
_BAND = 6
"""Cells from the outside that make the edge of a thing."""
_CHANGED = 0.16
"""Difference of a spot of 3 x 3, as a share of the patch's brightness, ..."""
_SPOTS = 0.04
"""... and the share of spots that must differ so much."""


def patch_of(view: Pixels, quad: Quad) -> Patch:
    """The small picture of what lies within *quad* (pixels of *view*)."""
    target = np.array([[0, 0], [_SIZE[0], 0], [_SIZE[0], _SIZE[1]]], np.float32) - 0.5
    turn = cv2.getAffineTransform(widen(quad, _WIDER)[:3].astype(np.float32), target)
    crop = cv2.warpAffine(view, turn, _SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    # the darkest of the three colours: a red pip on white hardly shows in plain grey
    return np.asarray(cv2.blur(crop, (3, 3)).min(axis=2), np.float32)


def alike(one: Patch, other: Patch) -> bool:
    """Whether nothing within the edge differs; light and noise do not count."""
    inner = np.s_[_RIM + 2 : -_RIM - 2, _RIM + 2 : -_RIM - 2]
    return _same(one[inner], other[inner], _gain(one[inner], other[inner]))


def side_alike(one: Patch, other: Patch) -> bool:
    """Whether one whole side with the table beside it looks as before: covered, perhaps, but not moved."""
    sides = (np.s_[:_BAND], np.s_[-_BAND:], np.s_[:, :_BAND], np.s_[:, -_BAND:])
    return any(_same(one[side], other[side], _gain(one[side], other[side])) for side in sides)


def _gain(one: Patch, other: Patch) -> float:
    """How much lighter *other* is; nothing doubles its brightness by a lamp alone."""
    return float(np.clip(np.median((other + 8.0) / (one + 8.0)), 0.65, 1.5))


def _same(one: Patch, other: Patch, gain: float) -> bool:
    bright = max(float(one.mean()) * gain, 12.0)
    differs = np.abs(one * gain - other) > _CHANGED * bright
    return float(differs.mean()) < _SPOTS
