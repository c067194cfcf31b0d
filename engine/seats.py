"""Who sits where: seats are numbered 1 to n, clockwise seen from above."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NewType

Seat = NewType("Seat", int)
"""1 is the first seat; the player to the left of seat 1 sits in seat 2 (play goes clockwise)."""


@dataclass(frozen=True, slots=True)
class Seats:
    """A round table of *count* seats."""

    count: int

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"a table needs at least one seat, not {self.count}")

    def __iter__(self) -> Iterator[Seat]:
        return (Seat(number) for number in range(1, self.count + 1))

    def left_of(self, seat: Seat, among: Collection[Seat] | None = None) -> Seat:
        """The next seat clockwise, skipping those not *among* (all sit there when None).

        Comes back to *seat* itself when nobody else is there; ValueError when *among* is empty.
        """
        for step in range(1, self.count + 1):
            neighbour = Seat((seat - 1 + step) % self.count + 1)
            if among is None or neighbour in among:
                return neighbour
        raise ValueError("nobody sits at the table")

    def clockwise_from(self, seat: Seat, among: Collection[Seat] | None = None) -> tuple[Seat, ...]:
        """All seats (that are *among*) once round, *seat* first when it is there."""
        order = [Seat((seat - 1 + step) % self.count + 1) for step in range(self.count)]
        return tuple(one for one in order if among is None or one in among)
