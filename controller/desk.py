"""The dealer's desk: joins what the camera is sure of and what is pressed into events, and asks when unsure.

It keeps what the referee must not know: which things on the table were read wrongly, and the question that is open.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, get_args

from controller.interpret import Lying, NotNow, Settle, TakeBack, Turn, meaning_of_press, next_fact
from controller.table import Table
from controller.view import Question
from engine.cards import PACK, Card
from engine.events import AsideShown, CardPlayed, CardShown, Corrected, Dealt, Fact, PieceShown
from engine.game import Await
from engine.pieces import GNAV
from engine.rulings import Impossible, Ruling
from engine.seats import Seat

log = logging.getLogger(__name__)

Read = CardPlayed | CardShown | PieceShown | AsideShown
"""Events that the camera tells."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Something new lies before *seat* and cannot be read; *likely* are candidates, best first."""

    track: int
    """0 when nothing is seen there."""
    seat: Seat
    likely: tuple[Card | str, ...]
    is_card: bool
    aside: bool = False


@dataclass(frozen=True, slots=True)
class _Asked:
    """Behind the open question: what the answer is for."""

    doubtful: Doubtful
    event_no: int | None = None
    """The taken-back event that the answer puts right; None when nothing was taken yet."""
    reading: Read | None = None
    """What was read; None when nothing could be."""


class Hears(Protocol):
    """The eye, as far as the desk speaks to it."""

    def told(self, track: int, what: Card | str | None) -> None:
        """The dealer says that *track* is *what*; None: nothing that is played with."""
        ...

    def cleared(self) -> None:
        """A new deal begins: what lies there now is left over."""
        ...


