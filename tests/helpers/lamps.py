"""Words for tests about lamps: those of the standard board, and views of it."""

from helpers.simulated import BOARD
from hextraction.board.instruments import lamps
from hextraction.controller.games.hextraction.cards.face import TileView
from hextraction.controller.games.hextraction.shown.detail import Detail
from hextraction.controller.games.scene import PlaceView, Scene, SeatView

TILE = TileView(id=1, name="x", title="X")


def lamp_map():
    """Return the lamps of the standard board, one after the other."""
    places, first = {}, 0
    for name, count in lamps(BOARD):
        places[name] = range(first, first + count)
        first += count
    return places, first


LAMPS, COUNT = lamp_map()


def scene(*places, phase="choosing", rolls_owed=0, **more):
    """Return what everybody may see of a board with these places, besides ramps and end zones; red acts."""
    named = {place.place for place in places}
    others = [PlaceView(place=f"ramp.{ramp.name}") for ramp in BOARD.ramps]
    others += [PlaceView(place=f"zone.{zone.name}", title=zone.title) for zone in BOARD.zones]
    words = {
        "kind": "hextraction",
        "headline": "",
        "turn": 1,
        "active": "red",
        "acting": "red",
        "seats": (
            SeatView(seat="red", name="R", colour="red"),
            SeatView(seat="blue", name="B", colour="blue"),
        ),
        "places": (*places, *(one for one in others if one.place not in named)),
        "detail": Detail(phase=phase, rolls_owed=rolls_owed),
    }
    return Scene(**{**words, **more})
