"""Where something may be built or attacked, how long a route is, what stands there counts (1.3 to 1.5).

Everything here asks of buildings by intersection and roads by edge alone, so that bots can ask it of
positions that they only imagine. What cannot be is told as a sentence; an empty one says that it can.
"""

from collections.abc import Sequence
from typing import Final

from hextraction.controller.games.extraction.land.corners import CORNER_EDGES, EDGE_ENDS, NEAR
from hextraction.controller.games.extraction.land.goods import (
    CITIES,
    CITY,
    NOBODY,
    ROADS_EACH,
    SETTLEMENTS,
    is_city,
    owner,
)

__all__ = [
    "LONGEST",
    "attackable",
    "built",
    "fitting",
    "longest",
    "road_spots",
    "settlement_spots",
    "stock",
    "upgradable",
    "why_no_attack",
    "why_no_road",
    "why_no_settlement",
]

LONGEST: Final = 5
"""So many continuous roads are a Longest Route."""


def built(buildings: Sequence[int], roads: Sequence[int], player: int) -> tuple[int, int, int]:
    """Return how many settlements, cities and roads a player has on the board."""
    return buildings.count(player), buildings.count(player + CITY), roads.count(player)


def stock(buildings: Sequence[int], roads: Sequence[int], player: int) -> tuple[int, int, int]:
    """Return how many settlements, cities and roads a player still has (1.4)."""
    settlements, cities, ways = built(buildings, roads, player)
    return SETTLEMENTS - settlements, CITIES - cities, ROADS_EACH - ways


# --- roads ---


def why_no_road(buildings: Sequence[int], roads: Sequence[int], player: int, edge: int) -> str:
    """Return why a player cannot build a road there: it must join, and not pass a foreign building (1.4)."""
    if roads[edge] != NOBODY:
        return "There is a road already."
    for corner in EDGE_ENDS[edge]:
        there = owner(buildings[corner])
        if there == player:
            return ""
        if there == NOBODY and any(roads[other] == player for other in CORNER_EDGES[corner] if other != edge):
            return ""
    return "A road must join your roads or buildings. It cannot pass somebody else's building."


def road_spots(buildings: Sequence[int], roads: Sequence[int], player: int) -> list[int]:
    """Return the edges where a player may build a road."""
    near: dict[int, None] = {}
    for corner, building in enumerate(buildings):
        if owner(building) == player:
            near.update(dict.fromkeys(CORNER_EDGES[corner]))
    for edge, whose in enumerate(roads):
        if whose == player:
            for corner in EDGE_ENDS[edge]:
                if owner(buildings[corner]) in {NOBODY, player}:
                    near.update(dict.fromkeys(CORNER_EDGES[corner]))
    return sorted(edge for edge in near if roads[edge] == NOBODY)


def longest(buildings: Sequence[int], roads: Sequence[int], player: int) -> int:
    """Return how many roads a player's longest continuous route has; foreign buildings cut it (1.4)."""
    mine = {edge for edge, whose in enumerate(roads) if whose == player}

    def on_from(corner: int, used: frozenset[int]) -> int:
        if used and owner(buildings[corner]) not in {NOBODY, player}:
            return len(used)
        ways = [(edge, end) for edge, end in NEAR[corner] if edge in mine and edge not in used]
        return max((on_from(end, used | {edge}) for edge, end in ways), default=len(used))

    ends = {corner for edge in mine for corner in EDGE_ENDS[edge]}
    return max((on_from(corner, frozenset()) for corner in ends), default=0)


# --- buildings ---


def why_no_settlement(
    buildings: Sequence[int], roads: Sequence[int], player: int, corner: int, *, first: bool = False
) -> str:
    """Return why a player cannot settle there; ``first`` is for the set-up, which needs no road (1.3, 1.4).

    Opponents' buildings are at least two edges away; an own one may be one edge away if an own road is
    between (X-E-6).
    """
    if buildings[corner] != NOBODY:
        return "There is a building already."
    for edge, end in NEAR[corner]:
        there = owner(buildings[end])
        if there not in {NOBODY, player}:
            return "That is too near: two edges must lie between you and a building of somebody else."
        if there == player and roads[edge] != player:
            return "Between two of your buildings there must be one of your roads."
    if first:
        free = any(roads[edge] == NOBODY for edge in CORNER_EDGES[corner])
        return "" if free else "There is no free edge for your road."
    joined = any(roads[edge] == player for edge in CORNER_EDGES[corner])
    return "" if joined else "A settlement must touch one of your roads."


def settlement_spots(
    buildings: Sequence[int], roads: Sequence[int], player: int, *, first: bool = False
) -> list[int]:
    """Return the intersections where a player may settle."""
    if first:
        near: Sequence[int] = range(len(buildings))
    else:
        mine = {corner for edge, whose in enumerate(roads) if whose == player for corner in EDGE_ENDS[edge]}
        near = sorted(mine)
    return [corner for corner in near if not why_no_settlement(buildings, roads, player, corner, first=first)]


def upgradable(buildings: Sequence[int], player: int) -> list[int]:
    """Return where a player's settlements are: each may become a city."""
    return [corner for corner, building in enumerate(buildings) if building == player]


# --- attacks ---


def fitting(buildings: Sequence[int], roads: Sequence[int], player: int, corner: int) -> int:
    """Return what an attacker would put there: a building like the one there, else a settlement (1.5).

    :data:`NOBODY` if neither is in stock.
    """
    settlements, cities, _roads = stock(buildings, roads, player)
    if is_city(buildings[corner]) and cities > 0:
        return player + CITY
    return player if settlements > 0 else NOBODY


def why_no_attack(buildings: Sequence[int], roads: Sequence[int], player: int, corner: int) -> str:
    """Return why a player cannot attack the building there, whatever they hold (1.5).

    A building all of whose edges have roads of its owner is fortified: no road of anybody else ends there.
    """
    there = owner(buildings[corner])
    if there in {NOBODY, player}:
        return "Nobody else has a building there."
    if not any(roads[edge] == player for edge in CORNER_EDGES[corner]):
        return "No road of yours ends at that building."
    if fitting(buildings, roads, player, corner) == NOBODY:
        return "You have no building left to put there."
    return ""


def attackable(buildings: Sequence[int], roads: Sequence[int], player: int) -> list[int]:
    """Return the buildings that a player's roads reach, and that they could take."""
    near = sorted(
        {corner for edge, whose in enumerate(roads) if whose == player for corner in EDGE_ENDS[edge]}
    )
    return [corner for corner in near if not why_no_attack(buildings, roads, player, corner)]
