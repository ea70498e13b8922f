"""The harness of a build: the cables between its parts, and each package with its nets, from above."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hextraction.controller.workshop.drawing import FAINT, INK, PAPER, path, svg, text
from hextraction.controller.workshop.plans.wires.beams import schmitt_triggers
from hextraction.controller.workshop.plans.wires.cables import (
    box,
    cables,
    cables_height,
    colour_of,
    wire_line,
)
from hextraction.controller.workshop.plans.wires.chips import Package, Pin, packages
from hextraction.hal.wiring.wires import Wiring

__all__ = ["harness"]

_WIDTH: Final = 1_480.0
_IN_A_ROW: Final = 4
_CELL: Final = _WIDTH / _IN_A_ROW
_BODY: Final = 152.0
_PITCH: Final = 17.0
_HEAD: Final = 40.0
_STUB: Final = 20.0
_TOP: Final = 96.0
_HOW_TO_READ: Final = "Every cable has a ground of its own. Packages from above; nets of one name are joined."
_LEGEND: Final = (
    ("5 V", "5 V and coil supply"),
    ("3.3 V", "3.3 V"),
    ("GND", "ground"),
    ("SCK", "buses"),
    ("a.b", "sensors"),
    ("gate.", "coils"),
)


def harness(wiring: Wiring, title: str) -> str:
    """Return the drawing as the text of an SVG file."""
    rows = _rows((*packages(wiring), *schmitt_triggers(wiring)))
    height = _TOP + cables_height(wiring) + sum(_height(row) for row in rows) + 20
    body = [
        text((24, 44), f"Harness: {title}", size=24, bold=True),
        text(
            (24, 70),
            f"{wiring.profile}, {wiring.instruments}. {_HOW_TO_READ}",
            size=13,
        ),
        *_legend(),
        *cables(wiring, _TOP),
    ]
    top = _TOP + cables_height(wiring)
    for row in rows:
        body += [each for index, package in enumerate(row) for each in _package(package, index * _CELL, top)]
        top += _height(row)
    return svg((0, 0, _WIDTH, height), body, size=(_WIDTH, height))


def _rows(found: Sequence[Package]) -> list[Sequence[Package]]:
    """Put packages of similar height side by side, tallest first, otherwise in their order."""
    ordered = sorted(found, key=lambda package: -len(package.pins))
    return [ordered[first : first + _IN_A_ROW] for first in range(0, len(ordered), _IN_A_ROW)]


def _height(row: Iterable[Package]) -> float:
    return max(len(package.pins) for package in row) / 2 * _PITCH + _HEAD + 26


def _legend() -> Iterator[str]:
    x = 830.0
    for net, meaning in _LEGEND:
        yield wire_line([(x, 40), (x + 26, 40)], colour_of(net), 4)
        yield text((x + 32, 44), meaning, size=12)
        x += 56 + 6.6 * len(meaning)


def _package(package: Package, left: float, top: float) -> Iterator[str]:
    """Draw one package: its body with numbered pins, and outside it what each is connected to."""
    x, y = left + (_CELL - _BODY) / 2, top + _HEAD
    length = len(package.pins) / 2 * _PITCH
    yield text((left + _CELL / 2, top + 26), package.title, size=13, anchor="middle", bold=True)
    yield box((x, y), _BODY, length)
    if not package.zigzag:
        middle = x + _BODY / 2
        notch = f"M {middle - 6:g} {y:g} a 6 6 0 0 0 12 0"
        yield path(notch, fill=PAPER, stroke=INK, stroke_width=1.4)
    lefts, rights = package.sides
    for row, (one, other) in enumerate(zip(lefts, rights, strict=True)):
        height = y + (row + 0.5) * _PITCH
        yield from _pin(one, (x, height), -1)
        yield from _pin(other, (x + _BODY, height), 1)


def _pin(pin: Pin, at: tuple[float, float], way: int) -> Iterator[str]:
    """Draw one pin at the body's edge; ``way`` is -1 on the left side and 1 on the right."""
    x, y = at
    inside, outside = ("start", "end") if way < 0 else ("end", "start")
    shade = INK if pin.net else "#a59d92"
    yield text((x - 5 * way, y + 4), f"{pin.number}", size=9.5, anchor=inside, colour=FAINT)
    yield text((x - 23 * way, y + 4), pin.label, size=10.5, anchor=inside, colour=shade)
    if pin.net:
        colour = colour_of(pin.net)
        yield wire_line([(x, y), (x + _STUB * way, y)], colour, 2.4)
        yield text((x + (_STUB + 5) * way, y + 4), pin.net, size=11, anchor=outside, colour=colour, bold=True)
