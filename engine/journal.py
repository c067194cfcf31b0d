"""Events as lines of JSON and back: what a journal on disk holds, one line an event.

The first line is the header: which game by which options at how many seats. Time, checksums and files are not here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args

from engine.cards import Card
from engine.events import Corrected, Event, Fact
from engine.seats import Seat

VERSION = 1

_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in (*get_args(Fact), Corrected)}


class JournalError(ValueError):
    """A line that is no event or no header; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the game is: enough to begin it again."""

    game: str
    seats: int
    dealer: Seat
    options: Mapping[str, object]
    """All house rules, defaults too: a later version's defaults must not change an old game."""


def header_line(header: Header) -> str:
    """The header as one line."""
    return json.dumps(
        {
            "gjok": VERSION,
            "game": header.game,
            "seats": header.seats,
            "dealer": header.dealer,
            "options": dict(header.options),
        },
        ensure_ascii=False,
    )


def read_header(line: str) -> Header:
    """Read the first line; JournalError when it is none, or from a newer version."""
    fields_ = _object(line)
    if fields_.get("gjok") != VERSION:
        raise JournalError(f"not a journal of version {VERSION}: gjok is {fields_.get('gjok')!r}")
    match fields_:
        case {"game": str(game), "seats": int(seats), "dealer": int(dealer), "options": dict(options)}:
            return Header(game, seats, Seat(dealer), options)
    raise JournalError("the header lacks game, seats, dealer or options")


def event_line(event: Event) -> str:
    """*event* as one line of JSON."""
    return json.dumps(_as_object(event), ensure_ascii=False)


def read_event(line: str) -> Event:
    """Read one event; JournalError says what is wrong."""
    event: Event = _as_event(_object(line))
    return event


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as wrong:
        raise JournalError(f"not JSON: {wrong}") from None
    if not isinstance(found, dict):
        raise JournalError(f"not an object: {line[:40]!r}")
    return found


def _as_object(event: Event) -> dict[str, Any]:
    found: dict[str, Any] = {"event": type(event).__name__}
    for one in fields(event):
        value = getattr(event, one.name)
        if isinstance(value, Card):
            value = str(value)
        elif isinstance(value, tuple):
            value = [_as_object(inner) for inner in value]
        found[one.name] = value
    return found


def _as_event(found: dict[str, Any]) -> Any:
    name = found.get("event")
    kind = _KINDS.get(str(name))
    if kind is None:
        raise JournalError(f"unknown event {name!r}")
    names = {one.name for one in fields(kind)}
    if set(found) - {"event"} != names:
        raise JournalError(
            f"{name} has {', '.join(sorted(names)) or 'no fields'}, not {sorted(set(found) - {'event'})}"
        )
    return kind(**{one: _value(f"{name}.{one}", one, found[one]) for one in names})


def _value(where: str, field: str, value: Any) -> Any:
    match field, value:
        case "card", str():
            try:
                return Card.parse(value)
            except ValueError as wrong:
                raise JournalError(f"{where}: {wrong}") from None
        case "by", list():
            if all(isinstance(inner, dict) for inner in value):
                return tuple(_as_event(inner) for inner in value)
        case (("seat" | "dealer" | "event_no"), int()) if not isinstance(value, bool):
            return value
        case "piece", str():
            return value
    raise JournalError(f"{where} cannot be {value!r}")
