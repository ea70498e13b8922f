"""Finds what a model is made of: mouths, joined channels, dead ends, notches, holes."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from hextraction.board.grid import EDGES, edge_middle_mm
from hextraction.simulator.models.space import BALL_MM, CELL_MM, FLOOR_MM, PITCH_MM, Space
from numpy.typing import NDArray
from scipy import ndimage

__all__ = ["Anatomy", "DeadEnd", "Hole", "mouths_in", "read_anatomy"]

_ROOM_MM: Final = 0.2
"""A ball goes where this much of it would have to be squeezed."""
_CLIMB_MM: Final = 2.5
"""How high a ball climbs from the floor of its mouth, from one channel into another."""
_FALLEN_MM: Final = -0.5
_OUTER_MM: Final = 24.3
_ASIDE_MM: Final = 1.0
_LEVEL_MM: Final = 0.5
_NOTCH_DEEP_MM: Final = (19.0, 22.4)
_NOTCH_WIDE_MM: Final = 5.0
_NOTCH_TALL_MM: Final = (-4.7, -2.4)
_EMPTY: Final = 0.9
_AXES: Final = {edge: edge_middle_mm(edge, 2.0) for edge in EDGES}

Hole = tuple[float, float, float]
"""x, y and radius in mm."""


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """A channel with one mouth that goes on to nowhere, and how near the middle a ball's centre comes."""

    edge: int
    middle_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Anatomy:
    """What was found: edges with a mouth and the height of its floor, groups of joined edges, and the rest.

    ``free`` says which columns of the space a ball's centre can reach from a mouth; ``notches`` is None for a
    model without a base.
    """

    floors_mm: dict[int, float]
    joins: tuple[tuple[int, ...], ...]
    dead_ends: tuple[DeadEnd, ...]
    holes: tuple[Hole, ...]
    notches: tuple[int, ...] | None
    free: NDArray[np.bool_]

    @property
    def mouths(self) -> tuple[int, ...]:
        """The edges that a ball can pass."""
        return tuple(sorted(self.floors_mm))

    @property
    def steps(self) -> tuple[int, ...]:
        """The mouths whose floor is so much higher or lower than others' that a ball meets a step."""
        return tuple(edge for edge in self.mouths if abs(self.floors_mm[edge] - FLOOR_MM) > _LEVEL_MM)

    def warnings(self) -> list[str]:
        """Return what a designer should look at."""
        told = [
            f"the mouth at edge {edge} has its floor at {self.floors_mm[edge]:+.1f} mm, others' are at "
            f"{FLOOR_MM:+.1f} mm: balls meet a step"
            for edge in self.steps
        ]
        if self.notches is None:
            told.append("it has no base, so nothing is known about notches: it fits no slot")
        elif not self.notches:
            told.append("its base has no notch, so it bottoms out in no slot")
        return told


def mouths_in(space: Space) -> dict[int, float]:
    """Return the edges that a ball can pass, with the height of the floor there in mm."""
    found = {}
    heights = np.arange(FLOOR_MM - 3.5, FLOOR_MM + 3.3, 0.05) + BALL_MM
    asides = np.arange(-_ASIDE_MM, _ASIDE_MM + 0.01, 0.25)
    aside, height = (grid.ravel() for grid in np.meshgrid(asides, heights))
    for edge, (across, down) in _AXES.items():
        open_at = []
        for far in (_OUTER_MM, _OUTER_MM - 1.5, _OUTER_MM - 3.0):
            x, y = across * far - down * aside, down * far + across * aside
            room = space.at(np.stack([x, y, height], axis=1))[0] >= BALL_MM - _ROOM_MM
            open_at.append(height[room].min() if room.any() else math.inf)
        if max(open_at) < math.inf:
            # A ball lies higher than where it was let lie, squeezed.
            found[edge] = round(float(open_at[0]) - BALL_MM + _ROOM_MM, 2)
    return found


