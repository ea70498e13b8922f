"""The bill of materials of a build: what to buy, counted from its wiring.

What a part is called, its package, price, joints and spares stand in ``parts.toml``, the one place for them.
"""
# ruff: noqa: E501 - one sentence of the page is one line here

import csv
import io
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from math import ceil
from typing import Final

from hextraction.board.design import HallPlace, load_design
from hextraction.board.instruments import slot_of
from hextraction.board.profile import load_board
from hextraction.controller.workshop.plans.budget import (
    Budget,
    budget_of,
    has_analog_regulator,
    has_bank_selector,
)
from hextraction.controller.workshop.plans.kit import kit_parts
from hextraction.controller.workshop.plans.names import all_sensors, has_pump, part_of
from hextraction.controller.workshop.plans.part import Part
from hextraction.controller.workshop.plans.part import part_line as _part
from hextraction.hal.wiring.wires import Wiring

__all__ = [
    "JOINTS_AN_HOUR",
    "Part",
    "cores_m",
    "joints_of",
    "parts_csv",
    "parts_of",
    "parts_page",
    "price_of",
]

JOINTS_AN_HOUR: Final = 40
"""Cutting, stripping, soldering and measuring by hand, for somebody who has done it before."""
_NOTCHES: Final = 6
_A_BEAMS_CABLE_M: Final = 1.2
"""From the breadboard to a beam, and half of it along the beam to its other side."""
_RING_M: Final = 10
_CORES: Final = {"beam": 4, "hall": 3, "linear": 3}
_SLACK: Final = 1.2
"""Wires do not run straight."""
_AT_ENDS_MM: Final = 100.0
_SPOOL_M: Final = 25
_CHIPS_A_BOARD: Final = 6
_BANKED: Final = 2
"""Capacitors of a charge pump, and its diodes."""


def parts_of(wiring: Wiring, sets: int = 1, *, fitted: bool = True) -> tuple[Part, ...]:
    """Return every part of a build, without solder and the board itself.

    Of a kit: for one of ``sets`` that are ordered together, its boards ``fitted`` by the house or not.
    """
    if wiring.plugs:
        return tuple(part for part in kit_parts(wiring, sets, fitted=fitted) if part.count)
    rooms = (_boards, _sensors, _lamps, _coils, _supplies, _branches, _bench)
    found = tuple(part for part in chain.from_iterable(room(wiring) for room in rooms) if part.count)
    return tuple(_plugged(part) for part in found) if wiring.breadboard else found


def _plugged(part: Part) -> Part:
    """Return a part as it costs joints beside a breadboard."""
    return replace(part, joints=part.plugged)


def price_of(wiring: Wiring, sets: int = 1, *, fitted: bool = True) -> float:
    """Return what one of ``sets`` builds costs with its spares, in euro."""
    return sum(part.buy * part.euro for part in parts_of(wiring, sets, fitted=fitted))


def joints_of(wiring: Wiring, *, fitted: bool = True) -> int:
    """Return how many joints are soldered by hand; of a kit with boards ``fitted`` by the house, or bare."""
    return sum(part.count * part.joints for part in parts_of(wiring, fitted=fitted))


