"""The performer: carries out what the game asks of the board and lights the lamps. It decides nothing.

A board that is switched off does nothing (R-50). A coil that refuses or a lamp that fails is counted and
logged; the game goes on.
"""

import logging
from collections import Counter

from hextraction.controller.games.protocol import Effect, Flash, KickBalls, OpenGate, PublicView
from hextraction.controller.play.lights import Lights, limit, touch_colours
from hextraction.hal.ports import Colour, Pixels, PulseResult, Solenoids

__all__ = ["Performer"]

_log = logging.getLogger(__name__)


class Performer:
    """Lights and coils of one board; either may be absent."""

    def __init__(self, pixels: Pixels | None, solenoids: Solenoids | None, lights: Lights | None) -> None:
        self._pixels = pixels
        self._solenoids = solenoids
        self._lights = lights
        self._frame: list[Colour] = [(0, 0, 0)] * (lights.count if lights is not None else 0)
        self.power = True
        self.coils_wait = False
        """Whether coils must wait for a person's confirmation; until then, a requested gate is remembered."""
        self.held_gate: str | None = None
        """The ramp whose gate was requested while coils were held; only the latest."""
        self.counters: Counter[str] = Counter()

    def perform(self, effect: Effect) -> None:
        """Carry out one effect. Returns at once; never raises."""
        if isinstance(effect, OpenGate):
            self._open(effect.ramp)
        elif isinstance(effect, KickBalls):
            self._pulse(f"kicker.{effect.slot}")
        elif isinstance(effect, Flash):
            self._flash(effect.slot, effect.touches)

    def open_held(self) -> None:
        """Open the gate that was requested while coils were held; keep the request if they still are."""
        ramp = self.held_gate
        if ramp is None or self.coils_wait:
            return
        if self._pulse(f"gate.{ramp}") is not PulseResult.REFUSED_OFF:
            self.held_gate = None

    def show(self, view: PublicView, *, blink: bool) -> None:
        """Light the whole board to match a view."""
        self.power = view.power
        if self._lights is None:
            return
        frame = self._lights.frame(view, blink=blink)
        if list(frame) != self._frame:
            self._frame = list(frame)
            self._send()

    def dark(self) -> None:
        """Turn all lamps off: the game has stopped."""
        if self._solenoids is not None:
            self._solenoids.off()
        if self._lights is not None:
            self._frame = [(0, 0, 0)] * self._lights.count
            self._send()

    def _open(self, ramp: str) -> None:
        self.held_gate = ramp if self.coils_wait else None
        self._pulse(f"gate.{ramp}")

    def _flash(self, slot: str, touches: int) -> None:
        """Show a touch at once, on its slot only; the whole frame follows when there is time."""
        if self._lights is None or not self.power:
            return
        pixels = self._lights.lamps.get(f"slot.{slot}")
        if pixels is None:
            return
        frame = list(self._frame)
        colours = touch_colours(min(3, touches), len(pixels))
        frame[pixels.start : pixels.stop] = limit(colours, self._lights.brightness, self._lights.budget_ma)
        self._frame = list(limit(tuple(frame), 1, self._lights.budget_ma))
        self._send()

    def _send(self) -> None:
        if self._pixels is None:
            return
        try:
            self._pixels.show(self._frame)
        except Exception:  # noqa: BLE001 - logged whole
            self.counters["lamps failed"] += 1
            _log.exception("the lamps failed")

    def _pulse(self, coil: str) -> PulseResult | None:
        """Fire a coil, if the board has it and power is on; return None if nothing happened.

        One short pulse of the escapement releases one ball; it never pushes a ball (2.1.1.1).
        """
        if self._solenoids is None or not self.power or self.coils_wait:
            self.counters["coil absent or off"] += 1
            return None
        try:
            result = self._solenoids.pulse(coil)
        except Exception:  # noqa: BLE001 - logged whole
            self.counters["coil failed"] += 1
            _log.exception("coil %s failed", coil)
            return None
        self.counters[f"coil {result.value}"] += 1
        if not result.fired:
            _log.warning("coil %s: %s", coil, result.value)
        return result
