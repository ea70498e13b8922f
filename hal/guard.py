"""The solenoid guard: the only class that turns a request into current.

Rules of this room:

1. A backend offers a :class:`CoilDriver`, which only switches on and off, or :class:`TimedCoils`, which end
   their pulses themselves; only the guard has ``pulse``, and the factory hands out nothing else.
2. The end of a pulse is scheduled before the coil is switched on, on the guard's own scheduler.
3. At most one coil is on; limits are those of :mod:`hextraction.hal.wiring.coil_limits`; there is no "hold".
4. A driver that raises is never trusted again: every coil is released (retrying until it succeeds), the
   guard refuses from then on, and :attr:`SolenoidGuard.armed` turns false so that the supply drops.
5. Timed coils may disappear and come back. Their pulse lasts until they report its end: while that is
   uncertain, no other coil is switched on.
"""

import atexit
import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from hextraction.hal.errors import DeviceLost
from hextraction.hal.intake import OnLost
from hextraction.hal.ports import Clock, PulseResult
from hextraction.hal.schedule import Scheduler
from hextraction.hal.wiring.coil_limits import DEFAULT_PULSE_MS, DUTY_WINDOW_US, GAP_US, CoilLimits

__all__ = ["CoilDriver", "OnPulse", "SolenoidGuard", "TimedCoils"]

# --- What the guard asks of coils ---

OnPulse = Callable[[str, int, int], None]
"""Called with a coil's name, the start of its pulse and its latest end, on the guard's clock."""


class CoilDriver(Protocol):
    """Raw access to coils, for the guard only. Any method may raise when the device is gone."""

    def energise(self, name: str) -> None:
        """Switch one coil on."""
        ...

    def release(self, name: str) -> None:
        """Switch one coil off; harmless if it is off."""
        ...

    def close(self) -> None:
        """Switch all outputs off and close them. May be called twice."""
        ...


