"""The words: complete in all five languages, and right where grammar or cards could go wrong."""

import ast
import random
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from controller.phrases import (
    LANGUAGES,
    Priority,
    awaits_words,
    mark_words,
    phase_words,
    phrases,
    pick_language,
    question_words,
    seat_words,
    thing_words,
    ui,
    words,
)
from controller.view import Question
from engine.cards import PACK
from engine.events import (
    AsideShown,
    AskedToSwap,
    BoughtIn,
    Called,
    CardPlayed,
    CardShown,
    Dealt,
    DrewFromBag,
    Fact,
    Knocked,
    LookedAt,
    PieceShown,
    Stood,
    Swapped,
    TurnedUp,
)
from engine.game import Await
from engine.games.gnav_options import GnavOptions
from engine.games.gurka_options import GurkaOptions
from engine.pieces import GNAV
from engine.rulings import (
    CallSpoken,
    CameBack,
    DealBegan,
    DealOver,
    DealVoid,
    Exchanged,
    Fault,
    GameOver,
    Impossible,
    Paid,
    Received,
    Ruling,
    Scored,
    SitsOut,
    SwapsUndone,
    TrickTaken,
    TurnIs,
    Undecided,
    Verdict,
    WentOut,
    Withdrawn,
)
from engine.seats import Seat

ENGINE = Path(__file__).parents[2] / "engine"
NAMES = ("Kari", "", "Ola")
ONE, TWO, THREE = Seat(1), Seat(2), Seat(3)

CODED = ("faults", "undecided", "impossible", "voids", "marks", "phases")
"""Sections whose keys are codes of the engine."""

every_language = pytest.mark.parametrize("language", LANGUAGES)

RULINGS: list[tuple[Ruling, str]] = [
    (TurnIs(ONE), "Kari har turen."),
    (DealBegan(TWO, 3), "Omgang 3. Plass 2 gir."),
    (TrickTaken(ONE, 2, "Qh", "U9"), "Kari tar stikket med hjerter dame."),
    (Exchanged(ONE, THREE, "G10"), "Kari og Ola bytter."),
    (Exchanged(ONE, None, "G20"), "Kari bytter med posen."),
    (SwapsUndone(((ONE, TWO), (TWO, THREE)), "G15"), "Bytt tilbake: Kari med plass 2; plass 2 med Ola."),
    (SwapsUndone((), "G15"), "Ingen har byttet, så ingen bytter tilbake."),
    (CallSpoken(ONE, "HUGG AV"), "Hugg av"),
    (CallSpoken(ONE, "HUSETS EGET ORD"), "Husets eget ord"),
    (Paid(ONE, 1, 1, "G22"), "Kari betaler 1 sjetong til potten."),
    (Paid(ONE, 2, 2, "G14"), "Kari betaler 2 sjetonger til potten."),
    (Paid(ONE, 1, 3, "G14"), "Kari skulle ha betalt 3 sjetonger, men har bare 1 sjetong."),
    (Paid(ONE, 0, 1, "G22"), "Kari skulle ha betalt 1 sjetong, men har ingenting igjen."),
    (Received(ONE, 1, "pot", "G8"), "Kari får 1 sjetong fra potten."),
    (Received(ONE, 1, "bank", "G8"), "Kari får 1 sjetong fra banken."),
    (Scored(TWO, 14, 29, "U11"), "Plass 2 får 14 poeng og har 29."),
    (SitsOut(ONE, "G8"), "Kari står over denne omgangen."),
    (WentOut(ONE, "U12"), "Kari er ute av spillet."),
    (CameBack(ONE, 21, "U15"), "Kari spiller videre med 21 poeng."),
    (DealVoid("U13", "all_bust"), "Omgangen gjelder ikke: alle ville gått ut."),
    (DealVoid("U13", "new_code"), "Omgangen gjelder ikke: det ble brutt en regel."),
    (DealOver(4, ()), "Omgang 4 er ferdig."),
    (DealOver(4, (ONE, TWO, THREE)), "Omgang 4 er ferdig. Den koster Kari, plass 2 og Ola."),
    (GameOver((ONE,), "G28"), "Spillet er slutt. Kari vinner."),
    (GameOver((ONE, THREE), "G28"), "Spillet er slutt. Kari og Ola deler seieren."),
    (GameOver((), "G28"), "Spillet er slutt. Ingen vinner."),
    (Fault(TWO, "U6", 4, "not_lowest", 9, "9h", "2s"), "Plass 2 la hjerter ni, men hadde lavere: spar to."),
    (Fault(TWO, "G13", 4, "false_call", 9, "GJØK", "XII"), "Plass 2 ropte gjøken, men hadde XII."),
    (
        Fault(TWO, "G13", 4, "false_call", 9, "GJØK", "GJØK"),
        "Plass 2 ropte gjøken, men alle slike brikker lå andre steder.",
    ),
    (Fault(TWO, "G18", 4, "matador_not_called", 9, "KATT", "KATT"), "Plass 2 ga fra seg katten uten å rope."),
    (Fault(ONE, "G99", 4, "brand_new_code", 4), "Kari brøt en regel."),
    (Fault(ONE, "U6", 4, "not_lowest", 9), "Kari brøt en regel."),
    (Undecided(ONE, "G7", 4, "knock_duty"), "Det kan aldri avgjøres om Kari skulle ha banket."),
    (Impossible(4, "card_twice", "As"), "Spar ess har alt vært spilt i denne omgangen. Se etter en gang til."),
    (Impossible(4, "brand_new_code"), "Det som ble lest, kan ikke stemme. Se etter en gang til."),
    (Withdrawn(Paid(ONE, 1, 1, "G22")), "Rettet, gjelder ikke lenger: Kari betaler 1 sjetong til potten."),
]


