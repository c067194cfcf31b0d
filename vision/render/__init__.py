"""Draws cards, pieces, mats and whole scenes, with the truth beside each picture."""
