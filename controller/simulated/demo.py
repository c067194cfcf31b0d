"""``gjok demo``: the real app on a simulated table, and at its end the comparison with the truth."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from controller.app import App, Parts, running
from controller.config import Mqtt, Players, TableConfig, Web
from controller.config import Speaker as SpeakerConfig
from controller.errors import Mendable
from controller.keep import read_journal
from controller.listen import DOUBLE_PRESS_S
from controller.ports import PortBusy
from controller.real import open_eye, tell
from controller.serve import open_page
from controller.simulated.board import MicroPythonBoard, NoMicroPython
from controller.simulated.buttons import SimulatedButtons
from controller.simulated.camera import SimulatedCamera
from controller.simulated.evening import Comparison, Evening, Score, compare
from controller.simulated.world import World
from engine.game import Game
from engine.games import game_named
from engine.journal import JournalError
from engine.seats import Seat, Seats
from hardware.players import open_player
from hardware.voices import Voice
from vision.annotate import annotate
from vision.zones import layout

PACE_S = 0.9
FRAMES_PER_S = 8.0
FIRST_CHOICE_PORT = 8080

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asked for; see ``gjok demo --help``."""

    game: str = "gnav"
    players: int = 6
    deals: int | None = None
    seed: int = 1
    cheat: float = 0.0
    language: str = "nb"
    headless: bool = False
    fast: bool = False
    folder: Path | None = None
    port: int | None = None
    picture: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the evening ended."""

    game: str
    deals: int
    events: int
    score: Score
    faults: Comparison
    board_equal: bool | None
    """Whether the display board's digits are the truth; None without a board."""
    seconds: float

    @property
    def agrees(self) -> bool:
        """Whether the table and the truth say the same."""
        faults = self.faults
        return faults.ledger_equal and not faults.missed and not faults.false and self.board_equal is not False

    def as_object(self) -> dict[str, object]:
        """For scripts."""
        return {
            "game": self.game,
            "deals": self.deals,
            "events": self.events,
            "readings": {name: getattr(self.score, name) for name in ("right", "wrong", "asked", "nudged")},
            "faults": {name: getattr(self.faults, name) for name in ("made", "proved", "missed", "false")},
            "ledger_equal": self.faults.ledger_equal,
            "board_equal": self.board_equal,
            "agrees": self.agrees,
            "seconds": round(self.seconds, 2),
        }

    def in_words(self) -> str:
        """For people."""
        score, faults = self.score, self.faults
        board = {True: "right", False: "WRONG", None: "not there"}[self.board_equal]
        return (
            f"{self.deals} deals, {self.events} events in {self.seconds:.0f} s. "
            f"Readings: {score.right} right, {score.wrong} wrong, {score.asked} asked. "
            f"Faults: {faults.made} made, {faults.proved} proved, {faults.missed} missed, {faults.false} false. "
            f"Chips {'equal' if faults.ledger_equal else 'DIFFERENT from'} the truth; display board {board}."
        )


def run_demo(wishes: Wishes, say: Say) -> Outcome:
    """Play; returns at the end, or when interrupted. Mendable when it cannot start."""
    if wishes.picture is not None and not _can_save(wishes.picture):
        raise Mendable(f"{wishes.picture}: cannot save a picture here; name a .png or .jpg in a folder that is there")
    with _folder(wishes) as folder:
        return asyncio.run(_demo(wishes, folder, say))


async def _demo(wishes: Wishes, folder: Path, say: Say) -> Outcome:
    began = time.monotonic()
    try:
        game = game_named(wishes.game)
        game.begin(Seats(wishes.players), Seat(1))
        mat = layout(wishes.game, wishes.players)
    except ValueError as wrong:
        raise Mendable(f"{wrong}") from None
    world = _world(wishes, game, folder)
    eye = open_eye(mat)
    frames_per_s = None if wishes.fast else FRAMES_PER_S
    camera = SimulatedCamera(world, mat, eye_waits=lambda: eye.waiting, frames_per_s=frames_per_s)
    buttons = SimulatedButtons(wishes.players, random.Random(f"{wishes.seed} fingers"), fast=wishes.fast)
    with _board(folder, say) as simulated_board:
        player = open_player("silent" if wishes.headless else "auto", folder / "sounds")
        board_port = str(simulated_board.port) if simulated_board else ""
        parts = Parts(camera, eye, [buttons.source], Voice(cache=folder / "voice"), player, board_port)
        config = TableConfig(
            table="demo",
            game=wishes.game,
            players=Players(seats=wishes.players),
            speaker=SpeakerConfig(language=wishes.language),  # type: ignore[arg-type]
            mqtt=Mqtt(port=0),
            web=Web(port=_port(wishes)),
        )
        async with running(config, folder, parts, double_press_s=0.0 if wishes.fast else DOUBLE_PRESS_S) as app:
            say(f"Board page: {app.page}   MQTT: {app.broker}   Sound: {player.where}   (Ctrl-C ends)")
            evening = Evening(
                world,
                lambda: app.table,
                app.desk,
                camera,
                buttons.press,
                cheat_rate=wishes.cheat,
                pace_s=0.0 if wishes.fast else PACE_S,
            )
            await _play(evening, wishes.deals, tell(app, wishes.language, say))
            equal = await _board_right(app, simulated_board) if simulated_board else None
            if wishes.picture:
                cv2.imwrite(str(wishes.picture), annotate(camera.picture(), eye.sightings))
            faults = compare(world, app.table.referee)
            events = len(app.table.referee.log)
            return Outcome(wishes.game, world.deals, events, evening.score, faults, equal, time.monotonic() - began)


