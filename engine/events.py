"""What happened at the table: facts, judged and never refused.

Every event is public: it is what everybody at the table saw or heard. A hidden card has no event until it shows.
Pieces are named as their table names them (``engine.pieces``), cards are ``Card``.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card
from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Dealt:
    """*dealer* has dealt a new deal (*giv*, *omgang*); hands are hidden."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class LookedAt:
    """Gnav: the dealer said *Se*, and all looked at their pieces (G6)."""


@dataclass(frozen=True, slots=True)
class Knocked:
    """Gnav: *seat* knocked (*banket*): he was dealt the fool (G7)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Stood:
    """*seat* said *Jeg står* (G9): he keeps what he has, or says no to what he was offered."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskedToSwap:
    """Gnav: *seat* said *Jeg vil bytte* to the next player (G9); one who must ask on says it again (G16)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Swapped:
    """Gnav: the asked *seat* gave its piece to the asker, unseen (G10)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Called:
    """Gnav: *seat* called the matador *piece*: *Stopp for gjøk*, *Hugg av* … (G13 - G16)."""

    seat: Seat
    piece: str


@dataclass(frozen=True, slots=True)
class DrewFromBag:
    """Gnav: *seat* exchanged his piece for one from the bag, blind (G19, G20)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """Gnav: the dealer said *Vis opp* (G21)."""


@dataclass(frozen=True, slots=True)
class PieceShown:
    """Gnav: *piece* lies face up before *seat* (G21)."""

    seat: Seat
    piece: str


@dataclass(frozen=True, slots=True)
class AsideShown:
    """Gnav: the piece that *seat* laid aside when he drew from the bag is *piece* (option dealer_discard)."""

    seat: Seat
    piece: str


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """*seat* laid *card* face up in the trick (*sticket*)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardShown:
    """Gurka: *seat* turned up his last card, *card* (U10)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class BoughtIn:
    """Gurka: *seat*, who was out, pays a new stake and comes back (U18); ``Stood`` says no."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Corrected:
    """The dealer put event number *event_no* right: what really happened there was *by*.

    Nothing in *by* takes the event back, one event replaces it, several put in what was missed.
    The event keeps its number (1 is the journal's first event). The newest correction of a number counts.
    """

    event_no: int
    by: tuple[Fact, ...]


Fact = (
    Dealt
    | LookedAt
    | Knocked
    | Stood
    | AskedToSwap
    | Swapped
    | Called
    | DrewFromBag
    | TurnedUp
    | PieceShown
    | AsideShown
    | CardPlayed
    | CardShown
    | BoughtIn
)
Event = Fact | Corrected
