"""The comparison of what the table knows with what happened: late is not wrong."""

from __future__ import annotations

import pytest

from controller.simulated.evening import Numbered, in_order, misread
from engine.events import Dealt, Fact, PieceShown, TurnedUp
from engine.seats import Seat

ONE, TWO, THREE = PieceShown(Seat(1), "IV"), PieceShown(Seat(2), "VII"), PieceShown(Seat(3), "X")
WRONG = PieceShown(Seat(2), "VIII")

CASES = [
    # known                           what is wrong, and what it should be
    ((Dealt(Seat(1)), TurnedUp(), TWO), None),  # seat 1 is read later
    ((Dealt(Seat(1)), TurnedUp(), THREE, ONE), None),
    ((Dealt(Seat(1)), TurnedUp()), None),
    ((Dealt(Seat(1)), TurnedUp(), WRONG), (WRONG, TWO)),
    ((Dealt(Seat(1)), TurnedUp(), ONE, WRONG, TWO), (WRONG, None)),
    ((Dealt(Seat(2)), TurnedUp()), (Dealt(Seat(2)), Dealt(Seat(1)))),
    ((Dealt(Seat(1)), TurnedUp(), ONE, TWO, THREE, Dealt(Seat(2))), (Dealt(Seat(2)), None)),
]


def numbered(*facts: Fact) -> Numbered:
    return in_order(tuple(enumerate(facts, 1)))


@pytest.mark.parametrize(("known", "wrong"), CASES)
def test_what_is_late_is_not_wrong(known: tuple[Fact, ...], wrong: tuple[Fact, Fact | None] | None) -> None:
    found = misread(numbered(*known), numbered(Dealt(Seat(1)), TurnedUp(), ONE, TWO, THREE))
    assert (None if found is None else (found[0][1], found[1])) == wrong
