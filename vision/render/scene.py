"""Whole tables: what lies where, and the camera picture of it with the truth beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.render import cards, pieces, things
from vision.render.ink import PX_PER_MM, Colour, Pixels
from vision.render.mats import MAT_PX_PER_MM, Mat, mat_picture
from vision.render.view import View, develop, light, project

Kind = Literal["card", "piece", "die", "chip", "clutter"]


@dataclass(frozen=True, slots=True)
class Placed:
    """One thing on the table, its middle at (x_mm, y_mm), turned clockwise by *turn_deg*.

    *what*: a card (``Td``), a Gnav piece's name, a die's spots (``6``), a chip's colour (``red``),
    or for clutter any number.
    """

    what: str
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    kind: Kind = "card"
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table, its palm at (x_mm, y_mm), the arm from the direction *from_deg* (90: below)."""

    x_mm: float
    y_mm: float
    from_deg: float = 90.0
    skin: Colour = (214, 164, 134)
    sleeve: Colour = (60, 66, 84)
    size: float = 1.0


Look = Callable[[Placed], Pixels]
"""The RGBA picture of a thing, four pixels a mm; the same object for the same thing, so it can be kept."""


def look_of(deck: cards.Deck) -> Look:
    """Cards of *deck*; everything else as the house draws it."""

    def look(placed: Placed) -> Pixels:
        match placed.kind:
            case "card":
                return cards.face(deck, Card.parse(placed.what)) if placed.face_up else cards.back(deck)
            case "piece":
                return pieces.piece_face(placed.what) if placed.face_up else pieces.piece_back()
            case "die":
                return things.die(int(placed.what))
            case "chip":
                return things.chip(things.CHIP_COLOURS[placed.what])
            case "clutter":
                return things.clutter(int(placed.what))

    return look


HOUSE_LOOK: Look = look_of(cards.house_deck())


@dataclass(frozen=True, slots=True)
class Scene:
    """A table: things from the lowest to the highest, and hands over them."""

    placed: tuple[Placed, ...] = ()
    mat: Mat = field(default_factory=Mat)
    hands: tuple[Hand, ...] = ()
    look: Look = HOUSE_LOOK


@dataclass(frozen=True, slots=True)
class Truth:
    """What one thing of the scene is and where the picture shows it."""

    what: str
    kind: Kind
    face_up: bool
    corners: NDArray[np.float64]
    """(4, 2) pixels: its own top left, top right, bottom right and bottom left, also where covered."""
    visible: float
    """The share of it that the picture shows, 0 ... 1."""


