"""The club's ladder: Glicko-2, after Mark Glickman, "Example of the Glicko-2 system" (glicko.net, 2013/2022).

A rating period is one day of play, and periods follow each other as the games do in the journal: a wall
clock may not have been set, the order is sure. In a game of several, the winners have each beaten everybody
who did not win; the others have played nothing among themselves. Whoever does not play keeps a rating and
grows less certain.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from hextraction.controller.history.chronicle import Summary
from hextraction.controller.play.dates import instant

__all__ = ["Rating", "Rung", "climb", "rated"]

_SCALE: Final = 173.7178
_TAU: Final = 0.5
"""How much a volatility may change (Glickman: 0.3 to 1.2)."""
_EXACT: Final = 1e-6


class Rating(NamedTuple):
    """How strong a player is: rating, its deviation (a 95 % interval is two of them), and the volatility."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """One player on the ladder; ``low`` is what they are at least worth (rating less two deviations)."""

    name: str
    rating: int
    deviation: int
    low: int
    games: int
    wins: int


def rated(player: Rating, results: Sequence[tuple[Rating, float]]) -> Rating:
    """Return a player's rating after one period; a result is the opponent's rating and 1, 0.5 or 0."""
    phi = player.deviation / _SCALE
    if not results:
        deviation = math.hypot(phi, player.volatility) * _SCALE
        return player._replace(deviation=min(deviation, Rating().deviation))
    mu = (player.rating - 1500) / _SCALE
    weights = [1 / math.sqrt(1 + 3 * (other.deviation / _SCALE) ** 2 / math.pi**2) for other, _ in results]
    expected = [
        1 / (1 + math.exp(-weight * (mu - (other.rating - 1500) / _SCALE)))
        for weight, (other, _score) in zip(weights, results, strict=True)
    ]
    variance = 1 / sum(g * g * e * (1 - e) for g, e in zip(weights, expected, strict=True))
    better = sum(g * (s - e) for g, e, (_, s) in zip(weights, expected, results, strict=True))
    volatility = _volatility(player.volatility, phi, variance, variance * better)
    phi = 1 / math.sqrt(1 / (phi**2 + volatility**2) + 1 / variance)
    return Rating(1500 + _SCALE * (mu + phi**2 * better), phi * _SCALE, volatility)


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Step 5 of the paper: the new volatility, by the Illinois algorithm."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        grown = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - start) / _TAU**2

    low, high = start, start
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        high -= _TAU
        while f(high) < 0:
            high -= _TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _EXACT:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


def climb(games: Iterable[Summary]) -> list[Rung]:
    """Return the ladder after these games, as they followed each other, the strongest first (by ``low``)."""
    days: list[list[Summary]] = []
    names: dict[str, str] = {}
    played: dict[str, int] = defaultdict(int)
    won: dict[str, int] = defaultdict(int)
    for game in games:
        if not days or not _same_day(days[-1][-1].wall, game.wall):
            days.append([])
        days[-1].append(game)
        for player in game.players:
            key = player.name.casefold()
            names[key] = player.name
            played[key] += 1
            won[key] += player.won
    ratings: dict[str, Rating] = {}
    for day in days:
        ratings = _after(ratings, day)
    rungs = [
        Rung(
            name=names[key],
            rating=round(one.rating),
            deviation=round(one.deviation),
            low=round(one.rating - 2 * one.deviation),
            games=played[key],
            wins=won[key],
        )
        for key, one in ratings.items()
    ]
    return sorted(rungs, key=lambda rung: (-rung.low, rung.name))


def _same_day(before: str, wall: str) -> bool:
    """Whether two games after each other were on one day; a clock that went back was started anew."""
    earlier, later = instant(before), instant(wall)
    gone_back = earlier is not None and later is not None and later < earlier
    return wall[:10] == before[:10] and not gone_back


def _after(ratings: Mapping[str, Rating], games: Iterable[Summary]) -> dict[str, Rating]:
    """Return all ratings after one day."""
    results: dict[str, list[tuple[Rating, float]]] = defaultdict(list)
    there: set[str] = set(ratings)
    for game in games:
        winners = {player.name.casefold() for player in game.players if player.won}
        losers = {player.name.casefold() for player in game.players} - winners
        there |= winners | losers
        for winner in winners:
            for loser in losers:
                results[winner].append((ratings.get(loser, Rating()), 1.0))
                results[loser].append((ratings.get(winner, Rating()), 0.0))
    return {name: rated(ratings.get(name, Rating()), results[name]) for name in there}
