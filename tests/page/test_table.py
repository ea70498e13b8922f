"""What people do with a whole table on the phone: set it up, dispute, ask for others, describe tiles, replay."""

import re

import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect, open_table, wrong_with
from hextraction.controller.games.hextraction.setup.lobby import LobbyDetail, Remark
from hextraction.controller.games.hextraction.state.state import Depth
from hextraction.controller.games.rolls import LastRoll, RolledBall
from hextraction.controller.games.scene import BallView, Option
from hextraction.controller.payloads.health import CheckView, SensorTrouble
from msgspec.structs import replace

pytestmark = NEEDS

OPEN_SEAT = fake.TableSeat(seat="p4", name="Green", colour="green", kind="open")


def slot(page, name):
    """Return what is tapped of a slot on the drawing."""
    return page.locator(f'#board [data-slot="{name}"] .hit')


def tapped(table, page, name):
    """Press a button of the tray; return the act that it sends."""
    page.locator("#tray").get_by_role("button", name=name, exact=True).click()
    return table.command()[1]["act"]


# --- an ordinary board ----------------------------------------------------------------------------------------

SMALL = {"width": 360, "height": 640}


def test_a_family_sees_what_each_depth_sees_and_where_it_starts_without_moving_the_page(visit, table):
    """On a small phone: half a line each, one tap to choose, and *Start* on the first screen; then the board is on it."""
    lobby = replace(fake.table("lobby", can_start=True), detail=LobbyDetail(depth=Depth.LIGHT))
    lobby = replace(lobby, seats=(*lobby.seats, OPEN_SEAT))
    table.publish("table", lobby)
    page = visit("p1", viewport=SMALL, bypass_csp=True)
    expect(page.locator(".depth strong")).to_have_text(["Score only", "Light", "Full"])
    for sees in page.locator(".depth small").all():
        assert 0 < sees.bounding_box()["height"] < 20  # one line
    expect(page.get_by_role("radio", name="Light")).to_be_checked()
    start = page.get_by_role("button", name="Start", exact=True).bounding_box()
    assert start["y"] + start["height"] <= SMALL["height"]
    assert wrong_with(page) == []

    page.get_by_role("radio", name="Full").click()
    assert table.command()[1]["table"] == {"do": "setup", "set": {"depth": "full"}}
    page.evaluate("() => scrollTo({ top: 300 })")
    table.publish("table", fake.table("playing"))
    expect(page.locator("#headline")).to_be_in_viewport()


def test_a_newcomer_with_the_code_finds_name_and_button_on_the_first_screen(visit, table):
    """On a small phone, too, and though most seats are free: who sits where comes below."""
    table.publish("table", replace(fake.table("lobby"), seats=(*fake.table().seats, OPEN_SEAT)))
    page = visit(viewport=SMALL, hash_="#j=HEX")
    for wanted in (page.get_by_label("Your name"), page.get_by_role("button", name="Take a seat")):
        expect(wanted).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => scrollY") == 0


def test_a_second_tap_on_take_a_seat_chooses_nothing(visit, table):
    """What comes up where the form has been hears no finger for a moment; then it does."""
    lobby = replace(fake.table("lobby", can_start=True), detail=LobbyDetail(depth=Depth.LIGHT))
    table.publish("table", lobby)
    page = visit(viewport=SMALL, hash_="#j=HEX")
    page.get_by_label("Your name").fill("Ada")
    page.evaluate(
        """() => new MutationObserver(() => {
          const full = document.querySelector("#lobby-begin [value=full]");
          if (!full || globalThis.tapped) return;
          const box = full.getBoundingClientRect();
          globalThis.tapped = document.elementFromPoint(box.x + 9, box.y + 9) === full ? "heard" : "not heard";
        }).observe(document.querySelector("#lobby-begin"), { childList: true })"""
    )
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_function("() => globalThis.tapped")
    assert page.evaluate("() => tapped") == "not heard"
    page.get_by_role("radio", name="Full").click()
    assert table.command()[1]["table"] == {"do": "setup", "set": {"depth": "full"}}


