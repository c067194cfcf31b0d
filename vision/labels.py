"""The names of what may lie on a table, in the order the nets and the label files use them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from engine.cards import RANK_LETTERS, Card, Rank, Suit, rank_of

What = Card | str
"""A card, the name of a piece, or one of the words below."""

BACK = "back"
"""It lies face down."""
NONE = "none"
"""There is nothing of ours there: a stranger, or bare table."""
JOKER = "joker"

RANKS: tuple[Rank, ...] = tuple(rank_of(letter) for letter in RANK_LETTERS)
"""Order of the reader's `rank` head."""
SUITS: tuple[Suit, ...] = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
"""Order of the reader's `suit` head."""
SIDES: tuple[str, ...] = ("face", BACK, NONE)
"""Order of the reader's `kind` head."""

FACES: tuple[Card, ...] = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)
"""All cards, in the order of the outer product of the rank and suit heads."""


class Kind(StrEnum):
    """What sort of thing it is; in the order of the localiser's heat planes."""

    CARD = "card"
    PIECE = "piece"
    DIE = "die"
    CHIP = "chip"


KINDS: tuple[Kind, ...] = tuple(Kind)


def shows_face(what: What | None) -> bool:
    """Whether *what* is a card or a piece that can be read, not a back, a stranger or nothing yet."""
    return what is not None and what not in (BACK, NONE, JOKER)


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says lies in a photograph: a card, a rank whose suit was not noted, or another word."""

    what: What
    rank: Rank | None = None
    """Set for every face-up card; alone when the suit was not noted (`what` is then like ``K?``)."""
    box: tuple[float, float, float, float] | None = None
    """x0, y0, x1, y1 in pixels."""

    def fits(self, read: What) -> bool:
        """Whether *read* is right as far as the label goes."""
        if isinstance(self.what, Card) or self.rank is None:
            return read == self.what
        return isinstance(read, Card) and read.rank == self.rank

    @staticmethod
    def parse(text: str, box: tuple[float, float, float, float] | None = None) -> Label:
        """Read ``Td``, ``K?``, ``joker``, ``back`` or ``none``; ValueError says what it could not read."""
        if text in (BACK, NONE, JOKER):
            return Label(text, None, box)
        if text.endswith("?"):
            return Label(text, rank_of(text[:-1]), box)
        card = Card.parse(text)
        return Label(card, card.rank, box)


FORMS = ("scene", "crop", "corner")


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """A folder of photographs with their labels."""

    folder: Path
    form: str
    """`scene`: things on a table; `crop`: one card fills the picture; `corner`: close-up of one index corner."""
    photos: tuple[tuple[str, tuple[Label, ...]], ...]


def read_labels(folder: Path) -> LabelledSet:
    """Read *folder*/labels.json; ValueError names the file and what is wrong in it."""
    path = folder / "labels.json"
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: cannot be read: {error}") from None
    try:
        written = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}: not JSON: {error}") from None
    photos = written.get("photos") if isinstance(written, dict) else None
    if not isinstance(photos, dict):
        raise ValueError(f'{path}: wants an object with "form" and "photos": {{file: [{{what, box}}]}}')
    form = written.get("form", "scene")
    if form not in FORMS:
        raise ValueError(f"{path}: form is {form!r}; it may be {', '.join(FORMS)}")
    found = []
    for name, entries in photos.items():
        if not (folder / name).is_file():
            raise ValueError(f"{path}: there is no photograph {name}")
        if not isinstance(entries, list):
            raise ValueError(f"{path}: {name}: wants a list of {{what, box}}")
        found.append((name, tuple(_label(path, name, entry) for entry in entries)))
    return LabelledSet(folder, form, tuple(found))


def _label(path: Path, name: str, entry: Any) -> Label:
    if not isinstance(entry, dict) or not isinstance(entry.get("what"), str):
        raise ValueError(f"{path}: {name}: wants {{what, box}}, not {entry!r}")
    box = entry.get("box")
    try:
        corners = None if box is None else tuple(float(number) for number in box)
        if corners is not None and len(corners) != 4:
            raise ValueError(f"a box is [x0, y0, x1, y1], not {box!r}")
        return Label.parse(entry["what"], corners)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {name}: {error}") from None