def _world(wishes: Wishes, game: Game[Any], folder: Path) -> World:
    """The table's truth, begun or gone on with; Mendable when *folder* holds another evening than was wished for."""
    deeds, journal = folder / "world.deeds", folder / "table.journal"
    other = Mendable(
        f"{deeds}: no evening of {wishes.game} with {wishes.players} players and seed {wishes.seed}; "
        f"give what it began with, or another folder"
    )
    try:
        world = World(game, Seats(wishes.players), Seat(1), wishes.seed, deeds)
    except (ValueError, LookupError, TypeError, AttributeError, JournalError):  # these deeds cannot be done here
        raise other from None
    if world.deeds:
        if not journal.exists():
            raise Mendable(f"{journal}: gone, though the evening has begun; put it back, or give another folder")
        header, _ = read_journal(journal)
        if (header.game, header.seats) != (wishes.game, wishes.players):
            raise other
    return world


def _can_save(picture: Path) -> bool:
    """Whether a file of this name can be a picture, and be written."""
    return os.access(picture.parent, os.W_OK) and cv2.haveImageWriter(str(picture))


@contextlib.contextmanager
def _folder(wishes: Wishes) -> Iterator[Path]:
    """Where the table is kept: the folder that was wished for, or one that goes with the demo."""
    if wishes.folder is None:
        with tempfile.TemporaryDirectory(prefix="gjok-") as made:
            yield Path(made)
        return
    try:
        wishes.folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise Mendable(f"{wishes.folder}: cannot keep the table here ({wrong.strerror})") from None
    yield wishes.folder


def _port(wishes: Wishes) -> int:
    """The port that was wished for; else the one people know, unless it is taken or nobody looks."""
    if wishes.port is not None:
        return wishes.port
    if not wishes.headless:
        with contextlib.suppress(PortBusy):
            open_page(port=FIRST_CHOICE_PORT).close()
            return FIRST_CHOICE_PORT
    return 0


@contextlib.contextmanager
def _board(folder: Path, say: Say) -> Iterator[MicroPythonBoard | None]:
    """The display board's firmware in its VM; without the VM the page shows the board."""
    try:
        board = MicroPythonBoard(folder)
    except NoMicroPython as missing:
        say(f"{missing}; the board page shows the chips instead.")
        yield None
        return
    with board:
        yield board


async def _play(evening: Evening, deals: int | None, telling: Coroutine[None, None, None]) -> None:
    """Play to the end, or till Ctrl-C or SIGTERM: then the players finish what they do. A second one does not wait."""
    loop = asyncio.get_running_loop()
    playing = asyncio.create_task(evening.play(deals), name="evening")

    def interrupted() -> None:
        if not evening.stop():
            playing.cancel()

    for interrupt in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(interrupt, interrupted)
    tell = asyncio.create_task(telling, name="tell")
    try:
        await asyncio.wait([playing])
        if not playing.cancelled():
            playing.result()
    finally:
        playing.cancel()
        tell.cancel()
        for interrupt in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(interrupt)


async def _board_right(app: App, board: MicroPythonBoard) -> bool:
    """Whether the digits that are lit are the chips of the truth, or become so in a moment."""
    wanted = {one.seat: [str(one.chips)] if one.playing else [] for one in app.table.view.public.seats}

    def is_right(lit: dict[int, str]) -> bool:
        return all(lit[seat].replace(".", "").split()[1:] == chips for seat, chips in wanted.items())

    return await asyncio.to_thread(board.wait_lit, is_right, 3.0)
