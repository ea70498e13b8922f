"""Each sensor of the kit is followed through the boards' own files, from its part over cables to a chip's pin."""

import re
import tomllib
from dataclasses import replace

import pytest
from helpers.places import ROOT
from hextraction.hal.wiring.file import read_wiring

from bench.hardware.board_files import Board, read_board

WIRING = read_wiring(ROOT / "wiring" / "kit-lean.toml")
PLUGS = {plug.name: plug for plug in WIRING.plugs}
INPUT_PINS = ["11", "12", "13", "14", "3", "4", "5", "6"]
"""D0 to D7 of a 74HC165, by its sheet (there A to H)."""
CHANNEL_PINS = ["13", "14", "15", "12", "1", "5", "2", "4"]
"""Y0 to Y7 of a 74HC4051, by its sheet."""
SOURCES = {"tile": "U2.2", "ball": "U1.2", "rest": "U1.2"}
"""What speaks on a bar: the output of its Hall switch, and of its linear Hall."""


@pytest.fixture(scope="module")
def boards():
    """All boards of the kit."""
    names = {"column": "column_board", "bar": "slot_bar", "beam": "beam_board", "hub": "hub_board"}
    return {kind: read_board(name) for kind, name in names.items()}


def same_net(board, pin):
    """Return every pin on the net of a pin, and those behind a resistor before a chip."""
    pins = set(board.nets[board.net_of(pin)])
    for near in sorted(pins):
        ref = near.split(".")[0]
        if board.values[ref] == "10k":
            for end in ("1", "2"):
                pins |= board.nets[board.net_of(f"{ref}.{end}")]
    return pins


def through(board, pin, connector):
    """Return on which pin of a connector a board's pin arrives."""
    (number,) = {one.split(".")[1] for one in same_net(board, pin) if one.startswith(f"{connector}.")}
    return number


def answered(boards, sensor):
    """Return the chip's input or the multiplexers' channel that a sensor arrives at; None if at none."""
    plug = next(one for one in WIRING.plugs if sensor in one.sensors)
    kind, at = plug.kind, plug.at
    if kind == "bar":
        number = through(boards["bar"], SOURCES[sensor.split(".")[0]], "J1")
    else:  # a button's cable is cut from one of a beam
        number = through(boards["beam"], "Q1.1", "J1")
        if PLUGS[plug.into].kind == "bar":
            number = through(boards["bar"], f"{at}.{number}", "J1")
            plug = PLUGS[plug.into]
            at = plug.at
    column = PLUGS[plug.into]
    for pin in sorted(same_net(boards["column"], f"{at}.{number}")):
        ref, leg = pin.split(".")
        for mark, chip in column.chips:
            if ref == mark and leg in INPUT_PINS:
                return "chip", 8 * chip + INPUT_PINS.index(leg)
        for mark, span in column.linears:
            if ref == mark and leg in CHANNEL_PINS:
                return "channel", span[CHANNEL_PINS.index(leg)]
    return None


def lost(boards):
    """Return the sensors that do not arrive where the wiring file says."""
    wired = {one.name: ("chip", one.number) for one in WIRING.hub_inputs}
    wired |= {one.name: ("channel", one.number) for one in WIRING.hub_linears}
    return [name for name, place in wired.items() if answered(boards, name) != place]


@pytest.mark.slow
def test_every_sensor_arrives_where_the_wiring_says(boards):
    """All 118 of them: tiles, balls, beams at bars and at column boards, buttons."""
    assert lost(boards) == []


@pytest.mark.parametrize(
    ("kind", "one", "other", "named"),
    [
        ("column", "TILE2", "DRAIN3", r"tile\..2|drain\..3"),
        ("column", "BALL1", "BALL2", r"ball\..[12]"),
        ("column", "BEAM11", "BEAM12", r"edge\.(A1\.1|A1\.5|C1\.1|C4\.4|E1\.1|E1\.2)|ramp\.[LR][23]"),
        ("bar", "TILE", "BALL", r"tile\..*|ball\..*|rest\..*"),
    ],
)
def test_two_nets_that_are_swapped_are_found(boards, kind, one, other, named):
    """Connectors of one net on the other: the sensors that hang on them are named, and no others."""
    board, names = boards[kind], {one: other, other: one}
    pads = tuple(renamed(pad, names) if pad.pin.startswith("J") else pad for pad in board.pads)
    swapped = Board(board.values, pads, board.copper)
    every = [each.name for each in (*WIRING.hub_inputs, *WIRING.hub_linears)]
    assert sorted(lost(boards | {kind: swapped})) == sorted(
        name for name in every if re.fullmatch(named, name)
    )


def renamed(pad, names):
    """Return a pad on the net that another name has been given to."""
    return replace(pad, net=names.get(pad.net, pad.net))


def test_tracks_alone_join_every_net(boards):
    """From pad to pad along tracks and vias each net is one piece; poured copper is not needed."""
    for board in boards.values():
        for net, pins in board.nets.items():
            neighbours = {pin: set() for pin in pins}
            for one, two, _ohm in board.resistances(net):
                neighbours.setdefault(one, set()).add(two)
                neighbours.setdefault(two, set()).add(one)
            reached, open_ends = set(), [min(pins)]
            while open_ends:
                here = open_ends.pop()
                if here not in reached:
                    reached.add(here)
                    open_ends += neighbours[here]
            assert pins <= reached, net


def test_connectors_are_as_everybody_is_told(boards):
    """Pin by pin the nets are those that `hardware/boards.toml` tells printed parts, wiring and guide."""
    told = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))
    names = {
        ("bar", "J1"): told["slot_bar"]["connectors"]["J1"]["pins"],
        ("bar", "J2"): told["slot_bar"]["connectors"]["J2"]["pins"],
        ("beam", "J1"): told["beam_board"]["connectors"]["J1"]["pins"],
        ("column", "J30"): told["column_board"]["connectors"]["hub"]["pins"],
    }
    names |= {("column", f"J{n}"): told["column_board"]["connectors"]["bars"]["pins"] for n in range(1, 8)}
    names |= {("column", f"J{n}"): told["column_board"]["connectors"]["beams"]["pins"] for n in range(11, 21)}
    own = {"OUT": r"OUT|BEAM\d+", "LAMP_IN": r"LAMP(_IN|\d)", "LAMP_OUT": r"LAMP(_OUT|\d)", "5V": "5V(_IN)?"}
    own |= {one: rf"{one}\d?" for one in ("BALL", "TILE", "DRAIN")}
    for (kind, ref), pins in names.items():
        for number, name in enumerate(pins, 1):
            assert re.fullmatch(own.get(name, name), boards[kind].net_of(f"{ref}.{number}")), (ref, number)
