"""Measure the shipped nets on labelled photographs: what is right, what is wrong, what is left unsaid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.annotate import annotate
from vision.eye import Models
from vision.frame import Pixels
from vision.labels import BACK, Label, LabelledSet, read_labels, shows_face
from vision.photo import ACCEPTED, Reading, read_corner, read_crop, read_photo

Progress = Callable[[int, int, str], None]
"""Called with photographs done, photographs in all, and the one just read."""


@dataclass(slots=True)
class _Count:
    photos: int = 0
    cards: int = 0
    right: int = 0
    wrong: int = 0
    backs: int = 0
    backs_right: int = 0
    boxes: int = 0
    located: int = 0
    rank_right: int = 0

    def add(self, other: _Count) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def figures(self) -> dict[str, Any]:
        said = self.right + self.wrong
        figures: dict[str, Any] = {
            "photos": self.photos,
            "cards": self.cards,
            "right": self.right,
            "wrong": self.wrong,
            "recall": round(self.right / self.cards, 4) if self.cards else None,
            "precision": round(self.right / said, 4) if said else None,
            "backs": self.backs,
            "backs_right": self.backs_right,
        }
        if self.boxes:
            figures |= {
                "boxes": self.boxes,
                "located": self.located,
                "rank_of_located": round(self.rank_right / self.located, 4) if self.located else None,
            }
        return figures


def evaluate(
    folder: Path,
    models: Models,
    annotate_dir: Path | None = None,
    progress: Progress | None = None,
    *,
    at_least: float = ACCEPTED,
) -> dict[str, Any]:
    """Read every labelled photograph of *folder*, one set or a folder of sets, and compare.

    A reading counts as announced from the confidence *at_least* on; one that the labels do not hold is wrong, a card
    left unsaid is not. `cards` are the labelled face-up cards. The result has the totals, `sets` with the same figures
    a set, and `rows` with what was labelled and announced in each photograph. With *annotate_dir* the photographs
    are written there with the readings drawn in. ValueError when there are no labels or they cannot be read.
    """
    sets = _sets(folder)
    whole = sum(len(one.photos) for one in sets)
    total = _Count()
    by_set: dict[str, dict[str, Any]] = {}
    rows: list[dict[str, Any]] = []
    done = 0
    for one in sets:
        mine = _Count()
        for name, labels in one.photos:
            pixels = _load(one.folder / name)
            readings = _read(one.form, pixels, models)
            count, row = _compare(labels, readings, at_least)
            mine.add(count)
            rows.append({"photo": f"{one.folder.name}/{name}"} | row)
            if annotate_dir is not None:
                _write(annotate_dir / one.folder.name / f"{Path(name).stem}.jpg", annotate(pixels, readings))
            done += 1
            if progress is not None:
                progress(done, whole, name)
        by_set[one.folder.name] = mine.figures()
        total.add(mine)
    return total.figures() | {"at_least": at_least, "sets": by_set, "rows": rows}


def _sets(folder: Path) -> list[LabelledSet]:
    if not folder.is_dir():
        raise ValueError(f"{folder}: not a folder of labelled photographs")
    if (folder / "labels.json").is_file():
        return [read_labels(folder)]
    found = sorted(path.parent for path in folder.glob("*/labels.json"))
    if not found:
        raise ValueError(f"{folder}: no labels.json, neither here nor in the folders in it")
    return [read_labels(one) for one in found]


def _load(path: Path) -> Pixels:
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if pixels is None:
        raise ValueError(f"{path}: not a photograph that can be read")
    return np.asarray(pixels, np.uint8)


def _write(path: Path, pixels: Pixels) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(path), pixels):
        raise ValueError(f"{path}: cannot be written")


def _read(form: str, pixels: Pixels, models: Models) -> tuple[Reading, ...]:
    match form:
        case "crop":
            return (read_crop(pixels, models),)
        case "corner":
            return (read_corner(pixels, models),)
        case _:
            return read_photo(pixels, models)


def _compare(labels: Sequence[Label], readings: Sequence[Reading], at_least: float) -> tuple[_Count, dict[str, Any]]:
    count = _Count(photos=1)
    cards = [label for label in labels if label.rank is not None]
    backs = [label for label in labels if label.what == BACK]
    count.cards, count.backs = len(cards), len(backs)
    left = list(cards)
    wrong: list[str] = []
    right: list[str] = []
    said = [one for one in readings if one.confidence >= at_least]
    for one in said:
        if not shows_face(one.what):
            continue
        hit = _hit(one, left)
        if hit is None:
            wrong.append(str(one.what))
        else:
            left.remove(hit)
            right.append(str(one.what))
    count.right, count.wrong = len(right), len(wrong)
    count.backs_right = min(len(backs), sum(one.what == BACK for one in said))
    boxed = [label for label in cards if label.box is not None]
    count.boxes = len(boxed)
    for label in boxed:
        near = _nearest(label, readings)
        count.located += near is not None
        count.rank_right += near is not None and _rank_fits(label, near)
    row = {
        "labelled": [str(label.what) for label in labels],
        "right": right,
        "wrong": wrong,
        "unsaid": [str(label.what) for label in left],
    }
    return count, row


def _hit(reading: Reading, labels: Sequence[Label]) -> Label | None:
    """The label that makes *reading* right: where boxes are known, it must be the one it lies on."""
    fitting = [label for label in labels if label.fits(reading.what)]
    if any(label.box is not None for label in fitting):
        fitting = [label for label in fitting if label.box is None or _shared(label, reading) >= 0.3]
        fitting.sort(key=lambda label: -_shared(label, reading))
    return fitting[0] if fitting else None


def _nearest(label: Label, readings: Sequence[Reading]) -> Reading | None:
    """The reading that lies on the labelled box, however doubtful."""
    found = max(readings, key=lambda one: _shared(label, one), default=None)
    return found if found is not None and _shared(label, found) >= 0.4 else None


def _rank_fits(label: Label, reading: Reading) -> bool:
    return shows_face(reading.what) and getattr(reading.what, "rank", None) == label.rank


def _shared(label: Label, reading: Reading) -> float:
    """Of the union of the labelled box and the box about the reading."""
    if label.box is None:
        return 0.0
    corners = np.asarray(reading.corners)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    x0, y0, x1, y1 = label.box
    both = max(0.0, min(right, x1) - max(left, x0)) * max(0.0, min(bottom, y1) - max(top, y0))
    return float(both / max((right - left) * (bottom - top) + (x1 - x0) * (y1 - y0) - both, 1e-9))
