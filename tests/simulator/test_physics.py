"""Balls on the simulated table keep to the formulas of rolling balls."""

import gc
import math

import pymunk
import pytest
from hextraction.simulator.physics import Physics, effective
from hextraction.simulator.table import Table

FLOOR = (-100.0, 0.0, 100.0, 0.0)


def rebound(physics, speed_mm_s=400.0):
    """Drive a ball straight at a wall on a level table; return the share of its speed that it keeps."""
    table = Table(0.0, physics)
    table.set_walls("floor", [FLOOR], 0.0, 0.0)
    ball = table.add_ball(0.0, -20.0, 0.0, speed_mm_s)
    table.step(100)
    return -ball.body.velocity.y / speed_mm_s


class TestImpacts:
    """What is left of the speed after a hit."""

    @pytest.mark.parametrize(("restitution", "kept"), [(0.6, 1 / 7), (0.7, 1.5 / 7), (0.9, 2.5 / 7)])
    def test_a_wall_gives_back_what_the_formula_says(self, restitution, kept):
        """(5 e - 2) / 7 of the speed, within one hundredth of it."""
        assert rebound(Physics(wall_restitution=restitution)) == pytest.approx(kept, abs=0.01)

    def test_a_dull_wall_gives_nothing_back(self):
        """At e = 0.4 and below the spin eats the whole rebound."""
        assert effective(0.4) == pytest.approx(0.0)
        assert rebound(Physics(wall_restitution=0.3)) == pytest.approx(0.0, abs=0.005)

    def test_a_ball_knocks_another_along_the_line_of_centres(self):
        """Equal masses at e = 0.9: the sum of speeds stays, the difference is 2.5/7 of what it was."""
        table = Table(0.0)
        first, second = table.add_ball(0.0, 0.0, 0.0, 300.0), table.add_ball(0.0, 20.0)
        table.step(100)
        before, after = first.body.velocity.y, second.body.velocity.y
        assert before + after == pytest.approx(300.0, rel=0.001)
        assert after - before == pytest.approx(300.0 * 2.5 / 7, rel=0.02)

    def test_a_ball_that_lies_still_is_woken_by_another(self):
        """It sleeps in a hollow until the second one comes."""
        table = Table(15.0)
        table.set_walls("hollow", [(-30, -20, 0, 0), (0, 0, 30, -20)], 0.0, 0.0)
        lying = table.add_ball(0.0, -10.0)
        table.step(3_000)
        assert lying.sleeping
        table.add_ball(-12.0, -22.0, 200.0, 200.0)
        table.step(100)
        assert not lying.sleeping


class TestRolling:
    """Speed along the way."""

    @pytest.mark.parametrize("tilt_deg", [8, 15, 30])
    @pytest.mark.parametrize("substeps", [1, 3])
    def test_the_speed_after_200_mm_is_the_analytic_one(self, tilt_deg, substeps):
        """sqrt(2 a s) with a = 5/7 g sin(tilt), within one percent, however a millisecond is cut."""
        table = Table(tilt_deg, Physics(resistance=0.0, substeps=substeps))
        ball = table.add_ball(0.0, 0.0)
        while ball.place()[1] < 200.0:
            table.step(1)
        expected = math.sqrt(2 * 5 / 7 * 9_810 * math.sin(math.radians(tilt_deg)) * ball.place()[1])
        assert ball.body.velocity.y == pytest.approx(expected, rel=0.01)

    def test_a_level_table_stops_a_ball_after_the_analytic_way(self):
        """v^2 / (2 a) with a = 5/7 g 0.005: from 100 mm/s down to the least speed of 12, within 3 percent."""
        table = Table(0.0)
        ball = table.add_ball(0.0, 0.0, 100.0, 0.0)
        while ball.resist(table.resistance(16), 12.0):
            table.step(16)
        speed = ball.body.velocity.x
        way_mm = (100.0**2 - speed**2) / (2 * 5 / 7 * 9_810 * 0.005)
        assert ball.place()[0] == pytest.approx(way_mm, rel=0.03)

    def test_friction_at_a_wall_costs_speed(self):
        """A ball that slides along a wall arrives later than one without friction."""

        def arrived_mm(friction):
            table = Table(15.0, Physics(wall_friction=friction))
            table.set_walls("slope", [(0.0, 0.0, 200.0, 120.0)], 0.0, 0.0)
            ball = table.add_ball(5.0, -4.0)
            table.step(300)
            return ball.place()[0]

        assert arrived_mm(0.3) < arrived_mm(0.0) - 2.0


class TestNumbers:
    """What a world may be made of."""

    @pytest.mark.parametrize(
        "wrong",
        [{"ball_restitution": 0.4}, {"wall_restitution": 1.1}, {"resistance": -0.1}, {"substeps": 0}],
    )
    def test_impossible_numbers_are_refused(self, wrong):
        """The message names the number and its range."""
        with pytest.raises(ValueError, match=f"{next(iter(wrong))}: want .* found"):
            Physics(**wrong)


def test_walls_that_were_replaced_are_gone():
    """A demo lays tiles for days: what lay before takes no memory."""
    table = Table(0.0)
    for _tile in range(50):
        table.set_walls("B2", [FLOOR], 0.0, 0.0)
    gc.collect()
    walls = [each for each in gc.get_objects() if isinstance(each, pymunk.Segment) and each.space is not None]
    left = [each for each in gc.get_objects() if isinstance(each, pymunk.Segment) and each.body is not None]

    assert len(left) == len(walls)
