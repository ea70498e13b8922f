"""A scenario language made of sentences: how a file of any game is read, checked and played line by line.

A game brings its sentences, how a case is made ready, and how its players act. A file has set-up lines, then
``DO``, ``EXPECT`` and ``REFUSED SECTION:`` lines; ``SCENARIO name`` begins another case. ``EXPECT not …`` is
the opposite of any expectation.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from hextraction.controller.games.protocol import Refused
from hextraction.controller.games.scenarios import ScenarioError, text_of

__all__ = ["Language", "Playing", "Script", "Sentence", "Unmet", "same"]

C = TypeVar("C")


class Unmet(Exception):  # noqa: N818 - it is a result, not an error
    """Something did not come true; the text is what was found instead."""


def same(found: object, wanted: object) -> None:
    """Check an expectation.

    Raises:
        Unmet: it is not so.
    """
    if found != wanted:
        raise Unmet(str(found))


class Sentence(NamedTuple):
    """A sentence: its word (empty for set-up), how it is written, its meaning, how it is read and played."""

    word: str
    template: str
    meaning: str
    pattern: str
    play: Callable[..., Any]


class Playing(Protocol):
    """A table at which a case is played."""

    @property
    def state(self) -> object:
        """The state of the game."""
        ...

    def act(self, seat: str, act: dict[str, Any]) -> Refused | None:
        """Let a seat do something; return the refusal, if it is refused."""
        ...


@dataclass(slots=True)
class Script(Generic[C]):
    """One scenario of a file: what is set up, and its steps as (line, word, section, sentence)."""

    name: str
    line: int
    case: C
    steps: list[tuple[int, str, str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language(Generic[C]):
    """The language of one game.

    ``case`` makes an empty case that set-up sentences fill, ``problems`` says what is wrong with a full one,
    ``table`` makes it ready to be played. ``acts`` are sentences that a player may be refused: they return
    the seat and the act; all others are played at the table.
    """

    case: Callable[[], C]
    problems: Callable[[C], Iterable[str]]
    table: Callable[[C], Playing]
    set_up: Sequence[Sentence]
    acts: Sequence[Sentence]
    events: Sequence[Sentence]
    expected: Sequence[Sentence]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences, for the document."""
        return (*self.set_up, *self.acts, *self.events, *self.expected)

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

    def _line(self, scripts: list[Script[C]], source: str, number: int, line: str) -> list[str]:
        """Take in one line; return what is wrong with it."""
        word, _space, rest = line.partition(" ")
        if word == "SCENARIO" or not scripts:
            name = rest.strip() if word == "SCENARIO" else source
            scripts.append(Script(name=name, line=number, case=self.case()))
        if word == "SCENARIO":
            return []
        script = scripts[-1]
        if word == "REFUSED":
            section, colon, tried = rest.partition(":")
            if not colon or _found(self.acts, tried.strip()) is None:
                return [f"want REFUSED SECTION: what a player tries, found {line!r}"]
            script.steps.append((number, word, section.strip(), tried.strip()))
            return []
        if word in {"DO", "EXPECT"}:
            known = (*self.acts, *self.events) if word == "DO" else self.expected
            parts = [part.strip() for part in rest.split(";")]
            script.steps += [(number, word, "", part) for part in parts]
            unknown = [part for part in parts if _found(known, _plain(word, part)) is None]
            return [f"cannot read {part!r}, want one of {_listed(known)}" for part in unknown]
        if script.steps:
            return [f"want DO, EXPECT, REFUSED or SCENARIO, found {word!r} (set-up comes first)"]
        return self._set_up(script.case, line)

    def _set_up(self, case: C, line: str) -> list[str]:
        found = _found(self.set_up, line)
        if found is None:
            return [f"cannot read {line!r}, want one of {_listed(self.set_up)}"]
        sentence, fields = found
        try:
            sentence.play(case, *fields)
        except ValueError as error:
            return [str(error)]
        return []

    # --- playing ---

    def play(self, script: Script[C], source: str) -> str | None:
        """Play a scenario; return its first line that does not come true, as a sentence."""
        table = self.table(script.case)
        for line, word, section, text in script.steps:
            try:
                self._step(table, word, section, text)
            except Unmet as unmet:
                expected = f"{text!r} to be refused by {section}" if section else text
                return f"{source}:{line}: {script.name}: expected {expected}; found {unmet}"
        return None

    def _step(self, table: Playing, word: str, section: str, text: str) -> None:
        if word == "EXPECT":
            self._expect(table, text)
            return
        acts = _found(self.acts, text)
        if acts is None:
            found = _found(self.events, text)
            if found is not None:
                found[0].play(table, *found[1])
            return
        seat, act = acts[0].play(table, *acts[1])
        before = table.state
        refused = table.act(seat, act)
        if word == "DO":
            if refused is not None:
                raise Unmet(f"refused: {refused.reason} ({refused.clause})")
        elif refused is None:
            raise Unmet("it is legal")
        elif refused.clause != section:
            raise Unmet(f"refused by {refused.clause}: {refused.reason}")
        elif table.state != before:
            raise Unmet("another state")

    def _expect(self, table: Playing, text: str) -> None:
        plain = _plain("EXPECT", text)
        found = _found(self.expected, plain)
        try:
            if found is not None:
                found[0].play(table, *found[1])
        except Unmet:
            if plain == text:
                raise
        else:
            if plain != text:
                raise Unmet("that it is so")

    def count(self, path: Path) -> int:
        """Return how many scenarios a file holds.

        Raises:
            ScenarioError: with every mistake in the file.
        """
        return len(self.read(text_of(path), str(path)))

    def run_file(self, path: Path, _show: Callable[[str], None] | None = None) -> tuple[int, list[str]]:
        """Play all scenarios of a file, which show nothing; return how many came true, and what did not.

        Raises:
            ScenarioError: with every mistake in the file.
        """
        scripts = self.read(text_of(path), str(path))
        failures = [found for one in scripts if (found := self.play(one, str(path))) is not None]
        return len(scripts) - len(failures), failures


def _plain(word: str, text: str) -> str:
    """Return an expectation without the ``not`` before it."""
    return text.removeprefix("not ") if word == "EXPECT" else text


def _listed(sentences: Sequence[Sentence]) -> str:
    return ", ".join(repr(one.template) for one in sentences)


def _found(sentences: Sequence[Sentence], text: str) -> tuple[Sentence, tuple[str, ...]] | None:
    for sentence in sentences:
        match = re.fullmatch(sentence.pattern, text)
        if match is not None:
            return sentence, match.groups()
    return None
