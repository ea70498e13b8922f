"""The carrier: a ring under a slot with a trough that holds the slot board, its magnet and its cable.

Balls fall past the trough on both sides, and cannot come so near to the magnet that it would hold them.
Of its own because somebody looks for it by its name, and prints it first.
"""

from typing import Any

from hextraction.board.design import load_design

from .bar_seat import magnet_post, tables
from .shapes import bore, box, cut_hexagon, hexagon, prism

__all__ = ["carrier"]


def carrier() -> Any:
    """Draw it as it stands under the slot; it is printed the same way up."""
    design = load_design()
    prints, frame, bar, slot = design.printed, design.frame, design.printed.bar, design.printed.slot
    top, low = frame.under_mm, frame.under_mm - slot.carrier_mm
    across = frame.hole_mm[1] + 2 * slot.inside_mm
    cell = hexagon(slot.ring_mm)
    ring = prism(cell, low, top) - prism(cut_hexagon(across, 2 * slot.corner_mm[0]), low, top)
    half, wall = slot.trough_mm / 2, slot.trough_wall_mm
    trough = box((-30, 30), (-half, half), (low, top)) & prism(cell, low, top)
    trough -= box((-20, 20), (wall - half, half - wall), (low + wall, top))
    body = ring + trough + tables(low, bar.top_mm - bar.thick_mm)
    for x in (-slot.ear_mm, slot.ear_mm):
        body -= bore(prints.screw_mm, (x, 0, low - 1), (x, 0, top + 1))
    body += magnet_post(low, frame.floor_mm + design.ball.diameter_mm / 2)
    # The cable leaves through the ring beside the left screw.
    return body - box((-30, -19), (3.6, half - wall), (low + 6, top))
