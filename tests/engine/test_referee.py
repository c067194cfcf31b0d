"""The referee: numbers, corrections that may be made and those that may not, what is withdrawn."""

from __future__ import annotations

import pytest

from engine.cards import Card
from engine.events import CardPlayed, Corrected, Dealt
from engine.games.gurka import Gurka
from engine.referee import Referee
from engine.rulings import DealBegan, Fault, TrickTaken, TurnIs, Withdrawn
from engine.seats import Seat, Seats


def laid(seat: int, card: str) -> CardPlayed:
    return CardPlayed(Seat(seat), Card.parse(card))


@pytest.fixture
def referee() -> Referee:
    """Two players; seat 1 led the nine, 2 threw the three below it, took nothing, and shows the ten."""
    table = Referee(Gurka(), Seats(2), Seat(2))
    for event in (Dealt(Seat(2)), laid(1, "9c"), laid(2, "3c"), laid(1, "4c"), laid(2, "Tc")):
        table.judge(event)
    return table


def test_events_are_numbered_from_one_and_verdicts_are_kept_by_number(referee: Referee) -> None:
    assert referee.verdicts_of(1) == (DealBegan(Seat(2), 1), TurnIs(Seat(1)))
    assert referee.verdicts_of(3) == (TrickTaken(Seat(1), 1, "9c", "U9"), TurnIs(Seat(1)))
    assert referee.verdicts_of(5)[0] == Fault(Seat(2), "U7", 3, "could_beat", 5, "3c", "Tc")


def test_a_correction_withdraws_what_no_longer_stands_and_says_what_does(referee: Referee) -> None:
    change = referee.judge(Corrected(3, (laid(2, "Jc"),)))
    assert Withdrawn(Fault(Seat(2), "U7", 3, "could_beat", 5, "3c", "Tc")) in change
    assert Withdrawn(TrickTaken(Seat(1), 1, "9c", "U9")) in change
    assert TrickTaken(Seat(2), 1, "Jc", "U9") in change
    assert [one.why for one in referee.verdicts if isinstance(one, Fault)] == ["out_of_turn"]
    assert referee.public.seats[1].laid == ("Jc", "Tc")


def test_the_newest_correction_counts(referee: Referee) -> None:
    before = referee.verdicts
    referee.judge(Corrected(3, (laid(2, "Jc"),)))
    referee.judge(Corrected(3, (laid(2, "3c"),)))
    assert referee.verdicts == before
    assert len(referee.log) == 7


def test_taken_back_and_put_in(referee: Referee) -> None:
    referee.judge(Corrected(5, ()))
    assert referee.public.to_act == 2
    referee.judge(Corrected(4, (laid(1, "4c"), laid(2, "Tc"))))
    assert [one.proved_by for one in referee.verdicts if isinstance(one, Fault)] == [4]


def test_a_correction_across_deals(referee: Referee) -> None:
    referee.judge(Dealt(Seat(2)))  # dealt again: the first deal is void
    referee.judge(laid(1, "2c"))
    change = referee.judge(Corrected(6, ()))
    assert any(isinstance(one, Withdrawn) and isinstance(one.ruling, DealBegan) for one in change)
    assert (referee.public.deal, referee.public.to_act) == (1, 2)


def test_a_deal_that_never_was_is_not_gone_back_to(referee: Referee) -> None:
    referee.judge(Dealt(Seat(2)))
    referee.judge(laid(1, "6c"))
    for number, card in ((6, None), (3, "2c"), (7, "5c")):
        referee.judge(Corrected(number, (laid(2, card),) if card else ()))
    assert (referee.public.deal, referee.public.to_act) == (1, 1)
    assert referee.public.seats[1].laid == ("2c", "Tc", "5c")


def test_of_two_equal_verdicts_one_falls(referee: Referee) -> None:
    for event in (Dealt(Seat(2)), laid(1, "9c"), laid(2, "3c")):  # the same trick again, in another deal
        referee.judge(event)
    change = referee.judge(Corrected(8, (laid(2, "4c"),)))
    assert change == ()
    change = referee.judge(Corrected(8, (laid(2, "9d"),)))
    taken = TrickTaken(Seat(1), 1, "9c", "U9")
    assert [one for one in change if isinstance(one, Withdrawn)] == [Withdrawn(taken)]


@pytest.mark.parametrize("number", [-1, 0, 6, 99])
def test_what_was_never_judged_cannot_be_corrected(referee: Referee, number: int) -> None:
    before = list(referee.log)
    with pytest.raises(ValueError, match=f"there is no event {number}"):
        referee.judge(Corrected(number, ()))
    assert referee.log == before


def test_a_correction_is_corrected_by_correcting_the_event_again(referee: Referee) -> None:
    referee.judge(Corrected(5, ()))
    with pytest.raises(ValueError, match="correct event 5 again"):
        referee.judge(Corrected(6, ()))
    assert len(referee.log) == 6
