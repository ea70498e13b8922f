"""Scenario languages made of sentences: how a file of any game is read, checked and played line by line.

A game brings its sentences, the words in capitals in them, and the table at which a case is
played. A file has set-up lines, then ``DO``, ``EXPECT``, ``REFUSED CLAUSE:`` and ``SHOW`` lines; ``SCENARIO
name`` begins another case. ``EXPECT not …`` is the opposite of any expectation.

A sentence is a template. Words in capitals stand for something (``WHO`` a player), ``[...]`` is optional,
``a|b`` is either word.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

from hextraction.controller.games.protocol import Acted, Effect, Game, Refused, Said, WorldEvent
from hextraction.controller.games.scenarios import ScenarioError, text_of

__all__ = ["Found", "Language", "Line", "Script", "Sentence", "Table", "Unmet", "Word", "same"]

C = TypeVar("C")
State = TypeVar("State")
Found = tuple[bool, str]
"""Whether it is as expected, and what was found."""


class Unmet(Exception):  # noqa: N818 - it is a result, not an error
    """Something did not come true: what was found and, unless it is the sentence, what was expected."""

    def __init__(self, found: str, expected: str = "") -> None:
        self.found, self.expected = found, expected
        super().__init__(found)


def same(found: object, wanted: object) -> Found:
    """Compare what was found with what is expected."""
    return found == wanted, str(found)


class Word(NamedTuple):
    """A word in capitals: how what it stands for is written and read, and what is wrong with one."""

    pattern: str
    read: Callable[[str], Any] = str
    wrong: Callable[[Any, str], Iterable[str]] = lambda _case, _text: ()


class Sentence(NamedTuple):
    """A sentence: how it is written, its meaning, and what plays it.

    ``play`` takes what its words stand for by their names. A set-up sentence fills a case, and may return
    what it has said that no second line may say; it raises :class:`ValueError` for what cannot be. An act
    returns what a player does, or yields several acts. An expectation returns what it has found. ``mark`` is
    for the game's table, which knows by it what to see to before such a line.
    """

    template: str
    meaning: str
    play: Callable[..., Any]
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file, or a part of one: the word before it, its sentence and what its words mean."""

    number: int
    word: str
    text: str
    sentence: Sentence | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    clause: str = ""
    negated: bool = False


@dataclass(slots=True)
class Script(Generic[C]):
    """One scenario of a file: what is set up, as lines and as a case, and its steps."""

    name: str
    source: str
    line: int
    case: C
    set_up: list[Line] = field(default_factory=list)
    steps: list[Line] = field(default_factory=list)
    begun: bool = False
    """Whether there has been a step, read or not: set-up comes first."""
    told: dict[str, int] = field(default_factory=dict)
    """What a set-up line has said already, with its line: a second one would silently replace the first."""


