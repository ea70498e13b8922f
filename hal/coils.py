"""What the guard asks of coils: those it switches itself, and those on a device that times them."""

from collections.abc import Callable
from typing import Protocol

__all__ = ["CoilDriver", "OnPulse", "TimedCoils"]

OnPulse = Callable[[str, int, int], None]
"""Called with a coil's name, when its pulse began, and when it ends at the latest, on the guard's clock."""


class CoilDriver(Protocol):
    """Raw access to coils, for the guard alone. Any method may raise when the device is gone."""

    def energise(self, name: str) -> None:
        """Switch one coil on."""
        ...

    def release(self, name: str) -> None:
        """Switch one coil off; harmless if it is off."""
        ...

    def close(self) -> None:
        """Let go of the outputs, all of them off. May be called twice."""
        ...


class TimedCoils(Protocol):
    """Coils on a device that times their pulses by itself, for the guard alone. Raises nothing.

    ``coils`` are their names; ``coils_ready`` says whether a pulse would be fired now, ``is_on`` whether one
    of them may be on, or may yet come on.
    """

    @property
    def coils(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def coils_ready(self) -> bool: ...  # noqa: D102
    @property
    def is_on(self) -> bool: ...  # noqa: D102

    def fire(self, name: str, pulse_us: int) -> bool:
        """Ask for a pulse; false if nothing will come of it."""
        ...

    def stop(self) -> None:
        """End a pulse that has not had its time; harmless if there is none."""
        ...
