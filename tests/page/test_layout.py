"""Where things stand while a game is on: nothing moves, nothing covers the ball that is told of, and tiles can be told apart."""

import io

import pytest
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, expect, too_small
from helpers.page.steady import SIZES
from hextraction.controller.payloads.messages import Odds, RampOdds
from msgspec.structs import replace
from PIL import Image

pytestmark = NEEDS

ON_ITS_SIDE = {"phone on its side": {"width": 844, "height": 390}}
EVERYWHERE = {**SIZES, **ON_ITS_SIDE}
PARTS = ("#board", "#dock", "#headline", "#seats")
OVER = """(card) => {
  const over = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const box = document.querySelector(card).getBoundingClientRect();
  return [...document.querySelectorAll("#board :is(.zone-hit, .zone-title, .trail, .ball, .slot)")]
    .filter((node) => over(node.getBoundingClientRect(), box)).map((node) => node.getAttribute("class"));
}"""
"""What of the board lies below a card."""
OFF_SCREEN = """(parts) => [...document.querySelectorAll(parts)].map((part) => part.getBoundingClientRect())
  .filter((box) => box.left < 0 || box.right > innerWidth).map((box) => `${box.left} to ${box.right}`)"""
RADIUS_MM = 27.5
"""From the middle of a slot to its corner."""


def boxes(page):
    """Return where the parts of the page are."""
    return {part: page.locator(part).bounding_box() for part in PARTS}


def told(page, table, number):
    """Wait until the page has drawn all that was published so far."""
    table.publish("event", fake.event(number, f"Event {number}."), retain=False)
    expect(page.locator("#log")).to_contain_text(f"Event {number}.")
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


@pytest.mark.parametrize("size", EVERYWHERE)
def test_parts_keep_their_places_through_a_game(visit, table, size):
    """In others' turns, asked, with long and short sentences, paused, at the end, and while a roll is watched again."""
    table.views["p1"] = fake.view()
    table.publish("state", fake.state(41, rolling=False, balls=(), active="p2", headline="Bo thinks."))
    page = visit("p1", viewport=EVERYWHERE[size], reduced_motion="reduce")
    expect(page.locator("#board .slot").first).to_be_attached()
    told(page, table, 41)
    before = boxes(page)
    many = tuple((f"p{number}", "Which of these?") for number in (1, 2, 3))
    long = "Bo thinks about where the tile goes, and everybody else looks at the board meanwhile, for so it is said."
    states = [
        {"headline": long, "asked": many, "last_roll": replace(fake.FELL, number=9)},
        {"headline": "Bo rolls.", "last_roll": fake.ROLL, "rolling": True},
        {"headline": "It is over.", "outcome": "Ada wins!", "winners": ("p1",), "last_roll": fake.ROLL},
    ]
    for number, more in enumerate(states, start=42):
        table.publish("state", fake.state(number, **{"rolling": False, "balls": (), "active": "p2", **more}))
        told(page, table, number)
        assert boxes(page) == before, more["headline"]
    table.publish("table", fake.table(paused=True))
    expect(page.locator("#pause")).to_contain_text("Go on")
    assert boxes(page) == before
    table.publish("table", fake.table(phase="over"))
    expect(page.locator("#pause")).to_contain_text("Rematch")
    assert page.evaluate(OVER, "#dock") == []
    page.locator("#pause [data-open=replay]").click()
    expect(page.locator("#replay")).to_be_visible()
    assert boxes(page) == before
    if size in SIZES:
        bottom = before["#dock"]["y"] + before["#dock"]["height"]
        assert bottom <= page.viewport_size["height"] + 1, "all of it is on one screen"


