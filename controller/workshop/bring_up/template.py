"""``hextraction template``: a full-size drilling and mounting template of a board as SVG, in millimetres.

Drawn as the players see the board. With ``--a4`` it is split into pages that overlap by 10 mm and are glued
together at the crosses. A 100 mm ruler on each sheet shows whether the printer kept the scale.
"""

import argparse
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from hextraction.board.design import load_design
from hextraction.board.instruments import middle_slots
from hextraction.board.profile import Board, load_board
from hextraction.controller.workshop.bring_up.template_holes import (
    FITTINGS,
    Fitting,
    Hole,
    edge_frame,
    holes,
    ramp_frame,
)
from hextraction.controller.workshop.drawing import (
    BEAM,
    COIL,
    FAINT,
    HALL,
    MAGNET,
    circle,
    element,
    hexagon,
    line,
    number,
    path,
    rect,
    svg,
    text,
)

__all__ = ["A4_MM", "Sheet", "draw_pages", "draw_sheet", "run"]

Sheet = tuple[float, float, float, float]
"""Left, top, width and height, in the board's millimetres."""

A4_MM: Final = (210.0, 297.0)
_PAGE_MM: Final = (190.0, 265.0)
"""The part of a page that any printer can print; the drawing stays inside it."""
_EDGE_MM: Final = 10.0
_OVERLAP_MM: Final = 10.0
_MARGIN_MM: Final = 12.0
_LEGEND_MM: Final = 66.0
_KEY_MM: Final = (11.7, 4.75)
_HOLE_MM: Final = (46.1, 41.75)
_POCKET_MM: Final = 46.5
_RAMP_MM: Final = 30.0
"""How much of a ramp is drawn: past the upper fork of its gate."""
_COLOURS: Final[Mapping[str, str]] = {
    "tile": "#1b6ca8", "hall": HALL, "magnet": MAGNET, "wall magnet": MAGNET, "beam": BEAM,
    "gate": COIL, "kicker": COIL, "lamp": FAINT,
}  # fmt: skip
_STYLE: Final = (
    "text{font-family:DejaVu Sans,Helvetica,Arial,sans-serif;fill:#222;"
    "paint-order:stroke;stroke:#fff;stroke-width:.7;stroke-linejoin:round}"
    ".b{fill:none;stroke:#555;stroke-width:.25}.f{fill:none;stroke:#bbb;stroke-width:.2}"
    ".h{fill:none;stroke:#bbb;stroke-width:.2;stroke-dasharray:1.5 1}"
)


def run(options: argparse.Namespace) -> int:
    """Write the template; return the exit status."""
    board = load_board(options.board)
    if options.a4:
        options.out.mkdir(parents=True, exist_ok=True)
        pages = draw_pages(board, options.sensors)
        for name, page in pages.items():
            (options.out / name).write_text(page, encoding="utf-8")
        print(f"{options.out}: {len(pages)} pages. Print them at 100 %, and measure the ruler first.")
    elif options.out is None:
        print(draw_sheet(board, options.sensors), end="")
    else:
        options.out.write_text(draw_sheet(board, options.sensors), encoding="utf-8")
        print(f"{options.out}: one sheet. Print it at 100 %, and measure the ruler first.")
    return 0


def draw_sheet(board: Board, which: str) -> str:
    """Return the whole template on one sheet."""
    drawn = holes(board, which, middle_slots(board))
    sheet = _sheet(board, drawn)
    body = [*_board_lines(board), *_hole_lines(drawn), *_legend(board, which, drawn, sheet)]
    return _svg(sheet, sheet[2], sheet[3], body)


def draw_pages(board: Board, which: str) -> Mapping[str, str]:
    """Return the template split into A4 pages, by file name, in rows from the top."""
    drawn = holes(board, which, middle_slots(board))
    sheet = _sheet(board, drawn)
    body = [*_board_lines(board), *_hole_lines(drawn), *_legend(board, which, drawn, sheet)]
    pages = {}
    for row, top in enumerate(_starts(sheet[1], sheet[3], _PAGE_MM[1]), 1):
        for column, left in enumerate(_starts(sheet[0], sheet[2], _PAGE_MM[0]), 1):
            page = (left - _EDGE_MM, top - _EDGE_MM, *A4_MM)
            more = [*_crosses(left, top), *_ruler(left + 45, top + _PAGE_MM[1] + 3)]
            name = f"{board.name} {which}: row {row}, column {column}"
            more.append(_text(left + 2, top + _PAGE_MM[1] + 7, name, 3.2, anchor="start"))
            shown = element("clipPath", rect((left, top), *_PAGE_MM), id="page")
            clip = f'{shown}<g clip-path="url(#page)">'
            pages[f"{board.name}-{row}-{column}.svg"] = _svg(page, *A4_MM, [clip, *body, "</g>", *more])
    return pages


