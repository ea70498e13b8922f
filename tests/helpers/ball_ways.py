"""The ways that a ball's middle takes on a board: over edges, off the board, down a slot, along ramps, into end zones.

From the board's table and the physics of a ball that rolls and falls, not from the drawings of printed parts. Around a
slot's middle x is to the right, y uphill; along an edge x along it, y outward.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from helpers.standing import Point, at_edge
from hextraction.board.design import load_design
from hextraction.board.escapement import GRAVITY_MM_S2
from hextraction.board.profile import Board, Slot

__all__ = ["Way", "speeds_mm_s", "ways"]

_CHANNEL_PLAY_MM = 1.4
"""A tile's channel has a round bottom, wider than a ball by so much on each side."""
_TILE_END_MM = -0.4
_BACK_END_MM = 1.8
"""The cup's back reaches so far out from the board's wall: over its edge and the tile's a slow ball rolls."""
_STEP_S = 1e-3
_AIR_MM = 0.05
"""So far above what it lies on the middle of a ball goes: meshes of round bodies have corners."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Where the middle of a ball goes, from what to what; ``over`` are slots whose tiles it rolls on."""

    name: str
    points: np.ndarray
    over: tuple[str, ...]


def speeds_mm_s(tilt_deg: float) -> tuple[float, ...]:
    """Return how quick balls leave the board that are tried; on steep slopes slow ones brush a beam board's lower arm.

    None is quicker than the last (docs/build.md).
    """
    slowest = 200.0 if tilt_deg <= 15 else 300.0 if tilt_deg <= 25 else 400.0
    return (slowest, 500.0, 800.0)


def ways(board: Board, tilt_deg: float, diameter_mm: float) -> Iterator[Way]:
    """Yield every way of a ball on a board of this tilt."""
    radius = diameter_mm / 2
    for slot in board.slots:
        middle = np.array((slot.x_mm, -slot.y_mm, 0))
        for number, points in enumerate(_down_the_slot(tilt_deg, radius)):
            yield Way(name=f"down {slot.name} {number}", points=points + middle, over=(slot.name,))
        for edge in range(1, 7):
            yield from _over(board, slot, edge, tilt_deg, radius)


def _over(board: Board, slot: Slot, edge: int, tilt_deg: float, radius: float) -> Iterator[Way]:
    middle, beyond = np.array((slot.x_mm, -slot.y_mm, 0)), slot.beyond(edge)
    name = f"{slot.name}.{edge}"
    if beyond.slot is not None:
        points = at_edge(edge, [(0, -25, _height(radius)), (0, 0, _height(radius))])
        yield Way(name=name, points=points + middle, over=(slot.name, beyond.slot))
    elif beyond.ramp is not None:
        for aside in (-1, 1):
            yield Way(
                name=f"ramp {beyond.ramp}",
                points=_down_a_ramp(edge, radius, aside) + middle,
                over=(slot.name,),
            )
    elif beyond.zone is not None:
        yield Way(
            name=f"into {beyond.zone} by {edge}", points=_home(edge, radius) + middle, over=(slot.name,)
        )
    else:
        for speed in speeds_mm_s(tilt_deg):
            told = _off_the_board(edge, speed, tilt_deg, radius)
            if told is not None:
                points = at_edge(edge, told) + middle
                yield Way(name=f"off {name} at {speed:g}", points=points, over=(slot.name,))


def _height(radius: float) -> float:
    return load_design().frame.floor_mm + radius + _AIR_MM


def _off_the_board(edge: int, speed_mm_s: float, tilt_deg: float, radius: float) -> list[Point] | None:
    """Return how a ball leaves the board, or nothing if it rolls back.

    It leans to the lower side of its channel, rolls out, flies to the cup's wall, and falls down along it.
    """
    tilt, out_of_uphill = math.radians(tilt_deg), math.radians(60 * (edge - 1))
    downhill = GRAVITY_MM_S2 * math.sin(tilt)
    along, outward = downhill * math.sin(out_of_uphill), -downhill * math.cos(out_of_uphill)
    rim, frame = load_design().printed.rim, load_design().frame
    sills = ((_TILE_END_MM, frame.floor_mm), (frame.outline_mm + _BACK_END_MM, frame.top_mm - 0.3))
    x = _CHANNEL_PLAY_MM * math.sin(tilt) * math.sin(out_of_uphill)
    points = [(x, -25.0, _height(radius)), (x, _TILE_END_MM, _height(radius))]
    end, at = rim.wide_mm - radius - 2 * _AIR_MM, np.array(points[-1])
    moves = np.array((0.0, speed_mm_s, 0.0))
    while at[1] < end:
        moves = moves + np.array((along, outward, -GRAVITY_MM_S2 * math.cos(tilt))) * _STEP_S
        before, at = at, _over_sills(at + moves * _STEP_S, sills, radius + _AIR_MM)
        moves = (at - before) / _STEP_S
        if at[1] < _TILE_END_MM:
            return None
        points.append((at[0], min(at[1], end), at[2]))
    last = points[-1]
    return [*points[:-1:2], last, (last[0] / 2, end, last[2] - 8), (0, end, -45.0)]


