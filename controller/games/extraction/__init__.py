"""Extraction: settle, draw the land's resources until they are gone, and have the most points then.

In chapters: ``land`` is what there is, the whole game at one moment and what can be read from that, ``turn``
the game as a function of its events, ``shown`` what people see and may do, ``bots`` how programs choose,
``scenario`` the rules as text; ``game`` is the door, what a table asks of it, and gives bots the rules.
docs/extraction.md tells the rules, in our own words.
"""

from hextraction.controller.games.extraction.game import Extraction

__all__ = ["Extraction"]
