"""Cutting turned and tilted things out of pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.crops import Mips, area, batch, box_quad, overlap, rectify, widen


def test_a_crop_shows_what_lies_within_its_corners() -> None:
    """Draw a picture into four corners, cut it out again: the same picture, top left at the top left."""
    small = np.zeros((160, 112, 3), np.uint8)
    small[:80, :56], small[:80, 56:], small[80:, 56:] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    quad = np.array([[300, 80], [420, 160], [310, 320], [190, 240]], float)
    corners = np.array([[0, 0], [112, 0], [112, 160], [0, 160]], np.float32) - 0.5
    onto = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    picture = cv2.warpPerspective(small, onto, (640, 480))
    crop = rectify(Mips(np.asarray(picture, np.uint8)), quad, 112, 160)
    inside = np.abs(crop.astype(int) - small)[8:-8, 8:-8]
    assert np.percentile(inside, 90) <= 8
    assert rectify(Mips(np.asarray(picture, np.uint8)), np.roll(quad, 2, axis=0), 112, 160)[120, 80, 0] > 200


def test_a_fine_grid_is_shrunk_to_grey_not_to_moire() -> None:
    fine = np.zeros((1600, 1600, 3), np.uint8)
    fine[::2, ::2] = fine[1::2, 1::2] = 255
    crop = rectify(Mips(fine), box_quad((800, 800), 1120, 1536, -np.pi / 2), 112, 160)
    assert crop.std() < 12


def test_a_crop_over_the_edge_of_the_picture_still_has_its_size() -> None:
    crop = rectify(Mips(np.full((50, 50, 3), 200, np.uint8)), box_quad((0, 0), 60, 80, 0.4), 96, 136)
    assert crop.shape == (136, 96, 3)
    assert crop.min() == 200


def test_a_box_stands_upright_in_its_crop() -> None:
    quad = box_quad((100, 100), 40, 60, -np.pi / 2)
    assert np.allclose(quad, [[80, 70], [120, 70], [120, 130], [80, 130]])
    assert area(box_quad((3, 4), 40, 60, 1.1)) == pytest.approx(2400)
    assert np.allclose(area(widen(quad, 1.3)), 2400 * 1.69)


def test_overlap_of_union_and_of_the_smaller() -> None:
    one, other = box_quad((0, 0), 10, 10, 0.0), box_quad((5, 0), 10, 10, 0.0)
    assert overlap(one, other) == pytest.approx((1 / 3, 1 / 2), abs=1e-5)
    assert overlap(one, box_quad((50, 0), 10, 10, 0.0)) == (0.0, 0.0)
    assert overlap(one, box_quad((0, 0), 4, 4, 0.5))[1] == pytest.approx(1)


def test_a_batch_is_red_green_blue_from_nought_to_one() -> None:
    crop = np.zeros((2, 3, 3), np.uint8)
    crop[..., 2] = 255
    out = batch([crop, crop])
    assert out.shape == (2, 3, 2, 3)
    assert out.dtype == np.float32
    assert out[:, 0].min() == 1.0
    assert out[:, 1:].max() == 0.0
