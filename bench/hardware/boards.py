"""The circuit boards of the kit, as KiCad has them, joined by their cables: ngspice says what arrives where.

Decks are made from the boards' own files: nets from the pads, resistances from every track. Poured copper is
left away, so the figures are worse than the boards.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from hextraction.board.design import BeamCircuit, Design
from hextraction.board.instruments import Kind

from bench.hardware.beams import beam_ways_mm
from bench.hardware.board_files import Board, read_board
from bench.hardware.claim import BY_BOARDS, Chapter, Claim
from bench.hardware.deck import Deck, net_node, node, ohms
from bench.hardware.spice import measured

__all__ = ["Column", "Told", "board_claims", "column_told", "emitter_told_ma", "line_told_v"]

_OUTLINES: Final = Path(__file__).parents[2] / "hardware" / "boards.toml"
_HUB_V, _HUB_ANALOG_V = 4.9, 3.3
"""The least that the converter gives, and what the Pico does."""
_AWG28_OHM_M: Final = 0.213
_RIBBON_OHM, _CABLE_OHM = 0.5 * _AWG28_OHM_M + 0.03, 0.3 * _AWG28_OHM_M + 0.04
"""One core with both its contacts: 50 cm of ribbon, 30 cm to a bar."""
_FUSE_OHM: Final = 0.15
"""More than a PPTC of 1.5 A has after it has tripped once (0.12, by sheets from memory); a column has two."""
_LAMP_MA, _HALL_MA, _SWITCH_MA, _EMITTER_MA, _FAR_MA = 36, 10, 2, 12.1, 39
_OTHER_MA, _OTHER_HALLS_MA = 500, 50
"""What each of the other four columns draws; all together then more than the kit's parts list adds up to."""
_MUX_OHM: Final = 200
_LAMP_LEAST_V: Final = 3.7
"""An SK6812MINI-E works from here on."""
_HALL_LEAST_V: Final = 3.0
_SURELY_LOW_V, _SURELY_HIGH_V = 0.6, 2.4
"""Thresholds of an SN74HCS165 at 3.3 V, between those that its sheet gives at 2 and at 4.5 V."""
_SATURATED_V: Final = 0.15
_DARK_SHARE: Final = 0.9
_RAILS: Final = ("5V", "GND", "AGND", "3V3A")
_claim: Final = partial(Chapter("Circuit boards", BY_BOARDS).claim, at_least=True)


