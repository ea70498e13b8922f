"""``hextraction wiring``: the pages that a maker solders by."""

import csv
import io
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from helpers.places import ROOT
from hextraction.board.instruments import instruments
from hextraction.board.profile import load_board
from hextraction.controller.app import main
from hextraction.controller.workshop.plans.budget import budget_of
from hextraction.controller.workshop.plans.names import all_sensors, has_pump, part_of
from hextraction.controller.workshop.plans.pages import pages
from hextraction.controller.workshop.plans.parts import (
    cores_m,
    joints_of,
    parts_csv,
    parts_of,
    parts_page,
    price_of,
)
from hextraction.controller.workshop.plans.wires.beams import emitter_strings, schmitt_triggers
from hextraction.controller.workshop.plans.wires.chips import packages
from hextraction.hal.wiring.file import read_wiring, wiring_from_text
from hextraction.hal.wiring.wires import Wiring
from hextraction.settings import SettingsError

FOLDER = ROOT / "wiring"
BUILDS = ("bench-demo", "hub-lean", "hub-rich", "pi-only", "starter")
HEAD = '[board]\nprofile = "standard-22"\ninstruments = "partial"\n'

GATE = "pulse_ms = 150\nmax_pulse_ms = 200\nduty_percent = 5\npptc_ma = 300\n"
"""What a gate needs beside its name and place."""


@pytest.fixture(scope="module", params=BUILDS)
def wiring(request: pytest.FixtureRequest) -> Wiring:
    """Each build that ships."""
    return read_wiring(FOLDER / f"{request.param}.toml")


def pins(wiring: Wiring) -> list[tuple[str, int, str, str]]:
    """Return package, number, name and net of every pin that something is soldered to."""
    return [
        (package.name, pin.number, pin.label, pin.net)
        for package in packages(wiring)
        for pin in package.pins
        if pin.net
    ]


def mended(text: str) -> Wiring:
    """Read a wiring written in a test."""
    return wiring_from_text(HEAD + text, "w.toml")


# --- pins ---


def test_every_sensor_and_coil_has_one_pin(wiring: Wiring) -> None:
    """Nothing that is wired is missing from the tables, and nothing is there twice."""
    count = Counter(
        net for _package, _number, _label, net in pins(wiring) if "." in net and not net.startswith("3.3 V")
    )
    names = (*wiring.sensor_names, *(coil.name for coil in wiring.all_coils))
    assert count == Counter(names)


def test_no_bus_wire_has_a_loose_end(wiring: Wiring) -> None:
    """A net that joins packages is on two pins at least; only these end on something without a pin."""
    count = Counter(
        net for _package, _number, _label, net in pins(wiring) if "." not in net or net.startswith("3.3 V")
    )
    alone = {net for net, times in count.items() if times == 1}
    assert alone <= {"5 V", "LAMP DATA", "PUMP", "E-STOP", "POWER SWITCH", "GND", "E-STOP +", "COILS +"}


def test_every_beam_has_one_trigger_and_one_place_in_a_string(wiring: Wiring) -> None:
    """What its receiver goes to goes to the sensor's own pin; each chip is as bought, each emitter behind a resistor."""
    beams = sorted(sensor.name for sensor in all_sensors(wiring) if part_of(sensor) == "beam")
    nets = [pin.net for chip in schmitt_triggers(wiring) for pin in chip.pins]
    assert sorted(net for net in nets if net in beams) == beams
    assert sorted(net.removeprefix("RX ") for net in nets if net.startswith("RX ")) == beams
    bought = sum(part.count for part in parts_of(wiring) if part.what.startswith("74HC14"))
    assert len(schmitt_triggers(wiring)) == bought
    strings = emitter_strings(wiring)
    assert sorted(name for _ohm, names in strings for name in names) == beams
    resistors = sum(part.count for part in parts_of(wiring) if "5 V" in part.use and "emitter" in part.use)
    assert len(strings) == resistors
    assert {names for ohm, names in strings if ohm == 120} <= {("zone.L",), ("zone.R",)}


