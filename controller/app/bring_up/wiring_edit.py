"""Changing values in a wiring file's text, so that its comments and its layout stay as they are."""

import re
from collections.abc import Iterable
from typing import Final

from hextraction.controller.calibration import Proposal
from hextraction.hal.wiring import wiring_from_text
from hextraction.settings import Document
from hextraction.settings.lines import key_lines

__all__ = ["with_proposals"]

_NUMBER: Final = r"[-+0-9._eE]+"


def with_proposals(text: str, proposals: Iterable[Proposal], source: str) -> str:
    """Return the text of a wiring file with better values of some sensors.

    Raises:
        SettingsError: the text is no good wiring file, before or after.
    """
    wiring_from_text(text, source)
    for proposal in proposals:
        text = _with_proposal(text, proposal)
    wiring_from_text(text, source)
    return text


def _with_proposal(text: str, proposal: Proposal) -> str:
    lines = text.split("\n")
    places = key_lines(text)
    names = [section.raw("name") for section in Document.from_text(text, "").root.tables("sensor")]
    index = names.index(proposal.sensor)
    written = f"{proposal.value:g}"
    name_line = places["sensor", index, "name"] - 1
    key_line = places.get(("sensor", index, proposal.key))
    if key_line is not None:
        value = re.compile(rf"(\b{proposal.key}\s*=\s*){_NUMBER}")
        at = key_line - 1
        start = lines[at].index(proposal.sensor) if at == name_line and proposal.sensor in lines[at] else 0
        lines[at] = lines[at][:start] + value.sub(rf"\g<1>{written}", lines[at][start:], count=1)
    elif "{" in lines[name_line]:
        lines[name_line] = _inserted(lines[name_line], proposal, written)
    else:
        indent = lines[name_line][: len(lines[name_line]) - len(lines[name_line].lstrip())]
        lines.insert(name_line + 1, f"{indent}{proposal.key} = {written}")
    return "\n".join(lines)


def _inserted(line: str, proposal: Proposal, written: str) -> str:
    """Return a line with a key put in before the end of the inline table that names the sensor."""
    end = line.index("}", line.index(proposal.sensor))
    return f"{line[:end].rstrip()}, {proposal.key} = {written} {line[end:]}"
