"""A TOML document that tracks which keys were read and collects every mistake.

Example:
    >>> document = Document.from_text("tilt_deg = 95", "my board.toml")
    >>> document.root.number("tilt_deg", 5, 30, default=15.0)
    15.0
    >>> document.finish()
    Traceback (most recent call last):
        ...
    hextraction.settings.document.SettingsError: my board.toml:1: tilt_deg: want a number 5..30, found 95
"""

import difflib
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

from hextraction.settings.lines import Path as KeyPath
from hextraction.settings.lines import key_lines, long_key

__all__ = ["Document", "Problem", "Section", "SettingsError"]

_MOST_BYTES: Final = 1_000_000
_MOST_PARTS: Final = 50
"""Of a dotted key: what its parts cost ``tomllib`` grows with their square."""
_SYNTAX_LINE = re.compile(r"\(at line (\d+), column (\d+)\)")
_REQUIRED: Final[Any] = object()
_NO_WORD: Final[Any] = ""
"""What stands for one of some words, if a mistake was found."""
T = TypeVar("T")
W = TypeVar("W", bound=str)


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where it is and what was expected there."""

    source: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.message}"


class SettingsError(ValueError):
    """A hand-written file is wrong; ``problems`` lists every mistake found in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


def _check_plain(path: Path) -> None:
    """Raise ``SettingsError`` for what would be read for ever: devices, pipes, and very large files."""
    status = path.stat()
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise SettingsError([Problem(str(path), 1, "this is a device or a pipe; want a plain file")])
    if status.st_size > _MOST_BYTES:
        size_mb, most_mb = status.st_size / 1e6, _MOST_BYTES / 1e6
        message = f"this file has {size_mb:.0f} MB; want at most {most_mb:.0f} MB"
        raise SettingsError([Problem(str(path), 1, message)])


