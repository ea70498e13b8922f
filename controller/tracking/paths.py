"""Paths: what a ball does on its way to the sensor that tells of it, or to where it ends."""

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
"""So many bits count the touches of one slot: a ball that rocks for ten minutes makes hundreds."""

_NO_SLOT: Final = -1

Unheard = tuple[tuple[int, float], ...]
"""Sensors that a ball passes and that say nothing, with what that costs; less if another ball covers them."""
Against = tuple[int, int, float]
"""The slot beyond, the beam between, and how many balls go on there for each that stays."""


class Act(NamedTuple):
    """Something a ball does on a path, ``share`` of the way along it."""

    deed: int
    name: str
    share: float


class Path(NamedTuple):
    """A way to a sensor. ``halves`` is its length in half tiles, 0 for a ball that stays where it is.

    ``touched`` has :data:`TOUCH_BITS` a slot: how often it is entered. ``way``: how it meets the last beam,
    ``climb`` what :func:`.climb_us` says of that mouth. ``unheard``: whom it passes on the way that says
    nothing. ``against``: the slot beyond the mouth at which it turns back, or -1: others there may be why.
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
    """A way to come to rest, or to vanish, that no sensor told of. ``rested`` is a slot or NONE.

    ``against``: where others may hold it up. ``lies``: where on the tile it rests (:class:`.Stay`).
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
