"""Gnav's rules as tables: one row a case, the clause last. The shorthand is that of ``gnav_talk``."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.cards import Card
from engine.events import Called, CardPlayed, Dealt, Knocked, LookedAt, PieceShown
from engine.game import TablePublic
from engine.games import game_named
from engine.games.gnav import Gnav, GnavOptions
from engine.games.gnav_proofs import could_be
from engine.ledger import Ledger
from engine.pieces import GNAV, PieceTable
from engine.referee import Referee
from engine.rulings import (
    CallSpoken,
    DealOver,
    DealVoid,
    Exchanged,
    Fault,
    GameOver,
    Impossible,
    Received,
    SitsOut,
    SwapsUndone,
    TurnIs,
    Undecided,
    WentOut,
)
from engine.seats import Seat, Seats
from tests.engine.gnav_talk import Played, Row, round_of, rows, table

PAYS = """
    talk                 | shown           | tokens  | pot | pays        | out | clause
    1- 2- 3-             | V II X          | -       | 0   | 2:1         | -   | G22 the lowest pays one
    1- 2- 3-             | II V II         | -       | 0   | 1:1 3:1     | -   | G23 all who tie pay
    1k 1- 2- 3-          | NARR V X        | -       | 0   | 1:1 2:1     | -   | G24 the fool drags the second lowest
    1k 1- 2- 3- 4-       | NARR V X V      | -       | 0   | 1:1 2:1 4:1 | -   | G24 all who hold it
    1- 2- 3-             | UGLE POTTE 0    | -       | 0   | 1:1         | -   | G2 the owl under the pot under 0
    1? 2:DRAGON 3-       | V DRAGON X      | -       | 0   | 1:2         | -   | G14 G25 refused and lowest
    1? 2:DRAGON 3-       | XII DRAGON X    | -       | 0   | 1:1 3:1     | -   | G14 the asker pays
    1? 2:KATT 3-         | XII KATT X      | -       | 0   | 1:1 3:1     | -   | G15 the asker pays
    1? 2:GJØK            | V GJØK X        | -       | 0   | 1:1         | -   | G13 no payment for asking
    1? 2:GJØK            | XI GJØK X       | -       | 0   | 3:1         | -   | G13 no payment for asking
    1? 2:HUS 1? 3s 3-    | XI HUS V        | -       | 0   | 3:1         | -   | G16 nobody pays
    1? 2:DRAGON 3-       | V DRAGON X      | 1 5 5   | 0   | 1:1         | 1   | G26 out after the round
    1- 2? 3:HEST 2b      | VII III HEST    | -       | 0   | 2:1         | -   | G19 bag
    1- 2? 3s 3b          | VII X III       | -       | 0   | 3:1         | -   | G20 the dealer draws
    1k 2k 3- 4-          | NARR NARR V X   | -       | 4   | 3:1         | -   | G8 the fools are not compared
    1k 1- 2- 3- 4b       | NARR V X NARR   | -       | 4   | 1:1 4:1 2:1 | -   | G8 at_deal: a late fool ties
    with rank_order=zero_lowest
    1- 2- 3-             | UGLE POTTE 0    | -       | 0   | 3:1         | -   | G2 zero_lowest
    2k 1- 2- 3-          | 0 NARR V        | -       | 0   | 1:1         | -   | G24 not when the fool is not lowest
    2k 1- 2- 3-          | I NARR V        | -       | 0   | 2:1 1:1     | -   | G24 zero_lowest
    2k 1- 2- 3-          | POTTE NARR V    | -       | 0   | 1:1         | -   | G2 zero_lowest: the fool over the pot
    with refusal_payment=3
    1? 2:DRAGON 3-       | V DRAGON X      | -       | 0   | 1:4         | -   | G14 refusal_payment
    1? 2:KATT 3-         | V KATT X        | 2 5 5   | 0   | 1:2         | 1   | G26 the rest is waived
    with double_payment=max_one_per_round
    1? 2:DRAGON 3-       | V DRAGON X      | -       | 0   | 1:1         | -   | G25 max_one_per_round
    1? 2:DRAGON 3-       | X DRAGON V      | -       | 0   | 1:1 3:1     | -   | G25 once each
    with debt_beyond_stake=next_lowest_pays
    1? 2:DRAGON 3-       | V DRAGON X      | 1 5 5   | 0   | 1:1 3:1     | 1   | G22 next_lowest_pays
    1? 2:DRAGON 3- 4-    | V DRAGON X X    | 1 5 5 5 | 0   | 1:1 3:1 4:1 | 1   | G22 next_lowest_pays: all who hold it
    1? 2:DRAGON 3-       | V DRAGON X      | 5 5 5   | 0   | 1:2         | -   | G22 not when he can pay
    1k 1? 2:DRAGON 3- 4- | NARR DRAGON X V | 1 5 5 5 | 0   | 1:1 4:1 3:1 | 1   | G24 two levels that can pay
    with double_payment=max_one_per_round debt_beyond_stake=next_lowest_pays
    1? 2:DRAGON 3-       | V DRAGON X      | 1 5 5   | 0   | 1:1         | 1   | G25 he owes nothing more
    with elimination=immediately
    1? 2:DRAGON 3-       | V DRAGON X      | 1 5 5   | 0   | 1:1 3:1     | 1   | G26 immediately: he is not compared
    1? 2:DRAGON 3-       | - DRAGON X      | 1 5 5   | 0   | 1:1 3:1     | 1   | G26 immediately: he need not show
    1- 2- 3-             | V II X          | 5 1 5   | 0   | 2:1         | 2   | G26 at the end as ever
    with cuckoo_all_pay=true
    1? 2:GJØK            | V GJØK X        | -       | 0   | 1:1 3:1     | -   | G13 cuckoo_all_pay
    1- 2- 3-             | V GJØK X        | -       | 0   | 1:1         | -   | G13 only after the call
    with cuckoo_own_turn=true
    1- 2:GJØK            | V GJØK X        | -       | 0   | 1:1         | -   | G13 cuckoo_own_turn
    1- 2- 3:GJØK         | V X GJØK        | -       | 0   | 1:1         | -   | G13 the dealer's own turn too
    with horse_house_continue=may_stop
    1? 2:HEST 1- 3-      | V HEST X        | -       | 0   | 1:1         | -   | G16 may_stop
    with horse_house_past_dealer=keep
    1- 2? 3:HEST         | VII III HEST    | -       | 0   | 2:1         | -   | G19 keep
    with matador_turn=acts
    1? 2:DRAGON 2? 3s 3- | V X DRAGON      | -       | 0   | 1:2         | -   | G17 acts
    with double_fool=off
    1k 2k 1- 2- 3- 4-    | NARR NARR V X   | -       | 4   | 1:1 2:1 3:1 | -   | G8 off: G23 and G24
    with double_fool=any_time
    1k 1- 2- 3- 4b       | NARR V X NARR   | -       | 4   | 2:1         | -   | G8 any_time
    with violation=pay_token
    1? 2:DRAGON 3-       | V XII X         | -       | 0   | 1:2 2:1     | -   | violation=pay_token
    2- 1- 2- 3-          | V XII X         | -       | 0   | 2:1 1:1     | -   | violation=pay_token at once
    1k 1- 2- 3-          | V VI X          | 1 5 5   | 0   | 1:1         | 1   | violation=pay_token: his last one
