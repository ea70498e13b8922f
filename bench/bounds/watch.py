"""Sensors that the simulated board does not have, looked at beside those that it has.

A part is a disc: it is on while a ball's centre is within its radius. Balls are looked at every few
milliseconds; when one came and went is found on the straight line between two looks, as the simulator does.

==================  =========================================================================
name                part
==================  =========================================================================
``near.A1``         as far as the ball Hall that every slot has: 8 mm about the middle
``whole.A1``        sees all of the slot from which no beam is covered: 19.5 mm
``three.A1.1`` …    three Halls of 8 mm on a circle of 13 mm, the first one downhill
``inner.A1.4``      a second beam within edge 4, covered as soon as a ball is 2.5 mm inside
==================  =========================================================================
"""

from collections.abc import Iterator
from math import cos, hypot, radians, sin
from typing import Final, NamedTuple

from hextraction.board.grid import EDGES, edge_middle_mm
from hextraction.board.profile import Board
from hextraction.simulator import World
from hextraction.simulator.rail_world import RailWorld
from hextraction.simulator.story import Cover

__all__ = ["LOOK_US", "Watch", "parts_of"]

LOOK_US: Final = 4_000
_HALL_MM: Final = 8.0
_REACH_MM: Final = 5.5
_INSIDE_MM: Final = 2.5
_CIRCLE_MM: Final = 13.0
_THREE_DEG: Final = (90, 210, 330)


class Part(NamedTuple):
    """A disc that sees balls; millimetres on the board."""

    name: str
    x_mm: float
    y_mm: float
    sees_mm: float

    def off_mm(self, x_mm: float, y_mm: float) -> float:
        """Return how far a ball's centre is from being seen; negative if it is seen."""
        return hypot(x_mm - self.x_mm, y_mm - self.y_mm) - self.sees_mm


def parts_of(slot: str, x_mm: float, y_mm: float, pitch_mm: float) -> tuple[Part, ...]:
    """Return the parts of a slot whose middle is there."""
    beam_mm = pitch_mm / 2 - _INSIDE_MM - _REACH_MM
    found = [
        Part(f"near.{slot}", x_mm, y_mm, _HALL_MM),
        Part(f"whole.{slot}", x_mm, y_mm, pitch_mm / 2 - _REACH_MM),
    ]
    for number, angle in enumerate(_THREE_DEG, 1):
        across, down = _CIRCLE_MM * cos(radians(angle)), _CIRCLE_MM * sin(radians(angle))
        found.append(Part(f"three.{slot}.{number}", x_mm + across, y_mm + down, _HALL_MM))
    for edge in EDGES:
        across, down = edge_middle_mm(edge, 2 * beam_mm)
        found.append(Part(f"inner.{slot}.{edge}", x_mm + across, y_mm + down, _REACH_MM))
    return tuple(found)


class Watch:
    """Watches the balls of one world."""

    def __init__(self, board: Board) -> None:
        self._slots = [
            (slot.x_mm, slot.y_mm, parts_of(slot.name, slot.x_mm, slot.y_mm, board.pitch_mm))
            for slot in board.slots
        ]
        self._far_mm = board.pitch_mm / 2
        self._balls: dict[int, tuple[int, float, float]] = {}
        self._on: dict[int, set[Part]] = {}

    def look(self, world: World | RailWorld) -> Iterator[Cover]:
        """Return what has changed since the last look."""
        now_us, there = world.now_us, set[int]()
        for ball, x_mm, y_mm in world.positions():
            there.add(ball)
            before = self._balls.get(ball, (now_us, x_mm, y_mm))
            if before[1:] != (x_mm, y_mm) or ball not in self._on:
                yield from self._moved(ball, before, (now_us, x_mm, y_mm))
            self._balls[ball] = (now_us, x_mm, y_mm)
        for ball in [ball for ball in self._on if ball not in there]:
            self._balls.pop(ball)
            for part in sorted(self._on.pop(ball)):
                yield Cover(now_us, part.name, active=False)

    def _moved(
        self, ball: int, before: tuple[int, float, float], now: tuple[int, float, float]
    ) -> Iterator[Cover]:
        was = self._on.get(ball, set())
        seeing = {part for part in self._near(now[1], now[2]) if part.off_mm(now[1], now[2]) < 0}
        self._on[ball] = seeing
        for part in sorted(was ^ seeing):
            yield Cover(_moment(part, before, now), part.name, active=part in seeing)

    def _near(self, x_mm: float, y_mm: float) -> tuple[Part, ...]:
        for middle_x, middle_y, parts in self._slots:
            across, down = abs(x_mm - middle_x), abs(y_mm - middle_y)
            if across < self._far_mm and down < self._far_mm and hypot(across, down) < self._far_mm:
                return parts
        return ()


def _moment(part: Part, before: tuple[int, float, float], now: tuple[int, float, float]) -> int:
    """Return when a ball passed the rim of a part between two looks."""
    was, is_now = part.off_mm(*before[1:]), part.off_mm(*now[1:])
    share = 1.0 if was == is_now else min(1.0, max(0.0, was / (was - is_now)))
    return before[0] + round(share * (now[0] - before[0]))
