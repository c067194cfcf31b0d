"""What the table says, in five languages: rulings, questions and states to words.

Pure. The words are in the TOML files beside this one, one file a language, the same keys in each.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Any, assert_never

from controller.view import Question
from engine.cards import Card
from engine.events import (
    AsideShown,
    AskedToSwap,
    BoughtIn,
    Called,
    CardPlayed,
    CardShown,
    Dealt,
    DrewFromBag,
    LookedAt,
    PieceShown,
    Stood,
    Swapped,
    TurnedUp,
)
from engine.game import Await
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
    WentOut,
    Withdrawn,
)
from engine.seats import Seat

LANGUAGES = ("nb", "sv", "da", "fi", "en")

Names = Sequence[str]
"""One for each seat from seat 1; empty where a seat has no name."""

_BEGINNING = re.compile(r"(?:^|[.?!] )\w")
_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


class Priority(Enum):
    """Which of two lines is said first."""

    CALL = "call"
    RULING = "ruling"
    EXPLANATION = "explanation"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to say or show."""

    text: str
    """As it is written."""
    said: str
    """As it is read aloud; a fault with its clause."""
    spoken: bool
    """Whether the table's voice says it; everything may be shown."""
    priority: Priority
    voice: str
    """The language that *said* is read in: Finns and Englishmen keep the Norwegian calls of Gnav."""
    clause: str = ""
    """The clause of the rule sheet that it rests on, ``U6``; empty for none."""
    detail: str = ""
    """Which plays it is about, for those who want to look them up; shown, never said."""

    @property
    def full(self) -> str:
        """The text and its clause: ``Kari betaler 1 sjetong til potten. (§G14)``."""
        return f"{self.text} (§{self.clause})" if self.clause else self.text


@cache
def phrases(language: str) -> Mapping[str, Any]:
    """All words of *language*; ValueError names the languages there are."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    return tomllib.loads(files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8"))


def words(ruling: Ruling, language: str, names: Names) -> Line | None:
    """What is said to *ruling*; None where nothing is to be said or shown."""
    written = _Teller(language, names, aloud=False).ruling(ruling)
    if not written:
        return None
    said = _Teller(language, names, aloud=True).ruling(ruling)
    return Line(
        written,
        said,
        _is_spoken(ruling),
        _priority(ruling),
        _voice(ruling, language),
        clause_of(ruling),
        _detail(ruling, language),
    )


def question_words(question: Question, language: str, names: Names) -> Line:
    """The question to the dealer; read aloud with its choices, which a page shows as pictures."""
    teller = _Teller(language, names, aloud=True)
    asked = teller.question(question)
    choices = ", ".join(teller.thing(choice) for choice in question.choices)
    return Line(asked, f"{asked} {choices}?" if choices else asked, True, Priority.RULING, language)


def awaits_words(awaits: Sequence[Await], dealer: Seat, language: str, names: Names) -> str:
    """The line that says what is awaited, and from whom; there is always one."""
    return _Teller(language, names, aloud=False).awaited(awaits, dealer)


def thing_words(thing: str, language: str, *, aloud: bool = False) -> str:
    """A card or piece as it is written in journals (``Td``, ``GJØK``) in words; what is neither stays as it is."""
    return _Teller(language, (), aloud=aloud).thing(thing)


def mark_words(mark: str, language: str) -> str:
    """A seat's mark (``stood``, ``called:GJØK``) in words."""
    code, _, piece = mark.partition(":")
    teller = _Teller(language, (), aloud=False)
    return teller.fill("marks", code, thing=teller.thing(piece)) if piece else teller.fill("marks", code)


def phase_words(phase: str, language: str) -> str:
    """A game's phase in words."""
    return _Teller(language, (), aloud=False).fill("phases", phase)


def seat_words(seat: Seat, language: str, names: Names) -> str:
    """The player's name, or ``seat 3``."""
    return _Teller(language, names, aloud=False).who(seat)


def game_words(game: str, language: str) -> str:
    """A game's name."""
    return str(phrases(language)["games"].get(game, game))


def device_words(device: str, language: str, *, works: bool) -> str:
    """A device's name, or that it does not work."""
    named = phrases(language)["devices"].get(device, device)
    broken = str(phrases(language)["devices"]["broken"])
    return str(named) if works else broken.format(device=named)


def ui(language: str) -> dict[str, str]:
    """The page's fixed words."""
    return dict(phrases(language)["ui"])


def pick_language(wanted: str | None, accepted: str, otherwise: str) -> str:
    """The page's language: *wanted* (``?lang=``), else the first of *accepted* (Accept-Language) that we speak."""
    if wanted in LANGUAGES:
        return str(wanted)
    weighed = []
    for place, part in enumerate(accepted.lower().split(",")):
        tag, _, weight = part.strip().partition(";q=")
        code = {"no": "nb", "nn": "nb"}.get(tag.split("-")[0], tag.split("-")[0])
        if code in LANGUAGES:
            try:
                weighed.append((-float(weight or 1), place, code))
            except ValueError:
                continue
    return min(weighed)[2] if weighed else otherwise