"""


@pytest.mark.parametrize("row", rows(PAYS))
def test_who_pays(row: Row) -> None:
    talk, shown, tokens, pot, pays, out, clause = row.cells
    played = round_of(talk, shown, row.house, tokens, int(pot))
    got = sum(one.amount for one in played.verdicts if isinstance(one, Received))
    assert played.last_of(DealOver) is not None, clause
    assert played.paid() == {int(pair[0]): int(pair[2]) for pair in pays.split()}, clause
    assert [one.seat for one in played.verdicts if isinstance(one, WentOut)] == list(map(int, out.split())), clause
    assert played.state.ledger.pot == int(pot) + sum(played.paid().values()) - got, clause


TURNS = """
    players | talk                           | awaited then, knocks left out  | clause
    3       | D3                             | SE                             | G6
    3       | D3 SE                          | 1- 1?                          | G9 left of the dealer
    3       | D3 SE 1-                       | 2- 2?                          | G9
    3       | D3 SE 1?                       | 2s 2:HUS,HEST,KATT,DRAGON,GJØK | G10 G18
    4       | D4 SE 1? 2s                    | 2- 2?                          | G12
    3       | D3 SE 1- 2-                    | 3- 3b                          | G20 the dealer last
    3       | D3 SE 1- 2- 3-                 | VIS                            | G21
    3       | D3 SE 1- 2- 3b                 | VIS (3/)                       | G21
    4       | D4 SE 1? 2:DRAGON              | 3- 3?                          | G14 left of the dragon
    4       | D4 SE 1? 2s 2? 3:KATT          | 4- 4b                          | G15 left of the cat
    4       | D4 SE 1? 2:HEST                | 1?                             | G16 must ask the next
    4       | D4 SE 1? 2:HEST 1?             | 3s 3:HUS,HEST,KATT,DRAGON,GJØK | G16
    4       | D4 SE 1? 2:HEST 3s             | 3- 3?                          | G16 the answer shows that he was asked
    4       | D4 SE 1? 2:HEST 1? 3s          | 3- 3?                          | G12 G17 the horse has had its turn
    5       | D5 SE 1? 2:HUS 1? 3:DRAGON     | 4- 4?                          | G14 G17
    3       | D3 SE 1- 2? 3:DRAGON           | VIS                            | G17 the dealer too
    3       | D3 SE 1- 2? 3:HUS              | 2b                             | G19
    3       | D3 SE 1- 2? 3:HUS 2b           | VIS (2/)                       | G19
    3       | D3 SE 1? 2:GJØK                | (VIS) 1= 2= 3=                 | G13 all show
    3       | D3 SE 1- 2- 3- VIS 2=V         | 1= 3=                          | G21
    3       | D3 SE 1- 2- 3- VIS 2=V 1=X 3=I | D1                             | G27
    4       | D4 SE 1k 4k                    | 2- 2? (1=) (4=)                | G8
    4       | D4 SE 1k 4k 2-                 | 3- 3b (1=) (4=)                | G8 he has the dealer's place
    4       | D4 SE 1- 2k 1k                 | 2- 2?                          | G7 G8 too late for the one who stood
    4       | D4 SE 1- 2k 3k                 | 4- 4b (2=) (3=)                | G8 until somebody asks
    4       | D4 SE 1k 1? 2s 3k              | 2- 2?                          | G8 not any more
    with dealer_discard=into_bag
    3       | D3 SE 1- 2- 3b                 | VIS                            | G20 into_bag
    with matador_turn=acts
    4       | D4 SE 1? 2:DRAGON              | 2- 2?                          | G17 acts
    4       | D4 SE 1? 2:HEST 1? 3s          | 2- 2?                          | G17 acts
    3       | D3 SE 1- 2? 3:KATT             | 3- 3b                          | G17 acts
    with horse_house_continue=may_stop
    4       | D4 SE 1? 2:HEST                | 1? 1-                          | G16 may_stop
    4       | D4 SE 1? 2:HEST 1-             | 3- 3?                          | G16 may_stop
    3       | D3 SE 1- 2? 3:HUS              | 2b 2-                          | G19 may_stop
    with horse_house_past_dealer=keep
    3       | D3 SE 1- 2? 3:HUS              | VIS                            | G19 keep
    with horse_house_past_dealer=keep matador_turn=acts
    3       | D3 SE 1- 2? 3:HUS              | 3- 3b                          | G19 keep, acts
    with cuckoo_own_turn=true
    3       | D3 SE                          | 1- 1? 1:GJØK                   | G13 cuckoo_own_turn
    with dealer_bag_redraw=redraw_horse_house
    3       | D3 SE 1- 2- 3b                 | VIS (3b) (3/)                  | G20 redraw
