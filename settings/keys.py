"""The keys of a table as a type: each field says what may stand there, what holds without it, what it is for.

The reader, its messages and the reference in ``docs/config.md`` all come from there.

Example:
    >>> from typing import Annotated
    >>> from hextraction.settings import Document
    >>> @dataclass(frozen=True, slots=True, kw_only=True)
    ... class Lights:
    ...     brightness: Annotated[float, Key("how bright all lamps are", low=0, high=1)] = 0.5
    >>> document = Document.from_text("brightness = 2", "my.toml")
    >>> values_of(document.root, Lights)
    {'brightness': 0.5}
    >>> print(*document.problems)
    my.toml:1: brightness: want a number 0..1, found 2; brightness is how bright all lamps are
"""

import dataclasses
import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from hextraction.settings.document import Section

__all__ = ["Entry", "Key", "entries", "values_of"]

_ANYTHING: Final = r"(?s).*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What a field's annotation says of its key.

    ``told`` goes on from "It is …", without a full stop. ``name`` is the key where the field is called
    otherwise. ``low`` and ``high`` bound a number, ends included. ``words`` are those that may stand there,
    or a function that knows them; a ``Literal`` and an enumeration need none. ``pattern`` has to fit a text
    wholly, ``like`` says so to people. ``names`` says that an existing file or folder is named; its path is
    read, whatever the field's type. ``must``: who writes the table has to write this key.
    """

    told: str = dataclasses.field(kw_only=False)
    name: str = ""
    low: float = 0
    high: float = 0
    words: Iterable[str] | Callable[[], Iterable[str]] = ()
    pattern: str = _ANYTHING
    like: str = "text"
    names: Literal["", "file", "folder"] = ""
    must: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One key of a table: the field that it is read into, its ``type`` and what holds without it."""

    field: str
    type: Any
    usual: Any
    key: Key

    @property
    def name(self) -> str:
        """What people write."""
        return self.key.name or self.field

    @property
    def words(self) -> tuple[str, ...]:
        """The words that may stand here; none if it is no choice."""
        if get_origin(self.type) is Literal:
            return get_args(self.type)
        if isinstance(self.type, type) and issubclass(self.type, enum.StrEnum):
            return tuple(self.type)
        return tuple(self.key.words() if callable(self.key.words) else self.key.words)

    def read(self, section: Section, folder: Path) -> Any:
        """Return what stands in a section; a mistake is noted there. Files are relative to ``folder``."""
        section.explain(self.name, f"{self.name} is {self.key.told}")
        if self.key.names:
            named = section.file if self.key.names == "file" else section.folder
            return named(self.name, folder, required=self.key.must)
        usual = () if self.key.must else (self.usual,)
        if get_origin(self.type) is tuple:
            return self._texts(section)
        if words := self.words:
            found = section.choice(self.name, words, *usual)
            return self.type(found) if isinstance(self.type, enum.EnumMeta) else found
        if self.type is Path:
            return folder / section.text(self.name, str(self.usual))
        if self.type is str:
            return section.text(self.name, *usual, pattern=self.key.pattern, like=self.key.like)
        return self._plain(section, *usual)

    def _plain(self, section: Section, *usual: Any) -> Any:
        """Read a switch or a number; one without a default is None."""
        if self.type is bool:
            return section.boolean(self.name, *usual)
        if self.name not in section and self.usual is None:
            section.raw(self.name)
            return None
        whole = self.type is not float
        if whole:
            return section.integer(self.name, int(self.key.low), int(self.key.high), *usual)
        return section.number(self.name, self.key.low, self.key.high, *usual)

    def _texts(self, section: Section) -> tuple[str, ...]:
        found, words = section.texts(self.name, self.usual), self.words
        if words and (wrong := sorted(set(found) - set(words))):
            section.complain(self.name, f"want some of {', '.join(words)}, found {', '.join(wrong)}")
            return tuple(self.usual)
        return found


def entries(table: type) -> tuple[Entry, ...]:
    """Return the keys of a table, a dataclass: its fields that a :class:`Key` annotates, in their order."""
    hints = get_type_hints(table, include_extras=True)
    return tuple(
        Entry(field=field.name, type=_wanted(hints[field.name]), usual=_usual(field), key=key)
        for field in dataclasses.fields(table)
        for key in getattr(hints[field.name], "__metadata__", ())
        if isinstance(key, Key)
    )


def _wanted(hint: Any) -> Any:
    """Return the type that an annotated one is of, without its None."""
    kind = get_args(hint)[0]
    some = [one for one in get_args(kind) if one is not NoneType]
    return some[0] if NoneType in get_args(kind) else kind


def _usual(field: "dataclasses.Field[Any]") -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def values_of(section: Section, table: type, folder: Path = Path()) -> Mapping[str, Any]:
    """Return what a section says for each key of a table, by field; mistakes are noted in the section.

    Args:
        section: the part of the file; what is not written there has the field's default.
        table: a dataclass, see :func:`entries`.
        folder: where names of files start.
    """
    return {entry.field: entry.read(section, folder) for entry in entries(table)}
