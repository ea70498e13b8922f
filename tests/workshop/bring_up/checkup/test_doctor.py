"""The doctor on machines of every kind: each is a folder, some answers, and the packages it has."""

import argparse
import asyncio
import dataclasses
import functools
import json
import re
import sys
import zlib
from pathlib import Path

import pytest
from helpers.hub.host import compile_host_hub
from helpers.hub.line import HubOnLine
from helpers.hub.talk import INPUT_LOW, blob_of
from helpers.pis import BRCMSTB, PIS, Pi, lay
from helpers.places import ROOT
from hextraction.controller.app.command_line import main
from hextraction.controller.config import ControllerConfig, HouseConfig, WebhookConfig
from hextraction.controller.payloads.messages import Topics
from hextraction.controller.phones.broker import ExternalBroker, PrivateBroker
from hextraction.controller.phones.house import HouseError, HouseRefusedError
from hextraction.controller.phones.rights import SeatBook, security_document
from hextraction.controller.workshop.bring_up.checkup.doctor import PROBES, examine, look_at, report
from hextraction.controller.workshop.bring_up.checkup.machine import Case, Machine
from hextraction.controller.workshop.terminal import Ink
from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.hub.configuration import Configuration
from hextraction.hal.hub.flash import IMAGE
from hextraction.hal.hub.look import HubLook
from hextraction.hal.hub.port import PortBusy, open_serial
from hextraction.hal.hub.question import HubQuestion
from hextraction.hal.hub.words import Flags, Greeting
from hextraction.hal.ina219 import Reading
from hextraction.hal.wiring.file import read_wiring

SHIPPED = json.loads(IMAGE.with_name("release.json").read_text())["sources"][:16]
GREETING = Greeting(
    major=1, minor=0, firmware=(1, 0, 0), boot_reason=1, flags=Flags(2), cause=0, inputs=192, linears=128,
    scan_us=500, coils=8, config_crc=0, low_us=0, unique_id="e661", sources=SHIPPED, bites=0,
)  # fmt: skip
PI4 = "Raspberry Pi 4 Model B Rev 1.4"
PI5 = "Raspberry Pi 5 Model B Rev 1.0"
PACKAGES = {
    "lgpio": "0.2.2.0",
    "adafruit-blinka": "10.0.0",
    "adafruit-circuitpython-neopixel": "6.4.2",
    "rpi_ws281x": "5.0.0",
}
WIRING = """
board = { profile = "standard-22", instruments = "partial" }
sensor = [{ name = "ramp.L1", pin = 17 }, { name = "zone.L", hub = 0 }]
solenoid = [{ name = "gate.L1", hub = 0, pulse_ms = 150, max_pulse_ms = 200, duty_percent = 5, pptc_ma = 300 }]
pixels = { count = 10, pin = 10 }
current = { address = "0x45" }
[hub]
chips = 1
spare = [1, 2, 3, 4, 5, 6, 7]
"""
FILES = {
    "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n',
    "etc/passwd": "root:x:0:0::/root:/bin/sh\nhextraction:x:998:998::/var/lib/hextraction:/usr/sbin/nologin\n",
    "etc/group": "gpio:x:1:pi,hextraction\nspi:x:2:hextraction\ni2c:x:3:hextraction\ndialout:x:4:hextraction\n",
    "etc/systemd/system/hextraction.service": "",
    "etc/hextraction/hextraction.toml": 'table = { wiring = "wiring.toml", journal = "/var/lib/hextraction/games.db" }\n',
    "etc/hextraction/wiring.toml": WIRING,
    "usr/sbin/mosquitto": "",
    "usr/bin/setpriv": "",
    "usr/lib/aarch64-linux-gnu/mosquitto_dynamic_security.so": "",
    "run/systemd/timesync/synchronized": "",
    "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
    "var/lib/hextraction/games.db": "",
}