class _Teller:
    """Fills the sentences of one language, to be written or (*aloud*) to be read out."""

    def __init__(self, language: str, names: Names, *, aloud: bool) -> None:
        self.phrases = phrases(language)
        self.names = names
        self.aloud = aloud

    def fill(self, section: str, code: str, **values: object) -> str:
        """The sentence *code* of *section*, or its general one, which says less but is never wrong."""
        sentences = self.phrases[section]
        sentence = str(sentences.get(code, sentences.get("general", code)))
        # a seat without a name may begin a sentence
        return _BEGINNING.sub(lambda found: found[0].upper(), sentence.format_map(values))

    def who(self, seat: Seat) -> str:
        name = self.names[seat - 1] if seat <= len(self.names) else ""
        return name or str(self.phrases["seat"]).format(number=seat)

    def many(self, seats: Iterable[Seat]) -> str:
        return self.list_of([self.who(seat) for seat in seats])

    def list_of(self, things: Sequence[str]) -> str:
        if len(things) < 2:
            return "".join(things)
        return str(self.phrases["and"]).format(first=", ".join(things[:-1]), last=things[-1])

    def count(self, unit: str, n: int) -> str:
        counts = self.phrases["counts"]
        return str(counts[f"{unit}_one"] if n == 1 else counts[f"{unit}_many"]).format(n=n)

    def thing(self, thing: str) -> str:
        if thing in self.phrases["pieces"]:
            return str(self.phrases["pieces"][thing])
        if thing in _NUMERALS:
            return str(_NUMERALS.index(thing) + 1) if self.aloud else thing
        try:
            card = Card.parse(thing)
        except ValueError:
            return thing
        cards = self.phrases["cards"]
        return str(cards["pattern"]).format(rank=cards[card.rank.letter], suit=cards[card.suit.value])

    def with_clause(self, sentence: str, clause: str) -> str:
        if not (clause and self.aloud):
            return sentence
        named = str(self.phrases["clause_said"]).format(clause=clause)
        return f"{sentence} {named[:1].upper() + named[1:]}."

    def ruling(self, ruling: Ruling) -> str:
        match ruling:
            case TurnIs(seat):
                return self.fill("rulings", "turn", who=self.who(seat))
            case DealBegan(dealer, number):
                return self.fill("rulings", "deal_began", who=self.who(dealer), number=number)
            case TrickTaken(seat, _, card, _):
                return self.fill("rulings", "trick_taken", who=self.who(seat), card=self.thing(card))
            case Exchanged(seat, other, _):
                if other is None:
                    return self.fill("rulings", "exchanged_bag", who=self.who(seat))
                return self.fill("rulings", "exchanged", who=self.who(seat), other=self.who(other))
            case SwapsUndone((), _):
                return self.fill("rulings", "no_swaps_to_undo")
            case SwapsUndone(pairs, _):
                pair = self.phrases["rulings"]["pair"]
                told = "; ".join(pair.format(a=self.who(a), b=self.who(b)) for a, b in pairs)
                return self.fill("rulings", "swaps_undone", pairs=told)
            case CallSpoken(_, call):
                matadors, others = self.phrases["matadors"], self.phrases["calls"]
                return str(matadors.get(call) or others.get(call) or call.capitalize())
            case Paid() | Received() | Scored() | SitsOut() | WentOut() | CameBack():
                return self._account(ruling)
            case DealVoid(clause, why):
                reason = self.fill("voids", why)
                reason = reason[:1].lower() + reason[1:]
                return self.with_clause(self.fill("rulings", "deal_void", reason=reason), clause)
            case DealOver(number, ()):
                return self.fill("rulings", "deal_over", number=number)
            case DealOver(number, losers):
                return self.fill("rulings", "deal_over_losers", number=number, who=self.many(losers))
            case GameOver((), _):
                return self.fill("rulings", "game_over_nobody")
            case GameOver((winner,), _):
                return self.fill("rulings", "game_over", who=self.who(winner))
            case GameOver(winners, _):
                return self.fill("rulings", "game_over_shared", who=self.many(winners))
            case Fault(seat, clause, _, why, _, thing, proof):
                sentence = self._of_things("faults", why, who=self.who(seat), thing=thing, proof=proof)
                return self.with_clause(sentence, clause)
            case Undecided(seat, clause, _, why):
                return self.with_clause(self.fill("undecided", why, who=self.who(seat)), clause)
            case Impossible(_, why, thing):
                return self._of_things("impossible", why, thing=thing)
            case Withdrawn(withdrawn):
                told = self.ruling(withdrawn)
                return self.fill("rulings", "withdrawn", ruling=told) if told else ""
        assert_never(ruling)

    def _account(self, ruling: Paid | Received | Scored | SitsOut | WentOut | CameBack) -> str:
        who = self.who(ruling.seat)
        match ruling:
            case Paid(_, amount, owed, _):
                code = "paid" if amount >= owed else "paid_short" if amount else "paid_nothing"
                count, due = self.count("tokens", amount), self.count("tokens", owed)
                return self.fill("rulings", code, who=who, count=count, owed=due)
            case Received(_, amount, source, _):
                return self.fill("rulings", f"received_{source}", who=who, count=self.count("tokens", amount))
            case Scored(_, points, total, _):
                return self.fill("rulings", "scored", who=who, count=self.count("points", points), total=total)
            case SitsOut():
                return self.fill("rulings", "sits_out", who=who)
            case WentOut():
                return self.fill("rulings", "went_out", who=who)
            case CameBack(_, points, _):
                return self.fill("rulings", "came_back", who=who, count=self.count("points", points))
        assert_never(ruling)

    def _of_things(self, section: str, why: str, *, thing: str, proof: str = "", **values: object) -> str:
        """A sentence about cards or pieces; the general one when it needs a thing that is not known.

        A claim to a piece is also broken when the last one of its kind lies elsewhere: proof and thing are the same.
        """
        if thing and thing == proof and f"{why}_elsewhere" in self.phrases[section]:
            why = f"{why}_elsewhere"
        sentence = self.phrases[section].get(why, "")
        if ("{thing}" in sentence and not thing) or ("{proof}" in sentence and not proof):
            why = "general"
        return self.fill(section, why, thing=self.thing(thing), proof=self.thing(proof), **values)

    def question(self, question: Question) -> str:
        whose = self.phrases["table"] if question.seat is None else self.who(question.seat)
        return self.fill("questions", question.about, who=whose)

    def awaited(self, awaits: Sequence[Await], dealer: Seat) -> str:
        if not awaits:
            return self.fill("awaits", "over")
        wanted = [one for one in awaits if one.must] or list(awaits)
        kinds = {one.event for one in wanted}
        code, about = next(((code, about) for code, about in _AWAITED if about <= kinds), ("general", kinds))
        seats = dict.fromkeys(one.seat or dealer for one in wanted if one.event in about)
        return self.fill("awaits", code, who=self.many(seats))


