"""Where balls come to rest: what sensors at rest say of it, piles, walls, ramps that are blocked, open slots."""

from math import inf

import pytest
from helpers.trackbench import ALL_UNKNOWN, BOARD, STRAIGHT, Bench, check_books, touches, way
from hextraction.board.instruments import instruments
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.costs import (
    CROSSING,
    DIP,
    GLANCE,
    bumped_cost,
    length_cost,
    release_time_cost,
)
from hextraction.controller.tracking.covered import Covered
from hextraction.controller.tracking.ends import Beside, Ends, Evidence, beside
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.stories import RESTING, Ball, Pulse, Story
from hextraction.controller.tracking.teller import Teller
from hypothesis import given
from hypothesis import strategies as st

TILES = load_catalogue()
GRAPH = Graph(BOARD, [one.name for one in instruments(BOARD)])
SLOT = GRAPH.slot_number
ALL_STRAIGHT = {slot: Laid(STRAIGHT, 0) for slot in BOARD.slot_names}
TRAPPED = {"C3": Laid(TILES["double-trap"], 0), "C4": Laid(STRAIGHT, 0)}
WALLED = {"C3": Laid(STRAIGHT, 0), "C4": Laid(STRAIGHT, 1)}
NOBODY = Beside((), ())
ELSEWHERE = "ramp.R1"
MS = 1000


def number(sensor):
    """Return the number of a sensor."""
    return GRAPH.sensor_number[sensor]


def ends(tiles, on=(), dropped=()):
    """Return the ends on certain tiles, with these sensors on and these slots' Halls gone off."""
    active = {number(sensor) for sensor in on}
    evidence = Evidence(10_000_000, 0, active, {SLOT[slot] for slot in dropped}, Covered((), GRAPH.hall))
    return Ends(GRAPH, Routes(GRAPH, tiles), evidence)


def ball(slot, edge, by=ELSEWHERE, turned=0):
    """Return a ball that came into a slot over an edge, seen by a sensor last."""
    return Ball(GRAPH.in_slot(SLOT[slot], edge, 0, turned), number(by), 1_000_000, 1_020_000, 1)


def staying(tiles, one, *, slot="C3", on=(), others=NOBODY):
    """Return how unlikely it is that a ball rests in a slot (in nats)."""
    return min(end.cost for end in ends(tiles, on).of(one, others) if end.rested == SLOT[slot])


def told(settled, pile, slot, many):
    """Return how likely the accounts are by which so many balls lie in a slot, ``pile`` having lain there before.

    Where nothing can be asked, what is told is the only account.
    """
    lay = {ball: ("slot", at) for ball, at in pile.items()}
    accounts = [(settled.facts, 1.0)]
    if settled.question is not None:
        accounts = [(answer.facts, answer.likelihood) for answer in settled.question.answers]
    return sum(
        likelihood
        for facts, likelihood in accounts
        if list(check_books(facts, lay).values()).count(("slot", slot)) == many
    )


