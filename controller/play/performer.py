"""The performer: carries out what the game asks of the board and lights the lamps. It decides nothing.

Which place shines how is the game's matter (:meth:`Game.lamps`), made from the scene that everybody sees;
:class:`Lights` makes the frame of all lamps from it, and keeps to what their supply can give. A board that is
switched off does nothing (R-50). A coil that refuses or a lamp that fails is counted and logged; the game
goes on.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from hextraction.controller.games.protocol import Effect, Flash, KickBalls, OpenGate
from hextraction.controller.games.scene import DARK, Glow
from hextraction.hal.ports import Colour, Pixels, PulseResult, Solenoids

__all__ = ["Lights", "Performer", "limit"]

# --- the frame of all lamps ---

_MA_PER_CHANNEL: Final = 20.0
"""The current of one WS2812B channel at 255 (data sheet)."""

Frame = tuple[Colour, ...]


def limit(frame: Frame, brightness: float, budget_ma: float) -> Frame:
    """Scale a frame to a brightness (0..1), and down further if it would draw more than ``budget_ma``."""
    draw_ma = sum(map(sum, frame)) * _MA_PER_CHANNEL / 255
    scale = min(brightness, budget_ma / draw_ma) if draw_ma > 0 else brightness
    if scale >= 1:
        return frame
    return tuple((int(red * scale), int(green * scale), int(blue * scale)) for red, green, blue in frame)


@dataclass(frozen=True)
class Lights:
    """The lamps of a board, and how bright they may be.

    ``lamps`` maps names as in :func:`hextraction.board.instruments.lamps` to their pixels.
    """

    lamps: Mapping[str, range]
    count: int
    brightness: float = 0.5
    budget_ma: float = 2000.0

    def frame(self, glows: Mapping[str, Glow], *, blink: bool = False) -> Frame:
        """Return the whole frame; ``blink`` is whether blinking places show their colour now."""
        frame = [DARK] * self.count
        for place, glow in glows.items():
            pixels = self.lamps.get(place)
            if pixels is not None:
                frame[pixels.start : pixels.stop] = _colours(glow, len(pixels), blink=blink)
        return limit(tuple(frame), self.brightness, self.budget_ma)

    def with_place(self, frame: Frame, place: str, glow: Glow) -> Frame | None:
        """Return a shown frame with one place changed; None if the board has no lamps there."""
        pixels = self.lamps.get(place)
        if pixels is None:
            return None
        colours = limit(_colours(glow, len(pixels), blink=True), self.brightness, self.budget_ma)
        return limit((*frame[: pixels.start], *colours, *frame[pixels.stop :]), 1, self.budget_ma)


def _colours(glow: Glow, count: int, *, blink: bool) -> Frame:
    if glow.blink and not blink:
        return (glow.rest,) * count
    lit = count if glow.lit is None else min(count, glow.lit)
    return (glow.colour,) * lit + (glow.rest,) * (count - lit)


# --- lamps and coils ---

_log = logging.getLogger(__name__)
_BALL_HERE: Final = Glow((255, 255, 255))


class Performer:
    """Lights and coils of one board; either may be absent.

    ``reflexes`` names the lamp beside each sensor that sees balls.
    """

    def __init__(
        self,
        pixels: Pixels | None,
        solenoids: Solenoids | None,
        lights: Lights | None,
        reflexes: Mapping[str, str] | None = None,
    ) -> None:
        self._pixels = pixels
        self._solenoids = solenoids
        self._lights = lights
        self._reflexes = reflexes or {}
        self._frame: tuple[Colour, ...] = (DARK,) * (lights.count if lights is not None else 0)
        self.power = True
        self.coils_wait = False
        """Whether coils must wait for a person's confirmation; until then, a requested gate is remembered."""
        self.held_gate: str | None = None
        """The ramp whose gate was requested while coils were held; only the latest."""
        self.opened: tuple[int, str] = (0, "")
        """How many gates have been opened so far, and the ramp of the last one."""
        self.counters: Counter[str] = Counter()

    @property
    def brightness(self) -> float | None:
        """How bright the lamps may be, 0..1; None without lamps."""
        return None if self._lights is None else self._lights.brightness

    def dim(self, brightness: float) -> None:
        """Let the lamps be so bright from the next frame on, 0..1; their supply's limit stays as it is."""
        if self._lights is not None:
            self._lights = replace(self._lights, brightness=brightness)

    def reflex(self, sensor: str) -> None:
        """Light the lamp beside a sensor that has just seen a ball, before anybody knows what it means.

        It decides nothing, and the next frame corrects it.
        """
        place = self._reflexes.get(sensor)
        if place is not None:
            self._light(place, _BALL_HERE)

    def perform(self, effects: Iterable[Effect]) -> None:
        """Carry out what a game asks of the board. Returns at once; never raises."""
        for effect in effects:
            match effect:
                case OpenGate():
                    self._open(effect.ramp)
                case Flash():
                    self._light(effect.place, effect.glow)
                case KickBalls():
                    self._pulse(f"kicker.{effect.slot}")
                case _:
                    pass

    def open_held(self) -> None:
        """Open the gate that was requested while coils were held; keep the request if they still are."""
        ramp = self.held_gate
        if ramp is None or self.coils_wait:
            return
        if self._pulse_gate(ramp) is not PulseResult.REFUSED_OFF:
            self.held_gate = None

    def show(self, glows: Mapping[str, Glow], *, blink: bool) -> None:
        """Light the whole board; a board that is switched off is dark (R-50)."""
        if self._lights is not None:
            self._send(self._lights.frame(glows if self.power else {}, blink=blink))

    def dark(self) -> None:
        """Turn all lamps off: the game has stopped."""
        if self._solenoids is not None:
            self._solenoids.off()
        if self._lights is not None:
            self._send((DARK,) * self._lights.count, again=True)

    def _open(self, ramp: str) -> None:
        self.held_gate = ramp if self.coils_wait else None
        self._pulse_gate(ramp)

    def _pulse_gate(self, ramp: str) -> PulseResult | None:
        result = self._pulse(f"gate.{ramp}")
        if result is not None and result.fired:
            self.opened = (self.opened[0] + 1, ramp)
        return result

    def _light(self, place: str, glow: Glow) -> None:
        """Light one place at once; the whole frame follows when there is time."""
        if self._lights is not None and self.power:
            frame = self._lights.with_place(self._frame, place, glow)
            if frame is not None:
                self._send(frame)

    def _send(self, frame: tuple[Colour, ...], *, again: bool = False) -> None:
        if frame == self._frame and not again:
            return
        self._frame = frame
        if self._pixels is None:
            return
        try:
            self._pixels.show(frame)
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
