"""Gurka, also Agurk: shed your high cards, for the highest last card costs points (*straffpoäng*).

The rule sheet, one line a clause. Italics are the Nordic words; an arrow names the option that changes a clause.

U1   An ordinary pack of 52; ace high, two low; suits are worth nothing.
U2   Two to eight play.
U3   The dealer (*given*) deals one by one, forehand first, until all have six (-> cards); the deal passes to the left
     (-> next_dealer).
U4   A card is laid face up in front of the one who plays it.
U5   Forehand (*förhand*, left of the dealer) leads any card to the first trick (*stick*), then whoever took the last.
U6   Follow with a card as high as the one before you or higher, or else with your lowest (-> target, match_first).
U7   House rule (*husregel*): if you can reach it you must; without it you may always choose your lowest (-> must_beat).
U8   After an ace the next player lays his lowest card, whatever he holds (-> ace).
U9   The highest card takes the trick; of equals the last one laid.
U10  After the last trick but one all turn up their last card at once; that trick is not played (-> last).
U11  Everybody who shows the highest card gets its value in points: ace 14, king 13 ... two 2 (-> payers).
U12  Thirty points and you are out (*gurka*) (-> limit, bust).
U13  If everybody still in would go out in one deal, nobody does: the deal is void, its points are taken back
     (-> all_bust).
U14  The last one in wins, and takes the pot (*potten*) if there is one (-> stake).
U15  Danish: seven cards, reach the highest of the trick, 21 points, one extra life (-> preset dansk, lives, rejoin).
U16  Seven cards (*sju kort*): as many as the pack gives if more than seven play; the last trick is played, and the one
     who takes it pays alone (-> preset sju_kort, cards, last, payers).
U17  To twenty: out at 20 points (-> preset till_20, limit).
U18  For a stake: who goes out may buy in once, before the next deal, with a new stake and as many points as the highest
     of those still in (-> stake, buyin, buyin_when_one_left).

What the referee can know. A hand is what its player lays from then on and shows at last (O-GU1); only ranks count.
O-GU2  You went below the card to reach, or followed an ace, and a lower card of yours shows up: ``not_lowest``.
O-GU3  You went below the card to reach, where U7 holds, and a card of yours shows up that reaches it: ``could_beat``.
With match_first, one of just the rank to reach proves ``could_match``. The first such card is the proof; a lead needs
none, and a play that the last show leaves standing was right.

How the referee goes on when play goes wrong (the rules do not say):
- A card out of turn is a fault (``out_of_turn``, U5), and it is that player's card of this trick. It takes its place by
  its seat, so the others follow the seat before them; nothing can be proved of it, for he did not see what to follow.
- A second card in a trick (``two_cards``, U5) goes back to the hand; so does one turned up too early, unless it is the
  last he has (``turned_early``, U10): then it has been shown.
- A card already seen in this deal is ``card_twice``: one of the two was misread. In turn it is played as read, so that
  play goes on, and proves nothing. Cards where there can be none (``no_deal``, ``not_in_deal``, ``hand_empty``) were
  misread, and are left out.
- A new deal before the last was settled makes the old one void; the wrong dealer is a fault (``wrong_dealer``, U3).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from engine.cards import Card, Rank
from engine.claims import Breach, Claim, weigh
from engine.events import BoughtIn, CardPlayed, CardShown, Dealt, Fact, Stood
from engine.game import Await, SeatPublic, TablePublic
from engine.games.gurka_options import GurkaOptions as GurkaOptions
from engine.games.gurka_score import came_back, close_offers, settle, stake_in
from engine.games.gurka_table import Deal, GurkaState, Phase, Player
from engine.ledger import Ledger
from engine.rulings import (
    CallSpoken,
    DealBegan,
    DealOver,
    DealVoid,
    Fault,
    Impossible,
    TrickTaken,
    TurnIs,
    Verdict,
)
from engine.seats import Seat, Seats
from engine.trick import Play, in_turn, last_highest

PACK_SIZE = 52
TWO, ACE = int(Rank.TWO), int(Rank.ACE)

Held = TypeVar("Held", Rank, Card)


Judged = tuple[GurkaState, tuple[Verdict, ...]]


@dataclass(frozen=True, slots=True)
class Gurka:
    """The game by its house rules."""

    options: GurkaOptions = field(default_factory=GurkaOptions)

    @property
    def name(self) -> str:
        return "gurka"

    @property
    def most_players(self) -> int:
        """U2; U15 has seats for seven."""
        return 7 if self.options.preset == "dansk" else 8

    def deal_size(self, players: int) -> int:
        """U3, U16: how many cards each of so many *players* gets."""
        return min(self.options.cards, PACK_SIZE // players)

    def legal(self, hand: Sequence[Held], trick: Sequence[Rank] | Sequence[Card]) -> tuple[Held, ...]:
        """U5 - U8: what of *hand* (cards or ranks) may be laid after the cards of *trick*, oldest first."""
        if not trick:
            return tuple(hand)  # U5
        ranks = [_rank(held) for held in hand]
        to_reach = self._to_reach([_rank(card) for card in trick])
        lowest = min(ranks)
        if to_reach is None:
            fits = [rank == lowest for rank in ranks]  # U8
        elif self.options.match_first and to_reach in ranks:
            fits = [rank == to_reach for rank in ranks]  # U6
        elif self.options.must_beat and max(ranks) >= to_reach:
            fits = [rank >= to_reach for rank in ranks]  # U7
        else:
            fits = [rank >= to_reach or rank == lowest for rank in ranks]  # U6
        return tuple(held for held, fit in zip(hand, fits, strict=True) if fit)

    def _to_reach(self, before: Sequence[int]) -> int | None:
        """U6: the rank to reach after the cards *before*; None: an ace forbids it (U8)."""
        ace = self.options.ace
        if (ace == "blocks_next" and before[-1] == ACE) or (ace == "blocks_rest" and ACE in before):
            return None
        return before[-1] if self.options.target == "previous" else max(before)

    # The four verbs

    def begin(self, seats: Seats, dealer: Seat) -> GurkaState:
        """U2: before the first deal; ValueError when so many cannot play, or *dealer* has no seat."""
        return self.resume(seats, dealer, [0] * seats.count)

    def resume(
        self,
        seats: Seats,
        dealer: Seat,
        points: Sequence[int],
        *,
        out: Collection[Seat] = (),
        lives: Sequence[int] | None = None,
        bought_in: Collection[Seat] = (),
    ) -> GurkaState:
        """A game that began on paper, before *dealer*'s next deal.

        *points* and *lives* (left; None: all of them) are by seat; *out* lists who is out, *bought_in* who has used
        his buy-in (U18). ValueError when so many cannot play or a number is missing.
        """
        if not 2 <= seats.count <= self.most_players:
            raise ValueError(f"Gurka is for 2 to {self.most_players} players, not {seats.count} (U2)")
        if not 1 <= dealer <= seats.count:
            raise ValueError(f"there is no seat {dealer} to deal; there are 1 to {seats.count}")
        left = [self.options.lives] * seats.count if lives is None else lives
        if len(points) != seats.count or len(left) != seats.count:
            raise ValueError(
                f"{seats.count} players need {seats.count} scores and lives, not {len(points)}, {len(left)}"
            )
        players = tuple(Player(left[seat - 1], points[seat - 1], seat not in out, seat in bought_in) for seat in seats)
        if sum(player.playing for player in players) < 2:
            raise ValueError("a game of Gurka with one player left is over (U14)")
        return GurkaState(seats, players, dealer, Ledger((0,) * seats.count))

    def awaits(self, state: GurkaState) -> tuple[Await, ...]:
        """What may come now. Turned-up cards come in any order (U10); a void deal may be played out or not."""
        dealt = Await(None, Dealt)
        deal = state.deal
        match state.phase:
            case Phase.BETWEEN_DEALS:
                return (dealt,)
            case Phase.TRICKS if deal is not None:
                awaited = [Await(deal.turn, CardPlayed, must=not deal.void)]
            case Phase.TURN_UP if deal is not None:
                awaited = [
                    Await(seat, CardShown, must=not deal.void) for seat in deal.order if not deal.has_shown(seat)
                ]
            case Phase.BUY_IN:
                last_one = len(state.playing) == 1
                offered = [Await(seat, kind, must=last_one) for seat in state.offers for kind in (BoughtIn, Stood)]
                return tuple(offered) if last_one else (*offered, dealt)
            case _:
                return ()
        return (*awaited, dealt) if deal.void else tuple(awaited)

    def apply(self, state: GurkaState, event: Fact, number: int) -> Judged:
        """Judge one event; what cannot have happened leaves the state as it was."""
        match event:
            case CardPlayed(seat, card):
                return self._card(state, Play(seat, card, number), turned_up=False)
            case CardShown(seat, card):
                return self._card(state, Play(seat, card, number), turned_up=True)
            case Dealt(dealer):
                return self._dealt(state, dealer, number)
            case BoughtIn(seat):
                return self._bought_in(state, seat, number)
            case Stood(seat):
                if seat not in state.offers:
                    return state, (Impossible(number, "not_asked"),)
                return close_offers(state, [seat])  # U18: he says no
            case _:
                return state, (Impossible(number, "not_in_gurka"),)

    def public(self, state: GurkaState) -> TablePublic:
        """What all may see: points, the cards on the table, whose turn it is."""
        deal = state.deal
        tricks = deal is not None and state.phase is Phase.TRICKS
        on_table = deal is not None and state.phase in (Phase.TRICKS, Phase.TURN_UP)
        return TablePublic(
            game=self.name,
            unit="points",
            phase=state.phase.value,
            deal=state.number,
            dealer=deal.dealer if deal is not None and on_table else state.next_dealer,
            to_act=deal.turn if deal is not None and tricks else None,
            pot=state.ledger.pot,
            seats=tuple(self._seat_public(state, seat) for seat in state.seats),
            trick=tuple((play.seat, str(play.card)) for play in deal.trick) if deal is not None else (),
            winners=state.winners,
        )

    def _seat_public(self, state: GurkaState, seat: Seat) -> SeatPublic:
        player, deal = state.player(seat), state.deal
        in_deal = deal is not None and state.phase in (Phase.TRICKS, Phase.TURN_UP) and seat in deal.order
        marks = []
        if in_deal and deal is not None and state.phase is Phase.TRICKS and seat == deal.order[0]:
            marks.append("leads")
        if player.playing and player.lives < self.options.lives:
            marks.append("last_life")
        if player.has_bought_in:
            marks.append("bought_in")
        if seat in state.offers:
            marks.append("may_buy_in")
        laid = tuple(map(str, deal.laid[seat - 1])) if deal is not None else ()
        return SeatPublic(seat, player.points, player.playing, in_deal, tuple(marks), laid)

    def to_follow(self, public: TablePublic) -> tuple[Card, ...]:
        """The cards that the seat to act has to follow, oldest first; none when he leads (for ``legal``)."""
        leader = next((one.seat for one in public.seats if "leads" in one.marks), None)
        if leader is None or public.to_act is None:
            return ()
        laid = dict(public.trick)
        order = Seats(len(public.seats)).clockwise_from(leader)
        ahead = order[: order.index(public.to_act)]
        return tuple(Card.parse(laid[seat]) for seat in ahead if seat in laid)

    # Dealing and coming back

    def _dealt(self, state: GurkaState, dealer: Seat, number: int) -> Judged:
        if not 1 <= dealer <= state.seats.count:
            return state, (Impossible(number, "no_such_seat"),)
        verdicts: list[Verdict] = []
        due = state.next_dealer
        if state.phase is Phase.BUY_IN:  # U18: before the next deal, so it is too late now
            state, closed = close_offers(state, state.offers)
            verdicts += closed
            if state.phase is Phase.OVER:
                return state, tuple(verdicts)
        elif state.phase is Phase.OVER:
            return state, (Impossible(number, "game_over"),)
        elif state.deal is not None and state.phase is not Phase.BETWEEN_DEALS:
            due = state.deal.dealer
            if not state.deal.void:
                verdicts.append(DealVoid("U3", "dealt_again"))
            verdicts.append(DealOver(state.number, ()))
        if dealer != due:
            verdicts.append(Fault(dealer, "U3", number, "wrong_dealer", number))
        if state.number == 0 and self.options.stake:  # U14: the stakes go in before the first deal
            state, paid = stake_in(state, tuple(state.seats), self.options.stake, "U14")
            verdicts += paid
        playing = state.playing
        forehand = state.seats.left_of(dealer, playing)  # U5
        deal = Deal(
            dealer,
            order=state.seats.clockwise_from(forehand, playing),
            size=self.deal_size(len(playing)),
            laid=((),) * state.seats.count,
        )
        state = replace(state, phase=Phase.TRICKS, number=state.number + 1, deal=deal, pack_at=dealer)
        return state, (*verdicts, DealBegan(dealer, state.number), TurnIs(forehand))

    def _bought_in(self, state: GurkaState, seat: Seat, number: int) -> Judged:
        if not 1 <= seat <= state.seats.count:
            return state, (Impossible(number, "no_such_seat"),)
        if seat not in state.offers:
            return state, (Fault(seat, "U18", number, "may_not_buy_in", number),)
        state, paid = stake_in(state, (seat,), self.options.stake, "U18")
        state, back = came_back(state, seat)
        return state, (*paid, *back)

    # Cards

    def _card(self, state: GurkaState, play: Play, *, turned_up: bool) -> Judged:
        deal, seat = state.deal, play.seat
        if deal is None or state.phase not in (Phase.TRICKS, Phase.TURN_UP):
            return state, (_impossible(play, "no_deal"),)
        if seat not in deal.order:
            return state, (_impossible(play, "not_in_deal"),)
        if deal.left_in_hand(seat) == 0:
            return state, (_impossible(play, "hand_empty"),)
        if state.phase is Phase.TURN_UP:  # U10: whether he turns it or lays it, there it lies
            return self._go_on(state, *self._see(deal, play, last=True))
        in_turn_now = seat == deal.turn
        if play.card in deal.seen and not in_turn_now:
            return state, (_impossible(play, "card_twice"),)
        last_trick = deal.trick_no == deal.size
        if self.options.last == "show" and deal.left_in_hand(seat) == 1:
            return self._go_on(state, *self._see(deal, play, _fault(play, "U10", "turned_early"), last=True))
        if (turned_up and not last_trick) or deal.has_laid(seat):
            clause, why = ("U10", "turned_early") if turned_up else ("U5", "two_cards")
            return self._go_on(state, *self._punish(deal, _fault(play, clause, why)))
        if not in_turn_now:
            return self._go_on(state, *self._see(deal, play, _fault(play, "U5", "out_of_turn")))
        claim = self.claim(play, deal.before(seat))
        return self._go_on(state, *self._see(deal, play, claim=claim), turn_passes=True)

    def claim(self, play: Play, before: Sequence[Rank]) -> Claim | None:
        """O-GU1: what *play*, after the cards *before*, says of the hand it came from; None: nothing."""
        if not before:
            return None  # U5: a lead may be any card
        card = int(play.card.rank)
        to_reach = self._to_reach(before)
        breaches: list[Breach] = []
        if to_reach is None:
            breaches.append(Breach("U8", "not_lowest", TWO, card - 1))  # O-GU2
        elif card < to_reach:
            breaches.append(Breach("U6", "not_lowest", TWO, card - 1))  # O-GU2
            if self.options.must_beat:
                breaches.append(Breach("U7", "could_beat", to_reach, ACE))  # O-GU3
        if to_reach is not None and self.options.match_first and card != to_reach:
            breaches.append(Breach("U6", "could_match", to_reach, to_reach))
        return Claim(play.seat, play.event, play.card, tuple(breaches)) if breaches else None

    def _see(
        self, deal: Deal, play: Play, wrong: Sequence[Fault] = (), *, claim: Claim | None = None, last: bool = False
    ) -> tuple[Deal, list[Verdict]]:
        """*play*'s card lies in the trick (U4), or as his *last* card: what it proves, and what was *wrong* with it."""
        laid = list(deal.laid)
        laid[play.seat - 1] = (*laid[play.seat - 1], play.card)
        trick, shown = (deal.trick, (*deal.shown, play)) if last else ((*deal.trick, play), deal.shown)
        if play.card in deal.seen:
            return replace(deal, laid=tuple(laid), trick=trick, shown=shown), [_impossible(play, "card_twice")]
        claims, faults = weigh(deal.claims, play.seat, play.card, play.event)
        if claim is not None:
            claims = (*claims, claim)
        seen = deal.seen | {play.card}
        deal = replace(deal, laid=tuple(laid), trick=trick, shown=shown, seen=seen, claims=claims)
        return self._punish(deal, (*faults, *wrong))

    def _punish(self, deal: Deal, faults: Sequence[Fault]) -> tuple[Deal, list[Verdict]]:
        """Option violation: what the table does about *faults*."""
        verdicts: list[Verdict] = [*faults]
        if faults and self.options.violation == "void_deal" and not deal.void:
            deal = replace(deal, void=True)
            verdicts.append(DealVoid(faults[0].clause, "violation"))
        if faults and self.options.violation == "penalty_points":
            guilty = dict(deal.guilty)
            for fault in faults:
                guilty.setdefault(fault.seat, fault.clause)
            deal = replace(deal, guilty=tuple(guilty.items()))
        return deal, verdicts

    def _go_on(self, state: GurkaState, deal: Deal, verdicts: list[Verdict], turn_passes: bool = False) -> Judged:
        """What follows once a card lies there: the next turn, the next trick, the show, the score."""
        if state.phase is Phase.TURN_UP:
            if len(deal.shown) < len(deal.order):
                return replace(state, deal=deal), tuple(verdicts)
            return self._settle(state, deal, in_turn(deal.shown, deal.order), verdicts)
        turn = deal.turn
        if turn is not None:
            verdicts += [TurnIs(turn)] if turn_passes else []
            return replace(state, deal=deal), tuple(verdicts)
        trick = in_turn(deal.trick, deal.order)
        taken = last_highest(trick)  # U9
        verdicts.append(TrickTaken(taken.seat, deal.trick_no, str(taken.card), "U9"))
        if deal.trick_no == deal.size:  # U16: the last trick was played
            return self._settle(state, deal, trick, verdicts)
        order = state.seats.clockwise_from(taken.seat, deal.order)  # U5: who took it leads
        deal = replace(deal, order=order, trick=(), trick_no=deal.trick_no + 1)
        if deal.trick_no == deal.size and self.options.last == "show":  # U10
            return replace(state, deal=deal, phase=Phase.TURN_UP), (*verdicts, CallSpoken(None, "TURN_LAST"))
        return replace(state, deal=deal), (*verdicts, TurnIs(taken.seat))

    def _settle(self, state: GurkaState, deal: Deal, last: Sequence[Play], verdicts: list[Verdict]) -> Judged:
        state, settled = settle(self.options, replace(state, deal=deal), deal, last)
        return state, (*verdicts, *settled)


def _rank(held: Any) -> int:
    """U1: all that counts of a card."""
    return int(held.rank if isinstance(held, Card) else held)


def _impossible(play: Play, why: str) -> Impossible:
    return Impossible(play.event, why, str(play.card))


def _fault(play: Play, clause: str, why: str) -> tuple[Fault, ...]:
    return (Fault(play.seat, clause, play.event, why, play.event, thing=str(play.card)),) if why else ()
