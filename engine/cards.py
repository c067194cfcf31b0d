"""The 52 cards of an ordinary pack: rank, suit, and the two letters we write them with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum


class Rank(IntEnum):
    """Two is low, ace is high; the number is the pip value (knave 11 ... ace 14)."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    KNAVE = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """One letter: ``2`` ... ``9``, ``T``, ``J``, ``Q``, ``K``, ``A``."""
        return RANK_LETTERS[self - 2]


RANK_LETTERS = "23456789TJQKA"


class Suit(Enum):
    """The four suits; the value is the letter we write."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the pack, written ``Td`` or ``Ah``."""

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        return self.rank.letter + self.suit.value

    @staticmethod
    def parse(text: str) -> Card:
        """Read ``Td`` (or ``10d``); ValueError names what it could not read."""
        try:
            return Card(rank_of(text[:-1]), Suit(text[-1:].lower()))
        except ValueError:
            raise ValueError(f"not a card: {text!r} (write it like Td or Ah)") from None


def rank_of(text: str) -> Rank:
    """Read ``7``, ``T`` or ``10``, ``J`` ...; ValueError names what it could not read."""
    letter = "T" if text == "10" else text.upper()
    if len(letter) == 1 and letter in RANK_LETTERS:
        return Rank(RANK_LETTERS.index(letter) + 2)
    raise ValueError(f"not a rank: {text!r} (2 to 9, T or 10, J, Q, K, A)")


PACK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
