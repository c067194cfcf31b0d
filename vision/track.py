"""One thing on the table as the tracker remembers it, and how its looks add up to a verdict."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from vision.appearance import Patch
from vision.crops import Quad
from vision.labels import Kind, What
from vision.locate import Place
from vision.observations import State
from vision.recognise import Evidence
from vision.zones import Zone

MOST_VOTES = 8
"""Looks that are added up; a thing still unsure after so many is asked about."""
LEAST_VOTES = 3
SURE = 0.98
_INDEPENDENT = 0.5
"""Looks at one thing repeat each other's mistakes: each counts as half a look."""
_FLOOR = 1e-4
"""No single look rules anything out."""
_STAYS = 20.0
"""A thing that was known and only moved is that much more probably what it was."""


@dataclass(slots=True, eq=False)
class Track:
    """Positions are millimetres on the mat."""

    number: int
    kind: Kind
    place: Place
    zone: Zone | None = None
    quad: Quad | None = None
    """The refined corners, top left first as read; None until read."""
    votes: deque[Evidence] = field(default_factory=lambda: deque(maxlen=MOST_VOTES))
    what: What | None = None
    """The last verdict, also while it is being looked at again."""
    said: What | None = None
    """What the table was told lies here."""
    confidence: float = 0.0
    clear: bool = False
    """Single looks were sure of it too, or the dealer was: good enough to tell others by counting."""
    state: State = State.PROVISIONAL
    asked: bool = False
    """The dealer was asked what it is; not twice until it moves."""
    stranger: bool = False
    """Not one of our things: left alone until it changes."""
    leftover: bool = False
    """From the deal before: lies there, counts no more."""
    not_this: frozenset[What] = frozenset()
    """The dealer said so."""
    patch: Patch | None = None
    """How it looked when it was settled."""
    home: Place | None = None
    """Where it lay when it was last accepted."""
    laid_as: int = 0
    """Order in which things came to lie: a later one may cover an earlier one."""
    missing: int = 0
    changed: int = 0
    held: bool = False
    """Looked at again though it has not moved: it stays what it was unless it is surely another."""
    # of this frame only
    busy: bool = False
    same: bool = False
    """Looks as it did."""
    in_place: bool = False
    """One side of it at least looks as it did, the table beside it too: it has not moved."""
    seen: bool = False
    covered: bool = False

    @property
    def settled(self) -> bool:
        """Nothing more to find out now."""
        return self.stranger or self.state is not State.PROVISIONAL

    @property
    def known(self) -> bool:
        """The table was told of it, read or asked: it does not go for being covered."""
        return self.said is not None or self.asked

    @property
    def outline(self) -> Quad:
        return self.place.quad if self.quad is None else self.quad

    def reopen(self, *, ask_again: bool = False) -> None:
        """Look at it again; what it was is remembered."""
        self.votes.clear()
        self.state = State.PROVISIONAL
        self.stranger = False
        self.changed = 0
        if ask_again:
            self.asked = False

    def verdict(self) -> dict[What, float]:
        """What it is by its own looks: name -> probability, most probable first."""
        names = self.votes[0].names
        total = np.zeros(len(names))
        for vote in self.votes:
            total += np.log(np.maximum(vote.probabilities, _FLOOR))
        total *= _INDEPENDENT
        for index, name in enumerate(names):
            if name in self.not_this:
                total[index] = -np.inf
            elif name == self.said:
                total[index] += np.log(_STAYS)
        shares = np.exp(total - total.max())
        shares /= shares.sum()
        # pieces have several pictures and cards several looks, but one name is one name
        order = np.argsort(-shares, kind="stable")
        return {names[index]: float(shares[index]) for index in order}

    def agreeing(self, what: What) -> int:
        """How many of the looks say *what* first."""
        return sum(vote.best == what for vote in self.votes)

    def look_of(self, what: What) -> float:
        """The mean probability that single looks give *what*."""
        return float(np.mean([vote.probabilities[vote.names.index(what)] for vote in self.votes]))
