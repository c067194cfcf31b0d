"""The display board at the end of a serial cable: always shows the newest snapshot, whatever happens to the cable.

The wire format and its rules stand in firmware/wire.py; this end keeps them: silent till HELLO, one command under way,
sent again until it is acknowledged, PING once a second, and everything anew after a new HELLO.
"""

from __future__ import annotations

import asyncio
import enum
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from firmware import wire
from hardware.serial_port import PortLost, SerialPort

log = logging.getLogger(__name__)

REOPEN_S = 0.1
"""Between two tries to open the port."""
HELLO_PATIENCE_S = 2.0
"""An open port that says nothing for so long is no board of ours, or a dead one."""
_RESEND_S = wire.RESEND_MS / 1000
_PING_S = wire.PING_MS / 1000
_SILENT_S = wire.SILENT_MS / 1000
CLOCK_KEEPS_S = 60.0
"""So long a quick answer's comparison of the clocks beats a slower answer's: crystals drift 3 ms a minute at worst."""
_MOST_WAITING = 4096
"""Bytes: a port that took nothing for so long is stuck, and more would only be old."""


class BoardState(enum.Enum):
    """What can be said of the board."""

    CONNECTED = "connected"
    LOST = "lost"
    OTHER_VERSION = "other version"


class BoardRow(NamedTuple):
    """What one seat's module shows."""

    seat: int
    chips: int
    is_dealer: bool = False
    is_turn: bool = False


@dataclass(frozen=True, slots=True)
class BoardSnapshot:
    """The whole board; a seat without a row is dark."""

    deal_no: int
    rows: tuple[tuple[int, int, bool, bool], ...]
    """BoardRows, or the same as bare tuples: seat, chips, is_dealer, is_turn."""


@dataclass(frozen=True, slots=True)
class BoardKey:
    """A key of a seat box went down or up: *button* 0 STÅR, 1 BYTTE, 2 BANK, *at* in monotonic seconds."""

    seat: int
    button: int
    down: bool
    at: float


@dataclass(frozen=True, slots=True)
class BoardFigures:
    """What was counted since the start."""

    sent: int
    resent: int
    bad_here: int
    """Frames that came damaged."""
    bad_there: int
    """Frames that reached the board damaged, as it said last, since it was switched on."""
    connections: int


@dataclass(frozen=True, slots=True)
class _Clock:
    """The board's clock against ours, in seconds: ours is *ahead*, as told *at*, in a round *trip*."""

    at: float
    trip: float
    ahead: float


