"""What the scenario languages of games on the hexagon share: words, hands at the board, what is asked."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from hextraction.board.profile import board_names
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.game import HexagonGame
from hextraction.controller.games.protocol import PowerSet, TileSeen
from hextraction.controller.games.scene import Prompt
from hextraction.controller.games.sentences import Found, Sentence, Word, same
from hextraction.controller.games.sentences import Table as AnyTable

__all__ = [
    "ASKED",
    "BOARD",
    "EVENTS",
    "EXPECTED",
    "HANDS",
    "WORDS",
    "Table",
    "act",
    "answer",
    "any_of",
    "hall",
    "listed",
    "seats",
]


class Table(AnyTable[Any]):
    """A table with a hexagon at which a case is played."""

    game: HexagonGame[Any, Any, Any]

    def slot(self, cell: str) -> str:
        """Return the slot of a cell."""
        return self.game.field.slots[cell]

    def cells(self, slots: Iterable[str]) -> set[str]:
        """Return the cells of some slots."""
        return {self.game.field.cells[slot] for slot in slots}

    def prompts(self, seat: str) -> Sequence[Prompt]:
        """Return what a seat is asked."""
        return self.game.private(self.state, seat).prompts


# --- words ---


def any_of(names: Iterable[str]) -> str:
    """Return a pattern for one of some names."""
    return f"(?:{'|'.join(re.escape(name) for name in names)})"


def listed(one: str) -> str:
    """Return a pattern for several of them, with spaces or commas between."""
    return rf"{one}(?:[ ,]+{one})*"


def seats(*names: str) -> Mapping[str, Word]:
    """Return the words for players of these names, and for several of them."""
    who = any_of(names)
    return {
        "WHO": Word(who, str.lower),
        "OTHER": Word(who, str.lower),
        "PLAYERS": Word(listed(who), lambda text: text.lower().replace(",", " ").split()),
    }


WORDS: Final = {
    "BOARD": Word(r"\S+"),
    "CELL": Word(any_of(CELLS)),
    "TO": Word(any_of(CELLS)),
    "CELLS": Word(rf"none|{listed(any_of(CELLS))}", lambda text: set(text.split()) - {"none"}),
    "N": Word(r"\d+", int),
    "TEXT": Word(r'"[^"]*"', lambda text: text.strip('"')),
    "KIND": Word(r"\w+"),
}

# --- set-up and acts ---


class _OnABoard(Protocol):
    board: str


def _board(case: _OnABoard, board: str) -> None:
    if board not in board_names():
        raise ValueError(f"there is no board {board!r}, want one of {', '.join(board_names())}")
    case.board = board


BOARD: Final = Sentence("board BOARD", "the board's profile; usually fx-19", _board)


def act(do: str, **names: str) -> Callable[..., dict[str, Any]]:
    """Return what makes an act out of its words: ``act("slide", at="cell")`` has the cell as ``at``."""
    return lambda _table, **said: {"do": do, **{key: said[word] for key, word in names.items()}}


def answer(table: Table, who: str, word: str) -> dict[str, Any]:
    """Return an answer to the first question that somebody is asked."""
    return {"do": "answer", "prompt": next((one.id for one in table.prompts(who)), ""), "choice": word}


# --- events ---


def hall(*, present: bool) -> Callable[[Table, str], None]:
    """Return what lets the Hall of a cell see a piece, or none any more."""
    return lambda table, cell: _step(
        table, TileSeen(at_us=table.later(), slot=table.slot(cell), present=present)
    )


def _step(table: Table, event: TileSeen | PowerSet) -> None:
    table.step(event)


EVENTS: Final = (
    Sentence("hand lifts CELL", "the Hall of a cell says that it is empty", hall(present=False)),
    Sentence("hand puts CELL", "the Hall of a cell says that it is taken", hall(present=True)),
    Sentence(
        "board on|off",
        "the switch",
        lambda table, word: _step(table, PowerSet(at_us=table.later(), on=word == "on")),
    ),
)

# --- expectations ---


def _goes_on(table: Table) -> Found:
    return not table.state.over, str(table.state.outcome)


def _asked(table: Table, who: str, kind: str) -> Found:
    return same(list(dict.fromkeys(one.kind for one in table.prompts(who))), [kind])


def _unasked(table: Table) -> Found:
    return same([one.text for player in table.state.players for one in table.prompts(player.seat)], [])


def _put(table: Table, cells: set[str]) -> Found:
    return same(table.cells(table.state.watch.put(table.game.lies(table.state))), cells)


def _told(table: Table, text: str) -> Found:
    return any(text in one for one in table.said), "; ".join(table.said) or "nothing"


ASKED: Final = Sentence("WHO is asked KIND", "what a question is about; `board`: what happens there", _asked)
EXPECTED: Final = (
    Sentence("turn of WHO", "whose turn it is", lambda table, who: same(table.state.active.seat, who)),
    Sentence("game goes on", "it is not over", _goes_on),
    Sentence("nobody is asked", "no question is open", _unasked),
    Sentence("said TEXT", "something with these words was told", _told),
)
HANDS: Final = (
    Sentence(
        "to lift CELLS",
        "what hands should take, or none",
        lambda table, cells: same(table.cells(table.game.awaited(table.state).lift), cells),
    ),
    Sentence("to put CELLS", "where hands should put or lay something, or none", _put),
)