class Patient:
    """A whole Raspberry Pi 4 that runs the service, until something is changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.packages = dict(PACKAGES)
        self.answers = {"systemctl": (0, "active")}
        self.hubs = ("/dev/serial/by-id/usb-hub-if00",)
        self.greeting: Greeting | Exception | None = GREETING
        self.look: HubLook | None = HubLook(
            chain_open=False, estop_good=True, high=frozenset(range(8)), restless=frozenset(), millivolts={}
        )
        self.open: set[tuple[str, int]] = set()
        self.opens()
        self.login: Exception | None = None
        self.logins: list[ExternalBroker] = []
        self.free_mb = 5000
        self.meter = Reading(current_ma=1, supply_mv=12_080)
        self.environment: dict[str, str] = {}
        self.python = (3, 11)
        self.becomes("pi-4")
        for path, text in FILES.items():
            self.write(path, text)

    def becomes(self, title):
        """Show the pins and buses of another Raspberry Pi, or of another kernel."""
        pi = next(pi for pi in PIS if pi.title == title)
        lay(self.root, pi)
        return pi

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def remove(self, *paths):
        for path in paths:
            (self.root / path).unlink()

    def greet(self, _port):
        """Let the hub introduce itself, or not."""
        if isinstance(self.greeting, Exception):
            raise self.greeting
        return self.greeting

    def rests(self, **said):
        """Let the hub read something else while nobody touches the board."""
        self.look = dataclasses.replace(self.look, **said)

    def look_at(self, _port, _wire):
        """Let the hub say what it reads at rest, if it answers at all."""
        if isinstance(self.greeting, Exception):
            raise self.greeting
        return None if self.greeting is None else self.look

    def log_in(self, where):
        """Let a broker of somebody else's answer, or not."""
        self.logins.append(where)
        if isinstance(self.login, Exception):
            raise self.login

    def opens(self, *problems):
        """Open a table here that has these problems."""
        self.open.add(("127.0.0.1", 8080))
        self.health = {"ok": not problems, "problems": list(problems)}

    def asks(self, table, login=None):
        """Have settings with somebody else's broker in this table, which answers so."""
        self.login = login
        before = FILES["etc/hextraction/hextraction.toml"]
        self.write(
            "etc/hextraction/hextraction.toml",
            f'{before}{table} = {{ host = "den", port = 1884, user = "board", password_file = "secret" }}\n',
        )
        self.write("etc/hextraction/secret", "sesame\n")

    def wires_hub(self, port):
        """Have a wiring whose hub is at this port, and nothing else plugged in."""
        self.hubs = ()
        self.write("etc/hextraction/wiring.toml", WIRING.replace("[hub]", f'[hub]\nport = "{port}"'))

    def says(self, **said):
        """Let the hub say something else in its greeting."""
        self.greeting = dataclasses.replace(GREETING, **said)

    @property
    def machine(self) -> Machine:
        return Machine(
            root=self.root,
            environment=self.environment,
            python=self.python,
            run=lambda command: self.answers.get(command[0], (127, "")),
            version=self.packages.get,
            connects=lambda host, port: (host, port) in self.open,
            health=lambda _host, _port: self.health,
            log_in=self.log_in,
            look=self.look_at,
            hubs=lambda: self.hubs,
            greet=self.greet,
            measure=self._measure,
            free_bytes=lambda _folder: self.free_mb * 1_000_000,
            may_write=lambda _path: False,
        )

    def case(self, **how) -> Case:
        return look_at(self.machine, None, **how)

    def _measure(self, wire):
        assert (wire.bus, wire.address) == (1, 0x45)
        if isinstance(self.meter, Exception):
            raise self.meter
        return self.meter

    def findings(self):
        return examine(self.case())

    def wrong(self):
        return wrong(self.findings())


def wrong(findings):
    """Return what is wrong: line by line what it says, and what to do."""
    return {
        what: f"{found.says} -> {found.remedy}"
        for what, found in findings.items()
        if found.state == "problem"
    }


@pytest.fixture
def pi(tmp_path: Path) -> Patient:
    """A healthy Raspberry Pi."""
    return Patient(tmp_path)


def test_a_healthy_board_has_no_problem(pi: Patient) -> None:
    """Every line is ok, and there is one for each thing that the guide speaks of."""
    found = pi.findings()
    assert {what: each.says for what, each in found.items() if each.state != "ok"} == {
        "house": "no [house] in the settings: no other broker gets a copy"
    }
    assert list(found) == [
        *(
            "model",
            "system",
            "python",
            "program",
            "games",
            "settings",
            "user",
            "devices",
            "pins",
            "lamps",
            "hub",
            "board",
            "current",
            "broker",
            "house",
            "outside",
        ),
        *("service", "page", "clock", "disk", "supply"),
    ]


def lay_strange(root):
    """Let a Pi 4 show no chip of a header."""
    lay(root, Pi("strange", "Raspberry Pi 4 Model B Rev 1.4", {0: BRCMSTB}, 0))


def lay_other_spi(root):
    """Let a Pi 4 number its buses otherwise."""
    lay(root, dataclasses.replace(next(pi for pi in PIS if pi.title == "pi-4"), spi=10))


