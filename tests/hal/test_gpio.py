"""Direct pins over gpiozero: what is easy to get wrong with it."""

import gc
import os
import sys
import types

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from helpers.fakes import rpigpio as fakes_rpigpio
from helpers.pins import move_untold
from hextraction.hal.errors import BackendUnavailable, DeviceLost, HalError
from hextraction.hal.gpio import GpioArmPin, GpioCoilDriver, GpioInputs, open_pin_factory
from hextraction.hal.mock import ManualClock
from hextraction.hal.ports import Edge
from hextraction.hal.wiring.coil_limits import CoilLimits
from hextraction.hal.wiring.wires import CoilWire, SensorWire

BEAM = SensorWire(name="beam", pin=17, active_high=False, pull="up", debounce_us=1_000)
EXIT = SensorWire(name="exit", pin=27, active_high=False, pull="up", debounce_us=1_000)


class Board:
    """Two sensors on gpiozero's mock pins and a manual clock."""

    def __init__(self, factory: MockFactory | None = None, *, kernel_stamps: bool = False) -> None:
        self.clock = ManualClock(1_000_000)
        self.factory = factory or MockFactory()
        self.lost: list[DeviceLost] = []
        self.found: list[str] = []
        self.seen: list[Edge] = []
        self.inputs = GpioInputs(
            (BEAM, EXIT),
            self.factory,
            clock=self.clock,
            scheduler=self.clock,
            kernel_stamps=kernel_stamps,
            on_lost=self.lost.append,
            on_found=self.found.append,
        )
        self.inputs.listen(self.seen.append)
        self.clock.advance(100_000)


class StampedPin(MockPin):
    """A pin whose reports carry the kernel's older time, as lgpio's do."""

    age_s = 0.0

    def _call_when_changed(self) -> None:
        super(MockPin, self)._call_when_changed(self.factory.ticks() - self.age_s, self._state)


class StampedFactory(MockFactory):
    """A factory whose tick is the manual clock."""

    clock = ManualClock()

    def ticks(self) -> float:
        return self.clock.now_us() / 1e6


def test_callbacks_survive_garbage_collection() -> None:
    """The pin library holds callbacks weakly; the sensors keep them alive themselves."""
    board = Board()
    gc.collect()
    board.factory.pin(17).drive_low()
    board.clock.advance(5_000)
    assert board.seen == [Edge("beam", True, 1_100_000)]


def test_no_bounce_time_is_ever_set() -> None:
    """The filter is our own: the pin library's differ from factory to factory."""
    board = Board()
    assert [board.factory.pin(pin).bounce for pin in (17, 27)] == [None, None]


@pytest.mark.parametrize(("age_s", "began_us"), [(0.0015, 1_098_500), (-0.5, 1_100_000), (3.0, 1_100_000)])
def test_the_kernels_time_counts_where_the_factory_gives_it(age_s: float, began_us: int) -> None:
    """An edge 1.5 ms old is stamped so; a time from the future or far past is not believed."""
    factory = StampedFactory(pin_class=StampedPin)
    board = Board(factory, kernel_stamps=True)
    factory.clock = board.clock
    factory.pin(17).age_s = age_s
    factory.pin(17).drive_low()
    board.clock.advance(10_000)
    assert board.seen == [Edge("beam", True, began_us)]


def test_only_lgpio_hands_on_the_kernels_time() -> None:
    """The others report when they were told."""
    assert [name for name in ("lgpio", "rpigpio", "mock") if GpioInputs.stamps_of(name)] == ["lgpio"]


def test_resync_reports_what_was_missed() -> None:
    """A change whose report got lost shows up when all pins are read again."""
    board = Board()
    move_untold(board.factory.pin(17))
    board.clock.advance(50_000)
    assert board.seen == []
    board.inputs.resync()
    board.clock.advance(50_000)
    assert board.seen == [Edge("beam", True, 1_150_000)]


def test_a_ball_on_a_sensor_at_the_start_is_a_level_not_an_edge() -> None:
    """What is active when the pins are opened is simply there."""
    factory = MockFactory()
    low = SensorWire(name="low", pin=22, active_high=False, pull="down", debounce_us=1_000)
    clock, seen = ManualClock(), []
    inputs = GpioInputs((low,), factory, clock=clock, scheduler=clock)
    inputs.listen(seen.append)
    clock.advance(50_000)
    assert (inputs.levels(), seen) == ({"low": True}, [])


class RestlessPin(MockPin):
    """A pin that moves unnoticed in the moment between the first reading and the first watched edge."""

    watched = 0

    def _set_when_changed(self, value: object) -> None:
        self.watched += value is not None
        if self.watched == 2:
            self._change_state(False)
        super()._set_when_changed(value)


def test_a_change_while_opening_is_not_missed() -> None:
    """After the callbacks are in place every pin is read once more."""
    board = Board(MockFactory(pin_class=RestlessPin))
    assert board.inputs.levels() == {"beam": True, "exit": True}


class ForgetfulPin(MockPin):
    """A pin whose closing leaves its callback in place, as lgpio's does."""

    def close(self) -> None:
        self.function = "input"


def test_closing_takes_the_callbacks_back_itself() -> None:
    """It does not rely on the factory's pins to do so."""
    board = Board(MockFactory(pin_class=ForgetfulPin))
    pin = board.factory.pin(17)
    board.inputs.close()
    assert pin.when_changed is None


