"""The set-up of those who leave it to chance: settlements, roads, starting cards and discs (1.3).

A module of its own because it chooses every step of the set-up, and takes none.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from hextraction.controller.games.extraction.land import places
from hextraction.controller.games.extraction.land.corners import CORNER_CELLS, CORNER_EDGES, CORNERS, ROADS
from hextraction.controller.games.extraction.land.discs import calm
from hextraction.controller.games.extraction.land.goods import DESERT, NOBODY, total
from hextraction.controller.games.extraction.land.possible import starting_cards
from hextraction.controller.games.extraction.land.standing import PLACING
from hextraction.controller.games.extraction.land.state import Act, State
from hextraction.controller.games.extraction.turn.doing import Doing, tell
from hextraction.controller.games.hexagon.acts import Refusal
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.shuffling import shuffled
from msgspec.structs import replace

__all__ = ["is_due", "leave_to_it", "next_act"]

T = TypeVar("T")


def leave_to_it(state: State, doing: Doing) -> State:
    """From now on chance does this player's part of the set-up."""
    if doing.who in state.by_chance:
        raise Refusal("Chance sets up for you already.", "1.3")
    one = state.players[doing.who]
    tell(doing.said, "by_chance", f"{one.name} leaves the set-up to chance.", "1.3", seat=one.seat)
    return replace(state, by_chance=(*state.by_chance, doing.who))


def is_due(state: State) -> bool:
    """Whether the next step of the set-up is chance's."""
    waits = state.ask is not None or state.over
    return state.phase in PLACING and state.mover in state.by_chance and not waits


def next_act(state: State, chance: int) -> Act:
    """Return the step of the set-up that chance takes for whoever is to move."""
    return _STEPS[state.phase](state, chance)


def _settle(state: State, chance: int) -> Act:
    """Settle where the most resources meet, at any of these places."""
    spots = places.settlement_spots(state.buildings, state.roads, state.mover, first=True)
    corner = _best(spots, lambda one: _kinds(state, one), chance)
    return Act("settlement", at=CORNERS[corner])


def _kinds(state: State, corner: int) -> int:
    """Return how many resources meet at an intersection."""
    return len({state.hexes[cell].resource for cell in CORNER_CELLS[corner]} - {DESERT})


def _join(state: State, chance: int) -> Act:
    free = [edge for edge in CORNER_EDGES[state.settled] if state.roads[edge] == NOBODY]
    return Act("road", at=ROADS[_best(free, lambda _edge: 0, chance)])


def _collect(state: State, chance: int) -> Act:
    """Take the cards of the settlement that gives more."""
    mine = places.upgradable(state.buildings, state.mover)
    corner = _best(mine, lambda one: total(starting_cards(state, one)), chance)
    return Act("collect", at=CORNERS[corner])


def _lay(state: State, chance: int) -> Act:
    """Lay any disc anywhere, but no 6 or 8 beside another one as long as that can be."""
    lie = {cell: one.disc for cell, one in zip(CELLS, state.hexes, strict=True) if one.disc}
    bare = [cell for cell, one in zip(CELLS, state.hexes, strict=True) if one.bare]
    ways = [(disc, cell) for disc in sorted(set(state.unplaced)) for cell in bare]
    disc, cell = _best(ways, lambda way: calm({**lie, way[1]: way[0]}), chance)
    return Act("disc", disc=disc, at=cell)


_STEPS: Final[Mapping[str, Callable[[State, int], Act]]] = {
    "settlement": _settle,
    "road": _join,
    "collect": _collect,
    "discs": _lay,
}


def _best(some: Iterable[T], rated: Callable[[T], int], chance: int) -> T:
    """Return one of those that are rated highest, by chance."""
    return max(shuffled(some, chance), key=rated)
