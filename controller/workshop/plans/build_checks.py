"""Checks of a wiring that need the board: sensors of a set, lamps, parts that cannot work, and currents."""

import difflib
import functools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hextraction.board.design import load_design
from hextraction.board.escapement import FOR_EVER_MS, Conditions, try_gate
from hextraction.board.instruments import EVERY_SET, Kind, find_instrument, instruments, lamps
from hextraction.board.profile import Board
from hextraction.controller.workshop.plans.budget import BranchLoad, branch_loads, budget_of, rail_loads
from hextraction.controller.workshop.plans.names import AnySensor, all_sensors, has_pump, part_of
from hextraction.hal.wiring.branches import CONNECTOR_A, stands_a
from hextraction.hal.wiring.coil_limits import CEILING_MEAN_W, CEILING_PULSE_MS, fuse_range_ma
from hextraction.hal.wiring.file import NAME
from hextraction.hal.wiring.wires import (
    BUTTON,
    BranchWire,
    CoilWire,
    ExpanderInput,
    HubCoil,
    SensorWire,
    Wiring,
)
from hextraction.settings import Document, Section

__all__ = [
    "PARTIAL",
    "check_branches",
    "check_coils",
    "check_complete",
    "check_currents",
    "check_lamps",
    "check_parts",
    "check_rails",
    "check_without",
    "name_of",
    "names_of",
]

PARTIAL: Final = "partial"
"""How a wiring declares that its sensors are not a complete set; then nothing is missing."""
_MOST_TOLD: Final = 6
_LOWEST_BUCK_VOLTS: Final = 7
_KICKER_MS: Final = 50
_FUSE_SHARE: Final = 0.8
"""A fuse is loaded to this share of its rating at most, or it ages."""
_COPPER_OHM_MM2_M: Final = 0.0178
_LOST_SHARE: Final = 0.05
_LONGEST_BEAM_FILTER_US: Final = 7_500
"""As on the hub. A 10 mm ball blocks a centred beam for 13 ms at 0.75 m/s, an off-centre one for less."""


def name_of(section: Section) -> str:
    """Return the name in a table; empty if it is invalid, which the wiring has reported already."""
    written = section.raw("name")
    return written if isinstance(written, str) and re.fullmatch(NAME, written) else ""


def names_of(sections: Sequence[Section]) -> list[str]:
    """Return the valid names in some tables."""
    return [name for name in map(name_of, sections) if name]


def check_complete(section: Section, board: Board, which: str, wired: Sequence[str]) -> None:
    """Note sensors of the set that are not wired, unless the file leaves them out on purpose."""
    without = section.texts("without", ())
    wanted = [] if which not in EVERY_SET else [each.name for each in instruments(board, which)]
    absent = [name for name in wanted if name not in wired and name not in without]
    if absent and (without or not section.raw("without")):  # otherwise that list is wrong, not this
        remedy = f"wire them, name them in board.without, or write {PARTIAL!r}"
        message = f"the set {which} has {len(absent)} more sensors; {remedy}: {_first(absent)}"
        section.complain("instruments", message)


def check_without(section: Section, board: Board, which: str, wired: Sequence[str]) -> None:
    """Note sensors that are left out on purpose, but listed twice, wired, or not in the set."""
    without = section.texts("without", ())
    wanted = {each.name for each in instruments(board, which)} if which in EVERY_SET else set()
    for name, times in Counter(without).items():
        if times > 1:
            section.complain("without", f"{name!r} is written {times} times; once is enough")
        if name in wired:
            section.complain("without", f"{name!r} is not left out: it is wired; take it off this list")
        elif which in EVERY_SET and name not in wanted:
            section.complain("without", f"{name!r} is no sensor of the set {which}; take it off this list")
        elif not _is_known(board, name):
            section.complain("without", f"{name!r} is no sensor of {board.name}; take it off this list")


def check_lamps(board: Board, sections: Sequence[Section]) -> None:
    """Note lamps whose place is not on the board."""
    known = [name for name, _count in lamps(board)]
    for section in sections:
        name = name_of(section)
        if name and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            wanted = f"want slot.SLOT, ramp.RAMP or zone.ZONE of the board {board.name}"
            section.complain("name", f"{wanted}, found {name!r}{hint}")


def check_parts(board: Board, sections: Sequence[Section], wiring: Wiring) -> None:
    """Note parts that cannot do what they are wired for."""
    wires = {sensor.name: sensor for sensor in all_sensors(wiring)}
    for section in sections:
        name = name_of(section)
        if not name:
            continue
        _check_hall(section, board, name)
        wire = wires.get(name)  # none: it is on a hub or expander that the file does not have
        part = "" if wire is None else part_of(wire)
        if part == BUTTON:
            _check_button(section)
        elif part == "beam":
            _check_beam(section, wire)