def _boards(wiring: Wiring) -> Iterator[Part]:
    if not wiring.supply.from_usb:
        yield _part(1, f"pi-{wiring.supply.pi}", "the controller")
    hubs = wiring.hubs
    if hubs:
        chained = sum(bool(hub.chips) for hub in hubs)
        each = "at the hub" if len(hubs) == 1 else "at each hub"
        yield _part(len(hubs), "pico", "the sensor hub" if len(hubs) == 1 else "the sensor hubs")
        yield _part(len(hubs), "usb", "laptop to hub" if wiring.supply.from_usb else "Pi to hub")
        yield _part(sum(hub.chips for hub in hubs), "hc165", "eight inputs each")
        yield _part(sum(hub.multiplexers for hub in hubs), "hc4067", "sixteen linear Halls each")
        yield _part(sum(map(has_bank_selector, hubs)), "hc139", "names the bank of multiplexers")
        yield _part(2 * chained, "resistor", f"in SCK and LATCH {each}", "33 Ω")
        yield _part(chained, "resistor", f"in DATA 0 {each}", "1 kΩ")
    if wiring.expander is not None:
        chips = len(wiring.expander.addresses)
        yield _part(chips, "mcp23017", "fourteen inputs each")
        yield _part(chips + 1, "resistor", "RESET of each, and the INT line", "10 kΩ")
    yield _part(_decoupled(wiring), "c100n", "beside each chip and each Hall")
    if wiring.breadboard:
        beams = sum(part_of(sensor) == "beam" for sensor in all_sensors(wiring))
        yield _part(1, "breadboard", "Pico, chips and resistors")
        yield _part(1, "jumpers", "between them")
        yield _part(ceil(beams * _A_BEAMS_CABLE_M / _RING_M), "bell-wire", "one core to each leg of a beam")


def _decoupled(wiring: Wiring) -> int:
    """Return how many chips and sensors want a capacitor beside them."""
    count = Counter(part_of(sensor) for sensor in all_sensors(wiring))
    expander = wiring.expander
    chips = sum(hub.chips + hub.multiplexers + has_bank_selector(hub) + 1 for hub in wiring.hubs)
    chips += 0 if expander is None else len(expander.addresses)
    return chips + ceil(count["beam"] / 6) + count["hall"] + count["linear"]


def _sensors(wiring: Wiring) -> Iterator[Part]:
    design = load_design()
    sensors = list(all_sensors(wiring))
    count = Counter(part_of(sensor) for sensor in sensors)
    beams = count["beam"]
    alone = sum(part_of(sensor) == "beam" and sensor.name.startswith("zone.") for sensor in sensors)
    beam = design.beam
    yield _part(beams, "ir-led", "emitter of a beam")
    yield _part(beams, "ir-receiver", "receiver of a beam")
    yield _part(
        ceil((beams - alone) / 2), "resistor", "two emitters in series at 5 V", f"{beam.pair_ohm:g} Ω"
    )
    yield _part(alone, "resistor", "an end zone's emitter alone at 5 V", f"{beam.alone_ohm:g} Ω")
    yield _part(beams, "resistor", "collector of each receiver to 3.3 V", f"{beam.pull_up_kohm:g} kΩ")
    yield _part(ceil(beams / 6), "hc14", "six Schmitt triggers, at 3.3 V")
    yield _part(count["hall"], "hall-switch", "a tile lies there")
    if wiring.hubs:
        yield _part(count["hall"], "resistor", "output of each Hall switch to 3.3 V, if open drain", "10 kΩ")
    tile = design.tile_magnet
    size = f"{tile.wide_mm:g} x {tile.thick_mm:g} mm, {tile.grade}"
    yield _part(
        count["hall"] * _NOTCHES * 2,
        "magnet",
        "two beside each notch of a tile; more for tiles in hands",
        size,
    )
    yield _part(count["linear"], "hall-linear", "a ball rests or passes there")
    walls = sum(part_of(each) == "linear" and each.name.startswith("edge.") for each in sensors)
    yield _part(count["linear"] - walls, "magnet", "beside a Hall under a tile", _size(design.hall.slot))
    yield _part(walls, "magnet", "beside a Hall in a wall", _size(design.hall.wall))
    own = sum(map(has_analog_regulator, wiring.hubs))
    if own:
        yield _part(own, "regulator-a", "3.3 V A, joined with the hub's pin 35, not 36; enabled by its 3V3")
    yield _part(count["button"], "button", "from a pin to ground")
    magnetic = bool(count["linear"]) or (bool(beams) and not wiring.breadboard)  # a beam sees any ball
    yield _part(int(magnetic), "balls", "not 304 or 316")


def _size(place: HallPlace) -> str:
    return f"{place.wide_mm:g} x {place.thick_mm:g} mm, {place.grade}"


