"""A board drawn as SVG: tiles with their channels, ramps and end zones, in millimetres."""

import math
from collections.abc import Iterator, Mapping
from typing import Final

from hextraction.board.grid import edge_middle_mm
from hextraction.board.profile import Board
from hextraction.controller.tracking import Laid
from hextraction.controller.workshop import drawing
from hextraction.controller.workshop.drawing import (
    BOARD,
    CHANNEL,
    FAINT,
    INK,
    PAPER,
    TILE,
    ZONE,
    Point,
    Value,
)

__all__ = ["INK", "PAPER", "Point", "board_lines", "bounds", "edge_point", "middle", "text"]

_OPEN: Final = "#d8d3c6"
_CHANNEL_MM: Final = 10.0
_RAMP_MM: Final = 15.0


def middle(board: Board, slot: str) -> Point:
    """Return the middle of a slot."""
    place = board.by_name[slot]
    return place.x_mm, place.y_mm


def edge_point(board: Board, slot: str, edge: int, out_mm: float = 0.0) -> Point:
    """Return the midpoint of a slot's edge, or a point ``out_mm`` beyond it."""
    x_mm, y_mm = middle(board, slot)
    across, down = edge_middle_mm(edge, 2.0)
    far_mm = board.pitch_mm / 2 + out_mm
    return x_mm + across * far_mm, y_mm + down * far_mm


def bounds(board: Board) -> tuple[float, float, float, float]:
    """Return left, top, width and height of a board with its ramps and end zones."""
    xs = [slot.x_mm for slot in board.slots]
    ys = [slot.y_mm for slot in board.slots]
    margin = board.pitch_mm * 0.62 + _RAMP_MM
    left, top = min(xs) - margin, min(ys) - margin
    return left, top, max(xs) + margin - left, max(ys) + margin - top


def text(
    at: Point,
    words: str,
    *,
    size: float = 4.0,
    colour: str = INK,
    anchor: str = "middle",
    bold: bool = False,
    **more: Value | None,
) -> str:
    """Return text centred on a point."""
    return drawing.text(
        (at[0], at[1] + size * 0.35), words, size=size, colour=colour, anchor=anchor, bold=bold, **more
    )


def board_lines(board: Board, tiles: Mapping[str, Laid]) -> Iterator[str]:
    """Return the board as SVG elements."""
    for slot in board.slot_names:
        yield _hexagon(board, slot, TILE if slot in tiles else _OPEN)
        if slot in tiles:
            yield from _channels(board, slot, tiles[slot])
    for ramp in board.ramps:
        yield _ramp(board, ramp.slot, ramp.edge)
        yield text(edge_point(board, ramp.slot, ramp.edge, _RAMP_MM + 3.5), ramp.name, size=4.2, colour=FAINT)
    for zone in board.zones:
        for slot, edge in zone.outlets:
            yield _line(_side(board, slot, edge), ZONE, 1.6)
            yield text(edge_point(board, slot, edge, 4.5), zone.name, size=4.2, colour=ZONE)
    for slot in board.slot_names:
        x, y = middle(board, slot)
        yield text((x - board.pitch_mm * 0.36, y), slot, size=3.6, colour=FAINT)


def _hexagon(board: Board, slot: str, colour: str) -> str:
    dash = None if colour == TILE else "2 1.5"
    flats = board.pitch_mm - 0.5 * math.sqrt(3)
    return drawing.hexagon(
        middle(board, slot), flats, fill=colour, stroke=BOARD, stroke_width=0.6, stroke_dasharray=dash
    )


def _channels(board: Board, slot: str, laid: Laid) -> Iterator[str]:
    channels = laid.tile.channels_at(laid.turns)
    x, y = middle(board, slot)
    if channels is None:
        yield text((x, y), "?", size=9, colour=BOARD)
        return
    for channel in channels:
        pairs = [(channel[0], channel[1])] if len(channel) == 2 else [(edge, 0) for edge in channel]
        for one, other in pairs:
            sx, sy = edge_point(board, slot, one, -0.4)
            ex, ey = edge_point(board, slot, other, -0.4) if other else (x, y)
            bend = f"M{sx:.1f},{sy:.1f} Q{x:.1f},{y:.1f} {ex:.1f},{ey:.1f}"
            yield drawing.path(bend, fill="none", stroke=CHANNEL, stroke_width=_CHANNEL_MM)
        if len(channel) != 2:
            yield drawing.circle((x, y), _CHANNEL_MM / 2, fill=CHANNEL)


def _ramp(board: Board, slot: str, edge: int) -> str:
    start, end = edge_point(board, slot, edge, _RAMP_MM), edge_point(board, slot, edge, 0.5)
    return _line((start, end), _OPEN, 9.0)


def _side(board: Board, slot: str, edge: int) -> tuple[Point, Point]:
    x, y = edge_point(board, slot, edge, 1.0)
    across, down = edge_middle_mm(edge, 2.0)
    half = board.pitch_mm / math.sqrt(3) / 2 - 2
    return (x - down * half, y + across * half), (x + down * half, y - across * half)


def _line(ends: tuple[Point, Point], colour: str, width: float) -> str:
    return drawing.line(*ends, stroke=colour, stroke_width=width)
