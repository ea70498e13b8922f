"""What bounds the tracker (bench/bounds): the parts that only reckon."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.places import ROOT
from hextraction.board.facts import BallEntered, BallLeft, BallReleased
from hextraction.board.profile import load_board
from hextraction.controller.evaluation.verdict import Ground, Verdict
from hextraction.simulator.story import Cover
from hypothesis import given
from hypothesis import strategies as st

from bench.bounds.confusion import INVENTED, SORTS, sort_of
from bench.bounds.evidence import Chances, Pulse, evidence_of, fit, unexplained
from bench.bounds.lift import crossings, without_looks
from bench.bounds.oracle import Guess, believe, disagreement, guessed, least_error, sharpest, silent_right
from bench.bounds.records import Record, append, read
from bench.bounds.telling import oracle_tables, sensor_tables
from bench.bounds.tracked import sort_of_roll
from bench.bounds.watch import parts_of

CHANCES = Chances(miss=0.03, ghosts=1.0, sensors=129)


def pulses(*spans_ms):
    """Return pulses from pairs of milliseconds; an end of None is still on."""
    return tuple(Pulse(on * 1000, None if off is None else off * 1000) for on, off in spans_ms)


def likelihood(seen, true, tolerance=1.0):
    """Return how well a world's pulses explain those seen, the first ball being let go after 3 s."""
    return fit(seen, true, CHANCES, tolerance=tolerance, from_us=3_000_000)


def verdict(*, loops=(), lost=(), triggers=(), won=False, **balls):
    """Return a verdict in a few words."""
    return Verdict(
        loops=frozenset(loops),
        lost=tuple(lost),
        triggers=tuple(triggers),
        won=won,
        balls=tuple(balls.items()),
    )


def told(setup, sure, right, truth=1.0):
    """Return a guess."""
    return Guess(setup=setup, sure=sure, right=right, truth=truth)


# --- evidence ---


class Trace:
    """As much of a trace as evidence is taken from."""

    def __init__(self, *edges_ms):
        self.edges = [Edge(at * 1000, sensor, active) for at, sensor, active in edges_ms]


class Edge:
    def __init__(self, at_us, sensor, active):
        self.at_us, self.sensor, self.active = at_us, sensor, active


def test_evidence_is_the_pulses_of_each_sensor():
    """A split pulse is one, one that stays on has no end, and what was on at the start begins at 0."""
    trace = Trace(
        (0, "ball.A1", True), (3010, "edge.B1.3", True), (3014, "edge.B1.3", False), (3016, "edge.B1.3", True),
        (3030, "edge.B1.3", False), (3050, "edge.B1.3", True), (3400, "ball.A1", False),
    )  # fmt: skip

    assert evidence_of(trace) == {
        "ball.A1": pulses((0, 3400)),
        "edge.B1.3": pulses((3010, 3030), (3050, None)),
    }


def test_the_same_pulses_fit_better_than_late_longer_missed_or_invented_ones():
    """Whatever is changed of a world's pulses makes it fit less well."""
    true = {"edge.B1.3": pulses((3100, 3120), (3500, 3600)), "ball.C1": pulses((3200, None))}
    best = likelihood(true, true)

    others = (
        {**true, "edge.B1.3": pulses((3150, 3170), (3500, 3600))},
        {**true, "edge.B1.3": pulses((3100, 3170), (3500, 3600))},
        {**true, "edge.B1.3": pulses((3100, 3120))},
        {**true, "ball.C1": pulses((3200, 3400))},
        {**true, "ball.A4": pulses((3300, 3320))},
    )
    assert [likelihood(other, true) < best - 2 for other in others] == [True] * 5


def test_a_miss_costs_what_three_in_a_hundred_cost():
    """A pulse of the world that nobody saw costs the logarithm of its chance, and nothing else."""
    assert likelihood({}, {"edge.B1.3": pulses((3100, 3120))}) == pytest.approx(-3.507, abs=0.001)


