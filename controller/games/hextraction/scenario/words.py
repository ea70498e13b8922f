"""The words in capitals of Hextraction's sentences, and what may stand for them.

A misspelt word makes ``EXPECT not …`` come true whatever happens, so each is checked as a file is read;
``docs/scenarios.md`` lists those for phases, questions, options, badges, findings and lamps.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, get_args

from hextraction.controller.games.hextraction.cards.checklist import CHECKLIST
from hextraction.controller.games.hextraction.cards.tiles import Keyword
from hextraction.controller.games.hextraction.scenario.case import Case, counted, names_in, owned
from hextraction.controller.games.hextraction.state.actions import Action
from hextraction.controller.games.hextraction.state.state import Phase
from hextraction.controller.games.hextraction.talk.asking import QUESTIONS
from hextraction.controller.games.sentences import Word

__all__ = ["LAMPS", "SIXTHS", "WORDS", "answers_table", "spelt"]

LAMPS: Final = ("dark", "dim", "white", "amber", "red", "violet", "blinking")
"""How lamps may shine, beside the colours of players."""
SIXTHS: Final = 6
_OPTIONS: Final = tuple(sorted(action.__struct_config__.tag for action in get_args(Action)))
_BADGES: Final = (*(keyword.value for keyword in Keyword), "forbidden", "starred")
_CLAUSE: Final = re.compile(r"[0-3](\.\w+)+|R-\d\d")
_BAN: Final = re.compile(r"\bBAN\(([^()]*)\)", re.IGNORECASE)
_Wrong = Callable[[Case, str], Iterator[str]]


def _players(case: Case) -> Iterable[str]:
    return case.players


def _slots(case: Case) -> Iterable[str]:
    return case.board.slot_names


def _ramps(case: Case) -> Iterable[str]:
    return [ramp.name for ramp in case.board.ramps]


def _zones(case: Case) -> Iterable[str]:
    return [zone.name for zone in case.board.zones]


def _lamps(case: Case) -> Iterable[str]:
    return (*LAMPS, *case.players)


def _among(what: str, *known: Callable[[Case], Iterable[str]], listed: bool = False) -> _Wrong:
    """Return what looks whether a name, or each of a list, is one of those that a case knows."""

    def wrong(case: Case, text: str) -> Iterator[str]:
        names = [name.lower() for some in known for name in some(case)]
        for one in names_in(text) if listed else [text]:
            if one.lower() not in names:
                yield f"there is no {what} {one!r}, want one of {', '.join(names)}"

    return wrong


def _one_of(what: str, known: Iterable[str], *, listed: bool = False) -> _Wrong:
    words = tuple(known)
    return _among(what, lambda _case: words, listed=listed)


def _tiles(case: Case, text: str) -> Iterator[str]:
    for name in dict.fromkeys(counted(text)):
        try:
            case.tile(name)
        except KeyError as error:
            yield str(error.args[0])


def _hand(case: Case, text: str) -> Iterator[str]:
    hand = owned(text)
    yield from _tiles(case, ", ".join(name for name, _owner in hand))
    owners = dict.fromkeys(owner for _name, owner in hand if owner)
    yield from _among("player", _players, listed=True)(case, ", ".join(owners))


def _whole(_case: Case, text: str) -> Iterator[str]:
    if "." in text:
        yield f"{text!r} is no whole number"


def _turn(case: Case, text: str) -> Iterator[str]:
    yield from _whole(case, text)
    if "." not in text and int(text) >= SIXTHS:
        yield f"nothing is turned by {text} sixths, want 0 to 5"


def _clauses(_case: Case, text: str) -> Iterator[str]:
    for clause in filter(None, re.split(r"[\s,]+", text)):
        if not _CLAUSE.fullmatch(clause):
            yield f"{clause!r} is no clause or ruling, want one such as 2.1.5.3, 3.Touch.A or R-33"


_NUMBER: Final = r"\d+(?:\.\d+)?"
_WORD: Final = r"[\w-]+"
_ALL: Final = ".+"
WORDS: Final = {
    "WHO": Word(r"[A-Za-z]\w*", wrong=_among("player", _players)),
    "OTHER": Word(r"[A-Za-z]\w*", wrong=_among("player", _players)),
    "PLAYERS": Word(_ALL, names_in, _among("player", _players, listed=True)),
    "NAMES": Word(_ALL, names_in),
    "BOARD": Word(_WORD),
    "SLOT": Word(r"\w+", wrong=_among("slot", _slots)),
    "SLOTS": Word(_ALL, names_in, _among("slot", _slots, listed=True)),
    "RAMP": Word(r"[\w']+", wrong=_among("ramp", _ramps)),
    "RAMPS": Word(_ALL, names_in, _among("ramp", _ramps, listed=True)),
    "ZONE": Word(r"\w+", wrong=_among("zone", _zones)),
    "PLACE": Word(r"[\w']+", wrong=_among("place", _slots, _ramps, _zones)),
    "PLACES": Word(_ALL, names_in, _among("place", _slots, _zones, listed=True)),
    "TILE": Word(r"[\w'-]+(?:\([^)]*\))?", wrong=_tiles),
    "TILES": Word(_ALL, wrong=_tiles),
    "HAND": Word(_ALL, owned, _hand),
    "N": Word(_NUMBER, int, _whole),
    "TURN": Word(_NUMBER, int, _turn),
    "SECONDS": Word(_NUMBER, float),
    "LIST": Word(_ALL),
    "CHOICES": Word(_ALL),
    "TEXT": Word(r'"[^"]*"', lambda text: text.strip('"')),
    "ANSWER": Word(_ALL),
    "CLAUSE": Word(r"[\w.-]+", wrong=_clauses),
    "CLAUSES": Word(_ALL, names_in, _clauses),
    "PHASE": Word(_WORD, str.lower, _one_of("phase", (phase.value for phase in Phase))),
    "OPTION": Word(_WORD, str.lower, _one_of("option", _OPTIONS)),
    "OPTIONS": Word(_ALL, names_in, _one_of("option", _OPTIONS, listed=True)),
    "QUESTION": Word(_WORD, str.lower, _one_of("kind of question", sorted(QUESTIONS))),
    "BADGE": Word(_WORD, str.lower, _one_of("badge", _BADGES)),
    "FINDING": Word(_WORD, str.lower, _one_of("word of the checklist", CHECKLIST)),
    "LAMP": Word(_WORD, str.lower, _among("lamp", _lamps)),
}


def spelt(case: Case, text: str) -> str:
    """Return a line with its bans as the board spells and orders their ramps: ``BAN(b, A)`` is ``BAN(a,b)``.

    Raises:
        ValueError: the board has no such ramp.
    """
    return _BAN.sub(lambda ban: _ban(case, ban), text)


def _ban(case: Case, ban: re.Match[str]) -> str:
    ramps = {name.lower(): name for name in _ramps(case)}
    wanted = [name.lower() for name in re.split(r"[-,\s]+", ban[1]) if name]
    for name in wanted:
        if name not in ramps:
            raise ValueError(f"there is no ramp {name!r}, want one of {', '.join(ramps.values())}")
    return f"BAN({','.join(ramp for name, ramp in ramps.items() if name in wanted) or ban[1]})"


def answers_table() -> str:
    """Return all kinds of questions with the words of their answers as Markdown."""
    rows = ["| Question | Answers |\n", "|---|---|\n"]
    for word, kind in sorted(QUESTIONS.items()):
        rows.append(f"| `{word}` | {', '.join(f'`{answer}`' for answer in kind.answers)} |\n")
    return "".join(rows)
