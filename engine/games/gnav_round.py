"""The state of a game of Gnav: what everybody at the table knows, and where play stands."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.games.gnav_proofs import Claim, Lying, Proof, claim
from engine.ledger import Ledger
from engine.rulings import Fault, Verdict
from engine.seats import Seat, Seats


@dataclass(frozen=True, slots=True)
class Look:
    """The pieces are dealt; nobody has looked yet (G6)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """*seat* decides about his piece (G9, G20)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Answer:
    """*asker* has asked *asked* to swap (G10, G13 - G16)."""

    asker: Seat
    asked: Seat


@dataclass(frozen=True, slots=True)
class AskOn:
    """*past* has passed *asker* on to the next player (G16)."""

    asker: Seat
    past: Seat


@dataclass(frozen=True, slots=True)
class AtBag:
    """The last player has passed *asker* on, to the bag (G19)."""

    asker: Seat


@dataclass(frozen=True, slots=True)
class AllDone:
    """Everybody has had his turn; the dealer will say *Vis opp* (G21)."""


@dataclass(frozen=True, slots=True)
class Show:
    """All turn up (G21)."""


@dataclass(frozen=True, slots=True)
class Closed:
    """Settled or void; what was not shown yet still may be, until the next deal."""


Stage = Look | Turn | Answer | AskOn | AtBag | AllDone | Show | Closed


@dataclass(frozen=True, slots=True)
class Round:
    """One deal (*omgang*), from the pieces on the table to the next deal."""

    dealer: Seat
    dealt: int
    """Number of the event that dealt it."""
    order: tuple[Seat, ...]
    """All who were dealt a piece, in the order of play: left of the dealer first, the dealer last."""
    before: Ledger
    """The tokens before this round, and who was in the game, should the round not count."""
    players_before: tuple[Seat, ...]
    lying: Lying
    stage: Stage = Look()
    left: tuple[Seat, ...] = ()
    """Who sits the rest of the round out (G8) or went out in it (G26)."""
    knocked: tuple[Seat, ...] = ()
    fools: tuple[Seat, ...] = ()
    """Those of them who knocked before the swaps (G8)."""
    acted: tuple[Seat, ...] = ()
    """Who has decided or answered."""
    stood: tuple[Seat, ...] = ()
    called: tuple[tuple[Seat, str], ...] = ()
    """Who called which matador; he counts as standing (G17)."""
    swaps_begun: bool = False
    swaps: tuple[tuple[Seat, Seat], ...] = ()
    """The swaps that a cat would undo, oldest first (G15)."""
    last_refusal: Answer | None = None
    """The latest question that was met by a call, while nothing else has been asked since."""
    stopped_by: Seat | None = None
    """Who ended the round with his call (G13)."""
    last_draw: int = 0
    """Number of the event by which the last player drew in his turn (G20); 0 when he has not."""
    paid: tuple[Seat, ...] = ()
    """Who has paid by G14, G15 or G22 - G24 in this round (G25)."""
    turned_up: bool = False
    """Whether the dealer has said *Vis opp* (G21)."""
    silences_heard: bool = False
    """Whether the duties that nobody spoke to are on record: who did not knock, who did not draw again."""
    shown: tuple[tuple[Seat, str], ...] = ()
    """The pieces turned up, in the order they came."""

    @property
    def in_deal(self) -> tuple[Seat, ...]:
        """Who plays this round on, in the order of play."""
        return tuple(seat for seat in self.order if seat not in self.left)

    @property
    def last(self) -> Seat:
        """Who plays last and may exchange with the bag: the dealer, or whoever is last when he sits out."""
        return self.in_deal[-1]

    def after(self, seat: Seat) -> Seat | None:
        """The next player after *seat* in the order of play; None after the last."""
        place = self.order.index(seat)
        return next((one for one in self.order[place + 1 :] if one not in self.left), None)

    def has_called(self, seat: Seat) -> bool:
        return any(caller == seat for caller, _ in self.called)

    def has_shown(self, seat: Seat) -> bool:
        return any(shower == seat for shower, _ in self.shown)

    def draws_of(self, seat: Seat) -> int:
        return sum(one.seat == seat for one in self.lying.put_away)

    @property
    def to_act(self) -> Seat | None:
        match self.stage:
            case Turn(seat) | Answer(_, seat) | AskOn(seat, _) | AtBag(seat):
                return seat
            case _:
                return None

    def acted_by(self, seat: Seat) -> Round:
        """*seat* has decided or answered."""
        return self if seat in self.acted else replace(self, acted=(*self.acted, seat))

    @property
    def bag_is_empty(self) -> bool:
        """Never when the pieces go back into it."""
        lying = self.lying
        return not lying.into_bag and len(self.order) + len(lying.put_away) >= len(lying.table.bag)

    @property
    def all_shown(self) -> bool:
        return all(self.has_shown(seat) for seat in self.in_deal)

    @property
    def aside_hidden(self) -> tuple[Seat, ...]:
        """Who has laid a piece aside that nobody has seen, once for each piece (dealer_discard)."""
        if self.lying.into_bag:
            return ()
        return tuple(one.seat for one in self.lying.put_away if not self.lying.face(one.slot))

    @property
    def nothing_hidden(self) -> bool:
        """Whether all has been shown that ever can be."""
        return not self.aside_hidden and all(self.has_shown(seat) for seat in self.order)


@dataclass(frozen=True, slots=True)
class GnavState:
    """A game of Gnav at one moment."""

    seats: Seats
    ledger: Ledger
    players: tuple[Seat, ...]
    """Who is still in the game."""
    dealer: Seat
    """Who deals this round, or the next one once this is closed."""
    deal: int = 0
    round: Round | None = None
    over: bool = False
    winners: tuple[Seat, ...] = ()


Judged = tuple[GnavState, tuple[Verdict, ...]]
"""The state after an event, and what the referee says to it."""


def fault(seat: Seat, clause: str, number: int, why: str, thing: str = "") -> Fault:
    """A fault that everybody sees as it happens."""
    return Fault(seat, clause, number, why, number, thing)


def hear(round_: Round, new: Claim, number: int) -> tuple[Round, tuple[Proof, ...]]:
    """Event *number* makes the claim *new*."""
    lying, proofs = claim(round_.lying, new, number)
    return replace(round_, lying=lying), proofs
