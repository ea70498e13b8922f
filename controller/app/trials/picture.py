"""A board drawn as SVG: tiles with their channels, ramps and end zones, in millimetres."""

import math
from collections.abc import Iterator, Mapping
from typing import Final
from xml.sax.saxutils import escape

from hextraction.board.grid import edge_middle_mm
from hextraction.board.profile import Board
from hextraction.controller.tracking import Laid

__all__ = ["INK", "PAPER", "Point", "board_lines", "bounds", "edge_point", "middle", "text"]

PAPER: Final = "#f7f4ec"
INK: Final = "#2b2a28"
_TILE: Final = "#e6dfce"
_RIM: Final = "#c9bfa6"
_CHANNEL: Final = "#fbf9f4"
_OPEN: Final = "#d8d3c6"
_FAINT: Final = "#8d8574"
_CHANNEL_MM: Final = 10.0
_RAMP_MM: Final = 15.0

Point = tuple[float, float]


def middle(board: Board, slot: str) -> Point:
    """Return the middle of a slot."""
    place = board.by_name[slot]
    return place.x_mm, place.y_mm


def edge_point(board: Board, slot: str, edge: int, out_mm: float = 0.0) -> Point:
    """Return the middle of an edge of a slot, or a point so far beyond it."""
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


def text(at: Point, words: str, *, size: float = 4.0, colour: str = INK, how: str = "") -> str:
    """Return words around a point; ``how`` has further attributes."""
    x, y = at
    return (
        f'<text x="{x:.1f}" y="{y + size * 0.35:.1f}" font-size="{size:g}" fill="{colour}" '
        f'text-anchor="middle" {how}>{escape(words)}</text>'
    )


def board_lines(board: Board, tiles: Mapping[str, Laid]) -> Iterator[str]:
    """Return the board as SVG elements."""
    for slot in board.slot_names:
        yield _hexagon(board, slot, _TILE if slot in tiles else _OPEN)
        if slot in tiles:
            yield from _channels(board, slot, tiles[slot])
    for ramp in board.ramps:
        yield _ramp(board, ramp.slot, ramp.edge)
        yield text(
            edge_point(board, ramp.slot, ramp.edge, _RAMP_MM + 3.5), ramp.name, size=4.2, colour=_FAINT
        )
    for zone in board.zones:
        for slot, edge in zone.outlets:
            yield _line(_side(board, slot, edge), "#6a9a5b", 1.6)
            yield text(edge_point(board, slot, edge, 4.5), zone.name, size=4.2, colour="#6a9a5b")
    for slot in board.slot_names:
        x, y = middle(board, slot)
        yield text((x - board.pitch_mm * 0.36, y), slot, size=3.6, colour=_FAINT)


def _hexagon(board: Board, slot: str, colour: str) -> str:
    x, y = middle(board, slot)
    far = board.pitch_mm / math.sqrt(3) - 0.5
    corners = [
        (x + far * math.cos(math.radians(60 * index)), y + far * math.sin(math.radians(60 * index)))
        for index in range(6)
    ]
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in corners)
    dash = "" if colour == _TILE else ' stroke-dasharray="2 1.5"'
    return f'<polygon points="{points}" fill="{colour}" stroke="{_RIM}" stroke-width="0.6"{dash}/>'


def _channels(board: Board, slot: str, laid: Laid) -> Iterator[str]:
    channels = laid.tile.channels_at(laid.turns)
    x, y = middle(board, slot)
    if channels is None:
        yield text((x, y), "?", size=9, colour=_RIM)
        return
    for channel in channels:
        pairs = [(channel[0], channel[1])] if len(channel) == 2 else [(edge, 0) for edge in channel]
        for one, other in pairs:
            sx, sy = edge_point(board, slot, one, -0.4)
            ex, ey = edge_point(board, slot, other, -0.4) if other else (x, y)
            yield (
                f'<path d="M{sx:.1f},{sy:.1f} Q{x:.1f},{y:.1f} {ex:.1f},{ey:.1f}" fill="none" '
                f'stroke="{_CHANNEL}" stroke-width="{_CHANNEL_MM}" stroke-linecap="butt"/>'
            )
        if len(channel) != 2:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_CHANNEL_MM / 2}" fill="{_CHANNEL}"/>'


def _ramp(board: Board, slot: str, edge: int) -> str:
    start, end = edge_point(board, slot, edge, _RAMP_MM), edge_point(board, slot, edge, 0.5)
    return _line((start, end), _OPEN, 9.0)


def _side(board: Board, slot: str, edge: int) -> tuple[Point, Point]:
    x, y = edge_point(board, slot, edge, 1.0)
    across, down = edge_middle_mm(edge, 2.0)
    half = board.pitch_mm / math.sqrt(3) / 2 - 2
    return (x - down * half, y + across * half), (x + down * half, y - across * half)


def _line(ends: tuple[Point, Point], colour: str, width: float) -> str:
    (ax, ay), (bx, by) = ends
    return (
        f'<line x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}" stroke="{colour}" '
        f'stroke-width="{width}" stroke-linecap="butt"/>'
    )
