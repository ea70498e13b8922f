"""Pictures of the tiles for the catalogue: channels, pockets, holes and notches of each, upright.

Drawn from the shapes that the simulator rolls its balls through. Tiles whose channels nobody has published
share one picture.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hextraction.board.grid import edge_middle_mm, turned
from hextraction.board.tiles import TileShape
from hextraction.controller.workshop import drawing
from hextraction.simulator.channels import Shape, centre_lines, places, shape_of
from hextraction.simulator.fittings import peg_walls
from shapely import LineString

__all__ = ["picture_of", "pictures"]

_FOLDER: Final = Path(__file__).parent / "images" / "tiles"
_FLATS_MM: Final = 50.0
_SHOWN_PX: Final = 72
_KEY: Final = 4
"""The edge at which the slot's key is, which a notch has to meet."""
_CLOSE_MM: Final = 0.1
_DISH_MM: Final = 21.0
_POCKET_MM: Final = 4.0
_NOTCH_MM: Final = 2.0
_UNKNOWN: Final = "not-known"


def pictures(shapes: Mapping[str, TileShape]) -> Mapping[Path, str]:
    """Return the text of each picture by its file."""
    known = {name: shape for name, shape in shapes.items() if shape.channels is not None}
    drawn = {_FOLDER / f"{name}.svg": _svg(shape.title, _body(shape)) for name, shape in known.items()}
    return {**drawn, _FOLDER / f"{_UNKNOWN}.svg": _svg("Channels not known", _unknown())}


def picture_of(shape: TileShape) -> str:
    """Return the picture of a tile in Markdown, for a page in ``docs``."""
    name = shape.name if shape.channels is not None else _UNKNOWN
    return f"![{shape.title}](images/tiles/{name}.svg)"


def _svg(title: str, body: Iterator[str]) -> str:
    half = 30.0
    view = (-half, -half, 2 * half, 2 * half)
    return drawing.svg(view, body, size=(_SHOWN_PX, _SHOWN_PX), title=title, paper="none")


def _tile() -> str:
    return drawing.hexagon((0, 0), _FLATS_MM, fill=drawing.TILE, stroke=drawing.FAINT, stroke_width=1)


def _unknown() -> Iterator[str]:
    yield _tile()
    yield drawing.text((0, 7), "?", size=20, colour=drawing.FAINT, anchor="middle")


def _body(tile: TileShape) -> Iterator[str]:
    shape = shape_of(tile, 0, _FLATS_MM)
    yield _tile()
    yield drawing.element("clipPath", drawing.hexagon((0, 0), _FLATS_MM - 1), id="in")
    yield drawing.element("g", "".join(_open(shape)), clip_path="url(#in)")
    if tile.holds:
        for x, y in places(shape)[: tile.holds]:
            yield drawing.circle((x, y), _POCKET_MM, fill="none", stroke=drawing.FAINT, stroke_width=1)
    for x, y, radius in tile.holes_at(0):
        yield drawing.circle((x, y), radius, fill=drawing.INK)
    for turns in tile.turns:
        yield drawing.circle(edge_middle_mm(turned(_KEY, -turns), _FLATS_MM), _NOTCH_MM, fill=drawing.COIL)


def _open(shape: Shape) -> Iterator[str]:
    """Yield where balls run: channels, the middle of a dish, and its pegs."""
    wide = 2 * shape.half_mm
    for group in shape.channels or ():
        for line in centre_lines(group, shape):
            points = LineString(line).simplify(_CLOSE_MM).coords
            yield drawing.polyline(
                [(x, y) for x, y, *_ in points],
                stroke=drawing.CHANNEL,
                stroke_width=wide,
                stroke_linejoin="round",
            )
    if shape.scatters:
        yield drawing.circle((0, 0), _DISH_MM, fill=drawing.CHANNEL)
        for left, top, right, bottom in peg_walls(shape.pitch_mm):
            yield drawing.line((left, top), (right, bottom), stroke=drawing.INK, stroke_width=1)
