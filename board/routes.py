"""Route tables: what a ball does on a tile according to the physics, read from shipped data.

Rules of this room:

1. A table belongs to a tile's *geometry* (channels, pockets, pegs, flapper, hole), identified by a digest. If
   a geometry has no table, no other one is used in its place, and :meth:`RouteTables.problem` says so.
2. Tables are made by ``hextraction routes`` from the simulated physics, shipped as data, and never changed
   during play.
3. Edges in a table are those of the upright tile; :meth:`RouteTable.laid` gives them as the tile lies.

A ball's stay begins in one of three ways (:class:`Start`) and ends in one of four (:class:`Ending`). There
are tables for several tilts (:data:`TILTS_DEG`), each in files of its own; times in between scale with the
root of the sine of the tilt.
"""

import enum
import functools
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from hextraction.board.grid import EDGES, turned
from hextraction.board.tiles import TileShape

__all__ = [
    "CATALOGUE_FOLDER",
    "IN_THE_DARK",
    "OVER_HALL",
    "ROUTES_FOLDER",
    "TILTS_DEG",
    "Ending",
    "Passage",
    "RouteRow",
    "RouteTable",
    "RouteTables",
    "RoutesError",
    "Start",
    "geometry_digest",
    "load_routes",
    "nearest_tilt",
    "read_routes",
    "routes_files",
    "states_of",
    "write_routes",
]

CATALOGUE_FOLDER: Final = Path(__file__).parent / "catalogue"
"""A file path: board/ is a namespace on purpose, and importlib.resources cannot follow an editable one."""
ROUTES_FOLDER: Final = CATALOGUE_FOLDER / "routes"
TILTS_DEG: Final = (10.0, 15.0, 20.0)
"""The tilts that there are tables for."""
_FORMAT: Final = 2
OVER_HALL: Final = 0
IN_THE_DARK: Final = 7
"""Where a ball lies at rest: over the ball Hall in the middle; where no sensor sees it."""


class RoutesError(ValueError):
    """A file of route tables is broken; the message says which one, how, and what to do."""


class Start(enum.Enum):
    """How a ball's stay on a tile begins."""

    ROLLED_IN = "i"
    """It came over the edge with the speed of a rolling ball."""
    TURNED = "t"
    """It was at this mouth, something beyond stopped it, and it starts again from there, slowly."""
    KNOCKED = "k"
    """It lay on the tile and was hit; the edge is 0."""


class Ending(enum.Enum):
    """How a ball's stay on a tile ends."""

    OUT = "o"
    """It left over an edge, perhaps the one it came over."""
    RESTS = "r"
    """It came to rest inside, or was still rocking there after four seconds."""
    FELL = "f"
    """It dropped through the tile's hole."""
    SHUT = "s"
    """It never got 2.5 mm inside: turned back at the mouth it came to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One ending: the edge if it is ``OUT`` (else 0), how many balls of the row ended that way, and how.

    ``near`` of them came within 8 mm of the tile's middle. Times are from 2.5 mm outside to 2.5 mm outside
    for a ball that leaves, to the drop for one that falls, else 0; a tenth are quicker than ``p10_ms``,
    a tenth slower than ``p90_ms``. A ball that was knocked out by one that stayed has 4000.
    ``lies`` says where balls that rest lie: pairs of a place (1..6: before the beam of that edge;
    :data:`OVER_HALL`; :data:`IN_THE_DARK`) and how many balls lie there.
    """

    ending: Ending
    edge: int
    balls: int
    near: int
    p10_ms: int
    median_ms: int
    p90_ms: int
    lies: tuple[tuple[int, int], ...] = ()

    def turned(self, turns: int) -> "Passage":
        """Return the passage with its edges turned by sixths."""
        lies = tuple([(turned(at, turns) if at in EDGES else at, balls) for at, balls in self.lies])
        return replace(self, edge=self.edge and turned(self.edge, turns), lies=lies)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteRow:
    """All endings of one start, the commonest first; ``balls`` were rolled for it."""

    passages: tuple[Passage, ...]

    @property
    def balls(self) -> int:
        """How many balls were rolled."""
        return sum(passage.balls for passage in self.passages)

    def share(self, ending: Ending, edge: int = 0) -> float:
        """Return the share of the balls that ended this way; 0 if none did."""
        count = sum(p.balls for p in self.passages if p.ending is ending and p.edge == edge)
        return count / self.balls if count else 0.0

    def turned(self, turns: int) -> "RouteRow":
        """Return the row with its edges turned by sixths."""
        return RouteRow(passages=tuple(passage.turned(turns) for passage in self.passages))


