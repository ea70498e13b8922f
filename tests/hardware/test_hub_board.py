"""The hub board as KiCad has it, followed from the Pico's pins to ribbons and screws; the firmware says which pin is what."""

import re
import tomllib
from dataclasses import replace

import pytest
from helpers.places import ROOT
from hextraction.board.design import load_design
from hextraction.hal.wiring.branches import stands_a
from hextraction.hal.wiring.file import read_wiring

from bench.hardware.board_files import Board, read_board

WIRING = read_wiring(ROOT / "wiring" / "kit-lean.toml")
TOLD = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))
HUB, COLUMN = TOLD["hub_board"], TOLD["column_board"]
FIRMWARE = {
    name: int(pin)
    for name, pin in re.findall(
        r"#define PIN_(\w+) (\d+)", (ROOT / "hal/firmware/src/pins.h").read_text("utf-8")
    )
}
COIL_GPS = (10, 11, 12, 13, 15, 16, 17, 18)
"""GP of each coil of the hub, by its protocol."""
PLACES = [1, 2, *range(4, 8), *range(9, 13), *range(14, 18), 19, 20, 21, 22, *range(24, 28), 29, 31, 32, 34]
PICO = dict(zip([*range(23), 26, 27, 28], PLACES, strict=True))
"""On which of its forty pins a Pico has a GP; the others are grounds and supplies."""
GROUNDS, AGND, THREE_VOLTS = (3, 8, 13, 18, 23, 28, 38), 33, 36
USB_POWER = (39, 40)
RIBBONS = tuple(f"J{number}" for number in range(1, 6))
RIBBON = {name: number for number, name in enumerate(COLUMN["connectors"]["hub"]["pins"], 1)}
FUSES = ("FUSE_5x20", "PPTC_1A5", "PPTC_0A3")


@pytest.fixture(scope="module")
def hub():
    """The board."""
    return read_board("hub_board")


def pico(number):
    """Return a pin of the Pico as one of its sockets."""
    return f"J18.{number}" if number <= 20 else f"J19.{number - 20}"


def net_of_gp(board, gp):
    """Return the net of one of the Pico's GPs."""
    return board.net_of(pico(PICO[gp]))


def behind(board, net, value):
    """Return the nets behind a part of two pins that hangs on a net."""
    refs = {pin.split(".")[0] for pin in board.nets[net]}
    return {
        board.net_of(f"{ref}.{other}")
        for ref in refs
        if board.values[ref] == value
        for pin, other in (("1", "2"), ("2", "1"))
        if board.net_of(f"{ref}.{pin}") == net
    }


def core(board, ribbon, name):
    """Return the net on a core of a ribbon, by what the column board calls it."""
    return board.net_of(f"{ribbon}.{RIBBON[name]}")


def chain(board):
    """Return the ribbons in the order in which their column boards are read, and the net that leads back."""
    found = []
    (line,) = behind(board, net_of_gp(board, FIRMWARE["MISO"]), "1k")
    while ribbons := [each for each in RIBBONS if core(board, each, "SERIAL_OUT") == line]:
        (ribbon,) = ribbons
        if ribbon in found:
            break
        found.append(ribbon)
        line = core(board, ribbon, "SERIAL_IN")
    return found, line


def lamp_chain(board):
    """Return the ribbons in the order of the lamps' data."""
    found = []
    raised = [
        board.net_of(f"{ref}.4")
        for ref, value in board.values.items()
        if value == "74AHCT1G125" and board.net_of(f"{ref}.2") == net_of_gp(board, FIRMWARE["LAMPS"])
    ]
    line = behind(board, raised[0], "330R").pop() if raised else ""
    while ribbons := [each for each in RIBBONS if line and core(board, each, "LAMP_IN") == line]:
        (ribbon,) = ribbons
        if ribbon in found:
            break
        found.append(ribbon)
        line = core(board, ribbon, "LAMP_OUT")
    return found


def first_channel(board, ribbon):
    """Return the number of a column board's first linear Hall: its converter's pin, and when it is not off."""
    columns = [net_of_gp(board, FIRMWARE["ADC"] + number) for number in range(3)]
    line, off = core(board, ribbon, "BALLS"), core(board, ribbon, "OFF")
    if line not in columns:
        return None
    address = net_of_gp(board, FIRMWARE["ADDRESS"] + 3)
    inverted = [
        board.net_of(f"{ref}.4")
        for ref, value in board.values.items()
        if value == "74LVC1G04" and board.net_of(f"{ref}.2") == address
    ]
    half = 0 if off == address else 8 if off in inverted else None
    return None if half is None else 16 * columns.index(line) + half


def coil_screws(board, number):
    """Return the screw terminals that a coil of the hub fires: from GP through 100 ohms and a transistor."""
    gates = behind(board, net_of_gp(board, COIL_GPS[number]), "100R")
    drains = {
        board.net_of(f"{ref}.3")
        for ref, value in board.values.items()
        if value == "AO3400A" and board.net_of(f"{ref}.1") in gates and board.net_of(f"{ref}.2") == "GND"
    }
    return [
        ref
        for ref, value in board.values.items()
        if value == "SCREW_2" and board.net_of(f"{ref}.2") in drains and drains - {""}
    ]


