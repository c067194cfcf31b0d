"""A table of lines for the tracker: things laid, moved, covered and taken away without a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.cards import Card
from vision.appearance import Patch
from vision.crops import Quad
from vision.labels import BACK, NONE, Kind, What
from vision.locate import Place
from vision.look import Glimpse
from vision.observations import Observation
from vision.recognise import CARD_NAMES, Evidence
from vision.tracker import Tracker

SIZES = {Kind.CARD: (63.0, 88.0), Kind.PIECE: (36.0, 36.0), Kind.CHIP: (39.0, 39.0)}
PIECES: tuple[What, ...] = ("NARR", "UGLE", "GJØK", "IX", "XI", BACK, NONE)


def what_of(text: str) -> What:
    """``Td`` is a card; anything else a piece's name or a word."""
    try:
        return Card.parse(text)
    except ValueError:
        return text


def evidence(*shares: tuple[str, float], names: Sequence[What] = CARD_NAMES) -> Evidence:
    """What one look says; the rest is spread over all other names."""
    given = {what_of(text): share for text, share in shares}
    rest = (1 - sum(given.values())) / (len(names) - len(given))
    return Evidence.of([(name, given.get(name, rest)) for name in names])


@dataclass
class Thing:
    """Lies at x, y; reads as *reads* when looked at."""

    x: float
    y: float
    reads: list[Evidence]
    kind: Kind = Kind.CARD
    angle: float = -np.pi / 2
    looks: float = 0.0
    """Changes when the thing looks otherwise."""
    found: bool = True
    """Whether the localiser sees it."""

    @property
    def place(self) -> Place:
        return Place(self.kind, 0.9, (self.x, self.y), *SIZES[self.kind], self.angle)


@dataclass
class Table:
    """Frames of a table; the last laid lies on top."""

    tracker: Tracker
    things: dict[str, Thing] = field(default_factory=dict)
    hands: list[tuple[float, float, float]] = field(default_factory=list)
    """x, y and reach of what moves over the mat."""
    number: int = 0
    reads: int = 0

    def lay(self, name: str, x: float, y: float, *shares: tuple[str, float], kind: Kind = Kind.CARD) -> Thing:
        """Lay *name*; it reads as itself for sure unless *shares* are given."""
        names = CARD_NAMES if kind is Kind.CARD else PIECES
        text = name.split("#")[0]
        read = evidence(*(shares or ((text, 0.97),)), names=names)
        self.things.pop(name, None)
        self.things[name] = Thing(x, y, [read], kind, looks=1 + sum(map(ord, text)) % 97)
        return self.things[name]

    def frames(self, count: int = 1) -> list[Observation]:
        said: list[Observation] = []
        for _ in range(count):
            self.number += 1
            said += self.tracker.see(self)
        return said

    # what the tracker asks

    @property
    def places(self) -> Sequence[Place]:
        return [thing.place for thing in self.things.values() if thing.found]

    @property
    def busy_anywhere(self) -> bool:
        return bool(self.hands)

    def busy(self, quad: Quad) -> bool:
        x, y = quad.mean(axis=0)
        return any(np.hypot(x - hx, y - hy) < reach for hx, hy, reach in self.hands)

    def patch(self, quad: Quad) -> Patch:
        """A pattern of its own for each thing and each millimetre that it is off the middle."""
        x, y = quad.mean(axis=0)
        patch = _pattern(0)
        for thing in self.things.values():
            dx, dy = abs(thing.x - x), abs(thing.y - y)
            wide, tall = SIZES[thing.kind]
            if dx < 3 and dy < 3:
                patch = _pattern(thing.looks)
            elif dx < wide and dy < tall:
                patch[:14] = _pattern(thing.looks + dx + dy)[:14]
        return patch

    def read(self, places: Sequence[Place]) -> list[Glimpse]:
        self.reads += len(places)
        glimpses = []
        for place in places:
            near = [one for one in self.things.values() if one.found and one.place.centre == place.centre]
            thing = near[-1]
            glimpses.append(Glimpse(thing.reads[self.number % len(thing.reads)], place.quad))
        return glimpses


def _pattern(seed: float) -> Patch:
    rng = np.random.default_rng(round(seed * 1000))
    return rng.uniform(40, 220, (28, 20)).astype(np.float32)
