"""Fingers on gpiozero's mock pins, with the bounce of real contacts."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from controller.config import CONSOLE_KEYS, SEAT_KEYS
from hardware.buttons import HEADER_LINES, RESERVED, GpioButtons, GpioLine
from hardware.debounce import QUIET_S

MOST_BOUNCES = 6
BOUNCE_S = 0.004
"""All bounces of one movement together; cheap keys take 1 to 5 ms."""


async def bouncy_press(factory: Any, line: int, rng: random.Random, *, held_s: float = 0.08) -> None:
    """Press the key on *line* of a gpiozero MockFactory, hold it, let it go; both movements bounce."""
    await bounce(factory, line, rng, down=True)
    await asyncio.sleep(held_s)
    await bounce(factory, line, rng, down=False)


async def bounce(factory: Any, line: int, rng: random.Random, *, down: bool) -> None:
    """Move the contact on *line*: it opens and closes a few times and stays *down*, or up."""
    times = rng.randint(0, MOST_BOUNCES)
    move(factory, line, down=down)
    for _ in range(times):
        for level in (not down, down):
            await asyncio.sleep(rng.random() * BOUNCE_S / (2 * times))
            move(factory, line, down=level)


def press_at_once(factory: Any, line: int, rng: random.Random) -> None:
    """A press in no time at all, bounces and release included: for tables that are played fast.

    A second press of the same key counts only when the debouncing is over.
    """
    for down in (True, False):
        move(factory, line, down=down)
        for _ in range(rng.randint(0, MOST_BOUNCES)):
            move(factory, line, down=not down)
            move(factory, line, down=down)


def move(factory: Any, line: int, *, down: bool) -> None:
    """One edge: a key pulls its line to ground."""
    pin = factory.pin(line)
    if down:
        pin.drive_low()
    else:
        pin.drive_high()


class SimulatedButtons:
    """A console and *seats* seat boxes on mock pins: the console on the header, the seats on expanders.

    *fast*: each press takes no time; else fingers bounce and let go as fingers do.
    """

    def __init__(self, seats: int, rng: random.Random, *, fast: bool) -> None:
        lines = {f"console.{key}": GpioLine(line) for key, line in zip(CONSOLE_KEYS, _HEADER, strict=False)}
        for seat in range(seats):
            for place, key in enumerate(SEAT_KEYS):
                line = seat % _SEATS_A_CHIP * len(SEAT_KEYS) + place
                lines[f"seat{seat + 1}.{key}"] = GpioLine(line, chip=1 + seat // _SEATS_A_CHIP)
        self.source = GpioButtons(lines, "mock")
        self._lines = lines
        self._rng = rng
        self._fast = fast
        self._free_at: dict[str, float] = {}
        self._fingers: set[asyncio.Task[None]] = set()

    def press(self, key: str) -> None:
        """Somebody presses *key*, as soon as its contacts have come to rest after the press before."""
        line = self._lines[key]
        factory = self.source.factories[line.chip]
        loop = asyncio.get_running_loop()
        at = max(loop.time(), self._free_at.get(key, 0.0))
        self._free_at[key] = at + (2.5 * QUIET_S if self._fast else 0.3)
        if self._fast:
            loop.call_at(at, press_at_once, factory, line.line, self._rng)
            return
        finger = asyncio.create_task(bouncy_press(factory, line.line, self._rng), name=f"finger on {key}")
        self._fingers.add(finger)
        finger.add_done_callback(self._fingers.discard)


_HEADER = tuple(line for line in HEADER_LINES if line not in RESERVED)
_SEATS_A_CHIP = 7
"""A mock factory has a header's 28 lines, also where it stands for an expander of 64."""