def test_what_a_roll_did_is_told_by_whoever_told_it(visit, table):
    """“Reported by you” only on the phone that did; elsewhere it has a name, and of an earlier journal none."""
    table.publish("info", replace(fake.info(), simulated=False))
    table.publish("state", fake.state(41, rolling=False, balls=()))
    ada, bo = visit("p1"), visit("p2")
    for page in (ada, bo):  # what was over before they came is not told
        expect(page.locator("#board .tile").first).to_be_visible()
    for number, (teller, hers, his) in enumerate(
        [("p1", "reported by you", "reported by Ada"), ("p2", "reported by Bo", "reported by you"), ("", "reported by somebody", "reported by somebody")],
        start=1,
    ):  # fmt: skip
        ball = RolledBall(ball=1, ramp="L2", fate="hole.B2")
        roll = LastRoll(
            number=number, roller="p1", turn=7, probability=1.0, balls=(ball,), told=True, teller=teller
        )
        table.publish("state", fake.state(41 + number, rolling=False, balls=(), last_roll=roll))
        for page, words in ((ada, hers), (bo, his)):
            expect(page.locator("#outcome")).to_contain_text(words)
            expect(page.locator("#outcome")).to_contain_text("ell through B2")
    first = LastRoll(
        number=1, roller="p1", turn=7, probability=1.0, balls=(RolledBall(ball=1, fate="slot.C3"),), told=True
    )
    table.publish("state", fake.state(51, rolling=False, balls=(), last_roll=first))
    for page in (ada, bo):  # the third was taken back: the first is no news
        expect(page.locator("#outcome")).to_be_hidden(timeout=3_000)


def test_a_simulated_roll_is_nobodys_word(visit, table):
    """Where nobody watches real balls the simulation answers in a seat's place, and says so."""
    table.publish("info", replace(fake.info(), simulated=True))
    table.publish("state", fake.state(41, rolling=False, balls=()))
    page = visit("p1")
    expect(page.locator("#board .tile").first).to_be_visible()
    ball = RolledBall(ball=1, ramp="L2", fate="hole.B2")
    roll = LastRoll(number=1, roller="p1", turn=7, probability=1.0, balls=(ball,), told=True, teller="p1")
    table.publish("state", fake.state(42, rolling=False, balls=(), last_roll=roll))
    expect(page.locator("#outcome")).to_contain_text("as the simulation saw it")


def test_whoever_has_won_sees_it_at_a_glance(visit, table):
    """The headline is in their colour, and the end zone of the ball on every phone."""
    table.publish("state", fake.state(41, rolling=False))
    ada, bo = visit("p1"), visit("p2")
    ball = (BallView(ball=1, place="zone.L"),)
    places = tuple(replace(one, balls=1) if one.place == "zone.L" else one for one in fake.places())
    over = {"rolling": False, "balls": ball, "places": places, "winners": ("p1",), "outcome": "Ada wins!"}
    table.publish("state", fake.state(42, **over))
    table.publish("table", fake.table("over"))
    expect(ada.locator("#headline.won")).to_have_text("You win!")
    expect(ada.locator("#headline")).to_have_attribute("data-paint", "red")
    expect(bo.locator("#headline.won")).to_have_count(0)
    for page in (ada, bo):
        expect(page.locator('#board [data-zone="L"].won')).to_have_attribute("data-paint", "red")
        expect(page.locator("#board .zone.won")).to_have_count(1)


# --- disputes -------------------------------------------------------------------------------------------------


