"""An evening at the simulated table: the players act, the real app follows, and at the end both are compared."""

from __future__ import annotations

import asyncio
import logging
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

    def stop(self) -> None:
        """The players get up after what they are doing now."""
        self._stopped = True

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
        while True:
            await self._camera.quiet()
            known, truth = self._known(), in_order(tuple(enumerate(self._world.facts[self._place :])))
            wrong = misread(known, truth)
            if wrong is None and len(known) == len(truth) and self._table().question is None:
                self._settle(truth)
                return
            if self._table().question is not None:
                await self._answer([fact for _, fact in truth if fact not in {one for _, one in known}])
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
        if lies in question.choices:
            for _ in range(question.choices.index(lies)):
                await self._pressed("console.plus")
            await self._pressed("console.ok")
        else:
            await self._pressed("console.angre")
        self._camera.stir()

    async def _pressed(self, key: str) -> None:
        """Press, and wait till the app has shown that it heard."""
        before = self._table().question
        self._press(key)
        async for _ in self._table().feed.updates():
            if self._table().question != before:
                return

    def _put_right(self, read: tuple[int, Fact], true: Fact | None) -> None:
        """A misreading that nobody asked about: the dealer corrects it, and it is counted."""
        self.score.wrong += 1
        log.warning("misread: %s, in truth %s", read[1], true)
        self._desk.correct(read[0], () if true is None else (true,))


def misread(known: Numbered, truth: Numbered) -> tuple[tuple[int, Fact], Fact | None] | None:
    """The first of *known* that did not happen, and what did in its place (None: nothing); both as ``in_order``.

    Of what all turn up at once, some may be read while others are not yet: those are late, not misread.
    """
    ours, theirs = _together(known), _together(truth)
    for place, group in enumerate(ours):
        left = [fact for _, fact in theirs[place]] if place < len(theirs) else []
        odd: list[tuple[int, Fact]] = []
        for at, (number, fact) in enumerate(group):
            if not _turned_up(fact):
                true = left[at] if at < len(left) else None
                if fact != true:
                    return (number, fact), true
            elif fact in left:
                left.remove(fact)
            else:
                odd.append((number, fact))
        if odd:
            return odd[0], next((one for one in left if _same_place(one, odd[0][1])), None)
    return None


def _same_place(one: Fact, other: Fact) -> bool:
    return isinstance(one, Read) and isinstance(other, Read) and (type(one), one.seat) == (type(other), other.seat)


def _turned_up(fact: Fact) -> bool:
    return isinstance(fact, PieceShown | AsideShown | CardShown)


def _together(facts: Numbered) -> list[Numbered]:
    """*facts* in groups of what turned up at once, and of what was done one after the other."""
    return [tuple(group) for _, group in groupby(facts, key=lambda one: _turned_up(one[1]))]


def in_order(facts: Numbered) -> Numbered:
    """Facts in an order in which what all turned up at once does not depend on who was read first."""
    ordered: list[tuple[int, Fact]] = []
    for shown, group in groupby(facts, key=lambda one: _turned_up(one[1])):
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
