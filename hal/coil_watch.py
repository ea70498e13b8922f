"""Monitors the coil current: is the supply there, does an active coil draw current, does an idle one not?

Rules of this room:

1. The meter is read ten times a second, and every 5 ms during a pulse. Nothing else reads it.
2. A current above ``max_ma`` in two readings in a row, or one that flows for 100 ms while no coil should be
   on, is a stuck transistor or a short: the guard is told to condemn the coils, which drops the supply.
   If it still flows half a second later, a person has to pull the plug.
3. A coil that draws less than a quarter of what its wiring says is open or unplugged. That is reported once,
   and withdrawn when it draws again; a gate that does not open hurts nobody.
4. A meter that does not answer is lost, and retried with growing delays, up to 5 s. Coils work without it.
5. The hardware is faster: the fuse and the e-stop in the same wire act on their own.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from hextraction.hal.errors import BackendUnavailable, DeviceLost
from hextraction.hal.ina219 import Meter, Reading
from hextraction.hal.intake import OnFound, OnLost
from hextraction.hal.ports import Clock
from hextraction.hal.schedule import Scheduler
from hextraction.hal.supply import CoilSupply

__all__ = ["METER", "SUPPLY", "CoilCurrents", "CoilWatch"]

METER: Final = "current meter"
SUPPLY: Final = "coil supply"
"""The names under which faults of the meter and the supply are reported."""
_LOOK_US: Final = 100_000
_LOOK_CLOSELY_US: Final = 5_000
_LONGEST_WAIT_US: Final = 5_000_000
_RISE_US: Final = 12_000
"""A coil's current takes a few milliseconds to rise, and the meter averages over five."""
_STUCK_US: Final = 100_000
_DROP_US: Final = 500_000
_LATENCY_US: Final = 5_000
"""A pulse of the hub may begin and end this much later than it was asked for."""
_GOOD_SHARE: Final = 0.7
_IDLE_SHARE: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class CoilCurrents:
    """The expected values: ``coils_ma`` for each coil, ``max_ma`` the limit, ``supply_mv`` the voltage."""

    coils_ma: Mapping[str, int]
    max_ma: int
    supply_mv: int

    @property
    def idle_ma(self) -> float:
        """The most that may flow while no coil is on."""
        return max(20.0, _IDLE_SHARE * min(self.coils_ma.values(), default=0))

    def least_ma(self, coil: str) -> float:
        """Return the least that a coil draws while it is on."""
        return self.coils_ma[coil] / 4


@dataclass(slots=True)
class _Pulse:
    """A monitored pulse, and its peak current."""

    name: str
    began_us: int
    ends_us: int
    peak_ma: int | None = None


