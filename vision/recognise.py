"""What it is: the corners of a card, its face, and which piece a round picture shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.crops import Mips, Quad, batch, box_quad, rectify, widen
from vision.labels import BACK, FACES, NONE, What
from vision.locate import Place
from vision.nets import MODELS, ModelError, Net, Tensor
from vision.rounds import centred

_REFINED = (96, 136)
_READ = (112, 160)
_ROUND = 96
_AT_ONCE = 32
"""Crops in one run of a net: keeps memory small on a Pi."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What one look says: how probable each thing is, adding up to 1."""

    names: tuple[What, ...]
    probabilities: NDArray[np.float64]
    confidence: float = 0.0
    """Of the best name: for a card P(face) x max rank x max suit."""

    @property
    def best(self) -> What:
        return self.names[int(np.argmax(self.probabilities))]

    @staticmethod
    def of(probabilities: Iterable[tuple[What, float]]) -> Evidence:
        """From (name, weight) pairs; the weights are made to add up to 1."""
        names, weights = zip(*probabilities, strict=True)
        shares = np.asarray(weights, np.float64)
        shares = shares / shares.sum()
        return Evidence(tuple(names), shares, float(shares.max()))


class Refiner(Protocol):
    def refine(self, mips: Mips, places: Sequence[Place]) -> list[Quad]:
        """The four corners of the card in each place, in pixels."""
        ...


class Reader(Protocol):
    def read(self, mips: Mips, quads: Sequence[Quad]) -> list[Evidence]:
        """What the thing within each four corners is."""
        ...


_LOOKS = (
    (1.0, 0.0, 0.0),
    (1.0, 0.0, 0.0),
    (1.03, 0.0, 0.0),
    (0.97, 0.0, 0.0),
    (1.01, 0.02, 0.01),
    (1.01, -0.02, -0.01),
    (0.99, 0.015, -0.015),
    (0.99, -0.015, 0.015),
)
"""Ways to look at one card: how much wider, and moved by which share of its sides; every second one upside down."""


def looked_at(quad: Quad, way: int) -> Quad:
    """*quad* upright or upside down, a little wider or narrower: a mistake made one way may not be made another."""
    wider, across, down = _LOOKS[way % len(_LOOKS)]
    moved = widen(quad, wider) + across * (quad[1] - quad[0]) + down * (quad[3] - quad[0])
    return np.asarray(np.roll(moved, 2 * (way % 2), axis=0), np.float64)


def turned(quad: Quad, way: int, ways: int = 23) -> Quad:
    """The corners round a round thing, turned another way for each look; after *ways* of them, once round."""
    angle = way * 2 * np.pi / ways
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray((quad - quad.mean(axis=0)) @ turn + quad.mean(axis=0), np.float64)


CARD_NAMES: tuple[What, ...] = (*FACES, BACK, NONE)


class OnnxRefiner:
    """Moves a rough box's corners onto the card's."""

    WIDER = 1.3
    """The crop shows this much more than the box."""

    def __init__(self, path: Path = MODELS / "refiner.onnx", *, threads: int = 1) -> None:
        """ModelError when the file cannot be used."""
        self._net = Net(path, "crop", ("corners",), threads=threads)

    def refine(self, mips: Mips, places: Sequence[Place]) -> list[Quad]:
        rough = [widen(place.quad, self.WIDER) for place in places]
        if not rough:
            return []
        (corners_of,) = _in_batches(self._net, [rectify(mips, quad, *_REFINED) for quad in rough])
        refined = []
        for quad, fractions in zip(rough, corners_of, strict=True):
            origin, right, down = quad[0], quad[1] - quad[0], quad[3] - quad[0]
            corners = np.asarray(fractions, np.float64).reshape(4, 2)
            refined.append(origin + corners[:, :1] * right + corners[:, 1:] * down)
        return refined


class OnnxCardReader:
    """Reads a card within its corners; either end may be up."""

    def __init__(self, path: Path = MODELS / "reader.onnx", *, threads: int = 1) -> None:
        """ModelError when the file cannot be used."""
        self._net = Net(path, "crop", ("kind", "rank", "suit"), threads=threads)

    def read(self, mips: Mips, quads: Sequence[Quad]) -> list[Evidence]:
        if not quads:
            return []
        heads = _in_batches(self._net, [rectify(mips, quad, *_READ) for quad in quads])
        return [card_evidence(kind, rank, suit) for kind, rank, suit in zip(*heads, strict=True)]


