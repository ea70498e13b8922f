"""Makes route tables from the physics: one tile's table, and digests of what it was made with.

Tables are reproducible for the same digest and the same :data:`BALLS`, on one kind of processor: every row
has its own seed, so neither the order nor the number of workers matters.
"""

import hashlib
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from hextraction.board.grid import turned
from hextraction.board.routes import (
    TILTS_DEG,
    Ending,
    Passage,
    RouteRow,
    RouteTable,
    RowKey,
    Start,
    geometry_digest,
    states_of,
)
from hextraction.board.tiles import TileShape
from hextraction.simulator.channels import Shape, mouths, shape_of, tile_walls
from hextraction.simulator.physics import STANDARD
from hextraction.simulator.table import BALL_RADIUS_MM, STEP_US, STILL_MM_S
from hextraction.simulator.transits import PITCH_MM, SPREAD, Transit, roll_over

__all__ = ["BALLS", "make_table", "row_of", "settings_digest", "walls_digest"]

BALLS: Final = 100
"""How many balls are rolled for a row."""
_EDITION: Final = 3
"""Increase this when balls are observed or counted differently."""


def settings_digest(tilt_deg: float = TILTS_DEG[1]) -> str:
    """Return a digest of the physics and of how the tables for a tilt are made."""
    says = (_EDITION, BALLS, SPREAD, STANDARD, PITCH_MM, BALL_RADIUS_MM, STEP_US, STILL_MM_S, float(tilt_deg))
    return hashlib.sha256(repr(says).encode()).hexdigest()[:12]


def walls_digest(tile: TileShape) -> str:
    """Return a digest of a tile's walls and holes, to a tenth of a millimetre."""
    walls = [
        sorted(tuple(round(mm, 1) + 0.0 for mm in wall) for wall in tile_walls(_shape(tile, 0, state)))
        for state in range(states_of(tile))
    ]
    holes = tile.holes_at(0)
    walls += [sorted(tuple(round(mm, 1) for mm in hole) for hole in holes)] if holes else []
    return hashlib.sha256(repr(walls).encode()).hexdigest()[:12]


def make_table(tile: TileShape, balls: int = BALLS, tilt_deg: float = TILTS_DEG[1]) -> RouteTable:
    """Roll balls over a tile in every way it can lie, on a board with some tilt, and count."""
    return RouteTable(
        tile=tile.name,
        digest=geometry_digest(tile),
        walls=walls_digest(tile),
        states=states_of(tile),
        rows=dict(_rows(tile, balls, tilt_deg)),
    )


def _rows(tile: TileShape, balls: int, tilt_deg: float) -> Iterator[tuple[RowKey, RouteRow]]:
    """Yield all rows, edges as on the upright tile; orientations that look alike are rolled once."""
    rolled: dict[object, RouteRow] = {}
    for turns, state in itertools.product(range(6), range(states_of(tile))):
        shape = _shape(tile, turns, state)
        for start, edge in _beginnings(shape):
            alike = (_looks(shape, holes=bool(tile.holes)), state, start, edge)
            if alike not in rolled:
                rolled[alike] = _row(tile, shape, (start, edge), state=state, balls=balls, tilt_deg=tilt_deg)
            own = turned(edge, -turns) if edge else 0
            yield (turns, state, start, own), rolled[alike].turned(-turns)


def _shape(tile: TileShape, turns: int, state: int) -> Shape:
    return shape_of(tile, turns, PITCH_MM, state if tile.alternates else 0)


def _beginnings(shape: Shape) -> Iterator[tuple[Start, int]]:
    yield from itertools.product((Start.ROLLED_IN, Start.TURNED), mouths(shape))
    yield Start.KNOCKED, 0


def _looks(shape: Shape, *, holes: bool) -> object:
    """Return a key that is equal for shapes that look alike as they lie; shapes with fittings never do."""
    if shape.holds or shape.scatters or shape.alternates or shape.lines or holes:
        return shape.turns
    groups = shape.channels or (mouths(shape),)
    return frozenset(frozenset(turned(edge, shape.turns) for edge in group) for group in groups)


def _row(
    tile: TileShape, shape: Shape, beginning: tuple[Start, int], *, state: int, balls: int, tilt_deg: float
) -> RouteRow:
    start, edge = beginning
    seed = f"{geometry_digest(tile)} {shape.turns} {state} {start.value} {edge} {tilt_deg:g}"
    resting = tile.holds if tile.holds and state else 0
    holes = tile.holes_at(shape.turns)
    rolled = roll_over(
        shape, start, edge, balls=balls, resting=resting, holes=holes, seed=seed, tilt_deg=tilt_deg
    )
    return row_of(rolled)


def row_of(rolled: Iterable[Transit]) -> RouteRow:
    """Count the ways in which balls ended."""
    kinds: dict[tuple[Ending, int], list[Transit]] = defaultdict(list)
    for transit in rolled:
        kinds[transit.ending, transit.edge].append(transit)
    found = sorted(kinds.items(), key=lambda kind: (-len(kind[1]), kind[0][0].value, kind[0][1]))
    return RouteRow(passages=tuple(_passage(ending, out, transits) for (ending, out), transits in found))


def _passage(ending: Ending, edge: int, transits: list[Transit]) -> Passage:
    times_ms = sorted(transit.took_ms for transit in transits)
    last = len(times_ms) - 1
    return Passage(
        ending=ending,
        edge=edge,
        balls=len(transits),
        near=sum(transit.near for transit in transits),
        p10_ms=times_ms[last // 10],
        median_ms=times_ms[last // 2],
        p90_ms=times_ms[last * 9 // 10],
        lies=_lies(transits) if ending is Ending.RESTS else (),
    )


def _lies(transits: list[Transit]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(transit.lies for transit in transits).items()))
