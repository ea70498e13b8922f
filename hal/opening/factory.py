"""Opens all devices of a build at once, whatever backends its wiring names."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from hextraction.hal.coil_watch import CoilCurrents, CoilWatch
from hextraction.hal.expander import ExpanderInputs, RestingBus
from hextraction.hal.gpio import GpioArmPin, GpioCoilDriver, GpioInputs, IntPin, open_pin_factory
from hextraction.hal.guard import SolenoidGuard
from hextraction.hal.hub.backend import HubInputs, SensorHub
from hextraction.hal.hub.lamps import HubPixels
from hextraction.hal.hub.port import OpenPort
from hextraction.hal.hub.several import HubCoils
from hextraction.hal.i2c import Bus, LateBus, open_bus
from hextraction.hal.ina219 import Ina219, Meter
from hextraction.hal.lost import LostDevices
from hextraction.hal.mock import ManualClock, MockInputs, MockPixels, MockPower, MockSolenoidDriver
from hextraction.hal.opening.devices import Closable, Devices, Threaded, close_quietly
from hextraction.hal.opening.mixed import MixedInputs
from hextraction.hal.pixels import open_neopixels
from hextraction.hal.ports import Clock, Inputs, Pixels, Power
from hextraction.hal.power import AlwaysOn, ChargePump, SwitchPower
from hextraction.hal.schedule import Scheduler, ThreadScheduler
from hextraction.hal.supply import CoilSupply
from hextraction.hal.wiring.sensors import SCAN_US
from hextraction.hal.wiring.wires import ExpanderWire, PowerWire, SensorWire, Wiring

__all__ = ["Devices", "LostDevices", "open_devices", "open_mock_devices"]

_POLL_US = 500

OpenScheduler = Callable[[str], Scheduler]


_Device = TypeVar("_Device", bound=Closable)


def open_devices(
    wiring: Wiring,
    *,
    clock: Clock,
    scheduler: OpenScheduler | None = None,
    pin_factory: Any = None,
    hub_ports: Mapping[str, OpenPort] | None = None,
    bus: Bus | None = None,
) -> Devices:
    """Open everything that the wiring names. With the pin factory ``mock`` no real pin is touched.

    ``scheduler`` creates the named schedulers (sensors, coils, lamps), by default threads; if given, one of
    them also polls the hubs. ``pin_factory`` is an open gpiozero factory, ``bus`` an I2C bus; ``hub_ports``
    open the hubs' ports, by name, instead of pyserial (the only hub is called ""). All are closed with the
    rest. A hub, bus or expander that is missing or does not answer is no error: its sensors are lost until it
    does.

    Raises:
        BackendUnavailable: a library is missing or a device cannot be opened; nothing stays open.
    """
    with contextlib.ExitStack() as opening:
        opened = _Opening(wiring, clock, scheduler, opening)
        if pin_factory is not None or _needs_pins(wiring):
            opened.pins(pin_factory)
        # Closing runs backwards: coils, their supply, sensors, lamps, the switch, and the pins last.
        power = opened.power()
        hubs = opened.hubs(hub_ports or {})
        pixels = opened.pixels(hubs)
        inputs = opened.inputs(hubs, bus)
        solenoids = opened.solenoids(power, hubs)
        opened.start(hubs)
        opened.watch(solenoids, bus)
        return Devices(
            inputs=inputs,
            pixels=pixels,
            solenoids=solenoids,
            power=power,
            clock=clock,
            lamps=_lamps(wiring),
            lamps_ma=None if wiring.pixels is None else wiring.pixels.budget_ma,
            lost=opened.lost,
            closing=opening.pop_all(),
            hubs=hubs,
            threads=opened.threads,
        )


class _Opening:
    """The steps of opening; each pushes its closing step on the stack."""

    def __init__(
        self, wiring: Wiring, clock: Clock, scheduler: OpenScheduler | None, stack: contextlib.ExitStack
    ) -> None:
        self._wiring = wiring
        self._clock = clock
        self._given = scheduler
        self._stack = stack
        self.lost = LostDevices()
        self.threads: dict[str, Threaded] = {}
        self._supply = CoilSupply()
        self._factory: Any = None

    def _scheduler(self, name: str) -> Scheduler:
        """Open a scheduler: the given one, or a thread whose turns are watched."""
        if self._given is not None:
            return self._given(name)
        thread = self.threads[name] = ThreadScheduler(self._clock, name)
        return thread

    def pins(self, pin_factory: Any) -> None:
        self._factory = self._keep(pin_factory or open_pin_factory(self._wiring.gpio_factory))

    def power(self) -> Power:
        switch = self._wiring.power.switch
        if switch is None:
            return AlwaysOn(self._supply)
        return self._keep(SwitchPower(self._inputs("power", (switch,)), self._supply))

    def hubs(self, open_ports: Mapping[str, OpenPort]) -> tuple[SensorHub, ...]:
        made = tuple(
            SensorHub(
                wire,
                clock=self._clock,
                open_port=open_ports.get(wire.name),
                on_lost=self.lost.report,
                on_found=self.lost.found,
            )
            for wire in self._wiring.hubs
        )
        for hub in made:
            hub.neighbours = tuple(other for other in made if other is not hub)
            self._keep(hub)
        return made

    def inputs(self, hubs: Sequence[SensorHub], bus: Bus | None) -> Inputs:
        parts: list[GpioInputs | HubInputs | ExpanderInputs] = []
        wiring = self._wiring
        has_pins = bool(wiring.sensors) or (not hubs and wiring.expander is None)
        is_alone = has_pins + len(hubs) + (wiring.expander is not None) == 1
        if has_pins:
            parts.append(self._keep(self._inputs("sensors", wiring.sensors, ordered=is_alone)))
        for hub in hubs:
            common = self._common(f"sensors of {hub.wire.title}")
            parts.append(self._keep(HubInputs(hub, ordered=is_alone, **common)))
        if wiring.expander is not None:
            parts.append(self._keep(self._expanders(wiring.expander, bus, ordered=is_alone)))
        if is_alone:
            return parts[0]
        scheduler = self._keep(self._scheduler("all sensors"))
        return self._keep(MixedInputs(parts, clock=self._clock, scheduler=scheduler))

    def _inputs(self, name: str, wires: Sequence[SensorWire], *, ordered: bool = True) -> GpioInputs:
        stamps = GpioInputs.stamps_of(self._wiring.gpio_factory)
        common = self._common(name)
        return GpioInputs(wires, self._factory, kernel_stamps=stamps, ordered=ordered, **common)

    def _expanders(self, wire: ExpanderWire, bus: Bus | None, *, ordered: bool) -> ExpanderInputs:
        if bus is None and self._wiring.gpio_factory == "mock":
            bus = RestingBus(wire)
        opened = bus or LateBus(lambda: open_bus(wire.bus))
        line = self._keep(IntPin(wire.int_pin, self._factory))
        return ExpanderInputs(wire, opened, line, ordered=ordered, **self._common("expanders"))

    def _common(self, name: str) -> dict[str, Any]:
        return {
            "clock": self._clock,
            "scheduler": self._keep(self._scheduler(name)),
            "on_lost": self.lost.report,
            "on_found": self.lost.found,
        }

    def pixels(self, hubs: Sequence[SensorHub]) -> Pixels:
        wire = self._wiring.pixels
        if wire is not None and wire.on_hub:
            by_name = {hub.wire.name: hub for hub in hubs}
            return self._keep(HubPixels([(by_name[name], count) for name, count in wire.hubs], wire))
        if wire is None or self._wiring.gpio_factory == "mock":
            return MockPixels(0 if wire is None else wire.count)
        scheduler = self._keep(self._scheduler("lamps"))
        return self._keep(
            open_neopixels(
                wire,
                clock=self._clock,
                scheduler=scheduler,
                on_lost=self.lost.report,
                on_found=self.lost.found,
            )
        )

    def solenoids(self, power: Power, hubs: Sequence[SensorHub]) -> SolenoidGuard:
        scheduler = self._keep(self._scheduler("coils"))
        coils = HubCoils(hubs)
        guard = SolenoidGuard(
            GpioCoilDriver(self._wiring.coils, self._factory),
            {coil.name: coil.limits for coil in self._wiring.all_coils},
            clock=self._clock,
            scheduler=scheduler,
            supply_on=lambda: power.on and self._supply.may_arm,
            on_lost=self.lost.report,
            timed=coils,
            usual_ms={coil.name: coil.pulse_ms for coil in self._wiring.all_coils},
        )
        coils.begin(lambda: guard.armed, self._supply)
        self._pump(self._wiring.power, guard, scheduler)
        return self._keep(guard)

    def start(self, hubs: Sequence[SensorHub]) -> None:
        """Start the hubs, now that all listeners are in place."""
        for hub in hubs:
            if self._given is not None:
                _poll_by(self._keep(self._scheduler("hub")), self._clock, hub)
            else:
                self.threads[hub.wire.title.removeprefix("the ")] = hub
                hub.start()

    def watch(self, guard: SolenoidGuard, bus: Bus | None) -> None:
        """Measure what the coils draw, if there is a meter; with mocked pins there is none."""
        wire = self._wiring.current
        if wire is None or (bus is None and self._wiring.gpio_factory == "mock"):
            return
        meter = Ina219(wire, lambda: bus or open_bus(wire.bus))
        self._keep(_watched(self._wiring, guard, meter, self._supply, **self._common("current meter")))

    def _pump(self, wire: PowerWire, guard: SolenoidGuard, scheduler: Scheduler) -> None:
        if wire.arm_pin is not None:
            pin = GpioArmPin(wire.arm_pin, self._factory)
            self._keep(ChargePump(pin, lambda: guard.armed, clock=self._clock, scheduler=scheduler))

    def _keep(self, device: _Device) -> _Device:
        """Push the device's closing on the stack, so that a failure does not keep the others open."""
        self._stack.callback(close_quietly, device)
        return device


