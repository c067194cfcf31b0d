"""Lay a square exactly round a round thing: a piece read off its middle is easily taken for another."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Mips, Quad, rectify, widen

_SIZE = 72
"""Pixels of the crop that is searched, ..."""
_WIDER = 1.5
"""... which shows this many times the rough square."""
_SHIFTS = np.linspace(-0.16, 0.16, 9)
_RADII = np.linspace(0.84, 1.18, 12)
"""Of the rough square: how far off and how much larger or smaller the true circle may be."""
_FAINT = 12.0
"""Steps of grey (times eight) less than this are no rim."""
_ANGLES = np.linspace(0, 2 * np.pi, 32, endpoint=False)


def _grid() -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The pixel where each candidate circle is sampled [candidates, angles], and the candidates' shifts and radius."""
    half = _SIZE / _WIDER / 2
    dx, dy, grow = np.meshgrid(_SHIFTS, _SHIFTS, _RADII, indexing="ij")
    candidates = np.stack([dx.ravel(), dy.ravel(), grow.ravel()], axis=1)
    rays = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
    middles = _SIZE / 2 - 0.5 + candidates[:, None, :2] * half * 2
    samples = middles + rays[None] * candidates[:, None, 2:] * half
    columns, rows = (np.clip(np.round(samples[..., axis]), 0, _SIZE - 1).astype(np.intp) for axis in range(2))
    return rows * _SIZE + columns, candidates


_PIXELS, _CANDIDATES = _grid()
_COS, _SIN = (np.asarray(way(_ANGLES), np.float32) for way in (np.cos, np.sin))


def centred(mips: Mips, quad: Quad) -> Quad:
    """*quad*, a rough square about a round thing, moved and scaled onto its rim; as it was when no rim shows."""
    crop = cv2.GaussianBlur(rectify(mips, widen(quad, _WIDER), _SIZE, _SIZE), (3, 3), 0)
    best, strongest = 0, _FAINT
    for colour in cv2.split(crop):
        across, down = (cv2.Sobel(colour, cv2.CV_32F, *axis, ksize=3).ravel() for axis in ((1, 0), (0, 1)))
        outward = across[_PIXELS] * _COS + down[_PIXELS] * _SIN
        # a rim is brighter or darker than the table all the way round; a shadow or a hand spoils a part of it
        rim = np.abs(np.clip(outward, -120, 120).mean(axis=1))
        if rim.max() > strongest:
            best, strongest = int(np.argmax(rim)), float(rim.max())
    if strongest == _FAINT:
        return quad
    dx, dy, grow = _CANDIDATES[best]
    moved = quad + dx * (quad[1] - quad[0]) + dy * (quad[3] - quad[0])
    return widen(moved, float(grow))
