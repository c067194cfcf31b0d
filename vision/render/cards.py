"""Decks of our own drawing: the demo's house deck, and random ones that no two tables share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.cards import RANK_LETTERS, Card, Rank
from vision.render import art
from vision.render.ink import PX_PER_MM, Colour, Pixels, pip_mask, rounded, stamp, text_mask, turn_half

CARD_MM = (63.0, 88.0)
WIDTH, HEIGHT = round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM)
_RADIUS_MM = 3.2

ENGLISH = (*"23456789", "10", "J", "Q", "K", "A")
LETTERS: tuple[tuple[str, ...], ...] = (
    ENGLISH,
    (*"23456789TJQKA",),
    (*"23456789", "10", "Kn", "D", "K", "E"),
    (*"23456789", "10", "Kn", "D", "K", "1"),
    (*"23456789", "10", "Kn", "D", "K", "Es"),
    (*"23456789", "10", "B", "D", "K", "A"),
    (*"23456789", "10", "V", "D", "R", "1"),
    (*"23456789", "10", "V", "D", "R", "A"),
    (*"23456789", "10", "J", "D", "K", "1"),
)
"""Index letters of ranks two ... ace, as decks of several countries print them."""

_INK: tuple[Colour, ...] = ((20, 20, 24), (200, 22, 34), (200, 22, 34), (20, 20, 24))

_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    # x and y in -1 ... 1 of the pip field; what lies below the middle is printed upside down
    2: ((0, -1), (0, 1)),
    3: ((0, -1), (0, 0), (0, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    7: ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    8: ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    9: ((-1, -1), (1, -1), (-1, -1 / 3), (1, -1 / 3), (0, 0), (-1, 1 / 3), (1, 1 / 3), (-1, 1), (1, 1)),
    10: (
        *((-1, -1), (1, -1), (0, -2 / 3), (-1, -1 / 3), (1, -1 / 3)),
        *((-1, 1 / 3), (1, 1 / 3), (0, 2 / 3), (-1, 1), (1, 1)),
    ),
}


@dataclass(frozen=True, slots=True)
class Deck:
    """How a deck looks: lengths in mm, colours as RGB; per suit: clubs, diamonds, hearts, spades."""

    name: str
    seed: int = 0
    """Chooses the art of courts, aces and backs."""
    font: str = ""
    """A font file; "" for Pillow's own, which every machine has."""
    weight: float = 0.03
    narrow: float = 0.9
    letters: tuple[str, ...] = ENGLISH
    index_mm: float = 8.5
    index_pip_mm: float = 6.5
    index_x_mm: float = 5.6
    index_y_mm: float = 8.0
    index_gap_mm: float = 1.2
    index_corners: int = 2
    """One (top left), two (the far one upside down) or four."""
    pip_beside: bool = False
    """The small suit sign stands beside the letter, not below it."""
    colours: tuple[Colour, Colour, Colour, Colour] = (_INK[0], _INK[1], _INK[2], _INK[3])
    pip_mm: float = 12.5
    pip_fat: float = 0.5
    pip_bend: float = 0.3
    field_x_mm: float = 13.0
    field_y_mm: float = 27.0
    paper: Colour = (250, 249, 245)
    ace_mm: float = 24.0
    ornate_ace: str = "none"
    """none · spades · all"""
    court: str = "house"
    """house · busy · plain"""
    centre_art: bool = False
    """Busy art behind the pips, as fantasy decks have."""
    bar_code: bool = False
    back_style: int = 0
    back_colour: Colour = (30, 60, 130)


def house_deck() -> Deck:
    """The demo's own deck."""
    return Deck(
        "house",
        seed=7,
        weight=0.05,
        index_mm=10.5,
        index_pip_mm=8.0,
        index_x_mm=6.6,
        index_y_mm=8.2,
        field_x_mm=12.0,
        pip_mm=12.0,
        back_colour=(24, 78, 92),
    )


