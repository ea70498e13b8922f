"""Pins of the Pi through gpiozero: the factory, sensors, the expanders' INT line, coil gates, the arm pin.

Pitfalls of gpiozero that are avoided here:

1. A pin holds its callback weakly and an unreferenced device is collected: :class:`_Line` keeps both alive.
2. ``bounce_time`` swallows short pulses or delays them, depending on the factory: it is never set, and we
   debounce ourselves.
3. The class-wide ``Device.pin_factory`` is never touched; every device gets the factory opened here.
4. Callbacks run on the factory's thread and block its other edges: they stamp, post and return.
5. Bursts overflow the kernel's queue, which drops the oldest: edges are lost, but the final level is right.
6. A pin that another program holds may become free: claiming it is retried.
7. gpiozero knows two numbers of the header's chip, kernels more: it is told which (:mod:`.header`).
"""

import contextlib
import importlib
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.header import Chip, header_chip
from hextraction.hal.intake import FedInputs, Intake, OnFound, OnLost, SensorLine
from hextraction.hal.ports import Clock
from hextraction.hal.schedule import Scheduler
from hextraction.hal.wiring.wires import BUTTON, CoilWire, SensorWire

__all__ = ["GpioArmPin", "GpioCoilDriver", "GpioInputs", "IntPin", "open_pin_factory"]

_FACTORIES: Final = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory", "install hextraction[pi] (hextraction[pi5] on a Pi 5)"),
    "rpigpio": (
        "gpiozero.pins.rpigpio",
        "RPiGPIOFactory",
        "install hextraction[rpigpio], or rpi-lgpio on a Pi 5; never both",
    ),
    "mock": ("gpiozero.pins.mock", "MockFactory", "install gpiozero"),
}
_KERNEL_STAMPS: Final = frozenset({"lgpio"})
"""The factories that pass on the kernel's timestamp of an edge; the others report when they heard of it."""
_LATENCY_US: Final = 2_000
"""How late a kernel-stamped edge may arrive: lgpio sorts for half a millisecond, and polls as often."""
_OLDEST_US: Final = 1_000_000
_MOST_CHIPS: Final = 16
_RPI_LGPIO_CHIP: Final = "RPI_LGPIO_CHIP"
"""The variable by which rpi-lgpio is told its chip; RPi.GPIO does not look at it."""
_TRY_AGAIN_US: Final = 2_000_000
_PULL_UP: Final = {"up": True, "down": False, "none": None}


def open_pin_factory(name: str, root: Path = Path("/")) -> Any:
    """Open gpiozero's pin factory ``lgpio``, ``rpigpio`` or ``mock``; close it after all devices.

    It drives the header's pins, whichever number the kernel of the machine below ``root`` gave their chip.

    Raises:
        BackendUnavailable: its library is missing, cannot work on this machine, or there is no such chip.
    """
    module, class_name, remedy = _FACTORIES[name]
    where = ""
    try:
        # lgpio moves the whole process into its working folder when it is imported.
        with contextlib.chdir(Path.cwd()):
            factory = getattr(importlib.import_module(module), class_name)
            chip = header_chip(root) if name != "mock" else None
            where = f" with {chip}" if chip is not None else ""
            return _opened(name, factory, chip)
    except BackendUnavailable:
        raise
    except FileNotFoundError as error:
        raise BackendUnavailable(
            f"{name} cannot work here ({error}); is LG_WD a folder it may write?"
        ) from error
    except ImportError as error:
        raise BackendUnavailable(f"the library of {name} is missing ({error}): {remedy}") from error
    except Exception as error:  # whatever a vendor library raises, we handle it the same way
        raise BackendUnavailable(
            f"{name} cannot work on this machine{where} ({error}); "
            f"is this user in the group gpio? Else {remedy}"
        ) from error


def _opened(name: str, factory: Any, chip: Chip | None) -> Any:
    """Open gpiozero's factory on the header's chip: neither it nor rpi-lgpio knows all its numbers."""
    if name == "rpigpio" and chip is not None:
        os.environ.setdefault(_RPI_LGPIO_CHIP, str(chip.number))
    if name != "lgpio":
        return factory()
    # Where neither /sys nor /dev shows a chip, what lgpio can open tells.
    *others, last = range(_MOST_CHIPS) if chip is None else (chip.number,)
    for number in others:
        with contextlib.suppress(Exception):
            return factory(chip=number)
    return factory(chip=last)


