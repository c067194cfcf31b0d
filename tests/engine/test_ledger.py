"""Tokens: what leaves one place arrives in another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ledger import Ledger
from engine.seats import Seat


def test_one_pays_what_he_has() -> None:
    ledger, paid = Ledger((3, 1)).pay(Seat(2), 2)
    assert (ledger, paid) == (Ledger((3, 0), pot=1), 1)


def test_the_pot_gives_what_it_holds() -> None:
    assert Ledger((0, 0), pot=5).take(Seat(1), 2) == Ledger((2, 0), pot=3)
    with pytest.raises(ValueError, match="the pot holds 5, not 6"):
        Ledger((0, 0), pot=5).take(Seat(1), 6)


def test_the_bank_is_counted() -> None:
    ledger = Ledger((0, 0)).take_from_bank(Seat(2), 4)
    assert (ledger.has(Seat(2)), ledger.from_bank, ledger.total) == (4, 4, 0)


@given(st.lists(st.tuples(st.sampled_from(["pay", "take", "bank"]), st.integers(1, 3), st.integers(0, 9))))
def test_nothing_is_lost(moves: list[tuple[str, int, int]]) -> None:
    ledger = Ledger((5, 5, 5))
    for what, seat, amount in moves:
        match what:
            case "pay":
                ledger, _ = ledger.pay(Seat(seat), amount)
            case "take" if amount <= ledger.pot:
                ledger = ledger.take(Seat(seat), amount)
            case "bank":
                ledger = ledger.take_from_bank(Seat(seat), amount)
        assert ledger.total == 15
        assert min(*ledger.stocks, ledger.pot) >= 0
