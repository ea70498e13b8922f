"""Files that are plainly something else than a command wants: said in one line, before anybody reads them.

Only what is surely recognised is refused here; everything else is for whoever reads the file. A file of its
own because no reader knows what other readers want.
"""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

__all__ = [
    "ARCHIVE",
    "GAME",
    "JOURNAL",
    "SCENARIO",
    "TOML",
    "TRACE",
    "add_force",
    "in_the_way",
    "sort_of",
    "wrong_files",
]

ARCHIVE: Final = "gzip archive"
GAME: Final = "exported game"
JOURNAL: Final = "journal"
SCENARIO: Final = "scenario"
TOML: Final = "TOML file"
TRACE: Final = "trace"
_ENOUGH: Final = 512
_BEGINS: Final = (
    (b"SQLite format 3\0", JOURNAL),
    (b"\x89PNG", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF8", "picture"),
    (b"%PDF", "PDF"),
    (b"PK\3\4", "zip archive"),
    (b"\x1f\x8b", ARCHIVE),
    (b'{"trace"', TRACE),
    (b'{"game"', GAME),
    (b"<!doctype html", "web page"),
    (b"<html", "web page"),
    (b"<svg", "picture"),
)
_ENDS: Final = {".md": "Markdown", ".toml": TOML, ".py": "Python", ".scenario": SCENARIO}


def sort_of(path: Path) -> str:
    """Return what a file surely is, by how it begins or how its name ends; empty if that is not sure."""
    if not path.is_file():
        return ""
    try:
        with path.open("rb") as file:
            begins = file.read(_ENOUGH).lstrip()
    except OSError:
        return ""
    lowered = begins[:14].lower() if begins.startswith(b"<") else begins
    found = next((sort for first, sort in _BEGINS if lowered.startswith(first)), "")
    return found or (_ENDS.get(path.suffix.lower(), "") if begins else "")


def wrong_files(options: argparse.Namespace) -> Iterator[str]:
    """Say which files are of another sort than ``options.wants`` has it, by the argument's name."""
    for name, wanted in options.wants.items():
        for path in _paths(getattr(options, name, None)):
            found = sort_of(path)
            if found and found != wanted:
                yield f"{path}: this is no {wanted}, it is {_with_article(found)}"


def add_force(parser: argparse.ArgumentParser) -> None:
    """Let a command overwrite the file that it writes to (``output``) only where it is told to."""
    parser.add_argument("--force", action="store_true", help="overwrite the file, if it is there already")
    parser.set_defaults(writes="output")


def in_the_way(options: argparse.Namespace) -> Iterator[str]:
    """Say which file would be overwritten without ``--force``; an empty one, or a device, is none to lose."""
    path = getattr(options, options.writes, None) if options.writes else None
    adds_to_it = getattr(options, "truth", None) is not None
    if path is not None and path.is_file() and path.stat().st_size and not (options.force or adds_to_it):
        yield f"{path}: there is such a file already; name another one, or overwrite it with --force"


def _paths(value: object) -> Iterable[Path]:
    return value if isinstance(value, list) else [value] if isinstance(value, Path) else []


def _with_article(sort: str) -> str:
    if sort in {"Markdown", "Python"}:
        return sort
    return f"{'an' if sort[0] in 'aeiou' else 'a'} {sort}"
