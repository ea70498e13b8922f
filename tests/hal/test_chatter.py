"""A sensor that changes without end is muted until it is quiet; nothing that a ball or a hand does is."""

import itertools
from types import SimpleNamespace

import pytest
from hextraction.hal.errors import DeviceLost
from hextraction.hal.intake import Intake, SensorLine
from hextraction.hal.mock import ManualClock
from hextraction.hal.ports import Edge
from hypothesis import given
from hypothesis import strategies as st

SECOND_US = 1_000_000


class Board:
    """Two sensors on a manual clock, with what was delivered, lost and found."""

    def __init__(self, debounce_us=1_000):
        self.clock = ManualClock()
        self.seen: list[Edge] = []
        self.lost: list[DeviceLost] = []
        self.found: list[str] = []
        lines = [
            SensorLine(name="loose", debounce_us=debounce_us),
            SensorLine(name="sound", debounce_us=1_000),
        ]
        self.intake = Intake(
            lines,
            clock=self.clock,
            scheduler=self.clock,
            on_lost=self.lost.append,
            on_found=self.found.append,
        )
        self.intake.listen(self.seen.append)
        self.level = {"loose": False, "sound": False}

    def change(self, sensor="loose"):
        self.level[sensor] = not self.level[sensor]
        self.intake.post(sensor, self.level[sensor], self.clock.now_us())

    def chatter(self, seconds, *, hz=275):
        for _change in range(round(seconds * hz)):
            self.change()
            self.clock.advance(SECOND_US // hz)

    def told(self, sensor):
        return [edge.active for edge in self.seen if edge.sensor == sensor]


@pytest.mark.parametrize("hz", [10, 50, 275, 900])
@pytest.mark.parametrize("debounce_us", [0, 1_000])
def test_an_hour_of_chatter_costs_no_more_than_its_first_seconds(hz, debounce_us):
    """However fast it chatters, the table hears some hundred changes and one loss, and then nothing."""
    board = Board(debounce_us)
    board.chatter(40, hz=hz)
    heard = len(board.seen)
    board.chatter(20, hz=hz)
    assert len(board.seen) == heard <= 300
    assert [(lost.device, lost.muted) for lost in board.lost] == [("loose", True)]
    assert "loose" not in board.intake.levels()
    assert board.intake.muted == {"loose"}


@pytest.mark.parametrize("changes", [1_000, 1_001])
def test_once_quiet_it_is_heard_again_with_the_level_that_it_has(changes):
    """After ten quiet seconds, though nothing more comes from it; what the table was told last is set right."""
    board = Board()
    board.chatter(changes / 275)
    board.clock.advance(9 * SECOND_US)
    assert board.found == []
    board.clock.advance(2 * SECOND_US)
    assert board.found == ["loose"]
    assert board.told("loose")[-1] is board.level["loose"] is board.intake.levels()["loose"]
    board.change()
    board.clock.advance(SECOND_US)
    assert board.told("loose")[-1] is board.level["loose"]


def test_who_begins_again_must_be_quiet_for_longer():
    """Else a wire that is loose now and then would fill the journal all the same."""
    board, waits = Board(), []
    for _time in range(7):
        board.chatter(2)
        began_us, found = board.clock.now_us(), len(board.found)
        while len(board.found) == found:
            board.clock.advance(SECOND_US)
        waits.append(round((board.clock.now_us() - began_us) / SECOND_US, -1))
    assert waits == [10, 20, 40, 80, 160, 320, 320]
    board.clock.advance(700 * SECOND_US)
    board.chatter(2)
    board.clock.advance(11 * SECOND_US)
    assert len(board.found) == 8


def test_a_muted_sensor_does_not_fill_the_scheduler():
    """While it waits for quiet, the others are read again every second: nothing of that adds up."""
    board, asked = Board(), []
    board.chatter(2)
    call_at = board.clock.call_at
    board.intake._scheduler = SimpleNamespace(
        call_at=lambda at_us, call: (asked.append(at_us), call_at(at_us, call))
    )
    for _second in range(8):
        for _again in range(100):
            board.intake.post("sound", False, board.clock.now_us())
        board.clock.advance(SECOND_US)
    assert len([at_us for at_us in asked if at_us > board.clock.now_us()]) <= 1


def test_beside_a_muted_one_the_others_are_heard_as_ever():
    """At once and in order: a ball that rolls past is seen."""
    board = Board()
    board.chatter(2)
    for _change in range(6):
        board.change("sound")
        board.chatter(0.1)
    assert board.told("sound") == [True, False] * 3


def test_a_muted_one_whose_device_goes_is_lost_and_is_back_when_it_answers():
    """What it is known for then is the device; it may chatter again."""
    board = Board()
    board.chatter(2)
    board.intake.lose("loose", "the hub is away")
    assert [lost.muted for lost in board.lost] == [True, False]
    board.clock.advance(60 * SECOND_US)
    assert board.found == []
    board.change()
    board.clock.advance(SECOND_US)
    assert board.found == ["loose"]
    assert board.told("loose")[-1] is board.level["loose"]


def test_what_balls_and_hands_do_is_never_muted():
    """A ball that rocks for six seconds, a busy game for an hour, a tile that is laid with a shaking hand."""
    board = Board()
    board.chatter(6, hz=8)
    board.clock.advance(5 * SECOND_US)
    board.chatter(3_600, hz=3)
    board.chatter(0.5, hz=100)
    assert board.lost == []
    assert len(board.told("loose")) == 48 + 3_600 * 3 + 50


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(1, 300), st.integers(1_500, 30_000_000)), max_size=8))
def test_what_the_table_was_told_is_true_at_every_quiet(bursts):
    """For any bursts with any pauses: half a minute without a change, and told and true are the same again."""
    board = Board()
    for changes, pause_us in bursts:
        for _change in range(changes):
            board.change()
            board.clock.advance(2_000)
        board.clock.advance(pause_us)
    board.clock.advance(321 * SECOND_US)
    told = board.told("loose")
    assert (told[-1] if told else False) is board.level["loose"]
    assert all(one is not other for one, other in itertools.pairwise(told))


# --- Clocks of devices ---


@pytest.mark.parametrize("off_us", [3_600 * SECOND_US, SECOND_US, -3_600 * SECOND_US, 2**40])
def test_a_time_that_cannot_be_is_taken_as_now_and_told(off_us):
    """An hour ahead or behind: the change is heard at once, in its order, and whose clock it is is known."""
    board = Board()
    board.clock.advance(7_200 * SECOND_US)
    board.intake.post("loose", True, board.clock.now_us() + off_us)
    board.change("sound")
    board.clock.advance(20_000)
    assert [(edge.sensor, edge.at_us) for edge in board.seen] == [
        ("loose", 7_200 * SECOND_US),
        ("sound", 7_200 * SECOND_US),
    ]
    assert board.intake.misdated == {"loose": off_us}
    board.clock.advance(61 * SECOND_US)
    assert board.intake.misdated == {}
