"""Bots: what they do with what a player sees. One row a case."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots import DumpHigh, GnavCheater, GurkaCheater, RandomLegal, Threshold, all_stand
from engine.cards import Card
from engine.events import CardPlayed, Dealt
from engine.game import TablePublic
from engine.games.gurka import Gurka
from engine.pieces import GNAV
from engine.referee import Referee
from engine.seats import Seat, Seats


def table(*cards: str) -> TablePublic:
    """Three players, seat 1 leads; *cards* were laid by 1, then 2."""
    referee = Referee(Gurka(), Seats(3), Seat(3))
    referee.judge(Dealt(Seat(3)))
    for seat, card in enumerate(cards, 1):
        referee.judge(CardPlayed(Seat(seat), Card.parse(card)))
    return referee.public


HAND = tuple(map(Card.parse, ("2c", "9c", "Jc", "Ac")))

PLAYS = [
    # bot                              laid          may play             clause
    (DumpHigh(),                       (),           {"Ac"},              "U5"),
    (DumpHigh(),                       ("Th",),      {"Ac"},              "U7"),
    (DumpHigh(),                       ("Ah",),      {"2c"},              "U8"),
    (RandomLegal(),                    ("Th",),      {"Jc", "Ac"},        "U7"),
    (RandomLegal(),                    ("Th", "9h"), {"9c", "Jc", "Ac"},  "U6"),
    (GurkaCheater(DumpHigh(), 0.0),    ("Th",),      {"Ac"},              "U7"),
    (GurkaCheater(DumpHigh(), 1.0),    ("Th",),      {"2c", "9c"},        "cheats"),
    (GurkaCheater(DumpHigh(), 1.0),    (),           {"Ac"},              "U5 nothing to cheat with"),
]  # fmt: skip


@pytest.mark.parametrize(("bot", "cards", "may_play", "clause"), PLAYS)
def test_gurka_bots(bot: RandomLegal, cards: tuple[str, ...], may_play: set[str], clause: str) -> None:
    rng = Random(1)
    public = table(*cards)
    assert {str(bot.play(HAND, public, Gurka(), rng)) for _ in range(60)} == may_play, clause


def test_a_card_laid_too_early_is_not_followed() -> None:
    referee = Referee(Gurka(), Seats(3), Seat(3))
    for event in (Dealt(Seat(3)), CardPlayed(Seat(1), HAND[1]), CardPlayed(Seat(3), Card.parse("Kh"))):
        referee.judge(event)
    assert Gurka().to_follow(referee.public) == (HAND[1],)


TURNS = [
    # swap below  piece    gave    does
    (4,           "0",     None,   "swap"),
    (4,           "I",     None,   "stand"),
    (4,           "0",     "UGLE", "stand"),  # somebody has the owl now
    (4,           "UGLE",  "0",    "swap"),
    (4,           "UGLE",  "UGLE", "swap"),
    (0,           "NARR",  None,   "stand"),
    (21,          "GJØK",  None,   "swap"),
]  # fmt: skip


@pytest.mark.parametrize(("below", "piece", "gave", "does"), TURNS)
def test_gnav_bots_swap_what_is_low(below: int, piece: str, gave: str | None, does: str) -> None:
    assert Threshold(below).turn(piece, gave, table(), Random(1)) == does
    assert all_stand().turn(piece, gave, table(), Random(1)) == "stand"


@pytest.mark.parametrize("piece", [one.name for one in GNAV.low_to_high])
def test_gnav_bots_knock_and_answer_truly_and_cheaters_never_do(piece: str) -> None:
    rng, honest, cheat = Random(1), Threshold(4), GnavCheater(Threshold(4), 1.0)
    is_matador = GNAV.piece(piece).is_matador
    assert honest.knocks(piece, rng) == (piece == "NARR")
    assert cheat.knocks(piece, rng) != (piece == "NARR")
    assert honest.answer(piece, table(), rng) == (piece if is_matador else None)
    answers = {cheat.answer(piece, table(), rng) for _ in range(200)}
    lies = {one.name for one in GNAV.matadors} - {piece}
    assert answers == (lies | {None} if is_matador else lies)
    assert GnavCheater(honest, 0.0).answer(piece, table(), rng) == honest.answer(piece, table(), rng)
