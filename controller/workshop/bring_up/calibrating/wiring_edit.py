"""Change values in a wiring file's text while keeping its comments and layout.

TOML can be written in more ways than an edit knows. So an edit is only tried, and accepted if the new text
parses as the old one with just that value changed; if no try does, people write the values themselves.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from hextraction.controller.workshop.bring_up.calibrating.calibration import Proposal
from hextraction.hal.wiring.file import wiring_from_text
from hextraction.settings import SettingsError
from hextraction.settings.lines import key_lines

__all__ = ["NotEditedError", "with_proposals"]

_VALUE: Final = r"[-+0-9._a-zA-Z]+"


class NotEditedError(ValueError):
    """The text was left unchanged; ``problems`` says why, and what people should write by hand."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def with_proposals(text: str, proposals: Iterable[Proposal], source: str) -> str:
    """Return the text of a wiring file with the proposed values, and everything else unchanged.

    Raises:
        SettingsError: the text is not a valid wiring file. NotEditedError: it cannot be edited safely, or a
        value is not allowed.
    """
    wiring_from_text(text, source)
    wanted, after = tuple(proposals), text
    for proposal in wanted:
        edited = _with_proposal(after, proposal)
        if edited is None:
            raise NotEditedError(_by_hand(text, wanted, source))
        after = edited
    try:
        wiring_from_text(after, source)
    except SettingsError as error:
        raise NotEditedError([f"with these values: {problem}" for problem in error.problems]) from None
    return after


def _with_proposal(text: str, proposal: Proposal) -> str | None:
    """Return the text with one value changed; ``None`` if no try parses as it should."""
    wanted = tomllib.loads(text)
    index = _index(wanted, proposal.sensor)
    value = tomllib.loads(f"value = {_written(proposal)}")["value"]
    if wanted["sensor"][index].get(proposal.key) == value:
        return text
    wanted["sensor"][index][proposal.key] = value
    return next((tried for tried in _tries(text, index, proposal) if _read(tried) == wanted), None)


def _index(values: dict[str, Any], sensor: str) -> int:
    return [table.get("name") for table in values["sensor"]].index(sensor)


def _written(proposal: Proposal) -> str:
    return f"{proposal.value:g}"


def _read(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _tries(text: str, index: int, proposal: Proposal) -> Iterator[str]:
    """Return candidate texts with the value in each possible place: several tables may share a line."""
    lines, places = text.split("\n"), key_lines(text)
    written = f"{proposal.key} = {_written(proposal)}"
    at = places.get(("sensor", index, proposal.key))
    if at is not None:
        line = lines[at - 1]
        for found in re.finditer(rf"\b{proposal.key}[\"']?\s*=\s*({_VALUE})", line):
            edited = line[: found.start(1)] + _written(proposal) + line[found.end(1) :]
            yield "\n".join([*lines[: at - 1], edited, *lines[at:]])
        return
    at = places["sensor", index, "name"]
    line = lines[at - 1]
    for found in re.finditer(r"\s*\}", line):
        edited = f"{line[: found.start()]}, {written} {line[found.end() - 1 :]}"
        yield "\n".join([*lines[: at - 1], edited, *lines[at:]])
    indent = line[: len(line) - len(line.lstrip())]
    ending = "\r" if line.endswith("\r") else ""
    yield "\n".join([*lines[:at], f"{indent}{written}{ending}", *lines[at:]])


def _by_hand(text: str, proposals: Iterable[Proposal], source: str) -> list[str]:
    """Tell people where to write each value."""
    values, places = tomllib.loads(text), key_lines(text)
    found = [f"{source}: this file is written in a way that cannot be edited safely. By hand, please:"]
    for proposal in proposals:
        table = ("sensor", _index(values, proposal.sensor))
        line = places.get((*table, proposal.key), places[*table, "name"])
        found.append(f"{source}:{line}: of {proposal.sensor}: {proposal.key} = {_written(proposal)}")
    return found
