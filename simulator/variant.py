"""Alternative worlds, to find out what is overfitted to the standard one.

A :class:`Variant` changes the physics and the sensors together. ``standard`` is the world described in
``docs/simulator.md``. ``rough`` differs in everything that nobody has measured: walls with friction and less
bounce, more resistance, slower and more uneven releases, ball Halls with a shorter range; and its sensors
(:meth:`Variant.noise`) miss in runs and produce ghosts in bursts, as a loose wire or the sun would.
``lively`` errs the other way. Nothing may be tuned to any of them.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from hextraction.simulator.cells import HALL_MM
from hextraction.simulator.noise import Noise
from hextraction.simulator.physics import STANDARD, Physics

__all__ = ["VARIANTS", "Variant", "variant_named"]


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

    def noise(self, noise: Noise) -> Noise:
        """Return noise with the same rates in this world's style."""
        return replace(noise, miss_again=self.miss_again, burst=self.burst, lag_us=self.lag_us)


VARIANTS: Final = {
    variant.name: variant
    for variant in (
        Variant(name="standard"),
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
"""All worlds by name."""


def variant_named(name: str) -> Variant:
    """Return a world.

    Raises:
        KeyError: there is none with that name; the message lists the existing ones.
    """
    if name not in VARIANTS:
        raise KeyError(f"no variant of the physics is called {name!r}; there are {', '.join(VARIANTS)}")
    return VARIANTS[name]
