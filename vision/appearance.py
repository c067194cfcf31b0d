"""Whether a place still looks as it did: cheap enough for every thing in every frame."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .crops import Quad
from .frame import Pixels

Patch = NDArray[np.float32]
"""A thing's small grey picture [22, 16], its mean brightness taken out."""

_SIZE = (16, 22)
_CHANGED = 0.16
"""Difference of a spot of 3 x 3, as a share of the patch's brightness, ..."""
_SPOTS = 0.04
"""... and the share of spots that must differ so much."""


def patch_of(view: Pixels, quad: Quad) -> Patch:
    """The small picture of what lies within *quad* (pixels of *view*)."""
    target = np.array([[0, 0], [_SIZE[0], 0], [_SIZE[0], _SIZE[1]]], np.float32) - 0.5
    turn = cv2.getAffineTransform(quad[:3].astype(np.float32), target)
    crop = cv2.warpAffine(view, turn, _SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.blur(crop, (3, 3)).astype(np.float32)
    # the strongest of the three colours: a red pip on white hardly shows in plain grey
    grey = soft.min(axis=2)
    return np.asarray(grey / max(float(grey.mean()), 12.0), np.float32)


def alike(one: Patch, other: Patch) -> bool:
    """Whether nothing within the edge differs; light and noise do not count."""
    differs = np.abs(one - other)[2:-2, 2:-2] > _CHANGED
    return float(differs.mean()) < _SPOTS
