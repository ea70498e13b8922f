"""Every clause of the rules and every ruling, briefly in our own words, for the people at a table.

The texts are data (``clauses.toml`` beside this module). No game logic reads them: games cite clauses by id,
and the pages generated from this file tell people what an id means.
"""

import enum
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hextraction.settings import Document, Section

__all__ = ["Clause", "Enforced", "gist", "load_clauses", "read_clauses"]

_FILE: Final = Path(__file__).with_name("clauses.toml")
_CLAUSE_ID: Final = r"[0-3]\.(\d+|[A-Z]\w*)(\.\w+)*"
_RULING_ID: Final = r"R-\d\d"
_SENTENCE: Final = r"(?=.{10,160}$).*[.?!\"]"
_TITLE: Final = r"\S+( \S+){0,4}"


class Enforced(enum.Enum):
    """Who enforces a clause."""

    ADJUDICATED = "adjudicated"
    """The board decides from what it knows of the game."""
    SENSED = "sensed"
    """The board decides from what its sensors saw, or what people report in their place."""
    ATTESTED = "attested"
    """People judge it; the board acts on what they say."""
    ADVISORY = "advisory"
    """The board reminds people, and does nothing more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause, or a ruling where the rules leave something open.

    ``title`` has one to five words, ``gist`` a short sentence or two. A ruling lists the ``clauses`` that it
    settles and may name the ``setting`` in the table ``[game]`` that changes it.
    """

    id: str
    title: str
    gist: str
    enforced: Enforced
    clauses: tuple[str, ...] = ()
    setting: str = ""

    @property
    def is_ruling(self) -> bool:
        """Whether it is one of our rulings rather than a clause of the rules."""
        return self.id.startswith("R-")


@functools.cache
def load_clauses() -> Mapping[str, Clause]:
    """Return all clauses and rulings by id, clauses first, in the order of the rules.

    Raises:
        SettingsError: the shipped file is broken, which is our bug.
    """
    return read_clauses(_FILE)


def gist(clause_id: str) -> str:
    """Return what a clause or ruling says.

    Raises:
        KeyError: no clause or ruling has this id.
    """
    return load_clauses()[clause_id].gist


def read_clauses(path: Path) -> Mapping[str, Clause]:
    """Read a file of clauses and rulings.

    Raises:
        SettingsError: with every mistake in the file.
    """
    document = Document.from_path(path)
    found: dict[str, Clause] = {}
    for section in document.root.tables("clause"):
        _enter(found, section, _read(section, _CLAUSE_ID))
    rulings = document.root.tables("ruling")
    for section in rulings:
        _enter(found, section, _read_ruling(section, found))
    document.finish()
    return found


def _read(section: Section, pattern: str) -> Clause:
    return Clause(
        id=section.text("id", pattern=pattern, like="the number of a clause or ruling"),
        title=section.text("title", pattern=_TITLE, like="one to five words"),
        gist=section.text("gist", pattern=_SENTENCE, like="a sentence or two, 160 characters at most"),
        enforced=Enforced(section.choice("enforced", [one.value for one in Enforced]) or "advisory"),
    )


def _read_ruling(section: Section, known: Mapping[str, Clause]) -> Clause:
    bare = _read(section, _RULING_ID)
    settled = section.texts("clauses")
    for unknown in (one for one in settled if one not in known):
        section.complain("clauses", f"there is no clause {unknown}")
    return Clause(
        id=bare.id,
        title=bare.title,
        gist=bare.gist,
        enforced=bare.enforced,
        clauses=settled,
        setting=section.text("setting", "", pattern=r"[a-z_]+", like="the key of a setting"),
    )


def _enter(found: dict[str, Clause], section: Section, clause: Clause) -> None:
    if clause.id in found:
        section.complain("id", f"{clause.id} is here twice")
    found[clause.id] = clause
