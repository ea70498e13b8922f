"""The result of a path search: the best few paths to each sensor, and the ways to end."""

from collections.abc import Collection
from typing import Final

from hextraction.controller.tracking.paths import Act, Against, End, Path, Unheard

__all__ = ["Acts", "Found", "Step", "Stop"]

_BEST_FEW: Final = 4

Acts = tuple[tuple[int, str, float], ...]
"""Act, name, and after how many half tiles."""
Step = tuple[float, float, Acts, int, int, int, float, Unheard, int]
"""A path to a sensor, with the fields of :class:`Path`, its acts not yet in shares."""
Stop = tuple[float, float, Acts, int, int, int, Unheard, tuple[Against, ...], tuple[float, ...]]
"""A way to end, with the fields of :class:`End` except half tiles; its acts not yet in shares."""


class Found:
    """The result of a search: paths to sensors, and ways to end.

    Paths that were not followed to their end all cost at least ``beyond``. ``reach`` has a bit for each slot
    whose tile influenced the result.
    """

    __slots__ = ("_ends", "_paths", "_steps", "_stops", "beyond", "reach")

    def __init__(self, steps: dict[int, list[Step]], stops: list[Stop], beyond: float, reach: int) -> None:
        self._steps = steps
        self._paths: dict[int, tuple[Path, ...]] = {}
        self.beyond = beyond
        self.reach = reach
        self._stops = stops
        self._ends: tuple[End, ...] | None = None

    def to(self, sensor: int) -> tuple[Path, ...]:
        """Return the few best paths to a sensor, the likeliest first."""
        found = self._paths.get(sensor)
        if found is None:
            found = self._paths[sensor] = _best_few(self._steps.get(sensor, []))
        return found

    @property
    def sensors(self) -> Collection[int]:
        """The sensors to which there is a path."""
        return self._steps.keys()

    def ends(self) -> tuple[End, ...]:
        """Return the ways to come to rest, or to vanish, that no sensor reported."""
        if self._ends is None:
            self._ends = tuple([_end(stop) for stop in self._stops])
        return self._ends


def _best_few(steps: list[Step]) -> tuple[Path, ...]:
    return tuple([_path(step) for step in sorted(steps, key=_cost)[:_BEST_FEW]])


def _cost(step: Step) -> float:
    return step[0]


def _path(step: Step) -> Path:
    cost, halves, acts, end, touched, way, climb, unheard, against = step
    return Path(cost, halves, _shares(acts, halves), end, touched, way, climb, unheard, against)


def _end(stop: Stop) -> End:
    cost, halves, acts, end, touched, rested, unheard, against, lies = stop
    return End(cost, _shares(acts, halves), end, touched, rested, halves, unheard, against, lies)


def _shares(acts: Acts, halves: float) -> tuple[Act, ...]:
    """Return the acts, each with its share of the whole way."""
    whole = halves or 1.0
    return tuple([Act(deed, name, min(at / whole, 1.0)) for deed, name, at in acts])
