"""Where a ball can go from where it is, which sensor sees it, and what that means in facts.

A path may, at a cost, pass sensors that miss the ball and slots that see nothing. Paths from a place are
found when a ball is first there (:mod:`.finder`) and cached until the tiles they depend on, or the sensors,
change.
"""

from collections.abc import Mapping

from hextraction.controller.tracking.finder import DEEPEST, Finder
from hextraction.controller.tracking.found import Found
from hextraction.controller.tracking.graph import NONE, Graph, Laid
from hextraction.controller.tracking.odds import Odds
from hextraction.controller.tracking.paths import End

__all__ = ["Routes"]


class Routes:
    """All paths over a graph with certain tiles laid."""

    def __init__(
        self, graph: Graph, laid: Mapping[str, Laid], lying: Mapping[int, int] | None = None
    ) -> None:
        self._graph = graph
        self._laid = laid
        self.odds = Odds(graph, laid, lying)
        self._far: dict[int, Found] = {}
        self._near: dict[int, Found] = {}

    def lay(self, laid: Mapping[str, Laid]) -> None:
        """Set what lies in each slot now; paths that no changed tile affects stay cached."""
        self._laid = laid
        self._change(Odds(self._graph, laid, self.odds.lying))

    def crowd(self, lying: Mapping[int, int]) -> None:
        """Set how many balls lie in each slot, by slot number: they fill pockets, and are in the way."""
        if dict(lying) != self.odds.lying:
            self._change(Odds(self._graph, self._laid, lying))

    def _change(self, odds: Odds) -> None:
        changed = odds.changed_since(self.odds)
        self.odds = odds
        self._far = _unchanged(self._far, changed)
        self._near = _unchanged(self._near, changed)

    def far(self, place: int) -> Found:
        """Return all paths from a place."""
        found = self._far.get(place)
        if found is None:
            found = self._far[place] = self._explored(place, DEEPEST)
        return found

    def near(self, place: int) -> Found:
        """Return at least the paths on which no sensor missed the ball; they are found much faster."""
        found = self._far.get(place) or self._near.get(place)
        if found is None:
            found = self._near[place] = self._explored(place, 0)
        return found

    def knows(self, place: int) -> bool:
        """Whether all paths from a place are already cached."""
        return place in self._far

    def ends(self, place: int) -> tuple[End, ...]:
        """Return the ways in which a ball last seen at a place may have ended, unseen."""
        return self.far(place).ends()

    def _explored(self, place: int, deepest: int) -> Found:
        finder = Finder(self._graph, self.odds, deepest)
        graph = self._graph
        if (slot := graph.slot_of(place)) != NONE:
            finder.from_slot(slot, place // 4 % 7, place // 2 % 2, place % 2)
        elif (ramp := graph.on_ramp(place)) != NONE:
            (finder.from_ramp if place < graph.first_stuck else finder.from_mouth)(ramp)
        elif (zone := graph.in_zone(place)) != NONE:
            finder.from_zone(zone)
        return finder.found()


def _unchanged(known: Mapping[int, Found], changed: int) -> dict[int, Found]:
    return {place: found for place, found in known.items() if not found.reach & changed}