_CLOSED: Final = RouteRow(
    passages=(Passage(ending=Ending.SHUT, edge=0, balls=100, near=0, p10_ms=0, median_ms=0, p90_ms=0),)
)
"""A wall is a wall: as if a hundred balls had tried."""

RowKey = tuple[int, int, Start, int]
"""Turns 0..5, state, start, and the edge (of the upright tile; 0 for a ball that was knocked)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteTable:
    """What balls do on one geometry. ``tile`` is an example; ``walls`` a digest of the walls they met.

    ``states`` is how many inner states it distinguishes (see :func:`states_of`). An edge without a mouth has
    no row in ``rows``; asking for one gives a row in which every ball was turned back.
    """

    tile: str
    digest: str
    walls: str
    states: int
    rows: Mapping[RowKey, RouteRow]

    def row(self, turns: int, edge: int, start: Start = Start.ROLLED_IN, state: int = 0) -> RouteRow:
        """Return a row, edges as on the upright tile.

        Raises:
            KeyError: there is no such turn, edge, start or state.
        """
        return self.rows.get((turns, state, start, edge)) or self._closed(turns, state, edge)

    def laid(self, turns: int, edge: int, start: Start = Start.ROLLED_IN, state: int = 0) -> RouteRow:
        """Return a row with edges as they lie on the board: the way in, and those of the endings.

        Raises:
            KeyError: there is no such turn, edge, start or state.
        """
        own = turned(edge, -turns) if edge else 0
        return self.row(turns, own, start, state).turned(turns)

    def _closed(self, turns: int, state: int, edge: int) -> RouteRow:
        if turns not in range(6) or state not in range(self.states) or edge not in EDGES:
            raise KeyError(f"tile {self.tile!r} has no row for turns {turns}, state {state}, edge {edge}")
        return _CLOSED


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteTables:
    """Tables by digest. ``settings`` is a digest of the physics and of how the tables were made."""

    settings: str
    tables: Mapping[str, RouteTable]

    def of(self, tile: TileShape) -> RouteTable | None:
        """Return the table for a tile's geometry, if there is one."""
        return self.tables.get(geometry_digest(tile))

    def problem(self, tile: TileShape) -> str:
        """Return what is wrong with a tile's table, in a sentence; empty if nothing is."""
        if self.of(tile) is not None:
            return ""
        return (
            f"tile {tile.name!r}: its geometry (digest {geometry_digest(tile)}) has no route table, so it is "
            "tracked by its channels alone; make one with `hextraction routes`"
        )


def geometry_digest(tile: TileShape) -> str:
    """Return a short digest of a tile's geometry; the order within a channel does not matter.

    >>> upright = TileShape(name="j", title="J", channels=((1, 3),))
    >>> geometry_digest(upright) == geometry_digest(TileShape(name="k", title="K", channels=((3, 1),)))
    True
    """
    channels = None if tile.channels is None else sorted(sorted(group) for group in tile.channels)
    says: list[object] = [channels, tile.holds, list(tile.alternates), tile.scatters, tile.hole]
    if tile.lines or tile.holes:
        says += [sorted(map(list, tile.lines), key=str), sorted(tile.holes)]
    return hashlib.sha256(json.dumps(says).encode()).hexdigest()[:12]


def states_of(tile: TileShape) -> int:
    """Return how many inner states a tile's table distinguishes.

    A flip-flop: state ``n`` after ``n`` balls have left by one of its ``alternates``, wrapping around. A tile
    with pockets: 0 with all of them empty, 1 with all of them taken. Any other: 1.
    """
    return len(tile.alternates) or (2 if tile.holds else 1)


def nearest_tilt(tilt_deg: float) -> float:
    """Return the tilt nearest to another that there are tables for.

    >>> nearest_tilt(8), nearest_tilt(13), nearest_tilt(30)
    (10.0, 15.0, 20.0)
    """
    return min(TILTS_DEG, key=lambda known: abs(known - tilt_deg))


