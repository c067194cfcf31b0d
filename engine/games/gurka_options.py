"""House rules of Gurka. The clauses are those of the rule sheet in ``engine.games.gurka``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.options import number, one_of


@dataclass(frozen=True, slots=True)
class GurkaOptions:
    """House rules of Gurka. ``game_named("gurka", {...})`` fills in what a preset sets and checks every value."""

    preset: str = one_of("svensk", "dansk", "sju_kort", "till_20")
    """U15 - U17: sets those of the other options that are not given; *dansk* seats seven at most."""
    cards: int = one_of(6, 7)
    """U3, U16: in a hand; fewer when the pack does not give so many."""
    must_beat: bool = one_of(True, False)
    """U7."""
    target: str = one_of("previous", "highest")
    """U6: reach the card before you, or the highest of the trick (U15)."""
    match_first: bool = one_of(False, True)
    """U6: a card of just the rank to reach must be laid, if you have it."""
    ace: str = one_of("blocks_next", "blocks_rest", "none")
    """U8: an ace makes the next player lay his lowest, or all the rest of the trick, or nobody: then only an ace
    reaches an ace."""
    last: str = one_of("show", "trick")
    """U10: the last cards are turned up together, or played as a trick (U16)."""
    payers: str = one_of("all_highest", "taker")
    """U11: all who show the highest card, or only the last of them in turn order, who takes the trick (U16)."""
    limit: int = one_of(30, 20, 21)
    """U12, U15, U17."""
    bust: str = one_of(">=", ">")
    """U12: out at the limit, or only above it."""
    lives: int = one_of(1, 2)
    """U15: how often one has to reach the limit to be out."""
    rejoin: str = one_of("highest_other", "zero")
    """U15: the points one goes on with after losing a life."""
    all_bust: str = one_of("annul", "sudden_death", "highest_out")
    """U13: the deal's points are taken back; or they stand, and from then on each deal puts out whoever pays in it; or
    they stand, and those with the most points are out (if all have as many: annul)."""
    stake: int = number(0, 0)
    """U14, U18: tokens each puts into the pot; 0: no stakes and no buying in."""
    buyin: bool = one_of(True, False)
    """U18."""
    buyin_when_one_left: bool = one_of(True, False)
    """U18: also when only one player would be left."""
    next_dealer: str = one_of("clockwise", "loser")
    """U3: the player to the left, or the one who lost the deal (of several, the last in turn order)."""
    violation: str = one_of("announce", "void_deal", "penalty_points")
    """A fault with a card is said and no more; or the deal does not count and is dealt again; or its player pays once
    for the deal, besides what he pays anyway, as many points as the highest last card is worth."""

    PRESETS: ClassVar[dict[object, dict[str, object]]] = {
        "dansk": {
            "cards": 7,
            "target": "highest",
            "ace": "blocks_rest",
            "limit": 21,
            "lives": 2,
            "last": "trick",
            "payers": "all_highest",
        },
        "sju_kort": {"cards": 7, "last": "trick", "payers": "taker"},
        "till_20": {"limit": 20},
    }
