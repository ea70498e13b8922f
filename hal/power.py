"""The board's switch, and the pump that keeps the coil supply armed.

In a build without a sensor hub the coil supply runs through a charge pump: a transistor that conducts only
while a pin keeps toggling. If the pin sticks, the process hangs or is killed, or the guard no longer trusts
its driver, the toggling stops and the supply drops on its own.
"""

import threading
from collections.abc import Callable
from typing import Final, Protocol

from hextraction.hal.ports import Clock, Edge, Inputs, OnPower
from hextraction.hal.schedule import Scheduler
from hextraction.hal.supply import CoilSupply

__all__ = ["AlwaysOn", "ArmPin", "ChargePump", "SwitchPower"]

_TOGGLE_US: Final = 10_000


class AlwaysOn:
    """Stands in for the switch of a board that has none; ``supply`` is that of its coils."""

    def __init__(self, supply: CoilSupply | None = None) -> None:
        self.supply = supply or CoilSupply()

    @property
    def on(self) -> bool:
        """Always true."""
        return True

    def listen(self, on_change: OnPower) -> None:
        """Accept a listener that will never be called."""

    def close(self) -> None:
        """Do nothing."""


class SwitchPower:
    """A switch wired like a sensor: active means on.

    ``inputs`` holds that one sensor, debounced; a switch that stops answering keeps its last position.
    """

    def __init__(self, inputs: Inputs, supply: CoilSupply | None = None) -> None:
        self.supply = supply or CoilSupply()
        self._inputs = inputs
        self._on_change: OnPower | None = None
        self._on = inputs.levels().get(inputs.names[0], True)
        inputs.listen(self._changed)

    @property
    def on(self) -> bool:
        """Whether the board is switched on."""
        return self._on

    def listen(self, on_change: OnPower) -> None:
        """Call ``on_change(on, at_us)`` when the switch is flipped, from the input's thread."""
        self._on_change = on_change

    def close(self) -> None:
        """Close the switch."""
        self._on_change = None
        self._inputs.close()

    def _changed(self, edge: Edge) -> None:
        self._on = edge.active
        if self._on_change is not None:
            self._on_change(edge.active, edge.at_us)


class ArmPin(Protocol):
    """The output that drives the charge pump."""

    def toggle(self) -> None:
        """Toggle the pin."""
        ...

    def off(self) -> None:
        """Set the pin to its resting level."""
        ...

    def close(self) -> None:
        """Free the pin. May be called twice."""
        ...


class ChargePump:
    """Toggles the arm pin every 10 ms while ``armed()`` is true.

    It runs on the scheduler that also ends the pulses: if that thread hangs, the pump stops too.
    """

    def __init__(self, pin: ArmPin, armed: Callable[[], bool], *, clock: Clock, scheduler: Scheduler) -> None:
        self._pin = pin
        self._armed = armed
        self._clock = clock
        self._scheduler = scheduler
        self._closed = False
        self._lock = threading.Lock()
        self._beat()

    def close(self) -> None:
        """Stop, leaving the pin at rest. May be called twice."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._pin.off()
            self._pin.close()

    def _beat(self) -> None:
        armed = self._armed()
        with self._lock:
            if self._closed:
                return
            self._scheduler.call_at(self._clock.now_us() + _TOGGLE_US, self._beat)
            if armed:
                self._pin.toggle()
            else:
                self._pin.off()