class Board:
    """*port* is a path, best ``/dev/serial/by-id/...``. ``run`` does the work, as a task; nothing else waits.

    *on_state* hears each change, with one line saying why; *on_key* the seat boxes' keys.
    """

    def __init__(
        self,
        port: str,
        on_state: Callable[[BoardState, str], None] | None = None,
        on_key: Callable[[BoardKey], None] | None = None,
    ) -> None:
        self._path = port
        self._on_state = on_state
        self._on_key = on_key
        self.state = BoardState.LOST
        self.why = "not opened yet"
        self.hello: wire.Hello | None = None
        """The board's own words, once it has spoken."""
        self._snapshot: BoardSnapshot | None = None
        self._brightness: int | None = None
        self._due: list[tuple[int, bytes]] = []
        self._command: tuple[int, int, bytes] | None = None  # kind, seq, frame under way
        self._command_sent = 0.0
        self._seq = 0
        self._port: SerialPort | None = None
        self._gone = ""
        self._stir = asyncio.Event()
        self._reader = wire.Reader()
        self._boot: int | None = None
        self._heard = self._pinged = 0.0
        self._ping_seq = -1
        self._clock: _Clock | None = None
        self._last_event: int | None = None
        self._sent = self._resent = self._bad = self._bad_there = self._connections = 0

    def show(self, snapshot: BoardSnapshot) -> None:
        """Show *snapshot* from now on; returns at once, and the newest wins.

        ValueError for what the wire cannot carry: over 40 rows, a seat over 255, chips beyond 32 bits.
        """
        if len(snapshot.rows) > 40 or any(
            not (0 < seat < 256 and -(2**31) <= chips < 2**31) for seat, chips, _, _ in snapshot.rows
        ):
            raise ValueError(f"the board cannot show {snapshot}")
        self._snapshot = snapshot
        if self._command is not None and self._command[0] == wire.CHIPS_FULL:
            self._command = None  # a newer one takes its place
        self._want(wire.CHIPS_FULL, self._chips())

    def brightness(self, level: int) -> None:
        """0 (dim) to 15, from now on; the board takes no more than its supply bears."""
        self._brightness = max(0, min(15, level))
        self._want(wire.BRIGHTNESS, bytes((self._brightness,)))

    def text(self, seat: int, text: str) -> None:
        """Show *text*, eight places, at *seat* (0: at all) until the next snapshot.

        Not kept for a board that is away.
        """
        self._want(wire.TEXT, bytes((seat,)) + text.encode("ascii", "replace")[:16])

    @property
    def figures(self) -> BoardFigures:
        """Counted since the start."""
        bad_here = self._bad + self._reader.bad
        return BoardFigures(self._sent, self._resent, bad_here, self._bad_there, self._connections)

    async def run(self) -> None:
        """Keep the board showing the newest snapshot; runs until cancelled."""
        while True:
            try:
                self._open()
                await self._serve()
            except PortLost as lost:
                self._report(BoardState.LOST, str(lost))
            finally:
                self._close()
            await asyncio.sleep(REOPEN_S)

    def _open(self) -> None:
        self._gone = ""
        self._bad += self._reader.bad
        self._reader = wire.Reader()
        self._boot = None
        self._port = SerialPort(self._path, self._received, self._port_gone)
        self._heard = time.monotonic()

    def _close(self) -> None:
        if self._port is not None:
            self._port.close()
            self._port = None
        self._command = None
        self._boot = None

    def _port_gone(self, why: str) -> None:
        self._gone = why
        self._stir.set()

    async def _serve(self) -> None:
        """Send what is due when it is due, until the port goes or falls silent."""
        while True:
            now = time.monotonic()
            wake = self._keep_time(now)
            try:
                async with asyncio.timeout(max(0.0, wake - now)):
                    await self._stir.wait()
            except TimeoutError:
                pass
            self._stir.clear()

    def _keep_time(self, now: float) -> float:
        """Do what the clock asks for; gives the time when to look again. PortLost when the talk is over."""
        if self._gone:
            raise PortLost(self._gone)
        patience = HELLO_PATIENCE_S if self._boot is None else _SILENT_S
        if now - self._heard >= patience:
            if self._boot is None:
                raise PortLost(f"nothing of ours speaks on {self._path}: flash the board, see firmware/README.md")
            raise PortLost(f"the board on {self._path} has fallen silent: look at its light and its cable")
        wake = self._heard + patience
        if self._boot is None:
            return wake
        if now - self._pinged >= _PING_S:
            self._pinged = now
            self._ping_seq = self._next_seq()
            self._write(wire.frame(wire.PING, self._ping_seq))
        if self._command is not None and now - self._command_sent >= _RESEND_S:
            self._resent += 1
            self._write(self._command[2])
            self._command_sent = now
        wake = min(wake, self._pinged + _PING_S)
        return wake if self._command is None else min(wake, self._command_sent + _RESEND_S)

    def _want(self, kind: int, payload: bytes) -> None:
        """Have *payload* sent; of each kind only the newest waits, of TEXT one for each seat."""
        if self._boot is None:
            return  # all of it is sent after HELLO
        place = payload[:1] if kind == wire.TEXT else b""
        self._due = [(k, p) for k, p in self._due if k != kind or (kind == wire.TEXT and p[:1] != place)]
        self._due.append((kind, payload))
        self._next_command()

    def _next_command(self) -> None:
        if self._command is not None or not self._due or self._boot is None:
            return
        kind, payload = self._due.pop(0)
        seq = self._next_seq()
        frame = wire.frame(kind, seq, payload)
        self._command = kind, seq, frame
        self._command_sent = time.monotonic()
        self._write(frame)
        self._stir.set()  # a sooner time to look

    def _next_seq(self) -> int:
        self._seq = (self._seq + 1) & 0xFF
        return self._seq

    def _write(self, frame: bytes) -> None:
        if self._port is not None and self._port.waiting < _MOST_WAITING:
            self._sent += 1
            self._port.write(frame)

    def _received(self, data: bytes) -> None:
        for byte in data:
            frame = self._reader.feed(byte)
            if frame is not None:
                try:
                    self._take(frame)
                except ValueError as wrong:  # checked, and still not what its kind should be: another version
                    log.warning("board: %s", wrong)

    def _take(self, frame: wire.Frame) -> None:
        if frame.kind == wire.HELLO:
            self._greet(wire.read_hello(frame.payload))
            return
        if self._boot is None:
            return
        self._heard = time.monotonic()
        match frame.kind:
            case wire.ACK if self._command is not None and frame.seq == self._command[1]:
                kind = self._command[0]
                self._command = None
                if kind == wire.HELLO:
                    self._report(BoardState.CONNECTED, "")
                self._next_command()
            case wire.NAK if self._command is not None and frame.seq == self._command[1]:
                self._refused(self._command[0], frame.payload[0] if frame.payload else 0)
            case wire.PING if frame.seq == self._ping_seq:
                self._pong(wire.read_pong(frame.payload))
            case wire.BUTTON:
                self._write(wire.frame(wire.ACK, frame.seq))
                self._key(wire.read_button(frame.payload))

    def _greet(self, hello: wire.Hello) -> None:
        self._heard = time.monotonic()
        if hello.boot == self._boot:
            return
        self.hello = hello
        self._boot = hello.boot
        self._connections += 1
        self._command = None
        self._last_event = None
        self._clock = None
        self._pinged = 0.0  # at once: the answer compares the clocks
        ours = wire.Hello(wire.PROTOCOL, 0, 0, 0, b"")
        self._due = [(wire.HELLO, ours.pack())]
        if hello.protocol == wire.PROTOCOL:
            if self._brightness is not None:
                self._due.append((wire.BRIGHTNESS, bytes((self._brightness,))))
            if self._snapshot is not None:
                self._due.append((wire.CHIPS_FULL, self._chips()))
        else:
            self._report(BoardState.OTHER_VERSION, _other_version(hello.protocol))
        self._next_command()

    def _refused(self, kind: int, why: int) -> None:
        self._command = None
        if why == wire.OTHER_PROTOCOL:
            self._due.clear()
            protocol = self.hello.protocol if self.hello is not None else 0
            self._report(BoardState.OTHER_VERSION, _other_version(protocol))
        else:  # sending it again would bring the same answer
            log.error("board: it refuses message %d, reason %d: is its firmware of this version?", kind, why)
            self._next_command()

    def _pong(self, pong: wire.Pong) -> None:
        now = time.monotonic()
        self._bad_there = pong.bad_frames
        trip = now - self._pinged
        clock = self._clock
        if clock is None or trip <= clock.trip or now - clock.at > CLOCK_KEEPS_S:
            self._clock = _Clock(now, trip, now - trip / 2 - pong.uptime_ms / 1000)

    def _key(self, button: wire.Button) -> None:
        if button.event == self._last_event:
            return  # our ACK was lost
        self._last_event = button.event
        at = time.monotonic()
        if self._clock is not None:
            at = min(at, self._clock.ahead + button.ms / 1000)
        if self._on_key is not None:
            self._on_key(BoardKey(button.seat, button.button, button.down, at))

    def _chips(self) -> bytes:
        assert self._snapshot is not None
        rows = [wire.Row(*row) for row in self._snapshot.rows]
        return wire.pack_chips(self._snapshot.deal_no, rows)

    def _report(self, state: BoardState, why: str) -> None:
        if (state, why) == (self.state, self.why):
            return
        self.state, self.why = state, why
        log.log(logging.INFO if state is BoardState.CONNECTED else logging.WARNING, "board: %s", why or state.value)
        if self._on_state is not None:
            self._on_state(state, why)


def _other_version(theirs: int) -> str:
    if theirs < wire.PROTOCOL:
        return f"the board speaks protocol {theirs}, we {wire.PROTOCOL}: flash it anew, see firmware/README.md"
    return f"the board speaks protocol {theirs}, we only {wire.PROTOCOL}: update this program"
