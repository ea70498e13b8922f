"""The table, operators and the log are told of sensors that are not well, once for each change."""

import logging

from helpers.simulated import begin
from hextraction.board.profile import load_board
from hextraction.controller.app.check_board import checking_host
from hextraction.controller.table.health import Health, tell_health
from hextraction.hal.mock import ManualClock, MockInputs

MINUTE_US = 60_000_000


class Audience:
    """Keeps what phones and operators would get."""

    def __init__(self):
        self.tables, self.diags, self.here, self.away_s = [], [], {}, {}

    def publish_table(self, table):
        """Keep a table."""
        self.tables.append(table)

    def publish_diag(self, diag):
        """Keep a diagnosis."""
        self.diags.append(diag)


def a_table():
    """Return a host with somebody looking on, and the health of two sensors."""
    host = checking_host(load_board(), lambda _word: None)
    host.audience = Audience()
    return host, Health(["ramp.L1", "drain.A1"])


def test_the_table_is_told_of_each_change_and_of_nothing_else():
    """A stuck beam is told once, and once more when it is well again; the log has both."""
    host, health = a_table()
    health.edge("ramp.L1", True, 0)
    for now_us in (MINUTE_US, MINUTE_US + 1, MINUTE_US + 5_000_000):
        tell_health(host, health, now_us)
    (table,) = host.audience.tables
    (trouble,) = table.health
    assert (trouble.sensor, trouble.state) == ("ramp.L1", "stuck")
    assert trouble.does == "It counts again once it turns off."
    health.edge("ramp.L1", False, 2 * MINUTE_US)
    tell_health(host, health, 2 * MINUTE_US)
    assert host.audience.tables[-1].health == ()
    assert len(host.audience.tables) == 2
    assert [diag.values["stuck"] for diag in host.audience.diags] == [[], ["ramp.L1"], ["ramp.L1"], []]


def test_a_device_that_does_not_answer_loses_its_sensors_until_it_returns():
    """A sensor without a level is lost; when it answers again it is well."""
    host, health = a_table()
    inputs = MockInputs(["ramp.L1", "drain.A1"], clock=ManualClock())
    inputs.lose("drain.A1")
    tell_health(host, health, 1, inputs)
    assert [(one.sensor, one.state) for one in host.audience.tables[-1].health] == [("drain.A1", "lost")]
    inputs.set("drain.A1", True)
    tell_health(host, health, 2, inputs)
    assert host.audience.tables[-1].health == ()


def test_a_device_with_many_sensors_is_one_line_in_the_log(caplog):
    """A hub has a hundred and fifty: the log says how many and names a few."""
    names = [f"drain.{column}{row}" for column in "ABC" for row in (1, 2)]
    host = checking_host(load_board(), lambda _word: None)
    health, inputs = Health(names), MockInputs(names, clock=ManualClock())
    with caplog.at_level(logging.INFO, "hextraction.controller.table.health"):
        for name in names:
            inputs.lose(name)
        tell_health(host, health, 1, inputs)
        for name in names:
            inputs.set(name, False)
        tell_health(host, health, 2, inputs)
    lost, well = (record.getMessage() for record in caplog.records if record.name.endswith("table.health"))
    few = "(drain.A1, drain.A2, drain.B1, drain.B2 and 2 more)"
    assert lost.startswith(f"6 sensors are lost: its device does not answer {few}. The game goes on")
    assert well == f"6 sensors are well again {few}"


def test_what_people_declared_broken_is_in_the_list(caplog):
    """The desk's word stands beside the measured states, and the log says what is done."""
    host, health = a_table()
    host.runtime = begin(3).host.runtime
    host.runtime.declare("ramp.L1", 0, broken=True)
    with caplog.at_level(logging.INFO, "hextraction.controller.table.health"):
        tell_health(host, health, 1)
        host.runtime.declare("ramp.L1", 0, broken=False)
        tell_health(host, health, 2)
    assert [each.state for each in host.audience.tables[0].health] == ["broken"]
    assert [record.getMessage() for record in caplog.records if record.name.endswith("table.health")] == [
        "sensor ramp.L1 is broken: somebody said so. It counts again once somebody taps “It works”.",
        "sensor ramp.L1 is well again",
    ]


def test_the_log_says_when_the_tracker_falls_behind(caplog):
    """Each time once, with the pulses that are new; a new game begins at nothing."""
    host = begin(3).host
    tracker = host.runtime.referee.tracker
    for narrowed in (0, 101, 101, 250):
        tracker.narrowed = narrowed
        tell_health(host, Health([]), 1)
    assert [record.getMessage() for record in caplog.records if record.name.endswith(".health")] == [
        "the tracker fell behind: of 101 pulses it kept fewer accounts, and is less sure of that roll",
        "the tracker fell behind: of 149 pulses it kept fewer accounts, and is less sure of that roll",
    ]
    host.runtime = None
    tell_health(host, Health([]), 2)
    assert host.narrowed == 0