def _starts(start: float, length: float, page: float) -> list[float]:
    """Return where pages begin so that they overlap and cover the length."""
    step = page - _OVERLAP_MM
    count = max(1, math.ceil((length - _OVERLAP_MM) / step))
    return [start + number * step for number in range(count)]


def _sheet(board: Board, drawn: Iterable[Hole]) -> Sheet:
    """Return the box that holds the board, all holes and the legend below."""
    far = board.pitch_mm / math.sqrt(3)
    xs = [slot.x_mm + side * far for slot in board.slots for side in (-1, 1)]
    ys = [slot.y_mm + side * board.pitch_mm / 2 for slot in board.slots for side in (-1, 1)]
    xs += [hole.x_mm for hole in drawn]
    ys += [hole.y_mm for hole in drawn]
    left, top = min(xs) - _MARGIN_MM, min(ys) - _MARGIN_MM
    return left, top, max(xs) + _MARGIN_MM - left, max(ys) + _MARGIN_MM + _LEGEND_MM - top


def _svg(view: Sheet, width_mm: float, height_mm: float, body: Iterable[str]) -> str:
    size = (f"{number(width_mm)}mm", f"{number(height_mm)}mm")
    return svg(view, body, size=size, paper="#fff", style=_STYLE)


# --- the board ----------------------------------------------------------------------------------------------


def _board_lines(board: Board) -> Iterator[str]:
    scale = board.pitch_mm / 50
    for slot in board.slots:
        x, y = slot.x_mm, slot.y_mm
        yield hexagon((x, y), board.pitch_mm, class_="b")
        yield hexagon((x, y), _POCKET_MM * scale, class_="f")
        across, down = _HOLE_MM[0] * scale, _HOLE_MM[1] * scale
        yield rect((x - across / 2, y - down / 2), across, down, corner=14 * scale, class_="h")
        yield _bar(x, y, across)
        yield _key(x, y + _POCKET_MM * scale / 2)
        yield _text(x - 8, y - 7.5, slot.name, 5.5)
    for ramp in board.ramps:
        yield from _ramp(board, ramp.name)
    for zone in board.zones:
        for place in zone.outlets:
            x, y, across, down = edge_frame(board, *place)
            yield _text(x + across * 13, y + down * 13, f"zone {zone.name}", 2.6)


def _bar(x: float, y: float, across: float) -> str:
    """Draw the bar under the through-hole that carries the ball Hall: 8 mm wide, so balls pass beside it."""
    return rect((x - across / 2, y - 4), across, 8, class_="f")


def _key(x: float, bottom: float) -> str:
    width, depth = _KEY_MM
    return rect((x - width / 2, bottom - depth), width, depth, class_="f")


def _ramp(board: Board, name: str) -> Iterator[str]:
    ways = [ramp_frame(board, name, out_mm) for out_mm in (0.0, load_design().gate.bend_mm, _RAMP_MM)]
    (x0, y0, across, down), (x1, y1, _across, _down), (x2, y2, up_across, up_down) = ways
    even = 1 + across * up_across + down * up_down
    for side in (-5.5, 5.5):
        # The wall's corner at the bend lies on both walls: the sum of their normals, shortened.
        corner = x1 - (down + up_down) * side / even, y1 + (across + up_across) * side / even
        yield line((x0 - down * side, y0 + across * side), corner, class_="f")
        yield line(corner, (x2 - up_down * side, y2 + up_across * side), class_="f")
    # Beside its gate, towards the side of the board: the middle ramps of two start zones are close together.
    side = 11 if across < 0 or (across == 0 and x0 > 0) else -11
    yield _text(x2 + side, y2 + 6, f"ramp {name}", 2.6)


# --- holes --------------------------------------------------------------------------------------------------


