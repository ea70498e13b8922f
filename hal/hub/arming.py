"""Arms the hub's coils, and tracks on the host whether they can be fired. Pure.

They need a session, a released e-stop, and an arm request from the host, which is repeated until the hub
says that it is armed. Pressing and releasing the e-stop are events; whether the coils are re-armed afterwards
is decided elsewhere (:mod:`hextraction.hal.supply`). A press outside a session is reported, too: the hub
remembers one until it is armed again, and for a hub that was without power we assume the worst.
"""

import struct
from collections.abc import Callable
from typing import Final

from hextraction.hal.hub.coils import PulseInFlight
from hextraction.hal.hub.events import CoilsAway, CoilsHere, Estop, HubEvent, RequestRefused
from hextraction.hal.hub.words import CAUSES, Flags, Off, State, Verdict

__all__ = ["HubArming"]

_ARM_AGAIN_US: Final = 500_000
_CHARGE_US: Final = 20_000
_ASKED, _ESTOP = 1, 3
_SETTLE_US: Final = 500_000
"""After a start the hub treats its e-stop as pressed for 20 ms; it may report that for another 100 ms."""


class HubArming:
    """The coils of one hub. ``say`` sends a frame, ``tell`` receives events."""

    def __init__(self, crc: int, say: Callable[[str, bytes], None], tell: Callable[[HubEvent], None]) -> None:
        self.flags = Flags(0)
        self.wanted = False
        self.pulse = PulseInFlight()
        self.on_disarmed: Callable[[str], None] = lambda _reason: None
        """Called with the reason when the hub itself has disarmed coils that should be armed."""
        self._crc, self._say, self._tell = crc, say, tell
        self._armed_us = 0
        self._asked_us: int | None = None
        self._asked_for = False
        self._told: bool | None = None
        self._estop_good: bool | None = None
        self._bad_since_us: int | None = None
        self._dipped = False
        self._was_armed = False

    def ready(self, now_us: int) -> bool:
        """Whether a pulse would be fired now: armed, and the supply has had time to come up."""
        return self.wanted and self.flags.armed and now_us >= self._armed_us + _CHARGE_US

    def fire(self, coil: int, pulse_us: int, now_us: int) -> bool:
        """Request a pulse; false if that is not possible now."""
        if not self.ready(now_us) or self.pulse.is_on(now_us):
            return False
        self._say("S", self.pulse.ask(coil, pulse_us, now_us))
        return True

    def stop(self, now_us: int, *, early: bool = True) -> None:
        """End a pulse early (if ``early``), or one that is overdue."""
        if self.pulse.wants_stop(now_us, early=early):
            self._say("O", b"")

    def reset(self) -> None:
        """Reset when a session begins or ends: as far as the host knows, nothing is armed."""
        self.flags = Flags(0)
        self._asked_us = self._told = None
        self._estop_good = self._bad_since_us = None
        self._dipped = False

    def flagged(self, flags: Flags, now_us: int) -> None:
        """Handle the hub's state flags."""
        if flags.armed and not self.flags.armed:
            self._armed_us = now_us
            self._was_armed = True
        if not flags.armed:
            self.pulse.disarmed()
        self._dipped |= not flags.estop_good
        self.flags = flags

    def care(self, now_us: int) -> None:
        """Arm or disarm the hub as wanted, and report the result."""
        self.stop(now_us, early=False)
        if self._watch_estop(now_us):
            return  # first let the host decide again whether it still wants them armed
        waits = self._asked_us is not None and now_us < self._asked_us + _ARM_AGAIN_US
        may_ask = not waits or self._asked_for is not self.wanted
        possible = self.flags.estop_good or not self.wanted
        if self.wanted != self.flags.armed and may_ask and possible:
            self._asked_us, self._asked_for = now_us, self.wanted
            self._say("A", struct.pack("<BI", self.wanted, self._crc))
        if self.wanted and self.flags.armed:
            self._asked_us = None
            self._report(here=True)
        elif self._estop_good is False:
            self._report(here=False)

    def stated(self, state: State, at_us: int, now_us: int) -> None:
        """Handle a ``t`` frame made at the host's time ``at_us``."""
        if self.flags.armed and not state.flags.armed and self.wanted and state.cause != _ASKED:
            self.on_disarmed(state.reason)
        self.flagged(state.flags, now_us)
        self.pulse.told(state, at_us)

    def judged(self, body: bytes, _now_us: int) -> None:
        """Handle an ``f`` frame; report a refused or clamped pulse."""
        verdict = Verdict.read(body)
        result = None if verdict is None else self.pulse.judged(verdict)
        if verdict is not None and result is not None and verdict.result:
            self._tell(RequestRefused(f"coil {verdict.coil}: {result.value} ({verdict.granted_ms} ms)"))

    def ended(self, body: bytes, _now_us: int) -> None:
        """Handle an ``o`` frame."""
        off = Off.read(body)
        if off is not None:
            self.pulse.ended(off)

    def _watch_estop(self, now_us: int) -> bool:
        """Report the e-stop's state shortly after a session begins, and then each change.

        Return whether anything changed. A press that was over before we looked is reported, too.
        """
        good, dipped, self._dipped = self.flags.estop_good, self._dipped, False
        unheard = self._unheard if self._estop_good is None else self._estop_good and dipped
        if good and unheard:
            self._tell(Estop(good=False))
            self._estop_good = False
        if good or self._bad_since_us is None:
            self._bad_since_us = None if good else now_us
        is_settling = (
            self._estop_good is None and not good and now_us - (self._bad_since_us or 0) < _SETTLE_US
        )
        changed = good is not self._estop_good and not is_settling
        if changed:
            self._estop_good = good
            self._tell(Estop(good))
        return changed

    @property
    def _unheard(self) -> bool:
        """Whether the e-stop was, or may have been, pressed before this session."""
        return self.flags.estop_seen or (self._was_armed and not self.flags.was_armed)

    def _report(self, *, here: bool) -> None:
        if self._told is not here:
            self._told = here
            self._tell(CoilsHere() if here else CoilsAway(CAUSES[_ESTOP]))
