"""Follow things from frame to frame and say, once and only when sure, what happened to them.

A thing is read while it lies still with no hand over it; its looks are added up (`track.py`) and weighed against
what else lies there (`assignment.py`). Once accepted it is left alone until it moves or looks otherwise. Nothing
here knows a camera: a frame is asked through `Look`, so that a test can be a table of lines.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import replace

from vision.appearance import Patch
from vision.assignment import together
from vision.crops import Quad
from vision.follow import Follower, apart, comparable
from vision.labels import BACK, NONE, Kind, What, shows_face
from vision.look import Look
from vision.observations import Doubt, Moved, Observation, Removed, SceneSettled, State, Turned, laid
from vision.track import LEAST_VOTES, MOST_VOTES, SURE, Track
from vision.zones import Layout, Zone

_GONE_AFTER = 3
_CONTENDER = 0.2
"""What counting alone may make of a thing must have been this probable by its own look, ..."""
_CONTENDER_VOTES = 5
"""... in so many looks."""
_LEAST_LOOK = 0.6
"""Mean probability that single looks must give: many doubtful looks do not make a sure one."""
_CLEAR_LOOK = 0.85
"""... so that counting on it may tell others apart."""
_QUIET_FRAMES = 2
_READS_A_FRAME = 8
_BACK_MM = 150.0
"""How far a face-down thing may be pushed out of sight of the frames and still be the same."""


class Tracker:
    """Deterministic: the same looks give the same observations."""

    def __init__(self, layout: Layout, copies: Mapping[What, int]) -> None:
        """*copies*: how many of each card or piece there are; a name not in it is not limited."""
        self._follower = Follower(layout)
        self._copies = dict(copies)
        self._gone: list[Track] = []
        self._vacated: list[Quad] = []
        self._settled = False
        self._quiet = 0

    @property
    def _tracks(self) -> list[Track]:
        return self._follower.tracks

    @property
    def tracks(self) -> tuple[Track, ...]:
        """All that lies there or is remembered under something; strangers left out."""
        return tuple(track for track in self._tracks if not track.stranger)

    @property
    def known_places(self) -> tuple[Quad, ...]:
        """Where something lies that was read, or lay since the scene last settled; millimetres."""
        return (*(track.place.quad for track in self._tracks if track.known), *self._vacated)

    @property
    def waiting(self) -> bool:
        """Whether something is still being found out, so that even a still frame must be looked at."""
        return not self._settled

    def see(self, look: Look) -> tuple[Observation, ...]:
        """Take the next frame."""
        said: list[Observation] = []
        self._follower.follow(look)
        for track in [one for one in self._tracks if one.missing >= _GONE_AFTER]:
            if not self._may_have_moved(track):
                said += self._gone_from(track)
        self._read(look)
        said += self._decide(look)
        said += self._settle(look)
        return tuple(said)

    def told(self, number: int, what: What | None) -> tuple[Observation, ...]:
        """The dealer says what track *number* is; None when nothing of ours lies there.

        An answer about a thing that has been taken away meanwhile says nothing.
        """
        track = next((one for one in self._tracks if one.number == number), None)
        if track is None:
            return ()
        track.asked = False
        if what is None or what == NONE:
            said = [Removed(track.zone, track.said, number)] if track.said is not None and not track.leftover else []
            track.said, track.what, track.stranger = None, None, True
            return tuple(said)
        track.not_this = track.not_this - {what}
        if track.said not in (None, what, BACK):  # a wrong reading put right, not another card laid
            track.not_this = track.not_this | {track.said}
        for other in self._twins(track, what)[: self._excess(track, what)]:
            other.not_this = other.not_this | {what}
            other.reopen(ask_again=True)
            self._settled = False
        track.confidence, track.clear = 1.0, True
        return tuple(self._accept(track, what, track.patch))

    def cleared(self) -> None:
        """A new deal: what still lies there is left over from the old one and counts no more."""
        self._gone.clear()
        self._tracks[:] = [track for track in self._tracks if track.said is not None or track.stranger]
        for track in self._tracks:
            track.leftover = True
            track.asked = False
            track.not_this = frozenset()

    # following

    def _may_have_moved(self, track: Track) -> bool:
        """Whether something is being read just now that may turn out to be *track*, laid elsewhere."""
        return track.said is not None and any(
            other.said is None and not other.settled and not other.missing and comparable(other.kind, track.kind)
            for other in self._tracks
        )

    def _gone_from(self, track: Track) -> list[Observation]:
        self._tracks.remove(track)
        self._vacated.append(track.place.quad)
        if track.leftover:
            return []
        if track.said is None:
            return [Removed(track.zone, NONE, track.number)] if track.asked else []
        self._gone.append(track)
        return [Removed(track.zone, track.said, track.number)]

    # reading

    def _read(self, look: Look) -> None:
        wanted = [
            track
            for track in self._tracks
            if (track.seen or track.in_place) and not track.busy and not track.settled and len(track.votes) < MOST_VOTES
        ]
        wanted.sort(key=lambda track: (len(track.votes), track.number))
        wanted = wanted[:_READS_A_FRAME]
        for track, glimpse in zip(wanted, look.read([track.place for track in wanted]), strict=True):
            track.votes.append(glimpse.evidence)
            track.quad = glimpse.quad

    # deciding

    def _decide(self, look: Look) -> list[Observation]:
        unsure = [
            track
            for track in self._tracks
            if len(track.votes) >= LEAST_VOTES and not track.stranger and track.state is not State.ACCEPTED
        ]
        if not unsure:
            return []
        certain = Counter(
            track.said
            for track in self._tracks
            if self._counts(track) and track.clear and (track.in_place or track.seen) and track.said
        )
        alone = [track.verdict() for track in unsure]
        said: list[Observation] = []
        for track, mine, shares in zip(unsure, alone, together(alone, self._copies, certain), strict=True):
            said += self._judge(track, mine, shares, look)
        return said

    def _judge(
        self, track: Track, alone: dict[What, float], shares: dict[What, float], look: Look
    ) -> list[Observation]:
        what, share = next(iter(shares.items()))
        track.confidence = share * track.look_of(what)
        if track.said is None:
            track.what = what
        full = len(track.votes) >= MOST_VOTES
        agreed = (track.agreeing(what) >= LEAST_VOTES and track.look_of(what) >= _LEAST_LOOK) or (
            len(track.votes) >= _CONTENDER_VOTES and alone.get(what, 0.0) >= _CONTENDER
        )
        sure = share > SURE and agreed
        if track.held and track.said is not None and (what == NONE if sure else full):
            self._now_lies(track, track.said, track.zone, look.patch(track.place.quad))
            return []
        if sure:
            if what == NONE:
                return self._strange(track, look)
            twin = self._standing_twin(track, what)
            if twin is None:
                track.confidence = share
                track.clear = track.look_of(what) >= _CLEAR_LOOK
                return self._accept(track, what, look.patch(track.place.quad))
            if twin.busy or not full:
                return []
            return self._doubt(track, shares, f"{what} lies already{_where(twin.zone)}", look, twin.number)
        if not full:
            return []
        if alone.get(NONE, 0.0) >= 0.5:
            return self._strange(track, look)
        twin = self._standing_twin(track, what)
        return self._doubt(track, shares, "it cannot be told from here", look, twin.number if twin else None)

    def _strange(self, track: Track, look: Look) -> list[Observation]:
        """It is none of our things after all."""
        said: list[Observation] = []
        if track.said is not None:  # what lay here is gone; this is something else
            said = self._gone_from(track)
            track = Track(self._follower.next_number(), track.kind, track.place, track.zone, laid_as=track.laid_as)
            self._tracks.append(track)
        track.stranger = True
        track.what = None
        track.patch = look.patch(track.place.quad)
        return said

    def _doubt(
        self, track: Track, shares: dict[What, float], why: str, look: Look, twin: int | None
    ) -> list[Observation]:
        if track.state is not State.DOUBTFUL:
            track.state = State.DOUBTFUL
            track.patch = look.patch(track.place.quad)
        if track.asked:
            return []
        track.asked = True
        track.zone = self._follower.zone_of(track.place)
        candidates = tuple((what, share) for what, share in list(shares.items())[:4] if share >= 0.001)
        return [Doubt(track.zone, track.number, candidates, why, twin)]

    def _accept(self, track: Track, what: What, patch: Patch | None) -> list[Observation]:
        zone = self._follower.zone_of(track.place)
        was = track.said
        said: list[Observation] = []
        if was is None:
            former = self._former(track, what)
            if former is not None:
                return self._come_back(track, former, what, patch)
            track.leftover = False  # nothing of ours lay here when the deal began
            said.append(laid(zone, track.kind, what, track.number))
        elif was == what:
            if zone != track.zone and not track.leftover:
                said.append(Moved(what, track.zone, zone, track.number))
        elif BACK in (was, what):
            if not (track.leftover and what == BACK):
                said.append(Turned(zone, was, what, track.number))
            if what != BACK:
                said.append(laid(zone, track.kind, what, track.number))
                track.leftover = False
        elif was in track.not_this:
            said += [Removed(track.zone, was, track.number), laid(zone, track.kind, what, track.number)]
        else:
            return self._replaced(track, what, patch)
        self._now_lies(track, what, zone, patch)
        return said

    def _now_lies(self, track: Track, what: What, zone: Zone | None, patch: Patch | None) -> None:
        track.what = track.said = what
        track.zone = zone
        track.state = State.ACCEPTED
        track.asked = False
        track.patch = patch
        track.home = track.place
        track.changed = track.missing = 0
        track.held = False

    def _replaced(self, track: Track, what: What, patch: Patch | None) -> list[Observation]:
        """Another face where one lay: laid on top of it, or in its stead."""
        new = replace(
            track,
            number=self._follower.next_number(),
            said=None,
            not_this=frozenset(),
            leftover=False,
            laid_as=self._follower.next_order(),
        )
        self._tracks.append(new)
        said: list[Observation] = []
        if track.kind is Kind.CARD and track.home is not None:
            # it may lie beneath: remembered where it lay, until its place is seen without it
            track.place, track.quad = track.home, None
            track.state = State.ACCEPTED
            track.what = track.said
            track.votes = deque(maxlen=MOST_VOTES)
        else:
            self._tracks.remove(track)
            if not track.leftover and track.said is not None:
                self._gone.append(track)
                said.append(Removed(track.zone, track.said, track.number))
        return said + self._accept(new, what, patch)

    def _former(self, track: Track, what: What) -> Track | None:
        """The thing that was here before and is now seen again: the same card, or the same piece or back nearby."""
        lost = [
            other
            for other in self._tracks
            if other is not track
            and other.said == what
            and not (other.leftover or other.seen or other.in_place or other.busy)
            and (not other.covered or self._follower.only_under(other, track))
        ]
        lost += [other for other in self._gone if other.said == what]
        if what == BACK:
            lost = [other for other in lost if other.kind is track.kind and apart(other.place, track.place) < _BACK_MM]
        return min(lost, key=lambda other: (other.zone != track.zone, apart(other.place, track.place)), default=None)

    def _come_back(self, track: Track, former: Track, what: What, patch: Patch | None) -> list[Observation]:
        zone = self._follower.zone_of(track.place)
        self._tracks.remove(track)
        said: list[Observation] = []
        if former in self._gone:
            self._gone.remove(former)
            self._tracks.append(former)
            said.append(laid(zone, track.kind, what, former.number))
        elif zone != former.zone:
            said.append(Moved(what, former.zone, zone, former.number))
        former.place, former.quad, former.votes = track.place, track.quad, track.votes
        former.confidence, former.clear, former.laid_as = track.confidence, track.clear, track.laid_as
        former.stranger = False
        self._now_lies(former, what, zone, patch)
        return said

    def _settle(self, look: Look) -> list[Observation]:
        quiet = not look.busy_anywhere and all(track.settled and not track.missing for track in self._tracks)
        self._quiet = self._quiet + 1 if quiet else 0
        if not quiet:
            self._settled = False
        elif not self._settled and self._quiet >= _QUIET_FRAMES:
            self._settled = True
            self._vacated.clear()
            return [SceneSettled(look.number)]
        return []

    # asking the table

    def _counts(self, track: Track) -> bool:
        return (
            track.state is State.ACCEPTED and not track.leftover and track.said is not None and shows_face(track.said)
        )

    def _twins(self, track: Track, what: What) -> list[Track]:
        """Others that are taken for *what*, the newest first."""
        found = [other for other in self._tracks if other is not track and self._counts(other) and other.said == what]
        return sorted(found, key=lambda other: -other.laid_as)

    def _excess(self, track: Track, what: What) -> int:
        """How many too many there would be, were *track* one more *what*."""
        return max(0, len(self._twins(track, what)) + 1 - self._copies[what]) if what in self._copies else 0

    def _standing_twin(self, track: Track, what: What) -> Track | None:
        """One that is *what* for certain and leaves no copy for *track*; None when it may be *track* itself."""
        twins = self._twins(track, what)
        elsewhere = [one for one in twins if not (one.seen or one.in_place or one.busy)]
        movable = [one for one in elsewhere if not one.covered or self._follower.only_under(one, track)]
        excess = self._excess(track, what) - len(movable)
        standing = [one for one in twins if one not in movable]
        return standing[0] if excess > 0 and standing else None


def _where(zone: Zone | None) -> str:
    return "" if zone is None else f" at {zone}"
