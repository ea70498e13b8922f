"""The simulated board is a backend like any other."""

import random

import pytest
from helpers.simtable import BOARD, X, kind, lay, mixed
from hextraction.hal.ports import Clock, Inputs, Pixels, Power, PulseResult, Solenoids
from hextraction.simulator.backend import SimulatedBoard
from hextraction.simulator.noise import Noise
from hextraction.simulator.recording import record
from hextraction.simulator.world import World
from hypothesis import given, settings
from hypothesis import strategies as st

STRAIGHT = kind("straight", ((1, 4),))
COLUMN = dict.fromkeys(("B1", "B2", "B3", "B4", "B5"), STRAIGHT)


@pytest.fixture
def sim():
    """A board with a straight column below ramp L2."""
    made = SimulatedBoard(BOARD, seed=4)
    lay(made.world, COLUMN)
    made.advance(0)
    yield made
    made.close()


def listening(sim):
    """Return a list that fills with the edges from now on."""
    seen = []
    sim.inputs.listen(seen.append)
    return seen


class TestPorts:
    """What every backend must do."""

    def test_it_has_every_port(self, sim):
        """The controller cannot tell it from a real board by its ports."""
        assert isinstance(sim.clock, Clock)
        assert isinstance(sim.inputs, Inputs)
        assert isinstance(sim.pixels, Pixels)
        assert isinstance(sim.solenoids, Solenoids)
        assert isinstance(sim.power, Power)

    def test_the_clock_is_simulated_time(self, sim):
        """It stands where the board was advanced to."""
        sim.advance(1_234_567)
        assert sim.clock.now_us() == 1_234_567

    def test_a_listener_hears_no_edge_before_its_time(self, sim):
        """Whenever an edge is delivered the clock has reached it, and it is at most 60 ms old."""
        ages = []
        sim.inputs.listen(lambda edge: ages.append(sim.clock.now_us() - edge.at_us))
        sim.world.release("L2")
        sim.advance(5_000_000)
        assert len(ages) > 20
        assert min(ages) >= 0
        assert max(ages) < 60_000

    def test_levels_follow_the_edges(self, sim):
        """What the listener heard and what levels() says agree at any time."""
        heard = dict(sim.inputs.levels())
        sim.inputs.listen(lambda edge: heard.update({edge.sensor: edge.active}))
        sim.world.release("L2")
        for frame in range(1, 200):
            sim.advance(frame * 10_000)
            assert heard == sim.inputs.levels()

    def test_there_is_one_listener(self, sim):
        """A second one replaces the first, and after close nobody is told."""
        first, second = listening(sim), listening(sim)
        sim.world.lift("B1")
        sim.advance(1_000)
        sim.inputs.close()
        sim.world.lift("B2")
        sim.advance(2_000)
        assert first == []
        assert [edge.sensor for edge in second] == ["tile.B1"]

    def test_lamps_show_a_frame_of_the_right_length(self, sim):
        """22 slots of three, six ramps, two zones of four: 80 lamps."""
        assert sim.pixels.count == 80
        sim.pixels.show([(1, 2, 3)] * 80)
        assert sim.pixels.frame == ((1, 2, 3),) * 80
        with pytest.raises(ValueError, match="want 80 colours"):
            sim.pixels.show([(1, 2, 3)] * 79)

    def test_closing_twice_is_harmless(self, sim):
        """Everything is off then."""
        sim.pixels.show([(9, 9, 9)] * 80)
        sim.close()
        sim.close()
        assert sim.pixels.frame == ((0, 0, 0),) * 80