@dataclass(frozen=True, slots=True)
class Column:
    """The hub board, a column board on it, and on that seven bars, each with a beam, and ten beams."""

    column: Board
    bar: Board
    beam: Board
    hub: Board

    @classmethod
    def shipped(cls) -> "Column":
        """Return the boards of ``hardware/boards``."""
        return cls(*map(read_board, ("column_board", "slot_bar", "beam_board", "hub_board")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What ngspice says of a column: least volts at lamps, Halls and beams; how far lamps shift a Hall."""

    lamp_v: float
    hall_v: float
    beam_v: float
    shift_mv: float


def column_told(boards: Column) -> Told:
    """Return what arrives with all lamps white, at the bar where least does.

    Raises:
        RuntimeError: ngspice is not installed.
    """
    deck = Deck()
    deck.copper("c", boards.column, ("5V_IN", *_RAILS))
    _hub(deck, boards)
    deck.add("R", "c_f1_1 c_f1_2", _FUSE_OHM)
    bars = range(1, 8)
    for number in bars:
        _plug_bar(deck, boards, number)
    for number in range(11, 21):
        deck.add("I", _supplied("c", boards.column, f"J{number}", "5V", "GND"), f"{_EMITTER_MA}m")
    found = measured("\n".join([*deck.lines, ".tran 10u 2m 0 10u", *_measures(bars)]))
    shifts = [abs(found[f"white{number}"] - found[f"dark{number}"]) for number in bars]
    return Told(
        lamp_v=min(found[f"lamp{number}{lamp}"] for number in bars for lamp in (1, 2, 3)),
        hall_v=min(found[f"hall{number}"] for number in bars),
        beam_v=min(found[f"beam{number}"] for number in bars),
        shift_mv=max(shifts) * 1e3,
    )


def _hub(deck: Deck, boards: Column) -> None:
    """From the converter's screws and the Pico's pins to J1, the farthest, and through its ribbon."""
    hub = boards.hub
    deck.copper("h", hub, ("5V", "5V_A", "3V3A", "AGND"))
    for pin, volts in (("J8.1", _HUB_V), ("J19.16", _HUB_ANALOG_V), ("J19.13", 0)):
        deck.add("V", node("h", pin), "0", volts)
    deck.add("R", node("h", "F10.1"), node("h", "F10.2"), _FUSE_OHM)
    for number in range(1, 21):
        net = boards.column.net_of(f"J30.{number}")
        if net in {"5V_IN", *_RAILS}:
            source = "0" if net == "GND" else node("h", f"J1.{number}")
            deck.add("R", source, node("c", f"J30.{number}"), _RIBBON_OHM)
    for number in range(2, 6):
        deck.add("I", node("h", f"F{9 + number}.1"), "0", f"{_OTHER_MA}m")
        deck.add("I", node("h", f"J{number}.20"), node("h", f"J{number}.18"), f"{_OTHER_HALLS_MA}m")


def _plug_bar(deck: Deck, boards: Column, number: int) -> None:
    """A bar at its cable: lamps are dark for a millisecond, then white; its Hall says half of its supply."""
    bar, owner = boards.bar, f"b{number}"
    deck.copper(owner, bar, _RAILS)
    for pin in range(1, 11):
        nets = boards.column.net_of(f"J{number}.{pin}"), bar.net_of(f"J1.{pin}")
        if set(nets) & set(_RAILS):
            deck.add("R", node("c", f"J{number}.{pin}"), node(owner, f"J1.{pin}"), _CABLE_OHM)
    for lamp in (1, 2, 3):
        pins = _supplied(owner, bar, f"D{lamp}", "5V", "GND")
        deck.add("I", pins, f"PULSE(0 {_LAMP_MA}m 1m 1u 1u 10 20)")
        deck.add("E", f"lamp{number}{lamp} 0", pins, 1)
    far_ma = _FAR_MA if number == 6 else _EMITTER_MA
    deck.add("I", _supplied(owner, bar, "J2", "5V", "GND"), f"{far_ma}m")
    deck.add("E", f"beam{number} 0", _supplied(owner, bar, "J2", "5V", "GND"), 1)
    hall = _supplied(owner, bar, "U1", "3V3A", "AGND")
    deck.add("I", hall, f"{_HALL_MA}m")
    deck.add("I", _supplied(owner, bar, "U2", "3V3A", "AGND"), f"{_SWITCH_MA}m")
    deck.add("E", f"hall{number} 0", hall, 1)
    plus, minus = hall.split()
    deck.add("B", f"{node(owner, 'U1.2')} 0 V = (V({plus}) + V({minus})) / 2")
    _hall_line(deck, boards, number)


def _hall_line(deck: Deck, boards: Column, number: int) -> None:
    """From a bar's Hall along its net, the cable and the column board's net through the multiplexer."""
    bar, column, owner = boards.bar, boards.column, f"b{number}"
    net = bar.net_of("U1.2")
    at = next(pin for pin in range(1, 11) if bar.net_of(f"J1.{pin}") == net)
    line = column.net_of(f"J{number}.{at}")
    deck.copper(owner, bar, (net,))
    deck.copper("c", column, (line,))
    deck.add("R", node(owner, f"J1.{at}"), node("c", f"J{number}.{at}"), _CABLE_OHM)
    channel = next(pin for pin in column.nets[line] if pin.startswith("U4."))
    deck.add("R", node("c", channel), f"adc{number}", _MUX_OHM)
    deck.add("C", f"adc{number}", "0 10p")


def _supplied(owner: str, board: Board, ref: str, plus: str, minus: str) -> str:
    """Return the first pin of a part on each of two nets, as two nodes."""
    first = [min(pin for pin in board.nets[net] if pin.startswith(f"{ref}.")) for net in (plus, minus)]
    return " ".join(node(owner, pin) for pin in first)


def _measures(bars: Sequence[int]) -> Iterator[str]:
    for number in bars:
        yield f".meas tran dark{number} AVG v(adc{number}) FROM=0.5m TO=0.9m"
        yield f".meas tran white{number} AVG v(adc{number}) FROM=1.5m TO=1.9m"
        yield f".meas tran hall{number} AVG v(hall{number}) FROM=1.5m TO=1.9m"
        yield f".meas tran beam{number} AVG v(beam{number}) FROM=1.5m TO=1.9m"
        for lamp in (1, 2, 3):
            yield f".meas tran lamp{number}{lamp} AVG v(lamp{number}{lamp}) FROM=1.5m TO=1.9m"


def emitter_told_ma(beam: Board, five_volts: float, *, bridged: bool = False) -> float:
    """Return the current of a beam board's emitter, its bridge ZONE open or closed."""
    deck = Deck()
    _parts(deck, "e", beam, bridged=bridged)
    deck.add("V", net_node("e", beam.net_of("J1.2")), "0", five_volts)
    deck.add("V", net_node("e", beam.net_of("J1.1")), "0 0")
    deck.add("V", "e_anode", net_node("e", beam.net_of("D1.2")), "0")
    deck.lines = [line.replace("e_d1_2", "e_anode") for line in deck.lines]
    deck.lines += [".tran 1u 100u 0 1u", f".meas tran ma AVG i(V{len(deck.lines) - 1}) FROM=50u TO=100u"]
    return abs(measured("\n".join(deck.lines))["ma"]) * 1e3


def _parts(deck: Deck, owner: str, board: Board, *, bridged: bool) -> None:
    """Resistors, diode and bridge of a board, between its nets."""
    for ref, value in board.values.items():
        one, other = (net_node(owner, board.net_of(f"{ref}.{pin}")) for pin in (1, 2))
        resistance = ohms(value)
        if resistance is not None:
            deck.add("R", one, other, resistance)
        elif value == "BRIDGE":
            deck.add("R", one, other, 0.01 if bridged else 1e9)
        elif value == "IR_DIODE":
            deck.add("D", "e_d1_2", one, "IRED")


def line_told_v(boards: Column, number: int, received_ua: float) -> float:
    """Return what a chip's input sees of the beam at a bar's J2 whose receiver draws so much."""
    column, bar, deck = boards.column, boards.bar, Deck()
    drain = bar.net_of(f"J2.{_pin_number(boards.beam.net_of('Q1.1'), boards.beam)}")
    at = next(pin for pin in range(1, 11) if bar.net_of(f"J1.{pin}") == drain)
    line = column.net_of(f"J{number}.{at}")
    deck.add("V", net_node("c", "3V3"), "0 3.3")
    near = [ref for ref in column.values if line in {column.net_of(f"{ref}.{pin}") for pin in (1, 2)}]
    for ref in near:
        resistance = ohms(column.values[ref])
        if resistance is not None:
            nodes = (net_node("c", column.net_of(f"{ref}.{pin}")) for pin in (1, 2))
            deck.add("R", *nodes, resistance)
    deck.add("R", net_node("c", line), "collector", 1)
    deck.add("B", f"collector 0 I = {received_ua}e-6 * tanh(V(collector) / {_SATURATED_V})")
    chip = next(pin for pad in near for pin in (column.net_of(f"{pad}.2"),) if column.values[pad] == "10k")
    deck.add("R", net_node("c", chip), "0 10Meg")
    deck.lines += [".tran 1u 100u 0 1u", f".meas tran volts AVG v({net_node('c', chip)}) FROM=50u TO=100u"]
    return measured("\n".join(deck.lines))["volts"]


def _pin_number(net: str, board: Board) -> str:
    return next(pin.split(".")[1] for pin in board.nets[net] if pin.startswith("J1."))


def board_claims(design: Design) -> Iterator[Claim]:
    """Yield what must arrive at the lamps, Halls and chips of the fullest column."""
    boards = Column.shipped()
    told = column_told(boards)

    yield _claim("5 V at the farthest lamp of a full column, all white", told.lamp_v, _LAMP_LEAST_V, "V")
    yield _claim("3V3A at the farthest Hall of a full column", told.hall_v, _HALL_LEAST_V, "V")
    shift_mv = design.hall.slot.threshold_mv / 10
    yield _claim("lamps from dark to white shift a Hall by", told.shift_mv, shift_mv, "mV", at_least=False)
    yield from _beam_board_claims(design.beam, boards, told.beam_v)


def _outline(name: str) -> dict[str, Any]:
    """Return what ``boards.toml`` says of a board."""
    told: dict[str, Any] = tomllib.loads(_OUTLINES.read_text("utf-8"))[name]
    return told


def _beam_board_claims(beam: BeamCircuit, boards: Column, five_volts: float) -> Iterator[Claim]:
    """Beams at the lowest 5 V that a column gives, over the ways that printed parts and board have."""
    shape = _outline("beam_board")
    itself = msgspec.structs.replace(
        beam, emitter_mw_sr=shape["emitter_mw_sr"], receiver_ma_cm2_mw=shape["receiver_ma_cm2_mw"]
    )
    need_ua = (3.3 - _SURELY_LOW_V) / beam.pull_up_kohm * 1e3
    most_ma = emitter_told_ma(boards.beam, 5.25, bridged=True)
    yield _claim(
        "current of a beam board's emitter, ZONE closed, at 5.25 V", most_ma, 50, "mA", at_least=False
    )
    for text, parts, way_mm, bridged in (
        ("beam board itself", itself, float(shape["beam_way_mm"]), False),
        ("end zone, ZONE closed", beam, beam_ways_mm()[Kind.ZONE], True),
    ):
        ma = emitter_told_ma(boards.beam, five_volts, bridged=bridged)
        received_ua = parts.received_ua(way_mm) * ma / parts.emitter_ma(way_mm) * _DARK_SHARE
        name = f"of a clear {text} over {way_mm:.0f} mm"
        yield _claim(f"photocurrent {name}", received_ua, need_ua, "µA")
        low_v = line_told_v(boards, 7, received_ua)
        yield _claim(f"input {name}", low_v, _SURELY_LOW_V, "V", at_least=False)
    yield _claim(
        "input of a covered beam in daylight", line_told_v(boards, 7, beam.leak_ua), _SURELY_HIGH_V, "V"
    )
