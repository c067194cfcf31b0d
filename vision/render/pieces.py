"""Round wooden Gnav pieces of our own drawing: a picture or numeral, and its name on a bar at the foot."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.ink import PX_PER_MM, Colour, Pixels, Points, arc, fill, stamp, text_mask

PIECE_MM = 36.0
SIZE = round(PIECE_MM * PX_PER_MM)
BACK = "back"

_BLACK: Colour = (28, 24, 22)
_RED: Colour = (158, 22, 26)
_GREEN: Colour = (14, 88, 64)

_Picture = tuple[list[Points], list[Points]]
"""What is inked, and what is then cut out of it, in the square -0.5 ... 0.5."""


def _poly(*points: tuple[float, float]) -> Points:
    return np.array(points, float)


def _dot(x: float, y: float, r: float) -> Points:
    return arc(x, y, r, r, 0, 360)


def _narr() -> _Picture:
    """A jester's cap with three bells."""
    cap = _poly(
        *((-0.3, 0.26), (-0.5, -0.16), (-0.32, -0.2), (-0.14, 0.0), (-0.09, -0.36), (0.09, -0.36)),
        *((0.14, 0.0), (0.32, -0.2), (0.5, -0.16), (0.3, 0.26)),
    )
    brim = _poly((-0.34, 0.32), (0.34, 0.32), (0.34, 0.46), (-0.34, 0.46))
    return [cap, _dot(-0.4, -0.26, 0.1), _dot(0, -0.4, 0.1), _dot(0.4, -0.26, 0.1), brim], []


def _ugle() -> _Picture:
    """An owl from the front."""
    body = arc(0, 0.08, 0.36, 0.42, 0, 360)
    ears = _poly((-0.36, -0.1), (-0.34, -0.5), (-0.1, -0.3), (0.1, -0.3), (0.34, -0.5), (0.36, -0.1))
    beak = _poly((-0.06, 0.0), (0.06, 0.0), (0, 0.14))
    belly = [arc(0, y, 0.2, 0.05, 0, 180) for y in (0.2, 0.32)]
    return [body, ears], [_dot(-0.15, -0.1, 0.13), _dot(0.15, -0.1, 0.13), beak, *belly]


def _potte() -> _Picture:
    """A vase with three flowers."""
    vase = _poly((-0.12, 0.0), (0.12, 0.0), (0.3, 0.22), (0.18, 0.5), (-0.18, 0.5), (-0.3, 0.22))
    stems = [
        _poly((x * 0.3 - 0.02, 0), (x * 0.3 + 0.02, 0), (x + 0.02, -0.3), (x - 0.02, -0.3)) for x in (-0.3, 0, 0.3)
    ]
    blooms = [_dot(-0.32, -0.28, 0.13), _dot(0, -0.36, 0.14), _dot(0.32, -0.28, 0.13)]
    holes = [_dot(-0.32, -0.28, 0.05), _dot(0, -0.36, 0.05), _dot(0.32, -0.28, 0.05)]
    band = _poly((-0.27, 0.2), (0.27, 0.2), (0.25, 0.28), (-0.25, 0.28))
    return [vase, *stems, *blooms], [*holes, band]


def _hus() -> _Picture:
    """A house with a chimney."""
    roof = _poly((-0.5, 0.02), (0, -0.44), (0.5, 0.02))
    walls = _poly((-0.36, 0.08), (0.36, 0.08), (0.36, 0.5), (-0.36, 0.5))
    chimney = _poly((0.2, -0.46), (0.34, -0.46), (0.34, -0.1), (0.2, -0.2))
    door = _poly((0.04, 0.22), (0.22, 0.22), (0.22, 0.5), (0.04, 0.5))
    window = _poly((-0.25, 0.18), (-0.08, 0.18), (-0.08, 0.35), (-0.25, 0.35))
    return [roof, walls, chimney], [door, window]


