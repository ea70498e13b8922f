"""The sensors of a simulated board: turns what covers them into clean edges in order of time.

Which balls cover which sensor is geometry, worked out by :mod:`hextraction.simulator.sight` and ordered by
:mod:`hextraction.simulator.story`. Here several balls at one sensor become one level, and only the sensors
that this build has are kept.
"""

from collections.abc import Iterable, Iterator, Mapping

from hextraction.board.instruments import instruments
from hextraction.board.profile import Board
from hextraction.hal.ports import Edge
from hextraction.simulator.story import Cover

__all__ = ["Sensors"]


class Sensors:
    """The levels of one instrument set, and of ``further`` sensors whose covers come from elsewhere.

    With ``which`` ``None`` only those: then they are all that a build has.
    """

    def __init__(self, board: Board, which: str | None = "rich", further: Iterable[str] = ()) -> None:
        names = () if which is None else (one.name for one in instruments(board, which))
        self._before = dict.fromkeys((*names, *further), 0)

    @property
    def names(self) -> tuple[str, ...]:
        """All sensors, in the order of the instrument set."""
        return tuple(self._before)

    @property
    def levels(self) -> Mapping[str, bool]:
        """The level of every sensor."""
        return {name: count > 0 for name, count in self._before.items()}

    def hear(self, covers: Iterable[Cover]) -> Iterator[Edge]:
        """Return the level changes that these covers cause."""
        before = self._before
        for cover in covers:
            if cover.sensor in before:
                was = before[cover.sensor]
                before[cover.sensor] = now = was + (1 if cover.active else -1)
                if (was > 0) != (now > 0):
                    yield Edge(cover.sensor, cover.active, cover.at_us)
