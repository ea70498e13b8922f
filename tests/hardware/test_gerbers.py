"""What is sent to the house, read by gerbonara, which knows nothing of KiCad or of us."""

import tomllib
from itertools import combinations

import pytest

pytest.importorskip("gerbonara", reason="gerbonara is not installed: make .venv/.dev")
pytest.importorskip("shapely", reason="shapely is not installed")

import shapely
from helpers.gerbers import MIDDLE_MM, copper, opened, shape
from helpers.places import ROOT
from shapely.geometry import Polygon

from bench.hardware.board_files import read_board

pytestmark = pytest.mark.slow

TOLD = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))
MADE = [name for name, one in TOLD.items() if one["made"]]
CLEARANCE_MM, EDGE_MM, VIA_DRILL_MM = 0.2, 0.3, 0.3


@pytest.fixture(scope="module", params=MADE)
def sent(request, tmp_path_factory):
    """A board's name and its archive as gerbonara reads it."""
    return request.param, opened(request.param, tmp_path_factory.mktemp(request.param))


def outline(name):
    """Return the outline that was asked for, where gerbers have it: y points up, the middle lies at 100, -100."""
    return Polygon([(MIDDLE_MM + x, -MIDDLE_MM - y) for x, y in TOLD[name]["outline_mm"]])


def test_the_edge_is_as_large_as_was_asked_for(sent):
    """To the width of its line."""
    name, stack = sent
    (left, low), (right, high) = stack.outline.bounding_box(unit="mm")
    assert (left, low, right, high) == pytest.approx(outline(name).bounds, abs=0.03)


def test_drills_are_those_of_the_boards_pads_and_vias(sent):
    """Each at its place with its diameter, and none beside."""
    name, stack = sent
    board = read_board(name)
    wanted = {(round(pad.x_mm, 2), round(-pad.y_mm, 2), pad.drill_mm) for pad in board.pads if pad.drill_mm}
    wanted |= {
        (round(one.start[1], 2), round(-one.start[2], 2), VIA_DRILL_MM)
        for one in board.copper
        if not one.width_mm
    }
    drilled = {
        (round(hole.x, 2), round(hole.y, 2), hole.tool.diameter)
        for layer in stack.drill_layers
        for hole in layer.objects
    }
    assert drilled == wanted


@pytest.mark.parametrize("side", ["top", "bottom"])
def test_copper_keeps_its_distance(sent, side):
    """From other nets 0.2 mm, from the edge, holes and windows 0.3, measured between what is plotted."""
    name, stack = sent
    nets = copper(stack.graphic_layers[side, "copper"])
    near = [
        (one, other)
        for one, other in combinations(sorted(nets), 2)
        if nets[one].distance(nets[other]) < CLEARANCE_MM - 0.002
    ]
    assert near == []
    edge = shapely.union_all(
        [shape(one) for thing in stack.outline.objects for one in thing.to_primitives("mm")]
    )
    plotted = shapely.union_all(list(nets.values()))
    assert plotted.within(outline(name))
    assert plotted.distance(edge) >= EDGE_MM - 0.03