class TestSensorsAtRest:
    """What a level says of a ball that is not seen to move."""

    def test_a_silent_hall_speaks_against_a_rest_over_it(self):
        """In a trap nearly all balls lie over the Hall: off it costs 1.5 more at least than if none lay there."""
        trapped = ends(TRAPPED).of(ball("C3", 1), NOBODY)
        rest = min((end for end in trapped if end.rested == SLOT["C3"]), key=lambda end: end.cost)
        plain = Routes(GRAPH, TRAPPED).odds.rest(SLOT["C3"], 1, 2).cost

        assert rest.lies[0] > 0.9
        assert rest.cost > plain + 1.5

    def test_a_silent_beam_speaks_against_a_rest_before_it(self):
        """A ball that turned at a closed foot lies before its beam: that is off, so it hardly does."""
        lying = ball("C3", 4, turned=1)

        assert staying(WALLED, lying) > 1.2
        assert staying(WALLED, lying, on=["edge.C3.4"]) < staying(WALLED, lying) - 0.4

    def test_a_hall_that_is_on_tells_of_the_ball(self):
        """Where nothing else explains it, it is worth more than any silence."""
        lit = staying(TRAPPED, ball("C3", 1), on=["ball.C3"])

        assert lit < staying(TRAPPED, ball("C3", 1)) - 5

    def test_a_beam_that_saw_the_ball_last_and_still_does_tells_on_which_side_it_is(self):
        """It lies where balls lie before that beam, not where they lie over the Hall."""
        on = ["edge.C3.4"]
        foot = staying(WALLED, ball("C3", 4, "edge.C3.4", turned=1), on=on)
        trap = staying(TRAPPED, ball("C3", 4, "edge.C3.4"), on=on)
        unseen = staying(TRAPPED, ball("C3", 4), on=on)

        assert foot < 0.2
        assert trap > unseen + 0.3

    def test_a_last_sensor_of_another_tile_says_nothing_of_where_on_its_tile_a_ball_lies(self):
        """It is on, but no ball that rests here could be before it."""
        for tiles in (ALL_STRAIGHT, TRAPPED, WALLED):
            seen_last, seen_before = (ball("C3", 1, by) for by in ("ball.C2", ELSEWHERE))

            assert staying(tiles, seen_last, on=["ball.C2"]) == staying(tiles, seen_before, on=["ball.C2"])

    def test_a_hall_over_a_ball_that_has_not_moved_says_nothing_of_another(self):
        """It would be on anyhow."""
        taken = Beside({SLOT["C3"]}, {SLOT["C3"]})
        moved = Beside((), {SLOT["C3"]})
        one, on = ball("C3", 1), ["ball.C3"]

        assert staying(TRAPPED, one, on=on, others=taken) > staying(TRAPPED, one, on=on, others=moved) + 4

    def test_a_ball_stays_rather_where_another_is(self):
        """Beside it it may lie anywhere: no silence counts in full."""
        pile = Beside((), {SLOT["C3"]})

        assert staying(TRAPPED, ball("C3", 1), others=pile) < staying(TRAPPED, ball("C3", 1)) - 1.5

    def test_one_ball_explains_a_hall_only_once(self):
        """The second that is said to lie there costs 1 more; one that has lain there all the time, or elsewhere, none."""
        here = ends(TRAPPED, ["ball.C3"])
        end = min((e for e in here.of(ball("C3", 1), NOBODY) if e.rested == SLOT["C3"]), key=lambda e: e.cost)
        first = ball("C3", 0)

        assert here.told_of(end, ()) == 0.0
        assert here.told_of(end, (first,)) == 1.0
        assert here.told_of(end, (first._replace(sensor=RESTING),)) == 0.0
        assert here.told_of(end, (ball("C4", 0),)) == 0.0
        assert ends(TRAPPED).told_of(end, (first,)) == 0.0

    def test_a_ball_that_vanishes_explains_no_hall(self):
        """It lies in no slot, whatever is on and whoever else has gone."""
        last = BOARD.slot_names[-1]
        gone = ball("C3", 1)._replace(place=GRAPH.first_stuck)
        nowhere = next(end for end in ends({}).of(ball("C3", 1), NOBODY) if end.rested == -1)

        assert ends({}, [f"ball.{last}"]).told_of(nowhere, (gone,)) == 0.0


class TestWalls:
    """Balls before a mouth that leads nowhere."""

    def test_a_ball_before_a_wall_whose_beam_missed_it_rests_there(self):
        """A straight tile above a closed one: who came in from above has not gone on, and the beam is silent."""
        walled = staying(WALLED, ball("C3", 1))
        opened = staying(ALL_STRAIGHT, ball("C3", 1))

        assert walled < opened - 2

    def test_without_a_beam_it_rests_before_the_wall_as_a_matter_of_course(self):
        """Where nothing could have seen it, nothing missed it."""
        blind = Graph(BOARD, ["ball.C3"])
        rest = Routes(blind, WALLED).odds.rest(SLOT["C3"], 1)

        assert rest.cost < 0.5
        assert rest.lies[4] > 0.7
        assert Routes(GRAPH, WALLED).odds.rest(SLOT["C3"], 1).cost > rest.cost + 2  # a beam misses few

    @given(st.integers(0, 6), st.integers(0, 1))
    def test_no_ball_rests_in_an_open_slot(self, edge, turned):
        """It falls."""
        routes = Routes(GRAPH, {})

        assert routes.odds.rest(SLOT["C3"], edge, 0, turned).cost == inf
        assert all(end.rested == -1 for end in ends({}).of(ball("C3", edge, turned=turned), NOBODY))