def test_later_pulses_may_be_farther_off():
    """Two worlds drift apart: 40 ms are much just after the release, and little two seconds later."""
    early, late = pulses((3100, 3120)), pulses((5000, 5020))
    off = pulses((3140, 3160)), pulses((5040, 5060))

    def loss(seen, true):
        return likelihood({"x": true}, {"x": true}) - likelihood({"x": seen}, {"x": true})

    assert loss(off[0], early) > 2
    assert loss(off[1], late) < 0.1


def test_a_wider_tolerance_forgives_more():
    """The same difference costs less if worlds stand for a wider neighbourhood."""
    seen, true = {"x": pulses((3160, 3180))}, {"x": pulses((3100, 3120))}
    same = likelihood(true, true, 4.0) - likelihood(seen, true, 4.0)

    assert 0 < same < likelihood(true, true) - likelihood(seen, true)


@given(st.lists(st.tuples(st.integers(3000, 6000), st.integers(8, 200)), max_size=4))
def test_numbers_of_pulses_cost_nothing_if_they_are_the_same(spans):
    """A world with as many pulses of each sensor is always looked at."""
    some = {"edge.B1.3": pulses(*[(on, on + length) for on, length in sorted(spans)])}

    assert unexplained(some, some, CHANCES) == 0
    assert unexplained(some, {}, CHANCES) == pytest.approx(8.958 * len(spans), abs=0.01)
    assert unexplained({}, some, CHANCES) == pytest.approx(3.507 * len(spans), abs=0.01)


# --- oracle ---


def test_worlds_that_fit_are_added_up_by_verdict():
    """Three worlds that fit alike, two of them with one verdict, and a fourth that does not fit."""
    belief = believe([-5.0, -5.0, -5.0, -60.0], ["loop", "loop", "none", "other"])

    assert belief.shares[0] == ("loop", pytest.approx(2 / 3))
    assert belief.worlds == pytest.approx(3)
    assert belief.share_of("none") == pytest.approx(1 / 3)
    assert belief.share_of("never seen") == 0


def test_few_worlds_that_agree_are_no_proof():
    """One world that fits is a coin's toss; a hundred that agree are nearly sure."""
    assert believe([0.0], ["loop"]).sure == pytest.approx(1 / 2)
    assert believe([0.0] * 100, ["loop"] * 100).sure == pytest.approx(100 / 101)


def test_the_sharpest_look_that_enough_worlds_share_is_taken():
    """A look that only three worlds survive is passed over; the last one is taken whatever it is."""
    few, many = believe([0.0] * 3, ["few"] * 3), believe([0.0] * 30, ["many"] * 30)

    assert sharpest([lambda: few, lambda: many, lambda: few]) is many
    assert sharpest([lambda: few, lambda: few]) is few


@given(st.floats(0, 0.5))
def test_the_least_error_is_below_what_the_best_guess_errs(error):
    """A coin that falls on its rarer side ``error`` of the time: two throws differ in 2 e (1 - e) of cases."""
    disagree = 2 * error * (1 - error)

    assert disagree / 2 - 1e-9 <= least_error(disagree) <= error + 1e-9


def test_how_often_lookalikes_differ_is_what_the_truth_was_not_given():
    """Rolls in which the truth was thought 100, 60 and 80 per cent likely: a look-alike differs in 20 %."""
    guesses = [told(1, 1.0, right=True, truth=share) for share in (1.0, 0.6, 0.8)]

    assert disagreement(guesses) == pytest.approx(0.2)


def test_a_guess_is_right_if_the_likeliest_verdict_is_true():
    """Being right and how likely the truth was thought are two things."""
    belief = believe([0.0, 0.0, 0.0], ["loop", "loop", "none"])

    assert guessed(belief, "loop", 7).right
    assert not guessed(belief, "none", 7).right
    assert guessed(belief, "none", 7).truth == pytest.approx(1 / 3)
    assert guessed(belief, "none", 7).setup == 7


def test_who_may_ask_asks_about_the_least_sure_rolls():
    """Of four rolls the one that is wrong is the least sure: who may ask about a quarter is always right."""
    guesses = [told(n, sure, right=right) for n, sure, right in
               ((1, 0.99, True), (2, 0.5, False), (3, 0.8, True), (4, 0.9, True))]  # fmt: skip

    assert (silent_right(guesses, 0.0).hits, silent_right(guesses, 0.0).of) == (3, 4)
    assert (silent_right(guesses, 0.25).hits, silent_right(guesses, 0.25).of) == (3, 3)