@pytest.mark.parametrize("size", EVERYWHERE)
@pytest.mark.parametrize("fate", ["zone.L", "hole.C4"])
def test_what_a_roll_did_covers_nothing_of_the_board(visit, table, size, fate):
    """The card stands beside the drawing: end zones, trails and balls stay in sight, wherever the ball went."""
    table.publish("state", fake.state(41, rolling=False, last_roll=replace(fake.FELL, number=2)))
    page = visit("p1", viewport=EVERYWHERE[size])
    expect(page.locator("#board .trail").first).to_be_attached()
    ball = replace(fake.FELL.balls[0], fate=fate)
    balls = tuple(replace(one, moving=False) for one in fake.state(41).view.balls)
    roll = replace(fake.FELL, number=3, balls=(ball,))
    table.publish(
        "state",
        fake.state(42, rolling=False, balls=balls, last_roll=roll, phase="settling", deadline_us=46_000_000),
    )
    expect(page.locator("#outcome .outcome-card")).to_be_visible()
    assert page.evaluate(OVER, "#outcome .outcome-card") == []
    card, field = (page.locator(part).bounding_box() for part in ("#outcome .outcome-card", ".field"))
    assert card["y"] + card["height"] <= field["y"] + field["height"] + 1, "whole"
    assert card["x"] + card["width"] <= page.viewport_size["width"]


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (390, 844)])
@pytest.mark.parametrize("locale", ["en", "de-DE"])
def test_what_became_of_several_balls_is_never_cut(visit, table, size, locale):
    """Three balls, on the smallest phone, too: the card of the roll has nothing beyond its edge."""
    viewport = dict(zip(("width", "height"), size, strict=True))
    page = visit("p1", viewport=viewport, locale=locale)
    expect(page.locator("#board .trail").first).to_be_attached()
    fates = enumerate(("hole.C4", "zone.L", "side.A4"), start=1)
    balls = tuple(replace(fake.FELL.balls[0], ball=ball, fate=fate) for ball, fate in fates)
    last_roll = replace(fake.FELL, number=3, balls=balls)
    table.publish("state", fake.state(42, rolling=False, balls=(), last_roll=last_roll))
    card = page.locator("#outcome .outcome-card")
    expect(card.locator(".outcome-ball")).to_have_count(3)
    assert card.evaluate(
        "card => [card.scrollHeight - card.clientHeight, card.scrollWidth - card.clientWidth]"
    ) <= [1, 0]


def test_a_watcher_of_a_lobby_sees_the_board_at_once(visit, table):
    """On a phone it stands above the card of the table, and the name of a seat's owner is beside what belongs to it."""
    table.publish("table", fake.lobby())
    page = visit(viewport={"width": 360, "height": 640})
    expect(page.locator("#lobby")).to_have_attribute("data-phase", "lobby")
    expect(page.locator("#board")).to_be_in_viewport(ratio=1)
    seated = visit("p1", viewport={"width": 360, "height": 640})
    row = seated.locator('#lobby-seats [data-seat="p2"]')
    name, more = (row.locator(part).bounding_box() for part in (".row-name", ".about summary"))
    assert more["x"] > name["x"] + name["width"] - 1
    assert abs(more["y"] + more["height"] / 2 - name["y"] - name["height"] / 2) < 12


BROKEN = """() => {
  const words = [];
  const texts = document.createTreeWalker(document.querySelector("#outcome .outcome-card"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) for (const found of texts.currentNode.data.matchAll(/\\S+/g)) {
    const word = document.createRange();
    word.setStart(texts.currentNode, found.index);
    word.setEnd(texts.currentNode, found.index + found[0].length);
    if (new Set([...word.getClientRects()].map((box) => Math.round(box.top))).size > 1) words.push(found[0]);
  }
  return words;
}"""
"""The words of the card of a roll that do not stand on one line."""


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (390, 700)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_beside_the_board_of_a_low_phone_is_room_for_whole_words(visit, table, size, scheme):
    """German ones, too; and the button to press is on the screen."""
    fine = fake.shown.Option(group="agree", label="All fine", act={"do": "agree"})
    table.views["p1"] = fake.view(options=(fine,))
    table.publish("state", fake.state(41, rolling=False, last_roll=replace(fake.FELL, number=2)))
    viewport = dict(zip(("width", "height"), size, strict=True))
    page = visit("p1", viewport=viewport, locale="de-DE", color_scheme=scheme)
    expect(page.locator("#board .trail").first).to_be_attached()
    balls = (replace(fake.FELL.balls[0], fate="zone.L"), replace(fake.FELL.balls[0], ball=2))
    roll = replace(fake.FELL, number=3, balls=balls)
    table.publish("state", fake.state(42, rolling=False, balls=(), last_roll=roll))
    expect(page.locator("#outcome")).to_contain_text("Endzone")
    expect(page.locator("#outcome")).to_contain_text("Berührungen")
    assert page.evaluate(BROKEN) == []
    expect(page.get_by_role("button", name="Stimmt so")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (390, 844)])
