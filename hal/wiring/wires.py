"""The contents of a wiring file as frozen values: what is connected where. Names are opaque here."""

from dataclasses import dataclass
from typing import Final

from hextraction.hal.wiring.coil_limits import CoilLimits

__all__ = [
    "BUTTON",
    "LAPTOP",
    "BranchWire",
    "CoilWire",
    "CurrentWire",
    "ExpanderInput",
    "ExpanderWire",
    "HubCoil",
    "HubInput",
    "HubLinear",
    "HubWire",
    "LampWire",
    "PixelWire",
    "PlugWire",
    "PowerWire",
    "SensorWire",
    "SupplyWire",
    "Wiring",
]

BUTTON: Final = "button"
"""The ``part`` of a sensor that people press."""
LAPTOP: Final = "laptop"
"""The ``pi`` of a build that hangs on a computer without pins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorWire:
    """One binary sensor on the Pi's header. Active when its pin is high, or when low if not ``active_high``.

    ``part`` is the component (``beam``, ``hall``, ``button``); if empty, it follows from the name.
    """

    name: str
    pin: int
    active_high: bool
    pull: str
    debounce_us: int
    part: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubInput:
    """One binary sensor on the hub's shift registers.

    ``number`` is 8 x chip + parallel pin; ``debounce_scans`` counts scans of 500 us, 1..15. ``hub`` is the
    name of one of several, as with everything on a hub.
    """

    name: str
    number: int
    active_high: bool
    debounce_scans: int
    part: str = ""
    hub: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubLinear:
    """One linear Hall behind the hub's multiplexers.

    ``number`` is 16 x multiplexer + channel. Active when the value leaves its baseline by
    ``threshold_mv`` towards ``side`` (``above``, ``below``, ``either``), until it is back within
    ``threshold_mv - hysteresis_mv``; ``debounce_ms`` is 1..255.
    """

    name: str
    number: int
    side: str
    threshold_mv: float
    hysteresis_mv: float
    debounce_ms: int
    hub: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpanderInput:
    """One binary sensor on an MCP23017. ``bit`` 0..7 is GPA0..GPA7, 8..15 is GPB0..GPB7."""

    name: str
    address: int
    bit: int
    active_high: bool
    pull_up: bool
    debounce_us: int
    part: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelWire:
    """The chain of lamps. ``brightness`` is 0..1, ``budget_ma`` the most that all lamps together may draw.

    ``hubs`` say how many of them, in order, hang on which sensor hub, by its name: each has a chain of its
    own, whose data comes from its GP20, and ``pin`` says nothing.
    """

    count: int
    pin: int
    order: str
    brightness: float
    budget_ma: int
    hubs: tuple[tuple[str, int], ...] = ()

    @property
    def on_hub(self) -> bool:
        """Whether hubs drive them."""
        return bool(self.hubs)


@dataclass(frozen=True, slots=True, kw_only=True)
class LampWire:
    """A named run of neighbouring pixels, ``count`` of them from index ``first``."""

    name: str
    first: int
    count: int

    @property
    def pixels(self) -> range:
        """The indices of the pixels."""
        return range(self.first, self.first + self.count)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoilWire:
    """One solenoid. ``pulse_ms`` is its default pulse; ``limits`` are enforced by the guard.

    ``pptc_ma`` is the current that the resettable fuse in its wire holds; 0 if there is none.
    """

    name: str
    pin: int
    pulse_ms: int
    limits: CoilLimits
    current_ma: int = 1_000
    pptc_ma: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HubCoil:
    """One solenoid on the hub's output ``number``, 0..7; the hub enforces ``limits``, too.

    After ``pull_in_ms`` it is held with ``hold_percent`` of the current: 25, 50, 75, or 100 (never less).
    """

    name: str
    number: int
    pulse_ms: int
    limits: CoilLimits
    current_ma: int = 1_000
    pptc_ma: int = 0
    pull_in_ms: int = 0
    hold_percent: int = 100
    hub: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubWire:
    """A sensor hub and what is connected to it.

    ``name`` is what the wiring calls one of several; the only one has none. ``port`` is a device path, or
    ``auto`` for the only hub, or the serial number of one of several. ``chips`` (74HC165) and
    ``multiplexers`` (CD74HC4067) are how many are soldered in. With ``loop`` the far end of the chips' chain
    is wired to the hub, which so notices when the chain is open. ``lamps`` count those that it drives.
    """

    port: str
    chips: int
    multiplexers: int
    inputs: tuple[HubInput, ...] = ()
    linears: tuple[HubLinear, ...] = ()
    coils: tuple[HubCoil, ...] = ()
    loop: bool = False
    lamps: int = 0
    name: str = ""

    @property
    def sensor_names(self) -> tuple[str, ...]:
        """Its sensors: inputs, then linears."""
        return (*(each.name for each in self.inputs), *(each.name for each in self.linears))

    @property
    def title(self) -> str:
        """What messages call it."""
        return f"the sensor hub {self.name}" if self.name else "the sensor hub"

    @property
    def lamps_name(self) -> str:
        """The name under which its lamps are reported as lost."""
        return f"pixels.{self.name}" if self.name else "pixels"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpanderWire:
    """All MCP23017 on one I2C bus, their open-drain INT lines joined on one pin of the Pi."""

    bus: int
    int_pin: int
    inputs: tuple[ExpanderInput, ...] = ()

    @property
    def addresses(self) -> tuple[int, ...]:
        """The addresses of the chips in use, in order."""
        return tuple(sorted({each.address for each in self.inputs}))


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerWire:
    """The board's switch, and the pin that drives the coil supply's charge pump; ``None`` if absent."""

    switch: SensorWire | None = None
    arm_pin: int | None = None
    coil_volts: float = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentWire:
    """The INA219 that measures what the coils draw. More than ``max_ma`` is a fault."""

    bus: int = 1
    address: int = 0x40
    shunt_ohm: float = 0.1
    max_ma: int = 2_500


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyWire:
    """The capacity of the supplies, mA.

    ``others_ma`` is drawn from 5 V by everything but the lamps: Pi, hub, sensors. ``coil_ma`` is for coils.
    ``pi`` is the model that runs from these 5 V, or ``own`` if it has its own supply; ``laptop`` means that
    there is no Pi, and that USB feeds the hub and all that hangs on it. With ``buck`` a
    step-down converter makes the 5 V from the coils' supply.
    """

    five_volt_ma: int = 6_000
    others_ma: int = 2_500
    coil_ma: int = 5_000
    pi: str = "4b"
    buck: bool = False

    @property
    def from_usb(self) -> bool:
        """Whether the hub's USB is the only supply."""
        return self.pi == LAPTOP


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchWire:
    """A branch of the supplies: its wire's cross-section and way, its fuse (0: none), and its connector."""

    name: str
    mm2: float
    length_m: float
    fuse_a: float
    connector: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlugWire:
    """A circuit board that hangs on one cable, and what is lost with it.

    ``kind`` is the kind of board, ``into`` the board that its cable comes from (another plug's name, or
    ``hub``), ``at`` the connector's mark there. ``sensors`` and ``lamps`` are those on it.
    ``chips`` are 74HC165 by their marks on the board, ``linears`` the channels of each multiplexer.
    """

    name: str
    kind: str
    into: str
    at: str
    sensors: tuple[str, ...] = ()
    lamps: tuple[str, ...] = ()
    chips: tuple[tuple[str, int], ...] = ()
    linears: tuple[tuple[str, range], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """A whole build. ``profile`` and ``instruments`` are names for the controller.

    ``without`` lists sensors of the set that this build deliberately lacks; on a ``breadboard`` chips and
    small parts are plugged and not soldered. ``plugs`` are the circuit boards of a kit, in the order in which
    the lamps' data passes through them; a build that is wired by hand has none.
    """

    source: str
    profile: str
    instruments: str
    gpio_factory: str
    without: tuple[str, ...] = ()
    breadboard: bool = False
    sensors: tuple[SensorWire, ...] = ()
    hubs: tuple[HubWire, ...] = ()
    expander: ExpanderWire | None = None
    pixels: PixelWire | None = None
    lamps: tuple[LampWire, ...] = ()
    coils: tuple[CoilWire, ...] = ()
    power: PowerWire = PowerWire()
    supply: SupplyWire = SupplyWire()
    current: CurrentWire | None = None
    branches: tuple[BranchWire, ...] = ()
    plugs: tuple[PlugWire, ...] = ()

    @property
    def hub_inputs(self) -> tuple[HubInput, ...]:
        """The binary sensors of all hubs."""
        return tuple(each for hub in self.hubs for each in hub.inputs)

    @property
    def hub_linears(self) -> tuple[HubLinear, ...]:
        """The linear Halls of all hubs."""
        return tuple(each for hub in self.hubs for each in hub.linears)

    @property
    def hub_coils(self) -> tuple[HubCoil, ...]:
        """The solenoids of all hubs."""
        return tuple(each for hub in self.hubs for each in hub.coils)

    @property
    def sensor_names(self) -> tuple[str, ...]:
        """Every sensor of every backend: header, inputs and linears hub by hub, expander."""
        names = [sensor.name for sensor in self.sensors]
        for hub in self.hubs:
            names += hub.sensor_names
        if self.expander is not None:
            names += [each.name for each in self.expander.inputs]
        return tuple(names)

    @property
    def all_coils(self) -> tuple[CoilWire | HubCoil, ...]:
        """The solenoids of the header, then those of the hubs."""
        return (*self.coils, *self.hub_coils)
