"""The camera's task: what is hidden is not asked about, and is asked about once it is to be shown."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from controller.desk import Desk
from controller.keep import Journal
from controller.table import Table
from controller.view import Question
from controller.watch import Word, watch
from engine.cards import Card
from engine.events import Dealt, LookedAt, Stood, TurnedUp
from engine.games import game_named, options_of
from engine.journal import Header
from engine.referee import Referee
from engine.seats import Seat, Seats
from hardware.camera import CameraFrame, EndOfFrames
from vision.frame import Frame
from vision.labels import Kind
from vision.observations import Doubt, Observation, Sighting, State
from vision.zones import Zone, ZoneKind

SPOT = Zone(ZoneKind.SPOT, Seat(1), 0, 0, 80, 80)
GLIMPSED = Sighting(7, Kind.PIECE, None, State.DOUBTFUL, 0.5, SPOT, ((0, 0), (80, 0), (80, 80), (0, 80)), (40.0, 40.0))


class GlimpsingEye:
    """Cannot tell the piece before seat 1 from its first picture on, and says so once."""

    sightings: Sequence[Sighting] = (GLIMPSED,)

    def see(self, frame: Frame) -> Sequence[Observation]:
        return [Doubt(SPOT, 7, (("HEST", 0.5), ("HUS", 0.4)), "few votes")] if frame.number == 0 else []

    def told(self, track: int, what: Card | str | None) -> Sequence[Observation]:
        return ()

    def cleared(self) -> None: ...


class Pictures:
    """Two pictures; VIS OPP is called between them."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._number = -1
        self.question_in_swaps: Question | None = None

    async def next(self) -> CameraFrame:
        self._number += 1
        if self._number == 1:
            self.question_in_swaps = self._table.question
            for fact in (Stood(Seat(2)), Stood(Seat(1)), TurnedUp()):
                self._table.take(fact)
        if self._number == 2:
            raise EndOfFrames
        return CameraFrame(np.zeros((8, 8, 3), np.uint8), 0.0, self._number)

    async def close(self) -> None: ...


@pytest.mark.timeout(20)
def test_a_piece_glimpsed_in_the_swaps_is_asked_about_only_when_it_is_shown(tmp_path: Path) -> None:
    game = game_named("gnav", {})
    journal = Journal.open(tmp_path / "j", Header("gnav", 2, Seat(1), options_of(game)))
    table = Table("t", Referee(game, Seats(2), Seat(1)), journal, ("", ""))
    table.take(Dealt(Seat(1)))
    table.take(LookedAt())
    pictures, word = Pictures(table), Word()
    asyncio.run(watch(pictures, GlimpsingEye(), Desk(table, word), word, lambda: table.view, table.device))
    journal.close()
    assert pictures.question_in_swaps is None
    assert table.question is not None
    assert (table.question.seat, table.question.choices[:2]) == (1, ("HEST", "HUS"))
