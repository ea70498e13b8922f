"""``hextraction doctor``: checks everything a board needs, one line each: ok, or a problem and what to do."""

import argparse
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from hextraction.controller.config import BrokerConfig, ControllerConfig, read_config
from hextraction.controller.phones.addresses import place
from hextraction.controller.phones.broker import ExternalBroker, find_plugin
from hextraction.controller.phones.house import HouseError, HouseRefusedError
from hextraction.controller.workshop.bring_up.checkup import computer
from hextraction.controller.workshop.bring_up.checkup.machine import (
    Case,
    Finding,
    Machine,
    absent,
    ok,
    problem,
)
from hextraction.controller.workshop.bring_up.deducing.assembly import Assembly
from hextraction.controller.workshop.bring_up.deducing.causes import Kind, deduce
from hextraction.controller.workshop.bring_up.deducing.causes_told import look_of, says_of
from hextraction.controller.workshop.documents import Line
from hextraction.controller.workshop.plans.build import read_build
from hextraction.controller.workshop.terminal import Ink, progress, tell
from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.header import header_bus, header_chip, header_serial, header_spi, is_own_serial
from hextraction.hal.hub.configuration import Configuration
from hextraction.hal.hub.flash import shipped_sources
from hextraction.hal.hub.port import PortBusy, is_counted
from hextraction.hal.hub.words import MAJOR, Greeting
from hextraction.hal.wiring.wires import HubWire, Wiring
from hextraction.settings import SettingsError

__all__ = [
    "PROBES",
    "board",
    "broker",
    "current",
    "devices",
    "examine",
    "house",
    "hub",
    "lamps",
    "look_at",
    "outside",
    "page",
    "pins",
    "report",
    "run",
    "service",
    "settings",
]

# --- The board: settings, pins, lamps, broker, service, page ---

_SPI_LAMPS: Final = 10
_AT_REST_MA: Final = 50
_THERE: Final = 0.7
"""Share of the coils' voltage below which the supply counts as gone."""
_NEWER_SYSTEM: Final = "sudo apt-get update && sudo apt-get full-upgrade, and reboot"
_ELSEWHERE: Final = "run it on a Raspberry Pi, or with gpio.factory = 'mock'"
_FIVES_LAMPS: Final = "/dev/pio0"
"""A Raspberry Pi 5's library sends the lamps' data from there, to whichever pin."""
_OPENED_FOR_LAMPS: Final = "/dev/spidev0.0"
"""The only one that rpi_ws281x opens."""
_LIBRARIES: Final = "/opt/hextraction/venv/bin/pip"
_UNITS: Final = ("/etc/systemd/system/hextraction.service", "/usr/lib/systemd/system/hextraction.service")
"""Of an installation by hand, and of a Debian package."""
_SBIN: Final = (
    "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin:/opt/homebrew/sbin:"
    "/opt/homebrew/opt/mosquitto/sbin:/usr/local/opt/mosquitto/sbin"
)


def settings(case: Case) -> Finding:
    """Check whether configuration and wiring can be read."""
    if case.source is None:
        return absent("no configuration: name one with --config, or install the service")
    if case.wrong:
        first = case.wrong[0]
        more = f" (and {len(case.wrong) - 1} more)" if len(case.wrong) > 1 else ""
        return problem(f"{first}{more}", f"hextraction check {case.source}")
    if case.wiring is None:
        return ok(f"{case.source}: a board without electronics")
    return ok(f"{case.source}; wiring {case.wiring.source}")


def devices(case: Case) -> Finding:
    """Check whether the kernel offers every device that the wiring uses, and name them."""
    wiring = case.wiring
    if wiring is None or wiring.gpio_factory == "mock":
        return absent(case.without("the wiring uses no pins, buses or lamps of a Raspberry Pi"))
    try:
        wanted = [*_pins_device(case), *_bus_devices(case, wiring), *_serial_devices(case, wiring)]
    except BackendUnavailable as error:
        newer = f"{_NEWER_SYSTEM}; is it a newer Raspberry Pi? then this program, too"
        return problem(str(error), newer if case.machine.model else _ELSEWHERE)
    if not wanted:
        return absent("the wiring uses no pins, buses or lamps of a Raspberry Pi")
    missing = [each for each in wanted if not each.is_there]
    if not missing:
        return ok(", ".join(each.says for each in wanted))
    said = f"no {', '.join(each.says for each in missing)}"
    if not case.machine.model:
        return problem(said, _ELSEWHERE)
    return problem(said, "; ".join(dict.fromkeys(each.remedy for each in missing)))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A device that the wiring uses, as the report says it, and what to do if it is not there."""

    says: str
    is_there: bool
    remedy: str


def _pins_device(case: Case) -> Iterator[_Wanted]:
    """Yield the chip of the header's pins, which has another number with each kernel."""
    if not _uses_pins(case):
        return
    chip = header_chip(case.machine.root)
    if chip is None:
        yield _Wanted("GPIO chip (/dev/gpiochip…)", is_there=False, remedy=_NEWER_SYSTEM)
    else:
        yield _Wanted(
            str(chip), case.machine.at(chip.path).exists(), "sudo reboot: udev makes it at the start"
        )


