"""Balls rolled over one tile alone go where a person would expect, and the same again for the same seed."""

import statistics

import pytest
from helpers.simtable import ASTERISK, FLIP_FLOP, PACHINKO, TRAP, VOID, J, X, kind
from hextraction.board.routes import Ending, Start, geometry_digest
from hextraction.simulator.channels import mouths, shape_of
from hextraction.simulator.routing import make_table, settings_digest, walls_digest
from hextraction.simulator.transits import roll_over

STRAIGHT = kind("straight", ((1, 4),))


def rolled(tile, edge, start=Start.ROLLED_IN, *, turns=0, resting=0, state=0, seed="s", balls=24):
    """Roll balls over a tile."""
    shape = shape_of(tile, turns, 50.0, state)
    return roll_over(shape, start, edge, balls=balls, resting=resting, hole=tile.hole, seed=seed)


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


class TestSameAgain:
    """Chance comes from the seed."""

    def test_the_same_seed_gives_the_same_balls(self):
        """To the millisecond; another seed gives others."""
        one = rolled(PACHINKO, 6)
        assert one == rolled(PACHINKO, 6)
        assert one != rolled(PACHINKO, 6, seed="t")

    def test_a_table_is_the_same_again(self):
        """With all its rows."""
        assert make_table(J, balls=4) == make_table(J, balls=4)


class TestTables:
    """What a table holds."""

    def test_there_is_a_row_for_every_mouth_and_turn(self):
        """Of a J: two mouths, in two ways, and one for a knock, in six turns."""
        made = make_table(J, balls=4)
        assert len(made.rows) == 6 * (2 * 2 + 1)
        assert made.digest == geometry_digest(J)
        assert {edge for *_rest, edge in made.rows} == {0, 1, 3}
        assert all(row.balls == 4 for row in made.rows.values())

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
