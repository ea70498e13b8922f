"""Text scenarios of Hextraction: positions and moves as text, with the expected results.

A file goes through the same ``step`` as a real game; the language is described in ``docs/scenarios.md``,
whose tables are made from its sentences. Beside a file may lie a ``tiles.toml`` with tiles of its own.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue, load_tiles
from hextraction.controller.games.hextraction.cards.tiles import Catalogue
from hextraction.controller.games.hextraction.scenario.case import Case
from hextraction.controller.games.hextraction.scenario.doing import ACTS, EVENTS
from hextraction.controller.games.hextraction.scenario.driver import Driver
from hextraction.controller.games.hextraction.scenario.expect import EXPECTED
from hextraction.controller.games.hextraction.scenario.set_up import SET_UP
from hextraction.controller.games.hextraction.scenario.words import WORDS, spelt
from hextraction.controller.games.scenarios import ScenarioError
from hextraction.controller.games.sentences import Language
from hextraction.settings import SettingsError

__all__ = ["beside", "count", "run_file", "speaking"]


def speaking(tiles: Catalogue | None = None) -> Language[Case]:
    """Return the language about some tiles, or about those that are shipped."""
    return Language(
        words=WORDS,
        case=partial(Case, load_tiles() if tiles is None else tiles),
        table=Driver,
        set_up=SET_UP,
        acts=ACTS,
        events=EVENTS,
        expected=EXPECTED,
        spelt=spelt,
    )


def beside(path: Path) -> Language[Case]:
    """Return the language of a file: about the tiles of a ``tiles.toml`` in its folder, too.

    Raises:
        ScenarioError: with every mistake in that file of tiles.
    """
    own = path.parent / "tiles.toml"
    try:
        return speaking(load_catalogue(own) if own.is_file() else None)
    except SettingsError as error:
        raise ScenarioError([str(problem) for problem in error.problems]) from None


def run_file(path: Path, show: Callable[[str], None] | None = None) -> tuple[int, list[str]]:
    """Play all scenarios of a file; return how many came true, and what did not.

    ``show`` is given each line that a SHOW shows.

    Raises:
        ScenarioError: with every mistake in the file.
    """
    return beside(path).run_file(path, show)


def count(path: Path) -> int:
    """Return how many scenarios a file holds.

    Raises:
        ScenarioError: with every mistake in the file.
    """
    return beside(path).count(path)
