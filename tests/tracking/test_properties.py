"""What must hold for any edges whatever."""

import random
from collections import Counter

import pytest
from helpers.tiers import nightly
from helpers.trackbench import ALL_UNKNOWN, BOARD, Bench, check_books
from hextraction.board.facts import BallEntered, BallLeft, BallStuckOnRamp
from hextraction.board.instruments import instruments
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.trace import (
    Trace,
    TraceEdge,
    TraceRelease,
    facts_of,
    read_trace,
    write_trace,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

SENSORS = [i.name for i in instruments(BOARD) if not i.name.startswith("tile.")]
NEAR = [
    name
    for name in SENSORS
    if any(place in name for place in ("B1", "B2", "A1", "A2", "C1", "L1", "L2", "zone"))
]
EDGES = st.lists(
    st.tuples(st.sampled_from(NEAR) | st.sampled_from(SENSORS), st.booleans(), st.integers(-50, 3000)),
    max_size=25,
)
OPEN = st.sets(st.sampled_from(BOARD.slot_names), max_size=8)
GATES = st.lists(st.sampled_from(["L1", "R2"]), max_size=2)


def play(edges, opened, gates, which="rich"):
    """Feed edges; return the bench and what became of each roll: (settled, where balls were, are)."""
    balls = {1: "B2", 2: "A2"}
    bench = Bench(which, tiles={s: laid for s, laid in ALL_UNKNOWN.items() if s not in opened}, balls=balls)
    at_ms = 1000
    for ramp in gates:
        bench.tracker.expect(ramp, at_ms * 1000)
    for sensor, active, step_ms in edges:
        at_ms += step_ms
        bench.take(bench.tracker.feed(sensor, active, at_ms * 1000))
    bench.quiet()
    return bench, balls


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=60, deadline=None)
@given(EDGES, OPEN, GATES, st.sampled_from(["basic", "lean", "rich"]))
@example([("drain.A1", True, 0)], {"A1", "A2", "A3", "A4", "B1", "B2"}, ["L1"], "basic")
@example(
    [("drain.A1", True, 0), ("drain.B1", True, 0), ("drain.A1", False, 40), ("drain.A1", True, 80)],
    {"A1", "A2"},
    [],
    "basic",
)
@example([("drain.A1", False, 9000), ("ball.B1", True, 0)], {"A1", "A2", "B1"}, ["L1"], "basic")
def test_any_edges_give_consistent_facts_and_conserve_balls(edges, opened, gates, which):
    """Facts are in order, a ball leaves only where it was, and at each quiet every ball is in one place.

    None lies where no tile is.
    """
    bench, balls = play(edges, opened, gates, which)
    where = {ball: ("slot", slot) for ball, slot in balls.items()}
    for settled in bench.settled:
        assert 0 <= settled.probability <= 1
        assert all(fact.at_us <= settled.at_us for fact in settled.facts)
        missing = {doubt.ball for doubt in settled.missing}
        where = {
            ball: ("ramp", place[1]) if place[0] == "stuck" else place
            for ball, place in check_books(settled.facts, where).items()
            if place[0] != "gone" and ball not in missing
        }
        assert all(place[0] != "air" for place in where.values())
    assert {ball: place[1] for ball, place in where.items() if place[0] == "slot"} == dict(
        bench.tracker.resting
    )
    assert not bench.settled or opened.isdisjoint(bench.tracker.resting.values())
    assert [fact.at_us for fact in bench.live] == sorted(fact.at_us for fact in bench.live)
    assert not bench.tracker.moving


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=25, deadline=None)
@given(EDGES, OPEN)
def test_the_same_edges_give_the_same_facts(edges, opened):
    """Nothing but the calls decides."""
    one, _balls = play(edges, opened, [])
    two, _balls = play(edges, opened, [])
    assert one.live == two.live
    assert one.settled == two.settled


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=25, deadline=None)
@given(EDGES, st.lists(st.integers(1, 60_000), max_size=6))
def test_looking_at_the_clock_more_often_changes_nothing(edges, looks):
    """Facts do not depend on when advance() is called between edges."""
    one, _balls = play(edges, set(), [])
    bench = Bench(balls={1: "B2", 2: "A2"})
    at_ms = 1000
    waiting = sorted(looks)
    for sensor, active, step_ms in edges:
        at_ms += step_ms
        while waiting and waiting[0] <= at_ms:
            bench.take(bench.tracker.advance(waiting.pop(0) * 1000))
        bench.take(bench.tracker.feed(sensor, active, at_ms * 1000))
    bench.quiet()
    assert [roll.facts for roll in bench.settled] == [roll.facts for roll in one.settled]


