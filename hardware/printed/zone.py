"""An end zone: a gutter below the three lower edges of its slot, with a slot bar or a loose Hall where balls come to lie.

Drawn around the slot's middle; its slab is as deep as the board's wall, to which it is glued. The bar hangs in its
seat (``bar_seat.py``), turned round: so its lamps are beyond the gutter's tip, and shine up through the shelf.
"""

import math
from typing import Any

from build123d import Pos, Rot
from hextraction.board.design import load_design

from .bar_seat import bar_room, ear_places, lamp_wells
from .rim_cup import beam_posts, beam_room
from .shapes import Flat, bore, box, hexagon, prism

__all__ = ["magnet_cap", "zone_gutter", "zone_gutter_by_hand"]

_LOWER = (3, 4, 5)
_PILOT_MM = 6.0


def zone_gutter() -> Any:
    """Draw the one that a slot bar hangs below, as it is glued on; it is printed the same way up."""
    design = load_design()
    prints, low, floor = design.printed, design.frame.under_mm, design.printed.zone.floor_mm
    wells = lamp_wells(low, floor + prints.zone.wall_high_mm + 1)
    turned = Pos(0, -design.beam_places.rest_down_mm, 0) * Rot(0, 0, 180)
    room = turned * bar_room(low - 1)
    # A lamp whose well would cut through the gutter's wall shines past it; as much of the wall stays as must.
    room += turned * wells - prism(
        _outline(prints.least_wall_mm), low - 1, floor + prints.zone.wall_high_mm + 2
    )
    for x, y in ear_places():
        room += turned * bore(prints.pilot_mm, (x, y, low - 1), (x, y, low + _PILOT_MM))
    return _gutter() - room


def zone_gutter_by_hand() -> Any:
    """Draw the one with a pocket for a loose Hall; what it lies on is above it, the magnet in a cap below."""
    design = load_design()
    low, down = design.frame.under_mm, -design.beam_places.rest_down_mm
    chip = design.printed.zone.floor_mm + design.ball.diameter_mm / 2 - design.hall.slot.below_mm
    return _gutter() - box((-2.2, 2.2), (down - 0.9, down + 0.9), (low - 1, chip + 1.0))


def _gutter() -> Any:
    design = load_design()
    prints, zone, frame = design.printed, design.printed.zone, design.frame
    low, floor, high = frame.under_mm, zone.floor_mm, zone.floor_mm + zone.wall_high_mm
    wall = prints.wall_mm
    outside, inside = _outline(wall), _outline(0.0)
    wide, near, far = zone.shelf_wide_mm, -45.0, -zone.shelf_mm
    body = prism(outside, low, high) + box((-wide, wide), (far, near), (low, floor))
    body -= prism(inside, floor, high)
    beam_y, beam_z = -design.beam_places.zone_down_mm, floor + design.ball.diameter_mm / 2
    half, end = prints.led_rim_mm / 2 + prints.least_wall_mm, zone.narrow_mm + prints.led_long_mm
    for side in (-1, 1):
        near, far = sorted((side * zone.narrow_mm, side * end))
        body += box((near, far), (beam_y - half, beam_y + half), (low, beam_z + half))
    body -= bore(prints.led_mm, (-40, beam_y, beam_z), (40, beam_y, beam_z))
    body -= prism(hexagon(50.0 + 2 * (frame.outline_mm + 0.2)), low - 1, high + 1)
    for edge in _LOWER:
        turn = Rot(0, 0, -60.0 * (edge - 1)) * Pos(0, 25, 0)
        body += turn * beam_posts(floor - 1)
        body -= turn * beam_room()
    return body


def magnet_cap() -> Any:
    """Draw the cap that is glued below the slab, around the magnet; it is printed the same way up."""
    design = load_design()
    place, fit = design.hall.slot, design.printed.fit_mm
    beam_z, top = design.printed.zone.floor_mm + design.ball.diameter_mm / 2, design.frame.under_mm
    middle = beam_z - place.below_mm - place.deep_mm
    floor, half = middle - place.thick_mm / 2, place.wide_mm / 2 + fit + 1.4
    x, y = place.aside_mm, -design.beam_places.rest_down_mm
    body = box((x - half, x + half), (y - half, y + half), (floor - 1.4, top))
    return body - bore(place.wide_mm + 0.2, (x, y, floor), (x, y, top + 1))


def _outline(wider_mm: float) -> Flat:
    """Return the room that balls have below the slot, so much wider; the slot itself is cut away later."""
    prints = load_design().printed
    zone, rest = prints.zone, load_design().beam_places.rest_down_mm
    lean = math.tan(math.radians(30))
    corner = 50.0 / math.sqrt(3) - (prints.fit_mm + prints.wall_mm - wider_mm) * 2 / math.sqrt(3)
    wide, narrow = zone.wide_mm + wider_mm, zone.narrow_mm + wider_mm
    bend, down = (wide - corner) / lean, load_design().beam_places.zone_down_mm
    tip = rest + 5.0 / math.sin(math.radians(63)) + wider_mm * 1.12
    right = [
        (corner, 0.0),
        (wide, -bend),
        (wide, 14.0 - down - wider_mm * 0.4),
        (narrow, 4.0 - down - wider_mm * 0.4),
        (narrow, -5.8 - down - wider_mm),
    ]
    return [*right, (0.0, -tip), *[(-x, y) for x, y in reversed(right)]]
