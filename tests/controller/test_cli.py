"""The command line: what is wrong is said in one line, with exit code 2, and nothing is lost."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from controller.keep import Journal
from controller.simulated.players import next_deed
from controller.simulated.world import World
from engine.events import Dealt, LookedAt, PieceShown
from engine.games import game_named, options_of
from engine.journal import Header
from engine.seats import Seat, Seats
from vision import nets

GJOK = str(Path(sys.executable).with_name("gjok"))
QUIET = "[mqtt]\nbroker = 'none'\n[web]\nport = 0\n[speaker]\nplayer = 'silent'\n"


def gjok(*words: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run([GJOK, *words], capture_output=True, text=True, timeout=timeout, check=False)


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that says why it could not run."""
    assert done.returncode == 2, done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("gjok: ")
    return lines[0]


def table(folder: Path, text: str) -> str:
    (folder / "table.toml").write_text(text)
    return str(folder / "table.toml")


WRONG = [
    # table.toml                                       the line says
    ("gam = 'gnav'", "unknown key gam"),
    ("game = 'poker'", "unknown game 'poker'; there are gnav, gurka"),
    ("[options]\nmust_bet = true", "gnav has no option 'must_bet'"),
    ("game = 'gurka'\n[options]\nlimit = 31", "option limit is 31; it may be 30 or 20 or 21"),
    ("[players]\nseats = 25", "2 to 20"),
    ("camera = {folder = 'nowhere'}", "nowhere"),
    ("camera = {device = '/dev/video77'}", "no camera /dev/video77"),
    ("[buttons]\nfactory = 'lgpio'\nconsole = {se = 2}", "console.se: GPIO 2 is kept free"),
    ("[buttons]\nfactory = 'mock'\nconsole = {se = 5, neste = 5}", "console.neste: GPIO 5 is already console.se's"),
]


@pytest.mark.parametrize(("text", "says"), WRONG)
def test_a_wrong_table_is_one_line(tmp_path: Path, text: str, says: str) -> None:
    assert says in refused(gjok("run", table(tmp_path, text if "[" in text else f"{text}\n{QUIET}")))


def test_a_busy_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = refused(gjok("run", table(tmp_path, f"[mqtt]\nbroker = 'none'\n[web]\nport = {port}")))
        assert f"port {port} is taken" in line
        line = refused(gjok("run", table(tmp_path, f"[web]\nport = 0\n[mqtt]\nport = {port}")))
        assert f"port {port} is taken" in line


@pytest.mark.parametrize("host", ["192.0.2.1", "nobody.invalid"])
def test_an_address_that_is_not_ours_is_named(tmp_path: Path, host: str) -> None:
    line = refused(gjok("run", table(tmp_path, f"[mqtt]\nbroker = 'none'\n[web]\nhost = '{host}'\nport = 0")))
    assert f"the board page: '{host}' is no address of this machine" in line


def test_a_corrupt_journal_line_is_named_and_left_alone(tmp_path: Path) -> None:
    game = game_named("gnav", {})
    path = tmp_path / "gjok-data" / "table.journal"
    journal = Journal.open(path, Header("gnav", 6, Seat(1), options_of(game)))
    journal.add(Dealt(Seat(1)), "2026-11-30T20:00:00.000Z")
    journal.add(LookedAt(), "2026-11-30T20:00:00.000Z")
    journal.close()
    broken = path.read_bytes().replace(b"LookedAt", b"LookedUp")
    path.write_bytes(broken)
    assert "table.journal: line 3 is corrupt" in refused(gjok("run", table(tmp_path, QUIET)))
    assert path.read_bytes() == broken


def test_a_broken_model_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from controller.cli import main

    (tmp_path / "localiser.onnx").write_bytes(b"not a model")
    monkeypatch.setattr("vision.eye.MODELS", tmp_path)
    photo = tmp_path / "photo.png"
    _picture(photo)
    done = CliRunner().invoke(main, ["read", str(photo)])
    assert done.exit_code == 2
    assert "localiser.onnx" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert tmp_path != nets.MODELS


def test_what_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "note.jpg").write_text("no picture")
    assert "no such picture" in refused(gjok("read", str(tmp_path / "none.jpg")))
    assert "not a picture that can be read" in refused(gjok("read", str(tmp_path / "note.jpg")))
    assert "labels.json" in refused(gjok("evaluate", str(tmp_path)))


def test_too_many_players_are_refused() -> None:
    assert "Gurka is for 2 to 8" in refused(gjok("demo", "--game", "gurka", "--players", "9", "--headless"))


def _picture(path: Path) -> None:
    import cv2

    cv2.imwrite(str(path), np.zeros((64, 64, 3), np.uint8))


def test_a_journal_that_cannot_grow_ends_the_table_in_one_line(tmp_path: Path) -> None:
    where = table(tmp_path, f"game = 'gurka'\n{QUIET}")
    path = tmp_path / "gjok-data" / "table.journal"
    Journal.open(path, Header("gurka", 6, Seat(1), options_of(game_named("gurka", {})))).close()
    whole = path.read_bytes()
    limited = (
        "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2); "
        "os.execv(sys.argv[2], sys.argv[2:])"
    )
    command = [sys.executable, "-c", limited, str(len(whole) + 20), GJOK, "run", where]
    done = subprocess.run(command, input="neste\n", capture_output=True, text=True, timeout=60, check=False)
    assert "cannot write the journal (File too large)" in refused(done)
    assert path.read_bytes() == whole


def test_a_reader_that_went_away_ends_the_table_quietly(tmp_path: Path) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    command = [GJOK, "run", table(tmp_path, QUIET)]
    with open(writes, "wb") as out:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("other", [["--game", "gurka"], ["--players", "4"], ["--seed", "9"]])
def test_a_demo_goes_on_only_with_what_it_began_with(tmp_path: Path, other: list[str]) -> None:
    world = World(game_named("gnav"), Seats(3), Seat(1), 1, tmp_path / "world.deeds")
    while not any(isinstance(fact, PieceShown) for fact in world.facts):
        world.do(next_deed(world, 0.0))
    Journal.open(tmp_path / "table.journal", Header("gnav", 3, Seat(1), options_of(game_named("gnav")))).close()
    line = refused(
        gjok("demo", "--headless", "--fast", "--deals", "1", "--folder", str(tmp_path), "--players", "3", *other)
    )
    assert "world.deeds: no evening of" in line


def test_a_demo_without_its_journal_is_said(tmp_path: Path) -> None:
    world = World(game_named("gnav"), Seats(3), Seat(1), 1, tmp_path / "world.deeds")
    world.do(next_deed(world, 0.0))
    line = refused(gjok("demo", "--headless", "--fast", "--deals", "1", "--folder", str(tmp_path), "--players", "3"))
    assert "table.journal: gone" in line


@pytest.mark.parametrize("name", ["nowhere/seen.png", "seen.xyz", "seen"])
def test_a_picture_that_cannot_be_saved_is_said_before_anything_is_played(tmp_path: Path, name: str) -> None:
    line = refused(gjok("demo", "--headless", "--fast", "--deals", "1", "--picture", str(tmp_path / name)))
    assert f"{name}: cannot save a picture here" in line
