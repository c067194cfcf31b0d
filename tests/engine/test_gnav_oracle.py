"""The referee sees what the table sees; the oracle sees every piece. What the one says must be true of the other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import MISSING, fields

import pytest

from engine.events import Corrected, Dealt, Fact
from engine.game import Await
from engine.games.gnav import Gnav, GnavOptions, GnavState
from engine.referee import Referee
from engine.rulings import Fault, Impossible, Undecided, Verdict
from engine.seats import Seat, Seats
from tests.engine.gnav_oracle import Breach, Table, Told

QUESTION = {
    "knock_missing": "knock_duty",
    "false_knock": "knock_duty",
    "false_call": "call",
    "matador_not_called": "let_through",
    "false_redraw": "redraw",
    "redraw_missing": "redraw",
}


def some_options(dice: random.Random) -> GnavOptions:
    """Any house rules; half of them left as they are."""
    chosen = {}
    for one in fields(GnavOptions):
        assert one.default is not MISSING
        if dice.random() < 0.5:
            if "values" in one.metadata:
                chosen[one.name] = dice.choice(one.metadata["values"])
            else:
                chosen[one.name] = dice.randint(one.metadata["least"], min(one.metadata["most"], 5))
    return GnavOptions(**chosen)


def rounds(seed: int, cheat: float) -> Iterator[tuple[GnavOptions, Table, Told, GnavState, list[Verdict]]]:
    """Up to five rounds of one game: the truth, and the referee's state and verdicts after each."""
    dice = random.Random(seed)
    options = some_options(dice)
    table = Table(options, dice.choice((2, 3, 4, 5, 7)), 1, dice, cheat)
    game = Gnav(options)
    state = game.begin(Seats(table.seats), Seat(1))
    for _ in range(5):
        start = len(table.log)
        told = table.play()
        verdicts: list[Verdict] = []
        for number, fact in enumerate(table.log[start:], start=start + 1):
            state, new = game.apply(state, fact, number)
            verdicts += new
        yield options, table, told, state, verdicts
        if told.winners is not None:
            return


def faults(verdicts: list[Verdict]) -> Counter[Breach]:
    return Counter((one.seat, one.why, one.event) for one in verdicts if isinstance(one, Fault))


@pytest.mark.parametrize("block", range(4))
def test_every_breach_that_can_be_known_is_found_and_no_other(block: int) -> None:
    for seed in range(block * 80, block * 80 + 80):
        for options, table, told, state, verdicts in rounds(seed, cheat=0.5):
            where = f"seed {seed}, {options}, {table.log}"
            assert faults(verdicts) == told.breaches, where
            if told.unfinished:
                continue
            seen = Counter(undecided(state, table, verdicts))
            open_for_ever = Counter((seat, QUESTION[why], event) for seat, why, event in told.open_for_ever.elements())
            assert seen == open_for_ever, where


def undecided(state: GnavState, table: Table, verdicts: list[Verdict]) -> Iterator[tuple[int, str, int]]:
    """What is said to stay open, at the latest when the next deal comes."""
    _, at_next_deal = Gnav(table.options).apply(state, Dealt(state.dealer), len(table.log) + 1)
    for one in (*verdicts, *at_next_deal):
        if isinstance(one, Undecided) and one.event >= table.dealt:  # the deal told what stayed open of the last round
            yield one.seat, one.why, one.event


@pytest.mark.parametrize("block", range(4))
def test_tokens_players_and_winners_agree(block: int) -> None:
    for seed in range(1000 + block * 80, 1080 + block * 80):
        for options, table, told, state, _ in rounds(seed, cheat=(0.0, 0.3)[seed % 2]):
            if told.unfinished:
                continue
            where = f"seed {seed}, {options}, {table.log}"
            stocks = {seat: state.ledger.has(Seat(seat)) for seat in told.stocks}
            assert (stocks, state.ledger.pot, state.ledger.from_bank) == (told.stocks, told.pot, told.bank), where
            assert set(state.players) == told.players, where
            assert state.ledger.total == options.start_tokens * table.seats, where
            assert state.over == (told.winners is not None), where
            if told.winners is None:
                assert state.dealer == told.next_dealer, where
            else:
                assert set(state.winners) == told.winners, where


def test_an_honest_table_is_never_accused() -> None:
    for seed in range(2000, 2150):
        for options, table, told, _, verdicts in rounds(seed, cheat=0):
            where = f"seed {seed}, {options}, {table.log}"
            assert not told.breaches, where
            assert not [one for one in verdicts if isinstance(one, Fault | Impossible)], where


def a_game(seed: int, cheat: float = 0.4) -> tuple[Gnav, int, list[Fact]]:
    table = None
    for _, table, _, _, _ in rounds(seed, cheat):  # noqa: B007
        pass
    assert table is not None
    return Gnav(table.options), table.seats, table.log


def test_a_replayed_log_gives_the_same_state_after_every_event() -> None:
    for seed in range(20):
        game, seats, log = a_game(seed)
        referee = Referee(game, Seats(seats), Seat(1))
        state = game.begin(Seats(seats), Seat(1))
        for number, fact in enumerate(log, start=1):
            referee.judge(fact)
            state, verdicts = game.apply(state, fact, number)
            assert referee.verdicts_of(number) == verdicts
            assert referee.public == game.public(state)
            assert referee.awaits == (game.awaits(state) or (Await(None, Dealt),))
            assert (not game.awaits(state)) == (referee.public.phase == "over")


def test_corrected_is_as_if_read_right_at_once() -> None:
    dice = random.Random(7)
    for seed in range(20):
        game, seats, log = a_game(seed)
        wrong = dice.randrange(len(log))
        misread = Referee(game, Seats(seats), Seat(1))
        for number, fact in enumerate(log):
            misread.judge(dice.choice(log) if number == wrong else fact)
        misread.judge(Corrected(wrong + 1, (log[wrong],)))
        right = Referee(game, Seats(seats), Seat(1))
        for fact in log:
            right.judge(fact)
        assert misread.verdicts == right.verdicts
        assert misread.public == right.public
        assert misread.awaits == right.awaits
