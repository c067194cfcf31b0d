"""The dealer's desk: readings and presses become events; what is unsure becomes one question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.desk import Desk, Doubtful
from controller.interpret import Lying
from controller.keep import Journal
from controller.table import Table
from engine.cards import PACK, Card
from engine.events import CardPlayed, Corrected, Dealt, Event
from engine.games import game_named, options_of
from engine.journal import Header
from engine.referee import Referee
from engine.rulings import Fault
from engine.seats import Seat, Seats


class Bench:
    """A Gurka table for three with nobody at it; ``lay`` is what the camera is sure of."""

    def __init__(self, folder: Path) -> None:
        game = game_named("gurka", {})
        self.journal = Journal.open(folder / "j", Header("gurka", 3, Seat(1), options_of(game)))
        self.table = Table("t", Referee(game, Seats(3), Seat(1)), self.journal, ("", "", ""))
        self.told_eye: list[tuple[int, Card | str | None]] = []
        self.deals = 0
        self.desk = Desk(self.table, self)
        self.lying: list[Lying] = []

    def told(self, track: int, what: Card | str | None) -> None:
        self.told_eye.append((track, what))

    def cleared(self) -> None:
        self.deals += 1

    def lay(self, *cards: tuple[int, str]) -> None:
        for seat, card in cards:
            self.lying.append(Lying(len(self.lying) + 1, Seat(seat), Card.parse(card)))
            self.desk.see(self.lying, (), ())

    def read_as(self, track: int, card: str) -> None:
        """The eye takes the dealer's word."""
        self.lying = [Lying(one.track, one.seat, Card.parse(card)) if one.track == track else one for one in self.lying]
        self.desk.see(self.lying, (), ())

    @property
    def log(self) -> list[Event]:
        return self.table.referee.log


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.journal.close()


def played(seat: int, card: str) -> CardPlayed:
    return CardPlayed(Seat(seat), Card.parse(card))


def test_cards_become_events_in_turn_and_once(bench: Bench) -> None:
    bench.desk.press("console.neste")
    bench.lay((2, "Kh"), (3, "3c"))
    bench.desk.see(bench.lying, (), ())
    assert bench.log == [Dealt(Seat(1)), played(2, "Kh"), played(3, "3c")]


def test_a_card_laid_says_that_the_deal_is_dealt(bench: Bench) -> None:
    bench.lay((2, "Kh"))
    assert bench.log == [Dealt(Seat(1)), played(2, "Kh")]


def test_a_card_read_before_its_turn_waits_for_one_that_is_still_unsure(bench: Bench) -> None:
    bench.desk.press("console.neste")
    early = [Lying(2, Seat(3), Card.parse("3c"))]
    bench.desk.see(early, {Seat(2)}, ())
    assert bench.log == [Dealt(Seat(1))]
    bench.desk.see([*early, Lying(1, Seat(2), Card.parse("Kh"))], (), ())
    assert bench.log[1:] == [played(2, "Kh"), played(3, "3c")]


def test_a_doubt_is_one_question_and_the_answer_is_the_event(bench: Bench) -> None:
    bench.desk.press("console.neste")
    likely = (Card.parse("6h"), Card.parse("8h"))
    bench.desk.see((), {Seat(2)}, [Doubtful(7, Seat(2), likely, True)])
    question = bench.table.question
    assert question is not None
    assert (question.about, question.seat, question.choices[:2], len(question.choices)) == (
        "which",
        2,
        ("6h", "8h"),
        52,
    )
    bench.desk.press("console.plus")
    bench.desk.press("console.ok")
    assert bench.table.question is None
    assert bench.told_eye == [(7, Card.parse("8h"))]
    assert bench.log[1:] == [played(2, "8h")]
    assert bench.desk.questions == 1


def test_what_the_dealer_has_answered_is_not_asked_again(bench: Bench) -> None:
    bench.desk.press("console.neste")
    doubt = Doubtful(7, Seat(2), (Card.parse("6h"),), True)
    bench.desk.see((), {Seat(2)}, [doubt])
    bench.desk.press("console.ok")
    bench.desk.see((), {Seat(2)}, [doubt])
    assert bench.table.question is None
    bench.desk.gone([7])
    bench.desk.see((), {Seat(2)}, [doubt])  # another thing by now
    assert bench.table.question is not None


def test_a_doubt_that_reads_itself_closes_its_question(bench: Bench) -> None:
    bench.desk.press("console.neste")
    bench.desk.see((), {Seat(2)}, [Doubtful(7, Seat(2), (), True)])
    bench.desk.see([Lying(7, Seat(2), Card.parse("8h"))], (), ())
    assert bench.table.question is None
    assert bench.log[1:] == [played(2, "8h")]


def test_a_doubtful_card_that_is_taken_away_needs_no_answer(bench: Bench) -> None:
    bench.desk.see((), {Seat(2)}, [Doubtful(7, Seat(2), (), True)])
    bench.desk.gone([7])
    assert bench.table.question is None


