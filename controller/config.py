"""``table.toml``: what is connected to this table and what is played at it, checked before anything starts."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from controller.errors import Mendable

LANGUAGES = ("nb", "sv", "da", "fi", "en")
CONSOLE_KEYS = ("se", "vis_opp", "neste", "angre", "minus", "plus", "ok", "gjok", "dragon", "katt", "hest", "hus")
SEAT_KEYS = ("staar", "bytte", "bank")


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One input line of an expander: kernel gpiochip *chip*, its line *line*."""

    chip: int
    line: int


class Players(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[players]``"""

    seats: int = 6
    names: tuple[str, ...] = ()
    """One a seat, or none at all."""
    dealer: int = 1
    """Seat of the first dealer."""
    publish_names: bool = False
    """Whether names leave the table over MQTT."""


class Camera(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[camera]``: one of *folder*, *video*, *device*, *pi*; none of them: no camera."""

    folder: str = ""
    """A folder of photographs, taken in name order."""
    video: str = ""
    device: str = ""
    """A USB camera: ``/dev/video0``."""
    pi: bool = False
    """The Pi's own camera."""
    width: int = 1600
    height: int = 900
    shots: int = 5
    """How often one photograph of a folder is looked at: readings are votes over frames."""
    corners: tuple[tuple[float, float], ...] = ()
    """Where the mat's corners lie in the picture (x, y; from top left, clockwise), when it has no markers."""


class Mat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[mat]``: its size."""

    width_mm: float = 1100.0
    height_mm: float = 650.0


class Buttons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[buttons]``: GPIO numbers of the header, or ``{chip = 1, line = 3}`` of an expander.

    *factory* is ``lgpio`` on a Pi; ``keyboard`` takes lines typed at the terminal instead; ``mock`` is for tests.
    """

    factory: Literal["keyboard", "lgpio", "mock", "none"] = "keyboard"
    console: dict[str, int | Line] = {}
    seats: tuple[dict[str, int | Line], ...] = ()


class Speaker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[speaker]``: *player* auto takes the sound card when there is one, and else writes WAV files."""

    player: Literal["auto", "sound_card", "files", "silent"] = "auto"
    language: Literal["nb", "sv", "da", "fi", "en"] = "nb"
    recordings: str = ""
    """A folder of one's own recordings."""


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[board]``: the display board's serial port; empty: none."""

    port: str = ""


class Mqtt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[mqtt]``: *broker* is ``embedded``, ``none``, or a host name."""

    broker: str = "embedded"
    port: int = 1883
    username: str = ""
    password: str = ""


class Web(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[web]``: the board page."""

    host: str = "127.0.0.1"
    port: int = 8080
    """0: any free port."""


class TableConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of ``table.toml``."""

    table: str = "table"
    game: str = "gnav"
    options: dict[str, Any] = {}
    """House rules of the game; see the rule sheet."""
    data: str = "gjok-data"
    """Folder of the journals; relative to table.toml."""
    players: Players = Players()
    camera: Camera = Camera()
    mat: Mat = Mat()
    buttons: Buttons = Buttons()
    speaker: Speaker = Speaker()
    board: Board = Board()
    mqtt: Mqtt = Mqtt()
    web: Web = Web()


def read_config(path: Path) -> TableConfig:
    """Read and check *path*; Mendable names the key, what it holds and what it may be."""
    try:
        with path.open("rb") as file:
            found = tomllib.load(file)
    except OSError as wrong:
        raise Mendable(f"{path}: cannot read it ({wrong.strerror}); gjok run needs a table.toml") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise Mendable(f"{path}: not TOML: {wrong}") from None
    return check_config(found, str(path))


def check_config(found: dict[str, Any], where: str) -> TableConfig:
    """Make a configuration of *found*; Mendable as ``read_config``."""
    _unknown(TableConfig, found, where, "")
    try:
        config = msgspec.convert(found, TableConfig)
    except msgspec.ValidationError as wrong:
        what, _, key = str(wrong).partition(" - at ")
        key = key.strip("`").removeprefix("$.")
        may_be = _choices(key)
        why = f"it may be {', '.join(may_be)}" if may_be else f"{what[:1].lower()}{what[1:]}"
        raise Mendable(f"{where}: {key or 'the file'} = {_value_at(found, key)!r}: {why}") from None
    for problem in _problems(config):
        raise Mendable(f"{where}: {problem}")
    return config


def _problems(config: TableConfig) -> list[str]:
    """What no single key's type shows."""
    players = config.players
    problems = []
    if "\0" in config.data:
        problems.append(f"data = {config.data!r}: the name of a folder")
    if players.seats < 2:
        problems.append(f"players.seats = {players.seats}: at least 2")
    if players.names and len(players.names) != players.seats:
        problems.append(f"players.names has {len(players.names)} names for {players.seats} seats; one each, or none")
    if not 1 <= players.dealer <= players.seats:
        problems.append(f"players.dealer = {players.dealer}: a seat from 1 to {players.seats}")
    sources = [name for name in ("folder", "video", "device", "pi") if getattr(config.camera, name)]
    if len(sources) > 1:
        problems.append(f"camera has {' and '.join(sources)}; choose one")
    if config.camera.corners and len(config.camera.corners) != 4:
        problems.append(f"camera.corners has {len(config.camera.corners)} corners; the mat has 4")
    for name in config.buttons.console:
        if name not in CONSOLE_KEYS:
            problems.append(f"buttons.console.{name}: no such key; the console has {', '.join(CONSOLE_KEYS)}")
    for number, keys in enumerate(config.buttons.seats, 1):
        for name in keys:
            if name not in SEAT_KEYS:
                problems.append(f"buttons.seats[{number}].{name}: no such key; a seat has {', '.join(SEAT_KEYS)}")
    if len(config.buttons.seats) > players.seats:
        problems.append(f"buttons.seats has {len(config.buttons.seats)} seats; the table has {players.seats}")
    for name in ("width_mm", "height_mm"):
        if not 0 < getattr(config.mat, name) < math.inf:
            problems.append(f"mat.{name} = {getattr(config.mat, name)}: more than 0")
    for name in ("width", "height", "shots"):
        if getattr(config.camera, name) < 1:
            problems.append(f"camera.{name} = {getattr(config.camera, name)}: at least 1")
    if not config.mqtt.broker.strip():
        problems.append(f"mqtt.broker = {config.mqtt.broker!r}: embedded, none, or a host name")
    least = 0 if config.mqtt.broker in ("embedded", "none") else 1  # a broker of one's own is on a port that one knows
    for key, port, lowest in (("mqtt", config.mqtt.port, least), ("web", config.web.port, 0)):
        if not lowest <= port <= 65535:
            problems.append(f"{key}.port = {port}: a port from {lowest} to 65535")
    return problems


def _unknown(kind: type[msgspec.Struct], found: Any, where: str, path: str) -> None:
    if not isinstance(found, dict):
        return
    types = {one.name: one.type for one in msgspec.structs.fields(kind)}
    for name, value in found.items():
        if name not in types:
            raise Mendable(f"{where}: unknown key {path}{name}; {path.rstrip('.') or 'a table'} has {', '.join(types)}")
        inner = types[name]
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            _unknown(inner, value, where, f"{path}{name}.")


def _choices(key: str) -> tuple[str, ...]:
    """What *key* may hold, where that is one of a few words."""
    kind: Any = TableConfig
    for step in key.split("."):
        types = (
            {one.name: one.type for one in msgspec.structs.fields(kind)} if hasattr(kind, "__struct_fields__") else {}
        )
        kind = types.get(step)
    return get_args(kind) if get_origin(kind) is Literal else ()


def _value_at(found: Any, key: str) -> Any:
    for step in key.replace("[", ".").replace("]", "").split("."):
        if isinstance(found, dict) and step in found:
            found = found[step]
        elif isinstance(found, list) and step.isdigit() and int(step) < len(found):
            found = found[int(step)]
    return found
