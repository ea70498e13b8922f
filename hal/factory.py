"""Opening all devices of a build at once, and closing them in the safe order: coils first."""

import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import Any, Protocol, Self, TypeVar

from hextraction.hal.errors import DeviceLost
from hextraction.hal.gpio import GpioArmPin, GpioCoilDriver, GpioInputs, open_pin_factory
from hextraction.hal.guard import SolenoidGuard
from hextraction.hal.intake import OnLost
from hextraction.hal.mock import ManualClock, MockInputs, MockPixels, MockPower, MockSolenoidDriver
from hextraction.hal.pixels import open_neopixels
from hextraction.hal.ports import Clock, Inputs, Pixels, Power, Solenoids
from hextraction.hal.power import AlwaysOn, ChargePump, SwitchPower
from hextraction.hal.schedule import Scheduler, ThreadScheduler
from hextraction.hal.wiring import PowerWire, SensorWire, Wiring

__all__ = ["Devices", "LostDevices", "open_devices", "open_mock_devices"]

_log = logging.getLogger(__name__)

OpenScheduler = Callable[[str], Scheduler]


class _Closable(Protocol):
    def close(self) -> None: ...


_Device = TypeVar("_Device", bound=_Closable)


class LostDevices:
    """Collects what stopped answering and tells one listener."""

    def __init__(self) -> None:
        self._all: list[DeviceLost] = []
        self._on_lost: OnLost | None = None

    @property
    def all(self) -> tuple[DeviceLost, ...]:
        """Everything lost since the start, oldest first."""
        return tuple(self._all)

    def report(self, lost: DeviceLost) -> None:
        """Take a report from any thread."""
        _log.warning("lost %s", lost)
        self._all.append(lost)
        if self._on_lost is not None:
            self._on_lost(lost)

    def listen(self, on_lost: OnLost) -> None:
        """Call ``on_lost`` for each loss from now on, possibly from another thread; it must not block."""
        self._on_lost = on_lost


class Devices:
    """An open build. Use it as a context manager, or call :meth:`close`.

    Attributes:
        lamps: which pixels belong to each lamp's name.
        lost: what stopped answering.

    ``closing`` runs the closing steps; without it the ports are closed, coils first.
    """

    def __init__(
        self,
        *,
        inputs: Inputs,
        pixels: Pixels,
        solenoids: Solenoids,
        power: Power,
        clock: Clock,
        lamps: Mapping[str, range],
        lost: LostDevices | None = None,
        closing: contextlib.ExitStack | None = None,
    ) -> None:
        self.inputs = inputs
        self.pixels = pixels
        self.solenoids = solenoids
        self.power = power
        self.clock = clock
        self.lamps = MappingProxyType(dict(lamps))
        self.lost = lost or LostDevices()
        self._closing = closing or _closing_order(power, pixels, inputs, solenoids)

    def resync(self) -> None:
        """Read all sensors again where the backend can: a missed change is then reported as an edge."""
        resync = getattr(self.inputs, "resync", None)
        if resync is not None:
            resync()

    def close(self) -> None:
        """Coils off, supply disarmed, lamps dark, pins let go; failures on the way are logged."""
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_devices(
    wiring: Wiring, *, clock: Clock, scheduler: OpenScheduler | None = None, pin_factory: Any = None
) -> Devices:
    """Open what the wiring names. With the pin factory ``mock`` nothing real is touched.

    ``scheduler`` makes the schedulers (sensors, coils, lamps), each by a name; threads unless given.
    ``pin_factory`` is a gpiozero factory that is open already; it is closed with the rest.

    Raises:
        BackendUnavailable: a library is missing or a device cannot be opened; nothing stays open.
    """
    with contextlib.ExitStack() as opening:
        opened = _Opening(wiring, clock, scheduler or (lambda name: ThreadScheduler(clock, name)), opening)
        opened.pins(pin_factory)
        # Closing goes backwards: coils, their supply, sensors, lamps, the switch, and the pins last.
        power = opened.power()
        pixels = opened.pixels()
        inputs = opened.inputs()
        solenoids = opened.solenoids(power)
        return Devices(
            inputs=inputs,
            pixels=pixels,
            solenoids=solenoids,
            power=power,
            clock=clock,
            lamps=_lamps(wiring),
            lost=opened.lost,
            closing=opening.pop_all(),
        )


