"""Who may import whom: data flows one way, and the engine touches nothing of the world."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("engine", "vision", "hardware", "controller", "firmware", "tests")
MAY_IMPORT = {
    "engine": ("engine",),
    "vision": ("vision", "engine.cards", "engine.pieces", "engine.seats"),
    "hardware": ("hardware", "firmware.wire"),
    "firmware": (),
    "controller": OURS[:-1],
}
WORLDLY = {
    *("os", "sys", "io", "pathlib", "tempfile", "shutil", "glob", "fileinput"),
    *("random", "secrets", "uuid", "time", "datetime", "sched"),
    *("socket", "ssl", "select", "selectors", "http", "urllib"),
    *("asyncio", "threading", "multiprocessing", "concurrent", "queue", "subprocess", "signal"),
    *("logging", "ctypes", "mmap", "sqlite3"),
}
"""Standard modules with a clock, chance, files, threads or the network in them."""


def imported(file: Path) -> Iterator[tuple[str, bool]]:
    """Each module that *file* imports, and whether only for its types."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    typing = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from ((name.name, node in typing) for name in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from ((f"{module}.{name.name}", node in typing) for name in names)
            case ast.ImportFrom():
                yield f"{file}: a relative import", False


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def is_within(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_of_ours_only_what_it_may(package: str) -> None:
    for file in files(package):
        for module, _ in imported(file):
            assert "relative import" not in module, module
            if any(is_within(module, ours) for ours in OURS):
                own_name = package == "firmware" and file.parent.name == package
                assert own_name or any(is_within(module, one) for one in MAY_IMPORT[package]), f"{file}: {module}"


def test_the_engine_is_pure() -> None:
    found = files("engine")
    assert ROOT / "engine" / "referee.py" in found
    for file in found:
        for module, only_types in imported(file):
            top = module.split(".")[0]
            assert top == "engine" or top in sys.stdlib_module_names, f"{file} imports {module}"
            chance_passed_in = file.name in ("bots.py", "simulate.py") and top == "random" and only_types
            assert top not in WORLDLY or chance_passed_in, f"{file} imports {module}"


def test_the_engine_opens_and_prints_nothing() -> None:
    for file in files("engine"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("open", "print", "input", "exec", "eval"), f"{file}:{node.lineno}"
