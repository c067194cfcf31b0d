"""Buttons on GPIO lines, through gpiozero: who pressed what, and when by the kernel's clock.

gpiozero calls back on a thread of its own, with every bounce; here each edge is handed to the event loop and debounced
there. The pin factory is chosen in so many words: gpiozero's own search falls back to libraries that do not work on a
Pi 5, without a word.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from hardware.debounce import QUIET_S, Debounce

RESERVED = {2: "I²C data", 3: "I²C clock", 14: "serial out", 15: "serial in"}
"""Header lines that are no buttons: expanders hang on I²C, and a console may live on the serial lines."""
HEADER_LINES = range(28)
EXPANDER_LINES = range(64)
_CLOCKS_AGREE_S = 5.0


class ButtonsMissing(Exception):
    """The lines cannot be had; the text is one line for the user."""


@dataclass(frozen=True, slots=True)
class GpioLine:
    """Input *line* of kernel gpiochip *chip*; chip 0 is the Pi's header, whatever number the kernel gives it."""

    line: int
    chip: int = 0


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """*key* (``console.se``, ``seat3.bytte``) went down *at* (monotonic seconds, as the kernel saw it)."""

    key: str
    at: float


class ButtonSource(Protocol):
    """Where presses come from."""

    def start(self, put: Callable[[ButtonPress], None]) -> Sequence[str]:
        """From now on hand every press to *put*, on the running event loop; gives the keys that are down now."""
        ...

    def close(self) -> None:
        """No presses any more, and the lines are free."""
        ...


class GpioButtons:
    """A ``ButtonSource`` of keys that pull their line to ground.

    *lines* says where each key is wired; a bare number is a header line. *factory* is ``lgpio`` on a Pi, ``mock``
    elsewhere, or a gpiozero factory for the header. ValueError names lines that are doubly used, reserved or not there;
    ButtonsMissing says why the lines cannot be had.
    """

    def __init__(
        self, lines: Mapping[str, GpioLine | int], factory: Literal["lgpio", "mock"] | Any, *, quiet_s: float = QUIET_S
    ) -> None:
        self._lines = check_lines(lines)
        self._quiet_s = quiet_s
        given = not isinstance(factory, str)
        chips = sorted({line.chip for line in self._lines.values()})
        if given and chips not in ([], [0]):
            raise ValueError("a factory of one's own has the header's lines only, no expander's")
        self.factories: dict[int, Any] = {chip: factory if given else _open_factory(factory, chip) for chip in chips}
        """The gpiozero factory of each chip."""
        self._own_factories = not given
        self._devices: dict[str, Any] = {}
        self._contacts: dict[str, Debounce] = {}
        self._put: Callable[[ButtonPress], None] | None = None

    def start(self, put: Callable[[ButtonPress], None]) -> tuple[str, ...]:
        """As ``ButtonSource.start``. A key that is down now is stuck or held: it counts once it was let go."""
        from gpiozero.exc import GPIOZeroError

        loop = asyncio.get_running_loop()
        self._put = put
        line_device = _line_device()
        for key, line in self._lines.items():
            factory = self.factories[line.chip]

            def changed(ticks: float, down: bool, key: str = key, factory: Any = factory) -> None:
                # on gpiozero's thread: only hand it over
                now = time.monotonic()
                at = ticks if abs(factory.ticks_diff(factory.ticks(), ticks)) < _CLOCKS_AGREE_S else now
                loop.call_soon_threadsafe(self._edge, key, down, at)

            try:
                device = line_device(line.line, factory, changed)
            except GPIOZeroError as wrong:
                self.close()
                raise ButtonsMissing(f"{key}: GPIO line {line.line} of chip {line.chip}: {wrong}") from None
            self._devices[key] = device
            self._contacts[key] = Debounce(bool(device.value), self._quiet_s)
        return tuple(key for key, contact in self._contacts.items() if contact.level)

    def close(self) -> None:
        """As ``ButtonSource.close``; a second time does nothing."""
        self._put = None
        for device in self._devices.values():
            device.close()
        self._devices.clear()
        self._contacts.clear()
        if self._own_factories:
            for factory in self.factories.values():
                factory.close()

    def _edge(self, key: str, down: bool, at: float) -> None:
        contact = self._contacts.get(key)
        if contact is None:
            return
        resting = contact.due is None
        self._report(key, contact.edge(down, at), at)
        if resting:
            self._look_later(key, contact)

    def _look_later(self, key: str, contact: Debounce) -> None:
        if contact.due is not None:
            wait = max(0.0, contact.due - time.monotonic())
            asyncio.get_running_loop().call_later(wait, self._look, key)

    def _look(self, key: str) -> None:
        contact = self._contacts.get(key)
        if contact is None:
            return
        now = time.monotonic()
        self._report(key, contact.sample(bool(self._devices[key].value), now), now)
        self._look_later(key, contact)

    def _report(self, key: str, down: bool | None, at: float) -> None:
        if down and self._put is not None:
            self._put(ButtonPress(key, at))