class _Opening:
    """The steps of opening; each leaves its own closing step on the stack."""

    def __init__(
        self, wiring: Wiring, clock: Clock, scheduler: OpenScheduler, stack: contextlib.ExitStack
    ) -> None:
        self._wiring = wiring
        self._clock = clock
        self._scheduler = scheduler
        self._stack = stack
        self.lost = LostDevices()
        self._factory: Any = None

    def pins(self, pin_factory: Any) -> None:
        self._factory = self._keep(pin_factory or open_pin_factory(self._wiring.gpio_factory))

    def power(self) -> Power:
        switch = self._wiring.power.switch
        return AlwaysOn() if switch is None else self._keep(SwitchPower(self._inputs("power", (switch,))))

    def inputs(self) -> Inputs:
        return self._keep(self._inputs("sensors", self._wiring.sensors))

    def _inputs(self, name: str, wires: Sequence[SensorWire]) -> GpioInputs:
        return GpioInputs(
            wires,
            self._factory,
            clock=self._clock,
            scheduler=self._keep(self._scheduler(name)),
            kernel_stamps=GpioInputs.stamps_of(self._wiring.gpio_factory),
            on_lost=self.lost.report,
        )

    def pixels(self) -> Pixels:
        wire = self._wiring.pixels
        if wire is None or self._wiring.gpio_factory == "mock":
            return MockPixels(0 if wire is None else wire.count)
        scheduler = self._keep(self._scheduler("lamps"))
        return self._keep(
            open_neopixels(wire, clock=self._clock, scheduler=scheduler, on_lost=self.lost.report)
        )

    def solenoids(self, power: Power) -> SolenoidGuard:
        coils = self._wiring.coils
        driver = GpioCoilDriver(coils, self._factory)
        scheduler = self._keep(self._scheduler("coils"))
        guard = SolenoidGuard(
            driver,
            {coil.name: coil.limits for coil in coils},
            clock=self._clock,
            scheduler=scheduler,
            supply_on=lambda: power.on,
            on_lost=self.lost.report,
        )
        self._pump(self._wiring.power, guard, scheduler)
        return self._keep(guard)

    def _pump(self, wire: PowerWire, guard: SolenoidGuard, scheduler: Scheduler) -> None:
        if wire.arm_pin is not None:
            pin = GpioArmPin(wire.arm_pin, self._factory)
            self._keep(ChargePump(pin, lambda: guard.armed, clock=self._clock, scheduler=scheduler))

    def _keep(self, device: _Device) -> _Device:
        """Put the device's closing on the stack, such that a failure does not keep the others open."""
        self._stack.callback(_close_quietly, device)
        return device


def open_mock_devices(
    wiring: Wiring, *, clock: ManualClock, driver: MockSolenoidDriver | None = None, debounce: bool = False
) -> Devices:
    """Return the same build made of nothing, on a clock that is moved by hand.

    ``driver`` lets the caller watch the coils; with ``debounce`` the sensors obey their wiring's filters.
    """
    debounces_us = {sensor.name: sensor.debounce_us if debounce else 0 for sensor in wiring.sensors}
    lost = LostDevices()
    inputs = MockInputs(debounces_us, clock=clock, debounce_us=debounces_us, on_lost=lost.report)
    pixels = MockPixels(0 if wiring.pixels is None else wiring.pixels.count)
    power = MockPower(clock)
    solenoids = SolenoidGuard(
        driver or MockSolenoidDriver(clock),
        {coil.name: coil.limits for coil in wiring.coils},
        clock=clock,
        scheduler=clock,
        supply_on=lambda: power.on,
        on_lost=lost.report,
    )
    return Devices(
        inputs=inputs,
        pixels=pixels,
        solenoids=solenoids,
        power=power,
        clock=clock,
        lamps=_lamps(wiring),
        lost=lost,
    )


def _closing_order(*devices: _Closable) -> contextlib.ExitStack:
    """Return a stack that closes the devices, the last one first."""
    stack = contextlib.ExitStack()
    for device in devices:
        stack.callback(_close_quietly, device)
    return stack


def _lamps(wiring: Wiring) -> dict[str, range]:
    return {lamp.name: lamp.pixels for lamp in wiring.lamps}


def _close_quietly(device: _Closable) -> None:
    try:
        device.close()
    except Exception:  # noqa: BLE001 - logged whole; the other devices must still be closed
        _log.exception("%s did not close cleanly", type(device).__name__)
