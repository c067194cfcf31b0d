"""The renderer: what it says is what it draws."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import PACK, Card
from engine.pieces import GNAV
from vision.render import Hand, Mat, Placed, Scene, View, house_deck, over_table, random_deck, render
from vision.render.cards import CARD_MM, back, face
from vision.render.ink import Pixels
from vision.render.mats import marker_corners_mm
from vision.render.pieces import piece_back, piece_face

DARK = Mat(400.0, 300.0, "plain", (30, 30, 30), markers=False)
STRAIGHT = View(800, 600, (2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0))


def a_frame(*placed: Placed, view: View = STRAIGHT, mat: Mat = DARK, seed: int = 1, hands: tuple[Hand, ...] = ()):
    return render(Scene(placed, mat, hands), view, np.random.default_rng(seed))


@given(
    x=st.floats(100, 300),
    y=st.floats(100, 200),
    turn=st.floats(0, 360),
    tilt=st.floats(0, 25),
    towards=st.floats(0, 360),
)
@settings(max_examples=25, deadline=None)
def test_a_lone_card_fills_exactly_the_corners_that_the_truth_tells(
    x: float, y: float, turn: float, tilt: float, towards: float
) -> None:
    view = over_table((400, 300), 800, 600, tilt_deg=tilt, tilt_towards_deg=towards)
    calm = View(view.width, view.height, view.mm_to_px)
    frame, (truth,) = a_frame(Placed("2h", x, y, turn), view=calm)
    bright = (frame.min(axis=2) > 110).astype(np.uint8)
    bright = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((25, 25), np.uint8))
    told = np.zeros_like(bright)
    cv2.fillConvexPoly(told, np.round(truth.corners).astype(np.int32), 1)
    both, either = np.count_nonzero(bright & told), np.count_nonzero(bright | told)
    assert both / either > 0.965
    assert truth.visible > 0.97


def test_a_cards_first_corner_is_the_one_with_its_index() -> None:
    frame, (truth,) = a_frame(Placed("As", 200, 150, 90.0))
    top_left, top_right = truth.corners[0], truth.corners[1]
    assert top_left == pytest.approx([400 + 88, 300 - 63], abs=0.5), "turned clockwise, the top is on the right"
    assert top_right == pytest.approx([400 + 88, 300 + 63], abs=0.5)
    near_index = frame[300 - 63 + 6 : 300 - 63 + 28, 400 + 88 - 32 : 400 + 88 - 8]
    no_index = frame[300 + 63 - 28 : 300 + 63 - 6, 400 + 88 - 32 : 400 + 88 - 8]
    assert near_index.min() < 80 < 150 < no_index.min()


@pytest.mark.parametrize(
    ("aside_mm", "visible"),
    [(0.0, 0.0), (CARD_MM[0] / 4, 0.25), (CARD_MM[0] / 2, 0.5), (CARD_MM[0] * 1.1, 1.0)],
)
def test_the_visible_share_is_what_the_upper_card_leaves(aside_mm: float, visible: float) -> None:
    _, truths = a_frame(Placed("2h", 200, 150), Placed("3h", 200 + aside_mm, 150))
    assert truths[0].visible == pytest.approx(visible, abs=0.03)
    assert truths[1].visible == pytest.approx(1.0, abs=0.03)


def test_what_the_picture_cuts_off_is_not_visible() -> None:
    _, truths = a_frame(Placed("2h", 0, 150), Placed("3h", 200, -100))
    assert truths[0].visible == pytest.approx(0.5, abs=0.03)
    assert truths[1].visible == 0.0


def test_a_hand_covers_what_lies_under_it() -> None:
    placed = Placed("2h", 200, 150)
    bare, _ = a_frame(placed)
    held, (truth,) = a_frame(placed, hands=(Hand(200, 150),))
    assert truth.visible < 0.6
    assert np.abs(bare.astype(int) - held).max() > 60


def test_a_turned_round_piece_is_as_visible_as_a_straight_one() -> None:
    for turn in (0.0, 45.0):
        _, (truth,) = a_frame(Placed("UGLE", 200, 150, turn, "piece"))
        assert truth.visible > 0.97
        assert np.hypot(*(truth.corners[1] - truth.corners[0])) == pytest.approx(72, abs=0.5)


def _apart(a: Pixels, b: Pixels) -> float:
    return float(np.abs(a[..., :3].astype(int) - b[..., :3]).mean())


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
def test_no_two_cards_of_a_deck_look_alike_from_either_side(seed: int | None) -> None:
    deck = house_deck() if seed is None else random_deck(np.random.default_rng(seed))
    faces = [face(deck, card) for card in PACK]
    small = [cv2.resize(f[..., :3], (63, 88), interpolation=cv2.INTER_AREA) for f in faces]
    for i, one in enumerate(small):
        for other in small[i + 1 :]:
            assert min(_apart(one, other), _apart(one, other[::-1, ::-1])) > 0.4


def test_the_back_tells_nothing_and_is_no_face() -> None:
    deck = house_deck()
    assert all(_apart(back(deck), face(deck, card)) > 20 for card in PACK)


def test_pieces_differ_at_any_turn() -> None:
    faces = [piece_face(piece.name) for piece in GNAV.low_to_high] + [piece_back()]
    small = [cv2.resize(f[..., :3], (48, 48), interpolation=cv2.INTER_AREA) for f in faces]
    middle = (23.5, 23.5)
    for turn in range(0, 360, 20):
        spin = cv2.getRotationMatrix2D(middle, turn, 1.0)
        turned = [cv2.warpAffine(f, spin, (48, 48)) for f in small]
        for i, one in enumerate(small):
            inside = np.hypot(*(np.mgrid[:48, :48] - 23.5)) < 21
            for j, other in enumerate(turned):
                if i != j:
                    assert np.abs(one.astype(int) - other)[inside].mean() > 4, (i, j, turn)


def test_a_piece_we_have_not_drawn_is_named_in_the_error() -> None:
    with pytest.raises(ValueError, match="'ELG'"):
        piece_face("ELG")


def test_the_same_seed_gives_the_same_picture_and_another_gives_other_noise() -> None:
    view = over_table((400, 300), 400, 300)
    placed = Placed("Kd", 200, 150, 20.0)
    one, two = a_frame(placed, view=view, seed=4)[0], a_frame(placed, view=view, seed=4)[0]
    other = a_frame(placed, view=view, seed=5)[0]
    assert np.array_equal(one, two)
    assert 0.2 < np.abs(one.astype(int) - other).mean() < 10


def test_random_decks_repeat_by_seed_and_differ_between_seeds() -> None:
    one, two = (random_deck(np.random.default_rng(8)) for _ in range(2))
    assert one == two
    assert random_deck(np.random.default_rng(9)) != one
    assert np.array_equal(face(one, Card.parse("Qh")), face(two, Card.parse("Qh")))


def test_the_markers_are_found_where_the_mat_says() -> None:
    mat = Mat(1100.0, 650.0)
    view = over_table((1100, 650))
    frame, _ = a_frame(view=view, mat=mat)
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, numbers, _ = cv2.aruco.ArucoDetector(words).detectMarkers(frame)
    assert sorted(numbers.ravel()) == [0, 1, 2, 3]
    expected = marker_corners_mm(mat)
    for number, found in zip(numbers.ravel(), corners, strict=True):
        assert np.abs(view.to_px(expected[int(number)]) - found[0]).max() < 1.5


def test_light_noise_and_codec_change_the_picture_as_told() -> None:
    plain, _ = a_frame(Placed("2h", 200, 150))
    dim = View(800, 600, STRAIGHT.mm_to_px, gains=(0.5, 0.5, 0.5))
    assert a_frame(Placed("2h", 200, 150), view=dim)[0].mean() == pytest.approx(plain.mean() / 2, rel=0.05)
    noisy = View(800, 600, STRAIGHT.mm_to_px, noise=6.0)
    spread = (a_frame(view=noisy)[0].astype(int) - a_frame()[0]).std()
    assert spread == pytest.approx(6.0, rel=0.1)
    coded = View(800, 600, STRAIGHT.mm_to_px, jpeg=30)
    assert 0 < np.abs(a_frame(Placed("2h", 200, 150), view=coded)[0].astype(int) - plain).mean() < 8
