"""The drawings of ``docs/build.md``, in millimetres. Run by ``make docs``; a test notices when it was not."""

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from hextraction.controller.app import drawing
from hextraction.controller.app.drawing import BEAM, BOARD, COIL, FAINT, HALL, INK, MAGNET, STEEL, TILE

FOLDER = Path(__file__).parent / "build"


def drawings() -> Mapping[Path, str]:
    """Return every drawing by its file."""
    made = {"section": _section, "tile": _tile, "gate": _gate, "drain": _drain, "parts": _parts}
    return {FOLDER / f"{name}.svg": draw() for name, draw in made.items()}


# --- elements -----------------------------------------------------------------------------------------------


def _svg(width: float, height: float, title: str, body: Iterator[str]) -> str:
    return drawing.svg((0, 0, width, height), body, size=(width * 4, height * 4), title=title)


def _text(x: float, y: float, words: str, *, size: float = 3.2, at: str = "start", colour: str = INK) -> str:
    return drawing.text((x, y), words, size=size, colour=colour, anchor=at)


def _rect(x: float, y: float, width: float, height: float, fill: str, *, corner: float | None = None) -> str:
    return drawing.rect((x, y), width, height, corner=corner, fill=fill, stroke=INK, stroke_width=0.2)


def _shape(points: list[tuple[float, float]], fill: str) -> str:
    return drawing.polygon(points, fill=fill, stroke=INK, stroke_width=0.2)


def _disc(x: float, y: float, radius: float, fill: str) -> str:
    return drawing.circle((x, y), radius, fill=fill, stroke=INK, stroke_width=0.2)


def _line(x: float, y: float, to_x: float, to_y: float, *, colour: str = INK, dash: str | None = None) -> str:
    return drawing.line((x, y), (to_x, to_y), stroke=colour, stroke_width=0.25, stroke_dasharray=dash)


def _measure(x: float, top: float, bottom: float, words: str) -> Iterator[str]:
    """A vertical measure with its words to the right."""
    yield _line(x, top, x, bottom, colour=FAINT)
    for y in (top, bottom):
        yield _line(x - 1, y, x + 1, y, colour=FAINT)
    yield _text(x + 1.5, (top + bottom) / 2 + 1, words, size=2.6, colour=FAINT)


# --- a cut through wall and slot ----------------------------------------------------------------------------


def _section() -> str:
    """Cut across a wall between two slots: where a Hall fits, and how far it is from a ball."""
    return _svg(160, 66, "A cut through two slots, the wall between them, and a ball", _section_body())


def _section_body() -> Iterator[str]:
    scale, zero, wall = 1.6, 26.0, 66.0
    slot = wall + 27 * scale

    def y(z_mm: float) -> float:
        return zero - z_mm * scale

    for side in (-1, 1):
        yield _tile_cut(wall, side, scale, y)
        yield _wall_cut(wall, side, scale, y)
    yield _rect(wall - 0.8 * scale, y(-2), 1.6 * scale, 1.1 * scale, HALL)
    yield _rect(wall - 1.5 * scale, y(-4.4), 3 * scale, 2 * scale, MAGNET)
    yield _disc(wall, y(5.6), 5 * scale, STEEL)
    yield _rect(slot - 4 * scale, y(-5), 8 * scale, 5 * scale, BOARD)
    yield _rect(slot - 3 * scale, y(-5), 1.6 * scale, 1.1 * scale, HALL)
    yield _rect(slot + 0.6 * scale, y(-5), 3 * scale, 2 * scale, MAGNET)
    yield _disc(slot, y(5.6), 5 * scale, "none")
    yield from _measure(wall + 12, y(5.6), y(-2.5), "8 mm: 55 mV")
    yield from _measure(wall + 60, y(5.6), y(-5.6), "11 mm: 20 mV")
    for x, row, words in (
        (8, 15, "tile, 15 mm tall"),
        (wall - 36, 46, "wall and ledge"),
        (slot - 12, 48, "bar"),
    ):
        yield _text(x, row, words, size=2.8)
    yield _text(
        4, 57, "purple: linear Hall; measured from the ball's middle to the chip", size=2.8, colour=HALL
    )
    yield _text(4, 62, "red: bias magnet N35, 3 x 2 mm, beside it, face 10 mm below", size=2.8, colour=MAGNET)