"""


@pytest.mark.parametrize("row", rows(TURNS))
def test_what_may_come_next(row: Row) -> None:
    players, talk, awaited, clause = row.cells
    played = table(int(players), row.house, pot=5)
    played.say(talk)
    assert [word for word in played.awaits if not word.endswith("k)")] == awaited.split(), clause


FAULTS = """
    talk                  | shown           | faults                                 | clause
    1? 2:DRAGON 3-        | V XII X         | 2 G14 false_call                       | O-GN2
    1? 2:DRAGON 3-        | V KATT X        | 2 G14 false_call                       | O-GN2 another matador
    1? 2:GJØK             | V XII X         | 2 G13 false_call                       | O-GN2
    1? 2s 2? 3:KATT       | V X II          | 3 G15 false_call                       | O-GN2
    1? 2:HEST 1? 3s 3-    | V HUS X         | 2 G16 false_call                       | O-GN2 the house is no horse
    1? 2s 2- 3-           | DRAGON V X      | 2 G18 matador_not_called               | O-GN3
    1? 2s 2? 3s 3-        | XI HUS V        | 3 G18 matador_not_called               | O-GN3 found where it went
    1? 2s 2? 3s 3? 4:KATT | V DRAGON X KATT | 2 G18 matador_not_called               | O-GN1 the cat brought it back
    1- 2- 3-              | NARR V X        | 1 G7 knock_missing                     | O-GN4
    1k 1- 2- 3-           | II V X          | 1 G7 false_knock                       | O-GN4
    1k 1? 2s 2- 3-        | V NARR X        | -                                      | G7 knocked and swapped away
    1? 2s 2- 3-           | V NARR X        | 1 G7 knock_missing                     | O-GN4 found where it went
    2k 1? 2s 2- 3-        | V NARR X        | 2 G7 false_knock, 1 G7 knock_missing   | G7 a fool from a swap
    2- 1- 2- 3-           | V X XI          | 2 G9 out_of_turn                       | G9
    2? 1- 2- 3-           | V X XI          | 2 G9 out_of_turn                       | G9
    1? 2s 1? 2- 3-        | V X XI          | 1 G9 out_of_turn                       | G11 he must keep it
    1? 2- 2s 2- 3-        | V X XI          | 2 G10 refused_without_call             | G10
    1? 3s 2s 2- 3-        | V X XI          | 3 G10 not_asked                        | G10
    2:DRAGON 1- 2- 3-     | V DRAGON XI     | 2 G18 not_asked                        | G18
    1:GJØK 1- 2- 3-       | GJØK X XI       | 1 G18 not_asked                        | G13 only when asked
    1? 2:DRAGON 2s 3-     | DRAGON V X      | 2 G18 call_and_swap                    | G18 and the pieces did move
    1? 2:GJØK 3-          | V GJØK X        | 3 G13 after_stop                       | G13
    1? 2:GJØK 3b          | V GJØK X        | 3 G13 after_stop                       | G13 no draw
    1? 2:HEST 1- 3-       | V HEST X        | 1 G16 must_ask_next                    | G16
    1- 2? 3:HUS 2-        | V VI HUS        | 2 G19 must_draw                        | G19
    1- 2? 3:HUS 2? 2b     | V VI HUS        | 2 G19 must_draw                        | G19
    1- 2- 3? 3-           | V VI X          | 3 G20 dealer_asks                      | G20
    1b 1- 2- 3-           | V VI X          | 1 G20 bag_not_his                      | G20
    3b 1- 2- 3-           | V VI X          | 3 G9 out_of_turn                       | G20 not before his turn
    3b 1- 2- 3b           | V VI X          | 3 G9 out_of_turn, 3 G20 second_draw    | G20 one draw
    1- 2- 3b 3b           | V VI X          | 3 G20 second_draw                      | G20 one draw
    1- 2- 3- 3b           | V VI X          | 3 G9 out_of_turn                       | G20 he stood
    1- VIS 2-             | V VI X          | 3 G21 early_turn_up, 2 G9 out_of_turn  | G21
    1- 2=VI 2- 3-         | V VI X          | 2 G21 shown_early                      | G21
    1- 1k 2- 3-           | NARR VI X       | 1 G7 late_knock                        | G7 before he decides
    1- 2=NARR 2- 3-       | V NARR X        | 2 G21 shown_early, 2 G7 knock_missing  | O-GN4 seen before
    1k 2k 1- 3- 4-        | NARR NARR V X   | 1 G8 sits_out                          | G8
    1k 2k 2b 3- 4-        | NARR XI V X     | 2 G8 sits_out                          | G8
    2k 1? 2:DRAGON 3-     | V DRAGON X      | 2 G14 knock_and_call, 2 G7 false_knock | G7 both cannot be true
    1- 2- 3b              | V VI HUS        | -                                      | G20 none
    with matador_call=optional
    1? 2s 2- 3-           | DRAGON V X      | -                                      | G18 optional
    with double_fool=off
    1k 2k 1- 2- 3- 4-     | NARR X NARR V   | 2 G7 false_knock, 3 G7 knock_missing   | O-GN4
    with cuckoo_own_turn=true
    1:DRAGON 1- 2- 3-     | DRAGON X XI     | 1 G18 not_asked                        | G13 only the cuckoo
    with dealer_bag_redraw=redraw_horse_house
    1- 2- 3b              | V VI HUS        | 3 G20 redraw_missing                   | G20 redraw
    1- 2- 3b 3b 3/X 3/V   | V VI IX         | 3 G20 false_redraw                     | G20 redraw
    1- 2- 3b 3b 3/X 3/HUS | V VI IX         | -                                      | G20 redraw
    with horse_house_past_dealer=keep
    1- 2? 3:HUS 2-        | V VI HUS        | -                                      | G19 keep: he says it as well
    1- 2? 3:DRAGON 2-     | V VI DRAGON     | 2 G9 out_of_turn                       | G19 only past a horse or house
    1- 2? 3:HUS 1-        | V VI HUS        | 1 G9 out_of_turn                       | G19 only the one passed on
