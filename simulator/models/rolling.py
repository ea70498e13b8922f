"""Balls that roll in three dimensions, many at once.

A ball is a rigid sphere with spin; it touches at the one point that is nearest. In a touch the speed towards
the plastic is given back by the restitution, and friction makes the rest roll: a sphere that rolls needs 2/7
of the momentum that it slides with. No formula for channels goes in; that a ball rolls down one with
5/7 g sin(tilt) comes out (tests).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from hextraction.simulator.models.space import BALL_MM, Space
from numpy.typing import NDArray

__all__ = ["STEP_S", "Balls", "roll"]

STEP_S: Final = 0.00025
_SOFT_MM_S: Final = 25.0
_TOUCH_MM: Final = 0.02
_BACK: Final = 0.4

Floats = NDArray[np.float64]


@dataclass(slots=True, eq=False)
class Balls:
    """Balls on their way: number, place, speed and spin, the latter of shape (n, 3), and what they are like.

    ``pull`` is the gravity along the axes of the tile, in mm/s²; ``walls`` the direction and distance of a
    flat wall that shuts a mouth, shape (n, 3), with a distance of infinity where there is none.
    """

    number: NDArray[np.int64]
    place: Floats
    speed: Floats
    spin: Floats
    pull: Floats
    restitution: Floats
    friction: Floats
    resistance: Floats
    walls: Floats

    def only(self, keep: NDArray[np.bool_]) -> "Balls":
        """Return some of the balls."""
        return Balls(
            self.number[keep], self.place[keep], self.speed[keep], self.spin[keep], self.pull[keep],
            self.restitution[keep], self.friction[keep], self.resistance[keep], self.walls[keep],
        )  # fmt: skip


def roll(space: Space, balls: Balls, watch: Callable[[Balls, int], NDArray[np.bool_]], limit_ms: int) -> None:
    """Let balls roll; ``watch(balls, ms)`` is called every other millisecond and says which go on."""
    steps = round(0.002 / STEP_S)
    for now_ms in range(2, limit_ms, 2):
        for _ in range(steps):
            _step(space, balls)
        keep = watch(balls, now_ms)
        if not keep.all():
            balls = balls.only(keep)
        if not len(balls.place):
            return


def _step(space: Space, balls: Balls) -> None:
    balls.speed += balls.pull * STEP_S
    balls.place += balls.speed * STEP_S
    far, away = space.at(balls.place)
    touch = np.nonzero(far < BALL_MM + _TOUCH_MM)[0]
    if len(touch):
        _touch(balls, touch, far[touch], away[touch])
    beyond = np.einsum("ij,ij->i", balls.place[:, :2], balls.walls[:, :2]) - balls.walls[:, 2]
    shut = np.nonzero(beyond > 0)[0]
    if len(shut):
        out = np.concatenate([-balls.walls[shut, :2], np.zeros((len(shut), 1))], axis=1)
        _touch(balls, shut, BALL_MM - beyond[shut], out)


def _touch(balls: Balls, who: NDArray[np.int64], far: Floats, away: Floats) -> None:
    speed, spin = balls.speed[who], balls.spin[who]
    towards = -np.einsum("ij,ij->i", speed, away)
    hard = towards > _SOFT_MM_S
    back = np.where(hard, balls.restitution[who], 0.0)
    push = np.maximum(towards, 0.0) * (1 + back)
    speed += push[:, None] * away
    # The point of the ball that touches: its speed is to vanish, as far as friction can do that.
    slip = speed + np.cross(spin, -BALL_MM * away)
    slip -= np.einsum("ij,ij->i", slip, away)[:, None] * away
    slides = np.sqrt(np.einsum("ij,ij->i", slip, slip))
    press = np.maximum(push, 0.0)
    most = balls.friction[who] * press
    give = -np.minimum(2 / 7, most / np.maximum(slides, 1e-9))[:, None] * slip
    speed += give
    spin += np.cross(-away, give) * (5 / (2 * BALL_MM))
    # Rolling resistance takes of speed and spin alike, in proportion to how hard the ball is pressed.
    moving = np.sqrt(np.einsum("ij,ij->i", speed, speed))
    soft = np.where(hard, 0.0, press)
    keep = 1 - np.minimum(1.0, 5 / 7 * balls.resistance[who] * soft / np.maximum(moving, 1e-9))
    balls.speed[who] = speed * keep[:, None]
    balls.spin[who] = spin * keep[:, None]
    deep = np.maximum(BALL_MM - far, 0.0)
    balls.place[who] += (_BACK * deep)[:, None] * away
