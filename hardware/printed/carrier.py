"""The carrier: a ring under a slot with a trough that holds the slot board, its magnet and its cable.

Balls fall past the trough on both sides, and cannot come so near to the magnet that it would hold them.
Of its own because somebody looks for it by its name, and prints it first.
"""

from typing import Any

from hextraction.board.design import load_design

from .shapes import bore, box, cut_hexagon, hexagon, prism

__all__ = ["carrier"]

_TABLE_MM = (19.4, 22.4)
"""Where the ends of the bar lie: beyond its Hall for tiles, and still inside of the board's hole."""


def carrier() -> Any:
    """Draw it as it stands under the slot; it is printed the same way up."""
    design = load_design()
    prints, frame, bar, slot = design.printed, design.frame, design.printed.bar, design.printed.slot
    top, low, lies = frame.under_mm, frame.under_mm - slot.carrier_mm, bar.top_mm - bar.thick_mm
    across = frame.hole_mm[1] + 2 * slot.inside_mm
    cell = hexagon(slot.ring_mm)
    ring = prism(cell, low, top) - prism(cut_hexagon(across, 2 * slot.corner_mm[0]), low, top)
    half, wall = slot.trough_mm / 2, slot.trough_wall_mm
    trough = box((-30, 30), (-half, half), (low, top)) & prism(cell, low, top)
    trough -= box((-20, 20), (wall - half, half - wall), (low + wall, top))
    body = ring + trough
    for side in (-1, 1):
        near, far = sorted(side * one for one in _TABLE_MM)
        body += box((near, far), (-3.0, 3.0), (low, lies))
        at = side * bar.peg_at_mm
        body += bore(bar.peg_mm, (at, 0, lies - 1), (at, 0, bar.top_mm - 0.1))
        body -= bore(prints.screw_mm, (side * slot.ear_mm, 0, low - 1), (side * slot.ear_mm, 0, top + 1))
    body += _magnet_post(low)
    # The cable leaves through the ring beside the left screw.
    return body - box((-30, -19), (3.6, half - wall), (low + 6, top))


def _magnet_post(low_mm: float) -> Any:
    """Return the post that holds the magnet at its height, open above."""
    design = load_design()
    bar = design.printed.bar
    middle = design.frame.floor_mm + design.ball.diameter_mm / 2 - bar.chip_mm - bar.magnet_deep_mm
    x, floor, top = bar.magnet_aside_mm, middle - bar.magnet_thick_mm / 2, middle + bar.magnet_thick_mm / 2
    wide = bar.magnet_wide_mm + 0.2
    post = bore(wide + 2.8, (x, 0, low_mm), (x, 0, top - 1.0))
    return post - bore(wide, (x, 0, floor), (x, 0, top))