def _bus_devices(case: Case, wiring: Wiring) -> Iterator[_Wanted]:
    machine = case.machine
    for bus in sorted({each.bus for each in (wiring.expander, wiring.current) if each is not None}):
        path = f"/dev/i2c-{header_bus(bus, machine.root)}"
        yield _Wanted(path, machine.at(path).exists(), f"{machine.installs}, and reboot: it switches I2C on")
    if wiring.pixels is None or wiring.pixels.on_hub:
        return
    if machine.is_five:
        yield _Wanted(_FIVES_LAMPS, machine.at(_FIVES_LAMPS).exists(), _NEWER_SYSTEM)
    elif wiring.pixels.pin == _SPI_LAMPS:
        path = header_spi(machine.root)
        yield _Wanted(path, machine.at(path).exists(), f"{machine.installs}, and reboot: it switches SPI on")
    else:
        yield _Wanted("/dev/mem", machine.at("/dev/mem").exists(), "wire the lamps' data to GPIO10")


def _serial_devices(case: Case, wiring: Wiring) -> Iterator[_Wanted]:
    """Yield the header's serial port if a hub is to answer there, which has another name on each model."""
    root = case.machine.root
    if not any(is_own_serial(hub.port, root) for hub in wiring.hubs):
        return
    path = header_serial(root)
    yield _Wanted(
        f"{path or 'serial port'} (GPIO14 and GPIO15)",
        path is not None and case.machine.at(path).exists(),
        "sudo raspi-config: Interface Options, Serial Port (no login shell, but the hardware), and reboot",
    )
    for hub in wiring.hubs:
        if path is not None and is_own_serial(hub.port, root) and not _is_port(case, hub.port, path):
            yield _Wanted(
                f"header's serial port at {hub.port}", is_there=False, remedy=f"set hub.port to {path}"
            )


def _is_port(case: Case, named: str, path: str) -> bool:
    """Whether a name, or a link of the system's like /dev/serial0, means this device."""
    return case.machine.at(named).resolve() == case.machine.at(path).resolve()


def _uses_pins(case: Case) -> bool:
    wiring = case.wiring
    if wiring is None or wiring.gpio_factory == "mock":
        return False
    power = wiring.power
    return bool(
        wiring.sensors or wiring.coils or wiring.expander or power.switch or power.arm_pin is not None
    )


def pins(case: Case) -> Finding:
    """Check whether the library for the Pi's pins is installed, is the real one, and is the only one."""
    machine = case.machine
    lgpio, factory = machine.version("lgpio"), case.wiring.gpio_factory if case.wiring is not None else "mock"
    if machine.version("RPi.GPIO") and machine.version("rpi-lgpio"):
        remove = (
            "apt-get remove python3-rpi.gpio" if machine.is_packaged else f"{_LIBRARIES} uninstall RPi.GPIO"
        )
        return problem(
            "RPi.GPIO and rpi-lgpio are both installed; they are the same module, and one hides the other",
            f"sudo {remove} (rpi-lgpio works on every model)",
        )
    if lgpio is not None and lgpio.startswith("0.0."):
        away = "" if machine.is_packaged else f"sudo {_LIBRARIES} uninstall lgpio; "
        return problem(f"lgpio {lgpio} is an empty package", f"{away}sudo apt-get install python3-lgpio")
    if not _uses_pins(case):
        return absent(case.without("the wiring uses no pins of a Raspberry Pi"))
    if factory == "rpigpio":
        return _rpigpio(case)
    if lgpio is None:
        # The package's environment sees what apt brings; that of an installation by hand has its own.
        again = "" if machine.is_packaged else f"; {machine.installs}"
        return problem("lgpio is missing", f"sudo apt-get install python3-lgpio{again}")
    return _working_folder(case, lgpio)


