"""What becomes of pulses: which are one, in which order they are told, and what one of them can mean."""

from itertools import permutations

import pytest
from helpers.trackbench import ALL_UNKNOWN, BOARD, STRAIGHT, Bench, touches, way
from hextraction.board.instruments import instruments
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.costs import CROSSING, DIP, GLANCE
from hextraction.controller.tracking.covered import Covered
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.pulses import PulseRecord
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.stories import RESTING, Ball, Pulse, Story
from hextraction.controller.tracking.teller import Teller

GRAPH = Graph(BOARD, [one.name for one in instruments(BOARD)])
SLOT = GRAPH.slot_number
ROUTES = Routes(GRAPH, {slot: Laid(STRAIGHT, 0) for slot in BOARD.slot_names})
SPLINTER_MS, WHOLE_MS = 3, 40
GAP_MS = 4


def number(sensor):
    """Return the number of a sensor."""
    return GRAPH.sensor_number[sensor]


def record(balls=()):
    """Return a record in which balls rest in these slots."""
    places = {ball: GRAPH.at_rest(SLOT[slot]) for ball, slot in enumerate(balls, 1)}
    return PulseRecord(GRAPH, places, len(balls) + 1, (), leave_us=80_000)


def test_a_sensor_that_is_still_on_has_been_so_for_longer_than_any_that_went_off():
    """However long the board has been on."""
    century_us = 100 * 366 * 24 * 3600 * 1_000_000
    ended, lasting = (Pulse(number("ball.B1"), 1_000_000, off_us) for off_us in (century_us, None))

    assert lasting.until_us > ended.until_us
    assert (ended.length_us, lasting.length_us) == (century_us - 1_000_000, None)


class TestFlickering:
    """A sensor that is off for a moment and on again."""

    def twice(self, sensor, *, length_ms, gap_ms=GAP_MS, gate=False):
        """Return as how many pulses two count, the first so long, so far apart."""
        told = record()
        told.on(number(sensor), 1_000_000)
        told.off(number(sensor), 1_000_000 + length_ms * 1000)
        if gate:
            told.announce(GRAPH.ramp_of[number(sensor)], 1_001_000 + length_ms * 1000)
        told.on(number(sensor), 1_000_000 + (length_ms + gap_ms) * 1000)
        return told.pulses[number(sensor)]

    @pytest.mark.parametrize("sensor", ["edge.B1.4", "ball.B1", "ramp.L1", "zone.L"])
    def test_a_splinter_is_part_of_the_pulse_that_follows_at_once(self, sensor):
        """Nothing follows another ball within a few thousandths of a second."""
        assert self.twice(sensor, length_ms=SPLINTER_MS) == 1

    def test_a_beam_that_was_covered_as_long_as_by_a_ball_is_covered_by_another_one(self):
        """Two that touch leave a gap of a few milliseconds in a beam between tiles; over a Hall they leave none."""
        assert self.twice("edge.B1.4", length_ms=WHOLE_MS) == 2
        assert self.twice("ball.B1", length_ms=WHOLE_MS) == 1

    def test_a_gate_that_opened_in_between_means_another_ball(self):
        """What was announced since is no flicker of what came before."""
        assert self.twice("ramp.L1", length_ms=SPLINTER_MS, gate=True) == 2

    def test_after_six_milliseconds_it_is_another_pulse(self):
        """What it means is then weighed."""
        assert self.twice("ball.B1", length_ms=SPLINTER_MS, gap_ms=6) == 2


def test_edges_of_one_instant_are_told_in_one_order():
    """In which order a scan reports them tells nothing; what came before them stays before."""
    sensors = ["ball.B1", "ball.D1", "edge.B1.4", "edge.D1.4"]

    def told(order):
        kept = record(["B1", "D1"])
        kept.begin(900_000)
        kept.on(number("zone.R"), 900_000)
        for sensor in order:
            kept.on(number(sensor), 1_000_000)
        for sensor in ("zone.R", *sensors):
            kept.off(number(sensor), 1_030_000)
        return kept.settle(ROUTES, frozenset(), 9_000_000, 0.0)

    assert len({repr(told(order)) for order in permutations(sensors)}) == 1


def test_no_sensor_has_the_number_that_says_resting():
    """What a ball was seen by last is a sensor, or that it has not moved."""
    assert RESTING not in GRAPH.sensor_number.values()


