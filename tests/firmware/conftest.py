"""A display board: the real firmware in a MicroPython VM, on simulated wires."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.simulated.board import MicroPythonBoard, NoMicroPython


@pytest.fixture
def board(tmp_path: Path) -> Iterator[MicroPythonBoard]:
    try:
        board = MicroPythonBoard(tmp_path)
    except NoMicroPython as none:
        pytest.skip(str(none))
    with board:
        yield board
    assert (tmp_path / "board.log").read_text() == "", "the firmware complained"
