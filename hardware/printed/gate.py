"""A gate: two forks of steel pins in sliders, a rocker between them, a housing over a solenoid.

A rigid rocker could not do it: forks 9.9 mm apart that move 6 mm would lean by 37 degrees. So each fork
slides upright, and the rocker takes them along by cross pins in slots. Drawn around the lower fork, the
ramp's floor at its height on the board: x across the ramp, y uphill.
"""

import math
from typing import Any

from hextraction.board.design import load_design

from .shapes import bore, box, ruled

__all__ = ["fork", "housing", "rocker"]

_WALL_MM = 1.6
_EAR_MM = (9.6, 2.2)
"""Its screws across the ramp, and how much plastic is around them."""


def fork() -> Any:
    """Draw a slider at its highest: two holes for its pins above, a slot for rocker and plunger below."""
    design = load_design()
    prints, gate = design.printed, design.printed.gate
    wide, deep, tall = gate.slider_mm
    top = prints.ramp.under_mm
    body = box((-wide / 2, wide / 2), (-deep / 2, deep / 2), (top - tall, top))
    for side in (-1, 1):
        x = side * design.gate.aside_mm
        body -= bore(prints.press_mm, (x, 0, top - gate.stem_mm), (x, 0, top + 1))
    slot = gate.plunger_mm / 2 + prints.fit_mm
    body -= box((-slot, slot), (-deep, deep), (top - tall - 1, top - gate.stem_mm - 1.2))
    for down in (gate.link_mm - 1.5, tall - 2.3):
        body -= bore(prints.press_mm, (-wide, 0, top - down), (wide, 0, top - down))
    return body


def rocker() -> Any:
    """Draw the rocker level, around its pivot."""
    design = load_design()
    prints, gate = design.printed, design.printed.gate
    arm = design.gate.apart_mm / 2
    far = math.hypot(arm, design.gate.travel_mm / 2)
    half_slot, thick = 1.1, gate.rocker_mm
    end, half = far + half_slot + prints.least_wall_mm + 0.2, half_slot + prints.least_wall_mm + 0.1
    body = box((-thick / 2, thick / 2), (-end, end), (-half, half))
    body -= bore(prints.pin_mm, (-5, 0, 0), (5, 0, 0))
    for side in (-1, 1):
        near, tip = sorted((side * (arm - 0.15), side * (far + 0.15)))
        body -= box((-5, 5), (near, tip), (-half_slot, half_slot))
        for y in (near, tip):
            body -= bore(2 * half_slot, (-5, y, 0), (5, y, 0))
    return body


def housing() -> Any:
    """Draw it as it hangs below the ramp's floor; it is printed upside down."""
    design = load_design()
    prints, gate = design.printed, design.printed.gate
    wide, deep, tall = gate.slider_mm
    top, apart, travel = prints.ramp.under_mm, design.gate.apart_mm, design.gate.travel_mm
    x, y = wide / 2 + gate.slide_mm, deep / 2 + gate.slide_mm
    guided = top - tall - travel - 0.5
    across, along, high = gate.solenoid_mm
    body = box((-x - _WALL_MM, x + _WALL_MM), (-y - _WALL_MM, apart + y + _WALL_MM), (guided, top))
    ear, around = _EAR_MM
    body += box((-ear - around, ear + around), (apart - 4, apart + 4), (top - 9, top))
    body += _shoulder(guided, x + _WALL_MM, y + _WALL_MM) + _cradle(guided, across, along, high)
    for fork_y in (0.0, apart):
        body -= box((-x, x), (fork_y - y, fork_y + y), (guided - 1, top + 1))
    # Between the forks only the rocker goes through.
    gap, pivot = gate.rocker_mm / 2 + prints.fit_mm, top - gate.link_mm + 1.5 - travel / 2
    body -= box((-gap, gap), (-y, apart + y), (guided - 1, top + 1))
    body -= box((-gap, gap), (-y - 2, apart + y + 2), (pivot - 7, pivot + 7))
    body -= bore(prints.pin_mm, (-20, apart / 2, pivot), (20, apart / 2, pivot))
    for fork_y in (0.0, apart):  # windows through which a cross pin is pressed in, and moves
        low, upper = pivot - travel / 2 - 1.3, pivot + travel / 2 + 1.3
        body -= box((-20, 20), (fork_y - 1.3, fork_y + 1.3), (low, upper)) - box(
            (-x, x), (-20, 40), (-90, 90)
        )
    for side in (-1, 1):
        body -= bore(prints.pilot_mm, (side * ear, apart, top - 7.5), (side * ear, apart, top + 1))
    return body


def _cradle(guided_mm: float, across_mm: float, along_mm: float, high_mm: float) -> Any:
    """Return what holds the solenoid below the lower fork, open uphill; two cable ties go around it."""
    prints = load_design().printed
    x, y, tie = across_mm / 2 + prints.fit_mm, along_mm / 2 + prints.fit_mm, prints.gate.tie_mm
    low = guided_mm - high_mm
    body = box((-x - _WALL_MM, x + _WALL_MM), (-y - _WALL_MM, y), (low, guided_mm))
    body -= box((-x, x), (-y, y + 1), (low - 1, guided_mm + 1))
    for z in (low + 5, guided_mm - 9):
        body -= box((-x - 5, x + 5), (-y + 1, -y + 3), (z, z + tie))
    return body


def _shoulder(guided_mm: float, x_mm: float, y_mm: float) -> Any:
    """Return what widens the guide to the cradle: it is printed from above, so it is a slope."""
    prints = load_design().printed
    across, along, _high = prints.gate.solenoid_mm
    x, y = across / 2 + prints.fit_mm + _WALL_MM, along / 2 + prints.fit_mm + _WALL_MM
    wide = [(x, y - _WALL_MM), (-x, y - _WALL_MM), (-x, -y), (x, -y)]
    narrow = [(x_mm, y - _WALL_MM), (-x_mm, y - _WALL_MM), (-x_mm, -y_mm), (x_mm, -y_mm)]
    return ruled(wide, guided_mm, narrow, guided_mm + 5.5)
