"""Merging of edge streams of unequal latency."""

from collections import Counter

import pytest
from hextraction.hal.merge import Merge, Ordered
from hextraction.hal.ports import Edge
from hypothesis import given
from hypothesis import strategies as st


def edge(sensor: str, at_us: int) -> Edge:
    """A sensor sees something."""
    return Edge(sensor, True, at_us)


def test_an_edge_waits_for_the_window() -> None:
    """Without a promise of the sources an edge is handed on exactly when the window has passed."""
    merge = Merge(hold_back_us=5_000)
    merge.feed(edge("beam", 1_000))
    assert (merge.oldest_us, merge.wake_at_us) == (1_000, 6_000)
    assert merge.advance(5_999) == ()
    assert merge.advance(6_000) == (Ordered(edge=edge("beam", 1_000)),)
    assert (merge.oldest_us, merge.wake_at_us) == (None, None)


def test_the_slow_stream_finds_its_place() -> None:
    """An earlier edge that comes later, but within the window, is handed on first."""
    merge = Merge(hold_back_us=5_000)
    merge.feed(edge("fast", 3_000))
    merge.feed(edge("slow", 1_000))
    assert [ordered.edge.sensor for ordered in merge.advance(8_000)] == ["slow", "fast"]
    assert merge.late == 0


def test_a_promise_of_the_sources_ends_the_waiting() -> None:
    """Edges up to the settled time go at once; later ones still wait."""
    merge = Merge(hold_back_us=5_000)
    merge.feed(edge("first", 1_000))
    merge.feed(edge("second", 1_001))
    assert merge.advance(1_100, settled_us=1_000) == (Ordered(edge=edge("first", 1_000)),)
    assert merge.advance(6_001, settled_us=0) == (Ordered(edge=edge("second", 1_001)),)


def test_an_edge_later_than_the_window_is_moved_up_flagged_and_counted() -> None:
    """Its time becomes that of the newest edge handed on, and it says by how much."""
    merge = Merge(hold_back_us=5_000)
    merge.feed(edge("fast", 3_000))
    merge.advance(8_000)
    merge.feed(edge("slow", 1_000))
    assert merge.late == 1
    assert merge.drain() == (Ordered(edge=edge("slow", 3_000), late_us=2_000),)


def test_late_but_still_newer_than_all_handed_on_is_not_touched() -> None:
    """Only order is defended: a tardy edge with nothing after it keeps its time."""
    merge = Merge(hold_back_us=0)
    merge.feed(edge("fast", 1_000))
    merge.advance(9_000)
    merge.feed(edge("slow", 1_000))
    assert merge.advance(9_000) == (Ordered(edge=edge("slow", 1_000)),)
    assert merge.late == 0


def test_a_negative_window_is_refused() -> None:
    """A hold-back below 0 is a mistake of the caller."""
    with pytest.raises(ValueError, match="-1"):
        Merge(hold_back_us=-1)


@st.composite
def streams(draw: st.DrawFn) -> list[tuple[int, Edge]]:
    """Return ``(arrives at, edge)``: each sensor in its own order, with its own latency."""
    arrivals = []
    for sensor in ("a", "b", "c"):
        at_us, active, latency_us = 0, False, draw(st.integers(0, 8_000))
        for gap_us in draw(st.lists(st.integers(0, 4_000), max_size=12)):
            at_us, active = at_us + gap_us, not active
            arrivals.append((at_us + latency_us, Edge(sensor, active, at_us)))
    return sorted(arrivals, key=lambda arrival: arrival[0])


@pytest.mark.slow
@given(arrivals=streams(), hold_back_us=st.integers(0, 10_000))
def test_order_no_loss_no_invention(arrivals: list[tuple[int, Edge]], hold_back_us: int) -> None:
    """Everything comes out once, in order of time, each sensor's edges in their own order, never earlier."""
    merge, out = Merge(hold_back_us=hold_back_us), []
    for now_us, each in arrivals:
        merge.feed(each)
        out += merge.advance(now_us)
    out += merge.drain()
    times = [ordered.edge.at_us for ordered in out]
    assert times == sorted(times)
    restored = [Edge(o.edge.sensor, o.edge.active, o.edge.at_us - o.late_us) for o in out]
    assert Counter(restored) == Counter(each for _now_us, each in arrivals)
    for sensor in ("a", "b", "c"):
        mine = [each for each in restored if each.sensor == sensor]
        assert mine == [each for _now_us, each in arrivals if each.sensor == sensor]
    assert merge.late == sum(ordered.late_us > 0 for ordered in out)


@given(arrivals=streams())
def test_a_window_as_long_as_the_longest_latency_is_never_too_short(arrivals: list[tuple[int, Edge]]) -> None:
    """With 8 ms of hold-back and latencies up to 8 ms no edge is late, and none waits longer than that."""
    merge = Merge(hold_back_us=8_000)
    for now_us, each in arrivals:
        merge.feed(each)
        for ordered in merge.advance(now_us):
            assert ordered.late_us == 0
        assert merge.wake_at_us is None or merge.wake_at_us > now_us
    assert all(ordered.late_us == 0 for ordered in merge.drain())
