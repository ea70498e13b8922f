"""What a throw brings: who gets what, shortages, tokens, and hexes that are used up (1.4).

A module of its own because production is asked on its own by rules, bots and tests.
"""

from typing import NamedTuple

from hextraction.controller.games.extraction.land.corners import CELL_CORNERS
from hextraction.controller.games.extraction.land.goods import (
    NOTHING,
    RESOURCES,
    Bundle,
    is_city,
    more,
    one,
    owner,
)
from hextraction.controller.games.extraction.land.state import Hex, State
from msgspec.structs import replace

__all__ = ["Yield", "harvest"]


class Yield(NamedTuple):
    """What one throw brings.

    Attributes:
        cards: what each player gets.
        by_hex: for each cell that gave something, what each player got of it.
        short: the resources that nobody got, because the bank had too few for several players.
        hexes: all hexes afterwards.
        freed: the discs of hexes that are used up now.
    """

    cards: tuple[Bundle, ...]
    by_hex: dict[int, dict[int, int]]
    short: tuple[str, ...]
    hexes: tuple[Hex, ...]
    freed: tuple[int, ...]


def harvest(state: State, number: int) -> Yield:
    """Return what hexes with that disc give: a card a settlement, two a city, and one token each (1.4).

    If the bank cannot pay everybody a resource, nobody gets any of it; a single player gets what is left,
    hex by hex. A hex that gave no card keeps its token (X-E-4).
    """
    claims = _claims(state, number)
    short, by_hex = [], {}
    for at, resource in enumerate(RESOURCES):
        wanted = {cell: who for cell, who in claims.items() if state.hexes[cell].resource == resource}
        owed = sum(sum(who.values()) for who in wanted.values())
        claimants = {player for who in wanted.values() for player in who}
        left = state.bank[at]
        if owed > left and len(claimants) > 1:
            short.append(resource)
            continue
        for cell, who in wanted.items():
            paid = {player: min(count, left) for player, count in who.items()} if owed > left else who
            left -= sum(paid.values())
            if any(paid.values()):
                by_hex[cell] = paid
    return _after(state, by_hex, tuple(short))


def _claims(state: State, number: int) -> dict[int, dict[int, int]]:
    """Return what each player may claim of each hex with that disc, in the order of cells."""
    found: dict[int, dict[int, int]] = {}
    for cell, ground in enumerate(state.hexes):
        if ground.disc != number or not ground.live:
            continue
        who: dict[int, int] = {}
        for corner in CELL_CORNERS[cell]:
            building = state.buildings[corner]
            player = owner(building)
            if player >= 0 and not state.players[player].left:
                who[player] = who.get(player, 0) + (2 if is_city(building) else 1)
        if who:
            found[cell] = who
    return found


def _after(state: State, by_hex: dict[int, dict[int, int]], short: tuple[str, ...]) -> Yield:
    cards: list[Bundle] = [NOTHING] * len(state.players)
    hexes, freed = list(state.hexes), []
    for cell, who in sorted(by_hex.items()):
        ground = hexes[cell]
        for player, count in who.items():
            cards[player] = more(cards[player], one(ground.resource, count))
        last = ground.tokens == 1
        hexes[cell] = replace(ground, tokens=ground.tokens - 1, disc=0 if last else ground.disc)
        freed += [ground.disc] if last else []
    return Yield(tuple(cards), dict(sorted(by_hex.items())), short, tuple(hexes), tuple(freed))
