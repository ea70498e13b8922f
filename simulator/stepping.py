"""pymunk's own C functions for what is done every simulated millisecond.

pymunk's Python wrapper costs three times as much as the step of one ball below it. The functions called here
are those that the wrapper calls, so the balls go the same way to the last bit; should a version of pymunk not
have them under these names, the wrapper is used.
"""

import math
from collections.abc import Callable
from typing import Any

import pymunk

try:
    from pymunk._chipmunk_cffi import lib as _lib
except ImportError:
    _lib = None

__all__ = ["place_reader", "slower", "stepper"]


def stepper(space: pymunk.Space, seconds: float, *, wrapped: bool = False) -> Callable[[int], None]:
    """Return what makes a number of steps of so many seconds; ``wrapped`` asks for pymunk's own way."""

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
    """Return what tells where a body is."""
    if _lib is None or not hasattr(body, "_body"):
        return lambda: (body.position.x, body.position.y)
    read, below = _lib.cpBodyGetPosition, body._body  # noqa: SLF001 - see above

    def fast() -> tuple[float, float]:
        place: Any = read(below)
        return place.x, place.y

    return fast


def slower(body: pymunk.Body) -> Callable[[float, float], bool]:
    """Return what takes some speed from a body that is faster than a least speed, and says whether it was."""

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