class TestCoils:
    """Gates and kickers, behind the guard."""

    def test_a_gate_lets_one_ball_go(self, sim):
        """One usual pulse, one ball, on that ramp, once it has rolled out."""
        assert sim.solenoids.pulse("gate.L2") is PulseResult.DONE
        sim.advance(70_000)
        assert dict(sim.world.contents.ramps) == {}
        sim.advance(90_000)
        assert dict(sim.world.contents.ramps) == {"L2": (1,)}
        sim.advance(3_000_000)
        assert dict(sim.world.contents.zones) == {"L": (1,)}

    def test_a_gate_that_opens_for_30_ms_lets_none_go(self, sim):
        """A ball needs longer to roll from behind the fork; ten such pulses release nothing."""
        for time in range(10):
            assert sim.solenoids.pulse("gate.L2", 30) is PulseResult.DONE
            sim.advance((time + 1) * 1_000_000)
        assert not sim.world.moving
        assert sim.world.contents.ramps == {}

    def test_a_pulse_that_ends_early_still_lets_go_what_is_nearly_past(self, sim):
        """The fork needs a moment to come up: a pulse may end before the ball has passed, but not long before."""
        assert sim.solenoids.pulse("gate.L2", 65) is PulseResult.DONE
        sim.advance(90_000)
        assert dict(sim.world.contents.ramps) == {"L2": (1,)}

    def test_a_gate_with_a_ball_jammed_below_it_lets_none_go(self, sim):
        """The coil moves and nothing comes."""
        sim.world.lay("B1", kind("closed", ((3, 5),)))
        for time in range(3):
            sim.solenoids.pulse("gate.L2")
            sim.advance((time + 1) * 3_000_000)
        assert len(sim.world.contents.ramps["L2"]) == 2

    def test_a_kicker_knocks_the_balls_on_its_slot(self):
        """It sets a resting ball moving."""
        sim = SimulatedBoard(BOARD, kickers=("B1",))
        lay(sim.world, {"B1": X, "B2": kind("closed", ((2, 5),))})
        sim.world.release("L2")
        sim.advance(3_000_000)
        assert not sim.world.moving
        assert sim.solenoids.pulse("kicker.B1", 40) is PulseResult.DONE
        assert sim.world.moving
        sim.close()

    def test_coils_are_guarded(self, sim):
        """The guard clamps, refuses a second coil at once, and ends the pulse in simulated time."""
        assert sim.solenoids.pulse("gate.L2", 5_000) is PulseResult.CLAMPED
        assert sim.solenoids.pulse("gate.R2", 30) is PulseResult.REFUSED_BUSY
        sim.advance(1_000_000)
        assert sim.solenoids.pulse("gate.R2", 30) is PulseResult.DONE
        assert sim.solenoids.pulse("gate.Q7", 30) is PulseResult.REFUSED_UNKNOWN

    def test_there_is_a_gate_for_each_ramp_and_two_kickers(self, sim):
        """As on the standard board."""
        kinds = [name.partition(".")[0] for name in sim.solenoids.names]
        assert kinds == ["gate"] * 6 + ["kicker"] * 2


class TestPower:
    """The board's switch."""

    def test_without_power_the_board_is_silent_dark_and_still(self, sim):
        """No edges, no levels, no lamps, no coils; balls roll on."""
        sim.pixels.show([(9, 9, 9)] * 80)
        seen = listening(sim)
        sim.power.flip(False)
        assert sim.solenoids.pulse("gate.L2", 30) is PulseResult.REFUSED_OFF
        sim.world.release("L2")
        sim.advance(3_000_000)
        sim.pixels.show([(9, 9, 9)] * 80)
        assert seen == []
        assert sim.inputs.levels() == {}
        assert sim.pixels.frame == ((0, 0, 0),) * 80
        assert dict(sim.world.contents.zones) == {"L": (1,)}

    def test_when_power_returns_sensors_say_what_has_changed(self, sim):
        """The ball that lies in the zone now, and the tile that is gone, at the time of the switch."""
        seen = listening(sim)
        sim.power.flip(False)
        sim.world.release("L2")
        sim.advance(3_000_000)
        sim.world.lift("B4")
        sim.advance(3_500_000)
        sim.power.flip(True)
        assert {(edge.sensor, edge.active, edge.at_us) for edge in seen} == {
            ("rest.L", True, 3_500_000),
            ("tile.B4", False, 3_500_000),
        }

    def test_the_listener_hears_each_flip_once(self, sim):
        """With the simulated time; flipping to where it is says nothing."""
        flips = []
        sim.power.listen(lambda on, at_us: flips.append((on, at_us)))
        sim.advance(10_000)
        for on in (False, False, True):
            sim.power.flip(on)
        assert flips == [(False, 10_000), (True, 10_000)]


