"""The swaps of a round of Gnav: look, knock, keep or ask, answer, and the bag (G6 - G20)."""

from __future__ import annotations

from dataclasses import replace

from engine.games.gnav_duties import CLAUSE_OF, by_calling, by_drawing_again, by_knocking, by_letting_through
from engine.games.gnav_options import House
from engine.games.gnav_payments import pay_refusal, sit_out_fools
from engine.games.gnav_proofs import Proof, draw, swap
from engine.games.gnav_round import (
    AllDone,
    Answer,
    AskOn,
    AtBag,
    GnavState,
    Judged,
    Look,
    Round,
    Show,
    Stage,
    Turn,
    fault,
    hear,
)
from engine.pieces import Effect, Piece
from engine.rulings import CallSpoken, Exchanged, Impossible, SwapsUndone, Verdict
from engine.seats import Seat


def first_turn(round_: Round) -> Stage:
    """G9: left of the dealer."""
    return Turn(round_.in_deal[0])


def next_turn(round_: Round, house: House, after: Seat) -> Stage:
    """G9: the next in order; G14 - G17: those who called have had their turn. After the last, G21.

    With matador_turn=acts they still take it.
    """
    seat = round_.after(after)
    while house.options.matador_turn == "auto_stand" and seat is not None and round_.has_called(seat):
        seat = round_.after(seat)
    return Turn(seat) if seat is not None else AllDone()


def look(state: GnavState, round_: Round, number: int) -> Judged:
    """G6: *Se*."""
    if not isinstance(round_.stage, Look):
        return state, (Impossible(number, "looked_twice"),)
    round_ = replace(round_, stage=first_turn(round_))
    return replace(state, round=round_), (CallSpoken(round_.dealer, "LOOK"),)


def knock(state: GnavState, round_: Round, house: House, seat: Seat, number: int) -> Judged:
    """G7, and G8 when it is the second fool and nobody has asked to swap."""
    new = by_knocking(round_, seat, number)
    if new is None:
        return state, (Impossible(number, "no_fool"),)
    if seat in round_.knocked:
        return state, (Impossible(number, "knocked_twice"),)
    round_, proofs = hear(replace(round_, knocked=(*round_.knocked, seat)), new, number)
    verdicts: tuple[Verdict, ...] = (CallSpoken(seat, "KNOCK"), *proofs)
    if seat in round_.acted:
        return replace(state, round=round_), (*verdicts, fault(seat, "G7", number, "late_knock"))
    if round_.swaps_begun or house.options.double_fool == "off":
        return replace(state, round=round_), verdicts
    round_ = replace(round_, fools=(*round_.fools, seat))
    if len(round_.fools) != 2:
        return replace(state, round=round_), verdicts
    state, sitting = sit_out_fools(state, round_, house.options, round_.fools)
    return _past_those_who_left(state, house), (*verdicts, *sitting)


def stand(state: GnavState, round_: Round, house: House, seat: Seat, number: int) -> Judged:
    """G9: he keeps his piece. G16, G19: one who was passed on may not stop, unless the table plays so."""
    verdicts: tuple[Verdict, ...] = (CallSpoken(seat, "STAND"),)
    if _keeps(round_, house, seat):
        return state, verdicts  # he says what stands anyway
    match round_.stage:
        case Turn(turn) if turn == seat:
            pass
        case AskOn(asker, _) if asker == seat:
            if house.options.horse_house_continue == "must_ask_next":
                verdicts = (*verdicts, fault(seat, "G16", number, "must_ask_next"))
        case AtBag(asker) if asker == seat:
            if house.options.horse_house_continue == "must_ask_next":
                verdicts = (*verdicts, fault(seat, "G19", number, "must_draw"))
        case Answer(_, asked) if asked == seat:
            return state, (fault(seat, "G10", number, "refused_without_call"),)
        case _:
            return state, (fault(seat, "G9", number, "out_of_turn"),)
    round_ = replace(round_.acted_by(seat), stood=(*round_.stood, seat), last_refusal=None)
    return replace(state, round=replace(round_, stage=next_turn(round_, house, seat))), verdicts


