"""Where pictures of the table come from: a Pi camera, a USB camera, a folder, a video; one interface.

A camera that falls silent is started anew, and said to be lost when that does not help: an old picture is never handed
out as a new one. Reading blocks, so it happens in a thread. Simulated pictures come from controller/simulated.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")

Pixels = NDArray[np.uint8]
"""BGR, [height, width, 3]."""


class CameraMissing(Exception):
    """There is no such camera, folder or file; the text is one line for the user, with what to do."""


class CameraLost(Exception):
    """The camera is there and gives no pictures; the text is one line for the dealer. Ask again: it is tried again."""


class EndOfFrames(Exception):
    """The folder or video has no more pictures."""


@dataclass(frozen=True, slots=True)
class CameraFrame:
    """One picture, taken *at* (monotonic seconds); *number* counts up from 0 by each picture that was handed out."""

    pixels: Pixels
    at: float
    number: int


class FrameSource(Protocol):
    """Pictures, one after the other."""

    async def next(self) -> CameraFrame:
        """The newest picture not handed out yet; waits for one. CameraLost or EndOfFrames when none will come."""
        ...

    async def close(self) -> None:
        """Let the camera go; a second time does nothing."""
        ...


class FolderSource:
    """The pictures of *folder* in name order, each *shots* times: readings are votes over several looks.

    *pause_s* is the time between two pictures. After the last one comes EndOfFrames, or, with *repeat_last*, the last
    picture again and again. CameraMissing when there is no picture in it, or one cannot be read.
    """

    def __init__(self, folder: Path, *, shots: int = 1, pause_s: float = 0.0, repeat_last: bool = False) -> None:
        if not folder.is_dir():
            raise CameraMissing(f"no folder {folder}: camera.folder in table.toml names a folder of pictures")
        self.files = sorted(file for file in folder.iterdir() if file.suffix.lower() in PICTURES)
        if not self.files:
            raise CameraMissing(f"no pictures in {folder}: it takes files ending in {', '.join(PICTURES)}")
        self._shots = max(1, shots)
        self._pause_s = pause_s
        self._repeat_last = repeat_last
        self._number = 0
        self._read: tuple[Path, Pixels] | None = None

    async def next(self) -> CameraFrame:
        """As ``FrameSource.next``."""
        place = self._number // self._shots
        if place >= len(self.files):
            if not self._repeat_last:
                raise EndOfFrames
            place = len(self.files) - 1
        if self._number and self._pause_s:
            await asyncio.sleep(self._pause_s)
        file = self.files[place]
        if self._read is None or self._read[0] != file:
            self._read = file, await asyncio.to_thread(read_picture, file)
        frame = CameraFrame(self._read[1].copy(), time.monotonic(), self._number)
        self._number += 1
        return frame

    async def close(self) -> None:
        """As ``FrameSource.close``."""
        self._read = None


class VideoSource:
    """The pictures of a video *file*, as fast as they are asked for, or every *pause_s*."""

    def __init__(self, file: Path, *, pause_s: float = 0.0) -> None:
        import cv2

        if not file.is_file():
            raise CameraMissing(f"no file {file}: camera.video in table.toml names a video")
        self._file = file
        self._video: Any = cv2.VideoCapture(str(file))
        if not self._video.isOpened():
            raise CameraMissing(f"{file} is no video that can be read here: make it an .mp4 or .avi")
        self._pause_s = pause_s
        self._number = 0
        self._lock = asyncio.Lock()

    async def next(self) -> CameraFrame:
        """As ``FrameSource.next``."""
        if self._number and self._pause_s:
            await asyncio.sleep(self._pause_s)
        async with self._lock:
            if self._video is None:
                raise EndOfFrames
            is_there, pixels = await asyncio.to_thread(self._video.read)
        if not is_there:
            if self._number == 0:
                raise CameraMissing(f"{self._file} has no picture that can be read here: make it an .mp4 or .avi")
            raise EndOfFrames
        frame = CameraFrame(pixels, time.monotonic(), self._number)
        self._number += 1
        return frame

    async def close(self) -> None:
        """As ``FrameSource.close``."""
        async with self._lock:
            if self._video is not None:
                await asyncio.to_thread(self._video.release)
                self._video = None


def read_picture(file: Path) -> Pixels:
    """The pixels of *file*; CameraMissing when they cannot be read."""
    import cv2

    try:
        data = np.frombuffer(file.read_bytes(), np.uint8)
    except OSError as wrong:
        raise CameraMissing(f"cannot read {file} ({wrong.strerror})") from None
    pixels = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if pixels is None:
        raise CameraMissing(f"{file} is no picture that can be read: take it out of the folder, or save it anew")
    return np.asarray(pixels, np.uint8)