def card_evidence(kind: Tensor, rank: Tensor, suit: Tensor) -> Evidence:
    """Put the reader's three heads together: probabilities of the 52 faces, the back and nothing."""
    sides, ranks, suits = (np.asarray(head, np.float64) / np.sum(head, dtype=np.float64) for head in (kind, rank, suit))
    faces = sides[0] * np.outer(ranks, suits).ravel()
    everything = np.concatenate([faces, sides[1:]])
    return Evidence(CARD_NAMES, everything, float(everything.max()))


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """Pictures of known pieces as the embedding net sees them."""

    names: tuple[str, ...]
    embeddings: NDArray[np.float32]
    """[M, 64], each of length 1."""
    labels: NDArray[np.int64]
    """[M]: index into *names*."""

    @staticmethod
    def load(path: Path) -> Gallery:
        """ModelError when the file is missing or not a gallery."""
        if not path.is_file():
            raise ModelError(path, "the gallery of pieces is missing")
        try:
            with np.load(path, allow_pickle=False) as stored:
                names = tuple(str(name) for name in stored["names"])
                embeddings = np.asarray(stored["embeddings"], np.float32)
                labels = np.asarray(stored["labels"], np.int64)
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise ModelError(path, f"not a gallery of pieces ({error})") from None
        if embeddings.ndim != 2 or labels.shape != embeddings.shape[:1] or not len(labels):
            raise ModelError(path, "a gallery of pieces whose parts do not fit together")
        if labels.min() < 0 or labels.max() >= len(names):
            raise ModelError(path, "a gallery of pieces that labels pictures with no name")
        lengths = np.linalg.norm(embeddings, axis=1, keepdims=True)
        return Gallery(names, embeddings / np.maximum(lengths, 1e-9).astype(np.float32), labels)

    def likeness(self, embeddings: Tensor) -> NDArray[np.float64]:
        """[N, 64] -> [N, names]: cosine to each design's most alike picture, -1 for a name without pictures."""
        cosines = np.asarray(embeddings, np.float64) @ self.embeddings.T
        alike = np.full((len(cosines), len(self.names)), -1.0)
        for number in range(len(self.names)):
            mine = self.labels == number
            if mine.any():
                alike[:, number] = cosines[:, mine].max(axis=1)
        return alike


class OnnxPieceReader:
    """Names a round piece by the most alike picture of the gallery; says `none` to a stranger."""

    STRANGER = 0.85
    """Cosine at which a known piece and a stranger are equally probable."""
    TURNS = 5
    """A piece is looked at so often, turned: one look confuses IX and XI in a tenth of the cases, five hardly ever."""
    SHARPNESS = 0.006
    """How much more alike is e times as probable: the margin to the runner-up."""

    def __init__(
        self,
        path: Path = MODELS / "embedding.onnx",
        gallery: Path = MODELS / "gnav_gallery.npz",
        *,
        threads: int = 1,
    ) -> None:
        """ModelError when a file cannot be used."""
        self._net = Net(path, "crop", ("embedding",), threads=threads)
        self.gallery = Gallery.load(gallery)

    def read(self, mips: Mips, quads: Sequence[Quad]) -> list[Evidence]:
        if not quads:
            return []
        exact = [centred(mips, _square(quad)) for quad in quads]
        squares = [turned(quad, way, self.TURNS) for quad in exact for way in range(self.TURNS)]
        (embeddings,) = _in_batches(self._net, [rectify(mips, square, _ROUND, _ROUND) for square in squares])
        likeness = self.gallery.likeness(embeddings).reshape(len(quads), self.TURNS, -1).mean(axis=1)
        return [piece_evidence(self.gallery.names, alike, self) for alike in likeness]


def piece_evidence(
    names: Sequence[str],
    alike: NDArray[np.float64],
    of: type[OnnxPieceReader] | OnnxPieceReader = OnnxPieceReader,
) -> Evidence:
    """Cosines to each design as probabilities, with the stranger as one more."""
    logits = np.concatenate([alike, [of.STRANGER]]) / of.SHARPNESS
    shares = np.exp(logits - logits.max())
    shares /= shares.sum()
    return Evidence((*names, NONE), shares, float(shares.max()))


def _square(quad: Quad) -> Quad:
    """The square round a round thing, turned as *quad* is."""
    x, y = quad.mean(axis=0)
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    side, up = float(sides.mean()), quad[0] - quad[3]
    return box_quad((float(x), float(y)), side, side, float(np.arctan2(up[1], up[0])))


def _in_batches(net: Net, crops: Sequence[NDArray[np.uint8]]) -> tuple[Tensor, ...]:
    """The net's outputs over all crops; no crops, no outputs."""
    parts = [net.run(batch(list(crops[start : start + _AT_ONCE]))) for start in range(0, len(crops), _AT_ONCE)]
    return tuple(np.concatenate(outputs) for outputs in zip(*parts, strict=True))