def test_the_three_tiles_of_a_hand_stand_side_by_side(visit, table, size):
    """On the smallest phone, too; none has words beyond its edge."""
    table.views["p1"] = fake.view(options=fake.ROLLS)
    page = visit("p1", viewport=dict(zip(("width", "height"), size, strict=True)))
    cards = page.locator("#tray .cards .card")
    expect(cards).to_have_count(3)
    assert len({round(card.bounding_box()["y"]) for card in cards.all()}) == 1
    assert [card.evaluate("card => card.scrollWidth - card.clientWidth") for card in cards.all()] == [0, 0, 0]


TOPS = """() => ["#tray .hand", "#tray .acts .button"].map((parts) => [...document.querySelectorAll(parts)]
  .map((part) => Math.round(part.getBoundingClientRect().top)))"""
"""How far down the hand is, and each button of the row above it."""


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (390, 844)])
def test_the_hand_and_the_row_above_it_stay_in_place_through_a_turn(visit, table, size):
    """To wait, to roll, to play, with a card chosen, to lay, to turn, to end: cards at one height, buttons at one, all in sight."""
    back = fake.shown.Option(group="undo", label="Take that back", act={"do": "undo"})
    table.views["p1"] = fake.view(options=())
    page = visit("p1", viewport=dict(zip(("width", "height"), size, strict=True)), reduced_motion="reduce")
    cards = page.locator("#tray .hand")
    expect(cards).to_be_visible()
    tops = []

    def look(options, ready, **more):
        table.show("p1", fake.view(options=options, **more))
        expect(page.locator(ready).first).to_be_visible()
        tops.append(page.evaluate(TOPS))
        expect(cards).to_be_in_viewport(ratio=1)

    look((), ".acts")
    look((*fake.ROLLS, *fake.PLAYS), ".ramp.target", owed=("roll one ball", "play one tile"))
    page.locator('#tray [data-tile="102"]').click()
    look(fake.PLAYS, ".acts .primary")
    page.locator('#tray [data-tile="102"]').click()
    look((*fake.PLACES, back), ".slot.target", owed=("play one tile",))
    page.locator('#board [data-slot="B5"] .hit').click()
    look((*fake.PLACES, back), ".pick .primary")
    cancel = page.get_by_role("button", name="Cancel", exact=True)
    expect(cancel).to_have_css("pointer-events", "auto")  # it takes no tap where another one just stood
    cancel.click()
    look((fake.END,), ".acts [data-group=end]")
    assert len({top for hand, _acts in tops for top in hand}) == 1, tops
    assert len({top for _hand, acts in tops for top in acts}) == 1, tops


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (390, 844)])
def test_what_is_still_to_do_takes_no_room_from_the_buttons(visit, table, size):
    """Three of them stand where two do, in sight; before, a line of one letter each pushed them off a small phone."""
    option = fake.shown.Option
    three = (
        option(group="lay", label="It lies flat", act={"do": "lay"}),
        option(group="undo", label="Take that back", act={"do": "undo"}),
        option(group="adjust", label="Set the moving parts", act={"do": "adjust"}),
    )
    table.views["p1"] = fake.view(options=three, owed=("play one tile", "roll one ball"))
    page = visit("p1", viewport=dict(zip(("width", "height"), size, strict=True)))
    buttons = page.locator("#tray .acts .button")
    expect(buttons).to_have_count(3)
    for button in buttons.all():
        expect(button).to_be_in_viewport(ratio=1)


COMES_WITH = """([label, busyMs]) => globalThis.came = new Promise((done) => new MutationObserver((_all, observer) => {
  const found = [...document.querySelectorAll("#tray .button")].find((node) => node.textContent === label);
  if (!found) return;
  observer.disconnect();
  for (const until = performance.now() + busyMs; performance.now() < until;);
  setTimeout(() => requestAnimationFrame(() => done(getComputedStyle(found).pointerEvents)));
}).observe(document.querySelector("#tray"), { childList: true, subtree: true }))"""