def _tile_cut(wall: float, side: int, scale: float, y: Callable[[float], float]) -> str:
    """A tile along its channel: the floor at 0.6 mm, the body, the narrower base."""
    at = [(0.4, 0.6), (36, 0.6), (36, -5), (3.4, -5), (3.4, -2), (0.4, 0)]
    return _shape([(wall + side * x * scale, y(z)) for x, z in at], TILE)


def _wall_cut(wall: float, side: int, scale: float, y: Callable[[float], float]) -> str:
    """Half of the wall, 3.5 mm wide below, with the ledge that the tile rests on."""
    at = [(0, -0.5), (0.4, -0.5), (1.75, -2), (1.75, -5), (4.2, -5), (4.2, -8), (0, -8)]
    return _shape([(wall + side * x * scale, y(z)) for x, z in at], BOARD)


# --- a tile from below --------------------------------------------------------------------------------------


def _tile() -> str:
    """Where magnets go into a tile: one beside each notch."""
    return _svg(120, 74, "A tile from below, a magnet beside each notch", _tile_body())


def _tile_body() -> Iterator[str]:
    x, y, scale = 37.0, 36.0, 1.2
    far = 25 / math.cos(math.radians(30)) * scale
    spokes = [math.radians(60 * number) for number in range(6)]
    yield _shape([(x + far * math.cos(t), y + far * math.sin(t)) for t in spokes], TILE)
    for turn in (0, 180):
        yield f'<g transform="rotate({turn} {x} {y})">'
        yield _rect(x - 6.4 * scale, y + 20 * scale, 12.8 * scale, 5 * scale, drawing.PAPER)
        yield _disc(x - 9.5 * scale, y + 22.1 * scale, 1.5 * scale, MAGNET)
        yield "</g>"
    yield _text(x, y + 1, "tile from below", at="middle")
    yield _line(x - 9.5 * scale, y + 33, x, y + 33, colour=FAINT)
    yield _text(x - 4.7 * scale, y + 36.5, "9.5 mm", size=2.6, at="middle", colour=FAINT)
    rows = (
        "A magnet 2 x 1 or 3 x 1 mm",
        "beside each notch, 22.1 mm",
        "from the middle; from below",
        "always to the left of its notch,",
        "all with the same pole down.",
        "",
        "However the tile is turned,",
        "one of them lies over the Hall",
        "to the right of the key.",
    )
    for number, row in enumerate(rows):
        yield _text(76, 14 + 5 * number, row, size=2.6)


# --- the gate of a ramp -------------------------------------------------------------------------------------


def _gate() -> str:
    """A gate at rest and in its pulse: a rocker that lets exactly one ball go."""
    return _svg(150, 62, "The gate of a ramp at rest, and while its coil is on", _gate_body())


def _gate_body() -> Iterator[str]:
    for left, on, words in (
        (8.0, False, "at rest: the first ball waits"),
        (82.0, True, "30 ms: it goes, the next waits"),
    ):
        slope = math.tan(math.radians(15))

        def floor(x: float, left: float = left, slope: float = slope) -> float:
            return 26 + (x - left) * slope

        yield _shape(
            [(left, 26), (left + 60, floor(left + 60)), (left + 60, floor(left + 60) + 3), (left, 29)], BOARD
        )
        shift = 7.0 if on else 0.0
        for number, at in enumerate((12.0, 22.4, 32.8)):
            x = left + at + (shift if number == 2 else 0)
            yield _disc(x, floor(x) - 5.2, 5, STEEL)
        pivot = left + 33.5, floor(left + 33.5) + 8
        up, down = (left + 27.6, left + 39.4) if on else (left + 39.4, left + 27.6)
        yield _line(up, floor(up) - 4, up, pivot[1], colour=COIL)
        yield _line(down, floor(down) + 1, down, pivot[1], colour=COIL)
        yield _line(left + 27.6, pivot[1], left + 39.4, pivot[1], colour=COIL)
        yield _disc(*pivot, 1, COIL)
        yield _rect(left + 37, pivot[1] + 3, 5, 6, "#f2e2b8")
        yield _disc(left + 50, floor(left + 50) - 5.2, 1.2, BEAM)
        yield _text(left, 8, words, size=3)
    yield _text(
        8, 60, "A spring holds the lower pin up; the coil pulls it down and so lifts the upper one.", size=2.6
    )


