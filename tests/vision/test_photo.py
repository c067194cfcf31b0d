"""Reading photographs nobody calibrated, measuring on labelled ones, and drawing what was read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.cards import Card
from vision.annotate import annotate
from vision.crops import Mips, Quad
from vision.evaluate import evaluate
from vision.labels import BACK, Label
from vision.photo import ACCEPTED, SHOWN, Reading, read_crop, read_photo
from vision.recognise import Evidence

from .scripted import evidence
from .tinted import TintReader, photo

MODELS = TintReader().models


def test_cards_of_any_turn_are_read_once_each() -> None:
    readings = read_photo(photo(("Td", 150, 150, 0), ("Ks", 400, 300, 30), ("back", 620, 180, 75)), MODELS)
    assert {str(one.what) for one in readings} == {"Td", "Ks", "back"}
    assert len(readings) == 3
    assert all(one.confidence > ACCEPTED for one in readings)
    king = next(one for one in readings if one.what == Card.parse("Ks"))
    assert np.allclose(np.mean(king.corners, axis=0), (400, 300), atol=3)
    assert np.linalg.norm(np.subtract(king.corners[1], king.corners[0])) == pytest.approx(105, abs=6)


def test_the_most_confident_comes_first() -> None:
    readings = read_photo(photo(("Js", 150, 150, 0), ("Ks", 400, 300, 30)), MODELS)
    assert [str(one.what) for one in readings] == ["Ks", "Js"]
    assert SHOWN < readings[1].confidence < ACCEPTED


def test_two_opinions_of_one_card_are_one_reading() -> None:
    class Undecided(TintReader):
        def read(self, mips: Mips, quads: Sequence[Quad]) -> list[Evidence]:
            return [evidence(("Td", 0.9)) if number % 2 else evidence(("9d", 0.8)) for number in range(len(quads))]

    readings = read_photo(photo(("Td", 300, 300, 10)), Undecided().models)
    assert [str(one.what) for one in readings] in (["Td"], ["9d"])


def test_an_empty_table_holds_nothing() -> None:
    assert read_photo(photo(), MODELS) == ()


def test_a_crop_is_one_card() -> None:
    crop = np.full((160, 160, 3), (255, 225, 190), np.uint8)
    assert read_crop(crop, MODELS).what == Card.parse("Ks")


def test_not_a_picture() -> None:
    with pytest.raises(ValueError, match="picture"):
        read_photo(np.zeros((10, 10), np.uint8), MODELS)


def labelled(folder: Path, form: str = "scene", **photos: tuple[np.ndarray, list[dict[str, Any]]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, (pixels, _) in photos.items():
        cv2.imwrite(str(folder / f"{name}.png"), pixels)
    text = {"form": form, "photos": {f"{name}.png": items for name, (_, items) in photos.items()}}
    (folder / "labels.json").write_text(json.dumps(text), "utf-8")
    return folder


def item(what: str, box: list[float] | None = None) -> dict[str, Any]:
    return {"what": what, "box": box}


def test_right_wrong_and_unsaid(tmp_path: Path) -> None:
    scene = photo(("Td", 150, 150, 0), ("Ks", 400, 300, 30), ("Js", 620, 400, 0), ("back", 620, 150, 5))
    labels = [item("Td"), item("Qs"), item("Js"), item(BACK)]
    found = evaluate(labelled(tmp_path / "set", one=(scene, labels)), MODELS)
    assert {name: found[name] for name in ("photos", "cards", "right", "wrong", "backs", "backs_right")} == {
        "photos": 1,
        "cards": 3,
        "right": 1,
        "wrong": 1,
        "backs": 1,
        "backs_right": 1,
    }
    assert found["precision"] == 0.5
    assert found["recall"] == pytest.approx(1 / 3, abs=1e-3)
    assert found["rows"] == [
        {
            "photo": "set/one.png",
            "labelled": ["Td", "Qs", "Js", "back"],
            "right": ["Td"],
            "wrong": ["Ks"],
            "unsaid": ["Qs", "Js"],
        }
    ]
    assert evaluate(tmp_path / "set", MODELS, at_least=0.6)["right"] == 2


def test_a_label_of_the_rank_alone_and_boxes(tmp_path: Path) -> None:
    scene = photo(("Ks", 150, 150, 0), ("Td", 620, 400, 0))
    labels = [item("K?", [98, 77, 203, 224]), item("T?", [100, 300, 200, 450])]
    found = evaluate(labelled(tmp_path, one=(scene, labels)), MODELS)
    assert (found["cards"], found["right"], found["wrong"]) == (2, 1, 1)
    assert (found["boxes"], found["located"], found["rank_of_located"]) == (2, 1, 1.0)


def test_the_same_label_is_right_only_once(tmp_path: Path) -> None:
    scene = photo(("Ks", 150, 150, 0), ("Ks", 620, 400, 0))
    found = evaluate(labelled(tmp_path, one=(scene, [item("Ks")])), MODELS)
    assert (found["right"], found["wrong"]) == (1, 1)


def test_several_sets_progress_and_pictures(tmp_path: Path) -> None:
    crop = np.full((160, 160, 3), (255, 225, 190), np.uint8)
    labelled(tmp_path / "photos" / "crops", "crop", a=(crop, [item("Ks")]), b=(crop, [item("joker")]))
    labelled(tmp_path / "photos" / "scenes", one=(photo(("Td", 150, 150, 0)), [item("Td")]))
    steps: list[tuple[int, int, str]] = []
    found = evaluate(tmp_path / "photos", MODELS, tmp_path / "out", lambda *step: steps.append(step))
    assert steps == [(1, 3, "a.png"), (2, 3, "b.png"), (3, 3, "one.png")]
    assert (found["photos"], found["cards"], found["right"], found["wrong"]) == (3, 2, 2, 1)
    assert found["sets"]["scenes"]["right"] == 1
    drawn = cv2.imread(str(tmp_path / "out" / "scenes" / "one.jpg"))
    assert drawn is not None
    assert drawn.shape == (600, 800, 3)


def test_a_set_without_cards_has_no_precision(tmp_path: Path) -> None:
    found = evaluate(labelled(tmp_path, one=(photo(), [item(BACK)])), MODELS)
    assert found["precision"] is None
    assert found["recall"] is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON"),
        ("[]", "photos"),
        ('{"form": "film", "photos": {}}', "scene, crop, corner"),
        ('{"photos": {"none.png": []}}', "no photograph none.png"),
        ('{"photos": {"a.png": [{"what": "11d"}]}}', "not a card: '11d'"),
        ('{"photos": {"a.png": [{"what": "Td", "box": [1, 2]}]}}', "box"),
        ('{"photos": {"a.png": ["Td"]}}', "wants {what, box}"),
        ('{"photos": {"a.png": {}}}', "list"),
        ('{"photos": {"a.png": []}}', "not a photograph"),
    ],
)
def test_labels_that_cannot_be_read(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "a.png").write_bytes(b"not a picture")
    (tmp_path / "labels.json").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=says) as error:
        evaluate(tmp_path, MODELS)
    assert str(tmp_path) in str(error.value)


def test_a_folder_without_labels(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"labels\.json"):
        evaluate(tmp_path, MODELS)
    with pytest.raises(ValueError, match="not a folder"):
        evaluate(tmp_path / "none", MODELS)


@pytest.mark.parametrize(
    ("label", "read", "fits"),
    [
        ("Td", "Td", True),
        ("Td", "Th", False),
        ("K?", "Ks", True),
        ("K?", "Qs", False),
        ("10h", "Th", True),
        ("joker", "Ks", False),
    ],
)
def test_what_a_label_asks_for(label: str, read: str, fits: bool) -> None:
    assert Label.parse(label).fits(Card.parse(read)) is fits


def test_drawing_marks_what_is_shown_and_nothing_else() -> None:
    bare = photo(("Td", 200, 200, 20), ("Ks", 600, 400, 0))
    sure, doubtful = read_photo(bare, MODELS)
    drawn = annotate(bare, [sure, Reading(doubtful.what, doubtful.corners, SHOWN - 0.1)])
    assert drawn.shape == bare.shape
    changed = np.argwhere((drawn != bare).any(axis=2))
    low, high = changed.min(axis=0)[::-1], changed.max(axis=0)[::-1]
    corners = np.array(sure.corners)
    assert np.all(low > corners.min(axis=0) - 8)
    assert np.all(high < corners.max(axis=0) + 8)
    for what in ("GJØK", BACK, Card.parse("Th"), Card.parse("5c"), Card.parse("5d"), Card.parse("5s")):
        assert (annotate(bare, [Reading(what, sure.corners, 0.95)]) != bare).any()
