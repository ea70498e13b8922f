"""How bots think about a position: alpha-beta over plies, a slice at a time.

With three players everybody else is taken to play against us. The search deepens while its budget of
positions lasts; it yields after each slice of a few milliseconds, so that whoever called it can do something
else.
"""

from collections.abc import Generator
from typing import Final

from hextraction.controller.games.hextris import position as board
from hextraction.controller.games.hextris.position import READINGS, Move, Position

__all__ = ["BUDGET", "best", "worth"]

BUDGET: Final = 9_000
"""How many positions are looked at for one ply: about a fifth of a second on a slow core."""
_DEEPEST: Final = 6
_WIN: Final = 1_000_000
_HOME: Final = (0, 300, 900, 2_000)
_CONNECTED: Final = (0, 2, 9, 24, 60, 0)
"""What a group of so many pieces is worth; a group of five has been counted already."""
_SLICE: Final = 120
"""Positions between two pauses."""


def worth(position: Position, player: int) -> int:
    """Rate a position for a player: groups at home, and how well pieces are connected."""
    if position.winner is not None:
        return _WIN if position.winner == player else -_WIN
    rated = [
        _HOME[home] + sum(_CONNECTED[group.bit_count()] for group in board.groups(own))
        for own, home in zip(position.own, position.home, strict=True)
    ]
    mine = rated.pop(player)
    return mine - max(rated) - sum(rated) // 8


def best(
    position: Position, reading: str, *, budget: int = BUDGET, deepest: int = _DEEPEST
) -> Generator[None, None, list[tuple[int, Move]]]:
    """Yield now and then; return the legal plies with what they are worth, the best first.

    Those that were not searched as deeply as the first are rated from a shallower look.
    """
    search = _Search(position.mover, READINGS.index(reading), budget)
    found = [(worth(after, position.mover), move) for move, after in search.children(position)]
    found.sort(key=lambda one: -one[0])
    for depth in range(1, deepest):
        yield None
        deeper = yield from search.root(position, [move for _worth, move in found], depth)
        if deeper is None:
            break
        found = deeper
        if abs(found[0][0]) >= _WIN // 2 or len(found) == 1:
            break
    return found


class _Search:
    """One search for one player."""

    def __init__(self, player: int, reading: int, budget: int) -> None:
        self._player = player
        self._reading = reading
        self._budget = budget
        self._since = 0

    def children(self, position: Position) -> list[tuple[Move, Position]]:
        """Return what each legal ply leads to; one skip if there is none."""
        found = board.moves(position, self._reading)
        self._budget -= len(found)
        self._since += len(found)
        return [(move, board.carried_out(position, move)) for move in found]

    def root(
        self, position: Position, order: list[Move], depth: int
    ) -> Generator[None, None, list[tuple[int, Move]] | None]:
        """Return all plies rated to a depth, the best first; None if the budget did not last."""
        found: list[tuple[int, Move]] = []
        alpha = -2 * _WIN
        for move in order:
            rated = yield from self._rated(board.carried_out(position, move), depth, alpha, 2 * _WIN)
            if self._budget <= 0:
                return None
            found.append((rated, move))
            alpha = max(alpha, rated)
        found.sort(key=lambda one: -one[0])
        return found

    def _rated(self, position: Position, depth: int, alpha: int, beta: int) -> Generator[None, None, int]:
        """Return what a position is worth to our player, by alpha-beta."""
        if depth == 0 or position.winner is not None or self._budget <= 0:
            return _sooner(worth(position, self._player), depth)
        if self._since >= _SLICE:
            self._since = 0
            yield None
        ours = position.mover == self._player
        after = self._ordered(position, ours=ours)
        if not after:
            return (yield from self._rated(board.skipped(position), depth - 1, alpha, beta))
        if depth == 1:
            rated = after[0][0]
            return _sooner(rated, 0)
        found = -2 * _WIN if ours else 2 * _WIN
        for _worth, child in after:
            rated = yield from self._rated(child, depth - 1, alpha, beta)
            if ours:
                found = max(found, rated)
                alpha = max(alpha, rated)
            else:
                found = min(found, rated)
                beta = min(beta, rated)
            if alpha >= beta or self._budget <= 0:
                break
        return found

    def _ordered(self, position: Position, *, ours: bool) -> list[tuple[int, Position]]:
        """Return the positions that may follow, the likeliest first."""
        after = [(worth(child, self._player), child) for _move, child in self.children(position)]
        after.sort(key=lambda one: one[0], reverse=ours)
        return after


def _sooner(rated: int, depth: int) -> int:
    """Prefer to win soon and to lose late; ``depth`` is how far the search would have gone on."""
    if rated >= _WIN:
        return rated + depth
    return rated - depth if rated <= -_WIN else rated
