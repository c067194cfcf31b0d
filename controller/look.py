"""``gjok read`` and ``gjok evaluate``: what the eye sees in photographs, and how good it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import cv2

from controller.errors import Mendable
from vision.annotate import annotate
from vision.evaluate import evaluate
from vision.eye import load_models
from vision.photo import SHOWN, Reading, read_photo


def read_photos(photos: tuple[Path, ...], annotate_dir: Path | None, *, as_json: bool) -> Iterator[str]:
    """A line a card, or a JSON object a picture; Mendable when one is no picture."""
    for photo in photos:
        if not photo.is_file():
            raise Mendable(f"{photo}: {'a folder; name the pictures in it' if photo.is_dir() else 'no such picture'}")
    models = load_models(pieces=False)
    if annotate_dir is not None:
        _make(annotate_dir)
    for photo in photos:
        pixels = cv2.imread(str(photo))
        if pixels is None:
            raise Mendable(f"{photo}: not a picture that can be read")
        readings = [one for one in read_photo(pixels, models) if one.confidence >= SHOWN]
        if annotate_dir is not None:
            cv2.imwrite(str(annotate_dir / f"{photo.stem}.jpg"), annotate(pixels, readings))
        if as_json:
            yield json.dumps({"photo": str(photo), "readings": [_as_object(one) for one in readings]})
        else:
            yield f"{photo}: {len(readings) or 'nothing'} read"
            for one in readings:
                corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in one.corners)
                yield f"  {one.what!s:5} {one.confidence:4.0%}  {corners}"


def evaluate_folder(folder: Path, annotate_dir: Path | None, *, as_json: bool) -> Iterator[str]:
    """A table for people, or the figures as one JSON object; Mendable when the folder has no labels."""
    if annotate_dir is not None:
        _make(annotate_dir)
    models = load_models(pieces=False)
    try:
        with click.progressbar(length=1, label="reading", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

            def show_progress(done: int, whole: int, _: str) -> None:
                bar.length = whole
                bar.update(done - bar.pos)

            figures = evaluate(folder, models, annotate_dir, show_progress)
    except ValueError as wrong:
        raise Mendable(f"{wrong}") from None
    if as_json:
        yield json.dumps(figures)
        return
    for name, one in [*figures.get("sets", {}).items(), ("all", figures)]:
        yield _row(name, one)


def _row(name: str, one: dict[str, Any]) -> str:
    precision = "none announced" if one["precision"] is None else f"{one['precision']:.1%} of those announced are right"
    recall = f"{one['right']} of {one['cards']} cards" if one["cards"] else "no cards"
    return f"{name}: {one['photos']} photographs, {recall} right, {one['wrong']} wrong ({precision})"


def _as_object(one: Reading) -> dict[str, object]:
    return {
        "what": str(one.what),
        "confidence": round(one.confidence, 4),
        "corners": [[round(x, 1), round(y, 1)] for x, y in one.corners],
    }


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise Mendable(f"{folder}: cannot save pictures here ({wrong.strerror})") from None
