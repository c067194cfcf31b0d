"""Has the table's voice say what happens: calls at once and first, rulings after, and nothing waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from controller.feed import Feed
from controller.phrases import Line, Priority, device_words, question_words, thing_words, words
from controller.view import PublicView, Update
from hardware import speaker
from hardware.speaker import Utterance

TTL_S = {Priority.CALL: 3.0, Priority.RULING: 12.0, Priority.EXPLANATION: 6.0}
"""So long after it happened a line is still worth saying."""


class Voice(Protocol):
    """What can speak; takes a line and returns at once."""

    def say(self, utterance: Utterance) -> None: ...


async def announce(feed: Feed, voice: Voice, language: str) -> None:
    """Say what *feed* brings in *language*, until cancelled. What happened before is not said again."""
    teller = _Teller(language)
    async for update in feed.updates():
        for line in teller.lines(update):
            priority = speaker.Priority[line.priority.name]
            voice.say(Utterance(line.said, line.voice, priority, TTL_S[line.priority]))


@dataclass(slots=True)
class _Teller:
    """Remembers what has been said of the question and the devices, which views show but do not announce."""

    language: str
    asked: int | None = None
    chosen: int | None = None
    broken: set[str] | None = field(default=None)

    def lines(self, update: Update) -> list[Line]:
        """What is to be said now, calls first."""
        names = [seat.name for seat in update.view.seats]
        told = (words(ruling, self.language, names) for _, ruling in update.rulings)
        lines = [line for line in told if line is not None and line.spoken]
        lines += [*self._question(update.view, names), *self._devices(update.view)]
        return sorted(lines, key=lambda line: line.priority is not Priority.CALL)

    def _question(self, view: PublicView, names: list[str]) -> Iterator[Line]:
        question = view.question
        if question is None:
            self.asked = self.chosen = None
        elif question.number != self.asked:
            self.asked, self.chosen = question.number, question.chosen
            yield question_words(question, self.language, names)
        elif question.chosen != self.chosen and question.chosen < len(question.choices):
            # the dealer turns − and +, and hears where he is
            self.chosen = question.chosen
            choice = thing_words(question.choices[question.chosen], self.language, aloud=True)
            yield Line(choice, choice, True, Priority.CALL, self.language)

    def _devices(self, view: PublicView) -> Iterator[Line]:
        broken = {device.name for device in view.devices if not device.works and device.name != "speaker"}
        for name in sorted(broken - self.broken) if self.broken is not None else ():
            said = device_words(name, self.language, works=False)
            yield Line(said, f"{said}.", True, Priority.EXPLANATION, self.language)
        self.broken = broken
