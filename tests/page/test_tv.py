"""The big screen at /tv: who plays, what happened, what a roll did, who won, how to join, and all of it legible."""

import re

import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect, finds_nothing, violations
from hextraction.controller.payloads.messages import Odds, RampOdds

pytestmark = NEEDS

FULL_HD = {"width": 1920, "height": 1080}
SMALL_HD = {"width": 1280, "height": 720}
SIZES = """() => {
  const small = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    const node = walk.currentNode.parentElement;
    const box = node?.getBoundingClientRect();
    if (!text || !box?.height || node.closest("noscript")) continue;
    const svg = node.closest("svg");
    const scale = svg ? svg.getScreenCTM().a * (svg.classList.contains("mark") ? NaN : 1) : 1;
    const part = (parseFloat(getComputedStyle(node).fontSize) * scale * 100) / innerHeight;
    if (part < 2.2) small.push([text.slice(0, 30), part]);
  }
  return small;
}"""
"""Every text that is seen, if it is smaller than 2.2 % of the screen's height; numbers in seats' marks left out."""
SEEN = """(selector) => [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect())
  .filter((box) => box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1).length"""


def screen(visit, table, viewport=FULL_HD, hash_="#j=HEXAGONS", **more):
    """Open the big screen at a table where a game is on and one was played before."""
    table.evening = fake.TONIGHT
    table.publish("state", fake.state(41, rolling=False, balls=(), last_roll=fake.ROLL))
    page = visit(path="tv", hash_=hash_, viewport=viewport, bypass_csp=True, **more)
    expect(page.locator("#log li")).to_have_count(20)
    expect(page.locator("#tv-code")).not_to_be_empty()
    return page


