"""Whole matches of Gurka: they end, the books balance, corrections and journals give the same game again."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import DumpHigh, GurkaBot, GurkaCheater, RandomLegal
from engine.cards import PACK
from engine.events import (
    BoughtIn,
    CardPlayed,
    CardShown,
    Corrected,
    Dealt,
    Event,
    Fact,
    Knocked,
    LookedAt,
    Stood,
)
from engine.games import game_named, options_of
from engine.games.gurka import Gurka
from engine.journal import Header, event_line, header_line, read_event, read_header
from engine.referee import Referee
from engine.rulings import (
    CallSpoken,
    DealBegan,
    DealOver,
    Fault,
    GameOver,
    Impossible,
    Paid,
    Received,
    TurnIs,
    Verdict,
    Withdrawn,
)
from engine.seats import Seat, Seats
from tests.engine.gurka_match import play_match

HOUSES = st.fixed_dictionaries(
    {},
    optional={
        "preset": st.sampled_from(["svensk", "dansk", "sju_kort", "till_20"]),
        "cards": st.sampled_from([6, 7]),
        "must_beat": st.booleans(),
        "target": st.sampled_from(["previous", "highest"]),
        "match_first": st.booleans(),
        "ace": st.sampled_from(["blocks_next", "blocks_rest", "none"]),
        "last": st.sampled_from(["show", "trick"]),
        "payers": st.sampled_from(["all_highest", "taker"]),
        "limit": st.sampled_from([30, 20, 21]),
        "bust": st.sampled_from([">=", ">"]),
        "lives": st.sampled_from([1, 2]),
        "rejoin": st.sampled_from(["highest_other", "zero"]),
        "all_bust": st.sampled_from(["annul", "sudden_death", "highest_out"]),
        "stake": st.integers(0, 5),
        "buyin": st.booleans(),
        "buyin_when_one_left": st.booleans(),
        "next_dealer": st.sampled_from(["clockwise", "loser"]),
        "violation": st.sampled_from(["announce", "void_deal", "penalty_points"]),
    },
)
SEEDS = st.integers(0, 2**32)


def gurka(house: dict[str, object]) -> Gurka:
    game = game_named("gurka", house)
    assert isinstance(game, Gurka)
    return game


@settings(max_examples=60, deadline=None)
@given(HOUSES, st.integers(2, 7), SEEDS, st.sampled_from([0.0, 0.1]))
def test_a_match_ends_with_one_winner_and_balanced_books(
    house: dict[str, object], count: int, seed: int, cheat: float
) -> None:
    game = gurka(house)
    stake = game.options.stake
    referee = play_match(game, count, GurkaCheater(RandomLegal(), cheat), Random(seed), deals=10_000)
    verdicts = referee.verdicts
    public = referee.public
    assert public.phase == "over"
    assert [one.winners for one in verdicts if isinstance(one, GameOver)] == [public.winners]
    assert [one.seat for one in public.seats if one.playing] == list(public.winners)
    paid = sum(one.amount for one in verdicts if isinstance(one, Paid))
    assert paid == sum(one.amount for one in verdicts if isinstance(one, Received))  # all that went in came out
    bought = sum(isinstance(one, BoughtIn) for one in referee.log)
    assert paid == stake * (count + bought)
    assert public.pot == 0
    began = sum(isinstance(one, DealBegan) for one in verdicts)
    assert began == sum(isinstance(one, DealOver) for one in verdicts) == public.deal
    if not cheat:
        assert not [one for one in verdicts if isinstance(one, Fault | Impossible)]


@settings(max_examples=60, deadline=None)
@given(HOUSES, st.integers(2, 5), SEEDS, st.data())
def test_corrected_later_is_as_if_read_right_at_once(
    house: dict[str, object], count: int, seed: int, data: st.DataObject
) -> None:
    rng = Random(seed)
    truth = play_match(gurka(house), count, GurkaCheater(RandomLegal(), 0.2), rng, deals=3)
    facts = [event for event in truth.log if not isinstance(event, Corrected)]
    at = data.draw(st.integers(0, len(facts) - 1), label="misread event")
    after = data.draw(st.integers(0, len(facts) - 1 - at), label="events before the correction")
    slip = data.draw(st.sampled_from(["misread", "missed", "invented"]), label="slip")
    if slip == "missed" and at + after + 1 >= len(facts):
        slip = "misread"
    number, read, by = _slip(slip, facts, at, rng)
    done = at + after + 1 + (slip == "missed")

    clean, table = (Referee(truth.game, truth.seats, truth.dealer) for _ in range(2))
    for fact in facts[:done]:
        clean.judge(fact)
    before = list(_judge_all(table, [*facts[:at], *read, *facts[at + 1 + (slip == "missed") : done]]))
    change = table.judge(Corrected(number, by))
    assert table.public == clean.public
    assert table.awaits == clean.awaits
    assert _told(table.verdicts) == _told(clean.verdicts)
    if slip == "misread":  # nothing shifted, so the numbers are the same too
        assert table.verdicts == clean.verdicts

    withdrawn = Counter(one.ruling for one in change if isinstance(one, Withdrawn))
    come = Counter(one for one in change if not isinstance(one, Withdrawn))
    assert _solid(before) - withdrawn + _solid(come.elements()) == _solid(table.verdicts)
    for fact in facts[done:]:
        clean.judge(fact)
        table.judge(fact)
        assert table.public == clean.public
    assert _told(table.verdicts) == _told(clean.verdicts)


def _slip(slip: str, facts: list[Fact], at: int, rng: Random) -> tuple[int, list[Fact], tuple[Fact, ...]]:
    """The number to correct, what was read instead of event *at* (and the next, if missed), what it is put right by."""
    match slip:
        case "misread":
            return at + 1, [_anything(rng)], (facts[at],)
        case "missed":
            return at + 1, [facts[at]], (facts[at], facts[at + 1])
        case _:
            return at + 2, [facts[at], _anything(rng)], ()


def _judge_all(referee: Referee, facts: list[Fact]) -> tuple[Verdict, ...]:
    for fact in facts:
        referee.judge(fact)
    return referee.verdicts


def _told(verdicts: tuple[Verdict, ...]) -> list[Verdict]:
    """Without the numbers of events."""
    told: list[Verdict] = []
    for one in verdicts:
        match one:
            case Fault():
                told.append(replace(one, event=0, proved_by=0))
            case Impossible():
                told.append(replace(one, event=0))
            case _:
                told.append(one)
    return told


def _solid(verdicts: object) -> Counter[Verdict]:
    """Without turns and calls, which are never withdrawn."""
    return Counter(one for one in verdicts if not isinstance(one, TurnIs | CallSpoken))  # type: ignore[attr-defined]


def _anything(rng: Random) -> Fact:
    seat, card = Seat(rng.randrange(0, 10)), rng.choice(PACK)
    return rng.choice(
        [CardPlayed(seat, card)] * 8
        + [CardShown(seat, card)] * 3
        + [Dealt(seat), BoughtIn(seat), Stood(seat), Knocked(seat), LookedAt()]
    )


@settings(max_examples=100, deadline=None)
@given(HOUSES, st.integers(2, 7), SEEDS)
def test_no_event_breaks_the_referee_and_the_journal_holds_them_all(
    house: dict[str, object], count: int, seed: int
) -> None:
    rng = Random(seed)
    game = gurka(house)
    referee = Referee(game, Seats(count), Seat(1))
    lines = [header_line(Header("gurka", count, Seat(1), options_of(game)))]
    for number in range(1, 120):
        event: Event = _anything(rng) if rng.random() < 0.5 else _awaited(referee, rng)
        if number > 1 and rng.random() < 0.03:
            event = Corrected(1 + rng.randrange(number - 1), (_anything(rng),))
        try:
            referee.judge(event)
        except ValueError as wrong:
            assert "correction" in str(wrong)  # noqa: PT017
            continue
        lines.append(event_line(event))
        public = referee.public
        assert referee.awaits, "something may always come, after the end the first deal of a new game"
        assert sum(one.playing for one in public.seats) >= 1

    header = read_header(lines[0])
    again = Referee(game_named(header.game, header.options), Seats(header.seats), header.dealer)
    for line in lines[1:]:
        again.judge(read_event(line))
    assert again.verdicts == referee.verdicts
    assert again.public == referee.public
    assert again.log == referee.log


def _awaited(referee: Referee, rng: Random) -> Fact:
    """What may come now, as blind chance has it."""
    if not referee.awaits:
        return _anything(rng)
    awaited = rng.choice(referee.awaits)
    seat = awaited.seat or referee.public.dealer
    return awaited.event(seat, rng.choice(PACK)) if awaited.event in (CardPlayed, CardShown) else awaited.event(seat)


@pytest.mark.parametrize(("must_beat", "bot"), list(product([True, False], [DumpHigh(), RandomLegal()])))
def test_bots_that_play_by_the_rules_are_never_accused(must_beat: bool, bot: GurkaBot) -> None:
    referee = play_match(gurka({"must_beat": must_beat}), 4, bot, Random(7), deals=40)
    assert not [one for one in referee.verdicts if isinstance(one, Fault | Impossible)]


def test_a_cheater_cheats_at_his_rate() -> None:
    faults = {}
    for rate in (0.0, 0.3, 1.0):
        referee = play_match(gurka({}), 4, GurkaCheater(DumpHigh(), rate), Random(3), deals=30)
        faults[rate] = sum(isinstance(one, Fault) for one in referee.verdicts)
    assert faults[0.0] == 0 < faults[0.3] < faults[1.0]
