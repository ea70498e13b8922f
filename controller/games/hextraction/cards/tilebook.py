"""The tile catalogue: reading catalogue files, cross-checking them, and finding a tile by name.

Rules of this room:

1. Shipped files and players' own are read by the same code; all mistakes in all files are reported at once.
2. A player's tile may replace a shipped one of the same name; within one set of files names are unique. 3.
Nothing here claims to know an unpublished card: see ``docs/tiles.md`` for what is known.
"""

import enum
import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hextraction.board.routes import CATALOGUE_FOLDER
from hextraction.controller.games.hextraction.cards.tilefile import read_tile
from hextraction.controller.games.hextraction.cards.tiles import Catalogue, Tile, nearest
from hextraction.settings import Document, Problem, Section, SettingsError

__all__ = [
    "Doer", "doer", "load_catalogue", "load_tiles", "read_tiles", "shipped_files", "tiles_of_text",
]  # fmt: skip

_CATALOGUE: Final = CATALOGUE_FOLDER


@dataclass(frozen=True, slots=True)
class _Entry:
    """A tile with the TOML table it came from, for reporting mistakes."""

    tile: Tile
    section: Section


@functools.cache
def load_tiles() -> Catalogue:
    """Return the shipped catalogue.

    Raises:
        SettingsError: a shipped file is broken, which is our bug.
    """
    return read_tiles([_CATALOGUE])


@functools.cache
def shipped_files() -> Mapping[str, tuple[str, ...]]:
    """Return the names of the tiles in each shipped file, by file name (``basic``, ``official`` …)."""
    known = load_tiles()
    return {path.stem: tuple(read_tiles([path], known)) for path in _files(_CATALOGUE)}


def load_catalogue(folder: Path | str | None = None) -> Catalogue:
    """Return the shipped catalogue, overridden by a player's own tiles.

    Args:
        folder: a folder of TOML files, or one such file.

    Raises:
        SettingsError: with every mistake in every file.

    >>> from hextraction.api import load_tiles
    >>> bell = load_tiles()["bell"]
    >>> bell.title, bell.channels
    ('BELL', ((1, 2, 3, 4, 5, 6),))
    """
    shipped = load_tiles()
    return shipped if folder is None else {**shipped, **read_tiles([Path(folder)], shipped)}


def read_tiles(paths: Iterable[Path], known: Catalogue | None = None) -> Catalogue:
    """Read tiles from TOML files and folders of them; they may refer to each other and to ``known`` tiles.

    Raises:
        SettingsError: with every mistake in every file.
    """
    return _read(*_open_all(paths), known or {})


def tiles_of_text(text: str, source: str, known: Catalogue) -> Catalogue:
    """Read tiles from the text of a catalogue file; ``source`` is what a mistake is said to be in.

    Raises:
        SettingsError: with every mistake.
    """
    return _read([Document.from_text(text, source)], [], known)


def _read(documents: list[Document], problems: list[Problem], known: Catalogue) -> Catalogue:
    entries: dict[str, _Entry] = {}
    for document in documents:
        for section in document.root.tables("tile"):
            _enter(entries, _Entry(read_tile(section), section))
        document.check_leftovers()
    if not problems:  # an unreadable file would make every reference to it wrong
        _check_references(entries, known)
    problems += [problem for document in documents for problem in document.problems]
    if problems:
        raise SettingsError(problems)
    return {name: entry.tile for name, entry in entries.items()}


def _open_all(paths: Iterable[Path]) -> tuple[list[Document], list[Problem]]:
    """Open each file once, however many times it was named."""
    documents: list[Document] = []
    problems: list[Problem] = []
    for path in dict.fromkeys(path for given in paths for path in _files(given)):
        try:
            documents.append(Document.from_path(path))
        except SettingsError as error:
            problems += error.problems
    return documents, problems


def _files(path: Path) -> list[Path]:
    return sorted(path.glob("*.toml")) if path.is_dir() else [path]


def _enter(entries: dict[str, _Entry], entry: _Entry) -> None:
    name = entry.tile.name
    if name in entries:
        first = entries[name].section
        entry.section.complain("name", f"{name!r} is already at {first.document.source}:{first.line}")
    elif name:  # an empty name has been refused already
        entries[name] = entry


def _check_references(entries: Mapping[str, _Entry], known: Catalogue) -> None:
    tiles = {**known, **{name: entry.tile for name, entry in entries.items()}}
    for name, entry in entries.items():
        section = entry.section
        for key, other, virtual in _references(entry.tile):
            where = (*section.path, *key)
            if other not in tiles:
                section.document.complain(where, f"no tile is called {other!r}{nearest(other, tiles)}")
            elif virtual and not tiles[other].virtual:
                section.document.complain(where, f"want a virtual tile, and {other!r} is none")
        if name in known and known[name].virtual and not entry.tile.virtual:
            section.complain("keywords", f"the shipped tile {name!r} is virtual and others rely on it")


def _references(tile: Tile) -> Iterator[tuple[tuple[str | int, ...], str, bool]]:
    """Yield the tiles that a tile refers to: where, which, and whether it must be Virtual."""
    for part in tile.parts:
        yield ("parts",), part, False
    for counterpart in tile.counterparts:
        yield ("counterparts",), counterpart, True
    for index, effect in enumerate(tile.effects):
        if effect.tile:
            yield ("effect", index, "tile"), effect.tile, effect.deed.creates
        for prey in effect.eats:
            yield ("effect", index, "eats"), prey, False


class Doer(enum.Enum):
    """Who does what the card of a tile says."""

    RULES = "the board"
    """Pieces of the game change by themselves, or by the choices of those who are asked."""
    BOTH = "board and people"
    """As above, except for a part that people do; they are told what."""
    PEOPLE = "people"
    """They are told what to do and say when it is done."""
    NOBODY = "nobody"
    """The card has no rule: the tile only guides or holds balls."""


def doer(tile: Tile) -> Doer:
    """Return who does what the card of a tile says."""
    attested = {effect.deed.by_people for effect in tile.effects}
    if not attested:
        return Doer.RULES if tile.keywords else Doer.NOBODY
    return Doer.BOTH if len(attested) > 1 else Doer.PEOPLE if attested == {True} else Doer.RULES
