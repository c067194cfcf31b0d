"""What a page shows: the public view as plain values and words, ready for JSON.

Pure, and made of ``PublicView`` only: what is not in the view cannot reach a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.phrases import (
    Line,
    awaits_words,
    device_words,
    game_words,
    mark_words,
    phase_words,
    question_words,
    seat_words,
    thing_words,
    ui,
    words,
)
from controller.view import PublicView, SeatView
from engine.cards import Card
from engine.rulings import CallSpoken, Fault, Impossible, Paid, Ruling, Scored, WentOut, Withdrawn
from engine.seats import Seat


def view_json(view: PublicView, language: str) -> dict[str, Any]:
    """*view* in *language*: numbers, codes to draw by, and words to read."""
    public = view.public
    names = [seat.name for seat in view.seats]
    labels = ui(language)
    in_trick = dict(public.trick)
    return {
        "table": view.table,
        "session": view.session,
        "seq": view.seq,
        "lang": language,
        "game": game_words(public.game, language),
        "deal": public.deal,
        "phase": phase_words(public.phase, language),
        "unit": labels.get(public.unit, public.unit),
        "counts": public.unit,
        "pot": public.pot if public.pot or public.unit == "tokens" else None,
        "headline": _headline(view, language),
        "seats": [
            _seat(seat, language, seat_words(seat.public.seat, language, names), in_trick, public.winners)
            for seat in view.seats
        ],
        "trick": [{"seat": seat, "thing": thing_json(card, language)} for seat, card in public.trick],
        "question": _question(view, language),
        "rulings": [
            shown for event_no, ruling in reversed(view.last) if (shown := _ruling(event_no, ruling, language, names))
        ],
        "devices": [
            {
                "name": device.name,
                "text": device_words(device.name, language, works=device.works),
                "works": device.works,
                "why": device.why,
            }
            for device in view.devices
        ],
    }


def thing_json(thing: str, language: str) -> dict[str, str]:
    """A card or piece: how to draw it, and what it is called."""
    try:
        card = Card.parse(thing)
    except ValueError:
        return {"kind": "piece", "code": thing, "text": thing_words(thing, language)}
    return {
        "kind": "card",
        "code": thing,
        "rank": "10" if card.rank.letter == "T" else card.rank.letter,
        "suit": card.suit.value,
        "text": thing_words(thing, language),
    }


def _headline(view: PublicView, language: str) -> str:
    names = [seat.name for seat in view.seats]
    if view.question is not None:
        return question_words(view.question, language, names).text
    return awaits_words(view.awaits, view.public.dealer, language, names)


def _seat(
    seat: SeatView, language: str, label: str, in_trick: Mapping[Seat, str], winners: tuple[Seat, ...]
) -> dict[str, Any]:
    public, labels = seat.public, ui(language)
    state = "out" if not public.playing else "" if public.in_deal else "sits_out"
    tags = [labels[code] for code, holds in (("dealer", seat.is_dealer), ("turn", seat.to_act)) if holds]
    tags += [labels[state]] if state else []
    tags += [labels["winner"]] if public.seat in winners else []
    return {
        "seat": public.seat,
        "name": label[:1].upper() + label[1:],
        "chips": public.chips,
        "dealer": seat.is_dealer,
        "to_act": seat.to_act,
        "state": state,
        "winner": public.seat in winners,
        "tags": tags,
        "marks": [mark_words(mark, language) for mark in public.marks if mark != state],
        "laid": [thing_json(thing, language) for thing in public.laid],
        "in_trick": in_trick.get(public.seat),
    }


def _question(view: PublicView, language: str) -> dict[str, Any] | None:
    if view.question is None:
        return None
    asked = question_words(view.question, language, [seat.name for seat in view.seats])
    return {
        "text": asked.text,
        "choices": [
            {"thing": thing_json(choice, language), "chosen": place == view.question.chosen}
            for place, choice in enumerate(view.question.choices)
        ],
    }


def _ruling(event_no: int, ruling: Ruling, language: str, names: list[str]) -> dict[str, Any] | None:
    line = words(ruling, language, names)
    if line is None:
        return None
    return {
        "event": event_no,
        "kind": _kind(ruling),
        "text": _by_whom(ruling, line, language, names),
        "detail": line.detail,
        "clause": line.clause,
    }


def _by_whom(ruling: Ruling, line: Line, language: str, names: list[str]) -> str:
    if isinstance(ruling, CallSpoken) and ruling.seat is not None:
        who = seat_words(ruling.seat, language, names)
        return f"{who[:1].upper()}{who[1:]}: {line.text}"
    return line.text


def _kind(ruling: Ruling) -> str:
    match ruling:
        case Fault():
            return "fault"
        case Paid() | Scored() | WentOut():
            return "cost"
        case Impossible():
            return "look"
        case CallSpoken():
            return "call"
        case Withdrawn():
            return "withdrawn"
    return "news"
