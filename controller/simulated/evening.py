"""An evening at the simulated table: the players act, the real app follows, and at the end both are compared."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from controller.desk import Desk
from controller.simulated.players import next_deed
from controller.simulated.world import Sin, World
from controller.table import Table
from engine.events import AsideShown, CardPlayed, CardShown, Dealt, Fact, PieceShown
from engine.referee import Referee
from engine.rulings import CameBack, Fault, GameOver, Paid, Received, Scored, Verdict, WentOut

log = logging.getLogger(__name__)

PRESS_AGAIN_S = 3.0
"""A player whose press showed no effect for so long presses again."""
LOOKS = 3
"""How often a card is shifted a little and looked at again before the dealer tells what it is."""

MOST_TRIES = 200
"""After so many rounds of answers, presses and looks without agreement something is broken."""

Numbered = tuple[tuple[int, Fact], ...]
Read = CardPlayed | CardShown | PieceShown | AsideShown


class Camera(Protocol):
    """The simulated camera, as far as the players know it."""

    def stir(self, *, nudge: bool = False) -> None:
        """Something moved: take pictures again. *nudge*: somebody also shifts what lies there a little."""
        ...

    async def quiet(self) -> None:
        """Wait till all pictures are taken and looked at."""
        ...


@dataclass(slots=True)
class Score:
    """Readings as the truth knows them."""

    right: int = 0
    wrong: int = 0
    """Said without asking, and not what lay there: somebody had to put it right."""
    asked: int = 0
    """The dealer was asked."""
    nudged: int = 0
    """Nothing was read till the card was shifted."""
    pressed_again: int = 0


class Evening:
    """Plays deals at a running table; *press* presses a key of the simulated buttons."""

    def __init__(
        self,
        world: World,
        table: Callable[[], Table],
        desk: Desk,
        camera: Camera,
        press: Callable[[str], None],
        *,
        cheat_rate: float = 0.0,
        pace_s: float = 0.0,
    ) -> None:
        self._world = world
        self._table = table
        self._desk = desk
        self._camera = camera
        self._press = press
        self._cheat_rate = cheat_rate
        self._pace_s = pace_s
        self.score = Score()
        self._stopped = False
        self._helped = 0
        """Questions and misreadings of the deals that are over."""
        self._number = 1
        """Event number where this deal begins."""
        self._place = 0
        """The same in the deeds."""

    def stop(self) -> bool:
        """The players get up after what they are doing now; False when they have been told before."""
        first = not self._stopped
        self._stopped = True
        return first

    async def play(self, deals: int | None) -> None:
        """Play till *deals* deals of this world are over (None: till ``stop``)."""
        world = self._world
        if world.deeds:  # a power cut: the last deed may not have been heard
            self._camera.stir()
            await self._agree()
        while not self._stopped and not (self._between_deals() and deals is not None and world.deals >= deals):
            await self._next()
            if self._pace_s:
                await asyncio.sleep(self._pace_s)

    def _between_deals(self) -> bool:
        return any(one.event is Dealt for one in self._world.truth.awaits)

    async def _next(self) -> None:
        """One deed; what all turn up at the same time is one."""
        deed = next_deed(self._world, self._cheat_rate)
        self._world.do(deed)
        while isinstance(deed.fact, PieceShown | AsideShown | CardShown):
            following = next_deed(self._world, self._cheat_rate)
            if not isinstance(following.fact, PieceShown | AsideShown | CardShown):
                break
            self._world.do(following)
        if isinstance(deed.fact, Dealt):  # the table was cleared before the dealer pressed
            self._camera.stir()
            await self._camera.quiet()
        if deed.key:
            self._press(deed.key)
        else:
            self._camera.stir()
        await self._agree()

    async def _agree(self) -> None:
        """Wait till the app knows all that happened; answer it, press again, put it right, as people would."""
        looks = 0
        for _ in range(MOST_TRIES):
            await self._camera.quiet()
            known, truth = self._known(), in_order(tuple(enumerate(self._world.facts[self._place :])))
            wrong = misread(known, truth)
            if [fact for _, fact in known] == [fact for _, fact in truth] and self._table().question is None:
                self._settle(truth)
                return
            if self._table().question is not None:
                await self._answer(_beyond(truth, known))
            elif wrong is not None:
                self._put_right(*wrong)
            elif self._world.deeds[-1].key:
                await self._wait_or_press_again(len(known))
            elif looks == LOOKS:
                await self._pressed("console.ok")  # the dealer wants to tell what lies there
            else:
                looks += 1
                self.score.nudged += 1
                self._camera.stir(nudge=True)
        raise AssertionError(f"the table and its people do not come to agree: {known[-5:]}, in truth {truth[-5:]}")

    def _known(self) -> Numbered:
        return in_order(self._table().referee.facts_from(self._number))

    def _settle(self, truth: Numbered) -> None:
        """At the end of a deal, all readings that nobody had to ask about or put right were right."""
        if not self._between_deals():
            return
        readings = sum(isinstance(fact, Read) for _, fact in truth)
        helped = self.score.asked + self.score.wrong - self._helped
        self.score.right += readings - helped
        self._helped += helped
        self._number = len(self._table().referee.log) + 1
        self._place = len(self._world.deeds)

    async def _wait_or_press_again(self, known: int) -> None:
        feed = self._table().feed
        try:
            async with asyncio.timeout(PRESS_AGAIN_S):
                async for _ in feed.updates():
                    if len(self._known()) > known or self._table().question is not None:
                        return
        except TimeoutError:
            self.score.pressed_again += 1
            self._press(self._world.deeds[-1].key)

    async def _answer(self, unknown: Sequence[Fact]) -> None:
        """The dealer looks at the card himself and walks to it with + and −."""
        question = self._table().question
        assert question is not None
        here = [fact for fact in unknown if isinstance(fact, Read) and fact.seat == question.seat]
        lies = _thing(here[0]) if here else ""
        self.score.asked += 1
        while (shown := self._table().question) is not None and shown.number == question.number:
            if lies not in shown.choices:
                await self._pressed("console.angre")
            elif shown.choices[shown.chosen] != lies:
                await self._pressed("console.plus")
            else:
                await self._pressed("console.ok")
        self._camera.stir()

    async def _pressed(self, key: str) -> None:
        """Press, and wait till the app has shown that it heard; or for as long as people do."""
        before = self._table().question
        self._press(key)
        try:
            async with asyncio.timeout(PRESS_AGAIN_S):
                async for _ in self._table().feed.updates():
                    if self._table().question != before:
                        return
        except TimeoutError:
            self.score.pressed_again += 1

    def _put_right(self, read: tuple[int, Fact], true: Fact | None) -> None:
        """A misreading that nobody asked about: the dealer corrects it, and it is counted."""
        self.score.wrong += 1
        log.warning("misread: %s, in truth %s", read[1], true)
        self._desk.correct(read[0], () if true is None else (true,))


def misread(known: Numbered, truth: Numbered) -> tuple[tuple[int, Fact], Fact | None] | None:
    """The newest of the *known* facts that is not true, and what is true of its seat; None: all known is true.

    What is true and not known yet is late, not wrong.
    """
    extra = _beyond(known, truth)
    if not extra:
        return None
    wrong = next(one for one in reversed(known) if one[1] == extra[-1])
    twins = [fact for fact in _beyond(truth, known) if type(fact) is type(wrong[1]) and _seat(fact) == _seat(wrong[1])]
    return wrong, twins[0] if twins else None


def _seat(fact: Fact) -> object:
    return getattr(fact, "seat", None)


def _beyond(these: Numbered, those: Numbered) -> list[Fact]:
    """What is in *these* more often than in *those*, in order."""
    left = Counter(fact for _, fact in those)
    found = []
    for _, fact in these:
        left[fact] -= 1
        if left[fact] < 0:
            found.append(fact)
    return found


def in_order(facts: Numbered) -> Numbered:
    """Facts in an order in which what all turned up at once does not depend on who was read first."""
    ordered: list[tuple[int, Fact]] = []
    for shown, group in groupby(facts, key=lambda one: isinstance(one[1], PieceShown | AsideShown | CardShown)):
        together = list(group)
        ordered += sorted(together, key=lambda one: repr(one[1])) if shown else together
    return tuple(ordered)


def _thing(read: Read) -> str:
    return str(read.card if isinstance(read, CardPlayed | CardShown) else read.piece)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The truth and the table beside each other."""

    made: int
    """Rules broken."""
    proved: int
    missed: int
    false: int
    """Faults announced that nobody made."""
    ledger_equal: bool