class TimedCoils(Protocol):
    """Coils on a device that times their pulses itself, for the guard only. Raises nothing.

    ``coils`` are their names; ``is_on`` says whether one of them may be on, or may still switch on.
    """

    @property
    def coils(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def is_on(self) -> bool: ...  # noqa: D102

    def coil_ready(self, name: str) -> bool:
        """Whether a pulse of this coil would be fired now."""
        ...

    def fire(self, name: str, pulse_us: int) -> bool:
        """Request a pulse; false if it will not happen."""
        ...

    def stop(self) -> None:
        """End a pulse early; harmless if there is none."""
        ...


# --- The guard ---

_log = logging.getLogger(__name__)

_RETRY_US: Final = 10_000
_CLOSING_TRIES: Final = 3
_ASK_AGAIN_US: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pulse:
    """A pulse in progress."""

    name: str
    began_us: int
    ends_us: int


class SolenoidGuard:
    """Every coil of the board, safely. Implements :class:`~hextraction.hal.ports.Solenoids`.

    ``limits`` names the coils in wiring order; ``driver`` has the ones that ``timed`` does not have;
    ``supply_on`` says whether the board is on. Thread-safe. It also switches all off at interpreter exit.
    """

    def __init__(
        self,
        driver: CoilDriver,
        limits: Mapping[str, CoilLimits],
        *,
        clock: Clock,
        scheduler: Scheduler,
        supply_on: Callable[[], bool] = lambda: True,
        on_lost: OnLost | None = None,
        timed: TimedCoils | None = None,
        usual_ms: Mapping[str, int] | None = None,
    ) -> None:
        self._driver = driver
        self._timed = timed
        self._timed_names = frozenset(timed.coils if timed is not None else ())
        self._limits = dict(limits)
        self._usual_ms = dict(usual_ms or {})
        self._clock = clock
        self._scheduler = scheduler
        self._supply_on = supply_on
        self._on_lost = on_lost
        self._lock = threading.RLock()
        self._now_on: _Pulse | None = None
        self._past: dict[str, deque[tuple[int, int]]] = {name: deque() for name in self._limits}
        self._rested_us: dict[str, int] = {}
        self._quiet_us: int | None = None
        self._ask_again_us = 0
        self._trusted = True
        self._closed = False
        self.on_pulse: OnPulse = lambda _name, _began_us, _ends_us: None
        """Called for every pulse that begins, on the requesting thread; it must not block or raise."""
        self.results: Counter[PulseResult] = Counter()
        """How often each result was returned, clamped and refused ones included."""
        atexit.register(self.close)

    @property
    def names(self) -> tuple[str, ...]:
        """The coils' names, in wiring order."""
        return tuple(self._limits)

    @property
    def armed(self) -> bool:
        """Whether the coil supply may stay on: guard open, driver trusted, board switched on."""
        return self._trusted and not self._closed and self._supply_on()

    @property
    def firing(self) -> str | None:
        """The coil that should be on now."""
        pulse = self._now_on
        if pulse is None or (pulse.name in self._timed_names and not self._timed_may_be_on()):
            return None
        return pulse.name

    @property
    def spent(self) -> Mapping[str, float]:
        """What share of its duty each coil has used up in the window that ends now, 0 to 1."""
        with self._lock:
            window_us = self._clock.now_us() - DUTY_WINDOW_US
            return {
                name: sum(max(0, ended - max(began, window_us)) for began, ended in past)
                / max(1, self._limits[name].duty_us)
                for name, past in self._past.items()
            }

    def pulse(self, name: str, pulse_ms: int | None = None) -> PulseResult:
        """Fire a coil once, for its default pulse unless ``pulse_ms`` is given, and return at once.

        Raises:
            ValueError: ``pulse_ms`` is not a whole number of at least 1.
        """
        if pulse_ms is None:
            pulse_ms = self._usual_ms.get(name, DEFAULT_PULSE_MS)
        if not isinstance(pulse_ms, int) or pulse_ms < 1:
            raise ValueError(f"want a pulse of 1 ms or more, found {pulse_ms!r}")
        with self._lock:
            now_us = self._clock.now_us()
            result = self._judge(name, pulse_ms, now_us) or self._fire(name, pulse_ms, now_us)
            self.results[result] += 1
        return result

    def off(self) -> None:
        """End any pulse now."""
        with self._lock:
            self._end()

    def condemn(self, device: str, reason: str) -> None:
        """Switch everything off, and refuse every request until the next start: a device failed."""
        with self._lock:
            if not self._closed:
                self._distrust(device, reason)
                self._end()
                self._release_until_off()

    def close(self) -> None:
        """End any pulse, switch every coil off and close the outputs. May be called twice."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._end()
            for _try in range(_CLOSING_TRIES):
                if not self._stuck():
                    break
            self._drop_driver()
        atexit.unregister(self.close)

    def _judge(self, name: str, pulse_ms: int, now_us: int) -> PulseResult | None:
        """Return why the request must be refused, or ``None``."""
        limits = self._limits.get(name)
        if limits is None:
            return PulseResult.REFUSED_UNKNOWN
        if not self.armed:
            return PulseResult.REFUSED_OFF
        self._end_overdue(now_us)
        if name in self._timed_names and not (self._timed and self._timed.coil_ready(name)):
            return PulseResult.REFUSED_OFF
        if self._now_on is not None and self._now_on.name != name:
            return PulseResult.REFUSED_BUSY
        if self._now_on is not None or not self._may_work(name, now_us, _allowed_us(limits, pulse_ms)):
            return PulseResult.REFUSED_DUTY
        is_quiet = (self._quiet_us is None or now_us >= self._quiet_us) and not self._timed_may_be_on()
        return None if is_quiet else PulseResult.REFUSED_BUSY

    def _may_work(self, name: str, now_us: int, pulse_us: int) -> bool:
        """Whether the coil has rested, and stays within its duty in the window ending with this pulse."""
        if now_us < self._rested_us.get(name, now_us):
            return False
        past = self._past[name]
        # Prune by the current time, not by this request's window: a shorter request may look further back.
        while past and past[0][1] <= now_us - DUTY_WINDOW_US:
            past.popleft()
        window_us = now_us + pulse_us - DUTY_WINDOW_US
        spent_us = sum(max(0, ended - max(began, window_us)) for began, ended in past)
        return spent_us + pulse_us <= self._limits[name].duty_us

    def _fire(self, name: str, pulse_ms: int, now_us: int) -> PulseResult:
        allowed_us = _allowed_us(self._limits[name], pulse_ms)
        pulse = _Pulse(name=name, began_us=now_us, ends_us=now_us + allowed_us)
        self._scheduler.call_at(pulse.ends_us, lambda: self._finish(pulse))
        self._now_on = pulse
        result = PulseResult.CLAMPED if allowed_us < pulse_ms * 1_000 else PulseResult.DONE
        if self._timed is not None and name in self._timed_names:
            if not self._timed.fire(name, allowed_us):
                return self._missed()
        elif not self._switch_on(name):
            return PulseResult.REFUSED_OFF
        self.on_pulse(name, now_us, pulse.ends_us)
        return result

    def _switch_on(self, name: str) -> bool:
        try:
            self._driver.energise(name)
        except Exception as error:  # noqa: BLE001 - whatever a vendor library raises, the coils go off
            self._distrust(name, f"cannot switch on: {error}")
            self._end()
            return False
        return True

    def _missed(self) -> PulseResult:
        """The timed coils have just gone away; only they know whether the pulse will happen."""
        if not self._timed_may_be_on():
            self._now_on = None
        return PulseResult.REFUSED_OFF

    def _timed_may_be_on(self) -> bool:
        return self._timed is not None and self._timed.is_on

    def _finish(self, pulse: _Pulse) -> None:
        """End ``pulse`` if it is still the one in progress."""
        with self._lock:
            if self._now_on is pulse:
                self._end()

    def _end_overdue(self, now_us: int) -> None:
        """End a pulse whose timer is late: the next request must not find the coil on."""
        if self._now_on is not None and now_us >= self._now_on.ends_us:
            self._end()

    def _end(self) -> None:
        pulse = self._now_on
        if pulse is not None and pulse.name in self._timed_names:
            self._end_timed(pulse)
        elif pulse is not None:
            self._end_switched(pulse)

    def _end_switched(self, pulse: _Pulse) -> None:
        try:
            self._driver.release(pulse.name)
        except Exception as error:  # noqa: BLE001 - as above
            self._distrust(pulse.name, f"cannot switch off: {error}")
            self._release_until_off()
        self._note(pulse)

    def _end_timed(self, pulse: _Pulse) -> None:
        """Record the end once it is certain; until then keep polling."""
        if self._timed is not None:
            self._timed.stop()
        now_us = self._clock.now_us()
        if not self._timed_may_be_on():
            self._note(pulse)
        elif not self._closed and now_us >= self._ask_again_us:
            self._ask_again_us = now_us + _ASK_AGAIN_US
            self._scheduler.call_at(self._ask_again_us, lambda: self._finish(pulse))

    def _note(self, pulse: _Pulse) -> None:
        self._now_on = None
        ended_us = self._clock.now_us()
        self._past[pulse.name].append((pulse.began_us, ended_us))
        self._rested_us[pulse.name] = ended_us + self._limits[pulse.name].rest_us(ended_us - pulse.began_us)
        self._quiet_us = ended_us + GAP_US

    def _release_until_off(self) -> None:
        """Release every coil, and retry those whose driver failed."""
        with self._lock:
            if self._stuck() and not self._closed:
                self._scheduler.call_at(self._clock.now_us() + _RETRY_US, self._release_until_off)

    def _stuck(self) -> list[str]:
        """Release every coil and return those that failed."""
        stuck = []
        for name in self._limits.keys() - self._timed_names:
            try:
                self._driver.release(name)
            except Exception as error:  # noqa: BLE001 - as above
                self._distrust(name, f"cannot switch off: {error}")
                stuck.append(name)
        return stuck

    def _distrust(self, name: str, reason: str) -> None:
        """Refuse everything from now on; log it once."""
        if not self._trusted:
            return
        self._trusted = False
        _log.error("%s: %s; all coils are refused until the next start", name, reason)
        if self._on_lost is not None:
            self._on_lost(DeviceLost(name, reason))

    def _drop_driver(self) -> None:
        try:
            self._driver.close()
        except Exception:  # noqa: BLE001 - as above, and logged whole
            _log.exception("the coil outputs did not close cleanly")


def _allowed_us(limits: CoilLimits, pulse_ms: int) -> int:
    return min(pulse_ms, limits.max_pulse_ms) * 1_000
