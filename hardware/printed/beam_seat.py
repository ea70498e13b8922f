"""What holds a beam board: its two corners beside the plug lie on plastic, a fence around them, a screw through each.

Drawn as ``hardware/boards.toml`` does: x along the beam, y towards the plug, z = 0 the side with the parts, the beam
above it. ``set_down``, ``stood_up`` and ``stood_outward`` bring that to where a part has its beam.
"""

import functools
import tomllib
from pathlib import Path
from typing import Any

import msgspec
from build123d import Pos, Rot
from hextraction.board.design import load_design

from .shapes import bore, box, mirrored, prism

__all__ = ["BeamShape", "beam_shape", "beam_yoke", "posts", "seat", "set_down", "stood_outward", "stood_up"]


_LENS_TO_LEG_MM = 1.55
_LEG_MM = 0.8


class BeamShape(msgspec.Struct, frozen=True, kw_only=True):
    """What ``boards.toml`` says of the beam board: outline, holes as (x, y, width), heights; mm."""

    thick_mm: float
    outline_mm: tuple[tuple[float, float], ...]
    holes_mm: tuple[tuple[float, float, float], ...]
    beam_above_mm: float
    beam_way_mm: float
    highest_part_mm: float
    legs_mm: float

    @property
    def side_mm(self) -> float:
        """How far it reaches to each side of its middle."""
        return max(x for x, _y in self.outline_mm)

    @property
    def end_mm(self) -> float:
        """Where it ends beside the plug."""
        return max(y for _x, y in self.outline_mm)

    @property
    def tips_mm(self) -> float:
        """How far its arms reach beyond the beam."""
        return -min(y for _x, y in self.outline_mm)


@functools.cache
def beam_shape() -> BeamShape:
    """Return the beam board's measures."""
    text = (Path(__file__).parents[1] / "boards.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text)["beam_board"], BeamShape)


def seat(deep_mm: float, *, behind: bool) -> Any:
    """Return both corners, ``deep_mm`` of plastic on the board's back (``behind``) or on the side with the parts."""
    prints, board = load_design().printed, beam_shape()
    (left, low), around = prints.seat.corner_mm, prints.fit_mm + prints.seat.side_mm
    ends = (-board.thick_mm - deep_mm, 0.0) if behind else (-board.thick_mm, deep_mm)
    corner = box((left, board.side_mm + around), (low, board.end_mm + around), ends)
    corner -= box((0, board.side_mm + prints.fit_mm), (0, board.end_mm + prints.fit_mm), (-board.thick_mm, 0))
    _left, (x, y, _wide) = sorted(board.holes_mm)
    screw = prints.seat.screw_mm
    ends = (-board.thick_mm - screw, 0.0) if behind else (-board.thick_mm, screw)
    corner -= bore(prints.pilot_mm, (x, y, ends[0]), (x, y, ends[1]))
    return corner + mirrored(corner)


def posts(down_mm: float) -> Any:
    """Return posts up to both corners from so far below the beam, beside diode and transistor: the plug is above.

    They hold the side with the parts. What carries a corner over a part's way leans by 45 degrees.
    """
    prints, board = load_design().printed, beam_shape()
    (left, low), around = prints.seat.corner_mm, prints.fit_mm + prints.seat.side_mm
    out, deep = prints.seat.post_mm
    end, gap = board.side_mm + around, 0.8  # a resistor lies below
    post = box((out, end), (-down_mm, board.end_mm + around), (-board.thick_mm, deep))
    post -= box(
        (0, board.side_mm + prints.fit_mm), (-down_mm - 1, board.end_mm + prints.fit_mm), (-board.thick_mm, 0)
    )
    post += prism([(end, low - (end - left)), (end, low), (left, low)], gap, deep)
    return post + mirrored(post) + seat(deep, behind=False)


def beam_yoke() -> Any:
    """Draw what replaces the board where somebody wires by hand: side lookers stand on it, their legs go in from outside."""
    prints, board = load_design().printed, beam_shape()
    tips = -board.tips_mm - prints.fit_mm
    points = [(x, tips if y < 0 else y) for x, y in board.outline_mm]
    body = prism(points, -prints.wall_mm, 0.0)
    leg, half = board.beam_way_mm / 2 + _LENS_TO_LEG_MM, _LEG_MM / 2
    for y in (-1.27, 1.27):
        slit = box((leg - half, 20), (y - half, y + half), (-3, 1))
        body -= slit + mirrored(slit)
    return body


def set_down(part: Any, y_mm: float, z_mm: float) -> Any:
    """Return it with the beam at (0, y, z), its plug uphill, the side with the parts down."""
    return Pos(0, y_mm, z_mm) * Rot(0, 180, 0) * Pos(0, 0, -beam_shape().beam_above_mm) * part


def stood_up(part: Any, x_mm: float, y_mm: float, z_mm: float) -> Any:
    """Return it with the beam at (x, y, z), its plug upward, the side with the parts downhill."""
    return Pos(x_mm, y_mm, z_mm) * Rot(90, 0, 0) * Pos(0, 0, -beam_shape().beam_above_mm) * part


def stood_outward(part: Any, y_mm: float, z_mm: float) -> Any:
    """Return it with the beam at (0, y, z), its plug upward, the side with the parts towards +y."""
    return Pos(0, y_mm, z_mm) * Rot(0, 0, 180) * stood_up(part, 0, 0, 0)
