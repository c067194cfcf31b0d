"""``gjok run`` on a folder of photographs: the main job on pictures, without a camera."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from controller.keep import read_journal
from controller.simulated.camera import SimulatedCamera
from controller.simulated.players import next_deed
from controller.simulated.world import World
from engine.events import Dealt
from engine.games import game_named
from engine.seats import Seat, Seats
from vision.nets import MODELS
from vision.zones import layout

pytestmark = pytest.mark.skipif(not (MODELS / "localiser.onnx").exists(), reason="the models are not trained yet")


@pytest.mark.timeout(120)
def test_a_folder_of_photographs_is_refereed(tmp_path: Path) -> None:
    world = World(game_named("gurka"), Seats(2), Seat(1), 5)
    camera = SimulatedCamera(world, layout("gurka", 2))
    (tmp_path / "photos").mkdir()
    while world.deals < 1 or not any(one.event is Dealt for one in world.truth.awaits):
        world.do(next_deed(world, 0.0))
        cv2.imwrite(str(tmp_path / "photos" / f"{len(world.deeds):03}.png"), camera.picture())
    (tmp_path / "table.toml").write_text(
        "game = 'gurka'\ncamera = {folder = 'photos', shots = 5}\ndata = 'evening'\n"
        "[players]\nseats = 2\n[mqtt]\nport = 0\n[web]\nport = 0\n[speaker]\nplayer = 'files'\n"
    )
    done = subprocess.run(
        [str(Path(sys.executable).with_name("gjok")), "run", str(tmp_path / "table.toml")],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    facts = read_journal(tmp_path / "evening" / "table.journal")[1]
    assert facts[:-2] == world.facts[:-2]
    assert sorted(map(repr, facts[-2:])) == sorted(map(repr, world.facts[-2:]))  # turned up at once
    assert "poeng" in done.stdout
    assert list((tmp_path / "evening" / "sounds").glob("*.wav"))
