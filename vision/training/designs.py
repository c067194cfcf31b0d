"""Random round pieces, so that an embedding learns to tell designs apart that it has never seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from engine.pieces import GNAV
from vision.render.ink import Colour, Pixels, arc, fill, stamp, star, text_mask
from vision.render.pieces import SIZE, piece_back, piece_face, wooden_disc

_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYZ"


@lru_cache(maxsize=1)
def pictograms(art: Path) -> np.ndarray:
    """Masks (N, 96, 96) that ``vision.training.art`` gathered; none of them is fine too."""
    path = art / "pictograms.npy"
    return np.load(path) if path.exists() else np.zeros((0, 96, 96), np.uint8)


def _scribble(rng: np.random.Generator, size: int) -> Pixels:
    """A pictogram made of a few blobs, stars and holes."""
    inked = [
        star(int(rng.integers(2, 8)), rng.uniform(0.1, 0.4), rng.uniform(0.05, 0.25), rng.uniform(0, 360))
        + rng.uniform(-0.25, 0.25, 2)
        if rng.random() < 0.6
        else arc(*rng.uniform(-0.25, 0.25, 2), *rng.uniform(0.05, 0.3, 2), 0, 360)
        for _ in range(int(rng.integers(2, 6)))
    ]
    cut = [arc(*rng.uniform(-0.3, 0.3, 2), *rng.uniform(0.03, 0.12, 2), 0, 360) for _ in range(int(rng.integers(0, 4)))]
    mask = fill(inked, size)
    return np.minimum(mask, 255 - fill(cut, size)) if cut else mask


def _word(rng: np.random.Generator) -> str:
    kind = rng.integers(4)
    if kind == 0:
        return str(rng.integers(0, 100))
    if kind == 1:
        return str(rng.choice(["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "0"]))
    return "".join(rng.choice(list(_LETTERS), int(rng.integers(1, 7))))


def _mask(rng: np.random.Generator, art: Path, fonts: tuple[str, ...], lettered: float) -> Pixels:
    icons = pictograms(art)
    if rng.random() < lettered:
        font = str(rng.choice(np.array(fonts)))
        word = _word(rng)
        mask = text_mask(word, int(SIZE * rng.uniform(0.25, 0.45)), font, float(rng.choice([0.0, 0.06])))
        most = int(SIZE * 0.7)
        if mask.shape[1] > most:
            mask = np.asarray(cv2.resize(mask, (most, mask.shape[0]), interpolation=cv2.INTER_AREA), np.uint8)
        return mask
    size = int(SIZE * rng.uniform(0.4, 0.62))
    if len(icons) and rng.random() < 0.85:
        icon = icons[int(rng.integers(len(icons)))]
        if rng.random() < 0.3:
            icon = icon[:, ::-1]
        return np.asarray(cv2.resize(icon, (size, size), interpolation=cv2.INTER_AREA), np.uint8)
    return _scribble(rng, size)


@dataclass(frozen=True, slots=True)
class Style:
    """What the pieces of one set share."""

    light: Colour
    grain: int
    ink: Colour
    foot: float
    """Where the dark foot begins, as a share of the height; 1 for none."""
    named: bool
    ring: bool
    lettered: float
    """The share of faces that show letters or numerals, not pictures."""


def random_style(rng: np.random.Generator) -> Style:
    """Wood or paint, and whether a foot, a name or a ring goes with the picture."""
    tone = np.array([[226, 192, 142], [206, 168, 116], [180, 130, 84], [240, 232, 216], [120, 80, 50]])
    base = tone[int(rng.integers(len(tone)))] if rng.random() < 0.8 else rng.integers(30, 250, 3)
    r, g, b = (int(c) for c in np.clip(base + rng.integers(-16, 17, 3), 0, 255))
    dark = r + g + b > 330
    ink = rng.integers(0, 90, 3) if dark else rng.integers(180, 256, 3)
    if dark and rng.random() < 0.25:
        ink = np.array([[160, 22, 26], [14, 88, 64], [24, 40, 120]])[int(rng.integers(3))]
    kind = rng.random()
    return Style(
        (r, g, b),
        int(rng.integers(6)),
        (int(ink[0]), int(ink[1]), int(ink[2])),
        float(rng.uniform(0.66, 0.74)) if 0.4 <= kind < 0.75 else 1.0,
        bool(kind >= 0.4 and rng.random() < 0.8),
        bool(rng.random() < 0.2),
        float(rng.choice([0.1, 0.4, 0.9])),
    )


def in_style(style: Style, rng: np.random.Generator, art: Path, fonts: tuple[str, ...] = ("",)) -> Pixels:
    """One face of a set, RGBA, of our pieces' size."""
    disc = wooden_disc(SIZE, style.light, style.grain).copy()
    sheet = np.ascontiguousarray(disc[..., :3])
    middle = SIZE / 2
    lower = style.named or style.foot < 1
    stamp(sheet, _mask(rng, art, fonts, style.lettered), style.ink, middle, SIZE * 0.4 if lower else middle)
    if style.foot < 1:
        foot = np.zeros((SIZE, SIZE), np.uint8)
        foot[round(SIZE * style.foot) :] = 255
        stamp(
            sheet,
            np.minimum(foot, fill([arc(0, 0, 0.46, 0.46, 0, 360, 90)], SIZE, 4)),
            style.ink,
            middle,
            middle,
        )
    if style.named:
        name = text_mask(_word(rng), round(SIZE * 0.14), "", 0.06)
        stamp(sheet, name, style.light if style.foot < 1 else style.ink, middle, SIZE * 0.79)
    if style.ring:
        cv2.circle(sheet, (SIZE // 2, SIZE // 2), round(SIZE * 0.45), style.ink, 2, cv2.LINE_AA)
    return np.dstack([sheet, disc[..., 3]])


def random_design(rng: np.random.Generator, art: Path, fonts: tuple[str, ...] = ("",)) -> Pixels:
    """One face of a set of its own."""
    return in_style(random_style(rng), rng, art, fonts)


OWN = (*(piece.name for piece in GNAV.low_to_high), "back")


def own_design(name: str) -> Pixels:
    """A face of the shipped set, or its back."""
    return piece_back() if name == "back" else piece_face(name)


def shot(design: Pixels, rng: np.random.Generator, size: int = 96) -> Pixels:
    """A square picture (size, size, 3; RGB) of a piece as a camera sees it: turned, lit, blurred, off."""
    across = float(np.exp(rng.uniform(np.log(34), np.log(110))))
    turn = np.deg2rad(rng.uniform(0, 360))
    ground = rng.integers(10, 240, 3)
    c, s = np.cos(turn), np.sin(turn)
    zoom = across / SIZE
    spread = 1 + rng.uniform(-0.1, 0.1)
    frame = round(across)
    off = rng.normal(0, 0.035, 2) * across + frame / 2
    skew = rng.normal(0, 0.03)
    linear = np.array([[c, -s], [s, c]]) * zoom * spread @ np.array([[1 + skew, skew / 2], [skew / 2, 1 - skew]])
    shift = off - linear @ np.array([SIZE / 2, SIZE / 2])
    small = design
    matrix = np.column_stack([linear, shift])
    if zoom < 0.75:
        half = cv2.resize(design, None, fx=zoom * 1.2, fy=zoom * 1.2, interpolation=cv2.INTER_AREA)
        matrix = matrix @ np.diag([design.shape[1] / half.shape[1], design.shape[0] / half.shape[0], 1.0])
        small = np.asarray(half, np.uint8)
    part = cv2.warpAffine(small, matrix, (frame, frame), flags=cv2.INTER_LINEAR).astype(np.float32)
    share = part[..., 3:] / 255
    gains = rng.uniform(0.35, 1.2) * np.array([rng.uniform(0.9, 1.15), 1.0, rng.uniform(0.65, 1.15)])
    xs = np.linspace(-0.5, 0.5, frame)
    slope = 1 + rng.uniform(-0.4, 0.4) * xs[None, :, None] + rng.uniform(-0.4, 0.4) * xs[:, None, None]
    picture = (part[..., :3] * share + ground * (1 - share)) * gains * slope
    if rng.random() < 0.15:
        away = (xs[None, :, None] - rng.uniform(-0.5, 0.5)) ** 2 + (xs[:, None, None] - rng.uniform(-0.5, 0.5)) ** 2
        picture = picture + 200 * rng.uniform(0.2, 0.9) * np.exp(-away / (2 * rng.uniform(0.08, 0.3) ** 2))
    if rng.random() < 0.1:
        a, b = rng.uniform(0, frame, 2)
        cv2.line(picture, (0, int(a)), (int(b), 0), [float(v) for v in rng.integers(60, 220, 3)], int(frame * 0.15))
    picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, max(0.4, min(1.4, across / 45))))
    picture += rng.normal(0, rng.uniform(0.5, 7), picture.shape)
    out = cv2.resize(np.clip(picture, 0, 255).astype(np.uint8), (size, size), interpolation=cv2.INTER_LINEAR)
    return np.asarray(out, np.uint8)
