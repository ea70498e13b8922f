"""Text scenarios of Hextris: positions and plies as text, with what must come of them.

A file begins with ``game hextris``. It goes through the same ``step`` as a real game; the language is
described in docs/hextris.md, whose table is made from :data:`SENTENCES`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.hexagon.cells import CELLS
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
from hextraction.controller.games.protocol import Acted, Effect, PowerSet, Refused, Said, Seated, TileSeen
from hextraction.controller.games.sentences import Language, Sentence, Unmet, same
from msgspec.structs import replace

__all__ = ["LANGUAGE", "SENTENCES", "count", "play", "read", "run_file"]

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


class Table:
    """A table on which a case is played."""

    def __init__(self, case: Case) -> None:
        self.game = Hextris(load_board(case.board), HouseRules())
        position = case.position()
        seats = tuple(Seated(seat, seat.capitalize()) for seat in _SEATS[: position.players])
        setup = Setup(board=case.board, seats=seats, reading=case.reading, sees=case.sensors, **case.rules)  # type: ignore[arg-type]
        state = replace(self.game.start(setup), position=position)
        lies = [self.game.field.slots[cell] for cell in CELLS if position.piece(cell) is not None]
        laid = replace(state, watch=replace(state.watch, taken=tuple(sorted(lies))))
        effects: list[Effect] = []
        self.state: State = go_on(laid, effects)
        self.said: list[Said] = []
        self._hear(tuple(effects))
        self.at_us = 0

    def act(self, seat: str, act: dict[str, str]) -> Refused | None:
        """Let a seat do something; return the refusal, if it is refused."""
        self.at_us += 1_000
        return self.step(Acted(at_us=self.at_us, seat=seat, act=dict(act)))

    def step(self, event: Acted | TileSeen | PowerSet) -> Refused | None:
        """Apply an event."""
        done = self.game.step(self.state, event)
        self.state = done.state
        self._hear(done.effects)
        return next((one for one in done.effects if isinstance(one, Refused)), None)

    def _hear(self, effects: tuple[Effect, ...]) -> None:
        self.said += [one for one in effects if isinstance(one, Said)]


def _problems(case: Case) -> Iterator[str]:
    """Yield why a position cannot be."""
    try:
        case.position()
    except WrittenPositionError as error:
        yield from error.problems


# --- sentences ---

_CELL: Final = f"(?:{'|'.join(CELLS)})"
_WHO: Final = r"(?:Red|Blue|Green)"


def _seat(who: str) -> str:
    return who.lower()


def _number(who: str) -> int:
    return _SEATS.index(who.lower())


def _cells(text: str) -> set[str]:
    return set() if text == "none" else set(text.split())


# set-up


def _pieces(case: Case, who: str, laid: str) -> None:
    for one in laid.split():
        case.pieces[one[1:]] = (_number(who), one[0])


def _players(case: Case, names: str) -> None:
    named = names.replace(",", " ").lower().split()
    if tuple(named) != _SEATS[: len(named)]:
        raise ValueError(f"players: want Red Blue, or Red Blue Green, found {names}")
    case.players = len(named)


def _hand(case: Case, who: str, counts: str) -> None:
    case.hands[_number(who)] = [int(one) for one in counts.split()]


def _home(case: Case, who: str, groups: str) -> None:
    case.home[_number(who)] = int(groups)


def _fixture(case: Case, name: str) -> None:
    case.start = name


def _mover(case: Case, who: str) -> None:
    case.mover = _number(who)


def _reading(case: Case, reading: str) -> None:
    case.reading = reading


def _board(case: Case, name: str) -> None:
    if name not in board_names():
        raise ValueError(f"there is no board {name!r}, want one of {', '.join(board_names())}")
    case.board = name


def _sensors(case: Case) -> None:
    case.sensors = True


def _offer_after(case: Case, count: str) -> None:
    case.rules["offer_after"] = int(count)


def _nothing_back(case: Case) -> None:
    case.rules["take_back"] = False


# what is done


def _drop(_table: Table, who: str, size: str, to: str) -> tuple[str, dict[str, str]]:
    return _seat(who), {"do": "drop", "size": size, "to": to}


def _two(word: str) -> Callable[[Table, str, str, str], tuple[str, dict[str, str]]]:
    return lambda _table, who, at, to: (_seat(who), {"do": word, "at": at, "to": to})


def _word(word: str) -> Callable[[Table, str], tuple[str, dict[str, str]]]:
    return lambda _table, who: (_seat(who), {"do": word})


def _says(table: Table, who: str, choice: str) -> tuple[str, dict[str, str]]:
    prompts = table.game.private(table.state, _seat(who)).prompts
    return _seat(who), {"do": "answer", "prompt": prompts[0].id if prompts else "", "choice": choice}


def _hall(*, present: bool) -> Callable[[Table, str], None]:
    def play_it(table: Table, cell: str) -> None:
        table.at_us += 1_000
        slot = table.game.field.slots[cell]
        table.step(TileSeen(at_us=table.at_us, slot=slot, present=present))

    return play_it


def _switch(table: Table, how: str) -> None:
    table.at_us += 1_000
    table.step(PowerSet(at_us=table.at_us, on=how == "on"))


# what is expected


def _plies(table: Table, count: str) -> None:
    same(len(legal(table.state.position, table.state.setup.reading)), int(count))


def _kind(kind: str) -> Callable[[Table, str], None]:
    def play_it(table: Table, count: str) -> None:
        plies = legal(table.state.position, table.state.setup.reading)
        same(sum(ply.kind == kind for ply in plies), int(count))

    return play_it


def _slides_from(table: Table, at: str, cells: str) -> None:
    plies = legal(table.state.position, table.state.setup.reading)
    same({ply.to for ply in plies if ply.kind == "slide" and ply.at == at}, _cells(cells))


def _swaps(table: Table, pairs: str) -> None:
    plies = legal(table.state.position, table.state.setup.reading)
    wanted = {"-".join(sorted(one.split("-"))) for one in _cells(pairs)}
    same({f"{ply.at}-{ply.to}" for ply in plies if ply.kind == "swap"}, wanted)


def _perft(table: Table, depth: str, count: str) -> None:
    same(perft(table.state.position, table.state.setup.reading, int(depth)), int(count))


def _lies(table: Table, cells: str) -> None:
    found = {cell for cell in CELLS if table.state.position.piece(cell) is not None}
    same(found, _cells(cells))


def _piece(table: Table, cell: str, who: str, size: str) -> None:
    same(table.state.position.piece(cell), (_number(who), size))


def _groups(table: Table, who: str, count: str) -> None:
    same(table.state.position.home[_number(who)], int(count))


def _held(table: Table, who: str, counts: str) -> None:
    same(list(table.state.position.hands[_number(who)]), [int(one) for one in counts.split()])


def _turn(table: Table, who: str) -> None:
    same(table.state.active.seat, _seat(who))


def _winner(table: Table, who: str) -> None:
    same(table.state.winners, (_seat(who),))


def _draw(table: Table) -> None:
    same((table.state.over, table.state.winners), (True, ()))


def _goes_on(table: Table) -> None:
    if table.state.over:
        raise Unmet(str(table.state.outcome))


def _asked(table: Table, who: str, kind: str) -> None:
    prompts = table.game.private(table.state, _seat(who)).prompts
    same([one.kind for one in prompts], [kind])


def _answers(table: Table, who: str, choices: str) -> None:
    prompts = table.game.private(table.state, _seat(who)).prompts
    found = {str(option.act["choice"]) for one in prompts for option in one.options}
    same(found, {one.strip() for one in choices.split(",")})


def _unasked(table: Table) -> None:
    seats = [one.seat for one in table.state.players]
    same([one.text for seat in seats for one in table.game.private(table.state, seat).prompts], [])


def _lift(table: Table, cells: str) -> None:
    lift = table.game.awaited(table.state).lift
    same({table.game.field.cells[slot] for slot in lift}, _cells(cells))


def _put(table: Table, cells: str) -> None:
    lies = [table.game.field.slots[cell] for cell in CELLS if table.state.position.piece(cell) is not None]
    same({table.game.field.cells[slot] for slot in table.state.watch.put(lies)}, _cells(cells))


def _told(table: Table, text: str) -> None:
    if not any(text in one.text for one in table.said):
        raise Unmet("; ".join(one.text for one in table.said) or "nothing")


_SETUP: Final = (
    Sentence("", "board NAME", "the board's profile; usually fx-19", r"board (\S+)", _board),
    Sentence(
        "",
        "players NAMES",
        "Red Blue, or Red Blue Green",
        rf"players ({_WHO}(?:[ ,]+{_WHO})+)",
        _players,
    ),
    Sentence("", "reading R0", "how swaps are read (2.3)", rf"reading ({'|'.join(READINGS)})", _reading),
    Sentence("", "fixture F1", "one of the positions of 2.5", rf"fixture ({'|'.join(FIXTURES)})", _fixture),
    Sentence(
        "", "pieces WHO Sb2 Mc3", "pieces on the board", rf"pieces ({_WHO}) ((?:[SML]{_CELL} ?)+)", _pieces
    ),
    Sentence(
        "",
        "hand WHO 5 4 4",
        "small, medium, large in hand; else the rest",
        rf"hand ({_WHO}) (\d \d \d)",
        _hand,
    ),
    Sentence("", "home WHO 1", "groups at home", rf"home ({_WHO}) ([0-2])", _home),
    Sentence("", "mover WHO", "whose turn it is; else Red's, or the fixture's", rf"mover ({_WHO})", _mover),
    Sentence("", "sensors", "the board sees pieces", "sensors", _sensors),
    Sentence(
        "",
        "draw offered after 3",
        "the setting `draw_offer_after`",
        r"draw offered after (\d+)",
        _offer_after,
    ),
    Sentence(
        "", "nothing is taken back", "the setting `take_back = false`", "nothing is taken back", _nothing_back
    ),
)
_ACTS: Final = (
    Sentence("DO", "WHO drops S on c1", "a drop", rf"({_WHO}) drops ([SML]) on ({_CELL})", _drop),
    Sentence(
        "DO", "WHO slides c1 to c2", "a slide", rf"({_WHO}) slides ({_CELL}) to ({_CELL})", _two("slide")
    ),
    Sentence("DO", "WHO swaps c1 and c2", "a swap", rf"({_WHO}) swaps ({_CELL}) and ({_CELL})", _two("swap")),
    Sentence("DO", "WHO passes", "which is only ever refused", rf"({_WHO}) passes", _word("pass")),
    Sentence("DO", "WHO offers a draw", "to everybody else", rf"({_WHO}) offers a draw", _word("draw")),
    Sentence(
        "DO",
        "WHO asks to take it back",
        "the last ply",
        rf"({_WHO}) asks to take it back",
        _word("take_back"),
    ),
    Sentence("DO", "WHO leaves", "for good", rf"({_WHO}) leaves", _word("leave")),
    Sentence("DO", "WHO answers yes", "yes, no, back, wrong, or a ply", rf"({_WHO}) answers (.+)", _says),
)
_EVENTS: Final = (
    Sentence(
        "DO",
        "hand lifts c1",
        "the Hall of a cell says that it is empty",
        rf"hand lifts ({_CELL})",
        _hall(present=False),
    ),
    Sentence(
        "DO",
        "hand puts c1",
        "the Hall of a cell says that it is taken",
        rf"hand puts ({_CELL})",
        _hall(present=True),
    ),
    Sentence("DO", "board off", "the switch; `board on`", r"board (on|off)", _switch),
)
_EXPECTED: Final = (
    Sentence("EXPECT", "36 plies", "how many are legal", r"(\d+) plies", _plies),
    Sentence("EXPECT", "36 drops", "of these", r"(\d+) drops", _kind("drop")),
    Sentence("EXPECT", "14 slides", "of these", r"(\d+) slides", _kind("slide")),
    Sentence("EXPECT", "5 swaps", "of these", r"(\d+) swaps", _kind("swap")),
    Sentence(
        "EXPECT", "slides of c3: c2 c4", "exactly these cells", rf"slides of ({_CELL}): (.+)", _slides_from
    ),
    Sentence("EXPECT", "swaps: c3-b2", "exactly these pairs, or none", r"swaps: (.+)", _swaps),
    Sentence("EXPECT", "perft 2: 1188", "how many lines of so many plies", r"perft (\d+): (\d+)", _perft),
    Sentence("EXPECT", "pieces on c3 c4", "exactly these cells are taken, or none", r"pieces on (.+)", _lies),
    Sentence("EXPECT", "c3 is WHO S", "a piece", rf"({_CELL}) is ({_WHO}) ([SML])", _piece),
    Sentence("EXPECT", "groups of WHO 1", "groups at home or counted", rf"groups of ({_WHO}) (\d)", _groups),
    Sentence("EXPECT", "hand of WHO 5 4 4", "small, medium, large", rf"hand of ({_WHO}) (\d \d \d)", _held),
    Sentence("EXPECT", "turn of WHO", "whose turn it is", rf"turn of ({_WHO})", _turn),
    Sentence("EXPECT", "winner WHO", "the game is over and won", rf"winner ({_WHO})", _winner),
    Sentence("EXPECT", "draw", "the game is over and nobody won", "draw", _draw),
    Sentence("EXPECT", "game goes on", "it is not over", "game goes on", _goes_on),
    Sentence(
        "EXPECT",
        "WHO is asked draw",
        "draw, repeated, take_back or board",
        rf"({_WHO}) is asked (\w+)",
        _asked,
    ),
    Sentence("EXPECT", "answers of WHO: yes, no", "exactly these", rf"answers of ({_WHO}): (.+)", _answers),
    Sentence("EXPECT", "nobody is asked", "no question is open", "nobody is asked", _unasked),
    Sentence("EXPECT", "to lift c3", "what hands should take, or none", r"to lift (.+)", _lift),
    Sentence("EXPECT", "to put c3", "where hands should put a piece, or none", r"to put (.+)", _put),
    Sentence("EXPECT", 'said "text"', "something with these words was told", r'said "(.+)"', _told),
)
LANGUAGE: Final = Language(
    case=Case,
    problems=_problems,
    table=Table,
    set_up=_SETUP,
    acts=_ACTS,
    events=_EVENTS,
    expected=_EXPECTED,
)
SENTENCES: Final = LANGUAGE.sentences
read, play, count, run_file = LANGUAGE.read, LANGUAGE.play, LANGUAGE.count, LANGUAGE.run_file
