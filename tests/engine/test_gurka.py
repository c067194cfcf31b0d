"""Gurka by the sheet: what may be laid, how a deal runs, what goes wrong at a table. One row a case."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import pytest

import engine.games.gurka as sheet
from engine.cards import Card, rank_of
from engine.events import BoughtIn, CardPlayed, CardShown, Dealt, Fact, Knocked, Stood
from engine.game import Await
from engine.games import game_named, options_of
from engine.games.gurka import Gurka
from engine.referee import Referee
from engine.rulings import (
    CallSpoken,
    DealBegan,
    DealOver,
    DealVoid,
    Fault,
    GameOver,
    Impossible,
    Paid,
    Received,
    Ruling,
    Scored,
    TrickTaken,
    TurnIs,
)
from engine.seats import Seat, Seats
from tests.engine.vectors.gurka import Begun
from tests.engine.vectors.gurka import run as play_vector

R = TypeVar("R")


def gurka(**options: object) -> Gurka:
    game = game_named("gurka", options)
    assert isinstance(game, Gurka)
    return game


def one_event(text: str) -> Fact:
    """``2:Kh`` seat 2 lays, ``2^Kh`` turns up, ``deal 2``, ``in 2``, ``no 2``."""
    if match := re.fullmatch(r"(\d)([:^])(\w+)", text):
        kind = CardPlayed if match[2] == ":" else CardShown
        return kind(Seat(int(match[1])), Card.parse(match[3]))
    word, seat = text.split("-")
    return {"deal": Dealt, "in": BoughtIn, "no": Stood, "knock": Knocked}[word](Seat(int(seat)))


def tell(referee: Referee, text: str) -> list[Ruling]:
    """Judge the events of *text*; give back every ruling."""
    rulings: list[Ruling] = []
    for word in text.split():
        rulings += referee.judge(one_event(word))
    return rulings


def these(rulings: Iterable[object], kind: type[R]) -> list[R]:
    return [one for one in rulings if isinstance(one, kind)]


def quiet(seats: list[int], forehand: int, tricks: int = 5) -> str:
    """Tricks that nobody can object to: in each all lay the same rank, twos first, so the last one to lay takes it."""
    words = []
    for number in range(tricks):
        at = seats.index(forehand)
        order = seats[at:] + seats[:at]
        words += [f"{seat}:{'23456789'[number]}{suit}" for seat, suit in zip(order, "cdhs", strict=False)]
        forehand = order[-1]
    return " ".join(words)


def begun(count: int = 3, dealer: int = 3, **options: object) -> Referee:
    """A table whose first deal is dealt; seat 1 is forehand if nothing else is said."""
    referee = Referee(gurka(**options), Seats(count), Seat(dealer))
    referee.judge(Dealt(Seat(dealer)))
    return referee


LEGAL = [
    # options                                       trick     hand       legal     clause
    ({},                                            "",       "2 9 A",   "2 9 A",  "U5 a lead is free"),
    ({},                                            "7",      "7 9 2",   "7 9",    "U6 equal is high enough"),
    ({},                                            "K",      "Q 3 5",   "3",      "U6 else the lowest"),
    ({},                                            "9",      "5 5 8",   "5",      "U6 either of two lowest"),
    ({},                                            "K 3",    "2 7",     "7",      "U6 the card before counts"),
    ({"target": "highest"},                         "K 3",    "2 7",     "2",      "U15 the highest counts"),
    ({"target": "highest"},                         "K 3",    "2 A",     "A",      "U15 the highest counts"),
    ({},                                            "10",     "J 4",     "J",      "U7 must if he can"),
    ({},                                            "10",     "J Q 4",   "J Q",    "U7 any that reaches"),
    ({"must_beat": False},                          "10",     "J 4 6",   "J 4",    "U7 without the house rule"),
    ({"must_beat": False},                          "10",     "9 4 6",   "4",      "U6 the lowest, not just a low one"),
    ({},                                            "A",      "3 K A",   "3",      "U8 an ace calls the lowest"),
    ({},                                            "A",      "A",       "A",      "U8 even if that is an ace"),
    ({},                                            "A 4",    "A 9 2",   "9 A",    "U8 only the next player"),
    ({"ace": "blocks_rest"},                        "A 4",    "A 9 2",   "2",      "U15 all the rest"),
    ({"ace": "blocks_rest"},                        "4 A 5",  "A 9 7",   "7",      "U15 all the rest"),
    ({"ace": "blocks_rest"},                        "4 5",    "A 9 2",   "9 A",    "U15 no ace yet"),
    ({"ace": "none"},                               "A",      "3 K A",   "A",      "U8 off: an ace reaches an ace"),
    ({"ace": "none"},                               "A",      "3 K",     "3",      "U6 and nothing else does"),
    ({"ace": "none", "target": "highest"},          "A 4",    "A 9 2",   "A",      "U8 off, U15"),
    ({"target": "highest"},                         "A 4",    "A 9 2",   "A",      "U8 only the next player"),
    ({"match_first": True},                         "9",      "9 K 2",   "9",      "U6 the same rank first"),
    ({"match_first": True, "must_beat": False},     "9",      "9 K 2",   "9",      "U6 the same rank first"),
    ({"match_first": True},                         "9",      "10 K 2",  "10 K",   "U7 when he has none"),
    ({"match_first": True},                         "A",      "A 3",     "3",      "U8 before all"),
    ({"match_first": True, "target": "highest"},    "9 4",    "9 4 K",   "9",      "U6 the same as the highest"),
    ({"preset": "dansk"},                           "A 4",    "A 9 2",   "2",      "U15"),
    ({"preset": "dansk"},                           "K 3",    "2 7",     "2",      "U15"),
    ({"preset": "dansk", "ace": "none"},            "A 4",    "A 9 2",   "A",      "a named option beats the preset"),
    ({"preset": "sju_kort"},                        "K 3",    "2 7",     "7",      "U16 as usual"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "trick", "hand", "legal", "clause"), LEGAL)
def test_what_may_be_laid(options: dict[str, object], trick: str, hand: str, legal: str, clause: str) -> None:
    ranks = [rank_of(one) for one in hand.split()]
    found = gurka(**options).legal(ranks, [rank_of(one) for one in trick.split()])
    assert sorted(set(found)) == sorted(rank_of(one) for one in legal.split()), clause


def test_suits_are_worth_nothing_and_cards_come_back_as_cards() -> None:
    hand = [Card.parse("7h"), Card.parse("7s"), Card.parse("2s")]
    assert gurka().legal(hand, [Card.parse("7d")]) == (Card.parse("7h"), Card.parse("7s"))


DEAL_SIZES = [
    # options                 players cards clause
    ({},                      8,      6,    "U2 6 x 8 = 48"),
    ({},                      2,      6,    "U3"),
    ({"preset": "sju_kort"},  7,      7,    "U16 7 x 7 = 49"),
    ({"preset": "sju_kort"},  8,      6,    "U16 52 / 8"),
    ({"preset": "dansk"},     7,      7,    "U15"),
    ({"preset": "till_20"},   5,      6,    "U17"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "players", "cards", "clause"), DEAL_SIZES)
def test_deal_size(options: dict[str, object], players: int, cards: int, clause: str) -> None:
    assert gurka(**options).deal_size(players) == cards, clause


TABLES = [
    # options             players fits   clause
    ({},                  1,      False, "U2"),
    ({},                  2,      True,  "U2"),
    ({},                  8,      True,  "U2"),
    ({},                  9,      False, "U2"),
    ({"preset": "dansk"}, 7,      True,  "U15"),
    ({"preset": "dansk"}, 8,      False, "U15"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "players", "fits", "clause"), TABLES)
def test_how_many_can_play(options: dict[str, object], players: int, fits: bool, clause: str) -> None:
    game = gurka(**options)
    if fits:
        assert len(game.public(game.begin(Seats(players), Seat(1))).seats) == players
    else:
        with pytest.raises(ValueError, match=f"not {players}"):
            game.begin(Seats(players), Seat(1))


def test_a_game_can_only_begin_from_scores_that_make_sense() -> None:
    with pytest.raises(ValueError, match="no seat 4"):
        gurka().begin(Seats(3), Seat(4))
    with pytest.raises(ValueError, match="3 players need 3 scores"):
        gurka().resume(Seats(3), Seat(1), [1, 2])
    with pytest.raises(ValueError, match="one player left"):
        gurka().resume(Seats(2), Seat(1), [1, 2], out=[Seat(1)])


def test_a_deal_from_forehand_to_the_next_dealer() -> None:
    referee = Referee(gurka(), Seats(3), Seat(3))
    assert tell(referee, "deal-3") == [DealBegan(Seat(3), 1), TurnIs(Seat(1))]  # U5
    assert tell(referee, "1:2c 2:2d") == [TurnIs(Seat(2)), TurnIs(Seat(3))]
    assert tell(referee, "3:2h") == [TrickTaken(Seat(3), 1, "2h", "U9"), TurnIs(Seat(3))]
    public = referee.public
    assert (public.phase, public.deal, public.dealer, public.to_act, public.trick) == ("tricks", 1, 3, 3, ())
    assert [one.laid for one in public.seats] == [("2c",), ("2d",), ("2h",)]  # U4
    rest = quiet([1, 2, 3], 1).split()[3:]
    assert tell(referee, " ".join(rest))[-1] == CallSpoken(None, "TURN_LAST")  # U10
    assert referee.public.phase == "turn_up"
    assert {one.seat for one in referee.awaits} == {1, 2, 3}
    rulings = tell(referee, "3^9s 1^9h 2^4s")
    assert rulings == [  # U11; 2 took the last trick, so 3 and 1 are in turn order
        Scored(Seat(3), 9, 9, "U11"),
        Scored(Seat(1), 9, 9, "U11"),
        DealOver(1, (Seat(3), Seat(1))),
    ]
    public = referee.public
    assert (public.phase, public.dealer, public.to_act) == ("between_deals", 1, None)  # U3
    assert [one.chips for one in public.seats] == [9, 0, 9]
    assert [one.event for one in referee.awaits] == [Dealt]


def test_the_last_trick_is_played_and_its_taker_pays_alone() -> None:
    referee = begun(preset="sju_kort")
    tell(referee, quiet([1, 2, 3], 1, tricks=6))
    assert referee.public.phase == "tricks"
    rulings = tell(referee, "1:Qs 2:5s 3:Qh")
    assert rulings[2:] == [TrickTaken(Seat(3), 7, "Qh", "U9"), Scored(Seat(3), 12, 12, "U16"), DealOver(1, (Seat(3),))]


def test_the_last_trick_is_played_and_all_highest_pay() -> None:
    referee = begun(preset="dansk")
    rulings = tell(referee, quiet([1, 2, 3], 1, tricks=6) + " 1:Qs 2:5s 3:Qh")
    assert [one.seat for one in these(rulings, Scored)] == [1, 3]  # U15


NEXT_DEALER = [
    # options                     last cards        deals  clause
    ({},                                    "1^3s 2^Ks 3^4s", 1, "U3 to the left"),
    ({"next_dealer": "loser"},              "1^3s 2^Ks 3^4s", 2, "next_dealer: who lost"),
    ({"next_dealer": "loser"},              "1^Kd 2^Ks 3^4s", 1, "next_dealer: the last of equals; 2 leads"),
    ({"limit": 20},                         "1^Qs 2^5s 3^4s", 2, "U3 past one who is out"),
    ({"limit": 20, "next_dealer": "loser"}, "1^Qs 2^5s 3^4s", 2, "U3 to the left of a loser who is out"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "last", "deals", "clause"), NEXT_DEALER)
def test_who_deals_next(options: dict[str, object], last: str, deals: int, clause: str) -> None:
    game = gurka(**options)
    state = game.resume(Seats(3), Seat(3), [10, 0, 0])
    for number, word in enumerate(["deal-3", *quiet([1, 2, 3], 1).split(), *last.split()], 1):
        state, _ = game.apply(state, one_event(word), number)
    assert game.public(state).dealer == deals, clause


WRONG = [
    ("1:9c 3:9c 2:Tc",                          [],                     3, "and it was not his card"),
    ("1:9c 2:Tc 3:9c 2:2c 3:Jc",                [],                     1, "what was misread proves nothing"),
    ("1:9c 3:Kc 2:Tc 3:2c 1:3c 2:Ac",           [],                     2, "U6 the king came from behind"),
    # events after the deal (three players, seat 1 leads) what the last one is called   to act  clause
    ("2:Kc",                                    ["out_of_turn U5"],     1, "U5 forehand leads"),
    ("2:Kc 1:3c",                               [],                     3, "his card lies there already"),
    ("1:9c 3:2c",                               ["out_of_turn U5"],     2, "U5"),
    ("1:9c 3:2c 2:Tc 1:3d",                     ["out_of_turn U5"],     2, "U9 2 took the trick with the ten"),
    ("1:9c 3:Kc 2:Tc",                          [],                     3, "U6 2 follows the nine, not the king"),
    ("1:9c 1:Tc",                               ["two_cards U5"],       2, "U5 one card a trick"),
    ("1:9c 1:Tc 2:Tc",                          [],                     3, "the second card went back to the hand"),
    ("1:9c 2:9c",                               ["card_twice"],         3, "misread, yet he has played"),
    ("1:9c 3:9c",                               ["card_twice"],         2, "not his turn: nothing new lies there"),
    ("1^9c",                                    ["turned_early U10"],   1, "U10"),
    ("4:9c",                                    ["not_in_deal"],        1, "no such seat"),
    ("in-1",                                    ["may_not_buy_in U18"], 1, "U18"),
    ("in-9",                                    ["no_such_seat"],       1, "no such seat"),
    ("no-1",                                    ["not_asked"],          1, "nobody asked"),
    ("knock-1",                                 ["not_in_gurka"],       1, "another game"),
    ("deal-3",                                  [],                     1, "a misdeal is dealt again"),
    ("deal-1",                                  ["wrong_dealer U3"],    2, "U3"),
    ("deal-7",                                  ["no_such_seat"],       1, "no such seat"),
    ("1:9c 2:4c 3:Kc 3:2c 1:3c 2:3d",           ["not_lowest U6"],      2, "O-GU2"),
    ("1:9c 2:4c 3:Kc 3:2c 1:3c 2:9d",           ["could_beat U7"],      2, "O-GU3"),
    ("1:9c 2:Tc 3:2c 2:Ac 3:5c 1:3c 2:Kc 3:4c", ["not_lowest U8"],      1, "O-GU2 and the ace"),
]  # fmt: skip


@pytest.mark.parametrize(("events", "called", "to_act", "clause"), WRONG)
def test_what_goes_wrong_is_judged_and_play_goes_on(events: str, called: list[str], to_act: int, clause: str) -> None:
    referee = begun()
    *before, last = events.split()
    tell(referee, " ".join(before))
    assert wrongs(tell(referee, last)) == called, clause
    assert referee.public.to_act == to_act, clause


def wrongs(rulings: Iterable[object]) -> list[str]:
    faults = [f"{one.why} {one.clause}" if isinstance(one, Fault) else one.why for one in wrong_ones(rulings)]
    return faults


def wrong_ones(rulings: Iterable[object]) -> list[Fault | Impossible]:
    return [one for one in rulings if isinstance(one, Fault | Impossible)]


def test_a_last_card_turned_before_the_trick_is_over_has_been_shown() -> None:
    referee = begun()
    *words, late = quiet([1, 2, 3], 1).split()
    tell(referee, " ".join(words))
    assert referee.public.to_act == 2
    assert wrongs(tell(referee, "3:Ks")) == ["turned_early U10"]
    tell(referee, late)
    assert {one.seat for one in referee.awaits} == {1, 2}
    assert wrongs(tell(referee, "3^Ah")) == ["hand_empty"]
    assert wrongs(tell(referee, "1:Qs 2^Qh")) == []  # laid or turned, there it lies
    assert referee.public.seats[2].chips == 13


def test_a_card_after_the_deal_or_before_the_first_was_misread() -> None:
    referee = Referee(gurka(), Seats(3), Seat(3))
    assert wrongs(tell(referee, "1:2c")) == ["no_deal"]
    tell(referee, "deal-3 " + quiet([1, 2, 3], 1) + " 1^Ks 2^Qs 3^Js")
    assert wrongs(tell(referee, "1:3c 1^Ks")) == ["no_deal", "no_deal"]
    assert referee.public.phase == "between_deals"


def test_a_last_trick_that_is_turned_up_is_played_all_the_same() -> None:
    referee = begun(preset="sju_kort")
    tell(referee, quiet([1, 2, 3], 1, tricks=6))
    rulings = tell(referee, "1^Qs 3^Qh 2^5s")
    assert wrongs(rulings) == ["out_of_turn U5"]
    assert [one.seat for one in these(rulings, Scored)] == [3]


def test_a_deal_that_all_would_lose_is_dealt_and_void() -> None:
    referee = after_a_deal("1^Ks 2^Kh 3^Kd", [20, 20, 20])
    assert referee.verdicts[-2:] == (DealVoid("U13", "all_bust"), DealOver(1, ()))
    assert (referee.public.dealer, [one.chips for one in referee.public.seats]) == (1, [20, 20, 20])


def test_a_misdeal_of_a_later_deal_is_dealt_again_by_the_same() -> None:
    referee = after_a_deal("1^Ks 2^Qh 3^9s", [0, 0, 0])
    assert wrongs(tell(referee, "deal-1 2:2c deal-1")) == []
    assert wrongs(tell(referee, "deal-2")) == ["wrong_dealer U3"]


def test_who_loses_a_life_is_not_offered_to_buy_in_and_who_buys_in_has_one() -> None:
    referee = after_a_deal("1^Ks 2^Qh 3^9s", [20, 0, 0], lives=2, stake=1)
    assert referee.public.phase == "between_deals"
    assert referee.public.seats[0].marks == ("last_life",)
    game = gurka(lives=2, stake=1)
    referee = Referee(Begun(game, game.resume(Seats(3), Seat(3), [20, 0, 0], lives=[1, 2, 2])), Seats(3), Seat(3))
    tell(referee, "deal-3 " + quiet([1, 2, 3], 1) + " 1^Ks 2^Qh 3^9s in-1")
    assert referee.public.seats[0].marks == ("last_life", "bought_in")


def test_a_deal_that_is_dealt_again_ends_void() -> None:
    referee = begun()
    assert tell(referee, "1:2c deal-3")[1:] == [
        DealVoid("U3", "dealt_again"),
        DealOver(1, ()),
        DealBegan(Seat(3), 2),
        TurnIs(Seat(1)),
    ]


OUTCOMES = [
    # options, points before, last cards, points got, points then, lost a life, out of the game, void, clause
    ({},                              "20 5 9",  "K 4 2", "13 0 0",  "33 5 9",  "A",  "A",  False, "U12"),
    ({},                              "17 5 9",  "K 4 2", "13 0 0",  "30 5 9",  "A",  "A",  False, "U12 at thirty"),
    ({"bust": ">"},                   "17 5 9",  "K 4 2", "13 0 0",  "30 5 9",  "",   "",   False, "not at thirty"),
    ({"bust": ">"},                   "18 5 9",  "K 4 2", "13 0 0",  "31 5 9",  "A",  "A",  False, "above thirty"),
    ({"limit": 21, "bust": ">"},      "9 0",     "Q 4",   "12 0",    "21 0",    "",   "",   False, "U-A6"),
    ({"preset": "till_20"},           "10 3",    "10 4",  "10 0",    "20 3",    "A",  "A",  False, "U17"),
    ({},                              "20 25 0", "K K 2", "13 13 0", "33 38 0", "AB", "AB", False, "U12 both out"),
    ({},                              "20 25",   "K K",   "13 13",   "20 25",   "",   "",   True,  "U13"),
    ({"all_bust": "sudden_death"},    "20 25",   "K K",   "13 13",   "33 38",   "",   "",   False, "U13 points stand"),
    ({"all_bust": "sudden_death"},    "33 38",   "K 2",   "13 0",    "46 38",   "A",  "A",  False, "U13 who pays"),
    ({"all_bust": "highest_out"},     "20 25",   "K K",   "13 13",   "33 38",   "B",  "B",  False, "U13 the highest"),
    ({"all_bust": "highest_out"},     "25 25",   "K K",   "13 13",   "25 25",   "",   "",   True,  "U13 all highest"),
    ({"lives": 2},                    "25 7 9",  "K 4 2", "13 0 0",  "38 7 9",  "A",  "",   False, "U15 another life"),
    ({"lives": 2},                    "25 25",   "K K",   "13 13",   "25 25",   "",   "",   True,  "U13 before U15"),
    ({"payers": "taker"},             "0 0 0",   "K K 2", "0 13 0",  "0 13 0",  "",   "",   False, "U16 last in turn"),
    ({"preset": "sju_kort"},          "0 0 0",   "K K 2", "0 13 0",  "0 13 0",  "",   "",   False, "U16"),
    ({"preset": "dansk"},             "0 0 0",   "K K 2", "13 13 0", "13 13 0", "",   "",   False, "U15 all highest"),
    ({"preset": "dansk", "lives": 1}, "9 0",     "Q 4",   "12 0",    "21 0",    "A",  "A",  False, "U15 at 21"),
]  # fmt: skip


OUTCOME = ("options", "before", "last", "points", "after", "out", "lost", "annulled", "clause")


@pytest.mark.parametrize(
    ("options", "before", "last", "points", "after", "out", "lost", "annulled", "clause"), OUTCOMES
)
def test_what_a_deal_costs(
    options: dict[str, object],
    before: str,
    last: str,
    points: str,
    after: str,
    out: str,
    lost: str,
    annulled: bool,
    clause: str,
) -> None:
    names = "ABC"[: len(before.split())]
    vector = {
        "kind": "deal_score",
        "options": options,
        "input": {
            "before": dict(zip(names, map(int, before.split()), strict=True)),
            "last": dict(zip(names, last.split(), strict=True)),
            "order": list(names),
        },
        "expect": {
            "points": dict(zip(names, map(int, points.split()), strict=True)),
            "after": dict(zip(names, map(int, after.split()), strict=True)),
            "out": list(out),
            "eliminated": list(lost),
            "annulled": annulled,
        },
    }
    assert play_vector(vector) == [], clause


REJOINS = [
    # options                              before    lives   last     comes back with  clause
    ({"lives": 2},                            "25 7 9",  "2 2 2", "K 4 2", {"A": 9},         "U15 U-A8 highest other"),
    ({"lives": 2, "rejoin": "zero"},          "25 7 9",  "2 2 2", "K 4 2", {"A": 0},         "rejoin"),
    ({"lives": 2},                            "25 7 9",  "1 2 2", "K 4 2", {},               "U15 only once"),
    ({"lives": 2},                            "25 26 9", "2 2 2", "K K 2", {"A": 9, "B": 9}, "U15 both by the third"),
    ({"lives": 2},                            "25 26 9", "2 1 2", "K K 2", {"A": 9},         "U15 one of them"),
    ({"preset": "dansk"},                     "15 7",    "2 2",   "Q 2",   {"A": 7},         "U15"),
    ({"lives": 2, "all_bust": "highest_out"}, "25 26",   "2 2",   "K K",   {"B": 38},        "U13 loses a life"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "before", "lives", "last", "back", "clause"), REJOINS)
def test_another_life(
    options: dict[str, object], before: str, lives: str, last: str, back: dict[str, int], clause: str
) -> None:
    names = "ABC"[: len(before.split())]
    vector = {
        "kind": "deal_score",
        "options": options,
        "input": {
            "before": dict(zip(names, map(int, before.split()), strict=True)),
            "lives": dict(zip(names, map(int, lives.split()), strict=True)),
            "last": dict(zip(names, last.split(), strict=True)),
        },
    }
    assert play_vector({**vector, "expect": {"rejoin": back}}) == [], clause
    assert play_vector({**vector, "expect": {"rejoin": {"C": 99}}}) != []


AUDITS = [
    # options, tricks and then the last cards, faults (who, trick, why, proof, when), clause
    ({},                     "A9 BJ C6 | B3 C4 A8 | A5 B2 C7",          ["C 1 not_lowest 4 2"],     "O-GU2"),
    ({},                     "A9 BJ C4 | B3 C7 A8 | A5 B2 CQ",          ["C 1 could_beat Q show"],  "O-GU3"),
    ({},                     "A9 BJ C4 | B3 CK A5 | A8 B2 C7",          ["C 1 could_beat K 2"],     "O-GU3"),
    ({"must_beat": False},   "A9 BJ C4 | B3 CK A5 | A8 B2 C7",          [],                         "U7 off"),
    ({"must_beat": False},   "A9 BJ C6 | B3 CK A5 | A8 B2 C4",          ["C 1 not_lowest 4 show"],  "O-GU2"),
    ({},                     "AA BK C2 | A4 BQ C3 | A5 B6 C7",          ["B 1 not_lowest Q 2"],     "U8"),
    ({"ace": "none"},        "AA BK C2 | AQ BA C3 | A5 B6 C4",          ["B 1 could_beat A 2"],     "U8 off"),
    ({"ace": "blocks_rest"}, "A9 BA C2 D5 | BQ C7 DK A2 | A3 B6 C8 D4", ["D 1 not_lowest 4 show"],  "U15"),
    ({},                     "A9 BA C2 D5 | BQ C7 DK A2 | A3 B6 C8 D4", [],                         "U8 next only"),
    ({"target": "highest"},  "AK B3 C7 | A9 BJ C4 | A2 B5 C6",          ["C 1 not_lowest 4 2"],     "U15"),
    ({},                     "AK B3 C7 | A9 BJ C4 | A2 B5 C6",          [],                         "U6"),
    ({"match_first": True},  "A9 BK C3 | B2 C4 A5 | A8 B9 C6",          ["B 1 could_match 9 show"], "U6"),
    ({},                     "A9 BK C3 | B2 C4 A5 | A8 B9 C6",          [],                         "U6"),
    ({"preset": "dansk"},    "AK B3 C7 | A9 BJ C4 | B5 C6 A2",          ["C 1 not_lowest 4 2"],     "U15"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "tricks", "faults", "clause"), AUDITS)
def test_what_later_cards_prove(options: dict[str, object], tricks: str, faults: list[str], clause: str) -> None:
    *played, last = [[[word[0], word[1:]] for word in trick.split()] for trick in tricks.split("|")]
    names = ("player", "trick", "type", "proof", "proof_at")
    expected = [dict(zip(names, fault.split(), strict=True)) for fault in faults]
    for one in expected:
        one |= {name: int(one[name]) for name in ("trick", "proof_at") if one[name].isdigit()}
    vector = {"kind": "audit", "options": options, "input": {"tricks": played, "last": dict(last)}}
    assert play_vector({**vector, "expect": {"violations": expected}}) == [], clause


def after_a_deal(last: str, points: list[int], **options: object) -> Referee:
    """Three players who began with *points*; dealer 3 has dealt, and the last cards are as told."""
    game = gurka(**options)
    referee = Referee(Begun(game, game.resume(Seats(3), Seat(3), points)), Seats(3), Seat(3))
    tell(referee, "deal-3 " + quiet([1, 2, 3], 1) + " " + last)
    return referee


def test_the_stakes_go_into_the_pot_and_the_last_one_in_takes_it() -> None:
    referee = after_a_deal("1^Ks 2^Kh 3^9s", [20, 20, 0], stake=5, buyin=False)
    assert these(referee.verdicts, Paid) == [Paid(seat, 5, 5, "U14") for seat in Seats(3)]
    assert referee.verdicts[-2:] == (Received(Seat(3), 15, "pot", "U14"), GameOver((Seat(3),), "U14"))
    public = referee.public
    assert (public.phase, public.pot, public.winners) == ("over", 0, (3,))
    assert wrongs(tell(referee, "1:2c in-1 no-1")) == ["no_deal", "may_not_buy_in U18", "not_asked"]


def test_a_deal_after_the_end_begins_a_new_game() -> None:
    referee = after_a_deal("1^Ks 2^Kh 3^9s", [20, 20, 0], stake=5, buyin=False)
    assert referee.awaits == (Await(None, Dealt),)
    tell(referee, "deal-1")
    assert [one.playing for one in referee.public.seats] == [True] * 3
    assert (referee.public.deal, referee.public.phase, referee.public.dealer) == (1, "tricks", 1)


def shown(last: str) -> str:
    """The last cards of seats 1, 2 and 3, by rank."""
    return " ".join(f"{seat}^{rank}{suit}" for seat, rank, suit in zip("123", last.split(), "shs", strict=True))


BUY_INS = [
    # options, last cards, points before, answers, phase then, points then, pot, clause
    ({},                             "K Q 9", "20 9 3",  "in-1",      "between_deals", "9 9 3",   20, "U18"),
    ({},                             "K Q 9", "20 9 3",  "no-1",      "between_deals", "33 9 3",  15, "U18 no"),
    ({},                             "K Q 9", "20 9 3",  "deal-2",    "tricks",        "33 9 3",  15, "U18 too late"),
    ({},                             "K Q 9", "20 9 3",  "in-2",      "buy_in",        "33 9 3",  15, "U18 he is in"),
    ({},                             "K Q 9", "20 9 3",  "in-1 in-1", "between_deals", "9 9 3",   20, "U18 once"),
    ({},                             "K K 9", "20 20 3", "in-1 in-2", "between_deals", "3 3 3",   25, "U18 U-A9"),
    ({},                             "K K 9", "20 20 3", "in-2 no-1", "between_deals", "33 3 3",  20, "U18 U-A9"),
    ({},                             "K K 9", "20 20 3", "no-2 no-1", "over",          "33 33 3", 0,  "U14"),
    ({},                             "K K 9", "20 20 3", "deal-3",    "over",          "33 33 3", 0,  "U14"),
    ({"buyin_when_one_left": False}, "K K 9", "20 20 3", "",          "over",          "33 33 3", 0,  "U18"),
    ({"buyin_when_one_left": False}, "K Q 9", "20 9 3",  "in-1",      "between_deals", "9 9 3",   20, "U18"),
    ({"buyin": False},               "K Q 9", "20 9 3",  "",          "between_deals", "33 9 3",  15, "U18 off"),
    ({"stake": 0},                   "K Q 9", "20 9 3",  "",          "between_deals", "33 9 3",  0,  "U18 no stake"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "last", "points", "answers", "phase", "then", "pot", "clause"), BUY_INS)
def test_buying_in(
    options: dict[str, object],
    last: str,
    points: str,
    answers: str,
    phase: str,
    then: str,
    pot: int,
    clause: str,
) -> None:
    referee = after_a_deal(shown(last), list(map(int, points.split())), **{"stake": 5, **options})
    if answers:
        assert referee.public.phase == "buy_in", clause
    tell(referee, answers)
    public = referee.public
    assert (public.phase, [one.chips for one in public.seats], public.pot) == (
        phase,
        list(map(int, then.split())),
        pot,
    ), clause


def test_who_bought_in_cannot_again_and_the_offer_is_seen() -> None:
    referee = after_a_deal("1^Ks 2^Qs 3^9s", [20, 0, 0], stake=1)
    assert [(one.seat, one.event, one.must) for one in referee.awaits] == [
        (1, BoughtIn, False),
        (1, Stood, False),
        (None, Dealt, True),
    ]
    assert referee.public.seats[0].marks == ("may_buy_in",)
    tell(referee, "in-1")
    assert referee.public.seats[0].marks == ("bought_in",)
    game = gurka(stake=1)
    start = game.resume(Seats(3), Seat(3), [20, 0, 0], bought_in=[Seat(1)])
    referee = Referee(Begun(game, start), Seats(3), Seat(3))
    tell(referee, "deal-3 " + quiet([1, 2, 3], 1) + " 1^Ks 2^Qs 3^9s")
    assert referee.public.phase == "between_deals"


def test_when_one_is_left_the_answers_must_come() -> None:
    referee = after_a_deal("1^Ks 2^Kh 3^9s", [20, 20, 0], stake=1)
    assert {(one.seat, one.must) for one in referee.awaits} == {(1, True), (2, True)}


CHEAT = "1:9c 2:2c 3:3c 1:4c 2:Tc"  # 2 kept the ten to himself
REST = "3:Jc 3:5s 1:5d 2:5h 2:6c 3:6d 1:6h 1:7c 2:7d 3:7h"


def test_a_proved_fault_is_announced_and_no_more() -> None:
    referee = begun()
    tell(referee, CHEAT + " " + REST + " 1^Ks 2^Qs 3^9s")
    assert these(referee.verdicts, Fault) == [Fault(Seat(2), "U7", 3, "could_beat", 6, "2c", "Tc")]
    assert [one.chips for one in referee.public.seats] == [13, 0, 0]


def test_a_proved_fault_voids_the_deal() -> None:
    referee = begun(violation="void_deal")
    assert tell(referee, CHEAT)[-2] == DealVoid("U7", "violation")
    assert [(one.event, one.must) for one in referee.awaits] == [(CardPlayed, False), (Dealt, True)]
    assert tell(referee, "deal-3") == [DealOver(1, ()), DealBegan(Seat(3), 2), TurnIs(Seat(1))]


def test_a_deal_is_made_void_once() -> None:
    referee = begun(violation="void_deal")
    tell(referee, CHEAT + " 2:8c " + REST)
    assert len(these(referee.verdicts, DealVoid)) == 1
    assert [(one.event, one.must) for one in referee.awaits] == [(CardShown, False)] * 3 + [(Dealt, True)]


def test_a_void_deal_may_be_played_out_and_is_dealt_again_by_the_same() -> None:
    referee = begun(violation="void_deal")
    tell(referee, CHEAT + " " + REST + " 1^Ks 2^Qs")
    assert tell(referee, "3^9s") == [DealOver(1, ())]
    assert [one.chips for one in referee.public.seats] == [0, 0, 0]
    assert referee.public.dealer == 3


def test_a_proved_fault_costs_what_the_deal_costs_once() -> None:
    referee = begun(violation="penalty_points")
    tell(referee, CHEAT + " 2:8c " + REST + " 1^Ks 2^Qs 3^9s")
    assert len(these(referee.verdicts, Fault)) == 2
    assert these(referee.verdicts, Scored) == [Scored(Seat(1), 13, 13, "U11"), Scored(Seat(2), 13, 13, "U7")]


def test_a_fault_can_put_out() -> None:
    referee = after_a_deal("1^Ks 2^Qh 3^9s", [0, 20, 0], violation="penalty_points", limit=30)
    assert [one.playing for one in referee.public.seats] == [True, True, True]
    game = gurka(violation="penalty_points")
    referee = Referee(Begun(game, game.resume(Seats(3), Seat(3), [0, 20, 0])), Seats(3), Seat(3))
    tell(referee, "deal-3 " + CHEAT + " " + REST + " 1^Ks 2^Qs 3^9s")
    assert [(one.chips, one.playing) for one in referee.public.seats] == [(13, True), (33, False), (0, True)]


def test_every_clause_is_stated_and_cited_where_it_is_coded() -> None:
    home = Path(sheet.__file__)
    rules = sheet.__doc__ or ""
    code = "".join(file.read_text(encoding="utf-8") for file in home.parent.glob("gurka*.py")).replace(rules, "")
    for number in range(1, 19):
        assert re.search(rf"^U{number} ", rules, re.MULTILINE), f"U{number} is not in the sheet"
        assert re.search(rf"\bU{number}\b", code), f"U{number} is cited nowhere"
    for number in (1, 2, 3):
        assert f"O-GU{number}" in code


def test_a_preset_fills_in_what_is_not_named_and_reads_back() -> None:
    game = game_named("gurka", {"preset": "dansk", "limit": 30})
    options = options_of(game)
    assert (options["limit"], options["lives"], options["cards"]) == (30, 2, 7)
    assert game_named("gurka", options) == game
    assert Gurka() == game_named("gurka")
