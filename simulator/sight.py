"""Looks at a moving ball: which sensors it covers, which slot it is on, whether it has gone.

A ball is not looked at in every step, only once it may have travelled far enough to matter, a few
millimetres; when it crossed a line is interpolated between two looks. The rules:

* it has entered a slot when its centre is 2.5 mm inside, and left it when its centre is 2.5 mm outside;
* it falls when its centre is 4.5 mm inside an open slot, or over the hole of a tile;
* it has gone over an edge that leads off the board or into an end zone when it no longer covers the edge.
"""

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hextraction.simulator.cells import Cell, Floor

__all__ = ["LOOK_MS", "Happened", "Sight", "Track"]

_SIN60: Final = math.sqrt(3) / 2
_INSIDE_MM: Final = 2.5
_DROP_MM: Final = 4.5
_GONE_MM: Final = 6.0
_STRIDE_MM: Final = 4.0
LOOK_MS: Final = 4
"""Balls are looked at in multiples of this many milliseconds."""
_HURRY_MM_MS: Final = 0.03
_MOST_LOOKS: Final = 4


class Happened(enum.Enum):
    """What a look can reveal."""

    COVERS = "covers"
    UNCOVERS = "uncovers"
    ENTERED = "entered"
    LEFT = "left"
    FELL = "fell"
    GONE = "gone"


@dataclass(slots=True, eq=False)
class Track:
    """A ball on the table: its position and state at the last look.

    ``inside`` says whether it has entered ``cell``; ``ramp`` is set until it enters its first slot.
    """

    ball: int
    cell: Cell
    x_mm: float
    y_mm: float
    at_us: int
    inside: bool = False
    ramp: str | None = None
    hall: bool = False
    edge: int = -1
    last_slot: str | None = None
    stuck: bool = False
    over: int = 0
    """The edge (1..6) over which it last left a slot."""


Note = Callable[[Track, int, Happened, str], None]


