"""Where the hexagon lies on a board: which slot is which cell, and what phones draw.

A board's profile says where its hexagon is. On a board without one, people play on their phones alone: these
draw the hexagon, and the board's lamps stay dark.
"""

import functools
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from hextraction.board.grid import EDGES
from hextraction.board.layout import Beyond, Board, Slot
from hextraction.board.profile import load_board
from hextraction.controller.games.hexagon.cells import AXIAL, CELLS, MIDDLE, STEP
from hextraction.controller.games.hexagon.telling import listed

__all__ = ["Field", "field_on"]

_BARE: Final = "fx-19"
"""The board that phones draw if the table's has no hexagon."""


class Field(NamedTuple):
    """A hexagon on a board.

    Attributes:
        on_board: whether the board itself has it; if not, only phones show it.
        slots: the slot of each cell.
        cells: the cell of each slot; slots outside of the hexagon are missing.
        drawn: the board as phones draw it: these 19 slots, without ramps and zones.
        note: how it is played on this board, as a sentence for people.
    """

    on_board: bool
    slots: Mapping[str, str]
    cells: Mapping[str, str]
    drawn: Board
    note: str

    def slot(self, cell: str) -> str:
        """Return the slot of a cell."""
        return self.slots[cell]

    def named(self, cells: Iterable[str]) -> str:
        """Return the slots of some cells, for people.

        >>> field_on(load_board("fx-19")).named(["a1", "b2"])
        'A1 and B2'
        """
        return listed([self.slots[cell] for cell in cells])


@functools.cache
def field_on(board: Board) -> Field:
    """Return the hexagon on a board."""
    if not board.hexagon:
        bare = field_on(load_board(_BARE))
        why = f"{board.title} has no hexagon of {len(CELLS)} slots"
        note = f"{why}. Play on the phones: the board's lamps stay dark."
        return bare._replace(on_board=False, note=note)
    slots = _walked(board)
    cells = {slot: cell for cell, slot in slots.items()}
    return Field(
        on_board=True,
        slots=slots,
        cells=cells,
        drawn=_only(board, frozenset(cells)),
        note=f"It is played on {_columns(slots)} of {board.title}.",
    )


def _walked(board: Board) -> dict[str, str]:
    """Walk from the middle of the board's hexagon to each cell."""
    slots = {}
    for cell, (across, down) in AXIAL.items():
        slot = board.hexagon
        for edge in _way(across, down):
            near = board.neighbour(slot, edge)
            if near is None:  # the profile's reader has checked the hexagon
                raise ValueError(f"{board.name}: no cell {cell} round {board.hexagon}")
            slot = near
        slots[cell] = slot
    return {cell: slots[cell] for cell in CELLS}


def _way(across: int, down: int) -> list[int]:
    """Return the edges to cross, inside of the hexagon all the way."""
    way = []
    at = AXIAL[MIDDLE]
    while at != (across, down):
        nearer = [
            edge
            for edge, (more_across, more_down) in STEP.items()
            if _far(across - at[0] - more_across, down - at[1] - more_down)
            < _far(across - at[0], down - at[1])
        ]
        way.append(nearer[0])
        at = (at[0] + STEP[nearer[0]][0], at[1] + STEP[nearer[0]][1])
    return way


def _far(across: int, down: int) -> int:
    return max(abs(across), abs(down), abs(across + down))


def _only(board: Board, kept: frozenset[str]) -> Board:
    """Return the board with these slots alone; beyond their outer edges there is nothing."""
    slots = tuple(_bare(slot, kept) for slot in board.slots if slot.name in kept)
    return Board(
        name=board.name,
        title=board.title,
        pitch_mm=board.pitch_mm,
        tilt_deg=board.tilt_deg,
        slots=slots,
        ramps=(),
        zones=(),
        hexagon=board.hexagon,
    )


def _bare(slot: Slot, kept: frozenset[str]) -> Slot:
    beyond = (slot.beyond(edge) for edge in EDGES)
    edges = tuple(Beyond(slot=one.slot) if one.slot in kept else Beyond() for one in beyond)
    return Slot(slot.name, slot.column, slot.row, slot.x_mm, slot.y_mm, edges)


def _columns(slots: Mapping[str, str]) -> str:
    columns: dict[str, list[str]] = {}
    for cell, slot in slots.items():
        columns.setdefault(cell[0], []).append(slot)
    return ", ".join(f"{column[0]} to {column[-1]}" for column in columns.values())