def read_anatomy(space: Space, solid: NDArray[np.bool_], low: NDArray[np.float64]) -> Anatomy:
    """Find what a tile is made of, by the space around it and the grid of its plastic (from ``low`` on)."""
    floors = mouths_in(space)
    level, lowest = (which(floors.values(), default=FLOOR_MM) + BALL_MM for which in (max, min))
    x, y, z = (space.low[axis] + CELL_MM * np.arange(space.cells.shape[axis]) for axis in range(3))
    room = space.cells[..., 0] >= BALL_MM - _ROOM_MM
    room &= (z <= level + _CLIMB_MM)[None, None, :]
    room &= (_towards(x, y) <= _OUTER_MM + 0.5)[:, :, None]
    labels, _ = ndimage.label(room, np.ones((3, 3, 3)))
    whose = {edge: _label_at(labels, space, edge, floor) for edge, floor in floors.items()}
    groups: dict[int, list[int]] = {}
    for edge, label in whose.items():
        groups.setdefault(label, []).append(edge)
    reached = np.isin(labels, [label for label in groups if label])
    holes, falls = _holes(reached, solid, low, z)
    dead = tuple(
        DeadEnd(edges[0], _nearest_mm(labels == label, x, y))
        for label, edges in groups.items()
        if label and len(edges) == 1 and label not in _labels_over(labels, falls)
    )
    return Anatomy(
        floors_mm=floors,
        joins=tuple(sorted(tuple(sorted(edges)) for edges in groups.values())),
        dead_ends=tuple(sorted(dead, key=lambda end: end.edge)),
        holes=holes,
        notches=_notches(solid, low),
        free=(reached & (z >= lowest - 1.0)[None, None, :]).any(axis=2),
    )


def _towards(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    ways = [x[:, None] * across + y[None, :] * down for across, down in _AXES.values()]
    return np.asarray(np.max(ways, axis=0))


def _label_at(labels: NDArray[np.int32], space: Space, edge: int, floor_mm: float) -> int:
    """Return which connected room a mouth opens into."""
    across, down = _AXES[edge]
    place = np.array([across * (_OUTER_MM - 1), down * (_OUTER_MM - 1), floor_mm + BALL_MM])
    middle = np.round((place - space.low) / CELL_MM).astype(int)
    beside = labels[tuple(slice(max(0, at - 5), at + 6) for at in middle)]
    found = np.bincount(beside[beside > 0].ravel())
    return int(found.argmax()) if len(found) else -edge


def _nearest_mm(room: NDArray[np.bool_], x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    columns, rows = np.nonzero(room.any(axis=2))
    return round(float(np.hypot(x[columns], y[rows]).min()) + _ROOM_MM, 1)


def _labels_over(labels: NDArray[np.int32], columns: NDArray[np.bool_]) -> set[int]:
    return set(np.unique(labels[columns]).tolist()) - {0}


def _holes(
    reached: NDArray[np.bool_],
    solid: NDArray[np.bool_],
    low: NDArray[np.float64],
    z: NDArray[np.float64],
) -> tuple[tuple[Hole, ...], NDArray[np.bool_]]:
    """Return the holes that a ball drops through, and the columns where it does."""
    falls = np.asarray((reached & (z < _FALLEN_MM)[None, None, :]).any(axis=2))
    below = round((FLOOR_MM - low[2]) / CELL_MM)
    empty = ~solid[:, :, :below].any(axis=2)
    x, y = (low[axis] + CELL_MM * np.arange(empty.shape[axis]) for axis in (0, 1))
    empty &= _towards(x, y) < PITCH_MM / 2 - 2.0
    labels, many = ndimage.label(empty)
    holes = []
    for label in range(1, many + 1):
        there = labels == label
        if not (there & falls).any():
            continue
        columns, rows = np.nonzero(there)
        radius = math.sqrt(len(columns) / math.pi) * CELL_MM
        across, down = (round(float(mm.mean()), 1) + 0.0 for mm in (x[columns], y[rows]))
        holes.append((across, down, round(radius, 2)))
    return tuple(sorted(holes)), falls


def _notches(solid: NDArray[np.bool_], low: NDArray[np.float64]) -> tuple[int, ...] | None:
    """Return the edges with a notch in the base; None without a base."""
    bottom, top = (round((mm - low[2]) / CELL_MM) for mm in _NOTCH_TALL_MM)
    inner, outer = _NOTCH_DEEP_MM
    far, aside = np.meshgrid(
        np.arange(inner, outer, CELL_MM), np.arange(-_NOTCH_WIDE_MM, _NOTCH_WIDE_MM + 0.1, CELL_MM)
    )
    empty = {}
    for edge, (across, down) in _AXES.items():
        x = np.round((across * far - down * aside - low[0]) / CELL_MM).astype(int)
        y = np.round((down * far + across * aside - low[1]) / CELL_MM).astype(int)
        empty[edge] = 1.0 - float(solid[x, y, bottom:top].mean())
    # The base is looked for at the corners, where there is never a notch.
    corners = [math.radians(60 * corner) for corner in range(6)]
    at = [
        (round((22 * math.cos(a) - low[0]) / CELL_MM), round((22 * math.sin(a) - low[1]) / CELL_MM))
        for a in corners
    ]
    if not any(solid[x, y, bottom:top].all() for x, y in at):
        return None
    return tuple(edge for edge in EDGES if empty[edge] > _EMPTY)
