"""``gjok demo``: the same seed plays the same evening, a kill loses nothing, Ctrl-C ends it cleanly."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kill_and_resume import soak

GJOK = str(Path(sys.executable).with_name("gjok"))
pytestmark = pytest.mark.timeout(280)


def outcome(*words: str) -> dict[str, object]:
    command = [GJOK, "demo", "--headless", "--fast", "--json", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    del found["seconds"]
    return found


def test_the_same_seed_plays_the_same_evening() -> None:
    words = ("--players", "4", "--deals", "2", "--seed", "5", "--cheat", "0.3")
    first = outcome(*words)
    assert first["agrees"]
    assert first["deals"] == 2
    assert outcome(*words) == first
    assert outcome("--players", "4", "--deals", "2", "--seed", "6", "--cheat", "0.3") != first


@pytest.mark.parametrize(("game", "players"), [("gnav", 4), ("gurka", 3)])
def test_killed_at_any_moment_it_goes_on(game: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    lost = soak(2, game, players, seed=2, deals=1)
    assert lost == 0, capsys.readouterr().out


def test_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    terminal, ours = pty.openpty()
    demo = subprocess.Popen(
        [GJOK, "demo", "--headless", "--fast", "--players", "3", "--folder", str(tmp_path)],
        stdin=ours,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    os.close(ours)
    assert demo.stdout is not None
    for line in demo.stdout:
        if "Vis opp" in line:
            break
    demo.send_signal(signal.SIGINT)
    said, complaints = demo.communicate(timeout=60)
    os.close(terminal)
    assert demo.returncode == 0, complaints
    assert "Traceback" not in complaints
    assert "Chips equal the truth" in said
