"""Words for tests about lamps: those of the standard board, and views of it."""

from helpers.simulated import BOARD
from hextraction.board.instruments import lamps
from hextraction.controller.games.protocol import PublicView, RampView, SeatView, TileView, ZoneView

TILE = TileView(id=1, name="x", title="X")


def lamp_map():
    """Return the lamps of the standard board, one after the other."""
    places, first = {}, 0
    for name, count in lamps(BOARD):
        places[name] = range(first, first + count)
        first += count
    return places, first


LAMPS, COUNT = lamp_map()


def view(*slots, **more):
    """Return what everybody may see of a board with these slots; red is on turn."""
    words = {
        "phase": "choosing",
        "headline": "",
        "turn": 1,
        "active": "red",
        "seats": (
            SeatView(seat="red", name="R", colour="red"),
            SeatView(seat="blue", name="B", colour="blue"),
        ),
        "slots": slots,
        "ramps": tuple(RampView(ramp=ramp.name, slot=ramp.slot) for ramp in BOARD.ramps),
        "zones": (ZoneView(zone="L", title="Left"), ZoneView(zone="R", title="Right")),
        "balls": (),
    }
    return PublicView(**{**words, **more})