OVERLAPS = """() => {
  const parts = ["main", ".tv-now", "#outcome", "#odds", ".tv-story", ".tv-evening", ".tv-join"].map((one) => [one, document.querySelector(one).getBoundingClientRect()]);
  const apart = (a, b) => !b.height || !a.height || a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  return parts.flatMap(([one, a], i) => parts.slice(i + 1).filter(([, b]) => !apart(a, b)).map(([other]) => `${one} ${other}`));
}"""
"""Parts of the screen that lie over one another."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [FULL_HD, SMALL_HD], ids=["1080", "720"])
def test_all_that_is_shown_is_legible_from_four_metres(visit, table, viewport, scheme):
    """No text is below 2.2 % of the height, nothing leaves the screen, and contrasts hold, in both sizes and schemes."""
    page = screen(visit, table, viewport, color_scheme=scheme)

    assert finds_nothing(page, SIZES), page.evaluate(SIZES)
    assert finds_nothing(page, OVERLAPS), page.evaluate(OVERLAPS)
    assert page.evaluate(SEEN, "#board, #headline, #seats, #outcome, #tv-qr, #tv-code, #tv-address") == 0
    assert violations(page) == []


def test_late_comers_see_what_happened_and_who_won_tonight(visit, table):
    """The last twenty events stand there newest first, then what comes; the games of the evening with their time."""
    page = screen(visit, table)
    expect(page.locator("#log li").first).to_have_text("This is event number 20.")
    expect(page.locator("#tv-games li")).to_have_text(["19:05Ada wins with a ball in the end zone!"])

    table.publish("event", fake.event(21, "Ada takes ramp L2."), retain=False)
    expect(page.locator("#log li").first).to_have_text("Ada takes ramp L2.")
    expect(page.locator("#log li").nth(1)).to_have_text("This is event number 20.")


def test_the_way_in_is_always_there(visit, table):
    """QR code, join code and address, whatever the phase; the screen takes no seat though this browser keeps a key."""
    page = screen(visit, table, seat="p1")
    for phase in ("playing", "over", "lobby"):
        table.publish("table", fake.table(phase))
        expect(page.locator("body")).to_have_attribute("data-phase", phase)
        expect(page.locator("#tv-qr")).to_be_visible()
        expect(page.locator("#tv-code")).to_have_text("HEXA GONS")
        expect(page.locator("#tv-address")).to_have_text("192.168.4.20:8080")
    expect(page.locator("#headline")).to_have_text("We play Hextraction")
    expect(page.locator("#seats .seat-name")).to_have_text(["Ada", "Bo", "Robin"])
    assert page.locator("#tv-qr").evaluate("(img) => img.naturalWidth") > 100
    assert table.here.empty()
    assert not any("app.js" in name for name in page.fetched)


def test_without_the_code_the_screen_sends_people_to_the_table(visit, table):
    """Nobody in the network learns the code from a screen that was opened without it."""
    page = screen(visit, table, hash_="")
    expect(page.locator("#tv-code")).to_have_text("The code is at the table.")
    expect(page.locator("#tv-qr")).to_be_visible()


def test_what_a_roll_did_stands_on_a_card(visit, table):
    """Where the ball went, its touches, how sure the board is; until the next ball moves."""
    page = screen(visit, table)
    expect(page.locator("#outcome")).to_have_text(
        re.compile(r"Ada rolled.*fell through C4.*2 touches.*91 % sure")
    )
    table.publish("state", fake.state(42, rolling=True, last_roll=fake.ROLL))
    expect(page.locator("#outcome")).to_be_hidden()


def test_the_odds_of_the_next_ball_are_told_by_ramp(visit, table):
    """How likely an end zone is, and what is likeliest; legible, and gone when the table tells none."""
    page = screen(visit, table)
    expect(page.locator("#odds")).to_be_hidden()
    ramps = tuple(
        RampOdds(ramp=ramp, zone=zone, ends={"hole.C4": 1 - zone, "zone.L": zone}, guessed=ramp == "R3")
        for ramp, zone in {"L1": 0.0, "L2": 0.004, "L3": 0.12, "R1": 0.3, "R2": 0.45, "R3": 0.2}.items()
    )
    table.publish("odds", Odds(game="g1", ramps=ramps))
    expect(page.locator("#odds li")).to_have_text(
        [
            "L10 %100 % falls through C4",
            "L2< 1 %100 % falls through C4",
            "L312 %88 % falls through C4",
            "R130 %70 % falls through C4",
            "R245 %55 % falls through C4",
            "R320 %80 % falls through C4 (a guess)",
        ]
    )
    assert finds_nothing(page, SIZES), page.evaluate(SIZES)
    assert page.evaluate(SEEN, "#board, #odds, #outcome, #tv-qr, #tv-code, #tv-address") == 0
    assert page.locator(".tv-story").bounding_box()["height"] > 100
    table.publish("odds", Odds(game="g1"))
    expect(page.locator("#odds")).to_be_hidden()


def test_a_phone_that_only_watches_is_told_the_odds_and_a_player_is_not(visit, table):
    """The broker lets no seat read them, so nothing is there to be drawn. A chance of nothing has no figure at all."""
    ramps = (RampOdds(ramp="L1", zone=0.25, ends={"side": 0.75, "zone.L": 0.25}),)
    table.publish("state", fake.state(41, rolling=False, balls=()))
    table.publish("odds", Odds(game="g1", ramps=ramps))
    table.show("p1", fake.view())
    watcher, player = visit(), visit("p1")
    expect(watcher.locator("#odds li")).to_have_text(["L125 %75 % leaves the board"])
    expect(watcher.locator("#board [data-ramp=L1] .ramp-odds")).to_have_text("25 %")
    expect(player.locator("#tray")).to_be_visible()
    expect(player.locator("#odds")).to_be_hidden()
    expect(player.locator(".ramp-odds")).to_have_count(0)

    hopeless = (RampOdds(ramp="L1", zone=0.004, ends={"side": 0.996, "zone.L": 0.004}),)
    table.publish("odds", Odds(game="g1", ramps=hopeless))
    expect(watcher.locator("#odds")).to_contain_text("From no ramp does a ball get into an end zone now.")
    expect(watcher.locator("#odds .odds-zone")).to_have_text([""])
    expect(watcher.locator(".ramp-odds")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_winner_is_told_large(visit, table, scheme):
    """At the end the headline is who won with what, with their mark; the games of the evening stand there from the second on."""
    page = screen(visit, table, color_scheme=scheme)
    won = {"winners": ("p2",), "losers": ("p1", "p3"), "outcome": "Bo wins with a ball in the end zone!"}
    table.publish("state", fake.state(43, rolling=False, balls=(), **won))
    table.publish("table", fake.table("over"))
    expect(page.locator("#headline")).to_have_text(re.compile("Bo wins with a ball in the end zone!$"))
    expect(page.locator("#headline .mark")).to_have_count(1)
    expect(page.locator("#tv-evening")).to_be_hidden()
    assert finds_nothing(page, OVERLAPS), page.evaluate(OVERLAPS)
    assert violations(page) == []


LEGS = "() => [...document.querySelectorAll('#board .leg-ball')].map((one) => one.getAttribute('transform')).join()"
PIECES = "#board .slot .tile"


def lobby(visit, table, **more):
    """Open the big screen at a table that is about to play."""
    table.publish("table", fake.table("lobby"))
    page = visit(path="tv", hash_="#j=HEXAGONS", bypass_csp=True, **{"viewport": FULL_HD, **more})
    expect(page.locator("#tv-lesson-title")).to_have_text("Get a ball to the end zone")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [FULL_HD, SMALL_HD], ids=["1080", "720"])
def test_a_lobby_tells_what_is_played_who_is_here_and_how_to_come_in(visit, table, viewport, scheme):
    """All of it legible, whole and apart, with the games of the evening."""
    table.evening = fake.TONIGHT
    page = lobby(visit, table, viewport=viewport, color_scheme=scheme)
    expect(page.locator("#tv-games li")).to_have_count(1)

    parts = "#headline, #seats, #tv-lesson, #tv-evening, #tv-qr, #tv-code, #tv-address"
    assert page.evaluate(SEEN, parts) == 0
    assert finds_nothing(page, SIZES), page.evaluate(SIZES)
    apart = OVERLAPS.replace('"#outcome", "#odds", ".tv-story"', '".tv-lesson", "#tv-qr", ".tv-join > div"')
    assert finds_nothing(page, apart), page.evaluate(apart)
    assert violations(page) == []


def test_the_lobbys_picture_moves_tiles_come_and_a_ball_runs_over_them(visit, table):
    """One tile after the other from a ramp to an end zone, then the ball; once the game begins it is gone."""
    page = lobby(visit, table)
    count = page.locator(PIECES).count()
    page.wait_for_function(f"(before) => document.querySelectorAll('{PIECES}').length > before", arg=count)
    page.wait_for_function(f"() => ({LEGS})().startsWith('translate')")
    first = page.evaluate(LEGS)
    page.wait_for_function(f"(before) => ({LEGS})() !== before", arg=first)

    table.publish("table", fake.table("playing"))
    expect(page.locator("#board .leg-ball")).to_have_count(0)
    expect(page.locator("#board .tile-title").first).to_be_attached()
    expect(page.locator("#tv-lesson")).to_be_hidden()


def test_with_reduced_motion_the_lobbys_picture_stands_still(visit, table):
    """All tiles lie there at once, a ball in each end zone, and nothing is animated."""
    page = lobby(visit, table, reduced_motion="reduce")
    expect(page.locator("#board .ball")).to_have_count(2)
    assert page.locator(PIECES).count() >= 10
    assert page.evaluate("() => document.getAnimations().length") == 0
    assert page.locator("#board .leg-ball").count() == 0


def test_long_news_wrap_and_no_line_is_cut(visit, table):
    """A line that has no room is left out whole; a long one goes on in the next."""
    page = screen(visit, table)
    table.publish(
        "event", fake.event(21, "Ada takes ramp L2, and this is told at length. " * 4), retain=False
    )
    line = page.locator("#log li").first
    expect(line).to_contain_text("at length")
    assert line.bounding_box()["height"] > 3 * page.locator("#log li").nth(1).bounding_box()["height"] * 0.9
    cut = """() => { const box = document.querySelector("#log").getBoundingClientRect();
      return [...document.querySelectorAll("#log li")].map((one) => one.getBoundingClientRect())
        .filter((one) => one.left < box.right - 1 && (one.bottom > box.bottom + 1 || one.right > box.right + 1)).length; }"""
    assert page.evaluate(cut) == 0


def test_what_everybody_has_is_read_at_a_glance(visit, table):
    """The numbers beside the names have 16 minutes of arc at 4 m: 5 % of the height."""
    page = screen(visit, table)
    sizes = page.locator("#seats .having").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert len(sizes) == 3
    assert min(sizes) / FULL_HD["height"] >= 0.05


def test_a_lobby_says_how_to_come_in_for_three_metres_beside_one_board(visit, table):
    """The line, the address and the code have a twentieth of the height and more; the only drawing is the board's."""
    page = lobby(visit, table)
    for part in ("#tv-invites", "#tv-address", "#tv-code"):
        size = page.locator(part).evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
        assert size / FULL_HD["height"] >= 0.05, part
    expect(page.locator("svg.board, .howto-picture svg")).to_have_count(1)


@pytest.mark.parametrize("viewport", [FULL_HD, SMALL_HD], ids=["1080", "720"])
def test_a_lobby_leaves_no_hole(visit, table, viewport):
    """From how it is played to the way in there is no more than a gap."""
    table.publish("table", fake.lobby())
    page = visit(path="tv", viewport=viewport)
    expect(page.locator("#tv-lesson")).to_be_visible()
    expect(page.locator("#tv-qr")).to_be_visible()
    lesson, way_in = (page.locator(part).bounding_box() for part in ("#tv-lesson", ".tv-join"))
    assert 0 <= way_in["y"] - lesson["y"] - lesson["height"] < viewport["height"] * 0.03
