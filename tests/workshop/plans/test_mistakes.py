"""Planted mistakes: each is named with its line and with what to do, alone and all together in one file."""

from pathlib import Path

import pytest
from helpers.places import ROOT
from hextraction.controller.workshop.plans.build import read_build
from hextraction.settings import SettingsError

FOLDER = ROOT / "wiring"

Edit = tuple[str, str, str]
"""What the file says, what a maker wrote instead (``+`` in front: added behind it), and what is answered."""

HUB: tuple[Edit, ...] = (
    # names
    ('name = "ramp.L1", hub', 'name = "ramp.L9", hub', "board standard-22 has no 'L9' there; it has L1, L2, L3, R1, R2, R3"),
    ('name = "drain.A1"', 'name = "darin.A1"', "want a name that begins with tile, drain, ball, ramp, zone, rest, edge"),
    ('name = "edge.B5.3"', 'name = "edge.B5.9"', "want edge.SLOT.N with an edge 1..6"),
    ('name = "edge.A4.5"', 'name = "edge.B2.6"', "that edge is named by the slot before it, or is a ramp"),
    ('name = "tile.A2"', 'name = "tile.A1"', "want a new name, found 'tile.A1' (as on line"),
    ('name = "zone.R", hub', 'name = "zone R", hub', "want a name such as 'ramp.L1', found 'zone R'"),
    ('name = "gate.R3"', 'name = "gate.R2"', "want a new name, found 'gate.R2' (as on line"),
    ('name = "kicker.D3"', 'name = "kicker.D9"', "want gate.RAMP or kicker.SLOT with a ramp or slot of standard-22, found 'kicker.D9'"),
    ('name = "slot.E4", first', 'name = "slot.E5", first', "want slot.SLOT, ramp.RAMP or zone.ZONE of the board standard-22, found 'slot.E5'; did you mean"),
    ('name = "slot.D2", first', 'name = "slot.D1", first', "want a new name, found 'slot.D1' (as on line"),
    # places
    ("hub = 9, debounce", "hub = 8, debounce", "hub 8 is already taken by sensor 'tile.A1' (line"),
    ("hub = 20 }", "hub = 200 }", "want a whole number 0..79, found 200"),
    ('name = "drain.B2", hub = 21 ', 'name = "drain.B2" ', "sensor 'drain.B2' is not connected: want one of pin, hub, linear and expander, found none"),
    ("hub = 22 }", "hub = 22, pin = 4 }", "want one of pin, hub, linear and expander, found pin and hub"),
    ("linear = 3 }", "linear = 2 }", "linear 2 is already taken by sensor 'ball.A3' (line"),
    ('name = "rest.L", linear = 13', 'name = "rest.L", hub = 129', "want linear = NUMBER: a Hall that only switches does not see a steel ball"),
    ('name = "drain.C1", hub = 36', 'name = "drain.C1", expander = "0x20.A0"', "want a table [expander] for it, found none"),
    ('name = "drain.C2", hub = 37', 'name = "drain.C2", pin = 10', "GPIO10 is already taken by sensor 'drain.C2' (line"),
    ('name = "drain.C3", hub = 38', 'name = "drain.C3", pin = 0', "want a free pin (2..6, 9..13, 16..25, 27), found GPIO0, which is reserved for an add-on board's identity"),
    ('name = "drain.C4", hub = 39', 'name = "drain.C4", pin = 3, pull = "none"', "want 'up' (GPIO3 has a pull-up soldered on), found 'none'"),
    ('name = "gate.L2", hub = 1', 'name = "gate.L2", hub = 0', "coil output 0 is already taken by solenoid 'gate.L1' (line"),
    ('name = "gate.L3", hub = 2', 'name = "gate.L3", hub = 8', "want a whole number 0..7, found 8"),
    ('name = "kicker.B3", hub = 6', 'name = "kicker.B3", pin = 14', "found GPIO14, which belongs to the serial console"),
    ("spare = []", "spare = [0]", "0 is not spare: sensor"),
    ("spare_linears = [26, 27, ", "spare_linears = [26, ", "want a sensor on every input, or its number here; without either:"),
    ('name = "button.yes", pin = 12', 'name = "button.yes", pin = 26', "found GPIO26, which belongs to the power button"),
    ("coil_volts = 12 ", "arm_pin = 17 ", "want none beside coils on the hub, which feeds the charge pump itself, found 17"),
    ("31, 79]", "31, 79, 79]", "79 is written twice; take one of them off this list"),
    # values
    ('name = "tile.E1", hub = 56, debounce_ms = 5', 'name = "tile.E1", hub = 56, debounce_ms = 50', "want a number 0.5..7.5, found 50"),
    ('name = "tile.E2", hub = 57, debounce_ms = 5', 'name = "tile.E2", hub = 57, debounce = 5', "unknown key; did you mean 'debounce_ms'?"),
    ("linear = 5 }", "linear = 5, threshold_mv = 20, hysteresis_mv = 25 }", "want less than threshold_mv (20), found 25"),
    ("linear = 6 }", 'linear = 6, side = "up" }', "want one of above, below, either, found 'up'"),
    ("hub = 60 }", 'hub = 60, part = "reed" }', "want one of beam, hall, button, found 'reed'"),
    ("hub = 0, pulse_ms = 150, max_pulse_ms = 200,", "hub = 0, pull_in_ms = 1, hold_percent = 50, pulse_ms = 150, max_pulse_ms = 200,", "want more, or a higher hold_percent: a gate that is held so lets no ball go at 15 degrees, found 1"),
    ("hub = 0, pulse_ms = 150, max_pulse_ms = 200, duty_percent = 5, current_ma = 1000, pptc_ma = 300", "hub = 0, pulse_ms = 30, max_pulse_ms = 50, duty_percent = 5, pptc_ma = 300", "want 79 or more, and max_pulse_ms with it: a gate that opens for less lets no ball go at 15 degrees, found 30"),
    ("hub = 3, pulse_ms = 150, max_pulse_ms = 200, duty_percent = 5, current_ma = 1000, pptc_ma = 300", "hub = 3, pulse_ms = 150, max_pulse_ms = 200, duty_percent = 5, current_ma = 1000, pptc_ma = 10", "want 224..310: less trips in play"),
    ("current_ma = 1500, pptc_ma = 400", "current_ma = 6000, pptc_ma = 400", "want at most supply.coil_ma (5000), found 6000"),
    ('name = "coils", mm2 = 0.75', 'name = "coils", mm2 = 0.14', "want a wire that stands 3 A (the fuse of 3 A), found 0.14 mm² for 2 A: a fire path"),
    ('fuse_a = 4, connector = "screw terminal"', 'fuse_a = 1, connector = "screw terminal"', "A, found 1"),
    ('fuse_a = 3, connector = "JST-SM"', 'fuse_a = 0, connector = "ribbon"', "want one that stands 6 A (a supply of 6 A, no fuse), found 'ribbon' for 1 A"),
    ('name = "sensors", mm2 = 0.25, length_m = 1.5', 'name = "sensors", mm2 = 0.25, length_m = 9', "of 5 V are lost on the way"),
    ("hub = 7, pulse_ms = 30, max_pulse_ms = 50", "hub = 7, pulse_ms = 30, max_pulse_ms = 100", "want at most 50 for a kicker, found 100"),
    ("hub = 4, pulse_ms = 150, max_pulse_ms = 200", "hub = 4, pulse_ms = 150, max_pulse_ms = 201", "want a whole number 1..200, found 201"),
    ("hub = 5, pulse_ms = 150", "hub = 5, pulse_ms = 260", "want a whole number 1..200, found 260"),
    ('name = "slot.A2", first = 3', 'name = "slot.A2", first = 2', "pixel 2 is already part of lamp 'slot.A1' (line"),
    ('name = "zone.R", first = 76, count = 4', 'name = "zone.R", first = 76, count = 9', "want pixels 0..79, found 76..84"),
    ('factory = "lgpio"', 'factory = "wiringpi"', "want one of lgpio, rpigpio, mock, found 'wiringpi'"),
    ('port = "auto"', 'port = "COM3"', "want 'auto', a hub's serial number, or a path such as '/dev/hextraction-hub', found 'COM3'"),
    ('order = "GRB"', 'order = "GRBW"', "want one of GRB, RGB, RBG, GBR, BRG, BGR, found 'GRBW'; did you mean 'GRB'?"),
    ("brightness = 0.5", "brightness = 50", "want a number 0..1, found 50"),
    ('hub = 2 },\n  { name = "ramp.R1"', 'hub = 2, part = "hall" },\n  { name = "ramp.R1"', "want beam, or linear = NUMBER: a Hall that only switches does not see a steel ball, found 'hall'"),
    ("hub = 31 }", 'hub = 31, part = "hall" }', "want beam, or linear = NUMBER: a Hall that only switches does not see a steel ball, found 'hall'"),
    ('name = "button.no", pin = 13, pull = "up"', 'name = "button.no", pin = 13, pull = "down"', "want 'up' with active = 'low': a button to ground, found 'down': always on"),
    # currents
    ("budget_ma = 2000", "budget_ma = 5000", "what supply.five_volt_ma leaves beside supply.others_ma, found 5000"),
    ("others_ma = 2500", "others_ma = 2000", "by what is wired (Raspberry Pi 4B 1200, sensor hub 100"),
    ("coil_ma = 5000", "coil_ma = 3000", "the converter for 5 V"),
    ('pi = "4b"', 'pi = "4c"', "want one of zero-2w, 3b, 4b, 5, own, laptop, found '4c'"),
)  # fmt: skip

