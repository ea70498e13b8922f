"""The first minute of somebody who was never here: how the game is played, what a roll did, who has won."""

import pytest
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, PHONE, expect, wrong_with
from msgspec.structs import replace

pytestmark = NEEDS

RAIN = "#cheer i"


def rest(table, seq=41, **more):
    """Show everybody a table at rest."""
    table.publish("state", fake.state(seq, **{"rolling": False, "balls": (), **more}))


def won(table, seq=60):
    """Tell everybody that Bo has won."""
    rest(table, seq, outcome="Bo wins.", winners=("p2",))
    table.publish("table", replace(fake.table(), phase="over"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("kind", ["hextraction", "hextris", "hexel", "extraction"])
def test_a_newcomer_is_told_the_game_in_six_pictures(visit, table, kind, size, scheme):
    """Each step has a picture with a name, a heading and one main button; the last one leads to the table."""
    table.publish("table", replace(fake.table(phase="lobby"), kind=kind))
    page = visit(newcomer=True, viewport=size, color_scheme=scheme, bypass_csp=True)
    sheet = page.locator("#howto")
    seen = []
    for number in range(1, 7):
        expect(sheet).to_contain_text(f"{number} of 6")
        assert sheet.locator("svg[role=img]").get_attribute("aria-label") == sheet.locator("h2").inner_text()
        seen.append(sheet.locator("h2").inner_text())
        assert sheet.locator(".button.primary").count() == 1
        assert wrong_with(page) == []
        sheet.locator(".button.primary").click()
    expect(sheet).to_be_hidden()
    assert len(set(seen)) == 6


def test_who_knows_the_game_skips_it_once_and_for_all(visit):
    """It is offered once; afterwards it is in the help."""
    page = visit(newcomer=True)
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("#howto")).to_be_hidden()

    page.reload()
    expect(page.locator("#board [data-slot]").first).to_be_visible()
    expect(page.locator("#howto")).to_be_hidden()
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="How to play, in pictures").click()
    expect(page.locator("#howto")).to_contain_text("1 of 6")
    page.keyboard.press("Escape")
    expect(page.locator("#howto")).to_be_hidden()


def test_who_sits_already_is_not_stopped(visit, table):
    """A seat's phone shows the game at once."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1", newcomer=True)
    expect(page.get_by_role("button", name="End the turn")).to_be_visible()
    expect(page.locator("#howto")).to_be_hidden()


def test_what_a_roll_did_lies_on_the_board_as_a_card(visit, table):
    """Where the ball went, its touches and how sure the board is; a tap takes it away. Old rolls are not news."""
    rest(table, last_roll=replace(fake.FELL, number=2))
    page = visit(bypass_csp=True)
    card = page.locator("#outcome")
    expect(page.locator("#board [data-slot]").first).to_be_visible()
    expect(card).to_be_hidden()

    rest(table, 42, last_roll=fake.FELL, deadline_us=46_000_000, phase="settling")
    for words in ("rolled", "fell through C4", "2 touches", "98 % sure", "settles in"):
        expect(card).to_contain_text(words)
    assert wrong_with(page) == []
    card.click()
    expect(card).to_be_hidden()
    rest(table, 43, last_roll=fake.FELL, deadline_us=46_000_000, phase="settling")
    expect(page.locator("#headline")).not_to_be_empty()
    expect(card).to_be_hidden()


def test_a_victory_is_celebrated_by_who_watched_it(visit, table):
    """Pieces in the winner's colour rain once; whoever comes later, or wants no motion, sees none."""
    rest(table)
    page, calm = visit(), visit(reduced_motion="reduce")
    for phone in (page, calm):
        expect(phone.locator("#board [data-slot]").first).to_be_visible()
    won(table)
    expect(page.locator(RAIN)).to_have_count(28)
    assert set(page.locator(RAIN).evaluate_all("(all) => all.map((one) => one.dataset.paint)")) == {
        fake.table().seats[1].colour
    }
    expect(page.locator("#pause")).to_contain_text("Bo wins.")
    expect(calm.locator("#pause")).to_contain_text("Bo wins.")
    expect(calm.locator(RAIN)).to_have_count(0)
    late = visit()
    expect(late.locator("#pause")).to_contain_text("Bo wins.")
    expect(late.locator(RAIN)).to_have_count(0)
    expect(page.locator(RAIN)).to_have_count(0)


def test_sounds_are_off_until_somebody_wants_them(visit):
    """The switch is in the help, and this phone remembers it."""
    page = visit()
    page.get_by_role("button", name="Help").click()
    switch = page.get_by_label("Sounds on this phone")
    expect(switch).not_to_be_checked()
    switch.check()
    page.reload()
    page.get_by_role("button", name="Help").click()
    expect(page.get_by_label("Sounds on this phone")).to_be_checked()
