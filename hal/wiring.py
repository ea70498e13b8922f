"""The wiring file: which sensor, lamp and coil hangs on which pin.

One TOML file per build, read once into frozen values. Names are opaque here; what they mean is settled
above this room. Every key is described in ``wiring/README.md``.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hextraction.hal.claims import PinBook
from hextraction.hal.limits import (
    CEILING_PULSE_MS,
    DEFAULT_MAX_PULSE_MS,
    DEFAULT_PULSE_MS,
    DUTY_PERCENT,
    MIN_OFF_MS,
    SAFE_VOLTS,
    CoilLimits,
)
from hextraction.settings import Document, Section

__all__ = [
    "CoilWire",
    "LampWire",
    "PixelWire",
    "PowerWire",
    "SensorWire",
    "Wiring",
    "read_wiring",
    "wiring_from_text",
]

_NAME = r"[A-Za-z][A-Za-z0-9_.-]*"
_ORDERS = ("GRB", "RGB", "RBG", "GBR", "BRG", "BGR")
_LONGEST_CHAIN = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorWire:
    """One binary sensor. It is active when its pin is high, or low if ``active_high`` is false."""

    name: str
    pin: int
    active_high: bool
    pull: str
    debounce_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelWire:
    """The chain of lamps. ``brightness`` is 0..1, ``budget_ma`` what all lamps together may draw."""

    count: int
    pin: int
    order: str
    brightness: float
    budget_ma: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LampWire:
    """The name of some neighbouring pixels, ``count`` of them from index ``first``."""

    name: str
    first: int
    count: int

    @property
    def pixels(self) -> range:
        """The indices of the pixels."""
        return range(self.first, self.first + self.count)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoilWire:
    """One solenoid. ``pulse_ms`` is the usual pulse; ``limits`` what the guard holds it to."""

    name: str
    pin: int
    pulse_ms: int
    limits: CoilLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerWire:
    """The board's switch, and the pin that feeds the charge pump of the coil supply; ``None`` if absent."""

    switch: SensorWire | None = None
    arm_pin: int | None = None
    coil_volts: float = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """A whole build. ``profile`` and ``instruments`` are names for the controller."""

    source: str
    profile: str
    instruments: str
    gpio_factory: str
    sensors: tuple[SensorWire, ...] = ()
    pixels: PixelWire | None = None
    lamps: tuple[LampWire, ...] = ()
    coils: tuple[CoilWire, ...] = ()
    power: PowerWire = PowerWire()


def read_wiring(path: Path) -> Wiring:
    """Read a wiring file.

    Raises:
        SettingsError: it cannot be read, or holds mistakes; all of them are listed.
    """
    return _wiring(Document.from_path(path))


def wiring_from_text(text: str, source: str) -> Wiring:
    """Read the text of a wiring file; ``source`` is what messages call it.

    Raises:
        SettingsError: as :func:`read_wiring`.
    """
    return _wiring(Document.from_text(text, source))


def _wiring(document: Document) -> Wiring:
    root, book = document.root, PinBook()
    board, gpio = root.table("board", required=True), root.table("gpio")
    sensors = _unique(root.tables("sensor"), lambda section: _sensor(section, book))
    pixels = _pixels(root, book)
    lamps = _lamps(root.tables("lamp"), pixels)
    coils = _unique(root.tables("solenoid"), lambda section: _coil(section, book))
    wiring = Wiring(
        source=document.source,
        profile=board.text("profile", pattern=r".+", like="a board profile's name"),
        instruments=board.text("instruments", pattern=r".+", like="an instrument set's name"),
        gpio_factory=gpio.choice("factory", ("lgpio", "rpigpio", "mock"), "lgpio"),
        sensors=sensors,
        pixels=pixels,
        lamps=lamps,
        coils=coils,
        power=_power(root.table("power"), book),
    )
    _check_coil_supply(root, wiring)
    document.finish()
    return wiring


def _unique(sections: tuple[Section, ...], read: Callable[[Section], Any]) -> tuple[Any, ...]:
    """Read each table and note those whose name was used before."""
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
    return section.text("name", pattern=_NAME, like="a name such as 'ramp.L1'")


def _sensor(section: Section, book: PinBook) -> SensorWire:
    name = _name(section)
    return _input(section, book, name=name, key="pin", owner=f"sensor {name!r}")


def _input(section: Section, book: PinBook, *, name: str, key: str, owner: str) -> SensorWire:
    pull = section.choice("pull", ("up", "down", "none"), "up")
    return SensorWire(
        name=name,
        pin=book.sensor(section, key, owner, pull),
        active_high=section.choice("active", ("high", "low"), "low") == "high",
        pull=pull,
        debounce_us=round(section.number("debounce_ms", 0, 1_000, 1.0) * 1_000),
    )


def _pixels(root: Section, book: PinBook) -> PixelWire | None:
    if "pixels" not in root:
        return None
    section = root.table("pixels")
    return PixelWire(
        count=section.integer("count", 1, _LONGEST_CHAIN),
        pin=book.lamps(section, "pin", "the pixels"),
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


def _coil(section: Section, book: PinBook) -> CoilWire:
    name = _name(section)
    max_pulse_ms = section.integer("max_pulse_ms", 1, CEILING_PULSE_MS, DEFAULT_MAX_PULSE_MS)
    pulse_ms = section.integer("pulse_ms", 1, CEILING_PULSE_MS, min(DEFAULT_PULSE_MS, max_pulse_ms))
    if pulse_ms > max_pulse_ms:
        section.complain("pulse_ms", f"want at most max_pulse_ms ({max_pulse_ms}), found {pulse_ms}")
    limits = CoilLimits(
        max_pulse_ms=max_pulse_ms,
        min_off_ms=section.integer("min_off_ms", MIN_OFF_MS, 60_000, MIN_OFF_MS),
        duty_percent=section.number("duty_percent", 0.1, DUTY_PERCENT, DUTY_PERCENT),
    )
    pin = book.coil(section, "pin", f"solenoid {name!r}")
    return CoilWire(name=name, pin=pin, pulse_ms=pulse_ms, limits=limits)


def _power(section: Section, book: PinBook) -> PowerWire:
    switch = None
    if "pin" in section:
        switch = _input(section, book, name="power", key="pin", owner="the power switch")
    arm_pin = None
    if "arm_pin" in section:
        arm_pin = book.coil(section, "arm_pin", "the arm pin")
    return PowerWire(switch=switch, arm_pin=arm_pin, coil_volts=section.number("coil_volts", 1, 24, 12.0))


def _check_coil_supply(root: Section, wiring: Wiring) -> None:
    """A process that is killed leaves its pins as they were: above 5 V the supply itself must drop then."""
    volts = wiring.power.coil_volts
    if wiring.coils and wiring.power.arm_pin is None and volts > SAFE_VOLTS:
        wanted = f"want power.arm_pin, or power.coil_volts of at most {SAFE_VOLTS:g}"
        root.document.complain(("solenoid", 0), f"{wanted}, found {volts:g} V that nothing can disarm")
