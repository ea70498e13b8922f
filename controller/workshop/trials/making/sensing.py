"""Turn true rolls into what the sensors of a layout would report, including noise."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hextraction.board.facts import BallReleased, Fact
from hextraction.board.profile import Board
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.trace import Trace, TraceEdge, TraceRelease
from hextraction.controller.workshop.trials.making.layouts import NoiseLevel
from hextraction.controller.workshop.trials.making.rolls import LEAD_US, TrueRoll
from hextraction.hal.ports import Edge
from hextraction.simulator.noise import LAG_US, NoisySensors
from hextraction.simulator.sensors import Sensors

__all__ = ["Sensed"]

_GHOST_US: Final = (8_000, 40_000)


class Sensed:
    """Senses one board's rolls in order through given sensors; levels and noise carry over between rolls."""

    def __init__(self, board: Board, sensors: Sequence[str], level: NoiseLevel, *, seed: str) -> None:
        self._board = board
        self._names = tuple(sensors)
        self._wanted = frozenset(sensors)
        self._clean = Sensors(board, further=self._names)
        self._rng = random.Random(f"ghosts {seed}")  # noqa: S311 - seeded on purpose
        self._levels = dict.fromkeys(self._names, False)
        self._noisy = NoisySensors(level.noise, self._levels, self._rng.getrandbits(32))
        self._ghosts = level.ghosts

    def hear(self, roll: TrueRoll, *, known: bool, which: str = "", announced: bool = True) -> Trace:
        """Return the trace of the next roll.

        ``known``: its first line names the tiles. ``announced``: gates announce each release.
        """
        reported = list(self._reported(roll))
        self._take([edge for edge in reported if edge.at_us < roll.from_us])
        on = [TraceEdge(at_us=0, sensor=name, active=True) for name in self._names if self._levels[name]]
        later = [edge for edge in reported if edge.at_us >= roll.from_us]
        self._take(later)
        return Trace(
            board=self._board,
            sensors=self._names,
            which=which,
            tiles={slot: laid if known else Laid(UNKNOWN, 0) for slot, laid in roll.tiles.items()},
            balls=roll.balls,
            edges=(*on, *(_told(edge, roll.from_us) for edge in later)),
            releases=tuple(_releases(roll.facts)) if announced else (),
        )

    def _take(self, edges: Sequence[Edge]) -> None:
        self._levels.update((edge.sensor, edge.active) for edge in edges)

    def _reported(self, roll: TrueRoll) -> Iterator[Edge]:
        """Feed true edges and ghosts through the noise, in order of time, and return the result."""
        clean = [edge for edge in self._clean.hear(roll.covers) if edge.sensor in self._wanted]
        for edge in sorted([*clean, *self._haunt(roll)], key=lambda edge: edge.at_us):
            yield from self._noisy.due(edge.at_us)
            self._noisy.take(edge)
        yield from self._noisy.due(roll.until_us + LAG_US)

    def _haunt(self, roll: TrueRoll) -> Iterator[Edge]:
        """Invent pulses that no ball caused: between zero and this noise level's maximum in each roll."""
        for _ghost in range(self._rng.randint(0, self._ghosts)):
            sensor = self._rng.choice(self._names)
            at_us = self._rng.randint(roll.from_us + LEAD_US, roll.until_us - _GHOST_US[1])
            yield Edge(sensor, active=True, at_us=at_us)
            yield Edge(sensor, active=False, at_us=at_us + self._rng.randint(*_GHOST_US))


def _releases(facts: Iterable[Fact]) -> Iterator[TraceRelease]:
    """Announce each gate as its ball sets out."""
    for fact in facts:
        if isinstance(fact, BallReleased):
            yield TraceRelease(at_us=fact.at_us, release=fact.ramp)


def _told(edge: Edge, from_us: int) -> TraceEdge:
    return TraceEdge(at_us=edge.at_us - from_us, sensor=edge.sensor, active=edge.active)
