"""table.toml: a mistake is named by key, what it holds and what it may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import TableConfig, read_config
from controller.errors import Mendable

MISTAKES = [
    # text                                        the one line says
    ('gam = "gnav"', r"unknown key gam; a table has table, game"),
    ("[players]\nseat = 3", r"unknown key players\.seat; players has seats"),
    ("[players]\nseats = 'six'", r"players\.seats = 'six': expected `int`, got `str`"),
    ("[players]\nseats = 1", r"players\.seats = 1: at least 2"),
    ('[players]\nseats = 3\nnames = ["Kari"]', r"1 names for 3 seats"),
    ("[players]\nseats = 3\ndealer = 4", r"players\.dealer = 4: a seat from 1 to 3"),
    ('camera = {folder = "a", video = "b"}', r"camera has folder and video; choose one"),
    ("camera = {corners = [[0, 0]]}", r"camera\.corners has 1 corners"),
    ('[speaker]\nlanguage = "is"', r"speaker\.language = 'is': it may be nb, sv, da, fi, en"),
    ("[buttons]\nconsole = {vis = 4}", r"buttons\.console\.vis: no such key; the console has se, vis_opp"),
    ("[buttons]\nseats = [{swap = 4}]", r"buttons\.seats\[1\]\.swap: no such key; a seat has staar, bytte, bank"),
    ("[mat]\nwidth_mm = 0", r"mat\.width_mm = 0.*more than 0"),
    ("[mat]\nwidth_mm = inf", r"mat\.width_mm = inf: more than 0"),
    ('camera = {folder = "a", shots = 0}', r"camera\.shots = 0: at least 1"),
    ("camera = {pi = true, width = -1}", r"camera\.width = -1: at least 1"),
    ("[mqtt]\nport = 99999", r"mqtt\.port = 99999: a port from 0 to 65535"),
    ("[mqtt]\nport = -1", r"mqtt\.port = -1: a port from 0 to 65535"),
    ('[mqtt]\nbroker = "house"\nport = 0', r"mqtt\.port = 0: a port from 1 to 65535"),
    ('[mqtt]\nbroker = ""', r"mqtt\.broker = '': embedded, none, or a host name"),
    ("[web]\nport = 70000", r"web\.port = 70000: a port from 0 to 65535"),
    ('data = "a\\u0000b"', r"data = 'a\\x00b': the name of a folder"),
    ("game = ", r"not TOML"),
]


@pytest.mark.parametrize(("text", "says"), MISTAKES)
def test_a_mistake_is_one_clear_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(Mendable, match=says) as told:
        read_config(path)
    assert "\n" not in str(told.value)
    assert str(told.value).startswith(f"{path}: ")


def test_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(Mendable, match=r"table\.toml: cannot read it \(No such file"):
        read_config(tmp_path / "table.toml")


def test_an_empty_file_is_a_gnav_table_for_six(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("")
    assert read_config(tmp_path / "table.toml") == TableConfig()
    assert TableConfig().players.seats == 6


def test_lines_of_header_and_expander(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text("[buttons]\nconsole = {se = 5}\nseats = [{bytte = {chip = 1, line = 3}}]")
    buttons = read_config(tmp_path / "t.toml").buttons
    assert buttons.console["se"] == 5
    line = buttons.seats[0]["bytte"]
    assert not isinstance(line, int)
    assert (line.chip, line.line) == (1, 3)
