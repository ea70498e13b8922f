"""Drawing on the sheet of a harness: boxes, lines and words as SVG, and the colours of nets."""

from collections.abc import Sequence
from html import escape
from typing import Final

__all__ = ["INK", "box", "colour_of", "line", "words"]

INK: Final = "#26221c"
_RED, _ORANGE, _BLACK, _GREY = "#c0392b", "#c9760f", "#26221c", "#77706a"
_BLUE, _GREEN, _VIOLET = "#1f5fa8", "#1e7a46", "#7b3f98"
_POWER: Final = {"5 V": _RED, "3.3 V": _ORANGE, "3.3 V A": _ORANGE, "GND": _BLACK, "GND A": _GREY}
_COILS: Final = ("gate.", "kicker.", "PUMP", "E-STOP", "COILS")

Point = tuple[float, float]


def colour_of(net: str) -> str:
    """Return the colour of a net: supplies, grounds, coils, sensors (they hold a dot), and the buses."""
    if net in _POWER:
        return _POWER[net]
    if net.startswith(_COILS):
        return _VIOLET
    return _GREEN if "." in net else _BLUE


def words(
    at: Point, text: str, *, size: float = 11, colour: str = INK, side: str = "start", bold: bool = False
) -> str:
    """Return one line of text; ``side`` is ``start``, ``middle`` or ``end``."""
    weight = ' font-weight="bold"' if bold else ""
    look = f'font-size="{size:g}" fill="{colour}" text-anchor="{side}"{weight}'
    return f'<text x="{at[0]:g}" y="{at[1]:g}" {look}>{escape(text)}</text>'


def box(at: Point, width: float, height: float, *, fill: str = "#fffdf7") -> str:
    """Return a rectangle with slightly rounded corners."""
    return (
        f'<rect x="{at[0]:g}" y="{at[1]:g}" width="{width:g}" height="{height:g}" rx="4" '
        f'fill="{fill}" stroke="{INK}" stroke-width="1.4"/>'
    )


def line(points: Sequence[Point], colour: str, width: float = 1.6) -> str:
    """Return a line through some points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