class GpioInputs(FedInputs):
    """Sensors on pins of the header.

    A sensor whose pin cannot be claimed is reported lost from the start; the others work, and the pin is
    retried every two seconds.
    """

    def __init__(
        self,
        wires: Sequence[SensorWire],
        factory: Any,
        *,
        clock: Clock,
        scheduler: Scheduler,
        kernel_stamps: bool = False,
        ordered: bool = True,
        on_lost: OnLost | None = None,
        on_found: OnFound | None = None,
    ) -> None:
        self._clock = clock
        self._scheduler = scheduler
        self._factory = factory
        self._closed = False
        self._opening = threading.Lock()
        self._kernel_stamps = kernel_stamps
        self._lines = {wire.name: _Line(wire, self) for wire in wires}
        opened = {name: line.open(factory) for name, line in self._lines.items()}
        self._intake = Intake(
            [
                SensorLine(
                    name=name,
                    debounce_us=line.wire.debounce_us,
                    active=opened[name] is True,
                    apart=line.wire.part == BUTTON,
                )
                for name, line in self._lines.items()
            ],
            clock=clock,
            scheduler=scheduler,
            latency_us=_LATENCY_US if kernel_stamps else 0,
            ordered=ordered,
            on_lost=on_lost,
            on_found=on_found,
        )
        self._watch({name: found for name, found in opened.items() if isinstance(found, str)})

    @classmethod
    def stamps_of(cls, factory_name: str) -> bool:
        """Return whether a pin factory passes on the kernel's timestamp of an edge."""
        return factory_name in _KERNEL_STAMPS

    def resync(self) -> None:
        """Read every pin again; a change that was missed is reported now."""
        for name, line in self._lines.items():
            if line.is_open:
                self._try_read(name, line)

    def close(self) -> None:
        """Free the pins. May be called twice."""
        self._intake.close()
        with self._opening:
            self._closed = True
            for line in self._lines.values():
                line.close()

    def changed(self, name: str, active: bool, ticks: Any) -> None:  # noqa: FBT001 - a sample
        """Handle a change on a pin's own thread: stamp, post, return."""
        self._intake.post(name, active, self._stamp(ticks))

    def _watch(self, failures: Mapping[str, str]) -> None:
        for name, reason in failures.items():
            self._intake.lose(name, reason)
        for line in self._lines.values():
            line.watch()
        # A change between the first read and the first watched edge would be missed otherwise.
        self.resync()
        self._try_later()

    def _try_later(self) -> None:
        if not all(line.is_open for line in self._lines.values()):
            self._scheduler.call_at(self._clock.now_us() + _TRY_AGAIN_US, self._try_again)

    def _try_again(self) -> None:
        """Retry the pins that could not be opened, until none is left."""
        with self._opening:
            if self._closed:
                return
            for name, line in self._lines.items():
                if not line.is_open and isinstance(line.open(self._factory), bool):
                    line.watch()
                    self._try_read(name, line)
        self._try_later()

    def _try_read(self, name: str, line: "_Line") -> None:
        try:
            active = line.read()
        except Exception as error:  # noqa: BLE001 - whatever a vendor library raises is a lost device
            self._intake.lose(name, str(error))
        else:
            self._intake.post(name, active, self._clock.now_us())

    def _stamp(self, ticks: Any) -> int:
        """Return our clock's time of an edge that happened at ``ticks`` of the factory."""
        now_us = self._clock.now_us()
        if not self._kernel_stamps:
            return now_us
        age_us = round(self._factory.ticks_diff(self._factory.ticks(), ticks) * 1e6)
        return now_us - age_us if 0 <= age_us <= _OLDEST_US else now_us


class _Line:
    """One pin: keeps the device and its callback alive, and handles its polarity."""

    def __init__(self, wire: SensorWire, inputs: GpioInputs) -> None:
        self.wire = wire
        self._inputs = inputs
        self._device: Any = None

    @property
    def is_open(self) -> bool:
        return self._device is not None

    def open(self, factory: Any) -> bool | str:
        """Claim the pin and return its level, or the reason as text if that fails."""
        gpiozero = importlib.import_module("gpiozero")
        floating = {"active_state": self.wire.active_high} if self.wire.pull == "none" else {}
        try:
            self._device = gpiozero.DigitalInputDevice(
                self.wire.pin, pull_up=_PULL_UP[self.wire.pull], pin_factory=factory, **floating
            )
            return self.read()
        except Exception as error:  # noqa: BLE001 - whatever a vendor library raises is a lost device
            self.close()
            return f"GPIO{self.wire.pin}: {error}"

    def watch(self) -> None:
        if self._device is not None:
            self._device.pin.when_changed = self._changed

    def read(self) -> bool:
        return bool(self._device.pin.state) == self.wire.active_high

    def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.pin.when_changed = None
            device.close()

    def _changed(self, ticks: Any, state: Any) -> None:
        self._inputs.changed(self.wire.name, bool(state) == self.wire.active_high, ticks)


class IntPin:
    """The expanders' joined INT lines on a pin of the Pi, pulled up.

    Raises:
        BackendUnavailable: the pin cannot be claimed.
    """

    def __init__(self, pin: int, factory: Any) -> None:
        gpiozero = importlib.import_module("gpiozero")
        self._fell: Callable[[], None] | None = None
        try:
            self._device = gpiozero.DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
        except Exception as error:
            raise BackendUnavailable(f"the expanders' INT line cannot have GPIO{pin}: {error}") from error

    @property
    def is_low(self) -> bool:
        """Whether a chip signals an interrupt."""
        return not self._device.closed and not self._device.pin.state

    def watch(self, fell: Callable[[], None]) -> None:
        """Call ``fell`` on each falling edge, from the pin's thread."""
        self._fell = fell
        self._device.pin.when_changed = self._changed

    def close(self) -> None:
        """Free the pin. May be called twice."""
        self._fell = None
        if not self._device.closed:
            self._device.pin.when_changed = None
            self._device.close()

    def _changed(self, _ticks: Any, state: Any) -> None:
        if not state and self._fell is not None:
            self._fell()


# --- Coil gates and the arm pin: low from the moment they are claimed ---


class GpioCoilDriver:
    """Coil gates on pins, for the guard only. All low from the moment they are claimed.

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
        """Free the pins, which are then pulled down."""
        for output in self._outputs.values():
            output.close()


class GpioArmPin:
    """The output that drives the charge pump of the coil supply."""

    def __init__(self, pin: int, factory: Any) -> None:
        self._output = _output(pin, factory, "the arm pin")

    def toggle(self) -> None:
        """Toggle the pin."""
        self._output.toggle()

    def off(self) -> None:
        """Set the pin low."""
        self._output.off()

    def close(self) -> None:
        """Free the pin. May be called twice."""
        self._output.close()


def _output(pin: int, factory: Any, owner: str) -> Any:
    gpiozero = importlib.import_module("gpiozero")
    try:
        return gpiozero.OutputDevice(pin, initial_value=False, pin_factory=factory)
    except Exception as error:
        raise BackendUnavailable(f"{owner} cannot have GPIO{pin}: {error}") from error