def random_deck(rng: np.random.Generator, fonts: tuple[str, ...] = ("",)) -> Deck:
    """Another deck at each call; *fonts* are font files to choose from."""

    def tint(base: Colour, spread: int) -> Colour:
        r, g, b = (int(np.clip(c + rng.integers(-spread, spread + 1), 0, 255)) for c in base)
        return (r, g, b)

    black, red = tint((24, 22, 28), 22), tint((200, 26, 36), 34)
    orange = tint((216, 84, 30), 20) if rng.random() < 0.15 else red
    colours = (black, orange, red, black)
    if rng.random() < 0.06:
        colours = (tint((16, 120, 50), 20), tint((30, 70, 190), 25), red, black)
    index_mm = float(rng.choice([rng.uniform(5.5, 8.5), rng.uniform(8.5, 16.0)], p=[0.7, 0.3]))
    beside = bool(rng.random() < 0.08)
    letters = LETTERS[int(rng.choice(len(LETTERS), p=[0.42, 0.08, 0.09, 0.05, 0.05, 0.13, 0.05, 0.07, 0.06]))]
    return Deck(
        name="random",
        seed=int(rng.integers(1 << 31)),
        font=str(rng.choice(np.array(fonts))),
        weight=float(rng.choice([0.0, rng.uniform(0, 0.06)])),
        narrow=float(rng.uniform(0.62, 1.05)),
        letters=letters,
        index_mm=index_mm,
        index_pip_mm=float(index_mm * rng.uniform(0.55, 0.95)),
        index_x_mm=float(rng.uniform(3.6, 4.8) + 0.22 * index_mm),
        index_y_mm=float(rng.uniform(2.2, 5.5) + 0.5 * index_mm),
        index_gap_mm=float(rng.uniform(0.6, 2.2)),
        index_corners=int(rng.choice([1, 2, 4], p=[0.04, 0.68, 0.28])),
        pip_beside=beside,
        colours=colours,
        pip_mm=float(rng.uniform(9.5, 15.5)),
        pip_fat=float(rng.uniform(0, 1)),
        pip_bend=float(rng.uniform(0, 1)),
        field_x_mm=float(rng.uniform(9.5, 15.5)),
        field_y_mm=float(rng.uniform(21.0, 30.0)),
        paper=tint((248, 246, 240), 7) if rng.random() < 0.85 else tint((238, 228, 205), 14),
        ace_mm=float(rng.choice([rng.uniform(12, 22), rng.uniform(22, 44)])),
        ornate_ace=str(rng.choice(["none", "spades", "all"], p=[0.35, 0.45, 0.2])),
        court=str(rng.choice(["house", "busy", "plain"], p=[0.25, 0.65, 0.1])),
        centre_art=bool(rng.random() < 0.1),
        bar_code=bool(rng.random() < 0.12),
        back_style=int(rng.integers(art.BACKS)),
        back_colour=tint((90, 70, 90), 90),
    )


def _px(mm: float) -> int:
    return round(mm * PX_PER_MM)


def _index(sheet: Pixels, deck: Deck, card: Card, colour: Colour, *, right: bool = False) -> None:
    """The index in the top left (or right) corner; the caller turns the sheet for the lower ones."""
    text = deck.letters[RANK_LETTERS.index(card.rank.letter)]
    narrow = deck.narrow * (0.72 if len(text) > 1 else 1.0)
    letter = text_mask(text, _px(deck.index_mm), deck.font, round(deck.weight, 2), round(narrow, 2))
    pip = pip_mask(card.suit.value, _px(deck.index_pip_mm), round(deck.pip_fat, 1), round(deck.pip_bend, 1))
    inset = max(_px(deck.index_x_mm), letter.shape[1] / 2 + 5)
    x, y = (WIDTH - inset if right else inset), float(_px(deck.index_y_mm))
    stamp(sheet, letter, colour, x, y)
    if deck.pip_beside:
        aside = letter.shape[1] / 2 + pip.shape[1] / 2 + _px(0.8)
        stamp(sheet, pip, colour, x - aside if right else x + aside, y)
    else:
        stamp(sheet, pip, colour, x, y + letter.shape[0] / 2 + _px(deck.index_gap_mm) + pip.shape[0] / 2)


