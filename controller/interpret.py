"""What was seen or pressed, and what the game awaits, make an event. Pure: nothing is kept here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.cards import Card
from engine.events import (
    AsideShown,
    AskedToSwap,
    BoughtIn,
    Called,
    CardPlayed,
    CardShown,
    Dealt,
    DrewFromBag,
    Fact,
    Knocked,
    LookedAt,
    PieceShown,
    Stood,
    Swapped,
    TurnedUp,
)
from engine.game import Await, TablePublic
from engine.seats import Seat, Seats

MATADOR_KEYS = {"gjok": "GJØK", "dragon": "DRAGON", "katt": "KATT", "hest": "HEST", "hus": "HUS"}


@dataclass(frozen=True, slots=True)
class Lying:
    """Something that the camera is sure of: *what* lies face up before *seat* (*aside*: the piece he laid aside)."""

    track: int
    """The tracker's number of this thing."""
    seat: Seat
    what: Card | str
    """A card, or a piece's name."""
    aside: bool = False


@dataclass(frozen=True, slots=True)
class TakeBack:
    """ANGRE: the dealer takes the last event back."""


@dataclass(frozen=True, slots=True)
class Turn:
    """− or +: walk through what the table asks; *by* is -1 or 1."""

    by: int


@dataclass(frozen=True, slots=True)
class Settle:
    """OK: what the question shows now is right."""


@dataclass(frozen=True, slots=True)
class NotNow:
    """Nothing that *key* says can be meant now; the presser is told."""

    key: str


Meaning = Fact | TakeBack | Turn | Settle | NotNow


def meaning_of_press(key: str, awaits: Sequence[Await], public: TablePublic) -> Meaning:
    """What a press of *key* (``seat3.bytte``, ``console.neste``) means while *awaits* may come.

    A call pressed at a seat out of turn is a fact all the same, and the referee judges it.
    """
    place, _, name = key.partition(".")
    if place == "console":
        return _console(key, name, awaits, public)
    seat = Seat(int(place.removeprefix("seat")))
    awaited = {one.event for one in awaits if one.seat == seat}
    return _seat(key, seat, name, awaited, public.phase)


def _console(key: str, name: str, awaits: Sequence[Await], public: TablePublic) -> Meaning:
    dealers = {one.event for one in awaits if one.event in (Dealt, LookedAt, TurnedUp)}
    match name:
        case "neste" if Dealt in dealers:
            return Dealt(public.dealer)
        case "se" if LookedAt in dealers:
            return LookedAt()
        case "vis_opp" if TurnedUp in dealers:
            return TurnedUp()
        case "angre":
            return TakeBack()
        case "minus":
            return Turn(-1)
        case "plus":
            return Turn(1)
        case "ok":
            return Settle()
    piece = MATADOR_KEYS.get(name)
    for one in awaits:  # the dealer presses a matador for the seat that is asked
        if one.event is Called and one.seat is not None and piece in one.choices:
            return Called(one.seat, piece)
    return NotNow(key)


def _seat(key: str, seat: Seat, name: str, awaited: Collection[type[Fact]], phase: str) -> Meaning:
    in_round = phase in ("look", "swaps")
    match name:
        case "staar" if Stood in awaited or in_round:
            return Stood(seat)
        case "bytte":
            for kind in (Swapped, AskedToSwap, DrewFromBag, BoughtIn):
                if kind in awaited:
                    return kind(seat)
            if in_round:
                return AskedToSwap(seat)
        case "bank" if in_round:
            return Knocked(seat)
    return NotNow(key)


def next_fact(
    lying: Sequence[Lying], unsure: Collection[Seat], awaits: Sequence[Await], public: TablePublic
) -> tuple[Fact, ...]:
    """The next events that what lies on the table tells and the referee does not know yet, or none.

    *lying* are the readings in the order they became sure; *unsure* are seats before which something new still waits
    to be read: a card out of turn is not judged while the player before it may just be read more slowly.
    """
    known = {one.seat: one.laid for one in public.seats}
    fresh = [one for one in lying if str(one.what) not in known[one.seat] or one.aside]
    ordered = sorted(fresh, key=lambda one: one.seat != public.to_act)  # stable: who is to act comes first
    for one in ordered:
        facts = _fact(one, awaits, public)
        if not facts:
            continue
        out_of_turn = public.to_act is not None and one.seat != public.to_act
        if out_of_turn and public.to_act in unsure:
            continue
        return facts
    return ()


def _fact(one: Lying, awaits: Sequence[Await], public: TablePublic) -> tuple[Fact, ...]:
    kinds = {wanted.event for wanted in awaits}
    of_seat = {wanted.event for wanted in awaits if wanted.seat == one.seat}
    match one.what:
        case Card() if CardShown in of_seat:
            return (CardShown(one.seat, one.what),)
        case Card() if CardPlayed in kinds:
            return (CardPlayed(one.seat, one.what),)
        case Card() if CardShown in kinds:
            return (CardShown(one.seat, one.what),)
        case Card() if Dealt in kinds and one.seat == _forehand(public):  # his lead says that the deal is dealt
            return Dealt(public.dealer), CardPlayed(one.seat, one.what)
        case str() if one.aside and AsideShown in of_seat:
            return (AsideShown(one.seat, one.what),)
        case str() if not one.aside and PieceShown in of_seat:
            return (PieceShown(one.seat, one.what),)
        case _:
            return ()


def _forehand(public: TablePublic) -> Seat:
    """Who leads to the deal that is due: the player left of its dealer (*förhand*)."""
    playing = [one.seat for one in public.seats if one.playing]
    return Seats(len(public.seats)).left_of(public.dealer, playing)