def check_lines(lines: Mapping[str, GpioLine | int]) -> dict[str, GpioLine]:
    """*lines* in full; ValueError names the key of a line that is reserved, not there, or taken by another key."""
    out: dict[str, GpioLine] = {}
    taken: dict[GpioLine, str] = {}
    for key, given in lines.items():
        line = GpioLine(given) if isinstance(given, int) else given
        allowed = HEADER_LINES if line.chip == 0 else EXPANDER_LINES
        where = f"GPIO {line.line}" if line.chip == 0 else f"line {line.line} of chip {line.chip}"
        if line.chip < 0 or line.line not in allowed:
            raise ValueError(f"{key}: there is no {where}; lines go from {allowed[0]} to {allowed[-1]}")
        if line.chip == 0 and line.line in RESERVED:
            raise ValueError(f"{key}: {where} is kept free for {RESERVED[line.line]}; choose another")
        if line in taken:
            raise ValueError(f"{key}: {where} is already {taken[line]}'s; choose another")
        taken[line] = key
        out[key] = line
    return out


def _open_factory(name: str, chip: int) -> Any:
    if name == "mock":
        from gpiozero.pins.mock import MockFactory

        return MockFactory()
    if name != "lgpio":
        raise ValueError(f"no pin factory {name!r}; there are lgpio and mock")
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except (ImportError, AttributeError):  # Python 3.13 gets an empty lgpio from PyPI
        raise ButtonsMissing(
            "no lgpio here: on Raspberry Pi OS run apt install python3-lgpio and make .venv with "
            "--system-site-packages, or set buttons.factory in table.toml to none"
        ) from None
    except OSError as wrong:  # lgpio makes a pipe in the working directory as it is imported
        raise ButtonsMissing(f"lgpio needs a working directory it may write to, or LG_WD ({wrong})") from None

    class OneChip(LGPIOFactory):  # type: ignore[misc]
        """gpiozero's local factories share their pins, so that line 5 of two chips would be the same pin."""

        def __init__(self) -> None:
            from collections import defaultdict
            from threading import Lock

            super().__init__(chip=chip or None)  # the header is chip 0 or 4, as gpiozero finds
            self.pins: dict[Any, Any] = {}
            self._reservations: dict[Any, list[Any]] = defaultdict(list)
            self._res_lock = Lock()

    from gpiozero.exc import GPIOZeroError

    try:
        return OneChip()
    except (OSError, GPIOZeroError) as wrong:
        raise ButtonsMissing(f"cannot open the lines of chip {chip}: {wrong}; is this a Raspberry Pi?") from None
    except Exception as wrong:
        if type(wrong).__module__ != "lgpio":  # lgpio.error is an Exception and nothing more
            raise
        raise ButtonsMissing(f"cannot open gpiochip {chip}: {wrong}; add this user to the group gpio") from None


def _line_device() -> Callable[[int, Any, Callable[[float, bool], None]], Any]:
    from gpiozero import DigitalInputDevice

    class Line(DigitalInputDevice):  # type: ignore[misc]
        """Takes each edge with its kernel timestamp, which gpiozero's own callbacks leave out."""

        def __init__(self, line: int, factory: Any, changed: Callable[[float, bool], None]) -> None:
            self._changed = None  # edges while the pin is being set up are no presses
            super().__init__(line, pull_up=True, bounce_time=None, pin_factory=factory)
            self._changed = changed

        def _pin_changed(self, ticks: float, state: int) -> None:
            if self._changed is not None:
                self._changed(ticks, not state)

    return Line
