"""Where it moves and where a hand reaches in."""

from __future__ import annotations

import numpy as np

from vision.appearance import alike, patch_of
from vision.crops import box_quad
from vision.motion import Busy, Motion

CARD = box_quad((300, 180), 31, 44, 0.4)


def view(*, card: bool = False, arm: int = 0, gain: float = 1.0, seed: int = 0) -> np.ndarray:
    """A mat with noise, perhaps a card in the middle and an arm from the left of *arm* pixels."""
    rng = np.random.default_rng(seed)
    picture = np.full((355, 580, 3), (60, 90, 30), float)
    if card:
        picture[160:200, 285:315] = 235
    if arm:
        picture[165:195, :arm] = (120, 150, 200)
    return np.clip(picture * gain + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


def run(*views: np.ndarray) -> list[Busy]:
    motion = Motion()
    return [motion.see(one) for one in views]


def test_noise_is_no_movement() -> None:
    assert not any(busy.anywhere for busy in run(*(view(seed=number) for number in range(5))))


def test_a_lamp_is_no_movement() -> None:
    views = [view(card=True, gain=gain, seed=7) for gain in (1.0, 0.85, 0.72, 0.9, 1.0)]
    assert not any(busy.anywhere for busy in run(*views))


def test_a_card_that_appears_moves_once_and_is_no_hand() -> None:
    seen = run(view(), view(card=True), view(card=True), view(card=True))
    assert [busy.covers(CARD) for busy in seen] == [False, True, False, False]
    assert not any(busy.hand.any() for busy in seen)


def test_an_arm_that_lies_still_is_a_hand_and_then_a_sleeve() -> None:
    seen = run(view(card=True), *(view(card=True, arm=310, seed=number) for number in range(60)))
    assert all(busy.covers(CARD) for busy in seen[1:30])
    assert not seen[-1].hand.any()


def test_a_hand_that_goes_leaves_nothing() -> None:
    seen = run(view(), view(arm=200), view(arm=310), view(arm=310), view(card=True), *[view(card=True)] * 3)
    assert seen[2].hand_over(CARD) or seen[2].covers(CARD)
    assert not seen[-1].anywhere


def test_a_new_view_starts_anew() -> None:
    motion = Motion()
    motion.see(view())
    motion.forget()
    assert not motion.see(view(card=True)).anywhere
    assert not motion.see(np.zeros((100, 100, 3), np.uint8)).anywhere


def test_a_place_looks_the_same_in_other_light_and_otherwise_with_another_card() -> None:
    bare, laid = view(), view(card=True)
    assert alike(patch_of(laid, CARD), patch_of(view(card=True, gain=0.7, seed=4), CARD))
    assert alike(patch_of(bare, CARD), patch_of(view(seed=5), CARD))
    assert not alike(patch_of(laid, CARD), patch_of(bare, CARD))