def test_two_doubts_are_asked_one_after_the_other(bench: Bench) -> None:
    bench.desk.press("console.neste")
    bench.desk.see((), (), [Doubtful(7, Seat(2), (Card.parse("6h"),), True), Doubtful(8, Seat(3), (), True)])
    assert bench.table.question is not None
    assert bench.table.question.seat == 2
    bench.desk.press("console.ok")
    assert bench.table.question.seat == 3


def test_angre_takes_a_reading_back_and_asks_what_it_is(bench: Bench) -> None:
    bench.desk.press("console.neste")
    bench.lay((2, "6h"))
    bench.desk.press("console.angre")
    assert bench.log[-1] == Corrected(2, ())
    question = bench.table.question
    assert question is not None
    assert question.about == "look_again"
    for _ in range(question.choices.index("8h")):
        bench.desk.press("console.plus")
    bench.desk.press("console.ok")
    assert bench.log[-1] == Corrected(2, (played(2, "8h"),))
    assert bench.told_eye == [(1, Card.parse("8h"))]
    bench.read_as(1, "8h")
    assert bench.table.view.public.trick == ((2, "8h"),)


def test_angre_twice_leaves_the_reading_out_for_good(bench: Bench) -> None:
    bench.desk.press("console.neste")
    bench.lay((2, "6h"))
    bench.desk.press("console.angre")
    bench.desk.press("console.angre")
    assert bench.told_eye == [(1, None)]
    bench.desk.see(bench.lying, (), ())
    assert bench.table.question is None
    assert bench.table.view.public.trick == ()


def test_angre_takes_an_order_back(bench: Bench) -> None:
    bench.desk.press("console.neste")
    bench.desk.press("console.angre")
    assert bench.log == [Dealt(Seat(1)), Corrected(1, ())]
    assert bench.table.view.public.phase == "between_deals"
    bench.desk.press("console.angre")
    assert len(bench.log) == 2  # nothing left to take back


def test_a_card_twice_is_never_a_fault_but_a_question(bench: Bench) -> None:
    bench.desk.press("console.neste")
    bench.lay((2, "6h"), (3, "6h"))
    assert bench.table.question is not None
    assert bench.table.question.about == "look_again"
    assert "6h" not in bench.table.question.choices
    assert bench.table.view.public.trick == ((2, "6h"),)


def test_a_reading_is_corrected_at_any_depth(bench: Bench) -> None:
    bench.desk.press("console.neste")
    bench.lay((2, "6h"), (3, "9c"), (1, "Ts"))
    bench.desk.correct(2, (played(2, "8h"),))
    bench.read_as(1, "8h")
    assert [text for one in bench.table.view.public.seats for text in one.laid] == ["Ts", "8h", "9c"]
    with pytest.raises(ValueError, match="no event 99"):
        bench.desk.correct(99, ())


def test_cards_that_lie_there_from_the_last_deal_are_no_plays(bench: Bench) -> None:
    bench.desk.press("console.neste")
    pack = iter(PACK)
    for _ in range(5):
        for _ in range(3):
            seat = bench.table.view.public.to_act
            assert seat is not None
            bench.lay((seat, str(next(pack))))
    bench.lay(*((seat, str(next(pack))) for seat in (1, 2, 3)))
    assert bench.table.view.public.phase == "between_deals"
    bench.desk.press("console.neste")
    bench.desk.see(bench.lying, (), ())
    assert bench.table.view.public.trick == ()
    assert bench.deals == 2
    bench.lying = []
    bench.lay((3, "Ah"))
    assert bench.table.view.public.trick == ((3, "Ah"),)


def test_ok_with_nothing_asked_tells_what_the_eye_does_not_see(bench: Bench) -> None:
    bench.desk.press("console.neste")
    bench.desk.press("console.ok")
    question = bench.table.question
    assert question is not None
    assert (question.about, question.seat, len(question.choices)) == ("missing", 2, 52)
    bench.desk.press("console.minus")  # round to the last
    bench.desk.press("console.ok")
    assert bench.log[1:] == [played(2, question.choices[-1])]
    assert bench.told_eye == []
    bench.desk.see([], (), ())
    assert len(bench.log) == 2


def test_a_card_out_of_turn_is_looked_at_before_anybody_is_accused(bench: Bench) -> None:
    bench.desk.press("console.neste")
    bench.lay((3, "3c"))
    assert bench.log == [Dealt(Seat(1))]
    question = bench.table.question
    assert question is not None
    assert (question.about, question.seat, question.choices[0]) == ("look_again", 3, "3c")
    bench.desk.press("console.angre")  # it was a coaster
    assert (bench.table.question, bench.log, bench.told_eye) == (None, [Dealt(Seat(1))], [(1, None)])
    bench.lay((1, "9d"))
    bench.desk.press("console.ok")  # he did
    assert bench.log[1:] == [played(1, "9d")]
    assert any(isinstance(one, Fault) and one.why == "out_of_turn" for one in bench.table.referee.verdicts)


def test_presses_that_mean_nothing_are_counted_and_change_nothing(bench: Bench) -> None:
    for key in ("console.ok", "console.plus", "console.vis_opp", "seat2.bank", "console.katt"):
        bench.desk.press(key)
    assert bench.desk.ignored == 5
    assert bench.log == []
