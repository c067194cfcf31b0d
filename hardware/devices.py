"""How each device is: small records for the dealer's page, MQTT and the log."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable
from dataclasses import dataclass


class DeviceState(enum.Enum):
    """What can be said of a device."""

    WORKS = "works"
    LOST = "lost"
    """It was there, or should be any moment: its own task tries on."""
    MISSING = "missing"
    """It is configured and was not found at start."""
    OFF = "off"
    """The table has none, on purpose."""


@dataclass(frozen=True, slots=True)
class DeviceHealth:
    """One device at one moment."""

    name: str
    """``camera``, ``buttons``, ``speaker``, ``board``."""
    state: DeviceState
    why: str
    """One line for the dealer, what is wrong and what to do; empty when it works."""
    since: float
    """Monotonic seconds when it came into this state."""


class Devices:
    """The newest health of each device; *tell* is called when one changes, not when it is only said again."""

    def __init__(
        self, tell: Callable[[DeviceHealth], None] | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tell = tell
        self._clock = clock
        self._health: dict[str, DeviceHealth] = {}

    def report(self, name: str, state: DeviceState, why: str = "") -> None:
        """Say how *name* is now. ``since`` moves only when the state does."""
        before = self._health.get(name)
        if before is not None and (before.state, before.why) == (state, why):
            return
        since = before.since if before is not None and before.state is state else self._clock()
        self._health[name] = DeviceHealth(name, state, why, since)
        if self._tell is not None:
            self._tell(self._health[name])

    def all(self) -> tuple[DeviceHealth, ...]:
        """Every device that was reported, by name."""
        return tuple(self._health[name] for name in sorted(self._health))