def _over_sills(at: np.ndarray, sills: tuple[tuple[float, float], ...], radius: float) -> np.ndarray:
    """Return where a ball is that may not come nearer to an edge than its radius: it rolls over it."""
    for out, up in sills:
        away = at[1:] - (out, up)
        far = np.hypot(*away)
        if far < radius:
            at = np.array((at[0], *((out, up) + away * radius / far)))
    return at


def _down_the_slot(tilt_deg: float, radius: float) -> Iterator[np.ndarray]:
    """A ball falls on both sides of the bar, slides to the throat, and falls through it, however far aside."""
    design = load_design()
    slot, frame = design.printed.slot, design.frame
    neck = frame.under_mm - slot.carrier_mm - slot.collar_mm
    mouth, low = neck - slot.slope_mm, neck - slot.slope_mm - slot.throat_long_mm
    middle = np.array((0, -slot.throat_down_mm, mouth + radius))
    free = [half / 2 - radius - 2 * _AIR_MM for half in slot.throat_mm]
    beside = (slot.trough_mm + frame.hole_mm[1]) / 4
    tilt = math.radians(tilt_deg)
    falls = 25 * np.array((0, -math.sin(tilt), -math.cos(tilt)))
    for side in (-1, 1):
        start, above = ((0, side * beside, z) for z in (_height(radius), neck + radius + 4))
        around = _around_the_trough(radius) if side == 1 else [(0, -beside, neck - radius)]
        yield np.array([start, above, *around, middle, (*middle[:2], low)])
    for x in (-free[0], 0.0, free[0]):
        for y in (-free[1], free[1]):
            through = np.array((x, middle[1] + y, mouth))
            ends = np.array((x, middle[1] + y, low))
            yield np.array([through, ends, ends + falls])


def _around_the_trough(radius: float) -> list[Point]:
    """A ball on the uphill side rolls down the funnel's slope, close below the trough's edge: there it is narrowest."""
    design = load_design()
    slot, frame = design.printed.slot, design.frame
    corner = np.array((slot.trough_mm / 2, frame.under_mm - slot.carrier_mm))
    top = np.array((frame.hole_mm[1] / 2 + slot.inside_mm, corner[1] - slot.collar_mm))
    end = np.array((slot.throat_mm[1] / 2 - slot.throat_down_mm, top[1] - slot.slope_mm))
    slope = (end - top) / np.hypot(*(end - top))
    square = np.array((slope[1], -slope[0]))
    between = (corner - top) @ square
    assert between > 2 * radius, "a ball is too large for the way below the trough"
    narrow = corner - square * between / 2
    ends = [narrow - slope * 3 + (1.2, 2.5), narrow - slope * 1.5, narrow, narrow + slope * 8]
    return [(0, y, z) for y, z in ends]


def _down_a_ramp(edge: int, radius: float, aside: int) -> np.ndarray:
    """A ball rolls from a ramp's upper end to the tile, along one wall of its channel."""
    design = load_design()
    ramp = design.printed.ramp
    play = aside * (ramp.channel_mm / 2 - radius - 2 * _AIR_MM)
    z = ramp.floor_mm + radius + _AIR_MM
    foot = at_edge(edge, [(0, design.gate.bend_mm, z)])[0]
    down = at_edge(edge, [(play, 0, z), (0, -12, z)])
    return np.array(
        [(foot[0] + play, ramp.long_mm - radius, z), (foot[0] + play, foot[1] + 2, z), foot, *down]
    )


def _home(edge: int, radius: float) -> np.ndarray:
    """A ball rolls out of one of a zone's three outlets and down to where it lies."""
    places = load_design().beam_places
    z = _height(radius)
    out = at_edge(edge, [(0, -12, z), (0, 7, z)])
    rests = (0, -places.rest_down_mm + _AIR_MM, z)
    if edge == 4:
        return np.array([*out, rests])
    side = 1 if edge == 3 else -1
    around = [
        (side * 30.0, -20.0, z),
        (side * 30.0, -27.0, z),
        (side * 20.0, -35.0, z),
        (side * 12.0, -44.0, z),
    ]
    return np.array([*out, *around, rests])
