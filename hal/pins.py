"""The pin table of a build, as Markdown: what a maker solders by.

Run as a program it rewrites the tables of a document, between ``<!-- tables: FILE.toml -->`` and
``<!-- end -->``, from the wiring files beside it: ``python -m hextraction.hal.pins wiring/README.md``.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from hextraction.hal.claims import HEADER
from hextraction.hal.wiring import SensorWire, Wiring, read_wiring

__all__ = ["lamp_table", "pin_table", "with_tables"]

_TABLES = re.compile(r"(<!-- tables: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)

Row = tuple[str, ...]


def pin_table(wiring: Wiring) -> str:
    """Return a table of every wired pin, ordered by BCM number, ending with a line break."""
    rows = sorted(_pins(wiring), key=lambda row: row[0])
    cells = [(f"GPIO{pin}", str(HEADER[pin]), *rest) for pin, rest in rows]
    return _table(("BCM", "header pin", "wired to", "how"), cells)


def lamp_table(wiring: Wiring) -> str:
    """Return a table of the lamps and their pixels in the chain, ending with a line break."""
    rows = [(f"`{lamp.name}`", f"{lamp.first}..{lamp.pixels.stop - 1}") for lamp in wiring.lamps]
    return _table(("lamp", "pixels"), rows)


def with_tables(document: str, folder: Path) -> str:
    """Return the document with every marked table made anew from the wiring files in ``folder``.

    Raises:
        SettingsError: one of the wiring files is wrong.
    """
    return _TABLES.sub(lambda found: found[1] + _tables(folder / found[2]) + found[3], document)


def _tables(path: Path) -> str:
    wiring = read_wiring(path)
    return f"\n{pin_table(wiring)}\n{lamp_table(wiring)}\n"


def _pins(wiring: Wiring) -> Iterable[tuple[int, Row]]:
    for sensor in wiring.sensors:
        yield sensor.pin, (f"sensor `{sensor.name}`", _input(sensor))
    if wiring.pixels is not None:
        how = f"output, {wiring.pixels.count} lamps, order {wiring.pixels.order}"
        yield wiring.pixels.pin, ("lamp data (through a 74AHCT125)", how)
    for coil in wiring.coils:
        how = f"output, active high, {coil.pulse_ms} ms pulses, at most {coil.limits.max_pulse_ms} ms"
        yield coil.pin, (f"gate of solenoid `{coil.name}`", how)
    power = wiring.power
    if power.switch is not None:
        yield power.switch.pin, ("power switch", _input(power.switch))
    if power.arm_pin is not None:
        yield power.arm_pin, ("charge pump of the coil supply", "output, keeps changing while armed")


def _input(sensor: SensorWire) -> str:
    level = "high" if sensor.active_high else "low"
    pull = "no pull" if sensor.pull == "none" else f"pull-{sensor.pull}"
    return f"input, {pull}, active {level}, debounce {sensor.debounce_us / 1_000:g} ms"


def _table(head: Row, rows: Iterable[Row]) -> str:
    lines = [head, tuple("---" for _cell in head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        target = Path(name)
        target.write_text(with_tables(target.read_text(encoding="utf-8"), target.parent), encoding="utf-8")
