"""What the coils draw: an INA219 with its own arithmetic, and what is concluded from it."""

import threading

import pytest
from helpers.fakes.ina219 import FakeIna219, FakeMeterBus
from hextraction.hal.coil_watch import CoilCurrents, CoilWatch
from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.guard import SolenoidGuard
from hextraction.hal.ina219 import Ina219, Reading
from hextraction.hal.mock import ManualClock, MockMeter, MockSolenoidDriver
from hextraction.hal.ports import PulseResult, SupplyState
from hextraction.hal.supply import CoilSupply
from hextraction.hal.wiring.coil_limits import CoilLimits
from hextraction.hal.wiring.current import calibration_of
from hextraction.hal.wiring.wires import CurrentWire
from hypothesis import given
from hypothesis import strategies as st

COILS_MA = {"gate": 1_000, "kicker": 2_000}


class Chip:
    """An INA219 on its bus, and what reads it."""

    def __init__(self, *, shunt_ohm=0.1, max_ma=2_500, address=0x40, **how):
        self.amps, self.volts, self.opened = 0.0, 12.0, 0
        self.chip = FakeIna219(shunt_ohm, lambda: self.amps, lambda: self.volts, **how)
        self.bus = FakeMeterBus(address, self.chip)
        wire = CurrentWire(address=address, shunt_ohm=shunt_ohm, max_ma=max_ma)
        self.meter = Ina219(wire, self._open)

    def _open(self):
        self.opened += 1
        return self.bus


def test_the_usual_shunt_gives_the_data_sheets_calibration():
    """0.1 ohm and up to 2.5 A: 320 mV range, 0.1 mA a count, calibration 4096; eight conversions, both for ever."""
    told = calibration_of(0.1, 2_500)
    assert told.count_ua == 100
    assert told.calibration == 4_096
    assert told.configuration == 0b0011_1001_1101_1111


def test_a_small_shunt_gets_the_finest_range():
    """0.01 ohm and 3 A drop 30 mV: 40 mV range, 0.2 mA a count, 0.04096 / (0.0002 x 0.01)."""
    told = calibration_of(0.01, 3_000)
    assert told.configuration >> 11 & 0b11 == 0
    assert (told.count_ua, told.calibration) == (200, 20_480)


def test_a_shunt_that_leaves_no_room_above_is_refused():
    """More than the most must still be seen."""
    with pytest.raises(ValueError, match="want at most 291 mV across the shunt, found 300 mV"):
        calibration_of(0.1, 3_000)


@given(shunt_ohm=st.floats(0.001, 1), share=st.floats(0, 1.05), drop_mv=st.floats(5, 290))
def test_every_current_up_to_the_most_is_read_to_a_hundredth(shunt_ohm, share, drop_mv):
    """Whatever the shunt: within 1 % of the most and one count, never an overflow, either way round."""
    max_ma = max(1, int(drop_mv / shunt_ohm))
    chip = Chip(shunt_ohm=shunt_ohm, max_ma=max_ma)
    for sign in (1, -1):
        chip.amps = sign * share * max_ma / 1_000
        reading = chip.meter.read()
        assert not reading.overflow
        counts_ma = 0.01 / shunt_ohm + calibration_of(shunt_ohm, max_ma).count_ua / 1_000
        assert abs(reading.current_ma - share * max_ma) <= 0.01 * max_ma + counts_ma + 0.5


@pytest.mark.parametrize(("volts", "reads_mv"), [(0, 0), (4.999, 4_996), (12, 12_000), (24.002, 24_000)])
def test_the_supply_is_read_in_steps_of_four_millivolts(volts, reads_mv):
    """Up to 32 V."""
    chip = Chip()
    chip.volts = volts
    assert chip.meter.read().supply_mv == reads_mv


@pytest.mark.parametrize("amps", [3.2, 5, -5])
def test_more_than_the_range_is_an_overflow(amps):
    """It is not mistaken for what the register can still say, which is the end of the range, without OVF."""
    chip = Chip()
    chip.amps = amps
    reading = chip.meter.read()
    assert reading.overflow
    assert reading.current_ma == 3_200


@given(shunt_ohm=st.floats(0.001, 1), drop_mv=st.floats(5, 290))
def test_what_is_beyond_the_range_reads_as_too_much_with_every_shunt(shunt_ohm, drop_mv):
    """A short is one whatever the shunt, though the chip shows no more than the end of its range."""
    max_ma = max(1, int(drop_mv / shunt_ohm))
    chip = Chip(shunt_ohm=shunt_ohm, max_ma=max_ma)
    chip.amps = 100 * max_ma / 1_000
    reading = chip.meter.read()
    assert reading.overflow
    assert reading.current_ma >= max_ma


