"""What the hub's sensors say, in the host's names and time. Pure."""

from collections.abc import Callable

from hextraction.hal.hub_clock import HubClock
from hextraction.hal.hub_news import Sample
from hextraction.hal.hub_words import Snapshot, numbers, read_edges
from hextraction.hal.wires import HubWire

__all__ = ["HubLevels"]


class HubLevels:
    """The levels of one session; only what changed is told."""

    def __init__(self, wire: HubWire, clock: HubClock, tell: Callable[[Sample], None]) -> None:
        self.names = numbers((*wire.inputs, *wire.linears))
        self._clock, self._tell = clock, tell
        self._levels: dict[int, bool] = {}

    def reset(self) -> None:
        """Know nothing: the next snapshot tells all."""
        self._levels.clear()

    def edges(self, body: bytes) -> None:
        """Take an ``e``."""
        for edge in read_edges(body):
            self._sample(edge.number, edge.active, self._clock.host_us(edge.low_us))

    def snapshot(self, snapshot: Snapshot, now_us: int) -> None:
        """Take an ``s``: what differs has changed by then, nobody knows when."""
        at_us = min(now_us, self._clock.host_us(snapshot.low_us))
        for number in self.names:
            self._sample(number, number in snapshot.active, at_us)

    def _sample(self, number: int, active: bool, at_us: int) -> None:  # noqa: FBT001 - a sample
        name = self.names.get(number)
        if name is not None and self._levels.get(number) is not active:
            self._levels[number] = active
            self._tell(Sample(name, active, at_us))
