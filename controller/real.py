"""``gjok run``: a real table by its ``table.toml``."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

from controller.app import App, Parts, running
from controller.config import CONSOLE_KEYS, SEAT_KEYS, Buttons, Camera, Line, TableConfig, read_config
from controller.errors import Mendable
from controller.phrases import question_words, seat_words, thing_words, words
from controller.view import PublicView
from engine.games import game_named
from engine.rulings import CallSpoken, Ruling, TurnIs
from engine.seats import Seat, Seats
from hardware.buttons import ButtonsMissing, ButtonSource, GpioButtons, GpioLine
from hardware.camera import (
    CameraMissing,
    EndOfFrames,
    FolderSource,
    FrameSource,
    VideoSource,
)
from hardware.keyboard import KeyboardButtons
from hardware.live_camera import RpicamSettings, RpicamSource, V4L2Source
from hardware.players import SpeakerMissing, open_player
from hardware.voices import Voice
from vision.eye import load_models
from vision.frame import Frame, Pixels
from vision.pipeline import Pipeline
from vision.table_plane import TablePlane, find_plane
from vision.zones import Layout, layout

Say = Callable[[str], object]


def open_eye(mat: Layout, plane: TablePlane | None = None) -> Pipeline:
    """The shipped nets over *mat*; without *plane* the mat's markers are looked for. ModelError names a broken file."""
    return Pipeline(load_models(pieces=mat.game == "gnav"), mat, plane)


def run_table(path: Path, say: Say) -> None:
    """Referee till Ctrl-C, or till the pictures of a folder or video have ended. Mendable when it cannot start."""
    config = read_config(path)
    try:
        asyncio.run(_run(config, path.parent, say))
    except (CameraMissing, ButtonsMissing, SpeakerMissing) as missing:
        raise Mendable(f"{path}: {missing}") from None


async def _run(config: TableConfig, here: Path, say: Say) -> None:
    folder = here / config.data
    try:
        game_named(config.game, config.options).begin(Seats(config.players.seats), Seat(config.players.dealer))
        mat = layout(config.game, config.players.seats, config.mat.width_mm, config.mat.height_mm)
        buttons = open_buttons(config.buttons, config.players.seats)
        camera = open_camera(config.camera, here)
    except ValueError as wrong:
        raise Mendable(f"table.toml: {wrong}") from None
    eye = None
    if camera is not None:
        plane = await _plane(config, here, say)
        eye = open_eye(mat, plane)
    recordings = here / config.speaker.recordings if config.speaker.recordings else None
    voice = Voice(cache=folder / "voice", recordings=recordings)
    parts = Parts(camera, eye, buttons, voice, open_player(config.speaker.player, folder / "sounds"), config.board.port)
    async with running(config, folder, parts) as app:
        say(f"Board page: {app.page}   MQTT: {app.broker or 'none'}   Sound: {parts.player.where}   (Ctrl-C ends)")
        if voice.shortcoming:
            say(voice.shortcoming)
        await _till_the_end(app, config, say)
        say(_standing(app))


async def _till_the_end(app: App, config: TableConfig, say: Say) -> None:
    """Tell what happens till somebody ends it, or the pictures have ended."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for interrupt in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(interrupt, ended.set)
    telling = asyncio.create_task(tell(app, config.speaker.language, say), name="tell")
    waits = [asyncio.create_task(ended.wait(), name="interrupt")]
    if config.camera.folder or config.camera.video:
        waits += [task for task in asyncio.all_tasks() if task.get_name() == "watch"]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    telling.cancel()
    waits[0].cancel()


async def tell(app: App, language: str, say: Say) -> None:
    """Write to the terminal what is laid, and what the table says and asks."""
    names = tuple(one.name for one in app.table.view.seats)
    asked = None
    laid = _laid(app.table.view)
    async for update in app.table.feed.updates():
        now = _laid(update.view)
        for seat, thing in sorted(now - laid):
            say(f"  {seat_words(seat, language, names)}: {thing_words(thing, language)}")
        laid = now
        for _, ruling in update.rulings:
            line = None if isinstance(ruling, TurnIs) else words(ruling, language, names)
            if line is not None:
                say(f"  {_who_calls(ruling, language, names)}{line.full}")
        question = update.view.question
        if question is not None and (asked is None or asked.number != question.number):
            say(f"  ? {question_words(question, language, names).text}")
        asked = question


def _who_calls(ruling: Ruling, language: str, names: Sequence[str]) -> str:
    if isinstance(ruling, CallSpoken) and ruling.seat is not None:
        return f"{seat_words(ruling.seat, language, names)}: "
    return ""


def _laid(view: PublicView) -> set[tuple[Seat, str]]:
    return {(one.public.seat, thing) for one in view.seats for thing in one.public.laid}


def _standing(app: App) -> str:
    public = app.table.view.public
    chips = ", ".join(f"{seat.name or seat.public.seat}: {seat.public.chips}" for seat in app.table.view.seats)
    return f"{len(app.table.referee.log)} events, deal {public.deal}; {public.unit}: {chips}"


def open_buttons(config: Buttons, seats: int) -> list[ButtonSource]:
    """The console's and the *seats*' buttons; none when the table has none. ValueError names a line that cannot be."""
    if config.factory == "none":
        return []
    if config.factory == "keyboard":
        return [KeyboardButtons(CONSOLE_KEYS, SEAT_KEYS, seats)]
    lines = {f"console.{key}": _line(line) for key, line in config.console.items()}
    for number, seat in enumerate(config.seats, 1):
        lines |= {f"seat{number}.{key}": _line(line) for key, line in seat.items()}
    return [GpioButtons(lines, config.factory)]


def _line(line: int | Line) -> GpioLine:
    return GpioLine(line) if isinstance(line, int) else GpioLine(line.line, line.chip)


def open_camera(config: Camera, here: Path) -> FrameSource | None:
    """The camera of *config*; paths are relative to *here*. CameraMissing says what to do."""
    if config.folder:
        return FolderSource(here / config.folder, shots=config.shots)
    if config.video:
        return VideoSource(here / config.video)
    if config.device:
        return V4L2Source(config.device, width=config.width, height=config.height)
    if config.pi:
        return RpicamSource(RpicamSettings(width=config.width, height=config.height))
    return None


async def _plane(config: TableConfig, here: Path, say: Say) -> TablePlane | None:
    """Where the mat lies, when it has no markers: as table.toml says, or all of the first photograph."""
    width, height = config.mat.width_mm, config.mat.height_mm
    if config.camera.corners:
        return TablePlane.from_corners(config.camera.corners, width, height)
    if not (config.camera.folder or config.camera.video):
        return None
    first = await _first_picture(config.camera, here)
    if first is None or find_plane(Frame(first, 0.0, 0), width, height) is not None:
        return None
    say("The pictures show no markers: all of the picture is taken for the mat (camera.corners says otherwise).")
    high, wide = first.shape[:2]
    return TablePlane.from_corners(((0, 0), (wide - 1, 0), (wide - 1, high - 1), (0, high - 1)), width, height)


async def _first_picture(config: Camera, here: Path) -> Pixels | None:
    source = open_camera(config, here)
    assert source is not None
    try:
        return (await source.next()).pixels
    except EndOfFrames:
        return None
    finally:
        await source.close()