PI_ONLY: tuple[Edit, ...] = (
    ('name = "ramp.L1", pin = 4', 'name = "ramp.L1", pin = 6', "GPIO6 is already taken by sensor 'ramp.L1' (line"),
    ('name = "ramp.L2", pin = 5', 'name = "ramp.L2", pin = 9', "GPIO9 belongs to the SPI bus, which the pixels on GPIO10 need for themselves"),
    ('name = "ramp.L3", pin = 18', 'name = "ramp.L3", pin = 2', "GPIO2 is wanted as the expanders' SDA, but sensor 'ramp.L3' (line"),
    ('"0x20.A1"', '"0x20.A0"', "0x20.A0 is already taken by sensor 'tile.A1' (line"),
    ('"0x21.B6"', '"0x21.B7"', "want A0..A6 or B0..B6, found B7: the last pin of a port of an MCP23017 is an output only"),
    ('"0x23.A0"', '"0x30.A0"', "want a place such as '0x20.A0', found '0x30.A0'"),
    ('expander = "0x22.A0"', "hub = 0", "want a table [hub] for it, found none"),
    ('name = "gate.L1", pin = 23', 'name = "gate.L1", pin = 5', "want a pin that is low while the Pi boots (9..13, 16..25, 27), found GPIO5, which is high"),
    ('name = "gate.L2", pin = 24', 'name = "gate.L2", pin = 23', "GPIO23 is already taken by solenoid 'gate.L1' (line"),
    ("arm_pin = 17", "", "want power.arm_pin, or a coil of at most 6 W, found 12 W that nothing can disarm"),
    ("arm_pin = 17", "arm_pin = 4", "want a pin that is low while the Pi boots (9..13, 16..25, 27), found GPIO4, which is high"),
    ("coil_volts = 12", "coil_volts = 6", "want power.coil_volts of 7 or more to make 5 V of them, or a 5 V supply and buck = false, found 6 V"),
    ('address = "0x40"', 'address = "0x50"', "want an address 0x40..0x4f, found '0x50'"),
    ("shunt_ohm = 0.1", "shunt_ohm = 0.2", "want at most 291 mV across the shunt, found 500 mV: a smaller shunt, or less max_ma"),
    ("max_ma = 2500", "max_ma = 900", "want at least the strongest coil's 1000, found 900"),
    ("max_ma = 2500", "most_ma = 2500", "unknown key"),
    ("coil_volts = 12", "coil_volts = 48", "want a number 5..12, found 48"),
    ("coil_volts = 12", "coil_volts = 12.5", "want a number 5..12, found 12.5"),
    ('"ball.A1", "ball.A2"', '"ball.A2"', "the set basic has 1 more sensors; wire them, name them in board.without, or write 'partial': ball.A1"),
    ('"ball.A1", "ball.A2"', '"ball.A1", "ball.A2", "edge.A1.1"', "'edge.A1.1' is no sensor of the set basic; take it off this list"),
    ('"ball.A1", "ball.A2"', '"ball.A1", "ball.A2", "ramp.R3"', "'ramp.R3' is not left out: it is wired; take it off this list"),
    ('instruments = "basic"', 'instruments = "all"', "want one of starter, basic, lean, rich, partial, found 'all'"),
    ('profile = "standard-22"', 'profile = "standard-23"', "want one of fx-19, large-27, large-32, small-18, standard-22, found 'standard-23'"),
    ("others_ma = 2000", "others_ma = 1000", "want at least 1431, by what is wired"),
    ("int_pin = 6", "int_pin = 14", "found GPIO14, which belongs to the serial console"),
    ('name = "ramp.L1", pin = 4', 'name = "ramp.L1", pin = 4, debounce_ms = 8', "want at most 7.5 for a beam: a quick ball is past in 13 ms, found 8"),
    ('"0x21.B5"', '"0x21.B5", debounce_ms = 500', "want at most 7.5 for a beam: a quick ball is past in 13 ms, found 500"),
    ('"0x21.B6"', '"0x21.B6", part = "button", active = "high"', "want 'low' with pull = 'up': a button to ground, found 'high': always on"),
    ('name = "button.yes", pin = 12,', 'name = "button.yes", pin = 12, active = "high",', "want 'low' with pull = 'up': a button to ground, found 'high': always on"),
    ("bus = 1", "bus = 3", "want 1, the bus on GPIO2 and GPIO3, found 3"),
    ("pin = 10  ", "pin = 11  ", "want 10 (SPI): on this Pi no other pin drives lamps without root, found 11"),
    ('"rest.L", "rest.R",', '"rest.L", "rest.R", "rest.R",', "'rest.R' is written 2 times; once is enough"),
    ('instruments = "basic"\nwithout = [', 'instruments = "partial"\nwithout = ["tile.A9",', "'tile.A9' is no sensor of standard-22; take it off this list"),
    ('instruments = "basic"\nwithout = [', 'instruments = "partial"\nwithout = ["ramp.L1",', "'ramp.L1' is not left out: it is wired; take it off this list"),
    ("int_pin = 6", "", "the key 'int_pin' is missing"),
    ("[supply]", "[suply]", "unknown key; did you mean 'supply'?"),
)  # fmt: skip


