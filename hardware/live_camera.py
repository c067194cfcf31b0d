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
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from hardware.camera import CameraFrame, CameraLost, CameraMissing, Pixels

PATIENCE_S = 3.0
"""A camera without a picture for so long hangs; at 5 pictures a second it missed 15."""
START_PATIENCE_S = 8.0
"""The first picture may take as long: the Pi's camera settles for 2 s and more."""
TRIES = 3


class _Gone(Exception):
    """The reading thread got no further; the text says why."""


class _LiveSource(ABC):
    """A ``FrameSource`` around a thread that calls ``_open``, then ``_grab`` for ever, then ``_shut``."""

    def __init__(self, name: str, patience_s: float, start_patience_s: float, tries: int) -> None:
        self._name = name
        self._patience_s = patience_s
        self._start_patience_s = start_patience_s
        self._tries = tries
        self._number = 0
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._came = asyncio.Event()
        self._newest: tuple[Pixels, float] | None = None
        self._failed = ""
        self._any = False  # a picture came since the last start
        self.restarts = 0
        """How often it was started anew."""

    @abstractmethod
    def _open(self) -> None:
        """Start the camera; _Gone when that fails. In the thread."""

    @abstractmethod
    def _grab(self) -> Pixels:
        """Wait for the next picture; _Gone when none will come. In the thread."""

    @abstractmethod
    def _shut(self) -> None:
        """End the camera. Called from the thread, and from outside to free a thread that hangs."""

    @abstractmethod
    def _advice(self) -> str:
        """What the dealer may do about it."""

    async def next(self) -> CameraFrame:
        """As ``FrameSource.next``."""
        why = ""
        for attempt in range(self._tries):
            if self._thread is None or not self._thread.is_alive() or self._failed:
                await self._start()
            try:
                async with asyncio.timeout(self._patience_s if self._any else self._start_patience_s) as patience:
                    await self._came.wait()
            except TimeoutError:
                if not patience.expired():
                    raise
                self._failed = f"no picture for {self._patience_s if self._any else self._start_patience_s:g} s"
            newest, self._newest = self._newest, None
            self._came.clear()
            if newest is not None:
                frame = CameraFrame(newest[0], newest[1], self._number)
                self._number += 1
                return frame
            why = self._failed
            if attempt < self._tries - 1:
                self.restarts += 1
        await self._end()
        raise CameraLost(f"{self._name}: {why}, started {self._tries} times: {self._advice()}")

    async def close(self) -> None:
        """As ``FrameSource.close``."""
        await self._end()

    async def _start(self) -> None:
        await self._end()
        self._stop = threading.Event()
        self._came = asyncio.Event()
        self._newest, self._failed, self._any = None, "", False
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(
            target=self._work, args=(loop, self._stop, self._came), name=self._name, daemon=True
        )
        self._thread.start()

    async def _end(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            self._stop.set()
            await asyncio.to_thread(self._shut)
            await asyncio.to_thread(thread.join, 2.0)  # one that still hangs is a daemon, and is left behind

    def _work(self, loop: asyncio.AbstractEventLoop, stop: threading.Event, came: asyncio.Event) -> None:
        try:
            self._open()
            while not stop.is_set():
                picture = self._grab(), time.monotonic()
                if stop.is_set():
                    return
                self._tell(loop, came, picture, "")
        except _Gone as gone:
            self._tell(loop, came, None, str(gone))
        finally:
            if not stop.is_set():
                self._shut()

    def _tell(
        self, loop: asyncio.AbstractEventLoop, came: asyncio.Event, picture: tuple[Pixels, float] | None, failed: str
    ) -> None:
        def take() -> None:
            if came is self._came:  # not a thread that was given up
                self._newest = picture or self._newest
                self._any = self._any or picture is not None
                self._failed = failed
                came.set()

        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(take)


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
        super().__init__("Pi camera", patience_s, start_patience_s, tries)
        self._settings = settings or RpicamSettings()
        width, height = self._settings.width, self._settings.height
        if width % 64 or height % 2 or width <= 0 or height <= 0:
            raise ValueError(f"camera picture {width} x {height}: the width must be a multiple of 64, the height even")
        if shutil.which(self._settings.program) is None:
            raise CameraMissing(
                f"no {self._settings.program} here: on Raspberry Pi OS run apt install rpicam-apps; "
                "elsewhere choose camera.folder, camera.video or camera.device in table.toml"
            )
        self._child: subprocess.Popen[bytes] | None = None
        self._raw = np.empty((height * 3 // 2, width), np.uint8)

    def _open(self) -> None:
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

    def _grab(self) -> Pixels:
        import cv2

        child = self._child
        if child is None or child.stdout is None or child.stderr is None:
            raise _Gone("it was ended")
        whole = memoryview(self._raw).cast("B")
        at = 0
        while at < len(whole):
            got = _read_into(child.stdout, whole[at:])
            if not got:
                last = _last_line(child.stderr)
                raise _Gone(f"{self._settings.program} ended{': ' if last else ''}{last}")
            at += got
        return np.asarray(cv2.cvtColor(self._raw, cv2.COLOR_YUV2BGR_I420), np.uint8)

    def _shut(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdout, child.stderr):
                if pipe is not None:
                    pipe.close()

    def _advice(self) -> str:
        return "check the camera's ribbon and the power supply"


class V4L2Source(_LiveSource):
    """A USB camera: *device* is ``/dev/video0`` or, better, a path under ``/dev/v4l/by-id``."""

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
        super().__init__(f"camera {device}", patience_s, start_patience_s, tries)
        path = Path(device)
        if not path.exists():
            there = sorted(str(one) for one in Path("/dev").glob("video*"))
            raise CameraMissing(
                f"no camera {device}: plug it in, or correct camera.device in table.toml"
                f" ({'there is ' + ', '.join(there) if there else 'no video device is there'})"
            )
        if not os.access(path, os.R_OK | os.W_OK):
            raise CameraMissing(f"may not open {device}: add this user to the group video and log in again")
        self._device = device
        self._size = width, height
        self._capture: Any = None

    def _open(self) -> None:
        import cv2

        capture = cv2.VideoCapture(self._device, cv2.CAP_V4L2)
        if not capture.isOpened():
            raise _Gone("it cannot be opened; is another program using it?")
        # many USB cameras give their full size quickly only as MJPG
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        self._capture = capture

    def _grab(self) -> Pixels:
        capture = self._capture
        is_there, pixels = capture.read() if capture is not None else (False, None)
        if not is_there:
            raise _Gone("it gives no pictures")
        return np.asarray(pixels, np.uint8)

    def _shut(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _advice(self) -> str:
        return "pull its plug and put it back"


def _read_into(pipe: IO[bytes], room: memoryview) -> int:
    try:
        return os.readv(pipe.fileno(), [room])
    except (OSError, ValueError):  # closed while we waited
        return 0


def _last_line(pipe: IO[bytes]) -> str:
    with contextlib.suppress(OSError, ValueError):
        os.set_blocking(pipe.fileno(), False)
        lines: Sequence[bytes] = (pipe.read() or b"").strip().splitlines()
        return lines[-1].decode(errors="replace")[:200] if lines else ""
    return ""