def test_more_is_in_parts_and_what_is_grave_is_asked_once_more(visit, table):
    """Cards, disputes and what nobody can take back stand apart; striking a tile shows it and what follows."""
    table.views["p1"] = fake.view(options=(fake.END, *fake.TALK))
    page = visit("p1", bypass_csp=True, reduced_motion="reduce")
    expect(page.locator("#tray").get_by_role("button", name="Take that back")).to_be_visible()
    page.get_by_text("More", exact=True).click()
    assert page.locator(".part h2").all_inner_texts() == [
        "Ask the table",
        "Something is wrong",
        "Cannot be undone",
    ]
    assert wrong_with(page) == []

    page.get_by_role("button", name="Switch off a tile's effects…").click()
    page.locator(".tile-row", has_text="Powder Keg").click()
    expect(page.locator(".sure-box .tile-picture")).to_be_visible()
    expect(page.locator(".sure-box")).to_contain_text("does nothing for the rest of the game")
    assert table.commands.qsize() == 1  # the hello
    assert tapped(table, page, "Really ask them") == {"do": "flag", "slot": "C2", "item": "harms"}

    page.get_by_role("button", name="The ball was pushed").click()
    page.get_by_role("button", name="Cancel").click()
    assert tapped(table, page, "Take that back") == {"do": "undo"}


def test_a_count_and_a_balls_place_are_disputed_on_the_board(visit, table):
    """A tapped tile's touches are counted up or down; of two balls one is chosen and its slot tapped."""
    table.views["p1"] = fake.view(options=fake.TALK)
    page = visit("p1")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="The touches are wrong…").click()
    slot(page, "B2").click()
    page.get_by_role("button", name="One more").click()
    assert tapped(table, page, "Ask the others: 3 touches") == {"do": "correct", "slot": "B2", "touches": 3}

    page.get_by_role("button", name="A ball is elsewhere…").click()
    page.get_by_role("button", name="Ball 2", exact=True).click()
    slot(page, "E2").click()
    page.get_by_role("button", name="Ball 2 is on E2", exact=True).click()
    assert table.command()[1]["act"] == {"do": "contend", "ball": 2, "place": "E2"}


def test_a_sensor_is_declared_broken_and_mended(visit, table):
    """Sensors are found by their place; those that are not believed are shown first."""
    table.publish("info", replace(fake.info(), sensors=("drain.C3", "tile.C3", "drain.A1")))
    table.publish("table", fake.table(broken=("drain.A1",)))
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="A sensor is wrong…").click()
    page.get_by_role("button", name="drain.A1: it works again").click()
    assert table.command()[1]["table"] == {"do": "working", "sensor": "drain.A1"}

    page.get_by_label("Slot, ramp or end zone").fill("c3")
    page.get_by_role("button", name="drain.C3: it is broken").click()
    assert table.command()[1]["table"] == {"do": "broken", "sensor": "drain.C3"}


def test_sensors_that_are_not_well_say_what_is_done_about_them(visit, table):
    """The sheet of sensors begins with those in trouble: state, reason, and what the board does."""
    table.publish("info", replace(fake.info(), sensors=("drain.C3", "tile.C3")))
    does = "It counts again once it turns off."
    stuck = SensorTrouble(sensor="drain.C3", state="stuck", why="it has been on for 61 s", does=does)
    table.publish("table", fake.table(health=(stuck,)))
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1", bypass_csp=True)
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="A sensor is wrong…").click()
    row = page.locator("#sensors-found li")
    expect(row).to_contain_text("hole sensor · stuck")
    expect(row).to_contain_text("it has been on for 61 s. It counts again once it turns off.")
    assert wrong_with(page) == []


