"""The app: one loop, one group of tasks, one owner of the state. Real and simulated devices come in the same way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.announce import announce
from controller.broker import EmbeddedBroker
from controller.config import Mqtt, TableConfig
from controller.desk import Desk
from controller.errors import Mendable
from controller.keep import Journal, set_aside
from controller.listen import DOUBLE_PRESS_S, listen, report_stuck
from controller.publish import Link, publish
from controller.remind import remind
from controller.serve import open_page, page_url, serve
from controller.show import show
from controller.table import Table
from controller.view import DeviceView
from controller.watch import Eye, Word, watch
from engine.games import game_named, options_of
from engine.journal import Header
from engine.referee import Referee
from engine.seats import Seat, Seats
from hardware.board import Board, BoardState
from hardware.buttons import ButtonPress, ButtonSource
from hardware.camera import FrameSource
from hardware.devices import DeviceState
from hardware.players import Player
from hardware.speaker import Speaker
from hardware.voices import Voice

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """What is plugged in; None or empty for what is not there."""

    camera: FrameSource | None
    eye: Eye | None
    buttons: Sequence[ButtonSource]
    voice: Voice
    player: Player
    board_port: str
    """The display board's serial port; empty: none."""


@dataclass(frozen=True, slots=True)
class App:
    """A running table."""

    table: Table
    desk: Desk
    speaker: Speaker
    page: str
    """Address of the board page."""
    broker: str
    """``host:port`` of the MQTT broker; empty without one."""


def open_table(config: TableConfig, folder: Path) -> tuple[Table, Journal]:
    """Begin the game of *config*, or go on with the one in *folder*'s journal when it is the same.

    Mendable when the options are wrong or the journal cannot be had.
    """
    try:
        game = game_named(config.game, config.options)
        seats = Seats(config.players.seats)
        header = Header(config.game, seats.count, Seat(config.players.dealer), options_of(game))
        game.begin(seats, header.dealer)
    except ValueError as wrong:
        raise Mendable(f"{wrong}; see options and players in table.toml") from None
    path = folder / "table.journal"
    journal = Journal.open(path, header)
    if journal.header != header:
        journal.close()
        aside = set_aside(path)
        log.warning("another game or other house rules than last time: its journal is now %s", aside)
        journal = Journal.open(path, header)
    names = config.players.names or ("",) * seats.count
    return Table(config.table, Referee(game, seats, header.dealer), journal, names), journal


@asynccontextmanager
async def running(
    config: TableConfig, folder: Path, parts: Parts, *, double_press_s: float = DOUBLE_PRESS_S
) -> AsyncIterator[App]:
    """Run the table till the block is left. Mendable or PortBusy when it cannot start."""
    table, journal = open_table(config, folder)
    async with AsyncExitStack() as stack:
        stack.callback(journal.close)
        link = await _link(config.mqtt, stack)
        page = open_page(config.web.host, config.web.port)
        word = Word()
        desk = Desk(table, word)
        presses: asyncio.Queue[ButtonPress] = asyncio.Queue()
        speaker = Speaker(parts.voice, parts.player, lambda state, why: table.device(_sound(state, why)))
        jobs: dict[str, Coroutine[None, None, None]] = {
            "announce": announce(table.feed, speaker, config.speaker.language),
            "remind": remind(table.feed, speaker, config.speaker.language),
            "speaker": speaker.run(),
            "serve": serve(table.feed, page, language=config.speaker.language),
            "listen": listen(presses, desk, double_press_s=double_press_s),
        }
        if parts.board_port:
            board = Board(parts.board_port, lambda state, why: table.device(_digits(state, why)))
            jobs |= {"show": show(table.feed, board), "board": board.run()}
        if link is not None:
            names = config.players.publish_names
            jobs["publish"] = publish(table.feed, link, table.device, publish_names=names)
        if parts.camera is not None and parts.eye is not None:
            jobs["watch"] = watch(parts.camera, parts.eye, desk, word, lambda: table.view, table.device)
        for source in parts.buttons:
            stack.callback(source.close)
            table.device(report_stuck(source.start(presses.put_nowait)))
        if parts.camera is not None:
            stack.push_async_callback(parts.camera.close)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(job, name=name) for name, job in jobs.items()]
            yield App(table, desk, speaker, page_url(page), f"{link.host}:{link.port}" if link else "")
            for task in tasks:
                task.cancel()


async def _link(mqtt: Mqtt, stack: AsyncExitStack) -> Link | None:
    """The broker to publish to; an embedded one is started."""
    if mqtt.broker == "none":
        return None
    if mqtt.broker != "embedded":
        return Link(mqtt.broker, mqtt.port, mqtt.username or None, mqtt.password or None, mqtt5=True)
    broker = EmbeddedBroker(mqtt.port)
    await broker.start()
    stack.push_async_callback(broker.stop)
    access = broker.address
    return Link(access.host, access.port, access.username, access.password)


def _sound(state: DeviceState, why: str) -> DeviceView:
    return DeviceView("speaker", state is DeviceState.WORKS, why)


def _digits(state: BoardState, why: str) -> DeviceView:
    return DeviceView("board", state is BoardState.CONNECTED, why)
