"""``GET /metrics``: numbers of a table for a Prometheus, where ``[page] metrics`` asks for them.

What is at any time (seats, phones, health) is read when somebody asks; what passes (edges, commits, goals, a
loop that comes late) is counted as it happens. Nothing of a hand is known here, and no name of anybody. The
library comes with the extra ``metrics`` and is loaded only here.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from hextraction.controller.payloads.health import Ailment
from hextraction.controller.payloads.house import Happening

if TYPE_CHECKING:
    from prometheus_client import Metric

__all__ = ["CONTENT_TYPE", "Metrics", "Numbers"]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_THERMOMETER: Final = Path("/sys/class/thermal/thermal_zone0/temp")
"""The processor's, in thousandths of a degree, on a Raspberry Pi and on most computers."""
_PHASES: Final = ("lobby", "playing", "over")
_SEATS: Final = ("person", "bot", "open")
_TICK_S: Final = 0.5
_LATE_S: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
_COMMIT_S: Final = (0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """How a table is now; ``house`` is None where it copies nothing to a house."""

    game: str = ""
    phase: str = "lobby"
    paused: bool = False
    seats: Mapping[str, int] = field(default_factory=dict)
    phones: int = 0
    connections: Mapping[str, int] = field(default_factory=dict)
    broker: bool = False
    house: bool | None = None
    problems: int = 0
    sensors: Mapping[str, int] = field(default_factory=dict)
    counters: Mapping[str, int] = field(default_factory=dict)


class Metrics:
    """The numbers of one table.

    Args:
        version: of the program.
        table: the table's id.
        coils: what share of its duty each coil has used up, 0 to 1.
        thermometer: where the computer says how warm it is.
        read: how the table is now; whoever serves the metrics sets it.

    Raises:
        ModuleNotFoundError: the extra ``metrics`` is not installed.
    """

    def __init__(
        self,
        *,
        version: str,
        table: str,
        coils: Callable[[], Mapping[str, float]] = dict,
        thermometer: Path = _THERMOMETER,
    ) -> None:
        from prometheus_client import (  # noqa: PLC0415 - an extra, and nobody needs it who does not want numbers
            CollectorRegistry,
            Counter,
            Histogram,
            Info,
            ProcessCollector,
        )

        self.read: Callable[[], Numbers] = Numbers
        self._coils = coils
        self._thermometer = thermometer
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        Info("hextraction", "The program and the table.", registry=registry).info(
            {"version": version, "table": table}
        )
        self._edges = Counter(
            "hextraction_edges",
            "Changes that sensors told, by the kind of sensor.",
            ["kind"],
            registry=registry,
        )
        self._news = Counter(
            "hextraction_happenings", "Games that began, goals, wins and faults.", ["kind"], registry=registry
        )
        for kind in get_args(Happening):
            self._news.labels(kind)
        self._late = Histogram(
            "hextraction_loop_late_seconds",
            "How late the loop came round.",
            buckets=_LATE_S,
            registry=registry,
        )
        self._commit = Histogram(
            "hextraction_commit_seconds",
            "How long the journal took to commit.",
            buckets=_COMMIT_S,
            registry=registry,
        )
        registry.register(_Now(self))

    def text(self) -> bytes:
        """Return all numbers as Prometheus reads them."""
        from prometheus_client import generate_latest  # noqa: PLC0415 - as above

        return generate_latest(self._registry)

    def edge(self, sensor: str) -> None:
        """Count a change of a sensor, by what stands before the dot of its name."""
        self._edges.labels(sensor.partition(".")[0]).inc()

    def happened(self, kind: Happening) -> None:
        """Count something that a house may act upon."""
        self._news.labels(kind).inc()

    def committed(self, seconds: float) -> None:
        """Note how long a commit took."""
        self._commit.observe(seconds)

    async def watch_the_loop(self) -> None:
        """Note twice a second how late the loop comes round, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due_s = loop.time() + _TICK_S
            await asyncio.sleep(_TICK_S)
            self._late.observe(max(0.0, loop.time() - due_s))

    @property
    def coils(self) -> Mapping[str, float]:
        """What share of its duty each coil has used up."""
        return self._coils()

    @property
    def celsius(self) -> float | None:
        """How warm the computer is; None where it does not say."""
        try:
            return int(self._thermometer.read_text("ascii")) / 1000
        except (OSError, ValueError):
            return None


class _Now:
    """What prometheus_client asks for all that is known at any time."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def describe(self) -> list[Any]:
        """Say nothing before it is asked: the table may not be open yet."""
        return []

    def collect(self) -> "Iterator[Metric]":
        """Yield how the table is now."""
        now = self._metrics.read()
        phases = {phase: int(phase == now.phase) for phase in _PHASES}
        yield _gauge("phase", "1 for the phase that the table is in.", "phase", phases)
        yield _gauge(
            "playing", "1 for the game that the table plays.", "game", {now.game: 1} if now.game else {}
        )
        yield _gauge(
            "seats", "Seats by who sits there.", "kind", {one: now.seats.get(one, 0) for one in _SEATS}
        )
        ill = {state: now.sensors.get(state, 0) for state in get_args(Ailment)}
        yield _gauge(
            "sensors_unwell", "Sensors and coils that are not well, by what ails them.", "state", ill
        )
        yield _gauge("connections", "Connections to the page, by who they are.", "circle", now.connections)
        yield _gauge(
            "coil_spent_ratio", "Share of its duty that a coil has used up.", "coil", self._metrics.coils
        )
        yield from _alone(now, self._metrics.celsius)
        yield _counter(
            "gate", "What phones sent and what was turned away (docs/house.md).", "what", now.counters
        )


def _alone(now: Numbers, celsius: float | None) -> "Iterator[Metric]":
    """Yield the numbers without a label; one that is not known is left out."""
    for name, told, value in (
        ("paused", "1 while the game is paused.", int(now.paused)),
        ("phones", "Phones of seats and of watchers.", now.phones),
        ("healthy", "1 while /health has nothing to say.", int(not now.problems)),
        ("problems", "How many problems /health tells.", now.problems),
        ("broker_online", "1 while the broker is there that phones talk through.", int(now.broker)),
        (
            "house_online",
            "1 while the house's broker takes the copy.",
            None if now.house is None else int(now.house),
        ),
        ("computer_celsius", "How warm the computer is.", celsius),
    ):
        if value is not None:
            yield _gauge(name, told, "", {"": value})


def _gauge(name: str, told: str, label: str, values: Mapping[str, float]) -> "Metric":
    from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415 - as above

    return _filled(GaugeMetricFamily(f"hextraction_{name}", told, labels=[label] if label else []), values)


def _counter(name: str, told: str, label: str, values: Mapping[str, float]) -> "Metric":
    from prometheus_client.core import CounterMetricFamily  # noqa: PLC0415 - as above

    return _filled(CounterMetricFamily(f"hextraction_{name}", told, labels=[label]), values)


def _filled(family: Any, values: Mapping[str, float]) -> "Metric":
    for name, value in values.items():
        family.add_metric([name] if name else [], value)
    found: Metric = family
    return found
