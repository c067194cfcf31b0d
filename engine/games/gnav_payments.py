"""Tokens in Gnav: refusals, the two fools, the lowest piece, who is out and who has won (G8, G14, G15, G22 - G28)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from engine.games.gnav_options import GnavOptions, House
from engine.games.gnav_round import Closed, GnavState, Judged, Round
from engine.pieces import PieceTable
from engine.rulings import DealOver, DealVoid, Fault, GameOver, Paid, Received, SitsOut, Verdict, WentOut
from engine.seats import Seat

LEVEL_TWO = ("knock_and_call", "two_answers")
"""Faults that name a player before it is known which of his words was false; that word's own fault follows."""


def pay_refusal(state: GnavState, round_: Round, options: GnavOptions, asker: Seat, clause: str) -> Judged:
    """G14, G15: the refused *asker* pays; with nothing left he goes out at once if the table plays so (G26)."""
    state, verdicts = _pay(replace(state, round=round_), options, asker, options.refusal_payment, clause)
    if options.elimination == "end_of_round" or state.ledger.has(asker) or asker not in state.players:
        return state, verdicts
    round_ = _of(state)
    round_ = replace(round_, left=(*round_.left, asker))
    players = tuple(seat for seat in state.players if seat != asker)
    state, verdicts = replace(state, round=round_, players=players), (*verdicts, WentOut(asker, "G26"))
    if len(players) > 1 and len(round_.in_deal) > 1:
        return state, verdicts
    void = () if len(players) == 1 else (DealVoid("G26", "one_left"),)
    state, end = end_round(state, options)
    return state, (*verdicts, *void, *end)


def sit_out_fools(state: GnavState, round_: Round, options: GnavOptions, fools: tuple[Seat, ...]) -> Judged:
    """G8: each of the two fools gets one token and sits the round out; with one player left the round is void."""
    ledger = state.ledger
    verdicts: list[Verdict] = []
    if ledger.pot >= len(fools) or options.double_fool_short_pot == "bank":
        for seat in fools:  # a short pot gives what it has, the bank the rest
            source = "pot" if ledger.pot else "bank"
            ledger = ledger.take(seat, 1) if ledger.pot else ledger.take_from_bank(seat, 1)
            verdicts.append(Received(seat, 1, source, "G8"))
    sits = tuple(SitsOut(seat, "G8") for seat in fools)
    round_ = replace(round_, left=(*round_.left, *fools))
    state = replace(state, round=round_, ledger=ledger)
    if len(round_.in_deal) > 1:
        return state, (*verdicts, *sits)
    state, end = end_round(state, options)
    return state, (*verdicts, *sits, DealVoid("G8", "two_fools"), *end)


def settle(state: GnavState, house: House) -> Judged:
    """All have shown: who pays for his piece, and the end of the round."""
    options, table, round_ = house.options, house.pieces, _of(state)
    verdicts: tuple[Verdict, ...] = ()
    shown = dict(round_.shown)
    if options.double_fool == "any_time":
        fools = tuple(seat for seat in sorted(round_.in_deal) if table.piece(shown[seat]).is_fool)
        if len(fools) > 1:
            state, verdicts = sit_out_fools(state, round_, options, fools)
            round_ = _of(state)
            if isinstance(round_.stage, Closed):
                return state, verdicts
    if options.cuckoo_all_pay and round_.stopped_by:
        losers = tuple(seat for seat in sorted(round_.in_deal) if seat != round_.stopped_by)
        state, payments = _pay_all(state, options, losers, "G13")
    else:
        losers, state, payments = _lowest_pay(state, options, _levels(table, round_.in_deal, shown), table, shown)
    if _all_broke(state) and options.all_out_at_once == "replay":
        state, end = end_round(state, options)
        return state, (*verdicts, *payments, *end)
    state, end = end_round(state, options)
    return state, (*verdicts, *payments, DealOver(state.deal, losers), *end)


