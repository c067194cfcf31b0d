"""Fingers on gpiozero's mock pins, with the bounce of real contacts."""

from __future__ import annotations

import asyncio
import random
from typing import Any

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
