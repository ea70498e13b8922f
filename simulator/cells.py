"""The places where balls can be, with their surroundings, built once per board.

A cell is a slot as a ball sees it: its middle, its six edges, the names of the sensors there, and its floor.
"""

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from hextraction.board.grid import EDGES, edge_middle_mm, opposite
from hextraction.board.profile import Beyond, Board

__all__ = ["AXES", "HALL_MM", "REACH_MM", "Cell", "Fit", "Floor", "make_cells"]

HALL_MM: Final = 8.0
"""How near the middle of a slot a ball's centre must be for the ball Hall to see it."""
REACH_MM: Final = 5.5
"""A ball's radius plus half a beam's width: a ball's centre this near a beam covers it."""
AXES: Final = tuple(edge_middle_mm(edge, 2.0) for edge in EDGES)
"""Unit vectors from a slot's middle across edges 1..6."""
_SIN60: Final = math.sqrt(3) / 2
_RAMP_BEAM_MM: Final = 2.0


class Fit(NamedTuple):
    """How a sensor is fitted: how far from its place, in millimetres, and what share of its reach it has."""

    x_mm: float = 0.0
    y_mm: float = 0.0
    reach: float = 1.0


_AS_DRAWN: Final = Fit()


class Floor(enum.Enum):
    """What is under a ball in a cell."""

    OPEN = "open"
    """No tile: the slot's hole."""
    TILE = "tile"
    HOLE = "hole"
    """A tile with holes."""


@dataclass(slots=True, eq=False)
class Cell:
    """One slot. Lists are indexed by edges 1..6.

    ``apothem_mm`` is the distance from its middle to an edge; within ``rim_mm`` a ball covers no edge sensor.
    ``fits`` says how the edge sensors are fitted, ``hall_fit`` how the ball Hall is.
    ``holes`` are those of the tile as it lies: x and y around the middle, and the radius for a ball's centre.
    """

    slot: str
    x_mm: float
    y_mm: float
    apothem_mm: float
    beyond: tuple[Beyond, ...]
    edge_sensors: tuple[str, ...]
    beam_mm: tuple[float, ...]
    rim_mm: float
    next_cells: list["Cell | None"] = field(default_factory=list)
    floor: Floor = Floor.OPEN
    holes: tuple[tuple[float, float, float], ...] = ()
    ball_sensor: str = ""
    hall_mm: float = HALL_MM
    hall_fit: Fit = _AS_DRAWN
    fits: tuple[Fit, ...] = (_AS_DRAWN,) * 6
    reach_mm: tuple[float, ...] = (REACH_MM,) * 6

    @property
    def hall_x_mm(self) -> float:
        """Where the ball Hall is, across the board."""
        return self.x_mm + self.hall_fit.x_mm

    @property
    def hall_y_mm(self) -> float:
        """Where the ball Hall is, down the board."""
        return self.y_mm + self.hall_fit.y_mm

    def depth_mm(self, x_mm: float, y_mm: float) -> float:
        """Return how far inside the cell a point is; negative outside."""
        return self.apothem_mm - self.edge_of(x_mm, y_mm)[1]

    def edge_of(self, x_mm: float, y_mm: float) -> tuple[int, float]:
        """Return the edge (as an index 0..5) nearest to a point, and how far towards it the point is."""
        dx, dy = x_mm - self.x_mm, y_mm - self.y_mm
        half, along = dy * 0.5, dx * _SIN60
        ways = (-dy, along - half, along + half)
        highest, lowest = max(ways), min(ways)
        if highest >= -lowest:
            return ways.index(highest), highest
        return ways.index(lowest) + 3, -lowest

    def middle_mm(self, x_mm: float, y_mm: float) -> float:
        """Return how far a point is from the slot's middle."""
        return math.hypot(x_mm - self.x_mm, y_mm - self.y_mm)

    def hall_distance_mm(self, x_mm: float, y_mm: float) -> float:
        """Return how far a point is from the ball Hall."""
        fit = self.hall_fit
        return math.hypot(x_mm - self.x_mm - fit.x_mm, y_mm - self.y_mm - fit.y_mm)

    def over_hole_mm(self, x_mm: float, y_mm: float) -> float:
        """Return how far a point is from the rim of the nearest hole; negative within it."""
        dx, dy = x_mm - self.x_mm, y_mm - self.y_mm
        return min((math.hypot(dx - x, dy - y) - radius for x, y, radius in self.holes), default=math.inf)

    def beam_distance_mm(self, edge: int, x_mm: float, y_mm: float) -> float:
        """Return how far a point is from the sensor of an edge (an index 0..5)."""
        across, down = AXES[edge]
        far, fit = self.beam_mm[edge], self.fits[edge]
        return math.hypot(
            x_mm - self.x_mm - across * far - fit.x_mm, y_mm - self.y_mm - down * far - fit.y_mm
        )

    def beam_place_mm(self, edge: int) -> tuple[float, float]:
        """Return where the sensor of an edge (an index 0..5) is."""
        across, down = AXES[edge]
        far, fit = self.beam_mm[edge], self.fits[edge]
        return self.x_mm + across * far + fit.x_mm, self.y_mm + down * far + fit.y_mm


def make_cells(
    board: Board, hall_mm: float = HALL_MM, fitted: Callable[[str], Fit] | None = None
) -> dict[str, Cell]:
    """Return the cells of a board by slot; a ball Hall sees a ball within ``hall_mm``.

    ``fitted`` says of each sensor how it is fitted; otherwise all are where they are drawn.
    """
    names = _sensor_names(board)
    cells = {
        slot.name: Cell(
            slot=slot.name,
            x_mm=slot.x_mm,
            y_mm=slot.y_mm,
            apothem_mm=board.pitch_mm / 2,
            rim_mm=board.pitch_mm / 2 - REACH_MM,
            beyond=slot.edges,
            edge_sensors=tuple(names[slot.name, edge] for edge in EDGES),
            beam_mm=tuple(
                board.pitch_mm / 2 + (_RAMP_BEAM_MM if beyond.ramp else 0.0) for beyond in slot.edges
            ),
            ball_sensor=f"ball.{slot.name}",
            hall_mm=hall_mm,
        )
        for slot in board.slots
    }
    if fitted is not None:
        for cell in cells.values():
            _fit(cell, fitted)
    for cell in cells.values():
        cell.next_cells = [cells[beyond.slot] if beyond.slot else None for beyond in cell.beyond]
    return cells


def _fit(cell: Cell, fitted: Callable[[str], Fit]) -> None:
    cell.hall_fit = fitted(cell.ball_sensor)
    cell.hall_mm *= cell.hall_fit.reach
    cell.fits = tuple(fitted(name) for name in cell.edge_sensors)
    cell.reach_mm = tuple(REACH_MM * fit.reach for fit in cell.fits)
    aside = max(math.hypot(fit.x_mm, fit.y_mm) for fit in cell.fits)
    cell.rim_mm = cell.apothem_mm - max(cell.reach_mm) - aside


def _sensor_names(board: Board) -> dict[tuple[str, int], str]:
    """Return the sensor at every (slot, edge): a shared edge has one, named after its first slot."""
    names: dict[tuple[str, int], str] = {}
    for slot, edge, beyond in board.edges():
        names[slot, edge] = f"ramp.{beyond.ramp}" if beyond.ramp else f"edge.{slot}.{edge}"
        if beyond.slot is not None:
            names[beyond.slot, opposite(edge)] = names[slot, edge]
    return names
