"""The art on cards: courts, ornate aces, backs, and what else a printer may put there; all of it ours."""

from __future__ import annotations

from math import pi

import cv2
import numpy as np

from engine.cards import Card, Rank
from vision.render.ink import Colour, Pixels, Points, arc, fill, pip_mask, stamp, star, text_mask, turn_half

BACKS = 7

_HUES: tuple[Colour, ...] = (
    *((206, 34, 40), (28, 52, 140), (240, 190, 40), (24, 24, 30), (40, 120, 70), (240, 232, 214)),
    *((120, 60, 30), (230, 130, 50), (90, 150, 200)),
)


def _hue(rng: np.random.Generator) -> Colour:
    r, g, b = _HUES[int(rng.integers(len(_HUES)))]
    shift = rng.integers(-18, 19, 3)
    r, g, b = (int(np.clip(c + s, 0, 255)) for c, s in zip((r, g, b), shift, strict=True))
    return (r, g, b)


def _paint(onto: Pixels, polygon: Points, colour: Colour, centre: tuple[float, float], scale: float) -> None:
    points = np.round((polygon * scale + np.array(centre)) * 16).astype(np.int32)
    cv2.fillPoly(onto, [points], colour, cv2.LINE_AA, 4)


def court(
    sheet: Pixels, style: str, card: Card, colour: Colour, rng: np.random.Generator, fat: float, bend: float
) -> None:
    """A frame with a figure, the same from both sides, and a large suit sign at two corners."""
    high, wide = sheet.shape[:2]
    inset_x, inset_y = int(wide * rng.uniform(0.15, 0.2)), int(high * rng.uniform(0.07, 0.12))
    frame = sheet[inset_y : high - inset_y, inset_x : wide - inset_x]
    if style != "plain":
        upper = np.ascontiguousarray(frame)
        (_house_figure if style == "house" else _busy_figure)(upper, card.rank, rng)
        half = upper.shape[0] // 2
        upper[-half:] = turn_half(upper[:half])
        frame[:] = upper
        cv2.rectangle(frame, (0, 0), (frame.shape[1] - 1, frame.shape[0] - 1), (30, 40, 90), 1, cv2.LINE_AA)
    else:
        letter = text_mask("JQK"[card.rank - Rank.KNAVE], high // 4)
        stamp(sheet, letter, colour, wide / 2, high / 2)
    size = int(wide * rng.uniform(0.14, 0.22))
    pip = pip_mask(card.suit.value, size, fat, bend)
    at = inset_x + size * 0.75, inset_y + size * 0.8
    if rng.random() < 0.3:
        at = wide - at[0], at[1]
    stamp(sheet, pip, colour, *at)
    stamp(sheet, pip, colour, wide - at[0], high - at[1], upside_down=True)


def _house_figure(frame: Pixels, rank: Rank, rng: np.random.Generator) -> None:
    """Knave a shield, queen a rose, king a crown, over bands of cloth."""
    high, wide = frame.shape[:2]
    frame[:] = (247, 238, 214)
    middle = (wide / 2, high * 0.27)
    for i in range(5):
        band = np.array([[-0.6 + 0.16 * i, 0.5], [-0.5 + 0.16 * i, 0.5], [0.05 + 0.08 * i, 0.0], [0.0 + 0.08 * i, 0.0]])
        _paint(frame, band, _HUES[(0, 1, 2, 1, 0)[i]], (wide * 0.42, high * 0.38), wide * 0.8)
    match rank:
        case Rank.KNAVE:
            shield = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.1], [0, 0.6], [-0.5, 0.1]])
            _paint(frame, shield, (28, 52, 140), middle, wide * 0.5)
            _paint(frame, shield * 0.8, (240, 232, 214), middle, wide * 0.5)
            _paint(
                frame,
                np.array([[-0.5, -0.1], [-0.2, -0.5], [0.5, 0.1], [0.2, 0.3]]) * 0.8,
                _HUES[0],
                middle,
                wide * 0.5,
            )
        case Rank.QUEEN:
            for k in range(8):
                turn = k * pi / 4
                petal = arc(0.28 * np.cos(turn), 0.28 * np.sin(turn), 0.17, 0.17, 0, 360)
                _paint(frame, petal, _HUES[0] if k % 2 else _HUES[7], middle, wide * 0.62)
            _paint(frame, arc(0, 0, 0.17, 0.17, 0, 360), _HUES[2], middle, wide * 0.62)
        case _:
            crown = np.array([[-0.5, 0.4], [-0.6, -0.3], [-0.28, 0.0], [0, -0.5], [0.28, 0.0], [0.6, -0.3], [0.5, 0.4]])
            _paint(frame, crown, _HUES[2], middle, wide * 0.6)
            for x, y in ((-0.6, -0.3), (0, -0.5), (0.6, -0.3)):
                _paint(frame, arc(x, y, 0.08, 0.08, 0, 360), _HUES[0], middle, wide * 0.6)
            _paint(
                frame,
                np.array([[-0.5, 0.25], [0.5, 0.25], [0.5, 0.4], [-0.5, 0.4]]),
                _HUES[0],
                middle,
                wide * 0.6,
            )
    del rng


