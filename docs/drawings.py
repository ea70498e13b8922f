"""The drawings of ``docs/build.md``, in millimetres. Run by ``make docs``; a test notices when it was not."""

import itertools
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from hextraction.board.design import HallPlace, load_design
from hextraction.controller.workshop import drawing
from hextraction.controller.workshop.drawing import BEAM, BOARD, COIL, FAINT, HALL, INK, MAGNET, STEEL, TILE

FOLDER = Path(__file__).parent / "build"
_BOARDS = Path(__file__).parents[1] / "hardware" / "boards.toml"
_BALL_MM = 5.6
"""The height of a ball's middle above the top of the wall: it rolls 0.6 mm above it."""


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
    return _svg(160, 72, "A cut through two slots, the wall between them, and a ball", _section_body())


def _section_body() -> Iterator[str]:
    scale, zero, wall = 1.6, 26.0, 66.0
    slot = wall + 27 * scale
    halls = load_design().hall

    def y(z_mm: float) -> float:
        return zero - z_mm * scale

    for side in (-1, 1):
        yield _tile_cut(wall, side, scale, y)
        yield _wall_cut(wall, side, scale, y)
    yield _disc(wall, y(_BALL_MM), 5 * scale, STEEL)
    yield _rect(slot - 4 * scale, y(-5), 15 * scale, 9 * scale, BOARD)
    for x, place in ((wall, halls.wall), (slot, halls.slot)):
        chip, middle = _BALL_MM - place.below_mm, _BALL_MM - place.below_mm - place.deep_mm
        yield _rect(x - 0.8 * scale, y(chip + 0.55), 1.6 * scale, 1.1 * scale, HALL)
        left = x if place is halls.wall else x + place.aside_mm * scale
        yield _rect(
            left - place.wide_mm / 2 * scale, y(middle + place.thick_mm / 2), place.wide_mm * scale,
            place.thick_mm * scale, MAGNET,
        )  # fmt: skip
    yield _disc(slot, y(_BALL_MM), 5 * scale, "none")
    yield from _measure(
        wall + 12, y(_BALL_MM), y(_BALL_MM - halls.wall.below_mm), f"{halls.wall.below_mm:g} mm"
    )
    yield from _measure(
        wall + 66, y(_BALL_MM), y(_BALL_MM - halls.slot.below_mm), f"{halls.slot.below_mm:g} mm"
    )
    for x, row, words in (
        (8, 15, "tile, 15 mm tall"),
        (wall - 36, 46, "wall and ledge"),
        (slot - 14, 55, "bar"),
    ):
        yield _text(x, row, words, size=2.8)
    yield _text(
        4, 60, "purple: linear Hall; measured from the ball's middle to the chip", size=2.8, colour=HALL
    )
    yield _text(4, 64.5, _magnet_words("under a tile", halls.slot), size=2.8, colour=MAGNET)
    yield _text(4, 69, _magnet_words("in a wall (along it)", halls.wall), size=2.8, colour=MAGNET)


def _magnet_words(where: str, place: HallPlace) -> str:
    size = f"{place.grade}, {place.wide_mm:g} x {place.thick_mm:g} mm"
    return (
        f"red, {where}: {size}, {place.aside_mm:g} mm beside the chip, its middle {place.deep_mm:g} mm deeper"
    )


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
    """Where magnets go into a tile: two beside each notch by hand, six on the spokes for a kit."""
    title = "A tile from below: magnets beside each notch for builds by hand, six on its spokes for a kit"
    return _svg(120, 148, title, itertools.chain(_tile_body(), _kit_tile_body()))


