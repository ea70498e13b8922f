"""The page in a real Chromium, against a real broker and a fake table."""

import json
import re
import shutil
from pathlib import Path

import page_fake as fake
import pytest
from hextraction.controller.messages import Reply, Status

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.broker,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium"),
    pytest.mark.skipif(shutil.which("mosquitto") is None, reason="needs Mosquitto"),
]
sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect
from page_browser import DESKTOP, PHONE  # noqa: E402 - needs playwright

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
COUNT_GLIDES = """() => {
  const animate = Element.prototype.animate;
  globalThis.glides = [];
  Element.prototype.animate = function (...how) {
    globalThis.glides.push(this.dataset.ball);
    return animate.apply(this, how);
  };
}"""
EVIL = "<img src=x onerror=x>"


def slot(page, name):
    """Return a slot on the drawing."""
    return page.locator(f'#board [data-slot="{name}"]')


# --- what everybody sees ----------------------------------------------------------------------------------------


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
    assert page.locator("#board .ramp.banned").get_attribute("data-ramp") == "R3"
    expect(page.locator(".seat.active")).to_contain_text("Ada")
    expect(page.locator("#headline")).to_have_text("Ada rolls on L2.")


def test_a_turned_tile_is_drawn_turned(visit, table):
    """A straight tile turned by one sixth joins edge 2 with edge 5."""
    page = visit()

    assert slot(page, "A2").locator(".groove").get_attribute("d") == "M20.6,-11.9Q0,0 -20.6,11.9"
    assert slot(page, "D3").locator(".groove").get_attribute("d") == "M0,-23.8Q0,0 0,23.8"


def test_a_new_snapshot_and_events_change_the_page(visit, table):
    """A ball glides to its new slot, the touch is counted, and the event is told in words."""
    page = visit()
    ball = page.locator('#board [data-ball="1"]')
    before = ball.get_attribute("transform")
    page.evaluate(COUNT_GLIDES)

    moved = fake.shown.BallView(ball=1, place="slot.B4", trail=("B1", "B2", "C2", "C3", "B4"), moving=True)
    table.publish("state", fake.state(41, balls=(moved,), active="p2", headline="Bo rolls."))
    table.publish("event", fake.event(41, "The ball touches Wide Bend.", slot="B4"), retain=False)

    expect(page.locator("#headline")).to_have_text("Bo rolls.")
    expect(page.locator(".seat.active")).to_contain_text("Bo")
    expect(page.locator("#log li").first).to_contain_text("The ball touches Wide Bend.")
    expect(page.locator("#board .ball")).to_have_count(1)
    assert ball.get_attribute("transform") != before
    assert page.evaluate("() => globalThis.glides") == ["1"]


def test_who_asks_for_less_motion_gets_none(visit, table):
    """With reduced motion a ball is at its new place at once."""
    page = visit(reduced_motion="reduce")

    moved = fake.shown.BallView(ball=1, place="zone.L", trail=("B1", "B2", "C2", "C3", "B4", "B5"))
    table.publish("state", fake.state(41, balls=(moved,), headline="In the end zone."))

    expect(page.locator("#headline")).to_have_text("In the end zone.")
    assert page.locator('#board [data-ball="1"]').evaluate("node => node.getAnimations().length") == 0


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
    assert row.locator("td").all_inner_texts()[1] == "2"
    expect(page.locator('#text [data-ramp="R3"]')).to_contain_text("banned")
    expect(page.locator("#board")).to_be_hidden()


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


# --- what only a seat sees and does -----------------------------------------------------------------------------


