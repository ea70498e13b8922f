"""The walls of tiles: where a ball can be and where it cannot."""

import math

import pytest
from hextraction.board.grid import edge_middle_mm
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.simulator.channels import Wall, ramp_walls, shape_of, tile_walls


def walls_of(turns=0, **what):
    """Return the walls of a tile on a board of 50 mm pitch."""
    return tile_walls(shape_of(Tile(name="t", title="T", **what), turns, 50.0))


def clearance_mm(walls: tuple[Wall, ...], x_mm: float, y_mm: float) -> float:
    """Return how far a point is from the nearest wall."""
    return min(_distance(wall, x_mm, y_mm) for wall in walls)


def _distance(wall: Wall, x_mm: float, y_mm: float) -> float:
    ax, ay, bx, by = wall
    length = math.dist((ax, ay), (bx, by)) or 1e-9
    share = ((x_mm - ax) * (bx - ax) + (y_mm - ay) * (by - ay)) / length**2
    share = min(1.0, max(0.0, share))
    return math.dist((x_mm, y_mm), (ax + share * (bx - ax), ay + share * (by - ay)))


def open_edges(walls):
    """Return the edges whose middle a ball of 10 mm can cross."""
    return tuple(edge for edge in range(1, 7) if clearance_mm(walls, *edge_middle_mm(edge, 50.0)) > 5.0)


class TestMouths:
    """Where a tile is open."""

    @pytest.mark.parametrize(
        ("channels", "turns", "edges"),
        [
            (((1, 3),), 0, (1, 3)),
            (((1, 3),), 1, (2, 4)),
            (((1, 4), (2, 3), (5, 6)), 0, (1, 2, 3, 4, 5, 6)),
            (((1, 2, 4, 6),), 3, (1, 3, 4, 5)),
            (((2,),), 0, (2,)),
            ((), 0, ()),
            (None, 0, (1, 2, 3, 4, 5, 6)),
        ],
    )
    def test_a_tile_is_open_where_its_channels_end(self, channels, turns, edges):
        """A channel's mouths are 11 mm wide and turn with the tile; all other edges are closed."""
        assert open_edges(walls_of(turns, channels=channels)) == edges

    def test_a_dish_that_holds_balls_is_closed_at_its_lowest_edge(self):
        """An unknown tile that keeps balls has a bowl to keep them in."""
        assert open_edges(walls_of(channels=None, holds=3)) == (1, 2, 3, 5, 6)


class TestWays:
    """What lies between the mouths."""

    @pytest.mark.parametrize(("first", "second"), [(1, 4), (1, 3), (2, 3), (6, 4), (5, 6), (6, 1)])
    def test_a_curve_leaves_both_edges_at_right_angles(self, first, second):
        """2 mm inside each mouth the middle of the channel still lies on the line through the slot's middle."""
        walls = walls_of(channels=((first, second),))
        for edge in (first, second):
            x_mm, y_mm = edge_middle_mm(edge, 46.0)
            assert 5.0 < clearance_mm(walls, x_mm, y_mm) < 5.6

    def test_a_sharp_corner_passes_14_mm_from_the_middle(self):
        """The side channels of a DIC run around the tile's corners."""
        walls = walls_of(channels=((2, 3),))
        assert clearance_mm(walls, 14.43, 0.0) == pytest.approx(5.5, abs=0.1)
        assert clearance_mm(walls, 14.43 - 5.5, 0.0) < 0.1

    def test_three_channels_meet_in_the_middle(self):
        """A ball can stand in the middle of a tile that joins three edges."""
        assert clearance_mm(walls_of(channels=((1, 3, 5),)), 0.0, 0.0) > 5.0

    def test_a_ball_passes_everywhere_between_pegs(self):
        """No two pegs, and no peg and the dish, are nearer than a ball is wide."""
        walls = walls_of(channels=((1, 2, 3, 4, 5, 6),), scatters=True)
        for degrees in range(45, 405, 90):
            angle = math.radians(degrees)
            assert clearance_mm(walls, 6.5 * math.cos(angle), 6.5 * math.sin(angle)) > 5.0
        assert clearance_mm(walls, 15.5, 0.0) > 5.0

    @pytest.mark.parametrize(("passed", "closed"), [(0, 5), (1, 3), (2, 5)])
    def test_a_flapper_closes_the_other_exit(self, passed, closed):
        """Between the middle and the closed exit there is a wall, and none before the open one."""
        tile = Tile(name="ff", title="FF", channels=((1, 3, 5),), alternates=(3, 5))
        walls = tile_walls(shape_of(tile, 0, 50.0, passed))
        ways = {edge: [edge_middle_mm(edge, 2.0 * far) for far in range(25)] for edge in (3, 5)}
        narrow = {edge: min(clearance_mm(walls, *place) for place in ways[edge]) for edge in (3, 5)}
        assert narrow[closed] < 1.0
        assert narrow[8 - closed] > 4.5


class TestRamps:
    """The guide onto an inlet."""

    def test_a_ramp_is_a_channel_that_ends_above_its_gate(self):
        """A ball can stand at the edge and 15 mm above it, and goes no further up than 20.5 mm."""
        walls = ramp_walls(1, 50.0)
        assert clearance_mm(walls, 0.0, -25.0) > 5.0
        assert clearance_mm(walls, 0.0, -40.0) > 5.0
        assert clearance_mm(walls, 0.0, -45.5) == pytest.approx(0.0)