def ask(state: GnavState, round_: Round, seat: Seat, number: int) -> Judged:
    """G9, G16, G19: he asks the player to his left, or left of the one who passed him on."""
    match round_.stage:
        case Turn(turn) if turn == seat and seat == round_.last:
            return state, (fault(seat, "G20", number, "dealer_asks"),)
        case Turn(turn) if turn == seat:
            asked = round_.after(seat)
        case AskOn(asker, past) if asker == seat:
            asked = round_.after(past)
        case AtBag(asker) if asker == seat:
            return state, (fault(seat, "G19", number, "must_draw"),)
        case Answer(asker, _) if asker == seat:
            return state, (Impossible(number, "asked_twice"),)
        case _:
            return state, (fault(seat, "G9", number, "out_of_turn"),)
    assert asked is not None, "nobody asks past the last player"
    round_ = replace(round_.acted_by(seat), swaps_begun=True, last_refusal=None, stage=Answer(seat, asked))
    return replace(state, round=round_), (CallSpoken(seat, "SWAP"),)


def swap_pieces(state: GnavState, round_: Round, house: House, seat: Seat, number: int) -> Judged:
    """G10: the asked player gives his piece; G11: the asker's turn is over; G12: now the asked one decides."""
    round_ = _asked_on(round_, seat)
    match round_.stage:
        case Answer(asker, asked) if asked == seat:
            proofs: tuple[Proof, ...] = ()
            if house.options.matador_call == "mandatory":  # G18
                round_, proofs = hear(round_, by_letting_through(round_, seat, number), number)
            round_ = _swapped(round_.acted_by(seat), asker, seat)
            # matador_turn=acts: those who passed him on come before the asked one
            acts = house.options.matador_turn == "acts"
            round_ = replace(round_, stage=next_turn(round_, house, asker) if acts else Turn(seat))
            return replace(state, round=round_), (Exchanged(asker, seat, "G10"), *proofs)
    refusal = round_.last_refusal
    if refusal is None or refusal.asked != seat:
        return state, (fault(seat, "G10", number, "not_asked"),)
    round_ = replace(_swapped(round_, refusal.asker, seat), last_refusal=None)
    both = fault(seat, "G18", number, "call_and_swap")
    return replace(state, round=round_), (both, Exchanged(refusal.asker, seat, "G10"))


def call(state: GnavState, round_: Round, house: House, seat: Seat, name: str, number: int) -> Judged:
    """G18: a matador is called by the asked; G13 also by one in his own turn, if the table plays so."""
    piece = next((one for one in house.pieces.matadors if one.name == name), None)
    if piece is None:
        return state, (Impossible(number, "no_such_call", name),)
    round_ = _asked_on(round_, seat)
    match round_.stage:
        case Answer(asker, asked) if asked == seat:
            round_, proofs = _speak(round_, seat, piece, number)
            round_ = replace(round_, last_refusal=Answer(asker, asked))
            state, effects = _refuse(state, round_, house, asker, asked, piece)
            return state, (CallSpoken(asked, piece.call), *proofs, *effects)
        case Turn(turn) if turn == seat and house.options.cuckoo_own_turn and piece.effect is Effect.ENDS_ROUND:
            round_, proofs = _speak(round_, seat, piece, number)
            return _stop(state, round_, seat), (CallSpoken(seat, piece.call), *proofs)
        case _:
            return state, (fault(seat, "G18", number, "not_asked", name),)


def draw_from_bag(state: GnavState, round_: Round, house: House, seat: Seat, number: int) -> Judged:
    """G20: the last player exchanges with the bag; G19: so does one whom all have passed on."""
    if round_.bag_is_empty:
        return state, (Impossible(number, "bag_empty"),)
    spoken = CallSpoken(seat, "ASK_BAG")
    verdicts: tuple[Verdict, ...]
    clause, stage, last_draw = "G20", round_.stage, round_.last_draw
    match round_.stage:
        case AtBag(asker) if asker == seat:
            clause, stage, verdicts = "G19", next_turn(round_, house, seat), (spoken,)
        case Turn(turn) if turn == seat == round_.last:
            stage, last_draw = AllDone(), number
            verdicts = (fault(seat, "G20", number, "second_draw"),) if round_.draws_of(seat) else (spoken,)
        case AllDone() if seat == round_.last and round_.last_draw:
            last_draw = number
            if house.options.dealer_bag_redraw == "none":
                verdicts = (fault(seat, "G20", number, "second_draw"),)
            else:
                round_, proofs = hear(round_, by_drawing_again(round_, seat, number), number)
                verdicts = (spoken, *proofs)
        case _ if seat in round_.left:
            verdicts = (fault(seat, "G8", number, "sits_out"),)
        case _ if seat == round_.last:
            verdicts = (fault(seat, "G9", number, "out_of_turn"),)
        case _:
            verdicts = (fault(seat, "G20", number, "bag_not_his"),)
    round_ = replace(round_.acted_by(seat), swaps_begun=True, last_refusal=None)
    round_ = replace(round_, lying=draw(round_.lying, seat), stage=stage, last_draw=last_draw)
    return replace(state, round=round_), (*verdicts, Exchanged(seat, None, clause))