"""


@pytest.mark.parametrize("row", rows(FAULTS))
def test_what_is_a_fault(row: Row) -> None:
    talk, shown, faults, clause = row.cells
    played = round_of(talk, shown, row.house, pot=5)
    found = [f"{seat} {cited} {why}" for seat, cited, why in played.faults()]
    assert sorted(found) == sorted(one.strip() for one in faults.split(",") if one), clause
    assert played.last_of(DealOver) is not None, "play goes on whatever happens"


CANNOT_BE = [
    # talk                       what somebody must look at again      clause
    ("D3 SE SE",                  "looked_twice",                      "G6"),
    ("D3 SE 1k 1k",               "knocked_twice",                     "G7"),
    ("D3 SE 1k 2k 3k",            "no_deal",                           "G8 the round is void, so nobody knocks"),
    ("D3 SE 1? 1?",               "asked_twice",                       "G9"),
    ("D3 SE 1? 2:XII",            "no_such_call",                      "G18"),
    ("D3 SE 1? 2:HUND",           "no_such_call",                      "G18"),
    ("D3 SE 1- 2- 3- VIS VIS",    "turned_up_twice",                   "G21"),
    ("D3 SE 1- 2- 3- VIS 1=HUND", "no_such_piece",                     "G1"),
    ("D3 SE 1- 2- 3- VIS 1=V 1=V", "shown_twice",                      "G21"),
    ("D3 SE 1- 2- 3- 3/V",        "nothing_laid_aside",                "G20"),
    ("D3 SE 1- 2- 3b 3/HUND",     "no_such_piece",                     "G20"),
    ("D3 SE 4-",                  "not_playing",                       "G3"),
    ("1-",                        "no_deal",                           "G5"),
    ("D4",                        "not_playing",                       "G5"),
    ("D3 SE 1- 1=V 2- 3- VIS 1=X", "not_what_was_seen",                "O-GN1"),
]  # fmt: skip


@pytest.mark.parametrize(("talk", "why", "clause"), CANNOT_BE)
def test_what_cannot_be_is_looked_at_again_and_changes_nothing(talk: str, why: str, clause: str) -> None:
    played = table(3)
    *before, last = talk.split()
    played.say(" ".join(before))
    state = played.state
    new = played.say(last)
    assert [one.why for one in new if isinstance(one, Impossible)] == [why], clause
    assert not [one for one in new if isinstance(one, Fault)], clause
    if why != "not_what_was_seen":
        assert played.state == state, clause


THIRD = [
    ({},                       "D5 SE 1? 2:DRAGON 3? 4:DRAGON 5- VIS 5=DRAGON", "too_many_copies", 0),
    ({"double_fool": "off"},   "D4 SE 1k 2k 3k",                                "third_knock",     None),
    ({},                       "D8 SE 1? 2:DRAGON 3? 4:DRAGON 5? 6:DRAGON",     "third_call",      None),
]  # fmt: skip


@pytest.mark.parametrize(("options", "talk", "why", "_"), THIRD)
def test_the_third_of_a_kind_accuses_nobody(options: dict[str, object], talk: str, why: str, _: object) -> None:
    """Somebody lies or something was misread, and nobody can say who yet (O-GN5)."""
    played = table(int(talk[1]), options)
    new = played.say(talk)
    if why == "too_many_copies":
        new = (*new, *played.say("4=DRAGON 2=DRAGON"))
    assert [one.why for one in new if isinstance(one, Impossible)] == [why]
    assert not [one for one in new if isinstance(one, Fault)]


def test_a_fault_names_the_play_and_what_proves_it() -> None:
    played = table(4)
    played.say("D4 SE 1k 1? 2s 2? 3:HUS 2? 4s 4- VIS")
    assert played.say("1=DRAGON") == (Fault(Seat(2), "G18", 5, "matador_not_called", 12, "DRAGON", "DRAGON"),)
    assert played.say("4=VIII") == (Fault(Seat(1), "G7", 3, "false_knock", 13, "NARR", "VIII"),)
    assert played.say("3=HEST") == (Fault(Seat(3), "G16", 7, "false_call", 14, "HUS", "HEST"),)
    assert played.say("2=NARR")[0] == Fault(Seat(4), "G7", 1, "knock_missing", 15, "NARR", "NARR")


def test_a_false_call_is_proved_as_soon_as_the_last_copy_lies_elsewhere() -> None:
    played = table(5)
    played.say("D5 SE 1? 2:KATT 3- 4- 5- VIS 1=X 5=KATT")
    assert played.say("3=KATT") == (Fault(Seat(2), "G15", 4, "false_call", 11, "KATT", "KATT"),)
    assert not [one for one in played.say("2=V") if isinstance(one, Fault)]


def test_a_piece_laid_aside_lies_elsewhere_too() -> None:
    """O-GN5: it counts like those before the seats."""
    played = table(4)
    played.say("D4 SE 1k 1- 2- 3- 4b VIS 4/NARR")
    assert Fault(Seat(1), "G7", 3, "false_knock", 10, "NARR", "NARR") in played.say("2=NARR")
    assert [one.why for one in played.say("3=NARR") if isinstance(one, Impossible)] == ["too_many_copies"]


def test_a_call_for_a_piece_that_lies_elsewhere_is_false_at_once() -> None:
    played = table(4)
    played.say("D4 SE 3=KATT 4=KATT 1?")
    assert Fault(Seat(2), "G15", 6, "false_call", 6, "KATT", "KATT") in played.say("2:KATT")


def test_a_known_piece_breaks_a_word_at_once() -> None:
    played = table(3)
    played.say("D3 SE 2=V 1?")
    assert Fault(Seat(2), "G14", 5, "false_call", 5, "DRAGON", "V") in played.say("2:DRAGON")


UNDECIDED = """
    discard         | talk            | shown         | then   | open knock duties | clause
    into_bag        | 1- 2? 3s 3b     | VII X III     | -      | 2                 | O-GN4
    into_bag        | 1- 2- 3b        | VII X III     | -      | 3                 | O-GN4
    into_bag        | 1- 2- 3-        | VII X III     | -      | -                 | O-GN4
    into_bag        | 1k 1- 2- 3b 3b  | NARR VII NARR | -      | 3                 | O-GN5 his own again?
    into_bag        | 1- 2? 3:HEST 2b | VII X HEST    | -      | 2                 | O-GN4 at the bag
    aside_and_shown | 1- 2? 3s 3b     | VII X III     | D1     | 2                 | O-GN4 nobody showed it
    aside_and_shown | 1- 2? 3s 3b     | VII X III     | 3/V D1 | -                 | O-GN4 all is decided
