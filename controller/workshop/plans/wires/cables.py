"""The upper part of a harness drawing: which cable connects what."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hextraction.controller.workshop.drawing import INK, PAPER, Point, polyline, rect, text
from hextraction.controller.workshop.plans.budget import has_analog_regulator, has_bank_selector
from hextraction.controller.workshop.plans.names import AnySensor, fuse_a, has_pump, part_of
from hextraction.hal.wiring.wires import LAPTOP, HubWire, Wiring

__all__ = ["box", "cables", "cables_height", "colour_of", "wire_line"]

_HEIGHT: Final = 480.0
_COLUMN: Final = 304.0
_ROW: Final = 118.0
_BOX: Final = (176.0, 66.0)
_LANE: Final = 12.0
_LEFT: Final = 24.0
_FIRST_HUB, _NEXT_HUB, _HUB_ROWS = 1, 4, 3
"""The row of the first hub and of the second one, and how many rows each further one takes."""
_REGULATORS: Final = "to 3.3 V and 3.3 V A, 1 A each"

_RED, _ORANGE, _BLACK, _GREY = "#c0392b", "#c9760f", "#26221c", "#77706a"
_BLUE, _GREEN, _VIOLET = "#1f5fa8", "#1e7a46", "#7b3f98"
_POWER: Final = {"5 V": _RED, "3.3 V": _ORANGE, "3.3 V A": _ORANGE, "GND": _BLACK, "GND A": _GREY}
_COILS: Final = ("gate.", "kicker.", "PUMP", "E-STOP", "COILS")

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Box:
    """A part of the build at column and row ``place``, with a second line of text."""

    place: Place
    name: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class _Cable:
    """A cable between two places; ``net`` sets its colour, lanes (-2..2) keep neighbours apart."""

    begins: Place
    ends: Place
    label: str
    net: str
    leaves: int = 0
    lane: int = 0


def colour_of(net: str) -> str:
    """Return the colour of a net: supplies, grounds, coils, sensors (names with a dot), and buses."""
    power = max((each for each in _POWER if f"{net} ".startswith(f"{each} ")), key=len, default="")
    if power:
        return _POWER[power]
    if net.startswith(_COILS):
        return _VIOLET
    return _GREEN if "." in net else _BLUE


def box(at: Point, width: float, height: float) -> str:
    """Return the outline of a part of the build."""
    return rect(at, width, height, corner=4, fill=PAPER, stroke=INK, stroke_width=1.4)


def wire_line(points: Sequence[Point], colour: str, width: float) -> str:
    """Return a wire through some points."""
    return polyline(points, stroke=colour, stroke_width=width)


def cables_height(wiring: Wiring) -> float:
    """Return how high the drawing of a build's cables is."""
    return _HEIGHT + max(0, len(wiring.hubs) - 1) * _HUB_ROWS * _ROW


def _hub_rows(wiring: Wiring) -> Iterator[tuple[HubWire, int]]:
    """Yield each hub with its row."""
    for index, hub in enumerate(wiring.hubs):
        yield hub, _FIRST_HUB if index == 0 else _NEXT_HUB + (index - 1) * _HUB_ROWS


def cables(wiring: Wiring, top: float) -> Iterator[str]:
    """Yield the boxes and cables of a build, starting at ``top``, :func:`cables_height` high."""
    boxes = [*_coil_boxes(wiring), *_main_boxes(wiring), *_lamp_boxes(wiring)]
    wires = [*_coil_cables(wiring), *_main_cables(wiring), *_lamp_cables(wiring)]
    for wire in wires:
        yield from _cable(wire, top)
    for each in boxes:
        x, y = _corner(each.place, top)
        middle = x + _BOX[0] / 2
        yield box((x, y), *_BOX)
        yield text((middle, y + 28), each.name, size=13, anchor="middle", bold=True)
        yield text((middle, y + 47), each.more, size=11, anchor="middle")


def _cable(wire: _Cable, top: float) -> Iterator[str]:
    x, y = _corner(wire.begins, top)
    to_x, to_y = _corner(wire.ends, top)
    colour = colour_of(wire.net)
    if wire.begins[0] == wire.ends[0]:
        middle = x + _BOX[0] / 2
        begin, end = sorted((y, to_y))
        yield wire_line([(middle, begin + _BOX[1]), (middle, end)], colour, 3)
        yield text((middle + 7, begin + _BOX[1] + 30), wire.label, size=11, colour=colour)
        return
    leaves, arrives = (
        height + _BOX[1] / 2 + _LANE * lane for height, lane in ((y, wire.leaves), (to_y, wire.lane))
    )
    gap = to_x - (_COLUMN - _BOX[0])
    bend = gap + 8 + 4 * abs(wire.leaves - wire.lane)
    yield wire_line([(x + _BOX[0], leaves), (bend, leaves), (bend, arrives), (to_x, arrives)], colour, 3)
    yield text((gap + 24, arrives + (13 if wire.lane > 0 else -6)), wire.label, colour=colour, size=10.5)


