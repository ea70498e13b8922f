"""A board: its slots, what lies beyond their edges, its ramps and end zones.

Load one with :mod:`hextraction.board.profile`, which also exports these classes.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from hextraction.board.grid import EDGES

__all__ = ["Beyond", "Board", "Ramp", "Slot", "Zone"]


@dataclass(frozen=True, slots=True)
class Beyond:
    """What lies beyond an edge: exactly one of the three names, or none of them for off board."""

    slot: str | None = None
    ramp: str | None = None
    zone: str | None = None

    @property
    def off_board(self) -> bool:
        """Whether a ball that crosses this edge has left the board."""
        return self.slot is None and self.ramp is None and self.zone is None


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one tile: its name, its middle in millimetres, and what lies beyond edges 1..6."""

    name: str
    column: int
    row: int
    x_mm: float
    y_mm: float
    edges: tuple[Beyond, ...]

    def beyond(self, edge: int) -> Beyond:
        """Return what lies beyond ``edge`` (1..6)."""
        return self.edges[edge - 1]


@dataclass(frozen=True, slots=True)
class Ramp:
    """A ramp feeds one slot over one edge; several ramps may feed the same slot."""

    name: str
    slot: str
    edge: int


@dataclass(frozen=True, slots=True)
class Zone:
    """An end zone takes balls from one or more (slot, edge) outlets."""

    name: str
    title: str
    outlets: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Board:
    """A whole board. Slots are in reading order: column by column, top to bottom.

    ``hexagon`` is the middle of the 19 slots on which games of a hexagon are played; empty if it has none.

    >>> from hextraction.api import load_board
    >>> board = load_board()
    >>> len(board.slots), [zone.name for zone in board.zones]
    (22, ['L', 'R'])
    """

    name: str
    title: str
    pitch_mm: float
    tilt_deg: float
    slots: tuple[Slot, ...]
    ramps: tuple[Ramp, ...]
    zones: tuple[Zone, ...]
    hexagon: str = ""

    @functools.cached_property
    def by_name(self) -> dict[str, Slot]:
        """Slots by name."""
        return {slot.name: slot for slot in self.slots}

    @functools.cached_property
    def ramp_by_name(self) -> dict[str, Ramp]:
        """Ramps by name."""
        return {ramp.name: ramp for ramp in self.ramps}

    @functools.cached_property
    def slot_names(self) -> tuple[str, ...]:
        """Names of all slots, in order."""
        return tuple(slot.name for slot in self.slots)

    def beyond(self, slot: str, edge: int) -> Beyond:
        """Return what lies beyond an edge of a slot."""
        return self.by_name[slot].beyond(edge)

    def neighbour(self, slot: str, edge: int) -> str | None:
        """Return the slot over an edge, if there is one."""
        return self.by_name[slot].beyond(edge).slot

    def neighbours(self, slot: str) -> tuple[str, ...]:
        """Return the neighbouring slots, clockwise from the top."""
        return self._around[slot]

    @functools.cached_property
    def _around(self) -> dict[str, tuple[str, ...]]:
        return {
            slot.name: tuple(beyond.slot for beyond in slot.edges if beyond.slot is not None)
            for slot in self.slots
        }

    def around(self, slot: str, steps: int) -> frozenset[str]:
        """Return the slots that are at most so many steps away, itself included."""
        found = {slot}
        for _step in range(steps):
            found |= {near for one in found for near in self.neighbours(one)}
        return frozenset(found)

    def ramps_to(self, slot: str) -> tuple[Ramp, ...]:
        """Return the ramps that feed a slot."""
        return tuple(ramp for ramp in self.ramps if ramp.slot == slot)

    @functools.cached_property
    def bottom_row(self) -> tuple[str, ...]:
        """The lowest slot of each column."""
        return self._ends_of_columns(lowest=True)

    @functools.cached_property
    def top_row(self) -> tuple[str, ...]:
        """The highest slot of each column."""
        return self._ends_of_columns(lowest=False)

    @functools.cached_property
    def rim(self) -> tuple[str, ...]:
        """The slots at the side of the board, from which a ball can leave it."""
        return tuple(slot.name for slot in self.slots if any(beyond.off_board for beyond in slot.edges))

    def _ends_of_columns(self, *, lowest: bool) -> tuple[str, ...]:
        ends: dict[int, Slot] = {}
        for slot in self.slots:
            if slot.column not in ends or (slot.y_mm > ends[slot.column].y_mm) == lowest:
                ends[slot.column] = slot
        return tuple(slot.name for slot in ends.values())

    def edges(self) -> Iterator[tuple[str, int, Beyond]]:
        """Yield every physical edge once: a shared one is named by the slot that comes first."""
        rank = {name: index for index, name in enumerate(self.slot_names)}
        for slot in self.slots:
            for edge in EDGES:
                beyond = slot.beyond(edge)
                if beyond.slot is None or rank[slot.name] < rank[beyond.slot]:
                    yield slot.name, edge, beyond

    def edge_counts(self) -> dict[str, int]:
        """Count the physical edges by kind: shared, ramps, zones, off_board."""
        counts = dict.fromkeys(("shared", "ramps", "zones", "off_board"), 0)
        for _slot, _edge, beyond in self.edges():
            counts[_sort_of(beyond)] += 1
        return counts


def _sort_of(beyond: Beyond) -> str:
    if beyond.slot is not None:
        return "shared"
    if beyond.ramp is not None:
        return "ramps"
    return "off_board" if beyond.zone is None else "zones"
