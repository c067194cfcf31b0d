"""Typed lines are presses."""

from __future__ import annotations

import asyncio
import os
from typing import TextIO

import pytest

from hardware.buttons import ButtonPress
from hardware.keyboard import KeyboardButtons

CONSOLE = ("se", "vis_opp", "neste", "minus", "plus", "ok", "gjok")
SEAT = ("staar", "bytte")

TYPED = [
    ("neste", "console.neste"),
    ("  Neste ", "console.neste"),
    ("vis opp", "console.vis_opp"),
    ("GJØK", "console.gjok"),
    ("+", "console.plus"),
    ("-", "console.minus"),
    ("", "console.ok"),
    ("3 bytte", "seat3.bytte"),
    ("3 står", "seat3.staar"),
    ("5 bytte", None),
    ("0 bytte", None),
    ("² bytte", None),
    ("bytte", None),
    ("3 gjok", None),
]


@pytest.mark.parametrize(("line", "key"), TYPED)
def test_a_line_means_a_key(line: str, key: str | None) -> None:
    assert KeyboardButtons(CONSOLE, SEAT, 4).key_of(line) == key


def test_lines_come_as_presses_until_the_terminal_closes() -> None:
    async def type_them() -> list[str]:
        read, write = os.pipe()
        with os.fdopen(read) as terminal:
            keys = KeyboardButtons(CONSOLE, SEAT, 4, terminal)
            presses: asyncio.Queue[ButtonPress] = asyncio.Queue()
            assert keys.start(presses.put_nowait) == ()
            os.write(write, b"neste\n3 by")
            os.write(write, b"tte\nnonsense\n\n")
            os.close(write)
            async with asyncio.timeout(5):
                pressed = [(await presses.get()).key for _ in range(3)]
            keys.close()
            return pressed

    assert asyncio.run(type_them()) == ["console.neste", "seat3.bytte", "console.ok"]


def test_without_a_terminal_nobody_types() -> None:
    async def nobody(terminal: TextIO) -> None:
        keys = KeyboardButtons(CONSOLE, SEAT, 4, terminal)
        keys.start(lambda press: None)
        keys.close()

    with open(os.devnull) as terminal:
        asyncio.run(nobody(terminal))


def test_with_standard_input_closed_nobody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    async def start() -> None:
        monkeypatch.setattr("sys.stdin", None)
        keyboard = KeyboardButtons(CONSOLE, SEAT, 4)
        assert keyboard.start(lambda _: None) == ()
        keyboard.close()

    asyncio.run(start())