ILLS = [
    ("system", lambda pi: pi.write("etc/os-release", 'PRETTY_NAME="Raspbian 11"\nID=raspbian\nVERSION_ID="11"\n'), "too old -> install Raspberry Pi OS"),
    ("python", lambda pi: setattr(pi, "python", (3, 9)), "3.9 is too old -> want 3.11"),
    ("settings", lambda pi: pi.write("etc/hextraction/hextraction.toml", "tabel = 1\n"), "unknown key"),
    ("settings", lambda pi: pi.remove("etc/hextraction/wiring.toml"), "wiring"),
    ("settings", lambda pi: pi.write("etc/hextraction/wiring.toml", f"nonsense = 1\n{WIRING}"), "-> hextraction check"),
    ("user", lambda pi: pi.write("etc/group", "gpio:x:1:hextraction\nspi:x:2:\n"), "not in spi, i2c, dialout -> sudo usermod"),
    ("devices", lambda pi: pi.remove("dev/spidev0.0"), "no /dev/spidev0.0 -> sudo make install, and reboot: it switches SPI on"),
    ("devices", lambda pi: pi.remove("dev/gpiochip0"), "no /dev/gpiochip0 (brcm,bcm2711-gpio) -> sudo reboot"),
    ("devices", lambda pi: lay_strange(pi.root), "found: /dev/gpiochip0 (brcm,brcmstb-gpio) -> sudo apt-get update"),
    ("lamps", lambda pi: lay_other_spi(pi.root), "SPI on GPIO10 is /dev/spidev10.0 here, and rpi_ws281x opens /dev/spidev0.0 only -> use"),
    ("pins", lambda pi: pi.packages.pop("lgpio"), "lgpio is missing -> sudo apt-get install python3-lgpio"),
    ("pins", lambda pi: pi.packages.update(lgpio="0.0.0.2"), "is an empty package -> "),
    ("pins", lambda pi: pi.packages.update({"RPi.GPIO": "0.7.1", "rpi-lgpio": "0.6"}), "both installed"),
    ("pins", lambda pi: pi.environment.update(LG_WD="/nowhere"), "LG_WD=/nowhere cannot be written"),
    ("devices", lambda pi: pi.remove("dev/i2c-1"), "no /dev/i2c-1 -> sudo make install"),
    ("current", lambda pi: setattr(pi, "meter", OSError(121, "Remote I/O error")), "the INA219 at 0x45 of bus 1 does not answer: [Errno 121] Remote I/O error -> look at its wires: i2cdetect -y 1"),
    ("current", lambda pi: setattr(pi, "meter", BackendUnavailable("no smbus2")), "does not answer: no smbus2"),
    ("current", lambda pi: setattr(pi, "meter", Reading(current_ma=0, supply_mv=900)), "0.9 V, 0 mA at rest: want 12 V -> release the e-stop"),
    ("current", lambda pi: setattr(pi, "meter", Reading(current_ma=800, supply_mv=12_000)), "a transistor is stuck -> pull the plug"),
    ("lamps", lambda pi: pi.packages.pop("rpi_ws281x"), "no rpi_ws281x -> sudo make install"),
    ("lamps", lambda pi: (pi.becomes("pi-5-newest"), pi.write("dev/pio0", "")), "no Adafruit-Blinka-Raspberry-Pi5-Neopixel"),
    ("hub", lambda pi: setattr(pi, "hubs", ()), "no sensor hub on USB -> plug it in"),
    ("hub", lambda pi: setattr(pi, "hubs", ("/dev/a", "/dev/b")), "2 hubs: /dev/a, /dev/b -> name one"),
    ("hub", lambda pi: pi.write("dev/disk/by-label/RPI-RP2", ""), "waits for its firmware -> hextraction hub flash"),
    ("hub", lambda pi: pi.write("etc/hextraction/wiring.toml", WIRING.replace("[hub]", '[hub]\nport = "/dev/x"')), "nothing at /dev/x"),
    ("hub", lambda pi: pi.write("etc/hextraction/wiring.toml", WIRING.replace("[hub]", '[hub]\nport = "E661000000000001"')), "nothing at E661000000000001"),
    ("hub", lambda pi: pi.says(flags=Flags(2 | 64)), "chain of shift registers is open -> look at SCK"),
    ("hub", lambda pi: setattr(pi, "greeting", None), "usb-hub-if00 does not answer as our hub -> unplug it, plug it in; then hextraction hub flash"),
    ("hub", lambda pi: pi.says(major=2), "it speaks protocol 2.0, want 1 -> hextraction hub flash"),
    ("hub", lambda pi: pi.says(sources="00aa"), f"firmware 1.0.0 (00aa), not the one shipped ({SHIPPED}) -> hextraction hub flash"),
    ("hub", lambda pi: setattr(pi, "greeting", OSError("/dev/hub: no permission")), "/dev/hub: no permission -> sudo hextraction doctor"),
    ("board", lambda pi: pi.rests(high=frozenset()), "zone.L counts as covered all the time: no light arrives, or its wire is off. -> A phone's camera"),
    ("board", lambda pi: pi.rests(chain_open=True, high=frozenset()), "nothing comes from 74HC165 number 0 on. -> One of these"),
    ("broker", lambda pi: pi.remove("usr/sbin/mosquitto"), "no mosquitto -> sudo apt-get install mosquitto"),
    ("broker", lambda pi: pi.remove("usr/lib/aarch64-linux-gnu/mosquitto_dynamic_security.so"), "no dynamic-security plugin"),
    ("broker", lambda pi: pi.asks("broker", HouseError("cannot be reached: Connection refused")), "den:1884 cannot be reached: Connection refused -> is it on, and is this the right address? or leave [broker] out"),
    ("broker", lambda pi: pi.asks("broker", HouseRefusedError("refuses us: Not authorized")), "den:1884 answers and refuses us: Not authorized -> fix [broker] in "),
    ("house", lambda pi: pi.asks("house", HouseError("cannot be reached: Connection refused")), "den:1884 cannot be reached: Connection refused -> is it on, and is this the right address? the table plays"),
    ("house", lambda pi: pi.asks("house", HouseRefusedError("refuses us: Not authorized")), "den:1884 answers and refuses us: Not authorized -> fix [house] in "),
    ("devices", lambda pi: pi.wires_hub("/dev/ttyAMA0"), "no header's serial port at /dev/ttyAMA0 -> set hub.port to /dev/ttyS0"),
    ("page", lambda pi: setattr(pi, "health", None), "what answers on port 8080 is no table -> sudo ss"),
    ("page", lambda pi: pi.opens("the MQTT broker is away: phones wait for it"), "phones wait for it -> journalctl -u hextraction"),
    ("service", lambda pi: pi.answers.update(systemctl=(3, "failed")), "failed -> journalctl -u hextraction"),
    ("disk", lambda pi: setattr(pi, "free_mb", 3), "3 MB free in /var/lib/hextraction"),
    ("supply", lambda pi: pi.write("sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n"), "now: the voltage is too low, throttled -> use the supply"),
    ("supply", lambda pi: pi.write("sys/devices/platform/soc/soc:firmware/get_throttled", "80000\n"), "since it was switched on: it is hot -> give it air"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "harm", "words"), ILLS, ids=[f"{n}-{ill[0]}" for n, ill in enumerate(ILLS)])
