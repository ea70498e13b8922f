"""Reads ``[[branch]]``: which wire, fuse and connector each part of the supplies has, and what they stand.

A module of its own because wires know currents and metres, and nothing of sensors or pins.
"""

from typing import Final

from hextraction.hal.wiring.wires import BranchWire
from hextraction.settings import Section

__all__ = ["BRANCHES", "CONNECTOR_A", "read_branch", "stands_a"]

BRANCHES: Final = ("coils", "converter", "pi", "lamps", "sensors", "logic")
"""Coils: brick to coils; converter: brick to the 5 V; the others from the 5 V, logic from the 3.3 V."""
_STANDS_A: Final = (
    (0.05, 0.5), (0.08, 1.0), (0.14, 2.0), (0.22, 3.0), (0.25, 3.5), (0.34, 5.0), (0.5, 6.3), (0.75, 10.0),
    (1.0, 13.0), (1.5, 16.0),
)  # fmt: skip
"""Copper in bundles with PVC insulation: square millimetres, and the amperes that do not warm it by 30 K."""
CONNECTOR_A: Final = {
    "soldered": 99.0,
    "screw terminal": 10.0,
    "XT30": 15.0,
    "JST-SM": 3.0,
    "JST-XH": 3.0,
    "pin header": 1.0,
    "ribbon": 1.0,
}
"""What a contact of each kind stands, A."""
_MOST_MM2: Final = 10.0


def stands_a(mm2: float) -> float:
    """Return the current that a wire of this cross-section stands, A."""
    return max((amperes for least, amperes in _STANDS_A if mm2 >= least), default=0.0)


def read_branch(section: Section) -> BranchWire:
    """Read one branch."""
    return BranchWire(
        name=section.choice("name", BRANCHES),
        mm2=section.number("mm2", _STANDS_A[0][0], _MOST_MM2, 0.5),
        length_m=section.number("length_m", 0.05, 20, 1.0),
        fuse_a=section.number("fuse_a", 0, 20, 0.0),
        connector=section.choice("connector", tuple(CONNECTOR_A), "soldered"),
    )
