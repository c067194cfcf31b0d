"""The publisher against a real broker on loopback: what a reader sees when either side goes and comes back."""

import asyncio
import contextlib
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import aiomqtt
import pytest

from controller.broker import EmbeddedBroker
from controller.feed import Feed
from controller.publish import EVENT_TTL_S, MOST_EVENTS, Link, Outbox, publish
from controller.topics import Message
from controller.view import DeviceView
from engine.rulings import Paid, TurnIs
from engine.seats import Seat
from tests.controller.views import a_gnav_view

pytestmark = pytest.mark.timeout(30)

AVAILABILITY = "gjok/kitchen/availability"
TABLE = "gjok/kitchen/state/table"
SEAT_1 = "gjok/kitchen/state/seat/1"
EVENT = "gjok/kitchen/event/referee"


class Stage:
    """A broker, a feed, the publisher, and readers."""

    def __init__(self) -> None:
        self.broker = EmbeddedBroker(port=0)
        self.feed = Feed(a_gnav_view())
        self.reports: list[DeviceView] = []
        self.reported = asyncio.Event()

    def report(self, device: DeviceView) -> None:
        self.reports.append(device)
        self.reported.set()

    def publish(self, link: Link | None = None) -> "asyncio.Task[None]":
        at = self.broker.address
        link = link or Link(at.host, at.port, at.username, at.password)
        return asyncio.create_task(publish(self.feed, link, self.report, pause=0.05))

    async def until_reported(self, works: bool) -> DeviceView:
        while not self.reports or self.reports[-1].works is not works:
            self.reported.clear()
            await self.reported.wait()
        return self.reports[-1]

    @contextlib.asynccontextmanager
    async def reader(self, topic: str = "gjok/#") -> Any:
        at = self.broker.address
        async with aiomqtt.Client(at.host, at.port, timeout=3) as reader:
            await reader.subscribe(topic, qos=1)
            yield reader


def run(scenario: Callable[[Stage], Awaitable[None]]) -> None:
    async def on_stage() -> None:
        stage = Stage()
        await stage.broker.start()
        try:
            async with asyncio.timeout(20):
                await scenario(stage)
        finally:
            await stage.broker.stop()

    asyncio.run(on_stage())


