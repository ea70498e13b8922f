"""What must hold for any edges whatever."""

from hextraction.board.instruments import instruments
from hypothesis import given, settings
from hypothesis import strategies as st
from trackbench import ALL_UNKNOWN, BOARD, Bench, check_books

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
    balls = {ball: slot for ball, slot in {1: "B2", 2: "A2"}.items() if slot not in opened}
    bench = Bench(which, tiles={s: laid for s, laid in ALL_UNKNOWN.items() if s not in opened}, balls=balls)
    at_ms = 1000
    for ramp in gates:
        bench.tracker.expect(ramp, at_ms * 1000)
    for sensor, active, step_ms in edges:
        at_ms += step_ms
        bench.take(bench.tracker.feed(sensor, active, at_ms * 1000))
    bench.quiet()
    return bench, balls


@settings(max_examples=60, deadline=None)
@given(EDGES, OPEN, GATES, st.sampled_from(["basic", "lean", "rich"]))
def test_any_edges_give_consistent_facts_and_conserve_balls(edges, opened, gates, which):
    """Facts are in order, a ball leaves only where it was, and at each quiet every ball is in one place."""
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
    assert [fact.at_us for fact in bench.live] == sorted(fact.at_us for fact in bench.live)
    assert not bench.tracker.moving


@settings(max_examples=25, deadline=None)
@given(EDGES, OPEN)
def test_the_same_edges_give_the_same_facts(edges, opened):
    """Nothing but the calls decides."""
    one, _balls = play(edges, opened, [])
    two, _balls = play(edges, opened, [])
    assert one.live == two.live
    assert one.settled == two.settled


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