def end_round(state: GnavState, options: GnavOptions) -> Judged:
    """G26: who has lost all is out; G28: the last one in wins; G27: else the bag passes left."""
    round_ = replace(_of(state), stage=Closed())
    broke = tuple(seat for seat in state.players if not state.ledger.has(seat))
    if _all_broke(state) and options.all_out_at_once == "replay":
        state = replace(state, ledger=round_.before, players=round_.players_before, dealer=round_.dealer, round=round_)
        return state, (DealVoid("G28", "all_out"),)
    players = tuple(seat for seat in state.players if seat not in broke)
    out = tuple(WentOut(seat, "G26") for seat in broke)
    if len(players) > 1:
        dealer = state.seats.left_of(round_.dealer, players)
        return replace(state, players=players, dealer=dealer, round=round_), out
    winners = players
    if not players and options.all_out_at_once == "shared":
        winners = broke
    state = replace(state, players=players, winners=winners, over=True, round=round_)
    return state, (*out, GameOver(winners, "G28"))


def out_by_late_fines(state: GnavState, options: GnavOptions) -> Judged:
    """A fault proved after the settlement took somebody's last token: he is out now (G26)."""
    if all(state.ledger.has(seat) for seat in state.players):
        return state, ()
    dealer = state.dealer
    state, verdicts = end_round(state, options)
    void = any(isinstance(one, DealVoid) for one in verdicts)
    return (state if void or dealer not in state.players else replace(state, dealer=dealer)), verdicts


def fine_faults(state: GnavState, verdicts: Iterable[Verdict]) -> Judged:
    """violation=pay_token: each fault costs its player a token; it puts nobody out before the round is over."""
    paid: list[Verdict] = []
    ledger = state.ledger
    for fault in verdicts:
        if isinstance(fault, Fault) and fault.why not in LEVEL_TWO and not state.over:
            ledger, amount = ledger.pay(fault.seat, 1)
            paid.append(Paid(fault.seat, amount, 1, fault.clause))
    return replace(state, ledger=ledger), tuple(paid)


def _lowest_pay(
    state: GnavState,
    options: GnavOptions,
    levels: list[tuple[Seat, ...]],
    table: PieceTable,
    shown: dict[Seat, str],
) -> tuple[tuple[Seat, ...], GnavState, tuple[Verdict, ...]]:
    """G22 - G24. With debt_beyond_stake=next_lowest_pays a level where somebody cannot pay calls in the next."""
    fool_lowest = table.piece(shown[levels[0][0]]).is_fool
    due = 2 if fool_lowest else 1
    losers = tuple(sorted(seat for level in levels[:due] for seat in level))
    verdicts: tuple[Verdict, ...] = ()
    for height, level in enumerate(levels):
        if not due:
            break
        clause = "G24" if height and fool_lowest else "G23" if len(level) > 1 else "G22"
        state, payments = _pay_all(state, options, level, clause)
        verdicts += payments
        short = any(isinstance(one, Paid) and one.amount < one.owed for one in payments)
        if not short or options.debt_beyond_stake == "waived":
            due -= 1
    return losers, state, verdicts


def _levels(table: PieceTable, seats: Iterable[Seat], shown: dict[Seat, str]) -> list[tuple[Seat, ...]]:
    """*seats* by the height of their pieces, lowest first; equals stand together (G23)."""
    heights = {seat: table.height(table.piece(shown[seat])) for seat in seats}
    lowest_first = sorted(heights, key=lambda seat: (heights[seat], seat))
    return [tuple(level) for _, level in groupby(lowest_first, key=heights.__getitem__)]


def _pay_all(state: GnavState, options: GnavOptions, seats: Iterable[Seat], clause: str) -> Judged:
    verdicts: tuple[Verdict, ...] = ()
    for seat in seats:
        state, paid = _pay(state, options, seat, 1, clause)
        verdicts += paid
    return state, verdicts


def _pay(state: GnavState, options: GnavOptions, seat: Seat, owed: int, clause: str) -> Judged:
    """G22: into the pot, never to a player; G25: as often as it falls due, unless the table plays once a round."""
    round_ = _of(state)
    if options.double_payment == "max_one_per_round" and seat in round_.paid:
        return state, ()
    ledger, amount = state.ledger.pay(seat, owed)
    round_ = replace(round_, paid=(*round_.paid, seat))
    return replace(state, ledger=ledger, round=round_), (Paid(seat, amount, owed, clause),)


def _all_broke(state: GnavState) -> bool:
    return not any(state.ledger.has(seat) for seat in state.players)


def _of(state: GnavState) -> Round:
    assert state.round is not None, "payments fall due in a round"
    return state.round
