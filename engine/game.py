"""What every game is: a frozen value with four verbs, and what it shows to all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from engine.events import Fact
from engine.rulings import Verdict
from engine.seats import Seat, Seats


@dataclass(frozen=True, slots=True)
class Await:
    """*event* may come now from *seat* (None: from the dealer, at the console).

    *choices* lists the values it may carry, where they are few: the matadors one may call, say.
    *must* is whether play cannot go on without it, or something else awaited beside it.
    """

    seat: Seat | None
    event: type[Fact]
    choices: tuple[str, ...] = ()
    must: bool = True


@dataclass(frozen=True, slots=True)
class SeatPublic:
    """What everybody knows of one seat."""

    seat: Seat
    chips: int
    """Tokens (Gnav), penalty points (Gurka)."""
    playing: bool
    """False: out of the game."""
    in_deal: bool
    """False: sits this deal out."""
    marks: tuple[str, ...] = ()
    """Codes: ``knocked``, ``stood``, ``called:GJØK``, ``asked`` …"""
    laid: tuple[str, ...] = ()
    """Cards or pieces lying face up before the seat, oldest first, as they are written."""


@dataclass(frozen=True, slots=True)
class TablePublic:
    """What everybody knows of the table."""

    game: str
    unit: str
    """What ``chips`` counts: ``tokens`` or ``points``."""
    phase: str
    """A code of the game's own: ``between_deals``, ``look``, ``swaps``, ``tricks``, ``turn_up``, ``over`` …"""
    deal: int
    """Number of the deal, from 1; 0 before the first."""
    dealer: Seat
    """Who deals this deal, or the next one between deals."""
    to_act: Seat | None
    pot: int
    seats: tuple[SeatPublic, ...]
    trick: tuple[tuple[Seat, str], ...] = ()
    """The cards of the trick on the table, in the order they came."""
    winners: tuple[Seat, ...] = ()


State = TypeVar("State")


class Game(Protocol[State]):
    """A game: a frozen value holding its options.

    ``apply`` never refuses an event and raises only on our own mistakes. *number* is the event's number in the
    journal: rulings point at events by it.
    """

    @property
    def name(self) -> str: ...

    def begin(self, seats: Seats, dealer: Seat) -> State:
        """The state before the first deal, which *dealer* will deal; ValueError when so many cannot play."""
        ...

    def awaits(self, state: State) -> tuple[Await, ...]:
        """What may come now; never empty before the game is over."""
        ...

    def apply(self, state: State, event: Fact, number: int) -> tuple[State, tuple[Verdict, ...]]:
        """Judge one event."""
        ...

    def public(self, state: State) -> TablePublic:
        """What all may see."""
        ...