def test_each_ill_is_found_and_its_remedy_named(pi: Patient, what, harm, words) -> None:
    """One thing is broken: its own line says so and what to do; nothing that works is blamed."""
    harm(pi)
    wrong = pi.wrong()
    assert words in wrong[what]
    assert set(wrong) == {what}


@pytest.mark.parametrize(("what", "harm", "words"), ILLS, ids=[f"{n}-{ill[0]}" for n, ill in enumerate(ILLS)])
def test_whoever_has_the_debian_package_is_sent_to_apt_and_to_the_program(
    pi: Patient, what, harm, words
) -> None:
    """They have no Makefile, and no environment below /opt."""
    pi.write("usr/lib/hextraction/pyvenv.cfg", "")
    harm(pi)

    assert not re.search(r"\bmake |/opt/hextraction", pi.wrong()[what])


@pytest.mark.parametrize(
    ("files", "checkout", "command"),
    [
        (["usr/lib/hextraction/pyvenv.cfg"], True, "sudo hextraction install"),
        ([], True, "sudo make install"),
        ([], False, 'sudo "$(command -v hextraction)" install'),
    ],
    ids=["a Debian package", "a checkout", "a wheel"],
)
def test_how_to_install_depends_on_how_the_program_came(pi: Patient, files, checkout, command) -> None:
    """The package decides, whoever looks: it refuses an installation beside it."""
    for file in files:
        pi.write(file, "")
    pi.remove("dev/spidev0.0")
    machine = dataclasses.replace(pi.machine, is_checkout=checkout)

    assert examine(look_at(machine, None))["devices"].remedy == f"{command}, and reboot: it switches SPI on"