class TestOpened:
    """Tiles lifted from under balls."""

    def test_a_ball_whose_tile_was_lifted_has_fallen_when_the_next_roll_settles(self):
        """It is told once, and rests nowhere any more; the ball on a tile lies where it lay."""
        bench = Bench(balls={1: "C3", 2: "E2"})
        bench.tracker.lay({slot: laid for slot, laid in ALL_UNKNOWN.items() if slot != "C3"})
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
        bench.on("ball.B2", 1215)
        settled = bench.quiet()

        assert [fact.slot for fact in settled.facts if fact.ball == 1] == ["C3"]
        assert way(settled.facts).count("fell C3") == 1
        assert set(bench.tracker.resting.values()) == {"B2", "E2"}

    @pytest.mark.parametrize("place", [GRAPH.first_zone, GRAPH.first_stuck, GRAPH.first_ramp + 2])
    def test_a_ball_at_rest_that_is_in_no_slot_stays_whatever_slots_are_open(self, place):
        """In an end zone or on a ramp no tile can be lifted from under it."""
        resting = Ball(place, RESTING, 0, 0, 1)

        assert [(end.cost, end.end, end.acts) for end in ends({}).of(resting, NOBODY)] == [(0.0, place, ())]


class TestStuck:
    """Balls that do not get off their ramp."""

    def stuck(self, place, by, tiles, on=()):
        """Return how unlikely it is that a ball, last seen by a sensor, stays on ramp L2."""
        seen = Ball(place, -1 if by is None else number(by), 1_000_000, 1_020_000, 1)
        on_ramp = GRAPH.first_stuck + GRAPH.ramp_number["L2"]
        return min(end.cost for end in ends(tiles, on).of(seen, NOBODY) if end.end == on_ramp)

    def test_a_ball_past_its_ramp_s_beam_stays_there_if_it_covers_it_or_meets_a_wall(self):
        """In the beam it is as likely as not; before a wall less, and before an open mouth hardly."""
        past = GRAPH.first_stuck + GRAPH.ramp_number["L2"]
        open_, closed = {"B1": Laid(STRAIGHT, 0)}, {"B1": Laid(STRAIGHT, 1)}
        beam = "ramp.L2"

        for tiles in (open_, closed, ALL_UNKNOWN):
            assert self.stuck(past, beam, tiles, on=[beam]) < 1.5
        assert 2 < self.stuck(past, beam, closed) < 4 < self.stuck(past, beam, open_)

    @pytest.mark.parametrize("on", [(), ("ramp.L2",)])
    def test_a_ball_above_its_ramp_s_beam_hardly_stays_there(self, on):
        """It rolls down: back past the beam if it came up from the tile, or from the gate, where it may hang."""
        above = GRAPH.first_ramp + GRAPH.ramp_number["L2"]

        assert 3 < self.stuck(above, "ramp.L2", ALL_STRAIGHT, on) < self.stuck(above, None, ALL_STRAIGHT, on)


