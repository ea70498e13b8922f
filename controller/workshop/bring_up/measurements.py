"""What no model can show: ten measurements that the first builder makes, with what to expect and what else to do.

The values expected come from ``board/design.toml``. ``hextraction check-board`` asks for those that a build
has, before its walk; ``docs/bring-up.md`` is all of them on paper.
"""
# ruff: noqa: E501 - one sentence of the page is one line here

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from hextraction.board.design import Design, load_design
from hextraction.controller.workshop.bring_up.walk import Step
from hextraction.controller.workshop.plans.names import all_sensors, has_pump, part_of
from hextraction.hal.wiring.wires import Wiring

__all__ = ["Measurement", "bring_up_page", "measurements", "steps_for"]

_GRAVITY: Final = 9.81


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One measurement: how, what to expect, what to do otherwise; ``wanted`` says whether a build has it."""

    name: str
    how: str
    expect: str
    otherwise: str
    wanted: Callable[[Wiring], bool]


def _has(part: str) -> Callable[[Wiring], bool]:
    return lambda wiring: any(part_of(sensor) == part for sensor in all_sensors(wiring))


def _has_gates(wiring: Wiring) -> bool:
    return any(coil.name.startswith("gate.") for coil in wiring.all_coils)


def _has_fuses(wiring: Wiring) -> bool:
    return any(coil.pptc_ma for coil in wiring.all_coils)


def measurements() -> tuple[Measurement, ...]:
    """Return all ten, in the order in which a board is built."""
    design = load_design()
    return (*_of_coils(design), *_of_supplies(design), *_of_sensors(design))


def _of_coils(design: Design) -> Iterator[Measurement]:
    gate, coil = design.gate, design.gate.coil
    reach_m = (gate.travel_mm + coil.residual_mm) * 1e-3
    pull_g = 0.5 * coil.pull_h_mm * 1e-3 / reach_m**2 / _GRAVITY * 1e3
    yield Measurement(
        name="coil's resistance",
        how="One gate's coil, unplugged and cold, with a multimeter.",
        expect=f"{coil.resistance_ohm * 0.9:.1f} to {coil.resistance_ohm * 1.1:.1f} Ω for a coil of 12 V and 1 A; any other: its volts by its amperes.",
        otherwise="Write what it draws into `current_ma`, and run `hextraction check`: it says which PPTC and which cap follow.",
        wanted=_has_gates,
    )
    yield Measurement(
        name="coil's pull",
        how=f"The plunger {gate.travel_mm:g} mm out on a kitchen scale, 1 A through the coil, for a second at most.",
        expect=f"{pull_g * 0.8:.0f} g or more; {pull_g:.0f} g were reckoned with.",
        otherwise="A stronger coil, a shorter arm of the rocker, or a weaker return spring; then measure the gate again.",
        wanted=_has_gates,
    )
    yield Measurement(
        name="gate's spring",
        how="The same scale against the rocker, without current, where the plunger sits.",
        expect=f"{coil.spring_n / _GRAVITY * 1e3 * 0.7:.0f} to {coil.spring_n / _GRAVITY * 1e3 * 1.5:.0f} g, and the lower fork stands {gate.up_mm:g} mm above the floor by itself.",
        otherwise="Another spring: a stronger one keeps a weak coil from opening, a weaker one closes too late.",
        wanted=_has_gates,
    )
    yield Measurement(
        name="gate's balls",
        how=f"{gate.queue} balls on a ramp at your slope; fire {gate.queue} times, and again with the supply at its lowest voltage.",
        expect="One ball for each pulse, never two, never none.",
        otherwise=f"None: `pulse_ms` up to {coil.max_pulse_ms}, then pull, spring and forks. Two: the forks are too far apart; they want {gate.apart_mm:g} mm.",
        wanted=_has_gates,
    )
    yield Measurement(
        name="stuck transistor",
        how="Join drain and source of one gate's MOSFET with a wire, arm, and look at the current for 20 seconds. A hand at the plug.",
        expect="1 A at first; less than 0.2 A before the 20 s are over, and the coil can be touched.",
        otherwise="Pull the plug. A PPTC that holds less; `hextraction check` says which range fits your coil.",
        wanted=_has_fuses,
    )


def _of_supplies(design: Design) -> Iterator[Measurement]:
    rail = design.coil_supply
    yield Measurement(
        name="emergency stop",
        how="Armed and at rest, a meter behind the P-MOSFET (with several hubs behind each); press the e-stop, and release it again.",
        expect="Below 1 V within a second of the press; the page says *stopped* at once; after the release nothing is armed until somebody confirms.",
        otherwise=f"A capacitor behind the P-MOSFET that belongs before the e-stop ({rail.bulk_uf:g} µF), or the bleeder of {rail.bleeder_kohm:g} kΩ is missing.",
        wanted=has_pump,
    )
    yield Measurement(
        name="voltages under load",
        how="12 V at the coils while a gate fires, 5 V at the Pi and at the strip's far end with all lamps white.",
        expect=f"{rail.volts[0]:g} V, 4.9 V and 4.5 V or more (at a kit's farthest lamp 3.7 V); nothing blinks when the supply is armed.",
        otherwise="Thicker or shorter wires (`[[branch]]`), feed the strip at both ends, a stronger supply.",
        wanted=lambda wiring: bool(wiring.all_coils) or wiring.pixels is not None,
    )


def _of_sensors(design: Design) -> Iterator[Measurement]:
    beam, hall, slot, bar = design.beam, design.hall, design.hall.slot, design.printed.bar
    yield Measurement(
        name="beam's light",
        how="The longest beam, at the receiver's collector: clear; then with a ball in it, in the brightest light of the room.",
        expect="Clear below 0.7 V (on a kit's boards 0.6); covered above 2.4 V.",
        otherwise=f"Clear too high: aim it, a better grade, or more than {beam.pull_up_kohm:g} kΩ. Covered too low: shade, a filter, or less.",
        wanted=_has("beam"),
    )
    yield Measurement(
        name="Hall's signal",
        how="`hextraction calibrate --live`: one slot's Hall without a ball, then with one over it, then with a tile laid beside it.",
        expect=f"At rest {hall.rest_v[0]:.1f} to {hall.rest_v[1]:.1f} V; a ball moves it by {hall.ball_mv:.0f} mV or more, the tile by less than {0.4 * slot.threshold_mv:.0f} mV.",
        otherwise=f"The magnet {slot.aside_mm:g} mm beside the chip and {slot.deep_mm:g} mm deeper (a kit's bar: {bar.magnet_aside_mm:g} and {bar.magnet_deep_mm:g} mm), its poles either way; if a tile moves it, a pair of the tile has equal poles.",
        wanted=_has("linear"),
    )
    yield Measurement(
        name="ball over a magnet",
        how="A straight tile on that slot, at your slope: let a ball start 20 mm above the magnet, ten times.",
        expect="It rolls past ten times and never stops on it.",
        otherwise="The magnet a millimetre deeper, and calibrate again; or a steeper board.",
        wanted=_has("linear"),
    )


def steps_for(wiring: Wiring) -> tuple[Step, ...]:
    """Return the measurements that a build has, as steps of a walk."""
    return tuple(
        Step(
            name=f"measure:{each.name}",
            kind="measure",
            device=each.name,
            ask=f"Measure. {each.how} Expected: {each.expect} Is it so? Otherwise: {each.otherwise}",
        )
        for each in measurements()
        if each.wanted(wiring)
    )


_AFTERWARDS: Final = (
    "## What is wrong, if something is",
    "",
    "`hextraction check-board` looks at the board at rest, walks over it, and says at its end what is likely wrong and where",
    "to look, with the volts to expect there; `hextraction doctor` says what a look at rest alone shows, if no table talks to",
    "the hub. On a sensor hub they know: the chain of shift registers open, and behind which chip; connectors or wires swapped,",
    "a plug in an empty connector or one place on; a column board, bar, chip, multiplexer or supply that is lost with all",
    "that hangs on it; an address line; two lines that touch; beams that are dark, blind or upside down; a Hall without power,",
    "magnet or tile; loose contacts; the lamp from which on all are dark; swapped coils. An [example](kit.md#5-first-power-and-what-to-measure).",
    "",
)


def bring_up_page() -> str:
    """Return all measurements as Markdown."""
    lines = [
        "# Bring-up: ten measurements",
        "",
        "[hardware-tests.md](hardware-tests.md) says what was calculated. These ten things no model can show; the first builder",
        "measures them, and `hextraction check-board` asks for each that a build has. Please write down what you found.",
        "",
    ]
    for number, each in enumerate(measurements(), start=1):
        lines += [
            f"## {number}. {each.name[0].upper()}{each.name[1:]}",
            "",
            f"- [ ] {each.how}",
            f"- **Expected**: {each.expect}",
            f"- **Otherwise**: {each.otherwise}",
            "",
        ]
    return "\n".join([*lines, *_AFTERWARDS])
