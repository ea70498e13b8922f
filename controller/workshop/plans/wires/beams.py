"""A hand-wired build's beams: which trigger of which 74HC14 is whose, and which emitters share a resistor.

Any trigger would do and any two emitters; a table says which, so that checklist, drawing and whoever looks
for a fault mean the same legs. Boards that a house fits have their own Schmitt triggers and are not here.
"""

from collections.abc import Sequence
from typing import Final

from hextraction.board.design import load_design
from hextraction.controller.workshop.plans.names import all_sensors, part_of
from hextraction.controller.workshop.plans.wires.chips import Package, Pin, packages
from hextraction.hal.wiring.wires import Wiring

__all__ = ["emitter_strings", "schmitt_triggers"]

_TRIGGERS: Final = ((1, 2), (3, 4), (5, 6), (9, 8), (11, 10), (13, 12))
"""Input and output of each of the six in a 74HC14, as in its data sheet."""


def schmitt_triggers(wiring: Wiring) -> tuple[Package, ...]:
    """Return the 74HC14 of a build, six beams to each in the wiring's order; spare inputs go to ground."""
    beams = _beams(wiring)
    places = {pin.net: _place(package, pin) for package in packages(wiring) for pin in package.pins}
    return tuple(
        _chip(number, beams[first : first + len(_TRIGGERS)], places)
        for number, first in enumerate(range(0, len(beams), len(_TRIGGERS)))
    )


def emitter_strings(wiring: Wiring) -> tuple[tuple[float, tuple[str, ...]], ...]:
    """Return each resistor from 5 V, in ohms, and the emitters behind it in their order down to ground."""
    beam = load_design().beam
    paired = [name for name in _beams(wiring) if not name.startswith("zone.")]
    alone = [name for name in _beams(wiring) if name.startswith("zone.")]
    pairs = [(beam.pair_ohm, tuple(paired[first : first + 2])) for first in range(0, len(paired), 2)]
    return (*pairs, *((beam.alone_ohm, (name,)) for name in alone))


def _beams(wiring: Wiring) -> Sequence[str]:
    return [sensor.name for sensor in all_sensors(wiring) if part_of(sensor) == "beam"]


def _place(package: Package, pin: Pin) -> str:
    return f"{'place' if package.zigzag else 'pin'} {pin.number} of {package.title.partition(',')[0]}"


def _chip(number: int, beams: Sequence[str], places: dict[str, str]) -> Package:
    pull_kohm = load_design().beam.pull_up_kohm
    pins = {7: Pin(7, "GND", "GND"), 14: Pin(14, "VCC", "3.3 V", "100 nF to GND beside the chip")}
    for trigger, (comes, goes) in enumerate(_TRIGGERS):
        pins[comes], pins[goes] = Pin(comes, f"{trigger + 1}A", "GND", "spare"), Pin(goes, f"{trigger + 1}Y")
    for trigger, name in enumerate(beams):
        comes, goes = _TRIGGERS[trigger]
        received = f"collector of its receiver, {pull_kohm:g} kΩ to 3.3 V"
        pins[comes] = Pin(comes, f"{trigger + 1}A", f"RX {name}", received)
        pins[goes] = Pin(goes, f"{trigger + 1}Y", name, places[name])
    return Package(f"74HC14-{number}", f"74HC14 number {number}", tuple(pins[at] for at in sorted(pins)))
