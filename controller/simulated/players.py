"""The simulated players: from what each can see and holds, the next deed at the table; some of them cheat.

Pure but for the generator that is passed in: the same seed plays the same evening.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from controller.interpret import MATADOR_KEYS
from controller.simulated.world import Deed, World
from engine.bots import DumpHigh, GnavCheater, GurkaCheater, Threshold
from engine.cards import Card
from engine.events import (
    AsideShown,
    AskedToSwap,
    Called,
    CardPlayed,
    CardShown,
    Dealt,
    DrewFromBag,
    Knocked,
    LookedAt,
    PieceShown,
    Stood,
    Swapped,
    TurnedUp,
)
from engine.game import Await
from engine.games.gurka import Gurka
from engine.pieces import GNAV
from engine.seats import Seat

_KEY_OF = {name: key for key, name in MATADOR_KEYS.items()}
_SWAP_BELOW = 7
"""Height of IV: lower ones are swapped, so that there is something to hear."""


def next_deed(world: World, cheat_rate: float) -> Deed:
    """Who does what next; *cheat_rate* 0 ... 1 is how often a player breaks a rule where he could."""
    rng = random.Random(f"{world.seed} deed {len(world.deeds)}")
    public = world.truth.public
    awaits = world.truth.awaits
    knock = _knock(world, awaits, cheat_rate)
    if knock is not None:
        return knock
    # nobody must show a piece laid aside, or two fools, but everybody wants to see them
    shows = [one for one in awaits if one.event in (AsideShown, PieceShown) and not one.must]
    wanted = shows or [one for one in awaits if one.must] or list(awaits)
    kind, seat = wanted[0].event, wanted[0].seat
    if kind is Dealt:
        return Deed(Dealt(public.dealer), "console.neste")
    if kind is LookedAt:
        return Deed(LookedAt(), "console.se")
    if kind is TurnedUp:
        return Deed(TurnedUp(), "console.vis_opp")
    if seat is None:
        raise AssertionError(f"nobody knows what to do at {awaits}")
    if kind is PieceShown:
        return Deed(PieceShown(seat, str(world.hands[seat][0])))
    if kind is AsideShown:
        return Deed(AsideShown(seat, str(world.aside[seat])))
    if kind is CardShown:
        return Deed(CardShown(seat, _card(world.hands[seat][0])))
    if kind is CardPlayed:
        return _lay(world, seat, rng, cheat_rate)
    return _say(world, seat, {one.event for one in awaits if one.seat == seat}, rng, cheat_rate)


def _knock(world: World, awaits: Sequence[Await], cheat_rate: float) -> Deed | None:
    """G7: who was dealt the fool knocks, at once; a cheat keeps still for the whole round, or knocks without it."""
    may = {one.seat for one in awaits if one.event is Knocked}
    for one in world.truth.public.seats:
        if one.seat in may and one.in_deal and "knocked" not in one.marks:
            rng = random.Random(f"{world.seed} knock {world.deals} {one.seat}")
            dealt = str(world.dealt[one.seat][0])
            if _gnav_bot(cheat_rate / 5).knocks(dealt, rng):  # or every other round would end in two false fools
                false = "" if GNAV.piece(dealt).is_fool else "false_knock"
                return Deed(Knocked(one.seat), f"seat{one.seat}.bank", false)
    return None


def _lay(world: World, seat: Seat, rng: random.Random, cheat_rate: float) -> Deed:
    hand = tuple(_card(thing) for thing in world.hands[seat])
    game, public = world.truth.game, world.truth.public
    assert isinstance(game, Gurka)
    card = GurkaCheater(DumpHigh(), cheat_rate).play(hand, public, game, rng)
    allowed = card in game.legal(hand, game.to_follow(public))
    return Deed(CardPlayed(seat, card), cheats="" if allowed else "not_allowed")


def _say(world: World, seat: Seat, may: set[type], rng: random.Random, cheat_rate: float) -> Deed:
    piece = str(world.hands[seat][0])
    public = world.truth.public
    bot = _gnav_bot(cheat_rate)
    if Swapped in may:  # he is asked
        called = bot.answer(piece, public, rng)
        if called is None:
            lets_go = GNAV.piece(piece).is_matador
            return Deed(Swapped(seat), f"seat{seat}.bytte", "matador_not_called" if lets_go else "")
        return Deed(Called(seat, called), f"console.{_KEY_OF[called]}", "" if called == piece else "false_call")
    if Stood in may and bot.turn(piece, world.gave.get(seat), public, rng) == "stand":
        return Deed(Stood(seat), f"seat{seat}.staar")
    return Deed(AskedToSwap(seat) if AskedToSwap in may else DrewFromBag(seat), f"seat{seat}.bytte")


def _gnav_bot(cheat_rate: float) -> GnavCheater:
    return GnavCheater(Threshold(_SWAP_BELOW), cheat_rate)


def _card(thing: Card | str) -> Card:
    if isinstance(thing, Card):
        return thing
    raise TypeError(f"{thing} is no card")
