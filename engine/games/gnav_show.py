"""The turn-up of a round of Gnav: *Vis opp*, the pieces that show, and what was left unsaid (G21, O-GN1)."""

from __future__ import annotations

from dataclasses import replace

from engine.games.gnav_duties import by_silence
from engine.games.gnav_options import House
from engine.games.gnav_proofs import reveal
from engine.games.gnav_round import AllDone, Closed, GnavState, Judged, Round, Show, fault, hear
from engine.rulings import CallSpoken, Impossible, Verdict
from engine.seats import Seat


def turn_up(state: GnavState, round_: Round, number: int) -> Judged:
    """G21: *Vis opp*; after G13 the dealer need not say it."""
    if round_.turned_up:
        return state, (Impossible(number, "turned_up_twice"),)
    verdicts: tuple[Verdict, ...] = (CallSpoken(round_.dealer, "TURN_UP"),)
    if not isinstance(round_.stage, AllDone | Show):
        verdicts = (*verdicts, fault(round_.dealer, "G21", number, "early_turn_up"))
    return replace(state, round=replace(round_, turned_up=True, stage=Show())), verdicts


def show(state: GnavState, round_: Round, house: House, seat: Seat, name: str, number: int) -> Judged:
    """G21: a piece lies face up before *seat*, and answers what was said of it (O-GN1)."""
    if not _is_piece(house, name):
        return state, (Impossible(number, "no_such_piece", name),)
    if round_.has_shown(seat):
        return state, (Impossible(number, "shown_twice", name),)
    early: tuple[Verdict, ...] = ()
    plays = seat not in round_.left
    if plays and not isinstance(round_.stage, Show | Closed):
        early = (fault(seat, "G21", number, "shown_early", name),)
    if plays and isinstance(round_.stage, AllDone):  # the first one does not wait for *Vis opp*
        round_ = replace(round_, stage=Show())
    if not plays or isinstance(round_.stage, Show | Closed):  # else play goes on, and the piece may move
        round_ = replace(round_, shown=(*round_.shown, (seat, name)))
    lying, proofs = reveal(round_.lying, round_.lying.slot_of(seat), name, number)
    return replace(state, round=replace(round_, lying=lying)), (*early, *proofs)


def show_aside(state: GnavState, round_: Round, house: House, seat: Seat, name: str, number: int) -> Judged:
    """dealer_discard: the piece *seat* exchanged with the bag; of several, the first that is still hidden."""
    if not _is_piece(house, name):
        return state, (Impossible(number, "no_such_piece", name),)
    lying = round_.lying
    slots = (one.slot for one in lying.put_away if one.seat == seat and not lying.face(one.slot))
    slot = next(slots, None)
    if slot is None:
        return state, (Impossible(number, "nothing_laid_aside", name),)
    lying, proofs = reveal(lying, slot, name, number)
    return replace(state, round=replace(round_, lying=lying)), proofs


def hear_silences(state: GnavState, house: House, number: int) -> Judged:
    """G7, G20: once the pieces turn up, what nobody said is on record too."""
    round_ = state.round
    if round_ is None or round_.silences_heard or not isinstance(round_.stage, Show | Closed):
        return state, ()
    verdicts: tuple[Verdict, ...] = ()
    for new in by_silence(round_, house.options):
        round_, proofs = hear(round_, new, number)
        verdicts = (*verdicts, *proofs)
    return replace(state, round=replace(round_, silences_heard=True)), verdicts


def _is_piece(house: House, name: str) -> bool:
    return any(piece.name == name for piece in house.pieces.low_to_high)
