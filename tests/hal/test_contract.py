"""One contract for all backends: mock, gpiozero over mock pins and over RPi.GPIO, MCP23017, the sensor hub."""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from helpers import hal_contract
from helpers.fakes import rpigpio as fakes_rpigpio
from helpers.fakes.ina219 import FakeIna219, FakeMeterBus
from helpers.fakes.mcp23017 import FakeBus
from helpers.hal_contract import WIRING, Circuit, Rig
from helpers.hub.host import compile_host_hub
from helpers.hub.host_port import HostPort
from hextraction.hal.gpio import open_pin_factory
from hextraction.hal.i2c import Bus
from hextraction.hal.mock import ManualClock, MockMeter, MockPower, MockSolenoidDriver
from hextraction.hal.opening.factory import open_devices, open_mock_devices
from hextraction.hal.wiring.file import wiring_from_text

BUILD = wiring_from_text(WIRING, "contract.toml")
PINS = {wire.name: wire.pin for wire in (*BUILD.sensors, *BUILD.coils)}
ACTIVE_HIGH = {wire.name: wire.active_high for wire in BUILD.sensors}
SWITCH_PIN = 20


def meter_bus(circuit: Circuit) -> FakeMeterBus:
    """An INA219 at 0x41 with a shunt of 0.1 ohm in that circuit."""
    return FakeMeterBus(0x41, FakeIna219(0.1, lambda: circuit.ma / 1_000, lambda: circuit.volts))


def pressing(circuit: Circuit) -> Callable[[bool], None]:
    """Return a hand for the emergency stop."""
    return lambda pressed: setattr(circuit, "pressed", pressed)


class JoinedBus:
    """One bus with the chips of several, by their addresses."""

    def __init__(self, buses: dict[range, Bus]) -> None:
        self.buses = buses

    def read_word_data(self, i2c_addr: int, register: int) -> int:
        return self._of(i2c_addr).read_word_data(i2c_addr, register)

    def write_word_data(self, i2c_addr: int, register: int, value: int) -> None:
        self._of(i2c_addr).write_word_data(i2c_addr, register, value)

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        self._of(i2c_addr).write_byte_data(i2c_addr, register, value)

    def close(self) -> None:
        for bus in self.buses.values():
            bus.close()

    def _of(self, address: int) -> Bus:
        return next(bus for addresses, bus in self.buses.items() if address in addresses)


@contextmanager
def mock_rig() -> Iterator[Rig]:
    """Build the rig made of nothing."""
    clock = ManualClock(1_000_000)
    driver = MockSolenoidDriver(clock)
    circuit = Circuit(is_on=driver.on.__contains__)
    meter = MockMeter(lambda: circuit.ma)

    def stop(pressed: bool) -> None:
        circuit.pressed = pressed
        meter.supply_mv = round(circuit.volts * 1_000)

    devices = open_mock_devices(BUILD, clock=clock, driver=driver, debounce=True, meter=meter)
    assert isinstance(devices.power, MockPower)
    with devices:
        yield Rig(
            devices=devices,
            clock=clock,
            push=devices.inputs.set,
            is_on=driver.on.__contains__,
            flip=lambda on: devices.power.flip() if on != devices.power.on else None,
            circuit=circuit,
            stop=stop,
        )


def pin_rig(factory: object, drive: Callable[[int, bool], None], is_high: Callable[[int], bool]) -> Rig:
    """Build a rig whose sensors idle and whose switch (active low) is on, like a board on the table."""
    clock, circuit = ManualClock(1_000_000), Circuit(is_on=lambda name: is_high(PINS[name]))
    devices = open_devices(
        BUILD, clock=clock, scheduler=lambda _name: clock, pin_factory=factory, bus=meter_bus(circuit)
    )

    def push(name: str, active: bool) -> None:
        drive(PINS[name], active == ACTIVE_HIGH[name])

    for name in ACTIVE_HIGH:
        push(name, False)
    drive(SWITCH_PIN, False)
    clock.advance(100_000)
    return Rig(
        devices=devices,
        clock=clock,
        push=push,
        is_on=lambda name: is_high(PINS[name]),
        flip=lambda on: drive(SWITCH_PIN, not on),
        circuit=circuit,
        stop=pressing(circuit),
    )


