"""Paths: what a ball does on its way to the next sensor that sees it, or to where it ends."""

from typing import Final, NamedTuple

from hextraction.controller.tracking.costs import CROSSING

__all__ = [
    "ENTERED",
    "FELL",
    "IN_ZONE",
    "LEFT",
    "LEFT_ZONE",
    "OFF_BOARD",
    "TOUCH_BITS",
    "Act",
    "Against",
    "End",
    "Path",
    "Unheard",
]

ENTERED: Final = 0
LEFT: Final = 1
FELL: Final = 2
IN_ZONE: Final = 3
LEFT_ZONE: Final = 4
OFF_BOARD: Final = 5

TOUCH_BITS: Final = 16
"""Bits that count the touches of one slot: a ball that rocks for ten minutes makes hundreds."""

_NO_SLOT: Final = -1

Unheard = tuple[tuple[int, float], ...]
"""Silent sensors that a ball passes, each with its cost, which is less if another ball covers the sensor."""
Against = tuple[int, int, float]
"""The slot beyond, the beam between, and how many balls go on there for each that stays."""


class Act(NamedTuple):
    """Something a ball does on a path, at ``share`` of its length."""

    kind: int
    name: str
    share: float


class Path(NamedTuple):
    """A way to a sensor. ``halves`` is its length in half tiles, 0 for a ball that stays where it is.

    ``touched`` has :data:`TOUCH_BITS` bits per slot: how often it is entered. ``way``: how the ball meets the
    last beam, ``climb`` is :func:`.climb_us` of that mouth. ``unheard``: the silent sensors it passes.
    ``against``: the slot beyond the mouth at which it turns back, or -1: other balls there may be why.
    """

    cost: float
    halves: float
    acts: tuple[Act, ...]
    end: int
    touched: int = 0
    way: int = CROSSING
    climb: float = 1e5
    unheard: Unheard = ()
    against: int = _NO_SLOT


class End(NamedTuple):
    """A way to come to rest, or to vanish, that no sensor reported. ``rested`` is a slot or NONE.

    ``against``: where other balls may hold it up. ``lies``: where on the tile it rests (:class:`.Stay`).
    """

    cost: float
    acts: tuple[Act, ...]
    end: int
    touched: int
    rested: int
    halves: float = 0.0
    unheard: Unheard = ()
    against: tuple[Against, ...] = ()
    lies: tuple[float, ...] = ()
