"""The circuits as ngspice calculates them, each deck made from ``board/design.toml``."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hextraction.board.design import CoilRail, Design

from bench.hardware.claim import Chapter, Claim
from bench.hardware.spice import measured

__all__ = ["ACCEPTED_VOLTS", "CoilTrial", "coil_claims", "coil_trial", "rail_gone_ms", "steady_claims"]

ACCEPTED_VOLTS: Final = (5.0, 6.0, 9.0, 12.0)
"""Supplies that the wiring file takes; in between nothing else happens."""
_LOW_V, _HIGH_V, _RATED_V = 0.8, 2.0, 3.6
"""Levels of an RP2040 at 3.3 V: surely low, surely high, and what a pin stands (data sheet, 5.5.3)."""
_PRESS_MS: Final = 600.0
_LATER: Final = "1599.9m 0 1600m 3.3 1750m 3.3 1750.1m 0"
_TWICE: Final = f"569.99m 0 570m 3.3 690m 3.3 690.1m 0 {_LATER}"
_MODEL: Final = "ngspice"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoilTrial:
    """What happened to the coils' supply: times in ms, voltages in V, energies in mJ.

    ``seen_ms`` is from the press of the e-stop until the hub's pin is surely low; ``after_mj`` what the coil
    got later than 20 ms after it, a pulse one second later included; ``sense_v`` the steady level before.
    """

    seen_ms: float
    after_mj: float
    sense_v: float
    drain_v: float
    sag: float
    five_sag: float


def coil_trial(
    rail: CoilRail,
    *,
    volts: float = 12.0,
    coil_ohm: float = 12.0,
    capacitor_behind_uf: float = 0.0,
    tolerance: float = 1.0,
    firing: bool = True,
) -> CoilTrial:
    """Arm, fire, press the e-stop within the pulse, and fire again a second later.

    Without ``firing`` no coil is on when it is pressed.

    ``capacitor_behind_uf`` stands behind the P-MOSFET beside the design's own. ``tolerance`` is a factor on
    what holds charge.
    """
    shots = _TWICE if firing else _LATER
    pressed = measured(_deck(rail, volts, coil_ohm, capacitor_behind_uf, tolerance, shots=shots))
    return CoilTrial(
        seen_ms=(pressed.get("seen", float("inf")) * 1e3) - _PRESS_MS,
        after_mj=pressed["after"] * coil_ohm * 1e3,
        sense_v=pressed["level"],
        drain_v=pressed["drain"],
        sag=1 - pressed["lowest"] / pressed["before"],
        five_sag=1 - pressed["fivelow"] / pressed["five"],
    )


def rail_gone_ms(
    rail: CoilRail, *, volts: float = 12.0, capacitor_behind_uf: float = 0.0, tolerance: float = 1.0
) -> float:
    """Return how long after disarming the coils' rail is below 1 V; infinite if that takes over a second."""
    disarmed = measured(_deck(rail, volts, 12.0, capacitor_behind_uf, tolerance, shots=""))
    return disarmed.get("gone", float("inf")) * 1e3 - _PRESS_MS


def _deck(
    rail: CoilRail, volts: float, coil_ohm: float, behind_uf: float, tolerance: float, *, shots: str
) -> str:
    """The brick is there from the start; armed at 200 ms, fired by ``shots``, pressed or disarmed at 600."""
    press, end_ms = bool(shots), 1_700 if shots else 1_800
    return "\n".join(
        (
            "",
            _brick(rail, volts, tolerance),
            _estop(rail, volts, tolerance, press=press),
            _switch(rail, tolerance),
            _pump(rail, tolerance, stops_after=10_000 if press else 400),
            _coil(rail, coil_ohm, behind_uf, tolerance, shots),
            _MEASURED.format(end_ms=end_ms, low_v=_LOW_V),
        )
    )


def _brick(rail: CoilRail, volts: float, tolerance: float) -> str:
    """The supply with its wire, the capacitor behind it, and a converter that gives 5 V while it has 6.5."""
    return f"""\
Vbrick brick 0 PWL(0 0 10m {volts})
Rbrick brick b1 {rail.brick_ohm}
Lbrick b1 in {rail.brick_uh}u
Cbulk in cb {rail.bulk_uf * tolerance}u
Rbulk cb 0 0.03
Bfive five 0 V = V(in) > 6.5 ? 5 : V(in) * 0.77
Rfive five 0 5"""


def _estop(rail: CoilRail, volts: float, tolerance: float, *, press: bool) -> str:
    """The e-stop's two contacts, and the divider to the hub's pin behind the second one."""
    contact = "1 599.999m 1 600m 0" if press else "1"
    second = "Second src div estop 0 SWITCH" if rail.estop_contacts > 1 else "Rsecond src div 1m"
    return f"""\
Vestop estop 0 PWL(0 {contact})
Sfirst in src estop 0 SWITCH
Csrc src 0 1n
{second}
Rupper div sense {rail.upper_kohm(volts)}k
Rlower sense 0 {rail.sense_kohm}k
Csense sense 0 {rail.sense_nf * tolerance}n"""


def _switch(rail: CoilRail, tolerance: float) -> str:
    """The P-MOSFET and what its gate hangs on."""
    return f"""\
Mhigh rail pgate src src PMOS_HIGH
Dhigh rail src BODY
Rpgate pgate src {rail.gate_kohm}k
Cpgate pgate src {rail.gate_nf * tolerance + 2}n
Rseg pgate pull {rail.gate_series_kohm}k
Mpump pull hold 0 0 NMOS_WEAK"""


