"""Bright four-cornered things, found without a net: more candidates where a card is far larger than trained for."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Quad, area
from vision.frame import Pixels

_LONG_SIDE = 640
_LEAST_AREA = 0.004
_ASPECT = (1.15, 1.75)
"""Long side over short side of a card that may lie a little askew."""


def quadrilaterals(pixels: Pixels) -> list[Quad]:
    """Convex bright quadrilaterals shaped like a card, corners in the picture's pixels, clockwise, long side upright.

    Cards that lie apart on a plain or dark table are found so; touching or overlapping ones are not.
    """
    scale = min(1.0, _LONG_SIDE / max(pixels.shape[:2]))
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(small.min(axis=2), (5, 5), 0)
    otsu, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    masks = [mask]
    masks += [
        cv2.threshold(grey, otsu + step, 255, cv2.THRESH_BINARY)[1] for step in (-25, 25, 50) if otsu + step < 250
    ]
    window = 2 * (min(small.shape[:2]) // 12) + 1
    masks.append(cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, -8))
    edges = cv2.dilate(cv2.Canny(grey, 40, 120), np.ones((3, 3), np.uint8))
    masks.append(cv2.bitwise_not(edges))
    found: list[Quad] = []
    for one in masks:
        found += _in_mask(one)
    return [quad / scale for quad in found]


def _in_mask(mask: NDArray[np.uint8]) -> list[Quad]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        size = cv2.contourArea(contour)
        if size < _LEAST_AREA * mask.size or size > 0.95 * mask.size:
            continue
        hull = cv2.convexHull(contour)
        if size < 0.9 * cv2.contourArea(hull):
            continue
        corners = _four_corners(hull)
        if corners is not None:
            found.append(_along_sides(corners, contour.reshape(-1, 2).astype(np.float64)))
    return found


def _four_corners(hull: NDArray[np.int32]) -> Quad | None:
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.05, 0.08):
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) == 4:
            quad = np.asarray(corners, np.float64).reshape(4, 2)
            return _upright(quad if area(quad) > 0 else quad[::-1])
    return None


def _along_sides(quad: Quad, outline: NDArray[np.float64]) -> Quad:
    """Where straight lines along the middles of the sides meet: a card's own corners are round."""
    lines = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        along = end - start
        length = float(np.linalg.norm(along))
        away = outline - start
        share = away @ along / length**2
        beside = np.abs(away[:, 0] * along[1] - away[:, 1] * along[0]) / length
        near = outline[(share > 0.15) & (share < 0.85) & (beside < 0.06 * length)]
        if len(near) < 6:
            return quad
        vx, vy, x, y = (
            float(value) for value in cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        )
        lines.append((vy, -vx, vy * x - vx * y))
    corners = []
    for one, other in zip(lines[-1:] + lines[:-1], lines, strict=True):
        sides = np.array([one[:2], other[:2]])
        if abs(np.linalg.det(sides)) < 0.3:
            return quad
        corners.append(np.linalg.solve(sides, np.array([one[2], other[2]])))
    met = np.array(corners)
    moved = np.linalg.norm(met - quad, axis=1).max()
    return met if moved < 0.2 * np.linalg.norm(quad[2] - quad[0]) else quad


def _upright(quad: Quad) -> Quad | None:
    """Turned so that the long sides stand upright; None when it is not shaped like a card."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if across > along:
        quad, across, along = np.roll(quad, -1, axis=0), along, across
    if across <= 0 or not _ASPECT[0] <= along / across <= _ASPECT[1]:
        return None
    uneven = max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1])
    return quad if uneven < 1.5 else None
