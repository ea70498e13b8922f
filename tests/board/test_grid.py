"""The hex grid: edges 1..6 clockwise from the top, with the neighbour on the other side of each."""

import doctest
import importlib
import math

import pytest
from helpers.strategies import EDGE
from hextraction.board.grid import EDGE_NAMES, EDGES, edge_middle_mm, opposite, step_mm, turned
from hypothesis import given
from hypothesis import strategies as st

MODULES_WITH_EXAMPLES = [
    "board.facts",
    "board.grid",
    "board.instruments",
    "board.layout",
    "board.profile",
    "board.tiles",
    "controller.games.hextraction.cards.tiles",
    "settings",
    "settings.document",
    "settings.keys",
    "settings.lines",
]


@pytest.mark.parametrize("name", MODULES_WITH_EXAMPLES)
def test_the_examples_in_docstrings_are_true(name):
    """Each example in the docstrings of board and settings gives what it says."""
    outcome = doctest.testmod(importlib.import_module(f"hextraction.{name}"))
    assert outcome.failed == 0


def test_some_modules_do_have_examples():
    """Running the examples is not an empty gesture."""
    attempted = [
        doctest.testmod(importlib.import_module(f"hextraction.{name}")).attempted
        for name in MODULES_WITH_EXAMPLES
    ]
    assert sum(attempted) >= 7


def test_edges_are_numbered_clockwise_from_the_top():
    """Edge 1 is uphill, 4 downhill, 2 and 3 on the right, 5 and 6 on the left."""
    assert EDGES == (1, 2, 3, 4, 5, 6)
    assert [EDGE_NAMES[edge] for edge in EDGES] == [
        "top", "upper right", "lower right", "bottom", "lower left", "upper left",
    ]  # fmt: skip


@pytest.mark.parametrize(("edge", "other"), [(1, 4), (2, 5), (3, 6), (4, 1), (5, 2), (6, 3)])
def test_the_neighbour_calls_an_edge_by_its_opposite(edge, other):
    """What is edge 2 here is edge 5 over there."""
    assert opposite(edge) == other


@pytest.mark.parametrize(
    ("edge", "turns", "now"), [(1, 1, 2), (6, 1, 1), (1, 3, 4), (3, 5, 2), (4, 0, 4), (1, -1, 6), (2, 6, 2)]
)
def test_turning_is_clockwise(edge, turns, now):
    """One sixth of a turn carries the top edge to the upper right."""
    assert turned(edge, turns) == now


@given(edge=EDGE, there=st.integers(-12, 12))
def test_turning_back_undoes_turning(edge, there):
    """A tile turned and turned back points where it did."""
    assert turned(turned(edge, there), -there) == edge


@given(edge=EDGE)
def test_opposite_is_half_a_turn(edge):
    """Three sixths of a turn carry each edge to its opposite."""
    assert opposite(edge) == turned(edge, 3)
    assert opposite(opposite(edge)) == edge


@pytest.mark.parametrize(
    ("edge", "x_mm", "y_mm"),
    [(1, 0, -50), (2, 43.301, -25), (3, 43.301, 25), (4, 0, 50), (5, -43.301, 25), (6, -43.301, -25)],
)
def test_a_step_leads_one_pitch_over_the_edge(edge, x_mm, y_mm):
    """The x axis goes to the right and y goes downhill; columns are 43.3 mm apart at a pitch of 50 mm."""
    assert step_mm(edge, 50.0) == pytest.approx((x_mm, y_mm), abs=0.001)


@given(edge=EDGE, pitch_mm=st.floats(20, 100))
def test_an_edge_is_half_way_to_the_neighbour(edge, pitch_mm):
    """The middle of an edge is half a pitch from the middle of the slot."""
    assert math.hypot(*edge_middle_mm(edge, pitch_mm)) == pytest.approx(pitch_mm / 2)
    assert edge_middle_mm(edge, pitch_mm) == pytest.approx(
        tuple(part / 2 for part in step_mm(edge, pitch_mm))
    )
