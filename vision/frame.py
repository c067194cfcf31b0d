"""One picture from a camera, with when it was taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""A picture, blue green red as OpenCV keeps it, [height, width, 3]."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and its place in time.

    *at* is in monotonic seconds on the clock the rest of the table runs on, *number* counts up from the camera's
    first frame. ValueError when *pixels* are not uint8 [height, width, 3].
    """

    pixels: Pixels
    at: float
    number: int

    def __post_init__(self) -> None:
        check_picture(self.pixels)

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])


def check_picture(pixels: Pixels) -> None:
    """ValueError when *pixels* are not what every stage expects."""
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or pixels.size == 0:
        raise ValueError(f"a picture is uint8 [height, width, 3], not {pixels.dtype} {list(pixels.shape)}")
