"""The power budget of a build, from its wiring: 5 V for Pi, hub, sensors and lamps, and the coils' supply.

All figures are conservative estimates (data-sheet maxima where known); measure before trusting them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hextraction.controller.workshop.plans.kit import Rail, boards_of, load_kit
from hextraction.controller.workshop.plans.names import all_sensors, part_of
from hextraction.hal.wiring.wires import HubWire, Wiring

__all__ = [
    "BranchLoad",
    "Budget",
    "Load",
    "RailLoad",
    "branch_loads",
    "budget_of",
    "has_analog_regulator",
    "has_bank_selector",
    "rail_loads",
]

_LINEAR_MA: Final = 10
"""The maximum of a DRV5055."""
_HUB_SPARES_MA: Final = 300
"""What a Raspberry Pi Pico's 3.3 V can supply besides itself."""
_MUXES_OF_A_BANK: Final = 3
_PI_MA: Final = {"zero-2w": 500, "3b": 1_000, "4b": 1_200, "5": 2_500}
_PI_NAMES: Final = {"zero-2w": "Zero 2 W", "3b": "3B or 3B+", "4b": "4B", "5": "5"}
_HUB_MA: Final = 100
_PART_MA: Final = {"beam": 6, "hall": 2, "linear": _LINEAR_MA, "button": 1}
_PART_NAMES: Final = {
    "beam": "beams",
    "hall": "Hall switches",
    "linear": "linear Halls",
    "button": "buttons",
}
_CHIP_MA: Final = 1
_BUCK_EFFICIENCY: Final = 0.85
_FIVE_VOLTS: Final = 5.0
_REGULATED_V: Final = 3.3
_REGULATOR_A: Final = 1.0
"""What the 3.3 V regulator gives at most."""


@dataclass(frozen=True, slots=True)
class Load:
    """``count`` parts that each draw ``each_ma`` at 5 V."""

    name: str
    count: int
    each_ma: int

    @property
    def ma(self) -> int:
        """Their total current."""
        return self.count * self.each_ma


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The currents of the 5 V loads except lamps (``loads``), of the lamps, one coil, and the converter."""

    loads: tuple[Load, ...]
    lamps_ma: int
    coil_ma: int
    buck_ma: int

    @property
    def others_ma(self) -> int:
        """The 5 V current of everything but the lamps."""
        return sum(load.ma for load in self.loads)

    @property
    def coil_supply_ma(self) -> int:
        """The current of one coil at a time, and of the step-down converter if there is one."""
        return self.coil_ma + self.buck_ma


def budget_of(wiring: Wiring) -> Budget:
    """Estimate the maximum currents of a build; the software holds the lamps to their own budget."""
    loads = tuple(load for load in _loads(wiring) if load.ma)
    lamps_ma = 0 if wiring.pixels is None else wiring.pixels.budget_ma
    return Budget(
        loads=loads,
        lamps_ma=lamps_ma,
        coil_ma=max((coil.current_ma for coil in wiring.all_coils), default=0),
        buck_ma=_buck_ma(wiring, sum(load.ma for load in loads) + lamps_ma),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchLoad:
    """What a branch carries at most, what its supply can give, and at which voltage."""

    amperes: float
    supply_a: float
    volts: float


def branch_loads(wiring: Wiring) -> dict[str, BranchLoad]:
    """Return the wired branches of a build with their loads; a kit's ribbons are fused on its hub board."""
    budget, supply = budget_of(wiring), wiring.supply
    coil_v, brick_a, five_a = wiring.power.coil_volts, supply.coil_ma / 1_000, supply.five_volt_ma / 1_000
    by_name = {load.name: load.ma / 1_000 for load in budget.loads}
    pi_a = sum(amperes for name, amperes in by_name.items() if name.startswith(("Raspberry", "sensor hub")))
    logic_a = sum(by_name.get(name, 0.0) for name in ("Hall switches", "buttons", "chips"))
    sensors_a = sum(by_name.values()) - pi_a
    found = {}
    if wiring.all_coils:
        found["coils"] = BranchLoad(amperes=budget.coil_ma / 1_000, supply_a=brick_a, volts=coil_v)
    if supply.buck:
        found["converter"] = BranchLoad(amperes=budget.buck_ma / 1_000, supply_a=brick_a, volts=coil_v)
        if supply.pi != "own":
            found["pi"] = BranchLoad(amperes=pi_a, supply_a=five_a, volts=_FIVE_VOLTS)
    if wiring.plugs:
        return found
    if wiring.pixels is not None:
        found["lamps"] = BranchLoad(amperes=budget.lamps_ma / 1_000, supply_a=five_a, volts=_FIVE_VOLTS)
    if by_name.get("beams") or by_name.get("linear Halls"):
        found["sensors"] = BranchLoad(amperes=sensors_a, supply_a=five_a, volts=_FIVE_VOLTS)
    if wiring.hubs or wiring.expander is not None:
        found["logic"] = BranchLoad(amperes=logic_a, supply_a=_REGULATOR_A, volts=_REGULATED_V)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class RailLoad:
    """What the circuit boards of a kit draw of one rail at most, and what that gives, in mA.

    ``feeds`` are how many boards of each kind hang on it.
    """

    name: str
    source: str
    feeds: Mapping[str, int]
    ma: float
    most_ma: int


