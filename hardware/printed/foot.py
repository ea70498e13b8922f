"""Feet that set the tilt: one at each corner of the board, and legs under the blocks of the ramps.

Of its own because the tilt is told here and nowhere else.
"""

import math
from typing import Any

from build123d import Pos, Rot
from hextraction.board.design import load_design

from .shapes import bore, box, cut_hexagon, hexagon, mirrored, prism

__all__ = ["foot", "leg"]

_CUP_MM = 4.6
"""So much of carrier and flange a foot embraces: the cups of the rim begin above."""


def foot(tilt_deg: float, high_mm: float, *, left: bool) -> Any:
    """Draw a foot as it stands on the table, around the slot's middle, whose flange's underside is so high.

    Its socket takes the corner of carrier and flange; a screw through both and the board's ledge holds it.
    """
    design = load_design()
    prints, slot, shape = design.printed, design.printed.slot, design.printed.foot
    top = design.frame.under_mm - slot.carrier_mm - slot.flange_mm
    turn = Rot(tilt_deg, 0, 0)
    near = -(slot.corner_mm[1] + 3.0)
    out = near - shape.side_mm + 2.0
    half = shape.side_mm / 2
    base = box(
        (near - shape.base_mm[0], near), (-shape.base_mm[1] / 2, shape.base_mm[1] / 2), (0, shape.base_mm[2])
    )
    body = box((out, near), (-half, half), (0, high_mm + 30)) + base
    rib = [
        (near - shape.base_mm[0] + 2, shape.base_mm[2]),
        (out + 1, shape.base_mm[2]),
        (out + 1, shape.base_mm[2] + 24),
    ]
    body += Rot(90, 0, 0) * prism(rib, -1.5, 1.5)
    fit = 2 * prints.fit_mm
    keep = prism(hexagon(slot.ring_mm + fit), top, 200)
    keep += prism(cut_hexagon(slot.ring_mm + fit, 2 * (slot.corner_mm[1] + 2.3) + fit), -80, top + 1)
    keep += box((-200, 200), (-200, 200), (top + _CUP_MM, 200))
    keep += bore(prints.pilot_mm, (-slot.ear_mm, 0, top - 12), (-slot.ear_mm, 0, top + 1))
    # On the table the slot's middle is where a turn about x leaves its flange.
    tilt = math.radians(tilt_deg)
    body -= Pos(0, top * math.sin(tilt), high_mm - top * math.cos(tilt)) * (turn * keep)
    return body if left else mirrored(body)


def leg(tilt_deg: float, high_mm: float) -> Any:
    """Draw a leg as it stands on the table: a ramp block's floor lies on it, so high."""
    design = load_design()
    shape, prints = design.printed.foot, design.printed
    half = 5.0
    body = box((-half, half), (-half, half), (0, high_mm + 10))
    body += box((-half, half), (-16, 16), (0, shape.base_mm[2]))
    cut = box((-50, 50), (-50, 50), (0, 50)) + bore(prints.pilot_mm, (0, 0, -12), (0, 0, 1))
    return body - Pos(0, 0, high_mm) * (Rot(tilt_deg, 0, 0) * cut)
