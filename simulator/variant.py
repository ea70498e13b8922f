"""Alternative worlds, to find out what is overfitted to the standard one.

A :class:`Variant` changes the physics and the sensors together. ``standard`` is the world described in
``docs/simulator.md``. ``rough`` differs in everything that nobody has measured: walls with friction and less
bounce, more resistance, slower and more uneven releases, ball Halls with a shorter range; and its sensors
(:meth:`Variant.noise`) miss in runs and produce ghosts in bursts, as a loose wire or the sun would.
``lively`` errs the other way. ``escapement`` is ``standard`` but for one thing: balls leave a gate as slowly
as the mechanics of ``board/escapement.py`` say. Nothing may be tuned to any of them.

``drawn-N`` and ``rails-N`` are worlds drawn by number, the second kind in another physics. Those below
:data:`FIRST_JUDGE` are for tuning, the others judge what was tuned, and ``rails`` of any number only judge.
"""

import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from hextraction.simulator.cells import HALL_MM, Fit
from hextraction.simulator.channels import Shape
from hextraction.simulator.fittings import Wall
from hextraction.simulator.noise import Noise
from hextraction.simulator.physics import STANDARD, Physics
from hextraction.simulator.rails import RailPhysics

__all__ = ["FIRST_JUDGE", "VARIANTS", "Variant", "variant_named"]

FIRST_JUDGE: Final = 500
"""Drawn worlds from this number on judge the tracker; only those below may be used to tune it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One world. A release has a mean speed and a spread; ``hall_mm`` is the range of a ball Hall.

    ``miss_again`` and ``burst`` apply on top of any noise, see :class:`~hextraction.simulator.noise.Noise`.
    """

    name: str
    physics: Physics = field(default=STANDARD)
    release_mm_s: float = 280.0
    release_spread_mm_s: float = 25.0
    hall_mm: float = HALL_MM
    miss_again: float | None = None
    burst: int = 1
    lag_us: int = 0
    """How late a pulse ends, because magnetic sensors and their filters hold on."""
    unlike: float = 0.0
    """How unlike sensors are in what they miss (:attr:`.Noise.unlike`)."""
    tilt_deg: float | None = None
    """The board's tilt; ``None``: what its profile says. Nobody tells the tracker."""
    misplaced_mm: float = 0.0
    """How far each sensor may be from its place, either way."""
    reach_spread: float = 0.0
    """By which share each sensor may see farther or less far."""
    warp_mm: float = 0.0
    """How far walls are from where they are drawn, at most: each printed tile is warped in its own way."""
    half_mm: float | None = None
    """Half the width of channels, if tiles are drawn otherwise than ours."""
    lean: float | None = None
    """How bends are drawn (:attr:`.Shape.lean`)."""
    rails: RailPhysics | None = None
    """A world of rails (:mod:`hextraction.simulator.rail_world`) in the place of ``physics``."""

    def noise(self, noise: Noise) -> Noise:
        """Return noise with the same rates in this world's style."""
        return replace(
            noise,
            miss_again=self.miss_again,
            burst=self.burst,
            lag_us=self.lag_us,
            unlike=self.unlike,
        )

    def redrawn(self, shape: Shape) -> Shape:
        """Return a shape as tiles are drawn in this world."""
        if self.half_mm is None and self.lean is None:
            return shape
        return replace(shape, half_mm=self.half_mm or shape.half_mm, lean=self.lean)

    def warped(self, walls: Sequence[Wall], seed: str) -> Sequence[Wall]:
        """Return walls as they came out of the printer, the same for the same seed."""
        if not self.warp_mm:
            return walls
        rng = random.Random(f"{self.name} warp {seed}")  # noqa: S311 - a game of marbles
        waves = [
            (
                rng.uniform(0, self.warp_mm),
                rng.uniform(-0.12, 0.12),
                rng.uniform(-0.12, 0.12),
                rng.uniform(0, 6.3),
            )
            for _way in "xy"
        ]

        def moved(x_mm: float, y_mm: float) -> tuple[float, float]:
            across, down = (a * math.sin(kx * x_mm + ky * y_mm + p) for a, kx, ky, p in waves)
            return x_mm + across, y_mm + down

        return [(*moved(ax, ay), *moved(bx, by)) for ax, ay, bx, by in walls]

    def fitted(self, seed: int) -> Callable[[str], Fit] | None:
        """Return how each sensor of one board is fitted; None: all as drawn."""
        if not (self.misplaced_mm or self.reach_spread):
            return None

        def fit(sensor: str) -> Fit:
            rng = random.Random(f"{self.name} fit {seed} {sensor}")  # noqa: S311
            aside = self.misplaced_mm
            spread = self.reach_spread
            return Fit(
                rng.uniform(-aside, aside), rng.uniform(-aside, aside), 1 + rng.uniform(-spread, spread)
            )

        return fit


