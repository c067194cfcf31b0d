"""What the table says over MQTT: views and rulings to topics and payloads. Pure.

``python -m controller.topics`` writes the JSON Schema of every payload into ``controller/schemas``.

State topics are retained and hold the newest snapshot, so that whoever comes later sees the table as it is. Event
topics are not: an old event must not set off anything when a reader reconnects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from controller.phrases import LANGUAGES, Names, clause_of, words
from controller.view import PublicView
from engine.rulings import CallSpoken, Ruling, TurnIs

VERSION = 1
"""``v`` of every payload; raised only when a field changes its meaning or goes. New fields may come."""

ONLINE, OFFLINE = b"online", b"offline"


class Meta(msgspec.Struct, frozen=True, kw_only=True):
    """``gjok/<table>/meta``: what publishes here."""

    v: int = VERSION
    app: str
    game: str
    seats: int


class TrickCard(msgspec.Struct, frozen=True, kw_only=True):
    """One card of the trick on the table."""

    seat: int
    card: str


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """``gjok/<table>/state/table``: the table at one moment."""

    v: int = VERSION
    session: str
    seq: int
    """Number of events judged in this session; never falls."""
    game: str
    unit: str
    """What ``chips`` counts: ``tokens`` or ``points``."""
    phase: str
    deal: int
    dealer: int
    to_act: int | None
    pot: int
    attention: str | None
    """What the table asks its dealer (``which``, ``look_again``, ``missing``), null when it asks nothing."""
    trick: tuple[TrickCard, ...]
    winners: tuple[int, ...]


class SeatState(msgspec.Struct, frozen=True, kw_only=True):
    """``gjok/<table>/state/seat/<n>``: one seat."""

    v: int = VERSION
    seat: int
    name: str | None
    """Null unless the players agreed to have their names published."""
    chips: int
    to_act: bool
    dealer: bool
    playing: bool
    in_deal: bool
    marks: tuple[str, ...]
    laid: tuple[str, ...]


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """``gjok/<table>/state/health``: which devices work, and what is wrong with those that do not."""

    v: int = VERSION
    devices: dict[str, bool]
    why: dict[str, str]


class RefereeEvent(msgspec.Struct, frozen=True, kw_only=True):
    """``gjok/<table>/event/referee``: one ruling. Never retained."""

    v: int = VERSION
    session: str
    run: str
    """Changes with every start of the app."""
    seq: int
    """Counts the referee's messages of this run from 1: a gap is a lost message, the same number again a copy."""
    event_no: int
    """The event that brought the ruling."""
    event_type: str
    """The kind of ruling in lower_snake: ``fault``, ``paid``, ``trick_taken`` …"""
    seat: int | None
    code: str | None
    """Of a fault and the like: why, as a stable code (``not_lowest`` …)."""
    clause: str | None
    text: dict[str, str]
    """The ruling in words with its clause, by language."""


PAYLOADS: dict[str, type[msgspec.Struct]] = {
    "meta": Meta,
    "state_table": TableState,
    "state_seat": SeatState,
    "state_health": Health,
    "event_referee": RefereeEvent,
}
"""Every payload that is JSON, by the name of its schema file."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to publish, with QoS 1."""

    topic: str
    payload: bytes
    retain: bool


def availability_topic(table: str) -> str:
    """Where ``online`` and ``offline`` are said; the broker says ``offline`` for us when we are gone."""
    return f"{root(table)}/availability"


def root(table: str) -> str:
    """What all of *table*'s topics begin with; what MQTT forbids in a topic, or would split it, becomes ``_``."""
    return "gjok/" + re.sub(r"[^\w.-]", "_", table)


def meta(view: PublicView, app: str) -> Message:
    """What publishes under this table's name; *app* is our version."""
    return _retained(view, "meta", Meta(app=app, game=view.public.game, seats=len(view.seats)))


def snapshots(view: PublicView, *, publish_names: bool) -> tuple[Message, ...]:
    """The state topics of *view*. Equal views give equal bytes, so a reader can leave out what did not change."""
    public = view.public
    table = TableState(
        session=view.session,
        seq=view.seq,
        game=public.game,
        unit=public.unit,
        phase=public.phase,
        deal=public.deal,
        dealer=public.dealer,
        to_act=public.to_act,
        pot=public.pot,
        attention=view.question.about if view.question else None,
        trick=tuple(TrickCard(seat=seat, card=card) for seat, card in public.trick),
        winners=tuple(public.winners),
    )
    seats = [
        SeatState(
            seat=seat.public.seat,
            name=(seat.name or None) if publish_names else None,
            chips=seat.public.chips,
            to_act=seat.to_act,
            dealer=seat.is_dealer,
            playing=seat.public.playing,
            in_deal=seat.public.in_deal,
            marks=seat.public.marks,
            laid=seat.public.laid,
        )
        for seat in view.seats
    ]
    health = Health(
        devices={device.name: device.works for device in view.devices},
        why={device.name: device.why for device in view.devices if device.why},
    )
    return (
        _retained(view, "state/table", table),
        *(_retained(view, f"state/seat/{seat.seat}", seat) for seat in seats),
        _retained(view, "state/health", health),
    )


def is_event(ruling: Ruling) -> bool:
    """Whether *ruling* is sent as an event: whose turn it is stands in the state, everything else is news."""
    return not isinstance(ruling, TurnIs)


def event(view: PublicView, run: str, seq: int, event_no: int, ruling: Ruling, *, publish_names: bool) -> Message:
    """One ruling as message number *seq* of this *run*."""
    names: Names = [seat.name for seat in view.seats] if publish_names else ["" for _ in view.seats]
    inner: Any = getattr(ruling, "ruling", ruling)
    code = inner.call if isinstance(inner, CallSpoken) else getattr(inner, "why", None)
    said = RefereeEvent(
        session=view.session,
        run=run,
        seq=seq,
        event_no=event_no,
        event_type=_snake(type(ruling).__name__),
        seat=getattr(inner, "seat", None),
        code=code,
        clause=clause_of(ruling) or None,
        text={language: line.full for language in LANGUAGES if (line := words(ruling, language, names))},
    )
    return Message(f"{root(view.table)}/event/referee", msgspec.json.encode(said), retain=False)


def schema_files() -> dict[str, str]:
    """The schema file of every payload: name and text."""
    return {
        f"{name}.json": json.dumps(msgspec.json.schema(kind), indent=2, ensure_ascii=False) + "\n"
        for name, kind in PAYLOADS.items()
    }


def _retained(view: PublicView, under: str, payload: msgspec.Struct) -> Message:
    return Message(f"{root(view.table)}/{under}", msgspec.json.encode(payload), retain=True)


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def write_schemas(folder: Path, files: Iterable[tuple[str, str]]) -> None:
    """Write the schema *files* into *folder*."""
    folder.mkdir(exist_ok=True)
    for name, text in files:
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(__file__).parent / "schemas", schema_files().items())
