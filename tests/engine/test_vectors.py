"""The worked examples of the sheets, and their runner: what it prints and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.engine.vectors.gurka import run

HERE = Path(__file__).parent / "vectors"
ROOT = HERE.parents[2]


def vectors(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((HERE / name).read_text(encoding="utf-8"))["vectors"]
    return found


GURKA = [*vectors("gurka.json"), *vectors("gurka_more.json")]


@pytest.mark.parametrize("vector", GURKA, ids=lambda vector: str(vector["id"]))
def test_gurka(vector: dict[str, Any]) -> None:
    assert run(vector) == []


@pytest.mark.parametrize("vector", GURKA, ids=lambda vector: str(vector["id"]))
def test_a_vector_that_expects_something_else_differs(vector: dict[str, Any]) -> None:
    for name, value in vector["expect"].items():
        other = {"violations": [{"player": "?"}], "out": ["?"], "legal": ["2", "A"]}.get(name, "?")
        assert other != value
        assert run({**vector, "expect": {name: other}}), name


def runner(*paths: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.engine.vectors", *paths]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_all_passed() -> None:
    done = runner(str(HERE / "gurka.json"), str(HERE / "gurka_more.json"))
    assert (done.returncode, done.stdout) == (0, f"{len(GURKA)} passed, 0 failed\n")


def test_failures_are_told_with_what_the_rules_say(tmp_path: Path) -> None:
    wrong = {**GURKA[0], "expect": {"winner": "P3"}, "clause": "U9"}
    unknown = {"id": "u99", "kind": "sneeze", "input": {}, "expect": {}}
    broken = {"id": "u98", "kind": "deal_score", "input": {}, "expect": {}}
    file = tmp_path / "some.json"
    file.write_text(json.dumps({"game": "gurka", "vectors": [wrong, GURKA[1], unknown, broken]}), encoding="utf-8")
    done = runner(str(file))
    assert done.returncode == 1
    told = done.stdout.splitlines()
    assert told[:2] == ["FAILED u01-four-player-winner (trick_winner)", "    winner: expected P3, got P2"]
    assert "    clause: U9" in told
    assert f"    quote: {GURKA[0]['quote']}" in told
    assert any("unknown kind 'sneeze'" in line for line in told)
    assert any("cannot be played" in line for line in told)
    assert told[-1] == "1 passed, 3 failed"


UNREADABLE = [
    # content                                   the line says
    (None,                                      "No such file"),
    ("{",                                       "is not JSON"),
    ("[]",                                      "holds no vectors"),
    ('{"game": "gurka"}',                       "holds no vectors"),
    ('{"game": "gurka", "vectors": [1]}',       "holds no vectors"),
    ('{"game": "whist", "vectors": []}',        "nothing here plays vectors of 'whist'"),
    ('{"game": "../gurka", "vectors": []}',     "nothing here plays"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "says"), UNREADABLE)
def test_a_file_that_cannot_be_read_is_named_in_one_line(tmp_path: Path, content: str | None, says: str) -> None:
    file = tmp_path / "some.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    done = runner(str(file), str(HERE / "gurka.json"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert str(file) in done.stderr
    assert says in done.stderr


def test_no_file_at_all() -> None:
    assert runner().returncode == 2