class TestNudged:
    """Balls that lay over a Hall which went off in the roll."""

    def test_a_resting_ball_whose_hall_went_off_may_have_been_nudged_away(self):
        """It lies beside the Hall, at a price of 3, or has gone on as any other ball would, at a price of 1."""
        resting = Ball(GRAPH.at_rest(SLOT["C3"]), RESTING, 0, 0, 1)
        dropped = ends(ALL_STRAIGHT, dropped=["C3"])
        stays, *away = dropped.of(resting, NOBODY)
        rolling = dropped.of(resting._replace(sensor=number(ELSEWHERE)), NOBODY)

        assert (stays.cost, stays.end) == (3.0, resting.place)
        assert SLOT["C4"] in {end.rested for end in away}
        assert away == [end._replace(cost=end.cost + 1.0) for end in rolling if end.rested != SLOT["C3"]]

    def test_a_resting_ball_whose_hall_says_nothing_new_stays(self):
        """There is no other way, and it costs nothing."""
        resting = Ball(GRAPH.at_rest(SLOT["C3"]), RESTING, 0, 0, 1)

        assert [(end.cost, end.end) for end in ends(ALL_STRAIGHT).of(resting, NOBODY)] == [
            (0.0, resting.place)
        ]

    def test_a_hall_that_went_off_says_of_another_ball_what_it_shows(self):
        """A slot is taken while the Hall over its resting ball is on; once that went off it speaks again."""
        resting = Ball(GRAPH.at_rest(SLOT["C3"]), RESTING, 0, 0, 1)
        comer = ball("C3", 1)
        story = Story(0.0, (resting, comer), 0, (), None, 3)
        evidence = Evidence(0, 0, (), (), Covered((), ()))

        mouth = GRAPH.mouth_of(resting.place)
        assert beside(story, comer, GRAPH, evidence) == ({SLOT["C3"]}, {SLOT["C3"]}, {mouth})
        dropped = evidence._replace(dropped={SLOT["C3"]})
        assert beside(story, comer, GRAPH, dropped) == (set(), {SLOT["C3"]}, {mouth})


def rolled_onto(pile, tiles, *, length_ms):
    """Let a ball roll down to B2 and meet its lower beam, for a while (None: for good); balls lie at ``pile``.

    Whatever can be asked about the roll is asked.
    """
    bench = Bench(tiles=tiles, balls=pile, ask_below=1.1)
    for slot in pile.values():
        assert bench.tracker.cover(f"ball.{slot}")
    bench.tracker.expect("L2", 920 * MS)
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150), ("ball.B2", 1210))
    if length_ms is None:
        bench.on("edge.B2.4", 1270)
    else:
        bench.pulse("edge.B2.4", 1270, length_ms)
        bench.on("ball.B2", 1420)
    return bench.quiet()