def mistakes(board):
    """Return what does not arrive where wiring and firmware want it."""
    order, back = chain(board)
    found = [] if behind(board, net_of_gp(board, FIRMWARE["LOOP"]), "1k") == {back} else ["loop"]
    columns = {plug.at: plug for plug in WIRING.plugs if plug.into == "hub"}
    for ribbon in RIBBONS:
        plug = columns[ribbon]
        chips = [3 * order.index(ribbon) + each for each in range(3)] if ribbon in order else []
        found += [] if [chip for _mark, chip in plug.chips] == chips else [f"chips {ribbon}"]
        ((_mark, span),) = plug.linears
        found += [] if first_channel(board, ribbon) == span.start else [f"Halls {ribbon}"]
        straight = {f"S{line}": FIRMWARE["ADDRESS"] + line for line in range(3)}
        found += [
            f"{name} {ribbon}"
            for name, gp in straight.items()
            if core(board, ribbon, name) != net_of_gp(board, gp)
        ]
        found += [
            f"{name} {ribbon}"
            for name in ("SCK", "LATCH")
            if behind(board, net_of_gp(board, FIRMWARE[name]), "33R") != {core(board, ribbon, name)}
        ]
    found += [] if lamp_chain(board) == list(RIBBONS) else ["lamps"]
    for coil in WIRING.all_coils:
        wanted = [ref for ref in HUB["connectors"] if HUB["connectors"][ref]["to"] == coil.name]
        found += [] if coil_screws(board, coil.number) == wanted else [coil.name]
    return found


def test_everything_arrives_where_wiring_and_firmware_want_it(hub):
    """Chips of the chain, Halls' channels, addresses, clock, lamps in their order, and each gate's screws."""
    assert mistakes(hub) == []


@pytest.mark.parametrize(
    ("one", "other", "pins", "named"),
    [
        ("SERIAL_B", "SERIAL_C", r"J\d\.13", [f"chips {each}" for each in RIBBONS] + ["loop"]),
        ("LOOP", "SERIAL_A", r"J\d\..*", [f"chips {each}" for each in RIBBONS] + ["loop"]),
        ("BALLS_AB", "BALLS_CD", r"J\d\..*", [f"Halls {each}" for each in RIBBONS[:4]]),
        ("S3", "NOT_S3", r"J\d\..*", [f"Halls {each}" for each in RIBBONS]),
        ("S0", "S1", r"J\d\..*", [f"{name} {each}" for each in RIBBONS for name in ("S0", "S1")]),
        ("SCK", "LATCH", r"J\d\..*", [f"{name} {each}" for each in RIBBONS for name in ("SCK", "LATCH")]),
        ("LAMP_C", "LAMP_D", r"J\d\.4", ["lamps"]),
        ("DRAIN2", "DRAIN3", r"J1\d\..*", ["gate.L2", "gate.L3"]),
        ("GATE1", "GATE6", r"J1[89]\..*", ["gate.L1", "gate.R3"]),
    ],
)
def test_two_nets_that_are_swapped_are_found(hub, one, other, pins, named):
    """Swapped at some pins only: all that hangs on them is named, and nothing else."""
    names = {one: other, other: one}
    pads = tuple(
        replace(pad, net=names.get(pad.net, pad.net)) if re.fullmatch(pins, pad.pin) else pad
        for pad in hub.pads
    )
    found = mistakes(Board(hub.values, pads, hub.copper))
    assert found
    assert set(found) <= set(named)
    assert len(found) >= len(named) / 2


def test_ribbons_and_screws_carry_what_everybody_is_told(hub):
    """Pin by pin: supplies and grounds of each ribbon as J30 of the column board wants, screws as in `boards.toml`."""
    for ribbon, column in zip(RIBBONS, "ABCDE", strict=True):
        nets = [hub.net_of(f"{ribbon}.{number}") for number in range(1, 21)]
        for net, name in zip(nets, COLUMN["connectors"]["hub"]["pins"], strict=True):
            if name in {"GND", "AGND", "3V3", "3V3A"}:
                assert net == name, (ribbon, name)
        assert nets[0] == nets[1] == f"5V_{column}"
    for ref, connector in HUB["connectors"].items():
        if "pins" in connector:
            assert [hub.net_of(f"{ref}.{number}") for number in (1, 2)] == connector["pins"], ref


