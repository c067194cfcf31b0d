"""Gurka after the last card: points, who is out, lives, buying in, the pot.

The clauses are those of the rule sheet in ``engine.games.gurka``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.games.gurka_options import GurkaOptions
from engine.games.gurka_table import Deal, GurkaState, Phase, Player
from engine.rulings import (
    CameBack,
    DealOver,
    DealVoid,
    GameOver,
    Paid,
    Received,
    Scored,
    Verdict,
    WentOut,
)
from engine.seats import Seat
from engine.trick import Play, all_highest, last_highest

Judged = tuple[GurkaState, tuple[Verdict, ...]]


def stake_in(state: GurkaState, seats: Sequence[Seat], stake: int, clause: str) -> tuple[GurkaState, list[Verdict]]:
    """Each of *seats* brings a *stake* to the table and puts it into the pot (*potten*)."""
    ledger = state.ledger
    verdicts: list[Verdict] = []
    for seat in seats:
        ledger, paid = ledger.take_from_bank(seat, stake).pay(seat, stake)
        verdicts.append(Paid(seat, paid, stake, clause))
    return replace(state, ledger=ledger), verdicts


def settle(options: GurkaOptions, state: GurkaState, deal: Deal, last: Sequence[Play]) -> Judged:
    """The deal is played: *last* are the last cards, in turn order."""
    if deal.void:
        return _void(state, deal)
    taker = last_highest(last)  # U9
    payers = [taker] if options.payers == "taker" else [*all_highest(last)]  # U16, U11
    worth = int(taker.card.rank)
    verdicts: list[Verdict] = []
    scored = list(state.players)
    charges = [(play.seat, "U16" if options.payers == "taker" else "U11") for play in payers]
    for seat, clause in (*charges, *deal.guilty):
        player = scored[seat - 1]
        scored[seat - 1] = replace(player, points=player.points + worth)
        verdicts.append(Scored(seat, worth, player.points + worth, clause))
    charged = {seat for seat, _ in charges} | {seat for seat, _ in deal.guilty}
    # One who stands above the limit without paying is in a sudden death (U13): he goes out when he pays.
    going = [seat for seat in deal.order if seat in charged and _is_bust(options, scored[seat - 1].points)]
    losers = tuple(play.seat for play in payers)
    if len(going) == len(deal.order):  # U13
        going = _who_goes(options, going, scored)
        if len(going) == len(deal.order):
            verdicts.append(DealVoid("U13", "all_bust"))
            scored, going, losers = list(state.players), [], ()
    verdicts += _put_out(options, scored, going, deal.order)
    verdicts.append(DealOver(state.number, losers))
    stays = options.next_dealer == "loser"
    state = replace(
        state,
        players=tuple(scored),
        phase=Phase.BETWEEN_DEALS,
        pack_at=taker.seat if stays else deal.dealer,  # U3
        pack_stays=stays,
    )
    left = len(state.playing)
    if options.stake and options.buyin and (left > 1 or options.buyin_when_one_left):  # U18
        offers = tuple(
            seat for seat in going if not state.player(seat).playing and not state.player(seat).has_bought_in
        )
        state = replace(state, offers=offers)
    state, closed = _after(state)
    return state, (*verdicts, *closed)


def _void(state: GurkaState, deal: Deal) -> Judged:
    """Option violation: it does not count, and the same dealer deals again."""
    state = replace(state, phase=Phase.BETWEEN_DEALS, pack_at=deal.dealer, pack_stays=True)
    return state, (DealOver(state.number, ()),)


def close_offers(state: GurkaState, seats: Collection[Seat]) -> Judged:
    """U18: *seats* do not buy in."""
    return _after(replace(state, offers=tuple(seat for seat in state.offers if seat not in seats)))


def came_back(state: GurkaState, seat: Seat) -> Judged:
    """U18: *seat* has bought in, with the points of the highest of those still in."""
    points = max(state.player(one).points for one in state.playing)
    player = replace(state.player(seat), points=points, lives=1, playing=True, has_bought_in=True)
    state = replace(state, players=(*state.players[: seat - 1], player, *state.players[seat:]))
    state, closed = close_offers(state, [seat])
    return state, (CameBack(seat, points, "U18"), *closed)


def _is_bust(options: GurkaOptions, points: int) -> bool:
    """U12: out at *points*, if he has no more lives?"""
    return points > options.limit or (points == options.limit and options.bust == ">=")


def _who_goes(options: GurkaOptions, going: list[Seat], scored: Sequence[Player]) -> list[Seat]:
    """U13: who goes out when all would; all of them again says that the deal is void."""
    if options.all_bust == "sudden_death":
        return []
    if options.all_bust == "highest_out":
        most = max(scored[seat - 1].points for seat in going)
        return [seat for seat in going if scored[seat - 1].points == most]
    return going


def _put_out(
    options: GurkaOptions, players: list[Player], going: Sequence[Seat], order: Sequence[Seat]
) -> list[Verdict]:
    """U12: takes a life from each of *going*, in place; U15: one who has another comes back."""
    verdicts: list[Verdict] = []
    highest = max(players[seat - 1].points for seat in order if seat not in going)
    for seat in going:
        player = players[seat - 1]
        if player.lives > 1:
            points = highest if options.rejoin == "highest_other" else 0
            players[seat - 1] = replace(player, lives=player.lives - 1, points=points)
            verdicts.append(CameBack(seat, points, "U15"))
        else:
            players[seat - 1] = replace(player, lives=0, playing=False)
            verdicts.append(WentOut(seat, "U12"))
    return verdicts


def _after(state: GurkaState) -> Judged:
    """What comes when the deal is settled or somebody has answered: more offers, the next deal, or the end."""
    if state.offers:
        return replace(state, phase=Phase.BUY_IN), ()
    playing = state.playing
    if len(playing) > 1:
        return replace(state, phase=Phase.BETWEEN_DEALS), ()
    winner, pot = playing[0], state.ledger.pot
    verdicts: list[Verdict] = [Received(winner, pot, "pot", "U14")] if pot else []
    state = replace(state, phase=Phase.OVER, winners=(winner,), ledger=state.ledger.take(winner, pot))
    return state, (*verdicts, GameOver((winner,), "U14"))
