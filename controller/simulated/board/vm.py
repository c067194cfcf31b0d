"""The display board on simulated wires: USB, display chains, keys and watchdog around the firmware's VM.

A thread carries bytes between the VM and a pseudo-terminal, so that the host end is a serial port like any other:
``port`` is a link that always points to the newest pseudo-terminal, as ``/dev/serial/by-id/...`` does.
"""

from __future__ import annotations

import contextlib
import os
import pty
import queue
import selectors
import signal
import threading
import time
import tty
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from controller.simulated.board.cable import Noise
from controller.simulated.board.chip import Chip, need_micropython
from controller.simulated.board.max7219 import Chain, Max7219

_SELECTS = (20, 21, 22, 26)
"""The pins that chain 1 to 4 hang on; wired here as firmware/README.md says, not read from the firmware."""
_MODULES = 5
_BUTTONS = 3
_SAFE_START_PIN = 15
_POWER_ON, _BY_WATCHDOG = 1, 3


class MicroPythonBoard:
    """A display board of 20 seats on simulated wires. All methods may be called from any thread.

    *folder* takes the link ``board`` and the VM's error output. *held_safe* grounds the safe-start pin.
    *watchdog_share* shortens the watchdog for tests. NoMicroPython when the VM is not installed.
    """

    def __init__(
        self,
        folder: Path,
        *,
        noise: Noise | None = None,
        held_safe: bool = False,
        watchdog_share: float = 1.0,
        unique_id: bytes = b"\xe6\x60GJOK01",
    ) -> None:
        need_micropython()
        self.port = folder / "board"
        self.noise = noise
        self.resets = 0
        """How often the watchdog started the chip anew."""
        self._log = folder / "board.log"
        self._held_safe = held_safe
        self._watchdog_share = watchdog_share
        self._unique_id = unique_id
        self._chains = tuple(Chain(_MODULES) for _ in _SELECTS)
        self._levels = dict.fromkeys(_SELECTS, 1)
        self._changed = threading.Condition()
        self._selector = selectors.DefaultSelector()
        self._todo: queue.SimpleQueue[tuple[Callable[[], None], Future[None]]] = queue.SimpleQueue()
        self._wake, self._waker = os.pipe()
        self._selector.register(self._wake, selectors.EVENT_READ, self._work)
        self._chip: Chip | None = None
        self._master = self._slave = -1
        self._watchdog_s: float | None = None
        self._fed = 0.0
        self._keys: dict[int, bool] = {}
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="simulated board", daemon=True)

    def __enter__(self) -> MicroPythonBoard:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def start(self) -> None:
        """Plug it in and switch it on; takes some 20 ms."""
        self._thread.start()
        self.plug()

    def stop(self) -> None:
        """Pull it out and end the VM; a second time does nothing."""
        if self._thread.is_alive():
            self._do(self._end)
            self._thread.join(5)

    def unplug(self, *, powered: bool = False) -> None:
        """Pull the USB cable: the port is gone. *powered*: the Pico lives on from the display's supply."""

        def pull() -> None:
            self._disconnect()
            if not powered:
                self._power_off()

        self._do(pull)

    def plug(self) -> None:
        """Put the cable in; the chip starts if it had no power."""

        def put() -> None:
            if self._master < 0:
                self._connect()
            if self._chip is None:
                self._power_on(_POWER_ON)

        self._do(put)

    def freeze(self) -> None:
        """The program hangs, until the watchdog bites."""

        def hang() -> None:
            if self._chip is not None:
                self._chip.process.send_signal(signal.SIGSTOP)

        self._do(hang)

    def key(self, seat: int, button: int, *, down: bool) -> None:
        """A contact of a seat box moves; *button* 0 STÅR, 1 BYTTE, 2 BANK. No bounce: that is the caller's."""
        number = (seat - 1) * _BUTTONS + button

        def move() -> None:
            self._keys[number] = down
            if self._chip is not None:
                self._chip.wire(_key_record(number, down))

        self._do(move)

    def module(self, seat: int) -> Max7219:
        """The driver of *seat*'s module, to look into or to spoil."""
        return self._chains[(seat - 1) // _MODULES].modules[(seat - 1) % _MODULES]

    def lit(self) -> dict[int, str]:
        """What is lit now at each seat, from the left; a lit dot follows its digit."""
        with self._changed:
            return self._lit()

    def wait_lit(self, is_right: Callable[[dict[int, str]], bool], timeout_s: float) -> bool:
        """Wait till what is lit satisfies *is_right*; False when it does not within *timeout_s*."""
        with self._changed:
            return self._changed.wait_for(lambda: is_right(self._lit()), timeout_s)

    def running(self) -> bool:
        """Is the program running?"""
        chip = self._chip
        return chip is not None and chip.process.poll() is None

    # all below runs in the thread

    def _lit(self) -> dict[int, str]:
        modules = [module for chain in self._chains for module in chain.modules]
        return {seat: module.lit() for seat, module in enumerate(modules, 1)}

    def _do(self, what: Callable[[], None]) -> None:
        done: Future[None] = Future()
        self._todo.put((what, done))
        os.write(self._waker, b"x")
        done.result(10)

    def _run(self) -> None:
        while not self._stopped:
            for key, _ in self._selector.select(0.1):
                if not self._stopped and key.fd in self._selector.get_map():  # not closed by the one before
                    key.data()
            self._look_at_watchdog()
        self._selector.close()
        os.close(self._wake)
        os.close(self._waker)

    def _work(self) -> None:
        os.read(self._wake, 1)
        what, done = self._todo.get()
        try:
            what()
        except Exception as wrong:
            done.set_exception(wrong)
        else:
            done.set_result(None)

    def _connect(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)  # USB echoes nothing, even before a host opens it
        os.set_blocking(self._master, False)
        self._selector.register(self._master, selectors.EVENT_READ, self._from_host)
        new = self.port.with_name(f"{self.port.name}.new")
        new.unlink(missing_ok=True)
        new.symlink_to(os.ttyname(self._slave))
        new.replace(self.port)

    def _disconnect(self) -> None:
        if self._master >= 0:
            self.port.unlink(missing_ok=True)
            self._selector.unregister(self._master)
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1

    def _power_on(self, cause: int) -> None:
        wires = bytes((ord("G"), _SAFE_START_PIN, 0)) if self._held_safe else b""
        wires += b"".join(_key_record(number, down) for number, down in self._keys.items())
        self._chip = chip = Chip(self._log, self._unique_id, cause, wires)
        self._watchdog_s = None
        self._selector.register(chip.usb_out, selectors.EVENT_READ, self._from_usb)
        self._selector.register(chip.bench, selectors.EVENT_READ, self._from_bench)

    def _power_off(self) -> None:
        if self._chip is not None:
            for one in (self._chip.usb_out, self._chip.bench):
                with contextlib.suppress(KeyError):  # what the program closed itself is no longer watched
                    self._selector.unregister(one)
            self._chip.off()
            self._chip = None

    def _end(self) -> None:
        self._disconnect()
        self._power_off()
        self._stopped = True

    def _from_host(self) -> None:
        try:
            data = os.read(self._master, 4096)
        except OSError:
            return
        if self.noise is not None:
            data = self.noise.carry("to board", data)
        if self._chip is not None and data:
            self._chip.hear(data)

    def _from_usb(self) -> None:
        if self._chip is None:
            return
        data = os.read(self._chip.usb_out, 4096)
        if not data:
            self._selector.unregister(self._chip.usb_out)
            return
        if self.noise is not None:
            data = self.noise.carry("to host", data)
        if self._master >= 0 and data:
            with contextlib.suppress(BlockingIOError):  # nobody reads: USB drops it too
                os.write(self._master, data)

    def _from_bench(self) -> None:
        if self._chip is None:
            return
        records = self._chip.happenings()
        if records is None:
            self._selector.unregister(self._chip.bench)
            return
        with self._changed:
            for record in records:
                self._happen(record)
            self._changed.notify_all()

    def _happen(self, record: bytes) -> None:
        match chr(record[0]):
            case "P" if record[1] in self._levels:
                if record[2] and not self._levels[record[1]]:
                    self._chains[_SELECTS.index(record[1])].load()
                self._levels[record[1]] = record[2]
            case "S":
                for chain in self._chains:  # CLK and DIN are common to all
                    chain.clock(record[3:])
            case "W":
                self._watchdog_s = int.from_bytes(record[1:], "big") / 1000 * self._watchdog_share
                self._fed = time.monotonic()
            case "F":
                self._fed = time.monotonic()

    def _look_at_watchdog(self) -> None:
        if self._chip is not None and self._watchdog_s is not None:
            starving = time.monotonic() - self._fed
            if starving > self._watchdog_s:
                self.resets += 1
                self._power_off()
                self._power_on(_BY_WATCHDOG)


def _key_record(number: int, down: bool) -> bytes:
    return bytes((ord("K"), number, not down))
