"""Where things are laid: the named zones of a mat, in millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from engine.seats import Seat
from vision.table_plane import MARKER_INSET_MM, MARKER_MM, MAT_HEIGHT_MM, MAT_WIDTH_MM

CARD_MM = (63.0, 88.0)
"""Short and long side of a poker card; bridge cards (57 mm) fit too."""
FAN_STEP_MM = 30.0
"""How far apart a player lays his cards, so that each index is seen."""
_EDGE_MM = 12.0
_GAP_MM = 10.0


class ZoneKind(StrEnum):
    SEAT = "seat"
    """Where a player of a card game lays his cards."""
    SPOT = "spot"
    """Where a player's Gnav piece lies."""
    ASIDE = "aside"
    """Where the piece lies that the dealer changed away."""
    PILE = "pile"
    """The bag or the stock."""


@dataclass(frozen=True, slots=True)
class Zone:
    """An upright rectangle on the mat: x right, y down as the camera sees it, origin at the mat's top left."""

    kind: ZoneKind
    seat: Seat | None
    left: float
    top: float
    right: float
    bottom: float
    turn_deg: int = 0
    """How the player sits: 0 below, 90 at the left, 180 above, 270 at the right edge (clockwise, as seats go)."""

    def __contains__(self, point: tuple[float, float]) -> bool:
        x, y = point
        return self.left <= x < self.right and self.top <= y < self.bottom

    @property
    def centre(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Clockwise from the top left."""
        return (
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        )

    @property
    def name(self) -> str:
        """``seat 3``, ``spot 12``, ``aside``, ``pile``."""
        return self.kind.value if self.seat is None else f"{self.kind.value} {self.seat}"

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Layout:
    """The zones of one game for one number of seats on one mat; no two of them overlap."""

    game: str
    seats: int
    width_mm: float
    height_mm: float
    zones: tuple[Zone, ...]

    def __iter__(self) -> Iterator[Zone]:
        return iter(self.zones)

    def at(self, x_mm: float, y_mm: float) -> Zone | None:
        """The zone that holds this point, None outside all of them."""
        return next((zone for zone in self.zones if (x_mm, y_mm) in zone), None)

    def zone(self, kind: ZoneKind, seat: Seat | None = None) -> Zone:
        """The zone of this kind (and seat); ValueError when this layout has none."""
        for zone in self.zones:
            if zone.kind is kind and zone.seat == seat:
                return zone
        raise ValueError(f"the {self.game} mat for {self.seats} has no zone {kind.value} {seat or ''}".rstrip())


def layout(game: str, seats: int, width_mm: float = MAT_WIDTH_MM, height_mm: float = MAT_HEIGHT_MM) -> Layout:
    """The zones of *game* for *seats* players; seat 1 at the bottom left, clockwise seen from above.

    ValueError when the game has no mat, the number of seats is not one it is played with, or the mat is too small.
    """
    shape = _SHAPES.get(game)
    if shape is None:
        raise ValueError(f"no mat for {game!r}; there is one for {', '.join(_SHAPES)}")
    if not 2 <= seats <= shape.most_seats:
        raise ValueError(f"{game} has a mat for 2 to {shape.most_seats} seats, not {seats}")
    zones = _round_the_edge(shape, seats, width_mm, height_mm) + _middle(shape, width_mm, height_mm)
    found = Layout(game, seats, width_mm, height_mm, zones)
    _check(found)
    return found


@dataclass(frozen=True, slots=True)
class _Shape:
    kind: ZoneKind
    most_seats: int
    along: float
    """Millimetres along the edge that the zone must have."""
    widest: float
    """... and may have."""
    deep: float
    middle: tuple[tuple[ZoneKind, float, float], ...] = ()


_SHAPES = {
    "gurka": _Shape(ZoneKind.SEAT, 8, along=CARD_MM[0] + 5 * FAN_STEP_MM + 12, widest=330.0, deep=CARD_MM[1] + 32),
    "gnav": _Shape(
        ZoneKind.SPOT,
        20,
        along=80.0,
        widest=120.0,
        deep=90.0,
        middle=((ZoneKind.PILE, 170.0, 150.0), (ZoneKind.ASIDE, 170.0, 110.0)),
    ),
}


def _round_the_edge(shape: _Shape, seats: int, width: float, height: float) -> tuple[Zone, ...]:
    corner = MARKER_INSET_MM + MARKER_MM + 2 * _GAP_MM
    across = width - 2 * corner
    down = height - 2 * (_EDGE_MM + shape.deep + _GAP_MM)  # between the rows above and below
    below, left, above, right = _sides(shape, seats, across, down)
    order = (
        [(0, 0, below)]
        + [(90, place, left) for place in reversed(range(left))]
        + [(180, place, above) for place in range(above)]
        + [(270, place, right) for place in range(right)]
        + [(0, place, below) for place in reversed(range(1, below))]
    )
    zones = []
    for number, (turn, place, count) in enumerate(order, start=1):
        room = across if turn in (0, 180) else down
        start = corner if turn in (0, 180) else (height - down) / 2
        share = room / count
        size = min(shape.widest, share - _GAP_MM)
        low = start + share * (place + 0.5) - size / 2
        near = _EDGE_MM if turn in (90, 180) else (height if turn == 0 else width) - _EDGE_MM - shape.deep
        if turn in (0, 180):
            box = (low, near, low + size, near + shape.deep)
        else:
            box = (near, low, near + shape.deep, low + size)
        zones.append(Zone(shape.kind, Seat(number), *box, turn_deg=turn))
    return tuple(zones)


def _sides(shape: _Shape, seats: int, across: float, down: float) -> tuple[int, int, int, int]:
    """How many sit below, at the left, above and at the right: as roomy as the two lengths allow, and even."""

    def room(split: tuple[int, int, int, int]) -> tuple[float, int, int]:
        below, left, above, right = split
        widths = [across / n for n in (below, above) if n] + [down / n for n in (left, right) if n]
        roomy = min(min(widths) - _GAP_MM, shape.widest)
        return roomy, -abs(below - above) - abs(left - right), below - above

    splits = [
        (below, left, seats - below - left - right, right)
        for below in range(1, seats)
        for left in range(seats - below)
        for right in range(seats - below - left)
    ]
    return max(splits, key=room)


def _middle(shape: _Shape, width: float, height: float) -> tuple[Zone, ...]:
    total = sum(one[1] for one in shape.middle) + 4 * _GAP_MM * (len(shape.middle) - 1)
    x = (width - total) / 2
    zones = []
    for kind, wide, tall in shape.middle:
        zones.append(Zone(kind, None, x, (height - tall) / 2, x + wide, (height + tall) / 2))
        x += wide + 4 * _GAP_MM
    return tuple(zones)


def _check(found: Layout) -> None:
    shape = _SHAPES[found.game]
    wanted = f"the {found.game} mat for {found.seats} does not fit on {found.width_mm:g} x {found.height_mm:g} mm"
    for zone in found.zones:
        along = zone.right - zone.left if zone.turn_deg in (0, 180) else zone.bottom - zone.top
        if zone.seat is not None and along < shape.along:
            raise ValueError(f"{wanted}: {zone} would be {along:.0f} mm wide, it needs {shape.along:.0f}")
        inside = zone.left >= 0 and zone.top >= 0 and zone.right <= found.width_mm and zone.bottom <= found.height_mm
        if not inside:
            raise ValueError(f"{wanted}: {zone} would hang over the edge")
    for number, one in enumerate(found.zones):
        for other in found.zones[number + 1 :]:
            if one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom:
                raise ValueError(f"{wanted}: {one} and {other} would overlap")
