"""Paths found beforehand, in idle time, so that no edge and no quiet waits for them."""

from collections.abc import Iterator

from hextraction.controller.tracking.costs import MISS
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.live import Live
from hextraction.controller.tracking.routes import Routes

__all__ = ["Ahead"]

_LIKELY = 1
"""Of the paths to one sensor, how many are thought of beforehand."""
_UNLIKELY = MISS + 0.5
"""What costs more is looked at when it has happened: few of so many unlikely places are ever needed."""


class Ahead:
    """Looks ahead from where balls are believed to be; it looks again when one of them has moved."""

    def __init__(self, graph: Graph, live: Live) -> None:
        self._graph = graph
        self._live = live
        self._looked_from: list[int] | None = None

    def again(self) -> None:
        """Tiles or sensors are others: what was found may be gone."""
        self._looked_from = None

    def look(self, routes: Routes) -> bool:
        """Find the paths from one more place where a ball may be next; False: they are all known."""
        balls = [ball.place for ball in self._live.balls]
        if balls == self._looked_from:
            return False
        for place in self._next_places(routes):
            if not routes.knows(place):
                routes.far(place)
                return True
        self._looked_from = balls
        return False

    def _next_places(self, routes: Routes) -> Iterator[int]:
        """Return where balls are or may be seen next, the moving ones first; then the ramps."""
        graph = self._graph
        for ball in sorted(self._live.balls, key=lambda ball: ball.resting):
            yield ball.place
            found = routes.far(ball.place)
            for sensor in found.sensors:
                yield from (path.end for path in found.to(sensor)[:_LIKELY] if path.cost < _UNLIKELY)
        for ramp in range(len(graph.ramps)):
            yield graph.first_ramp + ramp
            yield graph.in_slot(*graph.mouths[ramp])
