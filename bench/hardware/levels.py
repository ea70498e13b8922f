"""Logic levels and wires: what drives each kind of input, and what each branch of the shipped builds bears.

Levels are worst cases of the data sheets at 3.3 V: a Pi's and an RP2040's output at 4 mA, 74HC at 3.3 V
(seven and three tenths of the supply), 74AHCT at 5 V, and an MCP23017 (eight and two tenths).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hextraction.board.design import Design
from hextraction.controller.workshop.plans.budget import branch_loads
from hextraction.hal.wiring.branches import stands_a
from hextraction.hal.wiring.file import read_wiring

from bench.hardware.claim import Claim

__all__ = ["level_claims", "wire_claims"]

_WIRING: Final = Path(__file__).parents[2] / "wiring"
_PI_HIGH_V, _HUB_HIGH_V, _HC_HIGH_V = 2.6, 2.62, 3.2
_LEAK_UA: Final = 2.0
"""Of an input and an open drain together."""
_LEVELS: Final = (
    ("a Pi's lamp data at a 74AHCT125 (5 V)", _PI_HIGH_V, 2.0),
    ("the hub's SCK and LATCH at a 74HC165", _HUB_HIGH_V, 2.31),
    ("the hub's S0 to S3 at a CD74HC4067", _HUB_HIGH_V, 2.31),
    ("the hub's output at a coil's MOSFET, which wants 2.5 V to be fully on", _HUB_HIGH_V * 10 / 10.1, 2.5),
    ("a 74HC14 at a 74HC165", _HC_HIGH_V, 2.31),
    ("a 74HC14 at an MCP23017", _HC_HIGH_V, 2.64),
    ("a Hall switch with 10 kΩ at a 74HC165", 3.3 - 10e3 * _LEAK_UA * 1e-6, 2.31),
    ("a 74HC165 through 1 kΩ at the hub's DATA 0", _HC_HIGH_V - 1e3 * _LEAK_UA * 1e-6, 2.0),
)


def level_claims(design: Design) -> Iterator[Claim]:
    """Yield that a high level arrives as one at each kind of input, and that a line's edge is in time."""
    for text, drives_v, wants_v in _LEVELS:
        yield Claim(
            chapter="Hub and inputs",
            text=f"high level of {text}",
            model="data sheets",
            figure=drives_v,
            limit=wants_v,
            unit="V",
            at_least=True,
        )
    edge_ns = 2.2 * design.coil_supply.data_ohm * 15e-12 * 1e9
    yield Claim(
        chapter="Hub and inputs",
        text="edge of DATA 0 behind its resistor, 15 pF (half of a bit is 125 ns)",
        model="2.2 R C",
        figure=edge_ns,
        limit=125 / 2,
        unit="ns",
    )


def wire_claims() -> Iterator[Claim]:
    """Yield that no fuse or supply can give a wire more than it bears, in every shipped build."""
    for path in sorted(_WIRING.glob("*.toml")):
        wiring = read_wiring(path)
        loads = branch_loads(wiring)
        for branch in wiring.branches:
            supply_a = loads[branch.name].supply_a
            yield Claim(
                chapter="Wires",
                text=f"{path.stem}, {branch.name}: what fuse or supply gives {branch.mm2:g} mm²",
                model="hal/wiring/branches.py",
                figure=min(branch.fuse_a or supply_a, supply_a),
                limit=stands_a(branch.mm2),
                unit="A",
            )