def test_a_pin_that_cannot_be_claimed_is_lost_and_the_others_work() -> None:
    """The loss is data, named and with its reason; the game goes on."""
    factory = MockFactory()
    taken = GpioArmPin(17, factory)
    board = Board(factory)
    assert [lost.device for lost in board.lost] == ["beam"]
    assert "GPIO17" in board.lost[0].reason
    assert board.inputs.levels() == {"exit": False}
    factory.pin(27).drive_low()
    board.clock.advance(5_000)
    assert [edge.sensor for edge in board.seen] == ["exit"]
    board.inputs.close()
    taken.close()


def test_a_pin_that_comes_free_is_found_again() -> None:
    """It is tried every two seconds; from then on it reports like the others, once each."""
    factory = MockFactory()
    taken = GpioArmPin(17, factory)
    board = Board(factory)
    board.clock.advance(10_000_000)
    assert (board.found, len(board.lost)) == ([], 1)
    taken.close()
    board.clock.advance(2_000_000)
    assert board.found == ["beam"]
    assert board.inputs.levels() == {"beam": False, "exit": False}
    began_us = board.clock.now_us()
    factory.pin(17).drive_low()
    board.clock.advance(5_000)
    assert board.seen == [Edge("beam", True, began_us)]


def test_nothing_is_opened_after_closing() -> None:
    """A pin that comes free too late stays free."""
    factory = MockFactory()
    taken = GpioArmPin(17, factory)
    board = Board(factory)
    board.inputs.close()
    taken.close()
    board.clock.advance(10_000_000)
    assert board.found == []
    GpioArmPin(17, factory).close()


def test_a_pin_that_stops_answering_is_lost_until_it_answers() -> None:
    """Reading it raises in the vendor's library; here it becomes a report, and a level that is absent."""
    with fakes_rpigpio.installed() as fake:
        factory = open_pin_factory("rpigpio")
        clock, lost = ManualClock(), []
        inputs = GpioInputs((BEAM, EXIT), factory, clock=clock, scheduler=clock, on_lost=lost.append)
        fake.broken.add(17)
        inputs.resync()
        inputs.resync()
        assert [each.device for each in lost] == ["beam"]
        assert inputs.levels() == {"exit": False}
        fake.broken.clear()
        inputs.resync()
        assert inputs.levels() == {"beam": False, "exit": False}
        inputs.close()
        factory.close()


def test_closing_gives_the_pins_back() -> None:
    """The same pins can be opened again, and their old callbacks are gone."""
    board = Board()
    board.inputs.close()
    board.inputs.close()
    again = Board(board.factory)
    again.factory.pin(17).drive_low()
    again.clock.advance(5_000)
    board.clock.advance(5_000)
    assert board.seen == []
    assert [edge.sensor for edge in again.seen] == ["beam"]


def test_coil_pins_are_low_from_the_moment_they_are_claimed() -> None:
    """They go high only between energise and release, and are inputs again after closing."""
    factory = MockFactory()
    driver = GpioCoilDriver([CoilWire(name="gate", pin=23, pulse_ms=30, limits=CoilLimits())], factory)
    pin = factory.pin(23)
    driver.energise("gate")
    driver.release("gate")
    assert [state.state for state in pin.states] == [False, True, False]
    driver.close()
    driver.close()
    assert pin.function == "input"


def test_a_coil_whose_pin_is_taken_stops_the_opening() -> None:
    """Unlike a sensor, an output must not be half there."""
    factory = MockFactory()
    arm = GpioArmPin(23, factory)
    with pytest.raises(BackendUnavailable, match="solenoid 'gate' cannot have GPIO23"):
        GpioCoilDriver([CoilWire(name="gate", pin=23, pulse_ms=30, limits=CoilLimits())], factory)
    arm.close()


@pytest.mark.parametrize(
    ("name", "library", "extra"),
    [("lgpio", "lgpio", "hextraction[pi]"), ("rpigpio", "RPi", "hextraction[rpigpio]")],
)
def test_a_missing_library_says_what_to_install(
    name: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the extra, and is an ImportError to those who expect one."""
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"gpiozero.pins.{name}", raising=False)
    with pytest.raises(BackendUnavailable) as caught:
        open_pin_factory(name)
    assert f"install {extra}" in str(caught.value)
    assert isinstance(caught.value, ImportError)
    assert isinstance(caught.value, HalError)


def lgpio_that(act: object) -> types.ModuleType:
    """Return a module in the place of gpiozero's lgpio factory."""
    module = types.ModuleType("gpiozero.pins.lgpio")
    module.LGPIOFactory = act
    return module


def test_an_unwritable_lgpio_folder_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under systemd lgpio fails with a puzzling file name; the message says which variable to set."""

    def unwritable(chip: int) -> None:
        raise FileNotFoundError(2, "No such file or directory", ".lgd-nfy-3")

    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", lgpio_that(unwritable))
    with pytest.raises(BackendUnavailable, match="LG_WD"):
        open_pin_factory("lgpio")


def test_a_library_that_refuses_this_machine_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own words are kept."""

    def refuse(chip: int) -> None:
        raise RuntimeError("cannot open gpiochip0")

    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", lgpio_that(refuse))
    with pytest.raises(BackendUnavailable, match=r"cannot open gpiochip0.*in the group gpio\?"):
        open_pin_factory("lgpio")


def test_a_library_that_moves_the_process_is_moved_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """The library changes the working folder when it is imported; relative paths must keep their meaning."""
    before = os.getcwd()  # noqa: PTH109 - the very thing that must not change
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", lgpio_that(lambda **_chip: os.chdir(tmp_path)))
    open_pin_factory("lgpio")
    assert os.getcwd() == before  # noqa: PTH109
