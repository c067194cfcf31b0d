"""Topics and payloads: what is said where, and that the schema files say the same."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.phrases import LANGUAGES
from controller.topics import (
    PAYLOADS,
    Message,
    Meta,
    RefereeEvent,
    availability_topic,
    event,
    is_event,
    meta,
    schema_files,
    snapshots,
)
from engine.rulings import CallSpoken, Fault, Paid, TurnIs, Withdrawn
from engine.seats import Seat
from tests.controller.views import NAMES, a_gnav_view, a_gurka_view

SCHEMAS = Path(__file__).parents[2] / "controller" / "schemas"


def told(messages: tuple[Message, ...]) -> dict[str, Any]:
    return {message.topic: json.loads(message.payload) for message in messages}


def test_the_state_of_a_gnav_table() -> None:
    said = told(snapshots(a_gnav_view(), publish_names=False))
    assert sorted(said) == sorted(
        [
            "gjok/kitchen/state/table",
            "gjok/kitchen/state/health",
            *(f"gjok/kitchen/state/seat/{n}" for n in range(1, 7)),
        ]
    )
    assert said["gjok/kitchen/state/table"] == {
        "v": 1,
        "session": "s1",
        "seq": 7,
        "game": "gnav",
        "unit": "tokens",
        "phase": "swaps",
        "deal": 4,
        "dealer": 5,
        "to_act": 3,
        "pot": 3,
        "attention": None,
        "trick": [],
        "winners": [],
    }
    assert said["gjok/kitchen/state/seat/2"] == {
        "v": 1,
        "seat": 2,
        "name": None,
        "chips": 5,
        "to_act": False,
        "dealer": False,
        "playing": True,
        "in_deal": True,
        "marks": ["called:DRAGON"],
        "laid": [],
    }


def test_the_state_of_a_gurka_table_with_a_question_and_a_dead_board() -> None:
    said = told(snapshots(a_gurka_view(), publish_names=False))
    assert said["gjok/kitchen/state/table"]["attention"] == "which"
    assert said["gjok/kitchen/state/table"]["trick"] == [{"seat": 2, "card": "9c"}, {"seat": 3, "card": "Td"}]
    assert said["gjok/kitchen/state/health"] == {
        "v": 1,
        "devices": {"camera": True, "board": False},
        "why": {"board": "no board at /dev/ttyACM0; plug it in"},
    }


def test_states_are_retained_and_events_are_not() -> None:
    view = a_gnav_view()
    assert all(message.retain for message in (*snapshots(view, publish_names=False), meta(view, "0.1.0")))
    assert not event(view, "r", 1, 7, Paid(Seat(1), 1, 1, "G14"), publish_names=False).retain


def test_a_fault_is_told_in_every_language_with_its_code_and_clause() -> None:
    fault = Fault(Seat(2), "G18", 3, "made_up_for_a_test", 7)
    message = event(a_gnav_view(), "r", 12, 7, fault, publish_names=False)
    said = msgspec.json.decode(message.payload, type=RefereeEvent)
    assert message.topic == "gjok/kitchen/event/referee"
    assert (said.run, said.seq, said.event_no, said.event_type) == ("r", 12, 7, "fault")
    assert (said.seat, said.code, said.clause) == (2, "made_up_for_a_test", "G18")
    assert set(said.text) == set(LANGUAGES)
    assert all("§G18" in text for text in said.text.values())


@pytest.mark.parametrize(
    ("ruling", "kind", "seat", "code", "clause"),
    [
        (CallSpoken(Seat(3), "HUGG AV"), "call_spoken", 3, "HUGG AV", None),
        (Withdrawn(Fault(Seat(2), "U6", 1, "not_lowest", 2)), "withdrawn", 2, "not_lowest", "U6"),
        (Paid(Seat(1), 1, 1, "G14"), "paid", 1, None, "G14"),
    ],
)
def test_what_an_event_says_of_a_ruling(
    ruling: Any, kind: str, seat: int, code: str | None, clause: str | None
) -> None:
    said = msgspec.json.decode(event(a_gnav_view(), "r", 1, 7, ruling, publish_names=False).payload, type=RefereeEvent)
    assert (said.event_type, said.seat, said.code, said.clause) == (kind, seat, code, clause)


def test_whose_turn_it_is_is_state_and_no_event() -> None:
    assert not is_event(TurnIs(Seat(1)))
    assert is_event(Paid(Seat(1), 1, 1, "G14"))


@pytest.mark.parametrize("publish_names", [False, True])
def test_names_leave_only_with_consent(publish_names: bool) -> None:
    view = a_gnav_view()
    rulings = [Paid(seat.public.seat, 1, 1, "G14") for seat in view.seats]
    messages = [*snapshots(view, publish_names=publish_names), meta(view, "0.1.0")]
    messages += [event(view, "r", 1, 7, ruling, publish_names=publish_names) for ruling in rulings]
    everything = b"".join(message.payload for message in messages).decode()
    assert [name in everything for name in NAMES if name] == [publish_names] * 5


@pytest.mark.parametrize(
    ("table", "topic"),
    [
        ("kitchen", "gjok/kitchen"),
        ("a/b+c#d e", "gjok/a_b_c_d_e"),
        ("stue_1", "gjok/stue_1"),
        ("kjøkken", "gjok/kjøkken"),
    ],
)
def test_a_tables_name_cannot_break_its_topics(table: str, topic: str) -> None:
    view = replace(a_gnav_view(), table=table)
    said = [
        *snapshots(view, publish_names=False),
        meta(view, "1"),
        event(view, "r", 1, 1, Paid(Seat(1), 1, 1, "G22"), publish_names=False),
    ]
    assert {message.topic.rpartition("/state/")[0] or message.topic.rpartition("/")[0] for message in said} == {
        topic,
        f"{topic}/event",
    }
    assert availability_topic(table) == f"{topic}/availability"


def test_equal_views_give_equal_bytes_and_a_new_event_number_changes_the_table_only() -> None:
    before, same, after = (snapshots(a_gnav_view(seq), publish_names=False) for seq in (7, 7, 8))
    assert before == same
    assert [message.topic for message in after if message not in before] == ["gjok/kitchen/state/table"]


def test_meta_says_who_publishes() -> None:
    said = msgspec.json.decode(meta(a_gnav_view(), "9.9").payload, type=Meta)
    assert (said.app, said.game, said.seats) == ("9.9", "gnav", 6)


def test_the_schema_files_are_those_of_the_payloads() -> None:
    wanted = schema_files()
    found = {path.name: path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*.json")}
    assert found == wanted, "write them again: python -m controller.topics"


def test_every_payload_fits_its_schema() -> None:
    view = replace(a_gnav_view(), question=a_gurka_view().question)
    messages = {
        "meta": [meta(view, "0.1.0")],
        "event_referee": [event(view, "r", 1, 7, Paid(Seat(1), 1, 1, "G14"), publish_names=True)],
        "state_table": [one for one in snapshots(view, publish_names=True) if one.topic.endswith("/table")],
        "state_seat": [one for one in snapshots(view, publish_names=True) if "/seat/" in one.topic],
        "state_health": [one for one in snapshots(view, publish_names=True) if one.topic.endswith("/health")],
    }
    assert set(messages) == set(PAYLOADS)
    for name, some in messages.items():
        schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
        root = schema["$defs"][schema["$ref"].rpartition("/")[2]]
        for message in some:
            payload = json.loads(message.payload)
            assert set(payload) == set(root["properties"])
            msgspec.json.decode(message.payload, type=PAYLOADS[name], strict=True)
