"""The seat boxes' keys: bounce, order, a full ring."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware.keys import BYTES, QUIET_MS, Keys


def bits(*down: int) -> bytes:
    out = bytearray(b"\xff" * BYTES)
    for key in down:
        out[key // 8] &= ~(0x80 >> key % 8)
    return bytes(out)


def taken(keys: Keys) -> list[tuple[int, int, int, int, int]]:
    out = []
    while (first := keys.first()) is not None:
        out.append(first)
        keys.done()
    return out


def make() -> Keys:
    return Keys(lambda later, sooner: later - sooner)


def test_the_first_edge_counts_at_once_and_names_its_seat() -> None:
    keys = make()
    keys.scan(bits(59), 1000)
    assert taken(keys) == [(0, 20, 2, 1, 1000)]
    keys.scan(bits(59), 1030)
    keys.scan(bits(), 1100)
    assert taken(keys) == [(1, 20, 2, 0, 1100)]


@given(
    st.lists(
        st.tuples(st.integers(0, 59), st.lists(st.integers(0, 4), max_size=9), st.integers(QUIET_MS + 1, 90)),
        max_size=12,
    )
)
def test_each_press_and_release_is_told_once(presses: list[tuple[int, list[int], int]]) -> None:
    """*presses*: which key, its bounce in ms between edges, how long it then stays as it is."""
    keys = make()
    now, told = 0, []
    for key, bounce, still in presses:
        for level in (1, 0):  # down, then up
            told.append((key // 3 + 1, key % 3, level, now))
            held = bool(level)
            keys.scan(bits(key) if held else bits(), now)
            for gap in bounce + bounce:  # an even number of edges more ends where it began
                now += gap
                held = not held
                keys.scan(bits(key) if held else bits(), now)
            for _ in range(still):
                now += 1
                keys.scan(bits(key) if level else bits(), now)
    assert [one[1:] for one in taken(keys)] == told


def test_a_change_that_hid_in_the_bounce_is_told_when_it_is_quiet() -> None:
    keys = make()
    keys.scan(bits(4), 0)
    keys.scan(bits(), 5)  # let go within the bounce
    for now in range(6, 60):
        keys.scan(bits(), now)
    assert [one[3:] for one in taken(keys)] == [(1, 0), (0, 25)]


def test_two_keys_keep_their_order() -> None:
    keys = make()
    keys.scan(bits(30), 10)
    keys.scan(bits(30, 2), 11)
    assert [one[1:3] for one in taken(keys)] == [(11, 0), (1, 2)]


def test_a_full_ring_loses_new_edges_and_counts_them() -> None:
    keys = make()
    now = 0
    for number in range(70):
        now += 2 * QUIET_MS
        keys.scan(bits() if number % 2 else bits(0), now)
        keys.scan(bits() if number % 2 else bits(0), now + QUIET_MS)
    assert keys.lost == 6
    assert len(taken(keys)) == 64


def test_what_nobody_listened_to_is_forgotten() -> None:
    keys = make()
    keys.scan(bits(1), 0)
    keys.forget()
    assert keys.first() is None
