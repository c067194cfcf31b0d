"""What the table's voice is given, in which order, and that it is given at once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from controller.announce import announce
from controller.feed import Feed
from controller.view import DeviceView, Question
from engine.rulings import CallSpoken, Exchanged, Fault, Paid, TurnIs
from engine.seats import Seat
from hardware.speaker import Utterance
from tests.controller.views import a_gnav_view

pytestmark = pytest.mark.timeout(10)

ONE, TWO = Seat(1), Seat(2)


class Listener:
    """A voice that keeps what it is to say."""

    def __init__(self) -> None:
        self.heard: list[Utterance] = []

    def say(self, utterance: Utterance) -> None:
        self.heard.append(utterance)

    @property
    def texts(self) -> list[str]:
        return [one.text for one in self.heard]


def run(scenario: Callable[[Feed, Listener], Awaitable[None]], language: str = "nb") -> Listener:
    listener = Listener()

    async def on_stage() -> None:
        feed = Feed(a_gnav_view())
        task = asyncio.create_task(announce(feed, listener, language))
        await settled()
        await scenario(feed, listener)
        await settled()
        task.cancel()
        await asyncio.wait((task,))

    asyncio.run(on_stage())
    return listener


async def settled() -> None:
    """Every task that can go on has gone on: nothing here waits for time."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_calls_come_before_rulings_and_what_all_see_is_not_said() -> None:
    async def scenario(feed: Feed, _: Listener) -> None:
        rulings = (Paid(ONE, 1, 1, "G14"), TurnIs(TWO), Exchanged(ONE, TWO, "G10"), CallSpoken(TWO, "HUGG AV"))
        feed.put(a_gnav_view(8), tuple((8, ruling) for ruling in rulings))

    listener = run(scenario)
    assert listener.texts == ["Hugg av", "Kari betaler 1 sjetong til potten."]
    assert listener.heard[0].ttl < listener.heard[1].ttl
    assert {one.language for one in listener.heard} == {"nb"}


def test_a_fault_is_said_with_its_clause() -> None:
    async def scenario(feed: Feed, _: Listener) -> None:
        feed.put(a_gnav_view(8), ((8, Fault(TWO, "G14", 3, "false_call", 8, "DRAGON", "XII")),))

    assert run(scenario, "en").texts == ["Seat 2 called the dragoon but had 12. Rule G14."]


def test_nothing_is_said_of_what_was_before_and_nothing_twice() -> None:
    async def scenario(feed: Feed, listener: Listener) -> None:
        assert listener.heard == []
        feed.put(a_gnav_view(8), ((8, CallSpoken(ONE, "STAND")),))
        await settled()
        feed.put(a_gnav_view(8))
        feed.put(a_gnav_view(9))

    assert run(scenario).texts == ["Jeg står"]


def test_a_question_is_asked_once_and_the_dealer_hears_where_he_is() -> None:
    question = Question(4, "which", TWO, ("8h", "XII"), 0)

    async def scenario(feed: Feed, listener: Listener) -> None:
        for view in (
            a_gnav_view(8, question=question),
            a_gnav_view(8, question=question),
            a_gnav_view(8, question=replace(question, chosen=1)),
            a_gnav_view(9),
            a_gnav_view(9, question=replace(question, number=5, choices=())),
        ):
            feed.put(view)
            await settled()

    assert run(scenario).texts == [
        "Hva ligger foran plass 2? hjerter åtte, 12?",
        "12",
        "Hva ligger foran plass 2?",
    ]


def test_a_device_that_breaks_is_said_but_not_one_that_was_broken_from_the_start_nor_the_speaker() -> None:
    async def scenario(feed: Feed, listener: Listener) -> None:
        for devices in (
            (DeviceView("camera", False, "no picture"), DeviceView("speaker", False, "no sound card")),
            (DeviceView("camera", False, "no picture"),),
            (DeviceView("camera", True),),
            (DeviceView("camera", False, "no picture"), DeviceView("board", True)),
        ):
            feed.put(a_gnav_view(8, devices=devices))
            await settled()

    assert run(scenario).texts == ["Kameraet virker ikke."] * 2
