"""Traces: reading, writing, mistakes, and the example in the documentation."""

import json
import pickle

import pytest
from helpers.places import ROOT
from helpers.trackbench import BOARD, STRAIGHT, way
from hextraction.board.facts import RollSettled
from hextraction.controller.tracking import Tracker
from hextraction.controller.tracking.trace import (
    TraceEdge,
    TraceError,
    begins_trace,
    facts_of,
    limits_of,
    read_trace,
    split_traces,
    take,
    write_trace,
)

CATALOGUE = {"straight": STRAIGHT}
HEADER = (
    '{"trace":1,"board":"standard-22","instruments":"lean","tiles":{"B1":["straight",3]},"balls":{"4":"B1"}}'
)
EDGE = '{"at_us":5,"sensor":"ball.B1","active":true}'
DOCUMENT = (ROOT / "docs" / "trace.md").read_text()


def problems_of(*lines):
    """Return what is wrong with these lines."""
    with pytest.raises(TraceError) as caught:
        read_trace(lines, CATALOGUE)
    return caught.value.problems


def test_a_trace_reads_as_it_was_written():
    """Header and edges come back."""
    trace = read_trace([HEADER, "", EDGE], CATALOGUE)

    assert trace.board is BOARD
    assert trace.tiles["B1"].turns == 3
    assert trace.balls == {4: "B1"}
    assert trace.edges[0].sensor == "ball.B1"
    assert read_trace(write_trace(trace), CATALOGUE) == trace
    assert list(write_trace(trace)) == [HEADER, EDGE]


def test_a_time_that_no_reader_can_hold_is_refused():
    """Beyond 2 to the 53rd a number of JSON may become another one; before zero there is no time."""
    far = EDGE.replace("5", str(2**53 + 1))
    gate = '{"at_us":9007199254740993,"release":"L1"}'
    found = problems_of(HEADER, EDGE, far, gate, EDGE.replace("5", "-1"))

    assert [problem.split(":")[0] for problem in found] == ["line 3", "line 4", "line 5"]
    assert "<= 9007199254740992" in found[0]
    latest = EDGE.replace("5", str(2**53))
    assert read_trace([HEADER, latest], CATALOGUE).edges[0].at_us == 2**53


def test_sensors_may_be_listed_one_by_one():
    """A board need not have one of the three sets."""
    trace = read_trace(['{"trace":1,"board":"standard-22","instruments":["ball.B1","ramp.L1"]}'], {})

    assert trace.sensors == ("ball.B1", "ramp.L1")
    assert read_trace(write_trace(trace), {}) == trace


@pytest.mark.parametrize(("at_us", "moves"), [(0, False), (5, True)])
def test_what_is_on_from_the_start_has_a_ball_before_it_and_what_comes_on_later_sees_one(at_us, moves):
    """At 0 a beam beside a ball that lies there is covered by it; a moment later something moves."""
    trace = read_trace([HEADER.replace("lean", "rich")], CATALOGUE)
    tracker = Tracker(BOARD, trace.sensors)
    tracker.lay(trace.tiles)
    tracker.put_balls(trace.balls)
    take(tracker, TraceEdge(at_us=at_us, sensor="edge.B1.4", active=True))

    assert (tracker.wake_at_us is not None) is moves


@pytest.mark.parametrize("line", ['{"trace":1,', '{ "trace" : 1, oops', '\t{"trace"\t:'])
def test_a_broken_first_line_begins_a_trace_all_the_same(line):
    """What follows it belongs to no other trace."""
    assert begins_trace(line)
    assert list(split_traces([HEADER, EDGE, line, EDGE])) == [(1, [HEADER, EDGE]), (3, [line, EDGE])]


