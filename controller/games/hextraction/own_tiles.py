"""Tiles that people describe on their phones: checked and stored like catalogue files.

A described tile may not take another's name: the tiles in a journal must mean the same for ever.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hextraction.controller.games.hextraction.tilebook import read_tiles
from hextraction.controller.games.hextraction.tilefile import read_tile
from hextraction.controller.games.hextraction.tiles import Tile
from hextraction.settings import Document, SettingsError

__all__ = ["OwnTileError", "load_own", "read_own"]

_KEYS: Final = ("title", "creator", "channels", "hole", "trigger", "summary", "turns")
_EFFECT_KEYS: Final = ("when", "deed", "text", "amount", "who", "forbidden", "offline", "overdrive")
_MOST: Final = 300
_DEEPEST: Final = 3
_PREFIX: Final = "own-"
_LONGEST_TITLE: Final = 40
_MOST_EFFECTS: Final = 4


class OwnTileError(ValueError):
    """A description is not a valid tile; the text lists everything that is wrong with it, for people."""


def load_own(folder: Path | None) -> dict[str, Tile]:
    """Return the tiles stored in a folder; none if the folder does not exist.

    Raises:
        SettingsError: with every mistake in every file.
    """
    return dict(read_tiles([folder])) if folder is not None and folder.is_dir() else {}


def read_own(words: object, known: Mapping[str, object], folder: Path | None) -> Tile:
    """Return the tile that somebody describes, and store it in the folder if there is one.

    Raises:
        OwnTileError: it is not a valid tile, its name is taken, or it cannot be stored.
    """
    if not isinstance(words, Mapping):
        raise OwnTileError("Say what the tile is like.")
    text = _as_file(words)
    tile = _checked(text)
    if tile.name in known:
        raise OwnTileError(f"There is a tile called {tile.title} already: give it another name.")
    if sum(name.startswith(_PREFIX) for name in known) >= _MOST:
        raise OwnTileError(f"This table keeps {_MOST} tiles of its own, and has them all.")
    if folder is not None:
        _keep(folder, tile.name, text)
    return tile


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


def _keep(folder: Path, name: str, text: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    except OSError as error:
        raise OwnTileError(f"The tile cannot be kept: {error.strerror}.") from None


def _as_file(words: Mapping[str, Any]) -> str:
    title = _plain(words.get("title"))[:_LONGEST_TITLE].strip()
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
        case list() | tuple() if len(value) <= _MOST and deep < _DEEPEST:
            return f"[{', '.join(_toml(one, deep + 1) for one in value)}]"
        case str():
            return json.dumps(_plain(value)[:_MOST], ensure_ascii=False)
    raise OwnTileError("A description is text, numbers, and lists of edges.")


def _plain(text: object) -> str:
    """Return text on one line, without invisible characters."""
    given = text if isinstance(text, str) else ""
    kept = ("" if unicodedata.category(letter)[0] == "C" else letter for letter in given.replace("\n", " "))
    return " ".join("".join(kept).split())
