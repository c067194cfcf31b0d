"""House rules as data: a game's options are a frozen dataclass whose fields carry what they may hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, field, fields
from typing import Any, TypeVar

Options = TypeVar("Options")


def one_of(*values: object) -> Any:
    """An option that holds one of *values*; the first is the default."""
    return field(default=values[0], metadata={"values": values})


def number(default: int, least: int, most: int | None = None) -> Any:
    """A whole number from *least* to *most* (None: no upper end)."""
    return field(default=default, metadata={"least": least, "most": most})


def read_options(kind: type[Options], given: Mapping[str, object], game: str) -> Options:
    """Make *kind* from *given* names and values; ValueError names the option, what it holds and what it may be.

    Where *kind* has ``PRESETS``, the option ``preset`` sets what is not given.
    """
    known = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    for name, value in given.items():
        if name not in known:
            raise ValueError(f"{game} has no option {name!r}; it has {', '.join(sorted(known))}")
        if not _fits(known[name], value):
            raise ValueError(f"{game}: option {name} is {value!r}; it may be {allowed(known[name])}")
    presets: Mapping[object, Mapping[str, object]] = getattr(kind, "PRESETS", {})
    return kind(**{**presets.get(given.get("preset"), {}), **given})


def allowed(option: Field[Any]) -> str:
    """What *option* may hold, in words."""
    if "values" in option.metadata:
        return " or ".join(map(repr, option.metadata["values"]))
    least, most = option.metadata["least"], option.metadata["most"]
    return f"a whole number from {least}" + (f" to {most}" if most is not None else "")


def _fits(option: Field[Any], value: object) -> bool:
    if "values" in option.metadata:  # 1 == True in Python, so the type counts as well
        return any(value == one and type(value) is type(one) for one in option.metadata["values"])
    if type(value) is not int:
        return False
    least, most = option.metadata["least"], option.metadata["most"]
    return bool(value >= least and (most is None or value <= most))
