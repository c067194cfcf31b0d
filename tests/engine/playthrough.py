"""Reads a playthrough: a game as a text file, each event followed by all that the referee says to it.

    game gnav, seats 3, dealer 3, refusal_payment=2     the game; options as name=value
    # A line for people.
    > AskedToSwap 1                                     an event and its fields in order
      CallSpoken 1 SWAP                                 a ruling and its fields in order, indented
    > Corrected 4 by Called 2 KATT; Stood 3             a correction by no, one or several events
    = pot 2, tokens 4 5 4                               what the table shows now

``-`` stands for None and for an empty text, ``1-2,2-3`` for pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from engine.cards import Card
from engine.events import Corrected, Event, Fact
from engine.games import game_named
from engine.referee import Referee
from engine.rulings import Withdrawn
from engine.seats import Seat, Seats

FACTS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Fact)}


def differences(path: Path) -> list[str]:
    """The lines where the referee says something else than the file does; empty when all agree."""
    wanted = [line.rstrip() for line in path.read_text("utf-8").splitlines()]
    wanted = [line for line in wanted if line and not line.startswith("#")]
    found = list(play(wanted))
    wrong = [
        f"{path.name}: expected {want!r}, found {have!r}"
        for want, have in zip(wanted, found, strict=False)
        if want != have
    ]
    if len(wanted) != len(found):
        wrong.append(f"{path.name}: {len(wanted)} lines expected, {len(found)} found")
    return wrong


def play(lines: list[str]) -> Iterator[str]:
    """The file as it comes out: its own game and events, with what the referee really says to them."""
    referee = begin(lines[0])
    yield lines[0]
    for line in lines[1:]:
        if line.startswith(">"):
            yield line
            for ruling in referee.judge(event(line[1:].strip())):
                yield "  " + written(ruling)
        elif line.startswith("="):
            table = referee.public
            yield f"= pot {table.pot}, {table.unit} {' '.join(str(seat.chips) for seat in table.seats)}"


def begin(line: str) -> Referee:
    """The table that the first line describes."""
    given: dict[str, str] = {}
    for part in line.split(","):
        name, value = part.replace("=", " ").split()
        given[name] = value
    game, seats, dealer = given.pop("game"), int(given.pop("seats")), int(given.pop("dealer"))
    options = {name: _option(value) for name, value in given.items()}
    return Referee(game_named(game, options), Seats(seats), Seat(dealer))


def event(text: str) -> Event:
    """One event as it is written; KeyError or ValueError when there is no such."""
    name, *given = text.split()
    if name == "Corrected":
        number, _, by = text.removeprefix("Corrected ").partition(" by")
        facts = tuple(event(part) for part in by.split(";") if part.strip())
        return Corrected(int(number), facts)  # type: ignore[arg-type]
    kind = FACTS[name]
    made: Event = kind(**{one.name: _value(one.name, value) for one, value in zip(fields(kind), given, strict=True)})
    return made


def written(ruling: Any) -> str:
    """One ruling as a playthrough writes it."""
    if isinstance(ruling, Withdrawn):
        return "Withdrawn " + written(ruling.ruling)
    return " ".join((type(ruling).__name__, *(_text(getattr(ruling, one.name)) for one in fields(ruling))))


def _text(value: Any) -> str:
    match value:
        case None | "" | ():
            return "-"
        case tuple():
            return ",".join("-".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in value)
        case _:
            return str(value)


def _value(field: str, text: str) -> Any:
    match field:
        case "seat" | "dealer":
            return Seat(int(text))
        case "card":
            return Card.parse(text)
        case _:
            return text


def _option(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else text