def test_a_trigger_says_where_its_output_goes() -> None:
    """Pin 2 of a 74HC14 turns round what comes in at pin 1, as in its data sheet; the starter's first beam is at D0."""
    chip = schmitt_triggers(read_wiring(FOLDER / "starter.toml"))[0]
    told = {pin.number: (pin.label, pin.net, pin.how) for pin in chip.pins}
    assert told[1][:2] == ("1A", "RX ramp.L1")
    assert told[2] == ("1Y", "ramp.L1", "pin 11 of 74HC165 number 0")
    assert (told[7][1], told[14][1]) == ("GND", "3.3 V")
    assert (told[9][0], told[8][0], told[13][0], told[12][0]) == ("4A", "4Y", "6A", "6Y")


def test_pins_are_numbered_without_gaps(wiring: Wiring) -> None:
    """Each package has all its pins, two equal sides of them, and the first one at the top left."""
    for package in packages(wiring):
        assert [pin.number for pin in package.pins] == list(range(1, len(package.pins) + 1))
        left, right = package.sides
        assert (left[0].number, len(left)) == (1, len(right))


@pytest.mark.parametrize(
    ("build", "package", "number", "label", "net"),
    [
        ("hub-rich", "Pi", 19, "GPIO10", "LAMP DATA"),
        ("hub-rich", "hub", 4, "GP2", "SCK"),
        ("hub-rich", "hub", 6, "GP4", "DATA 0"),
        ("hub-rich", "hub", 7, "GP5", "LATCH"),
        ("hub-rich", "hub", 14, "GP10", "gate.L1"),
        ("hub-rich", "hub", 19, "GP14", "PUMP"),
        ("hub-rich", "hub", 20, "GP15", "gate.R2"),
        ("hub-rich", "hub", 24, "GP18", "kicker.D3"),
        ("hub-rich", "hub", 29, "GP22", "E-STOP"),
        ("hub-rich", "hub", 31, "GP26", "COLUMN 0"),
        ("hub-rich", "hub", 35, "ADC_VREF", "3.3 V A"),
        ("hub-rich", "hub", 25, "GP19", "BANK LOW"),
        ("hub-lean", "hub", 36, "3V3", "3.3 V A"),
        ("hub-rich", "Pi", 32, "GPIO12", "button.yes"),
        ("pi-only", "Pi", 33, "GPIO13", "button.no"),
        ("hub-rich", "74HC165-0", 11, "D0", "ramp.L1"),
        ("hub-rich", "74HC165-0", 6, "D7", "zone.R"),
        ("hub-rich", "74HC165-0", 9, "Q7", "DATA 0"),
        ("hub-rich", "74HC165-0", 10, "DS", "DATA 1"),
        ("hub-rich", "74HC165-9", 10, "DS", "LOOP"),
        ("hub-rich", "hub", 5, "GP3", "LOOP"),
        ("hub-rich", "74HC165-9", 6, "D7", "edge.E4.4"),
        ("hub-rich", "74HC139", 5, "1Y̅1", "BANK 1"),
        ("hub-rich", "multiplexer-0", 9, "I0", "ball.A1"),
        ("hub-rich", "multiplexer-0", 16, "I15", "edge.B5.2"),
        ("hub-rich", "multiplexer-4", 16, "I15", "GND A"),
        ("hub-rich", "multiplexer-4", 15, "E̅", "BANK 1"),
        ("hub-rich", "multiplexer-1", 1, "COM", "COLUMN 1"),
        ("pi-only", "MCP23017-21", 21, "GPA0", "tile.B4"),
        ("pi-only", "MCP23017-21", 1, "GPB0", "tile.C4"),
        ("pi-only", "MCP23017-21", 15, "A0", "3.3 V"),
        ("pi-only", "MCP23017-21", 16, "A1", "GND"),
        ("pi-only", "Pi", 11, "GPIO17", "PUMP"),
        ("pi-only", "Pi", 31, "GPIO6", "INT"),
        ("pi-only", "Pi", 3, "GPIO2", "SDA"),
        ("hub-rich", "Pi", 5, "GPIO3", "SCL"),
        ("hub-rich", "INA219-40", 3, "SDA", "SDA"),
        ("hub-rich", "INA219-40", 5, "VS", "3.3 V"),
        ("pi-only", "INA219-40", 8, "IN+", "E-STOP +"),
        ("pi-only", "INA219-40", 7, "IN-", "COILS +"),
    ],
)
def test_a_wire_is_where_the_data_sheet_has_its_pin(
    build: str, package: str, number: int, label: str, net: str
) -> None:
    """Spot checks against the data sheets and the hub's firmware."""
    assert (package, number, label, net) in pins(read_wiring(FOLDER / f"{build}.toml"))