def test_a_check_of_the_board_is_walked_on_the_phone(visit, table):
    """The step stands over the tray with what was noticed; its words are buttons; at its end is the report."""
    step = CheckView(
        number=1, steps=3, name="coil:gate.L1", ask="Put two balls on ramp L1 and say fire.",
        says=("fire", "yes", "no", "skip"), last="ramp.L1: failed: it said nothing and is off", good=False,
    )  # fmt: skip
    table.publish("table", fake.table("lobby", check=step))
    page = visit("p1", bypass_csp=True)
    panel = page.get_by_role("region", name="Check of the board")
    expect(panel).to_contain_text("Step 2 of 3")
    expect(panel).to_contain_text("ramp.L1: failed")
    assert wrong_with(page) == []
    panel.get_by_role("button", name="Fire").click()
    assert table.command()[1]["table"] == {"do": "check", "say": "fire"}
    table.publish(
        "table", fake.table("lobby", check=CheckView(number=3, steps=3, report=("den: 2 of 3 well.",)))
    )
    expect(panel).to_contain_text("den: 2 of 3 well.")
    expect(panel.get_by_role("button")).to_have_count(0)
    table.publish("table", fake.table("lobby"))
    expect(panel).to_be_hidden()


@pytest.mark.parametrize(
    ("name", "place"),
    [("tile.C3", "slot.C3"), ("edge.B2.3", "edge.B2.3"), ("ramp.L1", "ramp.L1"), ("zone.R", "zone.R")],
)
def test_the_drawing_points_to_where_the_check_waits(visit, table, name, place):
    """What shines is where the place is drawn, is on the screen and not below the panel; the next step moves it."""
    step = CheckView(number=1, steps=9, name=name, ask="Try it.", says=("skip", "stop"), place=place)
    table.publish("table", fake.table("lobby", check=step))
    page = visit("p1", bypass_csp=True, reduced_motion="reduce")
    line = page.locator("#board .pointer-line")
    expect(line).to_have_count(1)
    expect(page.locator("#board .pointer")).to_have_attribute("data-place", place)
    kind, where = place.split(".")[:2]
    kind = "slot" if kind == "edge" else kind
    shape = {"slot": ".hit", "ramp": ".ramp-head", "zone": ".zone-bed"}[kind]
    around = page.locator(f'#board [data-{kind}="{where}"] {shape}').first.bounding_box()
    box, dock = line.bounding_box(), page.locator("#dock").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    slack = 8
    assert around["x"] - slack <= middle[0] <= around["x"] + around["width"] + slack
    assert around["y"] - slack <= middle[1] <= around["y"] + around["height"] + slack
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= dock["y"]
    assert wrong_with(page) == []
    table.publish("table", fake.table("lobby", check=replace(step, name="x", place="")))
    expect(line).to_have_count(0)


def test_the_drawing_points_only_to_what_this_board_has(visit, table):
    """A place of another board shines nowhere, and breaks nothing."""
    step = CheckView(number=0, steps=1, name="tile.Z9", ask="Try it.", says=("skip",), place="slot.Z9")
    table.publish("table", fake.table("lobby", check=step))
    page = visit()
    expect(page.get_by_role("region", name="Check of the board")).to_contain_text("Try it.")
    expect(page.locator("#board .pointer-line")).to_have_count(0)


# --- questions ------------------------------------------------------------------------------------------------


def test_where_a_ball_went_is_answered_on_the_board(visit, table):
    """Slots, ramps and end zones are lit; a tap and a confirmation answer, and a list has the same answers."""
    table.views["p1"] = fake.view(prompts=(fake.MISSING,))
    page = visit("p1")
    expect(page.locator("#board .slot.target")).to_have_count(22)
    expect(page.locator("#board .ramp.target")).to_have_count(6)
    assert page.locator(".prompt > .buttons button").all_inner_texts() == ["Over the side"]
    slot(page, "C4").click()
    page.get_by_role("button", name="It lies on C4", exact=True).click()
    assert table.command()[1]["act"] == {"do": "answer", "prompt": "q1", "choice": "slot.C4"}

    page.locator('#board [data-zone="L"]').dispatch_event("click")
    page.locator(".pick").get_by_role("button", name="In the left end zone").click()
    assert table.command()[1]["act"]["choice"] == "zone.L"
    page.get_by_text("As a list").click()
    assert tapped(table, page, "Still on ramp R1") == {"do": "answer", "prompt": "q1", "choice": "ramp.R1"}


