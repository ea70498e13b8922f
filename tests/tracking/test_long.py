"""Long rolls and many pulses at once: the tracker narrows itself, says so, and keeps only so much."""

import gc

import pytest
from helpers.tiers import nightly
from helpers.trackbench import ALL_UNKNOWN, BOARD, Bench, touches
from hextraction.board.instruments import instruments
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.paths import ENTERED
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.stories import Page, Story
from hextraction.controller.tracking.verdicts import Verdicts

WAY = ("edge.B1.4", "ball.B2", "edge.B2.4", "ball.B3", "edge.B3.4", "ball.B4")


def rocking(bench, from_ms, seconds, step_ms=150):
    """Let a ball go up and down a column for so long, thinking ahead in between; return the pulses."""
    there_and_back = (*WAY, *WAY[-2:0:-1])
    many = seconds * 1000 // step_ms
    for number in range(many):
        at_ms = from_ms + number * step_ms
        bench.pulse(there_and_back[number % len(there_and_back)], at_ms)
        if not number % 10:
            while bench.tracker.think_ahead():
                pass
    return many


@pytest.mark.slow
@pytest.mark.mutants
def test_a_tracker_that_has_no_time_to_think_is_as_thorough_and_as_sure():
    """A hundred and fifty pulses untold at the end of a roll are told no worse than in idle time."""
    late, early = Bench(balls={1: "B1"}), Bench(balls={1: "B1"})
    there_and_back = (*WAY, *WAY[-2:0:-1])
    for number in range(150):
        late.pulse(there_and_back[number % len(there_and_back)], 1000 + 150 * number)
    rocking(early, 1000, 22)

    late_roll, early_roll = late.quiet(), early.quiet()
    assert late.tracker.narrowed == early.tracker.narrowed == 0
    assert touches(late_roll.facts)["B2"] > 10
    assert touches(early_roll.facts)["B2"] > 10


@pytest.mark.slow
@pytest.mark.mutants
@pytest.mark.parametrize(("many", "narrowed"), [(99, 0), (101, 2)])
def test_more_than_a_hundred_pulses_behind_one_are_too_many(many, narrowed):
    """A sensor that stays on keeps all behind it waiting: of the first, fewer accounts are kept, and counted."""
    bench = Bench(balls={1: "B1"})
    assert bench.tracker.narrowed == 0
    for roll in (1, 2):
        bench.tracker.put_balls({1: "B1"})
        bench.on("edge.B1.4", 60_000 * roll)
        for number in range(many):
            sensor = ("ball.B2", "edge.B2.4", "ball.B3", "edge.B2.4")[number % 4]
            bench.pulse(sensor, 60_000 * roll + 150 * (number + 1))
            while bench.tracker.think_ahead():
                pass
        bench.off("edge.B1.4", 60_000 * roll + 150 * (many + 1))
        bench.quiet()
        assert bench.tracker.narrowed == roll * narrowed


def pages():
    """Return how many pages of stories there are in memory."""
    gc.collect()
    return sum(isinstance(one, Page) for one in gc.get_objects())


@nightly("ten minutes of pulses", meanwhile="test_more_than_a_hundred_pulses_behind_one_are_too_many")
@pytest.mark.slow
def test_memory_stays_bounded_in_a_roll_of_ten_minutes():
    """A ball that never rests: no account is kept twice, and nothing is kept but what it did."""
    bench = Bench(balls={1: "B1"})
    pulses, most = 0, 0
    for minute in range(10):
        pulses += rocking(bench, 1000 + 60_000 * minute, 60, step_ms=300)
        most = max(most, pages() - pulses)
    settled = bench.quiet()

    assert len(bench.settled) == 1
    assert most < 1_000
    assert len(settled.facts) <= 2 * pulses + 10
    del bench, settled
    assert pages() < 100


def test_hundreds_of_touches_of_one_tile_are_still_a_loop_there():
    """Two hundred and fifty-seven touches are three at least, and none of any other tile."""
    graph = Graph(BOARD, [one.name for one in instruments(BOARD)])
    routes = Routes(graph, ALL_UNKNOWN)
    path = routes.far(graph.first_ramp).to(graph.sensor_number["edge.B1.4"])[0]
    story = Story(0.0, (), 257 * path.touched, (), None, 1)
    once = [fact for fact in path.acts if fact[0] == ENTERED]

    loops = Verdicts(graph, routes.odds).of(story).loops
    assert {graph.slots[slot] for slot in loops} == {name for _deed, name, _share in once}