def mistakes(tmp_path: Path, build: str, edits: tuple[Edit, ...]) -> list[tuple[int, str]]:
    """Plant edits in a copy of a build; return the lines and messages with which it is refused."""
    text = (FOLDER / f"{build}.toml").read_text(encoding="utf-8")
    for found, written, _message in edits:
        assert found in text, found
        text = text.replace(found, written, 1)
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        read_build(path)
    return [(problem.line, problem.message) for problem in caught.value.problems]


def planted(build: str, edit: Edit) -> int:
    """Return the line of the file where an edit is planted."""
    text = (FOLDER / f"{build}.toml").read_text(encoding="utf-8")
    return text[: text.index(edit[0])].count("\n") + 1


@pytest.mark.parametrize("edit", HUB, ids=lambda edit: edit[1].replace(" ", ""))
def test_a_mistake_in_a_hub_build_is_named(tmp_path: Path, edit: Edit) -> None:
    """The answer says what was wanted, what was found and what to do about it."""
    told = mistakes(tmp_path, "hub-rich", (edit,))
    assert [message for _line, message in told if edit[2] in message], told


@pytest.mark.parametrize("edit", PI_ONLY, ids=lambda edit: (edit[1] or "no " + edit[0]).replace(" ", ""))
def test_a_mistake_in_a_build_without_a_hub_is_named(tmp_path: Path, edit: Edit) -> None:
    """Expanders, the header and what must be low while the Pi boots."""
    told = mistakes(tmp_path, "pi-only", (edit,))
    assert [message for _line, message in told if edit[2] in message], told


