"""What the sensors say follows from where the balls are."""

import random
from collections import defaultdict

import pytest
from helpers.simtable import ASTERISK, BOARD, VOID, J, X, kind, lay, mixed
from hextraction.board.facts import BallEntered
from hextraction.board.instruments import instruments
from hextraction.board.profile import load_board
from hextraction.simulator.backend import SimulatedBoard
from hextraction.simulator.recording import record

STRAIGHT = kind("straight", ((1, 4),))
COLUMN = dict.fromkeys(("B1", "B2", "B3", "B4", "B5"), STRAIGHT)


def rolled(tiles, ramps, *, which="rich", seed=0):
    """Lay tiles, roll, and return the record; what the laying said is not in it."""
    sim = SimulatedBoard(BOARD, which=which, seed=seed)
    lay(sim.world, tiles)
    try:
        return record(sim, ramps)
    finally:
        sim.close()


def pulses(edges):
    """Return the lengths in milliseconds of every pulse, by the first word of its sensor's name."""
    began, found = {}, defaultdict(list)
    for edge in edges:
        if edge.active:
            began[edge.sensor] = edge.at_us
        elif edge.sensor in began:
            found[edge.sensor.partition(".")[0]].append((edge.at_us - began.pop(edge.sensor)) / 1_000)
    return found


def crossings(made):
    """Return the lengths of the pulses at edges during which a ball got into a slot."""
    entered = [fact.at_us for fact in made.facts if isinstance(fact, BallEntered)]
    began, found = {}, []
    for edge in made.edges:
        if edge.active:
            began[edge.sensor] = edge.at_us
        elif edge.sensor in began and edge.sensor.startswith("edge."):
            from_us = began.pop(edge.sensor)
            if any(from_us <= at_us <= edge.at_us + 3_000 for at_us in entered):
                found.append((edge.at_us - from_us) / 1_000)
    return found


class TestOrder:
    """Which sensors a ball passes."""

    def test_a_ball_through_a_column_passes_every_sensor_of_it_in_order(self):
        """Ramp, Hall, edge, Hall, edge ... outlet, zone beam, and the zone's Hall stays on."""
        roll = rolled(COLUMN, ["L2"])
        expected = ["ramp.L2"]
        for number in range(1, 6):
            expected += [f"ball.B{number}", f"edge.B{number}.4"]
        assert [edge.sensor for edge in roll.edges if edge.active] == [*expected, "zone.L", "rest.L"]
        assert [edge.sensor for edge in roll.edges if not edge.active] == [*expected, "zone.L"]

    @pytest.mark.slow
    def test_edges_are_in_order_of_time_and_alternate(self):
        """No sensor becomes active twice in a row and time does not go back."""
        for seed in range(5):
            roll = rolled(mixed(random.Random(seed)), ["L1", "R3", "L2"], seed=seed)
            times = [edge.at_us for edge in roll.edges]
            assert times == sorted(times)
            levels = {}
            for edge in roll.edges:
                assert levels.get(edge.sensor, False) is not edge.active
                levels[edge.sensor] = edge.active

    @pytest.mark.parametrize("which", ["basic", "lean", "rich"])
    @pytest.mark.parametrize("name", ["standard-22", "small-18", "large-27", "large-32", "fx-19"])
    def test_a_board_has_the_sensors_of_its_instrument_set(self, name, which):
        """Every instrument has a level, and nothing else does."""
        board = load_board(name)
        sim = SimulatedBoard(board, which=which)
        assert sim.inputs.names == tuple(instrument.name for instrument in instruments(board, which))
        assert set(sim.inputs.levels()) == set(sim.inputs.names)
        sim.close()

    @pytest.mark.parametrize(
        ("which", "words"),
        [("basic", {"ramp", "ball", "zone", "rest"}), ("rich", {"ramp", "ball", "edge", "zone", "rest"})],
    )
    def test_a_set_hears_only_its_own_sensors(self, which, words):
        """The basic set has no edge sensors, so a roll sets none off."""
        assert {edge.sensor.partition(".")[0] for edge in rolled(COLUMN, ["L2"], which=which).edges} == words

    def test_every_kind_of_sensor_can_be_set_off(self):
        """Tile, drain, ball, ramp, zone, rest and edge all speak in a short game."""
        sim = SimulatedBoard(BOARD)
        seen = []
        sim.inputs.listen(seen.append)
        lay(sim.world, COLUMN)
        for ramp in ("L2", "R2"):
            sim.world.release(ramp)
        sim.advance(4_000_000)
        assert {edge.sensor.partition(".")[0] for edge in seen} == {
            "tile",
            "drain",
            "ball",
            "ramp",
            "zone",
            "rest",
            "edge",
        }
        sim.close()

    def test_a_side_channel_passes_the_hall_unseen(self):
        """A sharp corner runs 14 mm from the middle: the Hall of 8 mm does not see that ball."""
        corner = kind("corner", ((2, 3),))
        sensors = {edge.sensor for edge in rolled({"B1": corner, "C1": ASTERISK}, ["L3"]).edges}
        assert "edge.B1.3" in sensors
        assert "ball.B1" not in sensors


