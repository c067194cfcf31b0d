"""Gnav's house rules: the options, and the pieces as the rank_order option ranks them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.options import number, one_of
from engine.pieces import PieceTable


@dataclass(frozen=True, slots=True)
class GnavOptions:
    """What a table may settle for itself; the first value is the printed rule, or our reading of it."""

    start_tokens: int = number(5, 1, 50)
    """G4: tokens each player begins with."""
    rank_order: str = one_of("printed", "zero_lowest")
    """G2: ``zero_lowest`` ranks 0 below the owl, the pot and the fool, in that order."""
    matador_call: str = one_of("mandatory", "optional")
    """G18: must the asked holder of a matador say it?"""
    matador_turn: str = one_of("auto_stand", "acts")
    """G17: has a matador holder who called had his turn, or does he still take it?"""
    refusal_payment: int = number(1, 1, 5)
    """G14, G15: tokens the refused asker pays."""
    horse_house_continue: str = one_of("must_ask_next", "may_stop")
    """G16: must the one who was passed on ask the next player?"""
    horse_house_past_dealer: str = one_of("bag", "keep")
    """G19: what becomes of the asker whom the dealer passes on."""
    dealer_bag_redraw: str = one_of("none", "redraw_horse_house")
    """G20: must the dealer draw again when he draws a horse or a house?"""
    dealer_discard: str = one_of("aside_and_shown", "into_bag")
    """G20: where the piece goes that was exchanged with the bag; ``into_bag`` hides it for ever."""
    double_payment: str = one_of("allowed", "max_one_per_round")
    """G25: may one player pay more than once in a round?"""
    debt_beyond_stake: str = one_of("waived", "next_lowest_pays")
    """G22: does the next lowest piece pay when a loser has no token left?"""
    elimination: str = one_of("end_of_round", "immediately")
    """G26: when one without tokens is out; ``immediately`` speaks of the refused asker's payment."""
    double_fool: str = one_of("at_deal", "any_time", "off")
    """G8: ``any_time`` honours two fools found at the turn-up as well."""
    double_fool_short_pot: str = one_of("nothing", "bank")
    """G8: what happens when the pot holds fewer than two tokens."""
    all_out_at_once: str = one_of("replay", "shared", "no_winner")
    """G28: what happens when a round leaves nobody in."""
    cuckoo_own_turn: bool = one_of(False, True)
    """G13: may the cuckoo be called on one's own turn?"""
    cuckoo_all_pay: bool = one_of(False, True)
    """G13: after the cuckoo's call all but the caller pay, instead of the lowest."""
    violation: str = one_of("announce", "pay_token")
    """Does a fault cost its player a token?"""


@dataclass(frozen=True, slots=True)
class House:
    """How this table plays: its options, and its pieces in the order they rank here (G1, G2)."""

    options: GnavOptions
    pieces: PieceTable


_ZERO_LOWEST = ("0", "UGLE", "POTTE", "NARR")
"""The bottom of the order under ``zero_lowest``, lowest first; a table without these keeps its order."""


def as_ranked(table: PieceTable, options: GnavOptions) -> PieceTable:
    """G2: *table* in the order this table plays by."""
    if options.rank_order == "printed":
        return table
    bottom = [piece for name in _ZERO_LOWEST for piece in table.low_to_high if piece.name == name]
    rest = [piece for piece in table.low_to_high if piece not in bottom]
    return PieceTable(table.name, (*bottom, *rest))
