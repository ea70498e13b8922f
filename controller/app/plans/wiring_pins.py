"""The pin tables of a build, as Markdown: what is soldered to which pin, package by package."""

from collections.abc import Iterable, Iterator

from hextraction.controller.app.plans.wiring_chips import Package, packages
from hextraction.hal.wiring.wires import Wiring

__all__ = ["pins_page"]


def pins_page(wiring: Wiring, title: str) -> str:
    """Return all pin tables and the lamps' places on the strip."""
    lines = [
        f"# Pins: {title}",
        "",
        "Every pin that something is soldered to; the others stay free. Nets of one name are joined.",
        "`harness.svg` shows the same packages from above. A̅ bar means: active when low.",
        "",
    ]
    for package in packages(wiring):
        lines += [f"## {package.title}", "", *_pins(package), ""]
    lines += _lamps(wiring)
    return "\n".join(lines)


def _pins(package: Package) -> Iterator[str]:
    rows = [(str(pin.number), pin.label, f"`{pin.net}`", pin.how) for pin in package.pins if pin.net]
    return _table(("place" if package.zigzag else "pin", "name", "joined with", "how"), rows)


def _lamps(wiring: Wiring) -> Iterator[str]:
    if wiring.lamps:
        yield "## Lamps, in the order of the strip"
        yield ""
        rows = [(f"`{lamp.name}`", f"{lamp.first}..{lamp.pixels.stop - 1}") for lamp in wiring.lamps]
        yield from _table(("lamp", "pixels, from 0"), rows)
        yield ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for cells in (head, tuple("---" for _cell in head), *rows):
        yield f"| {' | '.join(cells)} |"
