"""Pictures from folders and videos, and from a child process that plays rpicam-vid."""

from __future__ import annotations

import asyncio
import itertools
import stat
import sys
import textwrap
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import CameraLost, CameraMissing, EndOfFrames, FolderSource, FrameSource, VideoSource
from hardware.live_camera import RpicamSettings, RpicamSource, V4L2Source

pytestmark = pytest.mark.timeout(30)

GREYS = (40, 120, 200)


def grey(value: int) -> np.ndarray:
    return np.full((48, 64, 3), value, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    for name, value in zip(("b.png", "a.PNG", "c.jpg"), (120, 40, 200), strict=True):
        done, data = cv2.imencode(Path(name).suffix.lower(), grey(value))
        assert done
        (folder / name).write_bytes(data.tobytes())
    (folder / "labels.json").write_text("{}")
    return folder


async def until_the_end(source: FrameSource) -> list[tuple[int, int]]:
    out = []
    try:
        while True:
            frame = await source.next()
            assert frame.pixels.dtype == np.uint8
            assert frame.pixels.shape == (48, 64, 3)
            out.append((frame.number, round(float(frame.pixels.mean()))))
    except EndOfFrames:
        await source.close()
        return out


def test_a_folder_is_taken_in_name_order_and_ends(folder: Path) -> None:
    assert asyncio.run(until_the_end(FolderSource(folder))) == [(0, 40), (1, 120), (2, 200)]


def test_each_picture_is_looked_at_several_times(folder: Path) -> None:
    got = asyncio.run(until_the_end(FolderSource(folder, shots=2)))
    assert got == [(0, 40), (1, 40), (2, 120), (3, 120), (4, 200), (5, 200)]


def test_the_last_picture_may_stay(folder: Path) -> None:
    async def play() -> None:
        source = FolderSource(folder, repeat_last=True)
        frames = [await source.next() for _ in range(6)]
        assert [round(float(frame.pixels.mean())) for frame in frames] == [40, 120, 200, 200, 200, 200]
        assert [frame.number for frame in frames] == list(range(6))
        frames[4].pixels[:] = 0  # whoever draws into a picture does not draw into the next
        assert frames[5].pixels.mean() > 190
        assert all(a.at <= b.at for a, b in itertools.pairwise(frames))

    asyncio.run(play())


def test_a_video_is_played_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for value in GREYS:
        writer.write(grey(value))
    writer.release()
    got = asyncio.run(until_the_end(VideoSource(file)))
    assert [number for number, _ in got] == [0, 1, 2]
    assert [value for _, value in got] == pytest.approx(GREYS, abs=3)


def test_what_is_not_there_or_no_picture_is_named(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(CameraMissing, match=r"no folder .*nowhere.*camera\.folder"):
        FolderSource(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(CameraMissing, match="no pictures in"):
        FolderSource(tmp_path / "empty")
    with pytest.raises(CameraMissing, match=r"no file .*film\.mp4"):
        VideoSource(tmp_path / "film.mp4")
    (tmp_path / "film.mp4").write_bytes(b"this is no film")
    with pytest.raises(CameraMissing, match=r"film\.mp4 is no video"):
        VideoSource(tmp_path / "film.mp4")
    with pytest.raises(CameraMissing, match=r"no camera /dev/video77: plug it in"):
        V4L2Source("/dev/video77")
    with pytest.raises(CameraMissing, match=r"no no-such-program here.*rpicam-apps"):
        RpicamSource(RpicamSettings(program="no-such-program"))
    with pytest.raises(ValueError, match="multiple of 64"):
        RpicamSource(RpicamSettings(width=1000))
    (folder / "aa.png").write_bytes(b"")
    with pytest.raises(CameraMissing, match=r"aa\.png is no picture"):
        asyncio.run(until_the_end(FolderSource(folder)))


def test_a_device_that_is_no_camera_is_lost_with_a_reason() -> None:
    async def play() -> None:
        source = V4L2Source("/dev/null", tries=2)
        with pytest.raises(CameraLost, match=r"it cannot be opened.*started 2 times: pull its plug"):
            await source.next()

    asyncio.run(play())


class FakeRpicam:
    """A program that takes rpicam-vid's options and writes raw pictures, as *acts* says, one act a start."""

    def __init__(self, folder: Path, *acts: str) -> None:
        self.calls = folder / "calls"
        self.path = folder / "rpicam-vid"
        self.path.write_text(
            f"#!{sys.executable}\n"
            + textwrap.dedent(f"""
                import os, sys, time
                calls = {str(self.calls)!r}
                acts = {acts!r}
                started = sum(1 for _ in open(calls)) if os.path.exists(calls) else 0
                with open(calls, "a") as file:
                    file.write(" ".join(sys.argv[1:]) + "\\n")
                option = dict(zip(sys.argv[1:], sys.argv[2:]))
                width, height = int(option["--width"]), int(option["--height"])
                def picture(luma):
                    raw = bytes([luma]) * (width * height) + bytes([128]) * (width * height // 2)
                    os.write(2, b"#1 (5.00 fps) exp 10000.00\\n" * 50)
                    while raw:
                        raw = raw[os.write(1, raw[:50_000]):]
                for step in acts[min(started, len(acts) - 1)].split():
                    if step == "hang":
                        time.sleep(60)
                    elif step == "fail":
                        sys.exit("ERROR: *** no cameras available ***")
                    elif step == "half":
                        os.write(1, bytes(width * height // 2))
                    else:
                        picture(int(step))
                        time.sleep(0.05)
            """)
        )
        self.path.chmod(self.path.stat().st_mode | stat.S_IXUSR)

    def source(self, **options: float) -> RpicamSource:
        settings = RpicamSettings(128, 96, program=str(self.path), shutter_us=20_000, awb_gains=(1.9, 1.6))
        return RpicamSource(settings, patience_s=0.5, start_patience_s=3.0, tries=2)


def luma(pixels: np.ndarray) -> int:
    assert pixels.shape == (96, 128, 3)
    assert (pixels == pixels[0, 0]).all()
    return int(pixels[0, 0, 0])


def test_the_pi_camera_is_read_and_its_settings_are_locked(tmp_path: Path) -> None:
    async def play() -> None:
        fake = FakeRpicam(tmp_path, "16 125 235 hang")
        source = fake.source()
        seen = [await source.next()]
        while luma(seen[-1].pixels) < 250:
            seen.append(await source.next())
        assert [frame.number for frame in seen] == list(range(len(seen)))
        assert luma(seen[0].pixels) in (0, 127, 255)
        assert 0 <= time.monotonic() - seen[-1].at < 1
        await source.close()
        await source.close()
        call = fake.calls.read_text()
        for option in ("--codec yuv420", "--autofocus-mode manual --lens-position 1", "--shutter 20000"):
            assert option in call
        assert "--awbgains 1.9,1.6" in call

    asyncio.run(play())


@pytest.mark.parametrize("first", ["16 hang", "16 half hang", "16 fail", "fail"])
def test_a_camera_that_hangs_or_ends_is_started_anew(tmp_path: Path, first: str) -> None:
    async def play() -> None:
        fake = FakeRpicam(tmp_path, first, "235 hang")
        source = fake.source()
        while luma((await source.next()).pixels) < 250:
            pass
        assert source.restarts == 1
        await source.close()

    asyncio.run(play())


def test_a_camera_that_stays_dead_is_lost_and_asked_again(tmp_path: Path) -> None:
    async def play() -> None:
        fake = FakeRpicam(tmp_path, "fail", "fail", "125 hang")
        source = fake.source()
        with pytest.raises(CameraLost, match=r"no cameras available.*started 2 times: check the camera's ribbon"):
            await source.next()
        assert luma((await source.next()).pixels) == 127
        await source.close()

    asyncio.run(play())


def test_a_picture_that_grew_old_is_not_handed_out(tmp_path: Path) -> None:
    async def play() -> None:
        fake = FakeRpicam(tmp_path, "16 16 hang", "235 hang")
        source = fake.source()
        await source.next()
        await asyncio.sleep(0.8)  # busy elsewhere while the camera hangs, the second picture waiting
        assert luma((await source.next()).pixels) == 255
        await source.close()

    asyncio.run(play())


def test_a_call_that_is_cancelled_leaves_no_camera_behind(tmp_path: Path) -> None:
    async def play() -> None:
        fake = FakeRpicam(tmp_path, "hang")
        source = fake.source()
        waiting = asyncio.create_task(source.next())
        await asyncio.sleep(0.2)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        run = source._run
        assert run is not None
        await source.close()
        assert not run._thread.is_alive()

    asyncio.run(play())