def test_all_mistakes_of_one_file_are_named_at_once(tmp_path: Path) -> None:
    """More than thirty mistakes in one file are as many answers, on their lines; a pin's two users on one of them."""
    apart = [edit for edit in HUB if edit[1] not in {"spare = [0]", "coil_ma = 3000"}]
    assert len(apart) >= 40
    told = mistakes(tmp_path, "hub-rich", tuple(apart))
    unnamed = [edit[1] for edit in apart if not any(edit[2] in message for _line, message in told)]
    assert unnamed == []
    lines = {line for line, _message in told}
    elsewhere = [edit[1] for edit in apart if planted("hub-rich", edit) not in lines]
    assert elsewhere == ['name = "drain.C2", pin = 10']


def test_no_mistake_is_told_twice(tmp_path: Path) -> None:
    """The wiring and the board read the same file; what both see is one problem."""
    told = mistakes(tmp_path, "hub-rich", HUB)
    assert len(told) == len(set(told))


def test_problems_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    """A maker can go through the file from the top."""
    lines = [line for line, _message in mistakes(tmp_path, "hub-rich", HUB)]
    assert lines == sorted(lines)


def test_a_wrong_profile_hides_no_other_mistake(tmp_path: Path) -> None:
    """Names that fit no board are told with it, by the board that the others fit; no set is held against them."""
    told = mistakes(
        tmp_path,
        "hub-rich",
        (
            ('profile = "standard-22"', 'profile = "standard-23"', ""),
            ('name = "drain.A1"', 'name = "darin.A1"', ""),
            ('name = "gate.L1"', 'name = "gat.L1"', ""),
            ('name = "slot.E4"', 'name = "slot.Z4"', ""),
        ),
    )
    assert [message.partition(":")[0] for _line, message in told] == [
        "sensor[13].name",
        "solenoid[1].name",
        "lamp[22].name",
        "board.profile",
    ]


