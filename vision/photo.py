"""What lies in a photograph of a table nobody calibrated: several scales, contours, and a careful reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.contours import quadrilaterals
from vision.crops import Mips, Quad, area, box_quad, overlap
from vision.eye import Models
from vision.frame import Pixels, check_picture
from vision.labels import BACK, NONE, Kind, What
from vision.locate import Place
from vision.observations import Corners
from vision.recognise import CARD_NAMES, Evidence, looked_at

SHOWN = 0.5
"""Less confident than this: say nothing."""
ACCEPTED = 0.75
"""Less confident than this: provisional. The reader was trained with softened labels: it never says more than 0.95."""

_LONG_SIDES = (96, 136, 192, 272, 384, 544, 768, 1088)
"""Sizes at which the whole picture is searched: a card is 44 pixels long in one of them."""
_CARD_PX = ((20.0, 46.0), (29.0, 66.0))
"""Short and long side that a card may have at the scale it is found best; the next scale finds the others."""
_LESS_HEAT = 0.25
_CANDIDATES = 80
_LOOKS = 4
_SAME_PLACE = 0.8


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing read in a photograph."""

    what: What
    corners: Corners
    """Pixels, top left first as read, clockwise."""
    confidence: float
    """0 ... 1; see SHOWN and ACCEPTED."""
    kind: Kind = Kind.CARD


def read_photo(pixels: Pixels, models: Models) -> tuple[Reading, ...]:
    """All cards and backs, the most confident first, also those too doubtful to show.

    ValueError when *pixels* are not a picture.
    """
    check_picture(pixels)
    mips = Mips(pixels)
    places = _search(mips, models)
    rough = [place.quad for place in places]
    contours = quadrilaterals(pixels)
    refined = models.refiner.refine(mips, places)
    again = models.refiner.refine(mips, [_box(quad) for quad in contours])
    quads = [quad for quad in _distinct([*refined, *contours, *again, *rough]) if _could_be_card(quad)]
    read = [(quad, one) for quad, one in zip(quads, read_carefully(mips, quads, models), strict=True)]
    read = [(quad, one) for quad, one in read if one.best != NONE]
    return tuple(_reading(quad, one) for quad, one in _one_each(read))


def read_carefully(mips: Mips, quads: Sequence[Quad], models: Models) -> list[Evidence]:
    """Each quad read both ways up, and again a little wider: a photograph has time."""
    ways = [models.cards.read(mips, [looked_at(quad, way) for quad in quads]) for way in range(_LOOKS)]
    return [mean_evidence(looks) for looks in zip(*ways, strict=True)]


def mean_evidence(looks: Sequence[Evidence]) -> Evidence:
    """Looks at one thing, averaged."""
    shares = np.mean([look.probabilities for look in looks], axis=0)
    return Evidence(looks[0].names, shares, float(shares.max()))


def _search(mips: Mips, models: Models) -> list[Place]:
    """Candidates from all scales, in the picture's pixels, the strongest first."""
    height, width = mips.pixels.shape[:2]
    found: list[Place] = []
    for long_side in _LONG_SIDES:
        factor = long_side / max(height, width)
        if factor > 1.5:
            break
        for place in models.locator.locate(_resized(mips.pixels, factor)):
            if place.kind is Kind.CARD and _fits(place):
                found.append(place.scaled(1 / factor))
    found.sort(key=lambda place: -place.score)
    kept: list[Place] = []
    for place in found:
        if all(overlap(place.quad, other.quad)[0] < _SAME_PLACE for other in kept):
            kept.append(place)
    return kept[:_CANDIDATES]


def _resized(pixels: Pixels, factor: float) -> Pixels:
    size = (max(32, round(pixels.shape[1] * factor)), max(32, round(pixels.shape[0] * factor)))
    return np.asarray(
        cv2.resize(pixels, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR), np.uint8
    )


def _fits(place: Place) -> bool:
    (least_short, most_short), (least_long, most_long) = _CARD_PX
    return least_short <= place.short <= most_short and least_long <= place.long <= most_long


def _box(quad: Quad) -> Place:
    """The turned box about a quadrilateral whose long sides stand upright."""
    down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    x, y = quad.mean(axis=0)
    return Place(
        Kind.CARD,
        1.0,
        (float(x), float(y)),
        float(np.linalg.norm(across)),
        float(np.linalg.norm(down)),
        float(np.arctan2(-down[1], -down[0])),
    )


def _distinct(quads: Sequence[Quad]) -> list[Quad]:
    """Without those that differ from an earlier one by less than a reading can tell."""
    kept: list[Quad] = []
    for quad in quads:
        if area(quad) > 100 and all(overlap(quad, other)[0] < 0.93 for other in kept):
            kept.append(quad)
    return kept


def _could_be_card(quad: Quad) -> bool:
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    return bool(across > 8 and 1.05 <= along / across <= 1.95 and cv2.isContourConvex(quad.astype(np.float32)))


def _one_each(read: Sequence[tuple[Quad, Evidence]]) -> list[tuple[Quad, Evidence]]:
    """The most confident reading of each thing."""
    kept: list[tuple[Quad, Evidence]] = []
    for quad, one in sorted(read, key=lambda item: -item[1].confidence):
        if not any(_one_thing(quad, one, other, seen) for other, seen in kept):
            kept.append((quad, one))
    return kept


def _one_thing(quad: Quad, one: Evidence, other: Quad, seen: Evidence) -> bool:
    union, smaller = overlap(quad, other)
    if union > 0.7 or (smaller > 0.3 and one.best == seen.best and one.best != BACK):
        return True
    ratio = area(quad) / area(other)
    nested = smaller > 0.75 and not 0.6 < ratio < 1.65
    return nested or (one.best == BACK and union > 0.4)


def _reading(quad: Quad, one: Evidence) -> Reading:
    points: Corners = tuple((float(x), float(y)) for x, y in quad)  # type: ignore[assignment]
    return Reading(one.best, points, one.confidence)


def read_crop(pixels: Pixels, models: Models) -> Reading:
    """A picture that one card fills."""
    check_picture(pixels)
    height, width = pixels.shape[:2]
    whole = box_quad((width / 2 - 0.5, height / 2 - 0.5), width, height, -np.pi / 2)
    (one,) = read_carefully(Mips(pixels), [whole], models)
    return _reading(whole, one)


def read_corner(pixels: Pixels, models: Models) -> Reading:
    """A close-up of one index corner: the card is guessed at several sizes and places, the surest guess wins.

    Most of the card is outside the picture; what is not seen is taken to be plain.
    """
    check_picture(pixels)
    height, width = pixels.shape[:2]
    plain = np.median(pixels.reshape(-1, 3), axis=0)
    margin = 2 * max(height, width)
    wide = cv2.copyMakeBorder(pixels, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=plain.tolist())
    quads = []
    for size in (1.2, 1.6, 2.1):  # the card's width, in widths of the picture
        for x in (0.3, 0.5):
            for y in (0.05, 0.25):
                corner = np.array([margin + x * width, margin + y * height])
                short = size * width
                quads.append(corner + np.array([[0, 0], [short, 0], [short, short * 1.4], [0, short * 1.4]]))
    mips = Mips(np.asarray(wide, np.uint8))
    looks = models.cards.read(mips, quads)
    best = max(range(len(looks)), key=lambda index: _face_share(looks[index]))
    return _reading(quads[best] - margin, looks[best])


def _face_share(one: Evidence) -> float:
    """How probable the best face is."""
    return float(one.probabilities[[index for index, name in enumerate(CARD_NAMES) if name not in (BACK, NONE)]].max())
