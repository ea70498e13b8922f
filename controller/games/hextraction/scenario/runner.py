"""Text scenarios: positions and moves of Hextraction as text, with the expected results.

A scenario file sets up a table, lets players and balls do things through the same ``step`` that plays real
games, and says what to expect. The language is described in ``docs/scenarios.md``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue, load_tiles
from hextraction.controller.games.hextraction.cards.tiles import Catalogue
from hextraction.controller.games.hextraction.scenario.doing import do_sentence, let_moment_pass, refusal_of
from hextraction.controller.games.hextraction.scenario.driver import Driver, Unmet
from hextraction.controller.games.hextraction.scenario.expect import check
from hextraction.controller.games.hextraction.scenario.language import Case, read_text
from hextraction.controller.games.hextraction.scenario.phrases import Sentence
from hextraction.controller.games.hextraction.scenario.position import lay_table
from hextraction.controller.games.protocol import Said
from hextraction.controller.games.scenarios import ScenarioError, text_of
from hextraction.settings import SettingsError

__all__ = [
    "Failure",
    "Scenario",
    "ScenarioError",
    "count",
    "parse_scenario",
    "play_case",
    "read_scenario",
    "read_scenarios",
    "run_case",
    "run_file",
    "run_scenario",
]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario file: its source, its cases, and the tiles it uses."""

    source: str
    cases: tuple[Case, ...]
    tiles: Catalogue


@dataclass(frozen=True, slots=True)
class Failure:
    """A line whose expectation was not met."""

    source: str
    line: int
    case: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.case}: expected {self.expected}; found {self.found}"


def read_scenario(path: Path | str, tiles: Catalogue | None = None) -> Scenario:
    """Read a scenario file.

    Raises:
        ScenarioError: with every mistake in it, or because there is no such file.
    """
    return parse_scenario(
        text_of(Path(path)), str(path), tiles if tiles is not None else _tiles_beside(Path(path))
    )


def _tiles_beside(path: Path) -> Catalogue:
    """Return the shipped tiles, overridden by those of a ``tiles.toml`` in the same folder."""
    own = path.parent / "tiles.toml"
    if not own.is_file():
        return load_tiles()
    try:
        return load_catalogue(own)
    except SettingsError as error:
        raise ScenarioError([str(problem) for problem in error.problems]) from None


def read_scenarios(path: Path | str, tiles: Catalogue | None = None) -> tuple[Scenario, ...]:
    """Read a scenario file as one scenario for each ``SCENARIO`` in it.

    Raises:
        ScenarioError: with every mistake in it, or because there is no such file.
    """
    whole = read_scenario(path, tiles)
    return tuple(Scenario(source=whole.source, cases=(case,), tiles=whole.tiles) for case in whole.cases)


def parse_scenario(text: str, source: str, tiles: Catalogue | None = None) -> Scenario:
    """Read the text of a scenario file.

    Raises:
        ScenarioError: with every mistake in it.
    """
    catalogue = tiles if tiles is not None else load_tiles()
    cases, problems = read_text(text, source, catalogue)
    if problems:
        raise ScenarioError(problems)
    return Scenario(source=source, cases=tuple(cases), tiles=catalogue)


def run_scenario(scenario: Scenario) -> list[Failure]:
    """Play every case of a file; each stops at its first failing line."""
    found = (run_case(scenario, case) for case in scenario.cases)
    return [failure for failure in found if failure is not None]


def run_file(path: Path, show: Callable[[str], None] | None = None) -> tuple[int, list[str]]:
    """Play all scenarios of a file; return how many came true, and what did not.

    ``show`` is given each line that a SHOW shows.

    Raises:
        ScenarioError: with every mistake in the file.
    """
    whole = read_scenario(path)
    played = [play_case(whole, case) for case in whole.cases]
    failures = [str(failure) for _driver, failure in played if failure is not None]
    for line in [line for driver, _failure in played for line in driver.shown]:
        if show is not None:
            show(line)
    return len(played) - len(failures), failures


def _shown(driver: Driver, where: str) -> list[str]:
    """Return where the game stands, what was told since the last DO, what is asked, and who may do what."""
    state, told = driver.state, [one for one in driver.effects if isinstance(one, Said)]
    lines = [where, f"  phase {state.phase.value}, {state.active}'s turn"]
    lines += [f"  told: {one.text}{f' ({one.clause})' if one.clause else ''}" for one in told]
    for ask in state.asks:
        answers = ", ".join(f"{word} ({label})" for word, label in ask.choices)
        lines.append(f"  {ask.seat} is asked {ask.kind}: {ask.text} {answers} ({ask.clause})")
    for player in state.players:
        labels = [option.label for option in driver.game.private(state, player.seat).options]
        lines.append(f"  {player.seat} may: {'; '.join(dict.fromkeys(labels)) or 'nothing'}")
    return lines


def count(path: Path) -> int:
    """Return how many scenarios a file holds.

    Raises:
        ScenarioError: with every mistake in the file.
    """
    return len(read_scenarios(path))


def run_case(scenario: Scenario, case: Case) -> Failure | None:
    """Play one case; return its first failing line."""
    return play_case(scenario, case)[1]


def play_case(scenario: Scenario, case: Case) -> tuple[Driver, Failure | None]:
    """Play one case; return the table at the end, and its first failing line."""
    driver = Driver(case, lay_table(case, scenario.tiles))
    held = 0
    for kind, sentence in case.steps:
        try:
            if kind == "EXPECT" and sentence.phrase.key == "waiting" and not sentence.negated:
                held = sentence.line
            if kind == "SHOW":
                driver.shown += _shown(driver, f"{scenario.source}:{sentence.line}: {case.name}")
                continue
            if kind == "EXPECT" and sentence.line != held:
                let_moment_pass(driver)
            _step(driver, kind, sentence)
        except Unmet as unmet:
            expected = unmet.expected if kind != "DO" else f"{unmet.expected} ({sentence.text})"
            return driver, Failure(scenario.source, sentence.line, case.name, expected, unmet.found)
    return driver, None


def _step(driver: Driver, kind: str, sentence: Sentence) -> None:
    if kind == "DO":
        do_sentence(driver, sentence)
    elif kind == "EXPECT":
        _check(driver, sentence)
    else:
        _refuse(driver, sentence)


def _check(driver: Driver, sentence: Sentence) -> None:
    """Check an expectation; one about what waits is met before or after a lone effect's moment."""
    try:
        check(driver, sentence)
    except Unmet:
        before = driver.state
        let_moment_pass(driver)
        if driver.state is before:
            raise
        check(driver, sentence)


def _refuse(driver: Driver, sentence: Sentence) -> None:
    let_moment_pass(driver)
    before = driver.state
    refused = refusal_of(driver, sentence)
    wanted = f"{sentence.text!r} to be refused by {sentence.clause}"
    if refused is None:
        raise Unmet(wanted, "it is legal")
    if sentence.clause not in {refused.clause, *refused.also}:
        raise Unmet(wanted, f"refused by {refused.clause}: {refused.reason}")
    if sentence.phrase.key != "play_at" and driver.state != before:
        raise Unmet("a refusal to change nothing", "another state")
