"""Reading scenario files: lines into sentences, with all mistakes reported at once.

``read_text`` returns the cases of a file. Names are checked against the board, the players and the catalogue
of the case, so that a scenario that can be read can also be run.
"""

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from hextraction.board.layout import Board
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.hextraction.cards.tiles import Catalogue, tile_named
from hextraction.controller.games.hextraction.scenario.phrases import (
    ACTIONS,
    EXPECTATIONS,
    HEADERS,
    SHOW,
    Phrase,
    Sentence,
    match_phrase,
)
from hextraction.controller.games.hextraction.scenario.words import misspelt

__all__ = ["Case", "counted", "names_in", "owned", "read_text"]

_CLAUSE: Final = re.compile(r"(?:\d+(?:\.\w+)+|3\.\w+|R-\d\d)")
_PLAYERS: Final = ("Red", "Blue", "Green")


@dataclass(slots=True)
class Case:
    """One scenario: its set-up, and what is done and expected, in order."""

    name: str
    line: int
    clauses: tuple[str, ...] = ()
    board: Board = field(default_factory=lambda: load_board("fx-19"))
    players: tuple[str, ...] = _PLAYERS
    headers: list[Sentence] = field(default_factory=list)
    steps: list[tuple[str, Sentence]] = field(default_factory=list)
    told: dict[str, int] = field(default_factory=dict)
    """What a set-up line has said already, with its line: a second one would silently replace the first."""


def names_in(text: str) -> list[str]:
    """Split a list of names: commas, or spaces, but not within parentheses."""
    return re.findall(r"[^\s,()]+(?:\([^)]*\))?", text.replace(" and ", " "))


def counted(text: str) -> list[str]:
    """Split a list in which a number multiplies the name after it (``2 PLAIN, BELL``); ``none`` is empty."""
    found: list[str] = []
    if text.strip().lower() == "none":
        return found
    count = 1
    for name in names_in(text):
        if name.isdigit():
            count = int(name)
        else:
            found += [name] * count
            count = 1
    return found


def owned(text: str) -> list[tuple[str, str]]:
    """Split a hand into (tile, owner or empty): ``2 PLAIN, BELL owner Blue``."""
    found = []
    for part in re.split(r",(?![^(]*\))", text):
        names, _owner, owner = re.sub(r"\s+owner\s+", " owner ", part).partition(" owner ")
        found += [(name, owner.strip().lower()) for name in counted(names)]
    return found


def read_text(text: str, source: str, tiles: Catalogue) -> tuple[list[Case], list[str]]:
    """Return the cases of a file, and everything that is wrong with it as ``source:line: what``."""
    reader = _Reader(source, tiles)
    for number, raw in enumerate(text.splitlines(), start=1):
        line = re.sub(r"(^|\s)#.*", "", raw).strip()
        if line:
            reader.read(number, line)
    if not reader.cases and not reader.problems:
        reader.complain(1, "want at least one scenario")
    return reader.cases, reader.problems


