"""Cameras that run by themselves: the Pi's through rpicam-vid, USB's through V4L2; always the newest picture.

A thread reads, so that a picture never waits in a buffer and grows old. Behind it is a watch on the age of the last
picture: a camera that hangs (a loose ribbon, too little power) is started anew, and when that does not help, lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.camera import CameraFrame, CameraLost, CameraMissing, Pixels

PATIENCE_S = 3.0
"""A camera without a picture for so long hangs; at 5 pictures a second it missed 15."""
START_PATIENCE_S = 8.0
"""The first picture may take as long: the Pi's camera settles for 2 s and more."""
TRIES = 3


class _Gone(Exception):
    """The reader got no further; the text says why."""


class _Reader(Protocol):
    """One run of a camera. All but ``kill`` are called from the reading thread."""

    def open(self) -> None:
        """Start the camera; _Gone when that fails."""
        ...

    def grab(self) -> Pixels:
        """Wait for the next picture; _Gone when none will come."""
        ...

    def shut(self) -> None:
        """End the camera."""
        ...

    def kill(self) -> None:
        """From another thread: end a ``grab`` that waits, where that can be done."""
        ...


class _LiveSource:
    """A ``FrameSource`` around a thread that reads; *make_reader* for each start of the camera."""

    def __init__(
        self,
        name: str,
        advice: str,
        make_reader: Callable[[], _Reader],
        patience_s: float,
        start_patience_s: float,
        tries: int,
    ) -> None:
        self._name = name
        self._advice = advice
        self._make_reader = make_reader
        self._patience_s = patience_s
        self._start_patience_s = start_patience_s
        self._tries = tries
        self._number = 0
        self._run: _Run | None = None
        self.restarts = 0
        """How often it was started anew."""

    async def next(self) -> CameraFrame:
        """As ``FrameSource.next``."""
        why = ""
        for attempt in range(self._tries):
            if self._run is None:
                self._run = _Run(self._make_reader(), self._name)
            run = self._run
            patience_s = self._patience_s if run.any else self._start_patience_s
            taken = await run.take(patience_s)
            if taken is not None:
                frame = CameraFrame(taken[0], taken[1], self._number)
                self._number += 1
                return frame
            why = run.failed or f"no picture for {patience_s:g} s"
            await self.close()
            if attempt < self._tries - 1:
                self.restarts += 1
        raise CameraLost(f"{self._name}: {why}; started {self._tries} times: {self._advice}")

    async def close(self) -> None:
        """As ``FrameSource.close``."""
        run, self._run = self._run, None
        if run is not None:
            await run.end()


class _Run:
    """A reader in a thread of its own, and its newest picture."""

    def __init__(self, reader: _Reader, name: str) -> None:
        self._reader = reader
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._came = asyncio.Event()
        self._newest: tuple[Pixels, float] | None = None
        self.any = False
        """A picture has come."""
        self.failed = ""
        """Why no more will."""
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    async def take(self, patience_s: float) -> tuple[Pixels, float] | None:
        """The newest picture and when it was taken; None when none came for *patience_s*, or none will."""
        end = time.monotonic() + patience_s
        while True:
            newest, self._newest = self._newest, None
            self._came.clear()
            if newest is not None and time.monotonic() - newest[1] < patience_s:  # no picture of a camera that hung
                return newest
            if self.failed:
                return None
            try:
                async with asyncio.timeout(end - time.monotonic()) as patience:
                    await self._came.wait()
            except TimeoutError:
                if not patience.expired():
                    raise
                return None

    async def end(self) -> None:
        self._stop.set()
        self._reader.kill()
        await asyncio.to_thread(self._thread.join, 2.0)  # one that still hangs is a daemon, and is left behind

    def _work(self) -> None:
        try:
            self._reader.open()
            while not self._stop.is_set():
                self._tell((self._reader.grab(), time.monotonic()), "")
        except _Gone as gone:
            self._tell(None, str(gone))
        finally:
            self._reader.shut()

    def _tell(self, picture: tuple[Pixels, float] | None, failed: str) -> None:
        def take() -> None:
            self._newest = picture or self._newest
            self.any = self.any or picture is not None
            self.failed = failed
            self._came.set()

        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(take)


@dataclass(frozen=True, slots=True)
class RpicamSettings:
    """How rpicam-vid is started. Focus, exposure and white balance are locked: what changes by itself is misread.

    *lens_dioptres* is 1 / distance in metres; *shutter_us* a multiple of 10 ms goes with 50 Hz light; *awb_gains* red
    and blue. None leaves it to the camera.
    """

    width: int = 2304
    height: int = 1296
    frames_per_s: float = 5.0
    lens_dioptres: float | None = 1.0
    shutter_us: int | None = None
    gain: float | None = None
    awb_gains: tuple[float, float] | None = None
    program: str = "rpicam-vid"

    def command(self) -> list[str]:
        """The command line."""
        out = [self.program, "--codec", "yuv420", "--output", "-", "--timeout", "0", "--nopreview", "--flush"]
        out += ["--width", str(self.width), "--height", str(self.height), "--framerate", f"{self.frames_per_s:g}"]
        if self.lens_dioptres is not None:
            out += ["--autofocus-mode", "manual", "--lens-position", f"{self.lens_dioptres:g}"]
        if self.shutter_us is not None:
            out += ["--shutter", str(self.shutter_us)]
        if self.gain is not None:
            out += ["--gain", f"{self.gain:g}"]
        if self.awb_gains is not None:
            out += ["--awbgains", f"{self.awb_gains[0]:g},{self.awb_gains[1]:g}"]
        return out


