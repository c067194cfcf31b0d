"""Chips, dice, and what else lies about on a table and is none of the game's."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.render.ink import PX_PER_MM, Colour, Pixels, arc, fill, rounded, stamp, text_mask
from vision.render.pieces import wooden_disc

CHIP_MM = 39.0
DIE_MM = 16.0
_SPOTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
CHIP_COLOURS: dict[str, Colour] = {
    **{"white": (236, 234, 228), "red": (176, 28, 34), "blue": (30, 60, 150)},
    **{"green": (26, 112, 60), "black": (32, 32, 36), "yellow": (226, 190, 60)},
}


@lru_cache(maxsize=256)
def chip(colour: Colour, stripe: Colour = (244, 242, 236), stripes: int = 6, label: str = "") -> Pixels:
    """A chip with stripes on its edge, RGBA."""
    size = round(CHIP_MM * PX_PER_MM)
    sheet = np.empty((size, size, 3), np.uint8)
    sheet[:] = colour
    middle = size // 2
    for k in range(stripes):
        start = 360 * k / stripes
        cv2.ellipse(
            sheet,
            (middle, middle),
            (middle, middle),
            0,
            start,
            start + 180 / stripes,
            stripe,
            -1,
            cv2.LINE_AA,
        )
    cv2.circle(sheet, (middle, middle), round(size * 0.36), colour, -1, cv2.LINE_AA)
    cv2.circle(sheet, (middle, middle), round(size * 0.3), stripe, 2, cv2.LINE_AA)
    if label:
        stamp(sheet, text_mask(label, round(size * 0.2)), stripe, middle, middle)
    return np.dstack([sheet, fill([arc(0, 0, 0.495, 0.495, 0, 360, 90)], size, 4)])


@lru_cache(maxsize=256)
def die(spots: int, colour: Colour = (244, 242, 236), ink: Colour = (24, 24, 28), side_mm: float = DIE_MM) -> Pixels:
    """The top face of a die, RGBA."""
    size = round(side_mm * PX_PER_MM)
    sheet = np.empty((size, size, 3), np.uint8)
    sheet[:] = colour
    for x, y in _SPOTS[spots]:
        at = round(size * (0.5 + 0.27 * x)), round(size * (0.5 + 0.27 * y))
        cv2.circle(sheet, at, max(2, round(size * 0.095)), ink, -1, cv2.LINE_AA)
    cv2.rectangle(sheet, (0, 0), (size - 1, size - 1), tuple(int(c * 0.7) for c in colour), 2)
    return np.dstack([sheet, rounded(size, size, size * 0.14)])


@lru_cache(maxsize=64)
def clutter(seed: int) -> Pixels:
    """Something that is no part of a game: a phone, a sheet of print, a coaster, a cup, keys, a box; RGBA."""
    rng = np.random.default_rng([seed, 5])
    kind = int(rng.integers(7))
    r, g, b = (int(c) for c in rng.integers(20, 245, 3))
    colour: Colour = (r, g, b)
    if kind <= 1:
        wide, high = int(rng.uniform(55, 90) * PX_PER_MM), int(rng.uniform(110, 170) * PX_PER_MM)
        sheet = np.full((high, wide, 3), 24 if kind == 0 else 245, np.uint8)
        if kind == 0:
            cv2.rectangle(sheet, (10, 24), (wide - 10, high - 24), colour, -1)
        else:
            for y in range(40, high - 40, int(rng.integers(14, 26))):
                cv2.line(
                    sheet,
                    (30, y),
                    (int(wide * rng.uniform(0.5, 0.9)), y),
                    (70, 70, 74),
                    int(rng.integers(2, 6)),
                )
        return np.dstack([sheet, rounded(wide, high, 24 if kind == 0 else 1)])
    if kind <= 3:
        size = int(rng.uniform(62, 100) * PX_PER_MM)
        disc = wooden_disc(size, colour, seed).copy()
        if kind == 3:
            sheet = np.ascontiguousarray(disc[..., :3])
            cv2.circle(sheet, (size // 2, size // 2), int(size * 0.42), (240, 240, 240), size // 12, cv2.LINE_AA)
            cv2.circle(sheet, (size // 2, size // 2), int(size * 0.38), (70, 40, 20), -1, cv2.LINE_AA)
            disc[..., :3] = sheet
        return disc
    if kind == 4:
        wide, high = int(rng.uniform(12, 16) * PX_PER_MM), int(rng.uniform(90, 180) * PX_PER_MM)
        sheet = np.empty((high, wide, 3), np.uint8)
        sheet[:] = colour
        sheet[:, wide // 3 : wide // 2] = np.clip(np.array(colour) + 40, 0, 255)
        return np.dstack([sheet, rounded(wide, high, wide * 0.4)])
    wide, high = int(rng.uniform(40, 130) * PX_PER_MM), int(rng.uniform(40, 130) * PX_PER_MM)
    sheet = np.empty((high, wide, 3), np.uint8)
    sheet[:] = colour if kind == 5 else (246, 245, 242)
    for _ in range(int(rng.integers(0, 6))):
        x, y = int(rng.uniform(0, wide)), int(rng.uniform(0, high))
        r, g, b = (int(c) for c in rng.integers(0, 255, 3))
        cv2.rectangle(sheet, (x, y), (x + int(rng.uniform(10, 200)), y + int(rng.uniform(10, 100))), (r, g, b), -1)
    return np.dstack([sheet, rounded(wide, high, float(rng.uniform(0, 30)))])