def routes_files(folder: Path, tilt_deg: float) -> list[Path]:
    """Return the files of tables for a tilt, by name."""
    return sorted(folder.glob(f"*-{tilt_deg:g}.json"))


def load_routes(tilt_deg: float = 15.0) -> RouteTables:
    """Return the shipped tables for the nearest tilt, read on first use.

    Raises:
        RoutesError: a shipped file is broken, which is our bug.
    """
    return _shipped(nearest_tilt(tilt_deg))


@functools.cache
def _shipped(tilt_deg: float) -> RouteTables:
    return read_routes(routes_files(ROUTES_FOLDER, tilt_deg))


def read_routes(paths: Iterable[Path]) -> RouteTables:
    """Read files of tables, all made with the same settings.

    Raises:
        RoutesError: a file cannot be read, was changed by hand, or was made with other settings.
    """
    settings, tables = "", {}
    for path in paths:
        written = _opened(path)
        if settings not in {"", written["settings"]}:
            raise RoutesError(
                f"{path.name}: was made with other settings than the files before it; {_REMEDY}"
            )
        settings = written["settings"]
        tables.update({entry["digest"]: _table(entry) for entry in written["tables"]})
    return RouteTables(settings=settings, tables=tables)


_REMEDY: Final = "make all of them again with `hextraction routes`"


def _opened(path: Path) -> Any:
    try:
        written = json.loads(path.read_text("utf-8"))
        told = written.pop("digest")
        whole = written["format"] == _FORMAT and told == _digest_of(written)
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise RoutesError(f"{path.name}: is not a file of route tables ({error}); {_REMEDY}") from error
    if not whole:
        raise RoutesError(f"{path.name}: does not agree with its own digest or format; {_REMEDY}")
    return written


def write_routes(path: Path, settings: str, tables: Iterable[RouteTable]) -> None:
    """Write a file of tables; the same tables give the same bytes."""
    whole = {"format": _FORMAT, "settings": settings, "tables": [_entry(table) for table in tables]}
    # One row a line: small, and a changed row is a one-line diff.
    text = json.dumps({"digest": _digest_of(whole), **whole}, indent=0, ensure_ascii=True)
    path.write_text(text + "\n", "utf-8")


def _digest_of(whole: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:16]


_TOLD: Final = ("tile", "digest", "walls", "states")


def _entry(table: RouteTable) -> dict[str, Any]:
    rows = [_row_text(key, row) for key, row in table.rows.items()]
    return {**{name: getattr(table, name) for name in _TOLD}, "rows": rows}


def _row_text(key: RowKey, row: RouteRow) -> str:
    turns, state, start, edge = key
    return f"{turns}{state}{start.value}{edge}:" + ",".join(
        f"{p.edge or p.ending.value} {p.balls} {p.near} {p.p10_ms} {p.median_ms} {p.p90_ms}"
        + "".join(f" {at}={balls}" for at, balls in p.lies)
        for p in row.passages
    )


def _table(entry: Mapping[str, Any]) -> RouteTable:
    return RouteTable(rows=dict(_row(text) for text in entry["rows"]), **{n: entry[n] for n in _TOLD})


def _row(text: str) -> tuple[RowKey, RouteRow]:
    key, _, passages = text.partition(":")
    turns, state, start, edge = tuple(key)
    row = RouteRow(passages=tuple(_passage(part) for part in passages.split(",")))
    return (int(turns), int(state), Start(start), int(edge)), row


_NUMBERS: Final = 5


def _passage(part: str) -> Passage:
    where, *numbers = part.split()
    balls, near, p10_ms, median_ms, p90_ms = map(int, numbers[:_NUMBERS])
    lies = [pair.partition("=") for pair in numbers[_NUMBERS:]]
    edge = int(where) if where.isdigit() else 0
    return Passage(
        ending=Ending.OUT if edge else Ending(where),
        edge=edge,
        balls=balls,
        near=near,
        p10_ms=p10_ms,
        median_ms=median_ms,
        p90_ms=p90_ms,
        lies=tuple([(int(at), int(many)) for at, _, many in lies]),
    )
