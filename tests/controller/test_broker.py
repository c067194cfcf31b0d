"""The embedded broker: who may read and write, and each hole of amqtt's that it closes."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import aiomqtt
import pytest

from controller.broker import Access, EmbeddedBroker
from controller.ports import NotLoopback, PortBusy

pytestmark = pytest.mark.timeout(20)


def run(scenario: Callable[[Access], Awaitable[None]]) -> None:
    async def with_broker() -> None:
        broker = EmbeddedBroker(port=0)
        await broker.start()
        try:
            async with asyncio.timeout(15):
                await scenario(broker.address)
        finally:
            await broker.stop()

    asyncio.run(with_broker())


def client(access: Access, *, writer: bool = False, **more: object) -> aiomqtt.Client:
    if writer:
        more |= {"username": access.username, "password": access.password}
    return aiomqtt.Client(access.host, access.port, timeout=3, **more)  # type: ignore[arg-type]


async def messages_until(reader: aiomqtt.Client, last: str) -> list[tuple[str, bytes]]:
    """All that comes, up to the topic *last*."""
    seen = []
    async for message in reader.messages:
        seen.append((str(message.topic), bytes(message.payload)))  # type: ignore[arg-type]
        if seen[-1][0] == last:
            break
    return seen


@contextlib.asynccontextmanager
async def reading(access: Access, *topics: str) -> AsyncIterator[aiomqtt.Client]:
    async with client(access) as reader:
        for topic in topics:
            await reader.subscribe(topic, qos=1)
        yield reader


def test_a_viewer_without_a_name_reads_what_the_controller_retained() -> None:
    async def scenario(access: Access) -> None:
        async with client(access, writer=True) as writer:
            await writer.publish("gjok/k/state/table", b"one", qos=1, retain=True)
            async with reading(access, "gjok/#") as reader:
                assert await messages_until(reader, "gjok/k/state/table") == [("gjok/k/state/table", b"one")]

    run(scenario)


def test_a_viewer_cannot_write_live_or_retained() -> None:
    async def scenario(access: Access) -> None:
        async with client(access, writer=True) as writer, reading(access, "gjok/#") as reader:
            await reader.publish("gjok/k/state/table", b"forged", qos=1, retain=True)
            await writer.publish("gjok/k/end", b"", qos=1)
            assert await messages_until(reader, "gjok/k/end") == [("gjok/k/end", b"")]
            async with reading(access, "gjok/#") as later:
                await writer.publish("gjok/k/end", b"", qos=1)
                assert await messages_until(later, "gjok/k/end") == [("gjok/k/end", b"")]

    run(scenario)


@pytest.mark.parametrize(("user", "password"), [("controller", "guess"), ("controller", None), ("guest", "guest")])
def test_a_wrong_name_or_password_is_refused(user: str, password: str | None) -> None:
    async def scenario(access: Access) -> None:
        with pytest.raises(aiomqtt.MqttError):
            async with client(access, username=user, password=password):
                pass

    run(scenario)


def test_every_start_has_another_password() -> None:
    assert EmbeddedBroker(port=0).address.password != EmbeddedBroker(port=0).address.password


def test_a_viewer_gets_nothing_outside_the_public_tree_though_the_controller_subscribes_to_it() -> None:
    async def scenario(access: Access) -> None:
        async with client(access, writer=True) as writer:
            await writer.subscribe("private/#", qos=1)
            await writer.publish("private/seat/3", b"Qs Kh", qos=1, retain=True)
            await writer.publish("gjok/k/state/table", b"one", qos=1, retain=True)
            async with reading(access, "#", "private/#", "gjok/k/end") as reader:
                await writer.publish("private/seat/3", b"Qs Kh", qos=1)
                await writer.publish("gjok/k/end", b"", qos=1)
                seen = await messages_until(reader, "gjok/k/end")
            assert [topic for topic, _ in seen if topic.startswith("private")] == []
            # amqtt by itself hands a client, on connecting, what others are subscribed to
            async with client(access) as silent:
                await silent.subscribe("gjok/k/end", qos=1)
                await writer.publish("gjok/k/end", b"", qos=1)
                assert await messages_until(silent, "gjok/k/end") == [("gjok/k/end", b"")]

    run(scenario)


def test_a_viewers_last_will_is_not_published() -> None:
    async def scenario(access: Access) -> None:
        will = aiomqtt.Will("gjok/k/state/table", b"forged", qos=1, retain=True)
        async with client(access, writer=True) as writer, reading(access, "gjok/#") as reader:
            async with client(access, will=will) as dying:
                hard = dying._client.socket()  # the connection is cut, not closed
                assert isinstance(hard, socket.socket)
                hard.shutdown(socket.SHUT_RDWR)
                with contextlib.suppress(aiomqtt.MqttError):
                    async for _ in dying.messages:
                        pass
            await writer.publish("gjok/k/end", b"", qos=1)
            assert await messages_until(reader, "gjok/k/end") == [("gjok/k/end", b"")]

    run(scenario)


def test_the_controllers_last_will_is() -> None:
    async def scenario(access: Access) -> None:
        will = aiomqtt.Will("gjok/k/availability", b"offline", qos=1, retain=True)
        async with reading(access, "gjok/#") as reader:
            async with client(access, writer=True, will=will) as dying:
                hard = dying._client.socket()
                assert isinstance(hard, socket.socket)
                hard.shutdown(socket.SHUT_RDWR)
                with contextlib.suppress(aiomqtt.MqttError):
                    async for _ in dying.messages:
                        pass
            assert await messages_until(reader, "gjok/k/availability") == [("gjok/k/availability", b"offline")]

    run(scenario)


def test_readers_that_come_and_go_while_messages_flow_cost_no_message(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(access: Access) -> None:
        async def come_and_go() -> None:
            for number in range(15):
                async with reading(access, f"gjok/k/{number}/#"):
                    pass

        async with client(access, writer=True) as writer, reading(access, "gjok/k/n/#") as reader:
            coming = asyncio.create_task(come_and_go())
            for number in range(60):
                await writer.publish(f"gjok/k/n/{number}", b"", qos=1)
            await coming
            seen = await messages_until(reader, "gjok/k/n/59")
        assert [topic for topic, _ in seen] == [f"gjok/k/n/{number}" for number in range(60)]

    with caplog.at_level(logging.ERROR):
        run(scenario)
    assert caplog.records == []


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "localhost.example", "::"])
def test_an_address_that_others_can_reach_is_refused(host: str) -> None:
    with pytest.raises(NotLoopback, match="this machine only"):
        EmbeddedBroker(port=0, host=host)


def test_a_busy_port_is_one_clear_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        broker = EmbeddedBroker(port=port)
        with pytest.raises(PortBusy, match=rf"^the embedded MQTT broker: port {port} is taken .*; stop it"):
            asyncio.run(broker.start())


def test_it_stops_in_time_with_clients_connected_and_starts_again_on_its_port() -> None:
    async def scenario() -> None:
        broker = EmbeddedBroker(port=0)
        await broker.start()
        port = broker.address.port
        reader = client(broker.address)
        await reader.__aenter__()
        async with asyncio.timeout(4):
            await broker.stop()
        await broker.start()
        assert broker.address.port == port
        async with client(broker.address):
            pass
        await broker.stop()
        with contextlib.suppress(aiomqtt.MqttError):
            await reader.__aexit__(None, None, None)

    asyncio.run(scenario())
