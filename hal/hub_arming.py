"""Whether the hub's coils can be fired, from the host's side of the conversation. Pure.

They need a session, the e-stop released, and the host's wish to be armed, which is repeated until the hub
says that it is. The e-stop and its release are news: nobody has to ask for the arming again.
"""

import struct
from collections.abc import Callable
from typing import Final

from hextraction.hal.hub_coils import PulseInFlight
from hextraction.hal.hub_news import CoilsAway, CoilsHere, News, Refusal
from hextraction.hal.hub_words import CAUSES, Flags, Off, State, Verdict

__all__ = ["HubArming"]

_ARM_AGAIN_US: Final = 500_000
_CHARGE_US: Final = 20_000
_ESTOP: Final = 3


class HubArming:
    """The coils of one hub. ``say`` sends a frame, ``tell`` takes news."""

    def __init__(self, crc: int, say: Callable[[str, bytes], None], tell: Callable[[News], None]) -> None:
        self.flags = Flags(0)
        self.wanted = False
        self.pulse = PulseInFlight()
        self._crc, self._say, self._tell = crc, say, tell
        self._armed_us = 0
        self._asked_us: int | None = None
        self._told: bool | None = None

    def ready(self, now_us: int) -> bool:
        """Whether a pulse would be fired now; the supply has had its time to come up."""
        return self.wanted and self.flags.armed and now_us >= self._armed_us + _CHARGE_US

    def fire(self, coil: int, pulse_us: int, now_us: int) -> bool:
        """Ask for a pulse; false if that is not possible now."""
        if not self.ready(now_us) or self.pulse.is_on(now_us):
            return False
        self._say("S", self.pulse.ask(coil, pulse_us, now_us))
        return True

    def stop(self, now_us: int, *, early: bool = True) -> None:
        """End a pulse before its time (if ``early``), or one that should have ended long ago."""
        if self.pulse.wants_stop(now_us, early=early):
            self._say("O", b"")

    def reset(self) -> None:
        """The session is over, or has just begun: nothing is armed as far as the host knows."""
        self.flags = Flags(0)
        self._asked_us = self._told = None

    def flagged(self, flags: Flags, now_us: int) -> None:
        """Take the hub's state flags."""
        if flags.armed and not self.flags.armed:
            self._armed_us = now_us
        if not flags.armed:
            self.pulse.disarmed()
        self.flags = flags

    def care(self, now_us: int) -> None:
        """Bring the hub nearer to what is wanted, and say what came of it."""
        self.stop(now_us, early=False)
        may_ask = self._asked_us is None or now_us >= self._asked_us + _ARM_AGAIN_US
        possible = self.flags.estop_good or not self.wanted
        if self.wanted != self.flags.armed and may_ask and possible:
            self._asked_us = now_us
            self._say("A", struct.pack("<BI", self.wanted, self._crc))
        if self.wanted and self.flags.armed:
            self._asked_us = None
            self._report(here=True)
        elif self.wanted and not self.flags.estop_good:
            self._report(here=False)

    def stated(self, state: State, at_us: int, now_us: int) -> None:
        """Take a ``t`` that was made at the host's time ``at_us``."""
        self.flagged(state.flags, now_us)
        self.pulse.told(state, at_us)

    def judged(self, body: bytes, _now_us: int) -> None:
        """Take an ``f``; what is not as the host thought is news."""
        verdict = Verdict.read(body)
        result = None if verdict is None else self.pulse.judged(verdict)
        if verdict is not None and result is not None and verdict.result:
            self._tell(Refusal(f"coil {verdict.coil}: {result.value} ({verdict.granted_ms} ms)"))

    def ended(self, body: bytes, _now_us: int) -> None:
        """Take an ``o``."""
        off = Off.read(body)
        if off is not None:
            self.pulse.ended(off)

    def _report(self, *, here: bool) -> None:
        if self._told is not here:
            self._told = here
            self._tell(CoilsHere() if here else CoilsAway(CAUSES[_ESTOP]))
