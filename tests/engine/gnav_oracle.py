"""A table of Gnav seen from above: it knows every piece, plays rounds with cheating, and says what is true of them.

Written apart from the referee, from the rule sheet: its own turn order, its own money, real pieces in a real bag.
``rounds`` yields what everybody saw (the events) beside what really was so (breaches, tokens, who is out).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

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
from engine.games.gnav import GnavOptions
from engine.seats import Seat

_NUMERALS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]
MATADORS = ["HUS", "HEST", "KATT", "DRAGON", "GJØK"]
PRINTED = ["NARR", "UGLE", "POTTE", "0", *_NUMERALS, *MATADORS]
ZERO_LOWEST = ["0", "UGLE", "POTTE", "NARR", *_NUMERALS, *MATADORS]

Breach = tuple[int, str, int]
"""Seat, code, number of the event at fault."""


class RoundOver(Exception):
    """The round ended before all had their turn."""


@dataclass(eq=False)
class Piece:
    """One real piece while it lies at the table."""

    design: str
    drawn: int = 0
    """0 when dealt; else the number of the draw that brought it."""
    into_bag: int = 0
    """The number of the draw that put it into the bag; 0 when it still lies there."""
    seen: bool = False


@dataclass
class Word:
    """What *seat* said of *piece*: right only if *true* of its design."""

    seat: int
    piece: Piece
    true: Callable[[str], bool]
    why: str
    number: int
    designs: frozenset[str]


@dataclass
class Told:
    """The truth after a round."""

    breaches: Counter[Breach]
    open_for_ever: Counter[Breach]
    """Whether these are breaches nobody can know."""
    stocks: dict[int, int]
    pot: int
    bank: int
    players: set[int]
    next_dealer: int
    winners: set[int] | None
    """None while the game goes on."""
    unfinished: bool
    """The dealer deals again before this round is over: what it cost is taken back."""


@dataclass
class Table:
    options: GnavOptions
    seats: int
    dealer: int
    dice: random.Random
    cheat: float
    """How often somebody does what he should not, where he could."""
    log: list[Fact] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stocks = dict.fromkeys(range(1, self.seats + 1), self.options.start_tokens)
        self.pot = self.bank = 0
        self.players = set(self.stocks)
        self.winners: set[int] | None = None
        self.unfinished = False
        self.order_of_designs = PRINTED if self.options.rank_order == "printed" else ZERO_LOWEST

    # -- saying and paying

    def say(self, fact: Fact) -> int:
        self.log.append(fact)
        return len(self.log)

    def sins(self, less: float = 1.0) -> bool:
        return self.dice.random() < self.cheat * less

    def breach(self, seat: int, why: str, number: int, fined: bool = True) -> None:
        self.breaches[seat, why, number] += 1
        if fined and self.options.violation == "pay_token" and self.winners is None:
            self.pay(seat, 1)

    def pay(self, seat: int, tokens: int) -> bool:
        """True when he could pay all of it."""
        real = min(tokens, self.stocks[seat])
        self.stocks[seat] -= real
        self.pot += real
        return real == tokens

    def owes(self, seat: int, tokens: int) -> bool:
        if self.options.double_payment == "max_one_per_round" and seat in self.has_paid:
            return True
        self.has_paid.add(seat)
        return self.pay(seat, tokens)

    # -- a round

    def play(self) -> Told:
        self.breaches: Counter[Breach] = Counter()
        self.open_for_ever: Counter[Breach] = Counter()
        self.words: list[Word] = []
        self.has_paid: set[int] = set()
        self.deal()
        self.unfinished = self.through_the_round() == "dealt again"
        if not self.unfinished:
            self.judge_what_stays_open()
        return Told(
            self.breaches,
            self.open_for_ever,
            dict(self.stocks),
            self.pot,
            self.bank,
            set(self.players),
            self.dealer,
            self.winners,
            self.unfinished,
        )

    def deal(self) -> None:
        dealer = self.dice.choice(sorted(self.players)) if self.sins(0.1) else self.dealer
        self.dealt = self.say(Dealt(Seat(dealer)))
        self.before = dict(self.stocks), self.pot, self.bank, set(self.players)
        if self.unfinished:
            self.breach(dealer, "deal_not_over", self.dealt)
        if dealer != self.dealer:
            self.breach(dealer, "wrong_dealer", self.dealt)
        self.dealer, self.unfinished = dealer, False
        ring = [(self.dealer - 1 + step) % self.seats + 1 for step in range(1, self.seats + 1)]
        self.order = [seat for seat in ring if seat in self.players]
        self.bag = [design for design in PRINTED for _ in range(2)]
        self.dice.shuffle(self.bag)
        self.hand = {seat: Piece(self.bag.pop()) for seat in self.order}
        self.first_hand = dict(self.hand)
        self.away: list[tuple[int, Piece]] = []
        self.sitting: list[int] = []
        self.knockers: list[int] = []
        self.busy: set[int] = set()
        self.callers: set[int] = set()
        self.trades: list[tuple[int, int]] = []
        self.draws = 0
        self.stopper = 0
        self.answered: tuple[int, int] | None = None
        self.keeps = 0
        """Whom the last player passed on, to keep his own piece (G19)."""
        self.own_draw = 0

    def through_the_round(self) -> str:
        """How the round ended."""
        if self.sins(0.1):
            seat = self.dice.choice(self.order)
            number = self.say(Knocked(Seat(seat)))
            self.breach(seat, "before_look", number)
            self.knock(seat, number)
        self.say(LookedAt())
        try:
            self.knocks()
            self.swaps()
            if self.sins(0.1) and self.stopper == 0:
                self.shows_before_told()
            elif self.stopper == 0 or self.dice.random() < 0.5:
                self.say(TurnedUp())
            if self.sins(0.5):
                self.late_deed()
        except RoundOver as over:
            return self.after_the_fact(str(over))
        return self.turn_up()

    def playing(self) -> list[int]:
        return [seat for seat in self.order if seat not in self.sitting]

    def after(self, seat: int) -> int:
        """The next player; 0 after the last."""
        for one in self.order[self.order.index(seat) + 1 :]:
            if one not in self.sitting:
                return one
        return 0

    def word(self, seat: int, piece: Piece, designs: frozenset[str], why: str, number: int) -> None:
        new = Word(seat, piece, designs.__contains__, why, number, designs)
        if piece.seen:
            if not new.true(piece.design):
                self.breach(seat, why, number)
            return
        for old in self.words:
            if old.piece is piece and old.seat == seat and not old.designs & designs:
                kind = "knock_and_call" if "false_knock" in (old.why, why) else "two_answers"
                self.breach(seat, kind, number, fined=False)
        if all(self.gone(design, piece) for design in designs):
            self.breach(seat, why, number)
        else:
            self.words.append(new)

    # -- knocks

    def knocks(self) -> None:
        for seat in self.dice.sample(self.order, len(self.order)):
            fool = self.first_hand[seat].design == "NARR"
            if seat in self.knockers or seat in self.sitting:
                continue
            if fool != self.sins(0.5 if fool else 0.2):
                self.knock(seat, self.say(Knocked(Seat(seat))))

    def knock(self, seat: int, number: int) -> None:
        """G7, G8: before anybody has asked."""
        self.knockers.append(seat)
        self.word(seat, self.first_hand[seat], frozenset({"NARR"}), "false_knock", number)
        if self.options.double_fool == "off" or len(self.knockers) != 2:
            return
        self.two_fools(self.knockers)

    def two_fools(self, pair: list[int]) -> None:
        if self.pot >= 2 or self.options.double_fool_short_pot == "bank":
            for seat in pair:
                self.stocks[seat] += 1
            from_pot = min(2, self.pot)
            self.pot -= from_pot
            self.bank += 2 - from_pot
        self.sitting += pair
        if len(self.playing()) < 2:
            self.close()
            raise RoundOver("void")

    # -- swaps

    def swaps(self) -> None:
        seat = self.playing()[0]
        while seat:
            seat = self.last_turn(seat) if seat == self.playing()[-1] else self.turn(seat)

    def go_on_after(self, seat: int) -> int:
        nxt = self.after(seat)
        while nxt and self.options.matador_turn == "auto_stand" and nxt in self.callers:
            nxt = self.after(nxt)
        return nxt

    def turn(self, seat: int) -> int:
        """G9 - G16; gives back whose turn is next."""
        self.misdeeds({seat})
        if self.options.cuckoo_own_turn and (self.hand[seat].design == "GJØK" or self.sins(0.1)):
            return self.stop(seat)
        if self.dice.random() < 0.4:
            self.say(Stood(Seat(seat)))
            self.busy.add(seat)
            self.answered = None
            return self.go_on_after(seat)
        asked = self.after(seat)
        while True:
            self.say(AskedToSwap(Seat(seat)))
            self.busy.add(seat)
            self.answered = None
            self.misdeeds({seat, asked}, asked)
            said = self.answer(asked)
            if said == "":
                number = self.say(Swapped(Seat(asked)))
                self.busy.add(asked)
                if self.options.matador_call == "mandatory":
                    quiet = frozenset(PRINTED[:16])
                    self.word(asked, self.hand[asked], quiet, "matador_not_called", number)
                self.trade(seat, asked)
                return self.after(seat) if self.options.matador_turn == "acts" else asked
            number = self.say(Called(Seat(asked), said))
            self.busy.add(asked)
            self.callers.add(asked)
            self.word(asked, self.hand[asked], frozenset({said}), "false_call", number)
            self.answered = (seat, asked)
            if said == "GJØK":
                self.stopper = asked
                return 0
            if said == "KATT":
                for one, other in reversed(self.trades):
                    self.hand[one], self.hand[other] = self.hand[other], self.hand[one]
                self.trades = []
            if said in ("KATT", "DRAGON"):
                self.refused(seat)
                if self.sins(0.2):  # he called, and swaps all the same
                    self.breach(asked, "call_and_swap", self.say(Swapped(Seat(asked))))
                    self.trade(seat, asked)
                    self.answered = None
                return self.go_on_after(seat)
            may_stop = self.options.horse_house_continue == "may_stop"
            if asked == self.playing()[-1]:
                return self.past_the_last(seat, may_stop)
            self.misdeeds({seat, self.after(asked)})
            if may_stop and self.dice.random() < 0.5:
                self.say(Stood(Seat(seat)))
                self.answered = None
                return self.go_on_after(seat)
            if not may_stop and self.sins(0.2):
                self.breach(seat, "must_ask_next", self.say(Stood(Seat(seat))))
                self.answered = None
                return self.go_on_after(seat)
            asked = self.after(asked)

    def answer(self, asked: int) -> str:
        """Which matador he calls; empty to swap."""
        if self.sins(0.2):
            self.breach(asked, "refused_without_call", self.say(Stood(Seat(asked))))
        design = self.hand[asked].design
        if design in MATADORS:
            if self.options.matador_call == "optional" and self.dice.random() < 0.3:
                return ""
            if not self.sins():
                return design
            return self.dice.choice(["", *MATADORS])
        return self.dice.choice(MATADORS) if self.sins(0.5) else ""

    def past_the_last(self, seat: int, may_stop: bool) -> int:
        """G19."""
        if self.options.horse_house_past_dealer == "bag":
            if self.sins(0.2):
                self.breach(seat, "must_draw", self.say(AskedToSwap(Seat(seat))))
            stops = self.dice.random() < 0.4 if may_stop else self.sins(0.2)
            number = self.say(Stood(Seat(seat)) if stops else DrewFromBag(Seat(seat)))
            self.answered = None
            if stops and not may_stop:
                self.breach(seat, "must_draw", number)
            if not stops:
                self.draw(seat)
        else:
            self.keeps = seat
        return self.go_on_after(seat)

    def refused(self, seat: int) -> None:
        self.owes(seat, self.options.refusal_payment)
        if self.options.elimination == "immediately" and not self.stocks[seat] and seat in self.players:
            self.players.discard(seat)
            self.sitting.append(seat)
            if len(self.playing()) < 2:
                self.close()
                raise RoundOver("void")

    def stop(self, seat: int) -> int:
        number = self.say(Called(Seat(seat), "GJØK"))
        self.word(seat, self.hand[seat], frozenset({"GJØK"}), "false_call", number)
        self.busy.add(seat)
        self.callers.add(seat)
        self.stopper = seat
        return 0

    def last_turn(self, seat: int) -> int:
        """G20."""
        self.misdeeds({seat})
        if self.options.cuckoo_own_turn and (self.hand[seat].design == "GJØK" or self.sins(0.1)):
            return self.stop(seat)
        if self.sins(0.1):
            self.breach(seat, "dealer_asks", self.say(AskedToSwap(Seat(seat))))
        self.busy.add(seat)
        self.answered = None
        if self.dice.random() < 0.5:
            self.say(Stood(Seat(seat)))
            return 0
        again = any(one == seat for one, _ in self.away)
        number = self.own_draw = self.say(DrewFromBag(Seat(seat)))
        if again:
            self.breach(seat, "second_draw", number)
        self.draw(seat)
        horses = frozenset({"HEST", "HUS"})
        if self.options.dealer_bag_redraw == "none":
            if self.sins(0.2):
                self.breach(seat, "second_draw", self.say(DrewFromBag(Seat(seat))))
                self.draw(seat)
            return 0
        while (self.hand[seat].design in horses) != self.sins(0.5) and len(self.away) < 4:
            self.own_draw = self.say(DrewFromBag(Seat(seat)))
            self.word(seat, self.hand[seat], horses, "false_redraw", self.own_draw)
            self.draw(seat)
        return 0

    def trade(self, one: int, other: int) -> None:
        self.hand[one], self.hand[other] = self.hand[other], self.hand[one]
        self.trades.append((one, other))

    def draw(self, seat: int) -> None:
        self.draws += 1
        old = self.hand[seat]
        self.hand[seat] = Piece(self.bag.pop(self.dice.randrange(len(self.bag))), drawn=self.draws)
        self.away.append((seat, old))
        if self.options.dealer_discard == "into_bag":
            old.into_bag = self.draws
            self.bag.append(old.design)

    # -- what should not happen

    def misdeeds(self, wanted: set[int], asked: int = 0) -> None:
        """Sometimes somebody acts who should not; *wanted* are those whose act would mean something."""
        if not self.sins(0.3):
            return
        others = [seat for seat in self.order if seat not in wanted]
        if self.answered:
            others = [seat for seat in others if seat != self.answered[1]]
        if self.sins(0.1):
            self.breach(self.dealer, "early_turn_up", self.say(TurnedUp()))
            raise RoundOver("early")
        if self.sins(0.05):
            raise RoundOver("dealt again")
        if not others:
            return
        seat = self.dice.choice(others)
        sits = seat in self.sitting
        match self.dice.randrange(6):
            case 0:
                number, why = self.say(Stood(Seat(seat))), "out_of_turn"
                if self.answered and seat == self.keeps:
                    return  # he says what stands anyway
            case 1:
                number, why = self.say(AskedToSwap(Seat(seat))), "out_of_turn"
            case 2:
                number, why = self.say(Called(Seat(seat), self.dice.choice(MATADORS))), "not_asked"
            case 3:
                number, why = self.say(Swapped(Seat(seat))), "not_asked"
            case 4:
                number = self.say(DrewFromBag(Seat(seat)))
                why = "out_of_turn" if seat == self.playing()[-1] else "bag_not_his"
                self.draw(seat)
                self.busy.add(seat)
                self.answered = None
            case _:
                self.misdeed_with_own_piece(seat)
                return
        self.breach(seat, "sits_out" if sits else why, number)

    def misdeed_with_own_piece(self, seat: int) -> None:
        if seat in self.sitting:
            return
        if self.options.violation == "announce" and self.dice.random() < 0.5:
            piece = self.hand[seat]
            self.breach(seat, "shown_early", self.say(PieceShown(Seat(seat), piece.design)))
            self.see(piece)
        elif seat in self.busy and seat not in self.knockers:
            number = self.say(Knocked(Seat(seat)))
            self.breach(seat, "late_knock", number)
            self.knockers.append(seat)
            self.word(seat, self.first_hand[seat], frozenset({"NARR"}), "false_knock", number)

    def shows_before_told(self) -> None:
        seat = self.dice.choice(self.playing())
        self.breach(seat, "shown_early", self.say(PieceShown(Seat(seat), self.hand[seat].design)))
        self.shown_first = seat
        raise RoundOver("shown")

    def late_deed(self) -> None:
        seat = self.dice.choice(self.order)
        match self.dice.randrange(3):
            case 0:
                number, why = self.say(Stood(Seat(seat))), "after_stop" if self.stopper else "out_of_turn"
            case 1:
                number, why = self.say(DrewFromBag(Seat(seat))), "after_stop" if self.stopper else "out_of_turn"
            case _:
                number, why = self.say(Knocked(Seat(seat))), "late_knock"
        self.breach(seat, why, number)

    # -- the turn-up

    def after_the_fact(self, how: str) -> str:
        match how:
            case "early":
                return self.turn_up()
            case "shown":
                return self.turn_up(self.shown_first)
            case "dealt again":
                self.stocks, self.pot, self.bank, self.players = self.before
                return how
        self.silences()
        if self.options.violation == "announce" and self.dice.random() < 0.5:
            for seat in self.order:
                self.say(PieceShown(Seat(seat), self.hand[seat].design))
                self.see(self.hand[seat])
        return how

    def silences(self) -> None:
        for seat in self.order:
            if seat not in self.knockers and self.busy:  # in a round that two knocks ended, the others had no time
                self.word(seat, self.first_hand[seat], frozenset(PRINTED[1:]), "knock_missing", self.dealt)
        if self.own_draw and self.options.dealer_bag_redraw != "none":
            seat = self.playing()[-1]
            fits = frozenset(PRINTED) - {"HEST", "HUS"}
            self.word(seat, self.hand[seat], fits, "redraw_missing", self.own_draw)

    def turn_up(self, first: int = 0) -> str:
        self.silences()
        asides = [seat for seat, _ in self.away] if self.options.dealer_discard == "aside_and_shown" else []
        if self.dice.random() < 0.2:
            asides = []
        shows = self.dice.sample(self.playing(), len(self.playing()))
        if first:
            shows.remove(first)
            shows.insert(0, first)
        late = self.options.violation == "announce" and self.dice.random() < 0.5
        sitters = [seat for seat in self.sitting if self.dice.random() < 0.5]
        if not late:
            self.show_apart(asides, sitters)
        for seat in shows:
            if seat != first:
                self.say(PieceShown(Seat(seat), self.hand[seat].design))
            self.see(self.hand[seat])
        self.settle()
        if late and self.winners is None:
            self.show_apart(asides, sitters)
        return "settled"

    def show_apart(self, asides: list[int], sitters: list[int]) -> None:
        for seat in set(asides):
            for piece in [piece for one, piece in self.away if one == seat and not piece.seen]:
                self.say(AsideShown(Seat(seat), piece.design))
                self.see(piece)
        for seat in sitters:
            self.say(PieceShown(Seat(seat), self.hand[seat].design))
            self.see(self.hand[seat])

    def see(self, piece: Piece) -> None:
        """All see *piece*: what was said of it is true or a breach."""
        piece.seen = True
        for word in [word for word in self.words if word.piece is piece]:
            self.words.remove(word)
            if not word.true(piece.design):
                self.breach(word.seat, word.why, word.number)
        for word in list(self.words):  # the only ones left of a design lie elsewhere
            if all(self.gone(design, word.piece) for design in word.designs):
                self.words.remove(word)
                assert not word.true(word.piece.design), "the oracle accuses an honest player"
                self.breach(word.seat, word.why, word.number)

    def gone(self, design: str, hidden: Piece) -> bool:
        """Both copies of *design* are seen to lie, and neither can be *hidden* drawn again."""
        lying = [*self.hand.values(), *(piece for _, piece in self.away if not piece.into_bag)]
        apart = [one for one in lying if one is not hidden and not (hidden.into_bag and one.drawn > hidden.into_bag)]
        return sum(one.seen and one.design == design for one in apart) == 2

    def judge_what_stays_open(self) -> None:
        for word in self.words:
            if not all(self.gone(design, word.piece) for design in set(PRINTED) - word.designs):
                self.open_for_ever[word.seat, word.why, word.number] += 1

    # -- tokens

    def settle(self) -> None:
        designs = {seat: self.hand[seat].design for seat in self.playing()}
        fools = [seat for seat in sorted(designs) if designs[seat] == "NARR"]
        if self.options.double_fool == "any_time" and len(fools) == 2:
            try:
                self.two_fools(fools)
            except RoundOver:
                return
            for seat in fools:
                del designs[seat]
        if self.stopper and self.options.cuckoo_all_pay:
            for seat in designs:
                if seat != self.stopper:
                    self.owes(seat, 1)
        else:
            self.lowest_pay(designs)
        self.close()

    def lowest_pay(self, designs: dict[int, str]) -> None:
        values = sorted(set(designs.values()), key=self.order_of_designs.index)
        wanted = 2 if values[0] == "NARR" else 1
        while wanted and values:
            value = values.pop(0)
            could = [self.owes(seat, 1) for seat in sorted(designs) if designs[seat] == value]
            if all(could) or self.options.debt_beyond_stake == "waived":
                wanted -= 1

    def close(self) -> None:
        """G26 - G28."""
        broke = {seat for seat in self.players if self.stocks[seat] == 0}
        if broke == self.players:
            if self.options.all_out_at_once == "replay":
                stocks, self.pot, self.bank, players = self.before
                self.stocks, self.players = dict(stocks), set(players)
                return
            self.winners = broke if self.options.all_out_at_once == "shared" else set()
            self.players = set()
            return
        self.players -= broke
        if len(self.players) == 1:
            self.winners = set(self.players)
            return
        while True:
            self.dealer = self.dealer % self.seats + 1
            if self.dealer in self.players:
                return
