"""Table tops of our own making: felt, wood, cloth and plain ones, with or without the calibration markers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.ink import Colour, Pixels

MAT_PX_PER_MM = 2
MARKER_MM = 40.0
MARKER_INSET_MM = 30.0
"""From each edge of the mat to the middle of the marker in that corner."""
STYLES = ("felt", "wood", "cloth", "plain")


@dataclass(frozen=True, slots=True)
class Mat:
    """A table top *width_mm* by *height_mm*; its origin is the top left corner, x to the right, y down."""

    width_mm: float = 1100.0
    height_mm: float = 650.0
    style: str = "felt"
    colour: Colour = (28, 92, 62)
    seed: int = 0
    markers: bool = True
    """Four ArUco markers (DICT_4X4_50, 40 mm): 0 top left, 1 top right, 2 bottom right, 3 bottom left."""


def marker_corners_mm(mat: Mat) -> dict[int, NDArray[np.float64]]:
    """Each marker's black square in mm (4, 2): top left, top right, bottom right, bottom left."""
    left, right = MARKER_INSET_MM, mat.width_mm - MARKER_INSET_MM
    top, bottom = MARKER_INSET_MM, mat.height_mm - MARKER_INSET_MM
    half = MARKER_MM / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    middles = ((left, top), (right, top), (right, bottom), (left, bottom))
    return {number: square + np.array(middle) for number, middle in enumerate(middles)}


def _noise(rng: np.random.Generator, shape: tuple[int, int], along: float, across: float) -> NDArray[np.float32]:
    """Smooth noise of unit spread; *along* and *across* are the lengths of its lumps in pixels."""
    h, w = shape
    small = max(2, round(h / max(1.0, across))), max(2, round(w / max(1.0, along)))
    rough = rng.normal(0, 1, small).astype(np.float32)
    return np.asarray(cv2.resize(rough, (w, h), interpolation=cv2.INTER_CUBIC))


def _wood(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float32]:
    h = shape[0]
    rings = np.linspace(0, h / rng.uniform(8, 30), h, dtype=np.float32)[:, None] + 2.0 * _noise(rng, shape, 500, 80)
    grain = (
        0.35 * np.sin(rings * rng.uniform(2, 5)) + 0.4 * _noise(rng, shape, 120, 2) + 0.3 * _noise(rng, shape, 40, 1)
    )
    if rng.random() < 0.5:
        plank = int(rng.uniform(120, 320))
        for y in range(int(rng.integers(plank)), h, plank):
            grain[y : y + 3] -= 2.2
            grain[y:] += rng.normal(0, 0.5)
    return np.asarray(grain, np.float32)


def _cloth(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The weave, and where the second colour is (0 ... 1)."""
    h, w = shape
    ys, xs = np.mgrid[:h, :w].astype(np.float32)
    period = rng.uniform(3, 7)
    weave = np.sin(xs * 2 * np.pi / period) * np.sin(ys * 2 * np.pi / period)
    step = rng.uniform(20, 160)
    kind = rng.integers(4)
    if kind == 0:
        second = ((xs // step + ys // step) % 2).astype(np.float32)
    elif kind == 1:
        second = ((xs // step) % 2).astype(np.float32)
    elif kind == 2:
        second = (np.hypot(xs % step - step / 2, ys % step - step / 2) < step / 4).astype(np.float32)
    else:
        second = np.zeros(shape, np.float32)
    return weave + 0.5 * _noise(rng, shape, 2, 2), second


@lru_cache(maxsize=3)
def mat_picture(mat: Mat) -> Pixels:
    """The mat as RGB, two pixels a millimetre."""
    rng = np.random.default_rng([mat.seed, STYLES.index(mat.style)])
    shape = round(mat.height_mm * MAT_PX_PER_MM), round(mat.width_mm * MAT_PX_PER_MM)
    base = np.array(mat.colour, np.float32)
    broad = 0.03 * _noise(rng, shape, 400, 400)
    match mat.style:
        case "wood":
            shade = 1 + rng.uniform(0.05, 0.16) * _wood(rng, shape) + broad
            sheet = base * shade[..., None]
        case "cloth":
            weave, second = _cloth(rng, shape)
            other = np.clip(base + rng.uniform(-90, 90, 3), 0, 255).astype(np.float32)
            shade = 1 + rng.uniform(0.02, 0.1) * weave + broad
            sheet = (base * (1 - second[..., None]) + other * second[..., None]) * shade[..., None]
        case "felt":
            shade = 1 + 0.07 * _noise(rng, shape, 2, 2) + 0.05 * _noise(rng, shape, 6, 6) + broad
            sheet = base * shade[..., None]
        case _:
            sheet = base * (1 + broad + 0.01 * _noise(rng, shape, 2, 2))[..., None]
    picture = np.clip(sheet, 0, 255).astype(np.uint8)
    if mat.markers:
        _lay_markers(picture, mat)
    return picture


def _lay_markers(picture: Pixels, mat: Mat) -> None:
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side, quiet = round(MARKER_MM * MAT_PX_PER_MM), 8 * MAT_PX_PER_MM
    for number, corners in marker_corners_mm(mat).items():
        x, y = (round(float(c) * MAT_PX_PER_MM) for c in corners[0])
        picture[y - quiet : y + side + quiet, x - quiet : x + side + quiet] = 244
        square = np.asarray(cv2.aruco.generateImageMarker(words, number, side), np.uint8)
        picture[y : y + side, x : x + side] = np.maximum(square, 18)[..., None]
