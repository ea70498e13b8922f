"""Pages that are made from the program say what it says today, and the notebook runs as it is printed."""

import pytest
from helpers.places import ROOT
from hextraction.controller.app.command_line import command_parser

from docs.commands_page import EXAMPLES, commands_page
from docs.payloads_page import payloads_page

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
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path):
    """Nothing in it fails; it imports what anybody may import."""
    import nbclient  # noqa: PLC0415 - three seconds, which whoever only collects need not wait
    import nbformat  # noqa: PLC0415

    book = nbformat.read(path, as_version=4)
    done = nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
    assert any(cell.get("outputs") for cell in done.cells if cell.cell_type == "code")