class Sight:
    """Calls ``note(track, at_us, what, where)`` with each finding, in no particular order of time."""

    def __init__(self, note: Note) -> None:
        self._note = note

    def look(self, track: Track, x_mm: float, y_mm: float, at_us: int) -> int:
        """Look at a ball; return in how many milliseconds to look again, 0 if it has gone."""
        cell = track.cell
        dx, dy = x_mm - cell.x_mm, y_mm - cell.y_mm
        half, along = dy * 0.5, dx * _SIN60
        rim = cell.rim_mm
        # Inlined, because this runs for every ball every few milliseconds.
        if -rim < dy < rim and -rim < along - half < rim and -rim < along + half < rim:
            fit = cell.hall_fit
            free_mm = _free_inside_mm(
                track,
                cell,
                math.sqrt((dx - fit.x_mm) * (dx - fit.x_mm) + (dy - fit.y_mm) * (dy - fit.y_mm)),
                max(abs(dy), abs(along) + abs(half)),
            )
        else:
            free_mm = _free_at_rim_mm(track, cell, x_mm, y_mm)
        if cell.holes and (over := cell.over_hole_mm(x_mm, y_mm)) < free_mm:
            free_mm = over
        if free_mm < 0.0:
            if self._changes(track, x_mm, y_mm, at_us):
                return 0
            free_mm = 0.0
        gone_us = at_us - track.at_us
        moved_mm = math.sqrt((x_mm - track.x_mm) ** 2 + (y_mm - track.y_mm) ** 2)
        track.x_mm, track.y_mm, track.at_us = x_mm, y_mm, at_us
        if gone_us <= 0:
            return LOOK_MS
        looks = int((free_mm + _STRIDE_MM) / (moved_mm * 1_000 / gone_us + _HURRY_MM_MS)) // LOOK_MS
        return LOOK_MS * (looks if 1 <= looks <= _MOST_LOOKS else 1 if looks < 1 else _MOST_LOOKS)

    def vanish(self, track: Track, at_us: int) -> None:
        """Uncover the sensors that a ball which has gone or was taken away still covers."""
        self._cover_hall(track, at_us, on=False)
        self._cover_edge(track, at_us, -1)

    def _changes(self, track: Track, x_mm: float, y_mm: float, at_us: int) -> bool:
        """Report every change since the last look; return whether the ball has gone."""
        cell = track.cell
        edge, towards = cell.edge_of(x_mm, y_mm)
        self._sensors(track, edge, x_mm, y_mm, at_us)
        depth = cell.apothem_mm - towards
        if depth < -_INSIDE_MM:
            return self._outside(track, edge, x_mm, y_mm, at_us)
        if depth >= _INSIDE_MM and not track.inside:
            self._enter(track, _moment(track, (x_mm, y_mm), at_us, cell.depth_mm, _INSIDE_MM))
        dropped = cell.floor is Floor.OPEN and depth >= _DROP_MM
        if dropped or (cell.holes and cell.over_hole_mm(x_mm, y_mm) < 0.0):
            self._fall(track, x_mm, y_mm, at_us)
            return True
        return False

    def _sensors(self, track: Track, edge: int, x_mm: float, y_mm: float, at_us: int) -> None:
        cell = track.cell
        hall = cell.hall_distance_mm(x_mm, y_mm) < cell.hall_mm
        if hall is not track.hall:
            moment = _moment(track, (x_mm, y_mm), at_us, cell.hall_distance_mm, cell.hall_mm)
            self._cover_hall(track, moment, on=hall)
        covered = edge if cell.beam_distance_mm(edge, x_mm, y_mm) < cell.reach_mm[edge] else -1
        if covered != track.edge:
            beam = covered if covered >= 0 else track.edge

            def distance(px_mm: float, py_mm: float) -> float:
                return cell.beam_distance_mm(beam, px_mm, py_mm)

            moment = _moment(track, (x_mm, y_mm), at_us, distance, cell.reach_mm[beam])
            self._cover_edge(track, moment, covered)

    def _outside(self, track: Track, edge: int, x_mm: float, y_mm: float, at_us: int) -> bool:
        cell = track.cell
        if track.inside:
            track.inside = False
            track.over = edge + 1
            moment = _moment(track, (x_mm, y_mm), at_us, cell.depth_mm, -_INSIDE_MM)
            self._note(track, moment, Happened.LEFT, cell.slot)
        over = cell.next_cells[edge]
        if over is not None:
            self._cross(track, over, edge)
            return self._changes(track, x_mm, y_mm, at_us)
        if cell.beyond[edge].ramp is not None or cell.depth_mm(x_mm, y_mm) > -_GONE_MM:
            return False
        moment = _moment(track, (x_mm, y_mm), at_us, cell.depth_mm, -_GONE_MM)
        self.vanish(track, moment)
        self._note(track, moment, Happened.GONE, cell.beyond[edge].zone or "")
        return True

    def _cross(self, track: Track, over: Cell, edge: int) -> None:
        """Move the ball to the neighbouring cell; the sensor of the shared edge stays the same."""
        if track.edge >= 0:
            track.edge = (edge + 3) % 6
        track.cell = over

    def _enter(self, track: Track, at_us: int) -> None:
        track.inside = True
        track.ramp = None
        track.last_slot = track.cell.slot
        self._note(track, at_us, Happened.ENTERED, track.cell.slot)

    def _fall(self, track: Track, x_mm: float, y_mm: float, at_us: int) -> None:
        cell = track.cell
        if cell.floor is Floor.OPEN:
            moment = _moment(track, (x_mm, y_mm), at_us, cell.depth_mm, _DROP_MM)
        else:
            moment = _moment(track, (x_mm, y_mm), at_us, cell.over_hole_mm, 0.0)
        self.vanish(track, moment)
        self._note(track, moment, Happened.FELL, cell.slot)

    def _cover_hall(self, track: Track, at_us: int, *, on: bool) -> None:
        if track.hall is not on:
            track.hall = on
            what = Happened.COVERS if on else Happened.UNCOVERS
            self._note(track, at_us, what, track.cell.ball_sensor)

    def _cover_edge(self, track: Track, at_us: int, edge: int) -> None:
        if track.edge >= 0:
            self._note(track, at_us, Happened.UNCOVERS, track.cell.edge_sensors[track.edge])
        if edge >= 0:
            self._note(track, at_us, Happened.COVERS, track.cell.edge_sensors[edge])
        track.edge = edge


def _free_inside_mm(track: Track, cell: Cell, middle: float, towards: float) -> float:
    """Return how far a ball within the rim can go before anything changes; negative if it already has.

    ``middle`` is its distance from the ball Hall.
    """
    if not track.inside or track.edge >= 0:
        return -1.0
    hall_mm = cell.hall_mm
    if middle < hall_mm:
        return hall_mm - middle if track.hall else -1.0
    return -1.0 if track.hall else min(middle - hall_mm, cell.rim_mm - towards)


def _free_at_rim_mm(track: Track, cell: Cell, x_mm: float, y_mm: float) -> float:
    """Return the same for a ball that may cover an edge sensor."""
    edge, towards = cell.edge_of(x_mm, y_mm)
    depth = cell.apothem_mm - towards
    if track.hall or depth < -_INSIDE_MM or (not track.inside and depth >= _INSIDE_MM):
        return -1.0
    if cell.floor is Floor.OPEN and depth >= _DROP_MM:
        return -1.0
    away = cell.beam_distance_mm(edge, x_mm, y_mm) - cell.reach_mm[edge]
    if (edge if away < 0 else -1) != track.edge:
        return -1.0
    return min(abs(away), depth + _INSIDE_MM if track.inside else abs(depth - _INSIDE_MM))


def _moment(
    track: Track,
    place_mm: tuple[float, float],
    at_us: int,
    measure: Callable[[float, float], float],
    level: float,
) -> int:
    """Return when ``measure`` passed ``level`` between the last look and this one."""
    before, now = measure(track.x_mm, track.y_mm), measure(*place_mm)
    if before == now:
        return at_us
    share = min(1.0, max(0.0, (level - before) / (now - before)))
    return track.at_us + round(share * (at_us - track.at_us))
