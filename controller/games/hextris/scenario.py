"""Text scenarios of Hextris: positions and plies as text, with what must come of them.

A file begins with ``game hextris``. It goes through the same ``step`` as a real game; the language is
described in docs/hextris.md, whose table is made from :data:`LANGUAGE`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from hextraction.board.profile import load_board
from hextraction.controller.games.hexagon import sentences as shared
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.sentences import act, any_of, listed
from hextraction.controller.games.hextris.game import Hextris
from hextraction.controller.games.hextris.house import HouseRules
from hextraction.controller.games.hextris.position import READINGS, Position, legal, perft
from hextraction.controller.games.hextris.rules import go_on
from hextraction.controller.games.hextris.state import Setup, State
from hextraction.controller.games.hextris.written import (
    FIXTURES,
    WrittenPositionError,
    check,
    fixture,
    position_from,
)
from hextraction.controller.games.protocol import Seated
from hextraction.controller.games.sentences import Found, Language, Sentence, Word, same
from msgspec.structs import replace

__all__ = ["LANGUAGE", "count", "run_file"]

_SEATS: Final = ("red", "blue", "green")


# --- a case: what is set up, and what is done and expected ---


@dataclass(slots=True)
class Case:
    """What is set up: a position, by which reading, on which board."""

    board: str = "fx-19"
    reading: str = "R0"
    players: int = 2
    mover: int | None = None
    start: str = ""
    pieces: dict[str, tuple[int, str]] = field(default_factory=dict)
    hands: dict[int, list[int]] = field(default_factory=dict)
    home: dict[int, int] = field(default_factory=dict)
    sensors: bool = False
    rules: dict[str, int | bool] = field(default_factory=dict)

    def position(self) -> Position:
        """Return the position with which it begins.

        Raises:
            WrittenPositionError: it cannot be.
        """
        if self.start:
            base = fixture(self.start)
            hands = [self.hands.get(at, list(held)) for at, held in enumerate(base.hands)]
            home = tuple(self.home.get(at, one) for at, one in enumerate(base.home))
            mover = base.mover if self.mover is None else self.mover
            made = base._replace(
                hands=tuple((one[0], one[1], one[2]) for one in hands), home=home, mover=mover
            )
        else:
            dealt = position_from(self.pieces, self.players).hands
            hands = [self.hands.get(at, list(held)) for at, held in enumerate(dealt)]
            home_list = [self.home.get(at, 0) for at in range(self.players)]
            made = position_from(self.pieces, self.players, self.mover or 0, hands, home_list)
        check(made)
        return made


class Table(shared.Table):
    """A table on which a case is played."""

    state: State

    def __init__(self, case: Case) -> None:
        super().__init__()
        self.game = Hextris(load_board(case.board), HouseRules())
        position = case.position()
        seats = tuple(Seated(seat, seat.capitalize()) for seat in _SEATS[: position.players])
        setup = Setup(board=case.board, seats=seats, reading=case.reading, sees=case.sensors, **case.rules)  # type: ignore[arg-type]
        state = replace(self.game.start(setup), position=position)
        lies = [self.game.field.slots[cell] for cell in CELLS if position.piece(cell) is not None]
        laid = replace(state, watch=replace(state.watch, taken=tuple(sorted(lies))))
        self.state = go_on(laid, self.effects)

    @property
    def plies(self) -> Iterator[Any]:
        """What is legal."""
        return iter(legal(self.state.position, self.state.setup.reading))


def _problems(case: Case) -> Iterator[str]:
    """Yield why a position cannot be."""
    try:
        case.position()
    except WrittenPositionError as error:
        yield from error.problems


# --- words ---

_CELL: Final = any_of(CELLS)
_PAIR: Final = rf"{_CELL}-{_CELL}"
_WORDS: Final = {
    **shared.WORDS,
    **shared.seats("Red", "Blue", "Green"),
    "SIZE": Word("[SML]"),
    "PIECES": Word(listed(rf"[SML]{_CELL}"), str.split),
    "HAND": Word(r"\d \d \d", lambda text: [int(one) for one in text.split()]),
    "READING": Word(any_of(READINGS)),
    "FIXTURE": Word(any_of(FIXTURES)),
    "PAIRS": Word(rf"none|{listed(_PAIR)}", lambda text: set(text.split()) - {"none"}),
    "WORD": Word(".+"),
    "DEPTH": Word(r"\d+", int),
    "CHOICES": Word(".+", lambda text: {one.strip() for one in text.split(",")}),
}

# --- set-up ---


def _pieces(case: Case, who: str, pieces: list[str]) -> None:
    for one in pieces:
        case.pieces[one[1:]] = (_SEATS.index(who), one[0])


def _players(case: Case, players: list[str]) -> None:
    if tuple(players) != _SEATS[: len(players)]:
        raise ValueError(f"players: want Red Blue, or Red Blue Green, found {' '.join(players)}")
    case.players = len(players)


def _into(name: str, word: str) -> Callable[..., None]:
    """Return what sets one value of a case."""
    return lambda case, **said: setattr(case, name, said[word])


def _of(name: str, word: str) -> Callable[..., None]:
    """Return what sets a value of one player."""
    return lambda case, who, **said: getattr(case, name).__setitem__(_SEATS.index(who), said[word])


def _rule(name: str, value: int | bool | None = None) -> Callable[..., None]:  # noqa: FBT001 - a setting
    return lambda case, n=value: case.rules.__setitem__(name, n)


_SETUP: Final = (
    shared.BOARD,
    Sentence("players PLAYERS", "Red Blue, or Red Blue Green", _players),
    Sentence("reading READING", "how swaps are read (2.3)", _into("reading", "reading")),
    Sentence("fixture FIXTURE", "one of the positions of 2.5", _into("start", "fixture")),
    Sentence("pieces WHO PIECES", "pieces on the board (`Sb2 Mc3`)", _pieces),
    Sentence("hand WHO HAND", "small, medium, large in hand (`5 4 4`); else the rest", _of("hands", "hand")),
    Sentence("home WHO N", "groups at home", _of("home", "n")),
    Sentence(
        "mover WHO",
        "whose turn it is; else Red's, or the fixture's",
        lambda case, who: setattr(case, "mover", _SEATS.index(who)),
    ),
    Sentence("sensors", "the board sees pieces", lambda case: setattr(case, "sensors", True)),
    Sentence("draw offered after N", "the setting `draw_offer_after`", _rule("offer_after")),
    Sentence("nothing is taken back", "the setting `take_back = false`", _rule("take_back", value=False)),
)

# --- acts ---

_ACTS: Final = (
    Sentence("WHO drops SIZE on CELL", "a drop", act("drop", size="size", to="cell")),
    Sentence("WHO slides CELL to TO", "a slide", act("slide", at="cell", to="to")),
    Sentence("WHO swaps CELL and TO", "a swap", act("swap", at="cell", to="to")),
    Sentence("WHO passes", "which is only ever refused", act("pass")),
    Sentence("WHO offers a draw", "to everybody else", act("draw")),
    Sentence("WHO asks to take it back", "the last ply", act("take_back")),
    Sentence("WHO leaves", "for good", act("leave")),
    Sentence(
        "WHO answers WORD",
        "yes, no, back, wrong, or a ply",
        shared.answer,
    ),
)

# --- expectations ---


def _kind(kind: str) -> Callable[[Table, int], Found]:
    return lambda table, n: same(sum(ply.kind == kind for ply in table.plies), n)


def _slides_from(table: Table, cell: str, cells: set[str]) -> Found:
    return same({ply.to for ply in table.plies if ply.kind == "slide" and ply.at == cell}, cells)


def _swaps(table: Table, pairs: set[str]) -> Found:
    wanted = {"-".join(sorted(one.split("-"))) for one in pairs}
    return same({f"{ply.at}-{ply.to}" for ply in table.plies if ply.kind == "swap"}, wanted)


def _perft(table: Table, depth: int, n: int) -> Found:
    return same(perft(table.state.position, table.state.setup.reading, depth), n)


def _lies(table: Table, cells: set[str]) -> Found:
    return same({cell for cell in CELLS if table.state.position.piece(cell) is not None}, cells)


def _piece(table: Table, cell: str, who: str, size: str) -> Found:
    return same(table.state.position.piece(cell), (_SEATS.index(who), size))


def _groups(table: Table, who: str, n: int) -> Found:
    return same(table.state.position.home[_SEATS.index(who)], n)


def _held(table: Table, who: str, hand: list[int]) -> Found:
    return same(list(table.state.position.hands[_SEATS.index(who)]), hand)


def _answers(table: Table, who: str, choices: set[str]) -> Found:
    return same({str(option.act["choice"]) for one in table.prompts(who) for option in one.options}, choices)


_EXPECTED: Final = (
    Sentence("N plies", "how many are legal", lambda table, n: same(len(list(table.plies)), n)),
    Sentence("N drops", "of these", _kind("drop")),
    Sentence("N slides", "of these", _kind("slide")),
    Sentence("N swaps", "of these", _kind("swap")),
    Sentence("slides of CELL: CELLS", "exactly these cells, or none", _slides_from),
    Sentence("swaps: PAIRS", "exactly these pairs (`c3-b2`), or none", _swaps),
    Sentence("perft DEPTH: N", "how many lines of so many plies", _perft),
    Sentence("pieces on CELLS", "exactly these cells are taken, or none", _lies),
    Sentence("CELL is WHO SIZE", "a piece", _piece),
    Sentence("groups of WHO N", "groups at home or counted", _groups),
    Sentence("hand of WHO HAND", "small, medium, large", _held),
    Sentence("winner WHO", "the game is over and won", lambda table, who: same(table.state.winners, (who,))),
    Sentence(
        "draw",
        "the game is over and nobody won",
        lambda table: same((table.state.over, table.state.winners), (True, ())),
    ),
    Sentence("answers of WHO: CHOICES", "exactly these", _answers),
    shared.ASKED,
    *shared.HANDS,
    *shared.EXPECTED,
)
LANGUAGE: Final = Language(
    words=_WORDS,
    case=Case,
    problems=_problems,
    table=Table,
    set_up=_SETUP,
    acts=_ACTS,
    events=shared.EVENTS,
    expected=_EXPECTED,
)
count, run_file = LANGUAGE.count, LANGUAGE.run_file
