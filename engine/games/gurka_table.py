"""A table of Gurka as a value: the players' points, the deal on the table, who deals next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.cards import Card, Rank
from engine.claims import Claim
from engine.ledger import Ledger
from engine.seats import Seat, Seats
from engine.trick import Play, in_turn


class Phase(Enum):
    """Where the game is; the value is the code that ``public`` shows."""

    BETWEEN_DEALS = "between_deals"
    TRICKS = "tricks"
    TURN_UP = "turn_up"
    """U10: all turn up their last card."""
    BUY_IN = "buy_in"
    """U18: those just out may come back."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Player:
    """One player between deals."""

    lives: int
    points: int = 0
    playing: bool = True
    has_bought_in: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """The deal on the table (*given*)."""

    dealer: Seat
    order: tuple[Seat, ...]
    """Who is in this deal, in turn order, the leader of this trick first; forehand leads the first (U5)."""
    size: int
    """Cards in each hand (U3, U16)."""
    laid: tuple[tuple[Card, ...], ...]
    """The cards face up before each seat, index seat - 1, oldest first (U4)."""
    trick_no: int = 1
    trick: tuple[Play, ...] = ()
    """As the cards came."""
    shown: tuple[Play, ...] = ()
    """Last cards turned up (U10)."""
    seen: frozenset[Card] = frozenset()
    claims: tuple[Claim, ...] = ()
    guilty: tuple[tuple[Seat, str], ...] = ()
    """Who has to pay for a fault in this deal, each once, and for which clause (option violation)."""
    void: bool = False
    """The cards may be played out, but the deal does not count (option violation)."""

    @property
    def turn(self) -> Seat | None:
        """Who lays the next card of the trick: the first in turn order who has not."""
        laid = [play.seat for play in self.trick]
        for seat in self.order:
            if seat not in laid:
                return seat
        return None

    def before(self, seat: Seat) -> tuple[Rank, ...]:
        """The cards that *seat* has to follow: those of the seats before his, not one laid too early behind him."""
        ahead = self.order[: self.order.index(seat)]
        return tuple(play.card.rank for play in in_turn(self.trick, ahead))

    def has_laid(self, seat: Seat) -> bool:
        """Has *seat* a card in this trick?"""
        return any(play.seat == seat for play in self.trick)

    def has_shown(self, seat: Seat) -> bool:
        """Has *seat* turned up his last card?"""
        return any(play.seat == seat for play in self.shown)

    def left_in_hand(self, seat: Seat) -> int:
        """How many cards *seat* still holds."""
        return self.size - len(self.laid[seat - 1])


@dataclass(frozen=True, slots=True)
class GurkaState:
    """All of one game of Gurka."""

    seats: Seats
    players: tuple[Player, ...]
    """Index seat - 1."""
    pack_at: Seat
    """Where the pack lies between deals."""
    ledger: Ledger
    """Stakes: what each has won and the pot (U14, U18)."""
    pack_stays: bool = True
    """The one who has the pack deals the next deal; False: the player to his left does (U3)."""
    phase: Phase = Phase.BETWEEN_DEALS
    number: int = 0
    """Of the deal, from 1."""
    deal: Deal | None = None
    """The deal on the table, or the last one."""
    offers: tuple[Seat, ...] = ()
    """Who may still buy in now (U18)."""
    winners: tuple[Seat, ...] = ()

    def player(self, seat: Seat) -> Player:
        return self.players[seat - 1]

    @property
    def playing(self) -> tuple[Seat, ...]:
        """Who is still in the game."""
        return tuple(seat for seat in self.seats if self.players[seat - 1].playing)

    @property
    def next_dealer(self) -> Seat:
        """Who deals next; one who is out hands the pack on (U3)."""
        if self.pack_stays and self.player(self.pack_at).playing:
            return self.pack_at
        return self.seats.left_of(self.pack_at, self.playing)