def _lamps(wiring: Wiring) -> Iterator[Part]:
    if wiring.pixels is not None:
        chains = max(1, len(wiring.pixels.hubs))
        yield _part(wiring.pixels.count, "pixel", "the lamps")
        yield _part(chains, "ahct125", "lamp data from 3.3 V to 5 V")
        yield _part(chains, "c100n", "beside the 74AHCT125")
        yield _part(chains, "resistor", "in the lamp data", "330 Ω")
        yield _part(chains, "c1000u-10", "across the lamps' feed")


def _coils(wiring: Wiring) -> Iterator[Part]:
    rail, coils = load_design().coil_supply, wiring.all_coils
    kickers = sum(coil.name.startswith("kicker.") for coil in coils)
    volts = f"{wiring.power.coil_volts:g} V"
    yield _part(len(coils) - kickers, "gate-coil", "a ramp's gate", volts)
    yield _part(kickers, "kicker-coil", "a kicker under a slot", volts)
    yield _part(len(coils), "n-mosfet", "switches a coil")
    yield _part(len(coils), "schottky", "across each coil and its PPTC")
    for hold_ma, many in sorted(Counter(coil.pptc_ma for coil in coils if coil.pptc_ma).items()):
        yield _part(many, "pptc", "in a coil's plus wire: a stuck transistor heats nothing", str(hold_ma))
    yield _part(len(coils), "resistor", "pin to gate", "100 Ω")
    yield _part(len(coils), "resistor", "gate to GND: off while everything boots", "10 kΩ")
    if coils:
        yield _part(1, "c1000u-25", "across the coils' supply, before the e-stop")
    if has_pump(wiring):
        yield _part(1, "e-stop", "one contact in the coils' supply, one in the hub's sense")
        yield from _pump(wiring, max(1, sum(bool(hub.coils) for hub in wiring.hubs)))
    if wiring.current is not None:
        yield _part(1, "ina219", "what the coils draw; sees the e-stop", f"{wiring.current.shunt_ohm:g} Ω")
    sensing = sum(bool(hub.coils) for hub in wiring.hubs)
    if sensing:
        upper = f"{rail.upper_kohm(wiring.power.coil_volts):g} kΩ"
        of = "the hub" if sensing == 1 else "each hub with coils"
        yield _part(sensing, "resistor", f"e-stop sense of {of}, upper", upper)
        yield _part(sensing, "resistor", f"e-stop sense of {of}, lower", f"{rail.sense_kohm:g} kΩ")
        yield _part(sensing, "c100n", "across the lower one")


def _pump(wiring: Wiring, many: int) -> Iterator[Part]:
    """Charge pumps, each with its P-MOSFET: the Pi's one, or one for each hub with coils."""
    rail = load_design().coil_supply
    kind = "AO4407A, IRF9Z34N" if wiring.power.coil_volts >= _LOGIC_LEVEL_BELOW_V else "AO3401A: on at 4.5 V"
    yield _part(many, "p-mosfet", "the coils' supply, high side", kind)
    yield _part(many, "n-mosfet", "charge pump")
    yield _part(many * _BANKED, "bat54", "charge pump")
    yield _part(many * _BANKED, "c1u", "charge pump")
    yield _part(many, "resistor", "empties the charge pump", f"{rail.pump_kohm:g} kΩ")
    yield _part(many, "resistor", "gate of the P-MOSFET to its source", f"{rail.gate_kohm:g} kΩ")
    yield _part(many, "resistor", "gate of the P-MOSFET to the pump", f"{rail.gate_series_kohm:g} kΩ")
    yield _part(many, "c100n", "gate of the P-MOSFET to its source")
    yield _part(many, "c10u", "behind the P-MOSFET, at the coils")
    yield _part(many, "resistor", "behind the P-MOSFET: empties it", f"{rail.bleeder_kohm:g} kΩ")


_LOGIC_LEVEL_BELOW_V: Final = 9.0
"""Below this a usual P-MOSFET is not fully on: one for logic levels is."""