class TestOnePulse:
    """What one pulse can mean."""

    def told(self, balls, sensor, length_us, waiting=()):
        """Return the stories that a pulse makes of one."""
        teller = Teller(GRAPH, ROUTES, Covered((), GRAPH.hall), leave_us=80_000)
        story = Story(0.0, tuple(balls), 0, waiting, None, len(balls) + 1)
        return teller.tell([story], Pulse(number(sensor), 2_000_000, 2_000_000 + length_us), 1000)

    def turns(self, story):
        """Return the turns of a story, the last first."""
        turn, found = story.last, []
        while turn is not None:
            found.append(turn)
            turn = turn.before
        return found

    def test_the_same_ball_is_not_two(self):
        """Of two balls that share a pulse each does something; one ball alone shares it with nobody."""
        one = Ball(GRAPH.in_slot(SLOT["B1"], 1), number("ramp.L2"), 1_900_000, 1_930_000, 1)
        other = one._replace(place=GRAPH.in_slot(SLOT["B2"], 4), number=2)

        for story in self.told([one], "edge.B1.4", 25_000):
            assert [turn.ball for turn in self.turns(story)].count(1) <= 1
        together = [self.turns(story) for story in self.told([one, other], "edge.B1.4", 25_000)]
        shared = [{turn.ball for turn in turns} for turns in together if len(turns) == 2]
        assert {1, 2} in shared
        assert {1} not in shared

    @pytest.mark.parametrize(("length_us", "most"), [(30_000, 1), (64_000, 2)])
    def test_only_a_long_pulse_of_a_ramp_can_be_two_balls(self, length_us, most):
        """Two at once cover the beam for longer than one."""
        ramp = GRAPH.ramp_of[number("ramp.L2")]
        waiting = ((ramp, 1_950_000), (ramp, 1_950_000))

        stories = self.told([], "ramp.L2", length_us, waiting)
        assert max(len(story.balls) for story in stories) == most
        for story in stories:  # the next ball has a number of its own
            assert story.next_number == 1 + len(story.balls)

    def test_only_the_ramp_s_own_last_pulse_makes_another_release_less_likely(self):
        """A ball that was just seen elsewhere says nothing of who comes down a ramp."""

        def release(sensor, ago_us):
            far = Ball(GRAPH.in_slot(SLOT["E3"], 1), number(sensor), 1_000_000, 2_000_000 - ago_us, 1)
            return min(s.cost for s in self.told([far], "ramp.L2", 30_000) if len(s.balls) == 2)

        for sensor in ("ball.A1", "edge.E3.4", "zone.R"):
            assert release(sensor, 20_000) == release(sensor, 900_000)
        assert release("ramp.L2", 20_000) > release("ramp.L2", 900_000)

    def test_what_a_pulse_means_does_not_depend_on_the_hour(self):
        """The same ball, seen as long before: each story costs the same, whenever it is."""

        def costs(at_us):
            place = GRAPH.in_slot(SLOT["B1"], 4)
            ball = Ball(place, number("edge.B1.4"), at_us - 7_000, at_us - 5_000, 1)
            story = Story(0.0, (ball,), 0, ((0, at_us - 60_000),), None, 2)
            teller = Teller(GRAPH, ROUTES, Covered((), GRAPH.hall), leave_us=80_000)
            pulse = Pulse(number("edge.B1.4"), at_us, at_us + 2_500)
            return [story.cost for story in teller.tell([story], pulse, 1000)]

        assert costs(2_000_000) == costs(2_098_000) == costs(3_141_592_653)

    def test_a_sensor_that_is_still_covered_may_be_covered_by_another_ball_there(self):
        """A ball moves on while its last sensor is on: far likelier if another lies there to cover it."""

        def moves_on(other):
            first = Ball(GRAPH.in_slot(SLOT["B1"], 1), number("ball.B1"), 1_930_000, 2_100_000, 1)
            lies = Ball(GRAPH.at_rest(SLOT[other]), RESTING, 0, 0, 2)
            stories = self.told([first, lies], "edge.B1.4", 25_000)
            return min(s.cost for s in stories if GRAPH.slot_of(s.balls[0].place) == SLOT["B2"])

        assert moves_on("B1") < moves_on("D1") - 3

    @pytest.mark.parametrize(("before", "crosses"), [(GLANCE, True), (DIP, True), (CROSSING, False)])
    def test_a_ball_that_only_looked_over_an_edge_may_cross_it_at_once(self, before, crosses):
        """One that has crossed is not back for a second touch within 80 ms (R-13)."""
        last = Ball(GRAPH.in_slot(SLOT["B1"], 4), number("edge.B1.4"), 1_930_000, 1_960_000, 1, before)
        stories = self.told([last], "edge.B1.4", 25_000)

        assert any(self.turns(story) for story in stories if len(story.balls) == 1) is crosses

    @pytest.mark.parametrize(("length_ms", "back"), [(59, False), (61, True), (90, True)])
    def test_a_slow_ball_is_back_over_an_edge_though_the_beam_was_free_for_less_than_80_ms(
        self, length_ms, back
    ):
        """20 ms between two long pulses: from the middle of one to that of the other it was away for 80 (R-13)."""
        on_us = 1_980_000 - length_ms * 1000
        last = Ball(GRAPH.in_slot(SLOT["B1"], 4), number("edge.B1.4"), on_us, 1_980_000, 1)
        stories = self.told([last], "edge.B1.4", length_ms * 1000)
        slots = {GRAPH.slot_of(story.balls[0].place) for story in stories}

        assert (SLOT["B2"] in slots) is back

    def test_a_splinter_just_before_makes_a_second_pulse_of_the_same_ball_likelier(self):
        """A ball seldom covers a beam twice for as long as one that passes; a pulse that breaks in two does."""

        def again(before_us):
            place = GRAPH.in_slot(SLOT["B1"], 4)
            ball = Ball(place, number("edge.B1.4"), 1_990_000 - before_us, 1_990_000, 1)
            stories = self.told([ball], "edge.B1.4", 25_000)
            return min(
                s.cost for s in stories if s.balls[0].place == place and s.balls[0].until_us > 2_000_000
            )

        assert again(2_000) < again(25_000) - 0.5

    @pytest.mark.parametrize(("rolling", "waiting", "comes"), [
        (11, (), True), (12, (), False), (12, ((1, 1_950_000),), True),
    ])  # fmt: skip
    def test_once_twelve_balls_roll_none_comes_that_nobody_let_go_and_no_ramp_saw(
        self, rolling, waiting, comes
    ):
        """A ball that rattles for minutes is no crowd; those that lie there do not count, a gate does."""
        there = [
            Ball(GRAPH.in_slot(SLOT["E3"], 1), number("ball.E3"), 1_000_000, 1_030_000, one)
            for one in range(1, rolling + 1)
        ]
        lying = [Ball(GRAPH.at_rest(SLOT["E1"]), RESTING, 0, 0, 40 + one) for one in range(3)]
        stories = self.told([*there, *lying], "ball.B1", 25_000, waiting)

        assert any(len(story.balls) > rolling + 3 for story in stories) is comes


