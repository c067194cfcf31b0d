"""The simulated table's physical truth: hands nobody sees, what lies on the mat, who really did what.

Like a real table it outlives the app: every deed is written to a file before it happens, so that after a power cut the
cards still lie where they lay. The app never reads it.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.cards import PACK, Card
from engine.events import AsideShown, AskedToSwap, CardPlayed, CardShown, Dealt, Fact, PieceShown, Stood
from engine.game import Game
from engine.journal import event_line, read_event
from engine.pieces import GNAV
from engine.referee import Referee
from engine.rulings import Exchanged, SwapsUndone
from engine.seats import Seat, Seats

Thing = Card | str
"""A card, or the name of a piece."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that somebody does: the *fact* it makes, the *key* he presses for it, and whether he *cheats*.

    *key* is empty where the camera has to see it.
    """

    fact: Fact
    key: str = ""
    cheats: str = ""
    """Code of the broken rule: ``not_lowest``, ``false_call`` …; empty for an honest deed."""


@dataclass(frozen=True, slots=True)
class Sin:
    """A rule broken in deal number *deal*, as only the truth knows it: the deed at *place*, or a fool kept still."""

    deal: int
    seat: Seat
    place: int | None


class World:
    """All things on and about the table, and a referee of its own that is told nothing but the truth."""

    def __init__(self, game: Game[Any], seats: Seats, dealer: Seat, seed: int, file: Path | None = None) -> None:
        """*file* is where the deeds are kept; what is there already is taken to have happened."""
        self.seed = seed
        self.truth = Referee(game, seats, dealer)
        self.deeds: list[Deed] = []
        self.hands: dict[Seat, list[Thing]] = {}
        """Hidden: cards in hand, or the piece lying face down."""
        self.dealt: dict[Seat, tuple[Thing, ...]] = {}
        """What each was dealt in this deal."""
        self.laid: dict[Seat, list[Thing]] = {}
        """Face up before each seat, oldest first."""
        self.aside: dict[Seat, Thing] = {}
        """Gnav: the piece given away for one from the bag, face down until it is shown."""
        self.aside_shown: set[Seat] = set()
        self.bag: list[Thing] = []
        self.gave: dict[Seat, str] = {}
        """Gnav: the piece each gave away in the newest swap he was part of; he knows it well."""
        self.deals = 0
        self.sins: list[Sin] = []
        self._file: Path | None = None
        for deed in _read_deeds(file):
            self._happen(deed)
        self._file = file

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What really happened, as events."""
        return tuple(deed.fact for deed in self.deeds)

    def do(self, deed: Deed) -> None:
        """Write *deed* down, and let it happen."""
        if self._file is not None:
            line = json.dumps({"fact": json.loads(event_line(deed.fact)), "key": deed.key, "cheats": deed.cheats})
            with self._file.open("a", encoding="utf-8") as log:
                log.write(line + "\n")
        self._happen(deed)

    def _happen(self, deed: Deed) -> None:
        self.deeds.append(deed)
        if deed.cheats:
            self.sins.append(Sin(self.deals, deed.fact.seat, len(self.deeds) - 1))  # type: ignore[union-attr]
        if isinstance(deed.fact, AskedToSwap | Stood):
            self._note_quiet_fools()
        rulings = self.truth.judge(deed.fact)
        match deed.fact:
            case Dealt():
                self._deal()
            case CardPlayed(seat, thing) | CardShown(seat, thing) | PieceShown(seat, thing):
                self.hands[seat].remove(thing)
                self.laid[seat].append(thing)
            case AsideShown(seat, _):
                self.aside_shown.add(seat)
        for ruling in rulings:
            match ruling:
                case Exchanged(seat, None):
                    self.aside[seat] = self.hands[seat][0]
                    self.hands[seat] = [self.bag.pop(0)]
                case Exchanged(one, other) if other is not None:
                    self._swap(one, other)
                case SwapsUndone(pairs):
                    for one, other in pairs:
                        self._swap(one, other)
                    self.gave = {}

    def _note_quiet_fools(self) -> None:
        """G7: who was dealt the fool and has not knocked when the first player speaks."""
        fools = {piece.name for piece in GNAV.low_to_high if piece.is_fool}
        for one in self.truth.public.seats:
            if one.in_deal and "knocked" not in one.marks and self.dealt[one.seat][0] in fools:
                sin = Sin(self.deals, one.seat, None)
                if sin not in self.sins:
                    self.sins.append(sin)

    def _swap(self, one: Seat, other: Seat) -> None:
        self.gave[one], self.gave[other] = str(self.hands[one][0]), str(self.hands[other][0])
        self.hands[one], self.hands[other] = self.hands[other], self.hands[one]

    def _deal(self) -> None:
        """Gather all, shuffle and deal; the same seed and number of the deal always give the same hands."""
        self.deals += 1
        public = self.truth.public
        is_gnav = public.game == "gnav"
        players = [one.seat for one in public.seats if one.in_deal]
        self.hands, self.gave = {}, {}
        things: list[Thing] = [str(piece) for piece in GNAV.bag] if is_gnav else list(PACK)
        random.Random(f"{self.seed} deal {self.deals}").shuffle(things)
        size = 1 if is_gnav else self.truth.game.deal_size(len(players))  # type: ignore[attr-defined]
        for index, seat in enumerate(players):
            self.hands[seat] = things[index * size : (index + 1) * size]
        self.dealt = {seat: tuple(self.hands[seat]) for seat in players}
        self.laid = {seat: [] for seat in players}
        self.aside, self.aside_shown = {}, set()
        self.bag = things[len(players) * size :]


def _read_deeds(file: Path | None) -> list[Deed]:
    """The deeds written in *file*; a torn last line never happened."""
    if file is None or not file.exists():
        return []
    deeds = []
    for line in file.read_text(encoding="utf-8").split("\n")[:-1]:
        found = json.loads(line)
        fact: Any = read_event(json.dumps(found["fact"]))
        deeds.append(Deed(fact, found["key"], found["cheats"]))
    return deeds