def test_more_than_three_multiplexers_are_named_by_bank() -> None:
    """A 74HC139 opens one bank of three at a time; the first three stand on bank 0."""
    spare = list(range(1, 64))
    wires = pins(
        mended(
            f'[hub]\nmultiplexers = 4\nspare_linears = {spare}\n[[sensor]]\nname = "ball.A1"\nlinear = 0\n'
        )
    )
    assert ("hub", 25, "GP19", "BANK LOW") in wires
    assert ("74HC139", 5, "1Y̅1", "BANK 1") in wires
    assert ("multiplexer-2", 15, "E̅", "BANK 0") in wires
    assert ("multiplexer-3", 15, "E̅", "BANK 1") in wires
    assert ("multiplexer-3", 1, "COM", "COLUMN 0") in wires
    assert [net for package, _number, _label, net in wires if package == "74HC139" and net == "BANK 2"] == []


def test_switch_and_arm_pin_are_in_the_table() -> None:
    """The pins of [power] are soldered as well."""
    wires = pins(mended("[power]\npin = 20\narm_pin = 17\n"))
    assert ("Pi", 38, "GPIO20", "POWER SWITCH") in wires
    assert ("Pi", 11, "GPIO17", "PUMP") in wires


def test_coils_of_five_volts_have_a_supply_of_their_own() -> None:
    """The Pi's plug feeds Pi and lamps; the pin table, the parts and the currents agree that no coil hangs on it."""
    wiring = read_wiring(FOLDER / "bench-demo.toml")
    header = packages(wiring)[0]
    assert {pin.how for pin in header.pins if pin.net == "5 V"} == {"to the lamps, from the Pi's plug"}
    supplies = [(part.what, part.use) for part in parts_of(wiring) if part.what.startswith("supply")]
    assert supplies == [
        ("supply 5 V, 1 A or more", "coils"),
        ("supply 5 V, 3 A or more", "Pi, hub, sensors, lamps"),
    ]


def test_a_hub_without_coils_feeds_no_charge_pump() -> None:
    """The checklist proves the pump by what feeds it: here the Pi, so its service is stopped."""
    wiring = mended(
        '[hub]\nchips = 1\nspare = [1, 2, 3, 4, 5, 6, 7]\n[[sensor]]\nname = "ramp.L1"\nhub = 0\n'
        f'[[solenoid]]\nname = "gate.L1"\npin = 23\n{GATE}[power]\narm_pin = 17\n'
    )
    pumps = [(package, label) for package, _number, label, net in pins(wiring) if net == "PUMP"]
    assert pumps == [("Pi", "GPIO17")]
    page = pages(wiring, "mine")["checklist.md"]
    assert "stop the service: gone within a second" in page
    assert "pin 29" not in page


@pytest.mark.parametrize(
    ("address", "a1", "a0"),
    [("0x40", "GND", "GND"), ("0x41", "GND", "3.3 V"), ("0x46", "3.3 V", "SDA"), ("0x4F", "SCL", "SCL")],
)
def test_the_meters_address_is_tied_as_its_data_sheet_says(address: str, a1: str, a0: str) -> None:
    """Four nets for each of two pins: ground, supply, SDA, SCL."""
    wiring = mended(
        f'[[solenoid]]\nname = "gate.L1"\npin = 23\n{GATE}[power]\ncoil_volts = 5\n'
        f'[current]\naddress = "{address}"\n'
    )
    found = {label: net for package, _number, label, net in pins(wiring) if package.startswith("INA219")}
    assert (found["A1"], found["A0"]) == (a1, a0)
    assert [part.count for part in parts_of(wiring) if part.what.startswith("INA219")] == [1]


