"""Lines of a journal: every event reads back, and a line that is none says what is wrong."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, get_args

import pytest

from engine.cards import Card
from engine.events import CardPlayed, Corrected, Dealt, Event, Fact
from engine.journal import Header, JournalError, event_line, header_line, read_event, read_header
from engine.seats import Seat

A_VALUE: dict[str, Any] = {"seat": Seat(3), "dealer": Seat(2), "piece": "GJØK", "card": Card.parse("Td")}
EVERY_FACT: list[Fact] = [kind(**{one.name: A_VALUE[one.name] for one in fields(kind)}) for kind in get_args(Fact)]


@pytest.mark.parametrize("event", [*EVERY_FACT, Corrected(7, ()), Corrected(7, tuple(EVERY_FACT))], ids=str)
def test_every_event_reads_back(event: Event) -> None:
    line = event_line(event)
    assert "\n" not in line
    assert read_event(line) == event


def test_a_header_reads_back() -> None:
    header = Header("gurka", 4, Seat(2), {"cards": 7, "must_beat": False, "bust": ">"})
    assert read_header(header_line(header)) == header


BAD_EVENTS = [
    # line                                                       the error says
    ("",                                                         "not JSON"),
    ('{"event": "CardPla',                                       "not JSON"),
    ("[1]",                                                      "not an object"),
    ('{"event": "Sneezed", "seat": 1}',                          "unknown event 'Sneezed'"),
    ('{"seat": 1}',                                              "unknown event None"),
    ('{"event": "Dealt"}',                                       "Dealt has dealer"),
    ('{"event": "Dealt", "dealer": 1, "seat": 2}',               "Dealt has dealer, not"),
    ('{"event": "Dealt", "dealer": "1"}',                        "Dealt.dealer cannot be '1'"),
    ('{"event": "Dealt", "dealer": true}',                       "Dealt.dealer cannot be True"),
    ('{"event": "CardPlayed", "seat": 1, "card": "1h"}',         "CardPlayed.card: not a card: '1h'"),
    ('{"event": "CardPlayed", "seat": 1, "card": 7}',            "CardPlayed.card cannot be 7"),
    ('{"event": "Corrected", "event_no": 1, "by": [3]}',         "Corrected.by cannot be"),
    ('{"event": "Corrected", "event_no": 1, "by": [{"event": "Dealt"}]}', "Dealt has dealer"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "says"), BAD_EVENTS)
def test_a_line_that_is_no_event_says_why(line: str, says: str) -> None:
    with pytest.raises(JournalError, match=says):
        read_event(line)


BAD_HEADERS = [
    # change                    the error says
    ({"gjok": 2},               "not a journal of version 1: gjok is 2"),
    ({"gjok": None},            "gjok is None"),
    ({"game": 3},               "lacks game"),
    ({"options": []},           "lacks game"),
    ({"seats": "4"},            "lacks game"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "says"), BAD_HEADERS)
def test_a_line_that_is_no_header_says_why(change: dict[str, object], says: str) -> None:
    line = json.dumps({**json.loads(header_line(Header("gnav", 4, Seat(1), {}))), **change})
    with pytest.raises(JournalError, match=says):
        read_header(line)


def test_an_event_of_another_kind_inside_a_correction_is_kept_apart() -> None:
    first = Corrected(1, (Dealt(Seat(1)), CardPlayed(Seat(1), Card.parse("2c"))))
    assert read_event(event_line(first)) == first
