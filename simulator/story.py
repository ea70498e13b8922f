"""Puts events in order of time: true facts, and what sensors would have seen.

Events are found out of order (balls are looked at one by one) and some lie ahead (a ball that fell passes
the drain beam later). They wait here until :meth:`Story.tell` says that nothing earlier can come.
"""

import heapq
from typing import Final, NamedTuple

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallOffBoard,
    BallStuckOnRamp,
    Fact,
)
from hextraction.simulator.sight import Happened

__all__ = ["Cover", "Story"]

FALL_US: Final = 70_000
"""Time from the channel's floor to the beam under the slot, 25 mm below."""
DRAIN_PULSE_US: Final = 10_000
ZONE_US: Final = 12_000
"""Time from the outlet to the beam across the end zone."""
ZONE_PULSE_US: Final = 18_000
SETTLE_US: Final = 250_000
"""Time until a ball lies still in an end zone."""


class Cover(NamedTuple):
    """A ball (or tile) starts or stops covering a sensor; several may cover it at once."""

    at_us: int
    sensor: str
    active: bool


class Story:
    """Facts and covers, released in order."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, Fact | Cover]] = []
        self._noted = 0
        self._facts: list[Fact] = []
        self._covers: list[Cover] = []

    @property
    def pending(self) -> bool:
        """Whether anything is still waiting."""
        return bool(self._waiting)

    @property
    def next_us(self) -> int | None:
        """The time of the earliest waiting item."""
        return self._waiting[0][0] if self._waiting else None

    def fact(self, at_us: int, fact: Fact) -> None:
        """Queue a fact."""
        self._keep(at_us, fact)

    def cover(self, at_us: int, sensor: str, *, active: bool) -> None:
        """Queue a change at a sensor."""
        self._keep(at_us, Cover(at_us, sensor, active))

    def note(self, ball: int, last_slot: str | None, at_us: int, what: Happened, where: str) -> None:
        """Queue a look's finding; ``where`` is a sensor, a slot, or the end zone of a ball that has gone."""
        if what is Happened.COVERS:
            self._keep(at_us, Cover(at_us, where, active=True))
        elif what is Happened.UNCOVERS:
            self._keep(at_us, Cover(at_us, where, active=False))
        elif what is Happened.ENTERED:
            self.fact(at_us, BallEntered(at_us=at_us, ball=ball, slot=where))
        elif what is Happened.LEFT:
            self.fact(at_us, BallLeft(at_us=at_us, ball=ball, slot=where))
        elif what is Happened.FELL:
            self.fact(at_us, BallFell(at_us=at_us, ball=ball, slot=where))
            self._pulse(at_us + FALL_US, f"drain.{where}", DRAIN_PULSE_US)
        elif where:
            self.fact(at_us, BallInZone(at_us=at_us, ball=ball, zone=where))
            self._pulse(at_us + ZONE_US, f"zone.{where}", ZONE_PULSE_US)
            self.cover(at_us + SETTLE_US, f"rest.{where}", active=True)
        else:
            self.fact(at_us, BallOffBoard(at_us=at_us, ball=ball, slot=last_slot))

    def stuck(self, at_us: int, ball: int, ramp: str) -> None:
        """Queue that a ball came to rest on its ramp."""
        self.fact(at_us, BallStuckOnRamp(at_us=at_us, ball=ball, ramp=ramp))

    def tell(self, until_us: int) -> None:
        """Release everything up to ``until_us``."""
        waiting = self._waiting
        while waiting and waiting[0][0] <= until_us:
            item = heapq.heappop(waiting)[2]
            if type(item) is Cover:
                self._covers.append(item)
            else:
                self._facts.append(item)  # type: ignore[arg-type]

    def take_facts(self) -> tuple[Fact, ...]:
        """Return the facts released since the last call."""
        facts, self._facts = tuple(self._facts), []
        return facts

    def take_covers(self) -> tuple[Cover, ...]:
        """Return the covers released since the last call."""
        if not self._covers:
            return ()
        covers, self._covers = tuple(self._covers), []
        return covers

    def _pulse(self, at_us: int, sensor: str, pulse_us: int) -> None:
        self.cover(at_us, sensor, active=True)
        self.cover(at_us + pulse_us, sensor, active=False)

    def _keep(self, at_us: int, item: Fact | Cover) -> None:
        heapq.heappush(self._waiting, (at_us, self._noted, item))
        self._noted += 1
