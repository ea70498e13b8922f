"""What runs inside the simulated machine: the hal over real lgpio, or real rpi-lgpio, over the kernel's lines.

Which of both is ``GPIO_SIM_FACTORY``. Threads and time are the real ones; only the lamps are made of nothing.
Not collected outside: ``test_gpio_sim.py`` starts the machine and reads the report.
"""

import importlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from helpers import hal_contract
from helpers.fakes.ina219 import FakeIna219, FakeMeterBus
from helpers.gpio_sim import lines
from helpers.hal_contract import WIRING, Circuit, Rig
from hextraction.hal.clock import MonotonicClock
from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.gpio import IntPin, open_pin_factory
from hextraction.hal.mock import MockPixels
from hextraction.hal.opening import factory as opening
from hextraction.hal.ports import PulseResult
from hextraction.hal.wiring.file import wiring_from_text

FACTORY = os.environ["GPIO_SIM_FACTORY"]
BUILD = wiring_from_text(WIRING.replace('"mock"', f'"{FACTORY}"'), "machine.toml")
PINS = {wire.name: wire.pin for wire in (*BUILD.sensors, *BUILD.coils)}
ACTIVE_HIGH = {wire.name: wire.active_high for wire in BUILD.sensors}
NOBODY, NOBODYS = 65_534, "/tmp/nobody"  # noqa: S108 - in a machine of its own
SWITCH_PIN, ARM_PIN = 20, 25
SLACK_US = {"lgpio": 4_000, "rpigpio": 6_000}[FACTORY]


# Threads take turns every 5 ms unless told otherwise: a hand must not rest that long in the middle of a glitch.
sys.setswitchinterval(0.000_2)


class RealTime(MonotonicClock):
    """The real clock; to advance it is to wait."""

    def advance(self, by_us: int = 0) -> None:
        until_us = self.now_us() + by_us
        while (left_us := until_us - self.now_us()) > 0:
            time.sleep(left_us / 1e6)


def push(name: str, active: bool) -> None:
    """Let a sensor see something, or nothing."""
    lines.drive(PINS[name], active == ACTIVE_HIGH[name])


def flip(on: bool) -> None:
    """Flip the board's switch, which is active low."""
    lines.drive(SWITCH_PIN, not on)


def is_on(coil: str) -> bool:
    """Whether the coil's gate is high."""
    return lines.is_high(PINS[coil])


def open_build(clock: RealTime, circuit: Circuit | None = None) -> opening.Devices:
    """Open the build with its own threads; only the current meter's bus is a fake."""
    supply = circuit or Circuit()
    meter = FakeIna219(0.1, lambda: supply.ma / 1_000, lambda: supply.volts)
    return opening.open_devices(BUILD, clock=clock, bus=FakeMeterBus(0x41, meter))


@contextmanager
def opened() -> Iterator[Rig]:
    """Open the build as the program does; sensors idle, the switch is on."""
    clock = RealTime()
    circuit = Circuit(is_on=is_on)
    with open_build(clock, circuit) as devices:
        for name in ACTIVE_HIGH:
            push(name, False)
        flip(True)
        clock.advance(100_000)
        yield Rig(
            devices=devices,
            clock=clock,
            push=push,
            is_on=is_on,
            flip=flip,
            circuit=circuit,
            stop=lambda pressed: setattr(circuit, "pressed", pressed),
            slack_us=SLACK_US,
            glitch_us=500,
        )


