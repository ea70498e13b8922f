"""Board profiles: which slots a board has and what lies beyond each of their edges (ruling R-70).

A profile file names the columns of slots, the ramps and the end zones; all else follows from the grid. Each
of a slot's six edges leads to a neighbouring slot, comes from a ramp, leads into an end zone, or is off board;
the file also states how many edges there are of each sort, and a profile that does not add up is refused.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hextraction.board.grid import EDGES, opposite, step_mm
from hextraction.settings import Document, Section

__all__ = [
    "STANDARD",
    "Beyond",
    "Board",
    "Ramp",
    "Slot",
    "Zone",
    "board_from_document",
    "board_names",
    "load_board",
    "read_board",
]

STANDARD: Final = "standard-22"
_SAME_PLACE_MM: Final = 1.0
# A file path, because board/ is a namespace on purpose and importlib.resources cannot follow an editable one.
_PROFILES: Final = Path(__file__).parent / "profiles"


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
    """A whole board. Slots are in reading order: column by column, top to bottom."""

    name: str
    title: str
    pitch_mm: float
    tilt_deg: float
    slots: tuple[Slot, ...]
    ramps: tuple[Ramp, ...]
    zones: tuple[Zone, ...]

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
        return tuple(beyond.slot for beyond in self.by_name[slot].edges if beyond.slot is not None)

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

    def _ends_of_columns(self, *, lowest: bool) -> tuple[str, ...]:
        ends: dict[int, Slot] = {}
        for slot in self.slots:
            if slot.column not in ends or (slot.y_mm > ends[slot.column].y_mm) == lowest:
                ends[slot.column] = slot
        return tuple(slot.name for slot in ends.values())

    def edges(self) -> Iterator[tuple[str, int, Beyond]]:
        """Walk over every physical edge once: a shared one is named by the slot that comes first."""
        rank = {name: index for index, name in enumerate(self.slot_names)}
        for slot in self.slots:
            for edge in EDGES:
                beyond = slot.beyond(edge)
                if beyond.slot is None or rank[slot.name] < rank[beyond.slot]:
                    yield slot.name, edge, beyond

    def edge_counts(self) -> dict[str, int]:
        """Count the physical edges by sort: shared, ramps, zones, off_board."""
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


def board_names() -> tuple[str, ...]:
    """Return the names of the profiles that ship with the product."""
    return tuple(sorted(path.stem for path in _PROFILES.glob("*.toml")))


@functools.cache
def load_board(name: str = STANDARD) -> Board:
    """Return a board by the name of its profile.

    Raises:
        KeyError: no profile has that name.
        SettingsError: the shipped file is broken, which is our mistake.
    """
    if name not in board_names():
        raise KeyError(name)
    return read_board(_PROFILES / f"{name}.toml")


def read_board(path: Path) -> Board:
    """Read a profile file.

    Raises:
        SettingsError: with every mistake in it.
    """
    return board_from_document(Document.from_path(path), path.stem)


def board_from_document(document: Document, name: str) -> Board:
    """Build a board from a profile document.

    Raises:
        SettingsError: with every mistake in it.
    """
    root = document.root
    title = root.text("title", like="the board's name for people")
    pitch_mm = root.number("pitch_mm", 20, 100, 50.0)
    tilt_deg = root.number("tilt_deg", 5, 45, 15.0)
    places = _places(root, pitch_mm)
    feeds = _outlets(root.table("ramps", required=True), places, single=True)
    drains = _outlets(root.table("zones", required=True), places, single=False)
    titles = root.table("zone_titles")
    zone_titles = {zone: titles.text(zone, f"End zone {zone}") for zone in drains}
    expected = root.table("edges", required=True)
    counts = {sort: expected.integer(sort, 0, 500) for sort in ("shared", "ramps", "zones", "off_board")}
    slots = _slots(root, places, feeds, drains, pitch_mm)
    board = Board(
        name=name,
        title=title,
        pitch_mm=pitch_mm,
        tilt_deg=tilt_deg,
        slots=slots,
        ramps=tuple(Ramp(ramp, *outlets[0]) for ramp, outlets in feeds.items() if outlets),
        zones=tuple(Zone(zone, zone_titles[zone], outlets) for zone, outlets in drains.items()),
    )
    for sort, found in board.edge_counts().items():
        if not document.problems and counts[sort] != found:
            expected.complain(sort, f"says {counts[sort]}, but these slots, ramps and zones make {found}")
    document.finish()
    return board


def _places(root: Section, pitch_mm: float) -> dict[str, tuple[int, int, float, float]]:
    """Lay out the columns: slot name -> (column, row, x, y)."""
    column_mm = step_mm(2, pitch_mm)[0]
    places: dict[str, tuple[int, int, float, float]] = {}
    columns = root.tables("column")
    if not columns:
        root.complain(None, "want at least one [[column]]")
    for index, column in enumerate(columns):
        names = column.texts("slots")
        top_mm = column.number("top_mm", -2000, 2000)
        for row, slot in enumerate(names):
            if slot in places:
                column.complain("slots", f"slot {slot!r} is there twice")
            x_mm = (index - (len(columns) - 1) / 2) * column_mm
            places[slot] = (index, row, round(x_mm, 3), round(top_mm + row * pitch_mm, 3))
    return places


def _outlets(
    section: Section, places: dict[str, tuple[int, int, float, float]], *, single: bool
) -> dict[str, tuple[tuple[str, int], ...]]:
    """Read ``L1 = "B1.6"`` or ``L = ["B5.3", "B5.4"]``: (slot, edge) by name."""
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    for name in section.keys:
        written = (section.text(name, like='"SLOT.EDGE"'),) if single else section.texts(name)
        found[name] = tuple(outlet for text in written if (outlet := _outlet(section, name, text, places)))
    return found


def _outlet(
    section: Section, name: str, text: str, places: dict[str, tuple[int, int, float, float]]
) -> tuple[str, int] | None:
    slot, _dot, edge = text.rpartition(".")
    if slot in places and edge.isdecimal() and int(edge) in EDGES:
        return slot, int(edge)
    section.complain(name, f"want SLOT.EDGE with a slot of this board and an edge 1..6, found {text!r}")
    return None


def _slots(
    root: Section,
    places: dict[str, tuple[int, int, float, float]],
    feeds: dict[str, tuple[tuple[str, int], ...]],
    drains: dict[str, tuple[tuple[str, int], ...]],
    pitch_mm: float,
) -> tuple[Slot, ...]:
    special: dict[tuple[str, int], Beyond] = {}
    for sort, table in (("ramps", feeds), ("zones", drains)):
        for name, outlets in table.items():
            for outlet in outlets:
                if outlet in special:
                    root.complain(sort, f"{name}: edge {outlet[0]}.{outlet[1]} is already taken")
                special[outlet] = Beyond(ramp=name) if sort == "ramps" else Beyond(zone=name)
    slots = []
    for name, (column, row, x_mm, y_mm) in places.items():
        edges = []
        for edge in EDGES:
            across, down = step_mm(edge, pitch_mm)
            slot = _slot_at(places, x_mm + across, y_mm + down)
            if slot is not None and (name, edge) in special:
                root.complain("ramps", f"edge {name}.{edge} leads to slot {slot}, so it cannot be a ramp or zone")
            edges.append(special.get((name, edge), Beyond()) if slot is None else Beyond(slot=slot))
        slots.append(Slot(name, column, row, x_mm, y_mm, tuple(edges)))
    _check_symmetry(root, slots)
    return tuple(slots)


def _slot_at(places: dict[str, tuple[int, int, float, float]], x_mm: float, y_mm: float) -> str | None:
    for name, (_column, _row, x, y) in places.items():
        if abs(x - x_mm) < _SAME_PLACE_MM and abs(y - y_mm) < _SAME_PLACE_MM:
            return name
    return None


def _check_symmetry(root: Section, slots: list[Slot]) -> None:
    """Two slots that overlap would see each other from one side only."""
    by_name = {slot.name: slot for slot in slots}
    for slot in slots:
        for edge in EDGES:
            over = slot.beyond(edge).slot
            if over is not None and by_name[over].beyond(opposite(edge)).slot != slot.name:
                root.complain("column", f"slots {slot.name} and {over} overlap")

