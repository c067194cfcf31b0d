"""Plays the vectors of Gurka: as real deals before a referee, wherever there is something to play.

A vector tells the end of a deal, or only some of its tricks. What it leaves out is filled with tricks that nobody can
object to, laid before the ones it tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import Card, Rank, Suit, rank_of
from engine.events import BoughtIn, CardPlayed, CardShown, Dealt, Fact
from engine.game import Await, TablePublic
from engine.games import game_named
from engine.games.gurka import Gurka
from engine.games.gurka_table import GurkaState
from engine.referee import Referee
from engine.rulings import CameBack, DealOver, DealVoid, Fault, GameOver, Ruling, Scored, TrickTaken, Verdict, WentOut
from engine.seats import Seat, Seats

Vector = Mapping[str, Any]
Trick = list[tuple[Seat, Rank]]


def run(vector: dict[str, Any]) -> list[str]:
    """What the engine answers otherwise than *vector* expects; empty: it passed."""
    kind = vector.get("kind")
    if kind not in KINDS:
        return [f"unknown kind {kind!r}; there are {', '.join(KINDS)}"]
    answer = KINDS[kind](vector)
    expected = vector.get("expect", {})
    unknown = [f"nothing here knows what {name!r} would be" for name in expected if name not in answer]
    return unknown + [
        f"{name}: expected {value}, got {answer[name]}"
        for name, value in expected.items()
        if name in answer and not _agrees(name, value, answer[name])
    ]


def _agrees(name: str, expected: Any, found: Any) -> bool:
    if name == "violations":
        return _same_violations(expected, found)
    if name in ("out", "winners", "losers"):
        return sorted(expected) == sorted(found)
    if name == "legal":
        return sorted(map(rank_of, expected)) == sorted(map(rank_of, found))
    if isinstance(expected, dict) and isinstance(found, dict):  # only the players it names
        return all(found.get(player) == value for player, value in expected.items())
    return bool(expected == found)


def _same_violations(expected: list[dict[str, Any]], found: list[dict[str, Any]]) -> bool:
    """Each expected one was found, as far as it is told, and no other."""
    rest = list(found)
    for one in expected:
        match = next((other for other in rest if all(other.get(name) == one[name] for name in one)), None)
        if match is None:
            return False
        rest.remove(match)
    return not rest


def _game(vector: Vector, **more: object) -> Gurka:
    game = game_named("gurka", {**more, **vector.get("options", {})})
    assert isinstance(game, Gurka)
    return game


def _text(rank: Rank) -> str:
    return "10" if rank is Rank.TEN else rank.letter


@dataclass(frozen=True)
class Begun:
    """The same game, begun at *start*: a match that began on paper."""

    game: Gurka
    start: GurkaState

    @property
    def name(self) -> str:
        return self.game.name

    def begin(self, seats: Seats, dealer: Seat) -> GurkaState:
        return self.start

    def awaits(self, state: GurkaState) -> tuple[Await, ...]:
        return self.game.awaits(state)

    def apply(self, state: GurkaState, event: Fact, number: int) -> tuple[GurkaState, tuple[Verdict, ...]]:
        return self.game.apply(state, event, number)

    def public(self, state: GurkaState) -> TablePublic:
        return self.game.public(state)


class Table:
    """One deal before the referee, with the players' names and the trick of every event."""

    def __init__(self, game: Gurka, names: Sequence[str], dealer: Seat, start: GurkaState | None = None) -> None:
        seats = Seats(len(names))
        self.game, self.names = game, names
        self.referee = Referee(game if start is None else Begun(game, start), seats, dealer)
        self.rulings: list[Ruling] = []
        self.where: dict[int, int | str] = {}
        """Which trick (or ``show``) each event belongs to."""
        self._suits: Counter[Rank] = Counter()
        self.judge(Dealt(dealer), 0)

    def judge(self, event: Fact, where: int | str) -> None:
        self.rulings += self.referee.judge(event)
        self.where[len(self.referee.log)] = where

    def card(self, rank: Rank) -> Card:
        """The next card of this rank in the pack."""
        self._suits[rank] += 1
        if self._suits[rank] > 4:
            raise ValueError(f"the pack has no fifth {_text(rank)}")
        return Card(rank, list(Suit)[self._suits[rank] - 1])

    def trick(self, plays: Trick, where: int | str) -> None:
        for seat, rank in plays:
            self.judge(CardPlayed(seat, self.card(rank)), where)

    def last_cards(self, ranks: Mapping[Seat, Rank]) -> None:
        """Turned up, or played as the last trick by those whose turn it is."""
        for seat in ranks:
            turn = self.referee.public.to_act
            if turn is None:
                self.judge(CardShown(seat, self.card(ranks[seat])), "show")
            else:
                self.judge(CardPlayed(turn, self.card(ranks[turn])), "show")

    def name(self, seat: Seat) -> str:
        return self.names[seat - 1]

    def these(self, *kinds: type[Any]) -> list[Any]:
        return [ruling for ruling in self.rulings if isinstance(ruling, kinds)]


