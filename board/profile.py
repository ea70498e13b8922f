"""Board profiles: which slots a board has and what lies beyond each of their edges (ruling R-70).

A profile file names the columns of slots, the ramps and the end zones; everything else follows from the grid.
Each of a slot's six edges leads to a neighbouring slot, comes from a ramp, leads into an end zone, or leads
off the board; the file also states how many edges there are of each kind, and a profile that does not add up
is refused. ``hexagon`` names the middle of 19 slots that make a hexagon, for games that are played on one.
"""

import functools
import itertools
import math
import re
from pathlib import Path
from typing import Final

from hextraction.board.grid import EDGES, step_mm
from hextraction.board.layout import Beyond, Board, Ramp, Slot, Zone
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
_HEXAGON: Final = 19
# Names become parts of instrument names and topics.
_NAME: Final = re.compile(r"[A-Za-z0-9_]+")
# A file path, because board/ is a namespace on purpose and importlib.resources cannot follow an editable one.
_PROFILES: Final = Path(__file__).parent / "profiles"

Places = dict[str, tuple[int, int, float, float]]
"""Slot name -> (column, row, x, y)."""
Outlets = dict[str, tuple[tuple[str, int], ...]]
"""Ramp or zone name -> its (slot, edge) pairs."""


def board_names() -> tuple[str, ...]:
    """Return the names of the profiles that ship with the product.

    >>> from hextraction.api import board_names
    >>> "standard-22" in board_names()
    True
    """
    return tuple(sorted(path.stem for path in _PROFILES.glob("*.toml")))


@functools.cache
def load_board(name: str = STANDARD) -> Board:
    """Return a board by the name of its profile.

    Raises:
        KeyError: no profile has that name.
        SettingsError: the shipped file is broken, which is our bug.

    >>> from hextraction.api import load_board
    >>> board = load_board()
    >>> len(board.slots), board.ramp_by_name["L1"].slot, board.neighbours("A1")
    (22, 'B1', ('B1', 'B2', 'A2'))
    """
    if name not in board_names():
        raise KeyError(name)
    return read_board(_PROFILES / f"{name}.toml")


def read_board(path: Path | str) -> Board:
    """Read a profile file.

    Raises:
        SettingsError: with every mistake in it.

    >>> from hextraction.api import SettingsError, read_board
    >>> try:
    ...     read_board("none.toml")
    ... except SettingsError as error:
    ...     print(error)
    none.toml:1: cannot read this file: No such file or directory
    """
    path = Path(path)
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
        hexagon=root.text("hexagon", ""),
    )
    _check_hexagon(root, board)
    for sort, found in board.edge_counts().items():
        if not document.problems and counts[sort] != found:
            expected.complain(sort, f"says {counts[sort]}, but these slots, ramps and zones make {found}")
    document.finish()
    return board


def _places(root: Section, pitch_mm: float) -> Places:
    """Lay out the columns."""
    column_mm = step_mm(2, pitch_mm)[0]
    places: Places = {}
    columns = root.tables("column")
    if not columns:
        root.complain(None, "want at least one [[column]]")
    for index, column in enumerate(columns):
        names = column.texts("slots")
        top_mm = column.number("top_mm", -2000, 2000)
        for row, slot in enumerate(names):
            if not _NAME.fullmatch(slot):
                column.complain("slots", f"want names of letters, digits and underscores, found {slot!r}")
            if slot in places:
                column.complain("slots", f"slot {slot!r} is there twice")
            x_mm = (index - (len(columns) - 1) / 2) * column_mm
            places[slot] = (index, row, round(x_mm, 3), round(top_mm + row * pitch_mm, 3))
    return places


def _outlets(section: Section, places: Places, *, single: bool) -> Outlets:
    """Read ``L1 = "B1.6"`` or ``L = ["B5.3", "B5.4"]``: (slot, edge) by name."""
    found: Outlets = {}
    for name in section.keys:
        if not _NAME.fullmatch(name):
            section.complain(name, "want a name of letters, digits and underscores")
        # Empty text is refused here, so that an empty result means a mistake that is already reported.
        written = (section.text(name, pattern=".+", like='"SLOT.EDGE"'),) if single else section.texts(name)
        found[name] = tuple(
            outlet
            for text in written
            if (text or not single) and (outlet := _outlet(section, name, text, places)) is not None
        )
    return found


def _outlet(section: Section, name: str, text: str, places: Places) -> tuple[str, int] | None:
    slot, _dot, edge = text.rpartition(".")
    if slot in places and edge in {"1", "2", "3", "4", "5", "6"}:
        return slot, int(edge)
    section.complain(name, f"want SLOT.EDGE with a slot of this board and an edge 1..6, found {text!r}")
    return None


def _slots(
    root: Section, places: Places, feeds: Outlets, drains: Outlets, pitch_mm: float
) -> tuple[Slot, ...]:
    special = _special_edges(root, feeds, drains)
    slots = []
    for name, (column, row, x_mm, y_mm) in places.items():
        edges = []
        for edge in EDGES:
            across, down = step_mm(edge, pitch_mm)
            slot = _slot_at(places, x_mm + across, y_mm + down)
            sort, place, beyond = special.get((name, edge), ("", "", Beyond()))
            if slot is not None and sort:
                root.document.complain((sort, place), f"edge {name}.{edge} leads to slot {slot}")
            edges.append(beyond if slot is None else Beyond(slot=slot))
        slots.append(Slot(name, column, row, x_mm, y_mm, tuple(edges)))
    _check_overlap(root, slots, pitch_mm)
    return tuple(slots)


def _special_edges(
    root: Section, feeds: Outlets, drains: Outlets
) -> dict[tuple[str, int], tuple[str, str, Beyond]]:
    """Return, for each edge that a ramp or zone claims, the table and key claiming it and what is beyond."""
    special: dict[tuple[str, int], tuple[str, str, Beyond]] = {}
    for sort, table in (("ramps", feeds), ("zones", drains)):
        for name, outlets in table.items():
            for slot, edge in outlets:
                if (slot, edge) in special:
                    taken = special[slot, edge][1]
                    root.document.complain((sort, name), f"edge {slot}.{edge} is already taken by {taken}")
                beyond = Beyond(ramp=name) if sort == "ramps" else Beyond(zone=name)
                special[slot, edge] = (sort, name, beyond)
    return special


def _slot_at(places: Places, x_mm: float, y_mm: float) -> str | None:
    for name, (_column, _row, x, y) in places.items():
        if abs(x - x_mm) < _SAME_PLACE_MM and abs(y - y_mm) < _SAME_PLACE_MM:
            return name
    return None


def _check_hexagon(root: Section, board: Board) -> None:
    """A hexagon of 19 slots has two more slots beyond each edge of its middle one, and slots between them."""
    if not board.hexagon:
        return
    if board.hexagon not in board.by_name:
        root.complain("hexagon", f"want the slot in its middle, found {board.hexagon!r}")
    elif len(board.around(board.hexagon, 2)) != _HEXAGON:
        root.complain("hexagon", f"there are no {_HEXAGON} slots within two steps of {board.hexagon}")


def _check_overlap(root: Section, slots: list[Slot], pitch_mm: float) -> None:
    """Middles closer than a pitch cannot both hold a tile: the column's ``top_mm`` is wrong."""
    for slot, other in itertools.combinations(slots, 2):
        apart_mm = math.hypot(slot.x_mm - other.x_mm, slot.y_mm - other.y_mm)
        if apart_mm < pitch_mm - _SAME_PLACE_MM:
            root.document.complain(
                ("column", other.column, "top_mm"), f"slots {slot.name} and {other.name} overlap"
            )
