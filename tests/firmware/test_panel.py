"""What the panel writes, read back from the driver chips."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.simulated.board.max7219 import Chain
from firmware.panel import Panel
from firmware.wire import Row

ROWS = [
    # seat chips    dealer turn   lit
    (1, 0, False, False, " 1     0"),
    (1, 12, True, False, " 1.    12"),
    (2, 340, False, True, " 2   340."),
    (20, -99999, True, True, "20.-99999."),
    (9, 999999, False, False, " 9999999"),
    (9, 1000000, False, False, " 9  FULL"),
    (9, -100000, False, True, " 9 -FULL."),
]


class Bench:
    """A panel of two chains of three on simulated drivers; each has its own data line here."""

    def __init__(self) -> None:
        self.chains = [Chain(3), Chain(3)]
        self.panel = Panel(self._send, 2, 3)

    def _send(self, chain: int, data: bytes) -> None:
        self.chains[chain].clock(bytes(data))
        self.chains[chain].load()

    def pass_once(self) -> None:
        while self.panel.busy():
            self.panel.step()

    def lit(self) -> list[str]:
        self.pass_once()
        return [module.lit() for chain in self.chains for module in chain.modules]


@pytest.mark.parametrize(("seat", "chips", "dealer", "turn", "lit"), ROWS)
def test_a_row_is_read_as_meant(seat: int, chips: int, dealer: bool, turn: bool, lit: str) -> None:
    sent = bytearray()
    chain = Chain(20)
    panel = Panel(lambda _, data: (chain.clock(bytes(data)), chain.load(), sent.extend(data)), 1, 20)
    panel.notice(None)
    panel.show([Row(seat, chips, dealer, turn)])
    while panel.busy():
        panel.step()
    assert [module.lit() for module in chain.modules] == [lit if at == seat else " " * 8 for at in range(1, 21)]


@given(st.integers(-(2**31), 2**31 - 1), st.booleans(), st.booleans())
def test_never_another_number(chips: int, dealer: bool, turn: bool) -> None:
    bench = Bench()
    bench.panel.notice(None)
    bench.panel.show([Row(4, chips, dealer, turn)])
    number = bench.lit()[3].replace(".", "")[2:].strip()
    assert number == str(chips) or (number in ("FULL", "-FULL") and not -99_999 <= chips <= 999_999)


def test_it_wakes_with_dashes_and_says_notices_over_everything() -> None:
    bench = Bench()
    assert bench.lit() == ["--------"] * 6
    bench.panel.show([Row(1, 5, False, False)])
    assert bench.lit() == ["--------"] * 6
    bench.panel.notice("Err 1")
    assert bench.lit() == ["Err 1   "] * 6
    bench.panel.notice(None)
    assert bench.lit()[:2] == [" 1     5", " " * 8]


def test_a_new_snapshot_forgets_the_old() -> None:
    bench = Bench()
    bench.panel.notice(None)
    bench.panel.show([Row(1, 5, True, False), Row(2, 6, False, False)])
    bench.panel.text(3, "HEI 12.3")
    assert bench.lit()[:3] == [" 1.     5", " 2     6", "HE1 12.3 "]
    bench.panel.show([Row(2, 7, False, False)])
    assert bench.lit()[:3] == [" " * 8, " 2     7", " " * 8]


def test_text_for_all() -> None:
    bench = Bench()
    bench.panel.notice(None)
    bench.panel.text(0, "PAUSE ☃ and more")
    assert set(bench.lit()) == {"PAU5E _ "}


@pytest.mark.parametrize("seat", [0, 7, 255])
def test_no_such_seat(seat: int) -> None:
    with pytest.raises(ValueError, match="no such seat"):
        Bench().panel.show([Row(seat, 5, False, False)])


def test_one_pass_mends_any_register_of_any_module() -> None:
    rng = random.Random(3)
    bench = Bench()
    bench.panel.notice(None)
    bench.panel.show([Row(seat, 100 * seat, False, False) for seat in range(1, 7)])
    right = bench.lit()
    for _ in range(300):
        module = rng.choice(rng.choice(bench.chains).modules)
        module.registers[rng.randrange(1, 16)] = rng.randrange(256)
        bench.panel.touch()
        assert bench.lit() == right
        assert module.intensity == 2


def test_a_flood_of_pictures_does_not_keep_a_register_from_its_turn() -> None:
    bench = Bench()
    bench.panel.notice(None)
    bench.pass_once()
    bench.chains[0].modules[0].registers[0x0F] = 1  # the display test: everything lit
    for number in range(13):
        bench.panel.show([Row(1, number, False, False)])
        bench.panel.step()
    assert bench.chains[0].modules[0].registers[0x0F] == 0


@pytest.mark.parametrize(("asked", "given"), [(0, 0), (3, 3), (4, 4), (15, 4)])
def test_brightness_is_held_to_what_the_supply_bears(asked: int, given: int) -> None:
    bench = Bench()
    bench.panel.brightness(asked)
    bench.pass_once()
    assert {module.intensity for chain in bench.chains for module in chain.modules} == {given}
