"""A silent table says what it waits for, once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from controller.feed import Feed
from controller.remind import remind
from controller.view import Question
from engine.events import CardPlayed, Dealt
from engine.game import Await
from engine.seats import Seat
from hardware.speaker import Utterance
from tests.controller.views import a_gurka_view


class Ear:
    def __init__(self) -> None:
        self.heard: list[str] = []
        self.news = asyncio.Event()

    def say(self, utterance: Utterance) -> None:
        self.heard.append(utterance.text)
        self.news.set()


def heard(*views: object) -> list[str]:
    async def sit() -> list[str]:
        feed, ear = Feed(views[0]), Ear()  # type: ignore[arg-type]
        task = asyncio.create_task(remind(feed, ear, "nb", after_s=0.02))
        for view in views:
            ear.news.clear()
            feed.put(view)  # type: ignore[arg-type]
            try:
                async with asyncio.timeout(0.3):
                    await ear.news.wait()
            except TimeoutError:
                pass
        task.cancel()
        return ear.heard

    return asyncio.run(sit())


def test_what_is_awaited_is_said_once_in_each_silence() -> None:
    plays = replace(a_gurka_view(), question=None, awaits=(Await(Seat(2), CardPlayed),))
    asked = replace(plays, question=Question(1, "which", Seat(3), ("6h", "8h")))
    said = heard(plays, asked)
    assert len(said) == 2
    assert "2" in said[0]
    assert "Ola" in said[1]


def test_between_deals_people_may_rest() -> None:
    assert heard(replace(a_gurka_view(), question=None, awaits=(Await(None, Dealt),))) == []
