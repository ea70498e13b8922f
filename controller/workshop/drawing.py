"""SVG drawing: the elements and colours used by all our drawings.

Done here and not by a layout program, so that the same input gives the same bytes on every machine and
committed drawings can be compared with what the code draws today. Numbers have at most two decimals.
"""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

__all__ = [
    "BEAM",
    "BOARD",
    "CHANNEL",
    "COIL",
    "FAINT",
    "HALL",
    "INK",
    "MAGNET",
    "PAPER",
    "STEEL",
    "TILE",
    "ZONE",
    "Point",
    "Value",
    "circle",
    "element",
    "hexagon",
    "line",
    "number",
    "path",
    "polygon",
    "polyline",
    "rect",
    "svg",
    "text",
]  # fmt: skip

INK: Final = "#2b2a28"
FAINT: Final = "#8d8574"
PAPER: Final = "#fffdf8"
TILE: Final = "#e6dfce"
BOARD: Final = "#c9bfa6"
CHANNEL: Final = "#fbf9f4"
STEEL: Final = "#9aa3ab"
ZONE: Final = "#6a9a5b"
HALL: Final = "#7a3e9d"
MAGNET: Final = "#b0413e"
BEAM: Final = "#1f7a4d"
COIL: Final = "#9a6a00"
_FONT: Final = "DejaVu Sans,Helvetica,Arial,sans-serif"

Point = tuple[float, float]
Value = str | float


def number(value: float) -> str:
    """Format a number with at most two decimals and without a negative zero."""
    return f"{round(value, 2) + 0.0:g}" if abs(value) < 1000 else f"{round(value, 2) + 0.0:.2f}"


def element(tag: str, content: str = "", /, **attributes: Value | None) -> str:
    """Return one element; ``stroke_width`` becomes ``stroke-width``, None values are omitted."""
    told = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{told}>{content}</{tag}>" if content else f"<{tag}{told}/>"


def _value(value: Value) -> str:
    return escape(value) if isinstance(value, str) else number(value)


def text(
    at: Point,
    words: str,
    *,
    size: float,
    colour: str | None = INK,
    anchor: str = "start",
    bold: bool = False,
    **more: Value | None,
) -> str:
    """Return a line of text at its baseline; ``anchor`` is ``start``, ``middle`` or ``end``."""
    weight = "bold" if bold else None
    return element(
        "text", escape(words), x=at[0], y=at[1], font_size=size, fill=colour, text_anchor=anchor,
        font_weight=weight, **more,
    )  # fmt: skip


def rect(at: Point, width: float, height: float, *, corner: float | None = None, **more: Value | None) -> str:
    """Return a rectangle, given its upper left corner."""
    return element("rect", x=at[0], y=at[1], width=width, height=height, rx=corner, **more)


def circle(at: Point, radius: float, **more: Value | None) -> str:
    """Return a circle about a point."""
    return element("circle", cx=at[0], cy=at[1], r=radius, **more)


def line(start: Point, end: Point, **more: Value | None) -> str:
    """Return a straight line."""
    return element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **more)


def polyline(points: Sequence[Point], **more: Value | None) -> str:
    """Return a line through some points."""
    return element("polyline", points=_points(points), fill="none", **more)


def polygon(points: Sequence[Point], **more: Value | None) -> str:
    """Return a closed shape."""
    return element("polygon", points=_points(points), **more)


def hexagon(middle: Point, flats: float, **more: Value | None) -> str:
    """Return a hexagon standing on a flat side; ``flats`` is the distance between opposite sides."""
    far = flats / math.sqrt(3)
    turns = [math.radians(60 * index) for index in range(6)]
    return polygon(
        [(middle[0] + far * math.cos(turn), middle[1] + far * math.sin(turn)) for turn in turns], **more
    )


def path(way: str, **more: Value | None) -> str:
    """Return a path."""
    return element("path", d=way, **more)


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def svg(
    view: tuple[float, float, float, float],
    body: Iterable[str],
    *,
    size: tuple[Value, Value],
    title: str = "",
    paper: str = PAPER,
    style: str = "",
) -> str:
    """Return the text of an SVG file: ``view`` is left, top, width and height, ``size`` the display size."""
    left, top, width, height = view
    box = " ".join(number(each) for each in view)
    role = ' role="img"' if title else ""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{_value(size[0])}" '
        f'height="{_value(size[1])}"{role} font-family="{_FONT}">'
    )
    told = f"<title>{escape(title)}</title>" if title else ""
    look = f"<style>{style}</style>" if style else ""
    back = rect((left, top), width, height, fill=paper)
    return "\n".join((head + told + look, back, *body, "</svg>")) + "\n"
