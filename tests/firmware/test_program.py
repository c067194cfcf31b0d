"""The whole firmware, unmodified, in a MicroPython VM: spoken to byte by byte, and what is lit."""

from __future__ import annotations

import random
import select
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from controller.simulated.board import MicroPythonBoard, NoMicroPython
from firmware import wire

pytestmark = pytest.mark.timeout(30)


class Host:
    """The other end, without any of hardware/board.py's manners."""

    def __init__(self, board: MicroPythonBoard) -> None:
        self._port = serial.Serial(str(board.port), timeout=0, exclusive=True)
        self._reader = wire.Reader()
        self._seq = 100

    def close(self) -> None:
        self._port.close()

    def send(self, kind: int, payload: bytes = b"") -> int:
        self._seq = (self._seq + 1) & 0xFF
        self._port.write(wire.frame(kind, self._seq, payload))
        return self._seq

    def raw(self, data: bytes) -> None:
        self._port.write(data)

    def hear(self, *kinds: int, within_s: float = 2.0) -> wire.Frame | None:
        """The next frame of one of *kinds*."""
        end = time.monotonic() + within_s
        while (left := end - time.monotonic()) > 0:
            select.select([self._port.fileno()], [], [], left)
            while data := self._port.read(1):
                got = self._reader.feed(data[0])
                if got is not None and got.kind in kinds:
                    return got
        return None

    def greet(self, protocol: int = wire.PROTOCOL) -> wire.Frame:
        seq = self.send(wire.HELLO, wire.Hello(protocol, 0, 0, 0, b"").pack())
        answer = self.hear(wire.ACK, wire.NAK)
        assert answer is not None
        assert answer.seq == seq
        return answer

    def obeyed(self, kind: int, payload: bytes = b"") -> bool:
        seq = self.send(kind, payload)
        answer = self.hear(wire.ACK, wire.NAK)
        assert answer is not None
        assert answer.seq == seq
        return answer.kind == wire.ACK


@pytest.fixture
def host(board: MicroPythonBoard) -> Iterator[Host]:
    host = Host(board)
    yield host
    host.close()


def chips(*rows: tuple[int, int, bool, bool]) -> bytes:
    return wire.pack_chips(1, [wire.Row(*row) for row in rows])


def test_it_says_hello_and_shows_dashes(board: MicroPythonBoard, host: Host) -> None:
    got = host.hear(wire.HELLO)
    assert got is not None
    hello = wire.read_hello(got.payload)
    assert (hello.protocol, hello.seats, hello.unique_id) == (wire.PROTOCOL, 20, b"\xe6\x60GJOK01")
    assert board.wait_lit(lambda lit: set(lit.values()) == {"--------"}, 2)


def test_it_shows_a_snapshot_and_acknowledges_it(board: MicroPythonBoard, host: Host) -> None:
    host.greet()
    assert board.wait_lit(lambda lit: set(lit.values()) == {"--------"}, 2), "nothing to show yet"
    assert host.obeyed(wire.CHIPS_FULL, chips((1, 5, True, False), (20, -3, False, True)))
    expected = dict.fromkeys(range(1, 21), " " * 8) | {1: " 1.     5", 20: "20    -3."}
    assert board.wait_lit(lambda lit: lit == expected, 2)
    assert host.obeyed(wire.TEXT, b"\x02GNAV")
    assert board.wait_lit(lambda lit: lit[2] == "GnAU    ", 2)


def test_a_new_host_has_to_tell_what_to_show(board: MicroPythonBoard, host: Host) -> None:
    host.greet()
    assert host.obeyed(wire.CHIPS_FULL, chips((1, 5, False, False)))
    assert board.wait_lit(lambda lit: lit[1] == " 1     5", 2)
    host.greet()
    assert board.wait_lit(lambda lit: set(lit.values()) == {"--------"}, 2)


def test_before_a_greeting_it_obeys_nothing(board: MicroPythonBoard, host: Host) -> None:
    host.send(wire.CHIPS_FULL, chips((1, 5, False, False)))
    assert host.hear(wire.ACK, wire.NAK, within_s=0.3) is None
    assert set(board.lit().values()) == {"--------"}


