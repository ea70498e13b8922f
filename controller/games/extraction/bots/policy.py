"""What to do next, seen from one position: the plain sense by which weak bots play, and strong ones imagine.

Everything works on a :class:`State`, real or imagined, and looks at nobody's hand but the mover's.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hextraction.controller.games.extraction.land import places
from hextraction.controller.games.extraction.land.corners import (
    CELL_CORNERS,
    CORNER_CELLS,
    CORNER_EDGES,
    CORNERS,
    EDGE_ENDS,
    NEAR,
    ROADS,
)
from hextraction.controller.games.extraction.land.goods import (
    COSTS,
    DESERT,
    NOBODY,
    RESOURCES,
    Bundle,
    affordable,
    covers,
    dots,
    is_city,
    owner,
    total,
)
from hextraction.controller.games.extraction.land.places import stock
from hextraction.controller.games.extraction.land.possible import playable, starting_cards
from hextraction.controller.games.extraction.land.standing import buildings_points, points
from hextraction.controller.games.extraction.land.state import State
from hextraction.controller.games.extraction.land.wagers import least_stake
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.strategy import Luck

__all__ = [
    "best_disc",
    "best_swap",
    "hand_worth",
    "helps",
    "next_act",
    "spot_worth",
    "thrown_total",
    "wants_more",
    "worth",
]

_MEAN_DOTS: Final = 3.1
_CARD: Final = 0.13
"""What a card that a hex will give is worth, in points."""
_HAND: Final = 0.07
_DEVELOPMENT: Final = 0.45
_WIN: Final = 4.0


# --- what things are worth ---


def spot_worth(state: State, who: int, corner: int) -> float:
    """Rate an intersection for a settlement: what its hexes can give, and of how many kinds (1.2)."""
    found, kinds = 0.0, set()
    for cell in CORNER_CELLS[corner]:
        ground = state.hexes[cell]
        if ground.resource == DESERT or ground.depleted:
            continue
        pace = dots(ground.disc) if ground.disc else _MEAN_DOTS
        left = ground.tokens if ground.start else _MEAN_DOTS
        found += left * (0.6 + pace / 8)
        kinds.add(ground.resource)
    mine = {
        state.hexes[cell].resource
        for at, building in enumerate(state.buildings)
        if owner(building) == who
        for cell in CORNER_CELLS[at]
    }
    return found + 0.7 * len(kinds - mine) + 0.3 * len(kinds)


def worth(state: State, who: int) -> float:
    """Rate a position for a player: against the best of the others, in points."""
    if state.over:
        seat = state.players[who].seat
        won = _WIN / max(1, len(state.winners)) if seat in state.winners else -_WIN
        return (
            won
            + points(state, who)
            - max(points(state, other) for other in range(len(state.players)) if other != who)
        )
    rated = [_standing(state, number) for number in range(len(state.players))]
    mine = rated.pop(who)
    return mine - 0.7 * max(rated) - 0.3 * sum(rated) / len(rated)


def _standing(state: State, who: int) -> float:
    if state.players[who].left:
        return 0.0
    player = state.players[who]
    seen = buildings_points(state, who) + sum(card == "point" for card, _turn in player.cards)
    coming = 0.0
    for cell, ground in enumerate(state.hexes):
        if ground.live:
            share = _claim(state, cell, who)
            if share:
                coming += share * ground.tokens * (0.55 + dots(ground.disc) / 11)
    developing = _DEVELOPMENT * sum(card != "point" for card, _turn in player.cards)
    return seen + _CARD * coming + developing + hand_worth(player.hand)


def _claim(state: State, cell: int, who: int) -> int:
    """Return how many cards a player gets whenever a hex gives."""
    return sum(
        2 if is_city(state.buildings[corner]) else 1
        for corner in CELL_CORNERS[cell]
        if owner(state.buildings[corner]) == who
    )


def hand_worth(hand: Bundle) -> float:
    """Rate resource cards: the nearer to a building, the better."""
    found = _HAND * min(10, total(hand))
    for what, prize in (("city", 0.35), ("settlement", 0.45), ("card", 0.15), ("road", 0.1)):
        cost = COSTS[what]
        met = sum(min(a, b) for a, b in zip(hand, cost, strict=True))
        found += prize * (met / total(cost)) ** 2
    return found


def helps(hand: Bundle, give: Bundle, want: Bundle) -> float:
    """Return by how much a trade makes a hand better."""
    after = tuple(held - a + b for held, a, b in zip(hand, give, want, strict=True))
    return hand_worth(after) - hand_worth(hand)


# --- discs ---


def _pull(state: State, who: int) -> list[float]:
    """Return for each hex how much a player wants it to give: own claims against those of the others."""
    others = max(1, len(state.players) - 1)
    found = []
    for cell, ground in enumerate(state.hexes):
        mine, theirs = 0, 0
        for corner in CELL_CORNERS[cell]:
            building = state.buildings[corner]
            if building != NOBODY:
                count = 2 if is_city(building) else 1
                if owner(building) == who:
                    mine += count
                else:
                    theirs += count
        found.append((mine - 0.8 * theirs / others) * (min(3, ground.tokens) if ground.start else 1))
    return found


def best_disc(state: State, who: int) -> dict[str, Any]:
    """Return which disc to lay where: many dots on own hexes, few on those of others."""
    pull = _pull(state, who)
    bare = [cell for cell, ground in enumerate(state.hexes) if ground.bare]
    rated = [
        (pull[cell] * (dots(disc) - _MEAN_DOTS), -cell, disc) for cell in bare for disc in set(state.unplaced)
    ]
    _rated, cell, disc = max(rated)
    return {"do": "disc", "disc": disc, "at": CELLS[-cell]}


def best_swap(state: State, who: int) -> dict[str, Any]:
    """Return which two discs to swap, so that own hexes give sooner and those of others later."""
    pull = _pull(state, who)
    live = [cell for cell, ground in enumerate(state.hexes) if ground.live]
    found: list[tuple[float, dict[str, Any]]] = []
    for at, first in enumerate(live):
        here = dots(state.hexes[first].disc)
        for second in live[at + 1 :]:
            gain = (pull[first] - pull[second]) * (dots(state.hexes[second].disc) - here)
            found.append((gain, {"do": "swap", "at": CELLS[first], "to": CELLS[second]}))
        for disc in set(state.supply):
            gain = pull[first] * (dots(disc) - here)
            found.append((gain, {"do": "swap", "at": CELLS[first], "disc": disc}))
    return max(found, key=lambda one: one[0])[1]


# --- one act ---


def thrown_total(dice: int, luck: Luck) -> int:
    """Throw real dice, as a bot does that has none."""
    return sum(luck.randint(1, 6) for _die in range(dice))


def next_act(state: State, luck: Luck) -> dict[str, Any]:
    """Return what whoever acts now does by plain sense."""
    who = state.mover
    match state.phase:
        case "first" | "before" | "attack":
            return _throw_or_knight(state, who, luck)
        case "settlement":
            spots = places.settlement_spots(state.buildings, state.roads, who, first=True)
            best = max(spots, key=lambda corner: spot_worth(state, who, corner) + 0.3 * luck.random())
            return {"do": "settlement", "at": CORNERS[best]}
        case "road":
            free = [edge for edge in CORNER_EDGES[state.settled] if state.roads[edge] == NOBODY]
            return {"do": "road", "at": ROADS[_best_road(state, who, free, luck)]}
        case "collect":
            mine = places.upgradable(state.buildings, who)
            best = max(mine, key=lambda corner: hand_worth(starting_cards(state, corner)))
            return {"do": "collect", "at": CORNERS[best]}
        case "discs":
            return best_disc(state, who)
        case "swap":
            return best_swap(state, who)
        case "roads":
            spots = places.road_spots(state.buildings, state.roads, who)
            return {"do": "road", "at": ROADS[_best_road(state, who, spots, luck)]}
        case _:
            return next(_plans(state, who, luck))


def _throw_or_knight(state: State, who: int, luck: Luck) -> dict[str, Any]:
    if state.phase == "before" and "knight" in playable(state, who):
        return {"do": "play", "card": "knight"}
    act: dict[str, Any] = {"do": "roll"}
    if state.setup.real_dice:
        one = state.phase == "attack" and state.setup.attack == "opposed_1d6"
        act["total"] = thrown_total(1 if one else 2, luck)
    return act


def _best_road(state: State, who: int, spots: Sequence[int], luck: Luck) -> int:
    """Return the road that leads nearest to a good place, or to a building that could be attacked."""
    return max(spots, key=lambda edge: _road_worth(state, who, edge) + 0.2 * luck.random())


def _road_worth(state: State, who: int, edge: int) -> float:
    found = 0.0
    for corner in EDGE_ENDS[edge]:
        there = state.buildings[corner]
        if owner(there) not in {NOBODY, who}:
            found = max(found, 4.0 + 3.0 * is_city(there))
        if there == NOBODY and not any(state.buildings[end] != NOBODY for _edge, end in NEAR[corner]):
            found = max(found, spot_worth(state, who, corner))
        for _edge, end in NEAR[corner]:
            if state.buildings[end] == NOBODY and all(
                state.buildings[far] == NOBODY for _next, far in NEAR[end]
            ):
                found = max(found, 0.6 * spot_worth(state, who, end))
    return found


def _plans(state: State, who: int, luck: Luck) -> Iterator[dict[str, Any]]:
    """Yield what to do in the main phase, the most urgent first; ending the turn comes last."""
    hand, buildings, roads = state.players[who].hand, state.buildings, state.roads
    left = stock(buildings, roads, who)
    towns = places.upgradable(buildings, who) if left[1] else []
    spots = places.settlement_spots(buildings, roads, who) if left[0] else []
    if towns and covers(hand, COSTS["city"]):
        best = max(towns, key=lambda corner: spot_worth(state, who, corner))
        yield {"do": "city", "at": CORNERS[best]}
    if spots and covers(hand, COSTS["settlement"]):
        best = max(spots, key=lambda corner: spot_worth(state, who, corner))
        yield {"do": "settlement", "at": CORNERS[best]}
    stake = _stake(hand, least_stake(state.setup.attack))
    for corner in places.attackable(buildings, roads, who) if stake else ():
        if corner not in state.attacked:
            yield {"do": "attack", "at": CORNERS[corner], "stake": stake}
    yield from _cards(state, who, luck)
    ways = places.road_spots(buildings, roads, who) if left[2] else []
    wanted = [("city", bool(towns)), ("settlement", bool(spots)), ("road", bool(ways) and not spots)]
    wanted.append(("card", bool(state.deck)))
    if ways and covers(hand, COSTS["road"]) and (not spots or total(hand) > 6):
        yield {"do": "road", "at": ROADS[_best_road(state, who, ways, luck)]}
    if state.deck and covers(hand, COSTS["card"]) and (total(hand) > 5 or not (towns or spots)):
        yield {"do": "buy"}
    for what, there in wanted:
        if there and affordable(hand, state.bank, COSTS[what]) and not covers(hand, COSTS[what]):
            yield _traded(state, hand, COSTS[what])
    yield {"do": "end"}


def wants_more(state: State, who: int, luck: Luck) -> bool:
    """Whether a player would do something yet, if it were their turn."""
    return bool(next(_plans(state, who, luck))["do"] != "end")


def _stake(hand: Bundle, least: int) -> dict[str, int]:
    """Return as few cards as may be staked, of what is held most; none if there are not so many."""
    left, stake = list(hand), dict.fromkeys(RESOURCES, 0)
    if total(hand) < least:
        return {}
    for _card in range(least):
        at = left.index(max(left))
        left[at] -= 1
        stake[RESOURCES[at]] += 1
    return {name: count for name, count in stake.items() if count}


def _traded(state: State, hand: Bundle, cost: Bundle) -> dict[str, Any]:
    """Return the next trade with the bank towards a cost that trades can meet."""
    give = max(range(5), key=lambda at: hand[at] - cost[at])
    want = next(at for at in range(5) if hand[at] < cost[at] and state.bank[at])
    return {"do": "bank", "give": {RESOURCES[give]: 3}, "want": {RESOURCES[want]: 1}}


def _cards(state: State, who: int, luck: Luck) -> Iterator[dict[str, Any]]:
    """Yield development cards that may be played now."""
    for card in playable(state, who):
        act: dict[str, Any] = {"do": "play", "card": card}
        if card == "plenty":
            act["take"] = _taken(state, who)
        elif card == "monopoly":
            held = [19 - bank - mine for bank, mine in zip(state.bank, state.players[who].hand, strict=True)]
            best = max(range(5), key=lambda at: held[at] + luck.random())
            if held[best] < 3 and state.deck:
                continue
            act["resource"] = RESOURCES[best]
        yield act


def _taken(state: State, who: int) -> dict[str, int]:
    """Return the two cards that make the hand best."""
    take, hand, bank = dict.fromkeys(RESOURCES, 0), list(state.players[who].hand), list(state.bank)
    for _card in range(min(2, total(state.bank))):
        rated = []
        for at in range(5):
            if bank[at]:
                with_it = tuple(count + (place == at) for place, count in enumerate(hand))
                rated.append((hand_worth(with_it), at))
        _worth, best = max(rated)
        take[RESOURCES[best]] += 1
        hand[best] += 1
        bank[best] -= 1
    return {name: count for name, count in take.items() if count}
