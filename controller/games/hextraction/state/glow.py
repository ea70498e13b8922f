"""How a slot shines after touches: the rules light it at once, and the lamps agree with them."""

from typing import Final

from hextraction.controller.games.scene import Colour, Glow

__all__ = ["RED", "TILE", "touch_glow"]

TILE: Final[Colour] = (18, 18, 16)
RED: Final[Colour] = (255, 0, 0)
_AMBER: Final[Colour] = (255, 120, 0)


def touch_glow(touches: int) -> Glow:
    """Return how a slot shines after some touches in a roll: one amber lamp each, all red from three."""
    return Glow(RED) if touches >= 3 else Glow(_AMBER, TILE, lit=touches)