def _rpigpio(case: Case) -> Finding:
    own, other = case.machine.version("RPi.GPIO"), case.machine.version("rpi-lgpio")
    if own and case.machine.is_five:
        return problem("RPi.GPIO cannot drive a Pi 5", "set gpio.factory = 'lgpio' in the wiring")
    if not own and not other:
        by_pip = f"{_LIBRARIES} install 'hextraction[rpigpio]'"
        brings = "apt-get install python3-rpi.gpio" if case.machine.is_packaged else by_pip
        return problem("RPi.GPIO is missing", f"sudo {brings}, or use lgpio")
    return ok(f"RPi.GPIO {own}" if own else f"rpi-lgpio {other} as RPi.GPIO")


def _working_folder(case: Case, lgpio: str) -> Finding:
    """Importing lgpio makes a pipe in ``LG_WD`` and fails if it may not."""
    folder = case.machine.environment.get("LG_WD", "")
    if folder and not case.machine.may_write(case.machine.at(folder)):
        return problem(
            f"LG_WD={folder} cannot be written", "choose a folder of your own: LG_WD=/tmp hextraction …"
        )
    return ok(f"lgpio {lgpio}")


def lamps(case: Case) -> Finding:
    """Check whether the lamp driver for this model is installed."""
    if case.wiring is None or case.wiring.pixels is None or case.wiring.gpio_factory == "mock":
        return absent(case.without("the wiring has no lamps on a Raspberry Pi"))
    if case.wiring.pixels.on_hub:
        return ok(f"{case.wiring.pixels.count} lamps on the hub")
    five = case.machine.is_five
    driver = "Adafruit-Blinka-Raspberry-Pi5-Neopixel" if five else "rpi_ws281x"
    needed = ("adafruit-blinka", "adafruit-circuitpython-neopixel", driver)
    missing = [name for name in needed if case.machine.version(name) is None]
    if missing:
        return problem(f"no {', '.join(missing)}", case.machine.reinstalls)
    if case.wiring.pixels.pin != _SPI_LAMPS and not five:
        return problem(
            f"lamps on GPIO{case.wiring.pixels.pin} need root on this model", "wire their data to GPIO10"
        )
    spi = header_spi(case.machine.root)
    if not five and spi != _OPENED_FOR_LAMPS:
        return problem(
            f"SPI on GPIO10 is {spi} here, and {driver} opens {_OPENED_FOR_LAMPS} only",
            "use Raspberry Pi OS's own kernel, or let a sensor hub drive the lamps",
        )
    return ok(f"{case.wiring.pixels.count} lamps on GPIO{case.wiring.pixels.pin}, {driver}")


def current(case: Case) -> Finding:
    """Check the current meter: at rest the supply must be on and no coil may draw current."""
    if case.wiring is None or case.wiring.current is None or case.wiring.gpio_factory == "mock":
        return absent(case.without("the wiring has no current meter"))
    wire, volts = case.wiring.current, case.wiring.power.coil_volts
    try:
        reading = case.machine.measure(wire)
    except (OSError, BackendUnavailable) as error:
        where = f"the INA219 at 0x{wire.address:02x} of bus {wire.bus}"
        return problem(f"{where} does not answer: {error}", f"look at its wires: i2cdetect -y {wire.bus}")
    told = f"{reading.supply_mv / 1_000:.1f} V, {reading.current_ma} mA at rest"
    if reading.overflow or reading.current_ma > _AT_REST_MA:
        return problem(
            f"{told}: a coil is on, or a transistor is stuck", "pull the plug of the coils' supply, and look"
        )
    if reading.supply_mv < _THERE * volts * 1_000:
        return problem(
            f"{told}: want {volts:g} V", "release the e-stop; is the supply plugged in, the fuse whole?"
        )
    return ok(told)


