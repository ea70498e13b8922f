"""The cup beyond an outer edge: a ball that leaves crosses its beam, meets a wall, and falls into the tray.

Of its own because somebody looks for it by its name.
"""

import math
from typing import Any

from hextraction.board.design import load_design

from .shapes import Flat, bore, box, prism

__all__ = ["beam_posts", "rim_cup", "sector"]

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


def beam_posts(low_mm: float, high_mm: float) -> tuple[Any, Any]:
    """Return the two posts that hold diode and transistor of an outer edge, and what is bored out of them."""
    design = load_design()
    prints, rim = design.printed, design.printed.rim
    near, far = rim.post_mm
    tip, y, z = (
        rim.gap_mm / 2,
        design.beam_places.rim_out_mm,
        design.frame.floor_mm + design.ball.diameter_mm / 2,
    )
    end = tip + prints.led_long_mm
    posts = box((tip, end), (near, far), (low_mm, high_mm)) + box(
        (-end, -tip), (near, far), (low_mm, high_mm)
    )
    holes = bore(prints.led_mm, (-end - 1, y, z), (end + 1, y, z))
    return posts, holes


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
    high = frame.floor_mm + design.ball.diameter_mm / 2 + prints.led_mm / 2 + prints.least_wall_mm + 0.3
    posts, holes = beam_posts(rim.deep_mm, high)
    body += posts & prism(sector(0, 20, prints.fit_mm), -30, 30)
    body -= holes
    # Rims and leads lie in grooves, open downward and outward.
    end = rim.gap_mm / 2 + prints.led_long_mm
    y = design.beam_places.rim_out_mm
    for side in (-1, 1):
        ends = sorted((side * end, side * 30))
        body -= box((ends[0], ends[1]), (y - prints.led_rim_mm / 2, y + prints.led_rim_mm / 2), (-30, high))
    return body
