"""Health tells operators which sensors are stuck, noisy, silent, unknown or lost."""

from hextraction.controller.health import Health

MINUTE_US = 60_000_000


def test_a_beam_that_is_active_for_more_than_a_minute_is_stuck():
    """A drain, ramp, edge or zone beam is stuck after a minute; a ball or tile Hall may well stay active."""
    health = Health(["drain.A1", "tile.A1", "ball.A1"])
    for name in ("drain.A1", "tile.A1", "ball.A1"):
        health.edge(name, True, 0)
    assert health.report(MINUTE_US)["stuck"] == []
    assert health.report(MINUTE_US + 1)["stuck"] == ["drain.A1"]
    health.edge("drain.A1", False, MINUTE_US + 2)
    assert health.report(2 * MINUTE_US)["stuck"] == []


def test_a_sensor_with_more_than_ten_edges_a_second_is_noisy_for_that_minute():
    """601 edges in a minute are noise; a quiet minute later it is forgiven."""
    health = Health(["ramp.L1"])
    for number in range(602):
        health.edge("ramp.L1", number % 2 == 0, number * 1_000)
    health.edge("ramp.L1", False, MINUTE_US)
    assert health.report(MINUTE_US)["noisy"] == ["ramp.L1"]
    health.edge("ramp.L1", True, 2 * MINUTE_US)
    assert health.report(2 * MINUTE_US)["noisy"] == []


def test_silent_unknown_and_lost_are_named():
    """A sensor that never spoke, a name that is none, and a device that went away are each told."""
    health = Health(["ramp.L1", "ramp.L2"])
    health.edge("ramp.L1", True, 5)
    health.edge("sneeze", True, 6)
    health.edge("sneeze", False, 7)
    health.lost("strip: unplugged")
    report = health.report(10)
    assert (report["silent"], report["unknown"], report["lost"]) == (
        ["ramp.L2"],
        {"sneeze": 2},
        ["strip: unplugged"],
    )
    assert (report["sensors"], report["edges"]) == (2, 1)
