"""Cut turned and tilted things out of a picture, shrunk without aliasing."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

Quad = NDArray[np.float64]
"""[4, 2]: the corners of a thing in pixels, clockwise as seen."""


class Mips:
    """A picture and its halves, each made when first asked for.

    A warp samples four pixels for one; taken from a half that is at most twice as fine as the crop, it loses nothing
    and draws no moiré.
    """

    def __init__(self, pixels: Pixels) -> None:
        self._levels: list[Pixels] = [pixels]

    @property
    def pixels(self) -> Pixels:
        return self._levels[0]

    def cut(self, to_crop: NDArray[np.float64], width: int, height: int, finer: float) -> Pixels:
        """Warp with the homography *to_crop* (picture -> crop); the picture is *finer* times as fine as the crop."""
        level = max(0, int(np.floor(np.log2(max(finer, 1.0)) + 0.25)))
        source, halved = self._level(level)
        # a halved picture's pixel 0 lies over pixels 0 and 1
        scale, shift = 2.0**halved, (2.0**halved - 1) / 2
        from_level = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]])
        return np.asarray(
            cv2.warpPerspective(
                source,
                to_crop @ from_level,
                (width, height),
                flags=cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            ),
            np.uint8,
        )

    def _level(self, wanted: int) -> tuple[Pixels, int]:
        while len(self._levels) <= wanted and min(self._levels[-1].shape[:2]) >= 64:
            last = self._levels[-1]
            height, width = last.shape[0] // 2, last.shape[1] // 2
            even = last[: height * 2, : width * 2]
            self._levels.append(np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8))
        level = min(wanted, len(self._levels) - 1)
        return self._levels[level], level


def rectify(mips: Mips, quad: Quad, width: int, height: int) -> Pixels:
    """The upright crop whose corners are *quad* (top left, top right, bottom right, bottom left)."""
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    finer = max((sides[0] + sides[2]) / 2 / width, (sides[1] + sides[3]) / 2 / height)
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target)
    return mips.cut(np.asarray(matrix, np.float64), width, height, float(finer))


def box_quad(centre: tuple[float, float], short: float, long: float, angle: float) -> Quad:
    """A turned box's corners, its long side along *angle* (radians from the x axis, y down), seen upright.

    The order is top left, top right, bottom right, bottom left when the long side stands upright in the crop.
    """
    along = np.array([np.cos(angle), np.sin(angle)]) * long / 2
    across = np.array([-np.sin(angle), np.cos(angle)]) * short / 2
    middle = np.asarray(centre, np.float64)
    # turned so that `along` points up in the crop: `across`, a quarter turn clockwise from it, points right
    return np.array(
        [middle + along - across, middle + along + across, middle - along + across, middle - along - across]
    )


def widen(quad: Quad, factor: float) -> Quad:
    """*quad* drawn out from its middle."""
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * factor, np.float64)


def area(quad: Quad) -> float:
    """In square pixels; negative when the corners go anticlockwise as seen."""
    following = np.roll(quad, -1, axis=0)
    return float((quad[:, 0] * following[:, 1] - following[:, 0] * quad[:, 1]).sum()) / 2


def overlap(one: Quad, other: Quad) -> tuple[float, float]:
    """How much two convex quadrilaterals share: (of their union, of the smaller one), each 0 ... 1."""
    low = np.maximum(one.min(axis=0), other.min(axis=0))
    high = np.minimum(one.max(axis=0), other.max(axis=0))
    if np.any(low >= high):
        return 0.0, 0.0
    shared, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    first, second = abs(area(one)), abs(area(other))
    smaller = max(min(first, second), 1e-9)
    return float(shared / max(first + second - shared, 1e-9)), float(min(shared / smaller, 1.0))


def batch(crops: list[Pixels]) -> NDArray[np.float32]:
    """Crops of one size as the nets take them: float32 [N, 3, H, W], red green blue, 0 ... 1."""
    stacked = np.stack(crops)[..., ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(stacked, np.float32) / np.float32(255)
