"""What the lamps of a game of Hextraction mean, made from its scene: no lamp tells a hand (1.2.1).

A tile lies there (dim white), it was touched once or twice (one amber lamp per touch) or three times (red), a
triggered effect waits (violet), lift this tile (red, blinking), lay it here (white, blinking), whose turn it
is and which ramp is open (the seat's colour), the winner (everything in the winner's colour).

It is of its own because it sees the scene alone, never the state.
"""

from typing import Final

from hextraction.controller.games.hextraction.shown.detail import Detail
from hextraction.controller.games.hextraction.state.glow import RED, TILE, touch_glow
from hextraction.controller.games.scene import DARK, Colour, Glow, PlaceView, Scene, colour_of

__all__ = ["lamps"]

_VIOLET: Final[Colour] = (140, 0, 255)
_WHITE: Final[Colour] = (255, 255, 255)
_ROLLABLE: Final = frozenset({"choosing", "releasing"})


def lamps(scene: Scene) -> dict[str, Glow]:
    """Return how the lamps of each place shine."""
    if scene.winners:
        return {one.place: Glow(colour_of(scene, scene.winners[0])) for one in scene.places}
    by_place = {one.place: one for one in scene.places}
    active, detail = colour_of(scene, scene.acting), scene.detail
    may_roll = isinstance(detail, Detail) and detail.phase in _ROLLABLE and detail.rolls_owed > 0
    found: dict[str, Glow] = {}
    for one in scene.places:
        kind = one.place.partition(".")[0]
        if kind == "ramp":
            dim = Glow(_dim(active) if may_roll and not one.shut else DARK)
            found[one.place] = Glow(active) if one.wants == "release" else dim
        elif kind == "zone":
            found[one.place] = Glow(active if one.balls else _dim(active))
        else:
            found[one.place] = _slot(one, by_place.get(one.part_of, one))
    return found


def _slot(slot: PlaceView, first: PlaceView) -> Glow:
    """Return how a slot shines; ``first`` is where its tile is drawn."""
    if slot.wants == "lift":
        return Glow(RED, blink=True)
    if slot.wants == "put":
        return Glow(_WHITE, TILE, blink=True)
    if slot.badge:
        return Glow(_VIOLET)
    if first.count:
        return touch_glow(first.count)
    return Glow(TILE if first.piece is not None else DARK)


def _dim(colour: Colour) -> Colour:
    return (colour[0] // 8, colour[1] // 8, colour[2] // 8)