class CoilWatch:
    """Monitors the coils of one guard; report every pulse that begins (:meth:`pulsed`), from any thread.

    ``firing`` says which coil should be on; ``condemn`` takes a device and a reason, and switches everything
    off for good.
    """

    def __init__(
        self,
        meter: Meter,
        supply: CoilSupply,
        currents: CoilCurrents,
        *,
        firing: Callable[[], str | None],
        condemn: Callable[[str, str], None],
        clock: Clock,
        scheduler: Scheduler,
        on_lost: OnLost,
        on_found: OnFound,
    ) -> None:
        self._meter, self._supply, self._currents = meter, supply, currents
        self._firing, self._condemn = firing, condemn
        self._clock, self._scheduler = clock, scheduler
        self._on_lost, self._on_found = on_lost, on_found
        self._pulse: _Pulse | None = None
        self._quiet_us = 0
        """Until this time some coil may be on."""
        self._flows_since_us: int | None = None
        self._too_much = False
        self._condemned_us: int | None = None
        self._told: set[str] = set()
        self._wait_us = _LOOK_US
        self._closed = False
        self._reading = threading.Lock()
        self._look()

    def pulsed(self, name: str, began_us: int, ends_us: int) -> None:
        """Handle a pulse that has begun: sample fast until it is over."""
        self._scheduler.call_at(began_us, lambda: self._begin(_Pulse(name, began_us, ends_us)))

    def close(self) -> None:
        """Stop without waiting: a hung bus keeps no coil on. May be called twice."""
        self._closed = True
        self._let_go()

    def _let_go(self) -> None:
        """Close the meter when closing; if a reading is in progress, its thread closes it afterwards."""
        if self._closed and self._reading.acquire(blocking=False):
            try:
                self._meter.close()
            finally:
                self._reading.release()

    def _look(self) -> None:
        """Sample periodically until closed."""
        if not self._closed:
            self._wait_us = _LOOK_US if self._measure() else min(2 * self._wait_us, _LONGEST_WAIT_US)
            self._scheduler.call_at(self._clock.now_us() + self._wait_us, self._look)

    def _begin(self, pulse: _Pulse) -> None:
        self._pulse = pulse
        self._quiet_us = pulse.ends_us + _LATENCY_US
        self._flows_since_us = None
        self._scheduler.call_at(pulse.began_us + _RISE_US, lambda: self._look_closely(pulse))

    def _look_closely(self, pulse: _Pulse) -> None:
        """Sample until the pulse is over, then judge it; a pulse that was cut short is not judged."""
        now_us = self._clock.now_us()
        if self._closed or self._pulse is not pulse:
            return
        if now_us >= pulse.ends_us:
            self._pulse = None
            self._judge_pulse(pulse)
        elif METER in self._told or self._firing() != pulse.name:
            self._pulse = None
        else:
            self._measure()
            self._scheduler.call_at(now_us + _LOOK_CLOSELY_US, lambda: self._look_closely(pulse))

    def _measure(self) -> bool:
        """Read once, and judge; false if the meter does not answer, or is closed."""
        try:
            with self._reading:
                if self._closed:
                    return False
                reading = self._meter.read()
        except (OSError, BackendUnavailable) as error:
            self._lose(error)
            return False
        finally:
            self._let_go()
        self._take_back(METER)
        self._supply.measured(reading.current_ma)
        self._supply.seen(METER, good=reading.supply_mv >= _GOOD_SHARE * self._currents.supply_mv)
        self._judge(reading, self._clock.now_us())
        return True

    def _judge(self, reading: Reading, now_us: int) -> None:
        too_much = reading.overflow or reading.current_ma > self._currents.max_ma
        if self._pulse is not None:
            self._pulse.peak_ma = max(self._pulse.peak_ma or 0, reading.current_ma)
        if self._condemned_us is not None:
            self._check_drop(reading, now_us)
        elif too_much and self._too_much:
            self._fail(f"{_ma(reading)} flow, more than current.max_ma ({self._currents.max_ma}): a short")
        elif self._is_stuck(reading, now_us):
            self._fail(f"{_ma(reading)} flow although no coil is on: a stuck transistor")
        self._too_much = too_much

    def _is_stuck(self, reading: Reading, now_us: int) -> bool:
        if now_us < self._quiet_us or not self._flows(reading):
            self._flows_since_us = None
            return False
        if self._flows_since_us is None:
            self._flows_since_us = now_us
        return now_us - self._flows_since_us >= _STUCK_US

    def _flows(self, reading: Reading) -> bool:
        return reading.overflow or reading.current_ma > self._currents.idle_ma

    def _fail(self, reason: str) -> None:
        self._condemned_us = self._clock.now_us()
        self._supply.failed(reason)
        self._condemn(SUPPLY, reason)

    def _check_drop(self, reading: Reading, now_us: int) -> None:
        """The supply was dropped; whatever still flows bypasses every switch."""
        dropped_us = (self._condemned_us or now_us) + _DROP_US
        if now_us >= dropped_us and self._flows(reading) and "plug" not in self._told:
            self._told.add("plug")
            reason = f"{_ma(reading)} flow though the supply is switched off: pull its plug now"
            self._on_lost(DeviceLost(SUPPLY, reason))

    def _judge_pulse(self, pulse: _Pulse) -> None:
        if pulse.peak_ma is None or self._supply.state.good is False:
            return  # too short to measure, or somebody pressed the e-stop meanwhile
        if pulse.peak_ma >= self._currents.least_ma(pulse.name):
            self._take_back(pulse.name)
            return
        wanted_ma = self._currents.coils_ma[pulse.name]
        drew = f"it drew {pulse.peak_ma} mA of {wanted_ma}"
        self._tell(DeviceLost(pulse.name, f"{drew}: the coil is open or unplugged, or its supply is missing"))

    def _lose(self, error: Exception) -> None:
        if self._closed:
            return  # its bus was closed during a reading
        self._supply.measured(None)
        self._supply.seen(METER, good=None)
        self._flows_since_us = None
        self._tell(DeviceLost(METER, f"it does not answer: {getattr(error, 'strerror', None) or error}"))

    def _tell(self, lost: DeviceLost) -> None:
        if lost.device not in self._told:
            self._told.add(lost.device)
            self._on_lost(lost)

    def _take_back(self, device: str) -> None:
        if device in self._told:
            self._told.discard(device)
            self._on_found(device)


def _ma(reading: Reading) -> str:
    return "more than the meter can measure" if reading.overflow else f"{reading.current_ma} mA"
