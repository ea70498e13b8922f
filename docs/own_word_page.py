"""The page for whoever makes a word for tile files: an example, whole, and all that it may use and say about itself."""

# ruff: noqa: E501 - one line of the page is one line here

import ast
import inspect
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from hextraction.controller.games.hextraction.cards.vocabulary import Deed, Limit
from hextraction.controller.games.hextraction.state.deeds import Acting

from docs.citations import ROOT

__all__ = ["word_page"]

_EXAMPLE: Final = ROOT / "examples" / "swap_neighbours"
_INTRODUCTION: Final = """\
# A word of your own, for tile files

Made by `make docs` from [`examples/swap_neighbours`](../examples/swap_neighbours/README.md) and the code that it works with.
When none of [some seventy deeds](effects.md) says what your card does, you write one: a word is one object in one file, which says how a tile file spells it, what people are told, and
what it does. The table does the rest by itself: votes, disputes, the journal, phones.

A word that only lasts or limits is a `Deed`; one that does something is an `Acting`. Everything comes from `hextraction.api.effects`.
[`examples/tribute`](../examples/tribute/README.md) is another one: it asks two people, the second about a hand.

## 1. The word

This one asks for a first tile, then for a second, and lets both change places with the balls on them. All of it, `swap_neighbours.py`:
"""
_NAMED: Final = """
## 2. Its name

A package adds the word by an entry point of the group `hextraction.effects`, whose name is the word; `pyproject.toml` beside it:
"""
_TILE: Final = """
## 3. A tile that has it, and what is to come of it

`tiles/tiles.toml`, as for [any tile](your-own-tile.md):
"""
_SCENARIO: Final = """
And the first of its scenarios, `tiles/swap_neighbours.scenario`; the others let it be voted off, disputed and taken back, and let whoever is asked leave:
"""
_TRY: Final = """
In the folder of the package, with the board's own `.venv` switched on:

    pip install .
    hextraction scenario tiles/swap_neighbours.scenario
    hextraction demo --own-tiles tiles

A replay or a journal of such a game needs the package, too.

"""
_WORKS_WITH: Final = """\
## What a word works with

| `Doing`: the effect as it happens | Means |
|---|---|
| `copy`, `slot` | the tile that has it, and where it happens; empty if that is not on the board |
| `seat` | whom it concerns |
| `ask(move, text, clause, choices, about, seat=…)` | asks `seat`, or whom it concerns; each choice is (word, label) |
| `asked` | in the answer: who was asked, if that was somebody else |
| `about(Kind, …)` | makes what a question is about: an `OfEffect` of yours |
| `come_to_nothing(move, why)` | tells everybody that it does nothing, and why |

A question remembers what its answer needs in a frozen subclass of `OfEffect`, not in the word: it travels
with the question through undo and the journal. The rules read two things of it: `about_hand` and `about_board`.

| `Move`: the game as it is, and what changes it | Means |
|---|---|
| `player(seat)`, `staying()`, `name(seat)` | a player, with `hand`; who plays on; how somebody is called |
| `laid_at(slot)`, `laid_copy(copy)`, `layout()` | a tile that lies, a `Laid`; `layout` is which copy lies in which slot |
| `board.neighbours(slot)`, `board.neighbour(slot, edge)` | the slots around; `None` beyond the board's edge |
| `board.slot_names`, `board.by_name[slot]` | all slots; one: `column`, `row`, `x_mm`, `y_mm` (downhill) |
| `title(copy)`, `called(copy, slot)`, `tile(copy)` | a tile in words, with its slot, and its kind |
| `hand_choices(seat)` | a hand as choices |
| `take(seat, copy)`, `set_player(seat, hand=…)` | takes a tile from the hand or a pool; changes a hand |
| `installed.laid`, `set_laid(laid)` | all tiles that lie, each a `Laid`: `copy`, `slots`, `turns`; lets others lie, or as others. `relocate` does that and lets balls go along |
| `luck(below)` | a number of chance, 0 up to `below`, that the journal remembers |
| `say(kind, text, …)` | tells everybody |

`do` of an `Acting` is a function of both, `do(move, doing)`; `answered(move, doing, about, choice)` hears what was chosen. Besides, `draw`, `discard_copy`, `destroy`, `relocate`, `kicked` (the balls on a moved tile are let go),
`decree` (somebody wins, loses, skips …), `covered` and `usable_slots`.

**Who sees what.** The text of a question is for everybody, its choices too, unless it is `about_hand`: then only
who is asked sees it. `EXPECT hands secret` in a scenario reads what is asked.

**What is taken back.** A void roll, or a dispute, ends what an effect asks. Tiles that were drawn, discarded
or given stay where they are. Tiles that were moved on the board go back after a void roll; after a dispute
they stay, as what hands have done stands. An undo gives back hands as they were.

**Who leaves.** A choice `seat.NAME` goes as that player leaves. For who was asked chance answers, unless
`all_can_see` or `goes_without_saying` say otherwise. Whoever is concerned may have left: say so by `moot`.

**What lasts.** A word keeps nothing between two effects: what is to last is in the game (who holds which tile, what lies where, whose turns are skipped), in a question, or with people.

## What the rules ask a word itself
"""


def word_page() -> str:
    """Return the page."""
    tile = (_EXAMPLE / "tiles" / "tiles.toml").read_text("utf-8").partition("\n\n")[2]
    case = (_EXAMPLE / "tiles" / "swap_neighbours.scenario").read_text("utf-8").split("\n\n")[1]
    parts = [
        _INTRODUCTION,
        _block("python", f"# swap_neighbours.py\n{(_EXAMPLE / 'swap_neighbours.py').read_text('utf-8')}"),
        _NAMED,
        _block("toml", (_EXAMPLE / "pyproject.toml").read_text("utf-8")),
        _TILE,
        _block("text", tile),
        _SCENARIO,
        _block("text", case),
        _TRY,
        _WORKS_WITH,
    ]
    for made in (Deed, Limit, Acting):
        parts.append(f"\n| `{made.__name__}` | Means |\n|---|---|\n")
        parts += [f"| `{name}` | {meaning} |\n" for name, meaning in _columns(made)]
    return "".join(parts)


def _block(language: str, text: str) -> str:
    return f"\n```{language}\n{text.strip()}\n```\n"


def _columns(made: type) -> Iterator[tuple[str, str]]:
    """Yield the fields of a class with what the code says below each."""
    (body,) = ast.parse(inspect.getsource(made)).body
    inside = body.body if isinstance(body, ast.ClassDef) else []
    for line, after in pairwise(inside):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            told = after.value if isinstance(after, ast.Expr) else None
            meaning = told.value if isinstance(told, ast.Constant) else "Where and when its tile may be laid."
            yield line.target.id, " ".join(str(meaning).replace("``", "`").split())
