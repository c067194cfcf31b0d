"""Buttons on mock pins that bounce, through the shipped gpiozero code."""

from __future__ import annotations

import asyncio
import random
import statistics
import threading
import time
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from controller.simulated.buttons import bouncy_press, move, press_at_once
from hardware.buttons import ButtonPress, ButtonsMissing, GpioButtons, GpioLine

pytestmark = pytest.mark.timeout(30)

FREE = [line for line in range(28) if line not in (2, 3, 14, 15)]
KEYS = {f"seat{number}.bytte": line for number, line in enumerate(FREE, 1)}


class HeldPin(MockPin):
    """A line that something holds to ground."""

    held = (17, 22)

    def drive_high(self) -> None:
        if self.info.name in {f"GPIO{line}" for line in self.held}:
            self.drive_low()
        else:
            super().drive_high()


class LatePin(MockPin):
    """Its edges come half a second after they were stamped, as from a busy kernel."""

    def _call_when_changed(self) -> None:
        super(MockPin, self)._call_when_changed(self._last_change - 0.5, self._state)


class OtherClockPin(MockPin):
    """An old kernel's stamps: seconds since 1970."""

    def _call_when_changed(self) -> None:
        super(MockPin, self)._call_when_changed(time.time(), self._state)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.reset()


def test_bouncy_presses_come_once_each(factory: MockFactory) -> None:
    async def play() -> list[ButtonPress]:
        got: list[ButtonPress] = []
        buttons = GpioButtons(KEYS, factory)
        assert buttons.start(got.append) == ()
        rngs = [random.Random(line) for line in FREE]
        for _ in range(4):
            await asyncio.gather(*(bouncy_press(factory, line, rng) for line, rng in zip(FREE, rngs, strict=True)))
            await asyncio.sleep(0.06)
        buttons.close()
        return got

    got = asyncio.run(play())
    assert sorted(press.key for press in got) == sorted([*KEYS] * 4)


def test_who_was_first_is_told_by_the_pins_clock(factory: MockFactory) -> None:
    async def play() -> None:
        got: list[ButtonPress] = []
        buttons = GpioButtons({"seat1.staar": 5, "seat2.staar": 6}, factory)
        buttons.start(got.append)
        before = time.monotonic()
        move(factory, 6, down=True)
        move(factory, 5, down=True)
        time.sleep(0.05)  # the loop is busy elsewhere  # noqa: ASYNC251
        after = time.monotonic()
        await asyncio.sleep(0)
        assert [press.key for press in sorted(got, key=lambda press: press.at)] == ["seat2.staar", "seat1.staar"]
        assert all(before <= press.at < after - 0.04 for press in got)
        buttons.close()

    asyncio.run(play())


@pytest.mark.parametrize(("pin_class", "late_s"), [(LatePin, 0.5), (OtherClockPin, 0.0)])
def test_the_kernels_stamp_counts_when_it_is_of_our_clock(pin_class: type[MockPin], late_s: float) -> None:
    async def play() -> None:
        factory = MockFactory(pin_class=pin_class)
        queue: asyncio.Queue[ButtonPress] = asyncio.Queue()
        buttons = GpioButtons({"seat1.staar": 5}, factory)
        buttons.start(queue.put_nowait)
        move(factory, 5, down=True)
        press = await asyncio.wait_for(queue.get(), 2)
        assert time.monotonic() - press.at == pytest.approx(late_s, abs=0.2)
        buttons.close()

    asyncio.run(play())


def test_a_press_from_another_thread_wakes_the_loop_at_once(factory: MockFactory) -> None:
    async def play() -> list[float]:
        queue: asyncio.Queue[ButtonPress] = asyncio.Queue()
        buttons = GpioButtons(KEYS, factory)
        buttons.start(queue.put_nowait)
        took = []
        for line in FREE:
            thread = threading.Thread(target=move, args=(factory, line), kwargs={"down": True})
            thread.start()
            press = await asyncio.wait_for(queue.get(), 2)
            took.append(time.monotonic() - press.at)
            thread.join()
        buttons.close()
        return took

    took = asyncio.run(play())
    print(f"press to event: median {1e3 * statistics.median(took):.2f} ms, longest {1e3 * max(took):.2f} ms")
    assert statistics.median(took) < 0.02


