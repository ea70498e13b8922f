"""The outlook before a roll: an exact chain over the route tables, checked by hand and by letting balls go."""

import pytest
from hextraction.board.outlook import outlook
from hextraction.board.profile import load_board
from hextraction.board.routes import (
    Ending,
    Passage,
    RouteRow,
    RouteTable,
    RouteTables,
    Start,
    geometry_digest,
    load_routes,
)
from hextraction.board.tiles import TileShape

BOARD = load_board("standard-22")
LINE = TileShape(name="line", title="Line", channels=((1, 4),))
FORK = TileShape(name="fork", title="Fork", channels=((1, 3, 5),))


def passage(ending, balls, edge=0):
    """Return one way in which so many balls ended their stay."""
    return Passage(ending=ending, edge=edge, balls=balls, near=0, p10_ms=0, median_ms=0, p90_ms=0)


def tables(rows):
    """Return route tables of the two tiles; ``rows`` are by tile, start and edge."""
    made = {}
    for shape in (LINE, FORK):
        own = {
            (0, 0, start, edge): RouteRow(passages=p) for (of, start, edge), p in rows.items() if of is shape
        }
        digest = geometry_digest(shape)
        made[digest] = RouteTable(tile=shape.name, digest=digest, walls="", states=1, rows=own)
    return RouteTables(settings="by hand", tables=made)


def of(ramp, found):
    """Return the outlook of one ramp."""
    return next(one for one in found if one.ramp == ramp)


def ramp_with(edge):
    """Return a ramp of the standard board that feeds its slot over this edge."""
    return next(ramp for ramp in BOARD.ramps if ramp.edge == edge)


def test_a_ball_over_an_open_slot_falls_through_it():
    """Without a tile there is a hole, whatever the tables say."""
    found = outlook(BOARD, {}, tables({}))
    assert {one.ramp: dict(one.ends) for one in found} == {
        ramp.name: {f"hole.{ramp.slot}": 1.0} for ramp in BOARD.ramps
    }


def test_shares_multiply_along_the_way_and_add_up_to_one():
    """Of a hundred balls ten rest on the first tile; of the others half fall through the next slot, half go aside."""
    ramp = ramp_with(1)
    below = BOARD.neighbour(ramp.slot, 4)
    rows = {
        (LINE, Start.ROLLED_IN, 1): (passage(Ending.OUT, 90, 4), passage(Ending.RESTS, 10)),
        (FORK, Start.ROLLED_IN, 1): (passage(Ending.OUT, 50, 3), passage(Ending.OUT, 50, 5)),
    }
    found = of(ramp.name, outlook(BOARD, {ramp.slot: (LINE, 0), below: (FORK, 0)}, tables(rows), doubt=0))
    right, left = (BOARD.neighbour(below, edge) for edge in (3, 5))
    assert dict(found.ends) == pytest.approx(
        {f"slot.{ramp.slot}": 0.1, f"hole.{right}": 0.45, f"hole.{left}": 0.45}
    )
    assert sum(found.ends.values()) == pytest.approx(1)
    assert next(iter(found.ends)) != f"slot.{ramp.slot}", "the likeliest first"


def test_a_ball_that_is_turned_away_goes_back_and_starts_slowly():
    """The next tile lets nothing in: the ball begins again at the mouth, and mostly rests."""
    ramp = ramp_with(1)
    below = BOARD.neighbour(ramp.slot, 4)
    rows = {
        (LINE, Start.ROLLED_IN, 1): (passage(Ending.OUT, 100, 4),),
        (LINE, Start.TURNED, 4): (passage(Ending.RESTS, 80), passage(Ending.OUT, 20, 4)),
        (FORK, Start.ROLLED_IN, 1): (passage(Ending.SHUT, 100),),
    }
    found = of(ramp.name, outlook(BOARD, {ramp.slot: (LINE, 0), below: (FORK, 0)}, tables(rows), doubt=0))
    assert found.ends[f"slot.{ramp.slot}"] == pytest.approx(1, abs=1e-3)


def test_a_wall_at_the_inlet_keeps_the_ball_on_its_ramp():
    """An edge without a mouth turns every ball back."""
    ramp = ramp_with(1)
    found = of(ramp.name, outlook(BOARD, {ramp.slot: (LINE, 1)}, load_routes()))
    assert dict(found.ends) == {f"ramp.{ramp.name}": 1.0}
    assert found.zone == 0


def test_an_end_zone_below_a_straight_channel_is_sure():
    """A column of straight tiles from a ramp leads into the zone under it, by the shipped tables."""
    for ramp in BOARD.ramps:
        slot, layout = ramp.slot, {}
        while slot is not None:
            layout[slot] = (LINE, 0)
            slot = BOARD.neighbour(slot, 4)
        last = list(layout)[-1]
        zone = BOARD.beyond(last, 4).zone
        if ramp.edge == 1 and zone is not None:
            found = of(ramp.name, outlook(BOARD, layout, load_routes()))
            assert found.ends[f"zone.{zone}"] == found.zone > 0.8
            return
    pytest.fail("the standard board has such a column")


def test_a_tile_without_a_table_is_a_guess_and_says_so():
    """Every way down alike; the slot is named."""
    ramp = ramp_with(1)
    found = of(ramp.name, outlook(BOARD, {ramp.slot: (FORK, 0)}, RouteTables(settings="", tables={})))
    assert found.guessed == (ramp.slot,)
    assert sorted(found.ends.values()) == [0.5, 0.5]


def test_channels_count_as_some_further_balls():
    """A table that never saw a ball take the other arm does not make it impossible: real balls differ."""
    ramp = ramp_with(1)
    rows = {(FORK, Start.ROLLED_IN, 1): (passage(Ending.OUT, 120, 3),)}
    found = of(ramp.name, outlook(BOARD, {ramp.slot: (FORK, 0)}, tables(rows)))
    shares = sorted(found.ends.values(), reverse=True)
    assert shares[0] == pytest.approx((120 + 6) / 132, abs=0.01)
    assert shares[1] == pytest.approx(6 / 132, abs=0.01)


def test_a_pocket_that_a_ball_lies_in_is_full():
    """Which of its two tables counts depends on the balls at rest."""
    catcher = TileShape(name="catch", title="Catch", channels=((1, 4),), holds=1)
    digest = geometry_digest(catcher)
    keeps = RouteRow(passages=(passage(Ending.RESTS, 100),))
    passes = RouteRow(passages=(passage(Ending.OUT, 100, 4),))
    rows = {(0, 0, Start.ROLLED_IN, 1): keeps, (0, 1, Start.ROLLED_IN, 1): passes}
    own = RouteTable(tile="catch", digest=digest, walls="", states=2, rows=rows)
    ramp = ramp_with(1)
    made = RouteTables(settings="", tables={digest: own})
    layout = {ramp.slot: (catcher, 0)}
    below = BOARD.neighbour(ramp.slot, 4)
    assert dict(of(ramp.name, outlook(BOARD, layout, made, doubt=0)).ends) == {f"slot.{ramp.slot}": 1.0}
    full = of(ramp.name, outlook(BOARD, layout, made, resting=[ramp.slot], doubt=0))
    assert dict(full.ends) == {f"hole.{below}": 1.0}
