"""The doctor's look at the sensor hub: whether it is there, what it runs, and how it is."""

from typing import Final

from hextraction.controller.app.bring_up.doctor_machine import Case, Finding, absent, ok, problem
from hextraction.hal.hub.configuration import Configuration
from hextraction.hal.hub.flash import shipped_sources
from hextraction.hal.hub.port import PortBusy
from hextraction.hal.hub.words import MAJOR, Greeting
from hextraction.hal.wiring.wires import HubWire

__all__ = ["hub"]

_FLASH: Final = "hextraction hub flash"


def hub(case: Case) -> Finding:
    """Say whether the sensor hub is plugged in, and what it says of itself if nobody talks to it."""
    found, machine = case.machine.hubs(), case.machine
    if machine.at("/dev/disk/by-label/RPI-RP2").exists():
        return problem("a Pico waits for its firmware", _FLASH)
    wire = None if case.wiring is None else case.wiring.hub
    if wire is None:
        none = case.without("the wiring has no hub")
        return absent(f"{none}{'; plugged in: ' + ', '.join(found) if found else ''}")
    if not found and (wire.port == "auto" or not machine.at(wire.port).exists()):
        return problem("no sensor hub on USB", f"plug it in with a cable for data; a new Pico: {_FLASH}")
    if wire.port == "auto" and len(found) > 1:
        return problem(f"{len(found)} hubs: {', '.join(found)}", "name one in the wiring: hub.port")
    if wire.port != "auto" and not machine.at(wire.port).exists():
        return problem(
            f"nothing at {wire.port}", f"found {', '.join(found)}: set hub.port to it, or to 'auto'"
        )
    return _asked(case, wire, found[0] if wire.port == "auto" else wire.port)


def _asked(case: Case, wire: HubWire, port: str) -> Finding:
    try:
        greeting = case.machine.greet(port)
    except PortBusy:
        return _busy(case, port)
    except OSError as error:
        return problem(str(error), "sudo hextraction doctor; if that is no better: sudo make install")
    if greeting is None:
        return problem(f"{port} does not answer as our hub", f"unplug it, plug it in; then {_FLASH}")
    if greeting.major != MAJOR:
        return problem(f"it speaks protocol {greeting.major}.{greeting.minor}, want {MAJOR}", _FLASH)
    return _judged(greeting, wire, port)


def _busy(case: Case, port: str) -> Finding:
    """A port belongs to one program alone; a table that is open must not be disturbed."""
    _status, said = case.machine.run(("systemctl", "is-active", "hextraction.service"))
    if said == "active":
        return ok(f"{port}; the service talks to it, so it was not asked")
    if case.machine.connects("127.0.0.1", case.config.page.port):
        return ok(f"{port}; a table is open and talks to it, so it was not asked")
    return problem(f"{port} is in use, and not by the service", f"close that program: sudo fuser -v {port}")


def _judged(greeting: Greeting, wire: HubWire, port: str) -> Finding:
    version, shipped = ".".join(map(str, greeting.firmware)), shipped_sources()
    if shipped is not None and shipped != greeting.sources:
        return problem(
            f"{port}: firmware {version} ({greeting.sources}), not the one shipped ({shipped})",
            f"{_FLASH}; if that firmware is your own, leave it",
        )
    estop = "e-stop released" if greeting.flags.estop_good else "e-stop pressed, or no 12 V"
    return ok(f"{port}: firmware {version} as shipped, {_configured(greeting.config_crc, wire)}, {estop}")


def _configured(crc: int, wire: HubWire) -> str:
    if not crc:
        return "not configured yet"
    if crc == Configuration(wire).crc:
        return f"configured as wired ({crc:08x})"
    return f"configured for another wiring ({crc:08x}) until a table opens"
