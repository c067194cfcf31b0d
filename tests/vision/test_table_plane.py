"""Millimetres from pixels: by the printed markers, by clicked corners, and whether the mat has moved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.frame import Frame, Pixels
from vision.render import Hand, Mat, Scene, View, over_table, render
from vision.render.mats import marker_corners_mm as printed_mm
from vision.table_plane import TablePlane, find_plane, marker_corners_mm, still_there

CORNERS = np.array([[0, 0], [1100, 0], [1100, 650], [0, 650]], float)


def shot(view: View, mat: Mat | None = None, hands: tuple[Hand, ...] = ()) -> Pixels:
    return render(Scene(mat=mat or Mat(), hands=hands), view, np.random.default_rng(3))[0]


def tilted(tilt: float, turn: float = 0.0, width: int = 1600, height: int = 900) -> View:
    return over_table((1100, 650), width, height, tilt_deg=tilt, turn_deg=turn)


def test_the_mat_that_is_printed_is_the_mat_that_is_looked_for() -> None:
    drawn = printed_mm(Mat(1000, 600))
    assert np.allclose([drawn[number] for number in range(4)], marker_corners_mm(1000, 600))


@pytest.mark.parametrize(("tilt", "turn", "size"), [(0, 0, (1600, 900)), (12, 5, (1600, 900)), (8, 175, (1280, 720))])
def test_markers_give_millimetres(tilt: float, turn: float, size: tuple[int, int]) -> None:
    view = tilted(tilt, turn, *size)
    plane = find_plane(Frame(shot(view), 0.0, 1))
    assert plane is not None
    points = np.random.default_rng(1).uniform([0, 0], [1100, 650], (50, 2))
    assert np.abs(plane.to_mm(view.to_px(points)) - points).max() < 1.5
    assert np.abs(plane.to_px(points) - view.to_px(points)).max() < 2


def test_no_markers_no_plane() -> None:
    assert find_plane(shot(tilted(0), Mat(markers=False))) is None


def test_a_covered_marker_is_too_few_at_first_but_not_later() -> None:
    view = tilted(0)
    plane = find_plane(shot(view))
    assert plane is not None
    covered = shot(view, hands=(Hand(30, 30, 180),))
    assert find_plane(covered) is None
    again = still_there(Frame(covered, 1.0, 2), plane)
    assert again is not None
    assert plane.moved(again) < 1


def test_a_mat_of_another_size_is_not_ours() -> None:
    """A smaller mat would give wrong millimetres: only the ratio of its sides can tell."""
    assert find_plane(shot(tilted(0), Mat(1100, 650)), 1100, 500) is None


def test_one_marker_says_whether_the_mat_still_lies_there() -> None:
    view = tilted(0)
    plane = find_plane(shot(view))
    assert plane is not None
    hands = (Hand(30, 30, 180), Hand(1070, 620, 0), Hand(1070, 30, 0))
    assert still_there(Frame(shot(view, hands=hands), 1.0, 2), plane) is plane
    matrix = np.array([[1, 0, 12], [0, 1, 0], [0, 0, 1]]) @ view.matrix
    moved = View(view.width, view.height, tuple(float(value) for value in matrix.ravel()))
    assert still_there(Frame(shot(moved, hands=hands), 1.0, 2), plane) is None
    assert still_there(Frame(shot(view, Mat(markers=False)), 1.0, 2), plane) is None


def test_how_far_the_mat_has_moved() -> None:
    plane = TablePlane.from_corners([[100, 50], [1200, 50], [1200, 700], [100, 700]])
    other = TablePlane.from_corners([[110, 50], [1210, 50], [1210, 700], [110, 700]])
    assert plane.moved(plane) == pytest.approx(0, abs=1e-6)
    assert plane.moved(other) == pytest.approx(10, abs=0.01)
    assert plane.px_per_mm == pytest.approx(1.0)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.floats(-60, 60), min_size=8, max_size=8),
    st.lists(st.tuples(st.floats(0, 1100), st.floats(0, 650)), min_size=1, max_size=5),
)
def test_there_and_back_again(nudges: list[float], points: list[tuple[float, float]]) -> None:
    corners = np.array([[100, 90], [1500, 90], [1500, 820], [100, 820]]) + np.array(nudges).reshape(4, 2)
    plane = TablePlane.from_corners(corners.tolist())
    assert np.allclose(plane.to_mm(corners), CORNERS, atol=0.01)
    assert np.allclose(plane.to_mm(plane.to_px(points)), points, atol=0.01)


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [0, 100], [100, 100], [100, 0]],  # anticlockwise
        [[0, 0], [100, 0], [0, 100], [100, 100]],  # crossed
        [[0, 0], [100, 0], [50, 0], [0, 100]],  # three in a line
        [[0, 0], [100, 0], [100, 100]],
    ],
)
def test_corners_that_span_no_mat(corners: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="corners"):
        TablePlane.from_corners(corners)