def _hole_lines(drawn: Iterable[Hole]) -> Iterator[str]:
    """Draw every hole, the line of every beam, and each name once, in the middle of its holes."""
    groups: dict[tuple[str, str], list[Hole]] = {}
    for hole in drawn:
        groups.setdefault((hole.owner, hole.fitting), []).append(hole)
    for (owner, fitting), group in groups.items():
        if fitting == "beam":
            one, other = group
            ends = ((one.x_mm, one.y_mm), (other.x_mm, other.y_mm))
            yield line(*ends, stroke=_COLOURS[fitting], stroke_width=0.15, stroke_dasharray=".6 .6")
        for hole in group:
            yield _symbol(FITTINGS[fitting], hole.x_mm, hole.y_mm, hole.turned_deg)
        if fitting not in {"lamp", "magnet", "wall magnet"}:
            yield _label(owner, fitting, group)


_LIFT_MM: Final = {"tile": -1.5, "beam": 0.7, "gate": 4.2, "kicker": 5.2}


def _label(owner: str, fitting: str, group: list[Hole]) -> str:
    x = sum(hole.x_mm for hole in group) / len(group)
    y = sum(hole.y_mm for hole in group) / len(group) + _LIFT_MM.get(fitting, 3.2)
    return _text(x, y, owner, 1.9, colour=_COLOURS[fitting])


def _symbol(fitting: Fitting, x: float, y: float, turned_deg: float) -> str:
    colour = _COLOURS[fitting.name]
    turned = f"rotate({number(turned_deg)} {number(x)} {number(y)})" if turned_deg else None
    dash = ".8 .6" if fitting.name == "lamp" else None
    wide, tall = fitting.width_mm, fitting.height_mm
    if fitting.round:
        shape = circle((x, y), wide / 2, fill="none", stroke=colour, stroke_width=0.3, stroke_dasharray=dash)
    else:
        shape = rect(
            (x - wide / 2, y - tall / 2), wide, tall, fill="none", stroke=colour, stroke_width=0.3,
            stroke_dasharray=dash, transform=turned,
        )  # fmt: skip
    if fitting.name == "lamp":
        return shape
    cross = f"M{number(x - 0.8)} {number(y)}h1.6M{number(x)} {number(y - 0.8)}v1.6"
    return shape + path(cross, stroke=colour, stroke_width=0.15)


# --- ruler, legend ------------------------------------------------------------------------------------------


def _legend(board: Board, which: str, drawn: Iterable[Hole], sheet: Sheet) -> Iterator[str]:
    left, top = sheet[0] + _MARGIN_MM, sheet[1] + sheet[3] - _LEGEND_MM
    title = f"{board.title}: drilling and mounting, set {which}, full size, seen from the players' side"
    yield _text(left, top, title, 3.6, anchor="start")
    yield from _ruler(left, top + 6)
    counts: dict[str, int] = {}
    for hole in drawn:
        counts[hole.fitting] = counts.get(hole.fitting, 0) + 1
    for row, (name, count) in enumerate(sorted(counts.items())):
        fitting, y = FITTINGS[name], top + 17 + row * 6.5
        yield _symbol(fitting, left + 4, y, 0)
        size = f"Ø {fitting.width_mm:g}" if fitting.round else f"{fitting.width_mm:g} x {fitting.height_mm:g}"
        words = f"{count} x {size} mm: {fitting.what}; {fitting.deep}"
        yield _text(left + 9, y + 1.1, words, 3, anchor="start")


def _ruler(x: float, y: float) -> Iterator[str]:
    """Draw a 100 mm ruler with a tick every 10 mm."""
    ticks = "".join(
        f"M{number(x + 10 * tick)} {number(y)}v-{3 if tick % 5 == 0 else 2}" for tick in range(11)
    )
    way = f"M{number(x)} {number(y)}h100{ticks}"
    yield path(way, fill="none", stroke="#000", stroke_width=0.25)
    yield _text(x + 102, y, "100 mm; if not, do not drill", 2.6, anchor="start")


def _crosses(left: float, top: float) -> Iterator[str]:
    """Draw the crosses where this page meets its neighbours: 5 mm inside each corner of its content."""
    for x in (left + 5, left + _PAGE_MM[0] - 5):
        for y in (top + 5, top + _PAGE_MM[1] - 5):
            way = f"M{number(x - 4)} {number(y)}h8M{number(x)} {number(y - 4)}v8"
            yield path(way, stroke="#d00", stroke_width=0.2)


def _text(
    x: float, y: float, words: str, size: float, *, anchor: str = "middle", colour: str | None = None
) -> str:
    style = f"fill:{colour}" if colour else None
    return text((x, y), words, size=size, colour=None, anchor=anchor, style=style)