def test_a_library_that_is_gone_from_the_debian_package_comes_back_with_it(pi: Patient) -> None:
    """It is no package of apt's own."""
    pi.write("usr/lib/hextraction/pyvenv.cfg", "")
    pi.packages.pop("rpi_ws281x")

    assert pi.wrong()["lamps"] == "no rpi_ws281x -> sudo apt install --reinstall ./hextraction_….deb"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "firmware 1.0.0 as shipped, not set up yet, e-stop released"),
        ({"flags": Flags(0)}, "e-stop pressed, or no 12 V"),
        ({"config_crc": 0xABC}, "set up for another wiring (00000abc) until a table opens"),
    ],
)
def test_a_hub_says_how_it_is(pi: Patient, said, words) -> None:
    """None of this is a problem: first light is without 12 V, and a table loads its own configuration."""
    pi.says(**said)
    found = pi.findings()["hub"]
    assert (found.state, words in found.says) == ("ok", True), found


def test_a_hub_that_is_named_by_its_serial_number_is_found(pi: Patient) -> None:
    """Of several hubs the one that the wiring names is asked, whatever port it has today."""
    named = "/dev/serial/by-id/usb-Hextraction_Sensor_Hub_E661000000000001-if00"
    pi.hubs = ("/dev/serial/by-id/usb-Hextraction_Sensor_Hub_E661000000000002-if00", named)
    pi.write("etc/hextraction/wiring.toml", WIRING.replace("[hub]", '[hub]\nport = "e661000000000001"'))
    found = pi.findings()["hub"]
    assert (found.state, found.says.startswith(named)) == ("ok", True), found


def test_of_several_hubs_each_is_looked_for(pi: Patient) -> None:
    """One line for all, with the name that the wiring gives each; what is missing is named alone."""
    left, right = "E661000000000001", "E661000000000002"
    tables = f'[[hub]]\nname = "left"\nport = "{left}"\nchips = 1\nspare = [1, 2, 3, 4, 5, 6, 7]\n[[hub]]\nname = "right"\nport = "{right}"\n'
    wiring = WIRING.partition("[hub]")[0].replace(
        'name = "zone.L", hub = 0', 'name = "zone.L", hub = "left.0"'
    )
    wiring = wiring.replace('name = "gate.L1", hub = 0', 'name = "gate.L1", hub = "right.0"')
    pi.write("etc/hextraction/wiring.toml", wiring + tables)
    pi.hubs = tuple(f"/dev/serial/by-id/usb-Sensor_Hub_{serial}-if00" for serial in (left, right))
    found = pi.findings()["hub"]
    assert found.state == "ok"
    assert found.says.startswith("left: /dev/serial/by-id/usb-Sensor_Hub_E661000000000001-if00")
    assert "; right: /dev/serial/by-id/usb-Sensor_Hub_E661000000000002-if00" in found.says
    pi.hubs = pi.hubs[:1]
    found = pi.findings()["hub"]
    assert (found.state, "right: nothing at E661000000000002" in found.says) == ("problem", True)
    assert found.remedy.startswith(
        "right: found /dev/serial/by-id/usb-Sensor_Hub_E661000000000001-if00: set its"
    )


def test_a_hub_that_has_this_wiring_says_so(pi: Patient) -> None:
    """The CRC of the configuration in use is that of the wiring file."""
    crc = zlib.crc32(blob_of(inputs=[INPUT_LOW], coils=[(200, 250, 50), *[(0, 250, 0)] * 7]))
    pi.says(config_crc=crc)
    assert f"set up as wired ({crc:08x})" in pi.findings()["hub"].says


def test_a_hub_that_somebody_talks_to_is_not_asked(pi: Patient) -> None:
    """The service or a table may have it; any other program is a problem."""
    pi.greeting = PortBusy("in use")
    assert "the service talks to it" in pi.findings()["hub"].says
    pi.answers["systemctl"] = (3, "inactive")
    assert "a table is open" in pi.findings()["hub"].says
    pi.open.clear()
    assert "sudo fuser -v /dev/serial/by-id/usb-hub-if00" in pi.wrong()["hub"]


def test_a_real_port_is_greeted_and_a_busy_one_left_alone(tmp_path: Path) -> None:
    """Who talks to the hub already goes on in the same session; afterwards it greets the doctor."""
    machine = Machine(root=tmp_path)
    with HubOnLine(compile_host_hub(tmp_path), tmp_path, sources=SHIPPED) as hub:
        with HubQuestion(open_serial(str(hub.path))) as service:
            service.greet()
            with pytest.raises(PortBusy):
                machine.greet(str(hub.path))
            assert service.diagnosis()["good_frames"] == 2
            assert service.state() is not None
        greeting = machine.greet(str(hub.path))
    assert greeting is not None
    assert greeting.sources == SHIPPED


