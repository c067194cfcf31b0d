"""hardware/board.py against the real firmware, and against boards that misbehave."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import random
import statistics
import time
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.simulated.board import MicroPythonBoard, Noise
from firmware import wire
from hardware.board import Board, BoardKey, BoardRow, BoardSnapshot, BoardState

pytestmark = pytest.mark.timeout(60)


class States:
    """What the board reported, and a way to wait for it."""

    def __init__(self) -> None:
        self.all: list[tuple[BoardState, str]] = []
        self._changed = asyncio.Event()

    def put(self, state: BoardState, why: str) -> None:
        self.all.append((state, why))
        self._changed.set()

    async def until(self, is_right: Callable[[BoardState, str], bool], within_s: float = 5.0) -> str:
        async with asyncio.timeout(within_s):
            while not (self.all and is_right(*self.all[-1])):
                self._changed.clear()
                await self._changed.wait()
        return self.all[-1][1]

    async def connected(self) -> None:
        await self.until(lambda state, _: state is BoardState.CONNECTED)


@asynccontextmanager
async def running(
    port: Path | str, on_key: Callable[[BoardKey], None] | None = None
) -> AsyncIterator[tuple[Board, States]]:
    states = States()
    board = Board(str(port), states.put, on_key)
    task = asyncio.create_task(board.run())
    try:
        yield board, states
    finally:
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled(), task.exception()


def snapshot(deal: int, *chips: int, dealer: int = 1, turn: int = 2) -> BoardSnapshot:
    return BoardSnapshot(
        deal, tuple(BoardRow(seat, one, seat == dealer, seat == turn) for seat, one in enumerate(chips, 1))
    )


def as_lit(shown: BoardSnapshot) -> dict[int, str]:
    lit = dict.fromkeys(range(1, 21), " " * 8)
    for seat, chips, dealer, turn in shown.rows:
        lit[seat] = f"{seat:2}{'.' if dealer else ''}{chips:6}{'.' if turn else ''}"
    return lit


async def lit(board: MicroPythonBoard, shown: BoardSnapshot, within_s: float = 3.0) -> bool:
    expected = as_lit(shown)
    return await asyncio.to_thread(board.wait_lit, lambda now: now == expected, within_s)


def test_what_was_to_be_shown_before_it_came_is_shown(make_board: Callable[..., MicroPythonBoard]) -> None:
    async def play() -> None:
        sim = make_board()
        async with running(sim.port) as (board, states):
            board.brightness(9)
            board.show(snapshot(1, 10, 20, 30))
            await states.connected()
            assert await lit(sim, snapshot(1, 10, 20, 30))
            assert sim.module(3).intensity == 4  # 9 is more than the supply bears
            assert board.hello is not None
            assert board.hello.unique_id == b"\xe6\x60GJOK01"

    asyncio.run(play())


def test_the_newest_wins_and_nothing_waits(make_board: Callable[..., MicroPythonBoard]) -> None:
    async def play() -> None:
        sim = make_board()
        async with running(sim.port) as (board, states):
            await states.connected()
            began = time.monotonic()
            for number in range(500):
                board.show(snapshot(1, *range(number, number + 20)))
            assert time.monotonic() - began < 1.0
            assert await lit(sim, snapshot(1, *range(499, 519)))

    asyncio.run(play())


def test_a_pulled_cable_is_said_and_heals_with_the_newest_truth(make_board: Callable[..., MicroPythonBoard]) -> None:
    async def play() -> None:
        sim = make_board()
        async with running(sim.port) as (board, states):
            for powered in (True, False):
                board.show(snapshot(1, 1, 2, 3))
                assert await lit(sim, snapshot(1, 1, 2, 3))
                await asyncio.to_thread(sim.unplug, powered=powered)
                why = await states.until(lambda state, why: state is BoardState.LOST and "plug the board in" in why)
                assert str(sim.port) in why
                board.show(snapshot(2, 7, 8, 9))
                await asyncio.to_thread(sim.plug)
                plugged = time.monotonic()
                assert await lit(sim, snapshot(2, 7, 8, 9))
                assert time.monotonic() - plugged < 2.0
                await states.connected()

    asyncio.run(play())


def test_a_board_that_starts_anew_gets_everything_again(make_board: Callable[..., MicroPythonBoard]) -> None:
    async def play() -> None:
        sim = make_board()
        async with running(sim.port) as (board, states):
            board.show(snapshot(1, 1, 2, 3))
            await states.connected()
            assert await lit(sim, snapshot(1, 1, 2, 3))
            sim._do(lambda: (sim._power_off(), sim._power_on(1)))  # type: ignore[arg-type,return-value]
            for seat in range(1, 21):
                sim.module(seat).registers[1] = 0x7F  # so that what stood before is not taken for the mending
            assert await lit(sim, snapshot(1, 1, 2, 3))
            assert board.figures.connections == 2

    asyncio.run(play())


def test_with_a_tenth_of_the_frames_damaged_the_board_is_right(make_board: Callable[..., MicroPythonBoard]) -> None:
    async def play() -> None:
        noise = Noise(0.1, random.Random(7))
        sim = make_board(noise=noise)
        rng = random.Random(8)
        async with running(sim.port) as (board, states):
            await states.connected()
            for deal in range(200):
                shown = snapshot(deal, *(rng.randrange(-999, 9999) for _ in range(20)), dealer=deal % 20 + 1)
                board.show(shown)
                assert await lit(sim, shown), f"deal {deal}"
            figures = board.figures
            print(f"{noise.passed} frames, {noise.spoilt} damaged, {figures}")
            assert noise.spoilt > 20
            assert figures.resent > 10

    asyncio.run(play())


def test_keys_come_once_each_in_order_though_the_cable_is_bad(make_board: Callable[..., MicroPythonBoard]) -> None:
    async def play() -> None:
        sim = make_board(noise=Noise(0.2, random.Random(9)))
        keys: asyncio.Queue[BoardKey] = asyncio.Queue()
        async with running(sim.port, keys.put_nowait) as (_, states):
            await states.connected()
            for seat in range(1, 21):
                for down in (True, False):
                    moved = time.monotonic()
                    await asyncio.to_thread(sim.key, seat, seat % 3, down=down)
                    async with asyncio.timeout(5):
                        got = await keys.get()
                    assert (got.seat, got.button, got.down) == (seat, seat % 3, down)
                    assert -0.01 < got.at - moved < 5
            assert keys.empty()

    asyncio.run(play())


def test_press_to_event_is_quick(make_board: Callable[..., MicroPythonBoard]) -> None:
    async def play() -> None:
        sim = make_board()
        keys: asyncio.Queue[BoardKey] = asyncio.Queue()
        took, off = [], []
        async with running(sim.port, keys.put_nowait) as (_, states):
            await states.connected()
            await asyncio.sleep(0.1)  # the clocks are compared
            for number in range(20):
                moved = time.monotonic()
                await asyncio.to_thread(sim.key, number + 1, 0, down=True)
                got = await keys.get()
                took.append(time.monotonic() - moved)
                off.append(abs(got.at - moved))
        print(f"press to event: median {1000 * statistics.median(took):.1f} ms, longest {1000 * max(took):.1f} ms")
        assert statistics.median(took) < 0.05
        assert statistics.median(off) < 0.05

    asyncio.run(play())


class FakeEnd:
    """A pseudo-terminal whose far end does what a test says."""

    def __init__(self) -> None:
        self.far, self._near = pty.openpty()
        tty.setraw(self._near)
        self.port = os.ttyname(self._near)

    def say(self, kind: int, payload: bytes, seq: int = 1) -> None:
        os.write(self.far, wire.frame(kind, seq, payload))

    def close(self) -> None:
        os.close(self.far)
        os.close(self._near)


def test_another_protocol_is_explained_and_nothing_is_shown() -> None:
    async def play() -> None:
        end = FakeEnd()
        async with running(end.port) as (board, states):
            board.show(snapshot(1, 1, 2))
            await asyncio.sleep(0.1)
            end.say(wire.HELLO, wire.Hello(wire.PROTOCOL + 1, 0, 20, 7, b"12345678").pack())
            why = await states.until(lambda state, _: state is BoardState.OTHER_VERSION)
            assert "update this program" in why
            await asyncio.sleep(0.1)
            reader = wire.Reader()
            sent = [got.kind for byte in os.read(end.far, 4096) if (got := reader.feed(byte))]
            assert set(sent) <= {wire.HELLO, wire.PING}
        end.close()

    asyncio.run(play())


def test_a_newer_snapshot_takes_the_place_of_one_that_is_not_acknowledged() -> None:
    async def play() -> None:
        end = FakeEnd()
        os.set_blocking(end.far, False)
        reader = wire.Reader()
        heard: list[wire.Frame] = []

        async def listen(till: Callable[[], bool]) -> None:
            async with asyncio.timeout(5):
                while not till():
                    with contextlib.suppress(BlockingIOError):
                        heard.extend(got for byte in os.read(end.far, 4096) if (got := reader.feed(byte)))
                    await asyncio.sleep(0.005)

        def deals() -> list[int]:
            return [wire.read_chips(one.payload)[0] for one in heard if one.kind == wire.CHIPS_FULL]

        async with running(end.port) as (board, _):
            await asyncio.sleep(0.05)
            end.say(wire.HELLO, wire.Hello(wire.PROTOCOL, 0, 20, 7, b"12345678").pack())
            await listen(lambda: any(one.kind == wire.HELLO for one in heard))
            end.say(wire.ACK, b"", seq=next(one.seq for one in heard if one.kind == wire.HELLO))
            board.show(snapshot(1, 1, 2))
            await listen(lambda: len(deals()) >= 2)
            assert set(deals()) == {1}, "sent again and again"
            board.show(snapshot(2, 3, 4))
            heard.clear()
            await listen(lambda: deals().count(2) >= 2)
            assert 1 not in deals()[deals().index(2) :]
            seq = {one.seq for one in heard if one.kind == wire.CHIPS_FULL and deals()[-1] == 2}
            end.say(wire.ACK, b"", seq=max(seq))
            await asyncio.sleep(0.1)
            heard.clear()
            with contextlib.suppress(BlockingIOError):
                os.read(end.far, 4096)
            await asyncio.sleep(0.15)
            with pytest.raises(BlockingIOError):
                os.read(end.far, 1)
        end.close()

    asyncio.run(play())


def test_nothing_is_sent_to_a_port_that_does_not_speak() -> None:
    async def play() -> None:
        end = FakeEnd()
        os.set_blocking(end.far, False)
        async with running(end.port) as (board, states):
            board.show(snapshot(1, 1, 2))
            why = await states.until(lambda state, _: state is BoardState.LOST)
            assert "firmware/README.md" in why
            with pytest.raises(BlockingIOError):
                os.read(end.far, 1)
        end.close()

    asyncio.run(play())


def test_a_port_that_another_program_has_is_said() -> None:
    import serial

    async def play() -> None:
        end = FakeEnd()
        other = serial.Serial(end.port, exclusive=True)
        async with running(end.port) as (_, states):
            why = await states.until(lambda state, _: state is BoardState.LOST)
            assert "in use by another program" in why
        other.close()
        end.close()

    asyncio.run(play())


def test_random_bytes_from_the_board_do_no_harm() -> None:
    async def play() -> None:
        end = FakeEnd()
        os.set_blocking(end.far, False)
        rng = random.Random(3)
        keys: list[BoardKey] = []
        async with running(end.port, keys.append) as (board, _):
            await asyncio.sleep(0.05)
            end.say(wire.HELLO, wire.Hello(wire.PROTOCOL, 0, 20, 7, b"12345678").pack())
            await asyncio.sleep(0.05)
            for _ in range(50):
                os.write(end.far, rng.randbytes(rng.randrange(1, 200)) + b"\0")
                for kind in range(10):  # checked frames with nonsense in them
                    end.say(kind, rng.randbytes(rng.randrange(4)), seq=rng.randrange(256))
                await asyncio.sleep(0)
                with contextlib.suppress(BlockingIOError):
                    os.read(end.far, 4096)
            assert board.figures.bad_here > 0
            assert keys == []
        end.close()

    asyncio.run(play())


@pytest.mark.parametrize(
    "rows",
    [((0, 1, False, False),), ((1, 2**31, False, False),), tuple((1, 1, False, False) for _ in range(41))],
)
def test_what_the_wire_cannot_carry_is_our_own_mistake(rows: tuple[tuple[int, int, bool, bool], ...]) -> None:
    with pytest.raises(ValueError, match="cannot show"):
        Board("nowhere").show(BoardSnapshot(1, rows))