def _kit_tile_body() -> Iterator[str]:
    """The tile of a kit, whose slot bar has its Hall switch nearer to the middle."""
    x, y, scale = 37.0, 110.0, 1.2
    magnet = tomllib.loads(_BOARDS.read_text("utf-8"))["slot_bar"]["tile_magnet"]
    far = 25 / math.cos(math.radians(30)) * scale
    spokes = [math.radians(60 * number) for number in range(6)]
    yield _shape([(x + far * math.cos(t), y + far * math.sin(t)) for t in spokes], TILE)
    for number, spoke in enumerate(spokes):
        turn, out = spoke + math.radians(magnet["turned_deg"]), magnet["radius_mm"] * scale
        at = x + out * math.cos(turn), y + out * math.sin(turn)
        yield _line(x, y, *at, colour=FAINT, dash="1 .8")
        yield _disc(*at, magnet["wide_mm"] / 2 * scale, MAGNET)
        yield _text(at[0], at[1] - 2.4, "NS"[number % 2], size=2.4, at="middle", colour=MAGNET)
    yield _text(x, y + 7, "for a kit", at="middle")
    rows = (
        f"For a kit: six magnets {magnet['grade']},",
        f"{magnet['wide_mm']:g} x {magnet['thick_mm']:g} mm, {magnet['radius_mm']:g} mm from the",
        "middle on the spokes to the corners,",
        "flush; north and south in turns.",
        "One wrong pole: seen in three of",
        "six positions only.",
    )
    for number, row in enumerate(rows):
        yield _text(76, 96 + 5 * number, row, size=2.6)


def _tile_body() -> Iterator[str]:
    x, y, scale = 37.0, 36.0, 1.2
    magnet = load_design().tile_magnet
    far = 25 / math.cos(math.radians(30)) * scale
    spokes = [math.radians(60 * number) for number in range(6)]
    yield _shape([(x + far * math.cos(t), y + far * math.sin(t)) for t in spokes], TILE)
    for turn in (0, 180):
        yield f'<g transform="rotate({turn} {x} {y})">'
        yield _rect(x - 6.4 * scale, y + 20 * scale, 12.8 * scale, 5 * scale, drawing.PAPER)
        for side, pole in ((-1, "N"), (1, "S")):
            at = x + side * magnet.along_mm * scale, y + magnet.out_mm * scale
            yield _disc(*at, magnet.wide_mm / 2 * scale, MAGNET)
            yield _text(at[0], at[1] - 2.4, pole, size=2.4, at="middle", colour=MAGNET)
        yield "</g>"
    yield _text(x, y + 1, "tile from below", at="middle")
    yield _line(x - magnet.along_mm * scale, y + 33, x, y + 33, colour=FAINT)
    label = f"{magnet.along_mm:g} mm"
    yield _text(x - magnet.along_mm / 2 * scale, y + 36.5, label, size=2.6, at="middle", colour=FAINT)
    rows = (
        f"Magnets {magnet.grade}, {magnet.wide_mm:g} x {magnet.thick_mm:g} mm,",
        f"two at each notch, {magnet.out_mm:g} mm",
        "from the middle; from below",
        "north down to its left,",
        "south down to its right.",
        "",
        "However the tile is turned, a",
        "north lies over the Hall switch,",
        "and all cancel at other Halls.",
    )
    for number, row in enumerate(rows):
        yield _text(76, 14 + 5 * number, row, size=2.6)


# --- the gate of a ramp -------------------------------------------------------------------------------------


def _gate() -> str:
    """A gate at rest and in its pulse: sliders that a rocker joins let exactly one ball go."""
    return _svg(150, 98, "The gate of a ramp at rest, while its coil is on, and from above", _gate_body())


_SLOPE: Final = math.tan(math.radians(15))
_LOWER_MM: Final = 38.0


def _gate_body() -> Iterator[str]:
    gate = load_design().gate
    yield from _gate_from_aside(8.0, "at rest: the first ball waits", is_on=False)
    yield from _gate_from_aside(82.0, f"{gate.coil.pulse_ms} ms: it goes, the next waits", is_on=True)
    yield from _gate_from_above(8.0, 87.0)
    rows = (
        "A spring holds the lower fork up; the coil pulls it down,",
        "and the rocker lifts the upper. Forks slide upright in a housing;",
        "the rocker takes them along by cross pins in slots, and leans.",
        f"From above: a fork is two pins of {gate.pin_mm:g} mm, {gate.aside_mm:g} mm off the midline,",
        f"{gate.up_mm:g} mm high; forks {gate.apart_mm:g} mm apart, the lower {gate.out_mm:g} mm out.",
    )
    for row, words in enumerate(rows):
        yield _text(46, 77 + 4 * row, words, size=2.6)


