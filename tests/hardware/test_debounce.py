"""The debouncer: every real movement once, at its first edge, and never left in a wrong state."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import QUIET_S, Debounce

GAP = st.floats(0, QUIET_S * 0.9)


class Contact:
    """A contact on a clock of its own; ``told`` has what the debouncer reported, and when."""

    def __init__(self, down: bool = False) -> None:
        self.down = down
        self.now = 0.0
        self.debounce = Debounce(down)
        self.told: list[tuple[bool, float]] = []

    def move(self, down: bool) -> None:
        if down != self.down:
            self.down = down
            self._tell(self.debounce.edge(down, self.now))

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.debounce.due is not None and self.debounce.due <= end:
            self.now = max(self.now, self.debounce.due)
            self._tell(self.debounce.sample(self.down, self.now))
        self.now = end

    def _tell(self, level: bool | None) -> None:
        if level is not None:
            self.told.append((level, self.now))


@given(st.lists(st.tuples(st.lists(GAP, max_size=8), st.floats(QUIET_S * 1.01, 5.0)), max_size=20))
def test_each_movement_is_told_once_at_its_first_edge(movements: list[tuple[list[float], float]]) -> None:
    contact = Contact()
    expected = []
    for number, (gaps, still) in enumerate(movements):
        down = number % 2 == 0
        expected.append((down, contact.now))
        contact.move(down)
        for gap in gaps:
            contact.wait(gap / 2)
            contact.move(not down)
            contact.wait(gap / 2)
            contact.move(down)
        contact.wait(still)
    assert contact.told == expected


@given(st.booleans(), st.lists(st.tuples(st.booleans(), st.floats(0, 0.1)), max_size=60))
def test_whatever_it_does_what_was_told_alternates_and_ends_true(down: bool, moves: list[tuple[bool, float]]) -> None:
    contact = Contact(down)
    for level, wait in moves:
        contact.move(level)
        contact.wait(wait)
    contact.wait(10 * QUIET_S)
    levels = [down, *(level for level, _ in contact.told)]
    assert all(a != b for a, b in itertools.pairwise(levels))
    assert levels[-1] == contact.down
    assert contact.debounce.due is None


def test_a_press_shorter_than_the_bounce_is_told_whole() -> None:
    contact = Contact()
    contact.move(True)
    contact.wait(0.005)
    contact.move(False)
    contact.wait(1)
    assert contact.told == [(True, 0.0), (False, 0.005 + QUIET_S)]


def test_an_edge_that_was_missed_is_made_good() -> None:
    debounce = Debounce(False)
    assert debounce.edge(False, 1.0) is None, "an edge to where it already was"
    assert debounce.sample(True, 1.0) is None, "not yet"
    assert debounce.sample(True, 1.0 + QUIET_S) is True
