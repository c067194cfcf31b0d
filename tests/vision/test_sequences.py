"""Rendered tables through the shipped nets: laid, slid, covered, turned over, taken away, and a hand over it all."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from engine.cards import Card
from engine.seats import Seat
from vision.eye import Models, load_models
from vision.labels import BACK
from vision.observations import (
    BackLaid,
    CardLaid,
    Doubt,
    HandOver,
    Moved,
    Observation,
    PieceLaid,
    Removed,
    SceneSettled,
    State,
    TableFound,
    Turned,
)
from vision.pipeline import Pipeline
from vision.render import Hand, Placed
from vision.zones import FAN_STEP_MM, Zone, ZoneKind, layout

from .rendered import RenderedTable

GURKA = layout("gurka", 4)


@lru_cache(maxsize=1)
def shipped() -> Models:
    return load_models()


def seat(number: int) -> Zone:
    return GURKA.zone(ZoneKind.SEAT, Seat(number))


def before(number: int, what: str, place: float = 2.5, turn: float = 2.0, face_up: bool = True) -> Placed:
    """The *place*-th card of the fan before a seat, 0 ... 5."""
    zone = seat(number)
    sat, along = np.deg2rad(zone.turn_deg), (place - 2.5) * FAN_STEP_MM
    x, y = zone.centre
    return Placed(what, x + along * np.cos(sat), y + along * np.sin(sat), zone.turn_deg + turn, face_up=face_up)


class Evening:
    """A table, its pipeline, and hands that come and go with each change."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.table, self.pipeline = RenderedTable(), pipeline
        self.table.shown(pipeline, 3)

    def lay(self, *placed: Placed, looks: int = 10) -> list[Observation]:
        return self.change([*self.table.placed, *placed], placed[0], looks)

    def change(self, placed: list[Placed], at: Placed, looks: int = 10) -> list[Observation]:
        """A hand does it and goes; what was said meanwhile."""
        zone = self.pipeline.layout.at(at.x_mm, at.y_mm)
        self.table.hands = [Hand(at.x_mm, at.y_mm, 90.0 + (zone.turn_deg if zone else 0))]
        said = self.table.shown(self.pipeline, 1)
        self.table.placed, self.table.hands = placed, []
        said += self.table.shown(self.pipeline, looks)
        return [one for one in said if not isinstance(one, HandOver | SceneSettled | TableFound)]


@pytest.fixture
def evening() -> Evening:
    return Evening(Pipeline(shipped(), GURKA))


def card_of(said: list[Observation]) -> CardLaid:
    (one,) = said
    assert isinstance(one, CardLaid)
    return one


def test_a_trick_and_the_next_upon_it(evening: Evening) -> None:
    """Eight cards, the second before each seat half over the first; none is misread, at most one asked about."""
    right = asked = 0
    for place, cards in enumerate((("Td", "2c", "Ks", "9h"), ("5h", "Qd", "7s", "Ac"))):
        for number, what in enumerate(cards, start=1):
            said = evening.lay(before(number, what, place + 1))
            for one in said:
                match one:
                    case CardLaid(zone, card):
                        assert (zone, str(card)) == (seat(number), what)
                        right += 1
                    case Doubt():
                        asked += 1
                    case other:
                        raise AssertionError(f"{what}: {other}")
    assert right >= 7
    assert asked <= 1


def test_a_card_slid_covered_and_uncovered_keeps_its_track(evening: Evening) -> None:
    first = card_of(evening.lay(before(1, "8c", 1)))
    slid = before(1, "8c", 1.4, turn=9)
    assert evening.change([slid], slid) == []
    second = card_of(evening.lay(before(1, "Qh", 2.4)))
    assert evening.change([slid], slid) == [Removed(seat(1), Card.parse("Qh"), second.track)]
    (sighting,) = evening.pipeline.sightings
    assert (sighting.track, str(sighting.what), sighting.state) == (first.track, "8c", State.ACCEPTED)


def test_a_card_moved_to_another_seat(evening: Evening) -> None:
    first = card_of(evening.lay(before(1, "8c")))
    there = before(3, "8c")
    said = evening.change([there], there)
    assert said in (
        [Moved(Card.parse("8c"), seat(1), seat(3), first.track)],
        [Removed(seat(1), Card.parse("8c"), first.track), CardLaid(seat(3), Card.parse("8c"), first.track)],
    )


def test_turned_up_and_down_again(evening: Evening) -> None:
    down, up = before(2, "6d", face_up=False), before(2, "6d")
    (laid,) = evening.lay(down)
    assert isinstance(laid, BackLaid)
    assert evening.change([up], up) == [
        Turned(seat(2), BACK, Card.parse("6d"), laid.track),
        CardLaid(seat(2), Card.parse("6d"), laid.track),
    ]
    assert evening.change([down], down) == [Turned(seat(2), Card.parse("6d"), BACK, laid.track)]


def test_a_hand_that_rests_on_a_card_changes_nothing(evening: Evening) -> None:
    card_of(evening.lay(before(4, "Jd")))
    zone = seat(4)
    evening.table.hands = [Hand(*zone.centre, from_deg=90.0 + zone.turn_deg)]
    said = evening.table.shown(evening.pipeline, 10)
    evening.table.hands = []
    said += evening.table.shown(evening.pipeline, 8)
    assert [type(one) for one in said if not isinstance(one, SceneSettled)] == [HandOver]
    assert [str(one.what) for one in evening.pipeline.sightings] == ["Jd"]


def test_gnav_pieces_turned_up_together() -> None:
    mat = layout("gnav", 6)
    evening = Evening(Pipeline(shipped(), mat))
    spots = [mat.zone(ZoneKind.SPOT, Seat(number)) for number in range(1, 7)]
    faces = ("GJØK", "NARR", "VII", "HUS", "UGLE", "II")

    def pieces(*, face_up: bool) -> list[Placed]:
        return [
            Placed(face, *spot.centre, 40 + 70 * number, kind="piece", face_up=face_up)
            for number, (face, spot) in enumerate(zip(faces, spots, strict=True))
        ]

    hidden = pieces(face_up=False)
    assert {type(one) for one in evening.lay(*hidden)} == {BackLaid}
    assert len(evening.pipeline.sightings) == 6
    evening.pipeline.cleared()
    said = evening.change(pieces(face_up=True), hidden[0])
    shown = {(one.zone, one.piece) for one in said if isinstance(one, PieceLaid)}
    assert shown <= set(zip(spots, faces, strict=True)), "none is misread"
    assert len(shown) >= 5