def test_a_hand_is_shown_to_its_own_seat_only(visit, table):
    """The hand appears on the phone of its seat, never on another seat's or a watcher's."""
    table.views["p1"] = fake.view("p1")
    table.views["p2"] = fake.view("p2", hand=(fake.tile(9, "bend", title="Secret Bend"),))
    mine, other, watcher = visit("p1"), visit("p2"), visit()

    expect(mine.locator(".card-title")).to_have_text(
        ["Powder Keg", "Three Curves", "Somebody's Own Contraption"]
    )
    expect(other.locator(".card-title")).to_have_text(["Secret Bend"])
    assert watcher.locator(".card").count() == 0
    assert "Secret" not in mine.content() + watcher.content()


def test_a_tap_on_a_ramp_sends_its_act(visit, table):
    """The option's act goes out as it came in, with an id and the game it was shown in."""
    table.views["p1"] = fake.view(options=fake.ROLLS)
    page = visit("p1")
    page.locator('#board [data-ramp="L2"]').click()
    seat, sent = table.command()

    assert (seat, sent["act"], sent["game"], sent["v"]) == ("p1", {"do": "roll", "ramp": "L2"}, "g1", 1)
    assert re.fullmatch(r"[0-9a-f]{24}", sent["id"])
    assert set(sent) == {"id", "v", "act", "game"}


def test_a_ramp_with_two_meanings_asks_which(visit, table):
    """Where one ramp can be asked for or attested, a tap offers both."""
    left = fake.shown.Option(
        group="attest", label="The ball left ramp L1", act={"do": "attest", "place": "L1"}, ramp="L1"
    )
    table.views["p1"] = fake.view(options=(fake.ROLLS[0], left))
    page = visit("p1")
    page.locator('#board [data-ramp="L1"]').click()
    page.locator(".pick").get_by_role("button", name="The ball left ramp L1").click()

    assert table.command()[1]["act"] == {"do": "attest", "place": "L1"}


def test_laying_a_tile_sends_the_chosen_turns(visit, table):
    """A marked slot is tapped, the preview turned through the legal turns, and confirmed."""
    table.views["p1"] = fake.view(options=fake.PLACES)
    page = visit("p1")
    slot(page, "B5").click()
    page.get_by_role("button", name="Turn right").click()
    page.get_by_role("button", name="Turn right").click()
    page.get_by_role("button", name="Put it on B5", exact=True).click()

    assert table.command()[1]["act"] == {"do": "place", "slot": "B5", "turns": 3}


def test_playing_a_tile_begins_in_the_hand(visit, table):
    """A card opens; its button sends the act."""
    table.views["p1"] = fake.view(options=fake.PLAYS)
    page = visit("p1")
    page.locator('[data-tile="102"]').click()
    page.get_by_role("button", name="Play Three Curves").click()

    assert table.command()[1]["act"] == {"do": "play", "tile": 102}


def test_calling_a_vote_is_tapped_on_the_board(visit, table):
    """After the group's button the tiles that may be voted on are marked; one tap and a confirmation send it."""
    table.views["p1"] = fake.view(options=(*fake.VOTES, fake.END))
    page = visit("p1")
    expect(page.locator("#board .slot.target")).to_have_count(0)
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Call a vote…").click()
    expect(page.locator("#board .slot.target")).to_have_count(2)
    slot(page, "C2").click()
    page.get_by_role("button", name="Vote on C2", exact=True).click()

    assert table.command()[1]["act"] == {"do": "vote", "slot": "C2"}


def test_what_a_ball_does_is_told_by_one_tap_each(visit, table):
    """Quick taps on slots and an end zone go out in their order, none is lost, and none asks again."""
    table.views["p1"] = fake.view(options=fake.TOLD)
    page = visit("p1")
    expect(page.locator("#board .slot.tell")).to_have_count(2)
    slot(page, "B1").locator(".hit").dispatch_event("click")
    slot(page, "B2").locator(".hit").dispatch_event("click")
    page.locator('#board [data-zone="L"]').dispatch_event("click")

    acts = [table.command()[1]["act"] for _ in range(3)]
    assert [(act["saw"], act["place"]) for act in acts] == [
        ("touched", "B1"),
        ("touched", "B2"),
        ("zone", "L"),
    ]
    assert page.locator(".pick").count() == 0


