"""What the referee says to an event: turns, tricks, swaps, payments, points, faults, the end.

Every ruling that costs somebody something names its clause of the rule sheet. Words for people are not here.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class TurnIs:
    """It is *seat*'s turn now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealBegan:
    """A new deal: *dealer* dealt, *number* counts from 1."""

    dealer: Seat
    number: int


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """*seat* takes trick *number* with *card* (U9)."""

    seat: Seat
    number: int
    card: str
    clause: str


@dataclass(frozen=True, slots=True)
class Exchanged:
    """*seat* and *other* have swapped pieces; other None is the bag (G10, G20)."""

    seat: Seat
    other: Seat | None
    clause: str


@dataclass(frozen=True, slots=True)
class SwapsUndone:
    """The cat undid these swaps, in this order: these pairs swap back (G15)."""

    pairs: tuple[tuple[Seat, Seat], ...]
    clause: str


@dataclass(frozen=True, slots=True)
class CallSpoken:
    """The table's voice says *call* for *seat*.

    *call* is a matador's words as its piece table has them, or one of ``STAND``, ``SWAP``, ``LOOK``, ``KNOCK``,
    ``TURN_UP``, ``TURN_LAST``, ``ASK_BAG``.
    """

    seat: Seat | None
    call: str


@dataclass(frozen=True, slots=True)
class Paid:
    """*seat* pays *amount* tokens of the *owed* ones into the pot (*potten*)."""

    seat: Seat
    amount: int
    owed: int
    clause: str


@dataclass(frozen=True, slots=True)
class Received:
    """*seat* gets *amount* tokens; *source* is ``pot`` or ``bank``."""

    seat: Seat
    amount: int
    source: str
    clause: str


@dataclass(frozen=True, slots=True)
class Scored:
    """*seat* gets *points* (penalty points in Gurka) and has *total* now."""

    seat: Seat
    points: int
    total: int
    clause: str


@dataclass(frozen=True, slots=True)
class SitsOut:
    """*seat* sits the rest of this round out (G8)."""

    seat: Seat
    clause: str


@dataclass(frozen=True, slots=True)
class WentOut:
    """*seat* is out of the game."""

    seat: Seat
    clause: str


@dataclass(frozen=True, slots=True)
class CameBack:
    """*seat* plays on with *points*: an extra life (U15) or bought in (U18)."""

    seat: Seat
    points: int
    clause: str


@dataclass(frozen=True, slots=True)
class DealVoid:
    """This deal does not count; *why* is a code such as ``all_bust``, ``two_fools``, ``violation``."""

    clause: str
    why: str


@dataclass(frozen=True, slots=True)
class DealOver:
    """Deal *number* is settled; *losers* paid or scored for it."""

    number: int
    losers: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended; *winners* is empty when nobody wins."""

    winners: tuple[Seat, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Fault:
    """*seat* broke *clause* with event number *event*; event number *proved_by* shows it.

    *why* is a stable code (``not_lowest``, ``false_call``, ``out_of_turn`` …); *thing* is the card or piece at fault
    and *proof* the card or piece that proves it, as they are written, or empty.
    """

    seat: Seat
    clause: str
    event: int
    why: str
    proved_by: int
    thing: str = ""
    proof: str = ""


@dataclass(frozen=True, slots=True)
class Undecided:
    """What can never be known: whether *seat* kept *clause* at event number *event* (O-GN4)."""

    seat: Seat
    clause: str
    event: int
    why: str


@dataclass(frozen=True, slots=True)
class Impossible:
    """Event number *event* cannot be what happened (a card twice, a third gjøk): somebody must look again.

    Never a fault: an observation error, or the wrong pack.
    """

    event: int
    why: str
    thing: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """After a correction, *ruling* no longer stands."""

    ruling: Verdict


Verdict = (
    TurnIs
    | DealBegan
    | TrickTaken
    | Exchanged
    | SwapsUndone
    | CallSpoken
    | Paid
    | Received
    | Scored
    | SitsOut
    | WentOut
    | CameBack
    | DealVoid
    | DealOver
    | GameOver
    | Fault
    | Undecided
    | Impossible
)
Ruling = Verdict | Withdrawn
