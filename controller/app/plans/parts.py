"""The bill of materials of a build: what to buy, counted from its wiring. Prices are estimates."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final

from hextraction.controller.app.plans.budget import Budget, budget_of, has_analog_regulator, has_bank_selector
from hextraction.controller.app.plans.names import all_sensors, has_pump, part_of
from hextraction.hal.wiring.wires import Wiring

__all__ = ["Part", "parts_of", "parts_page"]

_PIS: Final = {
    "zero-2w": ("Raspberry Pi Zero 2 W with a header, microSD card 16 GB", 25.0),
    "3b": ("Raspberry Pi 3B+, microSD card 16 GB", 45.0),
    "4b": ("Raspberry Pi 4B 2 GB, microSD card 16 GB", 60.0),
    "5": ("Raspberry Pi 5 2 GB, microSD card 16 GB", 70.0),
    "own": ("Raspberry Pi (any from the Zero 2 W on) with its own plug, microSD card 16 GB", 60.0),
}
_NOTCHES: Final = 6
"""The most magnets in a tile; only the one over the key is above a Hall, and rotation decides which."""


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the shopping list; ``euro`` is an estimated unit price."""

    count: int
    what: str
    use: str
    euro: float


def parts_of(wiring: Wiring) -> tuple[Part, ...]:
    """Return every part of a build, without wire, solder and wood."""
    found = (
        *_boards(wiring),
        *_sensors(wiring),
        *_lamps(wiring),
        *_coils(wiring),
        *_supplies(wiring),
    )
    return tuple(part for part in found if part.count)


def _boards(wiring: Wiring) -> Iterator[Part]:
    what, euro = _PIS[wiring.supply.pi]
    yield Part(1, what, "the controller", euro)
    hub = wiring.hub
    if hub is not None:
        yield Part(1, "Raspberry Pi Pico (RP2040) with headers", "the sensor hub", 5.0)
        yield Part(
            1, "USB cable, A to micro-B (Zero 2 W: with OTG adapter), with data wires", "Pi to hub", 3.0
        )
        yield Part(hub.chips, "74HC165, DIP-16, with socket", "eight inputs each", 0.5)
        yield Part(hub.multiplexers, "CD74HC4067, DIP-24 or on a breakout", "sixteen linear Halls each", 1.5)
        selectors = int(has_bank_selector(wiring))
        yield Part(selectors, "74HC139, DIP-16, with socket", "names the bank of multiplexers", 0.5)
        chips = hub.chips + hub.multiplexers + selectors
        yield Part(chips + 1, "capacitor 100 nF", "beside each chip", 0.05)
    if wiring.expander is not None:
        chips = len(wiring.expander.addresses)
        yield Part(chips, "MCP23017, DIP-28, with socket", "fourteen inputs each", 2.0)
        yield Part(chips, "capacitor 100 nF", "beside each chip", 0.05)
        yield Part(chips + 1, "resistor 10 kΩ", "RESET of each, and the INT line", 0.02)


def _sensors(wiring: Wiring) -> Iterator[Part]:
    count = Counter(part_of(sensor) for sensor in all_sensors(wiring))
    beams = count["beam"]
    yield Part(beams, "infrared LED 940 nm, 3 mm", "emitter of a beam", 0.1)
    yield Part(beams, "phototransistor with daylight filter, 3 mm, 940 nm", "receiver of a beam", 0.25)
    yield Part(ceil(beams / 2), "resistor 270 Ω", "two emitters in series at 5 V", 0.02)
    yield Part(beams, "resistor 10 kΩ", "collector of each receiver to 3.3 V", 0.02)
    yield Part(ceil(beams / 6), "74HC14, DIP-14, with socket", "six Schmitt triggers, at 3.3 V", 0.5)
    yield Part(count["hall"], "Hall switch, omnipolar, of the DRV5032 kind", "a tile lies there", 0.8)
    if wiring.hub is not None:
        yield Part(
            count["hall"], "resistor 10 kΩ", "output of each Hall switch to 3.3 V, if it is open drain", 0.02
        )
    yield Part(
        count["hall"] * _NOTCHES,
        "magnet disc 2 to 3 mm wide, 1 mm thick",
        "in the rim of a tile, one for each of its notches, up to six; more for tiles in hands",
        0.1,
    )
    yield Part(count["linear"], "linear Hall DRV5055A1", "a ball rests or passes there", 1.8)
    yield Part(
        count["linear"],
        "magnet disc N35, 3 mm wide, 2 mm thick",
        "beside each linear Hall, 10 mm from the ball's middle",
        0.15,
    )
    if has_analog_regulator(wiring):
        yield Part(
            1, "low-noise regulator to 3.3 V, 1 A", "3.3 V A, joined with the hub's pin 35, not 36", 2.5
        )
    yield Part(count["button"], "push button", "from a pin to ground", 0.3)
    yield Part(
        1 if beams or count["linear"] else 0,
        "steel balls 10 mm, AISI 420 or 440C, ten",
        "not 304 or 316",
        6.0,
    )


