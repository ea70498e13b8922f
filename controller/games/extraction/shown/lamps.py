"""How the lamps shine in a game of Extraction: what a hex gives, how much of it is left, what may be chosen.

A module of its own because lamps are made from the scene alone, and know no state.
"""

from collections.abc import Mapping
from typing import Final

from hextraction.controller.games.extraction.shown.views import Detail, Hex
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.scene import DARK, Colour, Glow, PlaceView, Scene, colour_of

__all__ = ["COLOURS", "lamps"]

COLOURS: Final[Mapping[str, Colour]] = {
    "wood": (0, 110, 10),
    "brick": (230, 50, 0),
    "wool": (120, 255, 70),
    "grain": (255, 180, 0),
    "ore": (80, 90, 255),
}
_RIM: Final = (26, 13, 0)
"""A hex that is used up: one lamp, dim amber."""
_TURN_OVER: Final = (255, 120, 0)
_TARGET: Final = (255, 255, 255)
_LEAST: Final = 0.12
_FIELD: Final = (6, 6, 8)


def lamps(field: Field, shown: Scene) -> Mapping[str, Glow]:
    """Return the lamps of a scene: the resource's colour, as bright as tokens are left on the hex."""
    detail = shown.detail
    if not field.on_board or not shown.power or not isinstance(detail, Detail):
        return {}
    slots = [one for one in shown.places if isinstance(one.piece, Hex)]
    if shown.winners:
        return {one.place: Glow(colour_of(shown, shown.winners[0])) for one in slots}
    return {one.place: _glow(detail, one) for one in slots}


def _glow(detail: Detail, one: PlaceView) -> Glow:
    ground = one.piece
    if not isinstance(ground, Hex):
        return Glow(DARK)
    if one.wants == "lift":
        return Glow(_TURN_OVER, blink=True)
    if ground.spent:
        return Glow(_RIM, lit=1)
    if ground.name not in COLOURS:
        return Glow(DARK)
    colour = _dimmed(COLOURS[ground.name], ground.tokens / ground.start if ground.start else 1.0)
    if one.wants == "put":
        return Glow(colour, _FIELD, blink=True)
    if detail.phase == "swap":
        chosen = detail.slots.get(detail.picked) == one.place.partition(".")[2]
        return Glow(colour, DARK if chosen else _dimmed(colour, 0.4), blink=True)
    if detail.phase == "discs" and detail.picked and not ground.disc:
        return Glow(_TARGET, colour, blink=True)
    return Glow(colour)


def _dimmed(colour: Colour, share: float) -> Colour:
    red, green, blue = (round(part * max(_LEAST, share)) for part in colour)
    return red, green, blue