def _pips(sheet: Pixels, deck: Deck, card: Card, colour: Colour) -> None:
    size = _px(min(deck.pip_mm, deck.field_y_mm * (0.62 if card.rank >= Rank.NINE else 0.9)))
    pip = pip_mask(card.suit.value, size, round(deck.pip_fat, 1), round(deck.pip_bend, 1))
    for x, y in _SPOTS[card.rank]:
        at = WIDTH / 2 + x * _px(deck.field_x_mm), HEIGHT / 2 + y * _px(deck.field_y_mm)
        stamp(sheet, pip, colour, *at, upside_down=y > 0)


def _ace(sheet: Pixels, deck: Deck, card: Card, colour: Colour) -> None:
    rng = np.random.default_rng([deck.seed, 14, ord(card.suit.value)])
    size = _px(deck.ace_mm)
    if deck.ornate_ace == "all" or (deck.ornate_ace == "spades" and card.suit.value == "s"):
        size = _px(max(deck.ace_mm, 30.0))
        art.ornate(sheet, card.suit.value, size, colour, rng)
    else:
        pip = pip_mask(card.suit.value, size, round(deck.pip_fat, 1), round(deck.pip_bend, 1))
        stamp(sheet, pip, colour, WIDTH / 2, HEIGHT / 2)
    if rng.random() < 0.25 and deck.name != "house":
        art.small_print(sheet, rng)


@lru_cache(maxsize=256)
def face(deck: Deck, card: Card) -> Pixels:
    """The face as RGBA, 352 x 252 pixels (88 x 63 mm); do not write into it, it is kept."""
    colour = deck.colours["cdhs".index(card.suit.value)]
    sheet = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    sheet[:] = deck.paper
    rng = np.random.default_rng([deck.seed, int(card.rank), ord(card.suit.value)])
    if deck.centre_art:
        art.scribble(sheet, rng)
    match card.rank:
        case Rank.ACE:
            _ace(sheet, deck, card, colour)
        case Rank.KNAVE | Rank.QUEEN | Rank.KING:
            art.court(sheet, deck.court, card, colour, rng, round(deck.pip_fat, 1), round(deck.pip_bend, 1))
        case _:
            _pips(sheet, deck, card, colour)
    if deck.bar_code:
        art.bar_code(sheet, rng)
    for _ in range(2 if deck.index_corners > 1 else 1):
        _index(sheet, deck, card, colour)
        if deck.index_corners == 4:
            _index(sheet, deck, card, colour, right=True)
        if deck.index_corners > 1:
            sheet = np.ascontiguousarray(turn_half(sheet))
    return _cut(sheet)


@lru_cache(maxsize=256)
def back(deck: Deck) -> Pixels:
    """The back as RGBA, of the face's size."""
    rng = np.random.default_rng([deck.seed, 99])
    return _cut(art.back(deck.back_style, deck.back_colour, (HEIGHT, WIDTH), rng))


@lru_cache(maxsize=1)
def _edge() -> tuple[Pixels, NDArray[np.float32]]:
    """The sheet's mask, and how its rim darkens."""
    radius = _RADIUS_MM * PX_PER_MM
    inside = np.zeros((HEIGHT, WIDTH), np.uint8)
    inside[2:-2, 2:-2] = rounded(WIDTH - 4, HEIGHT - 4, radius - 2)
    shade = 0.8 + 0.2 * inside[..., None] / 255
    return rounded(WIDTH, HEIGHT, radius), shade.astype(np.float32)


def _cut(sheet: Pixels) -> Pixels:
    """Round the corners and darken the rim, as a sheet of paper shows it."""
    mask, shade = _edge()
    return np.dstack([(sheet * shade).astype(np.uint8), mask])
