"""Statistics of players and tiles over many games: what balls did, and which tile brings luck."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import sqrt
from typing import Final

import msgspec
from hextraction.controller.history.chronicle import RollTold, Summary

__all__ = ["PlayerStats", "TileStats", "players_of", "tiles_of"]

_Z: Final = 1.96
_LEAST: Final = 3
"""A tile that fewer balls came over is nobody's luckiest."""


class TileStats(msgspec.Struct, frozen=True, kw_only=True):
    """What balls did that came over a tile: ``zone`` of them then came into an end zone, ``fell`` fell.

    ``luck`` is the share that came into an end zone at least, with 97.5 % certainty (Wilson's lower bound).
    """

    title: str
    balls: int
    touches: int
    zone: int
    fell: int
    luck: float


class PlayerStats(msgspec.Struct, frozen=True, kw_only=True):
    """What a player has done; ``luckiest`` is the tile with the most ``luck``, if any."""

    name: str
    games: int
    wins: int
    balls: int
    zone: int
    touches: int
    luckiest: TileStats | None = None


def tiles_of(balls: Iterable[RollTold]) -> list[TileStats]:
    """Return the statistics of all tiles that balls came over, the luckiest first."""
    over: Counter[str] = Counter()
    touches: Counter[str] = Counter()
    zone: Counter[str] = Counter()
    fell: Counter[str] = Counter()
    for ball in balls:
        touches.update(crossing.tile for crossing in ball.crossed if crossing.touch)
        for title in {crossing.tile for crossing in ball.crossed}:
            over[title] += 1
            zone[title] += (ball.fate or "").startswith("zone.")
            fell[title] += (ball.fate or "").startswith("hole.")
    found = [
        TileStats(
            title=title,
            balls=count,
            touches=touches[title],
            zone=zone[title],
            fell=fell[title],
            luck=round(_at_least(zone[title], count), 3),
        )
        for title, count in over.items()
    ]
    return sorted(found, key=lambda tile: (-tile.luck, -tile.balls, tile.title))


def players_of(games: Iterable[Summary]) -> list[PlayerStats]:
    """Return the statistics of everybody who played, who won most first; case makes no new name."""
    names: dict[str, str] = {}
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    balls: dict[str, list[RollTold]] = defaultdict(list)
    for game in games:
        for player in game.players:
            key = player.name.casefold()
            names[key] = player.name
            played[key] += 1
            won[key] += player.won
        for ball in game.balls:
            balls[ball.roller.casefold()].append(ball)
    found = [_player(name, played[key], won[key], balls[key]) for key, name in names.items()]
    return sorted(found, key=lambda one: (-one.wins, -one.games, one.name))


def _player(name: str, games: int, wins: int, balls: list[RollTold]) -> PlayerStats:
    lucky = [tile for tile in tiles_of(balls) if tile.balls >= _LEAST and tile.zone]
    return PlayerStats(
        name=name,
        games=games,
        wins=wins,
        balls=len(balls),
        zone=sum((ball.fate or "").startswith("zone.") for ball in balls),
        touches=sum(crossing.touch for ball in balls for crossing in ball.crossed),
        luckiest=lucky[0] if lucky else None,
    )


def _at_least(hits: int, tries: int) -> float:
    """Return Wilson's lower bound of a share."""
    share = hits / tries
    middle = share + _Z**2 / (2 * tries)
    spread = _Z * sqrt(share * (1 - share) / tries + _Z**2 / (4 * tries**2))
    return max(0.0, (middle - spread) / (1 + _Z**2 / tries))
