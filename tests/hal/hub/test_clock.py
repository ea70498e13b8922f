"""The hub's clock in the host's time: whatever the ways take and the crystals do, the truth is where it is said to be."""

import pytest
from hextraction.hal.hub.clock import Exchange, HubClock
from hypothesis import given
from hypothesis import strategies as st

AHEAD_US = 7_000_000_000

ways = st.integers(20, 30_000)
exchanges = st.lists(st.tuples(ways, ways, st.integers(0, 200_000)), min_size=1, max_size=40)


def exchange(at_us, *, there_us, back_us, rate=1.0):
    """Return a ping that reached the hub at the hub's time ``at_us``."""
    host_us = AHEAD_US + at_us * rate
    return Exchange(sent_us=round(host_us - there_us), heard_us=round(host_us + back_us), hub_us=at_us)


@pytest.mark.slow
@given(exchanges, st.integers(-50, 50))
def test_the_truth_is_within_the_error_that_is_claimed(ways, ppm):
    """For any ways there and back, and crystals that part by 50 us a second."""
    clock, rate, at_us = HubClock(), 1 + ppm / 1e6, 1_000
    for there_us, back_us, pause_us in ways:
        at_us += pause_us + there_us + back_us
        assert clock.take(exchange(at_us, there_us=there_us, back_us=back_us, rate=rate))
        true_us = AHEAD_US + at_us * rate
        assert abs(clock.host_us(at_us % 2**32) - true_us) <= clock.error_us + 2


def test_one_quick_way_there_and_another_back_are_enough():
    """No single ping was quick both ways; what they allow together is narrow."""
    clock = HubClock()
    clock.take(exchange(1_000, there_us=20, back_us=5_000))
    clock.take(exchange(9_000, there_us=5_000, back_us=20))

    assert clock.error_us <= 25
    assert abs(clock.host_us(9_000) - (AHEAD_US + 9_000)) <= 25


def test_a_clock_that_jumped_is_followed_by_the_quickest_answer():
    """When the answers contradict each other, the shortest way decides, until the old ones are forgotten."""
    clock = HubClock()
    clock.take(exchange(1_000, there_us=100, back_us=100))
    jumped = exchange(200_000, there_us=40, back_us=60)
    clock.take(
        Exchange(sent_us=jumped.sent_us + 9_000, heard_us=jumped.heard_us + 9_000, hub_us=jumped.hub_us)
    )

    assert clock.host_us(200_000) == AHEAD_US + 200_000 + 9_000 + 10
    assert clock.error_us == 50


def test_a_clock_that_leapt_far_is_followed_at_once():
    """By more than any drift: what it said before is forgotten, and it is known when it leapt and how far."""
    clock = HubClock()
    for at_us in range(1_000, 20_000, 1_000):
        assert clock.take(exchange(at_us, there_us=100, back_us=100))
    assert clock.jump is None
    late = Exchange(sent_us=AHEAD_US + 100_000, heard_us=AHEAD_US + 100_800, hub_us=3_600_100_400)
    assert clock.take(late)
    assert clock.host_us(3_600_100_400) == AHEAD_US + 100_400
    assert clock.jump[0] == late.heard_us
    assert abs(clock.jump[1] - 3_600_000_000) < 1_000


def test_a_time_that_goes_back_is_a_hub_that_started_anew():
    """Everything before is forgotten."""
    clock = HubClock()
    assert clock.take(exchange(5_000, there_us=100, back_us=100))
    assert not clock.take(exchange(4_999, there_us=400, back_us=400))
    assert clock.error_us == 400


def test_stamps_find_their_time_across_the_wrap():
    """The low half of a stamp from before the wrap and one from after it lie a little apart."""
    clock = HubClock()
    clock.take(exchange(2**32 + 500, there_us=10, back_us=10))

    assert clock.host_us(2**32 - 100) == AHEAD_US + 2**32 - 100
    assert clock.host_us(600) == AHEAD_US + 2**32 + 600
