"""Health: what each sensor has been doing, for operators. Counts only; it never touches the game."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

__all__ = ["Health"]

_STUCK_US: Final = 60_000_000
_NOISY_PER_MINUTE: Final = 600


class Health:
    """Watches the sensors of one board.

    A sensor that has been active for a minute is *stuck* (unless a ball may well lie there: Halls), one with
    more than ten edges a second over a minute is *noisy*, one that never spoke since the start is *silent*.
    """

    def __init__(self, sensors: Iterable[str]) -> None:
        self._edges: Counter[str] = Counter(dict.fromkeys(sensors, 0))
        self._recent: Counter[str] = Counter()
        self._active_since: dict[str, int] = {}
        self._minute_us = 0
        self._noisy: tuple[str, ...] = ()
        self._lost: list[str] = []
        self._unknown: Counter[str] = Counter()

    def edge(self, sensor: str, active: bool, at_us: int) -> None:  # noqa: FBT001 - as the hal says it
        """Note a change of a sensor."""
        if sensor not in self._edges:
            self._unknown[sensor] += 1
            return
        self._edges[sensor] += 1
        self._recent[sensor] += 1
        if active:
            self._active_since.setdefault(sensor, at_us)
        else:
            self._active_since.pop(sensor, None)
        if at_us - self._minute_us >= 60_000_000:
            self._noisy = tuple(
                sorted(name for name, count in self._recent.items() if count > _NOISY_PER_MINUTE)
            )
            self._recent.clear()
            self._minute_us = at_us

    def lost(self, what: str) -> None:
        """Note a device that stopped answering."""
        self._lost.append(what)

    def report(self, now_us: int) -> dict[str, Any]:
        """Return the present state of health."""
        stuck = [
            name
            for name, since_us in self._active_since.items()
            if now_us - since_us > _STUCK_US and name.partition(".")[0] in {"drain", "ramp", "edge", "zone"}
        ]
        return {
            "sensors": len(self._edges),
            "edges": sum(self._edges.values()),
            "stuck": sorted(stuck),
            "noisy": list(self._noisy),
            "silent": sorted(name for name, count in self._edges.items() if not count),
            "unknown": dict(self._unknown),
            "lost": list(self._lost),
        }
