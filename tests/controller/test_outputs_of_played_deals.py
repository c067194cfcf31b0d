"""Whole deals, honest and cheating: every state and ruling of them comes out as words, JSON, topics and digits."""

import json
import re

import msgspec
import pytest

from controller.phrases import LANGUAGES, phrases, words
from controller.show import snapshot_of
from controller.simulated.players import next_deed
from controller.simulated.world import World
from controller.topics import RefereeEvent, event, is_event, snapshots
from controller.view import PublicView, make_view
from controller.view_json import view_json
from engine.events import Dealt, Fact
from engine.games import game_named
from engine.referee import Referee
from engine.rulings import Fault, Ruling
from engine.seats import Seat, Seats

GENERAL = {
    language: re.compile(
        "|".join(
            re.escape(part)
            for section in ("faults", "undecided", "impossible", "voids", "marks", "phases", "awaits")
            for part in phrases(language)[section]["general"].split("{who}")
            if len(part) > 4
        ),
        re.IGNORECASE,
    )
    for language in LANGUAGES
}
"""The sentences that say too little: none of them may be needed for our own games."""


def played(game: str, players: int, options: dict[str, object], cheat: float, deals: int) -> tuple[Fact, ...]:
    world = World(game_named(game, options), Seats(players), Seat(1), 5)
    while world.truth.awaits and (
        world.deals < deals or not any(one.event is Dealt and one.must for one in world.truth.awaits)
    ):
        world.do(next_deed(world, cheat))
    return world.facts


def view_of(referee: Referee, last: tuple[tuple[int, Ruling], ...]) -> PublicView:
    names = ("",) * referee.seats.count
    return make_view("t", "s", len(referee.log), referee.public, referee.awaits, names, None, (), last)


@pytest.mark.parametrize(
    ("game", "players", "options", "cheat"),
    [
        ("gnav", 6, {}, 0.25),
        ("gnav", 3, {"violation": "pay_token", "start_tokens": 3}, 0.3),
        ("gnav", 20, {}, 0.0),
        ("gurka", 4, {}, 0.25),
        ("gurka", 3, {"preset": "dansk", "violation": "penalty_points"}, 0.2),
    ],
)
def test_everything_comes_out(game: str, players: int, options: dict[str, object], cheat: float) -> None:
    referee = Referee(game_named(game, options), Seats(players), Seat(1))
    faults = 0
    for fact in played(game, players, options, cheat, deals=15):
        rulings = tuple((len(referee.log) + 1, ruling) for ruling in referee.judge(fact))
        view = view_of(referee, rulings)
        language = LANGUAGES[len(referee.log) % len(LANGUAGES)]
        told = json.dumps(view_json(view, language), ensure_ascii=False)
        assert not GENERAL[language].search(told), told
        assert view_json(view, language)["headline"]
        assert len(snapshots(view, publish_names=False)) == players + 2
        assert {row[0] for row in snapshot_of(view).rows} == {one.seat for one in referee.public.seats if one.playing}
        for number, ruling in rulings:
            faults += isinstance(ruling, Fault)
            for each in LANGUAGES:
                line = words(ruling, each, ("",) * players)
                assert line is not None
                assert not GENERAL[each].search(line.text), line
                assert not re.search(r"[{}_]", line.text + line.said + line.detail), line
            if is_event(ruling):
                message = event(view, "r", 1, number, ruling, publish_names=False)
                assert msgspec.json.decode(message.payload, type=RefereeEvent).event_no == number
    assert (faults > 5) is (cheat > 0)
