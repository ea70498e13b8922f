"""The game's glossary, available at any time: the clause that defines each word, and where to read on (3).

A word's meaning is written once, with its clause, and is shown from there. A file of its own because the
phone's reference is made from it too.
"""

from typing import Final

import msgspec

__all__ = ["GLOSSARY", "Term", "term"]


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """A word of the rules: the clause that defines it, and the clauses to read on."""

    name: str
    clause: str
    see: tuple[str, ...] = ()


_ROWS: Final = (
    ("Activated Effect", "3.ActivatedEffect", ("2.7",)),
    ("Break the Loop", "3.BreakTheLoop", ("2.1.4",)),
    ("Combo", "3.Combo", ("2.2.1.1", "2.4.6")),
    ("Create", "3.Create", ("3.Virtual",)),
    ("Destroy", "3.Destroy", ("2.4",)),
    ("Discard", "3.Discard", ("3.Pool",)),
    ("Edge", "3.Edge", ()),
    ("Hand", "3.Hand", ("1.2",)),
    ("Installed", "3.Installed", ()),
    ("Legal", "3.Legal", ()),
    ("Limit", "3.Limit", ("2.2.2",)),
    ("Main Pool", "3.MainPool", ("1.0",)),
    ("Notch", "3.Notch", ("3.Orientation",)),
    ("Offline", "3.Offline", ()),
    ("On Play", "3.OnPlay", ("2.2.5",)),
    ("Ongoing Effect", "3.OngoingEffect", ()),
    ("Orientation", "3.Orientation", ("2.2.4",)),
    ("Overdrive", "3.Overdrive", ()),
    ("Overwrite", "3.Overwrite", ()),
    ("Playing", "3.Playing", ("2.2",)),
    ("Pool", "3.Pool", ("3.Pool.3",)),
    ("Roll", "3.Roll", ("2.1",)),
    ("Rolling", "3.Rolling", ("2.1.4",)),
    ("Setup", "3.SetupInstructions", ("2.2.3",)),
    ("Stabilize", "3.Stabilize", ("2.3",)),
    ("Tile Keyword", "3.TileKeyword", ()),
    ("Touch", "3.Touch", ("2.1.4.3",)),
    ("Trigger", "3.Trigger", ("2.6",)),
    ("Unique", "3.Unique", ("3.Unique.1",)),
    ("Virtual", "3.Virtual", ("3.Create",)),
    ("Virtual Pool", "3.VirtualPool", ("3.Virtual",)),
)

GLOSSARY: Final[dict[str, Term]] = {
    name.lower(): Term(name=name, clause=clause, see=see) for name, clause, see in _ROWS
}


def term(name: str) -> Term | None:
    """Look up a word of the game as people write it; None if there is no such word."""
    return GLOSSARY.get(name.strip().lower())