class TestPulses:
    """How long a ball is before a sensor."""

    @pytest.mark.slow
    def test_beams_and_halls_pulse_as_long_as_measured(self):
        """The p5, median and p95 of a separate study at 15 degrees, each within a factor of 1.8."""
        found = defaultdict(list)
        for seed in range(40):
            made = rolled(mixed(random.Random(seed)), ["L2", "R2"], seed=seed)
            found["edge"] += crossings(made)
            found["ball"] += pulses(made.edges)["ball"]
        for word, measured in {"edge": (14, 27, 58), "ball": (17, 34, 262)}.items():
            lengths = sorted(found[word])
            ours = [lengths[int(share * len(lengths))] for share in (0.05, 0.5, 0.95)]
            assert all(m / 1.8 <= o <= m * 1.8 for o, m in zip(ours, measured, strict=True)), (word, ours)

    def test_a_pulse_is_as_long_as_the_ball_is_before_the_beam(self):
        """11 mm of way (ball and beam) at the speed between two edges 50 mm apart, within 15 percent."""
        edges = [
            edge
            for edge in rolled(COLUMN, ["L2"]).edges
            if edge.sensor in {"edge.B2.4", "edge.B3.4", "edge.B4.4"}
        ]
        before, _off, on, off, after, _end = (edge.at_us for edge in edges)
        speed_mm_us = 100.0 / (after - before)
        assert off - on == pytest.approx(11.0 / speed_mm_us, rel=0.15)

    def test_a_ball_that_falls_breaks_the_drain_beam_a_little_later(self):
        """70 ms of fall, 10 ms of pulse."""
        roll = rolled({"B1": VOID}, ["L2"])
        on, off = (edge.at_us for edge in roll.edges if edge.sensor == "drain.B1")
        assert on - roll.facts[-1].at_us == 70_000
        assert off - on == 10_000

    def test_a_ball_that_rests_against_a_closed_edge_keeps_its_sensor_on(self):
        """It covers the beam for as long as it lies there."""
        roll = rolled({"B1": X, "B2": kind("closed", ((2, 5),))}, ["L2"])
        assert [edge.active for edge in roll.edges if edge.sensor == "edge.B1.4"][-1]

    def test_a_ball_stuck_on_the_ramp_keeps_its_beam_on(self):
        """The ramp's beam lies just above the tile's edge."""
        roll = rolled({"B1": kind("closed", ((3, 5),))}, ["L2"])
        assert [(edge.sensor, edge.active) for edge in roll.edges] == [("ramp.L2", True)]

    def test_two_balls_before_one_sensor_are_one_pulse(self):
        """The zone's Hall stays on until the last of two balls is taken out."""
        sim = SimulatedBoard(BOARD)
        lay(sim.world, COLUMN)
        balls = [sim.world.release("L2")]
        sim.advance(3_000_000)
        balls.append(sim.world.release("L2"))
        sim.advance(6_000_000)
        sim.world.take_ball(balls[0])
        sim.advance(6_100_000)
        assert sim.inputs.levels()["rest.L"]
        sim.world.take_ball(balls[1])
        sim.advance(6_200_000)
        assert not sim.inputs.levels()["rest.L"]
        sim.close()


class TestTiles:
    """The Halls under the tiles."""

    def test_laying_and_lifting_is_seen_at_once(self):
        """One edge each, with the time of the hand."""
        sim = SimulatedBoard(BOARD)
        seen = []
        sim.inputs.listen(seen.append)
        sim.advance(1_500)
        sim.world.lay("C2", J)
        sim.advance(9_000)
        sim.world.lift("C2")
        sim.advance(9_000)
        assert [(edge.sensor, edge.active, edge.at_us) for edge in seen] == [
            ("tile.C2", True, 1_500),
            ("tile.C2", False, 9_000),
        ]
        sim.close()

    def test_a_ball_that_is_taken_uncovers_its_sensors(self):
        """A hand that takes a resting ball ends what it covered."""
        sim = SimulatedBoard(BOARD)
        lay(sim.world, {"B1": X, "B2": kind("closed", ((2, 5),))})
        ball = sim.world.release("L2")
        sim.advance(3_000_000)
        assert sim.inputs.levels()["edge.B1.4"]
        sim.world.take_ball(ball)
        sim.advance(3_000_001)
        assert not any(level for name, level in sim.inputs.levels().items() if not name.startswith("tile."))
        sim.close()
