"""Reads the wiring file: which sensor, lamp and coil is on which pin of the Pi or the sensor hub.

One TOML file per build, read once into the frozen values of :mod:`hextraction.hal.wiring.wires`. Names are
opaque here; only the rooms above know their meaning. Every key is described in ``wiring/README.md``.
"""

from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any, Final

from hextraction.hal.wiring.branches import read_branch
from hextraction.hal.wiring.claims import SPI_DATA, PinBook
from hextraction.hal.wiring.coil_limits import (
    CEILING_MEAN_W,
    CEILING_PULSE_J,
    CEILING_PULSE_MS,
    DEFAULT_MAX_PULSE_MS,
    DEFAULT_PULSE_MS,
    DISARMED_ABOVE_W,
    DUTY_PERCENT,
    MIN_OFF_MS,
    CoilLimits,
)
from hextraction.hal.wiring.current import read_current
from hextraction.hal.wiring.hubs import LONGEST_HUB_CHAIN, hub_sections, read_hubs, read_lamp_hubs
from hextraction.hal.wiring.places import Places
from hextraction.hal.wiring.plugs import check_plugs, read_plug
from hextraction.hal.wiring.sensors import read_pin_input, read_sensor
from hextraction.hal.wiring.wires import (
    LAPTOP,
    CoilWire,
    ExpanderInput,
    ExpanderWire,
    HubCoil,
    LampWire,
    PixelWire,
    PowerWire,
    SensorWire,
    SupplyWire,
    Wiring,
)
from hextraction.settings import Document, Problem, Section

__all__ = ["NAME", "draft_wiring", "read_coil", "read_wiring", "wiring_from_text"]

# --- `[[solenoid]]`: a coil on a pin of the Pi, or on one of the hub's outputs ---


def read_coil(section: Section, name: str, book: PinBook, places: Places) -> CoilWire | HubCoil:
    """Read one solenoid; exactly one of ``pin`` and ``hub`` says where it is connected."""
    owner, on_hub = f"solenoid {name!r}", "hub" in section
    if on_hub and "pin" in section:
        section.raw("pin")
        section.complain("pin", "want one of pin and hub, found both")
    limits = _limits(section)
    pulse_ms = _pulse_ms(section, limits)
    current_ma = section.integer("current_ma", 10, 20_000, 1_000)
    pptc_ma = section.integer("pptc_ma", 0, 20_000, 0)
    if on_hub:
        place = places.coil(section, owner)
        return HubCoil(
            name=name,
            number=place.number,
            hub=place.hub,
            pulse_ms=pulse_ms,
            limits=limits,
            current_ma=current_ma,
            pptc_ma=pptc_ma,
            **_hold(section, pulse_ms),
        )
    return CoilWire(
        name=name,
        pin=book.coil(section, "pin", owner),
        pulse_ms=pulse_ms,
        limits=limits,
        current_ma=current_ma,
        pptc_ma=pptc_ma,
    )


def _hold(section: Section, pulse_ms: int) -> dict[str, int]:
    """Read pull-in and hold: after ``pull_in_ms`` less current does."""
    hold_percent = section.integer("hold_percent", 25, 100, 100)
    pull_in_ms = section.integer("pull_in_ms", 0, CEILING_PULSE_MS, 0)
    if hold_percent not in {25, 50, 75, 100}:
        section.complain("hold_percent", f"want 25, 50, 75 or 100, found {hold_percent}")
    elif hold_percent < 100 and not 0 < pull_in_ms < pulse_ms:
        section.complain(
            "pull_in_ms", f"want 1..{pulse_ms - 1}, before the pulse is over, found {pull_in_ms}"
        )
    elif hold_percent == 100 and pull_in_ms:
        section.complain("hold_percent", "want 25, 50 or 75 beside pull_in_ms, found none")
    return {"pull_in_ms": pull_in_ms, "hold_percent": hold_percent}


def _limits(section: Section) -> CoilLimits:
    return CoilLimits(
        max_pulse_ms=section.integer("max_pulse_ms", 1, CEILING_PULSE_MS, DEFAULT_MAX_PULSE_MS),
        min_off_ms=section.integer("min_off_ms", MIN_OFF_MS, 60_000, MIN_OFF_MS),
        duty_percent=section.number("duty_percent", 0.1, DUTY_PERCENT, DUTY_PERCENT),
    )


def _pulse_ms(section: Section, limits: CoilLimits) -> int:
    most = limits.max_pulse_ms
    pulse_ms = section.integer("pulse_ms", 1, CEILING_PULSE_MS, min(DEFAULT_PULSE_MS, most))
    if pulse_ms > most:
        section.complain("pulse_ms", f"want at most max_pulse_ms ({most}), found {pulse_ms}")
    return pulse_ms


