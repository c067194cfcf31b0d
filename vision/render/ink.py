"""Stamps: soft one-colour masks of pips and letters, and putting them on a picture."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

PX_PER_MM = 4
"""All sprites are drawn at this many pixels a millimetre."""

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]
Points = NDArray[np.float64]


def arc(x: float, y: float, rx: float, ry: float, start: float, end: float, steps: int = 24) -> Points:
    """Points on an ellipse from *start* to *end* degrees, clockwise on the screen (y down)."""
    turns = np.linspace(start * pi / 180, end * pi / 180, steps)
    return np.stack([x + rx * np.cos(turns), y + ry * np.sin(turns)], 1)


def _diamond(fat: float, bend: float) -> list[Points]:
    """Corners at the ends of the axes; *bend* > 0 hollows the sides."""
    wide = 0.36 + 0.1 * fat
    corners = np.array([[0, -0.5], [wide, 0], [0, 0.5], [-wide, 0]])
    sides = []
    for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
        steps = np.linspace(0, 1, 12, endpoint=False)[:, None]
        straight = a + (b - a) * steps
        sides.append(straight * (1 - 0.35 * bend * np.sin(pi * steps)))
    return [np.concatenate(sides)]


def _heart(fat: float, bend: float) -> list[Points]:
    t = np.linspace(0, 2 * pi, 80)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    y = (y + 2.5) / 29.0
    x = x / 32 * (0.84 + 0.15 * fat)
    x = x * (1 - bend * 0.5 * np.clip(y, 0, 0.5))
    return [np.stack([x, y], 1)]


def _stem(top: float, wide: float) -> Points:
    ys = np.linspace(top, 0.5, 10)
    half = 0.03 + wide * ((ys - top) / (0.5 - top)) ** 2.2
    return np.concatenate([np.stack([half, ys], 1), np.stack([-half[::-1], ys[::-1]], 1)])


def _spade(fat: float, bend: float) -> list[Points]:
    (heart,) = _heart(fat, bend)
    leaf = np.stack([heart[:, 0], -heart[:, 1] * 0.84 - 0.07], 1)
    return [leaf, _stem(0.0, 0.14 + 0.08 * fat)]


def _club(fat: float, bend: float) -> list[Points]:
    r = 0.2 + 0.035 * fat
    low = 0.08 + 0.05 * bend
    heart = np.array([[0, -0.25], [0.25, low], [-0.25, low]])
    return [
        arc(0, -0.5 + r, r, r, 0, 360),
        arc(-0.5 + r + 0.02, low, r, r, 0, 360),
        arc(0.5 - r - 0.02, low, r, r, 0, 360),
        heart,
        _stem(0.0, 0.13 + 0.08 * fat),
    ]


_PIPS = {"c": _club, "d": _diamond, "h": _heart, "s": _spade}


def fill(polygons: list[Points], size: int, fine: int = 8) -> Pixels:
    """A mask, *size* pixels square, of polygons given in the square -0.5 ... 0.5."""
    big = np.zeros((size * fine, size * fine), np.uint8)
    for polygon in polygons:
        cv2.fillPoly(big, [np.round((polygon + 0.5) * size * fine).astype(np.int32)], 255)
    return np.asarray(cv2.resize(big, (size, size), interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=4096)
def pip_mask(suit: str, size: int, fat: float = 0.5, bend: float = 0.3) -> Pixels:
    """The suit sign, *size* pixels high; *fat* and *bend* (0 ... 1) vary its shape."""
    return fill(_PIPS[suit](fat, bend), max(3, size))


@lru_cache(maxsize=512)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    if path:
        return ImageFont.truetype(path, size)
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow without FreeType cannot draw letters of a chosen size")
    return font


@lru_cache(maxsize=4096)
def text_mask(text: str, height: int, font: str = "", weight: float = 0.0, narrow: float = 1.0) -> Pixels:
    """*text* with capitals *height* pixels high, cut to its ink.

    *font* is a file, or "" for Pillow's own; *weight* thickens by that share of the height, *narrow* squeezes
    the width. "Ø" is drawn by us: Pillow's own font has none.
    """
    size = max(6, round(height * 4 / 0.7))
    face = _font(font, size)
    plain = text.replace("Ø", "O")
    thick = round(weight * height * 4)
    left, top, right, bottom = face.getbbox(plain, stroke_width=thick)
    picture = Image.new("L", (max(1, int(right - left)), max(1, int(bottom - top))))
    draw = ImageDraw.Draw(picture)
    draw.text((-left, -top), plain, font=face, fill=255, stroke_width=thick)
    at = text.find("Ø")
    if at >= 0:
        start = face.getlength(plain[:at]) - left
        end = face.getlength(plain[: at + 1]) - left
        draw.line((start, picture.height - 1, end, 0), fill=255, width=max(2, size // 12 + thick))
    ink = np.asarray(picture, np.uint8)
    high = max(2, height)
    wide = max(1, round(ink.shape[1] * high / ink.shape[0] * narrow))
    return np.asarray(cv2.resize(ink, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)


def stamp(onto: Pixels, mask: Pixels, colour: Colour, x: float, y: float, *, upside_down: bool = False) -> None:
    """Print *mask* in *colour*, centred at pixel (x, y) of the RGB picture; what falls outside is cut off."""
    if upside_down:
        mask = mask[::-1, ::-1]
    high, wide = mask.shape
    left, top = round(x - wide / 2), round(y - high / 2)
    x0, y0, x1, y1 = (
        max(0, left),
        max(0, top),
        min(onto.shape[1], left + wide),
        min(onto.shape[0], top + high),
    )
    if x0 >= x1 or y0 >= y1:
        return
    share = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
    part = onto[y0:y1, x0:x1, :3]
    part[:] = (part * (1 - share) + np.array(colour, np.float32) * share + 0.5).astype(np.uint8)


def turn_half(picture: Pixels) -> Pixels:
    """The same picture seen from the other side of the table."""
    return picture[::-1, ::-1]


def rounded(width: int, height: int, radius: float) -> Pixels:
    """The mask of a sheet with rounded corners."""
    fine = 4
    big = np.zeros((height * fine, width * fine), np.uint8)
    r, w, h = radius * fine, width * fine - 1, height * fine - 1
    outline = np.concatenate(
        [
            arc(r, r, r, r, 180, 270, 8),
            arc(w - r, r, r, r, 270, 360, 8),
            arc(w - r, h - r, r, r, 0, 90, 8),
            arc(r, h - r, r, r, 90, 180, 8),
        ]
    )
    cv2.fillPoly(big, [np.round(outline).astype(np.int32)], 255)
    return np.asarray(cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def star(points: int, outer: float, inner: float, turn: float = 0.0) -> Points:
    """A star round the origin; *turn* in degrees."""
    turns = np.arange(2 * points) * pi / points + turn * pi / 180 - pi / 2
    radii = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
    return np.array([[r * cos(t), r * sin(t)] for r, t in zip(radii, turns, strict=True)])
