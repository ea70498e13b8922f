"""``hextraction wiring``: write the pages for soldering a build beside its wiring file.

For ``hub-rich.toml`` that is a folder ``hub-rich`` with the pin tables, the harness drawing, the parts with
prices and currents, and the solder checklist. ``--check`` writes nothing and lists stale pages.
"""

import argparse
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import TextIO

from hextraction.controller.workshop.documents import Wired, WiredBuild
from hextraction.controller.workshop.plans.build import SHIPPED, read_build
from hextraction.controller.workshop.plans.checklist import checklist_page
from hextraction.controller.workshop.plans.parts import parts_csv, parts_page
from hextraction.controller.workshop.plans.plugging import kit_checklist, plugs_page
from hextraction.controller.workshop.plans.wires.beams import emitter_strings, schmitt_triggers
from hextraction.controller.workshop.plans.wires.chips import Package, packages
from hextraction.controller.workshop.plans.wires.harness import harness
from hextraction.controller.workshop.terminal import progress, tell
from hextraction.hal.wiring.wires import Wiring
from hextraction.settings import Problem, SettingsError

__all__ = ["pages", "pins_page", "run"]

# --- Pin tables, as Markdown ---


def pins_page(wiring: Wiring, title: str) -> str:
    """Return all pin tables, the emitters behind each resistor, and the lamps' positions on the strip."""
    lines = [
        f"# Pins: {title}",
        "",
        "Every pin that something is soldered to; the others stay free. Nets of one name are joined.",
        "`harness.svg` shows the same packages from above. A̅ bar means: active when low.",
        "",
    ]
    for package in (*packages(wiring), *schmitt_triggers(wiring)):
        lines += [f"## {package.title}", "", *_pins(package), ""]
    lines += [*_emitters(wiring), *_lamps(wiring)]
    return "\n".join(lines)


def _pins(package: Package) -> Iterator[str]:
    rows = [(str(pin.number), pin.label, f"`{pin.net}`", pin.how) for pin in package.pins if pin.net]
    return _table(("place" if package.zigzag else "pin", "name", "joined with", "how"), rows)


def _emitters(wiring: Wiring) -> Iterator[str]:
    strings = emitter_strings(wiring)
    if strings:
        yield "## Emitters of the beams, from 5 V to ground"
        yield ""
        yield "Each row is a wire from 5 V: the resistor, an emitter, its longer leg (anode) towards it, and"
        yield "behind the shorter leg the next emitter, or ground."
        yield ""
        rows = [(f"{ohm:g} Ω", " → ".join(f"`{name}`" for name in names)) for ohm, names in strings]
        yield from _table(("resistor", "emitters"), rows)
        yield ""


def _lamps(wiring: Wiring) -> Iterator[str]:
    if wiring.lamps:
        yield "## Lamps, in the order of the strip"
        yield ""
        rows = [(f"`{lamp.name}`", f"{lamp.first}..{lamp.pixels.stop - 1}") for lamp in wiring.lamps]
        yield from _table(("lamp", "pixels, from 0"), rows)
        yield ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for cells in (head, tuple("---" for _cell in head), *rows):
        yield f"| {' | '.join(cells)} |"


# --- All pages of a build ---


def run(options: argparse.Namespace) -> int:
    """Write the pages of each build, or check them; return the exit status.

    Raises:
        SettingsError: a wiring file is wrong; every mistake of every file is in it.
    """
    said = sys.stderr if options.json else sys.stdout
    files: list[Path] = [path if options.check else _brought(path, said) for path in options.files]
    folders = {path: _folder(path, options.out, len(files)) for path in files}
    shared = _shared(folders)
    for one, other in shared:
        print(
            f"hextraction wiring: {one} and {other} would both be written to {folders[one]}: "
            "give one another name, or each an --out of its own",
            file=sys.stderr,
        )
    if shared:
        return 2
    books = [
        (path, folders[path], pages(wiring, path.stem)) for path, wiring in progress(_read(files), "builds")
    ]
    if options.check:
        return _check(books, options)
    for _path, where, book in books:
        where.mkdir(parents=True, exist_ok=True)
        for name, text in book.items():
            (where / name).write_text(text, encoding="utf-8")
        if not options.json:
            print(f"{where}: {', '.join(book)}")
    if options.json:
        _document(books, frozenset())
    return 0