def test_nothing_is_believed_before_the_first_conversion_is_done():
    """A chip that has just got its power knows of no supply: nobody is to take that for an emergency stop."""
    chip = Chip()
    chip.amps = 1
    assert chip.chip.read(0x02) == 0
    assert chip.meter.read() == Reading(current_ma=1_000, supply_mv=12_000)
    chip.chip.power_on()
    assert chip.meter.read() == Reading(current_ma=1_000, supply_mv=12_000)


def test_a_chip_that_never_converts_does_not_answer():
    """It is given its time, and no more."""
    chip = Chip(conversion_reads=1_000_000)
    with pytest.raises(OSError, match="its first conversion never ends"):
        chip.meter.read()
    assert chip.bus.reads < 300


def test_another_chip_at_its_address_is_not_taken_for_an_ina219():
    """An INA226 keeps bit 14 set and counts in other units; its bus is closed, and it is asked again later."""
    chip = Chip()
    chip.chip.stuck = 0x4000
    with pytest.raises(OSError, match="not like an INA219: want 0x39df in 0, found 0x79df"):
        chip.meter.read()
    assert chip.bus.closed == 1


def test_a_chip_that_forgot_its_calibration_is_set_up_again_before_it_is_believed():
    """Without calibration it says that nothing flows; it is set up once otherwise."""
    chip = Chip()
    chip.amps = 1
    assert [chip.meter.read().current_ma for _time in range(3)] == [1_000] * 3
    assert chip.chip.set_ups == 1
    chip.chip.power_on()
    assert chip.meter.read().current_ma == 1_000
    assert chip.chip.set_ups == 2


def test_a_bus_that_failed_is_closed_and_opened_anew():
    """The file may be one of a bus that was unplugged."""
    chip = Chip(address=0x4F)
    chip.meter.read()
    chip.bus.gone = True
    with pytest.raises(OSError, match="Remote I/O error"):
        chip.meter.read()
    assert chip.bus.closed == 1
    chip.bus.gone = False
    assert chip.meter.read() == Reading(current_ma=0, supply_mv=12_000)
    assert chip.opened == 2


class Bench:
    """A guard with two coils, and a meter that sees what they draw."""

    def __init__(self, *, leak_ma=0, **says):
        self.clock = ManualClock(1_000_000)
        self.driver = MockSolenoidDriver(self.clock)
        self.supply = CoilSupply()
        self.lost, self.found = [], []
        self.open, self.leak_ma, self.gone = set(), leak_ma, None
        self.meter = MockMeter(self._draws, **says)
        self.reads = []
        self.guard = SolenoidGuard(
            self.driver,
            dict.fromkeys(COILS_MA, CoilLimits()),
            clock=self.clock,
            scheduler=self.clock,
            supply_on=lambda: self.supply.may_arm,
            on_lost=self.lost.append,
        )
        self.watch = CoilWatch(
            self.meter,
            self.supply,
            CoilCurrents(coils_ma=COILS_MA, max_ma=2_500, supply_mv=12_000),
            firing=lambda: self.guard.firing,
            condemn=self.guard.condemn,
            clock=self.clock,
            scheduler=self.clock,
            on_lost=self.lost.append,
            on_found=self.found.append,
        )
        self.guard.on_pulse = self.watch.pulsed

    def _draws(self):
        self.reads.append(self.clock.now_us())
        if self.gone is not None:
            raise self.gone
        drawn_ma = sum(COILS_MA[name] for name in self.driver.on - self.open)
        return drawn_ma + self.leak_ma

    def said(self):
        """Return what is lost, with the reasons."""
        return [(lost.device, lost.reason) for lost in self.lost]


@pytest.fixture
def bench():
    """Return coils that are watched; nothing of them outlives the test."""
    made = Bench()
    yield made
    made.guard.close()


def test_it_is_read_ten_times_a_second_and_every_five_milliseconds_in_a_pulse(bench):
    """From 12 ms after the beginning, when the current has risen and is averaged."""
    bench.clock.advance(1_000_000)
    assert len(bench.reads) == 11
    bench.reads.clear()
    at_us = bench.clock.now_us()
    bench.guard.pulse("gate", 30)
    bench.clock.advance(40_000)
    assert [read - at_us for read in bench.reads] == [12_000, 17_000, 22_000, 27_000]