def test_every_mistake_is_reported_with_its_line():
    """One reading finds all of them."""
    found = problems_of(
        '{"trace":2,"board":"standard-22","instruments":["ball.Z9"],"tiles":{"B1":["nope",0],"B2":["straight",9]},'
        '"balls":{"x":"B1"},"colour":1}',
        EDGE,
        '{"at_us":3,"sensor":"ball.B1","active":false}',
        "not json",
        '{"at_us":9,"sensor":"ball.B1"}',
    )

    assert [problem.split(":")[0] for problem in found] == ["line 1"] * 6 + ["line 3", "line 4", "line 5"]
    assert any("colour: unknown key" in problem for problem in found)
    assert any("nope" in problem for problem in found)


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        ([], "header"),
        (["[1]"], "header"),
        (['{"trace":1,"board":"atlantis"}'], "atlantis"),
        (['{"trace":1,"board":"standard-22","instruments":"golden"}'], "golden"),
        (['{"trace":1,"board":"standard-22","tiles":[],"balls":[]}'], "tiles"),
    ],
)
def test_a_wrong_header_says_what_was_expected(lines, word):
    """The message names what was found."""
    assert any(word in problem for problem in problems_of(*lines))


def test_the_example_in_the_documentation_does_what_it_says():
    """The trace in docs/trace.md settles as told there."""
    lines = DOCUMENT.split("```jsonl\n")[1].split("```")[0].splitlines()
    *live, settled = facts_of(read_trace(lines, {}))

    assert way(live) == ["released L2", "entered B1", "left B1", "entered B2"]
    assert isinstance(settled, RollSettled)
    assert settled.at_us == 3_215_000
    assert f'"probability":{settled.probability:.2f}' in DOCUMENT
    for fact in settled.facts:
        assert f'"at_us":{fact.at_us},"ball":1' in DOCUMENT


def test_announced_releases_are_read_written_and_told():
    """A line of release stands among the edges; with it the ball that no beam saw is on its ramp."""
    release = '{"at_us":1000000,"release":"L2"}'
    later = '{"at_us":4000000,"sensor":"ramp.R1","active":true}'
    trace = read_trace([HEADER, EDGE, release, later], CATALOGUE)
    *_live, settled = facts_of(read_trace([HEADER, release], CATALOGUE))

    assert trace.releases[0].release == "L2"
    assert list(write_trace(trace)) == [HEADER, EDGE, release, later]
    assert way(settled.facts) == ["released L2", "stuck L2"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"at_us":9,"release":"X9"}', "line 3: release: want one of L1, L2"),
        ('{"at_us":1,"release":"L1"}', "line 3: at_us goes back from 5 to 1"),
        ('{"at_us":9,"release":"L1","ball":2}', "line 3: "),
    ],
)
def test_a_wrong_release_is_a_mistake_with_its_line(line, said):
    """A ramp that the board has not, a time that goes back, a key too many."""
    assert problems_of(HEADER, EDGE, line)[0].startswith(said)


def header(**more):
    """Return a first line with B1 and B2 tiled."""
    tiles = {"B1": ["straight", 3], "B2": ["straight", 0]}
    return json.dumps({"trace": 1, "board": "standard-22", "tiles": tiles, **more})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (header(balls={"1": "B1", "01": "B2"}), "balls.01: want a number from 1"),
        (header(balls={"9" * 5000: "B1"}), "want a number from 1 to 999999999"),
        (header(balls={"٣": "B1"}), "balls.٣: want a number from 1"),
        (header(balls={"1": "E4"}), "balls.1: want a slot with a tile, found E4, which is open"),
        (header(tiles={"B1": ["straight", True]}), "tiles.B1: want a slot: [tile, turns 0..5]"),
        (header(trace=True), "trace: want 1, found True"),
        (
            header(instruments=["ball.B1", "ramp.L1", "ball.B1"]),
            "instruments: want each sensor once, found 'ball.B1'",
        ),
        (header(instruments=[7]), "instruments: want names of sensors, found 7"),
        (header()[:-1] + ',"balls":{"1":"B1","1":"B2"}}', "want each key once, found '1' twice"),
        ('{"trace":1,"board":' + "[" * 200_000, "nested too deeply"),
        (
            '{"trace":1,"board":"standard-22","tiles":' + "[" * 100_000 + "]" * 100_000 + "}",
            "nested too deeply",
        ),
    ],
)
def test_a_header_that_is_not_meant_so_is_refused_in_one_short_line(line, said):
    """What could be taken in two ways, or would end in our own mistake later, is a mistake of line 1."""
    (problem,) = problems_of(line, EDGE)
    assert problem.startswith("line 1: ")
    assert said in problem
    assert len(problem) < 150


