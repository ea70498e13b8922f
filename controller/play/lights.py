"""Lights: the colours of all lamps, from the public view. Pure; nothing hidden can reach a lamp (1.2.1).

What the lamps mean: a tile lies there (dim white), touched once or twice (one amber lamp per touch) or three
times (red), a triggered effect waits (violet), lift this tile (red, blinking), lay it here (white, blinking),
whose turn it is and which ramp is open (the seat's colour), the winner (everything in the winner's colour).
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hextraction.controller.games.protocol import PublicView, SlotView
from hextraction.hal.ports import Colour

__all__ = ["COLOURS", "Lights", "limit", "touch_colours"]

DARK: Final[Colour] = (0, 0, 0)
COLOURS: Final[Mapping[str, Colour]] = {
    "red": (255, 20, 20),
    "blue": (30, 80, 255),
    "green": (20, 220, 60),
    "yellow": (255, 190, 0),
    "violet": (170, 40, 255),
    "white": (220, 220, 220),
}
_TILE: Final[Colour] = (18, 18, 16)
_AMBER: Final[Colour] = (255, 120, 0)
_RED: Final[Colour] = (255, 0, 0)
_VIOLET: Final[Colour] = (140, 0, 255)
_WHITE: Final[Colour] = (255, 255, 255)
_MA_PER_CHANNEL: Final = 20.0
"""The current of one WS2812B channel at 255 (data sheet)."""


@functools.lru_cache(maxsize=256)
def touch_colours(touches: int, count: int) -> tuple[Colour, ...]:
    """Return a slot's lamp colours after some touches in a roll: one amber lamp each, all red from three."""
    if touches >= 3:
        return (_RED,) * count
    lit = min(count, touches)
    return (_AMBER,) * lit + (_TILE,) * (count - lit)


def limit(frame: tuple[Colour, ...], brightness: float, budget_ma: float) -> tuple[Colour, ...]:
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

    def frame(self, view: PublicView, *, blink: bool = False) -> tuple[Colour, ...]:
        """Return the whole frame for a view. A board that is switched off is dark (R-50)."""
        frame = [DARK] * self.count
        if not view.power:
            return tuple(frame)
        if view.winners:
            colour = _colour(view, view.winners[0])
            return limit((colour,) * self.count, self.brightness, self.budget_ma)
        self._paint_slots(frame, view, blink=blink)
        self._paint_edges(frame, view)
        return limit(tuple(frame), self.brightness, self.budget_ma)

    def _paint_slots(self, frame: list[Colour], view: PublicView, *, blink: bool) -> None:
        laid = {slot.slot: slot for slot in view.slots}
        for slot in view.slots:
            pixels = self.lamps.get(f"slot.{slot.slot}")
            if pixels is not None:
                first = laid.get(slot.part_of, slot) if slot.part_of is not None else slot
                colours = _colours_of(slot, first, blink=blink, count=len(pixels))
                frame[pixels.start : pixels.stop] = colours

    def _paint_edges(self, frame: list[Colour], view: PublicView) -> None:
        active = _colour(view, view.roller or view.active)
        may_roll = view.phase in {"choosing", "releasing"} and view.rolls_owed > 0
        for ramp in view.ramps:
            bright = active if ramp.open else _dim(active) if may_roll and not ramp.banned else DARK
            self._fill(frame, f"ramp.{ramp.ramp}", bright)
        for zone in view.zones:
            self._fill(frame, f"zone.{zone.zone}", active if zone.balls else _dim(active))

    def _fill(self, frame: list[Colour], lamp: str, colour: Colour) -> None:
        pixels = self.lamps.get(lamp)
        if pixels is not None:
            frame[pixels.start : pixels.stop] = [colour] * len(pixels)


def _colours_of(slot: SlotView, first: SlotView, *, blink: bool, count: int) -> tuple[Colour, ...]:
    if slot.lift:
        return (_RED if blink else DARK,) * count
    if slot.put:
        return (_WHITE if blink else _TILE,) * count
    if slot.waiting:
        return (_VIOLET,) * count
    if first.touches:
        return touch_colours(min(3, first.touches), count)
    return (_TILE if first.tile is not None else DARK,) * count


def _colour(view: PublicView, seat: str) -> Colour:
    named = next((known.colour for known in view.seats if known.seat == seat), "white")
    return COLOURS.get(named, COLOURS["white"])


def _dim(colour: Colour) -> Colour:
    return (colour[0] // 8, colour[1] // 8, colour[2] // 8)