def test_good_pulses_say_nothing(bench):
    """Each coil draws its own current while it is on, and none afterwards."""
    for name in ("gate", "kicker") * 5:
        assert bench.guard.pulse(name, 50) is PulseResult.DONE
        bench.clock.advance(600_000)
    assert bench.said() == []
    assert bench.supply.state == SupplyState(good=True, current_ma=0)


def test_a_coil_that_draws_nothing_is_said_once_and_taken_back(bench):
    """It stays usable: when its plug is in again, it works."""
    bench.open.add("gate")
    for _pulse in range(3):
        bench.guard.pulse("gate", 30)
        bench.clock.advance(600_000)
    assert [device for device, _reason in bench.said()] == ["gate"]
    assert "it drew 0 mA of 1000: the coil is open" in bench.lost[0].reason
    bench.open.clear()
    bench.guard.pulse("gate", 30)
    bench.clock.advance(600_000)
    assert bench.found == ["gate"]


def test_a_pulse_that_was_cut_short_or_is_too_short_says_nothing(bench):
    """Its current had no time to rise."""
    bench.guard.pulse("gate", 10)
    bench.clock.advance(600_000)
    bench.open.add("kicker")
    bench.guard.pulse("kicker", 30)
    bench.clock.advance(14_000)
    bench.guard.off()
    bench.clock.advance(600_000)
    assert bench.said() == []


def test_a_current_that_does_not_fall_drops_everything_for_good(bench):
    """Within a quarter of a second; the guard disarms, so that the supply drops, and says why."""
    bench.guard.pulse("gate", 30)
    bench.clock.advance(20_000)
    bench.leak_ma = 900
    bench.clock.advance(220_000)
    assert not bench.guard.armed
    assert bench.guard.pulse("kicker", 30) is PulseResult.REFUSED_OFF
    assert bench.said() == [("coil supply", "900 mA flow although no coil is on: a stuck transistor")]
    assert "stuck" in bench.supply.state.fault
    bench.leak_ma = 0
    bench.clock.advance(10_000_000)
    assert bench.supply.confirm()
    assert not bench.guard.armed


@pytest.mark.parametrize(("leak_ma", "why"), [(100, ""), (101, "stuck"), (9_000, "a short")])
def test_a_current_that_flows_from_the_start_is_told_in_a_tenth_of_a_second(leak_ma, why):
    """A transistor that broke while the board was off: no coil is fired into it. A tenth of a coil's is none."""
    bench = Bench(leak_ma=leak_ma)
    bench.clock.advance(100_000)
    assert bench.guard.armed is not bool(why)
    assert why in bench.supply.state.fault
    bench.guard.close()


def test_a_current_that_flows_on_without_the_supply_needs_a_person(bench):
    """Nothing of ours can switch it off: the plug, now; said once."""
    bench.leak_ma = 900
    bench.clock.advance(3_000_000)
    assert [device for device, _reason in bench.said()] == ["coil supply", "coil supply"]
    assert bench.lost[1].reason.endswith("pull its plug now")


def test_a_current_between_two_pulses_in_quick_succession_is_no_fault(bench):
    """Two coils may follow each other within ten milliseconds."""
    for name in ("gate", "kicker", "gate", "kicker"):
        bench.guard.pulse(name, 50)
        bench.clock.advance(60_000)
    assert bench.said() == []


def test_a_moment_of_too_much_current_is_the_capacitor_and_a_lasting_one_is_a_short(bench):
    """Two readings on end: during a pulse that is ten milliseconds."""
    bench.leak_ma = 9_000
    bench.clock.advance(100_000)
    bench.leak_ma = 0
    bench.clock.advance(1_000_000)
    assert bench.said() == []
    bench.guard.pulse("gate", 50)
    bench.clock.advance(10_000)
    bench.leak_ma = 1_600
    bench.clock.advance(10_000)
    assert bench.driver.on == set()
    assert bench.said() == [("coil supply", "2600 mA flow, more than current.max_ma (2500): a short")]


@pytest.mark.parametrize("error", [OSError(121, "Remote I/O error"), BackendUnavailable("no /dev/i2c-1")])
def test_a_meter_that_does_not_answer_is_lost_and_coils_work_on(bench, error):
    """It is asked ever more rarely, up to every five seconds, and found again."""
    bench.gone = error
    bench.clock.advance(60_000_000)
    assert [device for device, _reason in bench.said()] == ["current meter"]
    assert (bench.supply.state.good, bench.supply.state.current_ma) == (None, None)
    assert len(bench.reads) < 25
    bench.reads.clear()
    assert bench.guard.pulse("gate", 30) is PulseResult.DONE
    bench.clock.advance(40_000)
    assert len(bench.reads) <= 1
    bench.gone = None
    bench.clock.advance(6_000_000)
    assert bench.found == ["current meter"]
    assert bench.supply.state == SupplyState(good=True, current_ma=0)