def test_another_protocol_gets_err_1_until_the_right_one_comes(board: MicroPythonBoard, host: Host) -> None:
    answer = host.greet(protocol=wire.PROTOCOL + 1)
    assert (answer.kind, answer.payload) == (wire.NAK, bytes((wire.OTHER_PROTOCOL,)))
    assert board.wait_lit(lambda lit: set(lit.values()) == {"Err 1   "}, 2)
    assert not host.obeyed(wire.CHIPS_FULL, chips((1, 5, False, False)))
    assert set(board.lit().values()) == {"Err 1   "}
    host.greet()
    assert host.obeyed(wire.CHIPS_FULL, chips((1, 5, False, False)))
    assert board.wait_lit(lambda lit: lit[1] == " 1     5", 2)


@pytest.mark.parametrize(
    ("kind", "payload", "why"),
    [
        (99, b"", wire.UNKNOWN_KIND),
        (wire.CHIPS_FULL, b"\0\1\2\1", wire.BAD_PAYLOAD),
        (wire.CHIPS_FULL, chips((21, 5, False, False)), wire.BAD_PAYLOAD),
        (wire.TEXT, b"", wire.BAD_PAYLOAD),
        (wire.BRIGHTNESS, b"\1\2", wire.BAD_PAYLOAD),
        (wire.HELLO, b"\1", wire.BAD_PAYLOAD),
    ],
)
def test_what_it_cannot_do_it_says(host: Host, kind: int, payload: bytes, why: int) -> None:
    host.greet()
    host.send(kind, payload)
    answer = host.hear(wire.NAK)
    assert answer is not None
    assert answer.payload == bytes((why,))


def test_without_a_host_for_3_s_it_shows_dashes(board: MicroPythonBoard, host: Host) -> None:
    host.greet()
    sent = time.monotonic()
    assert host.obeyed(wire.CHIPS_FULL, chips((1, 5, False, False)))
    assert board.wait_lit(lambda lit: lit[1] == " 1     5", 2)
    assert board.wait_lit(lambda lit: set(lit.values()) == {"--------"}, 5)
    assert 2.9 < time.monotonic() - sent < 3.6
    assert host.hear(wire.PING, within_s=0.0) is None
    host.send(wire.PING)
    assert board.wait_lit(lambda lit: lit[1] == " 1     5", 2), "back at once when it hears a host"


def test_a_spoilt_register_is_right_again_within_a_second(board: MicroPythonBoard, host: Host) -> None:
    host.greet()
    assert host.obeyed(wire.CHIPS_FULL, chips(*((seat, 10 * seat, False, False) for seat in range(1, 21))))
    assert board.wait_lit(lambda lit: lit[20] == "20   200" and lit[1] == " 1    10", 2)
    right = board.lit()
    rng = random.Random(5)
    for seat in range(1, 21):  # dark, in its test, decoding, cut short, too bright, wrong digits
        register = (0x0C, 0x0F, 0x09, 0x0B, 0x0A, 0x03)[seat % 6]
        board.module(seat).registers[register] ^= rng.choice((1, 3, 5))
    spoilt = time.monotonic()
    assert board.lit() != right
    assert board.wait_lit(lambda lit: lit == right, 2)
    assert time.monotonic() - spoilt < 1.1
    assert {board.module(seat).intensity for seat in range(1, 21)} == {2}


def test_a_ping_tells_what_it_counted(host: Host) -> None:
    host.greet()
    host.raw(b"\x03\x03junk\0" + b"x" * 1000 + b"\0")
    host.send(wire.PING)
    got = host.hear(wire.PING)
    assert got is not None
    pong = wire.read_pong(got.payload)
    assert (pong.bad_frames, pong.reset_cause) == (2, 1)


