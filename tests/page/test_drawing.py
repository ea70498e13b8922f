"""What everybody sees of a table, in a real Chromium: the drawing, the text view, colours and motion."""

import itertools
import math
import re

import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect
from hextraction.controller.payloads.messages import Odds, RampOdds
from msgspec.structs import replace

pytestmark = NEEDS

FRAME_MS = 16
TOUCH_MS = 400
EVIL = "<img src=x onerror=x>"


def slot(page, name):
    """Return a slot on the drawing."""
    return page.locator(f'#board [data-slot="{name}"]')


def test_the_snapshot_is_drawn(visit):
    """A watcher sees every slot, the tiles with their grooves, touches, balls, ramps, and whose turn it is."""
    page = visit()

    expect(slot(page, "B2").locator(".hit")).to_have_attribute(
        "aria-label", re.compile("B2: Bell, 2 touches, 1 effect waits")
    )
    assert page.locator("#board .slot").count() == 22
    assert slot(page, "B3").locator(".groove").count() == 3
    assert slot(page, "D2").locator(".dish").count() == 1
    assert slot(page, "C2").locator(".trigger").count() == 1
    assert [slot(page, name).locator(".pip.on").count() for name in ("A1", "B1", "B2", "B3")] == [0, 1, 2, 3]
    assert page.locator("#board .ball").count() == 2
    assert page.locator("#board .ramp.shut").get_attribute("data-ramp") == "R3"
    expect(page.locator(".seat.active")).to_contain_text("Ada")
    expect(page.locator("#headline")).to_have_text("Ada rolls on L2.")


def test_a_turned_tile_is_drawn_turned(visit, table):
    """A straight tile turned by one sixth joins edge 2 with edge 5."""
    page = visit()

    assert slot(page, "A2").locator(".groove").get_attribute("d") == "M20.6,-11.9Q0,0 -20.6,11.9"
    assert slot(page, "D3").locator(".groove").get_attribute("d") == "M0,-23.8Q0,0 0,23.8"


def test_a_new_snapshot_and_events_change_the_page(visit, table):
    """A ball comes to its new slot, the touch is counted, and the event is told in words."""
    page = visit()
    ball = page.locator('#board [data-ball="1"]')
    middle = slot(page, "B4").get_attribute("transform")

    moved = fake.shown.BallView(ball=1, place="slot.B4", trail=("B1", "B2", "C2", "C3", "B4"), moving=True)
    table.publish("state", fake.state(41, balls=(moved,), active="p2", headline="Bo rolls."))
    table.publish("event", fake.event(41, "The ball touches Wide Bend.", slot="B4"), retain=False)

    expect(page.locator("#headline")).to_have_text("Bo rolls.")
    expect(page.locator(".seat.active")).to_contain_text("Bo")
    expect(page.locator("#log li").first).to_contain_text("The ball touches Wide Bend.")
    expect(page.locator("#board .ball")).to_have_count(1)
    expect(ball).to_have_attribute("transform", middle)


