"""What all may see: the only thing that MQTT, page, board, speech and logs can take.

A view is made from the referee's public state, which knows public events only; a hidden card has no way in.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Await, SeatPublic, TablePublic
from engine.rulings import Ruling
from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class DeviceView:
    """How one device is: ``camera``, ``buttons``, ``speaker``, ``board``, ``mqtt``, ``web``."""

    name: str
    works: bool
    why: str = ""
    """One line for the dealer: what is wrong and what to do; empty when it works."""


@dataclass(frozen=True, slots=True)
class Question:
    """The one thing the table asks the dealer.

    *about* is a code: ``which`` (what lies there?), ``look_again`` (what was read cannot be), ``missing`` (nothing
    is read where something is awaited). *choices* are candidates as they are written, likeliest first; *chosen* is
    the index that − and + have walked to, and OK takes.
    """

    number: int
    about: str
    seat: Seat | None
    choices: tuple[str, ...] = ()
    chosen: int = 0


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat for all to see."""

    public: SeatPublic
    name: str
    is_dealer: bool
    to_act: bool


@dataclass(frozen=True, slots=True)
class PublicView:
    """The table at one moment. *seq* is the number of events judged so far in this *session*; it never falls."""

    table: str
    session: str
    seq: int
    public: TablePublic
    seats: tuple[SeatView, ...]
    awaits: tuple[Await, ...]
    question: Question | None = None
    devices: tuple[DeviceView, ...] = ()
    last: tuple[tuple[int, Ruling], ...] = ()
    """The newest rulings that people want to read, oldest first, each with the event number that brought it."""


@dataclass(frozen=True, slots=True)
class Update:
    """A view, and the rulings that came with it (none when only a device or a question changed)."""

    view: PublicView
    rulings: tuple[tuple[int, Ruling], ...] = ()
    """(event number, ruling), in order, since the update before."""


def make_view(
    table: str,
    session: str,
    seq: int,
    public: TablePublic,
    awaits: tuple[Await, ...],
    names: tuple[str, ...],
    question: Question | None,
    devices: tuple[DeviceView, ...],
    last: tuple[tuple[int, Ruling], ...],
) -> PublicView:
    """Put the view together; *names* has one for each seat, empty for a seat without a name."""
    seats = tuple(
        SeatView(one, name, one.seat == public.dealer, one.seat == public.to_act)
        for one, name in zip(public.seats, names, strict=True)
    )
    return PublicView(table, session, seq, public, seats, awaits, question, devices, last)
