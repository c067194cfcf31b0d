"""House rules: exactly those of the rule sheets, with their values and defaults; wrong ones are named."""

from __future__ import annotations

import json
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES, game_named, options_of

PRINTED: dict[str, Any] = json.loads((Path(__file__).parent / "options.json").read_text(encoding="utf-8"))
HERE = [game for game in GAMES if find_spec(f"engine.games.{game}")]


@pytest.mark.parametrize("game", HERE)
def test_the_options_are_those_of_the_sheet(game: str) -> None:
    kind = getattr(import_module(f"engine.games.{game}"), f"{game.capitalize()}Options")
    options = {one.name: one for one in fields(kind)}
    assert list(options) == list(PRINTED[game])
    for name, printed in PRINTED[game].items():
        held = options[name].metadata
        assert options[name].default == printed["default"], name
        assert type(options[name].default) is type(printed["default"]), name
        if isinstance(printed["values"], str):  # "1..50", or "0.." without an end
            least, most = printed["values"].split("..")
            assert (held["least"], held["most"]) == (int(least), int(most) if most else None), name
        else:
            assert sorted(map(repr, held["values"])) == sorted(map(repr, printed["values"])), name


@pytest.mark.parametrize("game", HERE)
def test_every_value_of_every_option_reads_back(game: str) -> None:
    for name, printed in PRINTED[game].items():
        values = printed["values"]
        ends = [int(end) for end in values.split("..") if end] if isinstance(values, str) else values
        for value in ends:
            made = game_named(game, {name: value})
            assert options_of(made)[name] == value
            assert game_named(game, options_of(made)) == made


WRONG = [
    # game    options                    the error names
    ("gurka", {"card": 6},               "no option 'card'.*cards"),
    ("gurka", {"cards": 8},              "cards is 8; it may be 6 or 7"),
    ("gurka", {"cards": "6"},            "cards is '6'"),
    ("gurka", {"must_beat": 1},          "must_beat is 1; it may be True or False"),
    ("gurka", {"lives": True},           "lives is True; it may be 1 or 2"),
    ("gurka", {"stake": -1},             "stake is -1; it may be a whole number from 0"),
    ("gurka", {"stake": 1.0},            "stake is 1.0"),
    ("gurka", {"preset": "norsk"},       "preset is 'norsk'.*dansk"),
    ("gurka", {"preset": ["dansk"]},     "preset is"),
    ("whist", {},                        "unknown game 'whist'; there are gnav, gurka"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "options", "named"), WRONG)
def test_a_wrong_option_is_named(game: str, options: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        game_named(game, options)
