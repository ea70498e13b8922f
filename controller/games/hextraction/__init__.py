"""The rules of Hextraction, by chapter, around one transition table.

Rules of this room:

1. Everything is a pure function of state and event. A chapter changes the state only through a ``Move``
   (:mod:`.state.move`), which gathers the next state and the effects.
2. ``game.ACTIONS`` says which action is heard in which phase; a chapter only refuses more.
3. A rule cites the clause or ruling that it enforces (``2.1.5.3``, ``R-33``).

Credit: the game is Hextraction by Zack Freedman of Voidstar Lab; this is an unofficial implementation.
"""

from hextraction.controller.games.hextraction.game import Hextraction
from hextraction.controller.games.hextraction.state.state import Config, Phase, Seat, Setup, Share, State

__all__ = ["Config", "Hextraction", "Phase", "Seat", "Setup", "Share", "State"]
