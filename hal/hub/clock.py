"""Converts the hub's timestamps to the host's time. Pure.

The hub's timestamps are the low 32 bits of its own microseconds, which wrap every 71.6 minutes. A ping
relates both clocks: when the hub answered, the host's time lay between sending and hearing. The true offset
lies in the intersection of the last sixteen such intervals, each widened by how far two crystals may have
drifted since.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

__all__ = ["Exchange", "HubClock", "Pings"]

_KEPT: Final = 16
_WRAP: Final = 1 << 32
_ENOUGH: Final = 8
_JUMP_US: Final = 50_000
"""No drift and no way takes a clock so far from all that it has said: it has jumped."""
_APART_PER_US: Final = 60e-6
"""How fast two crystals may drift apart: 30 us a second for the Pico's, and as much for the host's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One ping: when it was sent and answered in the host's time, and the hub's time in between."""

    sent_us: int
    heard_us: int
    hub_us: int

    @property
    def round_us(self) -> int:
        """The round-trip time."""
        return self.heard_us - self.sent_us

    @property
    def offsets_us(self) -> tuple[int, int]:
        """The smallest and largest possible offset, host's time minus the hub's."""
        return self.sent_us - self.hub_us, self.heard_us - self.hub_us


class HubClock:
    """Tracks the hub's clock from its last sixteen answers."""

    def __init__(self) -> None:
        self._exchanges: deque[Exchange] = deque(maxlen=_KEPT)
        self._newest_us = 0
        self._offsets_us = (0, 0)
        self.jump: tuple[int, int] | None = None
        """When the hub's clock jumped last, in the host's time, and by how much."""

    @property
    def is_set(self) -> bool:
        """Whether there has been an answer since the hub started."""
        return bool(self._exchanges)

    @property
    def is_steady(self) -> bool:
        """Whether there are enough answers that more would improve little."""
        return len(self._exchanges) >= _ENOUGH

    @property
    def error_us(self) -> int:
        """How far :meth:`host_us` may be off."""
        least, most = self._offsets_us
        return (most - least + 1) // 2

    def take(self, exchange: Exchange) -> bool:
        """Add an answer; return false, and drop all earlier ones, if the hub's time went back."""
        goes_on = exchange.hub_us >= self._newest_us
        jumped_us = self._jumped_us(exchange)
        if goes_on and jumped_us:
            self.jump = exchange.heard_us, jumped_us
        if jumped_us or not goes_on:
            self._exchanges.clear()
        self._newest_us = exchange.hub_us
        self._exchanges.append(exchange)
        self._offsets_us = self._common()
        return goes_on

    def _jumped_us(self, exchange: Exchange) -> int:
        """Return how far the hub's clock is ahead of what it has said before; 0 if that agrees."""
        if not self._exchanges:
            return 0
        (least, most), (newer_least, newer_most) = self._offsets_us, exchange.offsets_us
        apart_us = max(least - newer_most, newer_least - most)
        drift_us = round((exchange.heard_us - self._exchanges[-1].heard_us) * _APART_PER_US)
        if apart_us <= _JUMP_US + drift_us:
            return 0
        return apart_us if least > newer_most else -apart_us

    def reset(self) -> None:
        """Forget everything: the hub may have restarted."""
        self._exchanges.clear()
        self._newest_us = 0

    def whole_us(self, low_us: int) -> int:
        """Return the full hub time that ends in ``low_us`` and is nearest to its newest answer."""
        away = (low_us - self._newest_us) % _WRAP
        return self._newest_us + (away if away < _WRAP // 2 else away - _WRAP)

    def host_us(self, low_us: int) -> int:
        """Return the host's time of a hub timestamp; only after an answer (:attr:`is_set`)."""
        return max(0, self.whole_us(low_us) + sum(self._offsets_us) // 2)

    def _common(self) -> tuple[int, int]:
        """Return the offsets that all exchanges allow; if a clock has jumped, those of the shortest one."""
        now_us = self._exchanges[-1].heard_us
        widened = [
            (least - apart, most + apart)
            for each in self._exchanges
            for least, most in [each.offsets_us]
            for apart in [round((now_us - each.heard_us) * _APART_PER_US)]
        ]
        least, most = max(pair[0] for pair in widened), min(pair[1] for pair in widened)
        if least <= most:
            return least, most
        return min(self._exchanges, key=lambda each: each.round_us).offsets_us


class Pings:
    """The pings that are waiting for an answer, at most sixteen."""

    def __init__(self) -> None:
        self._sent_us: dict[int, int] = {}
        self._token = 0

    def send(self, now_us: int) -> int:
        """Return the token of a new ping."""
        self._token = (self._token + 1) % _WRAP
        self._sent_us[self._token] = now_us
        if len(self._sent_us) > _KEPT:
            del self._sent_us[next(iter(self._sent_us))]
        return self._token

    def answered(self, token: int, hub_us: int, now_us: int) -> Exchange | None:
        """Return the exchange that an answer completes; ``None`` for an unknown token."""
        sent_us = self._sent_us.pop(token, None)
        return None if sent_us is None else Exchange(sent_us=sent_us, heard_us=now_us, hub_us=hub_us)

    def forget(self) -> None:
        """Drop all pings: in a new session old answers mean nothing."""
        self._sent_us.clear()
