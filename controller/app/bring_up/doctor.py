"""``hextraction doctor``: looks at everything a board needs, one line each: ok, a problem, and what to do."""

import argparse
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hextraction.controller.app.bring_up import doctor_board, doctor_hub, doctor_system
from hextraction.controller.app.bring_up.doctor_machine import Case, Finding, Machine, problem
from hextraction.controller.app.build import read_build
from hextraction.controller.config import ControllerConfig, read_config
from hextraction.hal.wiring.wires import Wiring
from hextraction.settings import SettingsError

__all__ = ["PROBES", "examine", "look_at", "report", "run"]

_log = logging.getLogger(__name__)
_INSTALLED: Final = "/etc/hextraction/hextraction.toml"
_MARKS: Final = {"ok": "ok", "problem": "PROBLEM", "absent": "-"}

Probe = Callable[[Case], Finding]

PROBES: Final[Mapping[str, Probe]] = MappingProxyType({
    "model": doctor_system.model,
    "system": doctor_system.system,
    "python": doctor_system.python,
    "program": doctor_system.program,
    "settings": doctor_board.settings,
    "user": doctor_system.user,
    "devices": doctor_board.devices,
    "pins": doctor_board.pins,
    "lamps": doctor_board.lamps,
    "hub": doctor_hub.hub,
    "current": doctor_board.current,
    "broker": doctor_board.broker,
    "service": doctor_board.service,
    "page": doctor_board.page,
    "clock": doctor_system.clock,
    "disk": doctor_system.disk,
    "supply": doctor_system.supply,
})  # fmt: skip
"""Every probe by the word at the beginning of its line, in the order of the report."""


def run(options: argparse.Namespace) -> int:
    """Print the report; return 0 if nothing is wrong, else 1."""
    findings = examine(look_at(Machine(), options.config))
    print(_as_json(findings) if options.json else report(findings))
    return int(any(finding.state == "problem" for finding in findings.values()))


def look_at(machine: Machine, config: Path | None) -> Case:
    """Read the settings as far as they can be read: the one named, or those of the installed service."""
    installed = machine.at(_INSTALLED)
    try:
        source = config or (installed if installed.exists() else None)
        settings = read_config(source) if source is not None else None
    except PermissionError:  # the folder is closed to all but root and the service
        return Case(
            machine=machine, source=installed, wrong=("may not be read; try: sudo hextraction doctor",)
        )
    except SettingsError as error:
        return Case(machine=machine, source=config or installed, wrong=tuple(map(str, error.problems)))
    if settings is None:
        return Case(machine=machine)
    wiring, wrong = _wiring(settings)
    return Case(machine=machine, source=source, config=settings, wiring=wiring, wrong=wrong)


def _wiring(settings: ControllerConfig) -> tuple[Wiring | None, tuple[str, ...]]:
    if settings.wiring is None:
        return None, ()
    try:
        return read_build(settings.wiring, settings.board)[0], ()
    except SettingsError as error:
        return None, tuple(map(str, error.problems))


def examine(case: Case) -> dict[str, Finding]:
    """Ask every probe; one that fails is a problem of its own line and of no other."""
    return {what: _asked(what, probe, case) for what, probe in PROBES.items()}


def _asked(what: str, probe: Probe, case: Case) -> Finding:
    try:
        return probe(case)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other lines still count
        _log.debug("the probe %s failed", what, exc_info=error)
        return problem(f"cannot be looked at: {error}", "is it allowed? try: sudo hextraction doctor")


def report(findings: Mapping[str, Finding]) -> str:
    """Return the report for people."""
    lines = []
    for what, finding in findings.items():
        lines.append(f"{_MARKS[finding.state]:8} {what:9} {finding.says}")
        if finding.remedy:
            lines.append(f"{'':18} -> {finding.remedy}")
    wrong = sum(finding.state == "problem" for finding in findings.values())
    count = "nothing is wrong" if not wrong else f"{wrong} problem{'s' if wrong > 1 else ''}"
    return "\n".join([*lines, "", count])


def _as_json(findings: Mapping[str, Finding]) -> str:
    return json.dumps([{"what": what, **asdict(finding)} for what, finding in findings.items()], indent=1)
