"""When games were played, as far as that is known: a Raspberry Pi has no clock that runs while it is off.

The journal's order is what happened. A date is believed if this program can have been there, it is not after
today, and it is not before that of an earlier game.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

__all__ = ["UNKNOWN", "believed", "believed_in_order", "instant", "latest_of"]

UNKNOWN: Final = ""
"""In the place of a date that is not known."""
_NEVER_BEFORE: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""No version of this program is older."""


def believed(wall: str, latest: datetime = _NEVER_BEFORE, now: datetime | None = None) -> datetime | None:
    """Return when that was (ISO 8601); None if it is no date, before ``latest``, or after ``now``.

    A ``now`` that cannot be true itself says nothing.
    """
    at = instant(wall)
    past = at is not None and (now is None or now < _NEVER_BEFORE or at <= now)
    return at if at is not None and latest <= at and past else None


def instant(wall: str) -> datetime | None:
    """Return what a wall clock said (ISO 8601), believed or not; None if it is no date."""
    try:
        at = datetime.fromisoformat(wall)
    except ValueError:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def latest_of(walls: Iterable[str], now: datetime | None = None) -> datetime:
    """Return before when no later game can have been, after games with these dates in the journal's order."""
    latest = _NEVER_BEFORE
    for wall in walls:
        latest = believed(wall, latest, now) or latest
    return latest


def believed_in_order(walls: Iterable[str], now: datetime | None = None) -> Iterator[str]:
    """Yield the dates of games in the journal's order, ``UNKNOWN`` for those that cannot be true."""
    latest = _NEVER_BEFORE
    for wall in walls:
        at = believed(wall, latest, now)
        latest = latest if at is None else at
        yield UNKNOWN if at is None else wall
