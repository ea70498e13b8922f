"""The public library: boards, tiles, the tracker, games, journals, the simulator and studies.

What stands here is public, and so are the modules :mod:`hextraction.api.facts` (what balls do),
:mod:`hextraction.api.games` (to write a game) and :mod:`hextraction.api.effects` (to write a word for tile
files). They follow semantic versioning: only a new major version takes a name away or asks for other
arguments, and a name that is to go warns for at least one minor version before. Everything else in
``hextraction`` is private and may change any day, but for :mod:`hextraction.testing`, the tests for authors
of games.

To import this module imports nothing else of the program: each name is loaded when it is first asked for.

>>> from hextraction.api import Laid, load_board, load_tiles, outlook
>>> board, tiles = load_board(), load_tiles()
>>> laid = {slot: Laid(tiles["asterisk"], 0) for slot in board.slot_names}
>>> [f"{one.ramp}: {one.zone:.0%}" for one in outlook(board, laid)]
['L1: 11%', 'L2: 84%', 'L3: 6%', 'R1: 6%', 'R2: 84%', 'R3: 11%']
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hextraction.api._journals import RecordedGame, RecordedPlayer, read_games
    from hextraction.api._rolls import SimulatedRoll, outlook, sensors_of, simulate_roll, track
    from hextraction.api._studies import play_game, study
    from hextraction.board.facts import Fact, RollSettled
    from hextraction.board.outlook import Outlook
    from hextraction.board.profile import Board, board_names, load_board, read_board
    from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue as load_tiles
    from hextraction.controller.games.hextraction.cards.tiles import Tile
    from hextraction.controller.games.protocol import Game
    from hextraction.controller.games.registry import UnknownGameError, open_game
    from hextraction.controller.games.registry import kinds as game_kinds
    from hextraction.controller.play.journal_file import JournalError
    from hextraction.controller.study.report import Report as StudyReport
    from hextraction.controller.study.settings import GameResult, StudySettings
    from hextraction.controller.tracking.graph import Laid
    from hextraction.controller.tracking.trace import Trace, TraceEdge, TraceError, read_trace, write_trace
    from hextraction.controller.tracking.tracker import Settings as TrackerSettings
    from hextraction.controller.tracking.tracker import Tracker
    from hextraction.settings import SettingsError

__all__ = [
    "Board",
    "Fact",
    "Game",
    "GameResult",
    "JournalError",
    "Laid",
    "Outlook",
    "RecordedGame",
    "RecordedPlayer",
    "RollSettled",
    "SettingsError",
    "SimulatedRoll",
    "StudyReport",
    "StudySettings",
    "Tile",
    "Trace",
    "TraceEdge",
    "TraceError",
    "Tracker",
    "TrackerSettings",
    "UnknownGameError",
    "board_names",
    "game_kinds",
    "load_board",
    "load_tiles",
    "open_game",
    "outlook",
    "play_game",
    "read_board",
    "read_games",
    "read_trace",
    "sensors_of",
    "simulate_roll",
    "study",
    "track",
    "write_trace",
]

_WHERE: Final = {
    "hextraction.api._journals": ("RecordedGame", "RecordedPlayer", "read_games"),
    "hextraction.api._rolls": ("SimulatedRoll", "outlook", "sensors_of", "simulate_roll", "track"),
    "hextraction.api._studies": ("play_game", "study"),
    "hextraction.board.facts": ("Fact", "RollSettled"),
    "hextraction.board.outlook": ("Outlook",),
    "hextraction.board.profile": ("Board", "board_names", "load_board", "read_board"),
    "hextraction.controller.games.hextraction.cards.tilebook": ("load_tiles=load_catalogue",),
    "hextraction.controller.games.hextraction.cards.tiles": ("Tile",),
    "hextraction.controller.games.protocol": ("Game",),
    "hextraction.controller.games.registry": ("UnknownGameError", "game_kinds=kinds", "open_game"),
    "hextraction.controller.play.journal_file": ("JournalError",),
    "hextraction.controller.study.report": ("StudyReport=Report",),
    "hextraction.controller.study.settings": ("GameResult", "StudySettings"),
    "hextraction.controller.tracking.graph": ("Laid",),
    "hextraction.controller.tracking.trace": (
        "Trace",
        "TraceEdge",
        "TraceError",
        "read_trace",
        "write_trace",
    ),
    "hextraction.controller.tracking.tracker": ("Tracker", "TrackerSettings=Settings"),
    "hextraction.settings": ("SettingsError",),
}
"""Where each name is, and as ``ours=theirs`` its name there; the imports above are for type checkers."""
_FOUND: Final = {
    ours: (module, theirs or ours)
    for module, names in _WHERE.items()
    for ours, _equals, theirs in (name.partition("=") for name in names)
}


def __getattr__(name: str) -> Any:
    if name not in _FOUND:
        raise AttributeError(f"hextraction.api has no {name!r}; what it has is listed in its __all__")
    module, called = _FOUND[name]
    found = getattr(importlib.import_module(module), called)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *globals()})
