"""How long a build takes at the table, by the minutes of each act in ``kit.toml``: one rule for every build.

What is counted: joints; ends of cables; boards, beams and Halls that are put into their places; magnets of
tiles; gates; supplies and computer; the steps of check-board and the measurements. What is not: printing,
drilling, painting, waiting for parcels, and looking for one's own mistakes.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from hextraction.controller.workshop.plans.kit import boards_of, load_kit
from hextraction.controller.workshop.plans.names import all_sensors, part_of
from hextraction.controller.workshop.plans.parts import joints_of, parts_of
from hextraction.hal.wiring.wires import Wiring

__all__ = ["Act", "acts_of", "hours_of"]


@dataclass(frozen=True, slots=True)
class Act:
    """Something that is done ``count`` times, ``minutes`` each."""

    what: str
    count: int
    minutes: float


def hours_of(wiring: Wiring, measurements: int, *, fitted: bool = True) -> float:
    """Return the hours at the table; ``measurements`` is how many of the ten the build has."""
    acts = acts_of(wiring, measurements, fitted=fitted)
    return sum(act.count * act.minutes for act in acts) / 60


def acts_of(wiring: Wiring, measurements: int, *, fitted: bool = True) -> Iterator[Act]:
    """Yield what is done, and how long it takes; of a kit with boards ``fitted`` by the house, or bare."""
    each, boards = load_kit().minutes, boards_of(wiring)
    wired, on_boards = joints_of(wiring), joints_of(wiring, fitted=fitted) - joints_of(wiring)
    yield Act("joints at wires", wired, each.wire_joint)
    yield Act("joints on boards", on_boards, each.board_joint)
    if wiring.plugs:
        yield Act("ends of cables", 2 * len(wiring.plugs), each.cable)
        yield Act("bars", boards["bar"], each.bar)
        yield Act("column boards", boards["column"], each.column)
        yield Act("hub board", boards["hub"], each.hub)
    yield from _sensors(wiring)
    gates = sum(coil.name.startswith("gate.") for coil in wiring.all_coils)
    yield Act("gates", gates, each.gate)
    yield Act("supplies", int(not wiring.supply.from_usb), each.supply)
    yield Act("computer and firmware", 1, each.computer)
    lamps, coils = len(wiring.lamps), len(wiring.all_coils)
    yield Act("steps of check-board", len(wiring.sensor_names) + lamps + coils, each.step)
    yield Act("measurements", measurements, each.measurement)


def _sensors(wiring: Wiring) -> Iterator[Act]:
    each = load_kit().minutes
    count = Counter(part_of(sensor) for sensor in all_sensors(wiring))
    halls = 0 if wiring.plugs else count["hall"] + count["linear"]
    magnets = sum(part.count for part in parts_of(wiring) if part.what.startswith("magnet disc 2 x"))
    yield Act("beams", count["beam"], each.beam)
    yield Act("loose Halls", halls, each.hall)
    yield Act("magnets of tiles", magnets, each.magnet)
