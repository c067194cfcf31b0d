"""Hands every output the newest view and the rulings since its last: nobody waits for anybody.

A slow output sees fewer views, never old ones, and never holds up the game.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from controller.view import PublicView, Update
from engine.rulings import Ruling

MOST_RULINGS = 500
"""An output that is this far behind loses the oldest rulings; the view tells it the truth all the same."""


class Feed:
    """One writer, any number of readers, all on one event loop."""

    def __init__(self, view: PublicView) -> None:
        self.view = view
        self._readers: set[_Reader] = set()

    def put(self, view: PublicView, rulings: tuple[tuple[int, Ruling], ...] = ()) -> None:
        """Make *view* the newest."""
        self.view = view
        for reader in self._readers:
            reader.put(rulings)

    async def updates(self) -> AsyncIterator[Update]:
        """Updates from now on; the first comes at once, with the view of now."""
        reader = _Reader()
        self._readers.add(reader)
        try:
            while True:
                await reader.fresh.wait()
                reader.fresh.clear()
                rulings = tuple(reader.rulings)
                reader.rulings.clear()
                yield Update(self.view, rulings)
        finally:
            self._readers.discard(reader)


class _Reader:
    def __init__(self) -> None:
        self.fresh = asyncio.Event()
        self.fresh.set()
        self.rulings: deque[tuple[int, Ruling]] = deque(maxlen=MOST_RULINGS)

    def put(self, rulings: tuple[tuple[int, Ruling], ...]) -> None:
        self.rulings.extend(rulings)
        self.fresh.set()
