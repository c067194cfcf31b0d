"""Card-sized patches that have changed since the table last lay settled."""

from __future__ import annotations

import numpy as np
import pytest

from vision.changes import Changes, with_changes
from vision.labels import Kind
from vision.locate import Place
from vision.pipeline import _Window
from vision.render import Hand, Placed, Scene, over_table, render
from vision.table_plane import TablePlane, find_plane

CARD_PX = (31.5, 44.0)
VIEW = over_table((1100, 650))


def picture(*placed: Placed, hands: tuple[Hand, ...] = (), seed: int = 1) -> np.ndarray:
    return render(Scene(placed, hands=hands), VIEW, np.random.default_rng(seed))[0]


PLANE = find_plane(picture())
assert isinstance(PLANE, TablePlane)
WINDOW = _Window(PLANE)


def view(*placed: Placed, hands: tuple[Hand, ...] = (), seed: int = 1) -> np.ndarray:
    return WINDOW.of(picture(*placed, hands=hands, seed=seed))[0]


def found(before: tuple[Placed, ...], after: tuple[Placed, ...]) -> list[Place]:
    changes = Changes(CARD_PX)
    changes.settle(view(*before))
    return [WINDOW.to_mm(place) for place in changes.cards(view(*after, seed=2))]


@pytest.mark.parametrize("turn", [0, 25, 60, 90, 140])
@pytest.mark.parametrize("face_up", [True, False])
def test_a_card_laid_on_the_mat(turn: float, face_up: bool) -> None:
    (place,) = found((), (Placed("Qs", 500, 300, turn, face_up=face_up),))
    assert np.hypot(place.centre[0] - 500, place.centre[1] - 300) < 4
    assert abs(np.cos(place.angle - np.deg2rad(turn - 90))) > 0.99


def test_a_card_laid_across_others() -> None:
    fan = tuple(Placed(what, 400 + 30 * step, 300, 2) for step, what in enumerate(("9h", "Kd", "4s")))
    (place,) = found(fan, (*fan, Placed("2c", 490, 302, -3)))
    assert np.hypot(place.centre[0] - 490, place.centre[1] - 302) < 8


def test_nothing_new_and_other_light() -> None:
    card = Placed("Qs", 500, 300, 12)
    assert found((card,), (card,)) == []
    changes = Changes(CARD_PX)
    changes.settle(view(card))
    assert changes.cards((view(card, seed=3) * 0.75).astype(np.uint8)) == ()
    changes.forget()
    assert changes.cards(view()) == ()


def test_a_hand_and_a_piece_are_no_cards() -> None:
    changes = Changes(CARD_PX)
    changes.settle(view())
    assert changes.cards(view(Placed("UGLE", 500, 300, kind="piece"), hands=(Hand(300, 400),))) == ()


def test_where_a_known_card_lay_is_no_new_card() -> None:
    card = Placed("Qs", 500, 300, 12)
    changes = Changes(CARD_PX)
    changes.settle(view(card))
    (place,) = changes.cards(view())
    assert changes.cards(view(), [place.quad]) == ()


def test_a_box_guessed_between_two_cards_gives_way() -> None:
    changed = Place(Kind.CARD, 0.5, (100, 100), *CARD_PX, -1.5)
    between = Place(Kind.CARD, 0.6, (92, 100), *CARD_PX, -1.5)
    below = Place(Kind.CARD, 0.6, (80, 100), *CARD_PX, -1.5)
    chip = Place(Kind.CHIP, 0.6, (100, 100), 20, 20, 0.0)
    assert with_changes((between, below, chip), (changed,)) == (below, chip, changed)
    assert with_changes((between,), ()) == (between,)