class RpicamSource(_LiveSource):
    """The Pi's own camera, by a child process: no camera library has to fit into our Python.

    CameraMissing when rpicam-vid is not installed. ValueError for a width that is not a multiple of 64 (rows would be
    padded in the raw stream) or an odd height.
    """

    def __init__(
        self,
        settings: RpicamSettings | None = None,
        *,
        patience_s: float = PATIENCE_S,
        start_patience_s: float = START_PATIENCE_S,
        tries: int = TRIES,
    ) -> None:
        chosen = settings or RpicamSettings()
        if chosen.width <= 0 or chosen.height <= 0 or chosen.width % 64 or chosen.height % 2:
            raise ValueError(
                f"camera picture {chosen.width} x {chosen.height}: the width must be a multiple of 64, the height even"
            )
        if shutil.which(chosen.program) is None:
            raise CameraMissing(
                f"no {chosen.program} here: on Raspberry Pi OS run apt install rpicam-apps; "
                "elsewhere choose camera.folder, camera.video or camera.device in table.toml"
            )
        advice = "check the camera's ribbon and the power supply"
        super().__init__("Pi camera", advice, lambda: _Rpicam(chosen), patience_s, start_patience_s, tries)


class _Rpicam:
    """One run of rpicam-vid, which writes raw YUV 4:2:0 pictures."""

    def __init__(self, settings: RpicamSettings) -> None:
        self._settings = settings
        self._raw: NDArray[np.uint8] = np.empty((settings.height * 3 // 2, settings.width), np.uint8)
        self._child: subprocess.Popen[bytes] | None = None
        self._killed = False
        self._said = ""

    def open(self) -> None:
        try:
            self._child = subprocess.Popen(
                self._settings.command(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the app, which ends the camera in its turn
            )
        except OSError as wrong:
            raise _Gone(f"{self._settings.program} does not start ({wrong.strerror})") from None
        if self._killed:
            self._child.kill()
        self._listener = threading.Thread(target=self._listen, args=(self._child.stderr,), daemon=True)
        self._listener.start()

    def grab(self) -> Pixels:
        import cv2

        child = self._child
        assert child is not None
        assert child.stdout is not None
        room = memoryview(self._raw).cast("B")  # type: ignore[arg-type]  # an array is a buffer
        at = 0
        while at < len(room):
            got = os.readv(child.stdout.fileno(), [room[at:]])
            if not got:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(1.0)
                self._listener.join(1.0)  # its last words
                raise _Gone(f"{self._settings.program} ended{': ' if self._said else ''}{self._said}")
            at += got
        return np.asarray(cv2.cvtColor(self._raw, cv2.COLOR_YUV2BGR_I420), np.uint8)

    def shut(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            assert self._child.stdout is not None
            self._child.stdout.close()

    def kill(self) -> None:
        self._killed = True
        if self._child is not None:
            self._child.kill()

    def _listen(self, stderr: IO[bytes]) -> None:
        """Keep the last line; and a pipe that nobody empties would stop the camera."""
        with stderr:
            for line in stderr:
                self._said = line.decode(errors="replace").strip()[:200] or self._said


class V4L2Source(_LiveSource):
    """A USB camera: *device* is ``/dev/video0`` or, better, a path under ``/dev/v4l/by-id``.

    CameraMissing when it is not there or may not be used.
    """

    def __init__(
        self,
        device: str,
        *,
        width: int = 1920,
        height: int = 1080,
        patience_s: float = PATIENCE_S,
        start_patience_s: float = START_PATIENCE_S,
        tries: int = TRIES,
    ) -> None:
        path = Path(device)
        if not path.exists():
            there = sorted(str(one) for one in Path("/dev").glob("video*"))
            raise CameraMissing(
                f"no camera {device}: plug it in, or correct camera.device in table.toml"
                f" ({'there is ' + ', '.join(there) if there else 'there is no video device at all'})"
            )
        if not os.access(path, os.R_OK | os.W_OK):
            raise CameraMissing(f"may not open {device}: add this user to the group video and log in again")
        advice = "pull its plug and put it back"
        super().__init__(
            f"camera {device}", advice, lambda: _V4L2(device, width, height), patience_s, start_patience_s, tries
        )


class _V4L2:
    """One run of a USB camera, read by OpenCV."""

    def __init__(self, device: str, width: int, height: int) -> None:
        self._device = device
        self._size = width, height
        self._capture: Any = None

    def open(self) -> None:
        import cv2

        self._capture = cv2.VideoCapture(self._device, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise _Gone("it cannot be opened: it is no camera, or another program has it")
        # many USB cameras give their full size quickly only as MJPG
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])

    def grab(self) -> Pixels:
        is_there, pixels = self._capture.read()
        if not is_there:
            raise _Gone("it gives no pictures")
        return np.asarray(pixels, np.uint8)

    def shut(self) -> None:
        if self._capture is not None:
            self._capture.release()

    def kill(self) -> None:
        """OpenCV gives up by itself, after 10 s; releasing it under its feet would crash."""