def test_the_pico_gets_no_supply_and_joins_the_grounds_alone(hub):
    """USB feeds it; its own 3.3 V feed Halls; analog and other ground meet inside it and nowhere on the board."""
    assert {hub.net_of(pico(number)) for number in GROUNDS} == {"GND"}
    assert (hub.net_of(pico(AGND)), hub.net_of(pico(THREE_VOLTS))) == ("AGND", "3V3A")
    assert {hub.net_of(pico(number)) for number in USB_POWER} <= {
        f"unconnected-({pico(number).split('.')[0]}-{number}_{name}-Pad{pico(number).split('.')[1]})"
        for number, name in zip(USB_POWER, ("VSYS", "VBUS"), strict=True)
    }
    assert "3V3A" not in behind(hub, "3V3", "10u") | behind(hub, "3V3", "100n")
    between = [
        ref for ref in hub.values if {hub.net_of(f"{ref}.1"), hub.net_of(f"{ref}.2")} == {"AGND", "GND"}
    ]
    assert between == []
    assert {hub.net_of(f"{ref}.3") for ref, value in hub.values.items() if value == "74LVC1G04"} == {"AGND"}


def test_no_supply_leaves_the_board_without_a_fuse(hub):
    """From the brick's jack and the converter's screws: ribbons, Pi, converter and coils are reached through fuses only."""
    leaves = {ref for ref in HUB["connectors"] if ref not in {"J18", "J19"}}
    for source, ref in (("12V", "J6"), ("5V", "J8")):
        assert {pin.split(".")[0] for pin in hub.nets[source]} & leaves == {ref}
    fused = {net for value in FUSES for net in behind(hub, "12V", value) | behind(hub, "5V", value)}
    assert fused == {"12V_COILS", "12V_CONVERTER", "5V_PI", "5V_LOGIC", *(f"5V_{each}" for each in "ABCDE")}
    for coil in range(1, 7):
        assert behind(hub, f"COIL{coil}", "PPTC_0A3") == {"12V_ARMED"}


def test_a_ribbon_bears_what_its_fuse_holds(hub):
    """Two cores of AWG 28 together, and the fuse a fifth more than the fullest column draws."""
    fuses = [
        ref
        for ref, value in hub.values.items()
        if value == "PPTC_1A5" and hub.net_of(f"{ref}.2")[3:] in "ABCDE"
    ]
    assert len(fuses) == len(RIBBONS)
    column = tomllib.loads((ROOT / "hardware" / "column_board.toml").read_text("utf-8"))
    assert column["current_ma"]["5V_IN"] <= 0.8 * 1_500
    cores = [name for name in COLUMN["connectors"]["hub"]["pins"] if name == "5V"]
    assert len(cores) * stands_a(0.08) >= 1.5


def test_values_are_those_that_the_circuits_were_calculated_with(hub):
    """Resistors and capacitors around pump, sense, bleeder and data, by the nets between which they stand."""
    rail = load_design().coil_supply

    def between(one, other):
        return [
            hub.values[ref]
            for ref in sorted(hub.values)
            if ref[0] in "CR" and {hub.net_of(f"{ref}.1"), hub.net_of(f"{ref}.2")} == {one, other}
        ]

    assert between("HOLD", "GND") == ["1u", f"{rail.pump_kohm:g}k"]
    assert between("PUMP", "PUMPED") == [f"{rail.pump_uf:g}u"]
    assert between("12V_STOP", "HIGH_G") == [f"{rail.gate_nf:g}n", f"{rail.gate_kohm:g}k"]
    assert between("PULL", "HIGH_G") == [f"{rail.gate_series_kohm:g}k"]
    assert between("12V_ARMED", "GND") == ["10u", "10u", f"{rail.bleeder_kohm:g}k_1206"]
    assert between("12V_COILS", "GND") == [f"{rail.bulk_uf:g}u"]
    assert between("ESTOP", "GND") == [f"{rail.sense_nf:g}n", f"{rail.sense_kohm:g}k"]
    assert between("STOP_2", "ESTOP") == [f"{rail.upper_kohm(WIRING.power.coil_volts):g}k"]
    assert rail.data_ohm == 1_000  # in DATA and LOOP: `chain` goes through 1k


def test_wide_tracks_stay_on_their_side(hub):
    """A via would be the narrowest place of a supply: none is in a net with a track of a millimetre or more."""
    wide = {one.net for one in hub.copper if one.width_mm >= 1.0}
    assert {"12V", "12V_ARMED", "5V", "5V_PI"} <= wide
    assert [one.net for one in hub.copper if not one.width_mm and one.net in wide] == []


def test_what_sits_under_the_pico_is_low_enough():
    """Its sockets lift it; nothing but them stands in its outline and reaches up to it."""
    parts = tomllib.loads((ROOT / "hardware" / "parts.toml").read_text("utf-8"))
    footprints = tomllib.loads((ROOT / "hardware" / "footprints.toml").read_text("utf-8"))
    left, top, right, bottom = HUB["pico"]["outline_mm"]
    below = 0
    for part in tomllib.loads((ROOT / "hardware" / "hub_board.toml").read_text("utf-8"))["parts"]:
        body = footprints[parts[part["part"]]["footprint"]]
        reach = max(map(abs, body["body"])) if part["ref"] not in {"J18", "J19"} else 0
        x, y = part["at_mm"]
        if left - reach < x < right + reach and top - reach < y < bottom + reach and reach < 20:
            below += 1
            assert part["ref"] in {"J18", "J19"} or body["height_mm"] < HUB["pico"]["underside_mm"] - 2
    assert below > 6
