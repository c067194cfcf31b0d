"""What a Gnav player says of his piece, aloud or by saying nothing: each such word is a claim (``gnav_proofs``)."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.gnav_options import GnavOptions
from engine.games.gnav_proofs import Claim
from engine.games.gnav_round import Round
from engine.pieces import Effect, Piece, PieceTable
from engine.seats import Seat

CLAUSE_OF = {
    Effect.ENDS_ROUND: "G13",
    Effect.CUTS_OFF: "G14",
    Effect.UNDOES: "G15",
    Effect.PASSES_ON: "G16",
}
"""Which clause each matador's call rests on."""


def by_calling(round_: Round, seat: Seat, piece: Piece, number: int) -> Claim:
    """G13 - G16: who calls a matador holds it."""
    slot, clause = round_.lying.slot_of(seat), CLAUSE_OF[piece.effect]
    return Claim(seat, slot, frozenset((piece.name,)), clause, number, "false_call", "call", piece.name)


def by_letting_through(round_: Round, seat: Seat, number: int) -> Claim:
    """G18: who lets a swap through holds no matador (matador_call mandatory)."""
    fits = _names(round_.lying.table, lambda piece: not piece.is_matador)
    return Claim(seat, round_.lying.slot_of(seat), fits, "G18", number, "matador_not_called", "let_through")


def by_knocking(round_: Round, seat: Seat, number: int) -> Claim | None:
    """G7: who knocks was dealt the fool. None where no piece is a fool."""
    fools = _names(round_.lying.table, lambda piece: piece.is_fool)
    return Claim(seat, seat, fools, "G7", number, "false_knock", "knock_duty", *sorted(fools)[:1]) if fools else None


def by_silence(round_: Round, options: GnavOptions) -> tuple[Claim, ...]:
    """At the turn-up: G7, who did not knock was not dealt the fool; G20, who did not draw again need not have.

    Where two fools ended the round before anybody spoke, the others had no time to knock.
    """
    table = round_.lying.table
    no_fool = _names(table, lambda piece: not piece.is_fool)
    claims = [
        Claim(seat, seat, no_fool, "G7", round_.dealt, "knock_missing", "knock_duty")
        for seat in sorted(round_.order)
        if seat not in round_.knocked and round_.acted
    ]
    if options.dealer_bag_redraw == "redraw_horse_house" and round_.last_draw:
        fits = _names(table, lambda piece: piece.effect is not Effect.PASSES_ON)
        slot = round_.lying.slot_of(round_.last)
        claims.append(Claim(round_.last, slot, fits, "G20", round_.last_draw, "redraw_missing", "redraw"))
    return tuple(claims)


def by_drawing_again(round_: Round, seat: Seat, number: int) -> Claim:
    """G20: who draws again holds a horse or a house (dealer_bag_redraw)."""
    fits = _names(round_.lying.table, lambda piece: piece.effect is Effect.PASSES_ON)
    return Claim(seat, round_.lying.slot_of(seat), fits, "G20", number, "false_redraw", "redraw")


def _names(table: PieceTable, which: Callable[[Piece], bool]) -> frozenset[str]:
    return frozenset(piece.name for piece in table.low_to_high if which(piece))
