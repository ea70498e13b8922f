"""The block that brings the ramps of one slot: channels that turn straight uphill, holes for forks.

Of its own because somebody looks for it by its name.
"""

import math
from collections.abc import Sequence
from typing import Any

from build123d import Pos, Rot
from hextraction.board.design import load_design

from .bar_seat import ear_places, lamp_wells
from .beam_seat import beam_shape, seat, stood_up
from .shapes import bore, box, hexagon, prism
from .table import LEG_UPHILL_MM

__all__ = ["ramp_block"]

_LEG_MM = (13.0, LEG_UPHILL_MM)
"""Where a leg is screwed on, to the right and left, and uphill."""
_EAR_MM = 9.6
_SEAT_DEEP_MM = 4.0
"""Of plastic behind a beam board's corners."""


def ramp_block(edges: Sequence[int] = (6, 1, 2)) -> Any:
    """Draw it as it is glued to the board's wall, around its slot's middle; it is printed the same way up."""
    design = load_design()
    ramp, wall = design.printed.ramp, design.printed.wall_mm
    floor, under = ramp.floor_mm, ramp.under_mm
    high = floor + ramp.wall_high_mm
    half = ramp.channel_mm / 2
    outer = _way(6, half + wall) + _way(1, half + wall) + _way(2, half + wall)
    outer = prism(_span(half + wall), under, floor) + outer.moved(Pos(0, 0, under))
    body = outer & box((-60, 60), (0, ramp.long_mm), (under, high))
    for edge in edges:
        body += _beam_posts(*foot_of(edge))
    for edge in edges:
        body -= _way(edge, half).moved(Pos(0, 0, floor)) + _bored(*foot_of(edge))
    for x in (-_LEG_MM[0], _LEG_MM[0]):
        body -= bore(design.printed.screw_mm, (x, _LEG_MM[1], under - 1), (x, _LEG_MM[1], floor + 1))
    body -= Pos(0, design.printed.bar.start_up_mm, 0) * _bar_holes()
    near = design.frame.outline_mm + 0.2
    pitch = 50.0
    across = pitch + 2 * near
    for x, y in ((0.0, 0.0), (-43.301, -25.0), (43.301, -25.0)):
        body -= prism(hexagon(across), -20, 20).moved(Pos(x, y, 0))
    return body


def _bar_holes() -> Any:
    """Return what is taken for the bar below: its lamps shine up, and its seat's screws go down, between channels."""
    prints = load_design().printed
    low, high = prints.ramp.under_mm - 1, prints.ramp.floor_mm + 1
    holes = lamp_wells(low, high)
    for x, y in ear_places():
        holes += bore(prints.screw_mm, (x, y, low), (x, y, high))
    return holes


def foot_of(edge: int) -> tuple[float, float]:
    """Return where a ramp turns uphill, around its slot's middle."""
    out = 25.0 + load_design().gate.bend_mm
    turn = math.radians(60 * (edge - 1))
    return out * math.sin(turn), out * math.cos(turn)


def _way(edge: int, half_mm: float) -> Any:
    """Return what a channel takes, from the slot's edge to its upper end, standing on z = 0."""
    x, y = foot_of(edge)
    tall, turn = 12.0, -60.0 * (edge - 1)
    lower = box((-half_mm, half_mm), (22.0, math.hypot(x, y)), (0, tall)).moved(Rot(0, 0, turn))
    upper = box((x - half_mm, x + half_mm), (y, 130.0), (0, tall))
    return lower + upper + bore(2 * half_mm, (x, y, 0), (x, y, tall))


def _span(half_mm: float) -> list[tuple[float, float]]:
    """The floor between the channels."""
    (left, low), (_x, middle) = foot_of(6), foot_of(1)
    long_mm = load_design().printed.ramp.long_mm
    side = -left + half_mm
    return [(-side, low), (0, middle - 8), (side, low), (side, long_mm), (-side, long_mm)]


def _beam_posts(x: float, y: float) -> Any:
    """Return what stands beside a channel, uphill of the beam board, and holds it."""
    design, board = load_design(), beam_shape()
    prints, ramp = design.printed, design.printed.ramp
    z, beam = ramp.floor_mm + design.ball.diameter_mm / 2, _beam_of(y)
    held = stood_up(seat(_SEAT_DEEP_MM, behind=True), x, beam, z)
    back = beam + board.beam_above_mm + board.thick_mm
    near, far = prints.seat.corner_mm[0], board.side_mm + prints.fit_mm + prints.seat.side_mm
    for left, right in ((x - far, x - near), (x + near, x + far)):
        # Below the corners legs and solder want some room.
        ends = (back + board.legs_mm + 0.6, back + _SEAT_DEEP_MM)
        held += box((left, right), ends, (ramp.under_mm, z + prints.seat.corner_mm[1]))
    for side in (-1, 1):
        low, high = sorted((x + side * (far - prints.seat.side_mm), x + side * far))
        beside = (back - board.thick_mm, back + _SEAT_DEEP_MM)
        held += box((low, high), beside, (ramp.under_mm, z + prints.seat.corner_mm[1]))
    return held


def _beam_of(y: float) -> float:
    """Return where the beam of a ramp crosses that turns uphill at y."""
    gate = load_design().gate
    return y + load_design().printed.ramp.beam_out_mm - gate.bend_mm


def _beam_room(x: float, y: float) -> Any:
    """Return the room of the beam board's arms, diode and transistor; below it the channel's wall goes on."""
    design, board = load_design(), beam_shape()
    fit, beam = design.printed.fit_mm, _beam_of(y)
    low = design.printed.ramp.floor_mm + design.ball.diameter_mm / 2 - board.tips_mm - fit
    back = beam + board.beam_above_mm + board.thick_mm
    half, near = board.side_mm + fit, design.printed.ramp.channel_mm / 2
    ends = (back - board.thick_mm - board.highest_part_mm - fit, back + board.legs_mm + 0.6)
    high = low + 12.0
    return box((x - half, x - near), ends, (low, high)) + box((x + near, x + half), ends, (low, high))


def _bored(x: float, y: float) -> Any:
    """Return what is taken for a ramp's beam board, its forks, and the screws of its gate's housing."""
    design = load_design()
    prints, ramp, gate = design.printed, design.printed.ramp, design.gate
    holes = _beam_room(x, y)
    low, high = ramp.under_mm - 1, ramp.floor_mm + 1
    lower = y + gate.out_mm - gate.bend_mm
    for fork in (lower, lower + gate.apart_mm):
        for side in (-1, 1):
            pin = x + side * gate.aside_mm
            holes += bore(prints.gate.hole_mm, (pin, fork, low), (pin, fork, high))
    for side in (-1, 1):
        ear = x + side * _EAR_MM
        holes += bore(prints.screw_mm, (ear, lower + gate.apart_mm, low), (ear, lower + gate.apart_mm, high))
    return holes