def render(scene: Scene, view: View, rng: np.random.Generator) -> tuple[Pixels, list[Truth]]:
    """The camera's frame (height, width, 3; BGR) and the truth of each thing, in the scene's order.

    *rng* only makes the sensor's noise: two frames of one scene differ by noise alone.
    """
    picture = _bare(scene.mat, view).copy()
    owners = np.zeros((view.height // 2, view.width // 2), np.uint8)
    outlines = []
    for number, placed in enumerate(scene.placed, 1):
        sprite = scene.look(placed)
        to_px = view.matrix @ _placing(placed, sprite.shape)
        _lay(picture, sprite, to_px, view)
        corners, outline = _outline(sprite.shape, to_px, is_round=placed.kind in ("piece", "chip"))
        _own(owners, outline, _id(number))
        outlines.append((corners, outline))
    for hand in scene.hands:
        _hold(picture, owners, hand, view)
    truths = [
        Truth(thing.what, thing.kind, thing.face_up, corners, _visible(owners, outline, _id(number)))
        for number, (thing, (corners, outline)) in enumerate(zip(scene.placed, outlines, strict=True), 1)
    ]
    return develop(picture, view, rng), truths


def _id(number: int) -> int:
    """0 is the table, 1 a hand, the rest are things; more than 254 of them share numbers."""
    return 2 + (number - 1) % 254


@lru_cache(maxsize=4)
def _bare(mat: Mat, view: View) -> Pixels:
    """The lit table with nothing on it."""
    sheet = mat_picture(mat)
    to_px = view.matrix @ np.diag([1 / MAT_PX_PER_MM, 1 / MAT_PX_PER_MM, 1.0])
    scale = _scale(to_px, sheet.shape)
    sheet, shrink = _shrunk(sheet, scale)
    size = (view.width, view.height)
    floor = tuple(int(c * 0.45) for c in sheet[::16, ::16].reshape(-1, 3).mean(0))
    warped = cv2.warpPerspective(sheet, to_px @ shrink, size, flags=cv2.INTER_LINEAR, borderValue=floor)
    gain, glare = light(view)
    return np.asarray(np.clip(warped * gain + glare * 0.7, 0, 255), np.uint8)


def _placing(placed: Placed, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Sprite pixels -> mm on the table."""
    turn = np.deg2rad(placed.turn_deg)
    c, s = np.cos(turn), np.sin(turn)
    high, wide = shape[:2]
    centred = np.array([[1, 0, -wide / 2], [0, 1, -high / 2], [0, 0, PX_PER_MM]]) / PX_PER_MM
    return np.array([[c, -s, placed.x_mm], [s, c, placed.y_mm], [0, 0, 1]]) @ centred


def _scale(to_px: NDArray[np.float64], shape: tuple[int, ...]) -> float:
    """Picture pixels per sprite pixel, about."""
    high, wide = shape[:2]
    corners = project(to_px, np.array([[0, 0], [wide, 0], [wide, high], [0, high]], float))
    area = cv2.contourArea(corners.astype(np.float32))
    return float(np.sqrt(area / (wide * high)))


_STEPS = (2, 3, 4, 6, 8, 11, 16)
"""Kept sizes of a sprite, in sixteenths."""
_KEPT: dict[tuple[int, int], tuple[Pixels, Pixels]] = {}
"""By a sprite's id and its step: the sprite (to know that it is still that one), and what is kept."""


def _shrunk(sprite: Pixels, scale: float) -> tuple[Pixels, NDArray[np.float64]]:
    """A smaller sprite in BGR, so that warping skips few pixels, and the matrix to the full one's pixels.

    A sprite with alpha comes out multiplied by it, so that what is outside its edge does not bleed in.
    """
    step = next((s for s in _STEPS if s >= 16 * scale), 16)
    kept = _KEPT.get((id(sprite), step))
    if kept is None or kept[0] is not sprite:
        if len(_KEPT) > 400:
            _KEPT.clear()
        kept = sprite, _readied(sprite, step)
        _KEPT[id(sprite), step] = kept
    small = kept[1]
    return small, np.diag([sprite.shape[1] / small.shape[1], sprite.shape[0] / small.shape[0], 1.0])


def _readied(sprite: Pixels, step: int) -> Pixels:
    high, wide = sprite.shape[:2]
    size = max(1, wide * step // 16), max(1, high * step // 16)
    if sprite.shape[2] == 3:
        ready = cv2.cvtColor(sprite, cv2.COLOR_RGB2BGR)
    else:
        share = sprite[..., 3:].astype(np.float32) / 255
        ready = np.dstack([(sprite[..., 2::-1] * share).astype(np.uint8), sprite[..., 3]])
    return np.asarray(ready if step == 16 else cv2.resize(ready, size, interpolation=cv2.INTER_AREA), np.uint8)


def _window(points: NDArray[np.float64], view: View, grow: int) -> tuple[int, int, int, int] | None:
    """The part of the picture about *points*: x0, y0, x1, y1; None when it is outside."""
    low, high = np.floor(points.min(0)).astype(int) - grow, np.ceil(points.max(0)).astype(int) + grow
    x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(view.width, high[0]), min(view.height, high[1])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def _lay(picture: Pixels, sprite: Pixels, to_px: NDArray[np.float64], view: View) -> None:
    """Put one lit thing, and its small shadow, on the picture."""
    small, grow = _shrunk(sprite, _scale(to_px, sprite.shape))
    high, wide = small.shape[:2]
    matrix = to_px @ grow
    corners = project(matrix, np.array([[0, 0], [wide, 0], [wide, high], [0, high]], float))
    window = _window(corners, view, 3)
    if window is None:
        return
    x0, y0, x1, y1 = window
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], float)
    part = cv2.warpPerspective(small, shift @ matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    gain, glare = light(view)
    share = part[..., 3:].astype(np.float32) * (1 / 255)
    lit = part[..., :3] * gain[y0:y1, x0:x1] + glare[y0:y1, x0:x1] * share
    below = picture[y0:y1, x0:x1]
    shade = np.clip(cv2.blur(share, (5, 5))[..., None], 0, 1) * 0.3
    mixed = below * ((1 - shade) * (1 - share)) + lit
    picture[y0:y1, x0:x1] = np.clip(mixed, 0, 255).astype(np.uint8)


def _outline(
    shape: tuple[int, ...], to_px: NDArray[np.float64], *, is_round: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The four corners and the visible outline, in picture pixels."""
    high, wide = shape[:2]
    corners = project(to_px, np.array([[0, 0], [wide, 0], [wide, high], [0, high]], float))
    if not is_round:
        return corners, corners
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([wide / 2 * (1 + np.cos(turns)), high / 2 * (1 + np.sin(turns))], 1)
    return corners, project(to_px, ring)


def _own(owners: Pixels, outline: NDArray[np.float64], number: int) -> None:
    cv2.fillConvexPoly(owners, np.round((outline - 0.5) * 8).astype(np.int32), number, shift=4)


def _visible(owners: Pixels, outline: NDArray[np.float64], number: int) -> float:
    whole = cv2.contourArea(outline.astype(np.float32)) / 4
    low, high = np.floor(outline.min(0) / 2).astype(int) - 1, np.ceil(outline.max(0) / 2).astype(int) + 2
    part = owners[max(0, low[1]) : max(0, high[1]), max(0, low[0]) : max(0, high[0])]
    return float(min(1.0, np.count_nonzero(part == number) / max(1.0, whole)))


def _hold(picture: Pixels, owners: Pixels, hand: Hand, view: View) -> None:
    """Paint an arm and a hand; it covers what lies under it."""
    turn = np.deg2rad(hand.from_deg)
    out = np.array([np.cos(turn), np.sin(turn)])
    side = np.array([-out[1], out[0]])
    palm = np.array([hand.x_mm, hand.y_mm])
    k = hand.size

    def along(reach: float, aside: float) -> NDArray[np.float64]:
        return palm + out * reach * k + side * aside * k

    parts: list[tuple[Colour, list[NDArray[np.float64]], float]] = [
        (hand.skin, [along(20, 0), along(190, 4)], 56.0),
        (hand.sleeve, [along(130, 2), along(700, 10)], 86.0),
        (hand.skin, [along(-12, -18), along(34, -8)], 48.0),
        (hand.skin, [along(-12, 18), along(34, 8)], 48.0),
        (hand.skin, [along(20, 30), along(-34, 52)], 19.0),
    ]
    parts += [(hand.skin, [along(-10, s), along(-78 + abs(s) * 0.5, s * 1.2)], 18.0) for s in (-30, -10, 10, 30)]
    gain, _ = light(view)
    left, right = view.to_px(np.array([palm - side * 10, palm + side * 10]))
    px_per_mm = float(np.hypot(*(right - left))) / 20
    at = np.clip(view.to_px(palm[None])[0], 0, [view.width - 1, view.height - 1]).astype(int)
    for colour, ends, width in parts:
        shade = np.clip(np.array(colour[::-1]) * gain[at[1], at[0]], 0, 255)
        (ax, ay), (bx, by) = view.to_px(np.array(ends)).astype(int).tolist()
        thick = max(1, round(width * k * px_per_mm))
        cv2.line(picture, (ax, ay), (bx, by), tuple(shade * 0.86), thick + 2, cv2.LINE_AA)
        cv2.line(picture, (ax, ay), (bx, by), tuple(shade), max(1, thick - 2), cv2.LINE_AA)
        cv2.line(owners, (ax // 2, ay // 2), (bx // 2, by // 2), 1, max(1, thick // 2))
