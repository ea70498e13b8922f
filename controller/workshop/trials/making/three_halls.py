"""Three ball Halls in each slot, around its middle: what they would report on a simulated board.

The simulator knows one Hall in the middle of a slot. Here balls are sampled every few milliseconds, and three
parts 13 mm from the middle see them, each with its own name: ``ball.A1`` downhill of the middle,
``ball.A1.2`` and ``ball.A1.3`` above it to the left and to the right.
"""

import math
from collections.abc import Iterator
from typing import Final, Protocol

from hextraction.board.profile import Board
from hextraction.simulator import World
from hextraction.simulator.rail_world import RailWorld
from hextraction.simulator.story import Cover

__all__ = ["LOOK_US", "ThreeHalls", "further_halls"]

LOOK_US: Final = 4_000
_OUT_MM: Final = 13.0
_SEES_MM: Final = 8.0
_NEAR_MM: Final = _OUT_MM + _SEES_MM
_WAYS: Final = tuple(
    (suffix, math.cos(math.radians(angle)), math.sin(math.radians(angle)))
    for suffix, angle in (("", 90), (".2", 210), (".3", 330))
)


def further_halls(board: Board) -> tuple[str, ...]:
    """Return the names of the second and third ball Halls of each slot."""
    return tuple(f"ball.{slot}{suffix}" for slot in board.slot_names for suffix, _x, _y in _WAYS[1:])


class Watching(Protocol):
    """Something that looks at a world and reports which sensors are covered."""

    def look(self, world: World | RailWorld) -> Iterator[Cover]:
        """Return what has changed since the last look."""
        ...


class ThreeHalls:
    """Watches the balls of a world."""

    def __init__(self, board: Board) -> None:
        self._slots = [(slot.name, slot.x_mm, slot.y_mm) for slot in board.slots]
        self._on: dict[int, str] = {}

    def look(self, world: World | RailWorld) -> Iterator[Cover]:
        """Return what has changed since the last look."""
        seen = {ball: hall for ball, x, y in world.positions() if (hall := self._hall_that_sees(x, y))}
        for ball, hall in self._on.items():
            if seen.get(ball) != hall:
                yield Cover(world.now_us, hall, active=False)
        for ball, hall in seen.items():
            if self._on.get(ball) != hall:
                yield Cover(world.now_us, hall, active=True)
        self._on = seen

    def _hall_that_sees(self, x_mm: float, y_mm: float) -> str | None:
        for slot, middle_x, middle_y in self._slots:
            across, down = x_mm - middle_x, y_mm - middle_y
            if abs(across) < _NEAR_MM and abs(down) < _NEAR_MM:
                for suffix, way_x, way_y in _WAYS:
                    if math.hypot(across - way_x * _OUT_MM, down - way_y * _OUT_MM) < _SEES_MM:
                        return f"ball.{slot}{suffix}"
        return None
