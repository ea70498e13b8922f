"""The games that can be played here, by their kind. A game is imported when it is asked for, never before.

The shipped games are named here; a package of anybody's own adds one by an entry point of the group
``hextraction.games`` whose name is the game's kind. Its folder ``page``, if it has one, holds ``KIND.js``,
which draws on phones what only that game has.
"""

import importlib
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from hextraction.board.profile import Board
from hextraction.controller.games.protocol import Game

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

__all__ = [
    "GROUP",
    "STANDARD",
    "UnknownGameError",
    "comes_from",
    "game_type",
    "kinds",
    "must_be_allowed",
    "open_game",
    "page_folders",
    "read_setup",
    "scenario_language",
    "title_of",
]

GROUP: Final = "hextraction.games"
STANDARD: Final = "hextraction"
"""The game that is played if nobody names one."""


class _Shipped(NamedTuple):
    title: str
    where: str
    scenarios: str
    """The module that reads and plays its scenario files, with ``run_file``."""
    asks: str = ""
    """Why a table must allow it in its configuration, ``[games]``; most games need not be."""


SHIPPED: Final = {
    STANDARD: _Shipped(
        "Hextraction",
        "hextraction.controller.games.hextraction:Hextraction",
        "hextraction.controller.games.hextraction.scenario.runner",
    ),
    "hextris": _Shipped(
        "Hextris",
        "hextraction.controller.games.hextris:Hextris",
        "hextraction.controller.games.hextris.scenario",
    ),
    "hexel": _Shipped(
        "Hex'el",
        "hextraction.controller.games.hexel:Hexel",
        "hextraction.controller.games.hexel.scenario",
        "its rules are published under CC BY-NC-ND, for no commercial use and not to be rewritten without "
        "consent, so whoever runs a table decides whether to offer it (docs/hexel.md)",
    ),
    "extraction": _Shipped(
        "Extraction",
        "hextraction.controller.games.extraction:Extraction",
        "hextraction.controller.games.extraction.scenario",
    ),
}
"""The games that come with the board. Their titles stand here, too: to list games none is imported."""


class UnknownGameError(LookupError):
    """No game of that kind is installed; the message says which are."""


def _added() -> "Iterable[EntryPoint]":
    """Return the entry points of games in other packages. Looking for them takes a while."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and few tables need it

    return entry_points(group=GROUP)


def kinds() -> tuple[str, ...]:
    """Return the kinds of all games that are installed, the shipped ones first."""
    added = sorted(point.name for point in _added())
    return tuple(dict.fromkeys((*SHIPPED, *added)))


def title_of(kind: str) -> str:
    """Return what people call a game; an added one is called as its kind until it is imported."""
    return SHIPPED[kind].title if kind in SHIPPED else kind.replace("-", " ").replace("_", " ").capitalize()


def comes_from(kind: str) -> str:
    """Return the package of an added game, as ``light-the-ring 0.1.0``; empty for a shipped one."""
    point = next((point for point in _added() if point.name == kind and kind not in SHIPPED), None)
    if point is None:
        return ""
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value


def must_be_allowed(kind: str) -> str:
    """Return why a real table must allow a game before it is played there; empty if it need not."""
    return SHIPPED[kind].asks if kind in SHIPPED else ""


def game_type(kind: str) -> type[Game[Any, Any]]:
    """Return the class of a game.

    Raises:
        UnknownGameError: none of that kind is installed.
    """
    if kind in SHIPPED:
        module, _colon, name = SHIPPED[kind].where.partition(":")
        found: type[Game[Any, Any]] = getattr(importlib.import_module(module), name)
        return found
    for point in _added():
        if point.name == kind:
            loaded: type[Game[Any, Any]] = point.load()
            return loaded
    raise UnknownGameError(f"no game {kind!r} is installed; there are {', '.join(kinds())}")


def scenario_language(kind: str) -> ModuleType:
    """Return the module that plays a game's scenario files.

    Raises:
        UnknownGameError: no such game is shipped; added games have no scenarios of their own yet.
    """
    if kind not in SHIPPED:
        raise UnknownGameError(f"no game {kind!r} has scenarios; those of {', '.join(SHIPPED)} can be played")
    return importlib.import_module(SHIPPED[kind].scenarios)


def open_game(kind: str, board: Board, rules: Any = None) -> Game[Any, Any]:
    """Return a game on a board, under house rules as it read them, or at its defaults.

    Raises:
        UnknownGameError: no game of that kind is installed.
    """
    return game_type(kind).on(board, rules)


def read_setup(kind: str, setup: bytes | msgspec.Raw) -> Any:
    """Return a game's set-up from its JSON.

    Raises:
        UnknownGameError: no game of that kind is installed.
        msgspec.ValidationError: it is no set-up of that game.
    """
    return msgspec.json.decode(setup, type=game_type(kind).setup_type)


def page_folders() -> tuple[Path, ...]:
    """Return the folders with page files that added games bring; no game is imported for that."""
    from importlib.resources import files  # noqa: PLC0415 - only where phones are served

    packages = [point.value.partition(":")[0].partition(".")[0] for point in _added()]
    folders = [Path(str(files(package))) / "page" for package in packages]
    return tuple(folder for folder in folders if folder.is_dir())
