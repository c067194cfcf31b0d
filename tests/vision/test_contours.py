"""Bright four-cornered things without a net."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.contours import quadrilaterals
from vision.crops import area, box_quad
from vision.render import Mat, Placed, Scene, over_table, render

from .tinted import photo


def corner_error(found: list[np.ndarray], corners: np.ndarray) -> float:
    """Of the best quadrilateral, either way up, the worst corner."""
    turns = [np.roll(quad, step, axis=0) for quad in found for step in (0, 2)]
    return min((float(np.linalg.norm(turn - corners, axis=1).max()) for turn in turns), default=np.inf)


@pytest.mark.parametrize("turn", [0, 20, 45, 80, 90])
def test_the_corners_of_a_plain_card(turn: float) -> None:
    found = quadrilaterals(photo(("Td", 300, 250, turn)))
    assert corner_error(found, box_quad((300, 250), 105, 147, np.deg2rad(turn - 90))) < 3
    assert all(area(quad) > 0 for quad in found)


def test_a_real_cards_round_corners_are_squared() -> None:
    view = over_table((400, 250), 1600, 1000)
    mat = Mat(400, 250, "felt", markers=False)
    scene = Scene((Placed("7s", 120, 120, 17), Placed("Qh", 290, 130, 100)), mat)
    pixels, truths = render(scene, view, np.random.default_rng(1))
    found = quadrilaterals(pixels)
    for truth in truths:
        wide = float(np.linalg.norm(truth.corners[1] - truth.corners[0]))
        assert corner_error(found, truth.corners) < 0.013 * wide


def test_what_is_not_shaped_like_a_card_is_none() -> None:
    picture = photo()
    cv2.circle(picture, (200, 200), 70, (255, 255, 255), -1)
    cv2.rectangle(picture, (400, 100), (430, 400), (255, 255, 255), -1)
    cv2.rectangle(picture, (500, 100), (620, 220), (255, 255, 255), -1)
    assert quadrilaterals(picture) == []
