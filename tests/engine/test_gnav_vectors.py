"""Gnav's worked examples of the rule sheet, each through the engine's public interface."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.vectors.gnav import run

HERE = Path(__file__).parent / "vectors"
VECTORS: list[dict[str, Any]] = [
    vector
    for name in ("gnav.json", "gnav_more.json")
    for vector in json.loads((HERE / name).read_text(encoding="utf-8"))["vectors"]
]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_a_worked_example_comes_out_as_printed(vector: dict[str, Any]) -> None:
    assert run(vector) == []


def _vector(id_: str) -> dict[str, Any]:
    return copy.deepcopy(next(vector for vector in VECTORS if vector["id"] == id_))


WRONG = [
    # vector                 what to spoil   with what
    ("g01-order", "low_to_high", ["NARR"]),
    ("g03-dragon", "pay", {"A": 1}),
    ("g03-dragon", "losers", ["B"]),
    ("g08-two-fools", "get", {"A": 0}),
    ("g10-dealer-bag", "undetermined", []),
    ("g11-number-cannot-refuse", "violations", []),
    ("g11-number-cannot-refuse", "violations", [{"who": "B", "type": "false_call", "event": 0}]),
    ("g12-out", "out", []),
    ("g12-out", "pot", 9),
    ("g26-two-player-two-fools", "void", False),
    ("g02-cuckoo", "something_new", 1),
    ("gm27-stock-limit", "owed", {"A": 1}),
    ("gm36-last-one-wins", "winners", []),
    ("gm70-third-horse", "violations", [{"who": "D", "type": "third_call"}]),
    ("gm70-third-horse", "violations", [{"who": "D", "type": "false_call", "piece": "II"}]),
    ("gm38-knock-missing", "violations", [{"who": "A", "type": "false_knock"}]),
]  # fmt: skip


@pytest.mark.parametrize(("id_", "name", "value"), WRONG)
def test_a_spoiled_example_is_told_apart(id_: str, name: str, value: object) -> None:
    vector = _vector(id_)
    vector["expect"][name] = value
    assert run(vector) != []


def test_a_round_that_is_never_finished_differs() -> None:
    vector = _vector("g02-cuckoo")
    vector["input"]["shown"].pop("A")
    assert run(vector) == ["the round is not over when all has been said and shown"]


SAID_OTHERWISE = [
    # vector               part     of it          said otherwise
    ("g04-cat",            "input", "pot",         None),
    ("g04-cat",            "input", "stakes",      None),
    ("g04-cat",            "input", "knocks",      None),
    ("gm56-aside-shown",   "input", "aside",       "NARR"),
    ("gm59-redraw",        "input", "aside",       ["II", "HEST"]),
    ("gm38-knock-missing", "expect", "violations", [{"who": "A", "type": "missed_knock", "event": "deal"}]),
    ("gm33-replay",        "expect", "annulled",   True),
    ("gm36-last-one-wins", "expect", "winner",     "G"),
    ("g09-tie-lowest",     "expect", "violations", None),
    ("gm72-knock-and-call", "expect", "violations", [{"who": "B", "type": "false_knock"}]),
]  # fmt: skip


@pytest.mark.parametrize(("id_", "part", "name", "value"), SAID_OTHERWISE)
def test_what_may_be_left_out_or_said_otherwise(id_: str, part: str, name: str, value: object) -> None:
    vector = _vector(id_)
    if value is None:
        vector[part].pop(name, None)
    else:
        vector[part][name] = value
    assert run(vector) == []


@pytest.mark.parametrize("words", ["Kiss, bytt om!", "KISS BYTT OM", "kiss,  bytt om."])
def test_a_call_is_known_however_it_is_written(words: str) -> None:
    vector = _vector("g04-cat")
    vector["input"]["events"][3]["say"] = words
    assert run(vector) == []