def _busy_figure(frame: Pixels, rank: Rank, rng: np.random.Generator) -> None:
    """Stripes, checks, a face and a hat: as crowded as printed courts are, and no figure twice."""
    high, wide = frame.shape[:2]
    if rng.random() < 0.4:
        frame[:] = np.clip(np.array((246, 240, 224)) + rng.integers(-8, 8, 3), 0, 255)
    for _ in range(int(rng.integers(5, 16))):
        colour = _hue(rng)
        centre = (rng.uniform(0, wide), rng.uniform(0.2 * high, 0.55 * high))
        kind = rng.integers(5)
        if kind == 0:
            for k in range(int(rng.integers(3, 9))):
                turn, gap = rng.uniform(0, pi), rng.uniform(4, 9)
                start = (int(centre[0] + k * gap * np.cos(turn)), int(centre[1] + k * gap * np.sin(turn)))
                end = (int(start[0] - 60 * np.sin(turn)), int(start[1] + 60 * np.cos(turn)))
                cv2.line(frame, start, end, colour, int(rng.integers(1, 5)), cv2.LINE_AA)
        elif kind == 1:
            corners = rng.uniform(-0.5, 0.5, (int(rng.integers(3, 7)), 2))
            _paint(frame, corners, colour, centre, wide * rng.uniform(0.3, 1.0))
        elif kind == 2:
            side, start = int(rng.integers(4, 10)), (int(centre[0]), int(centre[1]))
            for i in range(int(rng.integers(3, 8))):
                for j in range(int(rng.integers(3, 8))):
                    if (i + j) % 2:
                        x, y = start[0] + i * side, start[1] + j * side
                        cv2.rectangle(frame, (x, y), (x + side, y + side), colour, -1)
        elif kind == 3:
            _paint(frame, star(int(rng.integers(4, 9)), 0.5, 0.2), colour, centre, rng.uniform(12, 60))
        else:
            cv2.circle(
                frame,
                (int(centre[0]), int(centre[1])),
                int(rng.integers(4, 30)),
                colour,
                int(rng.integers(1, 5)),
                cv2.LINE_AA,
            )
    head = (wide * rng.uniform(0.4, 0.6), high * rng.uniform(0.18, 0.28))
    hair, skin = _hue(rng), (244, 218, 190)
    size = wide * rng.uniform(0.26, 0.4)
    if rank != Rank.KING or rng.random() < 0.6:
        _paint(frame, arc(0, 0.1, 0.62, 0.6, 0, 360), hair, head, size)
    _paint(frame, arc(0, 0, 0.4, 0.52, 0, 360), skin, head, size)
    for eye in (-0.15, 0.15):
        cv2.circle(frame, (int(head[0] + eye * size), int(head[1] - 0.05 * size)), 2, (20, 20, 20), -1, cv2.LINE_AA)
    if rank == Rank.KING and rng.random() < 0.8:
        _paint(frame, arc(0, 0.3, 0.36, 0.5, 0, 180), hair, head, size)
    hat = _hue(rng)
    if rank == Rank.KNAVE:
        _paint(frame, np.array([[-0.55, -0.3], [-0.5, -0.6], [0.5, -0.7], [0.6, -0.3]]), hat, head, size)
    else:
        points = int(rng.integers(3, 6))
        xs = np.linspace(-0.5, 0.5, 2 * points + 1)
        ys = np.where(np.arange(2 * points + 1) % 2 == 0, -0.75 if rank == Rank.KING else -0.6, -0.5)
        crown = np.concatenate([np.stack([xs, ys], 1), [[0.45, -0.3], [-0.45, -0.3]]])
        _paint(frame, crown, hat, head, size)