# --- The whole file ---

NAME: Final = r"[A-Za-z][A-Za-z0-9_.-]*"
_ORDERS: Final = ("GRB", "RGB", "RBG", "GBR", "BRG", "BGR")
_LONGEST_CHAIN: Final = 1_000
_LEAST_SEEN_PERCENT: Final = 25
_PIS: Final = ("zero-2w", "3b", "4b", "5", "own", LAPTOP)
_ANY_PIN_DRIVES_LAMPS: Final = frozenset({"5", "own"})
"""Models on which any pin drives lamps: the Pi 5, and one with its own supply, which may be a Pi 5."""


def read_wiring(path: Path) -> Wiring:
    """Read a wiring file.

    Raises:
        SettingsError: it cannot be read, or has mistakes; all of them are listed.
    """
    return _finished(Document.from_path(path))


def wiring_from_text(text: str, source: str) -> Wiring:
    """Read the text of a wiring file; ``source`` is what messages call it.

    Raises:
        SettingsError: as :func:`read_wiring`.
    """
    return _finished(Document.from_text(text, source))


def draft_wiring(path: Path) -> tuple[Wiring, tuple[Problem, ...]]:
    """Read as much of a wiring file as possible; also return every mistake in it.

    Raises:
        SettingsError: it cannot be read or is not TOML.
    """
    document = Document.from_path(path)
    return _wiring(document), document.problems


def _finished(document: Document) -> Wiring:
    wiring = _wiring(document)
    document.finish()
    return wiring


def _wiring(document: Document) -> Wiring:
    root, book = document.root, PinBook()
    board, gpio = root.table("board", required=True), root.table("gpio")
    hubs = hub_sections(root)
    places = Places(hubs=hubs, expander=_expander_table(root))
    sensors = _unique(
        root.tables("sensor"), lambda section: read_sensor(section, _name(section), book, places)
    )
    pixels = _pixels(root, book, hubs)
    lamps = _lamps(root.tables("lamp"), pixels)
    plugs = root.tables("plug")
    coils = _unique(root.tables("solenoid"), lambda section: read_coil(section, _name(section), book, places))
    wiring = Wiring(
        source=document.source,
        profile=board.text("profile", pattern=r".+", like="a board profile's name"),
        instruments=board.text("instruments", pattern=r".+", like="an instrument set's name"),
        without=board.texts("without", ()),
        breadboard=board.boolean("breadboard", default=False),
        gpio_factory=gpio.choice("factory", ("lgpio", "rpigpio", "mock"), "lgpio"),
        sensors=_only(sensors, SensorWire),
        hubs=read_hubs(hubs, places, sensors, coils, pixels),
        expander=_expander(places, sensors, book),
        pixels=pixels,
        lamps=lamps,
        coils=_only(coils, CoilWire),
        power=_power(root.table("power"), book),
        supply=_supply(root.table("supply")),
        current=read_current(root, book, coils),
        branches=_unique(root.tables("branch"), read_branch),
        plugs=_unique(plugs, read_plug),
    )
    _check_model(root, wiring)
    _check_laptop(root, wiring)
    _check_coil_supply(root, wiring, coils)
    _check_currents(root, wiring, coils)
    _check_holds(root, wiring, coils)
    check_plugs(plugs, wiring)
    places.finish()
    document.check_leftovers()
    return wiring


def _only(wires: tuple[Any, ...], kind: type[Any]) -> tuple[Any, ...]:
    return tuple(wire for wire in wires if isinstance(wire, kind))


def _unique(sections: tuple[Section, ...], read: Callable[[Section], Any]) -> tuple[Any, ...]:
    """Read each table and record a mistake for each duplicate name."""
    lines: dict[Hashable, int] = {}
    found = []
    for section in sections:
        wire = read(section)
        if wire.name in lines and wire.name:
            section.complain("name", f"want a new name, found {wire.name!r} (as on line {lines[wire.name]})")
        lines.setdefault(wire.name, section.document.line_of((*section.path, "name")))
        found.append(wire)
    return tuple(found)


def _name(section: Section) -> str:
    return section.text("name", pattern=NAME, like="a name such as 'ramp.L1'")


def _expander_table(root: Section) -> Section | None:
    return root.table("expander") if "expander" in root else None


def _expander(places: Places, sensors: tuple[Any, ...], book: PinBook) -> ExpanderWire | None:
    section = places.expander
    if section is None:
        return None
    bus = section.integer("bus", 0, 20, 1)
    book.bus(section, bus, "the expanders'")
    inputs = _only(sensors, ExpanderInput)
    if not inputs:
        section.complain(None, 'want sensors with expander = "0x20.A0" or the like, found none')
    int_pin = book.sensor(section, "int_pin", "the expanders' INT line", "up")
    return ExpanderWire(bus=bus, int_pin=int_pin, inputs=inputs)


