"""The tilted table: pymunk, plus what makes discs in the plane behave like rolling balls.

* Gravity and the bounce of walls and balls are those of a ball that rolls, see
  :mod:`hextraction.simulator.physics`.
* Where no wall does, the round bottom of channels pushes a ball back to its line (:meth:`Table.set_groove`).
* Rolling resistance takes a little speed every few milliseconds (:meth:`Table.resistance`). Unless the
  physics set it, walls and balls have no friction, because it is the floor that turns a ball.

Units are millimetres, seconds and kilograms. A ball at rest sleeps until something touches it.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any, Final

import pymunk
from hextraction.simulator.fittings import Wall
from hextraction.simulator.groove import CELL_MM, Groove
from hextraction.simulator.physics import GRAVITY_MM_S2, ROLLING, STANDARD, Physics, effective

__all__ = [
    "BALL_RADIUS_MM",
    "STEP_US",
    "STILL_MM_S",
    "Ball",
    "Table",
    "place_reader",
    "pusher",
    "slower",
    "stepper",
]

# --- pymunk's C functions, called directly for what runs every simulated millisecond ---

try:
    from pymunk._chipmunk_cffi import lib as _lib
except ImportError:
    _lib = None


def stepper(space: pymunk.Space, seconds: float, *, wrapped: bool = False) -> Callable[[int], None]:
    """Return a function that makes steps of this many seconds; ``wrapped``: through pymunk's own API."""

    def slow(steps: int) -> None:
        for _ in range(steps):
            space.step(seconds)

    if wrapped or _lib is None or not hasattr(space, "_space"):
        return slow
    step, below = _lib.cpSpaceStep, space._space  # noqa: SLF001 - see above

    def fast(steps: int) -> None:
        for _ in range(steps):
            step(below, seconds)

    return fast


def place_reader(body: pymunk.Body) -> Callable[[], tuple[float, float]]:
    """Return a function that reads a body's position."""
    if _lib is None or not hasattr(body, "_body"):
        return lambda: (body.position.x, body.position.y)
    read, below = _lib.cpBodyGetPosition, body._body  # noqa: SLF001 - see above

    def fast() -> tuple[float, float]:
        place: Any = read(below)
        return place.x, place.y

    return fast


def slower(body: pymunk.Body) -> Callable[[float, float], bool]:
    """Return a function that slows a body if it is above a minimum speed, and says whether it was."""

    def slow(loss: float, least: float) -> bool:
        vx, vy = body.velocity
        speed = math.sqrt(vx * vx + vy * vy)
        if speed <= least:
            return False
        keep = 1 - min(1.0, loss / speed)
        body.velocity = vx * keep, vy * keep
        return True

    if _lib is None or not hasattr(body, "_body"):
        return slow
    read, write, below = _lib.cpBodyGetVelocity, _lib.cpBodySetVelocity, body._body  # noqa: SLF001 - see above

    def fast(loss: float, least: float) -> bool:
        velocity: Any = read(below)
        vx, vy = velocity.x, velocity.y
        speed = math.sqrt(vx * vx + vy * vy)
        if speed <= least:
            return False
        keep = 1 - min(1.0, loss / speed)
        write(below, (vx * keep, vy * keep))
        return True

    return fast


def pusher(body: pymunk.Body) -> Callable[[float, float], float]:
    """Return a function that adds to a body's velocity and returns the square of its speed then."""

    def slow(more_x: float, more_y: float) -> float:
        vx, vy = body.velocity
        vx, vy = vx + more_x, vy + more_y
        body.velocity = vx, vy
        return vx * vx + vy * vy

    if _lib is None or not hasattr(body, "_body"):
        return slow
    read, write, below = _lib.cpBodyGetVelocity, _lib.cpBodySetVelocity, body._body  # noqa: SLF001 - see above

    def fast(more_x: float, more_y: float) -> float:
        velocity: Any = read(below)
        vx: float = velocity.x + more_x
        vy: float = velocity.y + more_y
        write(below, (vx, vy))
        return vx * vx + vy * vy

    return fast


# --- The table ---

