"""Plays Gnav's vectors: the order of the pieces, and whole rounds from the deal to the settlement.

A round's vector has knocks, calls and the pieces shown. What the table says beside that is put in here: the deal,
*Se* after it, *Jeg står* for those who say nothing at the end, *Vis opp*, and the next deal, after which nothing more
of the round can come to light.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

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
from engine.games import game_named
from engine.games.gnav import Gnav, GnavState
from engine.ledger import Ledger
from engine.rulings import (
    DealOver,
    DealVoid,
    Fault,
    GameOver,
    Impossible,
    Paid,
    Received,
    Undecided,
    Verdict,
    WentOut,
)
from engine.seats import Seat, Seats

SAME_FAULT = {
    **dict.fromkeys(("missing_knock", "missed_knock", "no_knock", "not_knocked"), ("knock_missing",)),
    **dict.fromkeys(("wrong_knock", "knock_false"), ("false_knock",)),
    "knock_duty": ("knock_missing", "false_knock"),
}
"""Other names that vectors may use for a fault's code."""

NOT_YET_KNOWN_WHICH = ("third_call", "third_knock", "two_answers", "knock_and_call")

SAME_NAME = {"winner": "winners", "replayed": "replay", "cancelled": "replay", "annulled": "replay"}
"""Other names that vectors may use for what a round comes to."""

ASIDE = ("aside", "discard", "discards", "laid_aside")


def run(vector: dict[str, Any]) -> list[str]:
    """What *vector* expects and the engine does otherwise; empty when all agrees."""
    game = cast(Gnav, game_named("gnav", vector.get("options", {})))
    match vector["kind"]:
        case "order":
            found = _order(game)
        case "round":
            found = _Round(game, vector["input"]).played()
        case kind:
            return [f"no kind of Gnav vector: {kind!r}"]
    if "unfinished" in found:
        return ["the round is not over when all has been said and shown"]
    expected = vector["expect"]
    return [line for name in expected for line in _compare(name, expected[name], found)]


def _order(game: Gnav) -> dict[str, Any]:
    pieces = game.house.pieces
    return {
        "low_to_high": [piece.name for piece in pieces.low_to_high],
        "designs": len(pieces.low_to_high),
        "pieces": len(pieces.bag),
    }