TILES = load_tiles()
KINDS = [
    Laid(tile, turns)
    for tile in (
        UNKNOWN,
        *sorted(
            (one for one in TILES.values() if not one.covers and not one.parts), key=lambda one: one.name
        ),
    )
    for turns in (tile.turns if tile is not UNKNOWN else (0,))
]
LAID = st.tuples(
    st.fixed_dictionaries(dict.fromkeys(BOARD.slot_names, st.sampled_from(KINDS))),
    st.sets(st.sampled_from(BOARD.slot_names), max_size=4),
).map(lambda drawn: {slot: laid for slot, laid in drawn[0].items() if slot not in drawn[1]})
WAYS = [
    ["ramp.L1", "edge.B1.4", "ball.B2", "edge.B2.4", "edge.B3.4", "ball.B4"],
    ["ramp.R2", "ball.D1", "edge.D1.4", "edge.D2.4", "edge.D3.5"],
    ["ramp.L2", "edge.B1.3", "ball.C1", "edge.C1.4", "edge.C2.4", "drain.C3"],
    ["edge.B2.4", "ball.B2", "edge.B1.4", "edge.B1.4"],
]


@st.composite
def traces(draw):
    """Draw a trace of up to three rolls: balls on likely ways, pulses from nowhere, announced or not."""
    tiles = draw(LAID)
    resting = draw(st.lists(st.sampled_from(sorted(tiles)), max_size=3))
    steps = []
    from_us = 1_000_000
    for _roll in range(draw(st.integers(1, 3))):
        for way in draw(st.lists(st.sampled_from(WAYS), min_size=1, max_size=3)):
            at_us = from_us + draw(st.integers(0, 300_000))
            if way[0].startswith("ramp") and draw(st.booleans()):
                steps.append(TraceRelease(at_us=at_us, release=way[0][5:]))
            for sensor in way:
                at_us += draw(st.integers(20_000, 250_000))
                if draw(st.integers(0, 9)):
                    steps += pulse(sensor, at_us, draw(st.integers(4_000, 90_000)))
        for sensor in draw(st.lists(st.sampled_from(SENSORS), max_size=2)):
            steps += pulse(sensor, from_us + draw(st.integers(0, 1_500_000)), 20_000)
        from_us += draw(st.integers(11_000_000, 15_000_000))
    steps.sort(key=lambda step: step.at_us)
    return Trace(
        board=BOARD,
        sensors=tuple(SENSORS),
        tiles=tiles,
        balls=dict(enumerate(resting, 1)),
        edges=tuple(step for step in steps if isinstance(step, TraceEdge)),
        releases=tuple(step for step in steps if isinstance(step, TraceRelease)),
    )


def pulse(sensor, at_us, length_us):
    """Return both edges of a pulse."""
    return [
        TraceEdge(at_us=at_us, sensor=sensor, active=True),
        TraceEdge(at_us=at_us + length_us, sensor=sensor, active=False),
    ]


def followed(trace, edges=None):
    """Let a bench hear a trace, or other edges in place of its own."""
    bench = Bench(tiles=trace.tiles, balls=trace.balls)
    told = [*trace.releases, *(trace.edges if edges is None else edges)]
    for step in sorted(told, key=lambda step: step.at_us):
        while (wake_us := bench.tracker.wake_at_us) is not None and wake_us < step.at_us:
            bench.take(bench.tracker.advance(wake_us))
        if isinstance(step, TraceRelease):
            bench.tracker.expect(step.release, step.at_us)
        else:
            bench.take(bench.tracker.feed(step.sensor, step.active, step.at_us))
    bench.quiet()
    return bench


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=10, deadline=None)
@given(traces())
def test_over_several_rolls_on_any_tiles_no_ball_is_lost_or_made(trace):
    """Balls at rest, plus those released, are those at rest, in zones, on ramps, gone and missing."""
    bench = followed(trace)
    where = {ball: ("slot", slot) for ball, slot in trace.balls.items()}
    for settled in bench.settled:
        where = check_books(settled.facts, where)
        for doubt in settled.missing:
            where[doubt.ball] = ("gone", "missing")
        where = {ball: ("ramp", at[1]) if at[0] == "stuck" else at for ball, at in where.items()}
        assert all(place[0] != "air" for place in where.values())
    at_rest = {ball: place[1] for ball, place in where.items() if place[0] == "slot"}
    assert at_rest == dict(bench.tracker.resting)


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=10, deadline=None)
@given(traces())
def test_a_trace_written_down_and_replayed_gives_the_same_facts(trace):
    """Every fact, provisional and settled, with its time and its probability."""
    again = read_trace(list(write_trace(trace)), {**TILES, UNKNOWN.name: UNKNOWN})

    assert list(facts_of(again)) == list(facts_of(trace))


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=10, deadline=None)
@given(traces())
def test_facts_are_causal(trace):
    """A provisional fact comes with its edge, no earlier; nobody leaves where nobody entered."""
    bench = Bench(tiles=trace.tiles, balls=trace.balls)
    inside = Counter(trace.balls.values())
    for edge in trace.edges:
        for fact in bench.take(bench.tracker.feed(edge.sensor, edge.active, edge.at_us)):
            assert fact.at_us <= edge.at_us
    bench.quiet()
    for settled in bench.settled:
        for fact in settled.facts:
            inside[getattr(fact, "slot", "")] += isinstance(fact, BallEntered) - isinstance(fact, BallLeft)
            assert fact.at_us <= settled.at_us
            assert min(inside.values(), default=0) >= 0


