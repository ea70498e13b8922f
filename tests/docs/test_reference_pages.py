"""Pages that are made from the program say what it says today, and the notebook runs as it is printed."""

import re
from typing import get_args

import pytest
from helpers.hexagon.stories import Stories
from helpers.places import ROOT, TESTS
from hextraction.controller.app.command_line import command_parser
from hextraction.controller.games.extraction.scenario.language import LANGUAGE as EXTRACTION
from hextraction.controller.games.extraction.turn.kinds import KINDS as EXTRACTION_KINDS
from hextraction.controller.games.extraction.turn.kinds import Kind as ExtractionKind
from hextraction.controller.games.hexagon.kinds import KINDS as BOARD_KINDS
from hextraction.controller.games.hexel.kinds import KINDS as HEXEL_KINDS
from hextraction.controller.games.hexel.scenario import LANGUAGE as HEXEL
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.scenario.language import speaking
from hextraction.controller.games.hextraction.state.kinds import KINDS, Kind
from hextraction.controller.games.hextris.kinds import KINDS as HEXTRIS_KINDS
from hextraction.controller.games.hextris.scenario import LANGUAGE as HEXTRIS
from hextraction.controller.games.marked_names import plain
from hextraction.controller.games.protocol import Said
from hextraction.controller.table.evening import KINDS as TABLE_KINDS

from docs.commands_page import EXAMPLES, commands_page
from docs.payloads_page import payloads_page

SCENARIOS = sorted((TESTS / "scenarios").glob("*.scenario"))
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def test_every_command_has_one_example():
    """And each example is one that the parser reads."""
    parser, commands = command_parser()
    assert set(EXAMPLES) == set(commands.parsers)
    for words, _told in EXAMPLES.values():
        assert parser.parse_args(words.split())


@pytest.mark.parametrize(("page", "made"), [("commands", commands_page), ("payloads", payloads_page)])
def test_a_page_that_is_made_from_the_program_is_fresh(page, made):
    """`make docs` would write it as it stands."""
    assert (ROOT / "docs" / f"{page}.md").read_text("utf-8") == made()


@pytest.mark.slow
def test_what_the_list_of_kinds_says_is_what_games_say():
    """Every kind is said by a scenario, in those words, but for two that no scenario comes to."""
    said = {(kind, text) for path in SCENARIOS for kind, text in told_in(path)}
    unsaid = {kind for kind, meaning in KINDS.items() if (kind, meaning.example) not in said}
    assert unsaid == {"roll", "seat"}
    assert set(get_args(Kind)) == set(KINDS)


def told_in(path):
    """Yield kind and text of all that is told in a file of scenarios."""
    language = speaking(load_catalogue(path.parent / "tiles.toml"))
    for case in language.read_file(path):
        yield from told(language.played(case)[0].effects)


def told(effects):
    """Yield kind and text of all that some effects tell."""
    return ((one.kind, plain(one.text)) for one in effects if isinstance(one, Said))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "language", "kinds"),
    [
        ("hextris", HEXTRIS, HEXTRIS_KINDS),
        ("extraction", EXTRACTION, EXTRACTION_KINDS),
        ("hexel", HEXEL, HEXEL_KINDS),
    ],
)
def test_what_the_lists_of_the_other_games_say_is_what_they_say(game, language, kinds):
    """Their scenarios come to every kind of the list, in those words, and to no other kind."""
    cases = Stories(game, language).cases
    said = {pair for case in cases for pair in told(language.played(case)[0].effects)}
    assert {kind for kind, _text in said} == set(kinds)
    assert {(kind, meaning.example) for kind, meaning in kinds.items()} <= said


def test_the_kinds_that_extraction_may_tell_are_those_of_its_list():
    """The type that its code is checked by, and the two kinds that it shares with every game at the hexagon."""
    assert {*get_args(ExtractionKind), *BOARD_KINDS} == set(EXTRACTION_KINDS)


def test_the_table_itself_tells_what_its_list_says():
    """Each kind that is named in the rooms of the table has its line, and no other has."""
    rooms = (ROOT / "controller" / room for room in ("play", "table"))
    texts = [path.read_text("utf-8") for room in rooms for path in room.rglob("*.py")]
    assert {kind for text in texts for kind in re.findall(r'Said\(kind="(\w+)"', text)} == set(TABLE_KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path):
    """Nothing in it fails; it imports what anybody may import."""
    import nbclient  # noqa: PLC0415 - three seconds, which whoever only collects need not wait
    import nbformat  # noqa: PLC0415

    book = nbformat.read(path, as_version=4)
    done = nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
    assert any(cell.get("outputs") for cell in done.cells if cell.cell_type == "code")
