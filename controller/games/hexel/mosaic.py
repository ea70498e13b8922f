"""What lies on the table: cards in cells, which symbols touch, where a card fits, and where a Hoxla is.

Cells are axial coordinates, as in :mod:`~hextraction.controller.games.hexagon.cells`: on the bounded field
they are the 19 of the hexagon, on the open one they go on without end. Edges are numbered from 0 in here.
"""

import functools
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from hextraction.board.grid import EDGES
from hextraction.controller.games.hexagon.cells import AT, AXIAL, STEP
from hextraction.controller.games.hexel.cards import distinct_turns, turned

__all__ = [
    "AROUND",
    "LINE",
    "Cell",
    "Fit",
    "Laid",
    "cell_named",
    "corners_of_hoxla",
    "fits",
    "name_of",
    "open_cells",
    "symbols_of",
]

Cell = tuple[int, int]
AROUND: Final = tuple(STEP[edge] for edge in EDGES)
"""What a step over each edge adds to a cell."""
LINE: Final = (AXIAL["c2"], AXIAL["c3"], AXIAL["c4"])
"""The cells of the opening line, from the top (3.3)."""
_ELSEWHERE: Final = re.compile(r"(-?\d{1,2}),(-?\d{1,2})")


class Laid(NamedTuple):
    """A card that lies there: cell, number, turns, who laid it (-1: the line), how many edges it matched."""

    cell: Cell
    card: int
    turns: int
    player: int = -1
    matched: int = 0


class Fit(NamedTuple):
    """A way to lay a card: where, by how many sixths turned, how many edges match, whether it is a Hoxla."""

    cell: Cell
    turns: int
    matched: int
    hoxla: bool


def name_of(cell: Cell) -> str:
    """Return what a cell is called: a1 to e3 inside of the hexagon, else its coordinates.

    >>> name_of((0, 0)), name_of((3, -1))
    ('c3', '3,-1')
    """
    return AT.get(cell) or f"{cell[0]},{cell[1]}"


def cell_named(name: str) -> Cell | None:
    """Return the cell of that name, or None.

    >>> cell_named("c3"), cell_named("3,-1"), cell_named("a9")
    ((0, 0), (3, -1), None)
    """
    if name in AXIAL:
        return AXIAL[name]
    found = _ELSEWHERE.fullmatch(name)
    return (int(found[1]), int(found[2])) if found else None


def symbols_of(laid: tuple[Laid, ...], faces: tuple[str, ...]) -> dict[Cell, str]:
    """Return the symbols round each card that lies there, clockwise from the board's edge 1."""
    return {one.cell: turned(faces[one.card - 1], one.turns) for one in laid}


def open_cells(there: Mapping[Cell, str], *, bounded: bool) -> dict[Cell, tuple[tuple[int, str], ...]]:
    """Return the empty cells beside a card, each with the symbols that its edges have to show."""
    found: dict[Cell, list[tuple[int, str]]] = {}
    for (across, down), symbols in there.items():
        for edge, (more_across, more_down) in enumerate(AROUND):
            cell = (across + more_across, down + more_down)
            if cell not in there and (not bounded or cell in AT):
                found.setdefault(cell, []).append(((edge + 3) % 6, symbols[edge]))
    return {cell: tuple(wanted) for cell, wanted in found.items()}


def fits(
    there: Mapping[Cell, str], wanted: Mapping[Cell, tuple[tuple[int, str], ...]], face: str
) -> list[Fit]:
    """Return every way to lay a card so that all touching edges are equal."""
    turns_with, every = _turns_with(face), sum(1 << turns for turns in distinct_turns(face))
    found = []
    for cell, edges in wanted.items():
        left = every
        for edge in edges:
            left &= turns_with.get(edge, 0)
        while left:
            turns = (left & -left).bit_length() - 1
            left &= left - 1
            hoxla = len(edges) > 1 and bool(corners_of_hoxla(there, cell, turned(face, turns)))
            found.append(Fit(cell, turns, len(edges), hoxla))
    return found


@functools.cache
def _turns_with(face: str) -> Mapping[tuple[int, str], int]:
    """Return by which turns a card shows a symbol at an edge, as a bit each."""
    found: dict[tuple[int, str], int] = {}
    for turns in distinct_turns(face):
        for edge, symbol in enumerate(turned(face, turns)):
            found[edge, symbol] = found.get((edge, symbol), 0) | 1 << turns
    return found


def corners_of_hoxla(there: Mapping[Cell, str], cell: Cell, symbols: str) -> tuple[tuple[Cell, Cell], ...]:
    """Return the two neighbours at each corner where a card in a cell makes three edges the same (3.1)."""
    return tuple(
        (one, other)
        for edge in range(6)
        for one, other in (_both(cell, edge),)
        if one in there
        and other in there
        and symbols[edge] == symbols[(edge + 1) % 6] == there[one][(edge + 2) % 6]
    )


@functools.cache
def _both(cell: Cell, edge: int) -> tuple[Cell, Cell]:
    """Return the two cells at the corner clockwise of an edge; the first touches the second two edges on."""
    one, other = AROUND[edge], AROUND[(edge + 1) % 6]
    return (cell[0] + one[0], cell[1] + one[1]), (cell[0] + other[0], cell[1] + other[1])
