"""A stranger comes with the address from the square code, and plays: nothing is known but what the page says."""

import re

import pytest
from helpers.page.browser import NEEDS
from helpers.program import process
from helpers.stranger import Stranger

pytestmark = NEEDS

PHONE = {"width": 390, "height": 844}
PATIENCE_S = 300
"""On a busy machine; by itself it takes a stranger five to thirty seconds."""
GAMES = {
    "hextraction": (["--board", "small-18", "--laid", 15, "--players", 2, "--speed", 16], ["rolls", "lays"]),
    "hextris": (["--players", 2, "--bots", "weak", "--speed", 20], ["drops"]),
    "hexel": (["--players", 2, "--bots", "weak", "--speed", 2], ["lays a card"]),
    "extraction": (["--players", 3, "--bots", "weak", "--speed", 6], ["settles", "places a road"]),
}
"""For each game: a table, and what the list of events says of a first move."""
LONG = {"extraction", "hextraction", "hextris"}
"""Games of many minutes: there the first one is enough; phones play them whole in tests of their own."""


@pytest.mark.parametrize("kind", GAMES)
def test_a_stranger_sits_down_and_plays(browser, tmp_path, kind):
    """Told only by the first sentence: a seat, a name, first legal moves soon; short games to their end."""
    options, moves = GAMES[kind]
    journal = ["--journal", tmp_path / "games.db"]
    address = ["--port", 0, "--host", "127.0.0.1"]
    with process("demo", "--game", kind, *address, "--games", 0, "--seed", 3, *journal, *options) as table:
        context = browser.new_context(viewport=PHONE)
        page = context.new_page()
        page.goto(f"{table.url}#j={table.code}")
        stranger, told = Stranger(page, "Kim"), page.locator("#log")

        def moved():
            seen = told.inner_text()
            return all(re.search(f"Kim {move}", seen) for move in moves)

        stranger.until(moved, patience_s=PATIENCE_S)
        if kind not in LONG:
            over = page.locator("#pause").filter(has_text=re.compile("win|draw|over"))
            stranger.until(over.is_visible)
        context.close()