BALL_RADIUS_MM: Final = 5.0
STEP_US: Final = 1_000
_STEP_S: Final = 0.001
_MASS_KG: Final = 0.0041
_SPHERE: Final = 2 / 5
_WALL_RADIUS_MM: Final = 0.05
# Below this speed a ball counts as still: it loses no more speed, and falls asleep if it stays slow.
STILL_MM_S: Final = 12.0
_STILL_S: Final = 0.25
_ASLEEP_MS: Final = 250
_PUSH_MS: Final = 2
# Balls that lean on each other in a groove push each other to and fro for ever, by a millimetre or two; one
# that has come no further in a second lies still. A ball that turns round does so in a tenth of that time.
_ROCKING_MM: Final = 2.0
_ROCKED_MS: Final = 1_000
_CELLS_A_MM: Final = 1 / CELL_MM


class Ball:
    """A ball on the table.

    ``place()`` returns its x and y. ``resist(loss, least)`` slows it by ``loss`` if it is faster than
    ``least``, and returns whether it was. ``still_ms`` is for how long it has been still in a groove,
    ``near_ms`` for how long it has stayed around ``near``.
    """

    __slots__ = ("body", "near", "near_ms", "nudge", "place", "resist", "still_ms")

    def __init__(self, body: pymunk.Body) -> None:
        self.body = body
        self.place = place_reader(body)
        self.resist = slower(body)
        self.nudge = pusher(body)
        self.still_ms = 0
        self.near = self.place()
        self.near_ms = 0

    @property
    def sleeping(self) -> bool:
        """Whether it lies still; only a touch wakes it."""
        # A ball that a groove holds is pushed all the time, which keeps pymunk from letting it sleep.
        return self.still_ms >= _ASLEEP_MS or self.near_ms >= _ROCKED_MS or self.body.is_sleeping

    def push(self, vx: float, vy: float) -> None:
        """Set its velocity, waking it."""
        self.wake()
        self.body.velocity = vx, vy

    def wake(self) -> None:
        """Let it roll again, if anything makes it."""
        self.body.activate()
        self.still_ms = self.near_ms = 0

    def stays(self, x_mm: float, y_mm: float) -> None:
        """Note where it is now, each :data:`_PUSH_MS`."""
        near_x, near_y = self.near
        if abs(x_mm - near_x) > _ROCKING_MM or abs(y_mm - near_y) > _ROCKING_MM:
            self.near, self.near_ms = (x_mm, y_mm), 0
        else:
            self.near_ms += _PUSH_MS


