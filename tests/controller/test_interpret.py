"""Presses and readings become the events that the game awaits."""

from __future__ import annotations

import pytest

from controller.interpret import Lying, NotNow, Settle, TakeBack, Turn, meaning_of_press, next_fact
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
from engine.game import Await, SeatPublic, TablePublic
from engine.seats import Seat


def table(phase: str, to_act: int | None = None, laid: dict[int, tuple[str, ...]] | None = None) -> TablePublic:
    seats = tuple(SeatPublic(Seat(n), 5, True, True, (), (laid or {}).get(n, ())) for n in (1, 2, 3))
    return TablePublic("any", "tokens", phase, 1, Seat(1), None if to_act is None else Seat(to_act), 0, seats)


def wanted(*pairs: tuple[int | None, type[Fact]], choices: tuple[str, ...] = ()) -> tuple[Await, ...]:
    return tuple(Await(None if seat is None else Seat(seat), kind, choices) for seat, kind in pairs)


ASKED = (Await(Seat(3), Swapped), Await(Seat(3), Called, ("GJØK", "KATT")))
PRESSES = [
    # key              awaited                                          phase            means
    ("console.neste", wanted((None, Dealt)), "between_deals", Dealt(Seat(1))),
    ("console.neste", wanted((2, Stood)), "swaps", NotNow("console.neste")),
    ("console.se", wanted((None, LookedAt)), "look", LookedAt()),
    ("console.vis_opp", wanted((None, TurnedUp)), "swaps", TurnedUp()),
    ("console.katt", ASKED, "swaps", Called(Seat(3), "KATT")),
    ("console.hest", ASKED, "swaps", NotNow("console.hest")),
    ("console.gjok", wanted((2, Stood)), "swaps", NotNow("console.gjok")),
    ("console.angre", (), "swaps", TakeBack()),
    ("console.minus", (), "tricks", Turn(-1)),
    ("console.plus", (), "tricks", Turn(1)),
    ("console.ok", (), "tricks", Settle()),
    ("seat2.staar", wanted((2, Stood), (2, AskedToSwap)), "swaps", Stood(Seat(2))),
    ("seat2.bytte", wanted((2, Stood), (2, AskedToSwap)), "swaps", AskedToSwap(Seat(2))),
    ("seat3.bytte", ASKED, "swaps", Swapped(Seat(3))),
    ("seat1.bytte", wanted((1, DrewFromBag), (1, Stood)), "swaps", DrewFromBag(Seat(1))),
    ("seat1.bytte", wanted((1, BoughtIn), (1, Stood)), "buy_in", BoughtIn(Seat(1))),
    ("seat1.staar", wanted((1, BoughtIn), (1, Stood)), "buy_in", Stood(Seat(1))),
    ("seat2.bank", wanted((3, Stood)), "swaps", Knocked(Seat(2))),
    ("seat2.bank", wanted((None, Dealt)), "between_deals", NotNow("seat2.bank")),
    # a call out of turn is a fact all the same
    ("seat2.staar", wanted((3, Stood)), "swaps", Stood(Seat(2))),
    ("seat2.bytte", wanted((3, Stood)), "swaps", AskedToSwap(Seat(2))),
    ("seat2.staar", wanted((3, CardPlayed)), "tricks", NotNow("seat2.staar")),
]


@pytest.mark.parametrize(("key", "awaits", "phase", "means"), PRESSES)
def test_a_press_means(key: str, awaits: tuple[Await, ...], phase: str, means: object) -> None:
    assert meaning_of_press(key, awaits, table(phase)) == means


def lying(seat: int, what: str, track: int = 1, aside: bool = False) -> Lying:
    return Lying(track, Seat(seat), Card.parse(what) if len(what) == 2 and what[1] in "cdhs" else what, aside)


KH, TWO = Card.parse("Kh"), Card.parse("2c")
READINGS = [
    # lies there                        unsure awaited                               table                         told
    ([lying(2, "Kh")], [], wanted((2, CardPlayed)), table("tricks", 2), (CardPlayed(Seat(2), KH),)),
    ([lying(2, "Kh")], [], wanted((3, CardPlayed)), table("tricks", 3, {2: ("Kh",)}), ()),
    ([lying(2, "Kh")], [], wanted((2, CardShown)), table("turn_up"), (CardShown(Seat(2), KH),)),
    ([lying(2, "Kh")], [], wanted((None, Dealt)), table("between_deals"), (Dealt(Seat(1)), CardPlayed(Seat(2), KH))),
    # the player before may just be read more slowly
    ([lying(3, "2c")], [2], wanted((2, CardPlayed)), table("tricks", 2), ()),
    ([lying(3, "2c")], [], wanted((2, CardPlayed)), table("tricks", 2), (CardPlayed(Seat(3), TWO),)),
    ([lying(3, "2c"), lying(2, "Kh")], [], wanted((2, CardPlayed)), table("tricks", 2), (CardPlayed(Seat(2), KH),)),
    ([lying(2, "GJØK")], [], wanted((2, PieceShown)), table("turn_up"), (PieceShown(Seat(2), "GJØK"),)),
    ([lying(2, "GJØK")], [], wanted((2, Stood)), table("swaps", 2), ()),
    ([lying(2, "X", aside=True)], [], wanted((2, AsideShown)), table("turn_up"), (AsideShown(Seat(2), "X"),)),
]


@pytest.mark.parametrize(("lies", "unsure", "awaits", "public", "told"), READINGS)
def test_what_lies_there_tells(
    lies: list[Lying], unsure: list[int], awaits: tuple[Await, ...], public: TablePublic, told: tuple[Fact, ...]
) -> None:
    assert next_fact(lies, [Seat(n) for n in unsure], awaits, public) == told
