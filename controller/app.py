"""The app: one loop, one group of tasks, one owner of the state. Real and simulated devices come in the same way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.announce import announce
from controller.broker import EmbeddedBroker
from controller.config import TableConfig
from controller.desk import Desk
from controller.errors import Mendable
from controller.keep import Journal, set_aside
from controller.listen import ButtonSource
from controller.publish import publish
from controller.show import show
from controller.table import Table
from controller.watch import Eye, Word, watch
from engine.games import game_named, options_of
from engine.journal import Header
from engine.referee import Referee
from engine.seats import Seat, Seats
from hardware.board import Board
from hardware.camera import FrameSource
from hardware.speaker import Speaker

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """What is plugged in; None or empty for what is not there."""

    camera: FrameSource | None
    eye: Eye | None
    buttons: Sequence[ButtonSource]
    speaker: Speaker
    board: Board | None


@dataclass(frozen=True, slots=True)
class App:
    """A running table."""

    table: Table
    desk: Desk
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
    config: TableConfig, folder: Path, parts: Parts, *, double_press_s: float | None = None
) -> AsyncIterator[App]:
    """Run the table till the block is left. Mendable when a port is taken or the journal cannot be had."""
    table, journal = open_table(config, folder)
    broker = EmbeddedBroker(config.mqtt.port) if config.mqtt.broker == "embedded" else None
    try:
        link = await _link(config, broker)
        word = Word()
        desk = Desk(table, word)
        async with asyncio.TaskGroup() as group:

            def start(coroutine: object, name: str) -> asyncio.Task[None]:
                return group.create_task(coroutine, name=name)  # type: ignore[arg-type]

            tasks = [start(announce(table.feed, parts.speaker, config.speaker.language), "announce")]
            page, server = await _page(config, table)
            tasks.append(start(server, "page"))
            if parts.board is not None:
                tasks += [start(show(table.feed, parts.board), "show"), start(parts.board.run(), "board")]
            if link is not None:
                names = config.players.publish_names
                tasks.append(start(publish(table.feed, link, table.device, publish_names=names), "publish"))
            tasks.append(start(_buttons(parts.buttons, table, desk, double_press_s), "buttons"))
            if parts.camera is not None and parts.eye is not None:
                watching = watch(parts.camera, parts.eye, desk, word, lambda: table.view, table.device)
                tasks.append(start(watching, "camera"))
            yield App(table, desk, page, f"{link.host}:{link.port}" if link else "")
            for task in tasks:
                task.cancel()
    finally:
        if broker is not None:
            await broker.stop()
        journal.close()
