"""How a camera sees the table: where millimetres fall in the picture, and what light and sensor do to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Gain = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class View:
    """A camera over the table. All of it is a value, so a view can be a key of kept pictures."""

    width: int
    height: int
    mm_to_px: tuple[float, ...]
    """The homography of the table plane, row by row (9 numbers): mm -> pixels."""
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Red, green and blue light on the table; (1, 1, 1) is white light of full strength."""
    slope: tuple[float, float] = (0.0, 0.0)
    """How much brighter the right (bottom) edge is than the left (top) one, as a share."""
    vignette: float = 0.0
    """How much darker the corners are, as a share."""
    glare: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 0.0)
    """A shiny spot: x, y and radius in pixels, strength 0 ... 1."""
    blur_px: float = 0.0
    noise: float = 0.0
    """Spread of the sensor's noise in grey levels (of 255)."""
    jpeg: int = 0
    """Quality 1 ... 100 of a lossy codec's artefacts; 0 for none (it costs some 20 ms at 1600 x 900)."""

    @property
    def matrix(self) -> Matrix:
        """The homography as a 3 x 3 matrix."""
        return np.array(self.mm_to_px, float).reshape(3, 3)

    def to_px(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels (N, 2) of points of the table (N, 2) in mm."""
        return project(self.matrix, points_mm)


def project(matrix: Matrix, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (N, 2) through a homography."""
    out = np.concatenate([points, np.ones((len(points), 1))], 1) @ matrix.T
    return np.asarray(out[:, :2] / out[:, 2:])


def overhead(
    table_mm: tuple[float, float],
    width: int = 1600,
    height: int = 900,
    *,
    margin: float = 0.03,
    turn_deg: float = 0.0,
    tilt_deg: float = 0.0,
    tilt_towards_deg: float = 90.0,
) -> Matrix:
    """The homography of a camera that looks at a table of that size and just sees all of it.

    *turn_deg* turns the picture; *tilt_deg* leans the camera from straight down, towards *tilt_towards_deg*.
    """
    reach = 1.4 * max(table_mm)
    turn, tilt, towards = np.deg2rad([turn_deg, tilt_deg, tilt_towards_deg])
    about_z = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    axis = np.array([np.sin(towards), -np.cos(towards), 0.0]) * tilt
    rotation = about_z @ np.asarray(cv2.Rodrigues(axis)[0])
    middle = np.array([[1, 0, -table_mm[0] / 2], [0, 1, -table_mm[1] / 2], [0, 0, 1]])
    pose = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, reach]])
    plain = pose @ middle
    corners = project(plain, np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(table_mm))
    low, high = corners.min(0), corners.max(0)
    scale = (1 - 2 * margin) * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
    centre = (low + high) / 2
    frame = np.array([[scale, 0, width / 2 - scale * centre[0]], [0, scale, height / 2 - scale * centre[1]], [0, 0, 1]])
    return np.asarray(frame @ plain)


def over_table(table_mm: tuple[float, float], width: int = 1600, height: int = 900, **pose: float) -> View:
    """A calm view of a whole table, as the demo's camera has it; *pose* as for ``overhead``."""
    matrix = overhead(table_mm, width, height, **pose)
    return View(
        width,
        height,
        tuple(float(v) for v in matrix.ravel()),
        slope=(0.08, -0.05),
        vignette=0.08,
        noise=2.5,
        blur_px=0.5,
    )


@lru_cache(maxsize=4)
def light(view: View) -> tuple[Gain, Gain]:
    """What each pixel (height, width, 3; BGR) is multiplied by, and what glare adds to it."""
    ys = np.linspace(-0.5, 0.5, view.height, dtype=np.float32)[:, None]
    xs = np.linspace(-0.5, 0.5, view.width, dtype=np.float32)[None, :]
    even = 1 + view.slope[0] * xs + view.slope[1] * ys - view.vignette * 2 * (xs**2 + ys**2)
    gain = even[..., None] * np.array(view.gains[::-1], np.float32)
    x, y, radius, strength = view.glare
    added = np.zeros((view.height, view.width, 1))
    if strength > 0:
        away = ((xs + 0.5) * view.width - x) ** 2 + ((ys + 0.5) * view.height - y) ** 2
        added = (255 * strength * np.exp(-away / (2 * max(1.0, radius) ** 2)))[..., None]
    return np.ascontiguousarray(gain, np.float32), np.ascontiguousarray(added, np.float32)


@lru_cache(maxsize=12)
def _grains(noise: float) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Noise to add and noise to take away, on a sheet larger than a frame: a frame is a random window."""
    rng = np.random.default_rng(round(noise * 1000))
    field = np.empty((1200, 2048, 3), np.float32)  # randn takes the spread per channel
    cv2.setRNGSeed(int(rng.integers(1 << 30)))
    cv2.randn(field, (0.0,) * 3, (noise,) * 3)
    up = np.clip(np.round(field), 0, 255).astype(np.uint8)
    return up, np.clip(np.round(-field), 0, 255).astype(np.uint8)


def develop(picture: NDArray[np.uint8], view: View, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What lens, sensor and codec do to a lit picture (height, width, 3)."""
    if view.blur_px > 0.05:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), view.blur_px), np.uint8)
    if view.noise > 0:
        up, down = _grains(max(1.0, round(view.noise)) if view.noise > 1 else round(view.noise, 1))
        rows, columns = picture.shape[:2]
        if rows > up.shape[0] or columns > up.shape[1]:
            times = -(-rows // up.shape[0]), -(-columns // up.shape[1]), 1
            up, down = np.tile(up, times), np.tile(down, times)
        y = int(rng.integers(up.shape[0] - rows + 1))
        x = int(rng.integers(up.shape[1] - columns + 1))
        window = np.s_[y : y + rows, x : x + columns]
        picture = cv2.subtract(cv2.add(picture, up[window]), down[window])
    if view.jpeg:
        _, code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, view.jpeg])
        picture = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return picture