def _pump(rail: CoilRail, tolerance: float, *, stops_after: int) -> str:
    """The charge pump, fed a thousand times a second from 200 ms on, for so many periods."""
    return f"""\
Vpump pump 0 PULSE(0 3.3 200m 1u 1u 499u 1m {stops_after})
Cpump pump diode {rail.pump_uf}u
Dpump1 0 diode BAT54
Dpump2 diode hold BAT54
Cpump2 hold 0 {rail.pump_uf * tolerance}u
Rpump hold 0 {rail.pump_kohm * tolerance}k"""


def _coil(rail: CoilRail, coil_ohm: float, behind_uf: float, tolerance: float, shots: str) -> str:
    """The armed rail, and one coil with its diode and its transistor."""
    return f"""\
Crail rail 0 {rail.rail_uf * tolerance + behind_uf}u
Rrail rail 0 {rail.bleeder_kohm * tolerance}k
Rseries rail coil {rail.series_ohm}
Lcoil coil inner 30m
Rcoil inner drain {coil_ohm}
Dcoil drain rail SS34
Mlow drain gate 0 0 NMOS_LOW
Vlow shot 0 PWL(0 0 {shots})
Rlow shot gate 100
Bheat heat 0 V = i(Lcoil) * i(Lcoil)"""


_MEASURED: Final = """\
.tran 100u {end_ms}m 0 100u UIC
.meas tran seen WHEN v(sense)={low_v} FALL=1 TD=600m
.meas tran after INTEG v(heat) FROM=620m TO={end_ms}m
.meas tran level AVG v(sense) FROM=560m TO=569m
.meas tran drain MAX v(drain)
.meas tran before AVG v(in) FROM=150m TO=190m
.meas tran lowest MIN v(in) FROM=190m TO=560m
.meas tran five AVG v(five) FROM=150m TO=190m
.meas tran fivelow MIN v(five) FROM=190m TO=560m
.meas tran gone WHEN v(rail)=1 FALL=LAST
"""


_claim: Final = Chapter("Coils and e-stop", _MODEL).claim


def coil_claims(design: Design) -> Iterator[Claim]:
    """Yield what the coils' supply must do when it is armed, fired, stopped and disarmed."""
    rail = design.coil_supply
    most = {"volts": rail.volts[1], "tolerance": 1.2}
    slow, idle = (coil_trial(rail, **most, firing=firing) for firing in (True, False))
    usual = coil_trial(rail)
    seen_ms, after_mj = max(slow.seen_ms, idle.seen_ms), max(slow.after_mj, idle.after_mj)
    yield _claim("the hub's pin is low after a press of the e-stop", seen_ms, 20, "ms")
    yield _claim("energy in a coil later than 20 ms after the press", after_mj, 1, "mJ")
    yield _claim("the rail is below 1 V after the pump has stopped", rail_gone_ms(rail, **most), 1_000, "ms")
    yield _claim("arming takes this share of the 12 V", usual.sag * 100, 10, "%")
    yield _claim("arming takes this share of the 5 V", usual.five_sag * 100, 5, "%")
    yield _claim("highest voltage at a transistor's drain (AO3400A: 30 V)", slow.drain_v, 30 * 0.8, "V")


def steady_claims(design: Design) -> Iterator[Claim]:
    """Yield what holds as long as nothing changes: levels of the e-stop's sense, and of an unplugged hub."""
    rail = design.coil_supply
    for volts in ACCEPTED_VOLTS:
        sense_v = _sense_v(rail, volts)
        low, high = sense_v * 0.9 * 0.97, sense_v * 1.05 * 1.03
        name = f"e-stop sense with coil_volts = {volts:g} and {rail.upper_kohm(volts):g} kΩ"
        yield _claim(f"{name}, at its lowest", low, _HIGH_V, "V", at_least=True)
        yield _claim(f"{name}, at its highest", high, _RATED_V, "V")
    yield _claim("gate of the P-MOSFET against its source (±20 V)", rail.volts[1], 20 * 0.8, "V")
    yield from _pico(design)


def _sense_v(rail: CoilRail, volts: float) -> float:
    """Return the level at the hub's pin with the e-stop released."""
    return measured(f"""
Vin in 0 {volts}
Rupper in sense {rail.upper_kohm(volts)}k
Rlower sense 0 {rail.sense_kohm}k
Csense sense 0 {rail.sense_nf}n
.tran 0.1m 20m
.meas tran level AVG v(sense) FROM=15m TO=20m
""")["level"]


def _pico(design: Design) -> Iterator[Claim]:
    """An unplugged Pico whose DATA 0 a powered shift register holds high."""
    found = measured(f"""
Vchain chain 0 3.3
Rchain chain out 30
Rdata out pin {design.coil_supply.data_ohm}
Dpin pin three CLAMP
Rthree three 0 500
.tran 1u 1m 0 1u
.meas tran ma AVG i(Vchain) FROM=0.5m TO=1m
.meas tran volts AVG v(three) FROM=0.5m TO=1m
""")
    for text, figure, limit, unit in (
        ("current into an unplugged Pico through DATA 0", -found["ma"] * 1e3, 4, "mA"),
        ("its 3.3 V then (it must not start)", found["volts"], 1.2, "V"),
    ):
        yield Chapter("Hub and inputs", _MODEL).claim(text, figure, limit, unit)