def _lamps(wiring: Wiring) -> Iterator[Part]:
    if wiring.pixels is not None:
        yield Part(wiring.pixels.count, "pixel WS2812B or SK6812 (strip or single)", "the lamps", 0.12)
        yield Part(1, "74AHCT125, DIP-14, with socket, and 100 nF", "lamp data from 3.3 V to 5 V", 0.6)
        yield Part(1, "resistor 330 Ω", "in the lamp data", 0.02)
        yield Part(1, "capacitor 1000 µF 10 V", "across the lamps' feed", 0.4)


def _coils(wiring: Wiring) -> Iterator[Part]:
    coils = wiring.all_coils
    kickers = sum(coil.name.startswith("kicker.") for coil in coils)
    volts = f"{wiring.power.coil_volts:g} V"
    yield Part(len(coils) - kickers, f"small solenoid {volts}, with return spring", "a ramp's gate", 5.0)
    yield Part(kickers, f"push solenoid {volts}", "a kicker under a slot", 7.0)
    yield Part(len(coils), "N-MOSFET fully on at 2.5 to 3.3 V (AO3400A, IRLML6344)", "switches a coil", 0.3)
    yield Part(len(coils), "Schottky diode SS34 or 1N5822", "across each coil", 0.15)
    yield Part(len(coils), "resistor 100 Ω", "pin to gate", 0.02)
    yield Part(len(coils), "resistor 10 kΩ", "gate to GND: off while everything boots", 0.02)
    if coils:
        yield Part(1, "capacitor 1000 µF 25 V", "at the MOSFETs, across the coils' supply", 0.5)
        yield Part(1, "fuse 3 A slow, with holder", "in the coils' supply", 1.0)
    if has_pump(wiring):
        yield Part(1, "e-stop: mushroom switch, opens when pressed", "in series with the coils' supply", 6.0)
        yield Part(1, "P-MOSFET 30 V 5 A (AO4407A, IRF9Z34N)", "the coils' supply, high side", 0.8)
        yield Part(
            1, "N-MOSFET AO3400A, two Schottky diodes BAT54, two of 1 µF, 470 kΩ, 10 kΩ", "charge pump", 1.0
        )
    if wiring.current is not None:
        shunt = f"{wiring.current.shunt_ohm:g} Ω"
        yield Part(1, f"INA219 module with a shunt of {shunt}", "what the coils draw; sees the e-stop", 4.0)
    if wiring.hub is not None and wiring.hub.coils:
        yield Part(1, "resistors 33 kΩ and 10 kΩ", "e-stop sense of the hub", 0.05)


def _supplies(wiring: Wiring) -> Iterator[Part]:
    supply, volts = wiring.supply, wiring.power.coil_volts
    if wiring.all_coils or supply.buck:
        yield Part(
            1, f"supply {volts:g} V, {supply.coil_ma / 1_000:g} A or more", "coils" + _and_buck(wiring), 15.0
        )
    five = f"{supply.five_volt_ma / 1_000:g} A or more"
    kind = "step-down converter to 5 V" if supply.buck else "supply 5 V"
    yield Part(1, f"{kind}, {five}", "Pi, hub, sensors, lamps", 8.0)
    yield Part(int(wiring.pixels is not None), "fuse 5 A, with holder", "in the lamps' feed", 1.0)
    if wiring.hub is not None:
        yield Part(
            1, "regulator to 3.3 V, 1 A (module)", "shift registers, Schmitt triggers, Hall switches", 1.5
        )


def _and_buck(wiring: Wiring) -> str:
    return ", and through the converter all else" if wiring.supply.buck else ""


def parts_page(wiring: Wiring, title: str) -> str:
    """Return the page of parts and currents, as Markdown."""
    parts = parts_of(wiring)
    rows = [f"| {part.count} | {part.what} | {part.use} | {part.count * part.euro:.2f} |" for part in parts]
    total = sum(part.count * part.euro for part in parts)
    return "\n".join(
        [
            f"# Parts: {title}",
            "",
            "Counted from the wiring. Prices are estimates in euro for small quantities (2026);",
            "wire, connectors, solder and the board itself come on top.",
            "",
            "| count | part | use | € about |",
            "| ---: | --- | --- | ---: |",
            *rows,
            f"| | **together** | | **{total:.0f}** |",
            "",
            *_currents(wiring, budget_of(wiring)),
            "",
        ]
    )


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
