"""What the eye says: where things lie now (sightings), and what has happened on the table (observations)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.cards import Card
from vision.labels import BACK, Kind, What, shows_face
from vision.zones import Zone

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four points in camera pixels, clockwise as seen; for a face that was read, its top left first."""


class State(StrEnum):
    PROVISIONAL = "provisional"
    """Not sure yet, or moving."""
    ACCEPTED = "accepted"
    DOUBTFUL = "doubtful"
    """The dealer was asked."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One thing that lies on the table, as far as it is known now; for pages and pictures."""

    track: int
    """The same number as long as it is the same thing."""
    kind: Kind
    what: What | None
    """None while nothing can be said."""
    state: State
    confidence: float
    """0 ... 1."""
    zone: Zone | None
    """None when it lies in no zone."""
    corners_px: Corners
    centre_mm: tuple[float, float]
    covered: bool = False
    """Another thing or a hand is over it: remembered, not seen."""

    @property
    def face_up(self) -> bool:
        return shows_face(self.what)


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card shows its face in *zone*: newly laid, or turned up where it lay."""

    zone: Zone | None
    card: Card
    track: int


@dataclass(frozen=True, slots=True)
class PieceLaid:
    """A Gnav piece shows its face in *zone*: newly laid, or turned up where it lay."""

    zone: Zone | None
    piece: str
    track: int


@dataclass(frozen=True, slots=True)
class BackLaid:
    """A card or piece was laid face down in *zone*."""

    zone: Zone | None
    kind: Kind
    track: int


@dataclass(frozen=True, slots=True)
class Turned:
    """What lay in *zone* was turned over; when *now* is a face, CardLaid or PieceLaid follows at once."""

    zone: Zone | None
    was: What
    now: What
    track: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A thing whose face (or back) was known now lies in another zone, or in none."""

    what: What
    from_zone: Zone | None
    to_zone: Zone | None
    track: int


@dataclass(frozen=True, slots=True)
class Removed:
    """It is no longer on the table (or no longer where it can be seen). Laid again it keeps its track."""

    zone: Zone | None
    what: What
    track: int


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something lies in *zone* that could not be told: ask the dealer, never guess.

    A later CardLaid, PieceLaid or Removed of the same track answers it; so does `Pipeline.told`.
    """

    zone: Zone | None
    track: int
    candidates: tuple[tuple[What, float], ...]
    """What it may be and how probable, most probable first; at most four."""
    why: str
    twin: int | None = None
    """The track that already shows the most probable candidate, when that is why."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand reached in over *zone*; said once, when it comes."""

    zone: Zone


@dataclass(frozen=True, slots=True)
class SceneSettled:
    """Nothing moves, no hand is over the mat, and all that lies there is accepted or was asked about."""

    frame: int


@dataclass(frozen=True, slots=True)
class TableLost:
    """The mat cannot be found: nothing is read until TableFound."""

    why: str


@dataclass(frozen=True, slots=True)
class TableFound:
    """The mat is seen (again); *moved_mm* is how far it was from where it was before, 0.0 the first time."""

    moved_mm: float = 0.0


Observation = (
    CardLaid
    | PieceLaid
    | BackLaid
    | Turned
    | Moved
    | Removed
    | Doubt
    | HandOver
    | SceneSettled
    | TableLost
    | TableFound
)


def laid(zone: Zone | None, kind: Kind, what: What, track: int) -> CardLaid | PieceLaid | BackLaid:
    """The observation that *what* now lies in *zone*."""
    match what:
        case Card():
            return CardLaid(zone, what, track)
        case str() if what == BACK:
            return BackLaid(zone, kind, track)
        case str():
            return PieceLaid(zone, what, track)
