"""Camera pixels <-> millimetres on the mat, found from the four markers printed in its corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Pixels

MAT_WIDTH_MM = 1100.0
MAT_HEIGHT_MM = 650.0
MARKER_MM = 40.0
"""Side of a marker's black square (ArUco, DICT_4X4_50)."""
MARKER_INSET_MM = 10.0
"""From the mat's edges to the marker's outer corner: white paper that the detector needs."""
MARKER_IDS = (0, 1, 2, 3)
"""At the top left, top right, bottom right, bottom left: clockwise as seen, seat 1 sitting below."""
_WRONG_MM = 3.0
"""Markers that disagree by more than this are not a flat mat of the size we were told."""

Points = NDArray[np.float64]
"""[N, 2]: x, y."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """Where the mat lies in the picture.

    Millimetres: origin at the mat's top left as the camera sees it, x right, y down.
    """

    mm_from_px: NDArray[np.float64]
    """Homography [3, 3]."""
    width_mm: float = MAT_WIDTH_MM
    height_mm: float = MAT_HEIGHT_MM

    @staticmethod
    def from_corners(
        corners_px: Sequence[Sequence[float]],
        width_mm: float = MAT_WIDTH_MM,
        height_mm: float = MAT_HEIGHT_MM,
    ) -> TablePlane:
        """The plane of four clicked mat corners: top left, top right, bottom right, bottom left.

        ValueError when they are not four corners of a convex quadrilateral in that order.
        """
        corners = np.asarray(corners_px, np.float64)
        if corners.shape != (4, 2):
            raise ValueError(f"a mat has four corners x, y; got {list(corners.shape)}")
        edges = np.roll(corners, -1, axis=0) - corners
        turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
        if not np.all(turns > 1.0):
            raise ValueError(
                "the mat's corners go clockwise from the top left and span a table, not " + str(corners_px)
            )
        mat = np.array([[0, 0], [width_mm, 0], [width_mm, height_mm], [0, height_mm]], np.float64)
        return TablePlane(_homography(corners, mat), width_mm, height_mm)

    @property
    def px_from_mm(self) -> NDArray[np.float64]:
        return np.asarray(np.linalg.inv(self.mm_from_px), np.float64)

    def to_mm(self, points_px: Sequence[Sequence[float]] | NDArray[np.floating]) -> Points:
        """Pixels [N, 2] to millimetres [N, 2]."""
        return project(self.mm_from_px, points_px)

    def to_px(self, points_mm: Sequence[Sequence[float]] | NDArray[np.floating]) -> Points:
        """Millimetres [N, 2] to pixels [N, 2]."""
        return project(self.px_from_mm, points_mm)

    @property
    def corners_mm(self) -> Points:
        """The mat's corners, clockwise from the top left."""
        return np.array([[0, 0], [self.width_mm, 0], [self.width_mm, self.height_mm], [0, self.height_mm]], np.float64)

    @property
    def px_per_mm(self) -> float:
        """The scale in the middle of the mat."""
        middle = np.array([self.width_mm / 2, self.height_mm / 2])
        ends = self.to_px(middle + np.array([[-50.0, 0], [50, 0], [0, -50], [0, 50]]))
        return float(np.linalg.norm(ends[1] - ends[0]) + np.linalg.norm(ends[3] - ends[2])) / 200

    def moved(self, other: TablePlane) -> float:
        """How many millimetres the mat's worst corner has moved between this plane and *other*."""
        return float(np.linalg.norm(other.to_mm(self.to_px(self.corners_mm)) - self.corners_mm, axis=1).max())