@pytest.mark.slow
@pytest.mark.mutants
def test_a_release_that_is_told_long_after_another_ball_is_another_release():
    """An announcement belongs to a ball that came before it for eight seconds only: a roll may last longer."""
    for late_ms, ways in ((8_900, []), (9_100, ["released R1", "stuck R1"])):
        bench = Bench(tiles=ALL_UNKNOWN)
        bench.pulses(("ramp.R1", 1000), ("ball.D1", 1085))
        for at_ms in range(1500, 8_300, 700):
            bench.pulses(
                ("edge.D1.4", at_ms),
                ("ball.D2", at_ms + 80),
                ("edge.D1.4", at_ms + 300),
                ("ball.D1", at_ms + 400),
            )
        bench.tracker.expect("R1", late_ms * 1000)
        facts = bench.quiet().facts

        assert [one for one in way(facts) if one.endswith("R1")][1:] == ways
        assert touches(facts)["D1"] > 5


def test_behind_a_sensor_that_stays_on_no_more_than_600_pulses_wait():
    """Memory is finite: then all that wait are told at once, though the first is not over."""
    told = record(["B1"])
    told.begin(1_000_000)
    told.on(number("edge.A1.4"), 1_000_000)
    for pulse in range(600):
        assert not told.is_long()
        told.on(number("zone.R"), 1_100_000 + pulse * 30_000)
        told.off(number("zone.R"), 1_110_000 + pulse * 30_000)

    assert told.is_long()
    told.tell(ROUTES)
    assert not told.is_long()
