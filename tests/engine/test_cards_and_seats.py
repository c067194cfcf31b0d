"""Cards and seats: what is written is read back, and who sits left of whom."""

from __future__ import annotations

import pytest

from engine.cards import PACK, Card, Rank, Suit, rank_of
from engine.seats import Seat, Seats


def test_the_pack_holds_every_card_once_and_each_reads_back() -> None:
    assert len(set(PACK)) == len(PACK) == 52
    assert [Card.parse(str(card)) for card in PACK] == list(PACK)


@pytest.mark.parametrize(("text", "card"), [("10h", "Th"), ("th", "Th"), ("aS", "As"), ("2c", "2c")])
def test_cards_are_read_as_people_write_them(text: str, card: str) -> None:
    assert str(Card.parse(text)) == card


@pytest.mark.parametrize("text", ["", "h", "1h", "11h", "Ax", "AhK", "A♥"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        Card.parse(text)


@pytest.mark.parametrize("text", ["", "1", "0", "15", "Z", "23"])
def test_what_is_no_rank_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="not a rank"):
        rank_of(text)


def test_pip_values() -> None:
    assert [rank_of(text) for text in ("2", "10", "J", "Q", "K", "A")] == [2, 10, 11, 12, 13, 14]
    assert Card(Rank.ACE, Suit.HEARTS).rank > Rank.KING


LEFT = [
    # seats seat  among      left
    (4,     1,    None,      2),
    (4,     4,    None,      1),
    (4,     1,    (1, 4),    4),
    (4,     2,    (2,),      2),
    (4,     3,    (1, 2),    1),
]  # fmt: skip


@pytest.mark.parametrize(("count", "seat", "among", "left"), LEFT)
def test_left_of(count: int, seat: int, among: tuple[Seat, ...] | None, left: int) -> None:
    assert Seats(count).left_of(Seat(seat), among) == left


def test_once_round_the_table() -> None:
    assert Seats(4).clockwise_from(Seat(3)) == (3, 4, 1, 2)
    assert Seats(4).clockwise_from(Seat(3), (1, 2, 4)) == (4, 1, 2)
    assert list(Seats(3)) == [1, 2, 3]


def test_a_table_needs_seats_and_somebody_at_it() -> None:
    with pytest.raises(ValueError, match="at least one seat"):
        Seats(0)
    with pytest.raises(ValueError, match="nobody"):
        Seats(3).left_of(Seat(1), ())
