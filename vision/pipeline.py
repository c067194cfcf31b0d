"""The stages in order: table plane, movement, localiser, refiner, reader, tracker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.pieces import GNAV
from vision.appearance import Patch, patch_of
from vision.assignment import copies_of, copies_of_pack
from vision.changes import Changed, Changes
from vision.crops import Mips, Quad
from vision.eye import Models
from vision.frame import Frame, Pixels
from vision.labels import Kind, What
from vision.locate import TRAINED_PX_PER_MM, Place, of_possible_size, without_doubles
from vision.look import Glimpse
from vision.motion import Busy, Motion
from vision.observations import Corners, HandOver, Observation, Sighting, TableFound, TableLost
from vision.recognise import looked_at, turned
from vision.table_plane import Points, TablePlane, find_plane, project, still_there
from vision.track import Track
from vision.tracker import Tracker
from vision.zones import CARD_MM, Layout, Zone

_AROUND_MM = 30.0
"""The view shows this much beyond the mat: arms come in from there."""
_CHECK_EVERY_S = 1.0
_LOST_AFTER = 3
"""Checks in a row without the markers; a hand may lie over one for a moment."""
_DRIFT_MM = 3.0
_LOOK_AGAIN = 10
"""Even a table on which nothing moves is located anew after this many frames."""


class Pipeline:
    """Sees frames, one after the other, and says what happened on the mat."""

    def __init__(
        self,
        models: Models,
        layout: Layout,
        plane: TablePlane | None = None,
        *,
        copies: Mapping[What, int] | None = None,
        kinds: frozenset[Kind] | None = None,
    ) -> None:
        """*plane* fixes the mat by hand; without it the markers are looked for.

        *copies* and *kinds* say how many of each there are and what counts at all; they follow from the layout's game
        (a pack of cards, or two of each Gnav piece) when not given. ValueError when the models cannot read those kinds.
        """
        with_pieces = layout.game == "gnav"
        self._kinds = kinds or (frozenset({Kind.PIECE, Kind.CHIP}) if with_pieces else frozenset({Kind.CARD}))
        if models.pieces is None and self._kinds - {Kind.CARD}:
            raise ValueError("these models read no pieces: load them with pieces=True")
        self._models = models
        self._layout = layout
        self._plane = plane
        self._by_hand = plane is not None
        if copies is None:
            copies = copies_of(GNAV) if with_pieces else copies_of_pack()
        self._tracker = Tracker(layout, copies)
        self._motion = Motion()
        short, long = CARD_MM
        self._changes = Changes((short * TRAINED_PX_PER_MM, long * TRAINED_PX_PER_MM))
        self._hands: frozenset[Zone] = frozenset()
        self._checked_at = -np.inf
        self._misses = 0
        self._lost = False
        self._idle = 0

    @property
    def layout(self) -> Layout:
        """The zones of the mat."""
        return self._layout

    @property
    def plane(self) -> TablePlane | None:
        """Where the mat lies in the picture; None until it is found."""
        return self._plane

    @property
    def waiting(self) -> bool:
        """Whether another frame is wanted even if nothing moves: something is still being found out."""
        return self._plane is None or self._lost or self._tracker.waiting

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        """All that lies on the mat now, as far as it is known; leftovers of the deal before are not listed."""
        plane = self._plane
        if plane is None:
            return ()
        return tuple(_sighting(track, plane) for track in self._tracker.tracks if not track.leftover)

    def see(self, frame: Frame) -> tuple[Observation, ...]:
        """Take the next frame."""
        said = self._find_table(frame)
        if self._plane is None or self._lost:
            return tuple(said)
        window = _Window(self._plane)
        view, mips = window.of(frame.pixels)
        busy = self._motion.see(view)
        said += self._hands_over(busy, window)
        self._idle += 1
        if not (busy.anywhere or self._tracker.waiting) and self._idle < _LOOK_AGAIN:
            self._changes.settle(view)
            return tuple(said)
        self._idle = 0
        known = [window.to_view(quad) for quad in self._tracker.known_places]
        changed = self._changes.see(view)
        look = _FrameLook(
            frame.number, view, mips, busy, changed, known, window, self._plane, self._models, self._kinds
        )
        said += self._tracker.see(look)
        if not (busy.anywhere or self._tracker.waiting):
            self._changes.settle(view)
        return tuple(said)

    def told(self, track: int, what: What | None) -> tuple[Observation, ...]:
        """The dealer's answer to a Doubt, or his correction; None: nothing of ours lies there."""
        return self._tracker.told(track, what)

    def cleared(self) -> None:
        """A new deal: each card is there once more; what still lies on the mat counts no more until it moves away."""
        self._tracker.cleared()

    def _find_table(self, frame: Frame) -> list[Observation]:
        if self._by_hand or (self._plane is not None and frame.at - self._checked_at < _CHECK_EVERY_S):
            return []
        self._checked_at = frame.at
        width, height = self._layout.width_mm, self._layout.height_mm
        before = self._plane
        found = None if before is None else still_there(frame, before)
        if found is None:
            found = find_plane(frame, width, height)
        if found is None:
            self._misses += 1
            if self._lost or (before is not None and self._misses < _LOST_AFTER):
                return []
            self._lost = True
            return [TableLost("the four markers in the corners of the mat are not all seen")]
        moved = 0.0 if before is None else before.moved(found)
        news = before is None or self._lost
        self._misses, self._lost = 0, False
        if before is None or moved > _DRIFT_MM:
            self._plane = found
            self._motion.forget()
            self._changes.forget()
            news = True
        return [TableFound(moved)] if news else []

    def _hands_over(self, busy: Busy, window: _Window) -> list[Observation]:
        over = frozenset(
            zone for zone in self._layout if busy.hand.any() and busy.hand_over(window.to_view(np.array(zone.corners)))
        )
        came = [zone for zone in self._layout if zone in over - self._hands]
        self._hands = over
        return [HandOver(zone) for zone in came]


