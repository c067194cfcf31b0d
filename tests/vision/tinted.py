"""Photographs of plain tinted cards, and models that read the tint: real pixels, no nets."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.crops import Mips, Quad, box_quad, rectify
from vision.eye import Models
from vision.frame import Pixels
from vision.labels import NONE
from vision.locate import Place
from vision.recognise import Evidence

from .scripted import evidence

TINTS = {
    "Td": (255, 255, 255),
    "Ks": (255, 225, 190),
    "Js": (190, 255, 225),
    "2c": (190, 225, 255),
    "back": (255, 190, 255),
}
UNSURE = {"Js": 0.7}
"""How sure a look at this card is; 0.97 for the others."""
DARK = (40, 60, 30)


def photo(*cards: tuple[str, float, float, float], size: tuple[int, int] = (800, 600)) -> Pixels:
    """Cards of 105 x 147 pixels, each a name, x, y and turn in degrees, on a dark table."""
    picture = np.full((size[1], size[0], 3), DARK, np.uint8)
    for name, x, y, turn in cards:
        quad = box_quad((x, y), 105, 147, np.deg2rad(turn - 90))
        cv2.fillConvexPoly(picture, np.round(quad).astype(np.int32), TINTS[name], cv2.LINE_AA)
    return picture


class TintReader:
    """Locator, refiner and reader; boxes only by contours."""

    @property
    def models(self) -> Models:
        return Models(self, self, self)

    def locate(self, pixels: Pixels) -> tuple[Place, ...]:
        return ()

    def refine(self, mips: Mips, places: Sequence[Place]) -> list[Quad]:
        return [place.quad for place in places]

    def read(self, mips: Mips, quads: Sequence[Quad]) -> list[Evidence]:
        return [self._tint(rectify(mips, quad, 112, 160)) for quad in quads]

    def _tint(self, crop: Pixels) -> Evidence:
        inner = crop[20:140, 14:98].reshape(-1, 3).astype(float)
        colour = np.median(inner, axis=0)
        if inner.std(axis=0).max() > 20 or colour.min() < 150:
            return evidence((NONE, 0.95))
        name = min(TINTS, key=lambda one: float(np.abs(colour - TINTS[one]).sum()))
        return evidence((name, UNSURE.get(name, 0.97)))