def _gate_from_aside(left: float, words: str, *, is_on: bool) -> Iterator[str]:
    """Draw ramp, balls and gate; below the floor sliders are shortened, and the solenoid is."""
    gate, ramp = load_design().gate, load_design().printed.ramp
    radius = load_design().ball.diameter_mm / 2
    reach = math.sqrt((radius + gate.pin_mm / 2) ** 2 - gate.aside_mm**2)

    def floor(x: float) -> float:
        return 26 + (x - left) * _SLOPE

    under = [(left + 60, floor(left + 60) + ramp.thick_mm), (left, 26 + ramp.thick_mm)]
    yield _shape([(left, 26), (left + 60, floor(left + 60)), *under], BOARD)
    lower = left + _LOWER_MM
    upper = lower - gate.apart_mm
    for number in range(3):
        x = lower - reach - 2 * radius * number + (7.0 if is_on and number == 0 else 0)
        yield _disc(x, floor(x) - radius - 0.2, radius, STEEL)
    up, down = (upper, lower) if is_on else (lower, upper)
    top = floor((lower + upper) / 2) + ramp.thick_mm + 1.5
    cross = {}
    for x, lowered in ((up, 0.0), (down, gate.travel_mm)):
        yield _line(x, floor(x) - gate.up_mm + lowered, x, top + lowered, colour=COIL)
        yield _rect(x - 2.4, top + lowered, 4.8, 14, "#f2e2b8")
        cross[x] = top + lowered + 10
    yield _line(upper, cross[upper], lower, cross[lower], colour=COIL)
    for x, y in cross.items():
        yield _disc(x, y, 0.8, COIL)
    yield _disc((lower + upper) / 2, (cross[upper] + cross[lower]) / 2, 1, COIL)
    for x in (upper - 3, upper + 3, lower - 3, lower + 3):
        yield _line(x, top, x, top + gate.travel_mm + 14, colour=BOARD)
    yield _line(lower, cross[lower] + 4, lower, top + gate.travel_mm + 15, colour=COIL)
    yield _rect(lower - 8, top + gate.travel_mm + 15, 16, 8, "#f2e2b8")
    yield _text(lower + 10, top + gate.travel_mm + 20, "solenoid", size=2.6)
    yield _disc(left + 50, floor(left + 50) - radius - 0.2, 1.2, BEAM)
    yield _text(left, 8, words, size=3)


def _gate_from_above(x: float, y: float) -> Iterator[str]:
    gate, radius = load_design().gate, load_design().ball.diameter_mm / 2
    lower = x + 24
    reach = math.sqrt((radius + gate.pin_mm / 2) ** 2 - gate.aside_mm**2)
    for number in range(2):
        yield _disc(lower - reach - 2 * radius * number, y, radius, STEEL)
    for fork, fill in ((lower, COIL), (lower - gate.apart_mm, "none")):
        for side in (-1, 1):
            yield _disc(fork, y + side * gate.aside_mm, gate.pin_mm / 2, fill)


# --- a drain ------------------------------------------------------------------------------------------------


def _drain() -> str:
    """Under a slot: the hole, the bar, a funnel, and one beam that no ball can miss."""
    return _svg(120, 66, "A funnel under a slot brings every ball through one beam", _drain_body())


def _drain_body() -> Iterator[str]:
    slot, places = load_design().printed.slot, load_design().beam_places
    throat, off = slot.throat_mm, slot.throat_down_mm - places.drain_down_mm
    way = tomllib.loads(_BOARDS.read_text("utf-8"))["beam_board"]["beam_way_mm"]
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
        f"of {throat[0]:g} x {throat[1]:g} mm leads all through one, below",
        "its end: a beam board, its parts down, or",
        f"a yoke; {way:g} mm from lens to lens.",
        "",
        f"The beam is {off:g} mm uphill of the throat's",
        "middle, so that two balls in touch leave a",
        "gap between them.",
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