class TestCircuit:
    """What the coils draw, where it is measured."""

    @pytest.fixture
    def measured(self):
        """A board with a meter in its coils' supply."""
        made = SimulatedBoard(BOARD, which="basic", measured=True)
        yield made
        made.close()

    def test_a_coil_draws_an_ampere_while_it_is_on(self, measured):
        """And nothing before or after; the supply is there."""
        supply = measured.power.supply
        assert (supply.state.good, supply.state.current_ma) == (True, 0)
        measured.solenoids.pulse("gate.L2", 40)
        measured.advance(35_000)
        assert supply.state.current_ma == 1_000
        measured.advance(300_000)
        assert supply.state.current_ma == 0
        assert measured.lost.all == ()

    def test_an_unplugged_coil_is_found_out(self, measured):
        """By its first pulse."""
        measured.circuit.unplugged.add("gate.L2")
        measured.solenoids.pulse("gate.L2", 40)
        measured.advance(300_000)
        assert [lost.device for lost in measured.lost.now] == ["gate.L2"]

    def test_a_stuck_transistor_ends_all_coils(self, measured):
        """Within a quarter of a second."""
        measured.circuit.leak_ma = 900
        measured.advance(250_000)
        assert "stuck" in measured.power.supply.state.fault
        assert measured.solenoids.pulse("gate.L2", 40) is PulseResult.REFUSED_OFF

    def test_after_an_emergency_stop_a_person_is_needed(self, measured):
        """As on every other backend."""
        measured.circuit.pressed = True
        measured.advance(200_000)
        measured.circuit.pressed = False
        measured.advance(2_000_000)
        assert measured.solenoids.pulse("gate.L2", 40) is PulseResult.REFUSED_OFF
        assert measured.power.supply.confirm()
        assert measured.solenoids.pulse("gate.L2", 40) is PulseResult.DONE

    def test_without_a_meter_nothing_is_known(self, sim):
        """And nothing is asked: coils work."""
        sim.advance(300_000)
        assert sim.power.supply.state.good is None
        assert sim.solenoids.pulse("gate.L2", 40) is PulseResult.DONE


class TestStuck:
    """A sensor that breaks during a game."""

    def test_a_sensor_can_break_and_be_repaired(self, sim):
        """It says one thing whatever it sees, and the truth again afterwards."""
        seen = listening(sim)
        sim.inputs.stick("zone.L", True)
        sim.world.release("L2")
        sim.advance(3_000_000)
        assert [edge.active for edge in seen if edge.sensor == "zone.L"] == [True]
        sim.inputs.stick("zone.L", None)
        assert [edge.active for edge in seen if edge.sensor == "zone.L"] == [True, False]

    def test_a_sensor_that_is_not_there_cannot_break(self, sim):
        """The name is wrong."""
        with pytest.raises(KeyError):
            sim.inputs.stick("zone.Q", True)


NOISE = Noise(miss=0.05, bounce=0.1, ghosts_per_s=1.0, jitter_us=800)


class TestSameAgain:
    """The same seed and the same acts give the same edges."""

    @settings(max_examples=12, deadline=None)
    @given(
        seed=st.integers(0, 500),
        cuts=st.lists(st.integers(1, 300_000), max_size=20),
        noise=st.sampled_from([None, NOISE]),
    )
    @pytest.mark.slow
    def test_the_cutting_up_of_time_makes_no_difference(self, seed, cuts, noise):
        """Not even to a listener that answers edges with a coil, noise or not."""

        def play(steps):
            sim = SimulatedBoard(BOARD, seed=seed, noise=noise, kickers=("B1", "D1"))
            lay(sim.world, mixed(random.Random(seed), empty=1))
            seen = []

            def hear(edge):
                seen.append((edge, sim.clock.now_us()))
                if edge.sensor in {"ball.B1", "ball.D1"} and edge.active:
                    sim.solenoids.pulse(f"kicker.{edge.sensor[5:]}", 30)

            sim.inputs.listen(hear)
            for step in steps:
                sim.advance(sim.clock.now_us() + step) if sim.clock.now_us() + step < 100_000 else None
            sim.advance(100_000)
            for ramp in ("L2", "R2"):
                sim.world.release(ramp)
            for step in steps:
                sim.advance(sim.clock.now_us() + step)
            sim.advance(8_000_000)
            positions = sim.world.positions()
            sim.close()
            return seen, positions

        assert play(cuts) == play([])

    def test_a_world_can_be_shared(self):
        """Two backends of one world is nobody's wish, but a world made before can be handed in."""
        world = World(BOARD, seed=9)
        sim = SimulatedBoard(BOARD, world=world)
        assert sim.world is world
        sim.close()


class TestTrace:
    """Recording a roll."""

    def test_a_record_has_the_edges_and_the_truth_of_one_roll(self, sim):
        """What the sensors said, what happened, and who was resting before."""
        first = record(sim, ["L2"])
        second = record(sim, ["L2", "L2"], gap_us=400_000)
        assert type(first.facts[0]).__name__ == "BallReleased"
        assert sum(type(fact).__name__ == "BallInZone" for fact in second.facts) == 2
        assert second.settled.facts == second.facts
        assert second.edges[0].at_us > first.edges[-1].at_us
        assert dict(second.resting) == {}
