"""Balls rolled over one tile alone go where a person would expect, and the same again for the same seed."""

import collections
import statistics

import pytest
from helpers.simtable import ASTERISK, FLIP_FLOP, PACHINKO, TRAP, VOID, J, X, kind
from hextraction.board.grid import turned
from hextraction.board.routes import Ending, Start, geometry_digest
from hextraction.simulator.channels import mouths, shape_of
from hextraction.simulator.routing import make_table, settings_digest, walls_digest
from hextraction.simulator.transits import roll_over

X_OPEN = kind("x", ((1, 2, 4, 5),))
STRAIGHT = kind("straight", ((1, 4),))


def rolled(tile, edge, start=Start.ROLLED_IN, *, turns=0, resting=0, state=0, seed="s", balls=24):
    """Roll balls over a tile."""
    shape = shape_of(tile, turns, 50.0, state)
    holes = tile.holes_at(turns)
    return roll_over(shape, start, edge, balls=balls, resting=resting, holes=holes, seed=seed)


def ends(transits):
    """Return the set of endings and edges."""
    return {(transit.ending, transit.edge) for transit in transits}


class TestWays:
    """Where they go."""

    def test_a_straight_channel_is_left_at_its_other_end(self):
        """Every ball, past the middle, in the time that 55 mm take between 80 and 750 mm/s."""
        transits = rolled(STRAIGHT, 1)
        assert ends(transits) == {(Ending.OUT, 4)}
        assert all(transit.near for transit in transits)
        assert 65 <= statistics.median(transit.took_ms for transit in transits) <= 180

    def test_a_wall_turns_balls_back(self):
        """A J has nothing at its edge 2."""
        assert ends(rolled(J, 2)) == {(Ending.SHUT, 0)}

    def test_a_slow_ball_comes_back_from_uphill(self):
        """Over the bottom edge of a straight channel none gets to the top of it but the fast ones."""
        transits = rolled(STRAIGHT, 4, balls=60)
        assert {(Ending.OUT, 4)} < ends(transits) | {(Ending.OUT, 4), (Ending.OUT, 1), (Ending.SHUT, 0)}
        assert sum(transit.edge == 1 for transit in transits) < 12

    def test_a_turned_tile_leads_elsewhere(self):
        """A J turned by one sixth leads from edge 2 to edge 4."""
        assert ends(rolled(J, 2, turns=1)) == {(Ending.OUT, 4)}

    def test_a_hole_swallows_balls(self):
        """Those that come down the middle all fall."""
        assert ends(rolled(VOID, 1)) == {(Ending.FELL, 0)}

    @pytest.mark.parametrize(("turns", "edge"), [(0, 2), (2, 4), (3, 6), (5, 1)])
    def test_a_hole_beside_the_middle_turns_with_the_tile(self, turns, edge):
        """A ball that comes over what was edge 2 falls on its way to 3, however the tile lies."""
        holed = kind("holed", ((1, 4), (2, 3)), holes=((13.0, 0.0, 6.25),))
        assert (Ending.FELL, 0) in ends(rolled(holed, edge, turns=turns))
        assert (Ending.OUT, turned(3, turns)) not in ends(rolled(holed, edge, turns=turns))

    @pytest.mark.parametrize("turns", range(6))
    def test_a_dead_end_lets_no_ball_through(self, turns):
        """Of two dead ends opposite each other, whichever way they lie: what goes in stays or comes back."""
        ended = kind("dead-ends", ((1,), (4,)))
        for edge in (1, 4):
            laid = turned(edge, turns)
            found = ends(rolled(ended, laid, turns=turns))
            assert found <= {(Ending.OUT, laid), (Ending.RESTS, 0), (Ending.SHUT, 0)}

    def test_a_closed_mouth_below_keeps_a_ball(self):
        """It lies where it was turned back."""
        assert ends(rolled(STRAIGHT, 4, Start.TURNED)) == {(Ending.RESTS, 0)}

    def test_a_flapper_decides(self):
        """The first way to 3, the other to 5."""
        assert ends(rolled(FLIP_FLOP, 1, state=0)) == {(Ending.OUT, 3)}
        assert ends(rolled(FLIP_FLOP, 1, state=1)) == {(Ending.OUT, 5)}

    def test_a_taken_pocket_lets_balls_pass(self):
        """Most stay in an empty trap, most get past a full one."""
        empty, full = (
            sum(transit.ending is Ending.RESTS for transit in rolled(TRAP, 1, resting=resting))
            for resting in (0, 1)
        )
        assert empty >= 18
        assert full <= 8

    def test_a_knock_sends_a_resting_ball_away(self):
        """Out of the middle of a crossing it leaves downhill."""
        assert {edge for _ending, edge in ends(rolled(X, 0, Start.KNOCKED))} <= {4, 5}


