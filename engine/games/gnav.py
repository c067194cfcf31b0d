"""Gnav: one piece each, swap it on or keep it, and the lowest pays.

The rule sheet. A piece's power is data (``engine.pieces``): *cuckoo*, *dragon*, *cat*, *horse*, *house* and *fool*
below stand for whatever pieces of the table end the round, cut off, undo, pass on, and make their holder knock.

G1   42 pieces: 21 designs, two of each, in a bag.
G2   Rank from high to low: cuckoo, dragon, cat, horse, house, XII ... I, 0, pot, owl, fool.
G3   2 to 20 players round a table.
G4   All begin with equally many tokens.
G5   The dealer gives each player one piece from the bag, himself too. The host names the first dealer.
G6   Nobody looks before the dealer says *Se*; then all look.
G7   Who was dealt the fool knocks, before he decides or answers. A fool got by a swap is not knocked.
G8   Two players dealt the fools: each gets a token from the pot and sits the round out. It counts until somebody asks
     to swap. Fewer than two players left: the round is void. If the dealer sits out, the last player has his place.
G9   In turn, left of the dealer first, each keeps (*Jeg står*) or asks his left neighbour (*Jeg vil bytte*).
G10  The asked player must swap, unseen, unless he holds a matador.
G11  The asker keeps what he got: his turn is over.
G12  After a swap it is the asked player's turn, with his new piece.
G13  Cuckoo: *Stopp for gjøk*. The round ends, all show, nobody draws. Being refused by it costs nothing.
G14  Dragon: *Hugg av*. The asker keeps his piece and pays; play goes on left of the dragon.
G15  Cat: *Kiss, bytt om*. The asker pays; all swaps since the round began, or since the last cat, are undone, latest
     first; play goes on left of the cat, and nobody before it has a second turn.
G16  Horse, house: *Hest forbi*, *Hus forbi*. Nobody pays; the asker must ask the next player.
G17  Who called a matador counts as standing: the turn passes over him.
G18  A matador is called only when asked, and must be called then.
G19  The last player asks the dealer. Is he passed on there too, he exchanges with the bag.
G20  The dealer, last, may exchange his piece for one from the bag: one draw, unseen, the new one taken before the old
     one goes in. He asks no player, and nobody else touches the bag.
G21  The dealer says *Vis opp*, and all show their pieces.
G22  The lowest piece pays one token to the pot, never to a player.
G23  All who tie for lowest pay.
G24  Is the lowest the fool, all who hold the second lowest pay too.
G25  These payments are independent: one player can pay more than once.
G26  Who has no tokens left is out after the round.
G27  The bag passes left, to the next dealer.
G28  The last player with tokens wins.

Faults, by their code: at once ``before_look`` G6, ``late_knock`` G7, ``sits_out`` G8, ``out_of_turn`` G9,
``refused_without_call`` ``not_asked`` G10, ``after_stop`` G13, ``must_ask_next`` G16, ``not_asked`` ``call_and_swap``
G18, ``must_draw`` G19, ``dealer_asks`` ``bag_not_his`` ``second_draw`` G20, ``early_turn_up`` ``shown_early`` G21,
``wrong_dealer`` ``deal_not_over`` G27; two words of one player that cannot both be true: ``knock_and_call``
``two_answers``; proved by the pieces: ``gnav_proofs``.

``Impossible``, by its code: what was read or pressed cannot be so (``shown_twice``, ``too_many_copies`` ...), or the
words of several players cannot all be true and nobody knows yet whose is not (``third_call``, ``third_knock``,
``two_answers``). Nothing moves.

What a fault does to the play: who acts out of turn is heard and told to wait; nothing moves. A draw from the bag has
happened, whoever drew, and so has a swap by one who called first. A false call stands as it was said.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from engine.events import (
    AsideShown,
    AskedToSwap,
    Called,
    Dealt,
    DrewFromBag,
    Fact,
    Knocked,
    LookedAt,
    PieceShown,
    Stood,
    Swapped,
    TurnedUp,
)
from engine.game import Await, TablePublic
from engine.games.gnav_options import GnavOptions, House, as_ranked
from engine.games.gnav_payments import fine_faults, out_by_late_fines, settle
from engine.games.gnav_proofs import deal_out, never_known
from engine.games.gnav_public import awaits, public
from engine.games.gnav_round import Closed, GnavState, Judged, Look, Round, Show, fault
from engine.games.gnav_show import hear_silences, show, show_aside, turn_up
from engine.games.gnav_turns import ask, call, draw_from_bag, first_turn, knock, look, stand, swap_pieces
from engine.ledger import Ledger
from engine.pieces import GNAV, PieceTable
from engine.rulings import DealBegan, DealVoid, Impossible, TurnIs, Undecided, Verdict
from engine.seats import Seat, Seats

__all__ = ["Gnav", "GnavOptions", "GnavState"]

MOST_PLAYERS = 20


@dataclass(frozen=True)
class Gnav:
    """Gnav by the house rules *options*, played with the pieces of *table*."""

    options: GnavOptions = field(default_factory=GnavOptions)
    table: PieceTable = GNAV

    @property
    def name(self) -> str:
        return "gnav"

    @cached_property
    def house(self) -> House:
        """G1, G2: the options, and the pieces as they rank them, lowest first."""
        return House(self.options, as_ranked(self.table, self.options))

    def begin(self, seats: Seats, dealer: Seat, ledger: Ledger | None = None) -> GnavState:
        """G3 - G5: all have the same tokens, unless *ledger* says what a game that goes on has left.

        ValueError when so many cannot play, or *dealer* is none of them.
        """
        if not 2 <= seats.count <= MOST_PLAYERS:
            raise ValueError(f"Gnav is for 2 to {MOST_PLAYERS} players, not {seats.count}")
        if seats.count >= len(self.table.bag):
            raise ValueError(f"{len(self.table.bag)} pieces are too few for {seats.count} players and the bag")
        ledger = ledger or Ledger((self.options.start_tokens,) * seats.count)
        players = tuple(seat for seat in seats if ledger.has(seat))
        if dealer not in players:
            raise ValueError(f"seat {dealer} cannot deal: the players are {', '.join(map(str, players))}")
        return GnavState(seats, ledger, players, dealer)

    def awaits(self, state: GnavState) -> tuple[Await, ...]:
        """What may come now, by the rules; see ``gnav_public``."""
        return awaits(state, self.house)

    def public(self, state: GnavState) -> TablePublic:
        """What all may see."""
        return public(state)

    def apply(self, state: GnavState, event: Fact, number: int) -> tuple[GnavState, tuple[Verdict, ...]]:
        """Judge one event, and what follows from it: proofs, fines, the settlement, the next turn."""
        stage_before = state.round.stage if state.round is not None else None
        state, verdicts = self._fined(*self._judge(state, event, number))
        state, silences = self._fined(*hear_silences(state, self.house, number))
        state, settled = self._settle_when_all_have_shown(state)
        verdicts = (*verdicts, *silences, *settled)
        round_ = state.round
        if round_ is not None and round_.to_act is not None and round_.stage != stage_before:
            verdicts = (*verdicts, TurnIs(round_.to_act))
        return state, verdicts

    def _judge(self, state: GnavState, event: Fact, number: int) -> Judged:
        if isinstance(event, Dealt):
            return self._deal(state, event.dealer, number)
        if not isinstance(event, _IN_A_ROUND):
            return state, (Impossible(number, "not_gnav"),)
        round_ = state.round
        if round_ is None:
            return state, (Impossible(number, "no_deal"),)
        seat: Seat | None = getattr(event, "seat", None)
        if seat is not None and seat not in round_.order:
            return state, (Impossible(number, "not_playing"),)
        match event:
            case PieceShown(who, piece):
                return show(state, round_, self.house, who, piece, number)
            case AsideShown(who, piece):
                return show_aside(state, round_, self.house, who, piece, number)
        if isinstance(round_.stage, Closed):
            return state, (Impossible(number, "no_deal"),)
        if seat is None:
            turned_up = isinstance(event, TurnedUp)
            return turn_up(state, round_, number) if turned_up else look(state, round_, number)
        return self._act(state, round_, event, seat, number)

    def _act(self, state: GnavState, round_: Round, event: Fact, seat: Seat, number: int) -> Judged:
        """*seat* does something: G6 before the look, G8 though he sits out, G13 after the stop, or in the swaps."""
        if isinstance(round_.stage, Show):
            clause, why = ("G13", "after_stop") if round_.stopped_by else ("G9", "out_of_turn")
            if isinstance(event, Knocked):
                clause, why = "G7", "late_knock"
            return state, (fault(seat, clause, number, why),)
        if seat in round_.left and not isinstance(event, DrewFromBag):
            return state, (fault(seat, "G8", number, "sits_out"),)
        too_early: tuple[Verdict, ...] = ()
        if isinstance(round_.stage, Look):
            too_early = (fault(seat, "G6", number, "before_look"),)
            if not isinstance(event, Knocked):  # they play on as if the dealer had said *Se*
                round_ = replace(round_, stage=first_turn(round_))
        state, verdicts = self._swaps(state, round_, event, number)
        return state, (*too_early, *verdicts)

    def _swaps(self, state: GnavState, round_: Round, event: Fact, number: int) -> Judged:
        match event:
            case Knocked(seat):
                return knock(state, round_, self.house, seat, number)
            case Stood(seat):
                return stand(state, round_, self.house, seat, number)
            case AskedToSwap(seat):
                return ask(state, round_, seat, number)
            case Swapped(seat):
                return swap_pieces(state, round_, self.house, seat, number)
            case Called(seat, piece):
                return call(state, round_, self.house, seat, piece, number)
            case DrewFromBag(seat):
                return draw_from_bag(state, round_, self.house, seat, number)
            case _:
                raise AssertionError(f"no event of the swaps: {event}")

    def _deal(self, state: GnavState, dealer: Seat, number: int) -> Judged:
        """G5, G27: a new round. An unfinished one is void then, and its payments are taken back."""
        verdicts: tuple[Verdict, ...]
        state, verdicts = _close_for_good(state)
        if state.over:
            return state, (*verdicts, Impossible(number, "game_over"))
        if dealer not in state.players:
            return state, (*verdicts, Impossible(number, "not_playing"))
        round_ = state.round
        if round_ is not None and not isinstance(round_.stage, Closed):
            state = replace(state, ledger=round_.before, players=round_.players_before)
            verdicts = (*verdicts, DealVoid("G27", "dealt_again"))
            if not isinstance(round_.stage, Look):
                verdicts = (*verdicts, fault(dealer, "G27", number, "deal_not_over"))
        if dealer != state.dealer:
            verdicts = (*verdicts, fault(dealer, "G27", number, "wrong_dealer"))
        order = state.seats.clockwise_from(Seat(dealer % state.seats.count + 1), state.players)
        lying = deal_out(self.house.pieces, state.seats.count, self.options.dealer_discard == "into_bag")
        round_ = Round(dealer, number, order, state.ledger, state.players, lying)
        state = replace(state, dealer=dealer, deal=state.deal + 1, round=round_)
        return state, (*verdicts, DealBegan(dealer, state.deal))

    def _settle_when_all_have_shown(self, state: GnavState) -> Judged:
        """G22 - G28 once every player has shown; O-GN4 once nothing more can be shown."""
        round_ = state.round
        verdicts: tuple[Verdict, ...] = ()
        if round_ is not None and isinstance(round_.stage, Show) and round_.all_shown:
            state, verdicts = settle(state, self.house)
            round_ = state.round
        if round_ is None or not isinstance(round_.stage, Closed) or not round_.nothing_hidden:
            return state, verdicts
        state, undecided = _close_for_good(state)
        return state, (*verdicts, *undecided)

    def _fined(self, state: GnavState, verdicts: tuple[Verdict, ...]) -> Judged:
        """violation=pay_token; a fault proved after the settlement may still put its player out."""
        if self.options.violation == "announce":
            return state, verdicts
        state, fines = fine_faults(state, verdicts)
        out: tuple[Verdict, ...] = ()
        if fines and not state.over and state.round is not None and isinstance(state.round.stage, Closed):
            state, out = out_by_late_fines(state, self.options)
        return state, (*verdicts, *fines, *out)


_IN_A_ROUND = (
    LookedAt | Knocked | Stood | AskedToSwap | Swapped | Called | DrewFromBag | TurnedUp | PieceShown | AsideShown
)


def _close_for_good(state: GnavState) -> tuple[GnavState, tuple[Undecided, ...]]:
    """Nothing more of a closed round will be seen: what is open now stays open (O-GN4)."""
    round_ = state.round
    if round_ is None or not isinstance(round_.stage, Closed):
        return state, ()
    lying, undecided = never_known(round_.lying)
    return replace(state, round=replace(round_, lying=lying)), undecided
