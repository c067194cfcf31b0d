"""Piece tables: which pieces a game of Gnav's kind is played with, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Effect(Enum):
    """What a piece does when its holder is asked to swap (G10, G13 - G16)."""

    SWAPS = "swaps"
    """G10: it must be given away."""
    ENDS_ROUND = "ends round"
    """G13 *Stopp for gjøk*."""
    CUTS_OFF = "cuts off"
    """G14 *Hugg av*."""
    UNDOES = "undoes"
    """G15 *Kiss, bytt om*."""
    PASSES_ON = "passes on"
    """G16 *Hest forbi*, *Hus forbi*."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One design of the set, of which the bag holds *copies*."""

    name: str
    effect: Effect = Effect.SWAPS
    copies: int = 2
    call: str = ""
    """The words its holder says when asked, as the rule sheet prints them; empty for none."""
    is_fool: bool = False
    """G7, G24: the piece whose holder knocks, and which drags the second lowest along."""

    def __str__(self) -> str:
        return self.name

    @property
    def is_matador(self) -> bool:
        return self.effect is not Effect.SWAPS


@dataclass(frozen=True, slots=True)
class PieceTable:
    """A set of pieces, lowest first."""

    name: str
    low_to_high: tuple[Piece, ...]

    def __post_init__(self) -> None:
        names = [piece.name for piece in self.low_to_high]
        if len(set(names)) != len(names):
            raise ValueError(f"piece table {self.name}: a name stands twice in {names}")

    def piece(self, name: str) -> Piece:
        """The design called *name*; ValueError lists what there is."""
        for piece in self.low_to_high:
            if piece.name == name:
                return piece
        raise ValueError(f"no piece {name!r} in {self.name}; there are {', '.join(map(str, self.low_to_high))}")

    def height(self, piece: Piece) -> int:
        """0 for the lowest; pieces of one design are equal."""
        return self.low_to_high.index(piece)

    @property
    def matadors(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.low_to_high if piece.is_matador)

    @property
    def bag(self) -> tuple[Piece, ...]:
        """All the pieces, each as often as it is there."""
        return tuple(piece for piece in self.low_to_high for _ in range(piece.copies))


_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")

GNAV = PieceTable(
    "gnav",
    (
        Piece("NARR", is_fool=True),
        Piece("UGLE"),
        Piece("POTTE"),
        Piece("0"),
        *(Piece(numeral) for numeral in _NUMERALS),
        Piece("HUS", Effect.PASSES_ON, call="HUS FORBI"),
        Piece("HEST", Effect.PASSES_ON, call="HEST FORBI"),
        Piece("KATT", Effect.UNDOES, call="KISS, BYTT OM"),
        Piece("DRAGON", Effect.CUTS_OFF, call="HUGG AV"),
        Piece("GJØK", Effect.ENDS_ROUND, call="STOPP FOR GJØK"),
    ),
)
"""G1, G2: 21 designs, two of each."""