def broker(case: Case) -> Finding:
    """Check whether the MQTT broker is available: our own, or an external one."""
    if case.config.broker.host:
        return _somebody_elses(case, case.config.broker, "broker", "or leave [broker] out: a private one")
    on_a_mac = case.machine.platform == "darwin"
    programs = ("mosquitto",) if on_a_mac else ("mosquitto", "setpriv")
    missing = [
        name
        for name in programs
        if not any(case.machine.at(f"{folder}/{name}").exists() for folder in _SBIN.split(":"))
    ]
    if missing:
        remedy = "brew install mosquitto" if on_a_mac else "sudo apt-get install mosquitto util-linux"
        return problem(f"no {', '.join(missing)}", remedy)
    if find_plugin(case.machine.at("/usr")) is None:
        remedy = "brew reinstall mosquitto" if on_a_mac else "sudo apt-get install --reinstall mosquitto"
        return problem("Mosquitto has no dynamic-security plugin", remedy)
    return ok("Mosquitto, a private one for this table")


def house(case: Case) -> Finding:
    """Check whether the house's broker, which gets a copy of what is public, is there and lets us in."""
    if not case.config.house.host:
        return absent(case.without("no [house] in the settings: no other broker gets a copy"))
    return _somebody_elses(case, case.config.house, "house", "the table plays on without it")


def outside(case: Case) -> Finding:
    """Say whom a table of these settings speaks to, besides the phones that come to it."""
    if case.wrong:
        return absent("not known: the settings cannot be read")
    told = case.config
    named = {"broker": place(told.broker.host, told.broker.port) if told.broker.host else ""}
    named["house"] = place(told.house.host, told.house.port) if told.house.host else ""
    named["webhook"] = urlsplit(told.webhook.url).netloc
    places = ", ".join(f"[{name}] {where}" for name, where in named.items() if where)
    return ok(f"speaks to nobody but {places}" if places else "speaks to nobody: nothing is sent home")


def _somebody_elses(case: Case, told: BrokerConfig, table: str, otherwise: str) -> Finding:
    """Log in at a broker of somebody else's and off again: is it there, and does it take the password?"""
    at = place(told.host, told.port)
    where = ExternalBroker(
        host=told.host, port=told.port, user=told.user, password=told.password, tls=told.tls
    )
    try:
        case.machine.log_in(where)
    except HouseRefusedError as error:
        return problem(f"{at} answers and {error}", f"fix [{table}] in {case.source}, and restart the table")
    except HouseError as error:
        return problem(f"{at} {error}", f"is it on, and is this the right address? {otherwise}")
    login = f"lets {told.user} in with the password" if told.user else "lets the table in without a password"
    return ok(f"{at} answers, and {login}")


def service(case: Case) -> Finding:
    """Check whether the service is running."""
    if not any(case.machine.at(unit).exists() for unit in _UNITS):
        return absent(f"not installed as a service: {case.machine.installs}")
    _status, said = case.machine.run(("systemctl", "is-active", "hextraction.service"))
    if said == "active":
        return ok("running")
    return problem(
        said or "systemd does not answer",
        "journalctl -u hextraction -n 20; sudo systemctl restart hextraction",
    )


def page(case: Case) -> Finding:
    """Check whether the phone page answers on this machine, and what the table says of itself."""
    (host, port), only = case.page, ""
    if host == case.config.page.host:
        only = f" of {host}, the only address in the settings"
    if not case.machine.connects(host, port):
        return absent(f"nothing on port {port}{only}: no table is open")
    said = case.machine.health(host, port)
    if said is None:
        return problem(f"what answers on port {port}{only} is no table", f"sudo ss -ltnp sport = :{port}")
    if said["problems"]:
        return problem("; ".join(map(str, said["problems"])), "journalctl -u hextraction -n 20")
    return ok(f"a table is open on port {port}{only}, and phones can join")


# --- The sensor hub ---

_FLASH: Final = "hextraction hub flash"
_MOST_CAUSES: Final = 3


def hub(case: Case) -> Finding:
    """Check whether the sensor hubs are plugged in, and ask each for its status if its port is free."""
    found, machine = case.machine.hubs(), case.machine
    if machine.at("/dev/disk/by-label/RPI-RP2").exists():
        return problem("a Pico waits for its firmware", _FLASH)
    wires = () if case.wiring is None else case.wiring.hubs
    if not wires:
        none = case.without("the wiring has no hub")
        return absent(f"{none}{'; plugged in: ' + ', '.join(found) if found else ''}")
    findings = {wire.name: _look_for_hub(case, wire, found) for wire in wires}
    if len(findings) == 1:
        return next(iter(findings.values()))
    said = "; ".join(f"{name}: {finding.says}" for name, finding in findings.items())
    wrong = {name: finding.remedy for name, finding in findings.items() if finding.state == "problem"}
    return (
        problem(said, "; ".join(f"{name}: {remedy}" for name, remedy in wrong.items())) if wrong else ok(said)
    )


