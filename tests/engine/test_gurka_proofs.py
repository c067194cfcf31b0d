"""Gurka's proofs from later cards against the truth: none false, none missed, each at its first moment (O-GU1 - 3)."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations, product
from random import Random
from typing import Any

import pytest

from engine.cards import Card, Rank, Suit
from engine.claims import weigh
from engine.events import CardPlayed, CardShown, Dealt, Event
from engine.games import game_named
from engine.games.gurka import Gurka
from engine.referee import Referee
from engine.rulings import DealOver, DealVoid, Fault, Scored, TrickTaken
from engine.seats import Seat, Seats
from engine.trick import Play
from tests.engine.gurka_oracle import OpenDeal, may_lay, play_open

FOLLOWING = {
    "must_beat": (True, False),
    "target": ("previous", "highest"),
    "match_first": (False, True),
    "ace": ("blocks_next", "blocks_rest", "none"),
}
PLAYING = {
    **FOLLOWING,
    "cards": (6, 7),
    "last": ("show", "trick"),
    "payers": ("all_highest", "taker"),
    "violation": ("announce", "void_deal", "penalty_points"),
}


def every(choices: dict[str, tuple[object, ...]]) -> list[dict[str, Any]]:
    return [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]


def gurka(**options: object) -> Gurka:
    game = game_named("gurka", options)
    assert isinstance(game, Gurka)
    return game


def a_card(pair: tuple[int, int]) -> Card:
    return Card(Rank(pair[0]), list(Suit)[pair[1]])


def events_of(deal: OpenDeal) -> list[Event]:
    return [
        CardShown(Seat(seat), a_card(card)) if shown else CardPlayed(Seat(seat), a_card(card))
        for seat, card, shown in deal.cards
    ]


def judged(game: Gurka, count: int, rules: dict[str, Any], cheat: float, rng: Random) -> tuple[Referee, OpenDeal]:
    """A first deal among *count* players, played open, then judged from what shows."""
    dealer = rng.randrange(count) + 1
    seats = list(range(1, count + 1))
    deal = play_open(seats, dealer % count + 1, game.deal_size(count), rules, cheat, rng)
    referee = Referee(game, Seats(count), Seat(dealer))
    referee.judge(Dealt(Seat(dealer)))
    for event in events_of(deal):
        referee.judge(event)
    return referee, deal


def expected_faults(deal: OpenDeal) -> set[tuple[int, int, int, str, str, str]]:
    """As the referee numbers events: the first is Dealt."""
    return {
        (
            one.seat,
            one.at + 2,
            one.proved_at + 2,
            one.why,
            str(a_card(deal.cards[one.at][1])),
            str(a_card(deal.cards[one.proved_at][1])),
        )
        for one in deal.guilty
    }


@pytest.mark.parametrize("count", [2, 3, 4, 6, 8])
def test_every_fault_is_proved_at_its_first_moment_and_none_is_false(count: int) -> None:
    rng = Random(count)
    guilty = 0
    for rules in every(PLAYING):
        referee, deal = judged(gurka(**rules), count, rules, rng.choice([0.1, 0.5, 1.0]), rng)
        faults = [one for one in referee.verdicts if isinstance(one, Fault)]
        found = {(one.seat, one.event, one.proved_by, one.why, one.thing, one.proof) for one in faults}
        assert found == expected_faults(deal), rules
        assert len(found) == len(faults) == deal.illegal_plays, rules
        guilty += len(found)
        assert [one.seat for one in referee.verdicts if isinstance(one, TrickTaken)] == deal.takers
    assert guilty > 500  # the sample had something to find


@pytest.mark.parametrize("count", [2, 5, 7])
def test_who_lays_by_the_rules_is_never_accused_and_the_highest_pay(count: int) -> None:
    rng = Random(count)
    for rules in every(PLAYING):
        referee, deal = judged(gurka(**rules), count, rules, 0, rng)
        assert not [one for one in referee.verdicts if isinstance(one, Fault | DealVoid)], rules
        scored = {one.seat: one.points for one in referee.verdicts if isinstance(one, Scored)}
        assert scored == dict.fromkeys(deal.payers, deal.worth), rules
        assert [sorted(one.losers) for one in referee.verdicts if isinstance(one, DealOver)] == [sorted(deal.payers)]


TINY = (2, 3, 5, 14)


@pytest.mark.parametrize("rules", every(FOLLOWING), ids=lambda rules: "-".join(map(str, rules.values())))
def test_every_hand_of_a_tiny_pack(rules: dict[str, Any]) -> None:
    """Legal is what the clauses allow; proved is what no hand allows that fits the cards seen."""
    game = gurka(**rules)
    tricks = [list(trick) for size in (1, 2) for trick in product(TINY, repeat=size)]
    hands = [list(hand) for hand in combinations_with_replacement(TINY, 3)]
    for before, hand in product(tricks, hands):
        allowed = {rank for rank in hand if may_lay(hand, rank, before, rules)}
        assert {
            int(rank) for rank in game.legal([Rank(rank) for rank in hand], [Rank(one) for one in before])
        } == allowed
        for card in set(hand):
            rest = list(hand)
            rest.remove(card)
            for later in set(permutations(rest)):
                _seen_one_by_one(game, rules, before, card, later)


def _seen_one_by_one(game: Gurka, rules: dict[str, Any], before: list[int], card: int, later: tuple[int, ...]) -> None:
    claim = game.claim(Play(Seat(1), Card(Rank(card), Suit.CLUBS), 1), [Rank(one) for one in before])
    standing = () if claim is None else (claim,)
    proved = False
    for shown in range(len(later) + 1):
        if shown:
            standing, faults = weigh(standing, Seat(1), Card(Rank(later[shown - 1]), Suit.HEARTS), shown + 1)
            proved = proved or bool(faults)
        known = [card, *later[:shown]]
        could_be = any(
            may_lay([*known, *unseen], card, before, rules)
            for unseen in combinations_with_replacement(TINY, len(later) - shown)
        )
        assert proved == (not could_be), (rules, before, card, later[:shown])