def _supplies(wiring: Wiring) -> Iterator[Part]:
    supply, volts = wiring.supply, wiring.power.coil_volts
    if supply.from_usb:
        return
    if wiring.all_coils or supply.buck:
        use = "coils, and through the converter all else" if supply.buck else "coils"
        yield _part(1, "supply", use, f"{volts:g} V, {supply.coil_ma / 1_000:g} A or more")
    five = f"{supply.five_volt_ma / 1_000:g} A or more"
    yield _part(1, "converter" if supply.buck else "supply-5", "Pi, hub, sensors, lamps", five)
    if wiring.hubs:
        yield _part(len(wiring.hubs), "regulator", "shift registers, Schmitt triggers, Hall switches")


def _branches(wiring: Wiring) -> Iterator[Part]:
    """Fuses, wires and connectors as the wiring names them, branch by branch."""
    for branch in wiring.branches:
        if branch.fuse_a:
            slow = " slow" if branch.name == "coils" else ""
            yield _part(1, "fuse", f"in the branch {branch.name}", f"{branch.fuse_a:g} A{slow}")
        metres = ceil(2 * branch.length_m)
        yield _part(metres, "wire", f"branch {branch.name}, plus and ground", f"{branch.mm2:g} mm²")
        if branch.connector != "soldered":
            yield _part(1, "connector", f"branch {branch.name}", branch.connector)


def _bench(wiring: Wiring) -> Iterator[Part]:
    """What holds parts and wires: no circuit names it, and without it nothing can be built."""
    sensors = [sensor for sensor in all_sensors(wiring) if part_of(sensor) in _CORES]
    if wiring.breadboard:
        return
    small = len(wiring.all_coils) + 3 * (has_pump(wiring) and max(1, len(wiring.hubs)))
    yield _part(small, "adapter", "under each N-MOSFET and BAT54", "SOT-23")
    if has_pump(wiring) and wiring.power.coil_volts >= _LOGIC_LEVEL_BELOW_V:
        yield _part(1, "adapter", "under an AO4407A; an IRF9Z34N needs none", "SO-8")
    chips = sum(
        part.count for part in (*_boards(wiring), *_sensors(wiring)) if part.package.startswith("DIP")
    )
    yield _part(1 + ceil(chips / _CHIPS_A_BOARD), "perfboard", "chips, coil drivers, supplies")
    if sensors:
        metres = cores_m(wiring)
        yield _part(ceil(metres / _SPOOL_M), "sensor-wire", f"about {metres:.0f} m of cores, sensor to chip")
        yield _part(1, "filament", "bars, beam holders, funnels, gutters, gates: an estimate")
    yield _part(1, "heat-shrink", "over each joint that hangs free")
    yield _part(1, "screws", "boards, coils, holders")


def cores_m(wiring: Wiring) -> float:
    """Return the metres of thin wire from all sensors to the middle below the board, where the chips are."""
    board = load_board(wiring.profile)
    below_mm = max(slot.y_mm for slot in board.slots) + board.pitch_mm
    total_mm = 0.0
    for sensor in all_sensors(wiring):
        cores = _CORES.get(part_of(sensor), 0)
        if cores:
            slot = board.by_name[slot_of(board, sensor.name)]
            total_mm += cores * (_SLACK * math.hypot(slot.x_mm, slot.y_mm - below_mm) + _AT_ENDS_MM)
    return total_mm / 1_000


