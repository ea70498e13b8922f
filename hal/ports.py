"""The ports: the interfaces through which the rest of the product uses devices.

Every backend (mock, gpiozero, simulator, later the sensor hub) implements these and passes the same contract
tests. Times are integer microseconds on the backend's :class:`Clock`; they never go backwards.
"""

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

__all__ = [
    "Clock",
    "Colour",
    "Edge",
    "Inputs",
    "OnEdge",
    "OnPower",
    "OnSupply",
    "Pixels",
    "Power",
    "PulseResult",
    "Solenoids",
    "Supply",
    "SupplyState",
]

Colour = tuple[int, int, int]
"""Red, green and blue, each 0..255."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One debounced change of a sensor.

    ``active`` is logical: a ball or tile is seen, regardless of voltage. ``at_us`` is when the change began.
    """

    sensor: str
    active: bool
    at_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyState:
    """The state of the coils' supply. ``None`` means that nothing measures it.

    ``good``: it is there, and the emergency stop is released. ``waits``: it was gone, and nobody has
    confirmed since then that all hands are clear; no coil is armed until someone does. ``current_ma`` is the
    coils' last measured current. ``fault`` says why coils stay off until the next start; empty without one.
    """

    good: bool | None = None
    waits: bool = False
    current_ma: int | None = None
    fault: str = ""


OnEdge = Callable[[Edge], None]
OnPower = Callable[[bool, int], None]
OnSupply = Callable[[SupplyState], None]


class PulseResult(enum.Enum):
    """The result of a request to fire a coil."""

    DONE = "done"
    CLAMPED = "clamped"
    """Fired, but for a shorter time than requested: the cap is lower."""
    REFUSED_UNKNOWN = "refused: no such coil"
    REFUSED_DUTY = "refused: too soon or too often"
    REFUSED_BUSY = "refused: another coil is on"
    REFUSED_OFF = "refused: the coil supply is off"

    @property
    def fired(self) -> bool:
        """Whether the coil moved at all."""
        return self in {PulseResult.DONE, PulseResult.CLAMPED}


@runtime_checkable
class Clock(Protocol):
    """Time since the controller's boot."""

    def now_us(self) -> int:
        """Return monotonic microseconds; never less than before."""
        ...


@runtime_checkable
class Inputs(Protocol):
    """Named binary sensors."""

    @property
    def names(self) -> tuple[str, ...]:
        """The sensors' names, in wiring order."""
        ...

    def listen(self, on_edge: OnEdge) -> None:
        """Call ``on_edge`` for each change from now on, possibly from another thread; it must not block.

        There is one listener; a second call replaces the first.
        """
        ...

    def levels(self) -> Mapping[str, bool]:
        """Return the level of every sensor that answers (logical, debounced); lost ones are absent."""
        ...

    def close(self) -> None:
        """Close the devices. May be called twice."""
        ...


@runtime_checkable
class Pixels(Protocol):
    """A chain of coloured lamps."""

    @property
    def count(self) -> int:
        """How many lamps there are."""
        ...

    def show(self, frame: Sequence[Colour]) -> None:
        """Show a whole frame: exactly :attr:`count` colours.

        Raises:
            ValueError: the frame has another length or a value outside 0..255.
        """
        ...

    def close(self) -> None:
        """Turn all lamps off and close. May be called twice."""
        ...


@runtime_checkable
class Solenoids(Protocol):
    """Named coils that can be pulsed, never held."""

    @property
    def names(self) -> tuple[str, ...]:
        """The coils' names, in wiring order."""
        ...

    @property
    def spent(self) -> Mapping[str, float]:
        """What share of its duty each coil has used up in the window that ends now, 0 to 1."""
        ...

    def pulse(self, name: str, pulse_ms: int | None = None) -> PulseResult:
        """Fire a coil once and return at once; the pulse ends on its own.

        Without ``pulse_ms`` the pulse is the coil's default from the wiring.
        """
        ...

    def off(self) -> None:
        """End any pulse now."""
        ...

    def close(self) -> None:
        """End any pulse and close. May be called twice."""
        ...


@runtime_checkable
class Supply(Protocol):
    """The coils' supply: is it there, what does it deliver, does it wait for a person?"""

    @property
    def state(self) -> SupplyState:
        """Its state now."""
        ...

    def listen(self, on_change: OnSupply) -> None:
        """Call ``on_change(state)`` when anything but the current changes, possibly from another thread."""
        ...

    def hold(self) -> None:
        """Arm no coil until a person has confirmed, whatever the supply does."""
        ...

    def confirm(self) -> bool:
        """Record that a person says all hands are clear; false while the supply is not there."""
        ...


@runtime_checkable
class Power(Protocol):
    """The board's own switch, on or soft-off (dark, but the controller still runs), and the coils' supply."""

    @property
    def supply(self) -> Supply:
        """The supply of the coils."""
        ...

    @property
    def on(self) -> bool:
        """Whether the board is switched on."""
        ...

    def listen(self, on_change: OnPower) -> None:
        """Call ``on_change(on, at_us)`` when the switch is flipped, possibly from another thread."""
        ...

    def close(self) -> None:
        """Close the switch. May be called twice."""
        ...
