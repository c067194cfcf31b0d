"""Matches of Gurka between bots before a referee: where the tests get long, true logs from."""

from __future__ import annotations

from random import Random

from engine.bots import GurkaBot
from engine.cards import PACK, Card
from engine.events import BoughtIn, CardPlayed, CardShown, Dealt, Stood
from engine.games.gurka import Gurka
from engine.referee import Referee
from engine.seats import Seat, Seats


def play_match(game: Gurka, count: int, bot: GurkaBot, rng: Random, deals: int) -> Referee:
    """Up to *deals* deals among *count* players who all play as *bot* and buy in every other time."""
    referee = Referee(game, Seats(count), Seat(rng.randrange(count) + 1))
    hands: dict[Seat, list[Card]] = {}
    while (public := referee.public).phase != "over":
        awaited = rng.choice([one for one in referee.awaits if one.must or public.phase == "buy_in"])
        seat = awaited.seat
        if awaited.event is Dealt:
            if public.deal == deals:
                break
            referee.judge(Dealt(public.dealer))
            pack = list(PACK)
            rng.shuffle(pack)
            players = [one.seat for one in referee.public.seats if one.in_deal]
            hands = {one: [pack.pop() for _ in range(game.deal_size(len(players)))] for one in players}
        elif seat is None:
            raise AssertionError(f"the dealer cannot do {awaited}")
        elif awaited.event is CardPlayed:
            card = bot.play(tuple(hands[seat]), public, game, rng)
            hands[seat].remove(card)
            referee.judge(CardPlayed(seat, card))
        elif awaited.event is CardShown:
            referee.judge(CardShown(seat, hands[seat].pop()))
        elif awaited.event is BoughtIn:
            referee.judge(BoughtIn(seat))
        else:
            referee.judge(Stood(seat))
    return referee
