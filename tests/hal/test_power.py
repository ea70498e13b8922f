"""The board's switch and the pump that keeps the coil supply armed."""

from hextraction.hal.mock import ManualClock, MockInputs
from hextraction.hal.power import AlwaysOn, ChargePump, SwitchPower


class Pin:
    """An arm pin that counts its changes."""

    def __init__(self) -> None:
        self.level = False
        self.changes = 0
        self.closed = 0

    def toggle(self) -> None:
        self.level = not self.level
        self.changes += 1

    def off(self) -> None:
        self.level = False

    def close(self) -> None:
        self.closed += 1


def test_the_pin_keeps_changing_while_armed() -> None:
    """A hundred changes a second hold the supply."""
    clock, pin = ManualClock(), Pin()
    ChargePump(pin, lambda: True, clock=clock, scheduler=clock)
    before = pin.changes
    clock.advance(1_000_000)
    assert pin.changes - before == 100


def test_the_pin_rests_low_while_not_armed_and_starts_again() -> None:
    """Disarming stops the changes at the low level; arming again resumes them."""
    clock, pin, armed = ManualClock(), Pin(), [True]
    ChargePump(pin, lambda: armed[0], clock=clock, scheduler=clock)
    clock.advance(20_000)
    armed[0] = False
    clock.advance(10_000)
    stopped_at = pin.changes
    clock.advance(500_000)
    assert (pin.changes, pin.level) == (stopped_at, False)
    armed[0] = True
    clock.advance(50_000)
    assert pin.changes == stopped_at + 5


def test_a_scheduler_that_stands_still_drops_the_supply() -> None:
    """If the thread that ends pulses hangs, the pin does not change either."""
    clock, pin = ManualClock(), Pin()
    ChargePump(pin, lambda: True, clock=clock, scheduler=ManualClock())
    clock.advance(1_000_000)
    assert pin.changes == 1


def test_closing_leaves_the_pin_low_for_good() -> None:
    """The pin is let go once, and never changes again."""
    clock, pin = ManualClock(), Pin()
    pump = ChargePump(pin, lambda: True, clock=clock, scheduler=clock)
    pump.close()
    pump.close()
    changes = pin.changes
    clock.advance(1_000_000)
    assert (pin.changes, pin.level, pin.closed) == (changes, False, 1)


def test_a_board_without_a_switch_is_on() -> None:
    """Nothing can switch it off."""
    power = AlwaysOn()
    power.listen(print)
    power.close()
    assert power.on


def test_a_switch_that_does_not_answer_counts_as_on() -> None:
    """A broken switch must not keep the table dark."""
    inputs = MockInputs(["power"], clock=ManualClock())
    inputs.lose("power")
    assert SwitchPower(inputs).on


def test_the_switch_follows_its_sensor_with_or_without_a_listener() -> None:
    """Active means on."""
    inputs = MockInputs(["power"], clock=ManualClock())
    power = SwitchPower(inputs)
    assert not power.on
    inputs.set("power", True)
    assert power.on
