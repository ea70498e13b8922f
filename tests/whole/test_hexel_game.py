"""A game of Hex'el on a phone: somebody who only follows the page takes a seat, plays, and wins."""

import contextlib
import random
import re

import pytest
from helpers.end_to_end_table import SLOW_MS, phone
from helpers.page.browser import DESKTOP, KNOWS_THE_GAME, NEEDS, PHONE, expect, wrong_with
from helpers.program import process
from helpers.tiers import first_by_day, nightly
from hextraction.board.profile import load_board
from hextraction.controller.games.hexagon.field import field_on
from hextraction.controller.games.hexel.cards import SYMBOLS, turned
from hextraction.controller.games.hexel.mosaic import cell_named, fits, open_cells
from playwright.sync_api import TimeoutError as NotInTimeError

pytestmark = NEEDS

LETTERS = {word: symbol for symbol, word in SYMBOLS.items()}
FIRST = ("shuffle", "deal", "stake", "hedge")
MOST_GAMES = 12
LABELS = """() => [...document.querySelectorAll('#board .slot .hit')]
  .map((one) => (one.getAttribute('aria-label') ?? '').split('. ')[0]).join('|')"""
"""What lies where, as it is read aloud."""


def demo(tmp_path, *more):
    """Start a demonstration of Hex'el on a free port."""
    options = ["--game", "hexel", "--players", 2, "--bots", "weak", "--port", 0, "--host", "127.0.0.1"]
    return process("demo", *options, "--journal", tmp_path / "games.db", "--games", 0, *more)


def pick(page, card):
    """Pick a card of the hand, again if the hand was drawn anew under the finger; return whether it fits."""
    held, said = page.locator(".card").nth(card), page.locator("#headline")
    for _try in range(8):
        if held.get_attribute("aria-pressed") != "true":
            held.click()
        with contextlib.suppress(AssertionError):
            expect(said).to_have_text(re.compile("bright cell|fits nowhere"), timeout=3_000)
            expect(held).to_have_attribute("aria-pressed", "true", timeout=3_000)
            break
    return "bright" in said.inner_text()


class Reader:
    """Somebody who reads cards and board off the page, thinks, and taps."""

    def __init__(self, page, board):
        self.page = page
        self.field = field_on(load_board(board))
        self.luck = random.Random(7)

    def field_now(self):
        """Return what each cell shows, as it is read aloud."""
        there = {}
        for label in self.page.locator("#board .slot .hit").evaluate_all(
            "(all) => all.map((one) => one.getAttribute('aria-label'))"
        ):
            found = re.match(r"(\w+): .*edges: ((?:red|blue|yellow)(?:, (?:red|blue|yellow))*)", label)
            if found:
                symbols = "".join(LETTERS[word] for word in found[2].split(", "))
                there[cell_named(self.field.cells[found[1]])] = symbols
        return there

    def offered(self):
        """Return (is a Hoxla, edges, card, slot) of everything that the bright cells of each card offer."""
        found = []
        there = self.field_now()
        wanted = open_cells(there, bounded=True)
        for card in range(self.page.locator(".card").count()):
            face = self.symbols(self.page.locator(".card").nth(card))
            pick(self.page, card)
            bright = set(
                self.page.locator("#board .slot.target").evaluate_all(
                    "(all) => all.map((one) => one.dataset.slot)"
                )
            )
            for fit in fits(there, wanted, face):
                slot = next(slot for cell, slot in self.field.slots.items() if cell_named(cell) == fit.cell)
                if slot in bright:
                    found.append((fit.hoxla, fit.matched, card, slot, turned(face, fit.turns)))
        return found

    def play(self):
        """Lay one card: a Hoxla if there is one, else where most edges match; return whether it was still our turn."""
        offered = self.offered()
        if not offered:
            return False
        most = max((hoxla, matched) for hoxla, matched, *_rest in offered)
        _hoxla, _matched, card, slot, symbols = self.luck.choice([one for one in offered if one[:2] == most])
        pick(self.page, card)
        hit = self.page.locator(f'#board [data-slot="{slot}"] .hit')
        hit.click()
        shown = self.page.locator(f'#board [data-slot="{slot}"] .preview')
        expect(shown.locator(".symbol")).to_have_count(6, timeout=SLOW_MS)
        for _turn in range(6):
            if self.preview(slot) == symbols:
                break
            before = shown.inner_html()
            self.page.get_by_role("button", name="Turn right").click()
            self.page.wait_for_function(
                "([slot, before]) => document.querySelector(`#board [data-slot=${slot}] .preview`)?.innerHTML !== before",
                arg=[slot, before],
            )
        assert self.preview(slot) == symbols
        self.page.locator(".pick [data-group=place]").click()
        return True

    def preview(self, slot):
        """Return the symbols of the card that would be laid there, clockwise from the top."""
        return self.symbols(self.page.locator(f'#board [data-slot="{slot}"] .preview'))

    def symbols(self, drawn):
        """Return the symbols of a card that is drawn, clockwise from the top."""
        names = drawn.locator(".symbol").evaluate_all("(all) => all.map((one) => one.getAttribute('class'))")
        return "".join(LETTERS[name.split()[-1]] for name in names)