def test_without_electronics_a_tap_on_a_ramp_is_the_roll(visit, table):
    """The roller is not asked to announce the ramp first; nobody else begins the roll by a stray tap."""
    table.publish("info", fake.info(electronics=False))
    rolls = (*fake.ROLLS, *fake.RELEASES)
    table.views["p1"] = fake.view(options=rolls)
    table.views["p2"] = fake.view("p2", options=fake.RELEASES)
    mine, other = visit("p1"), visit("p2")
    expect(mine.locator("#board .ramp.target")).to_have_count(len(fake.RELEASES))
    expect(other.locator("#board .ramp.target")).to_have_count(0)
    mine.locator('#board [data-ramp="L2"]').click()
    assert table.command()[1]["act"] == {"do": "attest", "saw": "released", "place": "L2"}

    other.get_by_text("More", exact=True).click()
    other.get_by_role("button", name="Tell somebody's release…").click()
    expect(other.locator("#board .ramp.target")).to_have_count(len(fake.RELEASES))


def test_a_tile_among_many_is_found_by_its_name(visit, table):
    """A few letters find it, what was named last is offered first, and an unknown name can still be played."""
    table.views["p1"] = fake.view(
        hand=(fake.shown.TileView(id=1, name="", title="a tile"),), options=fake.NAMES
    )
    page = visit("p1")
    page.get_by_role("button", name="Play a tile…").click()
    field = page.get_by_label("Which tile?")
    field.fill("pinata")
    page.get_by_role("button", name="Play Piñata").click()
    assert table.command()[1]["act"] == {"do": "play", "name": "pinata"}

    page.get_by_role("button", name="Play a tile…").click()
    assert page.locator(".chooser button").all_inner_texts() == ["Piñata", "Unknown tile"]
    field.fill("zzz")
    page.get_by_role("button", name="Play Unknown tile").click()
    assert table.command()[1]["act"] == {"do": "play", "name": "unknown"}
    assert page.locator(".card").count() == 0


def test_ballots_are_words_that_cannot_be_mistaken(visit, table):
    """KEEP or DESTROY for oneself and for somebody else, ENABLE or DISABLE for a Forbidden effect."""
    table.views["p1"] = fake.view(options=fake.BALLOTS)
    page = visit("p1")

    expect(page.locator("#tray [data-group=ballot]")).to_have_text(
        ["KEEP", "DESTROY", "KEEP for Bo", "DESTROY for Bo", "ENABLE", "DISABLE"]
    )


def test_who_comes_with_a_code_finds_the_form_first(browser, table):
    """While a game is on, too: the form is open, above the board, and asks for the name only."""
    page = browser.new_page(viewport=PHONE)
    page.goto(f"{table.url}#j=ABC123")
    expect(page.locator("#link")).to_have_text("Connected")

    expect(page.get_by_label("Your name")).to_be_visible()
    expect(page.get_by_label("Code shown at the table")).to_be_hidden()
    assert page.locator("#join").bounding_box()["y"] < page.locator("#board").bounding_box()["y"]
    page.close()


def test_conceding_takes_two_taps(visit, table):
    """The first tap only asks."""
    table.views["p1"] = fake.view(options=(fake.CONCEDE,))
    page = visit("p1")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Concede").click()
    assert table.commands.qsize() == 1  # the hello

    page.get_by_role("button", name="Really? Concede").click()
    assert table.command()[1]["act"] == {"do": "concede"}


