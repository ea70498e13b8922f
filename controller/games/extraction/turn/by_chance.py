"""The set-up of those who leave it to chance: settlements, roads, starting cards and discs (1.3).

A module of its own because it knows every step of the set-up, and no step knows it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from hextraction.controller.games.extraction.land import places
from hextraction.controller.games.extraction.land.corners import CORNER_CELLS, CORNER_EDGES, CORNERS, ROADS
from hextraction.controller.games.extraction.land.goods import DESERT, NOBODY, total
from hextraction.controller.games.extraction.land.possible import starting_cards
from hextraction.controller.games.extraction.land.standing import PLACING
from hextraction.controller.games.extraction.land.state import Act, State
from hextraction.controller.games.extraction.turn import setting_up
from hextraction.controller.games.extraction.turn.doing import Doing, tell
from hextraction.controller.games.hexagon.acts import Refusal
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.shuffling import shuffled
from msgspec.structs import replace

__all__ = ["goes_on", "leave_to_it"]

T = TypeVar("T")


def leave_to_it(state: State, doing: Doing) -> State:
    """From now on chance does this player's part of the set-up."""
    if doing.who in state.by_chance:
        raise Refusal("Chance sets up for you already.", "1.3")
    one = state.players[doing.who]
    tell(doing.said, "by_chance", f"{one.name} leaves the set-up to chance.", "1.3", seat=one.seat)
    return replace(state, by_chance=(*state.by_chance, doing.who))


def goes_on(state: State, doing: Doing) -> State:
    """Take all steps of the set-up that are chance's now."""
    chance = doing.chance
    while state.phase in PLACING and state.mover in state.by_chance and state.ask is None and not state.over:
        chance += 1
        state = _STEPS[state.phase](state, doing._replace(who=state.mover, chance=chance))
    return state


def _settle(state: State, doing: Doing) -> State:
    """Settle where the most resources meet, at any of these places."""
    spots = places.settlement_spots(state.buildings, state.roads, doing.who, first=True)
    corner = _best(spots, lambda one: _kinds(state, one), doing.chance)
    return setting_up.settle(state, _doing(doing, Act("settlement", at=CORNERS[corner])))


def _kinds(state: State, corner: int) -> int:
    """Return how many resources meet at an intersection."""
    return len({state.hexes[cell].resource for cell in CORNER_CELLS[corner]} - {DESERT})


def _join(state: State, doing: Doing) -> State:
    free = [edge for edge in CORNER_EDGES[state.settled] if state.roads[edge] == NOBODY]
    return setting_up.road(
        state, _doing(doing, Act("road", at=ROADS[_best(free, lambda _edge: 0, doing.chance)]))
    )


def _collect(state: State, doing: Doing) -> State:
    """Take the cards of the settlement that gives more."""
    mine = places.upgradable(state.buildings, doing.who)
    corner = _best(mine, lambda one: total(starting_cards(state, one)), doing.chance)
    return setting_up.collect(state, _doing(doing, Act("collect", at=CORNERS[corner])))


def _lay(state: State, doing: Doing) -> State:
    """Lay any disc anywhere, but no 6 or 8 beside another one as long as that can be."""
    lie = {cell: one.disc for cell, one in zip(CELLS, state.hexes, strict=True) if one.disc}
    bare = [cell for cell, one in zip(CELLS, state.hexes, strict=True) if one.bare]
    ways = [(disc, cell) for disc in sorted(set(state.unplaced)) for cell in bare]
    disc, cell = _best(ways, lambda way: setting_up.calm({**lie, way[1]: way[0]}), doing.chance)
    return setting_up.lay_disc(state, _doing(doing, Act("disc", disc=disc, at=cell)))


_STEPS: Final[Mapping[str, Callable[[State, Doing], State]]] = {
    "settlement": _settle,
    "road": _join,
    "collect": _collect,
    "discs": _lay,
}


def _doing(doing: Doing, act: Act) -> Doing:
    return doing._replace(act=act)


def _best(some: Iterable[T], rated: Callable[[T], int], chance: int) -> T:
    """Return one of those that are rated highest, by chance."""
    return max(shuffled(some, chance), key=rated)