"""


@pytest.mark.parametrize("row", rows(UNDECIDED))
def test_what_can_never_be_known(row: Row) -> None:
    discard, talk, shown, then, stays_open, clause = row.cells
    played = round_of(talk, shown, {"dealer_discard": discard, "double_fool": "off"})
    played.say(then)
    found = [one for one in played.verdicts if isinstance(one, Undecided)]
    assert {one.why for one in found} <= {"knock_duty"}, clause
    assert [str(one.seat) for one in found] == stays_open.split(), clause


def test_both_fools_seen_elsewhere_prove_a_knock_false_though_its_piece_is_gone() -> None:
    played = round_of("2k 3k 1? 2s 2- 3- 4b", "NARR V VII NARR", {"dealer_discard": "into_bag", "double_fool": "off"})
    assert (3, "G7", "false_knock") in played.faults()
    knocker_in_the_bag = round_of("4k 1- 2- 3- 4b", "NARR V VII NARR", {"dealer_discard": "into_bag"})
    assert (4, "G7", "false_knock") in knocker_in_the_bag.faults()
    assert knocker_in_the_bag.last_of(Undecided) is None


def test_what_a_hidden_piece_can_be() -> None:
    """O-GN5: all pieces but those that lie elsewhere."""
    played = round_of("1- 2? 3s 3b", "VII X VII", {"dealer_discard": "into_bag"})
    assert played.state.round is not None
    lying = played.state.round.lying
    every = {piece.name for piece in GNAV.low_to_high}
    assert could_be(lying, 2) == every - {"VII"}
    assert could_be(lying, 1) == {"VII"}


def test_a_late_aside_still_proves_a_fault_and_is_fined() -> None:
    played = round_of("3k 1- 2- 3b", "VII X XI", {"violation": "pay_token"}, "5 5 1")
    assert played.faults() == []
    new = played.say("3/V")
    assert [type(one).__name__ for one in new] == ["Fault", "Paid", "WentOut"]
    assert played.state.players == (1, 2)


def test_two_knocks_in_a_short_pot() -> None:
    """G8: nothing, or the bank gives what the pot lacks."""
    nothing = round_of("1k 2k 3- 4-", "NARR NARR V X", pot=1)
    assert nothing.last_of(Received) is None
    assert [one.seat for one in nothing.verdicts if isinstance(one, SitsOut)] == [1, 2]
    bank = round_of("1k 2k 3- 4-", "NARR NARR V X", {"double_fool_short_pot": "bank"}, pot=1)
    assert [(one.seat, one.source) for one in bank.verdicts if isinstance(one, Received)] == [(1, "pot"), (2, "bank")]
    assert (bank.state.ledger.from_bank, bank.state.ledger.total) == (1, 21)


def test_two_knocks_that_leave_one_player_make_the_round_void() -> None:
    """G8; what the fools got stands, and the bag passes on."""
    played = table(3, pot=2)
    new = played.say("D3 SE 1k 3k")
    assert DealVoid("G8", "two_fools") in new
    assert [played.state.ledger.has(Seat(seat)) for seat in (1, 2, 3)] == [6, 5, 6]
    assert played.awaits[0] == "D1"
    assert played.say("3=V") == (Fault(Seat(3), "G7", 4, "false_knock", 5, "NARR", "V"),)


def test_a_cat_undoes_the_swaps_since_the_last_cat() -> None:
    played = table(8)
    played.say("D8 SE 1? 2s 2? 3s 3?")
    assert SwapsUndone(((Seat(2), Seat(3)), (Seat(1), Seat(2))), "G15") in played.say("4:KATT")
    played.say("5? 6s 6?")
    assert SwapsUndone(((Seat(5), Seat(6)),), "G15") in played.say("7:KATT")


def test_a_horse_between_does_not_break_the_chain_of_swaps() -> None:
    played = table(5)
    new = played.say("D5 SE 1? 2:HEST 1? 3s")
    assert Exchanged(Seat(1), Seat(3), "G10") in new
    assert SwapsUndone(((Seat(1), Seat(3)),), "G15") in played.say("3? 4:KATT")


ALL_OUT = [
    ("replay",    [DealVoid("G28", "all_out")], [1, 1], 3, "D2"),
    ("shared",    [GameOver((Seat(1), Seat(2)), "G28")], [0, 0], 5, None),
    ("no_winner", [GameOver((), "G28")], [0, 0], 5, None),
]  # fmt: skip


@pytest.mark.parametrize(("option", "last", "stocks", "pot", "awaited"), ALL_OUT)
def test_all_out_at_once(option: str, last: list[Any], stocks: list[int], pot: int, awaited: str | None) -> None:
    """G28: the round is played again as if it had not been, or nobody is left."""
    played = round_of("1- 2-", "V V", {"all_out_at_once": option}, "1 1", 3)
    assert played.verdicts[-1:] == last
    assert ([played.state.ledger.has(Seat(seat)) for seat in (1, 2)], played.state.ledger.pot) == (stocks, pot)
    assert played.awaits == ([awaited] if awaited else [])
    assert played.game.public(played.state).winners == (last[0].winners if isinstance(last[0], GameOver) else ())


def test_a_replayed_round_gives_back_a_refusal_too() -> None:
    played = round_of("1? 2s 2- 3:KATT 3-", "V V V", {"elimination": "immediately"}, "1 1 1")
    assert played.verdicts[-1] == DealVoid("G28", "all_out")
    refused = round_of("1? 2:DRAGON 3-", "- V V", {"elimination": "immediately"}, "1 1 1", 2)
    assert refused.verdicts[-1] == DealVoid("G28", "all_out")
    assert (refused.state.players, refused.state.ledger) == ((1, 2, 3), Ledger((1, 1, 1), 2))


def test_out_at_once_can_end_the_game_or_the_round() -> None:
    """G26 immediately."""
    game = table(2, {"elimination": "immediately"}, "1 4")
    assert game.say("D2 SE 1? 2:DRAGON")[-2:] == (WentOut(Seat(1), "G26"), GameOver((Seat(2),), "G28"))
    assert game.game.public(game.state).phase == "over"
    two_left = table(4, {"elimination": "immediately"}, "1 4 4 4", 2)
    new = two_left.say("D4 SE 2k 3k 1? 4:KATT")
    assert new[-2:] == (WentOut(Seat(1), "G26"), DealVoid("G26", "one_left"))
    assert two_left.awaits[0] == "D2"


def test_a_game_ends_with_the_last_one_who_has_tokens() -> None:
    played = round_of("1- 2-", "V X", None, "1 3")
    assert played.verdicts[-3:] == [DealOver(1, (Seat(1),)), WentOut(Seat(1), "G26"), GameOver((Seat(2),), "G28")]
    assert played.awaits == []
    assert played.say("D2") == (Impossible(len(played.log), "game_over"),)


def test_the_bag_passes_to_the_next_who_is_in() -> None:
    """G27."""
    played = round_of("1- 2- 3-", "V X XI", None, "1 3 3")
    assert played.state.dealer == 2
    played.say("D2 SE 3- 2- VIS 3=V 2=X")
    assert played.state.dealer == 3


def test_dealing_again_voids_the_round_and_gives_the_payments_back() -> None:
    played = table(4)
    new = played.say("D4 SE 1? 2:DRAGON D4")
    assert new[:2] == (DealVoid("G27", "dealt_again"), Fault(Seat(4), "G27", 5, "deal_not_over", 5))
    assert played.state.ledger == Ledger((5, 5, 5, 5))
    misdeal = table(4)
    assert not [one for one in misdeal.say("D4 D4") if isinstance(one, Fault)]
    assert [one.why for one in misdeal.say("D2") if isinstance(one, Fault)] == ["wrong_dealer"]


def test_who_does_not_wait_for_the_look_plays_on_all_the_same() -> None:
    played = table(3)
    new = played.say("D3 1-")
    assert new == (
        Fault(Seat(1), "G6", 2, "before_look", 2),
        CallSpoken(Seat(1), "STAND"),
        TurnIs(Seat(2)),
    )


def test_the_first_who_shows_without_being_told_lets_the_others_follow() -> None:
    played = table(3)
    played.say("D3 SE 1- 2- 3- 1=V 2=X 3=XI")
    assert played.faults() == [(1, "G21", "shown_early")]
    assert played.last_of(DealOver) == DealOver(1, (Seat(1),))


def test_what_all_may_see() -> None:
    played = table(4, pot=2)

    def public() -> TablePublic:
        return played.game.public(played.state)

    assert (public().phase, public().deal, public().dealer) == ("between_deals", 0, 4)
    played.say("D4")
    assert (public().phase, public().deal) == ("look", 1)
    played.say("SE 2k 1?")
    assert (public().phase, public().to_act, public().pot) == ("swaps", 2, 2)
    assert [one.marks for one in public().seats] == [("asks",), ("knocked", "asked"), (), ()]
    played.say("2:DRAGON 3- 4b")
    assert public().phase == "turn_up"
    assert [one.marks for one in public().seats] == [(), ("knocked", "called:DRAGON"), ("stood",), ("drew",)]
    played.say("VIS 1=V")
    assert [one.laid for one in public().seats] == [("V",), (), (), ()]
    played.say("2=NARR 3=X 4=XI")
    assert (public().phase, public().dealer, public().pot) == ("between_deals", 1, 5)
    assert [one.chips for one in public().seats] == [3, 4, 5, 5]
    played.say("D1 SE 3k 4k")
    assert [(one.in_deal, one.marks) for one in public().seats][2:] == [(False, ("knocked", "sits_out"))] * 2


def test_other_games_events_do_not_belong_here() -> None:
    played = table(3)
    played.say("D3 SE")
    before = played.state
    assert played.judge(CardPlayed(Seat(1), Card.parse("Td"))) == (Impossible(3, "not_gnav"),)
    assert played.state == before


TOO_MANY = [(1, 1), (21, 1), (3, 4), (3, 0)]


@pytest.mark.parametrize(("seats", "dealer"), TOO_MANY)
def test_who_cannot_play(seats: int, dealer: int) -> None:
    """G3, G5."""
    with pytest.raises(ValueError, match=r"players|cannot deal"):
        Gnav().begin(Seats(seats), Seat(dealer))


def test_twenty_can_play_and_the_bag_can_run_dry() -> None:
    played = table(20)
    played.say("D20 SE")
    for _ in range(22):
        assert isinstance(played.say("1b")[-1], Exchanged)
    assert played.say("1b") == (Impossible(25, "bag_empty"),)


def test_a_set_too_small_for_the_players_is_refused() -> None:
    few = PieceTable("few", tuple(GNAV.low_to_high[:2]))
    with pytest.raises(ValueError, match="4 pieces are too few for 4 players"):
        Gnav(table=few).begin(Seats(4), Seat(1))


def test_a_set_without_matadors_or_fools_can_be_played() -> None:
    plain = PieceTable("plain", tuple(GNAV.low_to_high[4:12]))
    game = Gnav(table=plain)
    played = Played(game, game.begin(Seats(3), Seat(3)))
    played.say("D3 SE")
    assert played.say("1k")[-1] == Impossible(3, "no_fool")
    played.say("1? 2s 2- 3- VIS 1=V 2=VI 3=II")
    assert played.last_of(DealOver) == DealOver(1, (Seat(3),))


def test_the_pieces_names_are_data() -> None:
    """The same round with every piece called something else gives the same rulings, so called."""
    other = {piece.name: f"piece {number}" for number, piece in enumerate(GNAV.low_to_high)}
    renamed = PieceTable("renamed", tuple(replace(piece, name=other[piece.name]) for piece in GNAV.low_to_high))
    talk, shown = "2k 1? 2:DRAGON 3? 4s 4? 5:KATT 6b", "V DRAGON HUS II IX NARR"
    played = round_of(talk, shown)
    game = Gnav(table=renamed)
    again = Played(game, game.begin(Seats(6), Seat(6)))
    for one in played.log:
        match one:
            case Called(seat, piece):
                again.judge(Called(seat, other[piece]))
            case PieceShown(seat, piece):
                again.judge(PieceShown(seat, other[piece]))
            case _:
                again.judge(one)

    def rename(text: str) -> str:
        return other.get(text, text)

    expected = [
        replace(one, thing=rename(one.thing), proof=rename(one.proof)) if isinstance(one, Fault) else one
        for one in played.verdicts
    ]
    assert again.verdicts == expected
    assert [one for one in expected if isinstance(one, Fault)]


GAMES_FILES = sorted((Path(__file__).parents[2] / "engine" / "games").glob("gnav*.py"))


def test_every_clause_is_cited_where_it_is_coded() -> None:
    sheet = (GAMES_FILES[0].parent / "gnav.py").read_text("utf-8").split('"""')[1]
    code = "".join(path.read_text("utf-8") for path in GAMES_FILES).replace(sheet, "")
    for number in range(1, 29):
        assert re.search(rf"^G{number} ", sheet, re.MULTILINE), f"the sheet lacks G{number}"
        assert _cites(code, number), f"no code cites G{number}"
    for number in range(1, 6):
        assert f"O-GN{number}" in code


