"""Coil gates and the arm pin on direct pins over gpiozero. Low from the moment they are claimed."""

import importlib
from collections.abc import Iterable
from typing import Any

from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.wires import CoilWire

__all__ = ["GpioArmPin", "GpioCoilDriver"]


class GpioCoilDriver:
    """Coil gates on pins, for the guard alone. All low from the moment they are claimed.

    Raises:
        BackendUnavailable: a pin cannot be claimed.
    """

    def __init__(self, wires: Iterable[CoilWire], factory: Any) -> None:
        self._outputs: dict[str, Any] = {}
        for wire in wires:
            self._outputs[wire.name] = _output(wire.pin, factory, f"solenoid {wire.name!r}")

    def energise(self, name: str) -> None:
        """Switch one coil on."""
        self._outputs[name].on()

    def release(self, name: str) -> None:
        """Switch one coil off."""
        self._outputs[name].off()

    def close(self) -> None:
        """Let go of the pins, which then are pulled down."""
        for output in self._outputs.values():
            output.close()


class GpioArmPin:
    """The output that feeds the charge pump of the coil supply."""

    def __init__(self, pin: int, factory: Any) -> None:
        self._output = _output(pin, factory, "the arm pin")

    def toggle(self) -> None:
        """Change the pin's level."""
        self._output.toggle()

    def off(self) -> None:
        """Take the pin low."""
        self._output.off()

    def close(self) -> None:
        """Let go of the pin. May be called twice."""
        self._output.close()


def _output(pin: int, factory: Any, owner: str) -> Any:
    gpiozero = importlib.import_module("gpiozero")
    try:
        return gpiozero.OutputDevice(pin, initial_value=False, pin_factory=factory)
    except Exception as error:
        raise BackendUnavailable(f"{owner} cannot have GPIO{pin}: {error}") from error
