"""Squares laid exactly round round things."""

from __future__ import annotations

import numpy as np
import pytest

from vision.crops import Mips, box_quad, widen
from vision.render import Mat, Placed, Scene, over_table, render
from vision.rounds import centred

VIEW = over_table((1100, 650))


@pytest.mark.parametrize("what", ["UGLE", "IX", "GJØK", "back"])
@pytest.mark.parametrize(("dx", "dy", "grow"), [(0, 0, 1), (4, -3, 1.1), (-5, 4, 0.92), (3, 5, 1.12)])
def test_a_rough_square_finds_the_rim(what: str, dx: float, dy: float, grow: float) -> None:
    scene = Scene((Placed(what, 400, 300, 77, "piece", what != "back"),), Mat(style="felt"))
    pixels, (truth,) = render(scene, VIEW, np.random.default_rng(1))
    rough = widen(truth.corners + np.array([dx, dy]), grow)
    found = centred(Mips(pixels), rough)
    side = np.linalg.norm(truth.corners[1] - truth.corners[0])
    assert np.linalg.norm(found.mean(axis=0) - truth.corners.mean(axis=0)) < 0.05 * side
    assert np.linalg.norm(found[1] - found[0]) == pytest.approx(side, rel=0.07)
    turn = np.dot(found[1] - found[0], rough[1] - rough[0])
    assert turn > 0.99 * np.linalg.norm(found[1] - found[0]) * np.linalg.norm(rough[1] - rough[0])


def test_where_there_is_no_rim_it_stays() -> None:
    quad = box_quad((60, 60), 40, 40, 0.3)
    assert centred(Mips(np.full((120, 120, 3), 90, np.uint8)), quad) is quad
