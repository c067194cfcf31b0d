"""The nets that see, opened together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.locate import Locator, OnnxLocator
from vision.nets import MODELS
from vision.recognise import OnnxCardReader, OnnxPieceReader, OnnxRefiner, Reader, Refiner


@dataclass(frozen=True, slots=True)
class Models:
    """One of each; a test passes its own behind the same protocols."""

    locator: Locator
    refiner: Refiner
    cards: Reader
    pieces: Reader | None = None
    """None: round pieces are not read."""


def load_models(
    folder: Path | None = None, *, threads: int = 1, pieces: bool = True, gallery: Path | None = None
) -> Models:
    """Open the nets of *folder* (the shipped ones when None), each with *threads*.

    *gallery* is a taught set of pieces instead of the folder's. ModelError names the file that cannot be used.
    """
    where = MODELS if folder is None else folder
    return Models(
        OnnxLocator(where / "localiser.onnx", threads=threads),
        OnnxRefiner(where / "refiner.onnx", threads=threads),
        OnnxCardReader(where / "reader.onnx", threads=threads),
        OnnxPieceReader(where / "embedding.onnx", gallery or where / "gnav_gallery.npz", threads=threads)
        if pieces
        else None,
    )
