"""Footprints and pins of our tables, held against the libraries that KiCad comes with."""

import os
import re
import tomllib
from pathlib import Path

import pytest
from helpers.places import ROOT

LIBRARIES = Path(os.environ.get("KICAD_ROOT", ROOT / "build" / "kicad-root")) / "usr/share/kicad"
FOOTPRINTS = tomllib.loads((ROOT / "hardware" / "footprints.toml").read_text("utf-8"))
PARTS = tomllib.loads((ROOT / "hardware" / "parts.toml").read_text("utf-8"))
OWN = {"SK6812MINI-E"}
"""KiCad 9.0.2 ships no footprint of it: docs/kit.md tells people to lay one on a print first."""
SYMBOLS = {
    "DRV5055A1": ("Sensor_Magnetic", "DRV5055A1xDBZxQ1"),
    "74LVC1G17": ("74xGxx", "74LVC1G17"),
    "74HC4051": ("74xx", "74HC4051"),
    "SN74HCS165": ("74xx", "74HC165"),
    "74LVC1G04": ("74xGxx", "74LVC1G04"),
    "74AHCT1G125": ("74xGxx", "74LVC1G125"),
    "AP2112K": ("Regulator_Linear", "AP2112K-3.3"),
    "AO3400A": ("Transistor_FET", "AO3400A"),
    "AO4407A": ("Transistor_FET", "IRF7404"),
    "BAT54S": ("Diode", "BAT54S"),
    "SS34": ("Diode", "SS34"),
}
SAME = {
    "SN74HCS165": {"SH/LD": "PL", "QH": "Q7", "SER": "DS", "CLK": "CP", "INH": "CE"}
    | {letter: f"D{number}" for number, letter in enumerate("ABCDEFGH")},
    "74HC4051": {"Z": "A"} | {f"Y{number}": f"A{number}" for number in range(8)},
    "74LVC1G17": {"A": "", "Y": ""},
    "74LVC1G04": {"A": "", "Y": ""},
    "74AHCT1G125": {"A": "", "Y": "", "OE": ""},
}
"""What the library calls a pin that its maker's sheet calls otherwise; it leaves a buffer's two without a name."""

pytestmark = pytest.mark.skipif(
    not LIBRARIES.exists(), reason="KiCad's libraries are not here: make hardware, or KICAD_ROOT"
)


def library_pads(name):
    """Return the pads of a footprint that KiCad ships: number, x, y, width, height, drill."""
    library, footprint = name.split(":")
    text = (LIBRARIES / "footprints" / f"{library}.pretty" / f"{footprint}.kicad_mod").read_text("utf-8")
    found = []
    for part in text.split("(pad ")[1:]:
        number = re.match(r'"(\w*)"', part)[1]
        x, y = re.search(r"\(at ([-\d.]+) ([-\d.]+)", part).groups()
        wide, high = re.search(r"\(size ([\d.]+) ([\d.]+)\)", part).groups()
        drill = re.search(r"\(drill ([\d.]+)", part)
        found.append((number, *map(float, (x, y, wide, high, drill[1] if drill else 0))))
    return sorted(found)


@pytest.mark.parametrize("name", sorted(set(FOOTPRINTS) - OWN))
def test_our_footprint_is_that_of_the_library(name):
    """Every pad: place and drill to a hundredth, size to a twentieth of a millimetre."""
    ours = sorted((str(pad[0]), *pad[1:], *([0] if len(pad) < 6 else [])) for pad in FOOTPRINTS[name]["pads"])
    theirs = library_pads(FOOTPRINTS[name]["library"])
    assert [pad[0] for pad in ours] == [pad[0] for pad in theirs]
    for pad, other in zip(ours, theirs, strict=True):
        assert (*pad[1:3], pad[5]) == pytest.approx((*other[1:3], other[5]), abs=0.01), pad
        assert pad[3:5] == pytest.approx(other[3:5], abs=0.05), pad


def test_only_the_lamp_is_drawn_without_a_library():
    """Every other footprint says which of KiCad's it is."""
    assert {name for name, one in FOOTPRINTS.items() if not one["library"]} == OWN


def test_a_number_that_was_seen_in_kicad_is_in_a_librarys_name():
    """Connectors; whatever else says so would need another witness."""
    verified = [part for part in PARTS.values() if part.get("seen") == "KiCad"]
    assert verified
    for part in verified:
        assert part["number"] in FOOTPRINTS[part["footprint"]]["library"], part["number"]


def library_pins(library, name):
    """Return the pins of a symbol that KiCad ships, by number; those of what it extends, if it does."""
    text = (LIBRARIES / "symbols" / f"{library}.kicad_sym").read_text("utf-8")
    begin = text.index(f'(symbol "{name}"\n')
    symbol = text[begin : text.index("\n\t)", begin)]
    extended = re.search(r'\(extends "([^"]+)"\)', symbol)
    if extended:
        return library_pins(library, extended[1])
    pins = re.findall(r'\(name "([^"]*)".*?\(number "([^"]*)"', symbol, re.DOTALL)
    return {number: name for name, number in pins}


def plain(name):
    """Return a pin's name without marks for what is low."""
    return re.sub(r"[~{}]", "", name)


@pytest.mark.parametrize("kind", sorted(SYMBOLS))
def test_a_chips_pins_are_those_of_the_library(kind):
    """Number by number, by the names of either maker."""
    theirs = library_pins(*SYMBOLS[kind])
    for number, name, _electrical in PARTS[kind]["pins"]:
        if name != "NC":
            told = plain(name)
            assert SAME.get(kind, {}).get(told, told) == plain(theirs[number]), (number, name)


@pytest.mark.parametrize("kind", ["PICO_1_20", "PICO_21_40"])
def test_sockets_call_the_picos_pins_as_the_library_does(kind):
    """Each of the forty by number and name; of a converter's pin its GP is enough."""
    theirs = library_pins("MCU_Module", "RaspberryPi_Pico")
    first = 21 if kind == "PICO_21_40" else 1
    for number, name, _electrical in PARTS[kind]["pins"]:
        at, told = name.split()
        assert int(at) == int(number) + first - 1
        assert re.fullmatch(told.replace("GP", "GPIO") + r"(_ADC\d)?", theirs[at]), name
