"""A stranger comes with the address from the square code, and plays: nothing is known but what the page says."""

import pytest
from helpers.page.browser import NEEDS
from helpers.program import process
from helpers.stranger import Stranger

pytestmark = NEEDS

PHONE = {"width": 390, "height": 844}
FIRST_MINUTE_S = 60
GAMES = {
    "hextraction": (["--board", "small-18", "--laid", 15, "--players", 2], ("rolls", "lays")),
    "hextris": (["--players", 2, "--bots", "weak"], ("drops",)),
    "hexel": (["--players", 2, "--bots", "weak"], ("lays a card",)),
    "extraction": (["--players", 3, "--bots", "weak"], ("builds",)),
}
"""For each game: a table for a short one, and what the list of events says of a first move."""


def arrive(browser, table, name):
    """Come in by the address in the square code; return the stranger."""
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(f"{table.url}#j={table.code}")
    return Stranger(page, name)


@pytest.mark.parametrize("kind", GAMES)
def test_a_stranger_sits_down_plays_and_comes_to_the_end(browser, tmp_path, kind):
    """Told only by the first sentence: a seat, a name, a first legal move within a minute, and a whole game."""
    options, moves = GAMES[kind]
    with process(
        "demo", "--game", kind, "--port", 0, "--host", "127.0.0.1", "--games", 0, "--speed", 20, "--seed", 3,
        "--journal", tmp_path / "games.db", *options,
    ) as table:  # fmt: skip
        stranger = arrive(browser, table, "Kim")
        page = stranger.page
        told = page.locator("#log")

        def moved():
            return all(f"Kim {move}" in told.inner_text() for move in moves)

        stranger.until(moved, patience_s=FIRST_MINUTE_S)
        stranger.until(
            lambda: page.locator("#pause").is_visible() and "Kim" in page.locator("#seats").inner_text()
        )
        assert page.locator("#pause").inner_text()
        page.context.close()
