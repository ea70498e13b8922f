"""Finds the line of each key in a TOML text.

``tomllib`` drops positions. This module scans the text again, only far enough to know on which line each
table header, key and array element begins. It only sees text that ``tomllib`` has accepted, so it checks
nothing.
"""

import re
import tomllib
from typing import Final

__all__ = ["Path", "key_lines", "long_key"]

Path = tuple[str | int, ...]
"""Where a value is: keys, and indexes (from 0) into arrays."""

# A multi-line string may end in up to two quotes of its own before the three that close it.
_TOKEN: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})'
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|\n"
    r"|[\[\]{},=.]"
    r"|[^\s\[\]{},=.\"'\#]+",
    re.DOTALL,
)
_END: Final = ""
_AFTER_VALUE: Final = frozenset({",", "]", "}", "\n", _END})


def key_lines(text: str) -> dict[Path, int]:
    r"""Map the path of each table, key and array element to the line (from 1) on which it is written.

    A table's line is that of its own header; without one, where a header or dotted key first names it.

    >>> key_lines("[[sensor]]\npin = 4\n[[sensor]]\npin = 5")[("sensor", 1, "pin")]
    4
    """
    walk = _Walk(text)
    walk.document()
    return walk.lines


def long_key(text: str, most: int) -> int | None:
    r"""Return the line of the first dotted key of more than so many parts; the text may be no TOML.

    >>> long_key("a.b = 'c.d.e'\na.b.c = 1", 2)
    2
    """
    if all(line.count(".") < most for line in text.splitlines()):
        return None
    dots, after_dot = 0, False
    for word, line in _tokens(text):
        if word == ".":
            dots += 1
        elif not after_dot:
            dots = 0
        after_dot = word == "."
        if dots >= most:
            return line
    return None


class _Walk:
    """One pass over the tokens of a text."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {(): 1}
        self._tokens = _tokens(text)
        self._position = 0
        self._elements: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        self._skip_line_breaks()
        while self._peek() != _END:
            if self._peek() == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip_line_breaks()

    def _header(self) -> Path:
        """Read ``[table]`` or ``[[tables]]`` and return the path it opens."""
        line = self._line()
        self._take()
        is_array = self._take_if("[")
        path: Path = ()
        for name in self._key():
            self.lines.setdefault(path, line)
            path = self._latest((*path, name))
        if is_array:
            path = self._next_element(path, line)
        while self._peek() == "]":
            self._take()
        self.lines[path] = line
        return path

    def _latest(self, path: Path) -> Path:
        """Step into the newest element if ``path`` is an array of tables."""
        return (*path, self._elements[path]) if path in self._elements else path

    def _next_element(self, path: Path, line: int) -> Path:
        array = path[:-1] if path and isinstance(path[-1], int) else path
        self.lines.setdefault(array, line)
        self._elements[array] = self._elements.get(array, -1) + 1
        return (*array, self._elements[array])

    def _pair(self, table: Path) -> None:
        line = self._line()
        path = table
        for name in self._key():
            path = (*path, name)
            self.lines.setdefault(path, line)
        self._take()  # the equals sign
        self._value(path)

    def _key(self) -> list[str]:
        """Read a key, dotted or not, up to whatever follows it."""
        names = [_unquoted(self._take())]
        while self._take_if("."):
            names.append(_unquoted(self._take()))
        return names

    def _value(self, path: Path) -> None:
        if self._take_if("["):
            self._array(path)
        elif self._take_if("{"):
            self._inline_table(path)
        else:
            while self._peek() not in _AFTER_VALUE:
                self._take()

    def _array(self, path: Path) -> None:
        index = 0
        self._skip_line_breaks()
        while not self._take_if("]"):
            self.lines[*path, index] = self._line()
            self._value((*path, index))
            self._skip_line_breaks()
            self._take_if(",")
            self._skip_line_breaks()
            index += 1

    def _inline_table(self, path: Path) -> None:
        self._skip_line_breaks()
        while not self._take_if("}"):
            self._pair(path)
            self._skip_line_breaks()
            self._take_if(",")
            self._skip_line_breaks()

    def _peek(self) -> str:
        return self._tokens[self._position][0]

    def _line(self) -> int:
        return self._tokens[self._position][1]

    def _take(self) -> str:
        token, _line = self._tokens[self._position]
        self._position += 1
        return token

    def _take_if(self, wanted: str) -> bool:
        found = self._peek() == wanted
        self._position += found
        return found

    def _skip_line_breaks(self) -> None:
        while self._take_if("\n"):
            pass


def _tokens(text: str) -> list[tuple[str, int]]:
    """Split a text into (token, line); comments are left out and an empty token marks the end."""
    found: list[tuple[str, int]] = []
    line = 1
    for match in _TOKEN.finditer(text):
        token = match.group()
        if not token.startswith("#"):
            found.append((token, line))
        line += token.count("\n")
    return [*found, (_END, line)]


def _unquoted(token: str) -> str:
    """Return the name behind a bare or quoted key."""
    if token.startswith('"'):
        return str(tomllib.loads(f"key = {token}")["key"])
    return token.strip("'") if token.startswith("'") else token
