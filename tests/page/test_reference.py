"""The reference sheet in a real Chromium: tiles and clauses are looked up from wherever they are named."""

import re

import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect, too_small, violations
from hextraction.controller.clauses import gist
from hextraction.controller.payloads.messages import Reply

pytestmark = NEEDS

TARGETS = "#reference button, #reference input, #reference a, .tools button"
TIE = "The tile stays only if more want to keep it than to destroy it."


def look_up(page, words):
    """Open the sheet and type into its search."""
    page.get_by_role("button", name="Reference", exact=True).click()
    page.get_by_label("Tile, word or clause").fill(words)


def sheet(page):
    """Return the sheet."""
    return page.get_by_role("dialog", name="Reference")


def test_the_reference_is_fetched_when_somebody_asks(visit):
    """Opening the page does not fetch the file; opening the sheet does, once."""
    page = visit()
    assert "reference.json" not in page.fetched

    look_up(page, "0.5.4")
    expect(sheet(page).get_by_text("A tie destroys")).to_be_visible()
    page.get_by_label("Tile, word or clause").fill("loop")
    expect(sheet(page).get_by_text("Break the Loop", exact=True)).to_be_visible()
    assert page.fetched.count("reference.json") == 1


def test_the_sheet_says_that_it_is_no_rules_card(visit):
    """A screen does not replace the card that the rules ask for (0.3.1.4)."""
    page = visit()
    look_up(page, "")

    expect(sheet(page)).to_contain_text("does not replace the rules card")
    expect(sheet(page)).to_contain_text("0.3.1.4")


def test_a_clause_is_found_by_its_number_and_leads_on(visit):
    """The clause itself comes before what stands under it; its gist names the rulings on it, and they lead back."""
    page = visit()
    look_up(page, "2.0.1")
    assert sheet(page).locator(".number").all_inner_texts() == ["2.0.1", "2.0.1.1"]

    sheet(page).get_by_role("button", name="2.0.1 ", exact=False).first.click()
    expect(sheet(page).locator(".gist")).to_have_text(gist("2.0.1"))
    sheet(page).get_by_role("button", name="R-20").click()
    expect(sheet(page).locator(".gist")).to_have_text(gist("R-20"))
    sheet(page).get_by_role("button", name="2.3.1").click()
    expect(sheet(page).locator(".gist")).to_have_text(gist("2.3.1"))
    sheet(page).get_by_role("button", name="Search").click()
    assert sheet(page).locator(".number").all_inner_texts() == ["2.0.1", "2.0.1.1"]


def test_a_tile_is_found_by_a_word_and_shows_its_card(visit):
    """A card has title, creator, where it comes from, and what it does in our words."""
    page = visit()
    look_up(page, "pinata")
    sheet(page).get_by_role("button", name="Piñata").click()

    expect(sheet(page).locator("h3")).to_have_text("Piñata ★")
    expect(sheet(page).locator(".effects li")).to_have_text(["When destroyed: Every player draws a tile."])
    expect(sheet(page).get_by_text("by dapperrogue")).to_be_visible()
    expect(sheet(page).get_by_text("Where it comes from")).to_have_attribute("rel", "noopener noreferrer")


def test_what_nobody_knows_is_said(visit):
    """A search without a match says whom to ask."""
    page = visit()
    look_up(page, "qqqq")

    expect(page.locator("#reference-says")).to_contain_text("Ask the owner")


def test_a_question_explains_its_clause(visit, table):
    """Why? tells the gist at once; its number opens the sheet."""
    table.views["p1"] = fake.view(prompts=(fake.KEEP,))
    page = visit("p1")
    page.get_by_text("Why?").click()
    expect(page.locator(".clause")).to_contain_text(TIE)

    page.locator(".clause").get_by_role("button", name="Rule 0.5.4").click()
    expect(sheet(page).locator(".gist")).to_have_text(TIE)
    page.keyboard.press("Escape")
    expect(sheet(page)).to_be_hidden()


def test_an_event_explains_its_clause(visit, table):
    """The number beside what happened opens the clause."""
    page = visit()
    table.publish("event", fake.event(41, "A ball touches Bell.", slot="B2", clause="3.Touch"), retain=False)
    page.locator("#log").get_by_role("button", name="Rule Touch").click()

    expect(sheet(page).locator("h3")).to_have_text("Touch")


def test_a_refusal_explains_its_clause(visit, table):
    """The number in a refusal opens the clause."""
    table.views["p1"] = fake.view(options=(fake.END,))
    table.refuse = Reply(id="", ok=False, code="refused", reason="A roll is still owed.", clause="2.0.2")
    page = visit("p1")
    page.get_by_role("button", name="End the turn").click()
    page.locator("#toast").get_by_role("button", name="Rule 2.0.2").click()

    expect(sheet(page).locator(".gist")).to_have_text(gist("2.0.2"))