def compare(world: World, referee: Referee) -> Comparison:
    """Faults made and found, and whether every payment, score and total is what it should be.

    What was done in a deal that is not over is not missed yet.
    """
    sins, found = set(world.sins), _found(referee)
    over = world.deals - any(one.event is not Dealt and one.must for one in world.truth.awaits)
    missed = {sin for sin in sins - found if sin.deal <= over}
    guilty = {(sin.deal, sin.seat) for sin in sins}
    false = {one for one in found - sins if not (one.place is None and (one.deal, one.seat) in guilty)}
    ledger_equal = _costs(referee) == _costs(world.truth) and referee.public == world.truth.public
    return Comparison(len(sins), len(sins & found), len(missed), len(false), ledger_equal)


def _found(referee: Referee) -> set[Sin]:
    """The faults that stand, in the words of the truth; one that names a player but no single deed has no place."""
    places, deals, deal = {}, {}, 0
    for place, (number, fact) in enumerate(referee.facts_from(1)):
        deal += isinstance(fact, Dealt)
        places[number], deals[number] = place, deal
    return {
        Sin(deals[one.event], one.seat, None if one.why in _NO_SINGLE_DEED else places[one.event])
        for one in referee.verdicts
        if isinstance(one, Fault)
    }


_NO_SINGLE_DEED = ("knock_missing", "knock_and_call")


def _costs(referee: Referee) -> list[Verdict]:
    return [
        one for one in referee.verdicts if isinstance(one, Paid | Received | Scored | WentOut | CameBack | GameOver)
    ]
