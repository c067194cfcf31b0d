"""Rendered frames through the whole pipeline, the nets replaced by the truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.cards import Card
from engine.seats import Seat
from vision.frame import Frame
from vision.labels import BACK
from vision.observations import (
    BackLaid,
    CardLaid,
    HandOver,
    Observation,
    PieceLaid,
    Removed,
    SceneSettled,
    State,
    TableFound,
    TableLost,
    Turned,
)
from vision.pipeline import Pipeline
from vision.render import Hand, Mat, Placed
from vision.table_plane import TablePlane
from vision.zones import Zone, ZoneKind, layout

from .rendered import Knowing, RenderedTable

GURKA = layout("gurka", 4)


def seat(number: int) -> Zone:
    return GURKA.zone(ZoneKind.SEAT, Seat(number))


def before(number: int, what: str, dx: float = 0, dy: float = 0, turn: float = 0, face_up: bool = True) -> Placed:
    x, y = seat(number).centre
    return Placed(what, x + dx, y + dy, turn + seat(number).turn_deg, face_up=face_up)


@pytest.fixture
def table() -> RenderedTable:
    return RenderedTable()


def sees(table: RenderedTable) -> tuple[Pipeline, Knowing]:
    eye = Knowing(table)
    pipeline = Pipeline(eye.models, GURKA)
    assert table.shown(pipeline, 3) == [TableFound(0.0), SceneSettled(2)]
    return pipeline, eye


def news(said: list[Observation]) -> list[Observation]:
    return [one for one in said if not isinstance(one, (SceneSettled, HandOver, TableFound))]


def test_cards_before_all_seats(table: RenderedTable) -> None:
    pipeline, eye = sees(table)
    table.placed = [before(number, what, turn=7) for number, what in enumerate(("Td", "2c", "Ks", "9h"), start=1)]
    said = news(table.shown(pipeline, 8))
    assert {(one.zone, str(one.card)) for one in said if isinstance(one, CardLaid)} == {
        (seat(1), "Td"), (seat(2), "2c"), (seat(3), "Ks"), (seat(4), "9h"),
    }  # fmt: skip
    assert len(said) == 4
    truths = {truth.what: truth for truth in table.truths}
    assert len(pipeline.sightings) == 4
    for sighting in pipeline.sightings:
        truth = truths[str(sighting.what)]
        assert sighting.state is State.ACCEPTED
        assert sighting.face_up
        middle = np.mean(sighting.corners_px, axis=0)
        assert np.linalg.norm(middle - truth.corners.mean(axis=0)) < 4
    assert not pipeline.waiting
    reads, locates = eye.reads, eye.locates
    assert news(table.shown(pipeline, 20)) == []
    assert eye.reads == reads
    assert eye.locates - locates <= 3, "a table on which nothing moves is not searched in every frame"


def test_a_hand_lays_a_card(table: RenderedTable) -> None:
    pipeline, _ = sees(table)
    x, y = seat(1).centre
    said: list[Observation] = []
    table.placed = [before(1, "Td")]
    for dx in (160, 80, 20, 0, 0):
        table.hands = [Hand(x + dx, y + 40)]
        said += table.shown(pipeline, 1)
    assert news(said) == []
    assert HandOver(seat(1)) in said
    assert sum(isinstance(one, HandOver) for one in said) <= 2
    table.hands = []
    assert news(table.shown(pipeline, 6)) == [CardLaid(seat(1), Card.parse("Td"), 1)]


def test_a_hand_over_a_known_card_and_away_again(table: RenderedTable) -> None:
    pipeline, eye = sees(table)
    table.placed = [before(1, "Td")]
    table.shown(pipeline, 6)
    x, y = seat(1).centre
    said: list[Observation] = []
    for dy in (120, 60, 20, 10, 10, 10, 10, 10, 60, 120):
        table.hands = [Hand(x, y + dy)]
        said += table.shown(pipeline, 1)
    table.hands = []
    said += table.shown(pipeline, 10)
    assert news(said) == []
    assert eye.reads <= 12


def test_a_card_slides_within_its_zone(table: RenderedTable) -> None:
    pipeline, _ = sees(table)
    table.placed = [before(1, "Td")]
    table.shown(pipeline, 6)
    for dx in range(0, 70, 10):
        table.placed = [before(1, "Td", dx=dx, turn=dx / 4)]
        assert news(table.shown(pipeline, 1)) == []
    assert news(table.shown(pipeline, 10)) == []
    (sighting,) = pipeline.sightings
    assert sighting.track == 1
    assert sighting.state is State.ACCEPTED
    assert sighting.centre_mm[0] == pytest.approx(seat(1).centre[0] + 60, abs=3)


def test_a_fan_of_six_covers_and_remembers(table: RenderedTable) -> None:
    pipeline, _ = sees(table)
    names = ["Ks", "Td", "2c", "9h", "4s", "Ah"]
    for step, name in enumerate(names):
        table.placed.append(before(1, name, dx=-75 + 30 * step))
        said = news(table.shown(pipeline, 6))
        assert said == [CardLaid(seat(1), Card.parse(name), step + 1)]
    assert [str(one.what) for one in pipeline.sightings] == names


def test_turning_over(table: RenderedTable) -> None:
    pipeline, _ = sees(table)
    table.placed = [before(2, "5h", face_up=False)]
    (said,) = news(table.shown(pipeline, 6))
    assert isinstance(said, BackLaid)
    table.placed = [before(2, "5h")]
    assert news(table.shown(pipeline, 8)) == [
        Turned(seat(2), BACK, Card.parse("5h"), 1),
        CardLaid(seat(2), Card.parse("5h"), 1),
    ]


def test_leaving(table: RenderedTable) -> None:
    pipeline, _ = sees(table)
    table.placed = [before(2, "5h"), before(3, "9c")]
    track = {str(one.card): one.track for one in table.shown(pipeline, 6) if isinstance(one, CardLaid)}["5h"]
    table.placed = [before(3, "9c")]
    assert news(table.shown(pipeline, 8)) == [Removed(seat(2), Card.parse("5h"), track)]
    assert [str(one.what) for one in pipeline.sightings] == ["9c"]
    table.placed = [before(3, "9c"), before(1, "5h", turn=20)]
    assert news(table.shown(pipeline, 8)) == [CardLaid(seat(1), Card.parse("5h"), track)], "it is the same card"


def test_the_light_changes(table: RenderedTable) -> None:
    pipeline, _ = sees(table)
    table.placed = [before(2, "5h"), before(3, "9c")]
    table.shown(pipeline, 6)
    for gain in (0.95, 0.9, 0.8, 0.7, 0.7, 0.7, 1.0):
        table.view = replace(table.view, gains=(gain, gain, gain))
        assert news(table.shown(pipeline, 2)) == []


def test_without_a_mat_the_table_is_lost_and_found(table: RenderedTable) -> None:
    table.mat = Mat(markers=False)
    pipeline = Pipeline(Knowing(table).models, GURKA)
    (lost,) = table.shown(pipeline, 6)
    assert pipeline.waiting
    assert isinstance(lost, TableLost)
    assert pipeline.sightings == ()
    table.mat = Mat()
    assert TableFound(0.0) in table.shown(pipeline, 5)
    table.mat = Mat(markers=False)
    said = news(table.shown(pipeline, 30))
    assert [type(one) for one in said] == [TableLost]
    table.mat = Mat()
    assert any(isinstance(one, TableFound) for one in table.shown(pipeline, 5))


def test_a_nudged_camera_is_followed(table: RenderedTable) -> None:
    pipeline, _ = sees(table)
    table.placed = [before(1, "Td")]
    table.shown(pipeline, 6)
    shift = np.array([[1, 0, 14], [0, 1, -9], [0, 0, 1]])
    nudged = tuple(float(value) for value in (shift @ table.view.matrix).ravel())
    table.view = replace(table.view, mm_to_px=nudged)
    said = table.shown(pipeline, 12)
    (found,) = [one for one in said if isinstance(one, TableFound)]
    assert 5 < found.moved_mm < 20
    assert news(said) == []
    (sighting,) = pipeline.sightings
    assert np.linalg.norm(np.mean(sighting.corners_px, axis=0) - table.truths[0].corners.mean(axis=0)) < 4


def test_corners_clicked_by_hand_need_no_markers(table: RenderedTable) -> None:
    table.mat = Mat(markers=False)
    corners = table.view.to_px(np.array([[0, 0], [1100, 0], [1100, 650], [0, 650]], float))
    plane = TablePlane.from_corners(corners.tolist())
    pipeline = Pipeline(Knowing(table).models, GURKA, plane)
    table.shown(pipeline, 3)
    table.placed = [before(1, "Td")]
    assert news(table.shown(pipeline, 6)) == [CardLaid(seat(1), Card.parse("Td"), 1)]


def test_gnav_pieces_are_turned_up_at_their_spots(table: RenderedTable) -> None:
    mat = layout("gnav", 6)
    faces = ("NARR", "UGLE", "GJØK", "IX", "XI", "UGLE")
    spots = [mat.zone(ZoneKind.SPOT, Seat(number)) for number in range(1, 7)]
    pipeline = Pipeline(Knowing(table).models, mat)
    table.shown(pipeline, 3)

    def pieces(face_up: bool) -> list[Placed]:
        return [
            Placed(face, *spot.centre, spot.turn_deg + 20, kind="piece", face_up=face_up)
            for face, spot in zip(faces, spots, strict=True)
        ]

    table.placed = pieces(face_up=False)
    assert len(news(table.shown(pipeline, 8))) == 6
    assert not any(one.face_up for one in pipeline.sightings)
    table.placed = pieces(face_up=True)
    said = table.shown(pipeline, 10)
    laid = {(one.zone, one.piece) for one in said if isinstance(one, PieceLaid)}
    assert laid == set(zip(spots, faces, strict=True))
    assert any(isinstance(one, SceneSettled) for one in said)


def test_gnav_needs_models_that_read_pieces(table: RenderedTable) -> None:
    eye = Knowing(table)
    with pytest.raises(ValueError, match="pieces"):
        Pipeline(eye.models.__class__(eye, eye, eye), layout("gnav", 6))


def test_a_frame_must_be_a_picture() -> None:
    with pytest.raises(ValueError, match="uint8"):
        Frame(np.zeros((10, 10), np.uint8), 0.0, 1)