# --- parts and currents ---


def test_parts_are_counted_from_the_wiring(wiring: Wiring) -> None:
    """One emitter and one receiver for each beam, one MOSFET and one diode for each coil."""
    count: Counter[str] = Counter()
    for part in parts_of(wiring):
        count[part.what.partition(" (")[0]] += part.count
    beams = sum(part_of(sensor) == "beam" for sensor in all_sensors(wiring))
    assert count.get("infrared LED 940 nm, 3 mm", 0) == beams
    assert count.get("phototransistor with daylight filter, 3 mm, 940 nm", 0) == beams
    assert count["Schottky diode SS34 or 1N5822"] == len(wiring.all_coils)
    assert count["N-MOSFET fully on at 2.5 to 3.3 V"] == len(wiring.all_coils) + has_pump(wiring)
    assert (
        count["capacitor 100 nF, ceramic"]
        >= count["74HC14, DIP-14, with socket"] + count["linear Hall DRV5055A1"]
    )


@pytest.mark.parametrize(("build", "magnets"), [("pi-only", 264), ("hub-rich", 264), ("bench-demo", 0)])
def test_every_notch_of_the_tiles_has_its_magnet(build: str, magnets: int) -> None:
    """Twenty-two tiles with a pair at each of six notches: whichever way a tile is laid, one is over the Hall."""
    parts = parts_of(read_wiring(FOLDER / f"{build}.toml"))
    assert sum(part.count for part in parts if part.what.startswith("magnet disc 2 x 1 mm")) == magnets


def test_the_rich_build_draws_what_its_parts_draw() -> None:
    """Pi 1200, hub 100, 58 beams of 6, 22 Hall switches of 2, 73 linear Halls of 10, 2 buttons and 17 chips of 1."""
    budget = budget_of(read_wiring(FOLDER / "hub-rich.toml"))
    assert [load.ma for load in budget.loads] == [1200, 100, 348, 44, 730, 2, 17]
    assert (budget.others_ma, budget.lamps_ma, budget.coil_ma) == (2441, 2000, 1500)
    assert budget.buck_ma == round(4441 * 5 / 12 / 0.85)


@pytest.mark.parametrize(
    ("model", "drawn_ma"), [("zero-2w", 500), ("3b", 1000), ("4b", 1200), ("5", 2500), ("own", 0)]
)
def test_the_pi_is_part_of_the_five_volts_unless_it_has_its_own(model: str, drawn_ma: int) -> None:
    """Each model has its share."""
    assert budget_of(mended(f'[supply]\npi = "{model}"\n')).others_ma == drawn_ma


def test_a_part_may_be_other_than_its_name_says() -> None:
    """A button that stands for a ramp's beam is bought and fed as a button."""
    wiring = mended('[[sensor]]\nname = "ramp.L1"\npin = 17\npart = "button"\n[supply]\npi = "own"\n')
    assert budget_of(wiring).others_ma == 1
    assert [part.count for part in parts_of(wiring) if part.what == "push button"] == [1]


def test_a_button_is_a_button_by_its_name() -> None:
    """Who wires one without saying its part buys no beam for it."""
    wiring = mended('[[sensor]]\nname = "button.yes"\npin = 12\n')
    assert [part_of(sensor) for sensor in all_sensors(wiring)] == ["button"]


