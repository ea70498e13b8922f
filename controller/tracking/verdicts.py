"""Verdicts: the part of a roll's account that the rules act on.

Accounts that agree on it are one verdict: the exact count of a ball that rocks far beyond three touches
decides nothing, nor does which ball is which. A verdict has the tiles at three touches, the arrivals on tiles
with a trigger (R-16), where balls lie, the last tile of each lost ball, and the end zones reached.
"""

from typing import Final, NamedTuple

from hextraction.controller.tracking.graph import NONE, Graph
from hextraction.controller.tracking.odds import Odds
from hextraction.controller.tracking.paths import TOUCH_BITS
from hextraction.controller.tracking.stories import RESTING, Story

__all__ = ["Verdict", "Verdicts"]

_THREE: Final = 3
_MANY: Final = (1 << TOUCH_BITS) - 1


class Verdict(NamedTuple):
    """What the rules act on, slots and zones as numbers.

    ``at`` and ``lost`` list a slot once for each ball; ``rung`` pairs a slot with its arrivals.
    """

    loops: tuple[int, ...]
    rung: tuple[tuple[int, int], ...]
    at: tuple[int, ...]
    lost: tuple[int, ...]
    zones: tuple[int, ...]


class Verdicts:
    """Extracts verdicts from stories that have ended on certain tiles."""

    def __init__(self, graph: Graph, odds: Odds) -> None:
        self._graph = graph
        tiles = [(slot, laid.tile) for slot, laid in enumerate(odds.laid) if laid is not None]
        self._tiled = frozenset(slot for slot, _tile in tiles)
        self._counted = tuple((slot, tile.sets_off) for slot, tile in tiles)
        self._touches: dict[int, tuple[tuple[int, ...], tuple[tuple[int, int], ...]]] = {}

    def of(self, story: Story) -> Verdict:
        """Return the verdict of a finished story."""
        known = self._touches.get(story.touched)
        if known is None:
            known = self._touches[story.touched] = self._of_touches(story.touched)
        at: list[int] = []
        lost: list[int] = []
        zones: list[int] = []
        for ball in story.balls:
            self._sort(ball.place, at, lost, zones if ball.sensor != RESTING else [])
        return Verdict(*known, tuple(sorted(at)), tuple(sorted(lost)), tuple(sorted(zones)))

    def _of_touches(self, touched: int) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        counts = [(slot, rings, touched >> TOUCH_BITS * slot & _MANY) for slot, rings in self._counted]
        loops = tuple([slot for slot, _rings, count in counts if count >= _THREE])
        return loops, tuple([(slot, count) for slot, rings, count in counts if rings and count])

    def _sort(self, place: int, at: list[int], lost: list[int], zones: list[int]) -> None:
        graph = self._graph
        if (slot := graph.slot_of(place)) != NONE:
            if slot in self._tiled:
                at.append(slot)
        elif (zone := graph.in_zone(place)) != NONE:
            zones.append(zone)
        elif graph.gone(place):
            slot = graph.gone_from(place)
            if slot in self._tiled:
                lost.append(slot)