def test_a_question_shows_its_exact_answers(visit, table):
    """One question at a time, with its answers, its time, what silence means, and the rule on demand."""
    table.views["p1"] = fake.view(options=(fake.END,), prompts=(fake.KEEP,))
    page = visit("p1")

    expect(page.locator(".question")).to_have_text("Does Powder Keg on C2 stay?")
    assert page.locator(".prompt .buttons button").all_inner_texts() == ["KEEP", "DESTROY"]
    expect(page.locator(".prompt .countdown")).to_have_text(re.compile(r"^1[0-2] s$"))
    expect(page).to_have_title("● Your turn · Hextraction")
    page.get_by_text("Why?").click()
    expect(page.get_by_text("Rule 0.5.4")).to_be_visible()
    page.get_by_role("button", name="DESTROY").click()
    assert table.command()[1]["act"] == {"do": "answer", "prompt": "v1", "choice": 1}


def test_a_button_stays_under_the_finger(visit, table):
    """Snapshots that change nothing about the choices leave their buttons alone."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1")
    end = page.get_by_role("button", name="End the turn").element_handle()
    table.publish("state", fake.state(41, balls=(), headline="One more snapshot."))
    table.show("p1", fake.view(options=(fake.END,)))

    expect(page.locator("#headline")).to_have_text("One more snapshot.")
    assert end.evaluate("node => node.isConnected")


def test_a_refusal_says_why(visit, table):
    """The reason and the clause of a refused command are shown."""
    table.views["p1"] = fake.view(options=(fake.END,))
    table.refuse = Reply(id="", ok=False, code="refused", reason="A roll is still owed.", clause="2.0.2")
    page = visit("p1")
    page.get_by_role("button", name="End the turn").click()

    expect(page.locator("#toast")).to_have_text("A roll is still owed. (2.0.2)")


def test_a_vote_is_in_words(visit, table):
    """Everybody sees the ballots as KEEP and DESTROY, never as yea and nay."""
    page = visit()
    vote = fake.shown.VoteView(
        kind="destroy", title="Bell", slot="B2", ballots={"p2": True, "p3": False}, awaited="p1"
    )
    table.publish("state", fake.state(41, vote=vote))

    expect(page.locator(".vote h3")).to_have_text("Does Bell stay?")
    expect(page.locator(".vote li")).to_have_text(["Bo: KEEP", "Robin: DESTROY"])
    expect(page.locator(".vote")).to_contain_text("Waiting for Ada.")


# --- the table --------------------------------------------------------------------------------------------------


def test_joining_keeps_the_key_and_says_here(visit, table):
    """The code comes from the address and leaves it; the seat's key is kept; presence and hello are sent."""
    table.publish("table", fake.table("lobby"))
    page = visit(hash_="#j=HEX")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Take a seat").click()

    assert table.joins.get(timeout=10) == {"code": "HEX", "name": "Ada"}
    assert table.here.get(timeout=10) == ("p1", True)
    assert table.commands.get(timeout=10)[1]["hello"] is True
    assert "HEX" not in page.url
    assert page.evaluate("() => JSON.parse(localStorage['hextraction.seat']).password") == "key-1"


def test_a_wrong_code_says_so(browser, table):
    """The gate's reason is shown."""
    page = browser.new_page()
    page.goto(table.url)
    expect(page.locator("#lobby")).not_to_have_attribute("open", "")
    page.get_by_text("Table", exact=True).click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Code shown at the table").fill("NO")
    page.get_by_role("button", name="Take a seat").click()

    expect(page.locator("#toast")).to_have_text("That is not the code shown at the table.")
    page.close()


def test_the_lobby_starts_a_game_and_fills_seats(visit, table):
    """A seated player adds a bot and starts."""
    seats = (*fake.table().seats[:1], fake.TableSeat(seat="p2", name="Blue", colour="blue", kind="open"))
    table.publish("table", fake.table("lobby", seats=seats, can_start=True))
    page = visit("p1")
    page.get_by_role("button", name="Add a bot").click()
    assert table.command()[1]["table"] == {"do": "bot", "seat": "p2"}

    page.get_by_role("button", name="Start").click()
    assert table.command()[1]["table"] == {"do": "start"}