def test_what_leaves_nothing_to_ask_stays_in_reach_beside_a_question(visit, table):
    """Whether balls can settle is answered, too, by what people tell of them: by a tap, or by its button."""
    asked = fake.answer("q1", "wait", "Wait"), fake.answer("q1", "endless", "They will not stop")
    loop = replace(
        fake.MISSING, kind="loop", text="Will they stop by themselves?", options=asked, ended_by=("attest",)
    )
    still = Option(
        group="attest", label="All balls have stopped", act={"do": "attest", "saw": "still"}, tells="still"
    )
    touched = Option(
        group="attest", label="It touched C4", act={"do": "attest", "saw": "touched", "place": "C4"}, slot="C4",
        tells="touched C4",
    )  # fmt: skip
    end = Option(group="end", label="End the turn", act={"do": "end"})
    table.views["p1"] = fake.view(prompts=(loop,), options=(still, touched, end))
    page = visit("p1")
    expect(page.locator("#question")).to_have_text("Will they stop by themselves?")
    expect(page.get_by_role("button", name="End the turn")).to_have_count(0)
    slot(page, "C4").click()
    assert table.command()[1]["act"]["saw"] == "touched"
    page.get_by_role("button", name="All balls have stopped").click()
    assert table.command()[1]["act"]["saw"] == "still"


def test_a_question_to_somebody_else_is_answered_here(visit, table):
    """Their phone is away: the question opens on demand with its tiles drawn, and the answer is asked about."""
    table.views["p1"] = fake.view(options=(fake.CONCEDE,), others=(fake.ORDER,))
    page = visit("p1")
    expect(page.locator("#board .slot.target")).to_have_count(0)
    page.get_by_role("button", name="Answer for Bo…").click()
    expect(page.locator(".eyebrow")).to_contain_text("You answer for Bo")
    expect(page.locator(".prompt .tile-picture")).to_have_count(2)
    expect(page.locator("#board .slot.target")).to_have_count(2)

    page.locator(".prompt").get_by_role("button", name="Bell").click()
    sure = page.locator(".sure-box")
    expect(sure).to_contain_text("You answer for Bo, whose phone is away. Everybody can see that.")
    assert tapped(table, page, "Yes, for Bo") == {"do": "answer", "prompt": "q3", "choice": "B2"}


def test_what_may_be_said_for_somebody_else_is_kept_apart(visit, table):
    """All fine for Bo is no button beside one's own: it opens on demand, and is asked about once more."""
    own = Option(group="agree", label="All fine", act={"do": "agree"})
    said = {"do": "agree", "seat": "p2"}
    other = Option(group="agree", label="All fine for Bo", act=said, speaks_for="p2")
    table.views["p1"] = fake.view(options=(own, other))
    page = visit("p1")
    expect(page.get_by_role("button", name="All fine")).to_have_count(1)
    page.get_by_role("button", name="Answer for Bo…").click()
    page.get_by_role("button", name="All fine for Bo").click()

    assert tapped(table, page, "Yes, for Bo") == said