class Document:
    """A whole file. Read it through :attr:`root`, then call :meth:`finish`."""

    def __init__(self, values: Mapping[str, Any], source: str, text: str = "") -> None:
        self.source = source
        self._text = text
        self._problems: list[Problem] = []
        self._sections: list[Section] = []
        self.root = Section(self, values, ())

    @classmethod
    def from_text(cls, text: str, source: str) -> "Document":
        """Parse TOML.

        Raises:
            SettingsError: the text is not TOML, and the line is that of the syntax error; or there is a
                very long dotted key in it. A null character is a problem of the document.
        """
        line = long_key(text, _MOST_PARTS)
        if line is not None:
            message = f"a dotted key of more than {_MOST_PARTS} parts; want fewer"
            raise SettingsError([Problem(source, line, message)])
        try:
            values = tomllib.loads(text)
        except RecursionError:
            raise SettingsError([Problem(source, 1, "this is nested too deeply to be read")]) from None
        except tomllib.TOMLDecodeError as error:
            where = _SYNTAX_LINE.search(str(error))
            line = int(where.group(1)) if where else text.count("\n") + 1
            what = _SYNTAX_LINE.sub("", str(error)).strip()
            raise SettingsError([Problem(source, line, f"this is not TOML: {what}")]) from None
        except ValueError as error:  # a number too long for Python, which does not say where it is
            raise SettingsError([Problem(source, 1, f"this is not TOML: {error}")]) from None
        nulls = list(_nulls(values))
        document = cls(_without_nulls(values) if nulls else values, source, text)
        for path in nulls:
            document.complain(path, "want text without the character \\u0000, which no file's name has")
        return document

    @classmethod
    def from_path(cls, path: Path) -> "Document":
        """Read and parse a file.

        Raises:
            SettingsError: the file is missing, unreadable, no plain file, larger than 1 MB, not UTF-8 or
                not TOML.
        """
        try:
            _check_plain(path)
            text = path.read_text(encoding="utf-8-sig")  # some editors write a byte-order mark
        except UnicodeDecodeError as error:
            problem = Problem(str(path), 1, f"this is not UTF-8 text (byte {error.start})")
            raise SettingsError([problem]) from None
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise SettingsError([Problem(str(path), 1, f"cannot read this file: {reason}")]) from None
        return cls.from_text(text, str(path))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The mistakes found so far, in the order of the file."""
        return tuple(sorted(self._problems, key=lambda problem: problem.line))

    @cached_property
    def _lines(self) -> Mapping[KeyPath, int]:
        """The line of each key; looked for only when there is a mistake to tell, as it takes its time."""
        return key_lines(self._text)

    def line_of(self, path: KeyPath) -> int:
        """Return the line of a key, or of the nearest enclosing table that has one."""
        while path not in self._lines and path:
            path = path[:-1]
        return self._lines.get(path, 1)

    def complain(self, path: KeyPath, message: str) -> None:
        """Record a mistake at ``path``; ``message`` says what was expected."""
        name = _spell(path)
        full = f"{name}: {message}" if name else message
        self._problems.append(Problem(self.source, self.line_of(path), full))

    def register(self, section: "Section") -> None:
        """Remember a section so that keys nobody asked for can be reported."""
        self._sections.append(section)

    def check_leftovers(self) -> None:
        """Record every key that no reader asked for."""
        for section in self._sections:
            section.complain_about_leftovers()
        self._sections.clear()

    def finish(self) -> None:
        """Report all mistakes.

        Raises:
            SettingsError: there was at least one mistake.
        """
        self.check_leftovers()
        if self._problems:
            raise SettingsError(self.problems)


class Section:
    """One table of a document. Its getters record a mistake and return the default instead of raising."""

    def __init__(self, document: Document, values: Mapping[str, Any], path: KeyPath) -> None:
        self.document = document
        self.path = path
        self._values = values
        self._asked: set[str] = set()
        self._explained: dict[str, str] = {}
        document.register(self)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys written here, in order."""
        return tuple(self._values)

    @property
    def line(self) -> int:
        """The line on which this table begins."""
        return self.document.line_of(self.path)

    def explain(self, key: str, told: str) -> None:
        """Let a wrong or missing value at ``key`` be answered with what the key is for, too."""
        self._explained[key] = told

    def complain(self, key: str | None, message: str) -> None:
        """Record a mistake at ``key``, or at the table itself."""
        self.document.complain(self.path if key is None else (*self.path, key), message)

    def complain_about_leftovers(self) -> None:
        """Record each key that nobody asked for, with the nearest known one."""
        for key in self._values:
            if key not in self._asked:
                near = difflib.get_close_matches(key, sorted(self._asked), n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"known here: {_listed(sorted(self._asked))}"
                self.complain(key, f"unknown key; {hint}")

    def integer(self, key: str, low: int, high: int, default: int = _REQUIRED) -> int:
        """Read a whole number in ``low..high``."""
        value = self._take(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        return self._refuse(key, f"want a whole number {low}..{high}", value, default, low)

    def number(self, key: str, low: float, high: float, default: float = _REQUIRED) -> float:
        """Read a number in ``low..high``."""
        value = self._take(key, default)
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        return self._refuse(key, f"want a number {low:g}..{high:g}", value, default, float(low))

    def boolean(self, key: str, default: bool = _REQUIRED) -> bool:  # noqa: FBT001 - reads like the others
        """Read true or false."""
        value = self._take(key, default)
        if isinstance(value, bool):
            return value
        return self._refuse(key, "want true or false", value, default, fallback=False)

    def text(
        self, key: str, default: str = _REQUIRED, *, pattern: str = r"(?s).*", like: str = "text"
    ) -> str:
        """Read text that fully matches ``pattern``; ``like`` describes it to people."""
        value = self._take(key, default)
        if isinstance(value, str) and re.fullmatch(pattern, value):
            return value
        return self._refuse(key, f"want {like}", value, default, "")

    def choice(self, key: str, choices: Iterable[W], default: W = _REQUIRED) -> W:
        """Read one of the words in ``choices``."""
        known = tuple(choices)
        value = self._take(key, default)
        for word in known:
            if value == word:
                return word
        if key not in self._values and isinstance(value, str):
            return default
        near = difflib.get_close_matches(str(value), known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        found: W = self._refuse(key, f"want one of {_listed(known)}", value, default, _NO_WORD, hint=hint)
        return found

    def texts(self, key: str, default: Sequence[str] = _REQUIRED) -> tuple[str, ...]:
        """Read a list of strings."""
        value = self._take(key, default)
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return tuple(value)
        return tuple(self._refuse(key, "want a list of texts", value, default, ()))

    def integers(self, key: str, low: int, high: int, default: Sequence[int] = _REQUIRED) -> tuple[int, ...]:
        """Read a list of whole numbers in ``low..high``."""
        value = self._take(key, default)
        if isinstance(value, list | tuple) and all(
            isinstance(item, int) and not isinstance(item, bool) and low <= item <= high for item in value
        ):
            return tuple(value)
        return tuple(self._refuse(key, f"want a list of whole numbers {low}..{high}", value, default, ()))

    def file(self, key: str, folder: Path, *, required: bool = False) -> Path | None:
        """Read the name of an existing file, relative to ``folder``; None if the key is absent or empty."""
        return self._path(key, folder, "file", required=required)

    def folder(self, key: str, folder: Path, *, required: bool = False) -> Path | None:
        """Read the name of an existing folder, relative to ``folder``; None if the key is absent or empty."""
        return self._path(key, folder, "folder", required=required)

    def _path(self, key: str, folder: Path, what: str, *, required: bool) -> Path | None:
        written = self.text(key, _REQUIRED if required else "", like=f"the name of a {what}")
        if not written:
            return None
        path = folder / written
        if not (path.is_file() if what == "file" else path.is_dir()):
            self.complain(key, f"there is no {what} {path}")
            return None
        return path

    def raw(self, key: str, default: Any = None) -> Any:
        """Read a value of any shape; the caller checks it and complains itself."""
        return self._take(key, default)

    def table(self, key: str, *, required: bool = False) -> "Section":
        """Read a table; an absent one is empty."""
        value = self._take(key, _REQUIRED if required else {})
        if not isinstance(value, Mapping):
            if value is not _REQUIRED:
                self.complain(key, f"want a table, found {_show(value)}")
            value = {}
        return Section(self.document, value, (*self.path, key))

    def tables(self, key: str) -> tuple["Section", ...]:
        """Read an array of tables (``[[key]]``); an absent one is empty."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            self.complain(key, f"want tables, each written as [[{_spell((*self.path, key))}]]")
            value = []
        path = (*self.path, key)
        return tuple(Section(self.document, item, (*path, index)) for index, item in enumerate(value))

    def _take(self, key: str, default: Any) -> Any:
        self._asked.add(key)
        if key not in self._values and default is _REQUIRED:
            self.complain(None, f"the key {key!r} is missing{self._explanation(key)}")
        return self._values.get(key, default)

    def _explanation(self, key: str) -> str:
        return f"; {self._explained[key]}" if key in self._explained else ""

    def _refuse(self, key: str, wanted: str, value: Any, default: T, fallback: T, *, hint: str = "") -> T:
        if key in self._values:
            self.complain(key, f"{wanted}, found {_show(value)}{hint}{self._explanation(key)}")
        return fallback if default is _REQUIRED else default


def _show(value: Any) -> str:
    shown = repr(value) if isinstance(value, str) else str(value)
    if isinstance(value, bool):
        shown = shown.lower()
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _nulls(values: Mapping[str, Any]) -> Iterator[KeyPath]:
    """Yield where a text has a null character, and what a key with one stands in, however deep."""
    left: list[tuple[KeyPath, Any]] = [((), values)]
    while left:
        path, value = left.pop()
        if isinstance(value, str) and "\0" in value:
            yield path
        elif isinstance(value, Mapping):
            if any("\0" in key for key in value):
                yield path
            left += [((*path, key), one) for key, one in value.items() if "\0" not in key]
        elif isinstance(value, list):
            left += [((*path, number), one) for number, one in enumerate(value)]


def _without_nulls(value: Any) -> Any:
    """Return values that can be read for other problems: each null character is a replacement character."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, Mapping):
        return {_without_nulls(key): _without_nulls(one) for key, one in value.items()}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


def _spell(path: KeyPath) -> str:
    spelled = ""
    for part in path:
        if isinstance(part, int):
            spelled += f"[{part + 1}]"
        else:  # what a terminal would take for an order is told by its number
            spelled += f"{'.' if spelled else ''}{part if part.isprintable() else repr(part)}"
    return spelled


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words) if words else "none"