def _pixels(root: Section, book: PinBook, hubs: Mapping[str, Section]) -> PixelWire | None:
    if "pixels" not in root:
        return None
    section = root.table("pixels")
    on_hub = "hub" in section and section.raw("hub") is not False
    if on_hub and "pin" in section:
        section.raw("pin")
        section.complain("pin", "want one of pin and hub, found both")
    most = LONGEST_HUB_CHAIN * max(1, len(hubs)) if on_hub else _LONGEST_CHAIN
    count = section.integer("count", 1, most)
    return PixelWire(
        count=count,
        pin=-1 if on_hub else book.lamps(section, "pin", "the pixels"),
        hubs=read_lamp_hubs(section, count, hubs) if on_hub else (),
        order=section.choice("order", _ORDERS, "GRB"),
        brightness=section.number("brightness", 0, 1, 0.5),
        budget_ma=section.integer("budget_ma", 20, 20_000, 2_000),
    )


def _lamps(sections: tuple[Section, ...], pixels: PixelWire | None) -> tuple[LampWire, ...]:
    lamps: tuple[LampWire, ...] = _unique(sections, _lamp)
    owners: dict[int, tuple[LampWire, int]] = {}
    for section, lamp in zip(sections, lamps, strict=True):
        if pixels is None:
            section.complain(None, "want a table [pixels] for these lamps, found none")
        elif lamp.pixels.stop > pixels.count:
            wanted = f"want pixels 0..{pixels.count - 1}"
            section.complain("count", f"{wanted}, found {lamp.first}..{lamp.pixels.stop - 1}")
        _note_overlap(section, lamp, owners)
    return lamps


def _lamp(section: Section) -> LampWire:
    return LampWire(
        name=_name(section),
        first=section.integer("first", 0, _LONGEST_CHAIN - 1),
        count=section.integer("count", 1, _LONGEST_CHAIN, 1),
    )


def _note_overlap(section: Section, lamp: LampWire, owners: dict[int, tuple[LampWire, int]]) -> None:
    shared = [pixel for pixel in lamp.pixels if pixel in owners]
    if shared:
        other, line = owners[shared[0]]
        section.complain("first", f"pixel {shared[0]} is already part of lamp {other.name!r} (line {line})")
    for pixel in lamp.pixels:
        owners.setdefault(pixel, (lamp, section.line))


def _power(section: Section, book: PinBook) -> PowerWire:
    switch = None
    if "pin" in section:
        switch = read_pin_input(section, "power", book, owner="the power switch")
    arm_pin = None
    if "arm_pin" in section:
        arm_pin = book.coil(section, "arm_pin", "the arm pin")
    # Divider, transistor gate and capacitor stand 12 V; below 5 V the P-MOSFET does not conduct.
    return PowerWire(switch=switch, arm_pin=arm_pin, coil_volts=section.number("coil_volts", 5, 12, 12.0))


def _supply(section: Section) -> SupplyWire:
    usual = SupplyWire()
    return SupplyWire(
        five_volt_ma=section.integer("five_volt_ma", 500, 50_000, usual.five_volt_ma),
        others_ma=section.integer("others_ma", 100, 20_000, usual.others_ma),
        coil_ma=section.integer("coil_ma", 100, 20_000, usual.coil_ma),
        pi=section.choice("pi", _PIS, usual.pi),
        buck=section.boolean("buck", usual.buck),
    )


def _check_model(root: Section, wiring: Wiring) -> None:
    """Check what only some models can do; the service lacks root, which lamps on PWM and PCM would need."""
    model, pixels = wiring.supply.pi, wiring.pixels
    if model == "5" and wiring.gpio_factory == "rpigpio":
        root.document.complain(("gpio", "factory"), "want lgpio on a Pi 5, found 'rpigpio'")
    if pixels is not None and model not in _ANY_PIN_DRIVES_LAMPS and pixels.pin not in {-1, SPI_DATA}:
        wanted = f"want {SPI_DATA} (SPI): on this Pi no other pin drives lamps without root"
        root.document.complain(("pixels", "pin"), f"{wanted}, found {pixels.pin}")


def _check_laptop(root: Section, wiring: Wiring) -> None:
    """Check that a build without a Pi hangs on a hub alone, and asks no more of its USB than sensors do."""
    if not wiring.supply.from_usb:
        return
    has_pins = wiring.sensors or wiring.coils or wiring.expander or wiring.current or wiring.power.switch
    if has_pins or not wiring.hubs:
        root.document.complain(
            ("supply", "pi"), "want everything on a hub beside 'laptop', which has no pins"
        )
    if wiring.hub_coils or wiring.pixels is not None:
        root.document.complain(
            ("supply", "pi"), "want no coils or lamps beside 'laptop': its USB feeds sensors only"
        )


