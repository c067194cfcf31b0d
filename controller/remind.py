"""Says what the table waits for when nothing has happened for a while: nobody has to guess why it is silent."""

from __future__ import annotations

import asyncio

from controller.announce import TTL_S, Voice
from controller.feed import Feed
from controller.phrases import Priority, awaits_words, question_words
from controller.view import PublicView
from engine.events import Dealt
from hardware import speaker
from hardware.speaker import Utterance

REMIND_S = 25.0


async def remind(feed: Feed, voice: Voice, language: str, *, after_s: float = REMIND_S) -> None:
    """Remind once in each silence, until cancelled."""
    news = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_hear(feed, news), name="remind: hear")
        while True:
            news.clear()
            try:
                async with asyncio.timeout(after_s):
                    await news.wait()
            except TimeoutError:
                text = _reminder(feed.view, language)
                if text:
                    ttl = TTL_S[Priority.EXPLANATION]
                    voice.say(Utterance(text, language, speaker.Priority.EXPLANATION, ttl))
                await news.wait()


async def _hear(feed: Feed, news: asyncio.Event) -> None:
    async for _ in feed.updates():
        news.set()


def _reminder(view: PublicView, language: str) -> str:
    """What to say now; between deals people may rest."""
    names = [seat.name for seat in view.seats]
    if view.question is not None:
        return question_words(view.question, language, names).said
    if any(one.event is Dealt for one in view.awaits):
        return ""
    return awaits_words(view.awaits, view.public.dealer, language, names)