def test_a_chapter_lists_its_clauses(visit, table):
    """A number that is only a chapter's shows what stands in it."""
    page = visit()
    table.publish("event", fake.event(41, "Said.", clause="2.7"), retain=False)
    page.locator("#log").get_by_role("button", name="Rule 2.7").click()

    expect(sheet(page).locator(".number").first).to_have_text("2.7.1")


def test_a_tile_on_the_board_and_in_the_hand_offers_its_card(visit, table):
    """A tapped slot and a chosen tile of the hand have a button Card; a tile of somebody's own sends to its owner."""
    page = visit()
    page.locator('#board [data-slot="B2"] .hit').click()
    page.get_by_role("button", name="Card of Bell").click()
    expect(sheet(page).locator("h3")).to_contain_text("Bell")
    page.get_by_role("button", name="Close reference").click()

    hand = (fake.TileView(id=900, name="dc", title="DC", channels=((1, 3), (4, 6))),)
    table.views["p1"] = fake.view(hand=hand)
    page = visit("p1")
    page.get_by_role("button", name="DC").click()
    page.get_by_role("button", name="Card of DC").click()
    expect(sheet(page).locator(".card-head")).to_contain_text("by ZackFreedman")
    assert sheet(page).locator(".tile-picture .groove").count() == 2
    assert re.fullmatch(r"https://.*", sheet(page).locator(".source").get_attribute("href"))


def test_a_reference_that_cannot_be_reached_is_asked_for_again(visit):
    """A failed fetch is said in words, and the next try may succeed."""
    page = visit()
    page.route("**/reference.json", lambda route: route.abort())
    look_up(page, "0.5.4")
    expect(page.locator("#reference-says")).to_contain_text("cannot be reached")
    page.unroute("**/reference.json")
    page.get_by_label("Tile, word or clause").fill("0.5.4 ")

    expect(sheet(page).get_by_text("A tie destroys")).to_be_visible()
    visit.wrong[:] = [line for line in visit.wrong if "ERR_FAILED" not in line]  # the browser's own line


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_sheet(visit, scheme):
    """Neither in a list, nor in a card, nor in a clause; targets are large enough and nothing scrolls sideways."""
    page = visit(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    look_up(page, "tile")
    expect(sheet(page).locator(".found-row").first).to_be_visible()
    found = audit(page)
    sheet(page).locator("[data-card]").first.click()
    found += audit(page)
    sheet(page).get_by_role("button", name="Search").click()
    page.get_by_label("Tile, word or clause").fill("R-20")
    sheet(page).locator("[data-clause]").first.click()

    assert found + audit(page) == []


def audit(page):
    """Return what axe finds serious in the sheet, targets that are too small, and sideways scrolling."""
    wide = page.evaluate(
        """() => [document.documentElement.scrollWidth - innerWidth,
          document.querySelector('#reference').scrollWidth - document.querySelector('#reference').clientWidth].filter((over) => over > 0)"""
    )
    return [*violations(page, "#reference"), *too_small(page, TARGETS), *wide]


def test_questions_are_answered_in_their_own_words(visit):
    """Several words in any order, questions, names and slips of the pen: the best answer stands first."""
    page = visit()
    look_up(page, "")
    asked = {
        "how do I win": "2.9.1",
        "who goes first": "1.0.9",
        "beak the lop": "Break the Loop",
        "stuck ball": "2.1.3",
        "what if a ball falls off the board": "2.11.1",
        "pachinko trigger": "Pachinko",
        "DIC": "DIC",
        "teleprot": "Teleport",
    }
    for words, first in asked.items():
        page.get_by_label("Tile, word or clause").fill(words)
        expect(sheet(page).locator(".found-row").first).to_contain_text(first)


def test_a_rule_that_has_a_name_is_called_by_it(visit, table):
    """Where a word of the glossary is the rule, people read “Break the Loop”, not what its entry is called inside."""
    page = visit()
    table.publish("event", fake.event(41, "No new ball.", clause="3.BreakTheLoop.2"), retain=False)
    page.locator("#log").get_by_role("button", name="Rule Break the Loop").click()
    expect(page.locator("#log")).to_contain_text("Break the Loop")
    expect(sheet(page).locator("h3")).to_have_text("Break the Loop · No more balls")
    page.get_by_label("Tile, word or clause").fill("Rolling")
    expect(sheet(page).locator(".found-row").first).to_contain_text("Rolling")
    expect(sheet(page).locator(".number").filter(has_text="3.")).to_have_count(0)