def _corner(place: Place, top: float) -> tuple[float, float]:
    return _LEFT + place[0] * _COLUMN, top + place[1] * _ROW


def _coil_boxes(wiring: Wiring) -> Iterator[_Box]:
    volts, coils = f"{wiring.power.coil_volts:g} V", wiring.all_coils
    if wiring.supply.buck or coils:
        yield _Box((0, 0), f"supply {volts}", f"{wiring.supply.coil_ma / 1_000:g} A")
    if not coils:
        return
    pumped, near = has_pump(wiring), _near_coils(wiring)
    rated = f"fuse {fuse_a(wiring, 'coils', 3):g} A"
    fuse = f"{rated}, e-stop" if pumped else rated
    yield _Box((1, 0), fuse, "in the plus wire" if wiring.current is None else "and INA219 behind it")
    if near and pumped:
        yield _Box((2, 0), "P-MOSFET", "on while PUMP changes")
    if near:
        yield _Box((3, 0), "coils", f"{near}, each with its N-MOSFET")
    for hub, row in _further_coils(wiring):
        yield _Box((3, row + 1), f"P-MOSFET, {hub.name}", "on while its PUMP changes")
        yield _Box((4, row + 1), "coils", f"{len(hub.coils)}, each with its N-MOSFET")


def _near_coils(wiring: Wiring) -> int:
    """Count the coils that are drawn at the top: those of the header and of the first hub."""
    return len(wiring.coils) + (len(wiring.hubs[0].coils) if wiring.hubs else 0)


def _further_coils(wiring: Wiring) -> Iterator[tuple[HubWire, int]]:
    """Yield the other hubs that have coils, with their rows."""
    return ((hub, row) for hub, row in _hub_rows(wiring) if row != _FIRST_HUB and hub.coils)


def _coil_cables(wiring: Wiring) -> Iterator[_Cable]:
    volts, near = f"{wiring.power.coil_volts:g} V", _near_coils(wiring)
    if not wiring.all_coils:
        return
    yield _Cable((0, 0), (1, 0), f"{volts}", "5 V")
    if wiring.current is not None:
        yield _Cable((1, 0), (1, 1), "3.3 V SDA SCL", "SDA")
    for _hub, row in _further_coils(wiring):
        yield _Cable((1, 0), (3, row + 1), volts, "5 V", 2, -1)
        yield _Cable((2, row), (3, row + 1), "PUMP E-STOP gates", "PUMP", 1, 1)
        yield _Cable((3, row + 1), (4, row + 1), f"{volts} when armed", "5 V")
    if not near:
        return
    if not has_pump(wiring):
        yield _Cable((1, 0), (3, 0), f"{volts}", "5 V")
        yield _Cable((1, 1), (3, 0), _many(near, "gate wire"), "gate.", -2, 1)
        return
    yield _Cable((1, 0), (2, 0), volts, "5 V")
    yield _Cable((2, 0), (3, 0), f"{volts} when armed", "5 V")
    on_hub = bool(wiring.hubs) and bool(wiring.hubs[0].coils)
    source: Place = (2, _FIRST_HUB) if on_hub else (1, 1)
    yield _Cable(source, (3, 0), _many(near, "gate wire"), "gate.", -2, 1)
    if on_hub:
        yield _Cable((2, _FIRST_HUB), (2, 0), "PUMP, E-STOP", "PUMP")
    else:
        yield _Cable((1, 1), (2, 0), "PUMP", "PUMP", -1, 1)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"


def _main_boxes(wiring: Wiring) -> Iterator[_Box]:
    supply = wiring.supply
    if supply.from_usb:
        yield _Box((1, 1), "laptop", "its USB feeds all")
    else:
        yield from _supply_boxes(wiring)
    for hub, row in _hub_rows(wiring):
        yield from _hub_boxes(hub, row, regulated=not supply.from_usb)
    if not wiring.hubs and wiring.expander is not None:
        yield _Box((3, 1), _many(len(wiring.expander.addresses), "expander"), "MCP23017, on 3.3 V")
        yield _Box((4, 1), "sensors", _counts(wiring.expander.inputs))
    if wiring.sensors:
        yield _Box((3, 2), "sensors on the header", _counts(wiring.sensors))


def _supply_boxes(wiring: Wiring) -> Iterator[_Box]:
    supply = wiring.supply
    kind = "converter to 5 V" if supply.buck else "supply 5 V"
    yield _Box((0, 1), kind, f"{supply.five_volt_ma / 1_000:g} A")
    yield _Box((1, 1), "Raspberry Pi", "own plug" if supply.pi == "own" else supply.pi.upper())


