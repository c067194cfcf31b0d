"""Publishes the table over MQTT: states retained and always the newest, rulings once and in order.

The engine never waits for a broker. What is to be sent lies in an ``Outbox`` of bounded size; a lost broker costs old
events, never the newest state, because every state is sent again on every connect.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import ssl
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.feed import Feed
from controller.topics import OFFLINE, ONLINE, Message, availability_topic, event, is_event, meta, snapshots
from controller.view import DeviceView

QOS = 1
KEEPALIVE_S = 10
TIMEOUT_S = 5.0
PAUSE_S = 2.0
EVENT_TTL_S = 30.0
MOST_EVENTS = 500
FAREWELL_S = 2.0

log = logging.getLogger(__name__)

Report = Callable[[DeviceView], None]


@dataclass(frozen=True, slots=True)
class Link:
    """The broker, and who we are to it."""

    host: str
    port: int
    username: str | None = None
    password: str | None = None
    mqtt5: bool = False
    """Mosquitto speaks MQTT 5, where events expire in the broker too; the embedded broker speaks 3.1.1 only."""
    tls: ssl.SSLContext | None = None


class Outbox:
    """What is still to be sent: the newest state of each topic, and the events that are not too old."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._states: dict[str, Message] = {}
        self._unsent: dict[str, None] = {}
        self._events: deque[tuple[float, Message]] = deque()
        self.fresh = asyncio.Event()
        """Set when there is something to send."""
        self.dropped = 0
        """Events that grew too old, or were too many."""

    def put_state(self, message: Message) -> None:
        """Make *message* the newest of its topic; one that changes nothing is not sent."""
        if self._states.get(message.topic) == message:
            return
        self._states[message.topic] = message
        self._unsent[message.topic] = None
        self.fresh.set()

    def put_event(self, message: Message) -> None:
        if len(self._events) == MOST_EVENTS:
            self._events.popleft()
            self.dropped += 1
        self._events.append((self._clock() + EVENT_TTL_S, message))
        self.fresh.set()

    def send_all_states_again(self) -> None:
        """For a new connection: the broker may have forgotten everything."""
        self._unsent = dict.fromkeys(self._states)
        self.fresh.set()

    def next_state(self) -> Message | None:
        """Take out a state to send. It is no longer unsent *before* it is sent: a newer one may come meanwhile."""
        if not self._unsent:
            return None
        topic = next(iter(self._unsent))
        del self._unsent[topic]
        return self._states[topic]

    def next_event(self) -> Message | None:
        """The oldest event that is still news; it stays here until ``sent``."""
        while self._events and self._events[0][0] <= self._clock():
            self._events.popleft()
            self.dropped += 1
        return self._events[0][1] if self._events else None

    def sent(self, message: Message) -> None:
        """The broker has acknowledged the event *message*."""
        if self._events and self._events[0][1] is message:
            self._events.popleft()


async def publish(
    feed: Feed,
    link: Link,
    report: Report,
    *,
    publish_names: bool = False,
    pause: float = PAUSE_S,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Publish *feed* until cancelled, connecting again whenever the broker is lost; *report* hears how it goes.

    *publish_names*: whether the players agreed to have their names leave the table.
    """
    outbox = Outbox(clock)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_collect(feed, outbox, publish_names), name="publish: collect")
        tasks.create_task(_keep_sending(feed.view.table, link, outbox, report, pause), name="publish: send")


async def _collect(feed: Feed, outbox: Outbox, publish_names: bool) -> None:
    run = secrets.token_hex(4)
    seq = 0
    outbox.put_state(meta(feed.view, version("gjok")))
    async for update in feed.updates():
        for message in snapshots(update.view, publish_names=publish_names):
            outbox.put_state(message)
        for event_no, ruling in update.rulings:
            if is_event(ruling):
                seq += 1
                outbox.put_event(event(update.view, run, seq, event_no, ruling, publish_names=publish_names))


async def _keep_sending(table: str, link: Link, outbox: Outbox, report: Report, pause: float) -> None:
    # unguessable: whoever connects under our id would take our place
    identifier = f"gjok-{secrets.token_hex(8)}"
    while True:
        try:
            await _connection(table, link, identifier, outbox, report)
        except* (aiomqtt.MqttError, OSError) as lost:
            why = "; ".join(str(one) for one in lost.exceptions)
            report(DeviceView("mqtt", False, f"no broker at {link.host}:{link.port} ({why}); is it running?"))
        await asyncio.sleep(pause)


async def _connection(table: str, link: Link, identifier: str, outbox: Outbox, report: Report) -> None:
    """One connection, until it is lost (ExceptionGroup with MqttError) or we are cancelled (``offline`` is said)."""
    availability = availability_topic(table)
    client = aiomqtt.Client(
        link.host,
        link.port,
        username=link.username,
        password=link.password,
        identifier=identifier,
        protocol=aiomqtt.ProtocolVersion.V5 if link.mqtt5 else aiomqtt.ProtocolVersion.V311,
        will=aiomqtt.Will(availability, OFFLINE, qos=QOS, retain=True),
        keepalive=KEEPALIVE_S,
        timeout=TIMEOUT_S,
        tls_context=link.tls,
    )
    async with client:
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_stay_online(client, availability, report), name="publish: availability")
                tasks.create_task(_send(client, outbox, link.mqtt5), name="publish: outbox")
        except asyncio.CancelledError:
            with contextlib.suppress(aiomqtt.MqttError, TimeoutError):
                async with asyncio.timeout(FAREWELL_S):
                    await client.publish(availability, OFFLINE, qos=QOS, retain=True)
            raise


async def _stay_online(client: aiomqtt.Client, availability: str, report: Report) -> None:
    """Say ``online`` and hear it back: a broker that forbids us to write says nothing of it.

    Ends with MqttError when the connection is lost. The ``offline`` of our own last connection may come late.
    """
    await client.subscribe(availability, qos=QOS)
    await client.publish(availability, ONLINE, qos=QOS, retain=True)
    heard = asyncio.create_task(_heard_ourselves(client, availability), name="publish: heard")
    try:
        done, _ = await asyncio.wait((heard,), timeout=TIMEOUT_S)
        if not done:
            log.error("the MQTT broker takes our messages but does not pass %s on: check its ACL", availability)
            report(
                DeviceView("mqtt", False, "the broker lets us in but not publish; check its permissions for our user")
            )
        await heard
        report(DeviceView("mqtt", True))
        async for message in client.messages:
            if message.payload == OFFLINE:
                await client.publish(availability, ONLINE, qos=QOS, retain=True)
    finally:
        heard.cancel()


async def _heard_ourselves(client: aiomqtt.Client, availability: str) -> None:
    async for message in client.messages:
        # a retained one may be of an earlier evening, when we were still allowed
        if str(message.topic) == availability and message.payload == ONLINE and not message.retain:
            return


async def _send(client: aiomqtt.Client, outbox: Outbox, mqtt5: bool) -> None:
    expiry = _expiry() if mqtt5 else None
    outbox.send_all_states_again()
    if outbox.dropped:
        log.warning("MQTT: %d events were too old to be sent, all in all", outbox.dropped)
    while True:
        if state := outbox.next_state():
            await client.publish(state.topic, state.payload, qos=QOS, retain=state.retain)
        elif news := outbox.next_event():
            await client.publish(news.topic, news.payload, qos=QOS, retain=False, properties=expiry)
            outbox.sent(news)
        else:
            outbox.fresh.clear()
            await outbox.fresh.wait()


def _expiry() -> Properties:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.MessageExpiryInterval = int(EVENT_TTL_S)
    return properties