@pytest.mark.slow
def test_what_a_real_hub_reads_at_rest_is_looked_at(tmp_path: Path) -> None:
    """Every input, spare ones too, through a real port; afterwards the hub has the wiring's own configuration."""
    wire = next(iter(read_wiring(ROOT / "wiring" / "starter.toml").hubs))
    with HubOnLine(compile_host_hub(tmp_path), tmp_path, sources=SHIPPED) as hub:
        for number in (1, 4):
            hub.do(functools.partial(hub.set_input, number, True))
        look = Machine(root=tmp_path).look(str(hub.path), wire)
        with HubQuestion(open_serial(str(hub.path))) as question:
            greeting = question.greet()
    assert (look.high, look.chain_open, look.estop_good) == (frozenset({1, 4}), False, True)
    assert greeting.config_crc == Configuration(wire).crc


def test_a_pressed_emergency_stop_is_no_fault_of_the_board(pi: Patient) -> None:
    """It is there to be pressed; who looks at the hub's line reads it."""
    pi.rests(estop_good=False)
    assert pi.wrong() == {}


def test_a_hub_that_a_table_talks_to_is_not_looked_at(pi: Patient) -> None:
    """Its sensors are in use, and its configuration stays."""
    pi.greeting = PortBusy(16, "in use")
    pi.answers["systemctl"] = (0, "active")
    assert pi.findings()["board"].state == "absent"


def test_of_many_faults_the_first_three_are_told(pi: Patient) -> None:
    """The rest is for the walk."""
    beams = [
        f'{{ name = "{name}", hub = {n} }}'
        for n, name in enumerate(("zone.L", "ramp.R1", "zone.R", "ramp.R2"))
    ]
    wiring = WIRING.replace('{ name = "zone.L", hub = 0 }', ", ".join(beams)).replace("[1, 2, 3, 4", "[4")
    pi.write("etc/hextraction/wiring.toml", wiring)
    pi.rests(restless=frozenset(range(4)))
    says = pi.findings()["board"].says
    assert says.count("changes by itself") == 3
    assert says.endswith("And 1 more: hextraction check-board.")


def test_an_ordinary_computer_has_no_problem(tmp_path: Path) -> None:
    """Where there is no Raspberry Pi, no service and no wiring, it says what is not there, and that is no fault."""
    machine = Machine(
        root=tmp_path,
        run=lambda _command: (127, ""),
        version=lambda _name: None,
        connects=lambda _host, _port: False,
        hubs=lambda: (),
    )
    for program in ("usr/sbin/mosquitto", "usr/bin/setpriv", "usr/lib/mosquitto_dynamic_security.so"):
        (tmp_path / program).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / program).touch()
    found = examine(look_at(machine, None))
    assert {what for what, each in found.items() if each.state == "problem"} == set()
    assert found["model"].says.startswith("no Raspberry Pi")
    assert found["clock"].state == "absent"


def test_undervoltage_is_asked_of_the_firmware_where_the_kernel_does_not_tell(pi: Patient) -> None:
    """``vcgencmd`` answers in its own way."""
    pi.remove("sys/devices/platform/soc/soc:firmware/get_throttled")
    assert pi.findings()["supply"].state == "absent"
    pi.answers["vcgencmd"] = (0, "throttled=0x10000")
    assert "since it was switched on: the voltage is too low" in pi.wrong()["supply"]


@pytest.mark.parametrize(
    ("model", "packages", "state"),
    [
        (PI4, {"RPi.GPIO": "0.7.1"}, "ok"),
        (PI5, {"RPi.GPIO": "0.7.1"}, "problem"),
        (PI5, {"rpi-lgpio": "0.6"}, "ok"),
        (PI4, {}, "problem"),
    ],
)
def test_rpigpio_is_judged_by_the_model(pi: Patient, model, packages, state) -> None:
    """RPi.GPIO itself works up to a Pi 4, its replacement everywhere."""
    pi.write("proc/device-tree/model", model)
    pi.write("etc/hextraction/wiring.toml", f'gpio = {{ factory = "rpigpio" }}\n{WIRING}')
    pi.packages.update(packages)
    assert pi.findings()["pins"].state == state


def test_a_probe_that_fails_spoils_no_other_line(pi: Patient) -> None:
    """Its own line says that it cannot look; the rest of the report stands."""

    def broken(_case):
        raise PermissionError("not allowed")

    assert wrong(examine(pi.case(), {**PROBES, "disk": broken})) == {
        "disk": "cannot be looked at: not allowed -> is it allowed? try: sudo hextraction doctor"
    }


