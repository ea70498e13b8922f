"""Tracks the pulse requested from the hub until the coil is certainly off again. Pure.

The hub ends its pulses itself. This module only knows whether one may still be on: from the request until the
hub reports that it ended, was refused, or that nothing is armed; and for a while after the link was cut.
"""

import struct
from collections import Counter
from dataclasses import dataclass
from typing import Final

from hextraction.hal.hub.words import Off, State, Verdict
from hextraction.hal.ports import PulseResult

__all__ = ["RESULTS", "PulseInFlight"]

RESULTS: Final = (
    PulseResult.DONE,
    PulseResult.CLAMPED,
    PulseResult.REFUSED_UNKNOWN,
    PulseResult.REFUSED_OFF,
    PulseResult.REFUSED_DUTY,
    PulseResult.REFUSED_DUTY,
    PulseResult.REFUSED_BUSY,
    PulseResult.REFUSED_UNKNOWN,
)
"""The hub's result codes as pulse results, by number."""
_DEAF_US: Final = 700_000
"""A hub that hears nothing for 500 ms switches off; this adds a margin."""
_OVERDUE_US: Final = 20_000


@dataclass(slots=True)
class _Asked:
    request: int
    until_us: int
    stopped_us: int | None = None
    cut_until_us: int | None = None


class PulseInFlight:
    """At most one pulse; ``results`` counts the hub's results."""

    def __init__(self) -> None:
        self.results: Counter[PulseResult] = Counter()
        self._asked: _Asked | None = None
        self._request = 0

    def is_on(self, now_us: int) -> bool:
        """Whether a coil may be on, or may still switch on."""
        asked = self._asked
        if asked is not None and asked.cut_until_us is not None and now_us >= asked.cut_until_us:
            self._asked = asked = None
        return asked is not None

    def ask(self, coil: int, pulse_us: int, now_us: int) -> bytes:
        """Start tracking a pulse and return the body of its ``S`` frame."""
        self._request = (self._request + 1) % 65_536
        self._asked = _Asked(self._request, now_us + pulse_us)
        return struct.pack("<HBH", self._request, coil, max(1, pulse_us // 1_000))

    def wants_stop(self, now_us: int, *, early: bool = True) -> bool:
        """Whether to send an ``O`` now: before the pulse is over if ``early``, or when it is overdue."""
        asked = self._asked
        if asked is None or asked.cut_until_us is not None:
            return False
        if asked.stopped_us is not None and now_us < asked.stopped_us + _OVERDUE_US:
            return False
        if not (now_us >= asked.until_us + _OVERDUE_US or (early and now_us < asked.until_us)):
            return False
        asked.stopped_us = now_us
        return True

    def judged(self, verdict: Verdict) -> PulseResult | None:
        """Handle an ``f`` frame; return its result, or ``None`` if it belongs to another request."""
        if self._asked is None or verdict.request != self._asked.request:
            return None
        result = RESULTS[verdict.result] if verdict.result < len(RESULTS) else PulseResult.REFUSED_UNKNOWN
        self.results[result] += 1
        if not verdict.fired:
            self._asked = None
        return result

    def ended(self, off: Off) -> None:
        """Handle an ``o`` frame."""
        if self._asked is not None and off.request == self._asked.request:
            self._asked = None

    def told(self, state: State, at_us: int) -> None:
        """Handle a ``t`` frame made at the host's time ``at_us``: after our ``O``, an idle hub settles it."""
        stopped_us = None if self._asked is None else self._asked.stopped_us
        idle = state.coil is None and not state.queued
        if not state.flags.armed or (stopped_us is not None and at_us > stopped_us and idle):
            self._asked = None

    def disarmed(self) -> None:
        """Handle that nothing is armed: all coils are off."""
        self._asked = None

    def cut(self, now_us: int) -> None:
        """Handle a lost link: the hub will soon switch off on its own."""
        if self._asked is not None and self._asked.cut_until_us is None:
            self._asked.cut_until_us = now_us + _DEAF_US
