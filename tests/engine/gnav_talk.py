"""A round of Gnav in shorthand: ``1? 2s 2? 3:KATT 4- 5b``, then the pieces that seats 1, 2, 3 ... show.

``1?`` asks · ``2s`` swaps · ``3:KATT`` calls · ``4-`` stands · ``5b`` draws from the bag · ``1k`` knocks · ``SE`` ·
``VIS`` · ``1=X`` shows X · ``1/X`` shows X, laid aside · ``D4`` seat 4 deals.
The last seat deals; ``round_of`` puts in the deal, ``SE`` and ``VIS``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, cast

from engine.events import (
    AsideShown,
    AskedToSwap,
    Called,
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
from engine.games import game_named
from engine.games.gnav import Gnav, GnavState
from engine.ledger import Ledger
from engine.rulings import Fault, Paid, Verdict
from engine.seats import Seat, Seats

SHORT: dict[str, type[Any]] = {"?": AskedToSwap, "s": Swapped, "-": Stood, "b": DrewFromBag, "k": Knocked}
SHORT_WITH_PIECE: dict[str, type[Any]] = {":": Called, "=": PieceShown, "/": AsideShown}


def fact(word: str) -> Fact:
    if word == "SE":
        return LookedAt()
    if word == "VIS":
        return TurnedUp()
    if word.startswith("D"):
        return Dealt(Seat(int(word[1:])))
    found = re.fullmatch(r"(\d+)(\D)(.*)", word)
    assert found is not None, word
    seat, sign, piece = Seat(int(found[1])), found[2], found[3]
    made: Fact = SHORT_WITH_PIECE[sign](seat, piece) if piece else SHORT[sign](seat)
    return made


@dataclass
class Played:
    """A game as it has been played; *verdicts* are all that the referee has said."""

    game: Gnav
    state: GnavState
    log: list[Fact] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)

    def judge(self, one: Fact) -> tuple[Verdict, ...]:
        self.log.append(one)
        self.state, new = self.game.apply(self.state, one, len(self.log))
        self.verdicts += new
        return new

    def say(self, words: str) -> tuple[Verdict, ...]:
        """Say *words*; what the referee said to the last of them."""
        new: tuple[Verdict, ...] = ()
        for word in words.split():
            new = self.judge(fact(word))
        return new

    @property
    def awaits(self) -> list[str]:
        """What may come now, as ``1?`` or ``VIS``; in brackets what need not."""
        signs = {kind: sign for sign, kind in SHORT.items()} | {kind: sign for sign, kind in SHORT_WITH_PIECE.items()}
        words = {LookedAt: "SE", TurnedUp: "VIS", Dealt: f"D{self.state.dealer}"}
        found = []
        for one in self.game.awaits(self.state):
            word = words[one.event] if one.seat is None else f"{one.seat}{signs[one.event]}{','.join(one.choices)}"
            found.append(word if one.must else f"({word})")
        return found

    def paid(self) -> dict[int, int]:
        """Tokens paid by each seat that paid."""
        paid: dict[int, int] = {}
        for one in self.verdicts:
            if isinstance(one, Paid):
                paid[one.seat] = paid.get(one.seat, 0) + one.amount
        return paid

    def faults(self) -> list[tuple[int, str, str]]:
        """Seat, clause and code of every fault."""
        return [(one.seat, one.clause, one.why) for one in self.verdicts if isinstance(one, Fault)]

    def last_of(self, kind: type[Any]) -> Any:
        """The latest verdict of *kind*; None when there is none."""
        return next((one for one in reversed(self.verdicts) if isinstance(one, kind)), None)


def table(seats: int, options: dict[str, object] | None = None, stocks: str = "", pot: int = 0) -> Played:
    """A table where seat *seats* deals first; *stocks* are the tokens, seat by seat."""
    game = cast(Gnav, game_named("gnav", options))
    tokens = tuple(map(int, stocks.split())) or (game.options.start_tokens,) * seats
    return Played(game, game.begin(Seats(seats), Seat(seats), Ledger(tokens, pot)))


def round_of(talk: str, shown: str, options: dict[str, object] | None = None, stocks: str = "", pot: int = 0) -> Played:
    """A round played to its end: *talk*, then the pieces of seats 1, 2, ...; ``-`` for one that is not shown."""
    pieces = shown.split()
    played = table(len(pieces), options, stocks, pot)
    played.say(f"D{len(pieces)} SE {talk}")
    if "VIS" in played.awaits:
        played.say("VIS")
    for seat, piece in enumerate(pieces, start=1):
        if piece != "-":
            played.judge(PieceShown(Seat(seat), piece))
    return played


@dataclass(frozen=True)
class Row:
    """One row of a table of rules, played by the house rules *house*."""

    cells: tuple[str, ...]
    """Empty where the table has ``-``."""
    house: dict[str, object]


def rows(text: str) -> list[Row]:
    """The rows of *text* below its heading; ``with name=value ...`` gives the house rules of those below it."""
    found: list[Row] = []
    house: dict[str, object] = {}
    for line in text.strip().splitlines()[1:]:
        words = line.split()
        if words[0] == "with":
            house = {name: _option(value) for name, value in (word.split("=") for word in words[1:])}
        else:
            cells = (cell.strip() for cell in line.split(" | "))
            found.append(Row(tuple("" if cell == "-" else cell for cell in cells), house))
    return found


def _option(text: str) -> object:
    return True if text == "true" else int(text) if text.isdigit() else text