@pytest.mark.parametrize("busy_ms", [0, 600], ids=["quick phone", "busy phone"])
def test_a_button_where_another_one_stood_takes_no_tap_at_first(visit, table, busy_ms):
    """A thumb that comes down twice does not do the next thing as well; where nothing stood, a button is there at once.

    A phone that is busy shows it later, and from then on it counts.
    """
    table.views["p1"] = fake.view(options=())
    page = visit("p1")
    expect(page.locator("#tray .acts")).to_be_attached()

    def comes(option, label):
        page.evaluate(f"(one) => {{ ({COMES_WITH})(one) }}", [label, busy_ms])
        table.show("p1", fake.view(options=(option,)))
        return page.evaluate("() => came")

    back = fake.shown.Option(group="undo", label="Take that back", act={"do": "undo"})
    assert comes(back, "Take that back") == "auto"
    assert comes(fake.END, "End the turn") == "none"
    page.get_by_role("button", name="End the turn").click()
    assert table.command()[1]["act"] == {"do": "end"}


@pytest.mark.parametrize("size", ["small phone", "phone"])
def test_ramps_are_as_large_as_a_thumb(visit, table, size):
    """Heads of ramps side by side: each 44 pixels wide and high, all of it on the screen."""
    table.views["p1"] = fake.view(options=fake.ROLLS)
    page = visit("p1", viewport=SIZES[size])
    expect(page.locator("#board .ramp.target").first).to_be_visible()
    assert too_small(page, "#board .ramp .hit") == []
    assert page.evaluate(OFF_SCREEN, "#board .ramp .hit") == []


ZONE_HEIGHTS = """() => [...document.querySelectorAll("#board .zone.target")].map((zone) => {
  const { left, width } = zone.querySelector(".zone-hit").getBoundingClientRect();
  const of = (y) => document.elementFromPoint(left + width / 2, y)?.closest(".zone");
  return Array.from({ length: innerHeight }, (_, y) => of(y)).filter((found) => found === zone).length;
})"""
SLOT_CENTRES = """() => [...document.querySelectorAll("#board .slot")].filter((slot) => {
  const { left, top, width, height } = slot.querySelector(".hit").getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return found?.closest("#board") && !slot.contains(found);
}).map((slot) => slot.dataset.slot)"""


@pytest.mark.parametrize("size", [(320, 568), (360, 640)])
def test_an_end_zone_is_as_high_as_a_thumb_and_leaves_the_middle_of_every_slot(visit, table, size):
    """44 pixels on the smallest phones; a tap on the middle of a slot means that slot."""
    zones = tuple(
        fake.shown.Option(group="attest", label=f"In {name}", act={"do": "attest", "saw": "zone", "place": name},
                          tells=f"zone {name}")
        for name in ("L", "R")
    )  # fmt: skip
    table.views["p1"] = fake.view(options=zones)
    page = visit("p1", viewport=dict(zip(("width", "height"), size, strict=True)))
    expect(page.locator("#board .zone.target")).to_have_count(2)
    assert min(page.evaluate(ZONE_HEIGHTS)) >= 44
    assert page.evaluate(SLOT_CENTRES) == []


@pytest.mark.parametrize("size", ["small phone", "phone"])
def test_a_hand_lies_side_by_side(visit, table, size):
    """Three cards, one of them with a long name, in one row of a phone: nothing is scrolled sideways."""
    table.views["p1"] = fake.view(options=fake.PLAYS)
    page = visit("p1", viewport=SIZES[size])
    expect(page.locator("#tray .card")).to_have_count(3)
    tops = page.evaluate(
        "() => [...document.querySelectorAll('#tray .card')].map((card) => card.getBoundingClientRect().top)"
    )
    assert len(set(tops)) == 1
    assert page.evaluate(OFF_SCREEN, "#tray .card") == []


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_in_the_dark_the_active_seat_casts_no_shadow_on_the_headline(visit, scheme):
    """Its frame says enough; by day the shadow is as faint as on paper."""
    page = visit(color_scheme=scheme)
    shadow = page.locator(".seat.active").evaluate("(seat) => getComputedStyle(seat).boxShadow")
    assert (shadow == "none") == (scheme == "dark")


