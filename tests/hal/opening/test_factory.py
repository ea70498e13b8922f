"""Opening and closing a whole build."""

import logging
import subprocess
import sys
import threading
from dataclasses import replace

import pytest
from gpiozero.pins.mock import MockFactory
from helpers.fakes import rpigpio as fakes_rpigpio
from helpers.fakes.ina219 import FakeIna219, FakeMeterBus
from helpers.hal_contract import WIRING
from hextraction.hal.clock import MonotonicClock
from hextraction.hal.errors import BackendUnavailable, DeviceLost
from hextraction.hal.gpio import open_pin_factory
from hextraction.hal.guard import SolenoidGuard
from hextraction.hal.mock import ManualClock, MockPixels, MockSolenoidDriver
from hextraction.hal.opening.factory import LostDevices, open_devices, open_mock_devices
from hextraction.hal.ports import PulseResult
from hextraction.hal.power import AlwaysOn
from hextraction.hal.wiring.file import wiring_from_text

BUILD = wiring_from_text(WIRING, "build.toml")
BARE = wiring_from_text('[board]\nprofile = "p"\ninstruments = "i"\n[gpio]\nfactory = "mock"\n', "bare.toml")


def threads() -> set[str]:
    """Return the names of the running threads."""
    return {thread.name for thread in threading.enumerate()}


def test_solenoids_are_always_guarded() -> None:
    """Whatever the backend, what the factory hands out is the guard."""
    with open_mock_devices(BUILD, clock=ManualClock()) as mock:
        assert type(mock.solenoids) is SolenoidGuard
    clock = ManualClock()
    with open_devices(BUILD, clock=clock, scheduler=lambda _name: clock) as devices:
        assert type(devices.solenoids) is SolenoidGuard


def test_a_build_opens_and_closes_with_real_threads() -> None:
    """With the mock pin factory a whole build runs on any machine, and leaves no thread behind."""
    before = threads()
    with open_devices(BUILD, clock=MonotonicClock()) as devices:
        assert threads() > before
        assert devices.inputs.names == ("beam", "dark", "floating", "magnet")
        assert isinstance(devices.pixels, MockPixels)
    assert threads() == before


def test_a_bare_board_has_the_empty_ports() -> None:
    """No sensors, no lamps, no coils, a switch that is on."""
    with open_devices(BARE, clock=ManualClock(), scheduler=lambda _name: ManualClock()) as devices:
        assert (devices.inputs.names, devices.pixels.count, devices.solenoids.names) == ((), 0, ())
        assert isinstance(devices.power, AlwaysOn)
        devices.pixels.show([])
        assert devices.solenoids.pulse("gate", 30) is PulseResult.REFUSED_UNKNOWN


def test_the_charge_pump_runs_only_while_the_board_is_on() -> None:
    """The arm pin changes a hundred times a second, and rests low when the switch is off or all is closed."""
    clock, factory = ManualClock(), MockFactory()
    with open_devices(BUILD, clock=clock, scheduler=lambda _name: clock, pin_factory=factory) as devices:
        arm, switch = factory.pin(25), factory.pin(20)
        switch.drive_low()
        clock.advance(100_000)
        assert devices.power.on
        arm.clear_states()
        clock.advance(1_000_000)
        assert len(arm.states) - 1 == 100
        switch.drive_high()
        clock.advance(100_000)
        arm.clear_states()
        clock.advance(1_000_000)
        assert [state.state for state in arm.states] == [False]


def test_a_current_that_nobody_asked_for_stops_the_charge_pump() -> None:
    """The arm pin rests low for good, so that the supply drops; the reason is kept."""
    clock, factory, amps = ManualClock(), MockFactory(), [0.0]
    bus = FakeMeterBus(0x41, FakeIna219(0.1, lambda: amps[0], lambda: 12.0))
    with open_devices(
        BUILD, clock=clock, scheduler=lambda _name: clock, pin_factory=factory, bus=bus
    ) as devices:
        arm = factory.pin(25)
        factory.pin(20).drive_low()
        clock.advance(200_000)
        arm.clear_states()
        clock.advance(1_000_000)
        assert len(arm.states) - 1 == 100
        amps[0] = 0.3
        clock.advance(250_000)
        amps[0] = 0.0
        arm.clear_states()
        clock.advance(1_000_000)
        assert [state.state for state in arm.states] == [False]
        assert "300 mA" in devices.power.supply.state.fault
    assert bus.closed


def test_a_build_opens_without_its_meter(monkeypatch: pytest.MonkeyPatch) -> None:
    """No smbus2 on this machine: the meter is lost and says what to install; coils work."""
    monkeypatch.setitem(sys.modules, "smbus2", None)
    clock = ManualClock()
    wiring = wiring_from_text(
        WIRING.replace('"mock"', '"rpigpio"')
        .replace("[pixels]\ncount = 4\npin = 10\n", "")
        .replace('[[lamp]]\nname = "left"\nfirst = 0\ncount = 3\n', ""),
        "w.toml",
    )
    with (
        fakes_rpigpio.installed(),
        open_devices(
            wiring, clock=clock, scheduler=lambda _name: clock, pin_factory=open_pin_factory("rpigpio")
        ) as devices,
    ):
        (lost,) = devices.lost.now
        assert lost.device == "current meter"
        assert "hextraction[pi]" in lost.reason
        assert devices.power.supply.state.current_ma is None