# --- a drain ------------------------------------------------------------------------------------------------


def _drain() -> str:
    """Under a slot: the hole, the bar, a funnel, and one beam that no ball can miss."""
    return _svg(120, 66, "A funnel under a slot brings every ball through one beam", _drain_body())


def _drain_body() -> Iterator[str]:
    yield _rect(6, 12, 6, 4, BOARD)
    yield _rect(52, 12, 6, 4, BOARD)
    yield _rect(28, 13, 8, 5, BOARD)
    yield _shape([(8, 16), (22, 40), (22, 52), (24, 52), (24, 39), (11, 16)], TILE)
    yield _shape([(56, 16), (42, 40), (42, 52), (40, 52), (40, 39), (53, 16)], TILE)
    yield _disc(20, 22, 5, STEEL)
    yield _disc(32, 46, 5, STEEL)
    yield _line(16, 46, 48, 46, colour=BEAM, dash="1 .8")
    for x, words in ((15, "IR diode"), (49, "transistor")):
        yield _disc(x, 46, 1.5, BEAM)
        yield _text(x, 56, words, size=2.6, at="middle", colour=BEAM)
    rows = (
        "The hole is 46 x 42 mm: one beam across",
        "it would miss balls. A funnel with a throat",
        "of 16 mm leads all of them through one.",
        "",
        "Mount the pair 3 to 4 mm off the middle of",
        "the throat's height of fall, so that two",
        "balls in touch leave a gap between them.",
    )
    for number, row in enumerate(rows):
        yield _text(64, 18 + 5 * number, row, size=2.4)


# --- how the parts hang together ----------------------------------------------------------------------------


def _parts() -> str:
    """Supply, Pi, hub, board, phones."""
    return _svg(170, 84, "How supply, Raspberry Pi, sensor hub and board hang together", _parts_body())


def _parts_body() -> Iterator[str]:
    boxes = {
        "brick": (4, 34, 26, 12, "12 V brick"), "fuse": (38, 8, 30, 12, "fuse, e-stop"),
        "buck": (38, 60, 30, 12, "5 V converter"), "pi": (78, 60, 28, 12, "Raspberry Pi"),
        "hub": (78, 34, 28, 12, "sensor hub"), "gates": (122, 8, 44, 12, "gates (12 V)"),
        "sensors": (122, 34, 44, 12, "sensors (3.3 V)"), "lamps": (122, 60, 44, 12, "lamps (5 V)"),
        "pump": (78, 8, 28, 12, "12 V switch"),
    }  # fmt: skip
    for x, y, width, height, words in boxes.values():
        yield _rect(x, y, width, height, TILE, corner=1.5)
        yield _text(x + width / 2, y + height / 2 + 1.1, words, size=3, at="middle")
    wires = (
        (17, 34, 17, 14, COIL), (17, 14, 38, 14, COIL), (68, 14, 78, 14, COIL), (106, 14, 122, 14, COIL),
        (17, 46, 17, 66, INK), (17, 66, 38, 66, INK), (68, 66, 78, 66, INK), (106, 66, 122, 66, BEAM),
        (92, 60, 92, 46, HALL), (106, 40, 122, 40, HALL), (92, 34, 92, 20, MAGNET),
    )  # fmt: skip
    for x, y, to_x, to_y, colour in wires:
        yield _line(x, y, to_x, to_y, colour=colour)
    yield _text(94, 54, "USB", size=2.6, colour=HALL)
    yield _text(94, 28, "pump: only while it scans", size=2.4, colour=MAGNET)
    yield _text(114, 64, "data", size=2.4, at="middle", colour=BEAM)
    yield _text(
        4, 81, "Phones reach the Pi over Wi-Fi. All grounds meet at one point, at the supply.", size=2.8
    )


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for path, text in drawings().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
