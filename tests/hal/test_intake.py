"""From raw samples to one ordered stream."""

import pytest
from hextraction.hal.errors import DeviceLost
from hextraction.hal.intake import Intake, SensorLine
from hextraction.hal.mock import ManualClock
from hextraction.hal.ports import Edge
from hypothesis import given
from hypothesis import strategies as st

LINES = (
    SensorLine(name="beam", debounce_us=1_000),
    SensorLine(name="magnet", debounce_us=30_000),
    SensorLine(name="raw"),
)


class Table:
    """An intake on a manual clock, with what it delivered and lost."""

    def __init__(self, latency_us: int = 0) -> None:
        self.clock = ManualClock()
        self.seen: list[Edge] = []
        self.lost: list[DeviceLost] = []
        self.intake = Intake(
            LINES, clock=self.clock, scheduler=self.clock, latency_us=latency_us, on_lost=self.lost.append
        )
        self.intake.listen(self.seen.append)

    def post(self, sensor: str, active: bool, *, age_us: int = 0) -> None:
        self.intake.post(sensor, active, self.clock.now_us() - age_us)


def test_a_fast_edge_waits_for_a_slow_filter_no_longer_than_five_milliseconds() -> None:
    """While the magnet's 30 ms run, the beam is handed on after 5 ms; the magnet's time is then moved up."""
    table = Table()
    table.post("magnet", True)
    table.clock.advance(1_000)
    table.post("beam", True)
    table.clock.advance(4_999)
    assert table.seen == []
    table.clock.advance(1)
    assert table.seen == [Edge("beam", True, 1_000)]
    table.clock.advance(30_000)
    assert table.seen[1:] == [Edge("magnet", True, 1_000)]
    assert table.intake.late == 1


def test_without_a_slow_filter_in_progress_nothing_waits() -> None:
    """A beam's edge is delivered the moment its own filter is sure."""
    table = Table()
    table.post("beam", True)
    table.clock.advance(999)
    assert table.seen == []
    table.clock.advance(1)
    assert table.seen == [Edge("beam", True, 0)]


def test_a_report_that_comes_late_still_counts_from_its_own_time() -> None:
    """With 2 ms of latency a glitch whose end is reported late is not believed in the meantime."""
    table = Table(latency_us=2_000)
    table.clock.advance(10_000)
    table.post("beam", True, age_us=1_500)
    table.clock.advance(1_000)
    table.post("beam", False, age_us=1_600)
    table.clock.advance(50_000)
    assert table.seen == []


def test_a_report_that_comes_late_finds_its_place_in_the_order() -> None:
    """The edge with the older kernel time is delivered first although it was reported last."""
    table = Table(latency_us=2_000)
    table.clock.advance(10_000)
    table.post("raw", True)
    table.clock.advance(500)
    table.post("beam", True, age_us=1_800)
    table.clock.advance(50_000)
    assert table.seen == [Edge("beam", True, 8_700), Edge("raw", True, 10_000)]


def test_a_lost_sensor_is_reported_once_and_found_again_when_it_speaks() -> None:
    """Losing is data: one report, no level, until the next sample."""
    table = Table()
    table.intake.lose("beam", "unplugged")
    table.intake.lose("beam", "unplugged")
    assert [(lost.device, lost.reason) for lost in table.lost] == [("beam", "unplugged")]
    assert table.intake.levels() == {"magnet": False, "raw": False}
    table.post("beam", False)
    assert table.intake.levels() == {"beam": False, "magnet": False, "raw": False}
    table.intake.lose("beam", "unplugged again")
    assert len(table.lost) == 2


def test_a_listener_that_raises_does_not_swallow_the_edges_after() -> None:
    """The error reaches the scheduler, and the rest is delivered with the next run."""
    table = Table()

    def fail(edge: Edge) -> None:
        raise LookupError(edge.sensor)

    table.intake.listen(fail)
    table.post("raw", True)
    with pytest.raises(LookupError):
        table.clock.advance()
    table.intake.listen(table.seen.append)
    table.post("raw", False)
    table.clock.advance()
    assert table.seen == [Edge("raw", False, 0)]


@pytest.mark.slow
@given(
    samples=st.lists(
        st.tuples(
            st.sampled_from(["beam", "magnet", "raw"]),
            st.booleans(),
            st.integers(0, 9_000),
            st.integers(0, 2_000),
        ),
        max_size=40,
    )
)
def test_the_stream_is_ordered_and_each_sensor_alternates(samples: list[tuple[str, bool, int, int]]) -> None:
    """Any mixture of sensors, levels and late reports gives times that never fall and levels that match the end."""
    table = Table(latency_us=2_000)
    for sensor, active, gap_us, age_us in samples:
        table.clock.advance(gap_us)
        table.post(sensor, active, age_us=age_us)
    table.clock.advance(100_000)
    assert [edge.at_us for edge in table.seen] == sorted(edge.at_us for edge in table.seen)
    for line in LINES:
        mine = [edge.active for edge in table.seen if edge.sensor == line.name]
        assert mine == [index % 2 == 0 for index in range(len(mine))]
        last = [active for sensor, active, _gap, _age in samples if sensor == line.name][-1:] or [False]
        assert table.intake.levels()[line.name] is last[0]
