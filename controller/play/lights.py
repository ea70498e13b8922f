"""Lights: the frame of all lamps, from how each place should shine. Pure.

Which place shines how is the game's matter (:meth:`Game.lamps`), made from the scene that everybody sees.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hextraction.controller.games.scene import DARK, Glow
from hextraction.hal.ports import Colour

__all__ = ["Lights", "limit"]

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