@pytest.mark.parametrize(("ruling", "text"), RULINGS)
def test_rulings_in_norwegian(ruling: Ruling, text: str) -> None:
    line = words(ruling, "nb", NAMES)
    assert line is not None
    assert line.text == text


def test_the_table_above_has_every_kind_of_ruling() -> None:
    assert {type(ruling) for ruling, _ in RULINGS} == {*get_args(Verdict), Withdrawn}


@every_language
@pytest.mark.parametrize("ruling", [ruling for ruling, _ in RULINGS])
def test_every_ruling_has_words_without_holes_in_every_language(ruling: Ruling, language: str) -> None:
    line = words(ruling, language, NAMES)
    assert line is not None
    for text in (line.text, line.said, line.full, line.detail):
        assert not re.search(r"[{}]|None|\b[a-z]+_[a-z]+\b|  | [.,;]", text), text
    assert line.text[0].isupper()


def test_a_fault_is_told_with_its_clause_and_the_two_plays() -> None:
    line = words(Fault(TWO, "U6", 41, "not_lowest", 52, "9h", "2s"), "sv", NAMES)
    assert line is not None
    assert line.full == "Plats 2 lade hjärter nio men hade lägre: spader två. (§U6)"
    assert line.said == "Plats 2 lade hjärter nio men hade lägre: spader två. Paragraf U6."
    assert line.detail == "nr 41, bevisat av nr 52"
    assert (line.clause, line.spoken, line.priority) == ("U6", True, Priority.RULING)


def test_calls_come_first_and_what_all_see_is_not_said() -> None:
    said = {type(ruling).__name__: line.spoken for ruling, _ in RULINGS if (line := words(ruling, "en", NAMES))}
    assert [kind for kind, spoken in said.items() if not spoken] == ["TurnIs", "Exchanged", "DealOver", "Undecided"]
    call = words(CallSpoken(ONE, "STAND"), "en", NAMES)
    assert call is not None
    assert (call.text, call.priority) == ("I stand", Priority.CALL)


@pytest.mark.parametrize(
    ("language", "call", "voice"),
    [("nb", "Stopp for gjøk", "nb"), ("sv", "Stopp för gök", "sv"), ("da", "Stop for gøg", "da")]
    + [(language, "Stopp for gjøk", "nb") for language in ("fi", "en")],
)
def test_a_matador_is_called_in_norwegian_where_the_game_has_no_words_of_its_own(
    language: str, call: str, voice: str
) -> None:
    line = words(CallSpoken(ONE, "STOPP FOR GJØK"), language, NAMES)
    assert line is not None
    assert (line.said, line.voice) == (call, voice)
    stands = words(CallSpoken(ONE, "STAND"), language, NAMES)
    assert stands is not None
    assert stands.voice == language


# -- complete --


