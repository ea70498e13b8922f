"""Gathers what the site is built from: ``python -m docs.site`` fills build/site-source for MkDocs, or FOLDER.

The site has the pages of the repository as they are, so links between them have to hold in it too. From
README.md and the pages of the navigation on, every link to a file of the repository is followed, and the file
put at the same place; a link to a folder becomes one to its README.md, or to a page that lists the folder.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["ROOT", "SOURCE", "gather", "links", "navigation", "reached"]

ROOT: Final = Path(__file__).parents[1]
SOURCE: Final = ROOT / "build" / "site-source"
FIRST: Final = ("README.md", "CHANGELOG.md")
_NAVIGATION: Final = re.compile(r"^ +- (?:.+: )?(\S+\.md)$", re.MULTILINE)
_LOOKS: Final = ("site.css", "site.js", "hexagon.svg", "iframe-worker.js")
_CODE: Final = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)|<img [^>]*src=\"([^\"]+)\"")


def links(page: Path) -> Iterator[str]:
    """Yield the links and pictures of a page that lead to files, without what is shown as code."""
    text = _CODE.sub("", page.read_text("utf-8"))
    for found in _LINK.finditer(text):
        link = found[1] or found[2]
        if ":" not in link and not link.startswith("#"):
            yield link


def navigation() -> list[str]:
    """Return the pages that stand in the site's navigation, as ``mkdocs.yml`` has them."""
    return _NAVIGATION.findall((ROOT / "mkdocs.yml").read_text("utf-8"))


def reached() -> set[Path]:
    """Return every file of the repository to which links lead from README.md and the navigation on."""
    waiting = [ROOT / name for name in (*FIRST, *navigation())]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        if path.is_dir():
            waiting += _files(path)
            continue
        found.add(path)
        if path.suffix == ".md":
            waiting += [_there(path, link) for link in links(path)]
    return found


def _files(folder: Path) -> list[Path]:
    return sorted(one for one in folder.rglob("*") if one.is_file())


def _there(page: Path, link: str) -> Path:
    """Return what a link leads to; a symlink stays one, for pages name it by its own path."""
    return Path(os.path.normpath(page.parent / link.partition("#")[0]))


def gather(source: Path = SOURCE) -> None:
    """Fill the folder that MkDocs reads."""
    shutil.rmtree(source, ignore_errors=True)
    for path in reached():
        there = source / path.relative_to(ROOT)
        there.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            there.write_text(_with_pages_for_folders(path, source), "utf-8")
        else:
            shutil.copy(path, there)
    for name in _LOOKS:
        shutil.copy(ROOT / "docs" / "look" / name, source / name)


def _with_pages_for_folders(page: Path, source: Path) -> str:
    text = page.read_text("utf-8")
    for link in set(links(page)):
        folder = page.parent / link
        if folder.is_dir():
            text = text.replace(f"]({link})", f"]({link.rstrip('/')}/index.md)")
            _list(folder.resolve(), source)
    return text


def _list(folder: Path, source: Path) -> None:
    """Write a page that lists the files of a folder."""
    there = source / folder.relative_to(ROOT) / "index.md"
    there.parent.mkdir(parents=True, exist_ok=True)
    names = [one.relative_to(folder) for one in _files(folder)]
    rows = [f"- [{name}]({name})" for name in names]
    there.write_text(f"# {folder.relative_to(ROOT)}\n\n" + "\n".join(rows) + "\n", "utf-8")


if __name__ == "__main__":
    gather(*map(Path, sys.argv[1:2]))