@pytest.mark.parametrize("size", EVERYWHERE)
def test_whoever_watches_has_join_on_the_first_screen(visit, size):
    """It stands in the card of the table, nothing has to be scrolled for it, and nothing unseen lies over it."""
    page = visit(viewport=EVERYWHERE[size])
    join = page.locator("#table").get_by_role("button", name="Join", exact=True)
    expect(join).to_be_in_viewport(ratio=1)
    box = join.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*middle)  # unlike `join.click()`, it does not scroll
    expect(page.get_by_label("Your name")).to_be_visible()


def test_what_happened_keeps_its_lines_beside_the_odds(visit, table):
    """On a desktop whoever watches reads five lines of it at least, and the odds of six ramps below."""
    ramps = tuple(
        RampOdds(ramp=ramp, zone=0.4, ends={"zone.L": 0.4}) for ramp in ("L1", "L2", "L3", "R1", "R2", "R3")
    )
    table.publish("odds", Odds(game="g1", ramps=ramps))
    page = visit(viewport=DESKTOP)
    expect(page.locator("#odds li")).to_have_count(6)
    for number in range(50, 60):
        table.publish("event", fake.event(number, f"Bo rolls on R{number % 3 + 1}."), retain=False)
    expect(page.locator("#log li")).to_have_count(10)
    line, log = (page.locator(part).bounding_box()["height"] for part in ("#log li >> nth=-1", ".log"))
    assert log >= 5 * line
    expect(page.locator("#odds")).to_be_in_viewport(ratio=1)


def test_names_of_tiles_are_shown_on_demand(visit):
    """They lie over channels: a finger that stays shows them and reads nothing, a key does, and a switch that is remembered."""
    page = visit()
    name = page.locator('#board [data-slot="B2"] .tile-title')
    expect(name).to_be_hidden()
    box = page.locator('#board [data-slot="B2"] .hit').bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    expect(name).to_be_visible()
    page.mouse.up()
    expect(name).to_be_hidden()
    expect(page.locator(".inspect")).to_have_count(0)
    page.mouse.down()
    page.mouse.up()
    expect(page.locator(".inspect")).to_have_count(1)

    page.keyboard.press("n")
    expect(name).to_be_visible()
    page.keyboard.press("n")
    expect(name).to_be_hidden()
    page.get_by_role("button", name="Help").click()
    page.get_by_label("Always show the names on the board").check()
    page.reload()
    expect(name).to_be_visible()


def test_what_a_finger_is_on_waits_for_it(visit, table):
    """The table changes while a button is pressed: it counts, and only then the page shows what has changed."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1")
    button = page.get_by_role("button", name="End the turn")
    box = button.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    table.show("p1", fake.view(options=fake.TALK))
    table.publish("event", fake.event(50, "Something has happened."), retain=False)
    expect(page.locator("#log")).to_contain_text("Something has happened.")
    assert abs(button.bounding_box()["y"] - box["y"]) <= 1, "it only goes down with the finger"
    page.mouse.up()
    expect(button).to_have_count(0)
    seat, said = table.command()
    assert (seat, said["act"]) == ("p1", {"do": "end"})


def brightness(colour):
    """Return the relative luminance of WCAG, 0 to 1."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (one / 255 for one in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def apart(one, other):
    """Return the contrast of two colours, 1 to 21."""
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("size", SIZES)
def test_channels_open_slots_and_tiles_are_told_apart_in_the_dark(visit, table, size):
    """Measured from pixels of a screenshot: each of the three from each other by 3 : 1 at least."""
    page = visit(viewport=SIZES[size], color_scheme="dark")
    expect(page.locator('#board [data-slot="D3"] .tile-title')).to_have_count(1)
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")

    def pixel(slot, x_mm, y_mm):
        box = page.locator(f'#board [data-slot="{slot}"] .hit').bounding_box()
        scale = box["width"] / 2 / RADIUS_MM
        at = (box["x"] + box["width"] / 2 + x_mm * scale, box["y"] + box["height"] / 2 + y_mm * scale)
        return picture.getpixel((round(at[0]), round(at[1])))

    channel, tile, open_slot = pixel("D3", 0, 0), pixel("D3", 15, 0), pixel("E2", 0, 14)
    found = {
        "channel and tile": apart(channel, tile),
        "tile and open slot": apart(tile, open_slot),
        "channel and open slot": apart(channel, open_slot),
    }
    assert all(contrast >= 3 for contrast in found.values()), found
