"""Plays deals of Gurka with open hands and knows the truth of every play; shares nothing with the referee.

Own turn order, own trick winner, own reading of the clauses, cards as pairs of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

PACK = [(rank, suit) for rank in range(2, 15) for suit in range(4)]


def may_lay(hand: list[int], card: int, before: list[int], rules: dict[str, Any]) -> bool:
    """U5 - U8 with the whole *hand* open (ranks, *card* among them)."""
    if before == []:
        return True
    smallest = sorted(hand)[0]
    if rules["ace"] == "blocks_next" and before[len(before) - 1] == 14:
        return card == smallest
    if rules["ace"] == "blocks_rest" and any(one == 14 for one in before):
        return card == smallest
    wanted = before[len(before) - 1]
    if rules["target"] == "highest":
        wanted = sorted(before)[-1]
    if rules["match_first"] and hand.count(wanted) > 0:
        return card == wanted
    if card >= wanted:
        return True
    return card == smallest and not (rules["must_beat"] and sorted(hand)[-1] >= wanted)


@dataclass
class Guilty:
    """A play that was against the rules."""

    seat: int
    at: int
    """Index of the play among the deal's cards, last cards too."""
    proved_at: int
    """Index of the first later card of the seat from which it is certain."""
    why: str


@dataclass
class OpenDeal:
    """One deal, played out."""

    cards: list[tuple[int, tuple[int, int], bool]] = field(default_factory=list)
    """Seat, card, and whether it was turned up at the end; in the order they came."""
    takers: list[int] = field(default_factory=list)
    guilty: list[Guilty] = field(default_factory=list)
    illegal_plays: int = 0
    payers: list[int] = field(default_factory=list)
    worth: int = 0


def play_open(seats: list[int], leader: int, size: int, rules: dict[str, Any], cheat: float, rng: Random) -> OpenDeal:
    """Deal *size* cards to each of *seats* (clockwise) and play; a share *cheat* of the plays is any card at all."""
    pack = list(PACK)
    rng.shuffle(pack)
    hands = {seat: [pack.pop() for _ in range(size)] for seat in seats}
    deal = OpenDeal()
    plays: list[tuple[int, int, list[int], list[int]]] = []  # index, seat, cards before, hand before
    tricks = size if rules["last"] == "trick" else size - 1
    for _ in range(tricks):
        start = seats.index(leader)
        table: list[tuple[int, int]] = []
        for step in range(len(seats)):
            seat = seats[(start + step) % len(seats)]
            ranks = [rank for rank, _ in hands[seat]]
            before = [rank for _, rank in table]
            fitting = [card for card in hands[seat] if may_lay(ranks, card[0], before, rules)]
            card = rng.choice(hands[seat] if rng.random() < cheat else fitting)
            if not may_lay(ranks, card[0], before, rules):
                plays.append((len(deal.cards), seat, before, ranks))
            hands[seat].remove(card)
            deal.cards.append((seat, card, False))
            table.append((seat, card[0]))
        top = max(rank for _, rank in table)
        leader = [seat for seat, rank in table if rank == top][-1]
        deal.takers.append(leader)
    start = seats.index(leader)
    if rules["last"] == "show":
        order = list(seats)
        rng.shuffle(order)
        for seat in order:
            deal.cards.append((seat, hands[seat][0], True))
    last = {seat: card for seat, card, _ in deal.cards[-len(seats) :]}
    deal.worth = max(rank for rank, _ in last.values())
    if rules["payers"] == "all_highest":
        deal.payers = [seat for seat in seats if last[seat][0] == deal.worth]
    elif rules["last"] == "trick":
        deal.payers = [deal.takers[-1]]
    else:  # the last of equals, had it been played
        deal.payers = [seat for seat in seats[start:] + seats[:start] if last[seat][0] == deal.worth][-1:]
    deal.illegal_plays = len(plays)
    deal.guilty = [_proof(deal, *play, rules) for play in plays]
    return deal


def _proof(deal: OpenDeal, at: int, seat: int, before: list[int], hand: list[int], rules: dict[str, Any]) -> Guilty:
    """The first card after which no hand that fits what was seen would have allowed the play."""
    card = deal.cards[at][1][0]
    known = [card]
    for later in range(at + 1, len(deal.cards)):
        who, (rank, _), _ = deal.cards[later]
        if who != seat:
            continue
        known.append(rank)
        unseen = len(hand) - len(known)
        # The card laid itself is the most harmless guess for what is still unseen: if a hand full of its likes
        # would not have allowed the play, none would.
        if not may_lay(known + [card] * unseen, card, before, rules):
            return Guilty(seat, at, later, _why(card, rank, before, rules))
    raise AssertionError("an illegal play that the whole hand does not show")


def _why(card: int, shown: int, before: list[int], rules: dict[str, Any]) -> str:
    blocked = {"blocks_next": before[-1] == 14, "blocks_rest": 14 in before, "none": False}[rules["ace"]]
    wanted = max(before) if rules["target"] == "highest" else before[-1]
    if blocked or (shown < card < wanted):
        return "not_lowest"
    return "could_beat" if card < wanted and rules["must_beat"] else "could_match"