def keys(table: dict[str, Any], path: str = "") -> dict[str, set[str]]:
    """Every key, with the holes its sentence has to fill."""
    found: dict[str, set[str]] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            found |= keys(value, f"{path}{key}.")
        else:
            found[path + key] = {hole for _, hole, _, _ in string.Formatter().parse(value) if hole is not None}
    return found


@every_language
def test_all_five_have_the_same_keys_and_the_same_holes(language: str) -> None:
    assert keys(dict(phrases(language))) == keys(dict(phrases("nb")))


@every_language
def test_nothing_is_left_empty_and_no_two_languages_are_the_same_file(language: str) -> None:
    assert all(value for section in phrases(language).values() for value in (section or "") if value != "")
    others = [phrases(other) for other in LANGUAGES if other != language]
    assert all(phrases(language)["rulings"] != other["rulings"] for other in others)


def option_words() -> set[str]:
    """Names and values of house rules: strings in the engine that are no codes."""
    found: set[str] = set()
    for kind in (GnavOptions, GurkaOptions):
        for field in kind.__dataclass_fields__.values():
            found |= {field.name, *(one for one in field.metadata.get("values", ()) if isinstance(one, str))}
    return found


NO_CODES = {"gnav", "gurka", "tokens", "points", "pot", "bank", "seat", "call"}
"""Other words of the engine's: games, units, where tokens come from, a field's name."""


