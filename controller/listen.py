"""The buttons' task: presses to the dealer's desk, in the order they were pressed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from controller.desk import Desk
from controller.view import DeviceView
from hardware.buttons import ButtonPress

DOUBLE_PRESS_S = 0.4
"""A second press of the same key so soon is a nervous finger, not a second call."""


WALKED = ("console.plus", "console.minus")
"""Keys that are pressed many times in a row."""


async def listen(queue: asyncio.Queue[ButtonPress], desk: Desk, *, double_press_s: float = DOUBLE_PRESS_S) -> None:
    """Take presses till cancelled; of those that wait together, the one pressed first comes first."""
    last: dict[str, float] = {}
    while True:
        waiting = [await queue.get()]
        while not queue.empty():
            waiting.append(queue.get_nowait())
        for press in sorted(waiting, key=lambda one: one.at):
            calm = press.at - last.get(press.key, float("-inf")) >= double_press_s
            if calm or press.key in WALKED:
                desk.press(press.key)
            last[press.key] = press.at


def report_stuck(stuck: Sequence[str]) -> DeviceView:
    """How the buttons are: *stuck* keys were down when the table started."""
    if not stuck:
        return DeviceView("buttons", True)
    return DeviceView("buttons", False, f"held down or shorted: {', '.join(stuck)}; free them or check the wiring")
