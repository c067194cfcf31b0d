"""Weighing things against each other: equal to brute force, and never sure of a table that cannot be."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Card
from vision.assignment import together
from vision.labels import What

KS, JS, QS = Card.parse("Ks"), Card.parse("Js"), Card.parse("Qs")
ONE_EACH: dict[What, int] = {KS: 1, JS: 1, QS: 1}


def shares(*numbers: float) -> dict[What, float]:
    total = sum(numbers)
    return {what: number / total for what, number in zip((KS, JS, QS), numbers, strict=True)}


def test_alone_a_look_is_what_it_is() -> None:
    mine = shares(6, 3, 1)
    assert together([mine], ONE_EACH) == [mine]


def test_what_is_taken_is_hardly_probable() -> None:
    (found,) = together([shares(60, 40, 0.01)], ONE_EACH, {KS: 1})
    assert next(iter(found)) == JS
    assert found[JS] > 0.99


def test_overwhelming_evidence_still_surfaces() -> None:
    (found,) = together([shares(1, 1e-6, 1e-6)], ONE_EACH, {KS: 1})
    assert next(iter(found)) == KS


def test_a_name_without_a_limit_competes_with_nothing() -> None:
    both = [{"back": 0.9, KS: 0.1}, {"back": 0.8, KS: 0.2}]
    found = together(both, ONE_EACH)
    assert all(next(iter(one)) == "back" for one in found)


def test_two_of_each() -> None:
    mine = {"IX": 0.55, "XI": 0.45}
    assert next(iter(together([mine], {"IX": 2, "XI": 2}, {"IX": 1})[0])) == "IX"
    assert next(iter(together([mine], {"IX": 2, "XI": 2}, {"IX": 2})[0])) == "XI"


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(*[st.floats(0.01, 1)] * 3), min_size=1, max_size=4),
    st.dictionaries(st.sampled_from([KS, JS, QS]), st.integers(0, 1)),
)
def test_as_brute_force_says(numbers: list[tuple[float, float, float]], taken: dict[What, int]) -> None:
    alone = [shares(*one) for one in numbers]
    totals: list[dict[What, float]] = [dict.fromkeys(one, 0.0) for one in alone]
    for table in product(*alone):
        weight = 1.0
        for one, what in zip(alone, table, strict=True):
            weight *= one[what]
        for what in ONE_EACH:
            # only those on this table can be too many: what is taken is so for every table
            laid = table.count(what)
            too_many = max(0, laid + taken.get(what, 0) - 1)
            weight *= 1e-3 ** min(too_many, laid)
        for total, what in zip(totals, table, strict=True):
            total[what] += weight
    for total, found in zip(totals, together(alone, ONE_EACH, taken), strict=True):
        whole = sum(total.values())
        for what, share in found.items():
            assert share == pytest.approx(total[what] / whole, abs=0.02)


def test_a_table_full_of_unsure_things_is_weighed_in_time() -> None:
    names: list[What] = [f"piece {number}" for number in range(21)]
    alone = [{names[(i + j) % 21]: 0.5 - 0.1 * j for j in range(4)} for i in range(20)]
    alone = [{what: share / sum(one.values()) for what, share in one.items()} for one in alone]
    found = together(alone, dict.fromkeys(names, 2))
    assert [next(iter(one)) for one in found] == names[:20]
