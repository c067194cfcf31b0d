"""A bad cable: some frames arrive damaged, or not at all."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class Noise:
    """Of the frames that pass, either way, *share* (0 to 1) arrive damaged."""

    share: float
    rng: random.Random
    passed: int = 0
    spoilt: int = 0
    _held: dict[str, bytearray] = field(default_factory=dict)

    def carry(self, way: str, data: bytes) -> bytes:
        """What arrives of *data*; a frame is decided on when its final zero has come."""
        held = self._held.setdefault(way, bytearray())
        held += data
        out = bytearray()
        while (end := held.find(0)) >= 0:
            out += self._frame(bytes(held[: end + 1]))
            del held[: end + 1]
        return bytes(out)

    def _frame(self, frame: bytes) -> bytes:
        self.passed += 1
        if self.rng.random() >= self.share:
            return frame
        self.spoilt += 1
        at = self.rng.randrange(len(frame))
        match self.rng.randrange(4):
            case 0:  # bits flip, those of the final zero too
                return frame[:at] + bytes((frame[at] ^ self.rng.randrange(1, 256),)) + frame[at + 1 :]
            case 1:  # bytes are lost
                return frame[:at] + frame[at + self.rng.randrange(1, 4) :]
            case 2:  # a zero comes between
                return frame[:at] + b"\0" + frame[at:]
            case _:  # nothing arrives
                return b""
