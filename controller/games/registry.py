"""The games that can be played here, by their kind. A game is imported when it is asked for, never before.

The shipped games are named here; a package of anybody's own adds one by an entry point of the group
``hextraction.games`` whose name is the game's kind. Its folder ``page``, if it has one, holds ``KIND.js``,
which draws on phones what only that game has.
"""

import importlib
import re
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import msgspec
from hextraction.board.profile import Board
from hextraction.controller.games.added import BrokenPackageError, imported, package_of, points
from hextraction.controller.games.protocol import Game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.metadata import EntryPoint

__all__ = [
    "GROUP",
    "STANDARD",
    "BrokenGameError",
    "UnknownGameError",
    "broken_games",
    "comes_from",
    "demo_game",
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
_KIND: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_OWN: Final = (
    "read_rules", "demo_rules", "on", "leaving", "preparation", "problems", "start", "contact_us", "step",
    "wake_at_us", "standing", "physical", "awaited", "roll_watcher", "scene", "private", "lamps", "files",
    "draw", "strategy", "ending",
)  # fmt: skip
"""What every game brings itself: of the protocol it would only have the words."""
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
        "hextraction.controller.games.hextraction.scenario.language",
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
        "hextraction.controller.games.extraction.scenario.language",
    ),
}
"""The games that come with the board. Their titles stand here, too: to list games none is imported."""


class UnknownGameError(LookupError):
    """No game of that kind is installed; the message says which are.

    >>> from hextraction.api import UnknownGameError, load_board, open_game
    >>> try:
    ...     open_game("chess", load_board())
    ... except UnknownGameError as error:
    ...     print(str(error).partition(";")[0])
    no game 'chess' is installed
    """


class BrokenGameError(UnknownGameError):
    """A game is installed but cannot be played; the message names its package and says why."""


def _added() -> "Iterable[EntryPoint]":
    """Return the entry points of added games; one whose name can be no kind is left out."""
    return [point for point in points(GROUP) if _KIND.fullmatch(point.name)]


def kinds() -> tuple[str, ...]:
    """Return the kinds of all games that are installed, the shipped ones first.

    >>> from hextraction.api import game_kinds
    >>> game_kinds()[:2]
    ('hextraction', 'hextris')
    """
    added = sorted(point.name for point in _added())
    return tuple(dict.fromkeys((*SHIPPED, *added)))


def broken_games() -> dict[str, str]:
    """Return why each added game that cannot be played cannot, by its name; imports all of them."""
    found = {
        point.name: f"{package_of(point)}: want a name of a-z, 0-9, - and _"
        for point in points(GROUP)
        if not _KIND.fullmatch(point.name)
    }
    for kind in kinds():
        if kind not in SHIPPED:
            try:
                game_type(kind)
            except UnknownGameError as error:
                found[kind] = str(error)
    return found


def title_of(kind: str) -> str:
    """Return what people call a game; an added one is called as its kind until it is imported."""
    return SHIPPED[kind].title if kind in SHIPPED else kind.replace("-", " ").replace("_", " ").capitalize()


def comes_from(kind: str) -> str:
    """Return the package of an added game, as ``light-the-ring 0.1.0``; empty for a shipped one."""
    point = next((point for point in _added() if point.name == kind and kind not in SHIPPED), None)
    if point is None:
        return ""
    return package_of(point)


def must_be_allowed(kind: str) -> str:
    """Return why a real table must allow a game before it is played there; empty if it need not."""
    return SHIPPED[kind].asks if kind in SHIPPED else ""


def game_type(kind: str) -> type[Game[Any, Any]]:
    """Return the class of a game.

    Raises:
        UnknownGameError: none of that kind is installed.
        BrokenGameError: the package that adds it brings no game of that kind.
    """
    if kind in SHIPPED:
        module, _colon, name = SHIPPED[kind].where.partition(":")
        found: type[Game[Any, Any]] = getattr(importlib.import_module(module), name)
        return found
    for point in _added():
        if point.name == kind:
            return _loaded(point)
    raise UnknownGameError(f"no game {kind!r} is installed; there are {', '.join(kinds())}")


def _loaded(point: "EntryPoint") -> type[Game[Any, Any]]:
    """Import an added game: whatever its package does then is its own mistake, and not ours."""
    try:
        found = imported(point)
    except BrokenPackageError as error:
        raise _broken(point.name, str(error)) from error
    wrong = _wrong_with(found, point.name)
    if wrong:
        raise _broken(point.name, wrong)
    return cast("type[Game[Any, Any]]", found)


def _broken(kind: str, why: str) -> BrokenGameError:
    return BrokenGameError(f"the game {kind!r} of {comes_from(kind)} cannot be played: {why}")


def _wrong_with(found: object, kind: str) -> str:
    """Return why this is no class of a game of that kind; empty if it may be one."""
    if not isinstance(found, type):
        return f"want a class, found {found!r}"
    lacks = [name for name in _OWN if getattr(found, name, None) in (None, getattr(Game, name, None))]
    if lacks:
        return f"its class {found.__name__} lacks {', '.join(lacks)}"
    said = getattr(found, "kind", None)
    if said != kind:
        return f"its class says that its kind is {said!r}, the entry point {kind!r}"
    seats, setup = getattr(found, "seats", None), getattr(found, "setup_type", None)
    if not isinstance(seats, range) or not seats:
        return f"its seats are {seats!r}, want a range of how many may play"
    if not isinstance(getattr(found, "title", None), str):
        return "its title is no text"
    if not (isinstance(setup, type) and issubclass(setup, msgspec.Struct)):
        return f"its setup_type is {setup!r}, want a msgspec.Struct"
    return ""


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
        BrokenGameError: it is, and fails at once.

    >>> from hextraction.api import load_board, open_game
    >>> game = open_game("hextris", load_board("large-27"))
    >>> game.title, game.seats[0], game.seats[-1]
    ('Hextris', 2, 3)
    """
    return _asked(kind, lambda made: made.on(board, rules))


def demo_game(kind: str, board: Board, laid: int | None, own: Path | None) -> Game[Any, Any]:
    """Return a game on a board for a demonstration; raises as :func:`open_game`."""
    return _asked(kind, lambda made: made.on(board, made.demo_rules(laid, own)))


def _asked(kind: str, ask: "Callable[[type[Game[Any, Any]]], Game[Any, Any]]") -> Game[Any, Any]:
    made = game_type(kind)
    if kind in SHIPPED:
        return ask(made)
    try:
        return ask(made)
    except Exception as error:
        raise _broken(kind, f"{type(error).__name__}: {error}") from error


def read_setup(kind: str, setup: bytes | msgspec.Raw) -> Any:
    """Return a game's set-up from its JSON.

    Raises:
        UnknownGameError: no game of that kind is installed.
        msgspec.ValidationError: it is no set-up of that game.
    """
    return msgspec.json.decode(setup, type=game_type(kind).setup_type)


def page_folders() -> tuple[Path, ...]:
    """Return the folders with page files that added games bring; no game is imported for that."""
    packages = {point.value.partition(":")[0].partition(".")[0] for point in _added()}
    folders = [folder / "page" for package in sorted(packages) for folder in _folders_of(package)]
    return tuple(folder for folder in folders if folder.is_dir())


def _folders_of(package: str) -> list[Path]:
    """Return where a package's files are, as Python would find it; none if it would not."""
    from importlib.util import find_spec  # noqa: PLC0415 - only where phones are served

    try:
        spec = find_spec(package)
    except (ImportError, ValueError, AttributeError):
        return []
    return [Path(folder) for folder in (spec.submodule_search_locations or ())] if spec is not None else []