@pytest.mark.parametrize(("linears", "regulators"), [(30, 0), (31, 1)])
def test_many_linear_halls_need_a_regulator_of_their_own(linears: int, regulators: int) -> None:
    """The hub's own 3.3 V spare 300 mA: thirty linear Halls at 10 mA."""
    halls = [
        each.name for each in instruments(load_board(), "rich") if each.name.startswith(("ball.", "edge."))
    ]
    rows = "".join(
        f'[[sensor]]\nname = "{name}"\nlinear = {number}\n' for number, name in enumerate(halls[:linears])
    )
    wiring = mended(f"[hub]\nmultiplexers = 2\nspare_linears = {list(range(linears, 32))}\n{rows}")
    assert sum(part.what.startswith("low-noise") for part in parts_of(wiring)) == regulators
    fed = {number for package, number, _label, net in pins(wiring) if package == "hub" and net == "3.3 V A"}
    assert fed == ({35} if regulators else {36})
    steps = pages(wiring, "x")["checklist.md"]
    assert ("pin 36 feeds only the regulator's enable pin" in steps) == bool(regulators)


# --- checklist and drawing ---


def test_every_coil_and_chip_is_measured_before_power(wiring: Wiring) -> None:
    """The checklist names each coil and each package, and has a box to tick on every step."""
    text = pages(wiring, "x")["checklist.md"]
    steps = [step for step in text.splitlines() if step.startswith("- ")]
    assert all(step.startswith("- [ ] ") for step in steps)
    assert [coil.name for coil in wiring.all_coils if f"`{coil.name}`: MOSFET" not in text] == []
    assert [package.title for package in packages(wiring)[2:] if package.title not in text] == []
    assert text.count("**Measure**") >= len(wiring.all_coils) + 5


def test_chapters_of_the_checklist_count_on() -> None:
    """What a build does not have leaves no gap in the numbers."""
    text = (FOLDER / "bench-demo" / "checklist.md").read_text(encoding="utf-8")
    assert re.findall(r"## (\d)\. (.+)", text) == [
        ("1", "The supplies, alone"),
        ("2", "The Pi, alone"),
        ("3", "The sensors, first one of each kind"),
        ("4", "The lamps"),
        ("5", "The coils, last"),
        ("6", "All together"),
    ]


def test_the_drawing_holds_every_net(wiring: Wiring) -> None:
    """It is well-formed, says every net at its pin, and nothing lies outside of the sheet."""
    root = ET.fromstring(pages(wiring, "x")["harness.svg"])  # noqa: S314 - made by us a moment ago
    width, height = (float(root.get(side)) for side in ("width", "height"))
    said = Counter(text.text for text in root.iter("{http://www.w3.org/2000/svg}text"))
    for net, times in Counter(net for _package, _number, _label, net in pins(wiring)).items():
        assert said[net] >= times
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 < float(text.get("x")) < width
        assert 0 < float(text.get("y")) < height


def test_the_shared_circuits_are_well_formed() -> None:
    """The drawing of single circuits opens, and names each of the seven."""
    text = (FOLDER / "circuits.svg").read_text(encoding="utf-8")
    ET.fromstring(text)  # noqa: S314 - our own file
    assert re.findall(r">(\d)  ", text) == ["1", "2", "3", "4", "5", "6", "7"]


# --- the command ---


