"""What the display board is given."""

import asyncio
from dataclasses import replace

import pytest

from controller.feed import Feed
from controller.show import show, snapshot_of
from controller.view import DeviceView
from hardware.board import BoardSnapshot
from tests.controller.views import a_gnav_view, a_gurka_view

pytestmark = pytest.mark.timeout(10)


class Digits:
    """A board that keeps what it was given."""

    def __init__(self) -> None:
        self.given: list[BoardSnapshot] = []

    def show(self, snapshot: BoardSnapshot) -> None:
        self.given.append(snapshot)


def test_a_row_a_seat_with_chips_dealer_and_turn_and_none_for_who_is_out() -> None:
    snapshot = snapshot_of(a_gnav_view(chips=12))
    assert snapshot.deal_no == 4
    assert [tuple(row) for row in snapshot.rows] == [
        (1, 12, False, False),
        (2, 5, False, False),
        (3, 5, False, True),
        (4, 5, False, False),
        (5, 5, True, False),
    ]
    assert [row[1] for row in snapshot_of(a_gurka_view()).rows] == [7, 14, 21, 28]


def test_the_view_of_now_at_once_and_then_only_what_changes_the_digits() -> None:
    async def scenario() -> list[BoardSnapshot]:
        digits, feed = Digits(), Feed(a_gnav_view())
        task = asyncio.create_task(show(feed, digits))
        for view in (
            a_gnav_view(),
            a_gnav_view(8),
            a_gnav_view(8, devices=(DeviceView("board", True),)),
            a_gnav_view(9, chips=4),
            replace(a_gnav_view(9, chips=4), last=()),
        ):
            feed.put(view)
            for _ in range(5):
                await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait((task,))
        return digits.given

    assert [snapshot.rows[0][1] for snapshot in asyncio.run(scenario())] == [5, 4]
