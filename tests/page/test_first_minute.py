"""The first minute of somebody who was never here: how the game is played, what a roll did, who has won."""

import pytest
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, PHONE, expect, wrong_with
from helpers.tiers import first_by_day
from hextraction.controller.payloads.messages import Event
from msgspec.structs import replace

pytestmark = NEEDS

RAIN = "#cheer i"
REAL = replace(fake.info(), simulated=False)


def rest(table, seq=41, **more):
    """Show everybody a table at rest."""
    table.publish("state", fake.state(seq, **{"rolling": False, "balls": (), **more}))


def won(table, seq=60, **more):
    """Tell everybody that Bo has won."""
    rest(table, seq, outcome="Bo wins.", winners=("p2",), **more)
    table.publish("table", replace(fake.table(), phase="over", say="Bo wins."))


@pytest.mark.parametrize("scheme", first_by_day(["light", "dark"], "the other scheme"))
@pytest.mark.parametrize("size", first_by_day([PHONE, DESKTOP], "the other size"), ids=["phone", "desktop"])
@pytest.mark.parametrize("kind", ["hextraction", "hextris", "hexel", "extraction"])
def test_a_newcomer_is_told_the_game_in_six_pictures(visit, table, kind, size, scheme):
    """Each step has a picture with a name, a heading and one main button; the last one leads to the table."""
    table.publish("info", REAL)
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


def test_at_a_demonstration_the_board_comes_first(visit, table):
    """Nothing stands before it; how to play is one tap away, until somebody has looked."""
    rest(table)
    page = visit(newcomer=True, bypass_csp=True)
    offer = page.get_by_role("button", name="How to play", exact=True)
    expect(offer).to_be_visible()
    expect(page.locator("#howto")).to_be_hidden()
    assert wrong_with(page) == []
    offer.click()
    expect(page.locator("#howto")).to_contain_text("1 of 6")
    page.get_by_role("button", name="Skip").click()
    rest(table, 42)
    expect(offer).to_be_hidden()


def test_at_a_demonstration_a_newcomers_own_first_game_begins_with_the_pictures(visit, table):
    """Whoever takes a seat in the running game sees the board; as soon as a game is their own, how it is played."""
    rest(table)
    page = visit("p1", newcomer=True)
    expect(page.locator("#headline")).not_to_be_empty()
    expect(page.locator("#howto")).to_be_hidden()
    table.publish("state", fake.state(1, game="g2", rolling=False, balls=()))
    expect(page.locator("#howto")).to_contain_text("1 of 6")


def test_who_knows_the_game_skips_it_once_and_for_all(visit, table):
    """It is offered once; afterwards it is in the help."""
    table.publish("info", REAL)
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
    for words in ("rolled", "fell through C4", "2 touches", "91 % sure", "final in"):
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
    expect(page.locator("#headline")).to_contain_text("Bo wins.")
    expect(calm.locator("#headline")).to_contain_text("Bo wins.")
    expect(calm.locator(RAIN)).to_have_count(0)
    late = visit()
    expect(late.locator("#headline")).to_contain_text("Bo wins.")
    expect(late.locator(RAIN)).to_have_count(0)
    expect(page.locator(RAIN)).to_have_count(0)


def test_the_end_zones_stay_in_sight_where_the_winning_ball_lies(visit, table):
    """The card of the roll lies over the other end of the board then."""
    rest(table, last_roll=replace(fake.FELL, number=2))
    page = visit()
    expect(page.locator("#board [data-slot]").first).to_be_visible()
    ball = replace(fake.FELL.balls[0], fate="zone.L")
    rest(
        table,
        42,
        last_roll=replace(fake.FELL, number=3, balls=(ball,)),
        phase="settling",
        deadline_us=46_000_000,
    )
    expect(page.locator("#outcome")).to_contain_text("left end zone")
    card = page.locator("#outcome .outcome-card").bounding_box()
    for zone in page.locator("#board [data-zone] .zone-hit").all():
        basin = zone.bounding_box()
        assert card["y"] + card["height"] <= basin["y"] or basin["y"] + basin["height"] <= card["y"]


def test_whoever_wins_reads_it_as_you(visit, table):
    """On the winner's own phone it is *you*, on all others the name; several winners share it."""
    rest(table)
    own, other = visit("p2"), visit("p1")
    won(table)
    expect(own.locator("#headline")).to_contain_text("You win!")
    expect(own.locator(".stage")).not_to_contain_text("Bo wins")
    expect(other.locator("#headline")).to_contain_text("You were beaten by Bo.")
    expect(other.locator("#pause")).not_to_contain_text("You were beaten")
    expect(other.locator("#pause")).to_contain_text("Bo wins.")
    expect(other.locator("#pause .scores tr").first).to_contain_text("Bowon")
    rest(table, 61, outcome="Bo and Ada win.", winners=("p2", "p1"))
    expect(own.locator("#headline")).to_contain_text("You win, and so does Ada.")


def test_the_last_move_is_the_roll_that_won(visit, table):
    """Not the tile that was laid before it; and who won is said once beside the list, by the headline."""
    rest(table)
    own, other, watcher = visit("p2"), visit("p1"), visit()
    laid = Event(game="g1", seq=41, at_us=1, kind="placed", text="X is on B4.", seat="p2", slot="B4")
    table.publish("event", laid, retain=False)
    expect(other.locator("#log")).to_contain_text("X is on B4.")
    ball = replace(fake.FELL.balls[0], ramp="R3", fate="zone.R")
    roll = replace(fake.FELL, roller="p2", turn=fake.state().view.turn, balls=(ball,))
    won(table, last_roll=roll)
    last = "Last move: {} ball from ramp R3 into the right end zone"
    expect(own.locator("#pause")).to_contain_text(last.format("your"))
    for page in (other, watcher):
        expect(page.locator("#pause")).to_contain_text(last.format("Bo's"))
        expect(page.locator("#pause")).not_to_contain_text("X is on B4")
    expect(watcher.locator(".play :not(#log *):text-is('Bo wins.')")).to_have_count(1)


@pytest.mark.parametrize("over", [False, True], ids=["in one's turn", "at the end"])
def test_what_a_seat_has_stays_in_sight(visit, table, over):
    """Its counters stand in its chip beside what it does: in its own turn, when it is asked, and when it has won."""
    counters = (
        fake.shown.Counter(label="in stock", count=6),
        fake.shown.Counter(label="in the hedge", count=2),
    )
    seats = tuple(replace(one, counters=counters) for one in fake.state(rolling=False).view.seats)
    more = {"outcome": "Ada wins.", "winners": ("p1",)} if over else {}
    rest(table, 42, seats=seats, asked=(("p2", "Which card?"),), **more)
    if over:
        table.publish("table", replace(fake.table(), phase="over"))
    page = visit("p1", bypass_csp=True)
    chips = page.locator("#seats .seat")
    expect(chips).to_have_count(3)
    for number, does in enumerate(["won" if over else "", "is asked", ""]):
        for words in (does, "6 in stock", "2 in the hedge"):
            expect(chips.nth(number)).to_contain_text(words)
    assert wrong_with(page) == []
