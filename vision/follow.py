"""Which thing of this frame is which thing of the last: positions, movement, what covers what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.appearance import alike, side_alike
from vision.crops import overlap
from vision.labels import Kind
from vision.locate import Place
from vision.look import Look
from vision.track import Track
from vision.zones import Layout, Zone

_STILL_MM = 4.0
_STILL_RAD = 0.12
_COVERED_DRIFT_MM = 16.0
"""How far the guessed box of a half covered card may wander without the card having moved."""
_REACH_MM = {True: 16.0, False: 26.0}
"""How far from its place a thing is looked for: when it cannot have moved, and when it may have."""
_CHANGED_AFTER = 2
_CHANGED_IN_PLACE_AFTER = 6
"""A thing half hidden by something not found yet is given longer."""
_COVERS = 0.05
_SAME_BOX = 0.5
"""A box that shares more with a thing that has not moved is that thing, badly guessed."""


class Follower:
    """Keeps the tracks of what lies on the mat; says nothing."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.tracks: list[Track] = []
        self._numbers = 0
        self._order = 0

    def follow(self, look: Look) -> None:
        """Take the next frame: each track is seen, busy, the same, covered or missing after it."""
        for track in self.tracks:
            quad = track.place.quad
            track.busy = look.busy(quad)
            now = None if track.busy or track.patch is None else look.patch(quad)
            track.same = now is not None and track.patch is not None and alike(track.patch, now)
            track.in_place = track.same or (
                now is not None and track.patch is not None and side_alike(track.patch, now)
            )
            track.seen = False
        free = list(look.places)
        for track, place in self._pairs(free):
            free.remove(place)
            track.seen = True
            track.missing = 0
            if not (track.in_place or track.busy):
                self._moved_to(track, place)
        for place in free:
            self._newcomer(place, look)
        for track in self.tracks:
            track.covered = any(self.lies_on(other, track) for other in self.tracks if other is not track)
            self._changed(track)

    def _pairs(self, places: Sequence[Place]) -> list[tuple[Track, Place]]:
        """Tracks with the places they are now at, the nearest first."""
        options: list[tuple[float, int, Track, Place]] = []
        for track in self.tracks:
            for place in places:
                away = apart(track.place, place)
                if comparable(track.kind, place.kind) and away <= _REACH_MM[track.in_place]:
                    options.append((away, len(options), track, place))
        pairs: list[tuple[Track, Place]] = []
        tracks, used = set(), set()
        for _, _, track, place in sorted(options, key=lambda option: option[:2]):
            if track.number not in tracks and id(place) not in used:
                tracks.add(track.number)
                used.add(id(place))
                pairs.append((track, place))
        return pairs

    def _moved_to(self, track: Track, place: Place) -> None:
        moved = apart(track.place, place)
        turned = track.kind is Kind.CARD and _turned(track.place.angle, place.angle) > _STILL_RAD
        still = moved <= _STILL_MM and not turned
        if track.covered and track.known:
            if moved > _COVERED_DRIFT_MM:  # pushed along with what lies on it
                track.place = place
            return
        if still and track.settled:
            return
        track.place = place
        if not still:
            track.quad = None
            track.zone = track.zone if track.said is not None else self.zone_of(place)
            track.laid_as = self.next_order()
            track.held = False
            track.reopen(ask_again=True)

    def _newcomer(self, place: Place, look: Look) -> None:
        quad = place.quad
        if look.busy(quad):
            return
        if any(
            track.in_place and comparable(track.kind, place.kind) and overlap(track.place.quad, quad)[0] > _SAME_BOX
            for track in self.tracks
        ):
            return
        track = Track(self.next_number(), place.kind, place, self.zone_of(place), laid_as=self.next_order(), seen=True)
        self.tracks.append(track)

    def _changed(self, track: Track) -> None:
        """Count for how long it has been still, out of sight, or other than it was."""
        if track.busy:
            track.changed = 0
            return
        if track.same:
            track.missing = track.changed = 0
            return
        if track.covered and track.known:
            track.missing = track.changed = 0
            return
        if not (track.seen or (track.in_place and track.known)):
            track.missing += 1
            return
        if track.settled:
            track.changed += 1
            if track.changed >= (_CHANGED_IN_PLACE_AFTER if track.in_place else _CHANGED_AFTER):
                track.held = track.in_place
                track.reopen()

    def lies_on(self, other: Track, track: Track) -> bool:
        """Whether *other* came to lie over a part of *track*."""
        if other.laid_as <= track.laid_as or other.stranger or other.missing:
            return False
        if apart(other.place, track.place) > (other.place.long + track.place.long) / 2:
            return False
        one, two = other.place.quad, track.place.quad
        return overlap(one, two)[1] > _COVERS

    def only_under(self, covered: Track, by: Track) -> bool:
        """Whether nothing but *by* lies on *covered*."""
        return all(not self.lies_on(other, covered) for other in self.tracks if other not in (covered, by))

    def zone_of(self, place: Place) -> Zone | None:
        return self._layout.at(*place.centre)

    def next_number(self) -> int:
        self._numbers += 1
        return self._numbers

    def next_order(self) -> int:
        self._order += 1
        return self._order


def apart(one: Place, other: Place) -> float:
    """Millimetres between the middles."""
    return float(np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1]))


def _turned(one: float, other: float) -> float:
    """Between two box angles, radians 0 ... pi/2."""
    between = abs(one - other) % np.pi
    return float(min(between, np.pi - between))


def comparable(one: Kind, other: Kind) -> bool:
    """A round thing may be taken for another round thing, a card only for a card."""
    return (one is Kind.CARD) == (other is Kind.CARD)
