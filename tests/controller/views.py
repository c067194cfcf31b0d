"""Views made by hand, for tests of what leaves the table."""

from __future__ import annotations

from dataclasses import replace

from controller.view import DeviceView, PublicView, Question, make_view
from engine.events import AskedToSwap, CardPlayed, Stood
from engine.game import Await, SeatPublic, TablePublic
from engine.rulings import Fault, Paid, Ruling
from engine.seats import Seat

NAMES = ("Kari", "", "Ola", "Åse", "Per", "Siri")


def a_gnav_view(seq: int = 7, chips: int = 5, **changes: object) -> PublicView:
    """Six at Gnav, the third to act, a dragoon called, two faults ruled."""
    seats = tuple(
        SeatPublic(
            seat=Seat(number),
            chips=chips if number == 1 else 5,
            playing=number != 6,
            in_deal=number not in (5, 6),
            marks={1: ("stood",), 2: ("called:DRAGON",)}.get(number, ()),
            laid={4: ("XII",)}.get(number, ()),
        )
        for number in range(1, 7)
    )
    public = TablePublic("gnav", "tokens", "swaps", 4, Seat(5), Seat(3), 3, seats)
    awaits = (Await(Seat(3), Stood), Await(Seat(3), AskedToSwap))
    last: tuple[tuple[int, Ruling], ...] = (
        (5, Paid(Seat(1), 1, 1, "G14")),
        (7, Fault(Seat(2), "G18", 3, "made_up_for_a_test", 7, "DRAGON", "HUS")),
    )
    view = make_view("kitchen", "s1", seq, public, awaits, NAMES, None, (DeviceView("camera", True),), last)
    return replace(view, **changes)  # type: ignore[arg-type]


def a_gurka_view(seq: int = 20) -> PublicView:
    """Four at Gurka with a trick on the table and a question open."""
    seats = tuple(
        SeatPublic(Seat(number), chips=number * 7, playing=True, in_deal=True, laid=("9c", "Td")[:number])
        for number in range(1, 5)
    )
    trick = ((Seat(2), "9c"), (Seat(3), "Td"))
    public = TablePublic("gurka", "points", "tricks", 2, Seat(1), Seat(4), 0, seats, trick)
    devices = (DeviceView("camera", True), DeviceView("board", False, "no board at /dev/ttyACM0; plug it in"))
    question = Question(1, "which", Seat(4), ("8h", "3h"), 1)
    return make_view("kitchen", "s1", seq, public, (Await(Seat(4), CardPlayed),), NAMES[:4], question, devices, ())
