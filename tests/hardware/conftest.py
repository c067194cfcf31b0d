"""A display board for hardware/board.py to talk to: the real firmware in a MicroPython VM."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.simulated.board import MicroPythonBoard, Noise, NoMicroPython

MakeBoard = Callable[..., MicroPythonBoard]


@pytest.fixture
def make_board(tmp_path: Path) -> Iterator[MakeBoard]:
    """Makes started boards with any of ``MicroPythonBoard``'s options; they are stopped afterwards."""
    made: list[MicroPythonBoard] = []

    def make(*, noise: Noise | None = None) -> MicroPythonBoard:
        try:
            board = MicroPythonBoard(tmp_path, noise=noise)
        except NoMicroPython as none:
            pytest.skip(str(none))
        board.start()
        made.append(board)
        return board

    yield make
    for board in made:
        board.stop()
