"""The rules of a game that was recorded, found by its header; a game that they refuse is refused in words."""

from pathlib import Path
from typing import Any

from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.marked_names import plain
from hextraction.controller.games.protocol import Game
from hextraction.controller.games.registry import UnknownGameError, demo_game
from hextraction.controller.play.journal import Header, JournalError
from hextraction.settings import SettingsError

__all__ = ["game_of_header", "must_know_tiles"]


def game_of_header(header: Header, own_tiles: Path | None, source: str) -> Game[Any, Any]:
    """Return the rules of a recorded game, after checking that it can be played with these tiles.

    People's own tiles are those that it was begun with. ``own_tiles`` is a folder of further ones, for a game
    that does not say, and ``source`` what a mistake is said to be in.

    Raises:
        JournalError: no such board or game is here, or the rules of today refuse its set-up.
    """
    name = header.setup.board
    if name not in board_names():
        raise JournalError(f"{source}: line 1: no board {name!r}; there are {', '.join(board_names())}")
    try:
        game = demo_game(header.kind, load_board(name), 0, own_tiles).begun_with(header.setup)
    except (UnknownGameError, SettingsError) as error:
        raise JournalError(f"{source}: line 1: {error}") from None
    try:
        problems = [(plain(what), clause) for what, clause in game.problems(header.setup)]
        if not problems:
            game.start(header.setup)
    except Exception as error:  # whatever the rules of today make of what somebody has written there
        raise JournalError(
            f"{source}: line 1: this game cannot be played: {type(error).__name__}: {error}"
        ) from error
    if problems:
        told = "; ".join(f"{what} ({clause})" for what, clause in problems)
        raise JournalError(f"{source}: line 1: this game cannot be played with these tiles: {told}")
    return game


def must_know_tiles(game: Game[Any, Any], header: Header, source: str) -> None:
    """Refuse a game with tiles that are not here: with unknown ones in their place it would be another game.

    Raises:
        JournalError: with the names of those tiles.
    """
    if unknown := game.unknown_tiles(header.setup):
        raise JournalError(
            f"{source}: line 1: no such tile here: {', '.join(map(plain, unknown))}; "
            "tiles of people's own are read with --own-tiles FOLDER (in Python own_tiles)"
        )