@contextmanager
def gpiozero_mock_rig() -> Iterator[Rig]:
    """Build the rig over gpiozero's own mock pins."""
    factory = MockFactory()

    def drive(pin: int, high: bool) -> None:
        (factory.pin(pin).drive_high if high else factory.pin(pin).drive_low)()

    def is_high(pin: int) -> bool:
        return factory.pin(pin).function == "output" and bool(factory.pin(pin).state)

    rig = pin_rig(factory, drive, is_high)
    with rig.devices:
        yield rig


@contextmanager
def gpiozero_rpigpio_rig() -> Iterator[Rig]:
    """Build the rig over gpiozero's real RPi.GPIO factory."""
    with fakes_rpigpio.installed() as fake:
        rig = pin_rig(
            open_pin_factory("rpigpio"),
            fake.drive,
            lambda pin: fake.functions.get(pin) == fake.OUT and fake.levels[pin] == 1,
        )
        with rig.devices:
            yield rig


EXPANDED = wiring_from_text(
    WIRING.replace('name = "beam"\npin = 17', 'name = "beam"\nexpander = "0x20.A0"')
    .replace('name = "dark"\npin = 27', 'name = "dark"\nexpander = "0x20.B6"')
    .replace('name = "floating"\npin = 22', 'name = "floating"\nexpander = "0x27.A3"')
    .replace('name = "magnet"\npin = 5', 'name = "magnet"\nexpander = "0x27.B0"')
    + "[expander]\nint_pin = 4\n",
    "expanded.toml",
)
BITS = {"beam": (0x20, 0), "dark": (0x20, 14), "floating": (0x27, 3), "magnet": (0x27, 8)}


@contextmanager
def expander_rig() -> Iterator[Rig]:
    """Build the rig with all sensors on two expanders that share an INT line, and its coils on pins."""
    clock, factory = ManualClock(1_000_000), MockFactory()
    factory.pin(20).drive_low()
    bus = FakeBus(
        BITS.values(), lambda low: (factory.pin(4).drive_low if low else factory.pin(4).drive_high)()
    )

    def push(name: str, active: bool) -> None:
        bus.drive(*BITS[name], active == ACTIVE_HIGH[name])

    for name in BITS:
        push(name, False)

    def is_on(name: str) -> bool:
        pin = factory.pin(PINS[name])
        return pin.function == "output" and bool(pin.state)

    circuit = Circuit(is_on=is_on)
    joined = JoinedBus({range(0x20, 0x28): bus, range(0x40, 0x50): meter_bus(circuit)})
    devices = open_devices(
        EXPANDED, clock=clock, scheduler=lambda _name: clock, pin_factory=factory, bus=joined
    )
    factory.pin(20).drive_low()
    clock.advance(100_000)
    with devices:
        yield Rig(
            devices=devices,
            clock=clock,
            push=push,
            is_on=is_on,
            flip=lambda on: (factory.pin(20).drive_low if on else factory.pin(20).drive_high)(),
            circuit=circuit,
            stop=pressing(circuit),
            slack_us=3_500,
        )


ON_HUB = wiring_from_text(
    WIRING.replace('pull = "up"\n', "")
    .replace('pull = "none"\n', "")
    .replace('name = "beam"\npin = 17', 'name = "beam"\nhub = 0')
    .replace('name = "dark"\npin = 27', 'name = "dark"\nhub = 9')
    .replace('name = "floating"\npin = 22', 'name = "floating"\nhub = 15')
    .replace('name = "magnet"\npin = 5\ndebounce_ms = 30', 'name = "magnet"\nhub = 3\ndebounce_ms = 7.5')
    .replace('name = "gate"\npin = 23', 'name = "gate"\nhub = 7')
    .replace(
        'name = "kicker"\npin = 24\npulse_ms = 20\nmax_pulse_ms = 100',
        'name = "kicker"\nhub = 0\npulse_ms = 20\nmax_pulse_ms = 40',
    )
    .replace("arm_pin = 25\n", "")
    + "[hub]\nchips = 2\nspare = [1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14]\n",
    "hub.toml",
)
INPUTS = {"beam": 0, "dark": 9, "floating": 15, "magnet": 3}
COILS = {"gate": 7, "kicker": 0}


