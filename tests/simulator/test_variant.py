"""The other worlds differ from ours in what nobody has measured, and are as repeatable."""

import random
from dataclasses import replace

import pytest
from helpers.simtable import BOARD, lay, mixed
from hextraction.board.escapement import Conditions, try_gate
from hextraction.simulator import VARIANTS, Noise, SimulatedBoard, World, record


def rolled(variant, *, seed=3, noise=None):
    """Return the record of two balls on a mixed board in some world."""
    sim = SimulatedBoard(BOARD, seed=seed, variant=variant, noise=noise)
    lay(sim.world, mixed(random.Random(seed)))
    try:
        return record(sim, ["L2", "R2"], gap_us=300_000)
    finally:
        sim.close()


class TestWorlds:
    """Physics by name."""

    @pytest.mark.slow
    @pytest.mark.parametrize("name", sorted(VARIANTS))
    def test_each_is_the_same_again(self, name):
        """Edges and facts, to the last bit, noise and all."""
        noise = Noise(miss=0.1, ghosts_per_s=2.0, jitter_us=500)
        one, other = rolled(name, noise=noise), rolled(name, noise=noise)
        assert one.edges == other.edges
        assert one.facts == other.facts

    def test_they_give_different_rolls(self):
        """The same board and seed, as many stories as worlds."""
        stories = {rolled(name).edges for name in VARIANTS}
        assert len(stories) == len(VARIANTS) == 4

    def test_the_standard_world_is_the_one_without_a_name(self):
        """Nobody needs to know that there are others."""
        assert World(BOARD).variant == VARIANTS["standard"]

    def test_an_unknown_world_is_refused(self):
        """The message lists those that there are."""
        with pytest.raises(KeyError, match="rough"):
            World(BOARD, variant="bouncy")

    def test_a_ball_hall_sees_as_far_as_its_world_says(self):
        """A ball 7.5 mm from the middle is seen by 8 mm of range, not by 6.5."""
        seen = {}
        for name in VARIANTS:
            made = World(BOARD, variant=name)
            cell = made.cells["B1"]
            seen[name] = cell.middle_mm(cell.x_mm + 7.5, cell.y_mm) < cell.hall_mm
        assert seen == {"standard": True, "escapement": True, "rough": False, "lively": True}

    def test_in_the_world_of_the_escapement_a_ball_is_as_quick_as_the_gates_mechanics_make_it(self):
        """From rest at the lower fork; a fork half a millimetre off or a degree of tilt is within its spread."""
        made = VARIANTS["escapement"]

        def speed(tilt_deg, slow_mm=0.0):
            return try_gate(150, Conditions(tilt_deg=tilt_deg, slow_mm=slow_mm)).speed_mm_s

        assert made.release_mm_s == pytest.approx(speed(15), rel=0.02)
        for other in (speed(14), speed(16), speed(15, 0.5)):
            assert abs(other - speed(15)) < 1.5 * made.release_spread_mm_s
        assert (
            replace(made, name="standard", release_mm_s=280.0, release_spread_mm_s=25.0)
            == VARIANTS["standard"]
        )

    def test_the_manner_of_noise_is_laid_over_its_rates(self):
        """Spells, bursts and lag come with the world; the rates stay as asked for."""
        noise = VARIANTS["rough"].noise(Noise(miss=0.03, ghosts_per_s=1.0))
        assert (noise.miss, noise.ghosts_per_s) == (0.03, 1.0)
        assert (noise.miss_again, noise.burst, noise.lag_us) == (0.4, 4, 3_000)
        assert VARIANTS["standard"].noise(Noise(miss=0.03)) == Noise(miss=0.03)