def answers(bench):
    """Return what was settled, less the numbers that balls were given: they are all alike."""
    return [
        (
            Counter(nameless(fact) for fact in roll.facts),
            Counter(doubt.slot for doubt in roll.missing),
            roll.probability,
            roll.question and [(answer.counts, answer.likelihood) for answer in roll.question.answers],
        )
        for roll in bench.settled
    ]


def nameless(fact):
    """Return a fact without its ball; one that is on a ramp is told with the settlement, whenever that is."""
    left_out = {"ball", "at_us"} if isinstance(fact, BallStuckOnRamp) else {"ball"}
    return type(fact), *(getattr(fact, name) for name in fact.__struct_fields__ if name not in left_out)


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=10, deadline=None)
@given(traces(), st.randoms(use_true_random=False))
def test_the_settled_answer_does_not_depend_on_the_order_of_simultaneous_edges(trace, shuffled):
    """Edges of different sensors at the same microsecond may come in any order."""
    edges = [
        TraceEdge(at_us=round(edge.at_us, -5), sensor=edge.sensor, active=edge.active) for edge in trace.edges
    ]
    one = followed(trace, edges)
    order = {sensor: shuffled.random() for sensor in sorted({edge.sensor for edge in edges})}
    edges.sort(key=lambda edge: (edge.at_us, order[edge.sensor]))
    two = followed(trace, edges)

    assert answers(one) == answers(two)


BUSY = [f"edge.B{row}.4" for row in range(1, 4)] + [f"ball.B{row}" for row in range(1, 5)]


def hurried(seed, most):
    """Return steps of a roll with many pulses, some of them long, and balls announced in the middle of it."""
    luck = random.Random(seed)
    at_us, steps = 1_000_000, []
    for _pulse in range(luck.randint(20, most)):
        at_us += luck.choice((1_000, 3_000, 20_000, 90_000, 250_000))
        sensor = luck.choice(["ramp.L1", *BUSY])
        length_us = luck.choice((2_000, 15_000, 40_000, 40_000, 90_000, 9_000_000))
        if luck.random() < 1 / 16:
            steps.append((at_us, "release", "L1"))
        steps += [(at_us, sensor, True), (at_us + length_us, sensor, False)]
    return sorted(steps, key=lambda step: step[0])


def settled_with(steps, pauses):
    """Return what is settled by a tracker that thinks ahead for so many steps of work after each edge."""
    bench = Bench(balls={1: "B1", 2: "B3"})
    for number, (at_us, sensor, value) in enumerate(steps):
        while (wake_us := bench.tracker.wake_at_us) is not None and wake_us < at_us:
            bench.take(bench.tracker.advance(wake_us))
        if sensor == "release":
            bench.tracker.expect(value, at_us)
        else:
            bench.take(bench.tracker.feed(sensor, value, at_us))
        for _thought in range(pauses[number % len(pauses)] if pauses else 0):
            if not bench.tracker.think_ahead():
                break
    bench.quiet()
    return bench.live, bench.settled


PAUSES = st.lists(st.integers(0, 40), min_size=1, max_size=7)
SEEDS = st.integers(0, 2**32)


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=3, deadline=None)
@given(SEEDS, PAUSES)
def test_the_answer_does_not_depend_on_idle_time(seed, pauses):
    """The same edges give the same facts, verdicts and questions, however much is thought in between."""
    steps = hurried(seed, 24)
    assert settled_with(steps, pauses) == settled_with(steps, [])


@nightly("hundreds of pulses, several times over", meanwhile="test_the_answer_does_not_depend_on_idle_time")
@settings(max_examples=4, deadline=None)
@given(SEEDS, PAUSES)
def test_in_a_long_hurried_roll_neither(seed, pauses):
    """Nor with so many pulses waiting that fewer accounts are kept, and the oldest are told at once."""
    steps = hurried(seed, 220)
    assert settled_with(steps, pauses) == settled_with(steps, [])
