"""Debouncing of one sensor."""

import pytest
from hextraction.hal.intake import Debounce
from hextraction.hal.ports import Edge
from hypothesis import given
from hypothesis import strategies as st

SAMPLES = st.lists(st.tuples(st.booleans(), st.integers(0, 3_000)), max_size=60)


def fed(samples: list[tuple[bool, int]], debounce_us: int) -> tuple[list[Edge], list[tuple[bool, int]]]:
    """Feed ``(level, gap_us)`` samples; return the edges and the samples with their times."""
    sensor, now_us, edges, timed = Debounce("beam", debounce_us=debounce_us), 0, [], []
    for level, gap_us in samples:
        now_us += gap_us
        timed.append((level, now_us))
        edges.append(sensor.feed(level, now_us))
    edges.append(sensor.advance(now_us + debounce_us))
    return [edge for edge in edges if edge is not None], timed


def test_a_lasting_change_is_believed_after_its_time_and_stamped_with_its_first_sample() -> None:
    """1 ms of the new level makes an edge of the moment it began."""
    beam = Debounce("beam", debounce_us=1_000)
    assert beam.feed(True, 5_000) is None
    assert (beam.pending_since_us, beam.wake_at_us) == (5_000, 6_000)
    assert beam.advance(5_999) is None
    assert beam.level is False
    assert beam.advance(6_000) == Edge("beam", True, 5_000)
    assert (beam.level, beam.pending_since_us, beam.wake_at_us) == (True, None, None)


def test_the_end_is_debounced_like_the_beginning() -> None:
    """A gap shorter than the filter does not end a contact; a longer one does, from its first sample."""
    beam = Debounce("beam", debounce_us=1_000, active=True)
    assert beam.feed(False, 100) is None
    assert beam.feed(True, 600) is None
    assert beam.glitches == 1
    assert beam.feed(False, 2_000) is None
    assert beam.advance(3_000) == Edge("beam", False, 2_000)


def test_a_sample_that_repeats_the_level_says_nothing() -> None:
    """Neither an idle sensor's samples nor those of a change in progress make or move an edge."""
    beam = Debounce("beam", debounce_us=1_000)
    assert beam.feed(False, 0) is None
    assert beam.feed(True, 100) is None
    assert beam.feed(True, 400) is None
    assert beam.glitches == 0
    assert beam.feed(True, 1_100) == Edge("beam", True, 100)


def test_a_late_look_finds_the_change_before_the_next_one_begins() -> None:
    """A return sample after the filter's time first settles the change, then begins the way back."""
    beam = Debounce("beam", debounce_us=1_000)
    beam.feed(True, 0)
    assert beam.feed(False, 7_000) == Edge("beam", True, 0)
    assert beam.advance(8_000) == Edge("beam", False, 7_000)


def test_without_a_filter_every_change_counts_at_once() -> None:
    """0 us means no debouncing."""
    beam = Debounce("beam", debounce_us=0)
    assert beam.feed(True, 10) == Edge("beam", True, 10)
    assert beam.feed(False, 10) == Edge("beam", False, 10)


def test_time_never_goes_backwards() -> None:
    """A sample older than the newest time seen counts as of that time."""
    beam = Debounce("beam", debounce_us=0)
    beam.advance(500)
    assert beam.feed(True, 100) == Edge("beam", True, 500)


def test_a_negative_filter_is_refused() -> None:
    """A debounce time below 0 is a mistake of the caller."""
    with pytest.raises(ValueError, match="-1"):
        Debounce("beam", debounce_us=-1)


@given(samples=SAMPLES, debounce_us=st.integers(0, 2_000))
def test_edges_alternate_and_keep_order(samples: list[tuple[bool, int]], debounce_us: int) -> None:
    """Whatever is sampled, edges alternate starting with active, and their times never fall."""
    edges, _timed = fed(samples, debounce_us)
    assert [edge.active for edge in edges] == [index % 2 == 0 for index in range(len(edges))]
    assert [edge.at_us for edge in edges] == sorted(edge.at_us for edge in edges)


@given(samples=SAMPLES, debounce_us=st.integers(1, 2_000))
def test_an_edge_is_exactly_a_run_of_samples_that_lasted(
    samples: list[tuple[bool, int]], debounce_us: int
) -> None:
    """Compared with a plain search for runs: nothing is lost and nothing invented."""
    edges, timed = fed(samples, debounce_us)
    end_us = (timed[-1][1] if timed else 0) + debounce_us
    believed, expected, index = False, [], 0
    while index < len(timed):
        level, began_us = timed[index]
        after = next((at for at in range(index, len(timed)) if timed[at][0] != level), len(timed))
        lasted_until_us = timed[after][1] if after < len(timed) else end_us
        if level != believed and lasted_until_us - began_us >= debounce_us:
            expected.append(Edge("beam", level, began_us))
            believed = level
        index = after
    assert edges == expected