@contextmanager
def hub_rig(library: ctypes.CDLL) -> Iterator[Rig]:
    """Build the rig with sensors and coils on the firmware's own logic, and the switch on a pin."""
    clock, factory = ManualClock(1_000_000), MockFactory()
    port = HostPort(library, clock)
    circuit = Circuit(is_on=lambda name: port.is_on(COILS[name]))

    def stop(pressed: bool) -> None:
        circuit.pressed = pressed
        port.hub.set_estop(not pressed)

    def push(name: str, active: bool) -> None:
        port.set_input(INPUTS[name], active == ACTIVE_HIGH[name])

    for name in INPUTS:
        push(name, False)
    devices = open_devices(
        ON_HUB,
        clock=clock,
        scheduler=lambda _name: clock,
        pin_factory=factory,
        hub_ports={"": port.open},
        bus=meter_bus(circuit),
    )
    factory.pin(20).drive_low()
    clock.advance(400_000)
    with devices:
        yield Rig(
            devices=devices,
            clock=clock,
            push=push,
            is_on=lambda name: port.is_on(COILS[name]),
            flip=lambda on: (factory.pin(20).drive_low if on else factory.pin(20).drive_high)(),
            circuit=circuit,
            stop=stop,
            slack_us=7_000,
            glitch_us=400,
            kicker_ms=40,
        )


RIGS = {
    "mock": mock_rig,
    "gpiozero-mock": gpiozero_mock_rig,
    "gpiozero-rpigpio": gpiozero_rpigpio_rig,
    "expander": expander_rig,
    "hub": hub_rig,
}


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The firmware's logic for this machine."""
    return compile_host_hub(tmp_path_factory.mktemp("hub"))


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """Each backend in turn."""
    needs = (request.getfixturevalue("library"),) if request.param == "hub" else ()
    with RIGS[request.param](*needs) as built:
        yield built


@pytest.mark.parametrize("check", hal_contract.CHECKS, ids=lambda check: check.__name__)
def test_backend_keeps_the_contract(rig: Rig, check: Callable[[Rig], None]) -> None:
    """Each backend passes each check of the contract."""
    check(rig)


def test_every_check_is_in_the_list() -> None:
    """No check of the contract is written and then forgotten."""
    written = {
        name
        for name, thing in vars(hal_contract).items()
        if callable(thing) and getattr(thing, "__annotations__", {}).get("rig") is Rig
    }
    assert written == {check.__name__ for check in hal_contract.CHECKS}


def test_gpiozero_runs_its_real_rpigpio_factory_over_the_fake() -> None:
    """The rig's factory is gpiozero's own class, asked for edges without any bounce time."""
    with fakes_rpigpio.installed() as fake:
        factory = open_pin_factory("rpigpio")
        with open_devices(
            BUILD, clock=ManualClock(), scheduler=lambda _name: ManualClock(), pin_factory=factory
        ):
            assert type(factory).__module__ == "gpiozero.pins.rpigpio"
            detections = [call for call in fake.calls if call[0] == "add_event_detect"]
            assert {call[1] for call in detections} == {17, 27, 22, 5, 20}
            assert {call[3] for call in detections} == {-666}
        assert fake.calls[-1] == ("cleanup", None)


def test_the_class_wide_pin_factory_is_left_alone() -> None:
    """Opening devices never sets gpiozero's global factory."""
    with gpiozero_mock_rig():
        assert Device.pin_factory is None
