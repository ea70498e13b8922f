"""The games that can be played here, by their kind. A game is imported when it is asked for, never before.

The shipped games are named here; a package of anybody's own adds one by an entry point of the group
``hextraction.games`` whose name is the game's kind.
"""

import importlib
from importlib.metadata import entry_points
from typing import Any, Final

import msgspec
from hextraction.controller.games.protocol import Game

__all__ = ["GROUP", "UnknownGameError", "game_type", "kinds", "read_setup"]

GROUP: Final = "hextraction.games"
_SHIPPED: Final = {"hextraction": "hextraction.controller.games.hextraction:Hextraction"}


class UnknownGameError(LookupError):
    """No game of that kind is installed; the message says which are."""


def kinds() -> tuple[str, ...]:
    """Return the kinds of all games that are installed, the shipped ones first."""
    added = sorted(point.name for point in entry_points(group=GROUP))
    return tuple(dict.fromkeys((*_SHIPPED, *added)))


def game_type(kind: str) -> type[Game[Any, Any]]:
    """Return the class of a game.

    Raises:
        UnknownGameError: none of that kind is installed.
    """
    if kind in _SHIPPED:
        module, _colon, name = _SHIPPED[kind].partition(":")
        found: type[Game[Any, Any]] = getattr(importlib.import_module(module), name)
        return found
    for point in entry_points(group=GROUP, name=kind):
        loaded: type[Game[Any, Any]] = point.load()
        return loaded
    raise UnknownGameError(f"no game {kind!r} is installed; there are {', '.join(kinds())}")


def read_setup(kind: str, setup: bytes | msgspec.Raw) -> Any:
    """Return a game's set-up from its JSON.

    Raises:
        UnknownGameError: no game of that kind is installed.
        msgspec.ValidationError: it is no set-up of that game.
    """
    return msgspec.json.decode(setup, type=game_type(kind).setup_type)
