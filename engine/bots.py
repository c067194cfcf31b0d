"""Players that see what a player sees: their own hand or piece, and what is public. Chance is passed in.

A cheater plays as another bot, and breaks a rule at the rate he is told, where the rules leave him one to break.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from engine.cards import Card
from engine.game import TablePublic
from engine.games.gurka import Gurka
from engine.pieces import GNAV, PieceTable

if TYPE_CHECKING:
    from random import Random

Turn = Literal["stand", "swap"]


class GurkaBot(Protocol):
    """Plays Gurka (and says no to buying in)."""

    def play(self, hand: Sequence[Card], public: TablePublic, game: Gurka, rng: Random) -> Card:
        """The card of *hand* that it lays, when *public* says that it is its turn."""
        ...


@dataclass(frozen=True, slots=True)
class RandomLegal:
    """Any card the rules allow."""

    def play(self, hand: Sequence[Card], public: TablePublic, game: Gurka, rng: Random) -> Card:
        return rng.choice(game.legal(hand, game.to_follow(public)))


@dataclass(frozen=True, slots=True)
class DumpHigh:
    """Always the highest card the rules allow: what is gone cannot be shown at the end."""

    def play(self, hand: Sequence[Card], public: TablePublic, game: Gurka, rng: Random) -> Card:
        return max(game.legal(hand, game.to_follow(public)), key=lambda card: card.rank)


@dataclass(frozen=True, slots=True)
class GurkaCheater:
    """Plays as *honest*, but a card that the rules forbid at *rate* (0 to 1) of the plays where there is one."""

    honest: GurkaBot
    rate: float

    def play(self, hand: Sequence[Card], public: TablePublic, game: Gurka, rng: Random) -> Card:
        legal = game.legal(hand, game.to_follow(public))
        forbidden = [card for card in hand if card not in legal]
        if forbidden and rng.random() < self.rate:
            return rng.choice(forbidden)
        return self.honest.play(hand, public, game, rng)


class GnavBot(Protocol):
    """Plays Gnav with one seat's piece, named as its piece table names it."""

    def knocks(self, piece: str, rng: Random) -> bool:
        """G7: does it knock, dealt *piece*?"""
        ...

    def turn(self, piece: str, gave: str | None, public: TablePublic, rng: Random) -> Turn:
        """G9, G20: keep *piece* or ask to swap it; *gave* is the piece it had to give away for it, if it had."""
        ...

    def answer(self, piece: str, public: TablePublic, rng: Random) -> str | None:
        """G10, G13 - G16: asked for *piece*, the matador that it calls; None: it swaps."""
        ...


@dataclass(frozen=True, slots=True)
class Threshold:
    """Swaps a piece lower than *swap_below* (its height in *pieces*: 0 the lowest; 0 never swaps); calls as it must."""

    swap_below: int
    pieces: PieceTable = GNAV

    def knocks(self, piece: str, rng: Random) -> bool:
        return self.pieces.piece(piece).is_fool

    def turn(self, piece: str, gave: str | None, public: TablePublic, rng: Random) -> Turn:
        height = self._height(piece)
        beats_given = gave is not None and height > self._height(gave)  # then somebody has a lower one
        return "swap" if height < self.swap_below and not beats_given else "stand"

    def answer(self, piece: str, public: TablePublic, rng: Random) -> str | None:
        return piece if self.pieces.piece(piece).is_matador else None

    def _height(self, piece: str) -> int:
        return self.pieces.height(self.pieces.piece(piece))


def all_stand() -> Threshold:
    """A Gnav bot that never swaps."""
    return Threshold(0)


@dataclass(frozen=True, slots=True)
class GnavCheater:
    """Plays as *honest*, but knocks or keeps still, and answers, falsely at *rate* (0 to 1)."""

    honest: GnavBot
    rate: float
    pieces: PieceTable = GNAV

    def knocks(self, piece: str, rng: Random) -> bool:
        truly = self.honest.knocks(piece, rng)
        return not truly if rng.random() < self.rate else truly

    def turn(self, piece: str, gave: str | None, public: TablePublic, rng: Random) -> Turn:
        return self.honest.turn(piece, gave, public, rng)

    def answer(self, piece: str, public: TablePublic, rng: Random) -> str | None:
        """A matador keeps still or is called another; any other piece is called a matador."""
        if rng.random() >= self.rate:
            return self.honest.answer(piece, public, rng)
        lies: list[str | None] = [one.name for one in self.pieces.matadors if one.name != piece]
        return rng.choice([*lies, None] if self.pieces.piece(piece).is_matador else lies)