def _hest() -> _Picture:
    """A horse's head and neck."""
    head = _poly(
        *(
            (0.26, 0.5),
            (-0.3, 0.5),
            (-0.22, 0.24),
            (-0.08, 0.04),
            (-0.3, 0.12),
            (-0.44, 0.08),
            (-0.46, -0.04),
        ),
        *((-0.12, -0.3), (-0.08, -0.5), (0.04, -0.34), (0.22, -0.24), (0.36, 0.02), (0.38, 0.28)),
    )
    mane = _poly((0.14, -0.18), (0.2, -0.14), (0.28, 0.4), (0.2, 0.4))
    return [head], [_dot(-0.1, -0.18, 0.045), mane]


def _katt() -> _Picture:
    """A sitting cat with its tail up."""
    body = arc(-0.06, 0.24, 0.24, 0.28, 0, 360)
    head = arc(-0.1, -0.14, 0.2, 0.17, 0, 360)
    ears = [
        _poly((-0.3, -0.12), (-0.28, -0.42), (-0.12, -0.28)),
        _poly((0.1, -0.12), (0.08, -0.42), (-0.08, -0.28)),
    ]
    foot = _poly((-0.28, 0.42), (0.3, 0.42), (0.3, 0.5), (-0.28, 0.5))
    outer, inner = arc(0.2, 0.1, 0.22, 0.36, -95, 90), arc(0.2, 0.1, 0.12, 0.26, 90, -95)
    return [body, head, *ears, foot, np.concatenate([outer, inner])], [
        _dot(-0.17, -0.15, 0.04),
        _dot(-0.03, -0.15, 0.04),
    ]


def _dragon() -> _Picture:
    """A dragoon's helmet with its crest, over crossed sabres."""
    helmet = _poly((-0.36, 0.16), (-0.32, -0.1), (-0.14, -0.26), (0.1, -0.26), (0.28, -0.1), (0.32, 0.16))
    crest = np.concatenate([arc(0.02, -0.12, 0.44, 0.36, 180, 350), arc(0.02, -0.12, 0.3, 0.2, 350, 180)])
    peak = _poly((-0.5, 0.22), (-0.34, 0.1), (0.36, 0.1), (0.36, 0.2))
    sabres = [
        _poly((-0.46, 0.3), (-0.38, 0.26), (0.44, 0.46), (0.4, 0.54)),
        _poly((0.46, 0.3), (0.38, 0.26), (-0.44, 0.46), (-0.4, 0.54)),
    ]
    return [helmet, crest, peak, *sabres], [_poly((-0.06, -0.12), (0.06, -0.12), (0.06, 0.06), (-0.06, 0.06))]


def _gjok() -> _Picture:
    """A cuckoo on a branch, its long tail down to the right."""
    body = arc(-0.06, -0.02, 0.28, 0.2, 0, 360)
    head = _dot(-0.28, -0.22, 0.16)
    beak = _poly((-0.4, -0.28), (-0.54, -0.2), (-0.4, -0.14))
    wing = _poly((-0.1, -0.2), (0.36, 0.06), (0.1, 0.12))
    tail = _poly((0.08, -0.1), (0.54, 0.22), (0.46, 0.34), (0.0, 0.12))
    branch = _poly((-0.48, 0.28), (0.3, 0.24), (0.3, 0.34), (-0.48, 0.38))
    legs = [_poly((x, 0.1), (x + 0.05, 0.1), (x + 0.05, 0.3), (x, 0.3)) for x in (-0.16, -0.02)]
    bars = [_poly((-0.22, y), (0.02, y), (0.0, y + 0.035), (-0.2, y + 0.035)) for y in (0.0, 0.08)]
    return [body, head, beak, wing, tail, branch, *legs], [_dot(-0.31, -0.24, 0.035), *bars]


_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_VALUES = {numeral: value for value, numeral in enumerate(_NUMERALS, 1)}