@dataclass
class _Round:
    """One round as the engine plays it."""

    game: Gnav
    given: Mapping[str, Any]
    facts: list[Fact] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    place: dict[int, int] = field(default_factory=dict)
    """Which of the vector's events (from 0) has which number in the journal."""
    state: GnavState = field(init=False)

    def __post_init__(self) -> None:
        self.names: list[str] = list(self.given["order"])
        stakes = self.given.get("stakes") or dict.fromkeys(self.names, self.game.options.start_tokens)
        ledger = Ledger(tuple(stakes[name] for name in self.names), self.given.get("pot", 0))
        self.dealer = Seat(len(self.names))
        self.state = self.game.begin(Seats(len(self.names)), self.dealer, ledger)

    def seat(self, name: str) -> Seat:
        return Seat(self.names.index(name) + 1)

    def judge(self, fact: Fact) -> None:
        self.facts.append(fact)
        self.state, verdicts = self.game.apply(self.state, fact, len(self.facts))
        self.verdicts += verdicts

    def judge_next_deal(self, dealer: Seat) -> None:
        """The next deal, for what it leaves open of this one; that there is none once the game is over is no fault."""
        before = len(self.verdicts)
        self.judge(Dealt(dealer))
        self.verdicts[before:] = [one for one in self.verdicts[before:] if isinstance(one, Undecided)]

    def played(self) -> dict[str, Any]:
        self.judge(Dealt(self.dealer))
        self.judge(LookedAt())
        for name in self.given.get("knocks", ()):
            self.judge(Knocked(self.seat(name)))
        for place, event in enumerate(self.given.get("events", ())):
            self.place[len(self.facts) + 1] = place
            self.judge(self.said(event))
        while (turn := self.waits_for(Stood)) is not None:
            self.judge(Stood(turn))
        if any(one.event is TurnedUp and one.must for one in self.game.awaits(self.state)):
            self.judge(TurnedUp())
        for name, piece in self.given.get("shown", {}).items():
            self.judge(PieceShown(self.seat(name), piece))
        for seat, piece in self.aside():
            self.judge(AsideShown(seat, piece))
        table = self.game.public(self.state)
        pot, stocks = table.pot, {self.names[one.seat - 1]: one.chips for one in table.seats}
        if not any(isinstance(one, DealOver | DealVoid | GameOver) for one in self.verdicts):
            return {"unfinished": True}
        self.judge_next_deal(table.dealer)
        return {"pot": pot, "stakes": stocks, **self.outcome()}

    def said(self, event: Mapping[str, Any]) -> Fact:
        """What *who* says, as an event; ValueError for words that nobody says in Gnav."""
        who, say = self.seat(event["who"]), _plain(event["say"])
        calls = {_plain(piece.call): piece.name for piece in self.game.house.pieces.matadors}
        if say in calls:
            return Called(who, calls[say])
        match say:
            case "JEG STÅR" | "STÅR":
                return Stood(who)
            case "JEG VIL BYTTE":
                return AskedToSwap(who)
            case "BYTTER" | "BYTTE":
                return Swapped(who)
            case "POSE" | "POSEN":
                return DrewFromBag(who)
            case "BANK" | "BANKER":
                return Knocked(who)
            case "VIS OPP":
                return TurnedUp()
        raise ValueError(f"nobody says {event['say']!r} in Gnav")

    def waits_for(self, kind: type[Fact]) -> Seat | None:
        """Who may do *kind* now, and play waits for it."""
        return next((one.seat for one in self.game.awaits(self.state) if one.event is kind and one.must), None)

    def aside(self) -> Iterator[tuple[Seat, str]]:
        """The pieces laid aside, in the order they were."""
        for key in ASIDE:
            laid = self.given.get(key) or {}
            for name, pieces in (laid if isinstance(laid, dict) else {self.names[-1]: laid}).items():
                for piece in [pieces] if isinstance(pieces, str) else pieces:
                    yield self.seat(name), piece

    def outcome(self) -> dict[str, Any]:
        every = self.verdicts
        paid = [one for one in every if isinstance(one, Paid)]
        got = [one for one in every if isinstance(one, Received)]
        voids = {one.why for one in every if isinstance(one, DealVoid)}
        replay = "all_out" in voids  # all payments of the round were taken back
        lost = {one.seat for one in paid if one.clause in ("G22", "G23", "G24")}
        losers = next((set(one.losers) for one in every if isinstance(one, DealOver)), lost)
        winners = next((one.winners for one in every if isinstance(one, GameOver)), ())
        return {
            "losers": [self.names[seat - 1] for seat in sorted(losers)],
            "pay": self.sums([] if replay else [(one.seat, one.amount) for one in paid]),
            "owed": self.sums([(one.seat, one.owed) for one in paid]),
            "get": self.sums([] if replay else [(one.seat, one.amount) for one in got]),
            "out": [self.names[one.seat - 1] for one in every if isinstance(one, WentOut)],
            "winners": [self.names[seat - 1] for seat in winners],
            "void": bool(voids),
            "replay": replay,
            "violations": list(self.violations()),
            "undetermined": list(self.undetermined()),
        }

    def sums(self, amounts: Sequence[tuple[Seat, int]]) -> dict[str, int]:
        return {
            name: sum(amount for seat, amount in amounts if seat == place)
            for place, name in enumerate(self.names, start=1)
        }

    def violations(self) -> Iterator[dict[str, Any]]:
        """Faults, and readings that cannot be: a round's vector has none of the latter unless it says so."""
        for one in self.verdicts:
            if isinstance(one, Fault):
                who = self.names[one.seat - 1]
                pieces = [one.proof]
                if one.why == "false_call" and one.proof == one.thing:  # proved by the copies that lie elsewhere
                    pieces.append(self.given.get("shown", {}).get(who))  # who called never swaps on
                yield {"who": who, "type": one.why, "event": self.place.get(one.event), "piece": pieces}
            elif isinstance(one, Impossible):
                who = self.names[getattr(self.facts[one.event - 1], "seat", self.dealer) - 1]
                yield {"who": who, "type": one.why, "event": self.place.get(one.event), "piece": [one.thing]}

    def undetermined(self) -> Iterator[dict[str, Any]]:
        """What stays open; not of those who sat the round out, whose pieces the vectors leave unsaid."""
        for one in self.verdicts:
            if isinstance(one, Undecided):
                name = self.names[one.seat - 1]
                if name in self.given.get("shown", {}):
                    event = one.why if one.why == "knock_duty" else self.place.get(one.event)
                    yield {"who": name, "event": event}


def _plain(words: str) -> str:
    """*words* in capitals, without punctuation."""
    return " ".join("".join(sign for sign in words.upper() if sign.isalnum() or sign == " ").split())


def _compare(name: str, expected: Any, found: Mapping[str, Any]) -> list[str]:
    key = SAME_NAME.get(name, name)
    if key not in found:
        return [f"{name}: this runner does not know what that is"]
    have = found[key]
    match key:
        case "low_to_high":
            same = have == expected
        case "violations":
            same = _same_violations(expected or (), have)
        case "undetermined":
            same = _same_lists(expected or (), have)
        case "losers" | "out" | "winners":
            wanted = [expected] if isinstance(expected, str) else list(expected or ())
            same = sorted(wanted) == sorted(have)
        case "pay" | "owed" | "get" | "stakes":
            same = all(have.get(who) == amount for who, amount in (expected or {}).items())
        case _:
            same = have == expected
    return [] if same else [f"{name}: expected {expected}, found {have}"]


def _same_violations(expected: Sequence[Mapping[str, Any]], have: Sequence[Mapping[str, Any]]) -> bool:
    """Each found one is expected and each expected one found; of an expected one, only what it names is compared.

    What only says that several words cannot all be true need not be expected: the false word's own fault follows.
    """
    left = list(have)
    for one in expected:
        match = next((other for other in left if _fits(one, other)), None)
        if match is None:
            return False
        left.remove(match)
    return all(one["type"] in NOT_YET_KNOWN_WHICH for one in left)


def _fits(expected: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    kind = expected.get("type", found["type"])
    if found["type"] not in SAME_FAULT.get(kind, (kind,)) or expected.get("who", found["who"]) != found["who"]:
        return False
    event, piece = expected.get("event"), expected.get("piece")
    return (not isinstance(event, int) or event == found["event"]) and piece in (None, *found["piece"])


def _same_lists(expected: Sequence[Mapping[str, Any]], have: Sequence[Mapping[str, Any]]) -> bool:
    return sorted(map(str, map(dict, expected))) == sorted(map(str, have))
