"""The hub board as KiCad has it: ngspice fires a coil, presses the e-stop, and clocks through five ribbons.

Every part between supplies, Pico and screws comes from the board's own file by its value, with the tracks
that carry coils' currents; brick, e-stop, coil and what the Pico does stand around it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hextraction.board.design import Design

from bench.hardware.board_files import Board, read_board
from bench.hardware.claim import BY_BOARDS, Chapter, Claim
from bench.hardware.deck import Deck, farads, net_node, node, ohms
from bench.hardware.spice import measured

__all__ = ["HubTrial", "clock_told", "hub_claims", "hub_trial"]

_COPPER: Final = ("12V", "12V_COILS", "12V_STOP", "12V_ARMED", "COIL1", "DRAIN1")
_OHMS: Final = {"FUSE_5x20": 0.03, "PPTC_1A5": 0.15, "PPTC_0A3": 1.33}
"""Fuses at their worst."""
_PRESS_MS: Final = 600.0
_LOW_V, _HIGH_V, _RATED_V = 0.8, 2.0, 3.6
"""Levels of an RP2040, as in ``circuits``."""
_COIL_OHM: Final = 12.0
_CONVERTER_A: Final = 1.6
_WIRE_OHM: Final = 2 * 0.0178 / 0.75
"""A metre of 0.75 mm2 to a coil and back."""
_RIBBON_OHM, _RIBBON_NS = 110, 2.5
_PICO_OHM, _PICO_NS, _INPUT_PF = 40, 2, 8
_BUFFER_HIGH_V, _BUFFER_STANDS_V = 2.2, 5.5
"""An SN74LVC1G17 has surely switched by the first, and stands the second, by its sheet."""
_LATER: Final = "1599.9m 0 1600m 3.3 1750m 3.3 1750.1m 0"
_GROUND: Final = "GND"
_claim: Final = Chapter("Hub board", BY_BOARDS).claim


@dataclass(frozen=True, slots=True, kw_only=True)
class HubTrial:
    """What the board did: times in ms from the press or the disarming, energies in mJ, and levels in V.

    ``way_ohm`` is what stands in a coil's way from the jack to ground, beside the coil.
    """

    seen_ms: float
    after_mj: float
    gone_ms: float
    sense_v: float
    drain_v: float
    armed_v: float
    sag: float
    way_ohm: float


def hub_trial(
    board: Board,
    design: Design,
    *,
    volts: float,
    tolerance: float = 1.0,
    firing: bool = True,
    press: bool = True,
) -> HubTrial:
    """Arm at 200 ms, fire the first gate, press the e-stop (or disarm) at 600, and fire again a second later.

    ``tolerance`` is a factor on what holds charge, and on what empties it.

    Raises:
        RuntimeError: ngspice is not installed.
    """
    deck = Deck()
    deck.copper("h", board, _COPPER)
    for ref, value in sorted(board.values.items()):
        _part(deck, board, ref, value, tolerance)
    for net in sorted(set(board.nets) - {_GROUND, *_COPPER}):
        deck.add("R", net_node("h", net), "0 1G")
    _around(deck, board, design, volts, press=press)
    shot = f"569.99m 0 570m 3.3 690m 3.3 690.1m 0 {_LATER}" if firing else _LATER
    deck.add("V", net_node("h", "GATE1"), f"0 PWL(0 0 {shot if press else '1 0'})")
    found = measured("\n".join([*deck.lines, *_measures(board)]))
    milli = {name: found.get(name, float("inf")) * 1e3 - _PRESS_MS for name in ("seen", "gone")}
    return HubTrial(
        seen_ms=milli["seen"],
        after_mj=found["after"] * _COIL_OHM * 1e3,
        gone_ms=milli["gone"],
        sense_v=found["level"],
        drain_v=found["drain"],
        armed_v=found["armed"],
        sag=1 - found["lowest"] / found["before"],
        way_ohm=found["high"] / found["amperes"] - _COIL_OHM if firing and press else float("nan"),
    )


def _at(board: Board, pin: str) -> str:
    """Return the node of a pin: its own on nets whose tracks count, else its net's."""
    net = board.net_of(pin)
    return "0" if net == _GROUND else node("h", pin) if net in _COPPER else net_node("h", net)