def _filled(game: Gurka, seats: Seats, tricks: list[Trick], last: Mapping[Seat, Rank], leader: Seat) -> list[Trick]:
    """As many tricks before *tricks* as the deal has more, such that all are legal and *leader* takes the last."""
    missing = game.deal_size(seats.count) - 1 - len(tricks)
    if missing < 0:
        raise ValueError(f"{len(tricks)} tricks are more than {seats.count} players have cards for")
    later = {seat: [rank for trick in tricks for one, rank in trick if one == seat] for seat in seats}
    for seat, rank in last.items():
        later[seat].append(rank)
    pack = Counter(dict.fromkeys(Rank, 4)) - Counter(rank for ranks in later.values() for rank in ranks)
    filled: list[Trick] = []
    for _ in range(missing):
        first = seats.left_of(leader)  # the last one to lay takes a trick of rising cards
        trick = _rising(game, seats.clockwise_from(first), later, pack, ())
        if trick is None:
            raise ValueError("the pack cannot fill the tricks that are not told")
        for seat, rank in trick:
            later[seat].append(rank)
            pack[rank] -= 1
        filled.insert(0, trick)
        leader = first
    return filled


def _rising(
    game: Gurka, order: Sequence[Seat], later: Mapping[Seat, list[Rank]], pack: Counter[Rank], laid: tuple[Rank, ...]
) -> Trick | None:
    """A trick in which each lays as high a card as the one before, and nobody has to lay another."""
    if not order:
        return []
    seat, *others = order
    for rank in Rank:
        if laid.count(rank) >= pack[rank] or (laid and rank < laid[-1]):
            continue
        if rank in game.legal([*later[seat], rank], laid):
            rest = _rising(game, others, later, pack, (*laid, rank))
            if rest is not None:
                return [(seat, rank), *rest]
    return None


def _finished(
    game: Gurka,
    names: Sequence[str],
    tricks: list[Trick],
    last: Mapping[Seat, Rank],
    leader: Seat,
    start: Mapping[str, Any],
) -> Table:
    """A whole deal that ends so; the tricks put before those told count 0, -1 ...; *start* is for ``resume``."""
    seats = Seats(len(names))
    filled = _filled(game, seats, tricks, last, leader)
    if filled:
        leader = filled[0][0][0]
    dealer = next(seat for seat in seats if seats.left_of(seat) == leader)
    points = start.get("points", [0] * seats.count)
    more = {name: value for name, value in start.items() if name != "points"}
    table = Table(game, names, dealer, game.resume(seats, dealer, points, **more))
    for number, trick in enumerate([*filled, *tricks], 1 - len(filled)):
        table.trick(trick, number)
    table.last_cards(last)
    return table


def trick_winner(vector: Vector) -> dict[str, Any]:
    names = [name for name, _ in vector["input"]["plays"]]
    table = Table(_game(vector), names, Seat(len(names)))
    table.trick([(Seat(at), rank_of(rank)) for at, (_, rank) in enumerate(vector["input"]["plays"], 1)], 1)
    (taken,) = table.these(TrickTaken)
    return {"winner": table.name(taken.seat), "card": _text(Card.parse(taken.card).rank)}


def follow_legal(vector: Vector) -> dict[str, Any]:
    given = vector["input"]
    hand = [rank_of(rank) for rank in given["hand"]]
    legal = _game(vector).legal(hand, [rank_of(rank) for rank in given.get("trick", [])])
    return {"legal": [_text(rank) for rank in sorted(set(legal))]}


