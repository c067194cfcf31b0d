"""The table: the one owner of the game's state. Events come in; the journal, then everybody, hears of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from controller.feed import Feed
from controller.keep import Journal, utc_now
from controller.view import DeviceView, PublicView, Question, make_view
from engine.events import Corrected, Event
from engine.game import Await
from engine.referee import Referee
from engine.rulings import CallSpoken, Ruling, TurnIs

log = logging.getLogger(__name__)

LAST_RULINGS = 12
"""How many rulings a page shows."""


class Table:
    """Runs on one event loop; not for threads."""

    def __init__(
        self,
        name: str,
        referee: Referee,
        journal: Journal,
        player_names: Sequence[str],
        now: Callable[[], str] = utc_now,
    ) -> None:
        self.name = name
        self.referee = referee
        self._journal = journal
        self._names = tuple(player_names)
        self._now = now
        self._devices: dict[str, DeviceView] = {}
        self._question: Question | None = None
        self._last: tuple[tuple[int, Ruling], ...] = ()
        for event in journal.events:
            self._remember(referee.judge(event))
        self.feed = Feed(self._view())

    @property
    def awaits(self) -> tuple[Await, ...]:
        return self.referee.awaits

    @property
    def view(self) -> PublicView:
        return self.feed.view

    @property
    def question(self) -> Question | None:
        return self._question

    def take(self, event: Event) -> tuple[Ruling, ...]:
        """Write *event* down, judge it, tell everybody. ValueError when it is a correction of nothing."""
        if isinstance(event, Corrected):
            self.referee.may_correct(event)  # before the journal: what it holds can always be judged again
        self._journal.add(event, self._now())
        rulings = self.referee.judge(event)
        numbered = self._remember(rulings)
        self.feed.put(self._view(), numbered)
        return rulings

    def ask(self, question: Question | None) -> None:
        """Ask the dealer *question*, or (None) close the one that is open."""
        self._question = question
        self.feed.put(self._view())

    def device(self, device: DeviceView) -> None:
        """Say how a device is."""
        if self._devices.get(device.name) == device:
            return
        if not device.works:
            log.warning("%s: %s", device.name, device.why)
        self._devices[device.name] = device
        self.feed.put(self._view())

    def fact(self, number: int) -> Event:
        """What event *number* stands for now: its newest correction, when that is one event."""
        for event in reversed(self.referee.log):
            if isinstance(event, Corrected) and event.event_no == number and len(event.by) == 1:
                return event.by[0]
        return self.referee.log[number - 1]

    def last_fact(self) -> int | None:
        """Number of the newest event that stands and was not a correction: what ANGRE takes back."""
        newest = {event.event_no: event.by for event in self.referee.log if isinstance(event, Corrected)}
        taken_back = {number for number, by in newest.items() if not by}
        for number in range(len(self.referee.log), 0, -1):
            if not isinstance(self.referee.log[number - 1], Corrected) and number not in taken_back:
                return number
        return None

    def _remember(self, rulings: tuple[Ruling, ...]) -> tuple[tuple[int, Ruling], ...]:
        number = len(self.referee.log)
        numbered = tuple((number, ruling) for ruling in rulings)
        told = tuple(one for one in numbered if not isinstance(one[1], TurnIs | CallSpoken))
        self._last = (*self._last, *told)[-LAST_RULINGS:]
        return numbered

    def _view(self) -> PublicView:
        return make_view(
            self.name,
            self._journal.began,
            len(self.referee.log),
            self.referee.public,
            self.referee.awaits,
            self._names,
            self._question,
            tuple(self._devices.values()),
            self._last,
        )