def _main_cables(wiring: Wiring) -> Iterator[_Cable]:
    if wiring.supply.buck:
        yield _Cable((0, 0), (0, 1), f"{wiring.power.coil_volts:g} V", "5 V")
    if wiring.supply.pi not in {"own", LAPTOP}:
        yield _Cable((0, 1), (1, 1), "5 V", "5 V")
    for hub, row in _hub_rows(wiring):
        yield from _hub_cables(hub, row, regulated=not wiring.supply.from_usb)
    if not wiring.hubs and wiring.expander is not None:
        yield _Cable((1, 1), (3, 1), "3.3 V SDA SCL INT", "SDA")
        yield _Cable((3, 1), (4, 1), "1 wire each", "a.b")
    if wiring.sensors:
        label, leaves, lane = ("from the Pi", 1, 1) if wiring.hubs else ("1 wire each", 2, 0)
        yield _Cable((1, 1), (3, 2), label, "a.b", leaves, lane)


def _hub_boxes(hub: HubWire, row: int, *, regulated: bool) -> Iterator[_Box]:
    name = f"sensor hub {hub.name}" if hub.name else "sensor hub"
    yield _Box((2, row), name, "Raspberry Pi Pico")
    own = has_analog_regulator(hub)
    if regulated:
        yield _Box(
            (2, row + 1), "two regulators" if own else "regulator to 3.3 V", _REGULATORS if own else "1 A"
        )
    if hub.chips:
        yield _Box((3, row), _many(hub.chips, "shift register"), "74HC165, on 3.3 V")
        yield _Box((4, row), "sensors", _counts(hub.inputs))
    if hub.multiplexers:
        selector = " and a 74HC139" if has_bank_selector(hub) else ", on 3.3 V A"
        yield _Box((3, row + 2), _many(hub.multiplexers, "multiplexer"), f"CD74HC4067{selector}")
        yield _Box((4, row + 2), "linear Halls", _counts(hub.linears))


def _hub_cables(hub: HubWire, row: int, *, regulated: bool) -> Iterator[_Cable]:
    yield _Cable((1, 1), (2, row), "USB", "USB")
    if regulated:
        yield _Cable((0, 1), (2, row + 1), "5 V", "5 V", 2, 0)
    if hub.chips:
        yield _Cable((2, row), (3, row), "SCK LATCH DATA", "SCK")
        yield _Cable((2, row + regulated), (3, row), "3.3 V", "3.3 V", 0 if regulated else 1, 1)
        yield _Cable((3, row), (4, row), "1 wire each", "a.b")
    if hub.multiplexers:
        columns = " ".join(str(column) for column in range(min(3, hub.multiplexers)))
        label = "S COLUMN BANK" if has_bank_selector(hub) else f"S0..3 COLUMN {columns}"
        yield _Cable((2, row), (3, row + 2), label, "S0", 2, -1)
        if has_analog_regulator(hub):
            yield _Cable((2, row + 1), (3, row + 2), "3.3 V A", "3.3 V A", 2, 1)
        yield _Cable((3, row + 2), (4, row + 2), "1 wire each", "a.b")


def _counts(sensors: Iterable[AnySensor]) -> str:
    count = Counter(part_of(sensor) for sensor in sensors)
    names = {"beam": "beams", "hall": "Halls", "button": "buttons", "linear": "with a magnet each"}
    return ", ".join(f"{count[kind]} {name}" for kind, name in names.items() if count[kind])


def _lamp_boxes(wiring: Wiring) -> Iterator[_Box]:
    if wiring.pixels is not None:
        yield _Box((0, 3), f"fuse {fuse_a(wiring, 'lamps', 3):g} A", "1000 µF behind it")
        chains = max(1, len(wiring.pixels.hubs))
        buffer = "74AHCT125" if chains == 1 else f"{chains} 74AHCT125"
        yield _Box((1, 3), buffer, "on 5 V, 330 Ω behind it")
        yield _Box((2, 3), "lamps", f"{wiring.pixels.count} pixels, {wiring.pixels.order}")


def _lamp_cables(wiring: Wiring) -> Iterator[_Cable]:
    if wiring.pixels is not None:
        yield _Cable((0, 1), (0, 3), "5 V", "5 V")
        driving = [row for hub, row in _hub_rows(wiring) if hub.lamps]
        sources = [(2, row) for row in driving] or [(1, 1)]
        for lane, source in enumerate(sources):
            yield _Cable(source, (1, 3), "LAMP DATA", "LAMP DATA", 0, -lane)
        yield _Cable((1, 3), (2, 3), "data", "LAMP DATA")
        yield _Cable((0, 3), (2, 3), "5 V", "5 V", 1, 1)