@pytest.fixture(autouse=True)
def no_strip(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no LED strip in the machine."""
    monkeypatch.setattr(opening, "open_neopixels", lambda wire, **_how: MockPixels(wire.count))


@pytest.fixture
def rig() -> Iterator[Rig]:
    """The open build."""
    with opened() as built:
        yield built


@pytest.mark.parametrize("check", hal_contract.CHECKS, ids=lambda check: check.__name__)
def test_contract(rig: Rig, check: Callable[[Rig], None]) -> None:
    """Each check of the contract, on the kernel's lines."""
    check(rig)


def test_the_factory_is_gpiozeros_own_over_the_real_library(rig: Rig) -> None:
    """No fake is in the way."""
    module = sys.modules[f"gpiozero.pins.{FACTORY}"]
    library = module.lgpio if FACTORY == "lgpio" else module.GPIO
    assert library.__file__.startswith("/srv/site/")
    assert importlib.import_module("_lgpio").__file__.endswith(".so")


def test_lines_are_held_while_open_and_let_go_at_close() -> None:
    """Sensors and switch are inputs, coils and the arm pin outputs; closing leaves nothing, and all low."""
    with opened():
        held = lines.held()
        assert {pin for pin, way in held.items() if way == "input"} == {17, 27, 22, 5, SWITCH_PIN}
        assert {pin for pin, way in held.items() if way == "output"} == {23, 24, ARM_PIN}
    assert lines.held() == {}
    assert not any(lines.is_high(pin) for pin in (23, 24, ARM_PIN))


def test_the_build_opens_again_after_it_was_closed() -> None:
    """Nothing stays claimed in the library either."""
    for _again in range(3):
        with opened() as rig:
            seen = rig.watch()
            rig.see("beam", True, for_us=20_000)
            assert [edge.sensor for edge in seen] == ["beam"]


def test_a_ball_on_a_sensor_at_the_start_is_a_level_not_an_edge() -> None:
    """A line that is pulled against its resistor before it is opened is simply there."""
    clock, seen = RealTime(), []
    with open_build(clock) as devices:
        devices.inputs.listen(seen.append)
        levels = devices.inputs.levels()
    assert levels == {"beam": False, "dark": True, "floating": lines.is_high(22), "magnet": False}
    assert seen == []


def test_the_time_of_an_edge_is_near_that_of_the_change(rig: Rig) -> None:
    """Stamps by the kernel are better than half a millisecond; rpi-lgpio tells late, but never early."""
    errors_us = []
    push("beam", True)
    push("beam", False)  # the first change of a process warms up what is cold
    rig.clock.advance(20_000)
    for active in (True, False) * 10:
        seen = rig.watch()
        began_us = rig.clock.now_us()
        rig.see("beam", active, for_us=15_000)
        errors_us += [edge.at_us - began_us for edge in seen]
    note(f"an edge is stamped {min(errors_us)}-{max(errors_us)} us after the change")
    assert len(errors_us) == 20
    assert min(errors_us) >= 0
    assert max(errors_us) <= (500 if FACTORY == "lgpio" else 4_000)


def test_an_edge_is_told_soon(rig: Rig) -> None:
    """Filter of 1 ms and library together stay below 10 ms from the change to the listener."""
    told_us: list[int] = []
    rig.devices.inputs.listen(lambda _edge: told_us.append(rig.clock.now_us()))
    began_us = []
    for active in (True, False) * 10:
        began_us.append(rig.clock.now_us())
        rig.see("beam", active, for_us=20_000)
    late_us = [told - began for told, began in zip(told_us, began_us, strict=True)]
    note(f"an edge with a filter of 1 ms is told {min(late_us)}-{max(late_us)} us after the change")
    assert max(late_us) < 10_000


def test_a_storm_of_edges_ends_at_the_right_level(rig: Rig) -> None:
    """Thousands of changes without a pause overflow a queue: the oldest are lost, never the last."""
    for active in (True, False):
        for _twice in range(2_000):
            push("floating", not active)
            push("floating", active)
        rig.clock.advance(500_000)
        assert rig.devices.inputs.levels()["floating"] is active


def test_a_quiet_storm_leaves_the_other_sensors_alone(rig: Rig) -> None:
    """Two hundred changes of one sensor, and each roll over another is seen."""
    seen = rig.watch()
    for _roll in range(10):
        for _bounce in range(20):
            push("floating", True)
            push("floating", False)
        rig.see("beam", True, for_us=6_000)
        rig.see("beam", False, for_us=6_000)
    rig.settle()
    rolls = [edge.active for edge in seen if edge.sensor == "beam"]
    assert rolls == [True, False] * 10


def test_a_pulse_lasts_as_long_as_it_should(rig: Rig) -> None:
    """Thirty milliseconds at the pin, seen from outside."""
    clock = rig.clock
    assert rig.devices.solenoids.pulse("gate", 30) is PulseResult.DONE
    began_us = clock.now_us()
    while lines.is_high(PINS["gate"]):
        clock.advance(100)
    lasted_us = clock.now_us() - began_us
    note(f"a pulse of 30 ms lasts {lasted_us} us at the pin")
    assert 29_000 <= lasted_us <= 32_000


def test_the_arm_pin_toggles_as_long_as_the_guard_is_armed(rig: Rig) -> None:
    """The charge pump sees changes every 10 ms, and none after closing."""
    seen = {lines.is_high(ARM_PIN) for _look in range(30) if rig.clock.advance(3_000) is None}
    assert seen == {True, False}
    rig.devices.close()
    assert {lines.is_high(ARM_PIN) for _look in range(10) if rig.clock.advance(3_000) is None} == {False}


def test_a_pin_that_another_program_holds_is_lost_and_the_others_work() -> None:
    """The kernel refuses the line; the sensor is reported with its pin, and the rest plays."""
    source = "import gpiozero; held = gpiozero.OutputDevice(17, pin_factory=factory)"
    with other_program(source), opened() as rig:
        lost = rig.devices.lost.all
        assert [each.device for each in lost] == ["beam"]
        assert "GPIO17" in lost[0].reason
        seen = rig.watch()
        rig.see("dark", True, for_us=20_000)
        assert [(edge.sensor, edge.active) for edge in seen] == [("dark", True)]
    assert lines.held() == {}


def test_a_pin_that_the_other_program_lets_go_is_found_again() -> None:
    """The sensor is opened within three seconds, and rolls over it are seen."""
    clock = RealTime()
    with other_program("import gpiozero; held = gpiozero.OutputDevice(17, pin_factory=factory)"):
        devices = open_build(clock)
    with devices:
        clock.advance(3_000_000)
        assert devices.lost.now == ()
        push("beam", False)
        clock.advance(50_000)
        seen = []
        devices.inputs.listen(seen.append)
        push("beam", True)
        clock.advance(50_000)
        assert [(edge.sensor, edge.active) for edge in seen] == [("beam", True)]


def test_a_coil_pin_that_another_program_holds_stops_the_opening() -> None:
    """An output must not be half there, and what was opened before is let go."""
    with other_program("import gpiozero; held = gpiozero.OutputDevice(23, pin_factory=factory)"):
        with pytest.raises(BackendUnavailable, match="GPIO23"):
            open_build(RealTime())
        assert lines.held() == {23: "output"}


def test_the_expanders_line_calls_when_it_falls() -> None:
    """Once for each fall, not when it rises; the level is there to be read at any time."""
    clock, factory = RealTime(), open_pin_factory(FACTORY)
    line, fell = IntPin(4, factory), []
    line.watch(lambda: fell.append(line.is_low))
    for low in (True, False, True, False):
        lines.drive(4, not low)
        clock.advance(10_000)
        assert line.is_low is low
    line.close()
    line.close()
    factory.close()
    assert fell == [True, True]
    assert lines.held() == {}


def test_a_killed_program_holds_no_coil() -> None:
    """SIGKILL in the middle of a pulse: the kernel takes the lines back."""
    source = "import gpiozero; gate = gpiozero.OutputDevice(23, pin_factory=factory); gate.on()"
    with other_program(source) as other:
        assert lines.is_high(23)
        other.send_signal(signal.SIGKILL)
        other.wait(10)
    assert lines.held() == {}
    assert not lines.is_high(23)


def test_a_user_without_rights_is_told_what_to_do() -> None:
    """Not a traceback of the vendor's: the group, or the folder that may not be written."""
    said = as_nobody(f"open_pin_factory({FACTORY!r})", LG_WD=NOBODYS)
    assert "BackendUnavailable" in said
    assert "gpio" in said.partition("BackendUnavailable")[2]


def test_an_unwritable_working_folder_is_explained() -> None:
    """The library makes a pipe where it is imported."""
    said = as_nobody(f"open_pin_factory({FACTORY!r})", LG_WD="")
    assert "BackendUnavailable" in said
    assert "LG_WD" in said


def test_the_library_does_not_move_the_process() -> None:
    """The library changes into its folder when it is imported; relative paths keep their meaning."""
    said = in_python(
        f"import os; before = os.getcwd(); open_pin_factory({FACTORY!r}); print(before == os.getcwd())"
    )
    assert said.strip() == "True"


@contextmanager
def other_program(source: str) -> Iterator[subprocess.Popen]:
    """Run some lines in another process, with an open ``factory``, until the block ends."""
    head = f"from hextraction.hal.gpio import open_pin_factory\nfactory = open_pin_factory({FACTORY!r})\n"
    tail = "\nprint('ready', flush=True)\ninput()\n"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen((sys.executable, "-c", head + source + tail), **pipes) as other:
        assert other.stdout.readline() == "ready\n"
        yield other
        other.kill()


def as_nobody(source: str, **environment: str) -> str:
    """Run a line as a user without any rights, in a folder it cannot write; return all that it said."""
    Path(NOBODYS).mkdir(exist_ok=True)
    os.chown(NOBODYS, NOBODY, NOBODY)
    given = {key: value for key, value in {**os.environ, **environment}.items() if value}
    return in_python(source, env=given, cwd="/", user=NOBODY, group=NOBODY, extra_groups=())


def in_python(source: str, **how: object) -> str:
    """Run a line in another process that can open pin factories; return all that it said."""
    line = f"from hextraction.hal.gpio import open_pin_factory; {source}"
    ran = subprocess.run((sys.executable, "-c", line), text=True, capture_output=True, check=False, **how)
    return ran.stdout + ran.stderr


def note(text: str) -> None:
    """Write a measured number to the machine's console."""
    Path("/dev/console").write_text(f"\n{FACTORY}: {text}\n", encoding="ascii")
