"""Settings and results of a study: many games by bots under the full rules, to see whether any gets stuck.

Only the types are here. Game ``i`` of a study depends only on the seed and ``i``, so that any game can be
replayed on its own.
"""

import msgspec
from hextraction.controller.games.registry import STANDARD
from hextraction.controller.games.strategy import Strength

__all__ = ["GameResult", "StudySettings", "share_interval"]


class StudySettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a study.

    ``players`` is the smallest and the largest number of players; each game draws from ``boards`` and
    ``files`` of pieces (all if empty); ``laid`` tiles lie on the board at the start; after ``most_events`` a
    game counts as stuck. ``bots`` are their strengths, seat by seat, and ``whim`` is how often one of them
    makes any move instead (None: as usual in studies). ``looks_at`` is among how many things they choose with
    care (0: all, as at a table; None: few, as usual in studies). ``full`` games go by the usual rules; others
    are as short as demonstrations of that game.

    >>> from hextraction.api import StudySettings
    >>> StudySettings(games=20, players=(2, 3)).boards
    ('standard-22',)
    """

    games: int = 1000
    players: tuple[int, int] = (2, 6)
    seed: int = 0
    files: tuple[str, ...] = ()
    game: str = STANDARD
    boards: tuple[str, ...] = ("standard-22",)
    laid: int = 12
    most_events: int = 50_000
    bots: tuple[Strength, ...] = ("strong",)
    whim: float | None = None
    full: bool = False
    looks_at: int | None = None


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one game.

    ``choices`` is among how many things whoever acted could choose, in the middle of all moves. ``winners``
    are places in turn order, 0 going first, and ``seats`` the same by seat, as ``bots`` of the settings go.
    ``ending`` says in a word or two why it ended, or ``stuck``.
    ``tiles`` counts tiles laid or played by kind, ``clauses`` what the board said by clause. ``journal`` is
    the game as JSON Lines, kept only if something went wrong: ``problem`` says what.

    >>> from hextraction.api import GameResult
    >>> result = GameResult(
    ...     number=0, board="standard-22", players=2, turns=9, rolls=8, choices=6, events=120,
    ...     ending="end zone", winners=(0,), seats=(1,), refused=0, failed=0, tiles={"dc": 2}, clauses={},
    ... )
    >>> result.ending, 0 in result.winners
    ('end zone', True)
    """

    number: int
    board: str
    players: int
    turns: int
    rolls: int
    choices: int
    events: int
    ending: str
    winners: tuple[int, ...]
    seats: tuple[int, ...]
    refused: int
    failed: int
    tiles: dict[str, int]
    clauses: dict[str, int]
    problem: str = ""
    journal: tuple[str, ...] = ()


def share_interval(hits: float, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval for a share (95 % by default); 0 to 1 if nothing was tried."""
    if trials == 0:
        return 0.0, 1.0
    share = hits / trials
    centre = share + z * z / (2 * trials)
    spread = z * ((share * (1 - share) + z * z / (4 * trials)) / trials) ** 0.5
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
