"""A Combo of which a part leaves the board before the last one is laid (2.4.6, 2.4.7, 3.Combo.4, R-55).

What is still in the player's hands belongs to the same tile, so it leaves as the part did; the play has not
come about, so it is owed as after a tile that fits nowhere (2.2.4.3).
"""

from typing import NamedTuple

from hextraction.controller.games.hextraction import turns
from hextraction.controller.games.hextraction.combos import unlaid
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Laid, Phase, Play

__all__ = ["Broken", "break_off", "owe_again"]


class Broken(NamedTuple):
    """A play that has ended because part of its Combo left, and what of it was not laid yet."""

    play: Play
    whole: int
    unlaid: tuple[int, ...]


def break_off(move: Move, gone: list[Laid]) -> Broken | None:
    """End the play of a Combo if one of its parts is among those that have left."""
    play, parted = move.state.play, dict.fromkeys(move.state.copies[laid.copy].whole for laid in gone)
    whole = next((one for one in parted if one and unlaid(move, play, one)), 0)
    if play is None or not whole:
        return None
    broken = Broken(play, whole, unlaid(move, play, whole))
    asks = tuple(ask for ask in move.state.asks if ask.kind != "mismatch")
    move.set(play=play.within, asks=asks, deadline_us=None)
    if move.state.phase in {Phase.PLACING, Phase.SEATING}:
        move.set(phase=Phase.RESOLVING)
    return broken


def owe_again(move: Move, broken: Broken | None) -> None:
    """A play from the hand is still owed, and a tile is drawn for what has gone; one by an effect is over."""
    if broken is None:
        return
    seat = broken.play.seat
    said = f"{move.title(broken.whole)} is not laid to the end"
    if broken.play.from_hand:
        move.say("effect", f"{said}: {move.name(seat)} plays again.", seat=seat, clause="2.4.6")
        if broken.whole not in move.player(seat).hand:  # it may have gone there instead (2.4.4)
            turns.draw(move, seat)
    else:
        move.say("effect", f"{said}.", seat=seat, clause="2.4.6")