def _check_hall(section: Section, board: Board, name: str) -> None:
    """A switching Hall detects a tile's magnet, but no steel ball."""
    if not _is_known(board, name) or "linear" in section or section.raw("part") == "beam":
        return
    instrument = find_instrument(board, name)
    if instrument.linear:
        wanted = "want linear = NUMBER: a Hall that only switches does not see a steel ball"
        section.complain("name", f'{wanted} (or part = "beam", if it is one), found {name!r} elsewhere')
    elif instrument.kind is not Kind.TILE and section.raw("part") == "hall":
        wanted = "want beam, or linear = NUMBER: a Hall that only switches does not see a steel ball"
        section.complain("part", f"{wanted}, found 'hall'")


def _check_button(section: Section) -> None:
    """A button must make the level opposite to its pull resistor; otherwise it is pressed for ever."""
    if "pin" not in section and "expander" not in section:
        return
    pull, active = section.raw("pull", "up"), section.raw("active", "low")
    if (pull, active) == ("up", "high"):
        section.complain("active", "want 'low' with pull = 'up': a button to ground, found 'high': always on")
    elif (pull, active) == ("down", "low"):
        section.complain("pull", "want 'up' with active = 'low': a button to ground, found 'down': always on")


def _check_beam(section: Section, wire: AnySensor | None) -> None:
    """A filter longer than a ball's time in the beam would never let a ball through."""
    if isinstance(wire, SensorWire | ExpanderInput) and wire.debounce_us > _LONGEST_BEAM_FILTER_US:
        wanted = f"want at most {_LONGEST_BEAM_FILTER_US / 1_000:g} for a beam: a quick ball is past in 13 ms"
        section.complain("debounce_ms", f"{wanted}, found {wire.debounce_us / 1_000:g}")


def check_currents(document: Document, wiring: Wiring) -> None:
    """Note supplies that cannot deliver the estimated current of the build."""
    budget, supply = budget_of(wiring), wiring.supply
    if budget.others_ma > supply.others_ma:
        told = ", ".join(f"{load.name} {load.ma}" for load in budget.loads)
        wanted = f"want at least {budget.others_ma}, by what is wired ({told})"
        document.complain(("supply", "others_ma"), f"{wanted}, found {supply.others_ma}: raise it")
    volts = wiring.power.coil_volts
    if supply.buck and volts < _LOWEST_BUCK_VOLTS:
        wanted = f"want power.coil_volts of {_LOWEST_BUCK_VOLTS} or more to make 5 V of them"
        document.complain(
            ("supply", "buck"), f"{wanted}, or a 5 V supply and buck = false, found {volts:g} V"
        )
    elif supply.buck and budget.coil_supply_ma > supply.coil_ma:
        parts = f"one coil {budget.coil_ma}, the converter for 5 V {budget.buck_ma}"
        wanted = f"want at least {budget.coil_supply_ma} ({parts})"
        remedy = "take a stronger supply or a lower pixels.budget_ma"
        document.complain(("supply", "coil_ma"), f"{wanted}, found {supply.coil_ma}: {remedy}")


def check_coils(board: Board, sections: Sequence[Section], wiring: Wiring) -> None:
    """Note gates whose pulse lets no ball go, kickers that push for too long, and coils that may stay hot."""
    coils = {coil.name: coil for coil in wiring.all_coils}
    for section in sections:
        coil = coils.get(name_of(section))
        if coil is None:
            continue
        _check_stuck(section, coil, wiring)
        if coil.name.startswith("kicker.") and coil.limits.max_pulse_ms > _KICKER_MS:
            wanted = f"want at most {_KICKER_MS} for a kicker"
            section.complain("max_pulse_ms", f"{wanted}, found {coil.limits.max_pulse_ms}")
        elif coil.name.startswith("gate.") and coil.pulse_ms < (least_ms := _least_gate_ms(board.tilt_deg)):
            most_ms = coil.limits.max_pulse_ms
            fits = f"want {least_ms}..{most_ms}"
            wanted = fits if least_ms <= most_ms else f"want {least_ms} or more, and max_pulse_ms with it"
            section.complain(
                "pulse_ms",
                f"{wanted}: a gate that opens for less lets no ball go at {board.tilt_deg:g} degrees, "
                f"found {coil.pulse_ms}",
            )
        elif (
            coil.name.startswith("gate.") and isinstance(coil, HubCoil) and not _lets_go(board.tilt_deg, coil)
        ):
            section.complain(
                "pull_in_ms",
                f"want more, or a higher hold_percent: a gate that is held so lets no ball go at "
                f"{board.tilt_deg:g} degrees, found {coil.pull_in_ms}",
            )


