"""The zones of every mat: apart, inside, roomy enough, and clockwise from the bottom left."""

from __future__ import annotations

import numpy as np
import pytest

from engine.seats import Seat
from vision.table_plane import marker_corners_mm
from vision.zones import CARD_MM, FAN_STEP_MM, Layout, Zone, ZoneKind, layout

MATS = [("gurka", seats) for seats in range(2, 9)] + [("gnav", seats) for seats in range(2, 21)]
SIZES = [(1100.0, 650.0), (1200.0, 800.0)]


@pytest.fixture(params=[(*mat, *size) for mat in MATS for size in SIZES], ids=str)
def mat(request: pytest.FixtureRequest) -> Layout:
    return layout(*request.param)


def test_zones_lie_apart_on_the_mat_and_off_the_markers(mat: Layout) -> None:
    markers = marker_corners_mm(mat.width_mm, mat.height_mm)
    blocked = [(*m.min(axis=0), *m.max(axis=0)) for m in markers]
    boxes = [(zone.left, zone.top, zone.right, zone.bottom) for zone in mat]
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left < right <= mat.width_mm
        assert 0 <= top < bottom <= mat.height_mm
        for other in blocked + boxes[number + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, (mat.zones[number], other)


def test_every_seat_has_one_zone_and_they_go_clockwise(mat: Layout) -> None:
    seated = [zone for zone in mat if zone.seat is not None]
    assert [zone.seat for zone in seated] == list(range(1, mat.seats + 1))
    middle = np.array([mat.width_mm, mat.height_mm]) / 2
    angles = [np.arctan2(*(np.array(zone.centre) - middle)[::-1]) for zone in seated]
    steps = np.diff(angles) % (2 * np.pi)  # y points down: growing angles go clockwise as seen
    assert np.all(steps > 0)
    assert steps.sum() < 2 * np.pi, "once round and no more"
    first = seated[0]
    assert first.turn_deg == 0
    below = [zone for zone in seated if zone.turn_deg == 0]
    assert first.centre[0] == min(zone.centre[0] for zone in below)


def test_a_point_is_in_its_zone(mat: Layout) -> None:
    for zone in mat:
        assert mat.at(*zone.centre) == zone
        assert mat.zone(zone.kind, zone.seat) == zone
    assert mat.at(-5, -5) is None


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_fan_of_six_cards_fits_before_every_seat(seats: int) -> None:
    for zone in layout("gurka", seats):
        along, deep = _as_sat_before(zone)
        assert along >= CARD_MM[0] + 5 * FAN_STEP_MM
        assert deep >= CARD_MM[1]


def test_gnav_has_a_pile_and_a_place_aside() -> None:
    mat = layout("gnav", 20)
    assert mat.zone(ZoneKind.PILE).name == "pile"
    assert mat.zone(ZoneKind.ASIDE).name == "aside"
    assert mat.zone(ZoneKind.SPOT, Seat(20)).name == "spot 20"


@pytest.mark.parametrize(
    ("game", "seats", "size", "names"),
    [
        ("whist", 4, (1100, 650), "whist"),
        ("gurka", 9, (1100, 650), "2 to 8 seats"),
        ("gurka", 1, (1100, 650), "2 to 8 seats"),
        ("gnav", 21, (1100, 650), "2 to 20 seats"),
        ("gurka", 8, (700, 400), "does not fit on 700 x 400 mm"),
        ("gnav", 20, (600, 350), "does not fit"),
    ],
)
def test_a_mat_that_cannot_be(game: str, seats: int, size: tuple[float, float], names: str) -> None:
    with pytest.raises(ValueError, match=names):
        layout(game, seats, *size)


def test_a_zone_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no zone pile"):
        layout("gurka", 4).zone(ZoneKind.PILE)


def _as_sat_before(zone: Zone) -> tuple[float, float]:
    sides = zone.right - zone.left, zone.bottom - zone.top
    return sides if zone.turn_deg in (0, 180) else sides[::-1]
