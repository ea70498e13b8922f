"""Names that people gave themselves, marked in what is said to phones.

Sentences are made in English, and the phone says them in another language (``docs/languages.md``). A name
must come through as it is, even if it is a word of some sentence ("Sam and Alex", "wood", "1 tile"). So a
table gives a running game its players' names between two characters that Unicode has for this, U+2068 and
U+2069: they are not seen, they isolate the direction in which a name is written, and they tell where it
begins and ends. What is printed or logged has them no more.
"""

import re
from typing import Any, Final

import msgspec
from hextraction.controller.games.protocol import Game, Renamed

__all__ = ["begun", "marked", "plain", "with_mark"]

_BEGINS: Final = "\u2068"
_ENDS: Final = "\u2069"
_ISOLATES: Final = re.compile("[\u2066-\u2069]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What a terminal takes for an order; a journal of somebody else's may have it in a name."""


def marked(name: str, seat: str = "") -> str:
    """Return a name between marks; without them if it is the seat's colour, which phones translate."""
    bare = plain(name)
    return bare if not bare or bare.lower() == seat.lower() else f"{_BEGINS}{bare}{_ENDS}"


def plain(text: str) -> str:
    """Return a text without such marks and orders to a terminal, for whoever prints, logs or compares it."""
    return _CONTROLS.sub("\ufffd", _ISOLATES.sub("", text))


def begun(game: Game[Any, Any], setup: Any) -> Any:
    """Return a game's first state, in which its players are called by marked names."""
    state = game.start(setup)
    for player in game.standing(state).players:
        named = with_mark(Renamed(at_us=setup.at_us, seat=player.seat, name=player.name))
        state = game.step(state, named).state if named.name != player.name else state
    return state


def with_mark(event: Renamed) -> Renamed:
    """Return what tells a game that somebody else plays a seat, with a marked name."""
    return msgspec.structs.replace(event, name=marked(event.name, event.seat))