class TestPiles:
    """Balls that meet others."""

    def test_a_ball_leans_on_a_pile_over_a_covered_beam(self):
        """With a ball behind it the one that stays in the beam may be on either side; alone it is before it.

        Of 17 such balls in the worlds drawn for tuning nine were over the edge.
        """
        alone = rolled_onto({}, ALL_STRAIGHT, length_ms=None)
        assert touches(alone.facts)["B3"] == 0
        assert told(alone, {}, "B3", 1) < 0.4
        leaning = rolled_onto({1: "B3"}, ALL_STRAIGHT, length_ms=None)
        assert 0.05 < told(leaning, {1: "B3"}, "B3", 2) < 0.7

    def test_a_ball_thrown_back_by_a_pile_may_have_been_over_the_edge(self):
        """A pulse of 60 ms and the Hall again: alone it just looked over; a pile may have thrown it back."""
        alone = rolled_onto({}, ALL_UNKNOWN, length_ms=60)
        assert (touches(alone.facts)["B2"], alone.question) == (1, None)
        assert alone.probability >= 0.98
        thrown = rolled_onto({1: "B3"}, ALL_UNKNOWN, length_ms=60)
        assert 0.5 < told(thrown, {1: "B3"}, "B2", 1) < 0.98

    @pytest.mark.parametrize(("length_us", "way_met", "likelier"), [
        (None, CROSSING, 1.0), (None, DIP, 2.0), (60_000, DIP, 3.0), (40_000, GLANCE, 1.0),
    ])  # fmt: skip
    def test_only_where_others_lie_behind_the_beam_does_a_ball_meet_them(self, length_us, way_met, likelier):
        """Leaning on them, thrown back over the edge or before it: all likelier than alone, or beside them."""
        comer = ball("C3", 1)
        routes = Routes(GRAPH, ALL_UNKNOWN)
        teller = Teller(GRAPH, routes, Covered((), ()), leave_us=80_000)
        off_us = None if length_us is None else 1_120_000 + length_us
        pulse = Pulse(number("edge.C3.4"), 1_120_000, off_us)

        def cost(*others):
            lying = [Ball(GRAPH.at_rest(SLOT[slot]), RESTING, 0, 0, 2) for slot in others]
            stories = teller.tell([Story(0.0, (comer, *lying), 0, (), None, 4)], pulse, 1000)
            seen = (pulse.sensor, way_met)
            return min(one.cost for one in stories if (one.balls[0].sensor, one.balls[0].way) == seen)

        assert cost("C4") < cost() - likelier
        assert cost("C2") == cost("D3") == pytest.approx(cost())

    @pytest.mark.parametrize("way_met", [CROSSING, DIP])
    def test_who_meets_a_pile_behind_a_beam_covers_it_for_longer_or_not_for_as_long_as_a_climb(self, way_met):
        """60 ms is a usual length then; a dip of 60 ms, or a crossing that never ends, is likelier than alone."""
        climb = 188_000.0

        assert bumped_cost(60_000, way_met) < bumped_cost(20_000, way_met)
        assert bumped_cost(60_000, way_met) < bumped_cost(180_000, way_met)
        assert bumped_cost(None, way_met) < length_cost(None, way_met, climb)
        assert bumped_cost(60_000, DIP) < length_cost(60_000, DIP, climb)
        assert bumped_cost(None, GLANCE) < bumped_cost(None, CROSSING) < bumped_cost(None, DIP)

    def test_only_before_the_mouths_that_its_channel_leads_to_does_a_ball_stop_for_others(self):
        """Hardly a ball changes to another channel of its tile, so what lies behind those is not in its way."""
        odds = Routes(GRAPH, {slot: Laid(TILES["wurst"], 0) for slot in BOARD.slot_names}).odds

        for came, leads in ((1, "edge.C3.4"), (2, "edge.C3.3"), (6, "edge.B4.2")):
            assert [beam for _slot, beam, _odds in odds.against(SLOT["C3"], came, 0)] == [number(leads)]

    def test_a_ball_whose_way_is_blocked_by_a_covered_mouth_rests_before_it(self):
        """Another ball lies beyond, in the beam between: it stays four times as often, or still more."""
        one, pile = ball("C3", 1), Beside((), {SLOT["C4"]})
        free = staying(ALL_STRAIGHT, one, others=pile)
        blocked = staying(ALL_STRAIGHT, one, on=["edge.C3.4"], others=pile)
        alone = staying(ALL_STRAIGHT, one, on=["edge.C3.4"])

        assert blocked < free - 1.4
        assert alone > blocked + 1.4

    @pytest.mark.parametrize(("length_ms", "again"), [(159, False), (160, True), (300, True), (None, False)])
    def test_so_soon_only_a_long_pulse_is_a_ball_that_was_over_the_edge_and_came_back(self, length_ms, again):
        """50 ms after it looked into the mouth: it is away for 80 ms and touches anew, or it is one contact.

        While the beam is covered (None) it is not back.
        """
        beam = number("edge.C3.4")
        comer = Ball(GRAPH.in_slot(SLOT["C3"], 4, 0, 1), beam, 1_000_000, 1_100_000, 1, GLANCE)
        routes = Routes(GRAPH, ALL_UNKNOWN)
        teller = Teller(GRAPH, routes, Covered((), ()), leave_us=80_000)
        pulse = Pulse(beam, 1_150_000, None if length_ms is None else 1_150_000 + length_ms * MS)
        stories = teller.tell([Story(0.0, (comer,), 0, (), None, 2)], pulse, 1000)

        met = {one.balls[0].way for one in stories if one.balls[0].at_us == 1_150_000}
        assert CROSSING in met
        assert (DIP in met) is again

    def test_a_full_tile_holds_a_ball_on_its_ramp(self):
        """With others on the tile below it stays outside rather by 1.7; what getting in costs is the same."""
        routes = Routes(GRAPH, ALL_STRAIGHT)
        teller = Teller(GRAPH, routes, Covered((), ()), leave_us=80_000)
        pulse = Pulse(number("ramp.L2"), 1_000_000, 1_060_000)

        def costs(*lying):
            there = tuple(Ball(GRAPH.at_rest(SLOT[at]), RESTING, 0, 0, 1) for at in lying)
            stories = teller.tell([Story(0.0, there, 0, (), None, 3)], pulse, 1000)
            return {one.balls[-1].way: one.cost for one in stories if len(one.balls) > len(there)}

        alone, full = costs("C1"), costs("C1", "B1")
        spared = {way_met: alone[way_met] - full[way_met] for way_met in alone}

        assert spared == {CROSSING: pytest.approx(0.0), GLANCE: pytest.approx(1.7)}

    def test_a_ball_that_stays_in_its_ramp_s_beam_above_a_full_tile_is_stuck_there(self):
        """It came off the gate and did not get in: the balls below lie where they lay."""
        bench = Bench(tiles=ALL_UNKNOWN | {"B1": Laid(STRAIGHT, 0)}, balls={1: "B1", 2: "B1"})
        bench.tracker.expect("L2", 920 * MS)
        bench.on("ramp.L2", 1000)
        settled = bench.quiet()

        assert way(settled.facts) == ["released L2", "stuck L2"]
        assert settled.facts[-1].ball == 3
        assert list(bench.tracker.resting.values()) == ["B1", "B1"]


