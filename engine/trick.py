"""A trick: the cards that were laid in it, in the order of the seats, and who takes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.cards import Card
from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Play:
    """*seat* laid *card* with event number *event*."""

    seat: Seat
    card: Card
    event: int


def by_rank(card: Card) -> int:
    """Height of a card where suits are worth nothing."""
    return card.rank


def last_highest(trick: Sequence[Play], height: Callable[[Card], int] = by_rank) -> Play:
    """The play that takes *trick* (in turn order): the highest card; of equals the last (Gurka U9)."""
    best = trick[0]
    for play in trick[1:]:
        if height(play.card) >= height(best.card):
            best = play
    return best


def all_highest(trick: Sequence[Play], height: Callable[[Card], int] = by_rank) -> tuple[Play, ...]:
    """Every play of the highest card, in turn order."""
    top = max(height(play.card) for play in trick)
    return tuple(play for play in trick if height(play.card) == top)


def in_turn(trick: Sequence[Play], order: Sequence[Seat]) -> tuple[Play, ...]:
    """*trick* as the seats follow each other in *order*, whoever laid first."""
    return tuple(play for seat in order for play in trick if play.seat == seat)