# --- the table ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_game_is_set_up_step_by_step(visit, table, scheme):
    """First player, board, balls, tiles and hand are told; what is short stops the start, with its clause."""
    short = Remark(text="the Main Pool holds 20 tiles, but needs 31", clause="1.0.4", stops=True)
    table.publish("table", fake.lobby(pool=20, hidden=True, remarks=(short,)))
    page = visit("p1", bypass_csp=True, color_scheme=scheme, reduced_motion="reduce")
    page.get_by_role("button", name="Set up…").click()
    assert table.command()[1]["table"] == {"do": "setup", "set": {}}
    idle = expect(page.locator("#tray:not([aria-busy])"))  # a phone says one thing at a time
    sheet = page.get_by_role("dialog")
    said = []
    for step in ("Bo", "Ada", "From the box: one more", "A tile I keep to myself"):
        idle.to_be_attached()
        sheet.get_by_role("button", name=step, exact=True).first.click()
        if step != "A tile I keep to myself":
            said.append(table.command()[1]["table"]["set"])
        assert wrong_with(page) == []
        sheet.get_by_role("button", name="Next", exact=True).click()
    assert said == [{"first": "p2"}, {"board_owner": "p1"}, {"box": 21}]
    expect(sheet).to_contain_text("The Main Pool holds 20 tiles, but needs 31.")
    expect(sheet.get_by_role("button", name="Start the game")).to_be_disabled()

    table.publish("table", fake.lobby(pool=60, hidden=True))
    sheet.get_by_role("button", name="Start the game").click()
    assert table.command()[1]["table"] == {"do": "start"}


def test_an_opening_hand_is_picked_by_search(visit, table):
    """Three tiles by name or kept secret go to the table at once; only this phone draws them."""
    table.publish("table", fake.lobby(pool=60))
    page = visit("p1")
    page.get_by_role("button", name="Set up…").click()
    table.command()
    for _ in range(3):
        page.get_by_role("button", name="Next", exact=True).click()
    search = page.locator("#setup-body input")
    for typed, title in (("peac", "Peace"), ("dic", "DIC")):
        search.fill(typed)
        page.get_by_role("button", name=title, exact=True).click()
    page.get_by_role("button", name="A tile I keep to myself").click()

    assert table.command()[1]["table"] == {"do": "hand", "tiles": ["peace", "dic", ""]}
    expect(page.locator("#setup-body .tile-picture")).to_have_count(2)


def test_a_tile_is_described_by_tapping_edges(visit, table):
    """Two taps join edges, the same two part them; name, trigger and words go to the table."""
    table.views["p1"] = fake.view(options=(fake.END,))
    table.publish("table", fake.table("lobby"))
    page = visit("p1", bypass_csp=True, reduced_motion="reduce")
    page.get_by_role("button", name="Describe a tile…").click()
    sheet = page.get_by_role("dialog")
    edge = lambda number: sheet.get_by_role("button", name=f"Edge {number}", exact=True)  # noqa: E731
    for number in (1, 3, 4, 6, 2, 5, 2, 5):
        edge(number).click()
    sheet.get_by_role("button", name="A marked area").click()
    expect(sheet.get_by_role("button", name="Give it to the table")).to_be_disabled()
    sheet.get_by_label("Name").fill("My Thing")
    sheet.get_by_label("What it does, in words").fill("Everybody stands up.")
    assert wrong_with(page) == []
    sheet.get_by_role("button", name="Give it to the table").click()

    sent = table.command()[1]["table"]
    effect = {"when": "trigger", "deed": "attested", "text": "Everybody stands up."}
    assert sent == {
        "do": "tile",
        "tile": {
            "title": "My Thing",
            "channels": [[1, 3], [4, 6]],
            "hole": False,
            "trigger": "area",
            "effects": [effect],
        },
    }
    expect(page.locator("#toast")).to_contain_text("This table knows My Thing now.")


def test_a_break_and_a_rematch_are_where_everybody_looks(visit, table):
    """A paused game has one button to go on, in the dock; one that is over offers the rematch there."""
    table.publish("table", fake.table(paused=True, say="Bo paused the game."))
    page = visit("p1")
    expect(page.locator("#pause")).to_contain_text("Bo paused the game.")
    page.locator("#pause").get_by_role("button", name="Go on").click()
    assert table.command()[1]["table"] == {"do": "resume"}

    table.publish("table", fake.table("over"))
    page.locator("#pause").get_by_role("button", name="Rematch").click()
    assert table.command()[1]["table"] == {"do": "rematch"}


COMES_UP = """globalThis.cameUp = new Promise((done) => new MutationObserver(() => {
  if (document.querySelector("#pause .button")) done(document.querySelector("#pause").inert);
}).observe(document.querySelector("#pause"), { childList: true }))"""


