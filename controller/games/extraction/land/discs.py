"""The number discs: whether they lie, whether they lie well, and who shall lay them (1.3)."""

from collections.abc import Mapping
from typing import Final

from hextraction.controller.games.extraction.land.state import Ask, State
from hextraction.controller.games.hexagon.cells import AROUND

__all__ = ["asks_for_chance", "calm", "some_lie"]

_HOT: Final = frozenset({6, 8})


def calm(discs: Mapping[str, int]) -> bool:
    """Whether no 6 and no 8 lies beside another one; ``discs`` are by cell."""
    hot = {cell for cell, disc in discs.items() if disc in _HOT}
    return not any(hot.intersection(AROUND[cell]) for cell in hot)


def some_lie(state: State) -> bool:
    """Whether a disc lies on a hex already."""
    return any(ground.disc for ground in state.hexes)


def asks_for_chance(state: State, ask: Ask) -> str:
    """Return the question whether chance lays the discs that do not lie yet, as everybody reads it."""
    name = state.players[ask.about].name
    if some_lie(state):
        return f"{name} asks: shall chance lay the other number discs?"
    return f"{name} asks: shall chance lay all number discs?"