def _check_stuck(section: Section, coil: CoilWire | HubCoil, wiring: Wiring) -> None:
    """A transistor that is stuck on must heat no coil for ever: a meter notices it, or a fuse trips."""
    watts = wiring.power.coil_volts * coil.current_ma / 1_000
    is_watched = wiring.current is not None and has_pump(wiring)
    least_ma, most_ma = fuse_range_ma(coil.current_ma, coil.limits.duty_percent)
    if not coil.pptc_ma:
        if watts > CEILING_MEAN_W and not is_watched:
            wanted = f"want pptc_ma = {least_ma}..{most_ma}, what a PPTC in the coil's wire holds"
            wanted = wanted if least_ma <= most_ma else "want duty_percent = 5 and a PPTC in the coil's wire"
            meter = "or a table [current] beside a supply that can be disarmed"
            stuck = f"{watts:g} W for ever if its transistor is stuck on"
            section.complain(None, f"{wanted}, {meter}, found neither: {stuck}")
    elif least_ma > most_ma:
        wanted = "want less, so that a PPTC holds what the coil draws in play and trips when it is stuck"
        section.complain("duty_percent", f"{wanted}, found {coil.limits.duty_percent:g}")
    elif not least_ma <= coil.pptc_ma <= most_ma:
        why = "less trips in play, more does not trip at a hot coil at a low voltage"
        section.complain("pptc_ma", f"want {least_ma}..{most_ma}: {why}, found {coil.pptc_ma}")


def _lets_go(tilt_deg: float, coil: HubCoil) -> bool:
    """Whether a gate that is held lets a ball go, at low voltage and warm."""
    if coil.hold_percent == 100:
        return True
    held = replace(_hard(tilt_deg), pull_in_ms=coil.pull_in_ms, hold_percent=coil.hold_percent)
    return try_gate(coil.pulse_ms, held).released > 0


def _hard(tilt_deg: float) -> Conditions:
    """Return the hardest that a gate must open under: low voltage, warm coil, all that stands in its wire."""
    design = load_design()
    coil, rail = design.gate.coil, design.coil_supply
    return Conditions(
        tilt_deg=tilt_deg, volts=rail.volts[0], warmer_k=coil.warm_k, series_ohm=rail.series_ohm
    )


@functools.cache
def _least_gate_ms(tilt_deg: float) -> int:
    """Return the shortest pulse that surely lets a ball go: until it has passed, at low voltage and warm."""
    passed_us = try_gate(FOR_EVER_MS, _hard(tilt_deg)).passed_us
    return CEILING_PULSE_MS if passed_us is None else math.ceil(passed_us / 1_000)


def check_branches(document: Document, wiring: Wiring) -> None:
    """Note branches of the supplies whose wire, fuse or connector is too thin, and ones that are missing."""
    if not wiring.branches:
        return
    needed = branch_loads(wiring)
    for index, branch in enumerate(wiring.branches):
        load = needed.get(branch.name)
        if load is None:
            document.complain(
                ("branch", index, "name"), f"this build has no branch {branch.name!r}; take it out"
            )
        else:
            _check_branch(document, index, branch, load)
    there = {branch.name for branch in wiring.branches}
    absent = [name for name in needed if name not in there]
    if absent:
        document.complain(("branch", 0), f"want a branch for {', '.join(absent)} too, found none")


def check_rails(document: Document, wiring: Wiring) -> None:
    """Note rails of a kit that would have to give more than they can."""
    for rail in rail_loads(wiring):
        if rail.ma > rail.most_ma:
            told = ", ".join(f"{load.count} {load.name} {load.ma}" for load in rail.loads)
            wanted = f"want at most {rail.most_ma} mA on {rail.name} ({rail.source})"
            document.complain(("plug", 0), f"{wanted}, found {rail.ma} ({told})")


def _check_branch(document: Document, index: int, branch: BranchWire, load: BranchLoad) -> None:
    """The fuse must bear the load, the wire and its connector the fuse, and the voltage must arrive."""
    if branch.fuse_a and load.amperes > _FUSE_SHARE * branch.fuse_a:
        least = load.amperes / _FUSE_SHARE
        wanted = f"want at least {least:.1f} for {load.amperes:.2f} A, found {branch.fuse_a:g}"
        document.complain(("branch", index, "fuse_a"), wanted)
    most_a = min(branch.fuse_a or load.supply_a, load.supply_a)
    what = (
        f"the fuse of {branch.fuse_a:g} A" if branch.fuse_a else f"a supply of {load.supply_a:g} A, no fuse"
    )
    if most_a > stands_a(branch.mm2):
        wanted = f"want a wire that stands {most_a:g} A ({what}), found {branch.mm2:g} mm² for"
        document.complain(("branch", index, "mm2"), f"{wanted} {stands_a(branch.mm2):g} A: a fire path")
    if most_a > CONNECTOR_A[branch.connector]:
        wanted = f"want one that stands {most_a:g} A ({what}), found {branch.connector!r}"
        document.complain(("branch", index, "connector"), f"{wanted} for {CONNECTOR_A[branch.connector]:g} A")
    lost_v = load.amperes * 2 * branch.length_m * _COPPER_OHM_MM2_M / branch.mm2
    if lost_v > _LOST_SHARE * load.volts:
        wanted = f"want a thicker or shorter wire: {lost_v:.2f} of {load.volts:g} V are lost on the way"
        document.complain(("branch", index, "mm2"), f"{wanted}, found {branch.mm2:g} mm²")


def _is_known(board: Board, name: str) -> bool:
    try:
        find_instrument(board, name)
    except ValueError:
        return False
    return True


def _first(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_TOLD} more" if len(names) > _MOST_TOLD else ""
    return ", ".join(names[:_MOST_TOLD]) + more
