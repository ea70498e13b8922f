"""Extraction: settle, draw the land's resources until they are gone, and have the most points then.

``corners`` is the map's net, ``goods`` what there is to have, ``state`` the whole game at one moment;
``rules`` is the game as a function of its events, ``game`` what a table asks of it. docs/extraction.md tells
the rules, in our own words.
"""

from hextraction.controller.games.extraction.game import Extraction

__all__ = ["Extraction"]