_PICTURES = {
    **{"NARR": (_narr, _GREEN), "UGLE": (_ugle, _GREEN), "POTTE": (_potte, _GREEN)},
    **{"HUS": (_hus, _RED), "HEST": (_hest, _RED), "KATT": (_katt, _RED)},
    **{"DRAGON": (_dragon, _RED), "GJØK": (_gjok, _RED)},
}


@lru_cache(maxsize=32)
def _grain(size: int, seed: int) -> tuple[NDArray[np.float32], Pixels]:
    """How bright each pixel of a turned disc is, and the disc's mask."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (size, size)), (0, 0), sigmaX=size * 0.2, sigmaY=1.0)
    grain = grain / (np.abs(grain).max() + 1e-9)
    ys, xs = np.mgrid[:size, :size]
    from_middle = np.hypot(xs - (size - 1) / 2, ys - (size - 1) / 2) / (size / 2)
    shade = 1 + 0.09 * grain - 0.28 * np.clip((from_middle - 0.9) / 0.1, 0, 1)
    return shade[..., None].astype(np.float32), fill([arc(0, 0, 0.495, 0.495, 0, 360, 90)], size, 4)


def wooden_disc(size: int, light: Colour = (226, 192, 142), seed: int = 3) -> Pixels:
    """A turned disc of wood with a darker rim, RGBA, *size* pixels across."""
    shade, mask = _grain(size, seed)
    rgb = np.clip(np.array(light, np.float32) * shade, 0, 255).astype(np.uint8)
    return np.dstack([rgb, mask])


@lru_cache(maxsize=64)
def piece_face(name: str) -> Pixels:
    """The face of a Gnav piece (a name of ``engine.pieces.GNAV``), RGBA, 144 x 144 pixels (36 mm).

    ValueError for a name we have no drawing of.
    """
    disc = wooden_disc(SIZE).copy()
    sheet = np.ascontiguousarray(disc[..., :3])
    middle = SIZE / 2
    if name in _PICTURES:
        draw, colour = _PICTURES[name]
        inked, cut = draw()
        size = round(SIZE * 0.56)
        mask = fill(inked, size)
        if cut:
            mask = np.minimum(mask, 255 - fill(cut, size))
        stamp(sheet, mask, colour, middle, SIZE * 0.39)
    elif name == "0" or name in _VALUES:
        colour = _BLACK
        narrow = {1: 1.0, 2: 1.0, 3: 0.95}.get(len(name), 0.8)
        mask = text_mask(name, round(SIZE * 0.38), "", 0.09, narrow)
        if mask.shape[1] > SIZE * 0.74:
            mask = cv2.resize(mask, (round(SIZE * 0.74), mask.shape[0]), interpolation=cv2.INTER_AREA)
        stamp(sheet, np.asarray(mask, np.uint8), colour, middle, SIZE * 0.4)
    else:
        raise ValueError(f"no drawing of a piece {name!r}")
    foot = np.zeros((SIZE, SIZE), np.uint8)
    foot[round(SIZE * 0.69) :] = 255
    foot = np.minimum(foot, fill([arc(0, 0, 0.46, 0.46, 0, 360, 90)], SIZE, 4))
    stamp(sheet, foot, colour, middle, middle)
    # IX upside down is XI, and a worn bar would not tell: the foot has the number in figures
    told = str(_VALUES[name]) if name in _VALUES else name
    letters = text_mask(told, round(SIZE * 0.15), "", 0.07)
    stamp(sheet, letters, (250, 240, 220), middle, SIZE * 0.785)
    return np.dstack([sheet, disc[..., 3]])


@lru_cache(maxsize=1)
def piece_back() -> Pixels:
    """The back: plain wood with two turned rings, RGBA like the face."""
    disc = wooden_disc(SIZE, (206, 168, 116), 4).copy()
    sheet = np.ascontiguousarray(disc[..., :3])
    for radius in (0.4, 0.2):
        cv2.circle(sheet, (SIZE // 2, SIZE // 2), round(SIZE * radius), (160, 118, 74), 2, cv2.LINE_AA)
    return np.dstack([sheet, disc[..., 3]])
