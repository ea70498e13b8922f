"""Where in a TOML text each key stands.

``tomllib`` forgets positions. This module walks the text once more, only far enough to know on which line
each table header and key begins; values are skipped, multi-line ones included. It is given text that
``tomllib`` has accepted, so it need not judge anything.
"""

import re

__all__ = ["key_lines"]

Path = tuple[str | int, ...]

_KEY_PART = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*""")
_STRINGS = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|' + r"'''.*?'''|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'|#[^\n]*", re.DOTALL
)


def key_lines(text: str) -> dict[Path, int]:
    """Map the path of each table and key to the line (from 1) on which it is written.

    An element of an array of tables appears with its index in the path: ``("sensor", 2, "pin")``.
    """
    lines: dict[Path, int] = {(): 1}
    counts: dict[Path, int] = {}
    table: Path = ()
    for number, statement in _statements(text):
        if statement.startswith("["):
            table = _open_table(statement, counts)
            for depth in range(1, len(table) + 1):
                lines.setdefault(table[:depth], number)
            continue
        parts, _rest = _dotted(statement)
        path = table + parts
        for depth in range(len(table) + 1, len(path) + 1):
            lines.setdefault(path[:depth], number)
    return lines


def _statements(text: str) -> list[tuple[int, str]]:
    """Return the first line of every statement, with values spread over lines folded away."""
    # Strings and comments may hold brackets and hashes: blank them, keeping line breaks and key quotes.
    plain = _STRINGS.sub(_blank, text)
    found: list[tuple[int, str]] = []
    depth = 0
    for number, (bare, full) in enumerate(zip(plain.split("\n"), text.split("\n"), strict=True), start=1):
        if depth == 0 and bare.strip():
            found.append((number, full.strip()))
        opening = bare.partition("=")[2] if depth == 0 else bare
        depth = max(0, depth + opening.count("[") + opening.count("{") - opening.count("]") - opening.count("}"))
    return found


def _blank(match: re.Match[str]) -> str:
    kept = match.group(0)
    if kept.startswith("#"):
        return ""
    return "\n".join("_" * max(1, len(line)) if index == 0 else "" for index, line in enumerate(kept.split("\n")))


def _dotted(text: str) -> tuple[tuple[str, ...], str]:
    parts: list[str] = []
    position = 0
    while match := _KEY_PART.match(text, position):
        parts.append(next(group for group in match.groups() if group is not None))
        position = match.end()
        if position >= len(text) or text[position] != ".":
            break
        position += 1
    return tuple(parts), text[position:]


def _open_table(header: str, counts: dict[Path, int]) -> Path:
    """Return the path of a ``[table]`` or of the next element of ``[[tables]]``."""
    is_array = header.startswith("[[")
    names, _rest = _dotted(header.lstrip("["))
    path: Path = ()
    for index, name in enumerate(names):
        path = (*path, name)
        is_last = index == len(names) - 1
        if is_array and is_last:
            counts[path] = counts.get(path, -1) + 1
            path = (*path, counts[path])
        elif path in counts:
            path = (*path, counts[path])
    return path
