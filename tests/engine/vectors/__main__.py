"""Play vector files and say what differs: ``python -m tests.engine.vectors FILE...``.

The last line is ``N passed, N failed``. Exit code 0: all passed; 1: some failed; 2: a file cannot be read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Runner = Callable[[dict[str, Any]], list[str]]


class Unreadable(Exception):
    """A file that holds no vectors; the text says why, in one line."""


def read(path: str) -> tuple[Runner, list[dict[str, Any]]]:
    """The runner of the file's game, and its vectors."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as wrong:
        raise Unreadable(f"cannot read {path}: {wrong.strerror or wrong}") from None
    except ValueError as wrong:
        raise Unreadable(f"{path} is not JSON: {wrong}") from None
    match found:
        case {"game": str(game), "vectors": list(vectors)} if all(isinstance(vector, dict) for vector in vectors):
            return runner(path, game), vectors
    raise Unreadable(f"{path} holds no vectors: it needs a game and a list of vectors")


def runner(path: str, game: str) -> Runner:
    """``run`` of the module here that plays *game*."""
    home = f"{__package__}.{game}"
    if not game.isidentifier() or find_spec(home) is None:
        raise Unreadable(f"{path}: nothing here plays vectors of {game!r}")
    run: Runner = import_module(home).run
    return run


def differences(run: Runner, vector: dict[str, Any]) -> list[str]:
    """What *vector* expects and does not get; a vector that cannot be played differs too."""
    try:
        return run(vector)
    except Exception as wrong:
        return [f"cannot be played: {type(wrong).__name__}: {wrong}"]


def report(vector: dict[str, Any], found: Sequence[str]) -> Iterator[str]:
    """The lines that say how *vector* failed."""
    yield f"FAILED {vector.get('id', '(no id)')} ({vector.get('kind', 'no kind')})"
    yield from (f"    {line}" for line in found)
    for name in ("clause", "quote", "note"):
        if vector.get(name):
            yield f"    {name}: {vector[name]}"


def main(paths: Sequence[str]) -> int:
    if not paths:
        print("which vector files? python -m tests.engine.vectors FILE...", file=sys.stderr)
        return 2
    try:
        files = [read(path) for path in paths]
    except Unreadable as wrong:
        print(wrong, file=sys.stderr)
        return 2
    passed = failed = 0
    for run, vectors in files:
        for vector in vectors:
            found = differences(run, vector)
            passed, failed = (passed, failed + 1) if found else (passed + 1, failed)
            print(*report(vector, found), sep="\n") if found else None
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
