"""Draws where balls went on a model: the tile in its six turns, each with the ways from its upper edges."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
from hextraction.board.grid import EDGES, edge_middle_mm, turned
from hextraction.board.routes import Ending, RouteRow, Start
from hextraction.controller.workshop import drawing
from hextraction.simulator.models.space import BALL_MM, CELL_MM
from scipy import ndimage

if TYPE_CHECKING:
    from hextraction.simulator.models.study import Study

__all__ = ["draw_ways"]

_PANEL_MM: Final = (70.0, 88.0)
_FLATS_MM: Final = 50.0
_COLOURS: Final = {6: drawing.BEAM, 1: drawing.MAGNET, 2: drawing.HALL}
_BELOW: Final = drawing.FAINT
_ENDINGS: Final = {Ending.RESTS: "stays", Ending.FELL: "falls", Ending.SHUT: "is turned back"}
_KEY: Final = 4
_LEGEND_MM: Final = 8.0
_LEGEND: Final = (
    "Numbers are the tile's own edges and turn with it. Grey: balls from below. "
    "Brown: notches, one at the bottom fits the key."
)
_LEAST: Final = 0.03


def draw_ways(study: "Study", title: str) -> str:
    """Return an SVG file of six panels, one for each turn."""
    wide, high = _PANEL_MM
    body = [drawing.element("defs", drawing.element("g", "".join(_tile(study)), id="tile"))]
    for turns in range(6):
        x, y = (turns % 3) * wide, (turns // 3) * high
        panel = "".join(_panel(study, turns))
        body.append(drawing.element("g", panel, transform=f"translate({x:g} {y:g})"))
    body.append(drawing.text((6, 2 * high + 3), _LEGEND, size=2.9, colour=drawing.FAINT))
    view = (0.0, 0.0, 3 * wide, 2 * high + _LEGEND_MM)
    size = (view[2] * 4, view[3] * 4)
    return drawing.svg(view, body, size=size, title=f"Where balls go on {title}")


def _tile(study: "Study") -> Iterator[str]:
    """Yield the upright tile around the origin: its body, channels, holes and notches."""
    yield drawing.hexagon((0, 0), _FLATS_MM, fill=drawing.TILE, stroke=drawing.BOARD, stroke_width=0.5)
    yield drawing.path(_channels(study), fill=drawing.CHANNEL)
    for x, y, radius in study.anatomy.holes:
        yield drawing.circle((x, y), radius, fill=drawing.INK)
    for edge in study.anatomy.notches or ():
        x, y = edge_middle_mm(edge, _FLATS_MM + 3)
        yield drawing.circle((x, y), 1.1, fill=drawing.COIL)
    for edge in EDGES:
        x, y = edge_middle_mm(edge, _FLATS_MM - 5.5)
        at = x + 7.5 * -y / math.hypot(x, y), y + 7.5 * x / math.hypot(x, y) + 1
        yield drawing.text(at, str(edge), size=3, colour=drawing.FAINT, anchor="middle")


def _channels(study: "Study") -> str:
    """Return the room that a ball fills on its ways, as a path of stripes a millimetre high."""
    reach = round(BALL_MM / CELL_MM)
    side = np.arange(-reach, reach + 1)
    disc = side[:, None] ** 2 + side[None, :] ** 2 <= reach**2
    room = ndimage.binary_dilation(np.pad(study.anatomy.free, reach), disc)
    low = study.space.low[:2] - reach * CELL_MM
    parts = []
    for row in range(0, room.shape[1], 2):
        y = low[1] + row * CELL_MM
        ends = np.flatnonzero(np.diff(np.concatenate([[0], room[:, row].astype(int), [0]])))
        for begin, end in ends.reshape(-1, 2):
            left, right = (low[0] + at * CELL_MM for at in (begin, end))
            limit = min((_FLATS_MM - abs(y)) / math.sqrt(3), 1e3)
            left, right = max(left, -limit), min(right, limit)
            if left < right and abs(y) < _FLATS_MM / 2:
                parts.append(f"M{left:.1f} {y:.1f}H{right:.1f}v.55H{left:.1f}z")
    return "".join(parts)


def _panel(study: "Study", turns: int) -> Iterator[str]:
    wide, _ = _PANEL_MM
    fits = study.anatomy.notches is None or turned(_KEY, -turns) in study.anatomy.notches
    said = f"turned by {turns}" if turns else "upright"
    yield drawing.text((wide / 2, 6), said + ("" if fits else " (fits no key)"), size=3.6, anchor="middle")
    ways = "".join(_ways(study, turns))
    tile = drawing.element("use", href="#tile") + ways
    yield drawing.element("g", tile, transform=f"translate({wide / 2:g} 36) rotate({60 * turns})")
    line = 0
    for laid in (6, 1, 2):
        edge = turned(laid, -turns)
        if edge in study.anatomy.mouths:
            words = f"from {edge}: {_said(study.ways.table.row(turns, edge))}"
            yield drawing.text((6, 70 + 4 * line), words, size=2.9, colour=_COLOURS[laid])
            line += 1


def _ways(study: "Study", turns: int) -> Iterator[str]:
    for laid in (3, 4, 5, 6, 1, 2):
        for points in study.ways.drawn.get((turns, Start.ROLLED_IN, turned(laid, -turns)), ()):
            if len(points) > 1:
                colour = _COLOURS.get(laid, _BELOW)
                yield drawing.polyline(points, stroke=colour, stroke_width=0.35 if laid in _COLOURS else 0.2)


def _said(row: RouteRow) -> str:
    """Say how a row ends, in words."""
    words = []
    for passage in row.passages:
        share = passage.balls / row.balls
        if share >= _LEAST:
            words.append(f"{share:.0%} {_ENDINGS.get(passage.ending) or f'by {passage.edge}'}")
    return ", ".join(words)