def _watched(
    wiring: Wiring, guard: SolenoidGuard, meter: Meter, supply: CoilSupply, **common: Any
) -> CoilWatch:
    """Return a watch over a guard's coils with this meter."""
    wire = wiring.current
    currents = CoilCurrents(
        coils_ma={coil.name: coil.current_ma for coil in wiring.all_coils},
        max_ma=0 if wire is None else wire.max_ma,
        supply_mv=round(wiring.power.coil_volts * 1_000),
    )
    watch = CoilWatch(meter, supply, currents, firing=lambda: guard.firing, condemn=guard.condemn, **common)
    guard.on_pulse = watch.pulsed
    return watch


def _needs_pins(wiring: Wiring) -> bool:
    power = wiring.power
    wanted = (wiring.sensors, wiring.coils, wiring.expander, power.switch, power.arm_pin is not None)
    return any(wanted) or not wiring.hubs


def _poll_by(scheduler: Scheduler, clock: Clock, hub: SensorHub) -> None:
    hub.poll()
    scheduler.call_at(clock.now_us() + _POLL_US, lambda: _poll_by(scheduler, clock, hub))


def open_mock_devices(
    wiring: Wiring,
    *,
    clock: ManualClock,
    driver: MockSolenoidDriver | None = None,
    debounce: bool = False,
    meter: Meter | None = None,
) -> Devices:
    """Return the same build with mock devices, on a manual clock.

    ``driver`` lets the caller watch the coils; with ``debounce`` the sensors use their wiring's filters.
    ``meter`` measures the current of a wiring that has a ``[current]``.
    """
    debounces_us = {name: filter_us if debounce else 0 for name, filter_us in _filters_us(wiring).items()}
    lost = LostDevices()
    inputs = MockInputs(
        debounces_us, clock=clock, debounce_us=debounces_us, on_lost=lost.report, on_found=lost.found
    )
    pixels = MockPixels(0 if wiring.pixels is None else wiring.pixels.count)
    supply = CoilSupply()
    power = MockPower(clock, supply)
    solenoids = SolenoidGuard(
        driver or MockSolenoidDriver(clock),
        {coil.name: coil.limits for coil in wiring.all_coils},
        clock=clock,
        scheduler=clock,
        supply_on=lambda: power.on and supply.may_arm,
        on_lost=lost.report,
        usual_ms={coil.name: coil.pulse_ms for coil in wiring.all_coils},
    )
    if meter is not None and wiring.current is not None:
        common = {"clock": clock, "scheduler": clock, "on_lost": lost.report, "on_found": lost.found}
        _watched(wiring, solenoids, meter, supply, **common)
    return Devices(
        inputs=inputs,
        pixels=pixels,
        solenoids=solenoids,
        power=power,
        clock=clock,
        lamps=_lamps(wiring),
        lamps_ma=None if wiring.pixels is None else wiring.pixels.budget_ma,
        lost=lost,
    )


def _filters_us(wiring: Wiring) -> dict[str, int]:
    filters = {each.name: each.debounce_us for each in wiring.sensors}
    filters |= {each.name: each.debounce_scans * SCAN_US for each in wiring.hub_inputs}
    filters |= {each.name: each.debounce_ms * 1_000 for each in wiring.hub_linears}
    if wiring.expander is not None:
        filters |= {each.name: each.debounce_us for each in wiring.expander.inputs}
    return filters


def _lamps(wiring: Wiring) -> dict[str, range]:
    return {lamp.name: lamp.pixels for lamp in wiring.lamps}