def _part(deck: Deck, board: Board, ref: str, value: str, tolerance: float) -> None:
    """Add a part by its value; sockets, screws, chips and bare pads are nothing here."""

    def pin(number: int) -> str:
        return _at(board, f"{ref}.{number}")

    resistance, capacity = _OHMS.get(value, ohms(value)), farads(value)
    if resistance is not None:
        empties = ref.startswith("R") and board.net_of(f"{ref}.1") in {"HOLD", "12V_ARMED"}
        scale = tolerance if empties else 1.0
        deck.add("R", pin(1), pin(2), resistance * scale)
    elif capacity is not None:
        deck.add("C", pin(1), pin(2), capacity * tolerance)
    elif value == "SS34":
        deck.add("D", pin(2), pin(1), "SS34")
    elif value == "SMBJ15A":
        deck.add("D", pin(2), pin(1), "TVS")
    elif value == "BAT54S":
        deck.add("D", pin(1), pin(3), "BAT54")
        deck.add("D", pin(3), pin(2), "BAT54")
    elif value == "AO3400A":
        weak = board.net_of(f"{ref}.3") == "PULL"
        deck.add("M", pin(3), pin(1), pin(2), pin(2), "NMOS_WEAK" if weak else "NMOS_LOW")
    elif value == "AO4407A":
        deck.add("M", pin(5), pin(4), pin(1), pin(1), "PMOS_HIGH")
        deck.add("D", pin(5), pin(1), "BODY")
        deck.add("C", pin(4), pin(1), "2n")


def _around(deck: Deck, board: Board, design: Design, volts: float, *, press: bool) -> None:
    """Brick, converter, e-stop, a coil at the first screws, and the Pico's pump."""
    rail = design.coil_supply
    deck.lines += [
        f"Vbrick brick 0 PWL(0 0 10m {volts})",
        f"Rbrick brick b1 {rail.brick_ohm}",
        f"Lbrick b1 {_at(board, 'J6.1')} {rail.brick_uh}u",
        f"Iconv {_at(board, 'J7.1')} 0 PWL(0 0 50m 0 60m {_CONVERTER_A})",
        f"Vestop estop 0 PWL(0 {'1 599.999m 1 600m 0' if press else '1'})",
        f"Sfirst {_at(board, 'J10.1')} {_at(board, 'J10.2')} estop 0 SWITCH",
        f"Ssecond {_at(board, 'J11.1')} {_at(board, 'J11.2')} estop 0 SWITCH",
        f"Vpump pump 0 PULSE(0 3.3 200m 1u 1u 499u 1m {10_000 if press else 400})",
        f"Rpump pump {net_node('h', 'PUMP')} {_PICO_OHM}",
        f"Rwire {_at(board, 'J12.1')} coil {_WIRE_OHM}",
        "Lcoil coil inner 30m",
        f"Rcoil inner {_at(board, 'J12.2')} {_COIL_OHM}",
        "Bheat heat 0 V = i(Lcoil) * i(Lcoil)",
    ]


def _measures(board: Board) -> Iterator[str]:
    jack, armed, drain = (_at(board, pin) for pin in ("J6.1", "F4.1", "J12.2"))
    yield ".tran 100u 1800m 0 100u UIC"
    yield f".meas tran seen WHEN v({net_node('h', 'ESTOP')})={_LOW_V} FALL=1 TD=600m"
    yield ".meas tran after INTEG v(heat) FROM=620m TO=1700m"
    yield f".meas tran level AVG v({net_node('h', 'ESTOP')}) FROM=560m TO=569m"
    yield f".meas tran drain MAX v({drain})"
    yield f".meas tran armed MAX v({armed})"
    yield f".meas tran before AVG v({jack}) FROM=150m TO=190m"
    yield f".meas tran lowest MIN v({jack}) FROM=190m TO=560m"
    yield f".meas tran gone WHEN v({armed})=1 FALL=LAST"
    yield f".meas tran high AVG v({jack}) FROM=590m TO=599m"
    yield ".meas tran amperes AVG i(Lcoil) FROM=590m TO=599m"


