"""The table's own MQTT broker: on this machine only, and only the controller may write.

amqtt made narrow. What it does by itself, and we mend here (tests/controller/test_broker.py):
- it sends a new client the retained messages of other clients' subscriptions, unasked by any permission;
- it publishes anybody's last will without asking whether he may write;
- it lets a second connection under a known client id push the first out before it asks for a password: so the
  publisher's client id cannot be guessed (publish.py), and rights go by user *and* password at every message;
- it walks its subscriptions while awaiting permissions, and fails when one comes or goes meanwhile, so permissions
  are decided without awaiting anything;
- its shutdown may hang when a socket died hard, so ours has an end.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
import socket
from dataclasses import dataclass
from functools import partial
from typing import Any

from amqtt.broker import Broker
from amqtt.contexts import Action, BrokerConfig, ListenerConfig
from amqtt.errors import BrokerError

from controller.ports import listen, refuse_other_machines

SHUTDOWN_S = 3.0
MOST_CONNECTIONS = 64
PUBLIC = "gjok/"
"""All that anybody but the controller may read."""

_OVERRIDDEN = (
    "_authenticate",
    "_topic_filtering",
    "_handle_disconnect",
    "_publish_retained_messages_for_subscription",
    "_create_server_instance",
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Access:
    """Where the broker listens, and the one user that may write; good for this start only."""

    host: str
    port: int
    username: str
    password: str


class EmbeddedBroker:
    """Starts, stops and says where it is."""

    def __init__(self, port: int = 1883, host: str = "127.0.0.1") -> None:
        """*port* 0 is any free one; NotLoopback when other machines could reach *host*."""
        refuse_other_machines("the embedded MQTT broker", host)
        self._host = host
        self._port = port
        self._password = secrets.token_urlsafe(24)
        self._broker: SafeBroker | None = None

    @property
    def address(self) -> Access:
        """Where the controller connects; the port is known after start."""
        return Access(self._host, self._port, "controller", self._password)

    async def start(self) -> None:
        """Listen; PortBusy when the port is taken."""
        taken = listen(
            "the embedded MQTT broker",
            self._host,
            self._port,
            "stop it, or give another port (0: any free one), or use that broker instead",
        )
        self._port = taken.getsockname()[1]
        logging.getLogger("amqtt").setLevel(logging.ERROR)  # it warns of what is no harm: late acknowledgements, say
        self._broker = SafeBroker(taken, self.address)
        await self._broker.start()

    async def stop(self) -> None:
        """Close every connection; returns in SHUTDOWN_S at the latest."""
        if self._broker is None:
            return
        broker, self._broker = self._broker, None
        try:
            await asyncio.wait_for(broker.shutdown(), SHUTDOWN_S)
        except (TimeoutError, BrokerError) as late:
            log.warning("the embedded MQTT broker did not stop cleanly: %r", late)
        finally:
            broker.abort()


class SafeBroker(Broker):  # type: ignore[misc]  # amqtt is not typed for mypy --strict
    """amqtt's broker with its holes closed; see above."""

    def __init__(self, listening: socket.socket, access: Access) -> None:
        missing = [name for name in _OVERRIDDEN if not hasattr(Broker, name)]
        if missing:  # an amqtt that works otherwise would run with its holes open
            raise RuntimeError(f"this amqtt has no {', '.join(missing)}: install amqtt>=0.12.1,<0.13")
        bind = f"{access.host}:{access.port}"
        listener = ListenerConfig(bind=bind, max_connections=MOST_CONNECTIONS)
        super().__init__(BrokerConfig(listeners={"default": listener}, plugins={}))
        self._listening = listening
        self._access = access
        self._server: asyncio.Server | None = None

    def may(self, session: Any, topic: str, action: str) -> bool:
        """Whether *session* may do *action* (publish, subscribe, receive) with *topic*."""
        if self._is_controller(session):
            return True
        return action != Action.PUBLISH and (topic.startswith(PUBLIC) or action == Action.SUBSCRIBE)

    def abort(self) -> None:
        """Let go of the port, however the shutdown went."""
        if self._server is not None:
            self._server.close()
        with contextlib.suppress(OSError):
            self._listening.close()

    def _is_controller(self, session: Any) -> bool:
        return _same(session.username, self._access.username) and _same(session.password, self._access.password)

    async def _authenticate(self, session: Any, _: Any) -> bool:
        """Anybody may read without a name; who gives one must have the password."""
        if session.username is None and not session.password:
            session.is_anonymous = True
            return True
        return self._is_controller(session)

    async def _topic_filtering(self, session: Any, topic: str, action: Any) -> bool:
        return self.may(session, topic, action)

    async def _handle_disconnect(self, client_session: Any, handler: Any, disconnect_waiter: Any) -> None:
        if client_session.will_flag and not self.may(client_session, client_session.will_topic, Action.PUBLISH):
            client_session.will_flag = False
        await super()._handle_disconnect(client_session, handler, disconnect_waiter)

    async def _publish_retained_messages_for_subscription(self, subscription: tuple[str, int], session: Any) -> None:
        topic_filter, qos = subscription
        mine = (one for one, _ in self._subscriptions.get(topic_filter, ()))
        handler = self._get_handler(session)
        if handler is None or session not in mine:
            return
        sent = [
            asyncio.ensure_future(handler.mqtt_publish(topic, kept.data, min(qos, kept.qos or qos), retain=True))
            for topic, kept in self._retained_messages.items()
            if self._matches(topic, topic_filter) and self.may(session, topic, Action.RECEIVE)
        ]
        if sent:
            await asyncio.wait(sent)

    async def _create_server_instance(self, listener_name: str, *_: Any) -> asyncio.Server:
        connected = partial(self.stream_connected, listener_name=listener_name)
        self._server = await asyncio.start_server(connected, sock=self._listening)
        return self._server


def _same(given: str | None, wanted: str) -> bool:
    return given is not None and hmac.compare_digest(given.encode(), wanted.encode())