def ornate(sheet: Pixels, suit: str, size: int, colour: Colour, rng: np.random.Generator) -> None:
    """A large ace with a drawing inside, rays or leaves about it."""
    high, wide = sheet.shape[:2]
    for _ in range(int(rng.integers(0, 4))):
        turn, reach = rng.uniform(0, 360), rng.uniform(0.35, 0.62) * wide
        rim = star(int(rng.integers(5, 24)), reach, reach * rng.uniform(0.4, 0.95), turn)
        points = np.round(rim + np.array([wide / 2, high / 2])).astype(np.int32)
        cv2.polylines(sheet, [points], True, _hue(rng) if rng.random() < 0.4 else colour, 1, cv2.LINE_AA)
    fat, bend = float(round(rng.uniform(), 1)), float(round(rng.uniform(), 1))
    stamp(sheet, pip_mask(suit, size, fat, bend), colour, wide / 2, high / 2)
    inner = sheet[0, 0].tolist() if rng.random() < 0.7 else _hue(rng)
    light: Colour = (int(inner[0]), int(inner[1]), int(inner[2]))
    kind = rng.integers(4)
    if kind == 0:
        stamp(sheet, pip_mask(suit, int(size * 0.7), fat, bend), light, wide / 2, high / 2)
        stamp(sheet, pip_mask(suit, int(size * 0.45), fat, bend), colour, wide / 2, high / 2)
    elif kind == 1:
        flower = star(int(rng.integers(4, 9)), 0.5, 0.18, rng.uniform(0, 90))
        stamp(sheet, fill([flower], int(size * 0.42)), light, wide / 2, high / 2 + size * 0.03)
    elif kind == 2:
        ring = int(size * 0.16)
        cv2.circle(sheet, (wide // 2, high // 2), ring, light, 3, cv2.LINE_AA)
        cv2.circle(sheet, (wide // 2, high // 2), ring // 2, light, -1, cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(4, 14))):
            x, y = rng.normal(0, size * 0.12, 2)
            cv2.circle(sheet, (int(wide / 2 + x), int(high / 2 + y)), int(rng.integers(2, 6)), light, 1, cv2.LINE_AA)


def small_print(sheet: Pixels, rng: np.random.Generator) -> None:
    """A maker's line near the middle, too small to read."""
    high, wide = sheet.shape[:2]
    y = int(high * rng.uniform(0.36, 0.42))
    for x in range(int(wide * 0.32), int(wide * 0.68), 4):
        if rng.random() < 0.8:
            cv2.line(sheet, (x, y), (x + 2, y - int(rng.integers(2, 6))), (80, 60, 70), 1, cv2.LINE_AA)


def bar_code(sheet: Pixels, rng: np.random.Generator) -> None:
    """The bars at two edges by which some decks are sorted in machines."""
    high, wide = sheet.shape[:2]
    bars = rng.random(10) < 0.55
    if rng.random() < 0.5:
        start, step = int(wide * rng.uniform(0.3, 0.5)), 4
        for i, on in enumerate(bars):
            if on:
                cv2.rectangle(sheet, (start + i * step, 0), (start + i * step + 2, 15), (20, 20, 20), -1)
                left = wide - start - i * step
                cv2.rectangle(sheet, (left - 2, high - 16), (left, high), (20, 20, 20), -1)
    else:
        start, step = int(high * rng.uniform(0.3, 0.5)), 4
        for i, on in enumerate(bars):
            if on:
                cv2.rectangle(sheet, (0, start + i * step), (15, start + i * step + 2), (20, 20, 20), -1)
                top = high - start - i * step
                cv2.rectangle(sheet, (wide - 16, top - 2), (wide, top), (20, 20, 20), -1)


def scribble(sheet: Pixels, rng: np.random.Generator) -> None:
    """Pale art under the pips, as fantasy decks have it."""
    high, wide = sheet.shape[:2]
    base = sheet.copy()
    for _ in range(int(rng.integers(3, 14))):
        centre = (rng.uniform(0.2, 0.8) * wide, rng.uniform(0.2, 0.8) * high)
        _paint(sheet, rng.uniform(-0.5, 0.5, (5, 2)), _hue(rng), centre, rng.uniform(20, 120))
    share = rng.uniform(0.1, 0.5)
    sheet[:] = (base * (1 - share) + sheet * share).astype(np.uint8)


def back(style: int, colour: Colour, shape: tuple[int, int], rng: np.random.Generator) -> Pixels:
    """One of ``BACKS`` kinds of pattern, mostly inside a white border."""
    high, wide = shape
    sheet = np.empty((high, wide, 3), np.uint8)
    sheet[:] = (248, 247, 243)
    border = 0 if style == 6 else int(rng.integers(6, 24))
    field = np.empty((high - 2 * border, wide - 2 * border, 3), np.uint8)
    field[:] = colour
    h, w = field.shape[:2]
    pale: Colour = (244, 240, 232) if rng.random() < 0.7 else _hue(rng)
    step, thick = int(rng.integers(9, 34)), int(rng.integers(1, 4))
    match style:
        case 0:
            for k in range(-h, w + h, step):
                cv2.line(field, (k, 0), (k + h, h), pale, thick, cv2.LINE_AA)
                cv2.line(field, (k, 0), (k - h, h), pale, thick, cv2.LINE_AA)
        case 1:
            for y in range(step // 2, h, step):
                for x in range(step // 2, w, step):
                    cv2.circle(field, (x, y), max(2, step // 3), pale, thick if step > 14 else -1, cv2.LINE_AA)
        case 2:
            for r in range(step, h, step):
                cv2.ellipse(field, (w // 2, h // 2), (r * w // h, r), 0, 0, 360, pale, thick, cv2.LINE_AA)
        case 3:
            half = h // 2
            for _ in range(int(rng.integers(12, 40))):
                centre = (rng.uniform(0, w), rng.uniform(0, half))
                shape_ = star(int(rng.integers(3, 9)), 0.5, rng.uniform(0.1, 0.5), rng.uniform(0, 90))
                _paint(field, shape_, pale if rng.random() < 0.6 else _hue(rng), centre, rng.uniform(8, 70))
            field[h - half :] = turn_half(field[:half])
        case 4:
            xs, ys = np.meshgrid(np.linspace(-1, 1, w), np.linspace(-1, 1, h))
            wave = np.sin(xs * rng.uniform(6, 24)) * np.sin(ys * rng.uniform(6, 24)) + np.cos(
                np.hypot(xs, ys) * rng.uniform(4, 30)
            )
            field[wave > rng.uniform(-0.4, 0.6)] = pale
        case 5:
            cv2.rectangle(field, (step, step), (w - step, h - step), pale, thick, cv2.LINE_AA)
            medal = star(int(rng.integers(6, 16)), 0.5, 0.3)
            _paint(field, medal, pale, (w / 2, h / 2), w * rng.uniform(0.4, 0.8))
            _paint(field, medal, colour, (w / 2, h / 2), w * 0.3)
        case _:
            for k in range(0, h, step):
                cv2.line(field, (0, k), (w, k), pale, thick, cv2.LINE_AA)
            field[:] = cv2.GaussianBlur(field, (0, 0), 1.0)
    sheet[border : high - border, border : wide - border] = field
    return sheet
