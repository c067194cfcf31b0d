"""Card-sized patches that have changed since the table last lay settled."""

from __future__ import annotations

import numpy as np
import pytest

from vision.changes import Changes
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
    return [WINDOW.to_mm(place) for place in changes.see(view(*after, seed=2)).cards()]


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


@pytest.mark.parametrize("turn", [0, 90, 200])
def test_a_plain_card_half_on_a_plain_card(turn: float) -> None:
    """White laid on white: only its bare half and the pips show at once."""
    sat = np.deg2rad(turn)
    before = Placed("2h", 500, 300, turn)
    after = Placed("3d", 500 + 30 * np.cos(sat), 300 + 30 * np.sin(sat), turn)
    changes = Changes(CARD_PX)
    changes.settle(view(before))
    known = [box(500, 300).quad if turn != 90 else box(500, 300, angle=0.0).quad]
    (place,) = (WINDOW.to_mm(one) for one in changes.see(view(before, after, seed=2)).cards(known))
    assert np.hypot(place.centre[0] - after.x_mm, place.centre[1] - after.y_mm) < 6


def test_nothing_new_and_other_light() -> None:
    card = Placed("Qs", 500, 300, 12)
    assert found((card,), (card,)) == []
    changes = Changes(CARD_PX)
    changes.settle(view(card))
    assert changes.see((view(card, seed=3) * 0.75).astype(np.uint8)).cards() == ()
    changes.forget()
    assert changes.see(view()).cards() == ()


def test_a_hand_and_a_piece_are_no_cards() -> None:
    changes = Changes(CARD_PX)
    changes.settle(view())
    assert changes.see(view(Placed("UGLE", 500, 300, kind="piece"), hands=(Hand(300, 400),))).cards() == ()


@pytest.mark.parametrize("face_up", [True, False])
def test_a_piece_that_was_not_found_otherwise(face_up: bool) -> None:
    changes = Changes(CARD_PX)
    changes.settle(view(Placed("Qs", 300, 300)))
    changed = changes.see(view(Placed("2d", 300, 300), Placed("UGLE", 500, 300, 50, "piece", face_up), seed=2))
    (place,) = changed.rounds(())
    middle = WINDOW.to_mm(place).centre
    assert np.hypot(middle[0] - 500, middle[1] - 300) < 3
    assert place.kind is Kind.PIECE
    assert changed.rounds((box(503, 300, Kind.CHIP),)) == ()


def test_where_a_known_card_lay_is_no_new_card() -> None:
    card = Placed("Qs", 500, 300, 12)
    changes = Changes(CARD_PX)
    changes.settle(view(card))
    changed = changes.see(view())
    (place,) = changed.cards()
    assert changed.cards([place.quad]) == ()


def fan(*names: str) -> tuple[Placed, ...]:
    return tuple(Placed(what, 400 + 30 * step, 300, 2) for step, what in enumerate(names))


def box(x: float, y: float, kind: Kind = Kind.CARD, angle: float = -np.pi / 2) -> Place:
    """What a localiser might say, millimetres."""
    side = WINDOW.to_view(np.array([[x, y]]))[0]
    short, long = CARD_PX if kind is Kind.CARD else (18.0, 18.0)
    return Place(kind, 0.6, (float(side[0]), float(side[1])), short, long, angle)


def test_boxes_guessed_between_cards_give_way() -> None:
    before, after = fan("9h", "Kd"), fan("9h", "Kd", "4s")
    known = [box(400, 300).quad, box(430, 300).quad]
    changes = Changes(CARD_PX)
    changes.settle(view(*before))
    changed = changes.see(view(*after, seed=2))
    (laid,) = changed.cards(known)
    real, between, ghost, chip = box(403, 301), box(446, 300), box(416, 302), box(410, 300, Kind.CHIP)
    assert changed.weigh((real, between, ghost, chip), known) == (real, chip, laid)
    apart = box(700, 300)
    assert changed.weigh((apart,), known) == (apart, laid), "a card missed before may still be found, lying alone"


def test_before_the_table_was_seen_settled_all_may_be() -> None:
    ghost = box(416, 302)
    assert Changes(CARD_PX).see(view()).weigh((ghost,), [box(400, 300).quad]) == (ghost,)