def _document(books: Iterable[tuple[Path, Path, Mapping[str, str]]], stale: frozenset[Path]) -> None:
    builds = (
        WiredBuild(
            wiring=str(path),
            folder=str(where),
            pages=tuple(book),
            stale=tuple(name for name in book if where / name in stale),
        )
        for path, where, book in books
    )
    tell(Wired(builds=tuple(builds)))


def pages(wiring: Wiring, title: str) -> Mapping[str, str]:
    """Return the pages of a build by file name; the same wiring gives the same text."""
    if wiring.plugs:
        return {
            "plugs.md": plugs_page(wiring, title),
            "parts.md": parts_page(wiring, title),
            "parts.csv": parts_csv(wiring),
            "checklist.md": kit_checklist(wiring, title),
        }
    return {
        "pins.md": pins_page(wiring, title),
        "harness.svg": harness(wiring, title),
        "parts.md": parts_page(wiring, title),
        "parts.csv": parts_csv(wiring),
        "checklist.md": checklist_page(wiring, title),
    }


def _brought(path: Path, said: TextIO) -> Path:
    """Return a wiring file; for the bare name of a shipped one, a copy beside which its pages belong.

    That it was made is ``said`` to that stream.

    Raises:
        SettingsError: the bare name is neither a file nor one of those that ship.
    """
    shipped = SHIPPED / f"{path.name}.toml"
    if path.suffix or path.is_file():
        return path
    if not shipped.is_file():
        known = ", ".join(sorted(one.stem for one in SHIPPED.glob("*.toml")))
        raise SettingsError([Problem(str(path), 1, f"no such file; the wirings that ship are {known}")])
    own = path.with_name(shipped.name)
    if not own.exists():
        own.write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
        print(f"{own}: a copy of the shipped wiring; change it as you build", file=said)
    return own


def _read(files: list[Path]) -> list[tuple[Path, Wiring]]:
    """Read all files before anything is written."""
    found: list[tuple[Path, Wiring]] = []
    problems: list[Problem] = []
    for path in files:
        try:
            found.append((path, read_build(path)[0]))
        except SettingsError as error:
            problems += error.problems
    if problems:
        raise SettingsError(problems)
    return found


def _folder(path: Path, out: Path | None, count: int) -> Path:
    """Return the folder for a file's pages: beside it, or in ``out`` (one folder per file, if several)."""
    if out is None:
        return path.with_suffix("")
    return out if count == 1 else out / path.stem


def _shared(folders: Mapping[Path, Path]) -> list[tuple[Path, Path]]:
    """Return the files that would overwrite each other's pages."""
    return [
        (one, other)
        for one, other in combinations(folders, 2)
        if folders[one] == folders[other] and one.resolve() != other.resolve()
    ]


def _check(books: list[tuple[Path, Path, Mapping[str, str]]], options: argparse.Namespace) -> int:
    """Yield every page that is missing or does not match its wiring."""
    stale = [
        (path, where / name)
        for path, where, book in books
        for name, text in book.items()
        if _text(where / name) != text
    ]
    if options.json:
        _document(books, frozenset(page for _path, page in stale))
        return 1 if stale else 0
    for path, page in stale:
        print(f"{page}: is not what its wiring says; run: {_command(path, options)}", file=sys.stderr)
    if not stale:
        print(f"{sum(len(book) for _path, _where, book in books)} pages are up to date")
    return 1 if stale else 0


def _command(path: Path, options: argparse.Namespace) -> str:
    """Return the command that writes a file's pages; with ``--out`` the folder depends on the file count."""
    words = [path] if options.out is None else [*options.files, "--out", options.out]
    return shlex.join(["hextraction", "wiring", *map(str, words)])


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