def test_a_key_that_stands_twice_in_an_edge_is_a_mistake():
    """Of two times nobody can say which is meant."""
    (problem,) = problems_of(HEADER, '{"at_us":5,"at_us":6,"sensor":"ball.B1","active":true}')
    assert problem == "line 2: want each key once, found 'at_us' twice"


def test_traces_begin_wherever_a_line_has_the_key_trace():
    """Keys come in any order, truth is passed over likewise, and empty lines before a trace belong to it."""
    mixed = json.dumps(json.loads(HEADER), sort_keys=True)
    truth = '{"about":"a roll","truth":{}}'
    parts = list(split_traces(["", mixed, EDGE, truth, mixed, EDGE]))

    assert [first for first, _part in parts] == [1, 5]
    assert [len(read_trace(part, CATALOGUE).edges) for _first, part in parts] == [1, 1]


def test_a_sensor_that_nobody_knows_may_have_any_name():
    """Even the name of a key."""
    edges = [f'{{"at_us":5,"sensor":"{name}","active":true}}' for name in ("release", "trace", "truth")]
    (_part,) = split_traces([HEADER, *edges])
    assert [edge.sensor for edge in read_trace([HEADER, *edges], CATALOGUE).edges] == [
        "release",
        "trace",
        "truth",
    ]


def test_mistakes_survive_the_way_from_another_process():
    """Each stays whole."""
    again = pickle.loads(pickle.dumps(TraceError(["line 1: no", "line 2: neither"])))  # noqa: S301 - our own
    assert again.problems == ("line 1: no", "line 2: neither")
    assert str(again) == "line 1: no\nline 2: neither"


def test_a_trace_knows_what_its_sensors_cannot_tell():
    """Without beams between slots balls can go round unseen; with all sensors nothing that counts is hidden."""
    lean, rich = read_trace([HEADER], CATALOGUE), read_trace([HEADER.replace("lean", "rich")], CATALOGUE)
    assert limits_of(lean)[0].startswith("A ball can go round between slots")
    assert limits_of(rich) == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (header(tiles={"Z9": ["straight", 0]}), ["tiles.Z9: want a slot: [tile, turns 0..5]"]),
        (header(tiles=[], balls=[]), ["tiles: want an object, found []", "balls: want an object, found []"]),
        (header(tiles=[], balls={"1": "B1"}), ["tiles: want an object, found []"]),
        (header(balls={"1": ["B1"]}), ["balls.1: want a number from 1 to 999999999 and a slot"]),
        (header(balls={"1": "Z9"}), ["balls.1: want a number from 1 to 999999999 and a slot"]),
        (header(zz=1, aa=1, mm=1), ["aa: unknown key", "mm: unknown key", "zz: unknown key"]),
        (header(truth={}), ["truth: unknown key"]),
        (header(**{"a\n": 1}), ["'a\\n': unknown key"]),
        (
            header(instruments=["drain.B1", "ball.B1", "drain.B1", "ball.B1"]),
            ["instruments: want each sensor once, found 'ball.B1'", "instruments: want each sensor once"],
        ),
    ],
)
def test_each_mistake_of_a_header_is_said_once_in_the_same_order(line, said):
    """What depends on something that is wrong is not a mistake of its own."""
    problems = problems_of(line, EDGE)

    assert len(problems) == len(said)
    for problem, begin in zip(problems, said, strict=True):
        assert problem.startswith(f"line 1: {begin}")


