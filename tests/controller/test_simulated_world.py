"""The simulated world and its players: honest ones break nothing, and the truth survives a power cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.simulated.evening import compare
from controller.simulated.players import next_deed
from controller.simulated.world import World
from engine.events import Dealt
from engine.games import game_named
from engine.seats import Seat, Seats


def play(game: str, players: int, cheat: float, deals: int, file: Path | None = None) -> World:
    world = World(game_named(game), Seats(players), Seat(1), 11, file)
    while world.deals < deals or not any(one.event is Dealt for one in world.truth.awaits):
        world.do(next_deed(world, cheat))
    return world


@pytest.mark.parametrize(("game", "players"), [("gnav", 6), ("gnav", 2), ("gurka", 4), ("gurka", 8)])
def test_the_honest_are_never_accused(game: str, players: int) -> None:
    world = play(game, players, 0.0, 40)
    found = compare(world, world.truth)
    assert (found.made, found.proved, found.false, found.ledger_equal) == (0, 0, 0, True)


@pytest.mark.parametrize(("game", "players"), [("gnav", 6), ("gurka", 4)])
def test_every_cheat_is_found_and_nobody_else(game: str, players: int) -> None:
    world = play(game, players, 0.2, 60)
    found = compare(world, world.truth)
    assert found.made > 20
    assert (found.proved, found.missed, found.false) == (found.made, 0, 0)


@pytest.mark.parametrize("game", ["gnav", "gurka"])
def test_the_world_is_there_again_after_a_power_cut(game: str, tmp_path: Path) -> None:
    world = play(game, 4, 0.1, 3, tmp_path / "deeds")
    with (tmp_path / "deeds").open("a") as file:
        file.write('{"fact": {"event": "Dea')  # torn: it never happened
    again = World(game_named(game), Seats(4), Seat(1), 11, tmp_path / "deeds")
    assert again.facts == world.facts
    assert (again.hands, again.laid, again.aside, again.bag) == (world.hands, world.laid, world.aside, world.bag)
    assert next_deed(again, 0.1) == next_deed(world, 0.1)