VARIANTS: Final = {
    variant.name: variant
    for variant in (
        Variant(name="standard"),
        Variant(
            name="escapement",
            # From rest at the lower fork, at 15 degrees; a fork half a millimetre off, or a degree of
            # tilt, makes the spread.
            release_mm_s=131.0,
            release_spread_mm_s=7.0,
        ),
        Variant(
            name="rough",
            physics=Physics(
                ball_restitution=0.75,
                wall_restitution=0.5,
                resistance=0.012,
                wall_friction=0.15,
                substeps=2,
            ),
            release_mm_s=240.0,
            release_spread_mm_s=45.0,
            hall_mm=6.5,
            miss_again=0.4,
            burst=4,
            lag_us=3_000,
        ),
        Variant(
            name="lively",
            physics=Physics(ball_restitution=0.95, wall_restitution=0.75, resistance=0.002, substeps=3),
            release_mm_s=320.0,
            release_spread_mm_s=40.0,
            hall_mm=10.0,
            miss_again=0.2,
            burst=2,
            lag_us=6_000,
        ),
    )
}
"""All worlds by name, besides those that are drawn by number."""
_DRAWN: Final = re.compile(r"(drawn|rails)-([0-9]{1,6})")


@cache
def variant_named(name: str) -> Variant:
    """Return a world: a listed one, or one drawn by number (``drawn-N`` in pymunk, ``rails-N`` on rails).

    Raises:
        KeyError: there is none with that name; the message lists the existing ones.
    """
    found = _DRAWN.fullmatch(name)
    if found is not None:
        return _drawn(name, rails=found[1] == "rails")
    if name not in VARIANTS:
        listed = ", ".join((*VARIANTS, "drawn-N", "rails-N"))
        raise KeyError(f"no variant of the physics is called {name!r}; there are {listed}")
    return VARIANTS[name]


def _drawn(name: str, *, rails: bool) -> Variant:
    """Draw a world in which everything differs that nobody has measured on a real board.

    Friction from half to twice ours, restitution, tilt, tiles drawn by other rules and badly printed, sensors
    beside their places that see more or less far, miss more or less, and miss in spells.
    """
    rng = random.Random(f"a world called {name}")  # noqa: S311 - a game of marbles
    resistance = 0.005 * 2 ** rng.uniform(-1, 1)
    ball, wall = rng.uniform(0.7, 0.95), rng.uniform(0.45, 0.8)
    physics = Physics(
        ball_restitution=ball,
        wall_restitution=wall,
        resistance=resistance,
        wall_friction=rng.choice((0.0, rng.uniform(0.0, 0.2))),
        substeps=rng.randint(1, 3),
    )
    on_rails = RailPhysics(
        resistance=resistance,
        turn_loss=rng.uniform(0.03, 0.3),
        joint_loss=rng.uniform(0.0, 0.15),
        lip_mm_s=rng.uniform(0.0, 60.0),
        wall_bounce=rng.uniform(0.05, 0.3),
        ball_bounce=rng.uniform(0.15, 0.45),
        keeps_line=rng.uniform(0.5, 3.0),
        falls=rng.uniform(0.5, 2.5),
        bow=rng.uniform(0.0, 0.8),
        knot_mm=rng.uniform(0.3, 2.0),
        pocket=rng.uniform(0.6, 0.97),
    )
    return Variant(
        name=name,
        physics=physics,
        release_mm_s=rng.uniform(200.0, 340.0),
        release_spread_mm_s=rng.uniform(15.0, 45.0),
        hall_mm=rng.uniform(6.5, 10.0),
        miss_again=rng.choice((None, rng.uniform(0.1, 0.4))),
        burst=rng.randint(1, 4),
        lag_us=rng.randint(0, 6_000),
        unlike=rng.uniform(0.0, 1.0),
        tilt_deg=rng.uniform(8.0, 30.0),
        misplaced_mm=2.0,
        reach_spread=rng.uniform(0.0, 0.15),
        warp_mm=rng.uniform(0.0, 0.3),
        half_mm=rng.uniform(5.35, 6.0),
        lean=rng.choice((None, rng.uniform(0.0, 0.8))),
        rails=on_rails if rails else None,
    )
