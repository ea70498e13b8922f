"""The naive tracker: each pulse belongs to the ball that was nearest; no paths, no second thoughts."""

import math
from typing import Any

REACH_MM = 80.0


def track(places: Any, balls: Any, pulses: Any) -> Any:
    """Return, for each ball, the pulses that are its own; ``places`` has each sensor's place in mm.

    ``balls`` are the places of balls at rest; a pulse of a ramp is a new ball.
    """
    where = dict(balls)
    ways: dict[int, list[int]] = {ball: [] for ball in balls}
    for index, (sensor, _on_us, _off_us) in enumerate(pulses):
        if sensor.startswith("ramp."):
            ball = max(ways, default=0) + 1
            ways[ball] = []
        else:
            near = [(math.dist(place, places[sensor]), ball) for ball, place in where.items()]
            apart, ball = min(near, default=(math.inf, 0))
            if apart > REACH_MM:
                continue
        ways[ball].append(index)
        where[ball] = places[sensor]
        if sensor.startswith(("drain.", "zone.")):
            del where[ball]
    return ways
