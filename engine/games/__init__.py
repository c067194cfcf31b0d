"""The games the referee knows, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from typing import Any

from engine.game import Game
from engine.options import read_options

_HOMES = {"gnav": "Gnav", "gurka": "Gurka"}
"""Each game's module in this package, and its class there; ``<Class>Options`` stands beside it."""

GAMES: tuple[str, ...] = tuple(_HOMES)


def game_named(name: str, options: Mapping[str, object] | None = None) -> Game[Any]:
    """The game *name* by the house rules *options* (those not named keep their default).

    ValueError names an unknown game, option or value and what there is.
    """
    if name not in _HOMES:
        raise ValueError(f"unknown game {name!r}; there are {', '.join(GAMES)}")
    home = import_module(f"engine.games.{name}")
    kind = _HOMES[name]
    chosen = read_options(getattr(home, f"{kind}Options"), options or {}, name)
    game: Game[Any] = getattr(home, kind)(chosen)
    return game


def options_of(game: Game[Any]) -> dict[str, object]:
    """All house rules of *game*, by name."""
    return asdict(game.options)  # type: ignore[attr-defined]