def _asked_on(round_: Round, seat: Seat) -> Round:
    """G16: when the next player answers, he has been asked, heard or not."""
    match round_.stage:
        case AskOn(asker, past) if round_.after(past) == seat:
            return replace(round_, stage=Answer(asker, seat))
    return round_


def _refuse(state: GnavState, round_: Round, house: House, asker: Seat, asked: Seat, piece: Piece) -> Judged:
    """What the call of the asked player does; whether it is true shows later."""
    undone: tuple[Verdict, ...] = ()
    match piece.effect:
        case Effect.ENDS_ROUND:  # G13
            return _stop(state, round_, asked), ()
        case Effect.PASSES_ON:  # G16
            return replace(state, round=replace(round_, stage=_passed_on(round_, house, asker, asked))), ()
        case Effect.UNDOES:  # G15; and pays as in G14
            round_, undone = _undo(round_)
    round_ = replace(round_, stage=next_turn(round_, house, asker))
    state, paid = pay_refusal(state, round_, house.options, asker, CLAUSE_OF[piece.effect])
    return state, (*undone, *paid)


def _passed_on(round_: Round, house: House, asker: Seat, past: Seat) -> Stage:
    """G16: the asker asks the next; G19: past the dealer there is only the bag."""
    if past != round_.last:
        return AskOn(asker, past)
    return AtBag(asker) if house.options.horse_house_past_dealer == "bag" else next_turn(round_, house, asker)


def _keeps(round_: Round, house: House, seat: Seat) -> bool:
    """G19, horse_house_past_dealer=keep: whether the last player has just passed *seat* on, to his own piece."""
    if house.options.horse_house_past_dealer != "keep" or round_.last_refusal != Answer(seat, round_.last):
        return False
    name = next(piece for caller, piece in reversed(round_.called) if caller == round_.last)
    return house.pieces.piece(name).effect is Effect.PASSES_ON


def _speak(round_: Round, seat: Seat, piece: Piece, number: int) -> tuple[Round, tuple[Proof, ...]]:
    round_, proofs = hear(round_, by_calling(round_, seat, piece, number), number)
    return replace(round_.acted_by(seat), called=(*round_.called, (seat, piece.name))), proofs


def _stop(state: GnavState, round_: Round, seat: Seat) -> GnavState:
    """G13: the round is over at once; all show."""
    return replace(state, round=replace(round_, stopped_by=seat, stage=Show()))


def _swapped(round_: Round, one: Seat, other: Seat) -> Round:
    return replace(round_, lying=swap(round_.lying, one, other), swaps=(*round_.swaps, (one, other)))


def _undo(round_: Round) -> tuple[Round, tuple[SwapsUndone, ...]]:
    """G15: every swap since the round began, or since the last cat, latest first."""
    if not round_.swaps:
        return round_, ()
    pairs = round_.swaps[::-1]
    lying = round_.lying
    for one, other in pairs:
        lying = swap(lying, one, other)
    return replace(round_, lying=lying, swaps=()), (SwapsUndone(pairs, "G15"),)


def _past_those_who_left(state: GnavState, house: House) -> GnavState:
    """G8: does the one whose turn it is sit out, it is the next one's."""
    round_ = state.round
    if round_ is not None and isinstance(round_.stage, Turn) and round_.stage.seat in round_.left:
        return replace(state, round=replace(round_, stage=next_turn(round_, house, round_.stage.seat)))
    return state