def test_a_build_opens_without_its_bus() -> None:
    """The sensors of the expanders are lost, and say why; one on the header works. No computer has a bus 19."""
    text = """
board = { profile = "standard-22", instruments = "partial" }
gpio = { factory = "lgpio" }
expander = { int_pin = 6 }
sensor = [{ name = "ramp.L1", pin = 17 }, { name = "tile.A1", expander = "0x20.A0" }]
"""
    clock, wiring = ManualClock(), wiring_from_text(text, "w.toml")
    with open_devices(
        replace(wiring, expander=replace(wiring.expander, bus=19)),
        clock=clock,
        scheduler=lambda _name: clock,
        pin_factory=MockFactory(),
    ) as devices:
        (lost,) = devices.lost.now
        assert lost.device == "tile.A1"
        assert "/dev/i2c-19 cannot be opened" in lost.reason
        assert list(devices.inputs.levels()) == ["ramp.L1"]


def test_a_meter_has_a_thread_of_its_own_that_ends_with_the_build() -> None:
    """It is read before anybody asks, loses nothing while it is closed, and its bus is given back."""
    before, looked = threads(), threading.Event()
    chip = FakeIna219(0.1, lambda: looked.set() or 0.0, lambda: 12.0)
    bus = FakeMeterBus(0x41, chip)
    with open_devices(BUILD, clock=MonotonicClock(), pin_factory=MockFactory(), bus=bus) as devices:
        assert looked.wait(5)
        assert "current meter" in threads()
    assert threads() == before
    assert bus.closed
    assert devices.lost.all == ()


def test_with_mocked_pins_there_is_no_meter() -> None:
    """A build that is only tried out draws nothing, and that is no fault."""
    clock = ManualClock()
    with open_devices(BUILD, clock=clock, scheduler=lambda _name: clock) as devices:
        clock.advance(1_000_000)
        assert devices.power.supply.state.good is None
        assert devices.lost.now == ()


def test_coils_go_off_before_anything_else_is_closed() -> None:
    """The order of closing: the pulse ends, then the supply, the sensors and at last the pins."""
    with fakes_rpigpio.installed() as fake:
        clock = ManualClock()
        devices = open_devices(
            BUILD, clock=clock, scheduler=lambda _name: clock, pin_factory=open_pin_factory("rpigpio")
        )
        fake.drive(20, 0)
        clock.advance(100_000)
        assert devices.solenoids.pulse("gate", 50) is PulseResult.DONE
        done = len(fake.calls)
        devices.close()
        closing = fake.calls[done:]
    coil_off, arm_freed = closing.index(("output", 23, 0)), closing.index(("cleanup", 25))
    sensor_freed, all_freed = closing.index(("cleanup", 17)), closing.index(("cleanup", None))
    assert coil_off < arm_freed < sensor_freed < all_freed == len(closing) - 1


def test_one_device_that_fails_to_close_does_not_keep_the_others_open(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The failure is logged and closing goes on."""
    devices = open_mock_devices(BUILD, clock=ManualClock())

    def fail() -> None:
        raise OSError("stuck")

    devices.inputs.close = fail
    with caplog.at_level(logging.ERROR):
        devices.close()
    assert "MockInputs did not close cleanly" in caplog.text
    assert devices.pixels.closed


def test_a_failed_opening_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the lamps' library is missing, the pins and threads opened before are given back."""
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    monkeypatch.setitem(sys.modules, "neopixel", None)
    monkeypatch.setitem(sys.modules, "board", object())
    before = threads()
    with fakes_rpigpio.installed() as fake:
        wiring = wiring_from_text(WIRING.replace('"mock"', '"rpigpio"'), "w.toml")
        with pytest.raises(BackendUnavailable, match="NeoPixel"):
            open_devices(wiring, clock=MonotonicClock())
        assert fake.calls[-1] == ("cleanup", None)
        assert fake.functions == {}
    assert threads() == before


def test_losses_are_collected_and_told() -> None:
    """A listener that comes late still finds what was lost before."""
    lost, told = LostDevices(), []
    lost.report(DeviceLost("beam", "unplugged"))
    lost.listen(told.append)
    lost.report(DeviceLost("pixels", "no DMA"))
    assert [each.device for each in lost.all] == ["beam", "pixels"]
    assert [each.device for each in told] == ["pixels"]


def test_a_lost_coil_driver_reaches_the_builds_list() -> None:
    """The guard reports to the same place as sensors and lamps."""
    clock = ManualClock()
    driver = MockSolenoidDriver(clock)
    with open_mock_devices(BUILD, clock=clock, driver=driver) as devices:
        driver.broken = True
        devices.solenoids.pulse("gate", 30)
        assert [lost.device for lost in devices.lost.all] == ["gate"]
        driver.broken = False


def test_resync_is_harmless_where_the_backend_has_none() -> None:
    """A backend that always knows its levels need not offer it."""
    with open_mock_devices(BARE, clock=ManualClock()) as devices:
        devices.inputs = object()
        devices.resync()
        assert list(devices.lost.all) == []


def test_vendor_libraries_are_imported_only_when_a_backend_is_opened() -> None:
    """Importing the whole room loads neither gpiozero nor NeoPixel nor Blinka."""
    code = "import sys, hextraction.hal.opening.factory, hextraction.hal.wiring.file; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert loaded & {"gpiozero", "neopixel", "board", "lgpio", "RPi", "adafruit_blinka", "serial"} == set()