def test_a_supply_that_was_gone_does_not_arm_by_itself(bench):
    """A hand may still be in the board: a person says that it is not."""
    bench.meter.supply_mv = 300
    bench.clock.advance(110_000)
    assert bench.supply.state == SupplyState(good=False, waits=True, current_ma=0)
    assert not bench.supply.confirm()
    bench.meter.supply_mv = 12_000
    bench.clock.advance(60_000_000)
    assert bench.guard.pulse("gate", 30) is PulseResult.REFUSED_OFF
    assert bench.supply.confirm()
    assert bench.guard.pulse("gate", 30) is PulseResult.DONE


def test_a_pulse_that_the_emergency_stop_ended_says_nothing_of_its_coil(bench):
    """The coil is well."""
    bench.guard.pulse("gate", 50)
    bench.clock.advance(5_000)
    bench.open.add("gate")
    bench.meter.supply_mv = 0
    bench.clock.advance(600_000)
    assert bench.said() == []


def test_a_listener_hears_of_more_than_the_current(bench):
    """Not of every milliampere."""
    told = []
    bench.supply.listen(told.append)
    bench.guard.pulse("gate", 30)
    bench.clock.advance(600_000)
    assert told == []
    bench.meter.supply_mv = 0
    bench.clock.advance(200_000)
    bench.meter.supply_mv = 12_000
    bench.clock.advance(200_000)
    bench.supply.confirm()
    assert [(state.good, state.waits) for state in told] == [(False, True), (True, True), (True, False)]


def test_a_supply_is_there_only_if_nobody_says_that_it_is_gone():
    """Hub and meter both look; one that cannot say any more does not count."""
    supply = CoilSupply()
    supply.seen("hub", good=True)
    supply.seen("meter", good=False)
    supply.seen("hub", good=True)
    assert supply.state.good is False
    supply.seen("meter", good=None)
    assert supply.state == SupplyState(good=True, waits=True)
    supply.seen("hub", good=None)
    assert supply.state.good is None
    assert supply.confirm()


def test_closing_ends_the_reading(bench):
    """Twice is harmless."""
    bench.watch.close()
    bench.watch.close()
    bench.reads.clear()
    bench.guard.pulse("gate", 30)
    bench.clock.advance(10_000_000)
    assert bench.reads == []


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("press"), st.booleans()),
        st.tuples(st.just("confirm"), st.none()),
        st.tuples(st.just("pulse"), st.sampled_from(sorted(COILS_MA))),
        st.tuples(st.just("pass"), st.integers(1, 400_000)),
    ),
    max_size=40,
)


@pytest.mark.slow
@given(acts=ACTS)
def test_whatever_people_do_no_coil_fires_between_a_stop_and_a_word(acts):
    """A stop that was seen holds all coils off until somebody confirms while it is released."""
    bench = Bench()
    bench.clock.advance(1)
    pressed = held = False
    for act, value in acts:
        if act == "press":
            bench.meter.supply_mv = 0 if value else 12_000
            bench.clock.advance(110_000)
            pressed, held = value, held or value
        elif act == "confirm":
            assert bench.supply.confirm() is not pressed
            held = held and pressed
        elif act == "pulse":
            assert bench.guard.pulse(value, 30).fired <= (not held)
        else:
            bench.clock.advance(value)
        assert bench.supply.state.waits is held
    bench.guard.close()


def test_a_meter_that_hangs_is_closed_by_who_reads_it_and_nobody_waits(bench):
    """A bus may need a second to give up; coils are switched off meanwhile, and nothing is said on the way out."""
    begun, goes_on, closed = threading.Event(), threading.Event(), []
    bench.meter.close = lambda: closed.append(goes_on.is_set())

    def hang():
        begun.set()
        goes_on.wait()
        raise OSError(110, "Connection timed out")

    bench.meter.read = hang
    reader = threading.Thread(target=bench.clock.advance, args=(100_000,))
    reader.start()
    begun.wait()
    bench.watch.close()
    assert closed == []
    goes_on.set()
    reader.join()
    assert closed == [True]
    assert bench.said() == []
