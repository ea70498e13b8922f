"""Paths: what a ball does on its way to the sensor that tells of it, or to where it ends."""

from typing import Final, NamedTuple

from hextraction.controller.tracking.costs import CROSSING

__all__ = ["ENTERED", "FELL", "IN_ZONE", "LEFT", "LEFT_ZONE", "OFF_BOARD", "Act", "End", "Path", "Walk"]

ENTERED: Final = 0
LEFT: Final = 1
FELL: Final = 2
IN_ZONE: Final = 3
LEFT_ZONE: Final = 4
OFF_BOARD: Final = 5


class Act(NamedTuple):
    """Something a ball does on a path, ``share`` of the way along it."""

    deed: int
    name: str
    share: float


class Path(NamedTuple):
    """A way to a sensor. ``halves`` is its length in half tiles, 0 for a ball that stays where it is.

    ``touched`` has a byte for each slot: how often the path enters it. ``way``: how it meets the last beam.
    """

    cost: float
    halves: float
    acts: tuple[Act, ...]
    end: int
    touched: int = 0
    way: int = CROSSING
    climb: float = 1e5


class End(NamedTuple):
    """A way to come to rest, or to vanish, that no sensor told of. ``rested`` is a slot or NONE."""

    cost: float
    acts: tuple[Act, ...]
    end: int
    touched: int
    rested: int


class Walk(NamedTuple):
    """A path in the making: acts carry half tiles instead of shares until it is done."""

    cost: float = 0.0
    halves: float = 0.0
    acts: tuple[Act, ...] = ()
    touched: int = 0
    depth: int = 0

    def on(self, cost: float, halves: float = 0.0) -> "Walk":
        """Return this path, that much less likely and longer."""
        return Walk(self.cost + cost, self.halves + halves, self.acts, self.touched, self.depth)

    def doing(self, deed: int, name: str) -> "Walk":
        """Return this path with one more act, where it has got to."""
        return self._replace(acts=(*self.acts, Act(deed, name, self.halves)))

    def shares(self) -> tuple[Act, ...]:
        """Return the acts, each with its share of the whole way."""
        whole = self.halves or 1.0
        return tuple(act._replace(share=min(act.share / whole, 1.0)) for act in self.acts)
