"""A keyboard in place of buttons: a line typed at the terminal is a press, ``neste``, ``+``, ``3 bytte``."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections.abc import Callable, Collection
from typing import TextIO

from hardware.buttons import ButtonPress

log = logging.getLogger(__name__)

_SIGNS = {"+": "plus", "-": "minus", "−": "minus", "": "ok"}


class KeyboardButtons:
    """A ``ButtonSource`` of typed lines: a console key by its name (Enter alone is OK), a seat's by number and name.

    *console* and *seat_keys* are the names there are. A terminal that is closed, or none at all, presses nothing.
    """

    def __init__(
        self, console: Collection[str], seat_keys: Collection[str], seats: int, terminal: TextIO | None = None
    ) -> None:
        self._console = tuple(console)
        self._seat_keys = tuple(seat_keys)
        self._seats = seats
        self._terminal: TextIO | None = sys.stdin if terminal is None else terminal
        self._loop: asyncio.AbstractEventLoop | None = None
        self._typed = b""

    def start(self, put: Callable[[ButtonPress], None]) -> tuple[str, ...]:
        """As ``ButtonSource.start``; no key is ever stuck."""
        self._put = put
        if self._terminal is None:  # started with its standard input closed
            return ()
        self._loop = asyncio.get_running_loop()
        try:
            self._loop.add_reader(self._terminal.fileno(), self._read)
        except (OSError, ValueError):  # a file, /dev/null or nothing: nobody types there
            self._loop = None
        return ()

    def close(self) -> None:
        """As ``ButtonSource.close``."""
        if self._loop is not None and self._terminal is not None:
            self._loop.remove_reader(self._terminal.fileno())
            self._loop = None

    def _read(self) -> None:
        assert self._terminal is not None
        try:
            typed = os.read(self._terminal.fileno(), 4096)
        except OSError:  # the terminal was hung up
            typed = b""
        if not typed:
            self.close()
            return
        *lines, self._typed = (self._typed + typed).split(b"\n")
        for line in lines:
            key = self.key_of(line.decode(errors="replace"))
            if key is None:
                log.warning(
                    "%r is no key; there are %s, and 1 %s ...", line, " ".join(self._console), self._seat_keys[0]
                )
            else:
                self._put(ButtonPress(key, time.monotonic()))

    def key_of(self, line: str) -> str | None:
        """The key that a typed *line* means: ``console.neste``, ``seat3.bytte``; None when it means none."""
        word = line.strip().lower().replace("ø", "o").replace("å", "aa").replace(" opp", "_opp")
        word = _SIGNS.get(word, word)
        if word in self._console:
            return f"console.{word}"
        number, _, name = word.partition(" ")
        if name in self._seat_keys and number.isdecimal() and 1 <= int(number) <= self._seats:
            return f"seat{number}.{name}"
        return None