class Desk:
    """*eye* hears what the dealer knows better, and when a new deal begins."""

    def __init__(self, table: Table, eye: Hears) -> None:
        self._table = table
        self._eye = eye
        self._lying: tuple[Lying, ...] = ()
        self._unsure: frozenset[Seat] = frozenset()
        self._stale: set[Lying] = set()
        """Lay there when the deal began, or was taken back: not part of the play until it leaves the table."""
        self._waiting: list[_Asked] = []
        self._asked: _Asked | None = None
        self._answered: set[int] = set()
        """Tracks that the dealer has spoken of: while they lie there, he is not asked again."""
        self._questions = 0
        self.ignored = 0
        """Presses that could mean nothing when they came."""

    def see(self, lying: Sequence[Lying], unsure: Collection[Seat], doubts: Sequence[Doubtful]) -> None:
        """Take what the camera is sure of now, where something is still unread, and new doubts."""
        self._lying = tuple(lying)
        self._unsure = frozenset(unsure)
        self._stale &= set(self._lying)
        tracks = {one.track for one in lying}
        self._forget(lambda asked: asked.reading is None and asked.doubtful.track in tracks)  # read after all
        for doubt in doubts:
            if doubt.track not in self._answered:
                self._ask(_Asked(doubt))
        self.read_on()
        self._ask_next()

    def gone(self, tracks: Collection[int]) -> None:
        """These things left the table: nothing needs to be asked about them."""
        self._answered -= set(tracks)
        self._forget(lambda asked: asked.event_no is None and asked.doubtful.track in tracks)

    def _forget(self, is_settled: Callable[[_Asked], bool]) -> None:
        """Ask no more what is settled."""
        self._waiting = [one for one in self._waiting if not is_settled(one)]
        if self._asked is not None and is_settled(self._asked):
            self._close()
            self._ask_next()

    def press(self, key: str) -> None:
        """Take a press of ``seat3.bytte``, ``console.neste`` …"""
        meaning = meaning_of_press(key, self._table.awaits, self._table.view.public)
        match meaning:
            case TakeBack():
                self._take_back()
            case Turn(by):
                self._turn(by)
            case Settle():
                self._settle()
            case NotNow():
                self.ignored += 1
                log.info("%s means nothing now", key)
            case _:
                self._take(meaning)
                if isinstance(meaning, Dealt):
                    self._eye.cleared()
        self.read_on()

    def correct(self, number: int, by: tuple[Fact, ...]) -> None:
        """The dealer puts event *number* right; ValueError when there is no such event."""
        correction = Corrected(number, by)
        self._table.referee.may_correct(correction)
        old = self._table.fact(number)
        self._table.take(correction)
        if isinstance(old, Read):
            here = self._here(old)
            if len(by) == 1 and isinstance(by[0], Read) and by[0].seat == old.seat:
                self._know_better(here, _what(by[0]))
            else:
                self._stale |= set(here)
        self.read_on()

    def read_on(self) -> None:
        """Give the referee all that lies on the table and that he does not know."""
        told: tuple[Fact, ...] = ()
        while True:
            playing = [one for one in self._lying if one not in self._stale]
            view = self._table.view
            facts = next_fact(playing, self._unsure, view.awaits, view.public)
            if not facts or facts == told:  # nothing new, or the referee has not taken it up
                return
            told = facts
            if isinstance(facts[0], Read) and not _is_awaited(facts[0], view.awaits):
                self._confirm(facts[0])
                continue
            for fact in facts:
                self._take(fact)

    def _confirm(self, fact: Read) -> None:
        """Nobody is accused of a card out of turn on the eye's word alone: the dealer has a look first."""
        here = self._here(fact)
        self._stale |= set(here)
        doubtful = Doubtful(here[0].track, fact.seat, (_what(fact),), isinstance(fact, CardPlayed | CardShown))
        self._ask(_Asked(doubtful, reading=fact))

    def _take(self, fact: Fact) -> None:
        if isinstance(fact, Dealt):
            known = {(one.seat, text) for one in self._table.view.public.seats for text in one.laid}
            self._stale |= {one for one in self._lying if (one.seat, str(one.what)) in known}
        rulings = self._table.take(fact)
        if isinstance(fact, Read):
            self._look_again(fact, rulings)

    def _look_again(self, fact: Read, rulings: Sequence[Ruling]) -> None:
        """The referee says that this reading cannot be: take it back and ask what it is."""
        number = len(self._table.referee.log)
        if any(isinstance(ruling, Impossible) and ruling.event == number for ruling in rulings):
            self._correct_reading(number, fact)

    def _take_back(self) -> None:
        """ANGRE: with a question open, leave that reading out; else take back the newest event."""
        if self._asked is not None:
            if self._asked.doubtful.track:
                self._answered.add(self._asked.doubtful.track)
                self._eye.told(self._asked.doubtful.track, None)
            self._close()
            self._ask_next()
            return
        number = self._table.last_fact()
        if number is None:
            self.ignored += 1
            return
        fact = self._table.fact(number)
        if isinstance(fact, Read):
            self._correct_reading(number, fact)
        else:
            self._table.take(Corrected(number, ()))

    def _correct_reading(self, number: int, fact: Read) -> None:
        here = self._here(fact)
        self._stale |= set(here)
        self._table.take(Corrected(number, ()))
        is_card = isinstance(fact, CardPlayed | CardShown)
        doubtful = Doubtful(here[0].track if here else 0, fact.seat, (), is_card, isinstance(fact, AsideShown))
        if self._asked is not None:
            self._waiting.insert(0, self._asked)
        self._open(_Asked(doubtful, number, fact))

    def _turn(self, by: int) -> None:
        question = self._table.question
        if question is None or not question.choices:
            self.ignored += 1
            return
        self._table.ask(replace(question, chosen=(question.chosen + by) % len(question.choices)))

    def _settle(self) -> None:
        question, asked = self._table.question, self._asked
        if question is None or asked is None:
            self._offer()
            return
        text = question.choices[question.chosen]
        what: Card | str = Card.parse(text) if asked.doubtful.is_card else text
        self._close()
        doubtful = asked.doubtful
        if asked.reading is None:
            if doubtful.track:
                self._answered.add(doubtful.track)
                self._eye.told(doubtful.track, what)
            self._lying = (*self._lying, Lying(doubtful.track, doubtful.seat, what, doubtful.aside))
            self._unsure -= {doubtful.seat}
        else:
            right = _with(asked.reading, what)
            if asked.event_no is None:
                self._take(right)
            else:
                self._table.take(Corrected(asked.event_no, (right,)))
            self._know_better([one for one in self._lying if one.track == doubtful.track], what)
        self._ask_next()

    def _offer(self) -> None:
        """OK with nothing asked: the dealer wants to tell what the eye does not see."""
        for one in self._table.awaits:
            if one.event in get_args(Read) and one.seat is not None:
                is_card = one.event in (CardPlayed, CardShown)
                self._ask(_Asked(Doubtful(0, one.seat, (), is_card, one.event is AsideShown)))
                return
        self.ignored += 1

    def _here(self, fact: Read) -> list[Lying]:
        """What lies on the table that *fact* was read from."""
        wanted = (fact.seat, _what(fact), isinstance(fact, AsideShown))
        return [one for one in self._lying if (one.seat, one.what, one.aside) == wanted]

    def _know_better(self, here: Sequence[Lying], what: Card | str) -> None:
        """Things *here* are *what*, whatever the eye says."""
        self._stale -= set(here)
        self._lying = tuple(replace(one, what=what) if one in here else one for one in self._lying)
        for one in here:
            self._eye.told(one.track, what)

    def _ask(self, asked: _Asked) -> None:
        """One question at a time."""
        self._waiting.append(asked)
        self._ask_next()

    def _ask_next(self) -> None:
        if self._asked is None and self._waiting:
            self._open(self._waiting.pop(0))

    def _open(self, asked: _Asked) -> None:
        self._asked = asked
        self._questions += 1
        about = "look_again" if asked.reading is not None else "which" if asked.doubtful.track else "missing"
        choices = tuple(map(str, self._choices(asked.doubtful)))
        self._table.ask(Question(self._questions, about, asked.doubtful.seat, choices))

    def _close(self) -> None:
        self._asked = None
        self._table.ask(None)

    def _choices(self, doubtful: Doubtful) -> list[Card | str]:
        """The likely ones, then all others that can still be there."""
        every: tuple[Card | str, ...] = PACK if doubtful.is_card else tuple(map(str, GNAV.low_to_high))
        laid = {text for one in self._table.view.public.seats for text in one.laid} if doubtful.is_card else set()
        return [
            *doubtful.likely,
            *(one for one in every if one not in doubtful.likely and str(one) not in laid),
        ]

    @property
    def questions(self) -> int:
        """How many questions were asked."""
        return self._questions


def _is_awaited(reading: Read, awaits: Sequence[Await]) -> bool:
    return any(one.event is type(reading) and one.seat == reading.seat for one in awaits)


def _what(reading: Read) -> Card | str:
    return reading.card if isinstance(reading, CardPlayed | CardShown) else reading.piece


def _with(reading: Read, what: Card | str) -> Read:
    match reading, what:
        case ((CardPlayed() | CardShown()), Card()):
            return replace(reading, card=what)
        case ((PieceShown() | AsideShown()), str()):
            return replace(reading, piece=what)
    raise TypeError(f"{what!r} does not fit {reading!r}")
