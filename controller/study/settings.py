"""A study: many games by bots, by the full rules, to see how games go and whether any of them gets stuck.

Here are only the words of it: what a study is told, and what is known of a game when it is over. Game ``i``
of a study depends on the seed and ``i`` alone, so that any game can be played again by itself.
"""

import msgspec

__all__ = ["GameResult", "StudySettings", "share_interval"]


class StudySettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a study is told.

    ``players`` are the smallest and the largest table; ``boards`` and ``catalogues`` what each game draws
    from; ``laid`` how many tiles lie on the board at the start; ``most_events`` when a game counts as stuck.
    """

    games: int = 1000
    players: tuple[int, int] = (2, 6)
    seed: int = 0
    catalogues: tuple[str, ...] = ("basic", "official", "community")
    boards: tuple[str, ...] = ("standard-22",)
    laid: int = 12
    most_events: int = 50_000


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one game.

    ``winners`` are places in turn order, 0 going first. ``ending`` is one word or two for why it ended, or
    ``stuck``. ``tiles`` counts what was laid or played by kind, ``clauses`` what the board said by clause.
    ``journal`` is the game as JSON Lines, kept only if something went wrong: ``problem`` says what.
    """

    number: int
    board: str
    players: int
    turns: int
    rolls: int
    events: int
    ending: str
    winners: tuple[int, ...]
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
