"""The tilted table: pymunk, and what makes discs in the plane behave like rolling balls.

* A ball that rolls has 7/5 of its mass as inertia, so gravity along the table is 5/7 g sin(tilt).
* After a hit the ball still spins the old way and the floor takes speed from the rebound: an impact of
  restitution e acts as (5 e - 2) / 7. Steel on plastic (0.6) leaves 0.15, steel on steel (0.9) 0.35.
* Rolling resistance takes a little speed every few milliseconds (:func:`resistance`); walls and balls have
  no friction, for it is the floor that turns a ball.

Units are millimetres, seconds and kilograms. A ball at rest sleeps until something touches it.
"""

import math
from collections.abc import Iterable
from typing import Final

import pymunk
from hextraction.simulator.fittings import Wall
from hextraction.simulator.stepping import place_reader, slower, stepper

__all__ = ["BALL_RADIUS_MM", "STEP_US", "STILL_MM_S", "Ball", "Table", "resistance"]

BALL_RADIUS_MM: Final = 5.0
STEP_US: Final = 1_000
_STEP_S: Final = 0.001
_GRAVITY: Final = 9_810.0
_ROLLING: Final = 5 / 7
_RESISTANCE: Final = 0.005
_MASS_KG: Final = 0.0041
_BALL_ON_BALL: Final = 0.35
_BALL_ON_WALL: Final = 0.15
# pymunk multiplies the two partners' values.
_BALL_ELASTICITY: Final = math.sqrt(_BALL_ON_BALL)
_WALL_ELASTICITY: Final = _BALL_ON_WALL / _BALL_ELASTICITY
_WALL_RADIUS_MM: Final = 0.05
# Below this speed a ball is as good as still: it keeps what it has, and sleeps when that lasts.
STILL_MM_S: Final = 12.0
_STILL_S: Final = 0.25


class Ball:
    """A ball on the table.

    ``place()`` is where it is, as x and y. ``resist(loss, least)`` takes some speed from it if it has more
    than the least, and returns whether it had.
    """

    __slots__ = ("body", "place", "resist")

    def __init__(self, body: pymunk.Body) -> None:
        self.body = body
        self.place = place_reader(body)
        self.resist = slower(body)

    @property
    def sleeping(self) -> bool:
        """Whether it lies still, to be woken by a touch only."""
        return self.body.is_sleeping

    def push(self, vx: float, vy: float) -> None:
        """Give it another speed, waking it."""
        self.body.activate()
        self.body.velocity = vx, vy


def resistance(rolled_ms: int) -> float:
    """Return the speed that rolling for some milliseconds costs, in millimetres a second."""
    return _ROLLING * _RESISTANCE * _GRAVITY * rolled_ms / 1_000


class Table:
    """Walls by place and balls that move among them, advanced in steps of :data:`STEP_US`."""

    def __init__(self, tilt_deg: float) -> None:
        self._space = pymunk.Space()
        self._space.gravity = (0.0, _ROLLING * _GRAVITY * math.sin(math.radians(tilt_deg)))
        self._space.sleep_time_threshold = _STILL_S
        self._space.collision_slop = 0.02
        self._space.idle_speed_threshold = STILL_MM_S
        self._step = stepper(self._space, _STEP_S)
        self._changed = False
        self._walls: dict[str, list[pymunk.Segment]] = {}

    @property
    def space(self) -> pymunk.Space:
        """The pymunk space, for measuring it bare."""
        return self._space

    def step(self, steps: int) -> None:
        """Let ``steps`` milliseconds pass."""
        if self._changed and steps:
            # pymunk's own step also checks new bodies and forgets removed shapes.
            self._changed = False
            self._space.step(_STEP_S)
            steps -= 1
        self._step(steps)

    def set_walls(self, place: str, walls: Iterable[Wall], x_mm: float, y_mm: float) -> None:
        """Put walls around a point, instead of those that the place had."""
        self.clear_walls(place)
        segments = [self._segment(wall, x_mm, y_mm) for wall in walls]
        self._space.add(*segments)
        self._changed = True
        self._walls[place] = segments

    def clear_walls(self, place: str) -> None:
        """Take a place's walls away; balls that lean on them wake."""
        self._space.remove(*self._walls.pop(place, ()))
        self._changed = True

    def add_ball(self, x_mm: float, y_mm: float, vx: float = 0.0, vy: float = 0.0) -> Ball:
        """Put a ball on the table, with a speed in millimetres a second."""
        body = pymunk.Body(_MASS_KG, math.inf)
        body.position = x_mm, y_mm
        body.velocity = vx, vy
        circle = pymunk.Circle(body, BALL_RADIUS_MM)
        circle.elasticity = _BALL_ELASTICITY
        self._space.add(body, circle)
        self._changed = True
        return Ball(body)

    def take_ball(self, ball: Ball) -> None:
        """Take a ball off the table; balls that lean on it wake."""
        self._space.remove(*ball.body.shapes, ball.body)
        self._changed = True

    def _segment(self, wall: Wall, x_mm: float, y_mm: float) -> pymunk.Segment:
        ax, ay, bx, by = wall
        ends = (x_mm + ax, y_mm + ay), (x_mm + bx, y_mm + by)
        segment = pymunk.Segment(self._space.static_body, *ends, _WALL_RADIUS_MM)
        segment.elasticity = _WALL_ELASTICITY
        return segment
