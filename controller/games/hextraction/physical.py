"""What physically lies on the board by the rules: for the tracker, and for hands that lay simulated tiles."""

from hextraction.controller.games.hextraction.state import State

__all__ = ["layout_of", "resting_of"]


def layout_of(state: State) -> dict[str, tuple[str, int]]:
    """Return the kind of tile and its turns in each slot that is not open."""
    return {slot: (state.copies[laid.copy].name, laid.turns) for laid in state.laid for slot in laid.slots}


def resting_of(state: State) -> dict[int, str]:
    """Return the slot in which each ball lies (the last one it came to, if it touches several)."""
    record = state.rest if state.roll is None else state.roll.record
    return {ball: slots[-1] for ball, slots in record.on.items() if slots}
