"""The solder checklist of a build: in what order to solder, and what to measure before each power-up."""
# ruff: noqa: E501 - one sentence of the page is one line here

from collections import Counter
from collections.abc import Iterator

from hextraction.board.design import load_design
from hextraction.controller.workshop.plans.budget import budget_of, has_analog_regulator
from hextraction.controller.workshop.plans.names import all_sensors, fuse_a, has_pump, part_of
from hextraction.controller.workshop.plans.wires.chips import Package, packages
from hextraction.hal.wiring.wires import CoilWire, CurrentWire, HubCoil, Wiring

__all__ = ["checklist_page"]

_RAIL, _BEAM, _HALL = load_design().coil_supply, load_design().beam, load_design().hall

Lines = Iterator[str]


def checklist_page(wiring: Wiring, title: str) -> str:
    """Return the checklist as Markdown with tick boxes, without what the build does not have."""
    chapters = [
        ("The supplies, alone", _supplies(wiring)),
        ("The Pi, alone", _pi(wiring)),
        ("The hub", _hub(wiring)),
        ("The expanders", _expanders(wiring)),
        ("The shift registers, one after the other", _chain(wiring)),
        ("The multiplexers", _multiplexers(wiring)),
        ("The sensors, first one of each kind", _sensors(wiring)),
        ("The lamps", _lamps(wiring)),
        ("The coils, last", _coils(wiring)),
        ("All together", _together(wiring)),
    ]
    lines = [
        f"# Solder checklist: {title}",
        "",
        "From top to bottom; tick what is done. **Measure** stands before power is switched on, with everything",
        "unplugged unless a voltage is asked for. If a figure is not met, look for the fault before going on.",
        "",
    ]
    number = 0
    for heading, steps in chapters:
        told = list(steps)
        if told:
            number += 1
            lines += [f"## {number}. {heading}", "", *(f"- [ ] {step}" for step in told), ""]
    return "\n".join(lines)


def _supplies(wiring: Wiring) -> Lines:
    volts, supply = wiring.power.coil_volts, wiring.supply
    if supply.from_usb:
        return
    if wiring.all_coils:
        yield f"Fuse ({fuse_a(wiring, 'coils', 3):g} A slow) into the plus wire of the coils' {volts:g} V, nearest to the supply."
        yield f"Behind it {_RAIL.bulk_uf:g} µF to ground: here, and nowhere behind the e-stop, where it would feed a coil after a press."
    if has_pump(wiring):
        yield "Then the e-stop, its first contact. **Measure**: across fuse and e-stop below 1 Ω; pressed: both contacts open."
    if supply.buck:
        yield f"Converter onto the {volts:g} V, its output still free."
        yield "**Measure** with power: turn the converter to 5.1 V before anything hangs on it."
    else:
        yield "**Measure** with power: the 5 V supply alone gives 4.9 to 5.2 V; red is plus."
    if wiring.hubs:
        each = f", one for each of {len(wiring.hubs)} hubs," if len(wiring.hubs) > 1 else ""
        yield f"3.3 V regulator{each} onto the 5 V. **Measure** with power: 3.2 to 3.4 V."
    for hub in filter(has_analog_regulator, wiring.hubs):
        of = f" of the hub {hub.name}" if hub.name else ""
        yield f"Low-noise regulator for 3.3 V A{of} onto the 5 V. **Measure**: to the other 3.3 V above 1 kΩ; with power: 3.2 to 3.4 V."
    yield "All grounds to one star point at the supply; the coils' ground gets a thick wire of its own to it."
    yield "**Measure**: 5 V to ground and each 3.3 V to ground: above 100 Ω, in both directions."


