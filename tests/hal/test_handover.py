"""Edges wait for a busy loop in bounded number, in order, and never with a wrong level at the end."""

import pytest
from hextraction.hal.handover import Handover
from hextraction.hal.ports import Edge
from hypothesis import given
from hypothesis import strategies as st


class Loop:
    """A loop that turns when it is told to."""

    def __init__(self):
        self.due = []

    def posting(self, call):
        return lambda: self.due.append(call)

    def turn(self):
        due, self.due = self.due, []
        for call in due:
            call()


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=200))
def test_a_busy_loop_finds_few_of_each_and_the_right_level(changes):
    """Sixteen of a sensor at most wait; each is another level than the one before, and the last one is true."""
    loop, heard, level = Loop(), [], {}
    handover = Handover(heard.append, loop.posting)
    for at_us, sensor in enumerate(changes):
        level[sensor] = not level.get(sensor, False)
        handover.put(Edge(sensor, level[sensor], at_us))
    assert len(handover) <= 16 * len(level)
    assert len(heard) == 0
    while loop.due:
        loop.turn()
    for sensor, active in level.items():
        told = [edge.active for edge in heard if edge.sensor == sensor]
        assert (told[-1] if told else False) is active
        assert told == [number % 2 == 0 for number in range(len(told))]
    assert [edge.at_us for edge in heard] == sorted(edge.at_us for edge in heard)
    assert len(handover) == 0


@pytest.mark.parametrize("changes", range(20))
def test_what_waits_of_a_muted_sensor_is_left_out_but_for_its_level(changes):
    """One change at most is still told, the one that sets right what was told before; others are not touched."""
    loop, heard = Loop(), []
    handover = Handover(heard.append, loop.posting)
    for number in range(changes):
        handover.put(Edge("loose", number % 2 == 0, number))
        handover.put(Edge("sound", number % 2 == 0, number))
    handover.calm("loose")
    while loop.due:
        loop.turn()
    assert [edge.active for edge in heard if edge.sensor == "loose"] == [True] * (changes % 2)
    sound = [edge.active for edge in heard if edge.sensor == "sound"]
    assert sound == [number % 2 == 0 for number in range(changes if changes <= 16 else 16 - changes % 2)]


def test_a_hundred_thousand_changes_of_a_flickering_sensor_take_no_memory():
    """And one of another sensor comes through behind sixteen of them."""
    loop, heard = Loop(), []
    handover = Handover(heard.append, loop.posting)
    for number in range(100_000):
        handover.put(Edge("loose", number % 2 == 0, number))
    handover.put(Edge("sound", True, 100_000))
    assert (len(handover), len(loop.due)) == (17, 1)
    loop.turn()
    assert heard[-1] == Edge("sound", True, 100_000)


def test_an_edge_that_fails_does_not_swallow_those_behind_it():
    """The loop is told of the failure, and goes on with the next one."""
    loop, heard = Loop(), []

    def hear(edge):
        heard.append(edge.sensor)
        if edge.sensor == "bad":
            raise LookupError(edge.sensor)

    handover = Handover(hear, loop.posting)
    for sensor in ("bad", "good"):
        handover.put(Edge(sensor, True, 0))
    with pytest.raises(LookupError):
        loop.turn()
    loop.turn()
    assert heard == ["bad", "good"]
