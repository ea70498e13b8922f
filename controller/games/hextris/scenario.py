"""Text scenarios of Hextris: positions and plies as text, with what must come of them.

A file begins with ``game hextris``. It goes through the same ``step`` as a real game; the language is
described in docs/hextris.md, whose table is made from :data:`SENTENCES`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, cast

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
from hextraction.controller.games.scenarios import ScenarioError, text_of
from msgspec.structs import replace

__all__ = ["SENTENCES", "Case", "Sentence", "count", "play", "read", "run_file"]

_SEATS: Final = ("red", "blue", "green")


# --- a case: what is set up, and what is done and expected ---


@dataclass(slots=True)
class Case:
    """One scenario of a file."""

    name: str
    line: int
    board: str = "fx-19"
    reading: str = "R0"
    players: int = 2
    mover: int = 0
    start: str = ""
    pieces: dict[str, tuple[int, str]] = field(default_factory=dict)
    hands: dict[int, list[int]] = field(default_factory=dict)
    home: dict[int, int] = field(default_factory=dict)
    sensors: bool = False
    rules: dict[str, int | bool] = field(default_factory=dict)
    steps: list[tuple[int, str, str, str]] = field(default_factory=list)
    """Line, word (DO, EXPECT, REFUSED), section, sentence."""

    def position(self) -> Position:
        """Return the position with which it begins.

        Raises:
            WrittenPositionError: it cannot be.
        """
        if self.start:
            base = fixture(self.start)
            hands = [self.hands.get(at, list(held)) for at, held in enumerate(base.hands)]
            home = tuple(self.home.get(at, one) for at, one in enumerate(base.home))
            made = base._replace(hands=tuple((one[0], one[1], one[2]) for one in hands), home=home)
        else:
            dealt = position_from(self.pieces, self.players).hands
            hands = [self.hands.get(at, list(held)) for at, held in enumerate(dealt)]
            home_list = [self.home.get(at, 0) for at in range(self.players)]
            made = position_from(self.pieces, self.players, self.mover, hands, home_list)
        check(made)
        return made


class _Table:
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


class Unmet(Exception):  # noqa: N818 - it is a result, not an error
    """Something did not come true; the text is what was found instead."""


# --- sentences ---

_CELL: Final = r"[a-e][1-5]"
_WHO: Final = r"(?:Red|Blue|Green)"


class Sentence(NamedTuple):
    """A sentence of the language: its word, how it is written, what it means, how it is read and played."""

    word: str
    template: str
    meaning: str
    pattern: str
    play: Callable[..., object]


def _seat(who: str) -> str:
    return who.lower()


def _number(who: str) -> int:
    return _SEATS.index(who.lower())


def _cells(text: str) -> set[str]:
    return set() if text == "none" else set(text.split())


def _same(found: object, wanted: object) -> None:
    if found != wanted:
        raise Unmet(str(found))


# set-up


def _pieces(case: Case, who: str, laid: str) -> None:
    for one in laid.split():
        case.pieces[one[1:]] = (_number(who), one[0])


def _players(case: Case, names: str) -> None:
    case.players = len(names.split())


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


def _done(table: _Table, who: str, act: dict[str, str]) -> None:
    refused = table.act(_seat(who), act)
    if refused is not None:
        raise Unmet(f"refused: {refused.reason} ({refused.clause})")


def _drop(who: str, size: str, to: str) -> tuple[str, dict[str, str]]:
    return who, {"do": "drop", "size": size, "to": to}


def _two(word: str) -> Callable[[str, str, str], tuple[str, dict[str, str]]]:
    return lambda who, at, to: (who, {"do": word, "at": at, "to": to})


def _word(word: str) -> Callable[[str], tuple[str, dict[str, str]]]:
    return lambda who: (who, {"do": word})


def _says(table: _Table, who: str, choice: str) -> None:
    prompts = table.game.private(table.state, _seat(who)).prompts
    if not prompts:
        raise Unmet(f"{who} is asked nothing")
    _done(table, who, {"do": "answer", "prompt": prompts[0].id, "choice": choice})


def _hall(*, present: bool) -> Callable[[_Table, str], None]:
    def play_it(table: _Table, cell: str) -> None:
        table.at_us += 1_000
        slot = table.game.field.slots[cell]
        table.step(TileSeen(at_us=table.at_us, slot=slot, present=present))

    return play_it


def _switch(table: _Table, how: str) -> None:
    table.at_us += 1_000
    table.step(PowerSet(at_us=table.at_us, on=how == "on"))


# what is expected


def _plies(table: _Table, count: str) -> None:
    _same(len(legal(table.state.position, table.state.setup.reading)), int(count))


def _kind(kind: str) -> Callable[[_Table, str], None]:
    def play_it(table: _Table, count: str) -> None:
        plies = legal(table.state.position, table.state.setup.reading)
        _same(sum(ply.kind == kind for ply in plies), int(count))

    return play_it


def _slides_from(table: _Table, at: str, cells: str) -> None:
    plies = legal(table.state.position, table.state.setup.reading)
    _same({ply.to for ply in plies if ply.kind == "slide" and ply.at == at}, _cells(cells))


def _swaps(table: _Table, pairs: str) -> None:
    plies = legal(table.state.position, table.state.setup.reading)
    wanted = {"-".join(sorted(one.split("-"))) for one in _cells(pairs)}
    _same({f"{ply.at}-{ply.to}" for ply in plies if ply.kind == "swap"}, wanted)


def _perft(table: _Table, depth: str, count: str) -> None:
    _same(perft(table.state.position, table.state.setup.reading, int(depth)), int(count))


def _lies(table: _Table, cells: str) -> None:
    found = {cell for cell in CELLS if table.state.position.piece(cell) is not None}
    _same(found, _cells(cells))


def _piece(table: _Table, cell: str, who: str, size: str) -> None:
    _same(table.state.position.piece(cell), (_number(who), size))


def _groups(table: _Table, who: str, count: str) -> None:
    _same(table.state.position.home[_number(who)], int(count))


def _held(table: _Table, who: str, counts: str) -> None:
    _same(list(table.state.position.hands[_number(who)]), [int(one) for one in counts.split()])


def _turn(table: _Table, who: str) -> None:
    _same(table.state.active.seat, _seat(who))


def _winner(table: _Table, who: str) -> None:
    _same(table.state.winners, (_seat(who),))


def _draw(table: _Table) -> None:
    _same((table.state.over, table.state.winners), (True, ()))


def _goes_on(table: _Table) -> None:
    if table.state.over:
        raise Unmet(str(table.state.outcome))


def _asked(table: _Table, who: str, kind: str) -> None:
    prompts = table.game.private(table.state, _seat(who)).prompts
    _same([one.kind for one in prompts], [kind])


def _answers(table: _Table, who: str, choices: str) -> None:
    prompts = table.game.private(table.state, _seat(who)).prompts
    found = {str(option.act["choice"]) for one in prompts for option in one.options}
    _same(found, {one.strip() for one in choices.split(",")})


def _unasked(table: _Table) -> None:
    seats = [one.seat for one in table.state.players]
    _same([one.text for seat in seats for one in table.game.private(table.state, seat).prompts], [])


def _lift(table: _Table, cells: str) -> None:
    lift = table.game.awaited(table.state).lift
    _same({table.game.field.cells[slot] for slot in lift}, _cells(cells))


def _put(table: _Table, cells: str) -> None:
    lies = [table.game.field.slots[cell] for cell in CELLS if table.state.position.piece(cell) is not None]
    _same({table.game.field.cells[slot] for slot in table.state.watch.put(lies)}, _cells(cells))


def _told(table: _Table, text: str) -> None:
    if not any(text in one.text for one in table.said):
        raise Unmet("; ".join(one.text for one in table.said) or "nothing")


_SETUP: Final = (
    Sentence("", "board NAME", "the board's profile; usually fx-19", r"board (\S+)", _board),
    Sentence(
        "",
        "players NAMES",
        "two or three of Red, Blue, Green",
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
    Sentence("", "mover WHO", "whose turn it is; else Red's", rf"mover ({_WHO})", _mover),
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
)
_EVENTS: Final = (
    Sentence("DO", "WHO answers yes", "yes, no, back, wrong, or a ply", rf"({_WHO}) answers (.+)", _says),
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
SENTENCES: Final = (*_SETUP, *_ACTS, *_EVENTS, *_EXPECTED)


# --- reading and playing ---


def read(text: str, source: str) -> list[Case]:
    """Return the scenarios of a file.

    Raises:
        ScenarioError: with every mistake in it.
    """
    cases: list[Case] = []
    problems: list[str] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = re.sub(r"(^|\s)#.*", "", raw).strip()
        if line and not line.startswith("game "):
            problems += [f"{source}:{number}: {what}" for what in _line(cases, source, number, line)]
    for case in cases:
        try:
            case.position()
        except WrittenPositionError as error:
            problems += [f"{source}:{case.line}: {what}" for what in error.problems]
    if not cases and not problems:
        problems.append(f"{source}:1: want at least one scenario")
    if problems:
        raise ScenarioError(problems)
    return cases


def _line(cases: list[Case], source: str, number: int, line: str) -> list[str]:
    """Take in one line; return what is wrong with it."""
    word, _space, rest = line.partition(" ")
    if word == "SCENARIO":
        cases.append(Case(name=rest.strip(), line=number))
        return []
    if not cases:
        cases.append(Case(name=source, line=number))
    case = cases[-1]
    if word == "REFUSED":
        section, colon, tried = rest.partition(":")
        if not colon or _found(_ACTS, tried.strip()) is None:
            return [f"want REFUSED SECTION: what a player tries, found {line!r}"]
        case.steps.append((number, word, section.strip(), tried.strip()))
        return []
    if word in {"DO", "EXPECT"}:
        known = (*_ACTS, *_EVENTS) if word == "DO" else _EXPECTED
        wrong = []
        for part in (one.strip() for one in rest.split(";")):
            if _found(known, part) is None:
                wrong.append(f"cannot read {part!r}, want one of {_listed(known)}")
            case.steps.append((number, word, "", part))
        return wrong
    if case.steps:
        return [f"want DO, EXPECT, REFUSED or SCENARIO, found {word!r} (set-up comes first)"]
    return _set_up(case, line)


def _set_up(case: Case, line: str) -> list[str]:
    found = _found(_SETUP, line)
    if found is None:
        return [f"cannot read {line!r}, want one of {_listed(_SETUP)}"]
    sentence, fields = found
    try:
        sentence.play(case, *fields)
    except ValueError as error:
        return [str(error)]
    return []


def _listed(sentences: tuple[Sentence, ...]) -> str:
    return ", ".join(repr(one.template) for one in sentences)


def _found(sentences: tuple[Sentence, ...], text: str) -> tuple[Sentence, tuple[str, ...]] | None:
    for sentence in sentences:
        match = re.fullmatch(sentence.pattern, text)
        if match is not None and _are_cells(match.groups()):
            return sentence, match.groups()
    return None


def _are_cells(fields: tuple[str, ...]) -> bool:
    """Whether whatever looks like one cell is one: there is no a4."""
    return all(one in CELLS for one in fields if re.fullmatch(_CELL, one))


def play(case: Case, source: str) -> str | None:
    """Play a scenario; return its first line that does not come true, as a sentence."""
    table = _Table(case)
    for line, word, section, text in case.steps:
        expected = f"{text!r} to be refused by {section}" if section else text
        try:
            _step(table, word, section, text)
        except Unmet as unmet:
            return f"{source}:{line}: {case.name}: expected {expected}; found {unmet}"
    return None


def _step(table: _Table, word: str, section: str, text: str) -> None:
    acts = _found(_ACTS, text) if word != "EXPECT" else None
    if acts is None:
        found = _found((*_EVENTS, *_EXPECTED), text)
        if found is not None:
            found[0].play(table, *found[1])
        return
    who, act = cast("tuple[str, dict[str, str]]", acts[0].play(*acts[1]))
    if word == "DO":
        _done(table, who, act)
        return
    before = table.state
    refused = table.act(_seat(who), act)
    if refused is None:
        raise Unmet("it is legal")
    if refused.clause != section:
        raise Unmet(f"refused by {refused.clause}: {refused.reason}")
    if table.state != before:
        raise Unmet("another state")


def count(path: Path) -> int:
    """Return how many scenarios a file holds.

    Raises:
        ScenarioError: with every mistake in the file.
    """
    return len(read(text_of(path), str(path)))


def run_file(path: Path) -> tuple[int, list[str]]:
    """Play all scenarios of a file; return how many came true, and what did not.

    Raises:
        ScenarioError: with every mistake in the file.
    """
    cases = read(text_of(path), str(path))
    failures = [found for case in cases if (found := play(case, str(path))) is not None]
    return len(cases) - len(failures), failures