def _cites(code: str, number: int) -> bool:
    if re.search(rf"\bG{number}\b", code):
        return True
    return any(int(low) < number < int(high) for low, high in re.findall(r"\bG(\d+) - G(\d+)\b", code))


def test_no_piece_is_named_in_the_rules() -> None:
    names = [piece.name for piece in GNAV.low_to_high if len(piece.name) > 2]
    for path in GAMES_FILES:
        if path.name != "gnav_options.py":  # zero_lowest is data: an order of names
            code = re.sub(r'""".*?"""|#.*', "", path.read_text("utf-8"), flags=re.DOTALL)
            assert not [name for name in names if f'"{name}"' in code], path.name


def test_the_game_is_known_by_its_name_and_options() -> None:
    game = game_named("gnav", {"start_tokens": 7})
    assert game == Gnav(GnavOptions(start_tokens=7))
    with pytest.raises(ValueError, match="start_tokens is 51"):
        game_named("gnav", {"start_tokens": 51})


def test_nobody_is_blamed_for_a_fool_he_had_no_time_to_knock_with() -> None:
    """G7, G8: two knocks end a round of three before the third, who holds a fool, can knock."""
    referee = Referee(Gnav(), Seats(3), Seat(3))
    for event in (Dealt(Seat(3)), LookedAt(), Knocked(Seat(1)), Knocked(Seat(2)), PieceShown(Seat(3), "NARR")):
        referee.judge(event)
    assert [one for one in referee.verdicts if isinstance(one, Fault)] == []
    referee.judge(PieceShown(Seat(1), "HEST"))
    assert [one.why for one in referee.verdicts if isinstance(one, Fault)] == ["false_knock"]
