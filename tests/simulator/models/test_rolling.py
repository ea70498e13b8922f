"""Balls that roll over models keep to the formula, and go where others found that they go."""

import functools
import math
import statistics

import numpy as np
import pytest
from helpers import printed
from helpers.tiers import nightly
from hextraction.board.grid import turned
from hextraction.board.routes import Ending, Start, load_routes
from hextraction.board.tiles import TileShape
from hextraction.simulator.models.anatomy import read_anatomy
from hextraction.simulator.models.rolling import Balls, roll
from hextraction.simulator.models.space import Space, solid_cells
from hextraction.simulator.models.tabling import make_table

pytestmark = pytest.mark.slow

X = TileShape(name="x", title="X", channels=((1, 2, 4, 5),))
_ABOVE = {6, 1, 2}


def board_side(mesh):
    """Return a mesh's triangles with y downhill."""
    return np.ascontiguousarray(np.asarray(mesh.triangles)[:, ::-1] * [1.0, -1.0, 1.0])


@functools.cache
def studied(*, flat=False):
    """Return the space around an X, and its anatomy."""
    return read([printed.straight(1, 4), printed.straight(2, 5)], (1, 2, 4, 5), flat=flat)


def read(lines, mouths, *, flat=False):
    """Return the space around a tile with these lines, and its anatomy."""
    triangles = board_side(printed.tile(lines, flat=flat))
    solid, low, _ = solid_cells(triangles)
    space = Space.around(triangles, solid, low, mouths)
    return space, read_anatomy(space, solid, low)


@functools.cache
def table(*, flat=False, seed=0, balls=240):
    """Return the route table of an X."""
    space, anatomy = studied(flat=flat)
    return make_table(space, anatomy, name="x", digest="ab", tilt_deg=15.0, balls=balls, seed=seed).table


def variation(one, other):
    """Return the total variation between two rows: what share would have to end otherwise."""
    ways = {(p.ending, p.edge) for row in (one, other) for p in row.passages}
    return sum(abs(one.share(*way) - other.share(*way)) for way in ways) / 2


def mean_variations(one, other, mouths=(1, 2, 4, 5)):
    """Return the mean variation of rows that begin above, and of those that begin below."""
    found = {True: [], False: []}
    for turns in range(6):
        for edge in mouths:
            above = turned(edge, turns) in _ABOVE
            found[above].append(variation(one.row(turns, edge), other.row(turns, edge)))
    return statistics.mean(found[True]), statistics.mean(found[False])


@nightly(
    "three balls in ten thousand small steps",
    meanwhile="tests/simulator/models/test_anatomy.py::test_a_dead_end_is_drafted_to_where_it_ends",
)
def test_200_mm_straight_take_the_time_and_give_the_speed_of_the_formula():
    """A = 5/7 g sin(tilt) at 8, 15 and 30 degrees, within one percent.

    A round bottom wider than the ball is touched in one point under its middle, so the formula needs no
    correction for a groove.
    """
    triangles = board_side(printed.channel(215.0))
    solid, low, _ = solid_cells(triangles)
    space = Space.around(triangles, solid, low, None)
    tilts = np.radians([8.0, 15.0, 30.0])
    pull = 9_810 * np.stack([np.zeros(3), np.sin(tilts), -np.cos(tilts)], axis=1)
    still = np.zeros((3, 3))
    balls = Balls(
        number=np.arange(3), place=np.tile([0.0, 0.0, 5.6], (3, 1)), speed=still, spin=still.copy(), pull=pull,
        restitution=np.full(3, 0.6), friction=np.full(3, 0.2), resistance=np.zeros(3),
        walls=np.tile([0.0, 0.0, np.inf], (3, 1)),
    )  # fmt: skip
    arrived = {}

    def watch(rolling, now_ms):
        for number, place, speed in zip(rolling.number, rolling.place, rolling.speed, strict=True):
            if place[1] >= 200.0:
                arrived[int(number)] = (now_ms / 1_000, place[1], speed[1])
        return rolling.place[:, 1] < 200.0

    roll(space, balls, watch, 3_000)
    for number, tilt in enumerate(tilts):
        took_s, way_mm, speed_mm_s = arrived[number]
        pulled = 5 / 7 * 9_810 * math.sin(tilt)
        assert took_s == pytest.approx(math.sqrt(2 * way_mm / pulled), rel=0.01)
        assert speed_mm_s == pytest.approx(math.sqrt(2 * pulled * way_mm), rel=0.01)


@nightly(
    "many balls on a studied model",
    meanwhile="tests/simulator/models/test_anatomy.py::test_a_dead_end_is_drafted_to_where_it_ends",
)
def test_two_seeds_agree():
    """On average one in a hundred balls from above ends otherwise, and three from below: ranges are spread evenly."""
    above, below = mean_variations(table(), table(seed=1))
    assert above <= 0.01
    assert below <= 0.03


@nightly(
    "many balls on a studied model",
    meanwhile="tests/simulator/models/test_anatomy.py::test_a_dead_end_is_drafted_to_where_it_ends",
)
def test_two_seeds_agree_where_balls_go_either_way():
    """Where two arcs cross more balls are rolled: on average not two in a hundred end otherwise."""
    space, anatomy = read([printed.arc(1, 3), printed.arc(2, 6)], (1, 2, 3, 6))
    one, other = (
        make_table(space, anatomy, name="arcs", digest="ab", tilt_deg=15.0, seed=seed).table
        for seed in (0, 1)
    )

    above, below = mean_variations(one, other, (1, 2, 3, 6))
    assert above <= 0.02
    assert below <= 0.06
    splits = [row.share(Ending.OUT, 3) for turns in range(6) if (row := one.row(turns, 1))]
    assert min(splits) < 0.7


@nightly(
    "many balls on a studied model",
    meanwhile="tests/simulator/models/test_anatomy.py::test_a_dead_end_is_drafted_to_where_it_ends",
)
def test_a_ball_from_below_stays_in_its_groove():
    """Up an X from 5 most come back, few change to 4; on a flat floor that is otherwise."""
    groove, flat = table().row(0, 5), table(flat=True, balls=120).row(0, 5)
    assert groove.share(Ending.OUT, 5) > 0.45
    assert groove.share(Ending.OUT, 4) < 0.2
    assert flat.share(Ending.OUT, 4) > 0.3


@nightly(
    "balls on a studied model",
    meanwhile="tests/simulator/models/test_anatomy.py::test_a_dead_end_is_drafted_to_where_it_ends",
)
def test_two_dimensions_and_three_agree_about_a_crossing():
    """The shipped table of the X was made with another physics, and says the same of balls from above."""
    shipped = load_routes(15.0).of(X)
    above, below = mean_variations(shipped, table())
    assert above < 0.06
    assert below < 0.2


@nightly(
    "many balls on a studied model",
    meanwhile="tests/simulator/models/test_anatomy.py::test_a_dead_end_is_drafted_to_where_it_ends",
)
def test_no_ball_passes_a_dead_end():
    """In any turn it stays or comes back by the edge it came over."""
    triangles = board_side(printed.tile([printed.dead_end(1), printed.dead_end(4)]))
    solid, low, _ = solid_cells(triangles)
    space = Space.around(triangles, solid, low, (1, 4))
    made = make_table(space, read_anatomy(space, solid, low), name="d", digest="cd", tilt_deg=15.0, balls=30)
    for (_, _, start, edge), row in made.table.rows.items():
        if start is not Start.KNOCKED:
            assert {p.edge for p in row.passages if p.ending is Ending.OUT} <= {edge}
