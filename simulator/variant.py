"""Other worlds, for finding out what was tuned to ours.

A :class:`Variant` changes the physics and the sensors at once. ``standard`` is the world as described in
``docs/simulator.md``. ``rough`` is another one in all that nobody has measured: walls with friction and less
bounce, more resistance, slower and more uneven releases, ball Halls that see less far; and its sensors
(:meth:`Variant.noise`) miss in spells and invent pulses in bursts, as a loose wire or the sun would.
``lively`` errs to the other side. Nothing may be fitted to any of them.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from hextraction.simulator.cells import HALL_MM
from hextraction.simulator.noise import Noise
from hextraction.simulator.physics import STANDARD, Physics

__all__ = ["VARIANTS", "Variant", "variant_named"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One world. A release has a mean speed and a spread; ``hall_mm`` is how far a ball Hall sees.

    ``miss_again`` and ``burst`` are laid over any noise, see :class:`~hextraction.simulator.noise.Noise`.
    """

    name: str
    physics: Physics = field(default=STANDARD)
    release_mm_s: float = 280.0
    release_spread_mm_s: float = 25.0
    hall_mm: float = HALL_MM
    miss_again: float | None = None
    burst: int = 1
    lag_us: int = 0
    """By how much a pulse ends late: magnetic parts and their filters hold on."""

    def noise(self, noise: Noise) -> Noise:
        """Return a noise of the same rates in the manner of this world."""
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
        KeyError: there is none of that name; the message lists those that there are.
    """
    if name not in VARIANTS:
        raise KeyError(f"no variant of the physics is called {name!r}; there are {', '.join(VARIANTS)}")
    return VARIANTS[name]