def project(homography: NDArray[np.float64], points: Sequence[Sequence[float]] | NDArray[np.floating]) -> Points:
    """Points [N, 2] through a homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    mapped = flat @ homography[:, :2].T + homography[:, 2]
    return np.asarray(mapped[:, :2] / mapped[:, 2:3], np.float64)


def marker_corners_mm(width_mm: float = MAT_WIDTH_MM, height_mm: float = MAT_HEIGHT_MM) -> NDArray[np.float64]:
    """[4, 4, 2]: for each of MARKER_IDS its corners, clockwise from its own top left, on a mat of this size."""
    near, far = MARKER_INSET_MM, MARKER_INSET_MM + MARKER_MM
    square = np.array([[0, 0], [MARKER_MM, 0], [MARKER_MM, MARKER_MM], [0, MARKER_MM]])
    lefts = np.array([[near, near], [width_mm - far, near], [width_mm - far, height_mm - far], [near, height_mm - far]])
    return np.asarray(lefts[:, None, :] + square[None, :, :], np.float64)


def find_plane(
    frame: Frame | Pixels,
    width_mm: float = MAT_WIDTH_MM,
    height_mm: float = MAT_HEIGHT_MM,
    *,
    at_least: int = 4,
) -> TablePlane | None:
    """Find the mat by its markers; None when fewer than *at_least* of the four are seen, or they disagree."""
    pixels = frame.pixels if isinstance(frame, Frame) else frame
    seen = _markers(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    if len(seen) < max(at_least, 2):
        return None
    mat = marker_corners_mm(width_mm, height_mm)
    px = np.concatenate([seen[number] for number in sorted(seen)])
    mm = np.concatenate([mat[number] for number in sorted(seen)])
    plane = TablePlane(_homography(px, mm), width_mm, height_mm)
    worst = float(np.linalg.norm(plane.to_mm(px) - mm, axis=1).max())
    return plane if worst <= _WRONG_MM else None


def still_there(frame: Frame, plane: TablePlane) -> TablePlane | None:
    """Look for the markers only where *plane* says they are: quick enough for every second.

    The plane found now from three or more markers; *plane* itself when fewer are seen (a sleeve lies over the others)
    but those are where they were; None when the mat may have moved.
    """
    mat = marker_corners_mm(plane.width_mm, plane.height_mm)
    grey = cv2.cvtColor(frame.pixels, cv2.COLOR_BGR2GRAY)
    px, mm = [], []
    for number, corners in enumerate(mat):
        around = plane.to_px(corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 2.5)
        left, top = np.maximum(np.floor(around.min(axis=0)), 0).astype(int)
        right, bottom = np.ceil(around.max(axis=0)).astype(int)
        part = grey[top:bottom, left:right]
        if min(part.shape) < 12:
            continue
        seen = _markers(part).get(number)
        if seen is not None:
            px.append(seen + np.array([left, top]))
            mm.append(corners)
    if not px:
        return None
    drift = np.linalg.norm(plane.to_mm(np.concatenate(px)) - np.concatenate(mm), axis=1).max()
    if len(px) < 3:
        return plane if drift <= _WRONG_MM else None
    now = TablePlane(_homography(np.concatenate(px), np.concatenate(mm)), plane.width_mm, plane.height_mm)
    worst = float(np.linalg.norm(now.to_mm(np.concatenate(px)) - np.concatenate(mm), axis=1).max())
    return now if worst <= _WRONG_MM else None


def _markers(grey: NDArray[np.uint8]) -> dict[int, Points]:
    """Our markers in a grey picture: number -> corners [4, 2] in pixels, clockwise from its own top left."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)
    corners, numbers, _ = detector.detectMarkers(grey)
    if numbers is None:
        return {}
    found: dict[int, Points] = {}
    for number, quad in zip(np.asarray(numbers).ravel().tolist(), corners, strict=True):
        if number in MARKER_IDS:
            if number in found:  # two mats in the picture: we cannot know which is ours
                return {}
            found[number] = np.asarray(quad, np.float64).reshape(4, 2)
    return found


def _homography(px: Points, mm: Points) -> NDArray[np.float64]:
    found, _ = cv2.findHomography(px, mm, 0)
    if found is None:
        raise ValueError("these points span no plane")
    return np.asarray(found, np.float64)
