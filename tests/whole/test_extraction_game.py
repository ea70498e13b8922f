"""A game of Extraction on phones: three people who only follow the page play from the lobby to a winner."""

import re

import pytest
from helpers.end_to_end_table import SLOW_MS, phone
from helpers.page.browser import DESKTOP, KNOWS_THE_GAME, NEEDS, PHONE, expect, wrong_with
from helpers.ports import free_port
from helpers.program import process
from helpers.tiers import nightly
from playwright.sync_api import TimeoutError as NotInTimeError

pytestmark = NEEDS

MOST_TAPS = 2_000
GONE_MS = 10_000
WAITS = """() => document.querySelector('#tray[aria-busy]') === null && (
  document.querySelector('#tray :is([data-answer], [data-group=roll], [data-group=collect], [data-group=number],'
    + ' [data-group=end], [data-group=done])')
  || document.querySelector('#board .target'))"""
"""Whether the page asks this player for something, and has had the answer to the tap before."""
BUTTONS = ("[data-answer]", "[data-group=settle]", "[data-group=roll]", "[data-group=collect]")
BUILDS = ("City…", "Settlement…", "Road…")


class Settler:
    """Somebody who does what the page offers: answers, throws, taps what is bright, builds, ends the turn."""

    def __init__(self, player):
        self.player = player
        self.page = player.page
        self.tray = player.tray

    def plays(self):
        """Do one thing, if there is something to be done; return what it was."""
        if not self.page.evaluate(WAITS):
            return ""
        for buttons in BUTTONS:
            found = self.tray.locator(buttons)
            if found.count():
                return self.tapped(found.last, buttons)
        bright = self.page.locator("#board .target .hit")
        if bright.count():
            return self.tapped(bright.first, "the board")
        numbers = self.tray.locator("[data-group=number]")
        if numbers.count():
            return self.tapped(numbers.last, "a disc")
        for words in BUILDS:
            found = self.tray.get_by_role("button", name=words, exact=True)
            if found.count():
                return self.tapped(found, words)
        straight = self.tray.locator(":is([data-group=settlement], [data-group=city], [data-group=buy])")
        if straight.count():
            return self.tapped(straight.first, "built at once")
        end = self.tray.locator(":is([data-group=end], [data-group=done])")
        return self.tapped(end.first, "the end") if end.count() else ""  # it was somebody else's turn by then

    def tapped(self, where, what):
        """Tap something, and wait until the table has answered."""
        before = self.page.locator("#log").inner_text(), self.tray.inner_text()
        try:
            where.click(timeout=GONE_MS)
        except NotInTimeError:
            if where.count():
                raise
            return ""  # the table had moved on before it was tapped
        self.page.wait_for_function(
            "([log, tray]) => !document.querySelector('#tray[aria-busy]') && ("
            "document.querySelector('#log').innerText !== log || document.querySelector('#tray').innerText !== tray)",
            arg=list(before),
            timeout=SLOW_MS,
        )
        return what


@nightly(
    "a long evening of three phones",
    meanwhile="tests/whole/test_stranger.py::test_a_stranger_sits_down_and_plays_to_the_end",
)
def test_three_phones_play_from_the_lobby_to_a_winner(browser, tmp_path):
    """They choose the game and a short one, throw for the first turn, settle, lay discs, and play to the end."""
    options = [
        "--no-electronics",
        "--port",
        free_port(),
        "--host",
        "127.0.0.1",
        "--journal",
        tmp_path / "g.db",
    ]
    with (
        process("run", *options) as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
        phone(browser, f"{table.url}#j={table.code}") as bo,
        phone(browser, f"{table.url}#j={table.code}") as cy,
    ):
        for player, name in ((ada, "Ada"), (bo, "Bo"), (cy, "Cy")):
            player.sit(name)
        ada.page.get_by_label("Game").select_option("extraction")
        expect(bo.page.get_by_role("heading", level=1)).to_have_text("Extraction")
        ada.page.get_by_role("button", name="House rules…").click()
        ada.page.get_by_role("radio", name=re.compile("^one token a hex")).check()
        ada.page.get_by_role("button", name="Close the settings").click()
        ada.page.get_by_role("button", name="Start").click()
        settlers = [Settler(player) for player in (ada, bo, cy)]
        over = ada.page.locator("#headline").filter(has_text=re.compile("wins? with|You win"))
        done = []
        for _tap in range(MOST_TAPS):
            did = [what for one in settlers if (what := one.plays())]
            done += did
            if not did:
                ada.page.wait_for_timeout(50)
            if over.count():
                break
        assert {"[data-group=roll]", "the board", "a disc", "[data-group=collect]", "the end"} <= set(done)
        for player in (ada, bo, cy):
            expect(player.headline).to_have_text(re.compile("wins? with|You win"), timeout=SLOW_MS)
        assert table.stop() == 0


@nightly(
    "a long game in a browser",
    meanwhile="tests/page/test_extraction.py::test_the_headline_goes_along_with_what_one_does",
)
def test_the_page_of_a_game_is_sound(browser, tmp_path):
    """While settling, as text, with an offer and the rules open, axe finds nothing in any size and scheme."""
    options = ["--game", "extraction", "--bots", "weak", "--port", 0, "--host", "127.0.0.1", "--games", 0]
    options += ["--speed", 1, "--seed", 4, "--players", 3, "--journal", tmp_path / "g.db"]
    with process("demo", *options) as table:
        context = browser.new_context(viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
        context.add_init_script(KNOWS_THE_GAME)
        page = context.new_page()
        page.goto(f"{table.url}#j={table.code}")
        page.get_by_label("Your name").fill("Ada")
        page.get_by_role("button", name="Take a seat").click()
        throw, bright = page.locator("#tray [data-group=roll]"), page.locator("#board .target")
        while not bright.count():
            expect(throw.or_(bright).first).to_be_visible(timeout=SLOW_MS)
            if throw.count():
                throw.click()
                expect(throw).to_have_count(0)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for size in (PHONE, DESKTOP):
                page.set_viewport_size(size)
                assert wrong_with(page) == [], (scheme, size)
            page.get_by_role("button", name="Reference", exact=True).click()
            expect(page.get_by_role("dialog", name="How Extraction is played")).to_be_visible()
            assert wrong_with(page) == [], scheme
            page.get_by_role("button", name="Close reference").click()
        page.get_by_role("button", name="Text view").click()
        corners = page.locator("#text").get_by_role("button", name=re.compile("^Settle at"))
        assert corners.count() == bright.count() > 10
        assert wrong_with(page) == []
        page.evaluate("() => document.querySelector('#extraction-offer').showModal()")
        expect(page.get_by_role("dialog", name="Trade")).to_be_visible()
        assert wrong_with(page) == []
        context.close()


@pytest.mark.parametrize("board", ["standard-22"])
def test_a_board_without_a_hexagon_is_drawn_as_one(browser, tmp_path, board):
    """Nineteen hexes, and the phones say that they are the board."""
    options = ["--game", "extraction", "--bots", "weak", "--port", 0, "--host", "127.0.0.1", "--board", board]
    with process("demo", *options, "--games", 0, "--players", 3, "--journal", tmp_path / "g.db") as table:
        page = browser.new_page()
        page.goto(table.url)
        expect(page.locator("#board .slot")).to_have_count(19, timeout=SLOW_MS)
        expect(page.locator("#facts")).to_contain_text("Play on the phones")
        page.close()