def parts_csv(wiring: Wiring) -> str:
    """Return the parts as a table for a spreadsheet."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    head = (
        "needed",
        "buy",
        "part",
        "package",
        "use",
        "euro each",
        "euro",
        "maker's number",
        "Reichelt",
        "Mouser",
    )
    rows.writerow(head)
    for part in parts_of(wiring):
        euro = f"{part.euro:.2f}", f"{part.buy * part.euro:.2f}"
        rows.writerow(
            (part.count, part.buy, part.what, part.package, part.use, *euro, part.maker, *part.orders)
        )
    return out.getvalue()


def parts_page(wiring: Wiring, title: str) -> str:
    """Return the page of parts and currents, as Markdown."""
    parts, joints = parts_of(wiring), joints_of(wiring)
    rows = [
        f"| {part.count} | {part.buy} | {part.what} | {part.package} | {part.maker} | {part.use} | {part.buy * part.euro:.2f} |"
        for part in parts
    ]
    return "\n".join(
        [
            f"# Parts: {title}",
            "",
            "Counted from the wiring; *buy* has spares. Prices are estimates in euro for small quantities (2026);",
            "solder and the board itself come on top. `parts.csv` is the same for a spreadsheet, with columns for",
            "order numbers of two sellers where parts lists that others have published name them for exactly this",
            "part; none of us has asked the sellers, and most are empty. To find a part, type the maker's number",
            "into the seller's search; where there is none, the part's words and its package. Then compare every",
            "letter (DRV5032 **FA**, 74 **AHCT** 125) and the package with this list.",
            "",
            "| need | buy | part | package | maker's number | use | € about |",
            "| ---: | ---: | --- | --- | --- | --- | ---: |",
            *rows,
            f"| | | **together** | | | | **{price_of(wiring):.0f}** |",
            "",
            *_work(wiring, joints),
            "",
            *_wires(wiring),
            *_currents(wiring, budget_of(wiring)),
            "",
        ]
    )


def _work(wiring: Wiring, joints: int) -> Iterator[str]:
    if wiring.plugs:
        yield f"About {joints} joints are soldered by hand if the house fits the boards, {joints_of(wiring, fitted=False)} if it does not; one of two"
        yield f"sets that are ordered together costs {price_of(wiring, 2):.0f} euro, one of five {price_of(wiring, 5):.0f}. Tax and parcel are in these prices."
        return
    hours = ceil(joints / JOINTS_AN_HOUR)
    yield f"About {joints} joints are soldered by hand, ends of wires included. At {JOINTS_AN_HOUR} an hour, with"
    yield f"cutting, stripping and measuring, that is **{hours} {'hour' if hours == 1 else 'hours'}** for joints alone; the board itself comes on top."


def _wires(wiring: Wiring) -> Iterator[str]:
    if wiring.branches:
        yield "## Wires"
        yield ""
        yield "| branch | wire | one way | fuse | connector |"
        yield "| --- | ---: | ---: | ---: | --- |"
        for branch in wiring.branches:
            fuse = f"{branch.fuse_a:g} A" if branch.fuse_a else "none: its supply gives no more than it bears"
            cells = f"{branch.mm2:g} mm²", f"{branch.length_m:g} m", fuse, branch.connector
            yield f"| {branch.name} | {' | '.join(cells)} |"
        yield ""


def _currents(wiring: Wiring, budget: Budget) -> Iterator[str]:
    supply = wiring.supply
    yield "## Currents"
    yield ""
    yield "Estimates on the safe side; measure (the checklist says when). The software holds the lamps"
    yield "to their budget and lets one coil be on at a time. Two beams share 10 mA through their emitters;"
    yield "the hub draws its share through the USB cable; chips are shift registers, multiplexers, expanders."
    yield ""
    yield "| 5 V | count | mA each | mA |"
    yield "| --- | ---: | ---: | ---: |"
    for load in budget.loads:
        yield f"| {load.name} | {load.count} | {load.each_ma} | {load.ma} |"
    yield f"| **all but lamps**, of `others_ma` = {supply.others_ma} | | | **{budget.others_ma}** |"
    yield f"| lamps, `budget_ma` | | | {budget.lamps_ma} |"
    drawn = budget.others_ma + budget.lamps_ma
    yield f"| **together**, of `five_volt_ma` = {supply.five_volt_ma} | | | **{drawn}** |"
    if budget.coil_supply_ma:
        yield ""
        yield f"| {wiring.power.coil_volts:g} V | mA |"
        yield "| --- | ---: |"
        yield f"| the strongest coil | {budget.coil_ma} |"
        if budget.buck_ma:
            yield f"| the converter, at 85 % and everything on | {budget.buck_ma} |"
        yield f"| **together**, of `coil_ma` = {supply.coil_ma} | **{budget.coil_supply_ma}** |"
