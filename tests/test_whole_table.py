"""The whole table: pictures and presses in; MQTT, page, board digits and speech out."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import aiomqtt
import pytest

from controller.app import App, Parts, running
from controller.config import Mqtt, Players, TableConfig, Web
from controller.config import Speaker as SpeakerConfig
from controller.phrases import words
from controller.real import open_eye
from controller.simulated.board import MicroPythonBoard, NoMicroPython
from controller.simulated.buttons import SimulatedButtons
from controller.simulated.camera import SimulatedCamera
from controller.simulated.evening import Evening, compare
from controller.simulated.world import World
from engine.games import game_named
from engine.rulings import CallSpoken
from engine.seats import Seat, Seats
from hardware.players import SilentPlayer
from hardware.voices import Voice
from vision.nets import MODELS
from vision.zones import layout

pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.skipif(not (MODELS / "localiser.onnx").exists(), reason="the models are not trained yet"),
]


@dataclass
class Heard:
    """What came out of the table."""

    mqtt: dict[str, str] = field(default_factory=dict)
    """Topic → newest payload."""
    events: list[dict[str, object]] = field(default_factory=list)
    page: dict[str, object] = field(default_factory=dict)
    """The newest view that the page was told."""
    digits: dict[int, str] | None = None
    spoken: list[str] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)


async def evening(game: str, players: int, deals: int, folder: Path, cheat: float) -> tuple[World, App, Heard, Evening]:
    """Play *deals* with every output listened to, from outside."""
    world = World(game_named(game), Seats(players), Seat(1), 5)
    mat = layout(game, players)
    eye = open_eye(mat)
    camera = SimulatedCamera(world, mat, eye_waits=lambda: eye.waiting)
    buttons = SimulatedButtons(players, random.Random(3), fast=True)
    player = SilentPlayer()
    heard = Heard()
    try:
        board = MicroPythonBoard(folder)
        board.start()
    except NoMicroPython:
        board = None
    config = TableConfig(
        game=game,
        players=Players(seats=players),
        speaker=SpeakerConfig(language="sv"),
        mqtt=Mqtt(port=0),
        web=Web(port=0),
    )
    port = str(board.port) if board else ""
    try:
        async with running(
            config, folder, Parts(camera, eye, [buttons.source], Voice(), player, port), double_press_s=0
        ) as app:
            listeners = [asyncio.create_task(_mqtt(app, heard)), asyncio.create_task(_page(app, heard))]
            await asyncio.sleep(0)
            people = Evening(world, lambda: app.table, app.desk, camera, buttons.press, cheat_rate=cheat)
            await people.play(deals)
            await app.speaker.quiet()
            seq = app.table.view.seq
            async with asyncio.timeout(10):
                while _seq(heard.mqtt.get("gjok/table/state/table")) < seq or heard.page.get("seq") != seq:
                    heard.news.clear()
                    await heard.news.wait()
            if board:
                chips = {one.seat: str(one.chips) for one in app.table.view.public.seats if one.playing}
                await asyncio.to_thread(board.wait_lit, lambda lit: _digits(lit, chips), 3.0)
                heard.digits = board.lit()
            for listener in listeners:
                listener.cancel()
            heard.spoken = [said.utterance.text for said in app.speaker.history]
            return world, app, heard, people
    finally:
        if board:
            board.stop()
    raise AssertionError("unreachable")


def _seq(payload: str | None) -> int:
    return -1 if payload is None else int(json.loads(payload)["seq"])


def _digits(lit: dict[int, str], chips: dict[Seat, str]) -> bool:
    return all(lit[seat].replace(".", "").split()[-1:] == [text] for seat, text in chips.items())


async def _mqtt(app: App, heard: Heard) -> None:
    host, port = app.broker.split(":")
    async with aiomqtt.Client(host, int(port)) as client:
        await client.subscribe("gjok/#")
        async for message in client.messages:
            payload = bytes(message.payload).decode()  # type: ignore[arg-type]
            heard.mqtt[str(message.topic)] = payload
            heard.news.set()
            if "/event/" in str(message.topic):
                heard.events.append(json.loads(payload))


async def _page(app: App, heard: Heard) -> None:
    async with aiohttp.ClientSession() as session:
        async for view in _views(session, app.page):
            heard.page = view
            heard.news.set()


async def _views(session: aiohttp.ClientSession, page: str) -> AsyncIterator[dict[str, object]]:
    async with session.get(f"{page}events") as stream:
        async for line in stream.content:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


@pytest.mark.parametrize(("game", "players", "deals"), [("gnav", 6, 2), ("gurka", 3, 1)])
def test_the_whole_table(game: str, players: int, deals: int, tmp_path: Path) -> None:
    world, app, heard, people = asyncio.run(evening(game, players, deals, tmp_path, cheat=0.3))
    score, found = people.score, compare(world, app.table.referee)
    assert (score.wrong, score.right > 0) == (0, True)
    assert (found.ledger_equal, found.missed, found.false) == (True, 0, 0)
    assert found.made > 0
    chips = {str(one.seat): one.chips for one in world.truth.public.seats}
    for seat, amount in chips.items():
        assert json.loads(heard.mqtt[f"gjok/table/state/seat/{seat}"])["chips"] == amount
    assert heard.mqtt["gjok/table/availability"] == "online"
    assert any(event["event_type"] == "fault" for event in heard.events)
    if heard.digits is not None:
        assert _digits(heard.digits, {one.seat: str(one.chips) for one in world.truth.public.seats if one.playing})
    calls = [ruling for ruling in world.truth.verdicts if isinstance(ruling, CallSpoken)]
    wanted = [line.said for call in calls if (line := words(call, "sv", [""] * players)) is not None and line.spoken]
    assert wanted
    assert [text for text in heard.spoken if text in wanted] == wanted