def test_leaving_the_page_tells_the_table(visit, table):
    """When the phone goes, its last will says so."""
    page = visit("p1")
    assert table.here.get(timeout=10) == ("p1", True)
    page.close()

    assert table.here.get(timeout=10) == ("p1", False)


# --- the connection ---------------------------------------------------------------------------------------------


def test_the_page_comes_back_after_the_broker(visit, table):
    """While the broker is away the page says so; afterwards it shows what is new."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1")
    table.stop_broker()
    expect(page.locator("#link")).to_have_text("Reconnecting…", timeout=10_000)
    table.start_broker_again()
    expect(page.locator("#link")).to_have_text("Connected", timeout=20_000)
    table.publish("state", fake.state(50, headline="On we go."))

    expect(page.locator("#headline")).to_have_text("On we go.")
    page.get_by_role("button", name="End the turn").click()
    assert table.command()[1]["act"] == {"do": "end"}
    visit.wrong[:] = [line for line in visit.wrong if "WebSocket" not in line]  # the browser's own lines


def test_a_controller_that_is_away_is_named(visit, table):
    """A status that is not online is said plainly; another start is greeted again."""
    page = visit("p1")
    assert table.commands.get(timeout=10)[1]["hello"] is True
    table.publish("status", Status(state="offline", boot="b1"))
    expect(page.locator("#link")).to_have_text("Controller offline")
    table.publish("status", Status(state="online", boot="b2"))
    expect(page.locator("#link")).to_have_text("Connected")

    assert table.commands.get(timeout=10)[1]["hello"] is True


def test_it_works_where_the_browser_trusts_nothing(visit, table):
    """On plain http on a name that is no secure context everything still works."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1", host="raspberrypi.local")
    assert page.evaluate("() => isSecureContext") is False
    page.get_by_role("button", name="End the turn").click()

    assert table.command()[1]["act"] == {"do": "end"}


# --- for everybody ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_serious(browser, table, scheme, size):
    """No serious or critical finding in any of the page's shapes, and no sideways scrolling."""
    table.views["p1"] = fake.view(options=(*fake.ROLLS, *fake.PLAYS, fake.END, fake.CONCEDE))
    context = browser.new_context(
        viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce"
    )
    key = {"seat": "p1", "user": "p1", "password": "key-1", "prefix": fake.PREFIX}
    context.add_init_script(f"localStorage.setItem('hextraction.seat', {json.dumps(json.dumps(key))})")
    page = context.new_page()
    page.goto(table.url)
    expect(page.locator(".card")).to_have_count(3)
    table.publish(
        "event", fake.event(41, "A ball touches Bell.", slot="B2", seat="p1", clause="3.Touch"), retain=False
    )
    expect(page.locator("#log li")).to_have_count(1)
    page.add_script_tag(path=AXE)
    found = [finding for _ in ("drawing", "text") for finding in audit(page)]
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    context.close()

    assert found == []
    assert wide <= 0


def audit(page):
    """Return what axe finds serious, then go to the other view."""
    result = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    page.locator("#text-toggle").click()
    return [
        (one["id"], one["nodes"][0]["html"][:160], one["nodes"][0].get("failureSummary", "")[:200])
        for one in result["violations"]
        if one["impact"] in {"serious", "critical"}
    ]


def test_targets_are_large_enough_for_a_thumb(visit, table):
    """Every button, card, slot and ramp head on a phone is at least 44 by 44."""
    table.views["p1"] = fake.view(options=(*fake.ROLLS, *fake.PLAYS, fake.END, fake.CONCEDE))
    page = visit("p1")
    expect(page.locator(".card")).to_have_count(3)
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, summary, input, #board .slot .hit, #board .ramp .hit')]
          .map((node) => [node.outerHTML.slice(0, 90), node.getBoundingClientRect()])
          .filter(([, box]) => box.width && (box.width < 43.5 || box.height < 43.5))
          .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""
    )

    assert small == []
