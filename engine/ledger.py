"""Tokens: who has how many, what lies in the pot. What leaves one place arrives in another."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Ledger:
    """Tokens of each seat (index seat - 1), of the pot (*potten*), and what the bank has handed out."""

    stocks: tuple[int, ...]
    pot: int = 0
    from_bank: int = 0
    """Tokens that came in from outside the game; the sum of all places is what the table began with plus this."""

    def has(self, seat: Seat) -> int:
        return self.stocks[seat - 1]

    def pay(self, seat: Seat, owed: int) -> tuple[Ledger, int]:
        """*seat* pays *owed* into the pot, or what he has; gives back the tokens really paid."""
        paid = min(owed, self.has(seat))
        return replace(self._with(seat, -paid), pot=self.pot + paid), paid

    def take(self, seat: Seat, amount: int) -> Ledger:
        """*seat* gets *amount* from the pot; ValueError when the pot is short."""
        if amount > self.pot:
            raise ValueError(f"the pot holds {self.pot}, not {amount}")
        return replace(self._with(seat, amount), pot=self.pot - amount)

    def take_from_bank(self, seat: Seat, amount: int) -> Ledger:
        """*seat* gets *amount* new tokens."""
        return replace(self._with(seat, amount), from_bank=self.from_bank + amount)

    @property
    def total(self) -> int:
        """All tokens there are, less those that came from the bank: never changes."""
        return sum(self.stocks) + self.pot - self.from_bank

    def _with(self, seat: Seat, change: int) -> Ledger:
        stocks = list(self.stocks)
        stocks[seat - 1] += change
        return replace(self, stocks=tuple(stocks))
