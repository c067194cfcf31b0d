"""Judges event after event, keeps the log, and judges the past again after a correction."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.events import Corrected, Dealt, Event, Fact
from engine.game import Await, Game, TablePublic
from engine.rulings import CallSpoken, Ruling, TurnIs, Verdict, Withdrawn
from engine.seats import Seat, Seats


class Referee:
    """One game at one table. ``judge`` is the only way in; state is what the corrected log folds to.

    Events are numbered from 1 in the order they are judged, corrections too.
    """

    def __init__(self, game: Game[Any], seats: Seats, dealer: Seat) -> None:
        self.game = game
        self.seats = seats
        self.dealer = dealer
        self.log: list[Event] = []
        self._state = game.begin(seats, dealer)
        self._facts: list[tuple[Fact, ...]] = []
        """What each number stands for now: its own event, or its correction, or nothing for a correction."""
        self._verdicts: list[tuple[Verdict, ...]] = []
        self._before: dict[int, Any] = {1: self._state}
        """State before event numbers where a deal began: a correction replays from the nearest."""

    @property
    def awaits(self) -> tuple[Await, ...]:
        """What may come now; after the game is over, the first deal of a new one."""
        return self.game.awaits(self._state) or (Await(None, Dealt),)

    def facts_from(self, start: int) -> tuple[tuple[int, Fact], ...]:
        """What happened from event number *start* on, corrections made: (event number, fact) in order."""
        return tuple((number, fact) for number, facts in enumerate(self._facts[start - 1 :], start) for fact in facts)

    @property
    def public(self) -> TablePublic:
        return self.game.public(self._state)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every verdict that stands, in order."""
        return tuple(verdict for verdicts in self._verdicts for verdict in verdicts)

    def verdicts_of(self, number: int) -> tuple[Verdict, ...]:
        """What stands on event *number*."""
        return self._verdicts[number - 1]

    def judge(self, event: Event) -> tuple[Ruling, ...]:
        """Take *event* into the log and say what follows.

        ValueError when a correction names no event that can be corrected; the log is then unchanged.
        """
        if isinstance(event, Corrected):
            return self._correct(event)
        self.log.append(event)
        self._facts.append((event,))
        return self._fold(len(self.log))

    def _fold(self, number: int) -> tuple[Verdict, ...]:
        verdicts: list[Verdict] = []
        for fact in self._facts[number - 1]:
            if isinstance(fact, Dealt):
                self._before[number] = self._state
                if not self.game.awaits(self._state):  # that game is over: a new one begins, in the same journal
                    self._state = self.game.begin(self.seats, fact.dealer)
            self._state, new = self.game.apply(self._state, fact, number)
            verdicts += new
        self._verdicts.append(tuple(verdicts))
        return tuple(verdicts)

    def may_correct(self, event: Corrected) -> None:
        """ValueError when *event* names no event that can be corrected."""
        number = event.event_no
        if not 1 <= number <= len(self.log):
            raise ValueError(f"there is no event {number} to correct; the last is {len(self.log)}")
        earlier = self.log[number - 1]
        if isinstance(earlier, Corrected):
            raise ValueError(f"event {number} is itself a correction; correct event {earlier.event_no} again")

    def _correct(self, event: Corrected) -> tuple[Ruling, ...]:
        self.may_correct(event)
        number = event.event_no
        old = list(self.verdicts)
        self.log.append(event)
        self._facts.append(())
        self._facts[number - 1] = event.by
        start = max(first for first in self._before if first <= number)
        self._state = self._before[start]
        self._before = {first: state for first, state in self._before.items() if first <= start}
        del self._verdicts[start - 1 :]
        for again in range(start, len(self.log) + 1):
            self._fold(again)
        return _difference(old, list(self.verdicts))


def _difference(old: list[Verdict], new: list[Verdict]) -> tuple[Ruling, ...]:
    """What a correction changed: verdicts that fell, then those that came; what was said aloud is not unsaid."""
    fallen = [verdict for verdict in _more_often(old, new) if not isinstance(verdict, TurnIs | CallSpoken)]
    come = [verdict for verdict in _more_often(new, old) if not isinstance(verdict, CallSpoken)]
    return (*(Withdrawn(verdict) for verdict in fallen), *come)


def _more_often(these: list[Verdict], those: list[Verdict]) -> list[Verdict]:
    """What is among *these*, as many times as *those* have it too few; two deals may have equal verdicts."""
    missing = Counter(these) - Counter(those)
    found: list[Verdict] = []
    for verdict in these:
        if missing[verdict] > 0:
            missing[verdict] -= 1
            found.append(verdict)
    return found
