"""One frame, as far as the tracker asks about it: a test can answer from a table of lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from vision.appearance import Patch
from vision.crops import Quad
from vision.locate import Place
from vision.recognise import Evidence


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """One closer look at a place."""

    evidence: Evidence
    quad: Quad
    """The corners it was read within, millimetres, top left first."""


class Look(Protocol):
    """One frame, as far as the tracker asks about it. All positions are millimetres on the mat."""

    @property
    def number(self) -> int: ...

    @property
    def places(self) -> Sequence[Place]: ...

    def busy(self, quad: Quad) -> bool:
        """Whether something moves or a hand is over this area."""
        ...

    @property
    def busy_anywhere(self) -> bool: ...

    def patch(self, quad: Quad) -> Patch:
        """How this area looks."""
        ...

    def read(self, places: Sequence[Place]) -> list[Glimpse]:
        """Look closer."""
        ...