def test_a_header_that_names_no_sensors_means_all_of_them():
    """A board has what makes it rich unless somebody says that it has less."""
    assert read_trace([header()], CATALOGUE).which == "rich"


def test_mistakes_are_counted_from_the_first_line_of_the_trace_in_its_file():
    """Also that there is no header at all."""
    for lines, said in (
        (["", "[1]"], "line 8: want the header"),
        ([""], "line 7: want a header, found nothing"),
    ):
        with pytest.raises(TraceError, match=said):
            read_trace(lines, CATALOGUE, first=7)


@pytest.mark.parametrize("line", ['{"at_us":5,"sensor":"truth"', '{"at_us":5,"sensor":"trace"'])
def test_a_broken_line_is_a_mistake_whatever_it_mentions(line):
    """It is no word of what happened, which would be passed over, and begins no trace."""
    assert list(split_traces([HEADER, line])) == [(1, [HEADER, line])]
    (problem,) = problems_of(HEADER, line)
    assert problem.startswith("line 2: ")


def test_of_an_edge_with_a_key_too_many_or_one_twice_that_key_is_named():
    """Nothing is passed over in silence."""
    problems = problems_of(
        HEADER, EDGE.replace("true", 'true,"colour":1'), EDGE.replace("true", 'true,"sensor":"ball.B2"')
    )

    assert [problem.split(":")[0] for problem in problems] == ["line 2", "line 3"]
    assert "colour" in problems[0]
    assert "'sensor' twice" in problems[1]


def test_each_time_before_the_latest_so_far_goes_back():
    """Not only the first of them; the same time again does not."""
    lines = [EDGE.replace("5", at_us) for at_us in ("5", "1", "3", "5", "6")]

    assert problems_of(HEADER, *lines) == (
        "line 3: at_us goes back from 5 to 1",
        "line 4: at_us goes back from 5 to 3",
    )


def test_empty_lines_are_no_trace():
    """Neither alone nor after the last one."""
    assert list(split_traces(["", " "])) == []


def test_at_one_moment_a_release_comes_before_an_edge():
    """A gate opens before its ball is seen, in whichever order they were written down."""
    release = '{"at_us":5,"release":"L2"}'
    for lines in ([EDGE, release], [release, EDGE]):
        trace = read_trace([HEADER, *lines], CATALOGUE)
        assert [type(step).__name__ for step in trace.steps] == ["TraceRelease", "TraceEdge"]


def test_balls_that_lie_there_at_the_start_are_those_that_roll():
    """With the numbers that the header gives them."""
    on = '{"at_us":900000,"sensor":"edge.B1.4","active":true}'
    pulse = [on, on.replace("true", "false")]
    first, *_more = facts_of(read_trace([header(balls={"4": "B1"}), *pulse], CATALOGUE))

    assert (first.ball, first.slot) == (4, "B1")


def test_a_roll_is_over_before_what_is_announced_long_after_it():
    """Each settles by itself, when it has been quiet for two seconds."""
    early, late = (f'{{"at_us":{at_us},"release":"L2"}}' for at_us in (1_000_000, 20_000_000))
    facts = facts_of(read_trace([HEADER, early, late], CATALOGUE))

    assert [fact.at_us for fact in facts if isinstance(fact, RollSettled)] == [9_000_000, 28_000_000]


def test_a_sensor_that_is_off_at_the_start_is_covered_by_nobody():
    """When it goes on, something moves, though a ball lies beside it."""
    trace = read_trace([HEADER.replace("lean", "rich")], CATALOGUE)
    tracker = Tracker(BOARD, trace.sensors)
    tracker.lay(trace.tiles)
    tracker.put_balls(trace.balls)
    take(tracker, TraceEdge(at_us=0, sensor="edge.B1.4", active=False))
    take(tracker, TraceEdge(at_us=900_000, sensor="edge.B1.4", active=True))

    assert tracker.moving
