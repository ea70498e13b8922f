"""The cup beyond an outer edge: a ball that leaves crosses its beam, meets a wall, and falls into the tray.

Of its own because somebody looks for it by its name.
"""

import math
from typing import Any

from hextraction.board.design import load_design

from .beam_seat import beam_shape, posts, stood_outward
from .shapes import Flat, box, prism

__all__ = ["beam_posts", "beam_room", "rim_cup", "sector"]

_BACK_MM = 1.6
_CATCH_MM = 1.6
_SIDE_MM = 1.5


def sector(near_mm: float, far_mm: float, in_mm: float, pitch_mm: float = 50.0) -> Flat:
    """Return what lies outside of an edge up to the bisectors at its corners, so far inside of them.

    x is along the edge, y outward. Where two edges of neighbours meet, each keeps its side of the bisector.
    """
    half = pitch_mm / 2 / math.sqrt(3) - in_mm * 2 / math.sqrt(3)
    lean = math.tan(math.radians(30))
    return [
        (half - near_mm * lean, near_mm),
        (half - far_mm * lean, far_mm),
        (-half + far_mm * lean, far_mm),
        (-half + near_mm * lean, near_mm),
    ]


def beam_posts(low_mm: float) -> Any:
    """Return what holds the beam board of an outer edge: two posts from so deep, within the edge's sector."""
    design = load_design()
    z = design.frame.floor_mm + design.ball.diameter_mm / 2
    held = stood_outward(posts(z - low_mm), design.printed.rim.beam_out_mm, z)
    return held & prism(sector(0, 20, design.printed.fit_mm), -30, 40)


def beam_room() -> Any:
    """Return the room of an outer edge's beam board, its parts and its legs."""
    design, board = load_design(), beam_shape()
    fit, half = design.printed.fit_mm, board.side_mm + design.printed.fit_mm
    z = design.frame.floor_mm + design.ball.diameter_mm / 2
    front = design.printed.rim.beam_out_mm - board.beam_above_mm
    back = front - board.thick_mm
    low = z - board.tips_mm - fit
    room = box((-half, half), (back - board.legs_mm, front), (low, z + board.end_mm + fit))
    # Diode and transistor reach through the side of what is around them.
    ends, body = (front, front + board.highest_part_mm + fit), 2.25 + fit
    out = design.printed.seat.post_mm
    room += box((-out[0], out[0]), ends, (z - body, z + body))
    return room + box((-20, 20), (front + out[1], ends[1]), (z - body, z + body))


def rim_cup() -> Any:
    """Draw it as it is glued to the board's outer wall; it is printed the same way up."""
    design = load_design()
    prints, rim, frame = design.printed, design.printed.rim, design.frame
    near = frame.outline_mm + 0.2
    far = rim.wide_mm + _CATCH_MM
    shell = prism(sector(near, far, prints.fit_mm), rim.deep_mm, rim.high_mm)
    inside = prism(sector(near + _BACK_MM, rim.wide_mm, prints.fit_mm + _SIDE_MM), rim.deep_mm, rim.high_mm)
    body = shell - inside
    # A tile stands above the wall's top, and a ball must get out: the back ends below both.
    body -= box((-30, 30), (-1, near + _BACK_MM), (frame.top_mm - 0.3, 30))
    body += box((-12, 12), (-0.55, near + 0.1), (rim.deep_mm, frame.under_mm - 0.1))
    return body + beam_posts(rim.deep_mm) - beam_room()