def test_a_game_that_ends_under_a_thumb_begins_no_other_one(visit, table):
    """What comes up at the end takes no tap at first, and then it does."""
    page = visit("p1")
    page.evaluate(f"() => {{ {COMES_UP} }}")
    table.publish("table", fake.table("over"))
    assert page.evaluate("() => cameUp") is True
    page.locator("#pause").get_by_role("button", name="Rematch").click()
    assert table.command()[1]["table"] == {"do": "rematch"}


def test_whoever_plays_with_bots_alone_plays_again_at_once(visit, table):
    """At a demo nobody else has to be asked: one tap begins, another one changes who plays."""
    bots = tuple(replace(one, kind="bot") if one.seat != "p1" else one for one in fake.table().seats)
    table.publish("table", fake.table("over", seats=bots, can_start=True))
    page = visit("p1")
    page.locator("#pause").get_by_role("button", name="Change who plays").click()
    assert table.command()[1]["table"] == {"do": "rematch"}
    page.locator("#pause").get_by_role("button", name="One more game").click()
    assert table.command()[1]["table"] == {"do": "start"}


def test_watchers_are_told_when_bots_begin_again(visit, table):
    """The seconds are counted down, on phones and on the big screen; where nothing begins by itself, nothing is said."""
    bots = tuple(replace(one, kind="bot") for one in fake.table().seats)
    table.publish("table", fake.table("over", seats=bots, next_s=20))
    page, screen = visit(), visit(path="tv")
    expect(page.locator("#pause")).to_contain_text(
        "The next game begins in 20 s. If you sit down, it waits for you."
    )
    expect(screen.locator("#tv-time")).to_have_text("Next game in 20 s")
    table.publish("table", fake.table("over", seats=bots, next_s=19))
    expect(page.locator("#pause")).to_contain_text("in 19 s")
    table.publish("table", fake.table("over", seats=bots))
    expect(page.get_by_text("The next game begins")).to_be_hidden()
    expect(screen.locator("#tv-time")).to_be_hidden()


def test_a_simulated_table_asks_nobody_for_hands_in_passing(visit, table):
    """What an event asks of hands is told in the list only, where the table has hands of its own."""
    page = visit("p1")
    ask = fake.event(60, "Take the ball off B2.", slot="B2", kind="lift")
    table.publish("event", ask, retain=False)
    expect(page.locator("#log")).to_contain_text("Take the ball off B2.")
    expect(page.locator("#toast")).to_be_hidden()
    table.publish("info", replace(fake.info(), simulated=False))
    table.publish("event", fake.event(61, "Take the ball off B3.", slot="B3", kind="lift"), retain=False)
    expect(page.locator("#toast")).to_contain_text("Take the ball off B3.")


def test_whoever_came_without_a_code_finds_join_in_sight(visit, table):
    """One button in the card of the table leads to one screen with code, name and seats; there is a way back to watching."""
    bots = tuple(replace(one, kind="bot") for one in fake.table().seats)
    table.publish("info", replace(fake.info(), simulated=True))
    table.publish("table", fake.table(seats=bots))
    page = visit(bypass_csp=True)
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_label("Code shown at the table")).to_be_focused()
    expect(page.get_by_label("Your name")).to_be_visible()
    expect(page.get_by_role("button", name="Sit here").first).to_be_visible()
    assert wrong_with(page) == []
    page.get_by_role("button", name="Keep watching").click()
    page.get_by_role("button", name="Join", exact=True).click()
    page.get_by_label("Code shown at the table").fill("HEX")
    page.get_by_label("Your name").fill("Kim")
    page.get_by_role("button", name="Start a new game against easy bots").click()
    assert table.asked_to_join() == {"code": "HEX", "name": "Kim"}
    assert table.command()[1]["table"] == {"do": "fresh"}
    expect(page.get_by_role("button", name="Join", exact=True)).to_be_hidden()