def test_settings_that_may_not_be_read_are_one_problem(pi: Patient) -> None:
    """Without sudo the folder of the settings is closed: it says so, and looks at everything else."""

    def closed(_path):
        raise PermissionError(13, "Permission denied")

    findings = examine(pi.case(read=closed))
    assert "sudo hextraction doctor" in wrong(findings)["settings"]
    assert findings["supply"].state == "ok"


def test_of_settings_that_cannot_be_read_nothing_is_claimed(pi: Patient) -> None:
    """What the wiring has or has not is not known; a hub that is plugged in is named."""
    pi.write("etc/hextraction/wiring.toml", f"nonsense = 1\n{WIRING}")
    found = pi.findings()
    unknown = {
        what for what, each in found.items() if each.says.startswith("not known: the settings cannot be read")
    }
    assert unknown == {"devices", "pins", "lamps", "hub", "board", "current", "house", "outside"}
    assert found["hub"].says.endswith("; plugged in: /dev/serial/by-id/usb-hub-if00")


def test_whom_a_table_speaks_to_is_named(tmp_path: Path) -> None:
    """Nobody, unless the settings name somebody: brokers and a webhook, each with its address."""
    alone = Case(machine=Machine(root=tmp_path))
    house = HouseConfig(host="den", port=1884)
    hook = WebhookConfig(url="https://lights.example/x")
    told = ControllerConfig(house=house, webhook=hook)
    named = Case(machine=Machine(root=tmp_path), config=told)

    assert PROBES["outside"](alone).says == "speaks to nobody: nothing is sent home"
    assert PROBES["outside"](named).says == (
        "speaks to nobody but [house] den:1884, [webhook] lights.example"
    )


@pytest.mark.parametrize("table", ["house", "broker"])
def test_a_broker_that_lets_us_in_is_named_with_its_login(pi: Patient, table) -> None:
    """It was logged in there with the password of the settings, once."""
    pi.asks(table)
    found = pi.findings()[table]
    assert (found.state, found.says) == ("ok", "den:1884 answers, and lets board in with the password")
    assert [(each.host, each.port, each.password) for each in pi.logins] == [("den", 1884, "sesame")]


@pytest.mark.broker
@pytest.mark.slow
@pytest.mark.parametrize("password", ["right", "wrong"])
def test_a_real_house_is_asked_whether_it_takes_the_password(tmp_path: Path, password) -> None:
    """The doctor logs in at a real Mosquitto, and tells a wrong password from no broker."""

    async def play():
        broker = PrivateBroker(tmp_path / "house")
        book = SeatBook(Topics("den"), ("red",))
        await broker.start(security_document(book, broker.admin))
        told = HouseConfig(
            host="127.0.0.1",
            port=broker.address.port,
            user=broker.address.user or "",
            password=(broker.address.password or "") if password == "right" else "wrong",
        )
        case = Case(machine=Machine(), config=ControllerConfig(house=told))
        there = await asyncio.to_thread(PROBES["house"], case)
        await broker.close()
        return there, await asyncio.to_thread(PROBES["house"], case)

    there, away = asyncio.run(play())
    wanted = "lets controller in" if password == "right" else "refuses us: Not authorized"
    assert wanted in there.says
    assert "cannot be reached: Connection refused" in away.says


@pytest.mark.parametrize(
    ("host", "where"),
    [("192.168.1.7", "192.168.1.7"), ("::1", "::1"), ("::", "::1"), ("0.0.0.0", "127.0.0.1")],
)
def test_a_table_is_looked_for_where_the_settings_open_it(pi: Patient, host, where) -> None:
    """A page that is served at one address only is not missed at another."""
    pi.write("etc/hextraction/hextraction.toml", f'page = {{ host = "{host}" }}\n')
    pi.open = {("127.0.0.1", 1)}
    assert pi.findings()["page"].says.endswith(": no table is open")
    pi.open = {(where, 8080)}
    found = pi.findings()["page"]
    assert (found.state, found.says.startswith("a table is open on port 8080")) == ("ok", True)
    assert (f" of {host}, the only address" in found.says) == (host == where)


