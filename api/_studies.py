"""Games by bots for the library: one to look at, or many and what they come to.

A file of its own because the names of the library are loaded late, and whoever reads a journal needs no bots.
"""

from hextraction.api._journals import RecordedGame
from hextraction.controller.games.registry import STANDARD, game_type
from hextraction.controller.play.journal import Entry
from hextraction.controller.study.engines import play_here, play_on_processes
from hextraction.controller.study.game import header_of, played
from hextraction.controller.study.report import Report, make_report
from hextraction.controller.study.settings import StudySettings

__all__ = ["play_game", "study"]


def play_game(kind: str = STANDARD, *, players: int = 3, seed: int = 0) -> RecordedGame:
    """Let bots play one game, short as in demonstrations, with balls by chance; the same seed, the same game.

    Args:
        kind: which game, as :func:`game_kinds` lists them; on its usual board.
        players: how many play, or as near to it as the game allows.
        seed: what chance draws from.

    Raises:
        UnknownGameError: no such game is installed.

    >>> from hextraction.api import play_game
    >>> game = play_game("hextraction", players=3, seed=7)
    >>> game.standing().outcome
    'Green wins with a ball in the end zone!'
    """
    settings = StudySettings(
        games=1, players=(players, players), seed=seed, game=kind, boards=(game_type(kind).usual_board,)
    )
    table = played(settings, 0)
    failures = table.tally.failures
    entries = tuple(
        Entry(seq=seq, what=what, failed=failures.get(seq)) for seq, what in enumerate(table.events, start=1)
    )
    return RecordedGame(
        name=f"{kind}-{seed}", rules=table.game, _header=header_of(table, 0), _entries=entries
    )


def study(settings: StudySettings, *, jobs: int = 1) -> Report:
    """Let bots play many games, and sum up how they went; see docs/study.md.

    Args:
        settings: which games, how many, on which boards, by which bots.
        jobs: how many processes play; 1 plays here. More of them need a main module that may be imported.

    Raises:
        UnknownGameError: no such game is installed.

    >>> from hextraction.api import StudySettings, study
    >>> report = study(StudySettings(games=5, players=(3, 3), seed=7))
    >>> report.games, report.stuck, report.wrong
    (5, (), {})
    """
    played_here = play_here(settings) if jobs == 1 else play_on_processes(settings, jobs)
    return make_report(settings, list(played_here))
