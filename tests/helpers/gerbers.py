"""A board's archive for the house, as gerbonara reads it: shapes in mm, whose each piece of copper is."""

import math
import warnings
import zipfile
from collections import defaultdict

import gerbonara
import shapely
from gerbonara.graphic_objects import Region
from gerbonara.graphic_primitives import Arc, Circle, Line
from helpers.places import ROOT
from shapely.geometry import LineString, Point, Polygon

__all__ = ["MIDDLE_MM", "copper", "opened", "shape"]

MIDDLE_MM = 100.0
"""Where a board's middle lies: at (100, -100), y up."""
POURED = "GND"


def opened(name, folder):
    """Unpack a board's archive and return its layers."""
    with zipfile.ZipFile(ROOT / "hardware" / "boards" / name / f"{name}-gerbers.zip") as archive:
        archive.extractall(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it dislikes how KiCad ends a drill file's head
        return gerbonara.LayerStack.open(folder)


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