def _pi(wiring: Wiring) -> Lines:
    if wiring.supply.from_usb:
        return
    yield "Nothing on the header yet: start the Pi from its own plug, install the software, run `hextraction doctor`."
    if wiring.supply.pi != "own" and wiring.supply.buck:
        yield "Switch off. 5 V to places 2 and 4 of the header, ground to place 6."
        yield "**Measure**: place 2 to place 6: above 100 Ω; with the converter on and the Pi unplugged: 5.0 to 5.2 V."
        yield "From now on never plug the Pi's own supply in beside it."
    else:
        yield "Switch off. Ground of the build to place 6 of the header."
    for package in packages(wiring)[:1]:
        for pin in package.pins:
            if pin.net and pin.label.startswith("GPIO"):
                yield f"`{pin.net}`: wire on place {pin.number} ({pin.label}). **Measure**: to both neighbours above 1 kΩ."


def _hub(wiring: Wiring) -> Lines:
    if not wiring.hubs:
        return
    if len(wiring.hubs) > 1:
        yield from _several(wiring)
        return
    if wiring.supply.from_usb:
        yield "Hold BOOTSEL, plug the Pico into the laptop, run `hextraction hub flash`; unplug, and put it into the breadboard."
        yield "Rails of the breadboard: pin 36 (3.3 V) to one red rail, pin 40 (5 V) to the other, pin 38 to both blue ones. **Measure**: each red rail to ground above 100 Ω."
        yield "Plug the USB cable in. **Measure** with power: 3.2 to 3.4 V and 4.6 to 5.2 V on the rails; `hextraction hub info` names the hub."
        return
    yield "Hold BOOTSEL, plug the Pico into the Pi, run `hextraction hub flash`; unplug."
    yield "**Measure**: pin 36 to pin 38: above 100 Ω. Pin 40 (5 V of the USB) stays free."
    yield "Plug it in. **Measure** with power: pin 36 is 3.2 to 3.4 V; `hextraction doctor` names the hub."


def _several(wiring: Wiring) -> Lines:
    """One after the other, so that each serial number is seen beside its Pico."""
    for hub in wiring.hubs:
        yield f"The hub {hub.name}: hold BOOTSEL, plug this Pico alone into the Pi, run `hextraction hub flash`."
        yield f"`hextraction hub info` says its serial number: write it into the wiring file (now `{hub.port}`), and {hub.name} on the Pico."
        yield "**Measure**: pin 36 is 3.2 to 3.4 V; unplug it, then pin 36 to pin 38: above 100 Ω. Pin 40 (5 V of the USB) stays free."
    yield "Plug all of them in: `hextraction doctor` names each with its port."


def _expanders(wiring: Wiring) -> Lines:
    for package in _named(wiring, "MCP23017"):
        address = package.name[-2:]
        yield f"{package.title}: socket and wires by its table, chip not in yet."
        yield "**Measure**: pin 9 to pin 10 above 1 kΩ; pins 12 and 13 to 3.3 V about 1.8 kΩ (the Pi's own resistors)."
        yield f"Chip in, power on: `i2cdetect -y 1` shows {address}."
    if wiring.expander is not None:
        yield "**Measure** with power: the joined INT line is at 3.3 V while the software does not run."


def _chain(wiring: Wiring) -> Lines:
    chips = list(_named(wiring, "74HC165"))
    if chips:
        yield "33 Ω into SCK and LATCH at the hub, 1 kΩ into DATA 0; the five wires of the chain side by side, shorter than 1.5 m in all."
    for package in chips:
        data = next(pin for pin in package.pins if pin.label == "Q7")
        holds = "wires" if wiring.breadboard else "socket and wires"
        yield f"{package.title}: {holds} by its table, spare inputs to ground, chip not in yet."
        yield (
            "**Measure**: pin 16 to pin 8 above 1 kΩ; pin 1 to the hub's pin 7 and pin 2 to its pin 4: 33 Ω; "
            f"pin 9 to {data.how}: {_through(data.how)}."
        )
    for hub in wiring.hubs if chips else ():
        if not hub.loop:
            continue
        of = f" of the hub {hub.name}" if hub.name else ""
        yield f"The loop{of}: from the last chip's pin 10 back to the hub's pin 5. **Measure**: below 1 Ω, and open to pin 9 of the same chip."
    if chips:
        yield "Chips in, notch as drawn. **Measure** with power: pin 16 of the last chip is above 3.2 V."


