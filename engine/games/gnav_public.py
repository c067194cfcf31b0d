"""What everybody at a table of Gnav may see, and what may come next."""

from __future__ import annotations

from collections.abc import Iterator

from engine.events import (
    AsideShown,
    AskedToSwap,
    Called,
    Dealt,
    DrewFromBag,
    Knocked,
    LookedAt,
    PieceShown,
    Stood,
    Swapped,
    TurnedUp,
)
from engine.game import Await, SeatPublic, TablePublic
from engine.games.gnav_options import House
from engine.games.gnav_round import AllDone, Answer, AskOn, AtBag, Closed, GnavState, Look, Round, Show, Turn
from engine.pieces import Effect
from engine.seats import Seat


def awaits(state: GnavState, house: House) -> tuple[Await, ...]:
    """What may come now, by the rules; nothing once the game is over."""
    if state.over:
        return ()
    round_ = state.round
    if round_ is None:
        return (Await(None, Dealt),)
    return (*_next_step(state, round_, house), *_beside(round_))


def _next_step(state: GnavState, round_: Round, house: House) -> Iterator[Await]:
    match round_.stage:
        case Look():
            yield Await(None, LookedAt)
        case Turn(seat):
            yield Await(seat, Stood)
            yield Await(seat, DrewFromBag if seat == round_.last else AskedToSwap)
            cuckoos = tuple(piece.name for piece in house.pieces.matadors if piece.effect is Effect.ENDS_ROUND)
            if house.options.cuckoo_own_turn and cuckoos:
                yield Await(seat, Called, cuckoos)
        case Answer(_, seat):
            yield Await(seat, Swapped)
            if house.pieces.matadors:
                yield Await(seat, Called, tuple(piece.name for piece in house.pieces.matadors))
        case AskOn(seat, _) | AtBag(seat):
            yield Await(seat, DrewFromBag if isinstance(round_.stage, AtBag) else AskedToSwap)
            if house.options.horse_house_continue == "may_stop":
                yield Await(seat, Stood)
        case AllDone():
            yield Await(None, TurnedUp)
            if round_.last_draw and house.options.dealer_bag_redraw == "redraw_horse_house":
                yield Await(round_.last, DrewFromBag, must=False)
        case Show():
            if not round_.turned_up:
                yield Await(None, TurnedUp, must=False)
            yield from (Await(seat, PieceShown) for seat in round_.in_deal if not round_.has_shown(seat))
        case Closed():
            yield Await(None, Dealt)
            yield from (Await(seat, PieceShown, must=False) for seat in round_.in_deal if not round_.has_shown(seat))


def _beside(round_: Round) -> Iterator[Await]:
    """What may come but need not: knocks, and pieces that lie apart."""
    if isinstance(round_.stage, Turn | Answer | AskOn | AtBag):
        for seat in round_.in_deal:
            if seat not in round_.knocked and seat not in round_.acted:
                yield Await(seat, Knocked, must=False)
    for seat in round_.left:
        if not round_.has_shown(seat):
            yield Await(seat, PieceShown, must=False)
    for seat in round_.aside_hidden:
        yield Await(seat, AsideShown, must=False)


def public(state: GnavState) -> TablePublic:
    """The table as all may see it."""
    round_ = state.round
    return TablePublic(
        game="gnav",
        unit="tokens",
        phase=_phase(state),
        deal=state.deal,
        dealer=state.dealer,
        to_act=round_.to_act if round_ is not None else None,
        pot=state.ledger.pot,
        seats=tuple(_seat(state, seat) for seat in state.seats),
        winners=state.winners,
    )


def _phase(state: GnavState) -> str:
    if state.over:
        return "over"
    if state.round is None:
        return "between_deals"
    match state.round.stage:
        case Look():
            return "look"
        case AllDone() | Show():
            return "turn_up"
        case Closed():
            return "between_deals"
        case _:
            return "swaps"


def _seat(state: GnavState, seat: Seat) -> SeatPublic:
    round_ = state.round
    playing = seat in state.players
    if round_ is None:
        return SeatPublic(seat, state.ledger.has(seat), playing, playing)
    return SeatPublic(
        seat,
        state.ledger.has(seat),
        playing,
        seat in round_.in_deal,
        tuple(_marks(round_, seat, playing)),
        tuple(piece for shower, piece in round_.shown if shower == seat),
    )


def _marks(round_: Round, seat: Seat, playing: bool) -> Iterator[str]:
    if seat in round_.knocked:
        yield "knocked"
    if seat in round_.left and playing:
        yield "sits_out"
    if seat in round_.stood:
        yield "stood"
    yield from (f"called:{piece}" for caller, piece in round_.called if caller == seat)
    if round_.draws_of(seat):
        yield "drew"
    match round_.stage:
        case Answer(asker, asked):
            if seat == asker:
                yield "asks"
            if seat == asked:
                yield "asked"
