"""Tiles that people describe on their phones: checked and stored like catalogue files.

A described tile may not take another's name: the tiles in a journal must mean the same for ever.
"""

import json
import logging
import re
import stat
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hextraction.controller.games.hextraction.cards.tilebook import read_tiles
from hextraction.controller.games.hextraction.cards.tilefile import read_tile
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.controller.games.marked_names import marked, plain
from hextraction.controller.games.names import clean, looks
from hextraction.settings import Document, SettingsError

__all__ = ["MOST_TILES", "OwnTileError", "keep_own", "load_own", "read_own"]

_LOG = logging.getLogger(__name__)
_KEYS: Final = ("title", "creator", "channels", "hole", "trigger", "summary", "turns")
_EFFECT_KEYS: Final = ("when", "deed", "text", "amount", "who", "forbidden", "offline", "overdrive")
MOST_TILES: Final = 60
"""Each of them may be named wherever an unseen tile is played, in every hand's options."""
_MOST_LETTERS: Final = 300
_MOST_TEXT_BYTES: Final = 1_024
"""Of all that is written on a tile: what lies on the board is shown to everybody, with its words."""
_MOST_NUMBERS: Final = 12
_DEEPEST: Final = 3
_PREFIX: Final = "own-"
_LONGEST_TITLE: Final = 40
_MOST_EFFECTS: Final = 4
_MOST_FILES: Final = 300
_MOST_FILE_BYTES: Final = 16_384


class OwnTileError(ValueError):
    """A description is not a valid tile; the text lists everything that is wrong with it, for people."""


def load_own(folder: Path | None) -> dict[str, Tile]:
    """Return the tiles stored in a folder; none if it does not exist.

    What cannot be read is left out and stays where it is: a log line names it.
    """
    if folder is None or not folder.is_dir():
        return {}
    files = sorted(path for path in folder.glob("*.toml") if _is_readable(path))
    if len(files) > _MOST_FILES:
        _LOG.error("%s: only the first %d of %d tiles are read", folder, _MOST_FILES, len(files))
    kept = files[:_MOST_FILES]
    try:
        return dict(read_tiles(kept))
    except SettingsError:
        return _those_that_can_be_read(kept)


def _is_readable(path: Path) -> bool:
    """Whether this is a file of a tile, and no pipe, device or heap of anything."""
    try:
        found = path.stat()
    except OSError as error:
        _LOG.error("%s: left out: %s", path, error.strerror)
        return False
    good = stat.S_ISREG(found.st_mode) and found.st_size <= _MOST_FILE_BYTES
    if not good:
        _LOG.error("%s: left out: want a file of at most %d bytes", path, _MOST_FILE_BYTES)
    return good


def _those_that_can_be_read(files: list[Path]) -> dict[str, Tile]:
    found: dict[str, Tile] = {}
    for path in files:
        try:
            found |= {name: tile for name, tile in read_tiles([path]).items() if name not in found}
        except SettingsError as error:
            _LOG.error("a tile is left out: %s", error)
    return found


def read_own(words: object, known: Mapping[str, object]) -> tuple[Tile, str]:
    """Return the tile that somebody describes, and its file's text for :func:`keep_own`.

    Raises:
        OwnTileError: it is not a valid tile, has too many words, or its name is taken.
    """
    if not isinstance(words, Mapping):
        raise OwnTileError("Say what the tile is like.")
    text = _as_file(words)
    tile = _checked(text)
    alike = any(
        looks(plain(one.title)) == looks(tile.title) for one in known.values() if isinstance(one, Tile)
    )
    if alike or tile.name in known:
        raise OwnTileError(f"There is a tile called {marked(tile.title)} already: give it another name.")
    written = (tile.title, tile.creator, tile.summary, *(effect.text for effect in tile.effects))
    if sum(len(one.encode()) for one in written) > _MOST_TEXT_BYTES:
        raise OwnTileError(
            f"All words of a tile together have at most {_MOST_TEXT_BYTES} bytes: say it shorter."
        )
    return tile, text


def keep_own(folder: Path, name: str, text: str) -> None:
    """Store a tile in the folder.

    Raises:
        OwnTileError: it cannot be stored.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    except OSError as error:
        raise OwnTileError(f"The tile cannot be kept: {error.strerror}.") from None


def _checked(text: str) -> Tile:
    try:
        document = Document.from_text(text, "the tile")
        (section,) = document.root.tables("tile")
        tile = read_tile(section)
        document.finish()
    except SettingsError as error:
        said = [problem.message for problem in error.problems]
        raise OwnTileError("; ".join(said)) from None
    return tile


def _as_file(words: Mapping[str, Any]) -> str:
    given = words.get("title")
    title = clean(given, _LONGEST_TITLE) if isinstance(given, str) else ""
    lines = ["[[tile]]", f"name = {json.dumps(_name_of(title))}"]
    said = {key: words[key] for key in _KEYS if words.get(key) is not None}
    lines += [f"{key} = {_toml(value)}" for key, value in {**said, "title": title}.items()]
    effects = words.get("effects", ())
    if not isinstance(effects, list | tuple) or len(effects) > _MOST_EFFECTS:
        raise OwnTileError(f"A tile has at most {_MOST_EFFECTS} effects.")
    for effect in effects:
        given = effect if isinstance(effect, Mapping) else {}
        lines.append("[[tile.effect]]")
        lines += [f"{key} = {_toml(given[key])}" for key in _EFFECT_KEYS if given.get(key) is not None]
    return "\n".join(lines) + "\n"


def _name_of(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if not name:
        raise OwnTileError("A tile needs a name with a letter or a digit.")
    return f"{_PREFIX}{name}"


def _toml(value: object, deep: int = 0) -> str:
    """Return a value as TOML: one-line text, numbers, booleans, and lists of numbers or of such lists."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case list() | tuple() if len(value) <= _MOST_NUMBERS and deep < _DEEPEST:
            return f"[{', '.join(_toml(one, deep + 1) for one in value)}]"
        case str():
            return json.dumps(_plain(value)[:_MOST_LETTERS], ensure_ascii=False)
    raise OwnTileError("A description is text, numbers, and lists of edges.")


def _plain(text: object) -> str:
    """Return text on one line, without invisible characters."""
    given = text if isinstance(text, str) else ""
    kept = ("" if unicodedata.category(letter)[0] == "C" else letter for letter in given.replace("\n", " "))
    return " ".join("".join(kept).split())