class Table:
    """Walls by place, and balls that move among them, in steps of :data:`STEP_US`."""

    def __init__(self, tilt_deg: float, physics: Physics = STANDARD) -> None:
        self._space = pymunk.Space()
        self._space.sleep_time_threshold = _STILL_S
        self._space.collision_slop = 0.02
        self._space.idle_speed_threshold = STILL_MM_S
        self._step = stepper(self._space, _STEP_S / physics.substeps)
        self._substeps = physics.substeps
        self._changed = False
        self._physics = physics
        self._ms = 0
        self._balls: dict[Ball, None] = {}
        self._slopes: dict[tuple[int, int], tuple[float, float]] = {}
        self._grooves: dict[str, list[tuple[int, int]]] = {}
        self._walls: dict[str, list[pymunk.Segment]] = {}
        self._loss_mm_s = ROLLING * physics.resistance * GRAVITY_MM_S2 / 1_000
        # pymunk multiplies the values of the two shapes.
        self._friction = math.sqrt(physics.wall_friction)
        self._ball_elasticity = math.sqrt(effective(physics.ball_restitution))
        self._wall_elasticity = effective(physics.wall_restitution) / self._ball_elasticity
        self.tilt(tilt_deg)

    def tilt(self, tilt_deg: float) -> None:
        """Tilt the table, with whatever is on it."""
        pull = ROLLING * GRAVITY_MM_S2 * math.sin(math.radians(tilt_deg))
        self._space.gravity = (0.0, pull)
        level = ROLLING * GRAVITY_MM_S2 * math.cos(math.radians(tilt_deg))
        self._push_mm_s = level * _PUSH_MS / 1_000

    def resistance(self, rolled_ms: int) -> float:
        """Return the speed that rolling for some milliseconds costs, in millimetres a second."""
        return self._loss_mm_s * rolled_ms

    @property
    def space(self) -> pymunk.Space:
        """The pymunk space, for benchmarking it alone."""
        return self._space

    def step(self, steps: int) -> None:
        """Let ``steps`` milliseconds pass."""
        if not self._slopes:
            self._ms += steps
            self._run(steps)
            return
        while steps:
            # Pushed at even milliseconds, so that it does not matter how time is cut up.
            phase = self._ms % _PUSH_MS
            if phase == 0:
                self._push()
            some = min(steps, _PUSH_MS - phase)
            self._run(some)
            self._ms += some
            steps -= some

    def _push(self) -> None:
        """Let the round bottoms of channels push the balls that are free to leave their line."""
        find, pull = self._slopes.get, self._push_mm_s
        for ball in self._balls:
            x_mm, y_mm = ball.place()
            slope = find((round(x_mm * _CELLS_A_MM), round(y_mm * _CELLS_A_MM)))
            still = (
                slope is not None
                and not ball.body.is_sleeping
                and ball.nudge(slope[0] * pull, slope[1] * pull) <= STILL_MM_S * STILL_MM_S
            )
            ball.still_ms = ball.still_ms + _PUSH_MS if still else 0
            ball.stays(x_mm, y_mm)

    def _run(self, steps: int) -> None:
        if self._changed and steps:
            # pymunk's own step also checks new bodies and drops removed shapes.
            self._changed = False
            self._space.step(_STEP_S / self._substeps)
            self._step(steps * self._substeps - 1)
        else:
            self._step(steps * self._substeps)

    def set_walls(self, place: str, walls: Iterable[Wall], x_mm: float, y_mm: float) -> None:
        """Put walls around a point, replacing those that the place had."""
        self.clear_walls(place)
        segments = [self._segment(wall, x_mm, y_mm) for wall in walls]
        self._space.add(*segments)
        self._changed = True
        self._walls[place] = segments

    def clear_walls(self, place: str) -> None:
        """Remove a place's walls; balls that lean on them wake."""
        gone = self._walls.pop(place, ())
        self._space.remove(*gone)
        for wall in gone:
            wall.body = None  # the table's body keeps its shapes otherwise, for ever
        self._changed = True

    def set_groove(self, place: str, groove: Groove, x_mm: float, y_mm: float) -> None:
        """Give the floor around a point its slopes, replacing those that the place had."""
        self.clear_groove(place)
        if groove and self._physics.round_bottom:
            right, down = round(x_mm * _CELLS_A_MM), round(y_mm * _CELLS_A_MM)
            there = {(x + right, y + down): slope for (x, y), slope in groove.items()}
            self._slopes.update(there)
            self._grooves[place] = list(there)

    def clear_groove(self, place: str) -> None:
        """Make the floor of a place flat; balls that lay in its groove wake."""
        cells = self._grooves.pop(place, None)
        if cells is None:
            return
        for cell in cells:
            self._slopes.pop(cell, None)
        gone = set(cells)
        for ball in self._balls:
            x_mm, y_mm = ball.place()
            if (round(x_mm * _CELLS_A_MM), round(y_mm * _CELLS_A_MM)) in gone:
                ball.wake()

    def add_ball(self, x_mm: float, y_mm: float, vx: float = 0.0, vy: float = 0.0) -> Ball:
        """Put a ball on the table, with a speed in millimetres a second."""
        moment = _SPHERE * _MASS_KG * BALL_RADIUS_MM**2 if self._friction else math.inf
        body = pymunk.Body(_MASS_KG, moment)
        body.position = x_mm, y_mm
        body.velocity = vx, vy
        circle = pymunk.Circle(body, BALL_RADIUS_MM)
        circle.elasticity = self._ball_elasticity
        circle.friction = self._friction
        self._space.add(body, circle)
        self._changed = True
        ball = Ball(body)
        self._balls[ball] = None
        return ball

    def take_ball(self, ball: Ball) -> None:
        """Remove a ball from the table; balls that lean on it wake."""
        del self._balls[ball]
        self._space.remove(*ball.body.shapes, ball.body)
        self._changed = True

    def _segment(self, wall: Wall, x_mm: float, y_mm: float) -> pymunk.Segment:
        ax, ay, bx, by = wall
        ends = (x_mm + ax, y_mm + ay), (x_mm + bx, y_mm + by)
        segment = pymunk.Segment(self._space.static_body, *ends, _WALL_RADIUS_MM)
        segment.elasticity = self._wall_elasticity
        segment.friction = self._friction
        return segment
