"""Gnav against chances counted elsewhere, by others than wrote the referee."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod, sqrt
from statistics import mean, stdev

import pytest

from engine.events import (
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
from engine.games.gnav import Gnav, GnavOptions, GnavState
from engine.pieces import GNAV, Piece
from engine.rulings import Paid
from engine.seats import Seat, Seats

FOOL = GNAV.low_to_high[0]
Deal = tuple[Piece, ...]


class Rounds:
    """Plays rounds to the turn-up once for each way the talk can go, and then shows many deals."""

    def __init__(self, seats: int, options: GnavOptions | None = None) -> None:
        self.game, self.seats = Gnav(options or GnavOptions()), seats
        self.talked: dict[tuple[Fact, ...], tuple[GnavState, list[int]]] = {}

    def paid(self, talk: tuple[Fact, ...], shown: Deal) -> list[int]:
        """The tokens each seat pays (index seat - 1) when *talk* ends with these pieces."""
        if talk not in self.talked:
            state = self.game.begin(Seats(self.seats), Seat(self.seats))
            opened = (Dealt(Seat(self.seats)), LookedAt(), *talk, TurnedUp())
            self.talked[talk] = self.go_on(state, opened, [0] * self.seats)
        shows = tuple(PieceShown(Seat(seat), piece.name) for seat, piece in enumerate(shown, start=1))
        return self.go_on(*self.talked[talk][:1], shows, self.talked[talk][1])[1]

    def go_on(self, state: GnavState, facts: tuple[Fact, ...], paid: list[int]) -> tuple[GnavState, list[int]]:
        paid = list(paid)
        for number, fact in enumerate(facts, start=100):
            state, verdicts = self.game.apply(state, fact, number)
            for one in verdicts:
                if isinstance(one, Paid):
                    paid[one.seat - 1] += one.amount
        return state, paid

    def all_stand(self, deal: Deal) -> list[int]:
        """Nobody swaps; who was dealt the fool knocks."""
        knocks = [Knocked(Seat(seat)) for seat, piece in enumerate(deal, start=1) if piece is FOOL]
        return self.paid((*knocks, *(Stood(Seat(seat)) for seat in range(1, self.seats + 1))), deal)


def ways(deal: Deal) -> int:
    """In how many ways the bag gives *deal*, one piece after the other."""
    return prod(piece.copies - deal[:place].count(piece) for place, piece in enumerate(deal))


STANDING = [
    # players, P(a seat pays) when nobody swaps; rounds with both fools do not count
    (2, Fraction(24, 43)),
    (3, Fraction(61, 156)),
    (4, Fraction(359, 1170)),
    (6, Fraction(30107, 135642)),
    (10, Fraction(206026, 1349205)),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "chance"), STANDING[:2])
def test_standing_players_pay_exactly_as_often_as_counted(seats: int, chance: Fraction) -> None:
    rounds, pays, counted = Rounds(seats), 0, 0
    for deal in combinations_with_replacement(GNAV.low_to_high, seats):
        orders = factorial(seats) // prod(map(factorial, Counter(deal).values()))
        weight = orders * ways(deal)
        if weight > 0 and deal.count(FOOL) < 2:
            pays += weight * sum(rounds.all_stand(deal))
            counted += weight
    assert Fraction(pays, counted * seats) == chance


@pytest.mark.parametrize(("seats", "chance"), STANDING[2:])
def test_standing_players_pay_about_as_often_as_counted(seats: int, chance: Fraction) -> None:
    dice, rounds = random.Random(seats), Rounds(seats)
    shares: list[float] = []
    while len(shares) < 1500:
        deal = tuple(dice.sample(GNAV.bag, seats))
        if deal.count(FOOL) < 2:
            shares.append(sum(rounds.all_stand(deal)) / seats)
    assert abs(mean(shares) - chance) < 4 * stdev(shares) / sqrt(len(shares))


def test_two_players_who_swap_what_is_below_seven_pay_exactly_as_counted() -> None:
    """Each swaps below VII; matadors speak; the dealer stands when the swap gave him a higher piece."""
    rounds = Rounds(2, GnavOptions(horse_house_past_dealer="keep"))
    pays, counted = [0, 0], 0
    for forehand, dealer, in_bag in product(GNAV.low_to_high, repeat=3):
        weight = ways((forehand, dealer, in_bag))
        if weight > 0 and not forehand is dealer is FOOL:
            for place, tokens in enumerate(rounds.paid(*_below_seven(forehand, dealer, in_bag))):
                pays[place] += weight * tokens
            counted += weight
    assert (Fraction(pays[0], counted), Fraction(pays[1], counted)) == (Fraction(11013, 17200), Fraction(1679, 3440))


def _below_seven(forehand: Piece, dealer: Piece, in_bag: Piece) -> tuple[tuple[Fact, ...], Deal]:
    """What the two say, and what they then show."""
    low = GNAV.low_to_high[: GNAV.height(GNAV.piece("VII"))]
    talk: list[Fact] = [Knocked(Seat(seat)) for seat, piece in ((1, forehand), (2, dealer)) if piece is FOOL]
    if forehand not in low:
        talk.append(Stood(Seat(1)))
        draws = dealer in low
    elif dealer.is_matador:
        talk += (AskedToSwap(Seat(1)), Called(Seat(2), dealer.name))
        return tuple(talk), (forehand, dealer)
    else:
        talk += (AskedToSwap(Seat(1)), Swapped(Seat(2)))
        forehand, dealer = dealer, forehand
        draws = GNAV.height(dealer) <= GNAV.height(forehand)
    talk.append(DrewFromBag(Seat(2)) if draws else Stood(Seat(2)))
    return tuple(talk), (forehand, in_bag if draws else dealer)
