"""A tile with a moving part: its state changes as a ball passes, and is the same again."""

import random

import pytest
from helpers.simtable import ASTERISK, BOARD, FLIP_FLOP, lay, settle, way, world


def flipping(seed=0):
    """A flip-flop below a ramp, crossings below it."""
    tiles = dict.fromkeys(BOARD.slot_names, ASTERISK)
    return world({**tiles, "B1": FLIP_FLOP}, seed=seed)


class TestState:
    """What the flapper does."""

    def test_each_ball_that_leaves_flips_it(self):
        """Four balls, one after the other, leave by turns to the right and to the left."""
        made = flipping()
        seconds = []
        for _ball in range(4):
            made.release("L2")
            seconds.append(way(settle(made))[1])
        assert seconds[0] == seconds[2] != seconds[1] == seconds[3]

    def test_a_tile_laid_anew_points_to_its_first_exit(self):
        """Lifting it forgets how many balls have passed."""
        made = flipping()
        made.release("L2")
        first = way(settle(made))[1]
        lay(made, {"B1": FLIP_FLOP})
        made.release("L2")
        assert way(settle(made))[1] == first

    def test_balls_in_a_row_are_the_same_again(self):
        """Close behind each other, so that the flapper moves beside a ball: same facts, to the last bit."""

        def play():
            made = flipping(seed=7)
            for _ball in range(3):
                made.release("L2")
                made.advance(made.now_us + 130_000)
            return settle(made), made.positions()

        assert play() == play()

    @pytest.mark.slow
    def test_a_flapper_that_closes_on_a_ball_does_not_shoot_it_away(self):
        """Twenty rolls of three close balls: nobody is ever faster than a ball from the top of the board."""
        for seed in range(20):
            made = flipping(seed=seed)
            rng = random.Random(seed)
            before = {}
            for _ball in range(3):
                made.release("L2")
                for _frame in range(rng.randint(10, 16)):
                    before = fastest(made, before)
            for _frame in range(60):
                before = fastest(made, before)


def fastest(made, before):
    """Let 10 ms pass and see that no ball went more than 16 mm; return where they are."""
    made.advance(made.now_us + 10_000)
    now = {ball: (x, y) for ball, x, y in made.positions()}
    for ball, (x_mm, y_mm) in now.items():
        if ball in before and not resting_in_zone(made, ball):
            px, py = before[ball]
            assert (x_mm - px) ** 2 + (y_mm - py) ** 2 < 16.0**2
    return now


def resting_in_zone(made, ball):
    """Whether a ball has been put into an end zone's cup."""
    return any(ball in balls for balls in made.contents.zones.values())
