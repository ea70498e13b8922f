"""What holds a slot bar: its ends lie on two tables with pegs, its magnet stands in a post below its Hall.

A carrier has these inside of its ring. Where there is no slot, a trough of their own is screwed below the gutter
of an end zone or below the ramps of a start zone. Drawn as the bar is: its Hall above (0, 0), x along it, y uphill.
"""

import math
from collections.abc import Iterator
from typing import Any

from build123d import Rot
from hextraction.board.design import load_design

from hardware.table import load_board

from .shapes import bore, box, prism

__all__ = ["bar_room", "ear_places", "lamp_wells", "magnet_post", "ramp_seat", "tables", "zone_seat"]

_TABLE_MM = (19.7, 22.4)
"""Where the ends of the bar lie: beyond its Hall for tiles, and still inside of the board's hole."""
_EAR_MM = 2.5
_BELOW_FLOOR_MM = 0.2
_PILOT_MM = 8.0
_CLEAR_MM = 0.1


def tables(low_mm: float, lies_mm: float) -> Any:
    """Return what stands so deep and carries both ends of a bar at a height, with a peg for each of its holes."""
    bar = load_design().printed.bar
    found = None
    for side in (-1, 1):
        near, far = sorted(side * one for one in _TABLE_MM)
        at = side * bar.peg_at_mm
        table = box((near, far), (-3.0, 3.0), (low_mm, lies_mm))
        table += bore(bar.peg_mm, (at, 0, lies_mm - 1), (at, 0, lies_mm + bar.thick_mm - 0.1))
        found = table if found is None else found + table
    return found


def magnet_post(low_mm: float, ball_mm: float) -> Any:
    """Return the post that holds the magnet of a bar whose ball lies so high, open above."""
    bar = load_design().printed.bar
    middle = _magnet_middle(ball_mm)
    x, floor, top = bar.magnet_aside_mm, middle - bar.magnet_thick_mm / 2, middle + bar.magnet_thick_mm / 2
    wide = bar.magnet_wide_mm + 0.2
    post = bore(wide + 2.8, (x, 0, low_mm), (x, 0, top - 1.0))
    return post - bore(wide, (x, 0, floor), (x, 0, top))


def zone_seat() -> Any:
    """Draw the trough below an end zone's gutter: the bar's Hall is as far below the ball as in a slot.

    Screws come from below. It is printed the same way up.
    """
    design = load_design()
    bar, ball, rim = design.printed.bar, _ball_in_zone(), design.frame.under_mm
    low = _magnet_middle(ball) - bar.magnet_thick_mm / 2 - design.printed.slot.trough_wall_mm
    body = _trough(low, rim, _lies_in_zone()) + magnet_post(low, ball)
    for x, y in ear_places():
        body -= bore(design.printed.screw_mm, (x, y, low - 1), (x, y, rim + 1))
    return body


def ramp_seat() -> Any:
    """Draw the trough below the ramps of a start zone, whose bar has lamps and no Hall; screws come from above."""
    prints = load_design().printed
    rim = prints.ramp.under_mm
    lies = rim - _BELOW_FLOOR_MM - prints.bar.thick_mm
    body = _trough(lies - prints.bar.plug_mm - prints.slot.trough_wall_mm, rim, lies)
    for x, y in ear_places():
        body -= bore(prints.pilot_mm, (x, y, rim - _PILOT_MM), (x, y, rim + 1))
    return body


def ear_places() -> Iterator[tuple[float, float]]:
    """Yield where a seat's two screws are: across a corner, so that it may be turned round."""
    x, y = load_design().printed.bar.ear_mm
    yield x, -y
    yield -x, y


def bar_room(low_mm: float) -> Any:
    """Return the bar's room below an end zone's floor, from so deep: a roof that needs no support."""
    design = load_design()
    prints = design.printed
    xs, ys = zip(*prints.bar.outline_mm, strict=True)
    end, half = max(xs) + prints.fit_mm, max(ys) + prints.fit_mm
    lean, ridge = math.tan(math.radians(prints.overhang_deg)), prints.zone.floor_mm - prints.bar.roof_mm
    # The slopes rise beside the bar already: above its edges they are just clear of it.
    eaves = _lies_in_zone() + prints.bar.thick_mm + _CLEAR_MM - prints.fit_mm / lean
    flat = half - (ridge - eaves) * lean
    right = [(half, low_mm), (half, eaves), (flat, ridge)]
    house = prism([*right, *[(-y, z) for y, z in reversed(right)]], -end, end)
    return Rot(0, 0, 90) * (Rot(90, 0, 0) * house)


def lamp_wells(low_mm: float, high_mm: float) -> Any:
    """Return the wells through which a bar's lamps shine, from one height to another."""
    half = load_design().printed.bar.well_mm / 2
    found = None
    for left, top, right, bottom in load_board("slot_bar").windows():
        x, y = (left + right) / 2, -(top + bottom) / 2
        well = box((x - half, x + half), (y - half, y + half), (low_mm, high_mm))
        found = well if found is None else found + well
    return found


def _trough(low_mm: float, rim_mm: float, lies_mm: float) -> Any:
    """Return floor, two walls up to the rim, tables, and ears for screws; cables leave at both ends."""
    slot, end = load_design().printed.slot, _TABLE_MM[1]
    half, wall = slot.trough_mm / 2, slot.trough_wall_mm
    body = box((-end, end), (-half, half), (low_mm, rim_mm))
    body -= box((-end - 1, end + 1), (wall - half, half - wall), (low_mm + wall, rim_mm + 1))
    for x, y in ear_places():
        near, far = sorted((math.copysign(half - wall, y), y + math.copysign(_EAR_MM, y)))
        body += box((x - _EAR_MM, x + _EAR_MM), (near, far), (low_mm, rim_mm))
    return body + tables(low_mm, lies_mm)


def _ball_in_zone() -> float:
    design = load_design()
    return design.printed.zone.floor_mm + design.ball.diameter_mm / 2


def _lies_in_zone() -> float:
    """Return the bar's underside in an end zone, whose floor is not as high as a tile's."""
    design = load_design()
    bar = design.printed.bar
    return bar.top_mm - bar.thick_mm + design.printed.zone.floor_mm - design.frame.floor_mm


def _magnet_middle(ball_mm: float) -> float:
    bar = load_design().printed.bar
    return ball_mm - bar.chip_mm - bar.magnet_deep_mm