def _multiplexers(wiring: Wiring) -> Lines:
    own = any(map(has_analog_regulator, wiring.hubs))
    source = "the low-noise regulator (3.3 V A)" if own else "the hub's pin 36 (3.3 V A)"
    selectors, multiplexers = tuple(_named(wiring, "74HC139")), tuple(_named(wiring, "multiplexer"))
    if own and multiplexers:
        yield "3.3 V A to the hub's pin 35, its ground to pin 33; pin 36 feeds only the regulator's enable pin: without the hub's power it gives none."
    for package in (*selectors, *multiplexers):
        power, lines = ("16 to pin 8", "BANK wires") if package in selectors else ("24 to pin 12", "S0 to S3")
        yield f"{package.title}: by its table, from {source} and the hub's pin 33 (GND A) only."
        yield f"**Measure**: pin {power} above 1 kΩ; {lines} against each other open."


def _sensors(wiring: Wiring) -> Lines:
    count = Counter(part_of(sensor) for sensor in all_sensors(wiring))
    if count["beam"]:
        yield (
            f"Beams: 5 V, {_BEAM.pair_ohm:g} Ω, two emitters in series, ground (an end zone's emitter alone with "
            f"{_BEAM.alone_ohm:g} Ω); receiver's emitter to ground, its collector to {_BEAM.pull_up_kohm:g} kΩ (other end "
            "at 3.3 V) and to a 74HC14; the output of the 74HC14 to the sensor's pin. 100 nF beside each 74HC14. "
            "`pins.md` says which of its six triggers is whose, and which emitters share a resistor."
        )
        yield "**Measure**: emitters with the diode test 1.0 to 1.3 V one way, open the other way."
        yield "**Measure** with power: 74HC14's output above 3 V with a clear beam, below 0.3 V with a ball in it."
        yield f"The other beams: {count['beam']} in all."
    if count["hall"]:
        yield "Hall switches: 3.3 V, ground, output to the sensor's pin; 100 nF at each."
        yield "**Measure** with power: output above 3 V without a tile, below 0.3 V with the tile's magnet over it."
        yield f"The other Hall switches: {count['hall']} in all."
    if count["linear"]:
        yield "Linear Halls: 3.3 V A, GND A, output to the multiplexer's channel; magnet beside it and deeper, as the template says."
        yield f"**Measure** with power: output {_HALL.rest_v[0]:.1f} to {_HALL.rest_v[1]:.1f} V at rest; it moves by {_HALL.ball_mv:.0f} mV or more with a ball over it."
        yield f"The other linear Halls: {count['linear']} in all."
    if count["button"]:
        yield f"Buttons: from the pin to ground, {count['button']} in all. **Measure**: open, pressed below 1 Ω."


def _lamps(wiring: Wiring) -> Lines:
    if wiring.pixels is None:
        return
    source = "the hub's pin 26 (GP20)" if wiring.pixels.on_hub else "the Pi's lamp data"
    if len(wiring.pixels.hubs) > 1:
        shares = ", ".join(f"{count} on {name}" for name, count in wiring.pixels.hubs)
        yield f"A chain of its own for each hub, in the order of the lamps: {shares}. For each:"
    yield f"74AHCT125 at 5 V: pin 1 to ground, pin 2 from {source}, pin 3 through 330 Ω to the first pixel."
    yield f"Fuse ({fuse_a(wiring, 'lamps', 3):g} A) and 1000 µF at the strip's feed; with more than 50 pixels feed both ends."
    yield "**Measure**: strip's 5 V to its ground above 100 Ω; data to 5 V open."
    yield "**Measure** with power and all lamps white: at the strip's far end 4.5 V or more."