class _Reader:
    def __init__(self, source: str, tiles: Catalogue) -> None:
        self.source = source
        self.tiles = tiles
        self.cases: list[Case] = []
        self.problems: list[str] = []

    def complain(self, line: int, what: str) -> None:
        self.problems.append(f"{self.source}:{line}: {what}")

    def read(self, number: int, line: str) -> None:
        word, _space, rest = line.partition(" ")
        rest = rest.strip()
        if word == "SCENARIO":
            self.cases.append(
                Case(name=rest, line=number, clauses=tuple(_CLAUSE.findall(rest.split(":")[0])))
            )
            return
        if not self.cases:
            self.cases.append(Case(name=self.source, line=number))
        case = self.cases[-1]
        if word == "DO":
            self._steps(case, "DO", ACTIONS, number, rest)
        elif word == "EXPECT":
            self._steps(case, "EXPECT", EXPECTATIONS, number, rest)
        elif word == "REFUSED":
            self._refused(case, number, rest)
        elif word == "SHOW":
            if rest:
                self.complain(number, f"want SHOW alone on its line, found {rest!r} after it")
            case.steps.append(("SHOW", Sentence(SHOW, {}, number, word)))
        elif case.steps:
            self.complain(
                number, f"want DO, EXPECT, REFUSED, SHOW or SCENARIO, found {word!r} (set-up comes first)"
            )
        else:
            self._header(case, number, line)

    def _steps(self, case: Case, kind: str, phrases: tuple[Phrase, ...], number: int, rest: str) -> None:
        if not _split(rest):
            self.complain(number, f"want a sentence after {kind}")
        for text in _split(rest):
            negated = kind == "EXPECT" and text.startswith("not ")
            sentence = self._sentence(case, phrases, number, text.removeprefix("not ") if negated else text)
            if sentence is not None:
                said = Sentence(sentence.phrase, sentence.fields, number, text, negated=negated)
                case.steps.append((kind, said))

    def _refused(self, case: Case, number: int, rest: str) -> None:
        clause, colon, text = rest.partition(":")
        if not colon:
            self.complain(number, "want REFUSED CLAUSE: what a player tries")
            return
        for what in misspelt("refused", {"CLAUSE": clause.strip()}, case.players):
            self.complain(number, what)
        sentence = self._sentence(case, ACTIONS, number, text.strip())
        if sentence is None:
            return
        if "WHO" not in sentence.fields:
            self.complain(number, f"want something that a player does, found {text.strip()!r}")
            return
        tried = Sentence(sentence.phrase, sentence.fields, number, text.strip(), clause=clause.strip())
        case.steps.append(("REFUSED", tried))

    def _header(self, case: Case, number: int, line: str) -> None:
        sentence = self._sentence(case, HEADERS, number, line)
        if sentence is None:
            return
        if sentence.phrase.key == "board":
            self._board(case, number, sentence.fields["WORD"])
        elif sentence.phrase.key == "players":
            case.players = tuple(names_in(sentence.fields["LIST"]))
            twice = [name for name, count in Counter(map(str.lower, case.players)).items() if count > 1]
            for name in twice:
                self.complain(number, f"the player {name!r} is listed twice")
        elif sentence.phrase.key == "slot":
            self._fits(case, number, sentence.fields)
        for said in self._said_once(case, sentence):
            before = case.told.setdefault(said, number)
            if before != number:
                self.complain(number, f"{said} has been said in line {before} already, want one line for it")
        case.headers.append(sentence)

    def _board(self, case: Case, number: int, name: str) -> None:
        if name in board_names():
            case.board = load_board(name)
        else:
            self.complain(number, f"there is no board {name!r}, want one of {', '.join(board_names())}")

    def _sentence(self, case: Case, phrases: tuple[Phrase, ...], number: int, text: str) -> Sentence | None:
        text = _BAN.sub(lambda ban: self._spelt(case, number, ban), text)
        found = match_phrase(phrases, text)
        if found is None:
            self.complain(number, f"cannot read {text!r}, want {_nearest(phrases, text)}")
            return None
        phrase, fields = found
        wrong = [*_wrong_names(case, self.tiles, phrase.key, fields)]
        if phrases is not ACTIONS or phrase.key == "flag":
            wrong += misspelt(phrase.key, fields, case.players)
        for what in wrong:
            self.complain(number, what)
        return Sentence(phrase, fields, number, text)

    def _said_once(self, case: Case, sentence: Sentence) -> list[str]:
        """Return what a set-up line says that can be said only once: a hand, the slots of a tile."""
        key, fields = sentence.phrase.key, sentence.fields
        if key.startswith("hand"):
            return [f"the hand of {fields['WHO'].capitalize()}"]
        if key in {"slot", "slot_open"}:
            return [f"slot {slot.lower()}" for slot in self._slots_of(case, fields)]
        if key == "brings_balls":
            return [f"how many balls {fields['WHO'].capitalize()} brings"]
        if key == "setting_time":
            return [f"setting {fields['word'].lower()}"]
        if key.startswith("setting"):
            return [key.replace("_", " ")]
        return [_ONCE[key]] if key in _ONCE else []

    def _fits(self, case: Case, number: int, fields: dict[str, str]) -> None:
        """Complain about a tile that cannot lie in its slot like that."""
        name, turns = fields["TILE"], _turns(fields)
        try:
            tile = tile_named(self.tiles, name)
        except KeyError:
            return  # the name has been complained about
        known = {slot.lower() for slot in case.board.slot_names}
        parts = " or ".join(part.upper() for part in tile.parts)
        if parts:
            self.complain(number, f"{name} lies on the board in parts, want {parts}")
        elif turns < _SIXTHS and turns not in tile.turns:
            ways = ", ".join(map(str, tile.turns))
            self.complain(number, f"{name} cannot be turned by {turns} sixths, want one of {ways}")
        elif fields["SLOT"].lower() in known and len(self._slots_of(case, fields)) <= len(tile.covers):
            self.complain(number, f"{name} does not fit on the board at {fields['SLOT']}, turned by {turns}")

    def _slots_of(self, case: Case, fields: dict[str, str]) -> list[str]:
        """Return the slot of a set-up line, and what a larger tile covers beside it."""
        slot = next((one for one in case.board.slot_names if one.lower() == fields["SLOT"].lower()), "")
        try:
            covers = tile_named(self.tiles, fields["TILE"]).covers if "TILE" in fields else ()
        except KeyError:
            covers = ()  # the name has been complained about
        turns = _turns(fields)
        over = [case.board.neighbour(slot, (edge - 1 + turns) % 6 + 1) for edge in covers] if slot else []
        return [fields["SLOT"], *(one for one in over if one is not None)]

    def _spelt(self, case: Case, number: int, ban: re.Match[str]) -> str:
        """Return a ban with its ramps as the board spells and orders them: ``BAN(b, A)`` is ``BAN(a,b)``."""
        ramps = {ramp.name.lower(): ramp.name for ramp in case.board.ramps}
        wanted = [name.lower() for name in re.split(r"[-,\s]+", ban[1]) if name]
        for name in wanted:
            if name not in ramps:
                self.complain(number, f"there is no ramp {name!r}, want one of {', '.join(ramps.values())}")
        return f"BAN({','.join(ramp for name, ramp in ramps.items() if name in wanted) or ban[1]})"


