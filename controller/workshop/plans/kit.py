"""What a kit is made of: circuit boards from a house, cables, and what both are screwed to.

All figures stand in ``kit.toml``. Prices are for one set, or for several that are ordered together: a house
asks for each design once.
"""

import datetime as dt
import functools
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil
from pathlib import Path

import msgspec
from hextraction.board.profile import load_board
from hextraction.controller.workshop.plans.part import Part, part_line
from hextraction.hal.wiring.wires import Wiring

__all__ = [
    "Kit",
    "Minutes",
    "Rail",
    "board_joints",
    "boards_of",
    "first_parts",
    "house_euro",
    "kit_parts",
    "load_kit",
    "orders_euro",
]


class _House(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    least: int
    least_fitted: int
    design_euro: float
    cm2_euro: float
    free_cm2: float
    setup_euro: float
    kind_euro: float
    joint_euro: float
    pin_euro: float
    parcel_euro: float
    tax: float


class _OnBoard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    what: str
    euro: float
    joints: int = 0
    pins: int = 0
    kept: bool = False


class _Design(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    what: str
    mm: tuple[float, float]
    parts: dict[str, int]
    first: int
    spare: float = 0.0


class _Bought(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    what: str
    euro: float
    each: dict[str, int]
    first: int = 0
    joints: int = 0


class Rail(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rail that feeds circuit boards: the most it gives, and what one board of a kind draws, in mA."""

    source: str
    most_ma: int
    each: dict[str, float]


class _Magnets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hall: str
    tile: str
    a_tile: int


class Minutes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long one of each act takes at the table, in minutes."""

    wire_joint: float
    board_joint: float
    cable: float
    bar: float
    column: float
    hub: float
    beam: float
    hall: float
    magnet: float
    gate: float
    supply: float
    computer: float
    step: float
    measurement: float


class Kit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole table; ``dated`` is when its prices were estimated."""

    dated: dt.date
    house: _House
    part: dict[str, _OnBoard]
    board: dict[str, _Design]
    bought: dict[str, _Bought]
    rail: dict[str, Rail]
    magnet: _Magnets
    minutes: Minutes


@functools.cache
def load_kit() -> Kit:
    """Return the table ``kit.toml``."""
    text = (Path(__file__).parent / "kit.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Kit)


def boards_of(wiring: Wiring) -> Mapping[str, int]:
    """Return how many of each kind of board a set has: those of its plugs, and the hub board."""
    return Counter([*(plug.kind for plug in wiring.plugs), "hub"])


def board_joints(kind: str) -> int:
    """Return how many joints a board has that nobody has put parts on."""
    kit = load_kit()
    return sum(
        many * (kit.part[key].joints + kit.part[key].pins) for key, many in kit.board[kind].parts.items()
    )


def house_euro(kind: str, count: int, sets: int = 1, *, fitted: bool = True) -> float:
    """Return what ``count`` boards of a kind cost for each of ``sets`` sets, with tax, without the parcel.

    ``fitted``: the house puts the parts on; else the parts alone are bought with the boards.
    """
    return _order_euro(kind, _with_spares(kind, count) * sets, fitted=fitted) / sets


def orders_euro(wiring: Wiring) -> tuple[float, float]:
    """Return what the house asks for a set in two orders, boards to measure first and then the rest.

    Both fitted, with tax and a parcel each; it asks its fees for each order anew.
    """
    kit = load_kit()
    parcel = kit.house.parcel_euro * (1 + kit.house.tax)
    boards = {kind: count for kind, count in boards_of(wiring).items() if kind in kit.board}
    first = sum(_order_euro(kind, kit.board[kind].first) for kind in boards)
    left = {kind: _with_spares(kind, count) - kit.board[kind].first for kind, count in boards.items()}
    rest = sum(_order_euro(kind, count) for kind, count in left.items() if count > 0)
    return first + parcel, rest + parcel


def first_parts(wiring: Wiring) -> Iterator[Part]:
    """Yield what is bought with the boards that are measured first: for a column board with bar and beam."""
    kit = load_kit()
    yield part_line(1, "pico", "the sensor hub")
    yield _supply(wiring)
    for size in (kit.magnet.hall, kit.magnet.tile):
        yield part_line(1, "magnet", "one of a kind", size)
    for bought in kit.bought.values():
        if bought.first:
            yield _bought(bought.first, bought.what, "plugged", bought.euro)


def _order_euro(kind: str, wanted: int, *, fitted: bool = True) -> float:
    """Return what the house asks for so many boards of a kind together, with tax, without the parcel."""
    kit, design = load_kit(), load_kit().board[kind]
    house = kit.house
    made = max(house.least, wanted)
    cm2 = design.mm[0] * design.mm[1] / 100 * made
    euro = house.design_euro + max(0.0, cm2 - house.free_cm2) * house.cm2_euro
    on_it = [(kit.part[key], many) for key, many in design.parts.items()]
    filled = max(house.least_fitted, wanted) if fitted else wanted
    euro += filled * sum(part.euro * many for part, many in on_it)
    if fitted:
        euro += house.setup_euro + house.kind_euro * sum(not part.kept for part, _many in on_it)
        euro += filled * sum(
            many * (part.joints * house.joint_euro + part.pins * house.pin_euro) for part, many in on_it
        )
    return euro * (1 + house.tax)


def _with_spares(kind: str, count: int) -> int:
    return count + ceil(count * load_kit().board[kind].spare)


def kit_parts(wiring: Wiring, sets: int = 1, *, fitted: bool = True) -> Iterator[Part]:
    """Yield what is bought for one of ``sets`` sets that are ordered together."""
    yield part_line(1, f"pi-{wiring.supply.pi}", "the controller")
    yield _without_joints(part_line(len(wiring.hubs), "pico", "the sensor hub, in its sockets"))
    yield part_line(len(wiring.hubs), "usb", "Pi to hub")
    yield from _from_the_house(wiring, sets, fitted=fitted)
    yield from _cables(wiring)
    yield from _magnets(wiring)
    volts = f"{wiring.power.coil_volts:g} V"
    yield _without_joints(
        part_line(len(wiring.all_coils), "gate-coil", "a ramp's gate, into screw terminals", volts)
    )
    yield part_line(1, "e-stop", "one contact in the coils' supply, one in the hub's sense")
    yield _supply(wiring)
    for branch in wiring.branches:
        if branch.connector == "screw terminal" and branch.name != "converter":  # that has leads of its own
            yield part_line(
                ceil(2 * branch.length_m), "wire", f"branch {branch.name}, both ways", f"{branch.mm2:g} mm²"
            )
    yield part_line(1, "balls", "not 304 or 316")
    yield part_line(2, "screws", "boards, coils, holders")
    yield part_line(2, "filament", "1.3 kg: carriers, holders, funnels, gutters, gates, boxes: an estimate")


def _supply(wiring: Wiring) -> Part:
    rating = f"{wiring.power.coil_volts:g} V, {wiring.supply.coil_ma / 1_000:g} A or more"
    return part_line(1, "supply", "coils, and through the hub board all else", rating)


def _from_the_house(wiring: Wiring, sets: int, *, fitted: bool) -> Iterator[Part]:
    kit = load_kit()
    for kind, count in boards_of(wiring).items():
        design = kit.board.get(kind)
        if design is not None:
            buy = _with_spares(kind, count)
            yield Part(
                count=count,
                what=design.what,
                use="fitted by the house" if fitted else "bare, and its parts",
                euro=house_euro(kind, count, sets, fitted=fitted) / buy,
                buy=buy,
                package=f"{design.mm[0]:g} x {design.mm[1]:g} mm",
                joints=0 if fitted else board_joints(kind),
                plugged=0,
                maker="",
                orders=("", ""),
            )
    parcel = kit.house.parcel_euro * (1 + kit.house.tax) / sets
    yield _bought(1, "parcel from the house", "taxed", parcel)


def _cables(wiring: Wiring) -> Iterator[Part]:
    boards = {**boards_of(wiring), "zone": len(load_board(wiring.profile).zones)}
    for bought in load_kit().bought.values():
        count = sum(many * boards.get(kind, 0) for kind, many in bought.each.items())
        yield _bought(count, bought.what, "plugged", bought.euro, joints=bought.joints)


def _magnets(wiring: Wiring) -> Iterator[Part]:
    kit, slots = load_kit(), len(load_board(wiring.profile).slots)
    yield part_line(len(wiring.hub_linears), "magnet", "beside a bar's Hall, in its carrier", kit.magnet.hall)
    use = "on the spokes of a tile; more for tiles in hands"
    yield part_line(slots * kit.magnet.a_tile, "magnet", use, kit.magnet.tile)


def _bought(count: int, what: str, use: str, euro: float, *, joints: int = 0) -> Part:
    return Part(
        count=count,
        what=what,
        use=use,
        euro=euro,
        buy=count,
        package="",
        joints=joints,
        plugged=0,
        maker="",
        orders=("", ""),
    )


def _without_joints(part: Part) -> Part:
    return replace(part, joints=0)