def _coils(wiring: Wiring) -> Lines:
    volts = wiring.power.coil_volts
    for coil in wiring.all_coils:
        ohms = volts * 1_000 / coil.current_ma
        yield (
            f"`{coil.name}`: MOSFET, 100 Ω, 10 kΩ, {_fuse_of(coil)}diode (its ring at plus). **Measure**: gate to ground 10 kΩ; "
            f"coil about {ohms:.0f} Ω or more; diode test across its two wires, coil unplugged: open one way."
        )
    if wiring.all_coils:
        yield f"{_RAIL.rail_uf:g} µF and {_RAIL.bleeder_kohm:g} kΩ at the MOSFETs, from the armed supply to ground: no larger capacitor here."
    if wiring.current is not None:
        yield from _meter(wiring, wiring.current)
    if has_pump(wiring):
        yield from _pump(wiring)
    if wiring.all_coils:
        yield "In the place of each coil a LED with 1 kΩ from 5 V to the drain: restart the Pi three times. No LED lights."
        yield "Coils in. `hextraction check-board` moves each one; it must feel cold after ten pulses."


def _fuse_of(coil: CoilWire | HubCoil) -> str:
    return f"PPTC of {coil.pptc_ma} mA in its plus wire, " if coil.pptc_ma else ""


def _through(place: str) -> str:
    """The first chip's data goes to the hub through a resistor."""
    return f"{_RAIL.data_ohm / 1_000:g} kΩ" if place.startswith("hub") else "below 1 Ω"


def _meter(wiring: Wiring, wire: CurrentWire) -> Lines:
    volts = f"{wiring.power.coil_volts:g} V"
    (meter,) = _named(wiring, "INA219")
    yield f"{meter.title}: 3.3 V, ground, SDA and SCL; its shunt into the plus wire, IN+ to the e-stop, IN- to the P-MOSFET."
    yield "**Measure**: IN+ to IN- below 1 Ω; IN- to ground above 100 Ω. A module that has 5 V on it may not hang on the Pi's I2C."
    yield f"Power on: `i2cdetect -y {wire.bus}` shows {wire.address:02x}; `hextraction doctor` says {volts} and 0 mA."


def _pump(wiring: Wiring) -> Lines:
    volts = f"{wiring.power.coil_volts:g} V"
    feeding = [hub for hub in wiring.hubs if hub.coils]
    hub_feeds_it = bool(feeding)
    if len(feeding) > 1:
        names = ", ".join(hub.name for hub in feeding)
        yield f"A charge pump and a P-MOSFET of its own for the coils of each hub ({names}), behind the same e-stop. For each:"
    yield "Charge pump and P-MOSFET between e-stop and coils, as in `../circuits.svg`."
    yield f"**Measure** with the {volts} on and the software off: behind the P-MOSFET below 0.5 V."
    stop = "pull the hub's USB cable" if hub_feeds_it else "stop the service"
    yield f"**Measure** with the software armed: behind it {volts}; {stop}: gone within a second."
    if len(feeding) > 1:
        yield f"**Measure** meanwhile: behind the other hubs' P-MOSFETs still {volts}; the e-stop pressed: gone behind all of them."
    if hub_feeds_it:
        upper = _RAIL.upper_kohm(wiring.power.coil_volts)
        yield f"E-stop sense: 12 V behind the e-stop, its second contact, {upper:g} kΩ, the hub's pin 29, {_RAIL.sense_kohm:g} kΩ and {_RAIL.sense_nf:g} nF to ground.".replace(
            "12 V", volts
        )
        yield "**Measure** at the hub's pin 29: 2.3 to 3.3 V; e-stop pressed: 0 V."


def _together(wiring: Wiring) -> Lines:
    budget = budget_of(wiring)
    yield f"**Measure** with power: 5 V without lamps draws at most {budget.others_ma} mA, a good part less at rest."
    if budget.buck_ma:
        volts = f"{wiring.power.coil_volts:g} V"
        yield f"**Measure** with power, all lamps white: the {volts} draw at most {budget.buck_ma} mA, coils at rest."
    if wiring.supply.from_usb:
        yield "`hextraction check-board --starter`: roll a ball past each beam and see it answer; keep the report."
        return
    yield "`hextraction check-board`: roll a ball, lift a tile, see every sensor answer; keep the report."


def _named(wiring: Wiring, start: str) -> Iterator[Package]:
    return (package for package in packages(wiring) if package.name.startswith(start))
