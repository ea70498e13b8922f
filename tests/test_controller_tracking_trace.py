"""Traces: reading, writing, mistakes, and the example in the documentation."""

from pathlib import Path

import pytest
from hextraction.board.facts import RollSettled
from hextraction.controller.tracking.trace import TraceError, facts_of, read_trace, write_trace
from trackbench import BOARD, STRAIGHT, way

CATALOGUE = {"straight": STRAIGHT}
HEADER = (
    '{"trace":1,"board":"standard-22","instruments":"lean","tiles":{"B1":["straight",3]},"balls":{"4":"B1"}}'
)
EDGE = '{"at_us":5,"sensor":"ball.B1","active":true}'
DOCUMENT = (Path(__file__).parent.parent / "docs" / "trace.md").read_text()


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


def test_sensors_may_be_listed_one_by_one():
    """A board need not have one of the three sets."""
    trace = read_trace(['{"trace":1,"board":"standard-22","instruments":["ball.B1","ramp.L1"]}'], {})

    assert trace.sensors == ("ball.B1", "ramp.L1")
    assert read_trace(write_trace(trace), {}) == trace


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