def _look_for_hub(case: Case, wire: HubWire, found: tuple[str, ...]) -> Finding:
    machine = case.machine
    if not found and (wire.port == "auto" or not machine.at(wire.port).exists()):
        return problem("no sensor hub on USB", f"plug it in with a cable for data; a new Pico: {_FLASH}")
    if wire.port == "auto" and len(found) > 1:
        return problem(f"{len(found)} hubs: {', '.join(found)}", "name one in the wiring: hub.port")
    port = _port_of(wire, found)
    if port is None or not (port in found or machine.at(port).exists()):
        there = f"found {', '.join(found) or 'none'}"
        remedy = (
            "set its hub.port to one of them, or plug it in"
            if wire.name
            else "set hub.port to it, or to 'auto'"
        )
        return problem(f"nothing at {wire.port}", f"{there}: {remedy}")
    return _answer_of_hub(case, wire, port)


def _port_of(wire: HubWire, found: tuple[str, ...]) -> str | None:
    """Return the port that the wiring means: a path, the only hub, or the one with a serial number."""
    if wire.port.startswith("/"):
        return found[0] if is_counted(wire.port) and len(found) == 1 else wire.port
    return next((port for port in found if wire.port == "auto" or wire.port.upper() in port.upper()), None)


def _answer_of_hub(case: Case, wire: HubWire, port: str) -> Finding:
    try:
        greeting = case.machine.greet(port)
    except PortBusy:
        return _busy(case, port)
    except OSError as error:
        return problem(str(error), f"sudo hextraction doctor; if that is no better: {case.machine.installs}")
    if greeting is None:
        return problem(f"{port} does not answer as our hub", f"unplug it, plug it in; then {_FLASH}")
    if greeting.major != MAJOR:
        return problem(f"it speaks protocol {greeting.major}.{greeting.minor}, want {MAJOR}", _FLASH)
    return _judged(greeting, wire, port)


def _busy(case: Case, port: str) -> Finding:
    """Only one program may use a port; do not disturb an open table."""
    _status, said = case.machine.run(("systemctl", "is-active", "hextraction.service"))
    if said == "active":
        return ok(f"{port}; the service talks to it, so it was not asked")
    if case.machine.connects(*case.page):
        return ok(f"{port}; a table is open and talks to it, so it was not asked")
    return problem(f"{port} is in use, and not by the service", f"close that program: sudo fuser -v {port}")


def _judged(greeting: Greeting, wire: HubWire, port: str) -> Finding:
    version, shipped = ".".join(map(str, greeting.firmware)), shipped_sources()
    if shipped is not None and shipped != greeting.sources:
        return problem(
            f"{port}: firmware {version} ({greeting.sources}), not the one shipped ({shipped})",
            f"{_FLASH}; if that firmware is your own, leave it",
        )
    if greeting.flags.chain_open:
        return problem(
            f"{port}: its chain of shift registers is open",
            "look at SCK, LATCH, DATA 0, and the wire from GP3 to the last chip's pin 10",
        )
    estop = "e-stop released" if greeting.flags.estop_good else "e-stop pressed, or no 12 V"
    return ok(f"{port}: firmware {version} as shipped, {_configured(greeting.config_crc, wire)}, {estop}")


def _configured(crc: int, wire: HubWire) -> str:
    if not crc:
        return "not set up yet"
    if crc == Configuration(wire).crc:
        return f"set up as wired ({crc:08x})"
    return f"set up for another wiring ({crc:08x}) until a table opens"


def board(case: Case) -> Finding:
    """Look at all that hangs on the hubs while nobody touches it, if their ports are free."""
    wiring = case.wiring
    if wiring is None or not wiring.hubs:
        return absent(case.without("the wiring has no hub"))
    found, looks = case.machine.hubs(), {}
    for wire in wiring.hubs:
        port = _port_of(wire, found)
        try:
            look = None if port is None else case.machine.look(port, wire)
        except OSError:
            look = None
        if look is not None:
            looks[wire.name] = look
    if len(looks) < len(wiring.hubs):
        return absent("a hub is away, or a table talks to it, so nobody looked at what hangs on it")
    assembly = Assembly(wiring)
    causes = [each for each in deduce(assembly, looks, {}) if each.kind is not Kind.ESTOP]  # may be pressed
    if not causes:
        return ok(f"{len(assembly.sensors)} sensors look well at rest; hextraction check-board tries them")
    more = len(causes) - _MOST_CAUSES
    says = [says_of(assembly, cause) for cause in causes[:_MOST_CAUSES]]
    says += [f"And {more} more: hextraction check-board."] if more > 0 else []
    return problem(" ".join(says), " ".join(look_of(assembly, cause) for cause in causes[:_MOST_CAUSES]))


