"""``hextraction routes``: regenerate the route tables from the physics, or list stale ones."""

import argparse
import functools
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple, TextIO

from hextraction.board.routes import (
    ROUTES_FOLDER,
    TILTS_DEG,
    RoutesError,
    RouteTable,
    RouteTables,
    geometry_digest,
    read_routes,
    routes_files,
    write_routes,
)
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.controller.version import how_to_install
from hextraction.controller.workshop.documents import RouteChecks, RoutesAt
from hextraction.controller.workshop.terminal import progress, tell

__all__ = ["Kinds", "geometries", "run"]

_COLLECTIONS: Final = ("basic", "official", "community", "fixture")


Kinds = Mapping[str, Mapping[str, Tile]]
"""By collection, and there by digest, a tile of each geometry."""


def run(options: argparse.Namespace, *, kinds: Kinds | None = None, balls: int | None = None) -> int:
    """Make all tables, or check them; return the exit status.

    ``kinds`` are those of the catalogue by default; ``balls`` says how many roll for each way over a tile.
    """
    if options.model is not None:
        from hextraction.controller.workshop.printed.command import run as study  # noqa: PLC0415 - rarely

        return study(options, balls=balls)
    try:
        from hextraction.simulator.routing import settings_digest  # noqa: PLC0415 - needs the extra
    except ImportError:
        print(f"hextraction routes: the physics is missing: {how_to_install('sim')}", file=sys.stderr)
        return 2
    if options.jobs < 1:
        print(f"hextraction routes: --jobs: want 1 or more, found {options.jobs}", file=sys.stderr)
        return 2
    folder = options.folder or ROUTES_FOLDER
    found = geometries() if kinds is None else kinds
    said = sys.stderr if options.json else sys.stdout
    if options.check:
        tilts = [_check(folder, tilt, settings_digest(tilt), found, said) for tilt in TILTS_DEG]
    else:
        how = _How(jobs=options.jobs, balls=balls, fresh=options.fresh, said=said)
        tilts = [_make(folder, tilt, settings_digest(tilt), found, how) for tilt in TILTS_DEG]
    if options.json:
        tell(RouteChecks(tilts=tuple(tilts)))
    return 2 if any(one.problems for one in tilts) else 0


def geometries() -> dict[str, dict[str, Tile]]:
    """Return one tile of each geometry, by collection and digest; each geometry is in one collection."""
    tiles, seen = load_tiles(), set()
    found: dict[str, dict[str, Tile]] = {}
    for collection in _COLLECTIONS:
        found[collection] = {}
        for name in _names(collection):
            digest = geometry_digest(tiles[name])
            if digest not in seen:
                seen.add(digest)
                found[collection][digest] = tiles[name]
    return found


def _names(collection: str) -> Iterator[str]:
    path = ROUTES_FOLDER.parent / f"{collection}.toml"
    yield from (tile["name"] for tile in tomllib.loads(path.read_text("utf-8"))["tile"])


class _How(NamedTuple):
    """How tables are made: on so many processes, so many balls each way, all anew, and where that is said."""

    jobs: int
    balls: int | None
    fresh: bool
    said: TextIO


def _make(folder: Path, tilt_deg: float, settings: str, found: Kinds, how: _How) -> RoutesAt:
    """Make missing or stale tables for a tilt (all if ``fresh``), and write all collections."""
    began_s = time.monotonic()
    tables = {} if how.fresh else _still_good(routes_files(folder, tilt_deg), settings, found)
    kinds = [tile for tiles in found.values() for digest, tile in tiles.items() if digest not in tables]
    rolled = _rolled(kinds, how.jobs, how.balls, tilt_deg)
    for table in progress(rolled, f"tables at {tilt_deg:g}°", total=len(kinds)):
        tables[table.digest] = table
        print(f"{tilt_deg:g}°, {table.tile}: {len(table.rows)} rows", flush=True, file=how.said)
    folder.mkdir(parents=True, exist_ok=True)
    for collection, tiles in found.items():
        path = folder / f"{collection}-{tilt_deg:g}.json"
        if tiles:
            write_routes(path, settings, [tables[digest] for digest in tiles])
        else:
            path.unlink(missing_ok=True)
    took_s = time.monotonic() - began_s
    print(f"{tilt_deg:g}°: {len(kinds)} tables made in {took_s:.0f} s; {folder} is up to date", file=how.said)
    return RoutesAt(tilt_deg=tilt_deg, tables=len(tables), made=len(kinds), problems=())


def _rolled(kinds: list[Tile], jobs: int, balls: int | None, tilt_deg: float) -> Iterator[RouteTable]:
    from hextraction.simulator.routing import BALLS, make_table  # noqa: PLC0415 - needs the extra

    make = functools.partial(make_table, balls=BALLS if balls is None else balls, tilt_deg=tilt_deg)
    if jobs == 1:
        yield from map(make, kinds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(make, kinds)


def _still_good(files: list[Path], settings: str, found: Kinds) -> dict[str, RouteTable]:
    """Return the tables that are still up to date."""
    from hextraction.simulator.routing import walls_digest  # noqa: PLC0415 - needs the extra

    try:
        tables = read_routes(files)
    except RoutesError:
        return {}
    if tables.settings != settings:
        return {}
    wanted = {digest: tile for tiles in found.values() for digest, tile in tiles.items()}
    return {
        digest: table
        for digest, table in tables.tables.items()
        if digest in wanted and table.walls == walls_digest(wanted[digest])
    }


def _check(folder: Path, tilt_deg: float, settings: str, found: Kinds, said: TextIO) -> RoutesAt:
    try:
        tables = read_routes(routes_files(folder, tilt_deg))
    except RoutesError as error:
        print(f"hextraction routes: {error}", file=sys.stderr)
        return RoutesAt(tilt_deg=tilt_deg, tables=0, made=0, problems=(str(error),))
    problems = tuple(_problems(tables, settings, found))
    for problem in problems:
        print(f"{tilt_deg:g}°: {problem}", file=said)
    several = "s" if len(problems) != 1 else ""
    print(f"{tilt_deg:g}°: {len(tables.tables)} tables, {len(problems)} problem{several}", file=said)
    return RoutesAt(tilt_deg=tilt_deg, tables=len(tables.tables), made=0, problems=problems)


def _problems(tables: RouteTables, settings: str, found: Kinds) -> Iterator[str]:
    """Yield a sentence for each table that is missing, stale or left over."""
    from hextraction.simulator.routing import walls_digest  # noqa: PLC0415 - needs the extra

    if tables.settings != settings:
        yield f"all tables: made with settings {tables.settings or 'none'}, the physics now has {settings}"
    wanted: Mapping[str, Tile] = {digest: tile for tiles in found.values() for digest, tile in tiles.items()}
    for digest, tile in wanted.items():
        table = tables.tables.get(digest)
        if table is None:
            yield tables.problem(tile)
        elif table.walls != walls_digest(tile):
            yield f"tile {tile.name!r}: its walls have changed since its table was made"
    for digest in tables.tables.keys() - wanted.keys():
        yield f"table of {tables.tables[digest].tile!r} (digest {digest}): no tile has this geometry any more"