class TestRims:
    """Edges beyond which nothing is."""

    def test_a_dip_over_an_uphill_rim_counts_a_second_touch(self):
        """200 ms before the beam of A1's upper edge: over it and back; 30 ms were a look out."""
        counted = {}
        for length_ms in (30, 200):
            bench = Bench()
            bench.tracker.expect("L2", 920 * MS)
            bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.A1.2", 1150), ("ball.A1", 1210))
            bench.pulse("edge.A1.1", 1290, length_ms)
            bench.on("ball.A1", 1370 + length_ms)
            counted[length_ms] = touches(bench.quiet().facts)

        assert counted == {30: {"B1": 1, "A1": 1}, 200: {"B1": 1, "A1": 2}}


class TestAnnounced:
    """Balls that a gate has announced."""

    def test_of_two_announced_balls_the_later_is_told_by_the_time_since_its_gate(self):
        """A ball on B1 160 ms after one gate and 3.2 s after another came from the one just opened."""
        for first, second in (("L1", "L2"), ("L2", "L1")):
            bench = Bench()
            bench.tracker.expect(first, -2_000 * MS)
            bench.tracker.expect(second, 1_000 * MS)
            bench.pulses(("ball.B1", 1160), ("edge.B1.4", 1230))
            bench.on("ball.B2", 1300)

            assert way(bench.quiet().facts)[-1] == f"stuck {first}"

    def test_a_second_announced_ball_is_told_right_behind_the_first_at_the_same_ramp(self):
        """60 ms behind it: the beam pulses twice, and both are new balls."""
        bench = Bench(tiles=ALL_STRAIGHT)
        for at_ms in (920, 980):
            bench.tracker.expect("L2", at_ms * MS)
        bench.pulses(("ramp.L2", 1000), ("ramp.L2", 1060), ("ball.B1", 1085), ("ball.B1", 1145))
        bench.pulses(("edge.B1.4", 1150), ("edge.B1.4", 1210), ("ball.B2", 1215))
        settled = bench.quiet()

        assert way(settled.facts).count("released L2") == 2
        assert touches(settled.facts) == {"B1": 2, "B2": 2}

    def test_most_balls_are_seen_80_ms_after_their_gate_or_never_costs_more_than_4(self):
        """Sooner and later cost more, up to that limit."""
        usual = release_time_cost(40 * MS)

        assert usual < release_time_cost(5 * MS) <= 4.0
        assert usual < release_time_cost(300 * MS) < release_time_cost(1_000 * MS) <= 4.0
        assert release_time_cost(60_000 * MS) == 4.0
        assert release_time_cost(0) == release_time_cost(500)