@nightly(
    "games until one is won",
    meanwhile="tests/whole/test_stranger.py::test_a_stranger_sits_down_and_plays_to_the_end",
)
def test_a_phone_takes_a_seat_and_wins(browser, tmp_path):
    """From the lobby to a win, by what the page offers alone; a lost game is followed by another one."""
    with (
        demo(tmp_path, "--speed", 25, "--seed", 4, "--board", "large-27") as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
    ):
        ada.sit("Ada")
        page, reader = ada.page, Reader(ada.page, "large-27")
        expect(page.locator("#board .slot")).to_have_count(19)
        ended = page.locator("#headline").filter(has_text=re.compile("wins|You win|beaten|nobody"))
        first = page.locator(
            ", ".join(f"#tray:not([aria-busy]) button[data-group={one}]" for one in FIRST)
        ).first
        lays = page.locator("body.our-turn #headline").filter(
            has_text=re.compile("^Your turn: (tap a card|you can)")
        )
        nothing_fits = page.locator("body.our-turn #headline").filter(has_text="no card fits")
        won = lost = 0
        while not won and lost < MOST_GAMES:
            expect(first.or_(lays).or_(ended).or_(nothing_fits).first).to_be_visible(timeout=120_000)
            if ended.count():
                won += "You win" in ended.inner_text()
                lost += not won
                if not won:
                    page.get_by_role("button", name="One more game").click()
                    expect(ended).to_have_count(0, timeout=120_000)
            elif first.count():
                with contextlib.suppress(NotInTimeError):  # the button went as it was tapped
                    first.click(timeout=SLOW_MS)
                expect(page.locator("#tray[aria-busy]")).to_have_count(0)
            elif nothing_fits.count():
                page.locator(".card").first.click()
                page.locator("#tray [data-group=discard]").click()
                expect(nothing_fits).to_have_count(0, timeout=SLOW_MS)
            elif page.locator(".card").count():
                before = page.evaluate(LABELS)
                if reader.play():
                    page.wait_for_function(f"(before) => ({LABELS})() !== before", arg=before)
        assert won, page.locator("#headline").inner_text()


@pytest.mark.parametrize("scheme", first_by_day(["light", "dark"], "a game in each size and scheme"))
@pytest.mark.parametrize(
    "size", first_by_day([PHONE, DESKTOP], "a game in each size and scheme"), ids=["phone", "desktop"]
)
def test_the_page_of_a_game_is_sound(browser, tmp_path, size, scheme):
    """With a card picked and with the rules open axe finds nothing, targets are large, nothing sticks out."""
    with demo(tmp_path, "--speed", 12, "--seed", 4) as table:
        context = browser.new_context(
            viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce"
        )
        context.add_init_script(KNOWS_THE_GAME)
        page = context.new_page()
        page.goto(f"{table.url}#j={table.code}")
        page.get_by_label("Your name").fill("Ada")
        page.get_by_role("button", name="Take a seat").click()
        first = page.locator(
            ", ".join(f"#tray:not([aria-busy]) button[data-group={one}]" for one in FIRST)
        ).first
        lays = page.locator("body.our-turn #headline").filter(
            has_text=re.compile("^Your turn: (tap a card|you can)")
        )
        again = page.get_by_role("button", name="One more game")  # bots may have won before it was our turn
        while not lays.count():
            expect(first.or_(lays).or_(again).first).to_be_visible(timeout=120_000)
            if again.count():
                again.click()
                expect(again).to_have_count(0, timeout=120_000)
            elif first.count():
                with contextlib.suppress(NotInTimeError):  # the button went as it was tapped: time was up
                    first.click(timeout=3_000)
                expect(page.locator("#tray[aria-busy]")).to_have_count(0)
        assert wrong_with(page) == []
        next(card for card in range(page.locator(".card").count()) if pick(page, card))
        page.locator("#board .slot.target .hit").first.click()
        expect(page.locator(".pick")).to_be_visible(timeout=SLOW_MS)
        assert wrong_with(page) == []
        page.get_by_role("button", name="Reference", exact=True).click()
        expect(page.get_by_role("dialog", name="How Hex'el is played")).to_be_visible()
        assert wrong_with(page) == []
        context.close()
