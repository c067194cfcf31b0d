"""What one look says: the reader's three heads put together, pieces by likeness, strangers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.cards import Card
from vision.crops import Mips, area, box_quad
from vision.labels import BACK, FACES, NONE, RANKS, SUITS
from vision.nets import ModelError
from vision.recognise import Evidence, Gallery, OnnxRefiner, card_evidence, piece_evidence, turned

from .tiny_onnx import identity_net


def heads(kind: tuple[float, float, float], rank: dict[str, float], suit: dict[str, float]) -> Evidence:
    ranks = np.array([rank.get(one.letter, 1e-6) for one in RANKS], np.float32)
    suits = np.array([suit.get(one.value, 1e-6) for one in SUITS], np.float32)
    return card_evidence(np.array(kind, np.float32), ranks, suits)


def test_confidence_is_face_times_rank_times_suit() -> None:
    look = heads((0.9, 0.06, 0.04), {"T": 0.8, "9": 0.2}, {"d": 0.95, "h": 0.05})
    assert look.best == Card.parse("Td")
    assert look.confidence == pytest.approx(0.9 * 0.8 * 0.95, abs=1e-4)
    assert look.probabilities.sum() == pytest.approx(1)
    assert look.probabilities[look.names.index(Card.parse("9h"))] == pytest.approx(0.9 * 0.2 * 0.05, abs=1e-4)


def test_backs_and_nothing() -> None:
    assert heads((0.05, 0.9, 0.05), {"T": 1}, {"d": 1}).best == BACK
    assert heads((0.3, 0.1, 0.6), {"T": 1}, {"d": 1}).best == NONE


def test_the_order_of_the_faces_is_the_order_of_the_heads() -> None:
    for card in FACES:
        assert heads((1, 0, 0), {card.rank.letter: 1}, {card.suit.value: 1}).best == card


def alike(*numbers: float) -> np.ndarray:
    return np.array(numbers)


NAMES = ("IX", "XI", BACK)


def test_the_most_alike_piece_is_it() -> None:
    look = piece_evidence(NAMES, alike(0.97, 0.6, 0.1))
    assert look.best == "IX"
    assert look.confidence > 0.98


def test_two_alike_pieces_share() -> None:
    look = piece_evidence(NAMES, alike(0.95, 0.949, 0.1))
    assert look.best == "IX"
    assert 0.5 < look.confidence < 0.7


def test_a_round_thing_is_looked_at_turned_about_its_middle() -> None:
    quad = box_quad((200, 150), 36, 36, 0.3)
    ways = [turned(quad, way, 5) for way in range(5)]
    assert all(np.allclose(way.mean(axis=0), (200, 150)) for way in ways)
    assert all(area(way) == pytest.approx(36 * 36) for way in ways)
    assert len({round(float(way[0, 0]), 3) for way in ways}) == 5


def test_a_stranger_is_like_none_of_them() -> None:
    look = piece_evidence(NAMES, alike(0.45, 0.4, 0.2))
    assert look.best == NONE
    assert look.confidence > 0.9


def gallery(tmp_path: Path, **parts: object) -> Path:
    path = tmp_path / "gallery.npz"
    whole: dict[str, object] = {
        "names": np.array(NAMES),
        "embeddings": np.eye(3, 64, dtype=np.float32) * 2,
        "labels": np.array([0, 1, 1]),
    }
    np.savez(path, **(whole | parts))  # type: ignore[arg-type]
    return path


def test_likeness_is_to_the_best_picture_of_each_name(tmp_path: Path) -> None:
    found = Gallery.load(gallery(tmp_path))
    looked = np.eye(3, 64, dtype=np.float32)[[2, 0]]
    assert np.allclose(found.likeness(looked), [[0, 1, -1], [1, 0, -1]])


@pytest.mark.parametrize(
    "parts",
    [
        {"labels": np.array([0, 1, 3])},
        {"labels": np.array([0, 1])},
        {"embeddings": np.zeros(3, np.float32)},
        {"embeddings": np.zeros((0, 64), np.float32), "labels": np.zeros(0, int)},
    ],
)
def test_a_gallery_whose_parts_do_not_fit(tmp_path: Path, parts: dict[str, object]) -> None:
    with pytest.raises(ModelError, match=r"gallery\.npz.*gallery of pieces"):
        Gallery.load(gallery(tmp_path, **parts))


def test_no_gallery(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="missing"):
        Gallery.load(tmp_path / "none.npz")
    (tmp_path / "broken.npz").write_bytes(b"PK nothing")
    with pytest.raises(ModelError, match=r"broken\.npz"):
        Gallery.load(tmp_path / "broken.npz")


class _Corners(OnnxRefiner):
    """A refiner whose net always answers the same."""

    def __init__(self, tmp_path: Path, corners: list[float]) -> None:
        path = tmp_path / "refiner.onnx"
        path.write_bytes(identity_net("crop", ("corners",), rank=4))
        super().__init__(path)
        self._net = self  # type: ignore[assignment]
        self._corners = corners

    def run(self, crops: np.ndarray) -> tuple[np.ndarray, ...]:
        assert crops.shape[1:] == (3, 136, 96)
        return (np.array([self._corners] * len(crops), np.float32),)


def test_corners_come_back_into_the_picture(tmp_path: Path) -> None:
    """Answering the rough box's own corners gives the rough box, wherever and however it lies."""
    from vision.labels import Kind
    from vision.locate import Place

    low, high = 0.5 - 0.5 / 1.3, 0.5 + 0.5 / 1.3
    refiner = _Corners(tmp_path, [low, low, high, low, high, high, low, high])
    places = [Place(Kind.CARD, 0.9, (200 + 9 * step, 150), 63, 88, 0.4 * step - 1.5) for step in range(40)]
    mips = Mips(np.zeros((300, 400, 3), np.uint8))
    for place, quad in zip(places, refiner.refine(mips, places), strict=True):
        assert np.allclose(quad, box_quad(place.centre, 63, 88, place.angle), atol=1e-3)
    assert refiner.refine(mips, []) == []
