"""The words of the game, to look up at any time without touching the game (3, in our words)."""

from typing import Final

import msgspec

__all__ = ["GLOSSARY", "Term", "term"]


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """A word of the rules: its clause, what it means, and the clauses to read on."""

    name: str
    clause: str
    text: str
    see: tuple[str, ...] = ()


_ROWS: Final = (
    ("Activated Effect", "3.ActivatedEffect", "The active player uses it when the game is stable.", ("2.7",)),
    (
        "Break the Loop",
        "3.BreakTheLoop",
        "Every tile at three touches goes at once; no new ball.",
        ("2.1.4",),
    ),
    ("Combo", "3.Combo", "A tile that is played as several sub-tiles.", ("2.2.1.1", "2.4.6")),
    ("Create", "3.Create", "Find a Virtual tile in hand or pool and play it now.", ("3.Virtual",)),
    ("Destroy", "3.Destroy", "Take a tile out of the game for good.", ("2.4",)),
    ("Discard", "3.Discard", "Put a tile back into its pool.", ("3.Pool",)),
    ("Edge", "3.Edge", "A side of a slot: one is at the top, then clockwise to six.", ()),
    ("Hand", "3.Hand", "The tiles that a player may play; three after each turn.", ("1.2",)),
    ("Installed", "3.Installed", "Lying on the board.", ()),
    ("Legal", "3.Legal", "May be chosen: no effect and no rule speaks against it.", ()),
    ("Limit", "3.Limit", "Restricts where or when a tile can be played.", ("2.2.2",)),
    ("Main Pool", "3.MainPool", "Where everybody draws from, unseen.", ("1.0",)),
    ("Notch", "3.Notch", "The next orientation that fits.", ("3.Orientation",)),
    ("Offline", "3.Offline", "Works if the board was without power when the game last came to rest.", ()),
    ("On Play", "3.OnPlay", "Happens once the tile lies and is let go.", ("2.2.5",)),
    ("Ongoing Effect", "3.OngoingEffect", "Applies all the time.", ()),
    ("Orientation", "3.Orientation", "A way round in which the tile sits flat.", ("2.2.4",)),
    ("Overdrive", "3.Overdrive", "Works if every slot was full when the game last came to rest.", ()),
    ("Overwrite", "3.Overwrite", "Lay a tile where another lies; that one is destroyed.", ()),
    ("Playing", "3.Playing", "Having a tile to install, until all is resolved.", ("2.2",)),
    (
        "Pool",
        "3.Pool",
        "A heap of mixed tiles; alone it is the Main Pool, and a pool is either.",
        ("3.Pool.3",),
    ),
    ("Roll", "3.Roll", "Let a ball go on a ramp.", ("2.1",)),
    ("Rolling", "3.Rolling", "From letting a ball go until the game is stable.", ("2.1.4",)),
    ("Setup", "3.SetupInstructions", "How the moving parts of a tile are prepared.", ("2.2.3",)),
    ("Stabilize", "3.Stabilize", "Nothing moves and no effect is left.", ("2.3",)),
    ("Tile Keyword", "3.TileKeyword", "Unique, Virtual, Combo: they belong to the tile and are effects.", ()),
    ("Touch", "3.Touch", "A ball comes onto a tile on which it did not lie before.", ("2.1.4.3",)),
    ("Trigger", "3.Trigger", "Happens when a rolling ball touches the marked area.", ("2.6",)),
    ("Unique", "3.Unique", "At most one of that name and keyword should lie on the board.", ("3.Unique.1",)),
    ("Virtual", "3.Virtual", "Meant to be created; leaves for the Virtual Pool.", ("3.Create",)),
    (
        "Virtual Pool",
        "3.VirtualPool",
        "Where Virtual tiles wait; only Create takes them out.",
        ("3.Virtual",),
    ),
)

GLOSSARY: Final[dict[str, Term]] = {
    name.lower(): Term(name=name, clause=clause, text=text, see=see) for name, clause, text, see in _ROWS
}


def term(name: str) -> Term | None:
    """Return a word of the game as people write it, or None."""
    return GLOSSARY.get(name.strip().lower())