def test_fuzzed_bytes_change_nothing_that_is_lit(board: MicroPythonBoard, host: Host) -> None:
    host.greet()
    assert host.obeyed(wire.CHIPS_FULL, chips((3, 77, False, False)))
    assert board.wait_lit(lambda lit: lit[3] == " 3    77", 2)
    before = board.lit()
    rng = random.Random(11)
    for _ in range(100):
        host.raw(rng.randbytes(rng.randrange(1, 400)))
        time.sleep(0.002)  # a pseudo-terminal holds 4 kB; the VM takes some 200 kB a second
    host.raw(b"\0")
    host.send(wire.PING)
    got = host.hear(wire.PING)
    assert got is not None
    assert wire.read_pong(got.payload).bad_frames > 50
    assert board.lit() == before


def test_a_key_is_sent_until_it_is_acknowledged(board: MicroPythonBoard, host: Host) -> None:
    host.greet()
    board.key(7, 1, down=True)
    first, again = host.hear(wire.BUTTON), host.hear(wire.BUTTON)
    assert first is not None
    assert again is not None
    assert (first.seq, first.payload) == (again.seq, again.payload)
    told = wire.read_button(first.payload)
    assert (told.seat, told.button, told.down) == (7, 1, True)
    host.raw(wire.frame(wire.ACK, first.seq))
    board.key(7, 1, down=False)
    while (released := host.hear(wire.BUTTON)) is not None and released.seq == first.seq:
        pass
    assert released is not None
    after = wire.read_button(released.payload)
    assert (after.event, after.down) == (told.event + 1, False)


def test_presses_that_nobody_heard_are_not_told_later(board: MicroPythonBoard, host: Host) -> None:
    board.key(1, 0, down=True)
    board.key(1, 0, down=False)
    assert host.hear(wire.HELLO) is not None
    time.sleep(0.05)  # the bounce is over
    host.greet()
    assert host.hear(wire.BUTTON, within_s=0.2) is None


def test_a_new_host_hears_nothing_of_presses_before_it(board: MicroPythonBoard, host: Host) -> None:
    host.greet()
    board.key(7, 1, down=True)
    assert host.hear(wire.BUTTON) is not None
    board.key(8, 1, down=True)
    time.sleep(0.02)
    host.greet()
    assert host.hear(wire.BUTTON, within_s=0.2) is None


def test_the_watchdog_is_fed_while_all_is_well(tmp_path: Path) -> None:
    try:
        board = MicroPythonBoard(tmp_path, watchdog_share=0.1)
    except NoMicroPython as none:
        pytest.skip(str(none))
    with board:
        time.sleep(2.0)  # two and a half times as long as the watchdog waits
        assert board.resets == 0
        assert board.running()


def test_the_watchdog_starts_a_hung_program_anew(tmp_path: Path) -> None:
    try:
        board = MicroPythonBoard(tmp_path, watchdog_share=0.1)
    except NoMicroPython as none:
        pytest.skip(str(none))
    with board:
        host = Host(board)
        first = host.hear(wire.HELLO)
        assert first is not None
        board.freeze()
        assert host.hear(wire.HELLO, within_s=0.7) is None
        again = host.hear(wire.HELLO, within_s=5)
        assert again is not None
        assert wire.read_hello(first.payload).boot != wire.read_hello(again.payload).boot
        assert board.resets == 1
        host.greet()
        host.send(wire.PING)
        got = host.hear(wire.PING)
        assert got is not None
        assert wire.read_pong(got.payload).reset_cause == 3
        host.close()


def test_a_held_pin_keeps_it_from_starting(tmp_path: Path) -> None:
    try:
        board = MicroPythonBoard(tmp_path, held_safe=True)
    except NoMicroPython as none:
        pytest.skip(str(none))
    with board:
        host = Host(board)
        assert host.hear(wire.HELLO, within_s=0.5) is None
        assert not board.running()
        assert set(board.lit().values()) == {" " * 8}
        host.close()


def test_the_program_ends_with_the_bench(board: MicroPythonBoard) -> None:
    assert board.wait_lit(lambda lit: lit[1] == "--------", 2)
    chip = board._chip
    assert chip is not None
    chip.bench.shutdown(2)  # as when whoever started it was killed
    assert chip.process.wait(3) is not None
