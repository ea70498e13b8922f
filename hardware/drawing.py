"""Draws where each part sits, as seen from its side; of its own because whoever fits a board looks at nothing else.

A pointer over a part says what it is, with its maker's number.
"""

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from hardware.table import BoardTable, Place

__all__ = ["placement_drawing"]

_AROUND_MM: Final = 1.0
_STYLE: Final = (
    ".board{fill:#f4f1e6;stroke:#333;stroke-width:.15}.hole{fill:#fff;stroke:#333;stroke-width:.1}"
    ".pad{fill:#c9a227}.first{fill:#b3261e}.body{fill:#555;fill-opacity:.25;stroke:#333;stroke-width:.1}"
    "text{font-family:sans-serif;text-anchor:middle;dominant-baseline:central;fill:#000}"
)


def placement_drawing(table: BoardTable) -> str:
    """Return the drawing as SVG: pads in gold, each part's first pad in red, its name on its body."""
    xs, ys = zip(*table.outline_mm, strict=True)
    left, top = min(xs) - _AROUND_MM, min(ys) - _AROUND_MM
    wide, high = max(xs) - min(xs) + 2 * _AROUND_MM, max(ys) - min(ys) + 2 * _AROUND_MM
    flip = -1 if table.layer == "B" else 1
    seen_left = left if flip == 1 else -(left + wide)
    box = f"{seen_left:g} {top:g} {wide:g} {high:g}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{wide * 8:g}" height="{high * 8:g}">',
        f"<title>{escape(table.title)}: parts, from {'below' if flip == -1 else 'above'}</title>",
        f"<style>{_STYLE}</style>",
        *_bare(table, flip),
        *(line for place in table.places for line in _part(place, flip)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _bare(table: BoardTable, flip: int) -> Iterator[str]:
    corners = " ".join(f"{x * flip:g},{y:g}" for x, y in table.outline_mm)
    yield f'<polygon class="board" points="{corners}"/>'
    for x, y, wide in table.holes_mm:
        yield f'<circle class="hole" cx="{x * flip:g}" cy="{y:g}" r="{wide / 2:g}"/>'
    for left, top, right, bottom in table.windows():
        yield _rectangle("hole", (left + right) / 2 * flip, (top + bottom) / 2, right - left, bottom - top)


def _part(place: Place, flip: int) -> Iterator[str]:
    part, kind, footprint = place.part, place.kind, place.footprint
    yield f"<g><title>{escape(f'{part.ref}: {kind.use}, {kind.maker} {kind.number}')}</title>"
    for index, pad in enumerate(footprint.pads):
        (x, y), (half_x, half_y) = (
            place.on_board(pad.x_mm, pad.y_mm),
            place.extents(pad.wide_mm, pad.high_mm),
        )
        is_first = index == 0 and len(footprint.pads) > 1
        yield _rectangle("first" if is_first else "pad", x * flip, y, 2 * half_x, 2 * half_y)
    left, top, right, bottom = footprint.body
    x, y = place.on_board((left + right) / 2, (top + bottom) / 2)
    half_x, half_y = place.extents(right - left, bottom - top)
    yield _rectangle("body", x * flip, y, 2 * half_x, 2 * half_y)
    size = min(1.6, max(0.8, 1.2 * min(half_x, half_y)))
    yield f'<text x="{x * flip:g}" y="{y:g}" font-size="{size:.2g}">{escape(part.ref)}</text></g>'


def _rectangle(what: str, x: float, y: float, wide: float, high: float) -> str:
    return (
        f'<rect class="{what}" x="{round(x - wide / 2, 4):g}" y="{round(y - high / 2, 4):g}" '
        f'width="{round(wide, 4):g}" height="{round(high, 4):g}"/>'
    )