def deal_size(vector: Vector) -> dict[str, Any]:
    return {"cards": _game(vector).deal_size(vector["input"]["players"])}


def deal_score(vector: Vector) -> dict[str, Any]:
    given = vector["input"]
    game = _game(vector)
    names = list(given.get("order", given["last"]))
    before = dict.fromkeys(names, 0) | given.get("before", {})
    last = {Seat(at): rank_of(given["last"][name]) for at, name in enumerate(names, 1)}
    lives = [given.get("lives", {}).get(name, game.options.lives) for name in names]
    bought = _seats(names, given.get("used", ()))
    start = {"points": [before[name] for name in names], "lives": lives, "bought_in": bought}
    table = _finished(game, names, [], last, Seat(1), start)
    points = dict.fromkeys(before, 0)
    after = dict(before)
    for scored in table.these(Scored):
        if scored.clause in ("U11", "U16"):
            points[table.name(scored.seat)] += scored.points
        after[table.name(scored.seat)] = scored.total
    annulled = bool(table.these(DealVoid))
    back = {table.name(one.seat): one.points for one in table.these(CameBack)}
    return {
        "points": points,
        "after": before if annulled else after,
        "out": [table.name(one.seat) for one in table.these(WentOut, CameBack)],
        "losers": sorted({table.name(seat) for over in table.these(DealOver) for seat in over.losers}),
        "annulled": annulled,
        "void": annulled,
        "rejoin": back,
        "eliminated": [table.name(one.seat) for one in table.these(WentOut)],
        "winners": [table.name(seat) for over in table.these(GameOver) for seat in over.winners],
        "next_dealer": table.name(table.referee.public.dealer),
    }


def buyin(vector: Vector) -> dict[str, Any]:
    given = vector["input"]
    game = _game(vector, stake=1)
    player, active = given["player"], given["active"]
    names = [player, *active]
    last = {Seat(at): Rank.ACE if name == player else Rank(2 + at % 2) for at, name in enumerate(names, 1)}
    start = {
        "points": [game.options.limit - 1, *active.values()],
        "lives": [1] * len(names),
        "bought_in": _seats(names, given.get("used", ())),
    }
    table = _finished(game, names, [], last, Seat(1), start)
    if not table.these(WentOut):
        raise ValueError(f"{player} did not go out")
    allowed = any(one.event is BoughtIn and one.seat == 1 for one in table.referee.awaits)
    table.judge(BoughtIn(Seat(1)), "buy_in")
    back = table.these(CameBack)
    if allowed != bool(back):
        raise ValueError("what the game awaits and what it allows differ")
    return {"points": back[0].points if back else None, "allowed": allowed}


def audit(vector: Vector) -> dict[str, Any]:
    given = vector["input"]
    game = _game(vector)
    names = [name for name, _ in given["tricks"][0]]
    seat_of = {name: Seat(at) for at, name in enumerate(names, 1)}
    tricks = [[(seat_of[name], rank_of(rank)) for name, rank in trick] for trick in given["tricks"]]
    last = {seat_of[name]: rank_of(rank) for name, rank in given.get("last", {}).items()}
    if not last:  # the last trick is told as one
        last = dict(tricks.pop())
    table = _finished(game, names, tricks, last, Seat(1), {})
    points = dict.fromkeys(names, 0)
    for scored in table.these(Scored):
        points[table.name(scored.seat)] += scored.points
    return {
        "violations": [_violation(table, fault) for fault in table.these(Fault)],
        "void": bool(table.these(DealVoid)),
        "points": points,
    }


def _violation(table: Table, fault: Fault) -> dict[str, Any]:
    found = {
        "player": table.name(fault.seat),
        "trick": table.where[fault.event],
        "card": _text(Card.parse(fault.thing).rank),
        "type": fault.why,
        "clause": fault.clause,
        "proof_at": table.where[fault.proved_by],
    }
    return {**found, "proof": _text(Card.parse(fault.proof).rank)} if fault.proof else found


def _seats(names: Sequence[str], chosen: Collection[str]) -> list[Seat]:
    return [Seat(at) for at, name in enumerate(names, 1) if name in chosen]


KINDS = {
    "trick_winner": trick_winner,
    "follow_legal": follow_legal,
    "deal_score": deal_score,
    "deal_size": deal_size,
    "buyin": buyin,
    "audit": audit,
}
