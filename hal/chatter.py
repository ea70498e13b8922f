"""A sensor that changes without end, by a loose wire or a dying part, is muted until it is quiet. Pure.

A file of its own, though only the intake uses it, because it is the one rule of this room about a sensor as
a whole: it knows neither threads nor filters. What a ball does is far below: one that rocks on a beam for six
seconds makes fifty changes, and a busy game two a second. A muted sensor costs next to nothing where it is
read, and the journal, the tracker and the phones nothing at all.
"""

from dataclasses import dataclass
from typing import Final

__all__ = ["WHY", "Chatter"]

WHY: Final = "it changes far too often"
_MANY: Final = 120
_LEAK_US: Final = 200_000
"""One change in a fifth of a second is forgiven; of more, so many are too many."""
_QUIET_US: Final = 10_000_000
_LONGEST_QUIET_US: Final = 320_000_000
_WELL_US: Final = 600_000_000
"""Who chatters again before this must be quiet for twice as long the next time."""


@dataclass(slots=True)
class _Muted:
    """The newest sample of a muted sensor, and when it was."""

    active: bool
    at_us: int


class Chatter:
    """Counts the changes of each sensor, and keeps those that are muted."""

    def __init__(self) -> None:
        self._levels: dict[str, tuple[float, int]] = {}
        self._muted: dict[str, _Muted] = {}
        self._quiet_us: dict[str, int] = {}
        self._back_us: dict[str, int] = {}

    def __contains__(self, sensor: str) -> bool:
        """Whether a sensor is muted."""
        return sensor in self._muted

    @property
    def muted(self) -> frozenset[str]:
        """The sensors that are muted."""
        return frozenset(self._muted)

    @property
    def wake_at_us(self) -> int | None:
        """When :meth:`quiet` is due next; ``None`` while nothing is muted."""
        return min(
            (each.at_us + self._quiet_us[name] for name, each in tuple(self._muted.items())), default=None
        )

    def changed(self, sensor: str, active: bool, at_us: int) -> bool:  # noqa: FBT001 - a change
        """Count a change; return whether the sensor is muted from here on."""
        level, since_us = self._levels.get(sensor, (0.0, at_us))
        level = max(0.0, level - max(0, at_us - since_us) / _LEAK_US) + 1.0
        self._levels[sensor] = level, max(since_us, at_us)
        if level <= _MANY:
            return False
        again = sensor in self._back_us and at_us - self._back_us[sensor] < _WELL_US
        before_us = self._quiet_us.get(sensor, _QUIET_US)
        self._quiet_us[sensor] = min(2 * before_us, _LONGEST_QUIET_US) if again else _QUIET_US
        self._muted[sensor] = _Muted(active, at_us)
        return True

    def heard(self, sensor: str, active: bool, at_us: int) -> bool:  # noqa: FBT001 - a sample
        """Note a sample; return whether it is that of a muted sensor."""
        muted = self._muted.get(sensor)
        if muted is None:
            return False
        if active is not muted.active:  # to be read again is no change
            muted.active, muted.at_us = active, max(muted.at_us, at_us)
        return True

    def quiet(self, now_us: int) -> tuple[tuple[str, bool], ...]:
        """Let those speak again that have been quiet for long enough; return each with its level."""
        if not self._muted:
            return ()
        done = [
            name for name, each in tuple(self._muted.items()) if now_us >= each.at_us + self._quiet_us[name]
        ]
        return tuple((name, self._speaks(name, now_us)) for name in done)

    def forget(self, sensor: str) -> None:
        """Mute a sensor no more: its device does not answer, which is told by others."""
        self._muted.pop(sensor, None)
        self._levels.pop(sensor, None)

    def _speaks(self, sensor: str, now_us: int) -> bool:
        self._back_us[sensor] = now_us
        self._levels.pop(sensor, None)
        return self._muted.pop(sensor).active
