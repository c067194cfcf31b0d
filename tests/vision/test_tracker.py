"""What the tracker says of cards and pieces that are laid, moved, covered, turned and taken away."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.cards import PACK, Card
from engine.pieces import GNAV
from engine.seats import Seat
from vision.assignment import copies_of, copies_of_pack
from vision.labels import BACK, NONE, Kind
from vision.observations import (
    BackLaid,
    CardLaid,
    Doubt,
    Moved,
    Observation,
    PieceLaid,
    Removed,
    SceneSettled,
    State,
    Turned,
)
from vision.tracker import Tracker
from vision.zones import Layout, Zone, ZoneKind, layout

from .scripted import PIECES, Table, evidence

GURKA = layout("gurka", 4)
GNAV_MAT = layout("gnav", 6)


def seat(number: int, mat: Layout = GURKA) -> Zone:
    return mat.zone(ZoneKind.SEAT if mat is GURKA else ZoneKind.SPOT, Seat(number))


def middle(number: int, mat: Layout = GURKA) -> tuple[float, float]:
    return seat(number, mat).centre


@pytest.fixture
def table() -> Table:
    return Table(Tracker(GURKA, copies_of_pack()))


@pytest.fixture
def gnav() -> Table:
    return Table(Tracker(GNAV_MAT, copies_of(GNAV)))


def news(said: list[Observation]) -> list[Observation]:
    return [one for one in said if not isinstance(one, SceneSettled)]


def laid(table: Table, name: str, x: float, y: float) -> int:
    """Lay a card and wait till it is read; its track."""
    table.lay(name, x, y)
    (said,) = news(table.frames(5))
    assert isinstance(said, CardLaid)
    assert str(said.card) == name
    return said.track


def test_a_laid_card_is_said_once_and_then_left_alone(table: Table) -> None:
    table.lay("Td", *middle(2))
    said = table.frames(12)
    assert news(said) == [CardLaid(seat(2), Card.parse("Td"), 1)]
    assert sum(isinstance(one, SceneSettled) for one in said) == 1
    assert table.reads == 3
    (track,) = table.tracker.tracks
    assert track.state is State.ACCEPTED
    assert track.confidence > 0.98


def test_not_before_three_looks_agree(table: Table) -> None:
    table.lay("Td", *middle(2))
    assert news(table.frames(2)) == []
    assert news(table.frames(1)) != []


def test_nothing_is_read_under_a_hand_or_in_motion(table: Table) -> None:
    x, y = middle(1)
    table.lay("Td", x, y)
    table.hands = [(x, y, 60)]
    assert table.frames(10) == []
    assert table.reads == 0
    table.hands = []
    assert news(table.frames(4)) == [CardLaid(seat(1), Card.parse("Td"), 1)]


def test_a_hand_over_a_known_card_says_nothing(table: Table) -> None:
    laid(table, "Td", *middle(1))
    table.things["Td"].found = False
    table.hands = [(*middle(1), 80)]
    assert news(table.frames(30)) == []
    table.hands, table.things["Td"].found = [], True
    assert news(table.frames(10)) == []


def test_weak_looks_add_up(table: Table) -> None:
    table.lay("Td", *middle(1), ("Td", 0.8), ("9d", 0.1))
    said = news(table.frames(8))
    assert said == [CardLaid(seat(1), Card.parse("Td"), 1)]
    assert table.reads > 3


def test_two_looks_alike_are_asked_about_once(table: Table) -> None:
    table.lay("Js", *middle(3), ("Js", 0.5), ("Ks", 0.45))
    (doubt,) = news(table.frames(20))
    assert isinstance(doubt, Doubt)
    assert doubt.zone == seat(3)
    assert [str(what) for what, _ in doubt.candidates[:2]] == ["Js", "Ks"]
    assert sum(share for _, share in doubt.candidates) <= 1 + 1e-9
    assert table.tracker.told(doubt.track, Card.parse("Ks")) == (CardLaid(seat(3), Card.parse("Ks"), doubt.track),)
    assert news(table.frames(20)) == []


def test_a_doubt_does_not_keep_the_scene_from_settling(table: Table) -> None:
    table.lay("Js", *middle(3), ("Js", 0.5), ("Ks", 0.45))
    assert any(isinstance(one, SceneSettled) for one in table.frames(14))
    assert table.tracker.tracks[0].state is State.DOUBTFUL


def test_a_card_that_is_asked_about_may_be_covered_meanwhile(table: Table) -> None:
    x, y = middle(3)
    unsure = table.lay("Js", x, y, ("Js", 0.5), ("Ks", 0.45))
    (doubt,) = news(table.frames(12))
    assert isinstance(doubt, Doubt)
    unsure.found = False
    assert laid(table, "5d", x - 30, y) == 2
    assert news(table.frames(10)) == []
    assert table.tracker.told(doubt.track, Card.parse("Ks")) == (CardLaid(seat(3), Card.parse("Ks"), doubt.track),)


def test_a_better_view_answers_a_doubt(table: Table) -> None:
    card = table.lay("Js", *middle(3), ("Js", 0.5), ("Ks", 0.45))
    (doubt,) = news(table.frames(12))
    assert isinstance(doubt, Doubt)
    card.reads, card.looks = [evidence(("Ks", 0.97))], 7.5
    assert news(table.frames(8)) == [CardLaid(seat(3), Card.parse("Ks"), doubt.track)]


def test_counting_tells_two_cards_apart(table: Table) -> None:
    laid(table, "Ks", *middle(1))
    table.lay("Js", *middle(3), ("Js", 0.6), ("Ks", 0.38))
    assert news(table.frames(9)) == [CardLaid(seat(3), Card.parse("Js"), 2)]


@pytest.mark.parametrize("share", [0.75, 0.85, 0.93])
def test_counting_alone_never_turns_a_clear_look_round(table: Table, share: float) -> None:
    """The king that lies there may itself be the misread one."""
    laid(table, "Ks", *middle(1))
    table.lay("K", *middle(3), ("Ks", share), ("Js", 0.97 - share))
    (doubt,) = news(table.frames(12))
    assert isinstance(doubt, Doubt)


def test_the_same_card_twice_is_asked_about(table: Table) -> None:
    first = laid(table, "Ks", *middle(1))
    table.lay("Ks#2", *middle(3))
    (doubt,) = news(table.frames(14))
    assert isinstance(doubt, Doubt)
    assert doubt.candidates[0][0] == Card.parse("Ks")
    assert doubt.twin == first
    assert "seat 1" in doubt.why


def test_the_dealer_settles_which_of_two_it_is(table: Table) -> None:
    first = laid(table, "Ks", *middle(1))
    table.lay("Ks#2", *middle(3))
    (doubt,) = news(table.frames(14))
    assert isinstance(doubt, Doubt)
    said = table.tracker.told(doubt.track, Card.parse("Ks"))
    assert said == (CardLaid(seat(3), Card.parse("Ks"), doubt.track),)
    table.things["Ks"].reads = [evidence(("Ks", 0.9), ("Js", 0.09))]
    assert news(table.frames(10)) == [
        Removed(seat(1), Card.parse("Ks"), first),
        CardLaid(seat(1), Card.parse("Js"), first),
    ]


def test_a_correction_takes_the_wrong_card_back(table: Table) -> None:
    track = laid(table, "Ks", *middle(1))
    assert table.tracker.told(track, Card.parse("Js")) == (
        Removed(seat(1), Card.parse("Ks"), track),
        CardLaid(seat(1), Card.parse("Js"), track),
    )
    assert news(table.frames(10)) == []


def test_the_dealer_says_there_is_nothing(table: Table) -> None:
    track = laid(table, "Ks", *middle(1))
    assert table.tracker.told(track, None) == (Removed(seat(1), Card.parse("Ks"), track),)
    assert news(table.frames(10)) == []
    assert table.tracker.tracks == ()


def test_an_answer_that_comes_too_late_says_nothing(table: Table) -> None:
    assert table.tracker.told(99, Card.parse("Js")) == ()


def test_two_unsure_things_cannot_both_be_the_last_king(table: Table) -> None:
    table.lay("a", *middle(1), ("Ks", 0.55), ("Js", 0.42))
    table.lay("b", *middle(3), ("Ks", 0.97))
    said = news(table.frames(12))
    assert CardLaid(seat(3), Card.parse("Ks"), 2) in said
    assert CardLaid(seat(1), Card.parse("Js"), 1) in said


def test_a_slid_card_keeps_its_track(table: Table) -> None:
    x, y = middle(1)
    laid(table, "Ks", x, y)
    for step in range(1, 5):
        table.things["Ks"].x = x + 15 * step
        assert news(table.frames(1)) == []
    assert news(table.frames(10)) == []
    assert [track.number for track in table.tracker.tracks] == [1]
    assert table.tracker.tracks[0].place.centre[0] == pytest.approx(x + 60)


def test_a_card_pushed_under_a_hand_keeps_its_track(table: Table) -> None:
    x, y = middle(1)
    track = laid(table, "Ks", x, y)
    table.hands = [(x, y, 150)]
    table.things["Ks"].x = x + 70
    assert news(table.frames(4)) == []
    table.hands = []
    assert news(table.frames(12)) == []
    assert [one.number for one in table.tracker.tracks] == [track]


def test_a_card_moved_to_another_zone_is_said_to_have_moved(table: Table) -> None:
    track = laid(table, "Ks", *middle(1))
    table.things["Ks"].x, table.things["Ks"].y = middle(3)
    said = news(table.frames(12))
    assert said[-1] == Moved(Card.parse("Ks"), seat(1), seat(3), track) or said == [
        Removed(seat(1), Card.parse("Ks"), track),
        CardLaid(seat(3), Card.parse("Ks"), track),
    ]


def test_a_card_lifted_and_laid_back_is_the_same(table: Table) -> None:
    track = laid(table, "Ks", *middle(1))
    card = table.things.pop("Ks")
    assert news(table.frames(6)) == [Removed(seat(1), Card.parse("Ks"), track)]
    assert table.tracker.tracks == ()
    table.things["Ks"] = card
    assert news(table.frames(6)) == [CardLaid(seat(1), Card.parse("Ks"), track)]


def test_a_blink_of_the_localiser_removes_nothing(table: Table) -> None:
    laid(table, "Ks", *middle(1))
    table.things["Ks"].found = False
    assert news(table.frames(30)) == []


def test_a_fan_covers_and_remembers(table: Table) -> None:
    x, y = middle(1)
    names = ["Ks", "Td", "2c", "9h", "4s", "Ah"]
    for step, name in enumerate(names):
        assert laid(table, name, x - 75 + 30 * step, y) == step + 1
    assert news(table.frames(10)) == []
    assert [str(track.what) for track in table.tracker.tracks] == names


def test_a_card_laid_exactly_on_another_leaves_it_beneath(table: Table) -> None:
    track = laid(table, "Ks", *middle(1))
    table.things["Ks"].found = False
    assert laid(table, "Td", *middle(1)) == track + 1
    assert news(table.frames(10)) == []
    assert {str(one.what) for one in table.tracker.tracks} == {"Ks", "Td"}
    del table.things["Td"]
    table.things["Ks"].found = True
    assert news(table.frames(12)) == [Removed(seat(1), Card.parse("Td"), track + 1)]
    assert [str(one.what) for one in table.tracker.tracks] == ["Ks"]


def test_a_covered_card_misread_elsewhere_is_asked_about(table: Table) -> None:
    track = laid(table, "Ks", *middle(1))
    table.things["Ks"].found = False
    laid(table, "Td", *middle(1))
    table.lay("Ks#2", *middle(3))
    (doubt,) = news(table.frames(14))
    assert isinstance(doubt, Doubt)
    assert doubt.twin == track


def test_a_back_that_is_turned_up(table: Table) -> None:
    table.lay(BACK, *middle(4))
    assert news(table.frames(5)) == [BackLaid(seat(4), Kind.CARD, 1)]
    table.things.clear()
    table.lay("5h", *middle(4))
    assert news(table.frames(8)) == [
        Turned(seat(4), BACK, Card.parse("5h"), 1),
        CardLaid(seat(4), Card.parse("5h"), 1),
    ]


def test_a_face_that_is_turned_down(table: Table) -> None:
    track = laid(table, "5h", *middle(4))
    table.things.clear()
    table.lay(BACK, *middle(4))
    assert news(table.frames(8)) == [Turned(seat(4), Card.parse("5h"), BACK, track)]


def test_a_stranger_is_let_be(table: Table) -> None:
    table.lay(NONE, *middle(4))
    assert news(table.frames(30)) == []
    assert table.tracker.tracks == ()
    assert table.reads < 9


def test_a_new_deal_forgets_what_lies_there(table: Table) -> None:
    laid(table, "5h", *middle(4))
    table.tracker.cleared()
    assert news(table.frames(5)) == []
    table.things.clear()
    assert news(table.frames(6)) == []
    table.lay("5h", *middle(4))
    assert news(table.frames(6)) == [CardLaid(seat(4), Card.parse("5h"), 2)]


def test_a_card_of_the_deal_before_is_a_new_one(table: Table) -> None:
    laid(table, "5h", *middle(4))
    table.things.clear()
    table.frames(6)
    table.tracker.cleared()
    assert laid(table, "5h", *middle(2)) == 2


def test_a_leftover_does_not_stop_the_new_card(table: Table) -> None:
    laid(table, "5h", *middle(4))
    table.tracker.cleared()
    table.lay("5h#2", *middle(2))
    assert news(table.frames(8)) == [CardLaid(seat(2), Card.parse("5h"), 2)]


def test_a_piece_laid_where_a_stranger_lay_is_no_leftover(gnav: Table) -> None:
    gnav.lay("none", *middle(1, GNAV_MAT), kind=Kind.PIECE)
    gnav.frames(14)
    gnav.tracker.cleared()
    gnav.things.clear()
    gnav.lay("UGLE", *middle(1, GNAV_MAT), kind=Kind.PIECE)
    gnav.frames(14)
    assert [track.leftover for track in gnav.tracker.tracks if track.said == "UGLE"] == [False]


def test_gnav_pieces_come_twice_and_no_oftener(gnav: Table) -> None:
    for number, name in enumerate(("UGLE", "UGLE#2", "UGLE#3"), start=1):
        gnav.lay(name, *middle(number, GNAV_MAT), kind=Kind.PIECE)
        said = news(gnav.frames(14))
        if number < 3:
            assert said == [PieceLaid(seat(number, GNAV_MAT), "UGLE", number)]
        else:
            (doubt,) = said
            assert isinstance(doubt, Doubt)
            assert doubt.twin in (1, 2)


def test_gnav_nine_and_eleven_are_told_apart_by_counting(gnav: Table) -> None:
    for number, name in enumerate(("IX", "IX#2"), start=1):
        gnav.lay(name, *middle(number, GNAV_MAT), kind=Kind.PIECE)
        gnav.frames(6)
    gnav.lay("?", *middle(4, GNAV_MAT), ("IX", 0.5), ("XI", 0.45), kind=Kind.PIECE)
    assert news(gnav.frames(10)) == [PieceLaid(seat(4, GNAV_MAT), "XI", 3)]


def test_gnav_pieces_turned_up_all_at_once(gnav: Table) -> None:
    for number in range(1, 7):
        gnav.lay(f"back#{number}", *middle(number, GNAV_MAT), kind=Kind.PIECE)
    assert len(news(gnav.frames(8))) == 6
    gnav.things.clear()
    faces = ["NARR", "UGLE", "GJØK", "IX", "XI", "UGLE#2"]
    for number, face in enumerate(faces, start=1):
        gnav.lay(face, *middle(number, GNAV_MAT), kind=Kind.PIECE)
    said = gnav.frames(12)
    shown = [one for one in said if isinstance(one, PieceLaid)]
    assert {(one.zone, one.piece, one.track) for one in shown} == {
        (seat(number, GNAV_MAT), face.split("#")[0], number) for number, face in enumerate(faces, start=1)
    }
    assert isinstance(said[-1], SceneSettled)


def test_a_piece_in_anothers_stead(gnav: Table) -> None:
    gnav.lay("UGLE", *middle(1, GNAV_MAT), kind=Kind.PIECE)
    gnav.frames(6)
    gnav.things.clear()
    gnav.lay("XI", *middle(1, GNAV_MAT), kind=Kind.PIECE)
    spot = seat(1, GNAV_MAT)
    assert news(gnav.frames(8)) == [Removed(spot, "UGLE", 1), PieceLaid(spot, "XI", 2)]


def test_the_same_frames_say_the_same(table: Table) -> None:
    def play() -> list[Observation]:
        one = Table(Tracker(GURKA, copies_of_pack()))
        one.lay("a", *middle(1), ("Ks", 0.55), ("Js", 0.42))
        one.lay("b", *middle(3), ("Ks", 0.6), ("Js", 0.38))
        return one.frames(20)

    assert play() == play()


def test_every_piece_the_bag_holds_is_counted() -> None:
    assert sum(copies_of(GNAV).values()) == 42
    assert len(PIECES) > 3


LOOKS = st.tuples(st.sampled_from(PACK), st.sampled_from(PACK), st.floats(0.3, 0.97), st.floats(0.0, 0.6))


@settings(max_examples=60, deadline=None)
@given(st.lists(LOOKS, min_size=1, max_size=4), st.lists(st.integers(0, 3), max_size=6))
def test_whatever_is_seen_no_card_lies_there_twice(
    looks: list[tuple[Card, Card, float, float]], lifted: list[int]
) -> None:
    """And what is said adds up: laid once before it is removed, each accepted thing was said."""
    table = Table(Tracker(GURKA, copies_of_pack()))
    lying: dict[int, Card] = {}

    def hear(said: list[Observation]) -> None:
        for one in said:
            match one:
                case CardLaid(_, card, track):
                    assert card not in lying.values()
                    lying[track] = card
                case Removed(_, Card() as card, track):
                    assert lying.pop(track) == card
                case _:
                    pass

    for number, (card, other, share, rest) in enumerate(looks, start=1):
        shares = {str(other): rest * (1 - share), str(card): share}
        table.lay(str(number), *middle(number), *shares.items())
        hear(table.frames(10))
    for number in lifted:
        thing = table.things.pop(str(number), None)
        hear(table.frames(5))
        if thing is not None:
            table.things[str(number)] = thing
        hear(table.frames(10))
    accepted = {one.number: one.what for one in table.tracker.tracks if one.state is State.ACCEPTED}
    assert accepted == lying


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PACK), st.sampled_from(PACK), st.floats(0.5, 0.7))
def test_a_steady_mistake_that_is_not_sure_is_never_announced(right: Card, wrong: Card, share: float) -> None:
    """Looks at one thing repeat each other's mistakes: eight of them prove no more than about four."""
    assume(right != wrong)
    table = Table(Tracker(GURKA, copies_of_pack()))
    table.lay("it", *middle(1), (str(wrong), share), (str(right), 0.98 - share))
    said = news(table.frames(30))
    assert [type(one) for one in said] == [Doubt]
