"""A game of Hextris on a phone: somebody who only follows the page takes a seat, plays, and wins."""

import random
import re

import pytest
from helpers.end_to_end_table import SLOW_MS, phone
from helpers.page.browser import DESKTOP, KNOWS_THE_GAME, NEEDS, PHONE, expect, wrong_with
from helpers.ports import free_port
from helpers.program import process
from helpers.tiers import first_by_day, nightly
from hextraction.board.profile import load_board
from hextraction.controller.games.hexagon.field import field_on
from hextraction.controller.games.hextris.position import named
from hextraction.controller.games.hextris.search import best
from hextraction.controller.games.hextris.written import position_from

pytestmark = NEEDS

SIZES = {"Small": "S", "Medium": "M", "Large": "L"}
MOST_GAMES = 4
LABELS = """() => [...document.querySelectorAll('#board .slot .hit')]
  .map((one) => (one.getAttribute('aria-label') ?? '').split('. ')[0]).join('|')"""
"""What lies where, as it is read aloud."""


def demo(tmp_path, *more):
    """Start a demonstration of Hextris on a free port."""
    options = ["--game", "hextris", "--players", 2, "--bots", "weak", "--port", 0, "--host", "127.0.0.1"]
    return process("demo", *options, "--journal", tmp_path / "games.db", *more)


class Reader:
    """Somebody who reads the board off the page, thinks, and taps."""

    def __init__(self, page, board):
        self.page = page
        self.field = field_on(load_board(board))
        self.luck = random.Random(5)

    def position(self):
        """Return the position as the page tells it, with us as player 0."""
        pieces = {}
        for label in self.page.locator("#board .slot .hit").evaluate_all(
            "(all) => all.map((one) => one.getAttribute('aria-label'))"
        ):
            found = re.match(r"(\w+): (Small|Medium|Large), \d, (.+)'s \w+ piece", label)
            if found:
                mine = found[3] == "Ada"
                pieces[self.field.cells[found[1]]] = (0 if mine else 1, SIZES[found[2]])
        hands, home = {}, {}
        for seat in self.page.locator("#seats .seat").all():
            who = 0 if seat.locator(".seat-name").inner_text() == "Ada" else 1
            said = seat.get_by_role("img").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
            counts = {what.rstrip("s"): int(number) for number, what in (one.split() for one in said)}
            home[who], hands[who] = counts["group"], [counts[size] for size in ("small", "medium", "large")]
        return position_from(pieces, 2, 0, [hands[0], hands[1]], [home[0], home[1]])

    def chosen(self):
        """Return the ply to play."""
        thinking = best(self.position(), "R0", budget=20_000)
        while True:
            try:
                next(thinking)
            except StopIteration as done:
                return named(done.value[0][1])

    def tap(self, cell):
        """Tap a cell on the board."""
        slot = self.field.slots[cell]
        self.page.locator(f'#board [data-slot="{slot}"] .hit').click()

    def play(self):
        """Play one ply: pick a piece, then tap where it goes."""
        ply = self.chosen()
        size = {"S": "Small", "M": "Medium", "L": "Large"}.get(ply.size)
        if ply.kind == "drop":
            self.page.locator("#tray").get_by_role("button", name=re.compile(f"^{size} ")).click()
        else:
            mine, other = (ply.at, ply.to) if self.ours(ply.at) else (ply.to, ply.at)
            self.tap(mine)
        expect(self.page.locator("#facts")).to_contain_text("A piece is picked", timeout=SLOW_MS)
        self.tap(ply.to if ply.kind != "swap" else other)
        several = self.page.locator(
            ".pick [data-group=swap], .pick [data-group=slide], .pick [data-group=drop]"
        )
        if several.count():
            several.first.click()

    def ours(self, cell):
        """Whether the piece on a cell is ours."""
        return self.position().piece(cell)[0] == 0