def _check_coil_supply(root: Section, wiring: Wiring, coils: tuple[CoilWire | HubCoil, ...]) -> None:
    """Check that a strong coil's supply can be disarmed: a killed process leaves its pins as they were.

    There is one charge pump, and only one output may drive it: two would drive against each other. With coils
    on the hub its own scan does, which does not guard coils on pins of the Pi.
    """
    arm_pin = wiring.power.arm_pin
    pumps_itself = bool(wiring.hub_coils)
    if pumps_itself and arm_pin is not None:
        told = "want none beside coils on the hub, which feeds the charge pump itself"
        root.document.complain(("power", "arm_pin"), f"{told}, found {arm_pin}")
    for index, coil in enumerate(coils):
        watts = wiring.power.coil_volts * coil.current_ma / 1_000
        if isinstance(coil, CoilWire) and watts > DISARMED_ABOVE_W:
            _check_disarmed(root, index, watts, pumps_itself=pumps_itself, arm_pin=arm_pin)
        _check_heat(root, index, coil, watts)


def _check_disarmed(
    root: Section, index: int, watts: float, *, pumps_itself: bool, arm_pin: int | None
) -> None:
    """Check a coil on a pin of the Pi that gets hot when its process dies."""
    most = f"a coil of at most {DISARMED_ABOVE_W:g} W"
    if pumps_itself:
        why = "the charge pump of the hub does not guard coils of the Pi"
        wanted = f"want hub = NUMBER as for the others, or {most}, found {watts:g} W on a pin of the Pi"
        root.document.complain(("solenoid", index, "pin"), f"{wanted}: {why}")
    elif arm_pin is None:
        wanted = f"want power.arm_pin, or {most}, found {watts:g} W that nothing can disarm"
        root.document.complain(("solenoid", index), wanted)


def _check_heat(root: Section, index: int, coil: CoilWire | HubCoil, watts: float) -> None:
    """Check the energy of a pulse, and the mean power at the coil's duty."""
    limits = coil.limits
    most_ms = int(CEILING_PULSE_J / watts * 1_000)
    if limits.max_pulse_ms > most_ms:
        wanted = f"want at most {most_ms}: a pulse of {watts:g} W may take {CEILING_PULSE_J:g} J"
        root.document.complain(("solenoid", index, "max_pulse_ms"), f"{wanted}, found {limits.max_pulse_ms}")
    mean_w = watts * limits.duty_percent / 100
    if mean_w > CEILING_MEAN_W:
        most = int(CEILING_MEAN_W / watts * 1_000) / 10
        wanted = f"want at most {most:g}: a coil may take {CEILING_MEAN_W:g} W in the mean"
        root.document.complain(
            ("solenoid", index, "duty_percent"), f"{wanted}, found {limits.duty_percent:g} % of {watts:g} W"
        )


def _check_holds(root: Section, wiring: Wiring, coils: tuple[CoilWire | HubCoil, ...]) -> None:
    """Check that the current meter, where there is one, still sees a coil that is held."""
    for index, coil in enumerate(coils):
        if (
            wiring.current is not None
            and isinstance(coil, HubCoil)
            and coil.hold_percent <= _LEAST_SEEN_PERCENT
        ):
            told = "want 50, 75 or 100 beside a table [current]: less would look like an unplugged coil"
            root.document.complain(("solenoid", index, "hold_percent"), f"{told}, found {coil.hold_percent}")


def _check_currents(root: Section, wiring: Wiring, coils: tuple[CoilWire | HubCoil, ...]) -> None:
    """Check that the supplies suffice for all at once: lamps, Pi and sensors, and one coil at a time."""
    supply, pixels = wiring.supply, wiring.pixels
    left = supply.five_volt_ma - supply.others_ma
    if left < 0:
        wanted = f"want at most supply.five_volt_ma ({supply.five_volt_ma}), of which it is a part"
        root.document.complain(("supply", "others_ma"), f"{wanted}, found {supply.others_ma}")
    elif pixels is not None and pixels.budget_ma > left:
        wanted = f"want at most {left}, what supply.five_volt_ma leaves beside supply.others_ma"
        root.document.complain(("pixels", "budget_ma"), f"{wanted}, found {pixels.budget_ma}")
    for index, coil in enumerate(coils):
        if coil.current_ma > supply.coil_ma:
            wanted = f"want at most supply.coil_ma ({supply.coil_ma})"
            root.document.complain(("solenoid", index, "current_ma"), f"{wanted}, found {coil.current_ma}")