class Table(Generic[State]):
    """A table at which a case is played; a game adds what its sentences need."""

    game: Game[Any, Any]
    state: State

    def __init__(self) -> None:
        self.at_us = 0
        self.effects: list[Effect] = []

    def ready(self, line: Line) -> None:
        """See to what comes before a line is played."""

    def moves_on(self) -> bool:
        """Let pass what an expectation that failed need not wait for; return whether anything happened."""
        return False

    def stands(self) -> str:
        """Return where the game stands, for a SHOW."""
        return f"{self.game.standing(self.state).active}'s turn"

    def later(self, us: int = 1_000) -> int:
        """Let time pass; return what time it is then."""
        self.at_us += us
        return self.at_us

    def act(self, seat: str, act: Mapping[str, Any], chance: int = 0) -> Refused | None:
        """Let a seat do something; return the refusal, if it is refused."""
        return self.step(Acted(at_us=self.later(), seat=seat, act=dict(act), chance=chance))

    def step(self, event: WorldEvent) -> Refused | None:
        """Apply an event."""
        done = self.game.step(self.state, event)
        self.state = done.state
        self.effects += done.effects
        return next((one for one in done.effects if isinstance(one, Refused)), None)

    @property
    def said(self) -> list[str]:
        """All that was told."""
        return [one.text for one in self.effects if isinstance(one, Said)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language(Generic[C]):
    """The language of one game.

    ``case`` makes an empty case that set-up sentences fill, ``problems`` says what is wrong with a full one,
    ``table`` makes it ready to be played. ``acts`` are sentences with a ``WHO``, which may be refused; other
    ``events`` are played at the table. ``spelt`` writes a line as the words want it.
    """

    words: Mapping[str, Word]
    case: Callable[[], C]
    table: Callable[[C], Table[Any]]
    set_up: Sequence[Sentence]
    acts: Sequence[Sentence]
    events: Sequence[Sentence]
    expected: Sequence[Sentence]
    problems: Callable[[C], Iterable[str]] = lambda _case: ()
    spelt: Callable[[C, str], str] = lambda _case, text: text
    compiled: dict[str, re.Pattern[str]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Each template that was needed so far, as a pattern: a file needs most of them hundreds of times."""

    @property
    def sentences(self) -> Mapping[str, Sequence[Sentence]]:
        """All sentences by the word before them, for the document."""
        return {"Set-up": self.set_up, "DO": (*self.acts, *self.events), "EXPECT": self.expected}

    # --- reading ---

    def read(self, text: str, source: str) -> list[Script[C]]:
        """Return the scenarios of a file.

        Raises:
            ScenarioError: with every mistake in it.
        """
        scripts: list[Script[C]] = []
        problems: list[str] = []
        for number, raw in enumerate(text.splitlines(), start=1):
            line = re.sub(r"(^|\s)#.*", "", raw).strip()
            if line and not line.startswith("game "):
                problems += [
                    f"{source}:{number}: {what}" for what in self._line(scripts, source, number, line)
                ]
        for script in scripts:
            problems += [f"{source}:{script.line}: {what}" for what in self.problems(script.case)]
        if not scripts and not problems:
            problems.append(f"{source}:1: want at least one scenario")
        if problems:
            raise ScenarioError(problems)
        return scripts

    def read_file(self, path: Path) -> list[Script[C]]:
        """Return the scenarios of a file.

        Raises:
            ScenarioError: with every mistake in the file.
        """
        return self.read(text_of(path), str(path))

    def count(self, path: Path) -> int:
        """Return how many scenarios a file holds.

        Raises:
            ScenarioError: with every mistake in the file.
        """
        return len(self.read_file(path))

    def _line(self, scripts: list[Script[C]], source: str, number: int, line: str) -> list[str]:
        """Take in one line; return what is wrong with it."""
        word, _space, rest = line.partition(" ")
        rest = rest.strip()
        if word == "SCENARIO" or not scripts:
            name = rest if word == "SCENARIO" else source
            scripts.append(Script(name, source, number, self.case()))
        script = scripts[-1]
        script.begun |= word in {"DO", "EXPECT", "REFUSED", "SHOW"}
        match word:
            case "SCENARIO":
                return []
            case "DO" | "EXPECT":
                texts = [part.strip() for part in _SEMICOLON.split(rest) if part.strip()]
                wrong = [what for one in texts for what in self._step(script, number, word, one)]
                return wrong if texts else [f"want a sentence after {word}"]
            case "REFUSED":
                clause, colon, tried = rest.partition(":")
                told = self._step(script, number, word, tried.strip(), clause.strip())
                return told if colon else ["want REFUSED CLAUSE: what a player tries"]
            case "SHOW":
                script.steps.append(Line(number, word, word))
                return [f"want SHOW alone on its line, found {rest!r} after it"] if rest else []
            case _ if script.begun:
                return [f"want DO, EXPECT, REFUSED, SHOW or SCENARIO, found {word!r} (set-up comes first)"]
        return self._set_up(script, number, line)

    def _step(self, script: Script[C], number: int, word: str, text: str, clause: str = "") -> list[str]:
        negated = word == "EXPECT" and text.startswith("not ")
        among = {"DO": (*self.acts, *self.events), "EXPECT": self.expected, "REFUSED": self.acts}[word]
        wrong = (
            [*self.words["CLAUSE"].wrong(script.case, clause)] if clause and "CLAUSE" in self.words else []
        )
        try:
            found, fields, told = self._read(
                script.case, among, text.removeprefix("not ") if negated else text
            )
        except ValueError as error:
            return [*wrong, str(error)]
        script.steps.append(Line(number, word, text, found, fields, clause, negated))
        return [*wrong, *told]

    def _set_up(self, script: Script[C], number: int, line: str) -> list[str]:
        try:
            line = self.spelt(script.case, line)
            found, fields, wrong = self._read(script.case, self.set_up, line)
            if wrong:
                return wrong
            said = found.play(script.case, **fields)
        except ValueError as error:
            return [str(error)]
        script.set_up.append(Line(number, "", line, found, fields))
        before = {one: script.told.setdefault(one, number) for one in said or ()}
        return [
            f"{one} has been said in line {first} already, want one line for it"
            for one, first in before.items()
            if first != number
        ]

    def _read(
        self, case: C, among: Sequence[Sentence], text: str
    ) -> tuple[Sentence, dict[str, Any], list[str]]:
        """Return the sentence of a text, what its words stand for, and what is wrong with them.

        Raises:
            ValueError: it is none of these sentences.
        """
        text = self.spelt(case, text)
        for one in among:
            match = self.pattern(one).fullmatch(text)
            if match is not None:
                given = {name: value for name, value in match.groupdict().items() if value is not None}
                known = [(name, self.words[name], value) for name, value in given.items() if name != "word"]
                wrong = [what for _name, kind, value in known for what in kind.wrong(case, value)]
                fields = {} if wrong else {name.lower(): kind.read(value) for name, kind, value in known}
                return one, fields | ({"word": given["word"].lower()} if "word" in given else {}), wrong
        raise ValueError(f"cannot read {text!r}, want {_nearest(among, text)}")

    def pattern(self, sentence: Sentence) -> re.Pattern[str]:
        """Return a sentence as a regular expression; whether small words are in capitals does not matter."""
        found = self.compiled.get(sentence.template)
        if found is None:
            found = _pattern(sentence.template, {name: word.pattern for name, word in self.words.items()})
            self.compiled[sentence.template] = found
        return found

    # --- playing ---

    def run_file(self, path: Path, show: Callable[[str], None] | None = None) -> tuple[int, list[str]]:
        """Play all scenarios of a file; return how many came true, and what did not.

        ``show`` is given each line that a SHOW shows.

        Raises:
            ScenarioError: with every mistake in the file.
        """
        scripts = self.read_file(path)
        failures = [found for one in scripts if (found := self.play(one, show)) is not None]
        return len(scripts) - len(failures), failures

    def play(self, script: Script[C], show: Callable[[str], None] | None = None) -> str | None:
        """Play a scenario; return its first line that does not come true, as a sentence."""
        return self.played(script, show)[1]

    def played(
        self, script: Script[C], show: Callable[[str], None] | None = None
    ) -> tuple[Table[Any], str | None]:
        """Play a scenario; return the table at its end, and its first line that does not come true."""
        table = self.table(script.case)
        for line in script.steps:
            where = f"{script.source}:{line.number}: {script.name}"
            try:
                table.ready(line)
                if line.sentence is not None:
                    self._play(table, line, line.sentence)
                elif show is not None:
                    show("\n".join([where, *_shown(table)]))
            except Unmet as unmet:
                return table, f"{where}: expected {_expected(line, unmet)}; found {unmet.found}"
        return table, None

    def _play(self, table: Table[Any], line: Line, sentence: Sentence) -> None:
        if line.word == "EXPECT":
            met, found = sentence.play(table, **line.fields)
            if met is line.negated and table.moves_on():
                met, found = sentence.play(table, **line.fields)
            if met is line.negated:
                raise Unmet(found)
            return
        made = sentence.play(table, **line.fields)
        _tried(table, line, made if isinstance(made, Iterator) else () if made is None else (made,))


def _tried(table: Table[Any], line: Line, acts: Iterable[Mapping[str, Any]]) -> None:
    """Let a player act; a DO must be legal, a REFUSED must not."""
    told = list(table.effects)
    for act in acts:
        before = table.state
        refused = table.act(line.fields["who"].lower(), act)
        if refused is None:
            continue
        if line.word == "DO":
            raise Unmet(f"refused: {refused.reason} ({refused.clause})", "this to be legal")
        table.effects = told  # what the last DO line brought about is still the last that happened
        if line.clause not in {refused.clause, *refused.also}:
            raise Unmet(f"refused by {refused.clause}: {refused.reason}")
        if table.state != before:
            raise Unmet("another state", "a refusal to change nothing")
        return
    if line.word == "REFUSED":
        raise Unmet("it is legal")


def _expected(line: Line, unmet: Unmet) -> str:
    if line.word == "REFUSED":
        return unmet.expected or f"{line.text!r} to be refused by {line.clause}"
    return f"{unmet.expected} ({line.text})" if unmet.expected else line.text


def _shown(table: Table[Any]) -> Iterator[str]:
    """Yield where the game stands, what was told, what is asked, and who may do what."""
    yield f"  {table.stands()}"
    for said in table.effects:
        if isinstance(said, Said):
            yield f"  told: {said.text}{f' ({said.clause})' if said.clause else ''}"
    for seat in [player.seat for player in table.game.standing(table.state).players]:
        view = table.game.private(table.state, seat)
        for ask in view.prompts:
            answers = ", ".join(f"{one.act.get('choice', '')} ({one.label})" for one in ask.options)
            yield f"  {seat} is asked {ask.kind}: {ask.text} {answers} ({ask.clause})"
        yield f"  {seat} may: {'; '.join(dict.fromkeys(one.label for one in view.options)) or 'nothing'}"


# --- templates ---

_SEMICOLON: Final = re.compile(r';(?=(?:[^"]*"[^"]*")*[^"]*$)')


def _pattern(template: str, words: Mapping[str, str]) -> re.Pattern[str]:
    text = re.sub(r"\s*\[", "[", template)
    parts = re.split(r"(\[|\]|\s+|[A-Z]+\b(?:\|[a-z|]+)?|[a-z]+(?:\|[a-z]+)+)", text)
    return re.compile("".join(_piece(part, words) for part in parts if part), re.IGNORECASE)


def _piece(part: str, words: Mapping[str, str]) -> str:
    if part == "[":
        return r"(?:\s+"
    if part == "]":
        return ")?"
    if part.isspace():
        return r"\s+"
    if part in words:
        return f"(?P<{part}>(?-i:{words[part]}))"
    return f"(?P<word>{part})" if "|" in part else re.escape(part)


def _nearest(sentences: Sequence[Sentence], text: str) -> str:
    """Return the sentences that share the most words, or similar words, with a text."""
    words = [word.lower() for word in re.findall(r"[A-Za-z]{2,}", text)]
    scored = []
    for one in sentences:
        known = re.findall(r"[a-z]+", one.template)
        alike = sum(bool(difflib.get_close_matches(word, known, n=1, cutoff=0.65)) for word in words)
        if alike:
            scored.append((-alike, len(known), one.template))
    near = sorted(scored)[:3]
    return " or ".join(f"'{template}'" for *_score, template in near) or "a sentence of the game's document"
