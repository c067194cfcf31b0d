"""A rendered table and an eye that knows the truth: the pipeline's own pictures and geometry, without nets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.crops import Mips, Quad
from vision.eye import Models
from vision.frame import Frame, Pixels
from vision.labels import BACK, NONE, Kind, What
from vision.locate import Place
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.recognise import CARD_NAMES, Evidence
from vision.render import Hand, Mat, Placed, Scene, Truth, View, over_table, render

from .scripted import PIECES, evidence, what_of

MAT = Mat()
SIZE = {"card": (63.0, 88.0), "piece": (36.0, 36.0)}


@dataclass
class RenderedTable:
    """Things on a mat, and the frames a camera takes of them."""

    view: View = field(default_factory=lambda: over_table((MAT.width_mm, MAT.height_mm), 1600, 900))
    mat: Mat = MAT
    placed: list[Placed] = field(default_factory=list)
    hands: list[Hand] = field(default_factory=list)
    at: float = 0.0
    number: int = 0
    truths: list[Truth] = field(default_factory=list)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def frame(self) -> Frame:
        scene = Scene(tuple(self.placed), self.mat, tuple(self.hands))
        pixels, self.truths = render(scene, self.view, self.rng)
        self.number += 1
        self.at += 0.25
        return Frame(pixels, self.at, self.number)

    def shown(self, pipeline: Pipeline, count: int) -> list[Observation]:
        """What the pipeline says to the next frames."""
        said: list[Observation] = []
        for _ in range(count):
            said += pipeline.see(self.frame())
        return said


@dataclass
class Knowing:
    """Locator, refiner and readers that look the truth up where they are pointed; they see no hidden things."""

    table: RenderedTable
    reads: int = 0
    locates: int = 0

    @property
    def models(self) -> Models:
        return Models(self, self, self, _KnowingPieces(self))

    def locate(self, pixels: Pixels) -> tuple[Place, ...]:
        self.locates += 1
        assert pixels.shape == (355, 580, 3)
        found = []
        for placed, truth in zip(self.table.placed, self.table.truths, strict=True):
            if truth.visible > 0.15:
                centre = (placed.x_mm * 0.5 + 15, placed.y_mm * 0.5 + 15)
                short, long = (side * 0.5 for side in SIZE[placed.kind])
                angle = (np.deg2rad(placed.turn_deg) - 1e-9) % np.pi - np.pi / 2
                found.append(Place(Kind(placed.kind), 0.9, centre, short, long, float(angle)))
        return tuple(found)

    def refine(self, mips: Mips, places: Sequence[Place]) -> list[Quad]:
        return [place.quad for place in places]

    def read(self, mips: Mips, quads: Sequence[Quad]) -> list[Evidence]:
        self.reads += len(quads)
        return [evidence((str(self.at(quad)), 0.97)) for quad in quads]

    def at(self, quad: Quad) -> What:
        """What truly lies there: the corners must be right to a few pixels."""
        for truth in self.table.truths:
            if np.linalg.norm(truth.corners.mean(axis=0) - quad.mean(axis=0)) < 9:
                sides = [np.linalg.norm(q[1] - q[0]) for q in (truth.corners, quad)]
                assert sides[0] == np.float64(sides[1]) or abs(sides[0] / sides[1] - 1) < 0.1
                return what_of(truth.what) if truth.face_up else BACK
        return NONE


@dataclass
class _KnowingPieces:
    eye: Knowing

    def read(self, mips: Mips, quads: Sequence[Quad]) -> list[Evidence]:
        self.eye.reads += len(quads)
        return [evidence((str(self.eye.at(quad)), 0.97), names=PIECES) for quad in quads]


assert BACK in CARD_NAMES