@nightly(
    "games until one is won",
    meanwhile="tests/whole/test_stranger.py::test_a_stranger_sits_down_and_plays_to_the_end",
)
def test_a_phone_takes_a_seat_and_wins(browser, tmp_path):
    """From the lobby to the third group, by taps on the board alone; a lost game is followed by another one."""
    with (
        demo(tmp_path, "--games", 0, "--speed", 6, "--seed", 4, "--board", "large-27") as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
    ):
        ada.sit("Ada")
        page, reader = ada.page, Reader(ada.page, "large-27")
        expect(page.locator("#board .slot")).to_have_count(19)
        ended = page.locator("#headline").filter(has_text=re.compile("wins|You win|draw"))
        ours = page.locator("body.our-turn #headline").filter(has_text=re.compile("^Your turn"))
        asked = page.locator(".prompt [data-answer]").first
        won = lost = 0
        while not won and lost < MOST_GAMES:
            expect(ours.or_(ended).or_(asked).first).to_be_visible(timeout=120_000)
            if ended.count():
                won += "You win" in ended.inner_text()
                lost += not won
                expect(ended).to_have_count(0, timeout=120_000) if not won else None
            elif asked.count():
                page.locator(".prompt [data-answer]").last.click()
            else:
                before = page.evaluate(LABELS)
                reader.play()
                page.wait_for_function(f"(before) => ({LABELS})() !== before", arg=before)
        assert won, page.locator("#headline").inner_text()


@pytest.mark.parametrize("scheme", first_by_day(["light", "dark"], "a game in each size and scheme"))
@pytest.mark.parametrize(
    "size", first_by_day([PHONE, DESKTOP], "a game in each size and scheme"), ids=["phone", "desktop"]
)
def test_the_page_of_a_game_is_sound(browser, tmp_path, size, scheme):
    """With a piece picked and the rules open axe finds nothing, targets are large, nothing sticks out."""
    with demo(tmp_path, "--games", 0, "--speed", 3, "--seed", 4) as table:
        context = browser.new_context(
            viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce"
        )
        context.add_init_script(KNOWS_THE_GAME)
        page = context.new_page()
        page.goto(f"{table.url}#j={table.code}")
        page.get_by_label("Your name").fill("Ada")
        page.get_by_role("button", name="Take a seat").click()
        drop = page.locator("#tray").get_by_role("button", name=re.compile("^Small "))
        drop.click(timeout=120_000)
        expect(page.locator("#board .slot.target").first).to_be_visible()
        assert wrong_with(page) == []
        page.get_by_role("button", name="Reference", exact=True).click()
        expect(page.get_by_role("dialog", name="How Hextris is played")).to_be_visible()
        assert wrong_with(page) == []
        context.close()


def test_the_lobby_chooses_another_game(browser, tmp_path):
    """On an ordinary board two people choose Hextris; phones draw the hexagon; the next game is another one."""
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
    ):
        ada.sit("Ada")
        bo.sit("Bo")
        expect(ada.page.locator("#board .slot")).to_have_count(22)
        ada.page.get_by_label("Game").select_option("hextris")
        for player in (ada, bo):
            expect(player.page.get_by_role("heading", level=1)).to_have_text("Hextris")
            expect(player.page.locator("#board .slot")).to_have_count(19)
        ada.page.get_by_role("button", name="How swaps work…").click()
        ada.page.get_by_role("radio", name=re.compile("^R4")).check()
        ada.page.get_by_role("button", name="Close the swaps").click()
        ada.page.get_by_role("button", name="Start").click()
        for ply in range(4):
            now = whose(ada, bo)
            now.page.locator("#tray").get_by_role("button", name=re.compile("^Small ")).click()
            target = now.page.locator("#board .slot.target:not(:has(.pyramid))").first
            expect(target).to_be_visible(timeout=SLOW_MS)
            target.locator(".hit").click()
            for player in (ada, bo):
                expect(player.page.locator("#board .pyramid")).to_have_count(ply + 1, timeout=SLOW_MS)
            expect(now.page.locator("body.our-turn")).to_have_count(0)
        expect(bo.page.locator("#facts")).to_contain_text("Swaps: R4")
        ada.page.locator("#lobby > summary").click()
        ada.page.get_by_text("Leave the table…").click()
        ada.page.get_by_role("button", name="Really leave").click()
        expect(bo.headline).to_have_text("You win!", timeout=SLOW_MS)
        bo.page.get_by_label("Game").select_option("hextraction")
        expect(bo.page.get_by_role("heading", level=1)).to_have_text("Hextraction")
        expect(bo.page.locator("#board .slot")).to_have_count(22)
        status = table.stop()
    assert status == 0


def whose(*players):
    """Return the player whose page says that it is their turn, and offers a piece.

    Both count: a hand that was offered may stand there a moment longer than the turn.
    """
    for _look in range(600):
        for player in players:
            if player.page.locator("body.our-turn #tray [data-group=hand]").count():
                return player
            player.page.wait_for_load_state()
    raise AssertionError("nobody has the turn")
