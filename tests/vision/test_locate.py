"""From heat and geometry planes to places: peaks, angles, doubles, sizes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.crops import area
from vision.labels import KINDS, Kind
from vision.locate import Place, of_possible_size, places, without_doubles


def planes(*things: Place, size: tuple[int, int] = (136, 96)) -> tuple[np.ndarray, np.ndarray]:
    """What a perfect localiser gives for *things*, in cells of four pixels."""
    heat = np.full((4, size[1], size[0]), 0.01, np.float32)
    geometry = np.zeros((6, size[1], size[0]), np.float32)
    for thing in things:
        column, row = int(thing.centre[0] // 4), int(thing.centre[1] // 4)
        kind = KINDS.index(thing.kind)
        heat[kind, row - 1 : row + 2, column - 1 : column + 2] = thing.score / 2
        heat[kind, row, column] = thing.score
        geometry[:, row, column] = [
            thing.centre[0] / 4 - column,
            thing.centre[1] / 4 - row,
            np.log(thing.short),
            np.log(thing.long),
            np.cos(2 * thing.angle),
            np.sin(2 * thing.angle),
        ]
    return heat, geometry


def card(x: float, y: float, angle: float = 0.3, score: float = 0.9) -> Place:
    return Place(Kind.CARD, score, (x, y), 31.5, 44.0, angle)


@settings(max_examples=60, deadline=None)
@given(st.floats(40, 480), st.floats(40, 330), st.floats(-1.57, 1.57), st.sampled_from(KINDS))
def test_what_the_net_says_is_what_is_found(x: float, y: float, angle: float, kind: Kind) -> None:
    thing = Place(kind, 0.8, (x, y), 30.0, 43.0, angle)
    (found,) = places(*planes(thing))
    assert found.kind is kind
    assert found.score == pytest.approx(0.8)
    assert np.allclose(found.centre, thing.centre, atol=1e-3)
    assert np.allclose([found.short, found.long], [30, 43], atol=1e-2)
    assert np.cos(2 * (found.angle - angle)) == pytest.approx(1, abs=1e-5)
    assert -np.pi / 2 < found.angle <= np.pi / 2 + 1e-9


def test_the_strongest_first_and_the_weak_not_at_all() -> None:
    found = places(*planes(card(100, 100, score=0.5), card(200, 100, score=0.9), card(300, 100, score=0.2)))
    assert [one.score for one in found] == pytest.approx([0.9, 0.5])


def test_padding_holds_nothing() -> None:
    heat, geometry = planes(card(100, 100), card(500, 300))
    assert len(places(heat, geometry, inside=(480, 384))) == 1


def test_a_box_that_lies_the_other_way_is_turned() -> None:
    wide = Place(Kind.CARD, 0.9, (100, 100), 44.0, 31.5, 0.0)
    (found,) = places(*planes(wide))
    assert (found.short, found.long) == pytest.approx((31.5, 44.0), abs=1e-3)
    assert abs(found.angle) == pytest.approx(np.pi / 2)


def test_doubles_go_but_a_fan_stays() -> None:
    """Thirty millimetres apart, fifteen pixels: two cards. Four pixels apart: one card seen twice."""
    fan = [card(100 + 15 * step, 100, angle=np.pi / 2, score=0.9 - 0.01 * step) for step in range(6)]
    doubles = [card(104, 101, angle=np.pi / 2 - 0.05, score=0.4)]
    assert without_doubles(fan + doubles) == tuple(fan)


def test_a_piece_and_a_chip_on_one_spot_are_one_thing() -> None:
    piece = Place(Kind.PIECE, 0.8, (50, 50), 18, 18, 0.0)
    chip = Place(Kind.CHIP, 0.6, (52, 50), 19, 19, 0.4)
    far = Place(Kind.CHIP, 0.6, (75, 50), 19, 19, 0.4)
    assert without_doubles([chip, piece, far]) == (piece, far)


def test_sizes_that_no_card_has() -> None:
    big = Place(Kind.CARD, 0.9, (50, 50), 60, 90, 0.0)
    small = Place(Kind.CARD, 0.9, (50, 50), 12, 20, 0.0)
    assert of_possible_size([big, card(20, 20), small], 0.5) == (card(20, 20),)


def test_the_quad_of_a_place_is_clockwise_and_scaled() -> None:
    place = card(20, 30)
    assert area(place.quad) == pytest.approx(31.5 * 44.0)
    assert np.allclose(place.scaled(2, (1, 3)).quad, place.quad * 2 + [1, 3])
