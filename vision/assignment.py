"""What several things are at once, when each card is there once and each piece twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from engine.cards import PACK
from engine.pieces import PieceTable
from vision.labels import What

_TOO_MANY = 1e-3
"""How much less probable a table is for each copy too many: not zero, so that overwhelming evidence still surfaces."""
_PLAUSIBLE = 0.002
"""Candidates less probable than this alone are not worth weighing against the others'."""
_MOST_TABLES = 4096


def copies_of_pack() -> dict[What, int]:
    """Each card once."""
    return dict.fromkeys(PACK, 1)


def copies_of(table: PieceTable) -> dict[What, int]:
    """Each piece as often as the bag holds it."""
    return {piece.name: piece.copies for piece in table.low_to_high}


def together(
    alone: Sequence[Mapping[What, float]], copies: Mapping[What, int], taken: Mapping[What, int] | None = None
) -> list[dict[What, float]]:
    """Probabilities of each thing given all the others.

    *alone* holds for each thing what it is by its own look (adding up to 1); *copies* how many of a name there are
    (no limit for a name not in it); *taken* how many of them lie elsewhere for certain. Exact among the plausible
    candidates of things that compete for the same names; deterministic.
    """
    taken = taken or {}
    candidates = [_plausible(one) for one in alone]
    result = [dict(one) for one in alone]
    for group in _competing(candidates, copies, taken):
        most = max(2, int(_MOST_TABLES ** (1 / len(group))))
        result_of_group = _weigh([dict(list(candidates[i].items())[:most]) for i in group], copies, taken)
        for index, shares in zip(group, result_of_group, strict=True):
            result[index] = shares
    return result


def _plausible(one: Mapping[What, float]) -> dict[What, float]:
    """Most probable first; ties in the order they came."""
    ordered = sorted(one.items(), key=lambda item: -item[1])
    return {what: share for what, share in ordered if share >= _PLAUSIBLE} or dict(ordered[:1])


def _competing(
    candidates: Sequence[Mapping[What, float]], copies: Mapping[What, int], taken: Mapping[What, int]
) -> list[list[int]]:
    """Groups of things joined by a limited name that both may be."""
    groups: list[tuple[set[What], list[int]]] = []
    for index, mine in enumerate(candidates):
        names = {what for what in mine if what in copies}
        if not names:
            continue
        joined = [group for group in groups if group[0] & names]
        merged = (
            names.union(*(group[0] for group in joined)),
            [i for group in joined for i in group[1]] + [index],
        )
        groups = [group for group in groups if group not in joined] + [merged]
    return [
        sorted(members)
        for names, members in groups
        if len(members) > 1 or any(taken.get(what, 0) >= copies[what] for what in names)
    ]


def _weigh(
    candidates: Sequence[Mapping[What, float]], copies: Mapping[What, int], taken: Mapping[What, int]
) -> list[dict[What, float]]:
    """Sum over every table that the candidates allow."""
    if len(candidates) > 12:  # a heap nobody can tell apart: each for itself, against what is taken
        return [_weigh([one], copies, taken)[0] for one in candidates]
    totals: list[dict[What, float]] = [dict.fromkeys(one, 0.0) for one in candidates]
    for table in product(*(one.items() for one in candidates)):
        weight = 1.0
        count: dict[What, int] = {}
        for what, share in table:
            weight *= share
            if what in copies:
                count[what] = count.get(what, taken.get(what, 0)) + 1
                if count[what] > copies[what]:
                    weight *= _TOO_MANY
        for totals_of_one, (what, _) in zip(totals, table, strict=True):
            totals_of_one[what] += weight
    return [_normalised(one) for one in totals]


def _normalised(weights: Mapping[What, float]) -> dict[What, float]:
    total = sum(weights.values())
    ordered = sorted(weights.items(), key=lambda item: -item[1])
    return {what: weight / total for what, weight in ordered}
