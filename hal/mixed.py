"""Sensors of several backends in one build as one stream, in order of time."""

import contextlib
from collections.abc import Mapping, Sequence

from hextraction.hal.intake import Intake, SensorLine
from hextraction.hal.ports import Clock, Edge, Inputs, OnEdge
from hextraction.hal.schedule import Scheduler

__all__ = ["MixedInputs"]


class MixedInputs:
    """All sensors of all ``parts``, by part.

    An edge waits for ``latency_us``, the slowest part's way to here, so that an earlier one can overtake it.
    """

    def __init__(
        self, parts: Sequence[Inputs], *, latency_us: int, clock: Clock, scheduler: Scheduler
    ) -> None:
        self._parts = tuple(parts)
        levels = self._part_levels()
        self._intake = Intake(
            [
                SensorLine(name=name, active=levels.get(name, False))
                for part in self._parts
                for name in part.names
            ],
            clock=clock,
            scheduler=scheduler,
            latency_us=latency_us,
        )
        for part in self._parts:
            part.listen(self._hear)

    @property
    def names(self) -> tuple[str, ...]:
        """The sensors' names."""
        return self._intake.names

    @property
    def late(self) -> int:
        """How many edges came too late for their place and were moved up in time."""
        return self._intake.late

    def listen(self, on_edge: OnEdge) -> None:
        """Call ``on_edge`` for each change from now on."""
        self._intake.listen(on_edge)

    def levels(self) -> Mapping[str, bool]:
        """Return the level of every sensor that answers."""
        return self._part_levels()

    def resync(self) -> None:
        """Read all sensors again where the part can."""
        for part in self._parts:
            resync = getattr(part, "resync", None)
            if resync is not None:
                resync()

    def close(self) -> None:
        """Close every part. May be called twice."""
        self._intake.close()
        with contextlib.ExitStack() as closing:
            for part in self._parts:
                closing.callback(part.close)

    def _hear(self, edge: Edge) -> None:
        self._intake.post(edge.sensor, edge.active, edge.at_us)

    def _part_levels(self) -> dict[str, bool]:
        return {name: active for part in self._parts for name, active in part.levels().items()}
