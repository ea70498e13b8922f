"""The pages of the repository, read as Markdown: their blocks of code, what people are told to type, their links."""

import functools
import itertools
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from helpers.places import ROOT
from markdown_it import MarkdownIt

from docs.anchors import anchor

__all__ = ["PAGES", "Block", "Typed", "anchors", "blocks", "commands", "links", "typed"]

ROOMS = ("docs", "examples", "hal", "hardware", "systemd", "wiring")
PAGES = sorted(
    [*ROOT.glob("*.md"), *(page for room in ROOMS for page in (ROOT / room).rglob("*.md"))],
)
MARKDOWN = MarkdownIt("commonmark").enable("table")
HTML_LINK = re.compile(r'<(?:img|a) [^>]*?(?:src|href)="([^"]+)"')
BETWEEN = {"&&", "||", ";", "|", "&"}
"""What stands between two commands of one line."""


@dataclass(frozen=True)
class Block:
    """A block of code: its page, the line where it begins, its language, its text."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def place(self):
        """Say where it is, as an editor opens it."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


@dataclass(frozen=True)
class Typed:
    """One command that a page tells people to type, by itself or within a sentence."""

    place: str
    words: tuple[str, ...]
    in_sentence: bool


@functools.cache
def tokens(page):
    """Return a page's Markdown, token by token."""
    return MARKDOWN.parse(page.read_text("utf-8"))


def blocks(page):
    """Return a page's blocks of code; what is only indented is what people type (``sh``)."""
    return [
        Block(page, one.map[0] + 1, "sh" if one.type == "code_block" else one.info.strip(), one.content)
        for one in tokens(page)
        if one.type in {"fence", "code_block"}
    ]


def inline(page):
    """Yield the parts of a page's sentences, each with its line."""
    for one in tokens(page):
        for part in one.children or ():
            yield one.map[0] + 1, part


def commands(line):
    """Return the commands of one line of a shell, each as its words; remarks and where output goes are left out.

    >>> commands("cd x && make demo ARGS='--speed 5'  # quick")
    [['cd', 'x'], ['make', 'demo', 'ARGS=--speed 5']]
    """
    reader = shlex.shlex(line, posix=True, punctuation_chars=True)
    reader.whitespace_split = True
    found = [[]]
    for word in reader:
        if word in BETWEEN:
            found.append([])
        elif found[-1][-1:] == [">"]:
            found[-1].pop()
        else:
            found[-1].append(word)
    return [words for words in found if words]


def typed(page, programs):
    """Return every command of a page: the lines of its shell blocks, and spans of code that begin with a program."""
    found = []
    for block in blocks(page):
        lines = block.text.replace("\\\n", " ").splitlines()
        if block.language == "console":
            lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        elif block.language != "sh":
            continue
        found += [
            Typed(block.place, tuple(words), in_sentence=False) for line in lines for words in commands(line)
        ]
    begins = re.compile(rf"(sudo |\.venv/bin/)?({'|'.join(programs)}) ")
    for line, part in inline(page):
        if part.type == "code_inline" and begins.match(part.content):
            place = f"{page.relative_to(ROOT)}:{line}"
            found += [Typed(place, tuple(words), in_sentence=True) for words in commands(part.content)]
    return found


def links(page):
    """Return where the links and pictures of a page lead, as they are written."""
    found = []
    for _line, part in inline(page):
        if part.type == "link_open":
            found.append(part.attrs["href"])
        elif part.type == "image":
            found.append(part.attrs["src"])
        elif part.type == "html_inline":
            found += HTML_LINK.findall(part.content)
    return found + [
        link for one in tokens(page) if one.type == "html_block" for link in HTML_LINK.findall(one.content)
    ]


def anchors(page):
    """Return the anchors of a page's headings, as GitHub spells them."""
    read = tokens(page)
    found = set()
    for opened, text in itertools.pairwise(read):
        if opened.type == "heading_open":
            name = anchor(text.content)
            found.add(next(one for one in (name, *(f"{name}-{n}" for n in range(1, 9))) if one not in found))
    return found