def _turns(fields: dict[str, str]) -> int:
    """Return by how many sixths a tile is turned; a wrong number has been complained about."""
    return int(float(fields.get("N", "0")))


_BAN: Final = re.compile(r"\bBAN\(([^()]*)\)", re.IGNORECASE)
_ONCE: Final = {
    "board": "board",
    "players": "players",
    "active": "active",
    "rest": "rest",
    "owner": "board owner",
    "pool": "pool",
    "pool_none": "pool",
    "virtual": "virtual",
    "balls": "balls",
    "power": "power",
    "rolled": "rolled",
    "played": "played",
    "full": "full set-up",
    "boards": "boards offered",
    "ball_size": "ball size",
    "magnetic": "magnetic",
}
"""Set-up lines of which a second one would silently replace the first, and what they say."""


def _split(text: str) -> list[str]:
    """Split a line into sentences, which are separated by semicolons."""
    return [part.strip() for part in re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', text) if part.strip()]


def _nearest(phrases: tuple[Phrase, ...], text: str) -> str:
    """Return the sentences that share the most words, or similar words, with a text."""
    words = [word.lower() for word in re.findall(r"[A-Za-z]{2,}", text)]
    scored = []
    for phrase in phrases:
        known = re.findall(r"[a-z]+", phrase.template)
        alike = sum(bool(difflib.get_close_matches(word, known, n=1, cutoff=0.65)) for word in words)
        if alike:
            scored.append((-alike, len(known), phrase.template))
    return (
        " or ".join(f"'{template}'" for *_score, template in sorted(scored)[:3])
        or "a sentence of docs/scenarios.md"
    )


# --- names --------------------------------------------------------------------------------------------------


def _wrong_names(case: Case, tiles: Catalogue, key: str, fields: dict[str, str]) -> Iterator[str]:
    slots = [name.lower() for name in case.board.slot_names]
    ramps = [ramp.name.lower() for ramp in case.board.ramps]
    zones = [zone.name.lower() for zone in case.board.zones]
    players = [name.lower() for name in case.players]
    known = {"SLOT": slots, "RAMP": ramps, "ZONE": zones, "PLACE": slots + ramps + zones, "WHO": players}
    known["OTHER"] = players
    for name, value in fields.items():
        if name in known and value.lower() not in known[name]:
            what = "player" if name in {"WHO", "OTHER"} else name.lower()
            yield f"there is no {what} {value!r}, want one of {', '.join(known[name])}"
    if "TILE" in fields:
        yield from _wrong_tiles(tiles, [fields["TILE"]])
    number = fields.get("N", "0")
    if "." in number and key not in _IN_SECONDS:
        yield f"{number!r} is no whole number"
    elif key in {"slot", "part"} and int(float(number)) >= _SIXTHS:
        yield f"nothing is turned by {number} sixths, want 0 to 5"
    yield from _wrong_list(key, fields, tiles, known)


def _wrong_list(
    key: str, fields: dict[str, str], tiles: Catalogue, known: dict[str, list[str]]
) -> Iterator[str]:
    items = names_in(fields.get("LIST", ""))
    if key == "hand" and items != ["none"]:
        yield from _wrong_hand(tiles, owned(fields["LIST"]), known["WHO"])
    elif key in _LISTS_OF_TILES and items not in ([], ["none"]):
        yield from _wrong_tiles(tiles, counted(fields["LIST"]))
    kind = _LISTS.get(key)
    if kind is not None and items != ["none"]:
        allowed = known["SLOT"] + known["ZONE"] if key == "balls" else known[kind]
        for item in items:
            if item.lower() not in allowed:
                what = "place" if key == "balls" else "player" if kind == "WHO" else kind.lower()
                yield f"there is no {what} {item!r}, want one of {', '.join(allowed)}"


def _wrong_hand(tiles: Catalogue, hand: list[tuple[str, str]], players: list[str]) -> Iterator[str]:
    yield from _wrong_tiles(tiles, [name for name, _owner in hand])
    for owner in dict.fromkeys(owner for _name, owner in hand if owner):
        if owner not in players:
            yield f"there is no player {owner!r}, want one of {', '.join(players)}"


_SIXTHS: Final = 6
_IN_SECONDS: Final = frozenset({"wait", "setting_time", "prompt_due", "deadline"})
"""Sentences whose number may have a fraction."""
_LISTS_OF_TILES: Final = frozenset(
    {
        "hand",
        "hand_of",
        "brings",
        "brings_virtual",
        "taken",
        "pool",
        "virtual",
        "destroyed",
        "virtual_list",
        "waiting",
        "tiles",
        "effects",
    }
)
_LISTS: Final = {
    "balls": "SLOT",
    "runs": "SLOT",
    "unsure": "SLOT",
    "slots": "SLOT",
    "lifts": "SLOT",
    "rest": "SLOT",
    "setting_kickers": "SLOT",
    "ramps": "RAMP",
    "winners": "WHO",
    "losers": "WHO",
    "boards": "WHO",
}


def _wrong_tiles(tiles: Catalogue, names: list[str]) -> Iterator[str]:
    for name in dict.fromkeys(names):
        if name.isdigit():
            continue
        try:
            tile_named(tiles, name)
        except KeyError as error:
            yield str(error.args[0])
