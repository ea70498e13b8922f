"""The devices made of nothing."""

import pytest
from hextraction.hal.mock import ManualClock, MockInputs, MockPixels, MockPower, MockSolenoidDriver
from hextraction.hal.ports import Edge


def test_the_clock_stops_at_each_callback_on_its_way() -> None:
    """A callback sees the time it asked for, and may ask for another within the same advance."""
    clock, seen = ManualClock(), []
    clock.call_at(300, lambda: seen.append(("late", clock.now_us())))
    clock.call_at(
        100,
        lambda: (
            seen.append(("early", clock.now_us())),
            clock.call_at(200, lambda: seen.append(("mid", clock.now_us()))),
        ),
    )
    clock.advance(250)
    assert seen == [("early", 100), ("mid", 200)]
    clock.advance(50)
    assert seen[-1] == ("late", 300)


def test_a_callback_of_the_past_comes_now() -> None:
    """Asking for a time that has passed means as soon as the clock is touched."""
    clock, seen = ManualClock(500), []
    clock.call_at(100, lambda: seen.append(clock.now_us()))
    clock.advance()
    assert seen == [500]


def test_the_clock_does_not_go_backwards() -> None:
    """A negative advance is refused."""
    with pytest.raises(ValueError, match="backwards"):
        ManualClock().advance(-1)


def test_undebounced_sensors_report_at_once() -> None:
    """``set`` delivers before it returns; setting the same again says nothing."""
    clock, seen = ManualClock(7), []
    inputs = MockInputs(["a", "b"], clock=clock)
    inputs.listen(seen.append)
    inputs.set("a", True)
    inputs.set("a", True)
    inputs.set("b", True)
    assert seen == [Edge("a", True, 7), Edge("b", True, 7)]
    assert inputs.levels() == {"a": True, "b": True}


def test_an_unknown_sensor_is_the_callers_mistake() -> None:
    """Setting a name that is not wired raises."""
    with pytest.raises(KeyError, match="nobody"):
        MockInputs(["a"], clock=ManualClock()).set("nobody", True)


def test_a_lost_sensor_has_no_level_and_is_not_resynchronised() -> None:
    """It comes back when it is set again."""
    lost = []
    inputs = MockInputs(["a", "b"], clock=ManualClock(), on_lost=lost.append)
    inputs.lose("a")
    inputs.resync()
    assert inputs.levels() == {"b": False}
    assert [str(each) for each in lost] == ["a: unplugged"]
    inputs.set("a", True)
    assert inputs.levels() == {"a": True, "b": False}


def test_pixels_remember_frames_and_end_dark() -> None:
    """Each frame shown is kept, and closing adds one dark frame, once."""
    pixels = MockPixels(2)
    pixels.show([(1, 2, 3), (4, 5, 6)])
    pixels.close()
    pixels.close()
    assert list(pixels.frames) == [((1, 2, 3), (4, 5, 6)), ((0, 0, 0), (0, 0, 0))]


def test_the_coil_driver_writes_down_changes_only() -> None:
    """Releasing what is off leaves no trace."""
    clock = ManualClock(5)
    driver = MockSolenoidDriver(clock)
    driver.release("gate")
    driver.energise("gate")
    clock.advance(10)
    driver.release("gate")
    assert driver.log == [(5, "gate", True), (15, "gate", False)]


def test_the_switch_tells_its_listener_until_closed() -> None:
    """Flipping reports the new position and the time."""
    clock, told = ManualClock(3), []
    power = MockPower(clock)
    power.listen(lambda on, at_us: told.append((on, at_us)))
    power.flip()
    power.close()
    power.flip()
    assert told == [(False, 3)]
    assert power.on
