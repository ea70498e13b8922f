"""A holder for one diode or transistor beside a ramp that is there already: two make a beam.

Of its own because who builds the starter prints nothing else.
"""

from typing import Any

from hextraction.board.design import load_design

from .shapes import bore, box

__all__ = ["beam_holder"]

_HIGH_MM = 5.0
_DEEP_MM = 6.0


def beam_holder() -> Any:
    """Draw a post with a foot; x leads away from the ball, z = 0 is the floor that the ball rolls on."""
    prints = load_design().printed
    half = prints.led_rim_mm / 2 + prints.least_wall_mm
    body = box((0, _DEEP_MM), (-half, half), (0, _HIGH_MM + half)) + box((0, 16), (-half, half), (0, 2.4))
    body -= bore(prints.led_mm, (-1, 0, _HIGH_MM), (_DEEP_MM + 1, 0, _HIGH_MM))
    body -= bore(prints.led_rim_mm, (prints.led_long_mm, 0, _HIGH_MM), (_DEEP_MM + 1, 0, _HIGH_MM))
    return body - bore(prints.screw_mm, (11.5, 0, -1), (11.5, 0, 4))