def strings_of(path: Path) -> Iterator[str]:
    """Every string in the code of *path* that looks like a code; docstrings are none."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield from re.findall(r"\A[a-z][a-z_]*\Z", node.value)


def test_every_code_that_the_games_can_say_has_words() -> None:
    known = {code for section in CODED for code in phrases("nb")[section]} | option_words() | NO_CODES
    games = [path for path in (ENGINE / "games").glob("*.py") if not path.stem.endswith("_options")]
    assert len(games) > 5
    unknown = {f"{path.name}: {code}" for path in games for code in strings_of(path) if code not in known}
    assert unknown == set(), "give each its words in all five languages, or say here that it is no code"


@every_language
def test_every_matador_call_and_every_named_piece_has_words(language: str) -> None:
    matadors, pieces = phrases(language)["matadors"], phrases(language)["pieces"]
    assert [piece.call for piece in GNAV.matadors] == list(reversed(matadors))
    named = [piece.name for piece in GNAV.low_to_high if not re.fullmatch("[IVX]+", piece.name)]
    assert [name for name in named if name not in pieces] == []


@every_language
def test_cards_have_52_names(language: str) -> None:
    assert len({thing_words(str(card), language) for card in PACK}) == 52


@pytest.mark.parametrize(
    ("thing", "language", "name"),
    [
        ("Td", "nb", "ruter ti"),
        ("As", "sv", "spader ess"),
        ("Jc", "da", "klør knægt"),
        ("Ah", "fi", "herttaässä"),
        ("Qh", "en", "queen of hearts"),
        ("GJØK", "fi", "käki"),
        ("XII", "en", "XII"),
        ("0", "sv", "nollan"),
        ("HUSETS", "nb", "HUSETS"),
        ("", "nb", ""),
    ],
)
def test_things(thing: str, language: str, name: str) -> None:
    assert thing_words(thing, language) == name


def test_numerals_are_read_out_as_numbers() -> None:
    line = words(Fault(ONE, "G13", 4, "false_call", 9, "GJØK", "XII"), "nb", NAMES)
    assert line is not None
    assert "hadde XII." in line.text
    assert "hadde 12." in line.said


# -- what is awaited --

AWAITED = [
    ((), "The game is over."),
    ((Await(None, Dealt),), "Ola deals."),
    ((Await(None, LookedAt), Await(ONE, Knocked, must=False)), "Ola says “Look”, and all look at their pieces."),
    ((Await(ONE, Stood), Await(ONE, AskedToSwap)), "Kari: stand or swap?"),
    ((Await(ONE, Stood), Await(ONE, AskedToSwap), Await(TWO, Knocked, must=False)), "Kari: stand or swap?"),
    ((Await(ONE, AskedToSwap),), "Kari must ask the next player."),
    ((Await(TWO, Swapped), Await(TWO, Called, ("GJØK",))), "Seat 2 is asked: give the piece, or call."),
    ((Await(ONE, Stood), Await(ONE, DrewFromBag)), "Kari: stand, or swap with the bag?"),
    ((Await(ONE, DrewFromBag),), "Kari must swap with the bag."),
    ((Await(None, TurnedUp), Await(ONE, DrewFromBag, must=False)), "Ola says “Turn up”."),
    ((Await(ONE, PieceShown), Await(TWO, PieceShown)), "Show the pieces. Missing: Kari and seat 2."),
    ((Await(None, TurnedUp, must=False), Await(ONE, PieceShown)), "Show the pieces. Missing: Kari."),
    ((Await(ONE, AsideShown),), "Show the piece that was laid aside: Kari."),
    ((Await(ONE, CardPlayed),), "Kari plays a card."),
    ((Await(ONE, CardShown), Await(THREE, CardShown)), "Turn the last card. Missing: Kari and Ola."),
    ((Await(ONE, BoughtIn), Await(ONE, Stood)), "Kari: buy in again?"),
    ((Await(ONE, BoughtIn, must=False), Await(ONE, Stood, must=False), Await(None, Dealt)), "Ola deals."),
    ((Await(ONE, Knocked),), "Waiting for Kari."),
]


@pytest.mark.parametrize(("awaits", "line"), AWAITED)
def test_what_is_awaited(awaits: tuple[Await, ...], line: str) -> None:
    assert awaits_words(awaits, THREE, "en", NAMES) == line


@every_language
@pytest.mark.parametrize("kind", get_args(Fact))
def test_there_is_always_a_line(kind: type[Fact], language: str) -> None:
    assert len(awaits_words((Await(ONE, kind),), THREE, language, NAMES)) > 5


def test_there_is_a_line_in_every_state_of_played_games() -> None:
    """No silent wait: whatever a game awaits, somebody is named or all are told what to do."""
    rng = random.Random(2)
    kinds = list(get_args(Fact))
    for _ in range(300):
        awaits = tuple(
            Await(rng.choice((None, ONE, TWO, THREE)), rng.choice(kinds), must=rng.random() < 0.7)
            for _ in range(rng.randint(1, 4))
        )
        line = awaits_words(awaits, THREE, "nb", NAMES)
        assert any(who in line for who in ("Kari", "lass 2", "Ola")), line


# -- questions, marks, the page --


def test_questions() -> None:
    line = question_words(Question(1, "which", TWO, ("8h", "3h"), 0), "nb", NAMES)
    assert line.text == "Hva ligger foran plass 2?"
    assert line.said == "Hva ligger foran plass 2? hjerter åtte, hjerter tre?"
    assert line.spoken
    assert question_words(Question(2, "missing", None), "nb", NAMES).text.startswith("Jeg ser ingenting hos bordet")


def test_marks_phases_and_seats() -> None:
    assert mark_words("called:DRAGON", "nb") == "Ropte dragonen"
    assert mark_words("stood", "fi") == "Pitää"
    assert mark_words("brand_new_mark", "en") == "Marked"
    assert phase_words("swaps", "nb") == "Bytterunde"
    assert phase_words("brand_new_phase", "nb") == "Spillet går"
    assert (seat_words(ONE, "nb", NAMES), seat_words(TWO, "nb", NAMES)) == ("Kari", "plass 2")
    assert seat_words(Seat(9), "en", NAMES) == "seat 9"


@every_language
def test_the_page_has_its_words(language: str) -> None:
    assert set(ui(language)) == set(ui("nb"))
    assert all(ui(language).values())


def test_an_unknown_language_is_said_to_be_one() -> None:
    with pytest.raises(ValueError, match="no language 'xx'; there are nb, sv, da, fi, en"):
        words(TurnIs(ONE), "xx", NAMES)


@pytest.mark.parametrize(
    ("wanted", "accepted", "language"),
    [
        ("fi", "sv", "fi"),
        ("xx", "sv", "sv"),
        (None, "da-DK,da;q=0.9,en;q=0.8", "da"),
        (None, "de,en;q=0.5,sv;q=0.9", "sv"),
        (None, "no", "nb"),
        (None, "nn-NO", "nb"),
        (None, "de-DE", "nb"),
        (None, "", "nb"),
        (None, "sv;q=rubbish,en;q=0.1", "en"),
    ],
)
def test_the_pages_language(wanted: str | None, accepted: str, language: str) -> None:
    assert pick_language(wanted, accepted, "nb") == language