def test_presses_in_no_time_count_when_the_bounce_is_over(factory: MockFactory) -> None:
    async def play() -> int:
        got: list[ButtonPress] = []
        buttons = GpioButtons({"console.ok": 5}, factory, quiet_s=0.002)
        buttons.start(got.append)
        rng = random.Random(1)
        for _ in range(10):
            press_at_once(factory, 5, rng)
            await asyncio.sleep(0.03)
        buttons.close()
        return len(got)

    assert asyncio.run(play()) == 10


def test_keys_that_are_down_at_start_are_named_and_count_once_let_go() -> None:
    factory = MockFactory(pin_class=HeldPin)

    async def play() -> list[str]:
        got: list[ButtonPress] = []
        buttons = GpioButtons({"seat1.bank": 17, "seat2.bank": 18, "console.se": 22}, factory)
        assert buttons.start(got.append) == ("seat1.bank", "console.se")
        await asyncio.sleep(0.05)
        assert got == []
        pin = factory.pin(17)
        MockPin.drive_high(pin)
        await asyncio.sleep(0.05)
        pin.drive_low()
        await asyncio.sleep(0.05)
        buttons.close()
        return [press.key for press in got]

    assert asyncio.run(play()) == ["seat1.bank"]


def test_closed_buttons_say_nothing_and_free_their_lines(factory: MockFactory) -> None:
    async def play() -> None:
        got: list[ButtonPress] = []
        for _ in range(2):
            buttons = GpioButtons({"console.se": 5}, factory)
            buttons.start(got.append)
            move(factory, 5, down=True)  # on its way when the buttons close
            buttons.close()
            buttons.close()
            await asyncio.sleep(0.05)
            move(factory, 5, down=False)
        assert got == []

    asyncio.run(play())


def test_expanders_have_lines_of_their_own() -> None:
    async def play() -> list[str]:
        queue: asyncio.Queue[ButtonPress] = asyncio.Queue()
        buttons = GpioButtons({"a": GpioLine(5), "b": GpioLine(5, chip=1), "c": GpioLine(3, chip=1)}, "mock")
        buttons.start(queue.put_nowait)
        for chip, line in ((1, 5), (0, 5), (1, 3)):
            move(buttons.factories[chip], line, down=True)
        keys = [(await asyncio.wait_for(queue.get(), 2)).key for _ in range(3)]
        buttons.close()
        return keys

    assert asyncio.run(play()) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ({"console.se": 2}, r"console\.se: GPIO 2 is kept free for I²C data"),
        ({"console.se": 15}, r"console\.se: GPIO 15 is kept free for serial in"),
        ({"console.se": 28}, r"console\.se: there is no GPIO 28; lines go from 0 to 27"),
        ({"console.se": GpioLine(-1)}, r"there is no GPIO -1"),
        ({"console.se": GpioLine(1, chip=-1)}, r"there is no line 1 of chip -1"),
        ({"console.se": 5, "seat1.bytte": 5}, r"seat1\.bytte: GPIO 5 is already console\.se's"),
        ({"a": GpioLine(3, 1), "b": GpioLine(3, 1)}, r"b: line 3 of chip 1 is already a's"),
    ],
)
def test_lines_that_cannot_be_are_named(lines: dict[str, GpioLine | int], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        GpioButtons(lines, "mock")


def test_an_unknown_factory_is_named() -> None:
    with pytest.raises(ValueError, match="no pin factory 'rpigpio'"):
        GpioButtons({"console.se": 5}, "rpigpio")


def test_without_a_pi_lgpio_says_so_and_falls_back_to_nothing(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)  # where lgpio is installed, its import leaves a pipe
    with pytest.raises(ButtonsMissing, match=r"lgpio|chip 0"):
        GpioButtons({"console.se": 5}, "lgpio")
