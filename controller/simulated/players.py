"""The simulated players: from what each can see and holds, the next deed at the table; some of them cheat.

Pure but for the generator that is passed in: the same seed plays the same evening.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from controller.interpret import MATADOR_KEYS
from controller.simulated.world import Deed, World
from engine.bots import GnavBot, GurkaBot
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
from engine.pieces import GNAV
from engine.seats import Seat

_KEY_OF = {name: key for key, name in MATADOR_KEYS.items()}


def next_deed(world: World, cheat_rate: float) -> Deed:
    """Who does what next; *cheat_rate* 0 ... 1 is how often a player breaks a rule where he could."""
    rng = random.Random(f"{world.seed} deed {len(world.deeds)}")
    public = world.truth.public
    awaits = world.truth.awaits
    fool = _fool_to_knock(world, awaits, cheat_rate)
    if fool is not None:
        return fool
    wanted = [one for one in awaits if one.must] or list(awaits)
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


def _fool_to_knock(world: World, awaits: Sequence[Await], cheat_rate: float) -> Deed | None:
    """G7: who was dealt the fool knocks, at once; a cheat keeps quiet for the whole round."""
    may = {one.seat for one in awaits if one.event is Knocked}
    fools = {piece.name for piece in GNAV.low_to_high if piece.is_fool}
    for one in world.truth.public.seats:
        if one.seat in may and one.in_deal and "knocked" not in one.marks:
            dealt = world.dealt.get(one.seat, ("",))[0]
            quiet = random.Random(f"{world.seed} fool {world.deals} {one.seat}").random() < cheat_rate
            if dealt in fools and not quiet:
                return Deed(Knocked(one.seat), f"seat{one.seat}.bank")
    return None


def _lay(world: World, seat: Seat, rng: random.Random, cheat_rate: float) -> Deed:
    hand = tuple(_card(thing) for thing in world.hands[seat])
    game = world.truth.game
    public = world.truth.public
    legal = game.legal(hand, tuple(Card.parse(text) for _, text in public.trick))  # type: ignore[attr-defined]
    illegal = [card for card in hand if card not in legal]
    if illegal and rng.random() < cheat_rate:
        return Deed(CardPlayed(seat, rng.choice(illegal)), cheats="U6")
    return Deed(CardPlayed(seat, GurkaBot().play(hand, public, game, rng)))


def _say(world: World, seat: Seat, may: set[type], rng: random.Random, cheat_rate: float) -> Deed:
    piece = GNAV.piece(str(world.hands[seat][0]))
    if Swapped in may:  # he is asked
        return _answer(seat, piece.name, piece.is_matador, rng.random() < cheat_rate, rng)
    if AskedToSwap in may and Stood not in may:  # G16: he must ask on
        return Deed(AskedToSwap(seat), f"seat{seat}.bytte")
    if DrewFromBag in may and Stood not in may:  # G19: hest or hus at the dealer
        return Deed(DrewFromBag(seat), f"seat{seat}.bytte")
    if GnavBot().wants_to_swap(piece.name, seat, world.truth.public):
        return Deed(AskedToSwap(seat) if AskedToSwap in may else DrewFromBag(seat), f"seat{seat}.bytte")
    return Deed(Stood(seat), f"seat{seat}.staar")


def _answer(seat: Seat, piece: str, is_matador: bool, cheats: bool, rng: random.Random) -> Deed:
    swaps = Deed(Swapped(seat), f"seat{seat}.bytte", "matador_not_called" if is_matador else "")
    if is_matador != cheats:  # an honest matador, or a liar without one
        name = piece if is_matador else rng.choice(sorted(_KEY_OF))
        return Deed(Called(seat, name), f"console.{_KEY_OF[name]}", "" if is_matador else "false_call")
    return swaps


def _card(thing: Card | str) -> Card:
    if isinstance(thing, Card):
        return thing
    raise TypeError(f"{thing} is no card")
