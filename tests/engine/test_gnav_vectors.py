"""Gnav's worked examples of the rule sheet, each through the engine's public interface."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.vectors.gnav import run

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "vectors" / "gnav.json").read_text("utf-8"))[
    "vectors"
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
