"""The camera's task: frame after frame to the eye, and what the eye is sure of to the dealer's desk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from controller.desk import Desk, Doubtful
from controller.interpret import Lying
from controller.view import DeviceView
from engine.cards import Card
from engine.events import AsideShown
from engine.game import Await
from engine.seats import Seat
from hardware.camera import CameraFrame, CameraLost, EndOfFrames, FrameSource
from vision.frame import Frame
from vision.observations import Doubt, Observation, Removed, Sighting, State, TableFound, TableLost
from vision.zones import ZoneKind

log = logging.getLogger(__name__)


class Eye(Protocol):
    """A ``vision.pipeline.Pipeline``, or what tests put in its place."""

    def see(self, frame: Frame) -> Sequence[Observation]: ...

    @property
    def sightings(self) -> Sequence[Sighting]: ...

    def told(self, track: int, what: Card | str) -> Sequence[Observation]: ...


class Answers:
    """The dealer's answers on their way to the eye, which runs in a thread of its own."""

    def __init__(self) -> None:
        self._given: list[tuple[int, Card | str]] = []

    def give(self, track: int, what: Card | str) -> None:
        self._given.append((track, what))

    def hand_over(self, eye: Eye) -> None:
        while self._given:
            eye.told(*self._given.pop(0))


async def watch(
    source: FrameSource,
    eye: Eye,
    desk: Desk,
    answers: Answers,
    awaits: Callable[[], Sequence[Await]],
    report: Callable[[DeviceView], None],
    *,
    pause: float = 1.0,
) -> None:
    """Look till cancelled, or till a folder or video ends. A lost camera is said, and asked again every *pause* s."""
    while True:
        try:
            shot = await source.next()
        except CameraLost as lost:
            report(DeviceView("camera", False, str(lost)))
            await asyncio.sleep(pause)
            continue
        except EndOfFrames:
            report(DeviceView("camera", True))
            log.info("the pictures have ended")
            return
        seen = await asyncio.to_thread(_look, eye, answers, shot)
        report(_health(seen))
        gone = [one.track for one in seen if isinstance(one, Removed)]
        if gone:
            desk.gone(gone)
        doubts = [doubtful for one in seen if isinstance(one, Doubt) and (doubtful := _doubtful(one, awaits()))]
        desk.see(lying(eye.sightings, awaits()), unsure(eye.sightings), doubts)


def lying(sightings: Sequence[Sighting], awaits: Sequence[Await]) -> tuple[Lying, ...]:
    """Faces that the eye is sure of, in a seat's zone or laid aside, in the order they came."""
    drawers = _drawers(awaits)
    found = []
    aside = sorted((one for one in sightings if _is_aside(one)), key=lambda one: one.centre_mm)
    for one in sorted(sightings, key=lambda one: one.track):
        if one.state is not State.ACCEPTED or not one.face_up or one.what is None or one.zone is None:
            continue
        if one.zone.seat is not None:
            found.append(Lying(one.track, one.zone.seat, one.what))
        elif one in aside and aside.index(one) < len(drawers):
            found.append(Lying(one.track, drawers[aside.index(one)], one.what, aside=True))
    return tuple(found)


def unsure(sightings: Sequence[Sighting]) -> frozenset[Seat]:
    """Seats before which something lies that is not read yet."""
    return frozenset(
        one.zone.seat
        for one in sightings
        if one.state is not State.ACCEPTED and one.zone is not None and one.zone.seat is not None
    )


def _look(eye: Eye, answers: Answers, shot: CameraFrame) -> Sequence[Observation]:
    answers.hand_over(eye)
    return eye.see(Frame(shot.pixels, shot.at, shot.number))


def _is_aside(one: Sighting) -> bool:
    return one.zone is not None and one.zone.kind is ZoneKind.ASIDE and one.face_up


def _drawers(awaits: Sequence[Await]) -> tuple[Seat, ...]:
    """Who laid a piece aside that is not shown yet; they lie from left to right in this order."""
    return tuple(one.seat for one in awaits if one.event is AsideShown and one.seat is not None)


def _doubtful(doubt: Doubt, awaits: Sequence[Await]) -> Doubtful | None:
    zone = doubt.zone
    if zone is None:
        return None  # nobody's: it is no part of the play
    candidates = tuple(what for what, _ in doubt.candidates if what != "back")
    is_card = zone.kind is ZoneKind.SEAT
    if zone.seat is not None:
        return Doubtful(doubt.track, zone.seat, candidates, is_card)
    drawers = _drawers(awaits)
    if zone.kind is ZoneKind.ASIDE and drawers:
        return Doubtful(doubt.track, drawers[0], candidates, is_card, aside=True)
    return None


def _health(seen: Sequence[Observation]) -> DeviceView:
    for one in reversed(seen):
        match one:
            case TableLost(why):
                return DeviceView("mat", False, why)
            case TableFound():
                return DeviceView("mat", True)
    return DeviceView("camera", True)
