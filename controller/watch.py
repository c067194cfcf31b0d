"""The camera's task: frame after frame to the eye, and what the eye is sure of to the dealer's desk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from controller.desk import Desk, Doubtful
from controller.interpret import Lying
from controller.view import DeviceView, PublicView
from engine.cards import Card
from engine.events import AsideShown, PieceShown
from engine.seats import Seat
from hardware.camera import CameraFrame, CameraLost, EndOfFrames, FrameSource
from vision.frame import Frame
from vision.labels import BACK, NONE
from vision.observations import Doubt, Observation, Removed, Sighting, State, TableFound, TableLost
from vision.zones import ZoneKind

log = logging.getLogger(__name__)

NO_FACE = (BACK, NONE)
"""Readings that say that no face is to be seen."""


class Eye(Protocol):
    """A ``vision.pipeline.Pipeline``, or what tests put in its place."""

    def see(self, frame: Frame) -> Sequence[Observation]: ...

    @property
    def sightings(self) -> Sequence[Sighting]: ...

    def told(self, track: int, what: Card | str | None) -> Sequence[Observation]: ...

    def cleared(self) -> None: ...


class Word:
    """What the desk has to say to the eye, which runs in a thread of its own and hears it before its next picture."""

    def __init__(self) -> None:
        self._said: list[tuple[int, Card | str | None] | None] = []

    def told(self, track: int, what: Card | str | None) -> None:
        """The dealer says that *track* is *what*; None: nothing that is played with."""
        self._said.append((track, what))

    def cleared(self) -> None:
        """A new deal begins: what lies there now is left over."""
        self._said.append(None)

    def pass_on(self, eye: Eye) -> None:
        while self._said:
            said = self._said.pop(0)
            if said is None:
                eye.cleared()
            else:
                eye.told(*said)


async def watch(
    source: FrameSource,
    eye: Eye,
    desk: Desk,
    word: Word,
    view: Callable[[], PublicView],
    report: Callable[[DeviceView], None],
    *,
    pause: float = 1.0,
) -> None:
    """Look till cancelled, or till a folder or video ends. A lost camera is said, and asked again every *pause* s."""
    early: list[Doubt] = []
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
        seen = await asyncio.to_thread(_look, eye, word, shot)
        report(_health(seen))
        gone = [one.track for one in seen if isinstance(one, Removed)]
        if gone:
            desk.gone(gone)
        unread = {one.track for one in eye.sightings if one.state is State.DOUBTFUL}
        came = [one for one in early if one.track in unread] + [one for one in seen if isinstance(one, Doubt)]
        early = [one for one in came if is_secret(one, view())]
        doubts = [doubtful for one in came if one not in early and (doubtful := _doubtful(one, view()))]
        desk.see(lying(eye.sightings, drawers(view())), unsure(eye.sightings), doubts)


def lying(sightings: Sequence[Sighting], drawn: Sequence[Seat]) -> tuple[Lying, ...]:
    """Faces that the eye is sure of, in a seat's zone or laid aside, in the order they came."""
    found = []
    aside = sorted((one for one in sightings if _is_aside(one)), key=lambda one: one.centre_mm)
    for one in sorted(sightings, key=lambda one: one.track):
        if one.state is not State.ACCEPTED or not one.face_up or one.what is None or one.zone is None:
            continue
        if one.zone.seat is not None:
            found.append(Lying(one.track, one.zone.seat, one.what))
        elif one in aside and aside.index(one) < len(drawn):
            found.append(Lying(one.track, drawn[aside.index(one)], one.what, aside=True))
    return tuple(found)


def unsure(sightings: Sequence[Sighting]) -> frozenset[Seat]:
    """Seats before which something lies that is not read yet."""
    return frozenset(
        one.zone.seat
        for one in sightings
        if one.state is not State.ACCEPTED and one.zone is not None and one.zone.seat is not None
    )


def _look(eye: Eye, word: Word, shot: CameraFrame) -> Sequence[Observation]:
    word.pass_on(eye)
    return eye.see(Frame(shot.pixels, shot.at, shot.number))


def _is_aside(one: Sighting) -> bool:
    return one.zone is not None and one.zone.kind is ZoneKind.ASIDE and one.face_up


def drawers(view: PublicView) -> tuple[Seat, ...]:
    """Who laid a piece aside in this deal, in the order they drew: the dealer last. Their pieces lie left to right."""
    drew = [one.public.seat for one in view.seats if "drew" in one.public.marks]
    return tuple(sorted(drew, key=lambda seat: seat == view.public.dealer))


def is_secret(doubt: Doubt, view: PublicView) -> bool:
    """Whether *doubt* is about a piece that nobody has to show yet: a glimpse of it must not be asked about aloud."""
    shows = any(one.event in (PieceShown, AsideShown) for one in view.awaits)
    return doubt.zone is not None and doubt.zone.kind in (ZoneKind.SPOT, ZoneKind.ASIDE) and not shows


def _doubtful(doubt: Doubt, view: PublicView) -> Doubtful | None:
    """What the dealer is to be asked; None where there is nothing to ask."""
    zone = doubt.zone
    if zone is None:
        return None  # nobody's: it is no part of the play
    drawn = drawers(view)
    seat = zone.seat if zone.seat is not None else drawn[-1] if zone.kind is ZoneKind.ASIDE and drawn else None
    shows_face = bool(doubt.candidates) and doubt.candidates[0][0] not in NO_FACE
    if seat is None or not (shows_face or seat == view.public.to_act or any(one.seat == seat for one in view.awaits)):
        return None  # most likely a back, or no thing at all, where nothing is awaited
    candidates = tuple(what for what, _ in doubt.candidates if what not in NO_FACE)
    return Doubtful(doubt.track, seat, candidates, zone.kind is ZoneKind.SEAT, aside=zone.seat is None)


def _health(seen: Sequence[Observation]) -> DeviceView:
    for one in reversed(seen):
        match one:
            case TableLost(why):
                return DeviceView("mat", False, why)
            case TableFound():
                return DeviceView("mat", True)
    return DeviceView("camera", True)
