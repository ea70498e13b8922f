"""The funnel under a carrier: every ball that falls through a slot passes one beam, off the throat's middle.

Of its own because somebody looks for it by its name.
"""

from typing import Any

from hextraction.board.design import load_design

from .beam_seat import beam_shape, seat, set_down
from .shapes import Flat, bore, cut_hexagon, hexagon, prism, ruled

__all__ = ["funnel"]

_WALL_MM = 2.3
"""Measured level: on a slope of 50 degrees 1.4 mm are left of it."""
_LEGS_MM = 0.6
"""Between the beam board's cut legs and the throat's end."""


def funnel() -> Any:
    """Draw it as it hangs; it is printed upside down, on its flange."""
    design = load_design()
    prints, slot = design.printed, design.printed.slot
    top = design.frame.under_mm - slot.carrier_mm
    neck, mouth = top - slot.collar_mm, top - slot.collar_mm - slot.slope_mm
    low, board = mouth - slot.throat_long_mm, beam_shape()
    end = low + board.legs_mm + _LEGS_MM
    across = design.frame.hole_mm[1] + 2 * slot.inside_mm
    inside = cut_hexagon(across, 2 * slot.corner_mm[1])
    outside = cut_hexagon(slot.ring_mm, 2 * (slot.corner_mm[1] + _WALL_MM))
    wide = _throat(_WALL_MM)
    body = prism(outside, neck, top) + ruled(outside, neck, wide, mouth) + prism(wide, end, mouth)
    body += prism(hexagon(slot.ring_mm), top - slot.flange_mm, top)
    held = seat(neck - low, behind=True)
    body += set_down(held, -design.beam_places.drain_down_mm, low - board.thick_mm - board.beam_above_mm)
    body -= (
        prism(inside, neck, top)
        + ruled(inside, neck, _throat(0.0), mouth)
        + prism(_throat(0.0), low - 9, mouth)
    )
    for side in (-1, 1):
        at = side * slot.ear_mm
        body -= bore(prints.screw_mm, (at, 0, top - slot.flange_mm - 1), (at, 0, top + 1))
    return body


def _throat(wider_mm: float) -> Flat:
    """The throat, eight corners in the order of the hole's."""
    slot = load_design().printed.slot
    half, deep = slot.throat_mm[0] / 2 + wider_mm, slot.throat_mm[1] / 2 + wider_mm
    cut, middle = 1.5 + wider_mm / 2, -slot.throat_down_mm
    quarter = [(half, deep - cut), (half - cut, deep)]
    upper = [*quarter, *[(-x, y) for x, y in reversed(quarter)]]
    return [(x, y + middle) for x, y in [*upper, *[(-x, -y) for x, y in upper]]]
