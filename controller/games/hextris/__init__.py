"""Hextris, by David J. Bush: connect five of your pieces three times, on a hexagon of 19 cells.

``position`` is what may be done and what comes of it, ``rules`` the game as a function of its events,
``game`` what a table asks of it. docs/hextris.md tells the rules, in our own words.
"""

from hextraction.controller.games.hextris.game import Hextris

__all__ = ["Hextris"]