# --- Running all probes ---

_log = logging.getLogger(__name__)
_INSTALLED: Final = "/etc/hextraction/hextraction.toml"
_MARKS: Final = {"ok": "ok", "problem": "PROBLEM", "absent": "-"}

Probe = Callable[[Case], Finding]

PROBES: Final[Mapping[str, Probe]] = MappingProxyType({
    "model": computer.model,
    "system": computer.system,
    "python": computer.python,
    "program": computer.program,
    "games": computer.games,
    "settings": settings,
    "user": computer.user,
    "devices": devices,
    "pins": pins,
    "lamps": lamps,
    "hub": hub,
    "board": board,
    "current": current,
    "broker": broker,
    "house": house,
    "outside": outside,
    "service": service,
    "page": page,
    "clock": computer.clock,
    "disk": computer.disk,
    "supply": computer.supply,
})  # fmt: skip
"""Every probe by the word that begins its line, in the order of the report."""


def run(options: argparse.Namespace, *, machine: Machine | None = None) -> int:
    """Print the report on a machine, this one by default; return 0 if nothing is wrong, else 1."""
    findings = examine(look_at(machine or Machine(), options.config))
    if options.json:
        tell([Line(what=what, **asdict(finding)) for what, finding in findings.items()])
    else:
        print(report(findings, Ink(options, sys.stdout)))
    return int(any(finding.state == "problem" for finding in findings.values()))


def look_at(
    machine: Machine, config: Path | None, *, read: Callable[[Path], ControllerConfig] = read_config
) -> Case:
    """Read the settings as far as possible: from the named file, or those of the installed service."""
    installed = machine.at(_INSTALLED)
    try:
        source = config or (installed if installed.exists() else None)
        settings = read(source) if source is not None else None
    except PermissionError:  # the folder is closed to all but root and the service
        return Case(
            machine=machine, source=installed, wrong=("may not be read; try: sudo hextraction doctor",)
        )
    except SettingsError as error:
        return Case(machine=machine, source=config or installed, wrong=tuple(map(str, error.problems)))
    if settings is None:
        return Case(machine=machine)
    wiring, wrong = _wiring(settings)
    return Case(machine=machine, source=source, config=settings, wiring=wiring, wrong=wrong)


def _wiring(settings: ControllerConfig) -> tuple[Wiring | None, tuple[str, ...]]:
    if settings.wiring is None:
        return None, ()
    try:
        return read_build(settings.wiring, settings.board)[0], ()
    except SettingsError as error:
        return None, tuple(map(str, error.problems))


def examine(case: Case, probes: Mapping[str, Probe] = PROBES) -> dict[str, Finding]:
    """Run every probe; one that fails only affects its own line."""
    return {what: _asked(what, probe, case) for what, probe in progress(probes.items(), "lines")}


def _asked(what: str, probe: Probe, case: Case) -> Finding:
    try:
        return probe(case)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other lines still count
        _log.debug("the probe %s failed", what, exc_info=error)
        return problem(f"cannot be looked at: {error}", "is it allowed? try: sudo hextraction doctor")


def report(findings: Mapping[str, Finding], ink: Ink) -> str:
    """Return the report for people."""
    lines = []
    paints = {"ok": ink.good, "problem": ink.bad, "absent": ink.faint}
    for what, finding in findings.items():
        mark = paints[finding.state](f"{_MARKS[finding.state]:8}")
        lines.append(f"{mark} {what:9} {finding.says}")
        if finding.remedy:
            lines.append(f"{'':18} -> {finding.remedy}")
    wrong = sum(finding.state == "problem" for finding in findings.values())
    count = "nothing is wrong" if not wrong else f"{wrong} problem{'s' if wrong > 1 else ''}"
    return "\n".join([*lines, "", ink.bad(count) if wrong else ink.good(count)])