_AWAITED: tuple[tuple[str, frozenset[type]], ...] = (
    ("show_pieces", frozenset({PieceShown})),
    ("show_aside", frozenset({AsideShown})),
    ("show_last", frozenset({CardShown})),
    ("play", frozenset({CardPlayed})),
    ("answer", frozenset({Swapped})),
    ("answer", frozenset({Called})),
    ("stand_or_swap", frozenset({Stood, AskedToSwap})),
    ("ask_on", frozenset({AskedToSwap})),
    ("buy_in", frozenset({BoughtIn})),
    ("bag", frozenset({Stood, DrewFromBag})),
    ("bag_only", frozenset({DrewFromBag})),
    ("turn_up", frozenset({TurnedUp})),
    ("look", frozenset({LookedAt})),
    ("deal", frozenset({Dealt})),
)
"""Sentence of ``[awaits]``, and the events that must be awaited for it to fit; the first that fits is said."""


def _is_spoken(ruling: Ruling) -> bool:
    """People see whose turn it is and who swaps: a table that says everything is not listened to."""
    match ruling:
        case TurnIs() | Exchanged() | DealOver() | Undecided():
            return False
        case Withdrawn(withdrawn):
            return _is_spoken(withdrawn)
    return True


def _priority(ruling: Ruling) -> Priority:
    match ruling:
        case CallSpoken():
            return Priority.CALL
        case TurnIs() | Exchanged() | DealOver() | Undecided() | Withdrawn():
            return Priority.EXPLANATION
    return Priority.RULING


def _voice(ruling: Ruling, language: str) -> str:
    if isinstance(ruling, CallSpoken) and ruling.call in phrases(language)["matadors"]:
        return str(phrases(language)["matador_voice"])
    return language


def _detail(ruling: Ruling, language: str) -> str:
    rulings = phrases(language)["rulings"]
    match ruling:
        case Fault(event=event, proved_by=proved_by) if proved_by != event:
            return str(rulings["proved"]).format(event=event, proved_by=proved_by)
        case Fault(event=event) | Undecided(event=event) | Impossible(event=event):
            return str(rulings["seen"]).format(event=event)
    return ""


def clause_of(ruling: Ruling) -> str:
    """The clause a ruling rests on, empty for none."""
    return clause_of(ruling.ruling) if isinstance(ruling, Withdrawn) else getattr(ruling, "clause", "")
