"""Every package of a build, with its pins and what is soldered to each: the source of tables and drawing.

Pin numbers are those of the data sheets, for the through-hole packages (DIP), the Raspberry Pi's 40-pin
header and the Raspberry Pi Pico. The hub's pins are those of its firmware (``docs/hub-protocol.md``).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from hextraction.board.design import load_design
from hextraction.controller.workshop.plans.budget import has_analog_regulator, has_bank_selector
from hextraction.controller.workshop.plans.names import how_of
from hextraction.hal.wiring.claims import HEADER
from hextraction.hal.wiring.wires import CurrentWire, HubWire, PixelWire, Wiring

__all__ = ["COIL_PINS", "UNUSED", "Package", "Pin", "packages"]

UNUSED: Final = ""
COIL_PINS: Final = (10, 11, 12, 13, 15, 16, 17, 18)
"""The Pico's GP number of each coil output of the hub."""
_SHARED: Final = frozenset({"GND", "3.3 V", "5 V"})
_ADC_PINS: Final = (26, 27, 28)
_SHIFT_INPUTS: Final = (11, 12, 13, 14, 3, 4, 5, 6)
_MUX_INPUTS: Final = (9, 8, 7, 6, 5, 4, 3, 2, 23, 22, 21, 20, 19, 18, 17, 16)
_POWER_PINS: Final = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
_HEADER_GROUNDS: Final = (6, 9, 14, 20, 25, 30, 34, 39)
_PICO_GROUNDS: Final = (3, 8, 13, 18, 23, 28, 38)
_PICO_OTHERS: Final = {
    30: "RUN", 33: "AGND", 35: "ADC_VREF", 36: "3V3", 37: "3V3_EN", 39: "VSYS", 40: "VBUS",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin: its number on the package, its name, and what is soldered to it (empty: nothing)."""

    number: int
    label: str
    net: str = UNUSED
    how: str = ""


@dataclass(frozen=True, slots=True)
class Package:
    """One part with pins. ``zigzag``: a header, with odd numbers on the left and even ones on the right."""

    name: str
    title: str
    pins: tuple[Pin, ...]
    zigzag: bool = False

    @property
    def sides(self) -> tuple[tuple[Pin, ...], tuple[Pin, ...]]:
        """The pins on the left and on the right, from the top, looking at the package."""
        if self.zigzag:
            return self.pins[::2], self.pins[1::2]
        half = len(self.pins) // 2
        return self.pins[:half], self.pins[: half - 1 : -1]


def packages(wiring: Wiring) -> tuple[Package, ...]:
    """Return the packages of a build: the Pi, each hub with its chips, the expanders, the current meter."""
    found = [] if wiring.supply.from_usb else [_header(wiring)]
    for hub in wiring.hubs:
        found += [_named(package, hub) for package in _hub_packages(wiring, hub)]
    if wiring.expander is not None:
        found += [_expander(wiring, address) for address in wiring.expander.addresses]
    if wiring.current is not None:
        found.append(_meter(wiring, wiring.current))
    return tuple(found)


def _header(wiring: Wiring) -> Package:
    """The Pi's header, pin 1 at the top left as printed on the board."""
    places = {HEADER[pin]: Pin(HEADER[pin], f"GPIO{pin}") for pin in HEADER}
    places |= {number: Pin(number, label) for number, label in _POWER_PINS.items()}
    places |= {number: Pin(number, "GND") for number in _HEADER_GROUNDS}
    for pin, net, how in _header_wires(wiring):
        places[HEADER[pin]] = Pin(HEADER[pin], f"GPIO{pin}", net, how)
    places[6] = Pin(6, "GND", "GND", "the star point of all grounds")
    feeds = ["expanders, Halls and receivers of the beams"] if wiring.expander is not None else []
    feeds += ["the current meter"] if wiring.current is not None else []
    if feeds:
        places[1] = Pin(1, "3.3 V", "3.3 V", "; ".join(feeds))
    if wiring.supply.pi != "own":
        way = "from the converter" if wiring.supply.buck else "to the lamps, from the Pi's plug"
        places |= {number: Pin(number, "5 V", "5 V", way) for number in (2, 4)}
    pins = tuple(places[number] for number in sorted(places))
    return Package("Pi", "Raspberry Pi, 40-pin header", pins, zigzag=True)


def _header_wires(wiring: Wiring) -> Iterator[tuple[int, str, str]]:
    for sensor in wiring.sensors:
        yield sensor.pin, sensor.name, how_of(sensor)
    if wiring.pixels is not None and not wiring.pixels.on_hub:
        yield wiring.pixels.pin, "LAMP DATA", _lamp_data(wiring.pixels, wiring.pixels.count)
    for coil in wiring.coils:
        yield coil.pin, coil.name, "100 Ω to the gate of its MOSFET, 10 kΩ from there to GND"
    if wiring.power.switch is not None:
        yield wiring.power.switch.pin, "POWER SWITCH", how_of(wiring.power.switch)
    if wiring.power.arm_pin is not None:
        yield wiring.power.arm_pin, "PUMP", "1 µF into the charge pump of the coil supply"
    if wiring.expander is not None:
        yield wiring.expander.int_pin, "INT", "all INT lines, 10 kΩ to 3.3 V"
    on_bus = ["all expanders"] if wiring.expander is not None else []
    on_bus += ["the current meter"] if wiring.current is not None else []
    if on_bus:
        yield 2, "SDA", " and ".join(on_bus)
        yield 3, "SCL", " and ".join(on_bus)


def _lamp_data(wire: PixelWire, count: int) -> str:
    return f"through a 74AHCT125 and 330 Ω to the first of {count} pixels, {wire.order}"


def _named(package: Package, hub: HubWire) -> Package:
    """Say of a package, of its wires and of its own nets which hub's they are, if there are several."""
    if not hub.name:
        return package
    kind, _dash, number = package.name.partition("-")
    pins = (
        replace(pin, net=_net_of(pin.net, hub), how=pin.how.replace("hub, pin", f"hub {hub.name}, pin"))
        for pin in package.pins
    )
    return Package(
        name="-".join(word for word in (kind, hub.name, number) if word),
        title=f"{hub.name}: {package.title.replace(', the sensor hub', '')}",
        pins=tuple(pins),
    )


def _net_of(net: str, hub: HubWire) -> str:
    """Nets of one name are joined: what only one hub has, such as its clock, gets its name."""
    is_shared = not net or "." in net.removeprefix("3.3 V") or net in _SHARED
    return net if is_shared else f"{net} {hub.name}"


def _hub_packages(wiring: Wiring, hub: HubWire) -> Iterator[Package]:
    yield _pico(wiring, hub)
    inputs = {each.number: (each.name, how_of(each)) for each in hub.inputs}
    for chip in range(hub.chips):
        yield _shift_register(chip, hub, inputs)
    if has_bank_selector(hub):
        yield _bank_selector(hub.multiplexers)
    linears = {each.number: (each.name, how_of(each)) for each in hub.linears}
    for number in range(hub.multiplexers):
        yield _multiplexer(number, hub.multiplexers, linears)


def _pico(wiring: Wiring, hub: HubWire) -> Package:
    """The Pico, USB socket at the top."""
    numbers = [number for number in range(1, 41) if number not in (*_PICO_GROUNDS, *_PICO_OTHERS)]
    gpios = (*range(23), *_ADC_PINS)
    wires = {**_hub_wires(hub), **_hub_outputs(wiring, hub)}
    pins = {}
    for number, gpio in zip(numbers, gpios, strict=True):
        pins[number] = Pin(number, f"GP{gpio}", *wires.get(gpio, ()))
    pins |= {number: Pin(number, "GND") for number in _PICO_GROUNDS}
    pins |= {number: Pin(number, label) for number, label in _PICO_OTHERS.items()}
    pins[3] = Pin(3, "GND", "GND", "the star point of all grounds")
    if hub.multiplexers:
        pins[33] = Pin(33, "AGND", "GND A", "the linear Halls' and multiplexers' own ground")
        place, how = _analog_supply(hub)
        pins[place] = Pin(place, _PICO_OTHERS[place], "3.3 V A", how)
    title = "Raspberry Pi Pico, the sensor hub (USB to the Pi)"
    if wiring.supply.from_usb:
        title = "Raspberry Pi Pico (USB to the laptop)"
        pins[3], pins[38] = Pin(3, "GND"), Pin(38, "GND", "GND", "both blue rails of the breadboard")
        pins[36] = Pin(36, "3V3", "3.3 V", "chips and receivers of the beams")
        pins[40] = Pin(40, "VBUS", "5 V", "emitters of the beams, from the USB")
    return Package("hub", title, tuple(pins[n] for n in range(1, 41)))


def _analog_supply(hub: HubWire) -> tuple[int, str]:
    """The Pico's pin for 3.3 V A: its output, or its reference input if a regulator supplies it."""
    if has_analog_regulator(hub):
        return (
            35,
            "the low-noise regulator for linear Halls and multiplexers; pin 36 feeds only its enable pin",
        )
    return 36, "linear Halls and multiplexers only, 300 mA at most"


def _hub_wires(hub: HubWire) -> Mapping[int, tuple[str, str]]:
    """The hub's pins that go to the chips that read the sensors."""
    wires: dict[int, tuple[str, str]] = {}
    if hub.chips:
        wires |= {
            2: ("SCK", "pin 2 of every 74HC165"),
            4: ("DATA 0", "pin 9 of 74HC165 number 0"),
            5: ("LATCH", "pin 1 of every 74HC165"),
        }
    if hub.loop:
        wires[3] = ("LOOP", f"pin 10 of 74HC165 number {hub.chips - 1}, the last one")
    if hub.multiplexers:
        wires |= {6 + n: (f"S{n}", "every multiplexer") for n in range(4)}
        for column in range(min(3, hub.multiplexers)):
            which = range(column, hub.multiplexers, 3)
            wires[_ADC_PINS[column]] = (f"COLUMN {column}", f"pin 1 of multiplexer {_and(which)}")
    if hub.multiplexers > 3:
        wires |= {19: ("BANK LOW", "pin 2 of the 74HC139"), 21: ("BANK HIGH", "pin 3 of the 74HC139")}
    return wires


def _hub_outputs(wiring: Wiring, hub: HubWire) -> Mapping[int, tuple[str, str]]:
    wires = {}
    if wiring.pixels is not None and hub.lamps:
        wires[20] = ("LAMP DATA", _lamp_data(wiring.pixels, hub.lamps))
    if not hub.coils:
        return wires
    gate = "100 Ω to the gate of its MOSFET, 10 kΩ from there to GND"
    wires |= {COIL_PINS[coil.number]: (coil.name, gate) for coil in hub.coils}
    wires[14] = ("PUMP", "1 µF into the charge pump of the coil supply")
    volts = f"{wiring.power.coil_volts:g} V"
    rail = load_design().coil_supply
    upper = rail.upper_kohm(wiring.power.coil_volts)
    wires[22] = (
        "E-STOP",
        f"{volts} behind the e-stop, its contact 2, {upper:g} kΩ and {rail.sense_kohm:g} kΩ: high is good",
    )
    return wires


def _shift_register(chip: int, hub: HubWire, inputs: Mapping[int, tuple[str, str]]) -> Package:
    end = ("LOOP", "hub, pin 5") if hub.loop else ("GND", "the end of the chain")
    is_last = chip + 1 == hub.chips
    after, comes = end if is_last else (f"DATA {chip + 1}", f"pin 9 of 74HC165 number {chip + 1}")
    goes = "hub, pin 6" if chip == 0 else f"pin 10 of 74HC165 number {chip - 1}"
    fixed = {
        1: ("SH/LD̅", "LATCH", "hub, pin 7"), 2: ("CLK", "SCK", "hub, pin 4"), 7: ("Q̅7", "", ""),
        8: ("GND", "GND", ""), 9: ("Q7", f"DATA {chip}", goes), 10: ("DS", after, comes),
        15: ("CLK INH", "GND", ""), 16: ("VCC", "3.3 V", "100 nF to GND beside the chip"),
    }  # fmt: skip
    inner = {
        number: (f"D{bit}", *inputs.get(8 * chip + bit, ("GND", "spare")))
        for bit, number in enumerate(_SHIFT_INPUTS)
    }
    return Package(
        f"74HC165-{chip}", f"74HC165 number {chip}, inputs {8 * chip}..{8 * chip + 7}", _pins(fixed | inner)
    )


def _multiplexer(number: int, count: int, linears: Mapping[int, tuple[str, str]]) -> Package:
    bank, column = divmod(number, 3)
    enable = ("GND A", "always on") if count <= 3 else (f"BANK {bank}", f"74HC139, pin {4 + bank}")
    fixed = {
        1: ("COM", f"COLUMN {column}", f"hub, pin {(31, 32, 34)[column]}"), 10: ("S0", "S0", "hub, pin 9"),
        11: ("S1", "S1", "hub, pin 10"), 12: ("GND", "GND A", ""), 13: ("S3", "S3", "hub, pin 12"),
        14: ("S2", "S2", "hub, pin 11"), 15: ("E̅", *enable),
        24: ("VCC", "3.3 V A", "100 nF to GND A beside the chip"),
    }  # fmt: skip
    inner = {
        pin: (f"I{channel}", *linears.get(16 * number + channel, ("GND A", "spare")))
        for channel, pin in enumerate(_MUX_INPUTS)
    }
    return Package(
        f"multiplexer-{number}",
        f"CD74HC4067, multiplexer {number}, linears {16 * number}..{16 * number + 15}",
        _pins(fixed | inner),
    )


def _bank_selector(count: int) -> Package:
    """The 74HC139 that selects the bank if there are more than three multiplexers."""
    names = (
        "1E̅",
        "1A0",
        "1A1",
        "1Y̅0",
        "1Y̅1",
        "1Y̅2",
        "1Y̅3",
        "GND",
        "2Y̅3",
        "2Y̅2",
        "2Y̅1",
        "2Y̅0",
        "2A1",
        "2A0",
        "2E̅",
        "VCC",
    )
    nets = {
        1: ("GND A", ""), 2: ("BANK LOW", "hub, pin 25"), 3: ("BANK HIGH", "hub, pin 27"),
        8: ("GND A", ""), 13: ("GND A", "spare"),
        14: ("GND A", "spare"), 15: ("3.3 V A", "spare"), 16: ("3.3 V A", "100 nF to GND A beside the chip"),
    }  # fmt: skip
    for first in range(0, count, 3):
        muxes = _and(range(first, min(first + 3, count)))
        nets[4 + first // 3] = (f"BANK {first // 3}", f"pin 15 of multiplexer {muxes}")
    wires = {number: (name, *nets.get(number, ("", ""))) for number, name in enumerate(names, 1)}
    return Package("74HC139", "74HC139, names the bank of multiplexers", _pins(wires))


def _expander(wiring: Wiring, address: int) -> Package:
    wire = wiring.expander
    inputs = () if wire is None else wire.inputs
    found = {each.bit: (each.name, how_of(each)) for each in inputs if each.address == address}
    fixed = {
        9: ("VDD", "3.3 V", "100 nF to GND beside the chip"), 10: ("VSS", "GND", ""), 11: ("NC", "", ""),
        12: ("SCL", "SCL", "Pi, place 5"), 13: ("SDA", "SDA", "Pi, place 3"), 14: ("NC", "", ""),
        18: ("RESET̅", "3.3 V", "through 10 kΩ"), 19: ("INTB", "INT", "joined with the others"),
        20: ("INTA", "INT", "joined with the others"),
    }  # fmt: skip
    for bit in range(3):
        level = "3.3 V" if address >> bit & 1 else "GND"
        fixed[15 + bit] = (f"A{bit}", level, f"makes the address 0x{address:02x}")
    for bit in range(16):
        port, pin = ("GPA", 21 + bit) if bit < 8 else ("GPB", bit - 7)
        fixed[pin] = (
            f"{port}{bit % 8}",
            *found.get(bit, ("", "an output only" if bit % 8 == 7 else "spare")),
        )
    return Package(f"MCP23017-{address:02x}", f"MCP23017 at 0x{address:02x}", _pins(fixed))


def _meter(wiring: Wiring, wire: CurrentWire) -> Package:
    """The INA219, in series with the coils' supply; each of its two address pins takes one of four nets."""
    volts = f"{wiring.power.coil_volts:g} V"
    nets, choice = ("GND", "3.3 V", "SDA", "SCL"), wire.address - 0x40
    address = f"makes the address 0x{wire.address:02x}"
    wires = {
        1: ("A1", nets[choice >> 2], address), 2: ("A0", nets[choice & 3], address),
        3: ("SDA", "SDA", "Pi, place 3"), 4: ("SCL", "SCL", "Pi, place 5"),
        5: ("VS", "3.3 V", "100 nF to GND beside the chip"), 6: ("GND", "GND", ""),
        7: ("IN-", "COILS +", f"shunt, and from there the {volts} to the P-MOSFET"),
        8: ("IN+", "E-STOP +", f"shunt, and from there the {volts} behind fuse and e-stop"),
    }  # fmt: skip
    title = f"INA219 at 0x{wire.address:02x}, shunt {wire.shunt_ohm:g} Ω"
    return Package(f"INA219-{wire.address:02x}", title, _pins(wires))


def _pins(wires: Mapping[int, tuple[str, str, str]]) -> tuple[Pin, ...]:
    return tuple(Pin(number, *wires[number]) for number in sorted(wires))


def _and(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in numbers)
