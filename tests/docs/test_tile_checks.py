"""The list of checks in docs/tiles.md: every executed card has a fact and scenarios of its own."""

from helpers.places import TESTS
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles

from docs.tile_checks import checks_section, to_check


def test_every_executed_card_is_checked_by_scenarios_that_name_it():
    """No card that the rules execute is without a row, and no row without a scenario."""
    section = checks_section(load_tiles(), TESTS / "scenarios")
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")][1:]
    assert [row[0].strip() for row in rows] == [tile.title for tile in to_check(load_tiles())]
    assert [row[0] for row in rows if not row[1].strip() or not row[2].strip()] == []
    assert {row[3].strip().partition(":")[0] for row in rows} == {"held", "mended"}
