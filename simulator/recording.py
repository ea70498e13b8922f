"""Records a roll: what the sensors reported, and what truly happened.

A file of its own because it needs the whole simulated board; it serves to judge a tracker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hextraction.board.facts import Fact, RollSettled
from hextraction.hal.ports import Edge
from hextraction.simulator.backend import SimulatedBoard
from hextraction.simulator.noise import LAG_US

__all__ = ["ROLL_LIMIT_US", "RecordedRoll", "record"]

ROLL_LIMIT_US: Final = 20_000_000
"""A ball that is still rocking after this long is left alone."""
_FRAME_US: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRoll:
    """One roll. ``resting`` are the balls by slot before it; ``settled`` is the true account of it."""

    edges: tuple[Edge, ...]
    facts: tuple[Fact, ...]
    resting: Mapping[str, tuple[int, ...]]
    settled: RollSettled


def record(sim: SimulatedBoard, ramps: Sequence[str], *, gap_us: int = 0) -> RecordedRoll:
    """Release a ball on each ramp, ``gap_us`` apart, wait for quiet, and return observations and truth.

    It replaces the sensors' listener. Facts from before the roll are dropped.
    """
    edges: list[Edge] = []
    sim.advance(sim.clock.now_us())
    sim.inputs.listen(edges.append)
    sim.world.facts()
    resting = sim.world.contents.slots
    began_us = sim.clock.now_us()
    for ramp in ramps:
        sim.world.release(ramp)
        sim.advance(sim.clock.now_us() + gap_us)
    while sim.world.moving and sim.clock.now_us() < began_us + ROLL_LIMIT_US:
        sim.advance(sim.clock.now_us() + _FRAME_US)
    sim.advance(sim.clock.now_us() + LAG_US)
    facts = sim.world.facts()
    settled = RollSettled(at_us=sim.clock.now_us(), facts=facts)
    return RecordedRoll(edges=tuple(edges), facts=facts, resting=resting, settled=settled)
