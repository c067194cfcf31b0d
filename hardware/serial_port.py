"""A serial port on the event loop: bytes come by callback, writing never waits, and a pulled cable is said once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any


class PortLost(Exception):
    """The port is gone or cannot be had; the text is one line for the user."""


class SerialPort:
    """Open from construction till ``close``; PortLost when it cannot be opened.

    *received* gets bytes as they come; *lost* is called once, with the reason, when the port goes. Both run on the
    event loop that runs now.
    """

    def __init__(self, path: str, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        import serial

        self._path = path
        try:
            self._serial: Any = serial.Serial(path, 115_200, timeout=0, exclusive=True)
        except (OSError, ValueError) as wrong:  # SerialException is an OSError
            raise PortLost(_why(path, wrong)) from None
        self._received = received
        self._lost = lost
        self._fd: int = self._serial.fileno()
        self._waiting = bytearray()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._fd, self._read)

    def write(self, data: bytes) -> None:
        """Send *data*, now or as soon as the port takes it."""
        if self._fd < 0:
            return
        if not self._waiting:
            self._loop.add_writer(self._fd, self._drain)
        self._waiting += data
        self._drain()

    @property
    def waiting(self) -> int:
        """Bytes that the port has not taken yet."""
        return len(self._waiting)

    def close(self) -> None:
        """A second time does nothing."""
        if self._fd >= 0:
            self._loop.remove_reader(self._fd)
            self._loop.remove_writer(self._fd)
            self._fd = -1
            self._serial.close()

    def _read(self) -> None:
        try:
            data = os.read(self._fd, 4096)
        except BlockingIOError:
            return
        except OSError as wrong:
            self._end(f"{self._path} is gone ({wrong.strerror}): is the cable out?")
            return
        if data:
            self._received(data)
        else:
            self._end(f"{self._path} is gone: is the cable out?")

    def _drain(self) -> None:
        try:
            sent = os.write(self._fd, self._waiting)
        except BlockingIOError:
            return
        except OSError as wrong:
            self._end(f"{self._path} is gone ({wrong.strerror}): is the cable out?")
            return
        del self._waiting[:sent]
        if not self._waiting:
            self._loop.remove_writer(self._fd)

    def _end(self, why: str) -> None:
        self.close()
        self._lost(why)


def _why(path: str, wrong: Exception) -> str:
    import errno

    number = getattr(wrong, "errno", None)
    if number == errno.ENOENT:
        return f"no {path}: plug the board in, or correct board.port in table.toml"
    if number == errno.EACCES:
        return f"may not open {path}: add this user to the group dialout and log in again"
    if number in (errno.EAGAIN, errno.EBUSY) or "lock" in str(wrong).lower():
        return f"{path} is in use by another program: end it"
    return f"cannot open {path}: {wrong}"