def rail_loads(wiring: Wiring, rails: Mapping[str, Rail] | None = None) -> tuple[RailLoad, ...]:
    """Return the load of each rail (those of ``kit.toml``); none for a build without circuit boards."""
    if not wiring.plugs:
        return ()
    boards = boards_of(wiring)
    named = load_kit().rail if rails is None else rails
    return tuple(
        RailLoad(
            name=name,
            source=rail.source,
            feeds={kind: boards[kind] for kind in rail.each},
            ma=sum(boards[kind] * ma for kind, ma in rail.each.items()),
            most_ma=rail.most_ma,
        )
        for name, rail in named.items()
    )


def has_analog_regulator(hub: HubWire) -> bool:
    """Whether a hub's linear Halls draw more than it can supply, and so need a 3.3 V regulator."""
    return len(hub.linears) * _LINEAR_MA > _HUB_SPARES_MA


def has_bank_selector(hub: HubWire) -> bool:
    """Whether a 74HC139 selects a hub's bank of multiplexers: there are more than the three of one bank."""
    return hub.multiplexers > _MUXES_OF_A_BANK


def _loads(wiring: Wiring) -> Iterator[Load]:
    pi = wiring.supply.pi
    if pi in _PI_MA:
        yield Load(f"Raspberry Pi {_PI_NAMES[pi]}", 1, _PI_MA[pi])
    if pi != "own":
        yield Load("sensor hubs" if len(wiring.hubs) > 1 else "sensor hub", len(wiring.hubs), _HUB_MA)
    parts = Counter(part_of(sensor) for sensor in all_sensors(wiring))
    on_boards = {"beam": round(load_kit().rail["5V"].each["beam"])} if wiring.plugs else {}
    for part, name in _PART_NAMES.items():
        yield Load(name, parts[part], on_boards.get(part, _PART_MA[part]))
    yield Load("chips", _chips(wiring), _CHIP_MA)


def _chips(wiring: Wiring) -> int:
    hubs = sum(hub.chips + hub.multiplexers + has_bank_selector(hub) for hub in wiring.hubs)
    expanders = 0 if wiring.expander is None else len(wiring.expander.addresses)
    return hubs + expanders + (wiring.current is not None)


def _buck_ma(wiring: Wiring, five_volt_ma: int) -> int:
    """Return the current that the converter draws from the coils' supply for a given 5 V current."""
    if not wiring.supply.buck:
        return 0
    return round(five_volt_ma * _FIVE_VOLTS / (wiring.power.coil_volts * _BUCK_EFFICIENCY))
