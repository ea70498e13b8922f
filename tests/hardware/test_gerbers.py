"""What is sent to the house, read by gerbonara, which knows nothing of KiCad or of us."""

import math
import tomllib
import warnings
import zipfile
from collections import defaultdict
from itertools import combinations

import pytest

pytest.importorskip("gerbonara", reason="gerbonara is not installed: make .venv/.dev")
pytest.importorskip("shapely", reason="shapely is not installed")

import gerbonara
import shapely
from gerbonara.graphic_objects import Region
from gerbonara.graphic_primitives import Arc, Circle, Line
from helpers.places import ROOT
from shapely.geometry import LineString, Point, Polygon

from bench.hardware.board_files import read_board

TOLD = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))
MADE = [name for name, one in TOLD.items() if one["made"]]
MIDDLE_MM = 100.0
POURED = "GND"
CLEARANCE_MM, EDGE_MM, VIA_DRILL_MM = 0.2, 0.3, 0.3


@pytest.fixture(scope="module", params=MADE)
def sent(request, tmp_path_factory):
    """A board's name and its archive as gerbonara reads it."""
    path = tmp_path_factory.mktemp(request.param)
    with zipfile.ZipFile(
        ROOT / "hardware" / "boards" / request.param / f"{request.param}-gerbers.zip"
    ) as archive:
        archive.extractall(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it dislikes how KiCad ends a drill file's head
        return request.param, gerbonara.LayerStack.open(path)


def shape(primitive):
    """Return a plotted thing as a polygon in mm."""
    if isinstance(primitive, Circle):
        return Point(primitive.x, primitive.y).buffer(primitive.r)
    if isinstance(primitive, Line):
        return LineString([(primitive.x1, primitive.y1), (primitive.x2, primitive.y2)]).buffer(
            primitive.width / 2
        )
    if isinstance(primitive, Arc):
        middle = primitive.cx, primitive.cy
        turn = math.atan2(primitive.y1 - middle[1], primitive.x1 - middle[0])
        end = math.atan2(primitive.y2 - middle[1], primitive.x2 - middle[0])
        swept = (turn - end if primitive.clockwise else end - turn) % math.tau or math.tau
        reach = math.hypot(primitive.x1 - middle[0], primitive.y1 - middle[1])
        steps = [turn + (-1 if primitive.clockwise else 1) * swept * step / 24 for step in range(25)]
        spots = [(middle[0] + reach * math.cos(at), middle[1] + reach * math.sin(at)) for at in steps]
        return LineString(spots).buffer(primitive.width / 2)
    return Polygon(primitive.to_arc_poly().outline).buffer(
        0
    )  # rounded pads are plotted as straight parts and circles


def copper(layer):
    """Return the copper of a layer by net; pads without a net are each their own."""
    found = defaultdict(list)
    for thing in layer.objects:
        # gerbonara forgets whose a region is; only poured copper is plotted as one.
        names = {".N": (POURED,)} if isinstance(thing, Region) else thing.attrs
        (net,) = names[".N"]
        whose = ".".join((*names[".P"], f"{thing.x}")) if net == "N/C" else net
        found[whose] += [shape(one) for one in thing.to_primitives("mm")]
    return {net: shapely.union_all(shapes) for net, shapes in found.items()}


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
