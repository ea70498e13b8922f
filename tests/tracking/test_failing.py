"""Sensors that stick, stay silent or chatter: found within three rolls of the simulated board, and left out."""

from itertools import pairwise

import pytest
from helpers.trackbench import BOARD, STRAIGHT, Bench, touches
from hextraction.board.facts import RollSettled
from hextraction.board.instruments import instruments
from hextraction.controller.tracking import Laid, Tracker
from hextraction.simulator import World
from hextraction.simulator.sensors import Sensors

SENSORS = [one.name for one in instruments(BOARD) if not one.name.startswith("tile.")]
COLUMN = {slot: Laid(STRAIGHT, 0) for slot in ("B1", "B2", "B3", "B4", "B5")}
ROLL_US = 20_000_000


def stuck(edges, sensor):
    """It goes on with the first ball and never off again."""
    first = next((edge for edge in edges if edge[1] == sensor and edge[2]), None)
    return sorted([edge for edge in edges if edge[1] != sensor] + [first] * (first is not None))


def silent(edges, sensor):
    """It never says anything."""
    return [edge for edge in edges if edge[1] != sensor]


def chattering(edges, sensor):
    """It goes on and off all the time, every fifty milliseconds."""
    others = silent(edges, sensor)
    until_us = others[-1][0]
    times = range(others[0][0], until_us, 50_000)
    return sorted(others + [(at_us, sensor, bool(index % 2)) for index, at_us in enumerate(times, 1)])


def restless(edges, sensor):
    """It says eight times in each roll that something is there, for a tenth of a second."""
    begins = [
        after[0]
        for before, after in pairwise([(-1, "", False), *edges])
        if after[0] // ROLL_US > before[0] // ROLL_US
    ]
    wrong = [(at_us + 100_000 * index, sensor, not index % 2) for at_us in begins for index in range(16)]
    return sorted(silent(edges, sensor) + wrong)


def true_edges(rolls):
    """Let a ball down the column in each roll; return all edges."""
    world, sensors, found = World(BOARD, seed=3), Sensors(BOARD), []
    for slot, laid in COLUMN.items():
        world.lay(slot, *laid)
    for roll in range(1, rolls + 1):
        world.release("L2")
        world.advance(roll * ROLL_US)
        found += [(edge.at_us, edge.sensor, edge.active) for edge in sensors.hear(world.covers())]
        for some in (*world.contents.zones.values(), *world.contents.slots.values()):
            for ball in some:
                world.take_ball(ball)
        found += [(edge.at_us, edge.sensor, edge.active) for edge in sensors.hear(world.covers())]
    return [edge for edge in found if edge[1] in SENSORS]


def followed(edges):
    """Return a tracker that has heard edges and gates, what it settled, and its suspects after each roll."""
    tracker, settled, suspects = Tracker(BOARD, SENSORS), [], []
    tracker.lay(COLUMN)
    tracker.put_balls({})
    for before, edge in pairwise([(0, "", False), *edges]):
        until_us = edge[0]
        while tracker.wake_at_us is not None and tracker.wake_at_us < until_us:
            settled += [fact for fact in tracker.advance(tracker.wake_at_us) if isinstance(fact, RollSettled)]
        if before[0] // ROLL_US < until_us // ROLL_US:
            suspects.append(tracker.suspects)
            tracker.put_balls({})
        if not before[0] or before[0] // ROLL_US < until_us // ROLL_US:
            tracker.expect("L2", until_us // ROLL_US * ROLL_US)
        settled += [
            fact for fact in tracker.feed(edge[1], edge[2], until_us) if isinstance(fact, RollSettled)
        ]
    while tracker.wake_at_us is not None:
        settled += [fact for fact in tracker.advance(tracker.wake_at_us) if isinstance(fact, RollSettled)]
    return tracker, settled, [*suspects, tracker.suspects]


@pytest.mark.parametrize(
    ("failing", "sensor"),
    [
        (stuck, "edge.B2.4"),
        (stuck, "ball.B3"),
        (stuck, "edge.E3.4"),
        (silent, "edge.B2.4"),
        (silent, "ball.B3"),
        (silent, "ramp.L2"),
        (silent, "edge.B5.4"),
        (silent, "ball.B5"),
        (silent, "zone.L"),
        (silent, "rest.L"),
        (chattering, "edge.B3.4"),
        (chattering, "ball.E2"),
        (restless, "edge.B3.4"),
        (restless, "ramp.R2"),
    ],
)
def test_a_failing_sensor_is_found_within_three_rolls_and_left_out(failing, sensor):
    """It alone is a suspect after three rolls; in the fourth the ball's way is told exactly, and surely."""
    edges = true_edges(4)
    whole = followed(edges)[1]
    if failing is stuck and not any(edge[1] == sensor for edge in edges):
        edges = sorted([*edges, (edges[0][0] + 1, sensor, True)])
    tracker, settled, suspects = followed(failing(edges, sensor))

    assert suspects[2] == (sensor,)
    assert tracker.suspects == (sensor,)
    assert touches(settled[-1].facts) == touches(whole[-1].facts)
    assert settled[-1].probability > 0.9


def test_no_sound_sensor_is_ever_a_suspect():
    """Six rolls of one ball, nothing wrong: nobody is blamed."""
    assert set(followed(true_edges(6))[2]) == {()}


def test_what_the_end_of_a_roll_explains_is_not_stuck():
    """A ball that its ramp's beam missed lies over the Hall: nothing told of it for eight seconds, and it is right."""
    bench = Bench()
    bench.tracker.expect("R2", 1_000_000)
    bench.on("ball.D1", 1_250)
    settled = bench.quiet()
    assert bench.tracker.suspects == ()
    assert touches(settled.facts) == {"D1": 1}
    assert bench.tracker.resting == {1: "D1"}
