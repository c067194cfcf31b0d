"""Keeps the display board showing the newest view: chips, whose turn, who deals."""

from __future__ import annotations

from typing import Protocol

from controller.feed import Feed
from controller.view import PublicView
from hardware.board import BoardRow, BoardSnapshot


class Board(Protocol):
    """What can show the table in digits; returns at once."""

    def show(self, snapshot: BoardSnapshot) -> None: ...


async def show(feed: Feed, board: Board) -> None:
    """Show every change of *feed* on *board* until cancelled; the same digits are not sent twice."""
    shown: BoardSnapshot | None = None
    async for update in feed.updates():
        snapshot = snapshot_of(update.view)
        if snapshot != shown:
            board.show(snapshot)
            shown = snapshot


def snapshot_of(view: PublicView) -> BoardSnapshot:
    """One row a seat; who is out of the game is dark, so that all see who still plays."""
    return BoardSnapshot(
        view.public.deal,
        tuple(
            BoardRow(seat.public.seat, seat.public.chips, is_dealer=seat.is_dealer, is_turn=seat.to_act)
            for seat in view.seats
            if seat.public.playing
        ),
    )
