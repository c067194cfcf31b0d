"""The journal on disk: every event is there, safe from a power cut, before anybody hears of it.

A file of lines, each ``checksum time json``: CRC-32 of the rest in hex, UTC time, and a line of ``engine.journal``;
the first is the header. Lines are only ever added.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from binascii import crc32
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from controller.errors import Mendable
from engine.events import Event
from engine.journal import Header, JournalError, event_line, header_line, read_event, read_header


def utc_now() -> str:
    """The wall clock, to the millisecond; people read it, nothing is decided by it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_BEGINS = re.compile(rb"[0-9a-f]{1,8}(?: |$)")
"""How every line begins, also one that is torn: with a checksum."""


class Journal:
    """One game's journal, opened for adding; only one program can hold it."""

    def __init__(self, path: Path, header: Header, events: tuple[Event, ...], began: str, file: int) -> None:
        self.path = path
        self.header = header
        self.events = events
        """What was there when it was opened."""
        self.began = began
        """When the game began: names the session."""
        self._file = file

    @classmethod
    def open(cls, path: Path, header: Header, now: Callable[[], str] = utc_now) -> Self:
        """Open *path* to go on with the game there, or begin it with *header* when there is none.

        A torn last line (a power cut while it was written; nobody heard of it yet) is cut off.
        Mendable when another program holds the file, a line is corrupt, or it cannot be written.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as wrong:
            raise Mendable(f"{path}: cannot keep the journal here ({wrong.strerror}); choose another folder") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise Mendable(f"{path}: another Gjøk is refereeing from this journal; end it first") from None
        try:
            lines = _whole_lines(path, file)
            if not lines:
                began = now()
                _add(file, began, header_line(header))
                _sync_folder(path.parent)
                return cls(path, header, (), began, file)
            found, events, began = _read(path, lines)
        except BaseException:
            os.close(file)
            raise
        return cls(path, found, events, began, file)

    def add(self, event: Event, at: str) -> None:
        """Write *event* and wait until it is on the disk; Mendable when it cannot be, and then it is not there."""
        whole = os.fstat(self._file).st_size
        try:
            _add(self._file, at, event_line(event))
        except OSError as wrong:
            with contextlib.suppress(OSError):  # a torn line is cut off when the journal is opened again
                os.ftruncate(self._file, whole)
            raise Mendable(
                f"{self.path}: cannot write the journal ({wrong.strerror}); make room or mend the disk, then start "
                f"again and go on: all that was announced is in it"
            ) from None

    def close(self) -> None:
        os.close(self._file)


def read_journal(path: Path) -> tuple[Header, tuple[Event, ...]]:
    """Read a journal without holding it; Mendable when it is not whole."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as wrong:
        raise Mendable(f"{path}: cannot read the journal ({wrong.strerror})") from None
    header, events, _ = _read(path, lines)
    return header, events


def set_aside(path: Path) -> Path:
    """Give a finished or foreign journal a name of its own (its beginning) beside *path*; the new name."""
    began = path.read_bytes()[9:33].decode("ascii", "replace").replace(":", "")
    aside = path.with_name(f"{began}.journal")
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{began}-{count}.journal")
    path.rename(aside)
    return aside


def _whole_lines(path: Path, file: int) -> list[bytes]:
    os.lseek(file, 0, os.SEEK_SET)
    content = b""
    while block := os.read(file, 1 << 20):
        content += block
    whole, newline, torn = content.rpartition(b"\n")
    if torn and not newline and not _BEGINS.match(torn):  # not a header that a power cut tore: somebody's own file
        raise Mendable(f"{path}: no journal of ours; nothing was changed. Move it away, or choose another folder")
    if torn:
        os.ftruncate(file, len(whole) + len(newline))
        os.fdatasync(file)
    return whole.split(b"\n") if newline else []


def _read(path: Path, lines: list[bytes]) -> tuple[Header, tuple[Event, ...], str]:
    header: Header | None = None
    began = ""
    events: list[Event] = []
    for number, line in enumerate(lines, 1):
        try:
            at, text = _checked(line)
            if header is None:
                header, began = read_header(text), at
            else:
                events.append(read_event(text))
        except (JournalError, UnicodeDecodeError) as wrong:
            raise Mendable(
                f"{path}: line {number} is corrupt ({wrong}); nothing was changed. Keep a copy, then cut the file "
                f"before that line to go on from there, or move it away to begin a new game"
            ) from None
    if header is None:
        raise Mendable(f"{path}: the journal is empty; move it away")
    return header, tuple(events), began


def _checked(line: bytes) -> tuple[str, str]:
    checksum, _, rest = line.partition(b" ")
    at, _, text = rest.partition(b" ")
    if checksum != b"%08x" % crc32(rest):
        raise JournalError("its checksum does not fit")
    return at.decode("ascii"), text.decode("utf-8")


def _add(file: int, at: str, text: str) -> None:
    rest = f"{at} {text}".encode()
    line = b"%08x %s\n" % (crc32(rest), rest)
    while line:  # a disk that is nearly full takes a part, and says why at the next
        line = line[os.write(file, line) :]
    os.fdatasync(file)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
