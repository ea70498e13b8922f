"""The solenoid guard: what no caller, driver or timer may achieve."""

import ast
import inspect
import itertools
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hextraction.hal.clock import MonotonicClock
from hextraction.hal.errors import DeviceLost
from hextraction.hal.guard import SolenoidGuard
from hextraction.hal.mock import ManualClock, MockSolenoidDriver
from hextraction.hal.ports import PulseResult
from hextraction.hal.schedule import ThreadScheduler
from hextraction.hal.wiring.coil_limits import CoilLimits
from hypothesis import given, settings
from hypothesis import strategies as st

ROOM = Path(inspect.getfile(SolenoidGuard)).parent
COILS = {"gate": CoilLimits(), "kicker": CoilLimits(max_pulse_ms=200), "mild": CoilLimits(duty_percent=1.0)}
CAPS_US = {"gate": 50_000, "kicker": 200_000, "mild": 50_000}
DUTY_US = {"gate": 1_000_000, "kicker": 1_000_000, "mild": 100_000}


class Bench:
    """A guard on a manual clock, with its driver's log and a switch."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.driver = MockSolenoidDriver(self.clock)
        self.supply = True
        self.lost: list[DeviceLost] = []
        self.guard = SolenoidGuard(
            self.driver,
            COILS,
            clock=self.clock,
            scheduler=self.clock,
            supply_on=lambda: self.supply,
            on_lost=self.lost.append,
        )

    def pulses(self) -> list[tuple[str, int, int]]:
        """Return ``(coil, from, to)`` of every pulse in the driver's log."""
        log = self.driver.log
        assert [on for _at_us, _name, on in log] == [index % 2 == 0 for index in range(len(log))]
        return [(on[1], on[0], off[0]) for on, off in zip(log[::2], log[1::2], strict=True)]


@pytest.fixture
def bench() -> Bench:
    """A fresh guard."""
    return Bench()


def test_default_cap_is_fifty_milliseconds(bench: Bench) -> None:
    """A coil whose wiring says nothing is never on for longer than 50 ms."""
    assert bench.guard.pulse("gate", 51) is PulseResult.CLAMPED
    bench.clock.advance(1_000_000)
    assert bench.pulses() == [("gate", 0, 50_000)]


