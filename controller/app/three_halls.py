"""Three ball Halls in each slot, wired as one: it is on while a ball is near any of them.

The simulator knows one Hall in the middle of a slot. Here balls are looked at every few milliseconds, and
three parts 13 mm from the middle, one of them downhill, see them. What they say is called ``ball.SLOT`` too.
"""

import math
from collections.abc import Iterator
from typing import Final

from hextraction.board.profile import Board
from hextraction.simulator import World
from hextraction.simulator.story import Cover

__all__ = ["LOOK_US", "ThreeHalls"]

LOOK_US: Final = 4_000
_OUT_MM: Final = 13.0
_SEES_MM: Final = 8.0
_NEAR_MM: Final = _OUT_MM + _SEES_MM
_WAYS: Final = tuple(
    (math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in (90, 210, 330)
)


class ThreeHalls:
    """Watches the balls of a world."""

    def __init__(self, board: Board) -> None:
        self._slots = [(slot.name, slot.x_mm, slot.y_mm) for slot in board.slots]
        self._on: dict[int, str] = {}

    def look(self, world: World) -> Iterator[Cover]:
        """Return what has changed since the last look."""
        seen = {ball: slot for ball, x, y in world.positions() if (slot := self._slot_that_sees(x, y))}
        for ball, slot in self._on.items():
            if seen.get(ball) != slot:
                yield Cover(world.now_us, f"ball.{slot}", active=False)
        for ball, slot in seen.items():
            if self._on.get(ball) != slot:
                yield Cover(world.now_us, f"ball.{slot}", active=True)
        self._on = seen

    def _slot_that_sees(self, x_mm: float, y_mm: float) -> str | None:
        for slot, middle_x, middle_y in self._slots:
            across, down = x_mm - middle_x, y_mm - middle_y
            if abs(across) < _NEAR_MM and abs(down) < _NEAR_MM:
                for way_x, way_y in _WAYS:
                    if math.hypot(across - way_x * _OUT_MM, down - way_y * _OUT_MM) < _SEES_MM:
                        return slot
        return None
