"""Proofs from later cards: what a play says of the hand behind it, and the card that shows it was not so.

Who plays a card that only some hands may play claims that his is such a hand. Each further card of his that comes to
light can break the claim, never mend it; so the first card that breaks it proves the fault, and a claim that no card
breaks until the hand is all seen was true.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card
from engine.rulings import Fault
from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Breach:
    """Holding a card of rank *least* to *most* was against *clause*; *why* is the fault's code."""

    clause: str
    why: str
    least: int
    most: int

    def shown_by(self, card: Card) -> bool:
        return self.least <= card.rank <= self.most


@dataclass(frozen=True, slots=True)
class Claim:
    """With *card*, event number *event*, *seat* claimed to hold none of the cards in *breaches*."""

    seat: Seat
    event: int
    card: Card
    breaches: tuple[Breach, ...]

    def fault(self, later: Card, number: int) -> Fault | None:
        """The fault that *later* proves, when *seat* lets it be seen with event *number*; None if it proves none."""
        for breach in self.breaches:
            if breach.shown_by(later):
                return Fault(
                    self.seat, breach.clause, self.event, breach.why, number, thing=str(self.card), proof=str(later)
                )
        return None


def weigh(
    claims: tuple[Claim, ...], seat: Seat, card: Card, number: int
) -> tuple[tuple[Claim, ...], tuple[Fault, ...]]:
    """*seat*'s *card* came to light with event *number*: the claims that still stand, and the faults now proved."""
    standing: list[Claim] = []
    faults: list[Fault] = []
    for claim in claims:
        fault = claim.fault(card, number) if claim.seat == seat else None
        if fault is None:
            standing.append(claim)
        else:
            faults.append(fault)
    return (tuple(standing), tuple(faults)) if faults else (claims, ())
