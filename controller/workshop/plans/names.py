"""The part behind a sensor's name in a build, and how it is read."""

from collections.abc import Iterator
from typing import Final

from hextraction.hal.wiring.wires import ExpanderInput, HubInput, HubLinear, SensorWire, Wiring

__all__ = ["AnySensor", "all_sensors", "fuse_a", "has_pump", "how_of", "part_of"]

AnySensor = SensorWire | HubInput | HubLinear | ExpanderInput
_NAMED: Final = {"tile": "hall", "button": "button"}
_WORDS: Final = {"beam": "beam", "hall": "Hall switch", "button": "button", "linear": "linear Hall"}


def all_sensors(wiring: Wiring) -> Iterator[AnySensor]:
    """Yield every sensor: on the header, the hubs and the expanders."""
    yield from wiring.sensors
    for hub in wiring.hubs:
        yield from hub.inputs
        yield from hub.linears
    if wiring.expander is not None:
        yield from wiring.expander.inputs


def has_pump(wiring: Wiring) -> bool:
    """Whether a charge pump keeps the coils' supply armed: that of the Pi's arm pin, or a hub's own."""
    return wiring.power.arm_pin is not None or bool(wiring.hub_coils)


def fuse_a(wiring: Wiring, branch: str, usual: float) -> float:
    """Return the fuse of a branch, A: as the wiring says, or else the usual one."""
    return next((each.fuse_a for each in wiring.branches if each.name == branch and each.fuse_a), usual)


def part_of(sensor: AnySensor) -> str:
    """Return ``linear``, ``beam``, ``hall`` or ``button``, as the file says or inferred from the name."""
    if isinstance(sensor, HubLinear):
        return "linear"
    return sensor.part or _NAMED.get(sensor.name.partition(".")[0], "beam")


def how_of(sensor: AnySensor) -> str:
    """Return how a sensor is read, in a few words for people."""
    what = _WORDS[part_of(sensor)]
    if isinstance(sensor, HubLinear):
        return f"{what}, {sensor.threshold_mv:g} mV {sensor.side}, {sensor.debounce_ms} ms"
    level = "high" if sensor.active_high else "low"
    if isinstance(sensor, HubInput):
        return f"{what}, active {level}, {sensor.debounce_scans / 2:g} ms"
    pull = "" if isinstance(sensor, SensorWire) and sensor.pull == "none" else _pull(sensor)
    return f"{what}, active {level}{pull}, {sensor.debounce_us / 1_000:g} ms"


def _pull(sensor: SensorWire | ExpanderInput) -> str:
    if isinstance(sensor, SensorWire):
        return f", pull-{sensor.pull}"
    return ", pull-up" if sensor.pull_up else ""
