"""The findings of a walk through a board: as text, as JSON for continuing later, and as phones see them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from hextraction.controller.payloads.health import CheckView
from hextraction.controller.workshop.bring_up.walk import Finding, Step, Walk
from hextraction.settings.plain import UNREADABLE

__all__ = ["SIMULATED", "ReportError", "check_view", "read_findings", "report_json", "report_lines"]

_NOT_TRIED: Final = "not tried"
_ELSE: Final = "name another with --report"
SIMULATED: Final = "simulated"
"""Stands in for the wiring in the report of a simulated board."""


class ReportError(ValueError):
    """The report of an earlier walk cannot be used; the text says why and what to do."""


class _Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    result: str
    why: str = ""
    heard: dict[str, int] = {}
    on: bool = False
    waited: bool = False


class _Report(msgspec.Struct, frozen=True, kw_only=True):
    board: str
    findings: tuple[_Row, ...]
    wiring: str = ""
    complete: bool = False
    well: int = 0
    steps: int = 0
    wall: str = ""
    causes: tuple[str, ...] = ()


def _result(walk: Walk, name: str) -> Finding:
    return walk.findings.get(name, Finding(name=name, result=_NOT_TRIED))


def report_lines(walk: Walk, title: str) -> tuple[str, ...]:
    """Return the report as text: failures with reasons, then skipped steps, then the count."""
    found = [_result(walk, step.name) for step in walk.steps]
    shown = [each for result in ("failed", "skipped", _NOT_TRIED) for each in found if each.result == result]
    rows = tuple(f"{each.result:9}  {each.name}{': ' if each.why else ''}{each.why}" for each in shown)
    well = sum(each.result == "ok" for each in found)
    return (f"{title}: {well} of {len(found)} well.", *rows)


def report_json(
    steps: Iterable[Step],
    findings: Mapping[str, Finding],
    *,
    board: str,
    wiring: str,
    wall: str,
    causes: Iterable[str] = (),
) -> str:
    """Return the report of a whole board as JSON: the findings of this and earlier walks, step by step.

    It is complete if every step was tried or deliberately skipped. ``wall`` is the time of day, ISO 8601;
    ``causes`` are what is likely wrong, in words.
    """
    found = [findings.get(step.name, Finding(name=step.name, result=_NOT_TRIED)) for step in steps]
    report = _Report(
        board=board,
        wiring=wiring,
        complete=all(each.result != _NOT_TRIED for each in found),
        well=sum(each.result == "ok" for each in found),
        steps=len(found),
        wall=wall,
        findings=tuple(map(_row, found)),
        causes=tuple(causes),
    )
    return json.dumps(msgspec.to_builtins(report), indent=1) + "\n"


def _row(finding: Finding) -> _Row:
    return _Row(
        name=finding.name,
        result=finding.result,
        why=finding.why,
        heard=dict(finding.heard),
        on=finding.on,
        waited=finding.waited,
    )


def _finding(row: _Row) -> Finding:
    return Finding(
        name=row.name, result=row.result, why=row.why, heard=row.heard, on=row.on, waited=row.waited
    )


def read_findings(path: Path, board: str, wiring: str) -> Mapping[str, Finding]:
    """Read the findings of earlier walks on the same board; ``wiring`` is its file, or :data:`SIMULATED`.

    Raises:
        ReportError: the file cannot be read, is not such a report, or is about another board.
    """
    try:
        report = msgspec.json.decode(path.read_bytes(), type=_Report)
    except OSError as error:
        raise ReportError(f"{path}: cannot read this report: {error.strerror}") from None
    except UNREADABLE as error:
        raise ReportError(f"{path}: this is no report of a checked board ({error}): {_ELSE}") from None
    if report.board != board:
        raise ReportError(f"{path}: want a report of {board}, found one of {report.board}: {_ELSE}")
    if (report.wiring == SIMULATED) is not (wiring == SIMULATED):
        raise ReportError(f"{path}: want a report of {wiring}, found one of {report.wiring}: {_ELSE}")
    return {row.name: _finding(row) for row in report.findings if row.result != _NOT_TRIED}


def check_view(walk: Walk, title: str, causes: Iterable[str] = ()) -> CheckView:
    """Return what phones see of the walk, and at its end of the likely ``causes``."""
    step, last = walk.step, _last(walk)
    shown: dict[str, Any] = {"number": min(walk.at, len(walk.steps)), "steps": len(walk.steps)}
    if last is not None:
        why = f": {last.why}" if last.why else ""
        shown |= {"last": f"{last.name}: {last.result}{why}", "good": last.result == "ok"}
    if step is None:
        return CheckView(**shown, report=(*report_lines(walk, title), *causes))
    return CheckView(**shown, name=step.name, ask=step.ask, hint=walk.hint, says=walk.says, place=step.place)


def _last(walk: Walk) -> Finding | None:
    names = [step.name for step in walk.steps[: walk.at]]
    return next((walk.findings[name] for name in reversed(names) if name in walk.findings), None)