async def end(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def until(reader: aiomqtt.Client, topic: str, wanted: Callable[[Any], bool]) -> list[Any]:
    """All payloads on *topic*, decoded, up to the first *wanted* one."""
    seen: list[Any] = []
    async for message in reader.messages:
        if str(message.topic) == topic:
            assert isinstance(message.payload, bytes)
            seen.append(json.loads(message.payload) if message.payload.startswith(b"{") else message.payload)
            if wanted(seen[-1]):
                return seen
    return seen


def test_whoever_comes_later_sees_the_table_as_it_is() -> None:
    async def scenario(stage: Stage) -> None:
        task = stage.publish()
        await stage.until_reported(True)
        stage.feed.put(a_gnav_view(seq=8, chips=4))
        async with stage.reader(SEAT_1) as reader:
            await until(reader, SEAT_1, lambda seat: seat["chips"] == 4)
        async with stage.reader() as reader:
            first = {}
            async for message in reader.messages:
                first[str(message.topic)] = message.retain
                if len(first) == 10:
                    break
        assert all(first.values())
        assert {AVAILABILITY, TABLE, SEAT_1, "gjok/kitchen/meta", "gjok/kitchen/state/health"} < set(first)
        await end(task)

    run(scenario)


def test_only_what_changed_is_sent_and_turns_are_no_events() -> None:
    async def scenario(stage: Stage) -> None:
        task = stage.publish()
        await stage.until_reported(True)
        async with stage.reader() as reader:
            stage.feed.put(a_gnav_view(seq=8))  # waits its turn behind all that is sent at the start
            await until(reader, TABLE, lambda table: table["seq"] == 8)
            paid = Paid(Seat(1), 1, 1, "G14")
            stage.feed.put(a_gnav_view(seq=9, chips=4), ((9, TurnIs(Seat(3))), (9, paid)))
            live = []
            async for message in reader.messages:
                if not message.retain:
                    live.append(str(message.topic))
                    if live[-1] == EVENT:
                        break
        assert live == [TABLE, SEAT_1, EVENT]
        await end(task)

    run(scenario)


def test_events_come_in_order_and_count_from_one() -> None:
    async def scenario(stage: Stage) -> None:
        task = stage.publish()
        await stage.until_reported(True)
        async with stage.reader(EVENT) as reader:
            for number in range(8, 20):
                rulings = tuple((number, Paid(Seat(seat), 1, 1, "G14")) for seat in (1, 2))
                stage.feed.put(a_gnav_view(seq=number), rulings)
            seen = await until(reader, EVENT, lambda event: event["event_no"] == 19 and event["seat"] == 2)
        assert [event["seq"] for event in seen] == list(range(1, 25))
        assert len({event["run"] for event in seen}) == 1
        await end(task)

    run(scenario)


def test_after_the_broker_died_and_came_back_the_newest_state_is_there() -> None:
    async def scenario(stage: Stage) -> None:
        task = stage.publish()
        await stage.until_reported(True)
        await stage.broker.stop()  # everything it retained is gone
        await stage.until_reported(False)
        for seq in range(8, 30):
            stage.feed.put(a_gnav_view(seq=seq, chips=seq))
        await stage.broker.start()
        await stage.until_reported(True)
        async with stage.reader() as reader:
            await until(reader, SEAT_1, lambda seat: seat["chips"] == 29)
        async with stage.reader() as reader:
            seen = await until(reader, TABLE, lambda table: table["seq"] == 29)
        assert len(seen) == 1, "only the newest"
        async with stage.reader() as reader:
            back: set[str] = set()
            async for message in reader.messages:
                back.add(str(message.topic))
                if len(back) == 10:  # those that did not change meanwhile too: the broker had forgotten them all
                    break
        assert {"gjok/kitchen/meta", "gjok/kitchen/state/seat/2", "gjok/kitchen/state/health", AVAILABILITY} < back
        await end(task)

    run(scenario)


def test_a_broker_that_is_not_there_is_reported_with_what_to_do_and_costs_the_game_nothing() -> None:
    async def scenario(stage: Stage) -> None:
        await stage.broker.stop()
        task = stage.publish()
        lost = await stage.until_reported(False)
        assert lost.name == "mqtt"
        assert str(stage.broker.address.port) in lost.why
        assert lost.why.endswith("is it running?")
        await end(task)

    run(scenario)


def test_a_broker_that_does_not_let_us_write_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.publish.TIMEOUT_S", 0.3)

    async def scenario(stage: Stage) -> None:
        at = stage.broker.address
        async with aiomqtt.Client(at.host, at.port, username=at.username, password=at.password) as earlier:
            await earlier.publish(AVAILABILITY, b"online", qos=1, retain=True)  # yesterday we were allowed
        task = stage.publish(Link(at.host, at.port))  # as a viewer: the broker takes it all and drops it
        assert "permissions" in (await stage.until_reported(False)).why
        await end(task)

    run(scenario)


def test_a_clean_end_says_offline() -> None:
    async def scenario(stage: Stage) -> None:
        task = stage.publish()
        await stage.until_reported(True)
        async with stage.reader(AVAILABILITY) as reader:
            assert await until(reader, AVAILABILITY, lambda said: said == b"online") == [b"online"]
            await end(task)
            assert await until(reader, AVAILABILITY, lambda said: said == b"offline") == [b"offline"]
        async with stage.reader(AVAILABILITY) as reader:
            assert await until(reader, AVAILABILITY, lambda said: True) == [b"offline"]

    run(scenario)


def test_when_we_die_the_broker_says_offline_for_us() -> None:
    """The publisher in a process of its own, killed with SIGKILL."""

    async def scenario(stage: Stage) -> None:
        at = stage.broker.address
        program = (
            "import asyncio\n"
            "from controller.feed import Feed\n"
            "from controller.publish import Link, publish\n"
            "from tests.controller.views import a_gnav_view\n"
            f"link = Link({at.host!r}, {at.port}, {at.username!r}, {at.password!r})\n"
            "asyncio.run(publish(Feed(a_gnav_view()), link, lambda device: None))\n"
        )
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
        async with stage.reader(AVAILABILITY) as reader:
            await until(reader, AVAILABILITY, lambda said: said == b"online")
            child.kill()
            await child.wait()
            await until(reader, AVAILABILITY, lambda said: said == b"offline")
        async with stage.reader(AVAILABILITY) as reader:
            assert await until(reader, AVAILABILITY, lambda said: True) == [b"offline"]

    run(scenario)


def test_an_offline_that_comes_late_is_put_right() -> None:
    async def scenario(stage: Stage) -> None:
        at = stage.broker.address
        task = stage.publish()
        await stage.until_reported(True)
        async with stage.reader(AVAILABILITY) as reader:
            await until(reader, AVAILABILITY, lambda said: said == b"online")
            async with aiomqtt.Client(at.host, at.port, username=at.username, password=at.password) as old:
                await old.publish(AVAILABILITY, b"offline", qos=1, retain=True)
            await until(reader, AVAILABILITY, lambda said: said == b"online")
        await end(task)

    run(scenario)


def a_message(topic: str, payload: str = "") -> Message:
    return Message(topic, payload.encode(), retain=True)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_outbox_a_state_that_changes_while_it_is_sent_is_sent_again() -> None:
    outbox = Outbox()
    outbox.put_state(a_message("a", "1"))
    assert outbox.next_state() == a_message("a", "1")
    outbox.put_state(a_message("a", "2"))  # while the first one is on its way
    assert outbox.next_state() == a_message("a", "2")
    assert outbox.next_state() is None


def test_outbox_of_a_topic_only_the_newest_is_sent_and_nothing_twice() -> None:
    outbox = Outbox()
    for payload in ("1", "2", "2"):
        outbox.put_state(a_message("a", payload))
    outbox.put_state(a_message("b", "1"))
    assert [outbox.next_state(), outbox.next_state(), outbox.next_state()] == [
        a_message("a", "2"),
        a_message("b", "1"),
        None,
    ]
    outbox.put_state(a_message("a", "2"))
    assert outbox.next_state() is None
    outbox.send_all_states_again()
    assert outbox.next_state() == a_message("a", "2")


def test_outbox_an_event_stays_until_it_is_acknowledged_or_too_old() -> None:
    clock = Clock()
    outbox = Outbox(clock)
    first, second = a_message("e", "1"), a_message("e", "2")
    outbox.put_event(first)
    clock.now = EVENT_TTL_S - 1
    outbox.put_event(second)
    assert outbox.next_event() is outbox.next_event() is first
    clock.now = EVENT_TTL_S
    assert outbox.next_event() is second
    outbox.sent(first)  # the acknowledgement of one that is gone takes no other with it
    assert outbox.next_event() is second
    outbox.sent(second)
    assert outbox.next_event() is None
    assert outbox.dropped == 1


def test_outbox_holds_so_many_events_and_no_more() -> None:
    outbox = Outbox()
    for number in range(MOST_EVENTS + 3):
        outbox.put_event(a_message("e", str(number)))
    assert outbox.next_event() == a_message("e", "3")
    assert outbox.dropped == 3