def test_another_seat_is_taken_by_one_tap(visit, table):
    """The phone leaves its seat and joins the other one with the code that it came in with."""
    table.publish(
        "table", fake.table("lobby", seats=(*fake.table().seats[:1], replace(OPEN_SEAT, seat="p2")))
    )
    page = visit(hash_="#j=HEX")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Take a seat").click()
    table.joins.get(timeout=60)
    page.get_by_role("button", name="Move here: Green").click()

    assert table.command()[1]["table"] == {"do": "leave"}
    assert table.asked_to_join() == {"code": "HEX", "name": "Ada", "seat": "p2"}


def test_the_table_decides_about_somebody_who_is_away_or_shall_leave(visit, table):
    """Beside another player: their seat may be taken while they are away; more than half can make them leave."""
    asleep = replace(fake.table().seats[1], kind="person", here=False)
    table.publish("table", fake.table(seats=(fake.table().seats[0], asleep)))
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1", bypass_csp=True)
    open_table(page)
    page.get_by_label(f"Seat of {asleep.name}").click()
    page.get_by_role("button", name=f"Let somebody else take {asleep.name}'s seat").click()
    assert table.command()[1]["table"] == {"do": "free", "seat": asleep.seat}
    page.get_by_role("button", name=f"{asleep.name} should leave").click()
    assert table.command()[1]["table"] == {"do": "remove", "seat": asleep.seat}
    assert wrong_with(page) == []

    table.publish("table", fake.table(seats=(fake.table().seats[0], replace(asleep, here=True))))
    expect(page.get_by_role("button", name=re.compile("^Let somebody else"))).to_have_count(0)


def test_who_comes_late_is_told_what_they_can_do(visit, table):
    """A watcher of a running game may take a seat that is not in it, for the next one; who has one sees that."""
    table.publish("info", replace(fake.info(), simulated=False))
    table.publish("table", fake.table(seats=(*fake.table().seats[:2], OPEN_SEAT)))
    page = visit()
    open_table(page)

    expect(page.locator("#watching")).to_contain_text("to play from the next game on")
    expect(page.get_by_role("button", name=re.compile("^Sit here"))).to_have_count(1)
    late = replace(OPEN_SEAT, kind="person", name="Late", here=True, joins_next=True)
    table.publish("table", fake.table(seats=(*fake.table().seats[:2], late)))
    expect(page.locator("#lobby-seats")).to_contain_text("plays from the next game on")
    expect(page.locator("#watching")).to_contain_text("when the game is over")


# --- large text -----------------------------------------------------------------------------------------------


def test_twice_as_large_text_fits(visit, table):
    """With text at 200 % nothing scrolls sideways, neither the page nor a sheet."""
    table.publish("table", fake.lobby(pool=60, hidden=True))
    page = visit("p1", bypass_csp=True)
    page.add_style_tag(content="html { font-size: 200% }")
    wide = (
        "(name) => { const node = document.querySelector(name); return node.scrollWidth - node.clientWidth }"
    )
    assert page.evaluate(wide, "html") <= 0
    page.get_by_role("button", name="Set up…").click()
    for _ in range(4):
        page.get_by_role("button", name="Next", exact=True).click()
        assert page.evaluate(wide, "#setup-body") <= 0
    assert page.get_by_role("button", name="Back", exact=True).bounding_box()["height"] >= 50


@pytest.mark.parametrize(("simulated", "words"), [(True, "A bot plays on"), (False, "You give up the game")])
def test_what_leaving_means_is_said_before(visit, table, simulated, words):
    """In a demonstration a bot goes on; at a real table the game is given up."""
    table.publish("info", replace(fake.info(), simulated=simulated))
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1")
    open_table(page)
    page.get_by_text("Leave the table…").click()
    expect(page.locator(".leaving")).to_contain_text(words)
