"""What people check on a tile because no machine can, and what each finding means (0.1, 0.2, 0.3, 2.6.2).

Slips in the rules are read as in R-66. Anything visible may mark a trigger (R-67). A finding is a *mark* on a
kind of tile: (word, name of the tile). Marks come with the set-up; during a game two players can add those of
0.1.
"""

from typing import Final

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import Effect, When

__all__ = [
    "CHECKLIST",
    "SIX_CHECKS",
    "Item",
    "excluded",
    "excluding_clauses",
    "has_mark",
    "striking_clause",
]

Marks = tuple[tuple[str, str], ...]


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the checklist: its clause, what is wrong, and what follows from it.

    ``strikes``: the tile's effects do nothing; ``excludes``: the tile stays out of the game; ``warns``: the
    table is told before the game.
    """

    clause: str
    text: str
    strikes: bool = False
    excludes: bool = False
    warns: bool = True


CHECKLIST: Final[dict[str, Item]] = {
    "traps": Item(clause="0.1.1", text="keeps somebody in the game, or their things", strikes=True),
    "out_of_game": Item(clause="0.1.2", text="rewards or punishes something outside the game", strikes=True),
    "meta": Item(clause="0.1.3", text="speaks about the meta rules without being Forbidden", strikes=True),
    "harms": Item(clause="0.1.4", text="damages balls, the board or other tiles", strikes=True),
    "hurts": Item(clause="0.1.5", text="may hurt somebody", strikes=True, excludes=True),
    "items": Item(clause="0.1.6", text="needs an item that only its owner has to bring"),
    "adds": Item(clause="0.1.7", text="brings more tiles into the game", strikes=True),
    "returns": Item(clause="0.1.8", text="brings destroyed tiles back", strikes=True),
    "locks": Item(clause="0.1.9", text="is hard to take out of its slot"),
    "no_draw": Item(clause="0.1.10", text="keeps somebody from drawing after a turn", strikes=True),
    "skips": Item(clause="0.1.11", text="costs more than one turn in a row"),
    "no_arrows": Item(clause="0.2.1", text="has set-up instructions without arrows: they do not count"),
    "no_setup_card": Item(clause="0.2.2", text="has set-up instructions but no card: better left out"),
    "no_star": Item(clause="0.2.3", text="has an effect but no star"),
    "no_card": Item(clause="0.2.4", text="has an effect but no rules card: it may be destroyed for that"),
    "no_seat": Item(clause="0.2.5", text="never lies flat in a slot, however you turn it", excludes=True),
    "no_shuffle": Item(clause="0.2.6", text="cannot be shuffled fairly", excludes=True),
    "two_cards": Item(clause="0.3.3", text="has a second card of the same owner: only the first counts"),
    "unmarked": Item(clause="2.6.2", text="has a trigger that is not marked: the table must agree to it"),
    "text_only": Item(clause="3.Trigger.1", text="marks its trigger only with words", warns=False),
    "printed": Item(clause="2.5.1", text="has its rules printed on it", warns=False),
}  # fmt: skip


SIX_CHECKS: Final = "The six checks of a tile: arrows, set-up card, star, rules card, seat, shuffle."
"""What a table checks before it plays, and again when somebody doubts a tile (0.2)."""


def has_mark(marks: Marks, word: str, name: str) -> bool:
    """Whether a kind of tile has a mark."""
    return (word, name) in marks


def excluded(marks: Marks, name: str) -> bool:
    """Whether a kind of tile stays out of the game."""
    return bool(excluding_clauses(marks, name))


def excluding_clauses(marks: Marks, name: str) -> tuple[str, ...]:
    """Return the clauses by which a kind of tile stays out of the game."""
    items = [CHECKLIST[word] for word, tile in marks if tile == name and word in CHECKLIST]
    return tuple(item.clause for item in items if item.excludes)


def striking_clause(marks: Marks, name: str, effect: Effect | None = None) -> str | None:
    """Return the clause that strikes an effect of a kind of tile, if there is one.

    Without an effect it is about what the tile's keywords imply.

    A Forbidden effect may change the meta rules, if the ballot enabled it (0.1.3).
    """
    for word, tile in marks:
        item = CHECKLIST.get(word)
        allowed = word in {"meta", "returns"} and effect is not None and effect.forbidden
        if tile != name or item is None or allowed:
            continue
        if item.strikes or (word == "no_arrows" and effect is not None and effect.when is When.SETUP):
            return item.clause
    return None