def roll_on(page, table, number, *trail, place=None, moving=True):
    """Tell where ball 9 is now, and see the time until the next touch pass; return where it is drawn in each frame."""
    ball = fake.shown.BallView(ball=9, place=place or f"slot.{trail[-1]}", trail=trail, moving=moving)
    table.publish("state", fake.state(number, balls=(ball,)))
    table.publish("event", fake.event(number, f"Told {number}."), retain=False)
    expect(page.locator("#log")).to_contain_text(f"Told {number}.")
    places = []
    for _frame in range(TOUCH_MS // FRAME_MS):
        page.clock.run_for(FRAME_MS)
        drawn = page.locator('#board [data-ball="9"]').get_attribute("transform")
        places.append(tuple(float(one) for one in re.findall(r"-?[\d.]+", drawn)))
    return places


def steps(places):
    """Return how far a ball is drawn from where it was one frame before, in mm."""
    return [math.dist(one, other) for one, other in itertools.pairwise(places)]


def test_a_ball_is_drawn_rolling_without_jumps_and_stops(visit, table):
    """From its ramp on, before it has touched anything, it sets off softly, never stands between two touches, and arrives."""
    page = visit()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    chute = roll_on(page, table, 51, place="ramp.L2", moving=False)
    on = [
        *roll_on(page, table, 52, "B1"),
        *roll_on(page, table, 53, "B1", "B2"),
        *roll_on(page, table, 54, "B1", "B2", "C2"),
    ]
    rest = [
        *roll_on(page, table, 55, "B1", "B2", "C2", moving=False),
        *roll_on(page, table, 56, "B1", "B2", "C2", moving=False),
    ]
    assert math.dist(chute[0], chute[-1]) > 5
    assert steps(chute)[0] < 1
    assert max(steps([*chute, *on, *rest])) < 6
    assert min(steps(on)[3:]) > 0.1
    assert rest[-1] == rest[-2]
    middle = re.findall(r"-?[\d.]+", slot(page, "C2").get_attribute("transform"))
    assert math.dist(rest[-1], [float(one) for one in middle]) < 0.3


def test_a_ball_that_left_the_board_is_drawn_to_where_it_went(visit, table):
    """Once it counts no more it is not taken off in the middle of its way, but at the end of it."""
    page = visit()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    roll_on(page, table, 51, "B1")
    table.publish(
        "state", fake.state(52, balls=(fake.shown.BallView(ball=9, place="gone", trail=("B1", "B2")),))
    )
    table.publish("state", fake.state(53, balls=()))
    table.publish("event", fake.event(53, "It is gone."), retain=False)
    expect(page.locator("#log")).to_contain_text("It is gone.")
    ball = page.locator('#board [data-ball="9"]')
    page.clock.run_for(2 * FRAME_MS)
    expect(ball).to_have_count(1)
    page.clock.run_for(3 * TOUCH_MS)
    expect(ball).to_have_count(0)


def test_who_asks_for_less_motion_gets_none(visit, table):
    """With reduced motion a ball is at its new place at once."""
    page = visit(reduced_motion="reduce")

    moved = fake.shown.BallView(ball=1, place="zone.L", trail=("B1", "B2", "C2", "C3", "B4", "B5"))
    table.publish("state", fake.state(41, balls=(moved,), headline="In the end zone."))

    expect(page.locator("#headline")).to_have_text("In the end zone.")
    ball = page.locator('#board [data-ball="1"]')
    drawn = ball.get_attribute("transform")
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    assert ball.get_attribute("transform") == drawn


def test_a_name_is_text(visit, table):
    """A player's name that looks like markup is shown as it was typed."""
    page = visit()
    table.publish("table", fake.table(second=EVIL))
    seats = tuple(
        fake.shown.SeatView(seat=seat, name=name, colour="blue")
        for seat, name in (("p1", "Ada"), ("p2", EVIL))
    )
    table.publish("state", fake.state(41, seats=seats, headline=EVIL))
    table.publish("event", fake.event(41, f"{EVIL} rolls."), retain=False)

    expect(page.locator("#headline")).to_have_text(EVIL)
    expect(page.locator("#seats")).to_contain_text(EVIL)
    expect(page.locator("#log")).to_contain_text(EVIL)
    assert page.locator("img").count() == 0


def test_the_text_view_tells_the_same(visit):
    """The text view is a table of slots with tile, touches and balls."""
    page = visit()
    page.get_by_role("button", name="Text view").click()

    row = page.locator('#text [data-slot="B2"]')
    expect(row).to_contain_text("Bell")
    expect(row.locator(".hint").first).to_have_text("2 touches, 1 effect waits")
    expect(page.locator('#text [data-ramp="R3"]')).to_contain_text("closed")
    expect(page.locator("#board")).to_be_hidden()


def test_the_text_view_tells_where_channels_lead(visit, table):
    """Each channel of a tile as it lies, and the way of a ball from each ramp as far as channels alone tell it."""
    straight = fake.TileView(id=1, name="straight", title="Straight", channels=((1, 4),))
    fork = fake.TileView(id=2, name="split", title="Splitter", channels=((1, 3, 5),))
    bend = fake.TileView(id=3, name="bend", title="Bend", channels=((1, 3), (4, 6)), turns=1)
    laid = {"B1": straight, "C1": fork, "A2": bend}
    slots = tuple(replace(one, piece=laid.get(one.place[5:]), wants="", badge="") for one in fake.slots())
    table.publish("state", fake.state(41, places=fake.places(slots=slots)))
    page = visit()
    page.get_by_role("button", name="Text view").click()
    row = lambda name: page.locator(f'#text [data-slot="{name}"] .way')  # noqa: E731
    ramp = lambda name: page.locator(f'#text [data-ramp="{name}"] .hint')  # noqa: E731
    expect(row("B1")).to_have_text(["From ramp L2 to B2."])
    expect(row("C1")).to_have_text(["Joins the edge of the board, D2, B2."])
    expect(row("A2")).to_have_text(["From B2 to A3.", "From A1 to the edge of the board."])
    expect(ramp("L2")).to_have_text(["Along the channels: B1, then open slot B2."])
    expect(ramp("R1")).to_have_text(["At once: open slot D1."])


def test_the_text_view_reads_a_slot_and_tells_watchers_the_odds(visit, table):
    """*Read* says what lies there; who only watches is told what a ball from each ramp would do, who plays is not."""
    odds = Odds(game="g1", ramps=(RampOdds(ramp="L1", zone=0.42, ends={"zone.L": 0.42, "hole.C4": 0.3}),))
    table.publish("odds", odds)
    table.views["p1"] = fake.view()
    watcher, player = visit(), visit("p1")
    for page in (watcher, player):
        page.get_by_role("button", name="Text view").click()
    told = watcher.locator('#text [data-ramp="L1"]')
    expect(told).to_contain_text("Into an end zone: 42 %.")
    expect(told).to_contain_text("Most likely: 42 % into end zone L.")
    expect(player.locator('#text [data-ramp="L1"]')).not_to_contain_text("Into an end zone")
    player.get_by_role("button", name="Read about what lies on B2").click()
    expect(player.get_by_role("status", name="Slot")).to_contain_text("The board chimes once for each ball.")


def test_arrow_keys_read_every_slot(visit):
    """From the drawing arrows go over slots that nobody may choose, each with its words, and Enter reads one."""
    page = visit()
    board, focused = page.locator("#board"), "() => document.activeElement.getAttribute('aria-label')"
    expect(board.locator(".slot").first).to_be_visible()
    board.focus()
    board.press("ArrowDown")
    seen = [page.evaluate(focused)]
    for key in ("Down", "Down", "Right", "Right", "Up", "Left"):
        page.keyboard.press(f"Arrow{key}")
        seen.append(page.evaluate(focused))
    assert [words.split(":")[0] for words in seen] == ["A1", "A2", "A3", "B3", "C2", "C1", "B1"]
    page.keyboard.press("Enter")
    expect(page.get_by_role("status", name="Slot")).to_contain_text(seen[-1])


@pytest.mark.parametrize("secure", [True, False], ids=["secure", "plain http"])
def test_the_screen_stays_on_while_somebody_plays(visit, table, secure):
    """Where the browser allows it, from the seat's game until its end; on plain http nothing is asked, and the help says so."""
    page = visit("p1", host="127.0.0.1" if secure else "raspberrypi.local")
    page.get_by_role("button", name="Help").click()
    says = "the page keeps your screen awake" if secure else "The page cannot keep your screen awake"
    expect(page.locator("#help li:visible", has_text="awake")).to_contain_text(says)
    assert page.evaluate("() => isSecureContext && 'wakeLock' in navigator") is secure


def test_light_and_dark_follow_the_phone_and_the_switch(visit):
    """The page follows the phone's setting until the switch says otherwise, and remembers it."""
    page = visit(color_scheme="dark")
    back = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(back)
    page.get_by_role("button", name="Colours").click()
    light = page.evaluate(back)
    page.reload()

    assert (dark, light) == ("rgb(7, 18, 21)", "rgb(227, 235, 234)")
    assert page.evaluate(back) == light


def test_help_opens_with_a_question_mark(visit):
    """The help sheet opens on ``?``."""
    page = visit()
    page.keyboard.press("?")

    expect(page.locator("#help")).to_be_visible()


def test_the_slot_of_the_last_move_stays_marked(visit, table):
    """What a seat has just done is marked at its slot, until somebody does something else."""
    page = visit("p1")
    marked = page.locator("#board .last")
    for number, slot in enumerate(("B2", "D3"), start=50):
        told = fake.event(number, f"Bo lays a tile on {slot}.", seat="p2", slot=slot)
        table.publish("event", told, retain=False)
        expect(page.locator(f'#board [data-slot="{slot}"].last')).to_be_attached()
        expect(marked).to_have_count(1)
