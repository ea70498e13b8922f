"""Create: search the hand or a pool for a Virtual tile and play it (3.Create, 3.Virtual.4, R-54, R-58)."""

from typing import Final

from hextraction.board.tiles import Effect
from hextraction.controller.games.hextraction import playing, slots
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Waiting

__all__ = ["create", "create_from"]

_SOURCES: Final = {"virtual": "the Virtual Pool", "hand": "the hand", "pool": "the Main Pool"}


def create(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    """Take the tile from where it is; if it is in several places, its creator says from which."""
    found = [
        (source, f"From {where}")
        for source, where in _SOURCES.items()
        if _search(move, seat, effect.tile, source)
    ]
    title = move.rules.named(effect.tile).title
    if not found:
        move.say("effect", f"There is no {title} to create.", clause="3.Create")
    elif len(found) == 1:
        create_from(move, seat, effect.tile, found[0][0])
    else:
        move.ask_effect(waiting, seat, f"create {title} from where?", "3.Create", found)


def _search(move: Move, seat: str, name: str, source: str) -> int:
    """Return a copy of that name, or 0; nothing but this leaves the Virtual Pool (3.VirtualPool.2)."""
    places = {"virtual": move.state.virtual, "hand": move.player(seat).hand, "pool": move.state.pool}
    wanted = move.rules.named(name).name
    return next((copy for copy in places[source] if move.tile(copy).name == wanted), 0)


def create_from(move: Move, seat: str, name: str, source: str) -> None:
    """Play the tile at once; its On Play comes after (3.Create.1). If no slot is legal nothing happens."""
    copy = _search(move, seat, name, source)
    if not copy:
        return
    if not slots.places(move, copy):
        move.say("effect", f"There is no slot for {move.title(copy)}.", clause="3.Create")
        return
    if source != "hand":
        move.take(seat, copy)
    playing.start_play(move, seat, copy, from_hand=False)