# --- confusion ---


@pytest.mark.parametrize(
    ("one", "other", "sort"),
    [
        (verdict(A1=1), verdict(B1=1), "which of two slots, no beam on between them"),
        (verdict(C2=1), verdict(C3=1), "which side of a covered beam"),
        (verdict(A1=1), verdict(lost=["A1"]), "rests, or was lost"),
        (verdict(lost=["A1"]), verdict(lost=["A2"]), "over which tile a ball left"),
        (verdict(A1=1), verdict(A1=2), "one ball more or fewer on tiles"),
        (verdict(loops=["A1"], B1=1), verdict(B1=1), "a third touch"),
        (verdict(triggers=[("A1", 2)]), verdict(triggers=[("A1", 1)]), "how often a trigger rang"),
        (verdict(won=True), verdict(), "a win"),
        (verdict(loops=["A1"]), verdict(loops=["A1"]), "nothing"),
        (verdict(loops=["A1"], A1=1), verdict(B1=1), "which of two slots, no beam on between them"),
    ],
)
def test_two_verdicts_differ_in_one_sort_of_thing(one, other, sort):
    """Where balls ended comes first; a beam that is on between two slots makes it another sort."""
    covered = {frozenset({"C2", "C3"})}

    assert sort_of(one, other, covered) == sort_of(other, one, covered) == sort
    assert sort in SORTS


class Tracked:
    """As much of the tracker's account as its sort is taken from."""

    def __init__(self, *facts):
        self.facts, self.missing = facts, ()


class Roll:
    """As much of a labelled roll as its sort is taken from: one gate was opened, one tile has a ball on it."""

    def __init__(self, *, releases):
        board = load_board()
        self.trace = SimpleNamespace(releases=["a gate"] * releases, edges=[], board=board)
        self.ground = Ground(tiled=frozenset({"B1", "B2"}), triggers=frozenset(), balls={})


@pytest.mark.parametrize(("releases", "sort"), [(1, INVENTED), (2, "one ball more or fewer on tiles"),
                                                (0, "one ball more or fewer on tiles")])  # fmt: skip
def test_a_ball_beyond_the_gates_that_were_opened_is_a_sort_of_its_own(releases, sort):
    """Without announced releases nobody can say that a ball was let go by nobody."""
    first = [BallReleased(at_us=0, ball=1, ramp="L1"), BallEntered(at_us=1, ball=1, slot="B1")]
    second = [BallReleased(at_us=2, ball=2, ramp="L2"), BallEntered(at_us=3, ball=2, slot="B1")]

    assert sort_of_roll(Roll(releases=releases), Tracked(*first, *second), first) == sort
    assert sort_of_roll(Roll(releases=releases), Tracked(*first), [*first, *second]) == sort


# --- sensors ---


def parts_on(x_mm, y_mm):
    """Return the parts of a slot that see a ball there."""
    return {part.name for part in parts_of("A1", 0.0, 0.0, 50.0) if part.off_mm(x_mm, y_mm) < 0}


def test_a_second_beam_is_covered_as_soon_as_an_arrival_counts():
    """A ball that comes down over edge 1: 2.4 mm inside nothing sees it, 2.6 mm inside its inner beam does."""
    assert parts_on(0.0, -22.6) == set()
    assert parts_on(0.0, -22.4) == {"inner.A1.1"}


def test_the_wide_hall_sees_a_ball_from_where_no_beam_does():
    """The ball Hall sees 8 mm about the middle, the wide one 19.5, three small ones see beside the middle."""
    assert {"near.A1", "whole.A1"} <= parts_on(0.0, 7.9)
    assert parts_on(0.0, 14.0) >= {"whole.A1", "three.A1.1"}
    assert "near.A1" not in parts_on(0.0, 14.0)
    assert "whole.A1" not in parts_on(0.0, 19.6)


