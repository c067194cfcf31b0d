"""Draws cards, pieces, mats and whole tables, with the truth beside each picture."""

from vision.render.cards import Deck, house_deck, random_deck
from vision.render.mats import Mat
from vision.render.scene import HOUSE_LOOK, Hand, Look, Placed, Scene, Truth, look_of, render
from vision.render.view import View, over_table, overhead

__all__ = [
    "HOUSE_LOOK",
    "Deck",
    "Hand",
    "Look",
    "Mat",
    "Placed",
    "Scene",
    "Truth",
    "View",
    "house_deck",
    "look_of",
    "over_table",
    "overhead",
    "random_deck",
    "render",
]