class TestRoundBottoms:
    """What holds a ball on its line where channels meet."""

    @pytest.mark.slow
    @pytest.mark.parametrize("tilt_deg", [10.0, 15.0, 20.0])
    def test_a_ball_from_below_stays_on_its_line(self, tilt_deg):
        """Up an X from edge 5 it comes back or goes on to 2; on a flat floor most change over to 4."""
        shares = {}
        for bottom in (True, False):
            found = roll_over(
                shape_of(X_OPEN, 0, 50.0), Start.ROLLED_IN, 5, balls=240, seed="s", tilt_deg=tilt_deg,
                round_bottom=bottom,
            )  # fmt: skip
            ways = collections.Counter((one.ending, one.edge) for one in found)
            shares[bottom] = ways[Ending.OUT, 5] / 240, ways[Ending.OUT, 4] / 240
        assert shares[True][0] > 0.45
        assert shares[True][1] < (0.2 if tilt_deg < 20 else 0.3)
        assert shares[False][1] > 0.35
        assert shares[False][0] < 0.4

    def test_where_lines_go_decides_where_balls_go(self):
        """Two curves that cross lead from 1 to 5 and from 6 to 4, though all four edges are joined."""
        crossed = kind("crossed", ((1, 4, 5, 6),), lines=((1, 5), (4, 6)))
        leaving = {edge: collections.Counter(one.edge for one in rolled(crossed, edge)) for edge in (1, 6)}
        assert leaving[1].most_common(1)[0][0] == 5
        assert leaving[6].most_common(1)[0][0] == 4


class TestSameAgain:
    """Chance comes from the seed."""

    def test_the_same_seed_gives_the_same_balls(self):
        """To the millisecond; another seed gives others."""
        one = rolled(PACHINKO, 6)
        assert one == rolled(PACHINKO, 6)
        assert one != rolled(PACHINKO, 6, seed="t")

    @pytest.mark.slow
    def test_a_table_is_the_same_again(self):
        """With all its rows."""
        assert make_table(J, balls=4) == make_table(J, balls=4)


class TestTables:
    """What a table holds."""

    @pytest.mark.slow
    def test_there_is_a_row_for_every_mouth_and_turn(self):
        """Of a J: two mouths, in two ways, and one for a knock, in six turns."""
        made = make_table(J, balls=4)
        assert len(made.rows) == 6 * (2 * 2 + 1)
        assert made.digest == geometry_digest(J)
        assert {edge for *_rest, edge in made.rows} == {0, 1, 3}
        assert all(row.balls == 4 for row in made.rows.values())

    @pytest.mark.slow
    def test_ways_of_lying_that_look_alike_are_rolled_once(self):
        """A tile with all six edges joined lies the same way in all turns: only the names of edges differ."""
        made = make_table(ASTERISK, balls=4)
        assert made.laid(2, 1) == made.laid(0, 1)
        assert made.row(2, 5) == made.row(0, 1).turned(-2)

    @pytest.mark.parametrize(("turns", "edges"), [(0, (1, 3)), (1, (2, 4)), (4, (1, 5))])
    def test_mouths_turn_with_the_tile(self, turns, edges):
        """As they lie."""
        assert mouths(shape_of(J, turns, 50.0)) == edges

    def test_digests_tell_walls_apart_and_stay_the_same(self):
        """A trap has other walls than a J of the same channels."""
        assert walls_digest(J) == walls_digest(kind("k", ((3, 1),)))
        assert walls_digest(J) != walls_digest(TRAP)
        assert settings_digest() == settings_digest()