class _Window:
    """The mat seen straight from above at the scale the localiser was trained at, and a little around it."""

    def __init__(self, plane: TablePlane) -> None:
        self._plane = plane
        self._shift = _AROUND_MM * TRAINED_PX_PER_MM
        self.width = round((plane.width_mm + 2 * _AROUND_MM) * TRAINED_PX_PER_MM)
        self.height = round((plane.height_mm + 2 * _AROUND_MM) * TRAINED_PX_PER_MM)

    def of(self, pixels: Pixels) -> tuple[Pixels, Mips]:
        """The view of the mat, and the whole picture ready to be cut from."""
        mips = Mips(pixels)
        scale = TRAINED_PX_PER_MM
        from_mm = np.array([[scale, 0, self._shift], [0, scale, self._shift], [0, 0, 1]])
        finer = self._plane.px_per_mm / scale
        return mips.cut(from_mm @ self._plane.mm_from_px, self.width, self.height, finer), mips

    def to_view(self, points_mm: Points) -> Points:
        return np.asarray(points_mm * TRAINED_PX_PER_MM + self._shift, np.float64)

    def to_mm(self, place: Place) -> Place:
        return place.scaled(1 / TRAINED_PX_PER_MM, (-_AROUND_MM, -_AROUND_MM))


@dataclass(slots=True, eq=False)
class _FrameLook:
    """One frame for the tracker."""

    number: int
    view: Pixels
    mips: Mips
    movement: Busy
    changed: Changed
    known: Sequence[Quad]
    """Where something lies that was read before."""
    window: _Window
    plane: TablePlane
    models: Models
    kinds: frozenset[Kind]

    @property
    def places(self) -> Sequence[Place]:
        found = of_possible_size(self.models.locator.locate(self.view), TRAINED_PX_PER_MM)
        found = tuple(place for place in found if place.kind in self.kinds)
        if Kind.CARD in self.kinds:
            found = self.changed.weigh(found, self.known)
        if Kind.PIECE in self.kinds:
            found = (*found, *self.changed.rounds(found))
        found = tuple(self.window.to_mm(place) for place in found)
        return tuple(place for place in without_doubles(found) if self._on_mat(place))

    @property
    def busy_anywhere(self) -> bool:
        return self.movement.anywhere

    def busy(self, quad: Quad) -> bool:
        return self.movement.covers(self.window.to_view(quad))

    def patch(self, quad: Quad) -> Patch:
        return patch_of(self.view, self.window.to_view(quad))

    def read(self, places: Sequence[Place]) -> list[Glimpse]:
        to_px = self.plane.px_from_mm
        cards = [number for number, place in enumerate(places) if place.kind is Kind.CARD]
        rounds = [number for number, place in enumerate(places) if place.kind is not Kind.CARD]
        glimpses: dict[int, Glimpse] = {}
        rough = [_in_picture(places[number], to_px) for number in cards]
        quads = self.models.refiner.refine(self.mips, rough)
        looks = self.models.cards.read(self.mips, [looked_at(quad, self.number) for quad in quads])
        for number, quad, evidence in zip(cards, quads, looks, strict=True):
            glimpses[number] = Glimpse(evidence, self.plane.to_mm(quad))
        if rounds and self.models.pieces is not None:
            quads = [project(to_px, places[number].quad) for number in rounds]
            looks = self.models.pieces.read(self.mips, [turned(quad, self.number) for quad in quads])
            for number, quad, evidence in zip(rounds, quads, looks, strict=True):
                glimpses[number] = Glimpse(evidence, self.plane.to_mm(quad))
        return [glimpses[number] for number in range(len(places))]

    def _on_mat(self, place: Place) -> bool:
        x, y = place.centre
        return 0 <= x < self.plane.width_mm and 0 <= y < self.plane.height_mm


def _in_picture(place: Place, to_px: NDArray[np.float64]) -> Place:
    """The same place as a turned box of the camera's picture, the mat being nearly flat to the camera."""
    quad = project(to_px, place.quad)
    right, down = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    middle = quad.mean(axis=0)
    return replace(
        place,
        centre=(float(middle[0]), float(middle[1])),
        short=float(np.linalg.norm(right)),
        long=float(np.linalg.norm(down)),
        angle=float(np.arctan2(-down[1], -down[0])),
    )


def _sighting(track: Track, plane: TablePlane) -> Sighting:
    corners = plane.to_px(track.outline)
    points: Corners = tuple((float(x), float(y)) for x, y in corners)  # type: ignore[assignment]
    return Sighting(
        track.number,
        track.kind,
        track.what,
        track.state,
        track.confidence,
        track.zone,
        points,
        track.place.centre,
        track.busy or track.covered,
    )