def clock_told(board: Board, line: str) -> tuple[float, float]:
    """Return when SCK or LATCH is high for good at all columns (ns after its edge), and its most volts."""
    (resistor,) = (
        ref
        for ref in board.values
        if {board.net_of(f"{ref}.{pin}") for pin in (1, 2)} == {line, f"{line}_PICO"}
    )
    deck = Deck()
    deck.lines += [
        f"Vpico pico 0 PULSE(0 3.3 10n {_PICO_NS}n {_PICO_NS}n 500n 1000n)",
        f"Rpico pico gp {_PICO_OHM}",
        f"Rseries gp near {ohms(board.values[resistor])}",
    ]
    ends = [pin for pin in sorted(board.nets[line]) if pin.startswith("J")]
    for number, _pin in enumerate(ends):
        deck.lines += [
            f"T{number} near 0 far{number} 0 Z0={_RIBBON_OHM} TD={_RIBBON_NS}n",
            f"Cin{number} far{number} 0 {_INPUT_PF}p",
        ]
    found = measured(
        "\n".join(
            [
                *deck.lines,
                ".tran 0.1n 400n 0 0.1n",
                f".meas tran high WHEN v(far0)={_BUFFER_HIGH_V} CROSS=LAST",
                ".meas tran most MAX v(far0)",
            ]
        )
    )
    return found["high"] * 1e9 - 10, found["most"]


def hub_claims(design: Design) -> Iterator[Claim]:
    """Yield what the board must do with coils, e-stop and clocks."""
    board, rail = read_board("hub_board"), design.coil_supply
    most_v = rail.volts[1]
    slow, idle = (
        hub_trial(board, design, volts=most_v, tolerance=1.2, firing=firing) for firing in (True, False)
    )
    disarmed = hub_trial(board, design, volts=most_v, tolerance=1.2, press=False)
    usual = hub_trial(board, design, volts=12.0)
    seen_ms, after_mj = max(slow.seen_ms, idle.seen_ms), max(slow.after_mj, idle.after_mj)
    yield _claim("its Pico's pin is low after a press of the e-stop", seen_ms, 20, "ms")
    yield _claim("energy in a coil later than 20 ms after the press", after_mj, 1, "mJ")
    yield _claim("the coils' rail is below 1 V after the pump has stopped", disarmed.gone_ms, 1_000, "ms")
    yield _claim("arming takes this share of the 12 V", usual.sag * 100, 10, "%")
    yield _claim("highest voltage at a transistor's drain (AO3400A: 30 V)", slow.drain_v, 30 * 0.8, "V")
    yield _claim("e-stop sense at its lowest", usual.sense_v * 0.9 * 0.97, _HIGH_V, "V", at_least=True)
    yield _claim("e-stop sense at its highest", usual.sense_v * 1.05 * 1.03, _RATED_V, "V")
    yield _claim(
        "what stands in a coil's way, which the gates are calculated with", slow.way_ohm, rail.series_ohm, "Ω"
    )
    yield _claim("heat of the bleeder, 0.25 W", rail.volts[1] ** 2 / rail.bleeder_kohm / 1e3, 0.25 * 0.7, "W")
    yield from _clock_claims(board)


def _clock_claims(board: Board) -> Iterator[Claim]:
    for line in ("SCK", "LATCH"):
        high_ns, most_v = clock_told(board, line)
        yield _claim(f"{line} is high at five columns (half of a bit is 125 ns)", high_ns, 125 / 2, "ns")
        yield _claim(f"highest voltage of {line} at a column's buffer", most_v, _BUFFER_STANDS_V, "V")
