"""Hex'el, a card game by Michael Corry: lay hexagonal cards edge to edge, match as many edges as you dare.

``cards`` are the decks, ``mosaic`` what fits where, ``position`` the game without a table, ``rules`` the game
as a function of its events, ``game`` what a table asks of it. docs/hexel.md tells how it is played, in our
own words, and why a table has to allow it.
"""

from hextraction.controller.games.hexel.game import Hexel

__all__ = ["Hexel"]