def test_no_limits_are_milder_than_the_ceilings() -> None:
    """200 ms, 250 ms of rest and 10 % are built in; asking for more is refused at once."""
    for wrong in ({"max_pulse_ms": 201}, {"max_pulse_ms": 0}, {"min_off_ms": 249}, {"duty_percent": 10.1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            CoilLimits(**wrong)


@pytest.mark.parametrize(("pulse_ms", "rest_ms"), [(10, 250), (50, 250), (100, 400), (200, 800)])
def test_a_coil_rests_four_times_its_pulse_but_at_least_250_ms(
    bench: Bench, pulse_ms: int, rest_ms: int
) -> None:
    """The request one microsecond before the end of the rest is refused, the next one is not."""
    bench.guard.pulse("kicker", pulse_ms)
    bench.clock.advance((pulse_ms + rest_ms) * 1_000 - 1)
    assert bench.guard.pulse("kicker", 10) is PulseResult.REFUSED_DUTY
    bench.clock.advance(1)
    assert bench.guard.pulse("kicker", 10) is PulseResult.DONE


def test_another_coil_waits_for_the_pulse_and_ten_milliseconds(bench: Bench) -> None:
    """One coil at a time, with a 10 ms gap."""
    bench.guard.pulse("gate", 30)
    assert bench.guard.pulse("kicker", 30) is PulseResult.REFUSED_BUSY
    bench.clock.advance(39_999)
    assert bench.guard.pulse("kicker", 30) is PulseResult.REFUSED_BUSY
    bench.clock.advance(1)
    assert bench.guard.pulse("kicker", 30) is PulseResult.DONE


def test_duty_of_ten_percent_in_ten_seconds_runs_out(bench: Bench) -> None:
    """Five pulses of 200 ms use up the second that ten seconds allow."""
    for _pulse in range(5):
        assert bench.guard.pulse("kicker", 200) is PulseResult.DONE
        bench.clock.advance(1_000_000)
    assert bench.guard.pulse("kicker", 1) is PulseResult.REFUSED_DUTY
    assert bench.guard.spent["kicker"] == 1.0
    bench.clock.advance(5_200_000)
    assert bench.guard.spent["kicker"] == 0.8
    assert bench.guard.pulse("kicker", 200) is PulseResult.DONE


def test_a_refused_long_request_does_not_make_room_for_a_short_one(bench: Bench) -> None:
    """What a long pulse would no longer overlap still counts against a shorter one."""
    for pulse_ms, wait_ms in ((100, 1_000), *[(200, 1_000)] * 4, (100, 4_850)):
        assert bench.guard.pulse("kicker", pulse_ms) is PulseResult.DONE
        bench.clock.advance(wait_ms * 1_000)
    bench.clock.advance(60_000)
    assert bench.guard.pulse("kicker", 200) is PulseResult.REFUSED_DUTY
    assert bench.guard.pulse("kicker", 100) is PulseResult.REFUSED_DUTY


def test_callers_at_the_same_moment_get_one_coil_between_them() -> None:
    """Eight threads ask for two coils at once: one pulse, seven refusals, never two coils on."""
    clock, start, results = ManualClock(), threading.Barrier(8), []
    most: list[int] = []

    class Driver(MockSolenoidDriver):
        def energise(self, name: str) -> None:
            super().energise(name)
            most.append(len(self.on))

    guard = SolenoidGuard(Driver(clock), COILS, clock=clock, scheduler=clock)

    def ask(name: str) -> None:
        start.wait(10)
        results.append(guard.pulse(name, 30))

    callers = [threading.Thread(target=ask, args=(name,)) for name in ("gate", "kicker") * 4]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(10)
    assert sum(result.fired for result in results) == 1
    assert (len(results), most) == (8, [1])
    guard.close()


def test_results_are_counted(bench: Bench) -> None:
    """Clamped and refused requests show in the guard's own books."""
    for name in ("gate", "gate", "kicker"):
        bench.guard.pulse(name, 30)
    bench.guard.pulse("nobody", 30)
    assert dict(bench.guard.results) == {
        PulseResult.DONE: 1,
        PulseResult.REFUSED_DUTY: 1,
        PulseResult.REFUSED_BUSY: 1,
        PulseResult.REFUSED_UNKNOWN: 1,
    }


@pytest.mark.parametrize("pulse_ms", [0, -5, 2.5, "30"])
def test_a_pulse_that_is_no_whole_number_of_milliseconds_is_refused_loudly(
    bench: Bench, pulse_ms: object
) -> None:
    """It is a mistake of the caller, and no coil moves."""
    with pytest.raises(ValueError, match="want a pulse"):
        bench.guard.pulse("gate", pulse_ms)
    assert bench.driver.log == []


def test_a_late_timer_is_made_good_by_the_next_request() -> None:
    """If the scheduler never calls, any request after the end switches the coil off before it is judged."""
    clock = ManualClock()
    driver = MockSolenoidDriver(clock)
    guard = SolenoidGuard(driver, COILS, clock=clock, scheduler=ManualClock())
    guard.pulse("gate", 30)
    clock.advance(30_000)
    assert guard.pulse("kicker", 30) is PulseResult.REFUSED_BUSY
    assert driver.on == set()


def test_the_end_is_booked_before_the_coil_goes_on() -> None:
    """A scheduler that fails leaves the coil untouched."""

    class Broken(ManualClock):
        def call_at(self, at_us: int, callback: Callable[[], None]) -> None:
            raise RuntimeError("no thread")

    clock = ManualClock()
    driver = MockSolenoidDriver(clock)
    guard = SolenoidGuard(driver, COILS, clock=clock, scheduler=Broken())
    for name in ("gate", "kicker"):
        with pytest.raises(RuntimeError, match="no thread"):
            guard.pulse(name, 30)
    assert driver.log == []


def test_the_timer_of_a_pulse_that_was_cut_short_leaves_the_next_one_alone(bench: Bench) -> None:
    """The first pulse would have ended at 200 ms; the second, begun at 180 ms, still gets its 50 ms."""
    bench.guard.pulse("kicker", 200)
    bench.clock.advance(1_000)
    bench.guard.off()
    bench.clock.advance(179_000)
    bench.guard.pulse("gate", 50)
    bench.clock.advance(1_000_000)
    assert bench.pulses() == [("kicker", 0, 1_000), ("gate", 180_000, 230_000)]


def test_a_driver_that_fails_to_switch_on_is_not_trusted_again(bench: Bench) -> None:
    """The request is refused, the loss is reported once, the supply is disarmed, later requests are refused."""
    bench.driver.broken = True
    assert bench.guard.pulse("gate", 30) is PulseResult.REFUSED_OFF
    bench.driver.broken = False
    assert bench.guard.pulse("kicker", 30) is PulseResult.REFUSED_OFF
    assert not bench.guard.armed
    assert [(lost.device, lost.reason) for lost in bench.lost] == [("gate", "cannot switch on: unplugged")]
    assert bench.driver.on == set()


def test_a_driver_that_fails_to_switch_off_is_asked_until_it_does(bench: Bench) -> None:
    """Every 10 ms all coils are released again; the supply is disarmed meanwhile."""
    bench.guard.pulse("gate", 30)
    bench.driver.broken = True
    bench.clock.advance(95_000)
    assert bench.driver.on == {"gate"}
    assert not bench.guard.armed
    bench.driver.broken = False
    bench.clock.advance(10_000)
    assert bench.driver.on == set()
    assert len(bench.lost) == 1
    assert bench.guard.pulse("gate", 30) is PulseResult.REFUSED_OFF


def test_closing_over_a_broken_driver_does_not_raise(bench: Bench) -> None:
    """Exit must go on even if the device is gone."""
    bench.guard.pulse("gate", 30)
    bench.driver.broken = True
    bench.guard.close()
    assert bench.driver.closed


def test_outputs_that_do_not_close_are_logged(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    """Even then closing ends."""

    def fail() -> None:
        raise OSError("stuck")

    bench.driver.close = fail
    bench.guard.close()
    assert "did not close cleanly" in caplog.text


def test_a_supply_that_is_off_refuses(bench: Bench) -> None:
    """With the board switched off nothing fires and the supply is disarmed."""
    bench.supply = False
    assert bench.guard.pulse("gate", 30) is PulseResult.REFUSED_OFF
    assert not bench.guard.armed


def test_the_interpreters_end_switches_coils_off(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard registers its own closing at exit and takes it back when closed in order."""
    registered: list[object] = []
    monkeypatch.setattr("hextraction.hal.guard.atexit.register", registered.append)
    guard = SolenoidGuard(bench.driver, COILS, clock=bench.clock, scheduler=bench.clock)
    guard.pulse("gate", 30)
    assert registered == [guard.close]
    registered[0]()
    assert bench.driver.on == set()


def test_a_real_thread_ends_the_pulse_without_any_event_loop() -> None:
    """With the real clock and thread the coil is released, not too early, although nobody calls the guard again."""
    released = threading.Event()
    clock = MonotonicClock()

    class Driver(MockSolenoidDriver):
        def release(self, name: str) -> None:
            super().release(name)
            released.set()

    driver = Driver(clock)
    scheduler = ThreadScheduler(clock, "coils under test")
    guard = SolenoidGuard(driver, COILS, clock=clock, scheduler=scheduler)
    told: list[tuple[str, int, int]] = []
    guard.on_pulse = lambda name, began_us, ends_us: told.append((name, began_us, ends_us))
    assert guard.pulse("gate", 5) is PulseResult.DONE
    assert released.wait(10)
    guard.close()
    scheduler.close()
    ((name, began_us, ends_us),) = told
    assert (name, ends_us - began_us) == ("gate", 5_000)
    (on_us, _, _), (off_us, _, _) = driver.log
    assert began_us <= on_us <= off_us  # a busy machine may be late with both, but never early
    assert ends_us <= off_us


def test_only_the_guard_can_pulse() -> None:
    """No class of this room but the guard and its port defines ``pulse``: backends offer on and off at most."""
    with_pulse = {
        each.name
        for module in ROOM.glob("*.py")
        for each in ast.walk(ast.parse(module.read_text()))
        if isinstance(each, ast.ClassDef) and "pulse" in {getattr(item, "name", "") for item in each.body}
    }
    assert with_pulse == {"SolenoidGuard", "Solenoids"}
    assert "pulse" in vars(SolenoidGuard)


def test_only_the_guards_module_switches_a_coil_on() -> None:
    """``energise`` is called nowhere in the room but in the guard."""
    callers = {
        module.name
        for module in ROOM.glob("*.py")
        for each in ast.walk(ast.parse(module.read_text()))
        if isinstance(each, ast.Call) and getattr(each.func, "attr", "") == "energise"
    }
    assert callers == {"guard.py"}


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("pulse"), st.sampled_from([*COILS, "nobody"]), st.integers(1, 400)),
        st.tuples(st.just("wait"), st.integers(0, 600_000)),
        st.tuples(st.just("off")),
        st.tuples(st.just("switch"), st.booleans()),
        st.tuples(st.just("hammer"), st.sampled_from([*COILS]), st.integers(1, 30)),
    ),
    max_size=60,
)


def perform(bench: Bench, act: tuple) -> None:
    """Do one act."""
    match act:
        case ("pulse", name, pulse_ms):
            bench.guard.pulse(name, pulse_ms)
        case ("wait", for_us):
            bench.clock.advance(for_us)
        case ("off",):
            bench.guard.off()
        case ("switch", on):
            bench.supply = on
        case ("hammer", name, times):
            for _time in range(times):
                bench.guard.pulse(name, 400)
                bench.clock.advance(150_000)


@pytest.mark.slow
@settings(max_examples=150)
@given(acts=ACTS)
def test_no_sequence_of_requests_breaks_a_limit(acts: list[tuple]) -> None:
    """Cap, one at a time, gap, rest and duty hold in the driver's log whatever anybody asks for, in any order."""
    bench = Bench()
    for act in acts:
        perform(bench, act)
    bench.guard.close()
    pulses = bench.pulses()
    for name, from_us, to_us in pulses:
        assert to_us - from_us <= CAPS_US[name]
        window_us = to_us - 10_000_000
        inside = [(at, to) for who, at, to in pulses if who == name and window_us < to <= to_us]
        spent_us = sum(to - max(at, window_us) for at, to in inside)
        assert spent_us <= DUTY_US[name]
    for (_, _, before_us), (_, after_us, _) in itertools.pairwise(pulses):
        assert after_us - before_us >= 10_000
    for name in COILS:
        mine = [(from_us, to_us) for who, from_us, to_us in pulses if who == name]
        for (from_us, to_us), (next_us, _) in itertools.pairwise(mine):
            assert next_us - to_us >= max(250_000, 4 * (to_us - from_us))
