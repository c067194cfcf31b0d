"""Draw readings on a picture: corners, a name on a dark tag, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from engine.cards import Card, Suit
from vision.frame import Pixels
from vision.labels import BACK, What, shows_face
from vision.observations import Sighting, State
from vision.photo import ACCEPTED, SHOWN, Reading

_GREEN = (96, 190, 88)
_AMBER = (40, 170, 240)
_GREY = (170, 170, 170)
_DARK = (38, 32, 28)
_LIGHT = (245, 245, 245)
_RED = (110, 110, 255)


def annotate(pixels: Pixels, readings: Iterable[Reading | Sighting]) -> Pixels:
    """A copy of the picture with every reading that is sure enough to be shown."""
    picture = pixels.copy()
    unit = max(1.0, max(picture.shape[:2]) / 900)
    shown = [one for one in readings if _is_shown(one)]
    for one in shown:
        _outline(picture, one, unit)
    for one in shown:
        _tag(picture, one, unit)
    return picture


def _is_shown(one: Reading | Sighting) -> bool:
    return one.confidence >= SHOWN if isinstance(one, Reading) else one.what is not None


def _is_sure(one: Reading | Sighting) -> bool:
    return one.confidence >= ACCEPTED if isinstance(one, Reading) else one.state is State.ACCEPTED


def _colour(one: Reading | Sighting) -> tuple[int, int, int]:
    if not shows_face(one.what):
        return _GREY
    return _GREEN if _is_sure(one) else _AMBER


def _corners(one: Reading | Sighting) -> np.ndarray:
    return np.asarray(one.corners if isinstance(one, Reading) else one.corners_px)


def _outline(picture: Pixels, one: Reading | Sighting, unit: float) -> None:
    points = np.round(_corners(one) * 8).astype(np.int32)
    thick = max(1, round(1.6 * unit))
    cv2.polylines(picture, [points], True, _DARK, thick + max(2, round(unit)), cv2.LINE_AA, 3)
    cv2.polylines(picture, [points], True, _colour(one), thick, cv2.LINE_AA, 3)


def _tag(picture: Pixels, one: Reading | Sighting, unit: float) -> None:
    """A dark tag in the middle: rank or name, a drawn pip, and percent in small figures."""
    name, pip = _name(one.what)
    percent = f"{one.confidence:.0%}"
    font, size = cv2.FONT_HERSHEY_SIMPLEX, 0.55 * unit
    (wide, tall), _ = cv2.getTextSize(name, font, size, max(1, round(unit)))
    (little, _), _ = cv2.getTextSize(percent, font, size * 0.6, 1)
    pad, pip_size = round(5 * unit), round(tall * 1.05) if pip else 0
    gap = round(4 * unit)
    width = 2 * pad + wide + (gap + pip_size if pip else 0) + gap + little
    height = 2 * pad + tall
    x, y = _corners(one).mean(axis=0)
    left = int(np.clip(x - width / 2, 0, max(0, picture.shape[1] - width)))
    top = int(np.clip(y - height / 2, 0, max(0, picture.shape[0] - height)))
    part = picture[top : top + height, left : left + width]
    part[:] = (part * 0.2 + np.array(_DARK) * 0.8).astype(np.uint8)
    cv2.rectangle(picture, (left, top), (left + width, top + height), _colour(one), max(1, round(unit)), cv2.LINE_AA)
    base = top + pad + tall
    cv2.putText(picture, name, (left + pad, base), font, size, _LIGHT, max(1, round(unit)), cv2.LINE_AA)
    at = left + pad + wide + gap
    if pip:
        _draw_pip(picture, pip, (at + pip_size / 2, top + height / 2), pip_size)
        at += pip_size + gap
    cv2.putText(picture, percent, (at, base), font, size * 0.6, _GREY, max(1, round(unit * 0.7)), cv2.LINE_AA)


def _name(what: What | None) -> tuple[str, Suit | None]:
    match what:
        case Card(rank, suit):
            return ("10" if rank.letter == "T" else rank.letter), suit
        case str() if what != BACK:
            # the drawing font knows no letters beyond ASCII
            return what.replace("Ø", "O"), None
        case str():
            return "back", None
        case None:
            return "?", None


def _draw_pip(picture: Pixels, suit: Suit, centre: tuple[float, float], size: int) -> None:
    """The suit, drawn: the font has no pips."""
    x, y = centre
    r = size / 4
    colour = _RED if suit in (Suit.HEARTS, Suit.DIAMONDS) else _LIGHT

    def disc(dx: float, dy: float, radius: float) -> None:
        point = (round((x + dx * r) * 8), round((y + dy * r) * 8))
        cv2.circle(picture, point, round(radius * r * 8), colour, -1, cv2.LINE_AA, 3)

    def shape(*points: tuple[float, float]) -> None:
        drawn = np.array([[(x + dx * r) * 8, (y + dy * r) * 8] for dx, dy in points]).round().astype(np.int32)
        cv2.fillPoly(picture, [drawn], colour, cv2.LINE_AA, 3)

    match suit:
        case Suit.DIAMONDS:
            shape((0, -2), (1.5, 0), (0, 2), (-1.5, 0))
        case Suit.HEARTS:
            disc(-0.85, -0.6, 1.0)
            disc(0.85, -0.6, 1.0)
            shape((-1.75, -0.2), (1.75, -0.2), (0, 2))
        case Suit.SPADES:
            disc(-0.85, 0.4, 1.0)
            disc(0.85, 0.4, 1.0)
            shape((-1.75, 0.1), (0, -2), (1.75, 0.1))
            shape((0, 0), (0.7, 2), (-0.7, 2))
        case Suit.CLUBS:
            disc(0, -0.95, 0.95)
            disc(-1.0, 0.5, 0.95)
            disc(1.0, 0.5, 0.95)
            shape((0, -0.3), (0.7, 2), (-0.7, 2))