def test_a_crossing_is_two_facts_of_one_moment_in_any_order():
    """An arrival without a departure beside it, as from a ramp, crosses no beam between slots."""
    over = {frozenset({"A1", "B1"}): "edge.A1.3"}
    facts = [
        BallEntered(at_us=50, ball=1, slot="A1"),
        BallEntered(at_us=900_000, ball=1, slot="B1"),
        BallLeft(at_us=900_001, ball=1, slot="A1"),
        BallLeft(at_us=2_000_000, ball=1, slot="B1"),
    ]

    assert crossings(facts, over, 1_000_000) == {"edge.A1.3": [1_900_000]}


def test_looks_into_a_mouth_are_left_out_and_balls_that_lie_there_are_not():
    """Of three pulses of a beam the first is a look, the second a crossing, and the third does not end."""
    over = {frozenset({"A1", "B1"}): "edge.A1.3"}
    facts = [BallLeft(at_us=450, ball=1, slot="A1"), BallEntered(at_us=450, ball=1, slot="B1")]
    look, crossing, lies = [
        [Cover(on, "edge.A1.3", active=True), *([Cover(off, "edge.A1.3", active=False)] if off else [])]
        for on, off in ((100, 200), (400, 500), (700, None))
    ]
    other = Cover(150, "ball.A1", active=True)

    kept = without_looks([*look, other, *crossing, *lies], over, facts, 0)

    assert sorted(kept) == sorted([other, *crossing, *lies])


# --- tables ---


def record(setup, **changes):
    """Return a roll that both got right in silence."""
    right = told(setup, 0.99, right=True)
    return Record(**{"balls": 1, "sensors": "rich", "setup": setup, "oracle": right, "fewer": right,
                     "tracker": right, "after": True, **changes})  # fmt: skip


def test_records_are_read_as_they_were_kept(tmp_path):
    """Several runs add to one file; no file is no records."""
    path = tmp_path / "rolls.jsonl"
    assert read(path) == []

    append(path, [record(1)])
    append(path, [record(2, sort="a third touch", asked=True)])

    assert read(path) == [record(1), record(2, sort="a third touch", asked=True)]


def test_the_tables_tell_what_the_oracle_knew_and_the_tracker_did_not():
    """One roll of four wrong in silence, in a third touch, of which the oracle was sure."""
    wrong = record(4, tracker=told(4, 0.95, right=False), after=False, sort="a third touch", helped=False)
    lines = list(oracle_tables([record(1), record(2), record(3), wrong]))

    known = next(line for line in lines if line.startswith("1 ") and "0.0 -> 0.0" in line)
    assert "0.0 [0.0-49.0]" in known
    assert any("75.0 [" in line for line in lines)
    assert lines[-1].split() == ["a", "third", "touch", "0", "0", "1", "0", "1"]


def test_the_table_of_sensors_keeps_the_order_in_which_they_were_tried():
    """Rolls without an oracle are gathered by sensors."""
    plain = [record(n, oracle=None, sensors=name) for n in (1, 2) for name in ("rich", "no ghosts", "lean")]
    lines = list(sensor_tables(plain))

    assert [line.split("  ")[3].strip() or line for line in lines[2:5]]
    order = [name for line in lines for name in ("rich", "no ghosts", "lean") if f"  {name}  " in line]
    assert order == ["rich", "no ghosts", "lean"]


@pytest.mark.slow
def test_the_bench_guesses_at_a_board_and_hears_it_otherwise(tmp_path):
    """All commands run and print their tables; two keep their rolls, one follows kept ones afresh."""
    kept = str(tmp_path / "rolls.jsonl")
    for what, more, heading in (
        (
            "oracle",
            ("--balls", "1", "--setups", "1", "--rolls", "1", "--many", "60"),
            "What can be known from the pulses",
        ),
        (
            "oracle",
            ("--worlds", "rails itself", "--balls", "1", "--setups", "1", "--rolls", "1", "--many", "60"),
            "The tracker on the same rolls",
        ),
        ("again", (), "The tracker on the same rolls"),
        ("sensors", ("--balls", "1", "--rolls", "1", "--stay", "1"), "The tracker through other sensors"),
    ):
        command = [sys.executable, "-m", "bench.bounds.measure", what, "--keep", kept, *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=ROOT)

        assert done.returncode == 0, done.stderr
        assert heading in done.stdout
    assert len(read(Path(kept))) == 3 + 3 + 9