def test_the_headers_serial_port_is_named_if_a_hub_is_there(pi: Patient) -> None:
    """By the system's own link or by its device; a wiring whose hub is on USB has no business with it."""
    assert "GPIO14" not in pi.findings()["devices"].says
    (pi.root / "dev/serial0").symlink_to("ttyS0")
    for port in ("/dev/serial0", "/dev/ttyS0"):
        pi.wires_hub(port)
        assert pi.findings()["devices"].says.endswith(", /dev/ttyS0 (GPIO14 and GPIO15)")
    pi.remove("dev/ttyS0")
    assert "no /dev/ttyS0 (GPIO14 and GPIO15) -> sudo raspi-config" in pi.wrong()["devices"]


def test_the_report_is_for_people_and_for_programs(pi: Patient, capsys) -> None:
    """One line each, the remedy below; the same as JSON; status 1 if anything is wrong."""
    pi.hubs = ()
    assert main(["doctor"], machine=pi.machine) == 1
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("PROBLEM  hub       no sensor hub on USB")
    assert lines[at + 1].strip().startswith("-> plug it in")
    assert lines[-1] == "1 problem"

    assert main(["doctor", "--json"], machine=pi.machine) == 1
    told = {line["what"]: line for line in json.loads(capsys.readouterr().out)}
    assert told["hub"]["state"] == "problem"
    assert set(told) == set(PROBES)

    pi.hubs = ("/dev/hub",)
    assert main(["doctor"], machine=pi.machine) == 0
    never = Ink(argparse.Namespace(color="never"), sys.stdout)
    assert report(pi.findings(), never).endswith("nothing is wrong")


@pytest.mark.parametrize("title", [pi.title for pi in PIS])
def test_the_headers_chip_and_buses_are_named_whatever_their_numbers(pi: Patient, title) -> None:
    """Each model and numbering that kernels have had: nothing is wrong, and the report says which device it is."""
    shown = pi.becomes(title)
    is_five = shown.model.startswith("Raspberry Pi 5")
    if is_five:
        pi.packages["Adafruit-Blinka-Raspberry-Pi5-Neopixel"] = "1.0.0rc2"
        pi.write("dev/pio0", "")
    lamps = "/dev/pio0" if is_five else "/dev/spidev0.0"
    assert pi.wrong() == {}
    chip = f"/dev/gpiochip{shown.header} ({shown.chips[shown.header]})"
    assert pi.findings()["devices"].says == f"{chip}, /dev/i2c-{shown.i2c}, {lamps}"


def test_a_pi_without_any_chip_is_not_told_to_install_again(pi: Patient) -> None:
    """Its kernel has no driver for the pins: an update brings it, our installer does not."""
    lay(pi.root, Pi("bare", "Raspberry Pi 5 Model B Rev 1.0", {}, 0))
    assert pi.wrong()["devices"].startswith("no GPIO chip (/dev/gpiochip…), /dev/pio0 -> sudo apt-get update")
    assert "make install" not in pi.wrong()["devices"]


def test_another_computers_chips_are_no_reason_to_update_it(pi: Patient) -> None:
    """A laptop has chips with pins, too, and nothing on it is too old."""
    lay(pi.root, Pi("laptop", "", {0: "maker,laptop"}, 0))
    assert "/dev/gpiochip0 (maker,laptop) -> run it on a Raspberry Pi" in pi.wrong()["devices"]


def test_the_only_hub_is_found_whatever_number_it_has_today(pi: Patient) -> None:
    """A wiring that says ttyACM0 means the hub; another device may have that number now."""
    pi.write("etc/hextraction/wiring.toml", WIRING.replace("[hub]", '[hub]\nport = "/dev/ttyACM0"'))
    assert pi.findings()["hub"].says.startswith("/dev/serial/by-id/usb-hub-if00: firmware")


@pytest.mark.parametrize("prefix", ["opt/homebrew", "usr/local"], ids=["apple", "intel"])
@pytest.mark.parametrize("where", ["", "/opt/mosquitto"], ids=["linked", "unlinked"])
def test_a_mac_has_what_homebrew_puts_there(tmp_path: Path, prefix, where) -> None:
    """Mosquitto and its plugin in Homebrew's folders; setpriv is Linux's, and nobody misses it."""
    machine = Machine(root=tmp_path, platform="darwin", connects=lambda _host, _port: False, hubs=lambda: ())
    case = look_at(machine, None)
    assert (PROBES["broker"](case).says, PROBES["broker"](case).remedy) == (
        "no mosquitto",
        "brew install mosquitto",
    )
    for file in ("sbin/mosquitto", "lib/mosquitto_dynamic_security.so"):
        path = tmp_path / f"{prefix}{where}/{file}"
        path.parent.mkdir(parents=True)
        assert PROBES["broker"](case).state == "problem"
        path.touch()
    assert PROBES["broker"](case).state == "ok"