def test_the_command_writes_a_folder_beside_each_file(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """Afterwards the check has nothing to say."""
    for build in ("bench-demo", "pi-only"):
        (tmp_path / f"{build}.toml").write_bytes((FOLDER / f"{build}.toml").read_bytes())
    files = [str(tmp_path / "bench-demo.toml"), str(tmp_path / "pi-only.toml")]
    assert main(["wiring", *files]) == 0
    assert sorted(path.name for path in (tmp_path / "pi-only").iterdir()) == [
        "checklist.md",
        "harness.svg",
        "parts.csv",
        "parts.md",
        "pins.md",
    ]
    assert main(["wiring", "--check", *files]) == 0
    assert capsys.readouterr().out.endswith("10 pages are up to date\n")


def test_a_shipped_wiring_comes_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``hextraction wiring hub-lean`` needs no checkout: the file is copied here, and later one's own is used."""
    monkeypatch.chdir(tmp_path)
    assert main(["wiring", "hub-lean"]) == 0
    own = tmp_path / "hub-lean.toml"
    assert own.read_bytes() == (FOLDER / "hub-lean.toml").read_bytes()
    assert (tmp_path / "hub-lean" / "pins.md").is_file()
    own.write_text(f"# mine\n{own.read_text('utf-8')}", encoding="utf-8")
    capsys.readouterr()
    assert main(["wiring", "hub-lean"]) == 0
    assert "copy" not in capsys.readouterr().out
    assert own.read_text("utf-8").startswith("# mine")


def test_a_wiring_that_does_not_ship_is_answered_with_those_that_do(capsys):
    """Whoever misspells its name need not look for them."""
    assert main(["wiring", "hub-lena"]) == 2
    assert (
        "hub-lena:1: no such file; the wirings that ship are bench-demo, hub-lean, "
        in capsys.readouterr().err
    )


def test_pages_may_go_elsewhere(tmp_path: Path) -> None:
    """``--out`` takes the pages of one file as they are, those of several in folders of their own."""
    demo, alone = str(FOLDER / "bench-demo.toml"), str(FOLDER / "pi-only.toml")
    assert main(["wiring", demo, "--out", str(tmp_path / "one")]) == 0
    assert main(["wiring", demo, alone, "--out", str(tmp_path / "two")]) == 0
    assert (tmp_path / "one" / "pins.md").exists()
    assert (tmp_path / "two" / "pi-only" / "pins.md").exists()


def test_a_stale_page_is_named(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """A pin that moved in the file alone, and a page that is gone, are two stale pages or more."""
    path = tmp_path / "mine.toml"
    path.write_bytes((FOLDER / "bench-demo.toml").read_bytes())
    main(["wiring", str(path)])
    path.write_text(path.read_text("utf-8").replace("pin = 27", "pin = 5"), encoding="utf-8")
    (tmp_path / "mine" / "parts.md").unlink()
    capsys.readouterr()
    assert main(["wiring", "--check", str(path)]) == 1
    told = capsys.readouterr().err
    assert [page for page in ("pins.md", "harness.svg", "parts.md", "checklist.md") if page not in told] == []
    assert f"run: hextraction wiring {path}" in told
    assert not (tmp_path / "mine" / "parts.md").exists()


def test_a_page_that_is_no_text_hides_no_other(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """It is stale, and so is the missing one after it."""
    path = tmp_path / "mine.toml"
    path.write_bytes((FOLDER / "bench-demo.toml").read_bytes())
    main(["wiring", str(path)])
    (tmp_path / "mine" / "pins.md").write_bytes(b"\xff\xfe")
    (tmp_path / "mine" / "checklist.md").unlink()
    capsys.readouterr()
    assert main(["wiring", "--check", str(path)]) == 1
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[0] for line in told] == [
        str(tmp_path / "mine" / "pins.md"),
        str(tmp_path / "mine" / "checklist.md"),
    ]


def test_what_mends_a_stale_page_elsewhere_is_the_whole_command(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """The files as they were named, and ``--out``: with one file the pages lie in it, with two below it."""
    demo, alone, out = str(FOLDER / "bench-demo.toml"), str(FOLDER / "pi-only.toml"), str(tmp_path / "q")
    assert main(["wiring", "--check", demo, alone, "--out", out]) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 10
    assert all(line.endswith(f"run: hextraction wiring {demo} {alone} --out {out}") for line in told)


def test_two_builds_of_one_name_do_not_write_over_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """Both are named with the folder that they would share; nothing is written."""
    files = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        files.append(tmp_path / name / "mine.toml")
        files[-1].write_bytes((FOLDER / "bench-demo.toml").read_bytes())
    assert main(["wiring", *map(str, files), "--out", str(tmp_path / "q")]) == 2
    told = capsys.readouterr().err
    assert f"{files[0]} and {files[1]} would both be written to {tmp_path}/q/mine: give one" in told
    assert not (tmp_path / "q").exists()


def test_wrong_files_are_told_together_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """Two files with a mistake each give two lines and status 2."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(HEAD + f'[[sensor]]\nname = "{name}"\npin = 4\n', "utf-8")
    assert main(["wiring", str(tmp_path / "a.toml"), str(tmp_path / "b.toml")]) == 2
    told = capsys.readouterr().err
    assert told.count("want a name that begins with") == 2
    assert "2 problems; fix the above and try again" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.toml", "b.toml"]


# --- prices, hours, wires ---


def test_the_starter_costs_less_than_twenty_five_euro_and_forty_joints() -> None:
    """With its breadboard, cable and spares; only the legs of its beams are soldered."""
    wiring = read_wiring(FOLDER / "starter.toml")
    assert price_of(wiring) < 25
    assert joints_of(wiring) == 4 * 8
    assert {part.what.partition(" ")[0] for part in parts_of(wiring) if part.joints} == {
        "infrared",
        "phototransistor",
    }


def test_what_no_circuit_names_is_bought_all_the_same() -> None:
    """Thin wire by the way of each sensor, perfboard for chips, an adapter for each tiny transistor, and plastic."""
    wiring = read_wiring(FOLDER / "hub-lean.toml")
    bought = {part.what: part.count for part in parts_of(wiring)}
    assert 100 < cores_m(wiring) < 120
    assert bought["stranded wire 0.14 mm², in several colours"] * 25 >= cores_m(wiring)
    assert bought["adapter from SOT-23 to 2.54 mm"] == 6 + 1 + 2
    assert any(what.startswith("filament") for what in bought)


def test_a_laptop_has_no_pins_lamps_or_coils() -> None:
    """What its USB cannot feed or drive is a mistake of the file, told with what to change."""
    text = '[hub]\nchips = 1\nspare = [1,2,3,4,5,6,7]\n[[sensor]]\nname = "ramp.L1"\nhub = 0\n[supply]\npi = "laptop"\n'
    assert mended(text).supply.from_usb
    with pytest.raises(SettingsError, match="want no coils or lamps beside 'laptop'"):
        mended(f"{text}[pixels]\ncount = 1\nhub = true\n")
    with pytest.raises(SettingsError, match="want everything on a hub beside 'laptop'"):
        mended(f'{text}[[sensor]]\nname = "zone.L"\npin = 5\n')


@pytest.mark.parametrize("build", ["bench-demo", "pi-only", "hub-lean", "hub-rich"])
def test_the_prices_of_all_builds_come_from_one_place(build: str) -> None:
    """What the overview says a build costs is the sum of its parts, spares included."""
    total = price_of(read_wiring(FOLDER / f"{build}.toml"))
    row = next(
        line for line in (FOLDER / "README.md").read_text("utf-8").splitlines() if f"[`{build}`]" in line
    )
    assert f"€ {total:.0f} |" in row


def test_the_parts_for_a_spreadsheet_are_those_of_the_page(wiring: Wiring) -> None:
    """Every part with its count, spares, package and price; an order number is that of the maker's part, or empty."""
    rows = list(csv.DictReader(io.StringIO(parts_csv(wiring))))
    assert [(int(row["needed"]), row["part"]) for row in rows] == [
        (p.count, p.what) for p in parts_of(wiring)
    ]
    assert all(int(row["buy"]) >= int(row["needed"]) for row in rows)
    assert sum(float(row["euro"]) for row in rows) == pytest.approx(price_of(wiring), abs=0.5)
    for row in rows:
        makers = re.findall(r"[A-Z0-9][A-Z0-9/-]+", row["maker's number"])
        assert not row["Mouser"] or row["Mouser"].partition("-")[2] in makers, row
        assert not row["Reichelt"] or any(
            made.startswith(row["Reichelt"].replace(" ", "")) for made in makers
        ), row
    assert any(row["Mouser"] for row in rows)


def test_hours_follow_from_the_joints(wiring: Wiring) -> None:
    """A build with more sensors takes longer, and the page says the number that it reckons with."""
    page = parts_page(wiring, "x")
    assert f"About {joints_of(wiring)} joints" in page
    assert joints_of(wiring) >= 4 * len(list(all_sensors(wiring)))