def test_a_sensors_line_is_not_accused_of_a_coils_name(tmp_path: Path) -> None:
    """A coil that is called like a sensor is one mistake, on the coil's line."""
    told = mistakes(tmp_path, "pi-only", (('name = "gate.L1"', 'name = "ramp.L1"', ""),))
    wanted = "want gate.RAMP or kicker.SLOT with a ramp or slot of standard-22, found 'ramp.L1'"
    assert told == [(70, f"solenoid[1].name: {wanted}")]


@pytest.mark.parametrize(
    ("found", "written", "message"),
    [
        ('profile = "standard-22"', "profile = 22", "board.profile: want a board profile's name, found 22"),
        ('instruments = "partial"', "instruments = 3", "board.instruments: want an instrument set's name, found 3"),
        ('name = "zone.L"      ', 'name = ""      ', "sensor[3].name: want a name such as 'ramp.L1', found ''"),
        ('instruments = "partial"', 'instruments = "lean"\nwithout = "ball.A1"', "board.without: want a list of texts, found 'ball.A1'"),
    ],
)  # fmt: skip
def test_a_value_that_is_none_at_all_is_told_once(
    tmp_path: Path, found: str, written: str, message: str
) -> None:
    """What the wiring has refused is not held against the board as well."""
    told = mistakes(tmp_path, "bench-demo", ((found, written, ""),))
    assert [answer for _line, answer in told] == [message]
