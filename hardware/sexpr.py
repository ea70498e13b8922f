"""KiCad's own text: nested lists in brackets. Of its own because boards, schematics and libraries are all written so."""

import uuid
from typing import Final

__all__ = ["Node", "Quoted", "identity", "number", "written"]

Node = tuple["str | float | Quoted | Node", ...]

_SPACE: Final = uuid.UUID("7a1ff4c0-5d0b-5e0c-9a43-70b2f1b0c0de")
_SHORT: Final = 90


class Quoted(str):
    """A text that is written in quotes."""

    __slots__ = ()


def identity(*what: object) -> Node:
    """Return the ``uuid`` of a thing: the same for the same words."""
    return ("uuid", Quoted(uuid.uuid5(_SPACE, "/".join(map(str, what)))))


def number(value: float) -> str:
    """Write a number without needless digits."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def written(node: Node, depth: int = 0) -> str:
    """Write a list: on one line if it is short, else each list in it on a line of its own."""
    flat = _flat(node)
    if len(flat) + depth <= _SHORT:
        return flat
    head, lines, indent = [], [], "\n" + "\t" * (depth + 1)
    for part in node:
        if isinstance(part, tuple):
            lines.append(written(part, depth + 1))
        elif lines:
            lines.append(_atom(part))
        else:
            head.append(_atom(part))
    return "(" + " ".join(head) + "".join(indent + line for line in lines) + "\n" + "\t" * depth + ")"


def _flat(node: Node) -> str:
    return "(" + " ".join(_flat(part) if isinstance(part, tuple) else _atom(part) for part in node) + ")"


def _atom(part: str | float | Quoted) -> str:
    if isinstance(part, Quoted):
        return '"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return part if isinstance(part, str) else number(part)
