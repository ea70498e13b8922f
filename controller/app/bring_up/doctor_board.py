"""The doctor's look at what belongs to the board: settings, pins, lamps, broker, service, page."""

from typing import Final

from hextraction.controller.app.bring_up.doctor_machine import Case, Finding, absent, ok, problem
from hextraction.controller.phones.broker import find_plugin
from hextraction.hal.errors import BackendUnavailable

__all__ = ["broker", "current", "devices", "lamps", "page", "pins", "service", "settings"]

_SPI_LAMPS: Final = 10
_AT_REST_MA: Final = 50
_THERE: Final = 0.7
"""Of the coils' voltage: less than that counts as gone."""
_INSTALL_AGAIN: Final = "sudo make install"
_LIBRARIES: Final = "/opt/hextraction/venv/bin/pip"
_SBIN: Final = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"


def settings(case: Case) -> Finding:
    """Say whether configuration and wiring can be read."""
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
    """Say whether the kernel offers every device that the wiring uses."""
    wanted = _wanted(case)
    if not wanted:
        return absent(case.without("the wiring uses no pins, buses or lamps of a Raspberry Pi"))
    missing = [path for path in wanted if not case.machine.at(path).exists()]
    if missing and not case.machine.model:
        return problem(f"no {', '.join(missing)}", "run it on a Raspberry Pi, or with gpio.factory = 'mock'")
    if missing:
        return problem(
            f"no {', '.join(missing)}", f"{_INSTALL_AGAIN}, and reboot: it switches SPI and I2C on"
        )
    return ok(", ".join(wanted))


def _wanted(case: Case) -> tuple[str, ...]:
    wiring = case.wiring
    if wiring is None or wiring.gpio_factory == "mock":
        return ()
    found = ["/dev/gpiochip0"] if _uses_pins(case) else []
    on_i2c = (each.bus for each in (wiring.expander, wiring.current) if each is not None)
    found += [f"/dev/i2c-{bus}" for bus in sorted(set(on_i2c))]
    if wiring.pixels is not None:
        found.append("/dev/spidev0.0" if wiring.pixels.pin == _SPI_LAMPS else _other_lamp_device(case))
    return tuple(found)


def _other_lamp_device(case: Case) -> str:
    return "/dev/pio0" if case.machine.is_five else "/dev/mem"


def _uses_pins(case: Case) -> bool:
    wiring = case.wiring
    if wiring is None or wiring.gpio_factory == "mock":
        return False
    power = wiring.power
    return bool(
        wiring.sensors or wiring.coils or wiring.expander or power.switch or power.arm_pin is not None
    )


def pins(case: Case) -> Finding:
    """Say whether the library for the Pi's pins is there, is the real one, and is alone."""
    version = case.machine.version
    lgpio, factory = version("lgpio"), case.wiring.gpio_factory if case.wiring is not None else "mock"
    if version("RPi.GPIO") and version("rpi-lgpio"):
        return problem(
            "RPi.GPIO and rpi-lgpio are both installed; they are the same module, and one hides the other",
            f"sudo {_LIBRARIES} uninstall RPi.GPIO (rpi-lgpio works on every model)",
        )
    if lgpio is not None and lgpio.startswith("0.0."):
        return problem(
            f"lgpio {lgpio} is an empty package",
            f"sudo {_LIBRARIES} uninstall lgpio; sudo apt-get install python3-lgpio",
        )
    if not _uses_pins(case):
        return absent(case.without("the wiring uses no pins of a Raspberry Pi"))
    if factory == "rpigpio":
        return _rpigpio(case)
    if lgpio is None:
        return problem("lgpio is missing", f"sudo apt-get install python3-lgpio; {_INSTALL_AGAIN}")
    return _working_folder(case, lgpio)


def _rpigpio(case: Case) -> Finding:
    own, other = case.machine.version("RPi.GPIO"), case.machine.version("rpi-lgpio")
    if own and case.machine.is_five:
        return problem("RPi.GPIO cannot drive a Pi 5", "set gpio.factory = 'lgpio' in the wiring")
    if not own and not other:
        return problem(
            "RPi.GPIO is missing", f"sudo {_LIBRARIES} install 'hextraction[rpigpio]', or use lgpio"
        )
    return ok(f"RPi.GPIO {own}" if own else f"rpi-lgpio {other} as RPi.GPIO")


def _working_folder(case: Case, lgpio: str) -> Finding:
    """Importing lgpio makes a pipe in ``LG_WD`` and fails where it may not."""
    folder = case.machine.environment.get("LG_WD", "")
    if folder and not case.machine.may_write(case.machine.at(folder)):
        return problem(
            f"LG_WD={folder} cannot be written", "choose a folder of your own: LG_WD=/tmp hextraction …"
        )
    return ok(f"lgpio {lgpio}")


def lamps(case: Case) -> Finding:
    """Say whether the lamps' driver for this model is there."""
    if case.wiring is None or case.wiring.pixels is None or case.wiring.gpio_factory == "mock":
        return absent(case.without("the wiring has no lamps on a Raspberry Pi"))
    five = case.machine.is_five
    driver = "Adafruit-Blinka-Raspberry-Pi5-Neopixel" if five else "rpi_ws281x"
    needed = ("adafruit-blinka", "adafruit-circuitpython-neopixel", driver)
    missing = [name for name in needed if case.machine.version(name) is None]
    if missing:
        return problem(f"no {', '.join(missing)}", _INSTALL_AGAIN)
    if case.wiring.pixels.pin != _SPI_LAMPS and not five:
        return problem(
            f"lamps on GPIO{case.wiring.pixels.pin} need root on this model", "wire their data to GPIO10"
        )
    return ok(f"{case.wiring.pixels.count} lamps on GPIO{case.wiring.pixels.pin}, {driver}")


def current(case: Case) -> Finding:
    """Say what the current meter says: at rest the supply is there, and no coil draws anything."""
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
    """Say whether phones can be reached: a broker of our own, or somebody else's."""
    told = case.config.broker
    if told.host:
        if not case.machine.connects(told.host, told.port):
            return problem(
                f"{told.host}:{told.port} does not answer", "is it on? or leave [broker] out: a private one"
            )
        return ok(f"{told.host}:{told.port} answers")
    missing = [
        name
        for name in ("mosquitto", "setpriv")
        if not any(case.machine.at(f"{folder}/{name}").exists() for folder in _SBIN.split(":"))
    ]
    if missing:
        return problem(f"no {', '.join(missing)}", "sudo apt-get install mosquitto util-linux")
    if find_plugin(case.machine.at("/usr")) is None:
        return problem(
            "Mosquitto has no dynamic-security plugin", "sudo apt-get install --reinstall mosquitto"
        )
    return ok("Mosquitto, a private one for this table")


def service(case: Case) -> Finding:
    """Say whether the service runs."""
    if not case.machine.at("/etc/systemd/system/hextraction.service").exists():
        return absent("not installed as a service: sudo make install")
    _status, said = case.machine.run(("systemctl", "is-active", "hextraction.service"))
    if said == "active":
        return ok("running")
    return problem(
        said or "systemd does not answer",
        "journalctl -u hextraction -n 20; sudo systemctl restart hextraction",
    )


def page(case: Case) -> Finding:
    """Say whether the phone page answers on this machine."""
    port = case.config.page.port
    if not case.machine.connects("127.0.0.1", port):
        return absent(f"nothing on port {port}: no table is open")
    return ok(f"something answers on port {port}")
