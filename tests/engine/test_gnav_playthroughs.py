"""Whole rounds and a whole game of Gnav, with every ruling in its order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.playthrough import differences

FILES = sorted((Path(__file__).parent / "playthroughs").glob("gnav_*.txt"))


def test_there_are_playthroughs() -> None:
    assert len(FILES) >= 5


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_referee_says_what_the_file_says(path: Path) -> None:
    assert differences(path) == []


def test_another_ruling_is_seen(tmp_path: Path) -> None:
    spoiled = tmp_path / "spoiled.txt"
    spoiled.write_text(FILES[0].read_text("utf-8").replace("Paid 3 1 1 G15", "Paid 2 1 1 G15"), "utf-8")
    assert len(differences(spoiled)) == 1
