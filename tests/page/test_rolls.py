"""The last roll on the phone, the questions that the tracker asks, and what an effect does to a tile."""

import re

import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect
from helpers.page.rolls import WAYS, asked
from hextraction.controller.games.rolls import LastRoll, RolledBall, Stop
from msgspec.structs import replace

pytestmark = NEEDS

ROLL = LastRoll(
    number=3,
    roller="p1",
    turn=7,
    probability=0.93,
    touches={"B1": 1, "B2": 1, "C3": 2},
    balls=(
        RolledBall(
            ball=1,
            ramp="L2",
            stops=(
                Stop(slot="B1", at_ms=100, touch=1),
                Stop(slot="B2", at_ms=260, touch=1),
                Stop(slot="C3", at_ms=400, touch=1),
                Stop(slot="C2", at_ms=620, unsure=True),
                Stop(slot="C3", at_ms=800, touch=2, unsure=True),
            ),
            fate="slot.C3",
            end_ms=820,
        ),
        RolledBall(ball=4, stops=(Stop(slot="D1", at_ms=700),), fate="zone.L", end_ms=900),
    ),
)


def publish(table, **more):
    """Show everybody a table at rest after the roll."""
    table.publish("state", fake.state(41, **{"rolling": False, "balls": (), **more}))


def opened(visit, table, roll=ROLL, **more):
    """Open a phone that comes late, and the last roll on it."""
    publish(table, last_roll=roll)
    page = visit(**more)
    page.get_by_role("button", name="Show the last roll").click()
    return page


def ask(visit, table, kind, **more):
    """Open the phone of the seat that is asked a question of this kind."""
    prompt, roll = asked(kind)
    publish(table, rolling=True, last_roll=roll)
    table.views["p1"] = fake.view(prompts=(prompt,), hand=())
    page = visit("p1", **more)
    expect(page.locator("#question")).to_have_text(prompt.text)
    return page


# --- the last roll ----------------------------------------------------------------------------------------------


def test_a_phone_that_came_late_replays_the_last_roll(visit, table):
    """With reduced motion the whole way stands there at once: touches counted, what is unsure dashed, and in words."""
    page = opened(visit, table, reduced_motion="reduce")
    expect(page.locator("#board .leg")).to_have_count(8)
    expect(page.locator("#board .leg.unsure")).to_have_count(2)
    expect(page.locator("#board .leg.gone-over")).to_have_count(8)
    counted = page.locator("#board [data-counted]")
    marks = {one.get_attribute("data-counted"): one.text_content() for one in counted.all()}
    assert marks == {"B1": "1", "B2": "1", "C3": "2"}
    expect(page.locator("#replay")).to_contain_text("The board is 93 % sure. Dashed: not sure.")
    expect(page.get_by_role("button", name=re.compile("^(Pause|Play|Again|Slower)$"))).to_have_count(0)

    page.get_by_text("As text").click()
    words = page.locator(".replay-text li").all_inner_texts()
    assert words == [
        (
            "Ball 1 from ramp L2: over B1 (1 touch), B2 (1 touch), C3 (1 touch), C2 (not sure),"
            " C3 (2 touches, not sure); lies on C3."
        ),
        "Ball 4: over D1; in the left end zone.",
    ]
    page.locator("#replay").get_by_role("button", name="Close").click()
    expect(page.locator("#board .leg")).to_have_count(0)


def test_a_replay_makes_way_for_whoever_chooses_a_tile(visit, table):
    """It lies over the board, whose places are wanted from then on."""
    table.views["p1"] = fake.view(options=(*fake.PLAYS, *fake.PLACES))
    page = opened(visit, table, seat="p1")
    expect(page.locator("#replay")).to_be_visible()
    page.locator("#tray .card").first.click()
    expect(page.locator("#replay")).to_be_hidden()


def test_a_replay_is_paused_slowed_and_wound(visit, table):
    """The ball moves, stands still on pause, and the slider shows any moment; touches count up."""
    page = opened(visit, table)
    moment = page.get_by_label("Moment of the roll")
    page.wait_for_function("() => Number(document.querySelector('.replay-where').value) > 0")
    page.get_by_role("button", name="Pause", exact=True).click()
    stood = page.locator("#board .leg-ball").first.get_attribute("transform")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.get_by_role("button", name="Slower").click()
    expect(page.get_by_role("button", name="Slower")).to_have_attribute("aria-pressed", "true")
    assert page.locator("#board .leg-ball").first.get_attribute("transform") == stood

    moment.fill("0")
    expect(page.locator("#board .leg.gone-over")).to_have_count(0)
    expect(page.locator("#board [data-counted]")).to_have_count(0)
    moment.fill("1000")
    expect(page.locator('#board [data-counted="C3"]')).to_have_text("2")
    expect(page.locator(".replay-says")).to_contain_text("Ball 4: in end zone L")
    page.get_by_role("button", name="Again", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("fate", "says", "moves", "size"),
    [
        ("hole.D1", "Ball 6: fell through D1", False, "scale(0.5)"),
        ("hole.E1", "Ball 6: fell through E1", True, "scale(0.5)"),
        ("slot.D1", "Ball 6: lies on D1", False, ""),
    ],
)
def test_a_replay_ends_with_where_the_ball_ended(visit, table, fate, says, moves, size):
    """After its last touch a ball falls or lies still: that is the last that is drawn and said of it."""
    stops = (Stop(slot="D1", at_ms=700, touch=1),)
    ball = RolledBall(ball=6, stops=stops, fate=fate, end_ms=900)
    page = opened(visit, table, replace(ROLL, balls=(ball,), touches={"D1": 1}))
    moment = page.get_by_label("Moment of the roll")
    moment.fill("800")
    expect(page.locator(".replay-says")).to_have_text("Ball 6: D1, 1 touch")
    before = page.locator("#board .leg-ball").get_attribute("transform").split(" scale")[0]
    moment.fill("1000")
    expect(page.locator(".replay-says")).to_have_text(says)
    after = page.locator("#board .leg-ball").get_attribute("transform")
    assert (after.split(" scale")[0] != before) == moves
    assert after.endswith(size)


def test_without_a_roll_there_is_nothing_to_show_again(visit, table):
    """Before the first roll there is no button; a new game closes what is shown."""
    publish(table)
    page = visit()
    expect(page.locator("#headline")).not_to_have_text("Waiting for the table…")
    expect(page.locator("#replay-open")).to_be_hidden()
    publish(table, last_roll=ROLL)
    page.get_by_role("button", name="Show the last roll").click()
    expect(page.locator("#replay")).to_be_visible()
    publish(table)
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator("#board .leg")).to_have_count(0)


# --- what the tracker asks --------------------------------------------------------------------------------------

LIT = {"third": ["C3"], "touches": ["C3"], "rests": ["C3", "D3"], "lost": ["C1", "D1"], "zone": []}
WORDS = {
    "third": ["Yes", "No"],
    "touches": ["2 times", "Once", "Never"],
    "rests": ["C3", "D3"],
    "lost": ["C1", "D1", "None of these"],
    "zone": ["Left end zone", "None of these"],
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", list(WAYS))
def test_a_question_of_the_tracker_is_drawn_on_the_board(visit, table, kind, scheme):
    """Its places are lit, its answers are short words, its time runs, the default is marked, the doubt is dashed."""
    page = ask(visit, table, kind, color_scheme=scheme, reduced_motion="reduce")
    lit = page.locator("#board .slot.asked, #board .slot.target")
    assert [one.get_attribute("data-slot") for one in lit.all()] == LIT[kind]
    assert page.locator(".prompt > .buttons button").all_inner_texts() == WORDS[kind]
    assert page.locator("[data-default]").all_inner_texts() == WORDS[kind][:1]
    expect(page.locator(".silence")).to_have_text(f"If nobody answers: {WORDS[kind][0]}.")
    expect(page.locator(".prompt .countdown")).to_have_text(re.compile(r"^\d+ s$"))
    assert page.locator("#board .leg.unsure").count() > 0
    if kind == "zone":
        expect(page.locator('#board [data-zone="L"]')).to_have_class(re.compile("target"))
    assert page.locator(".prompt .buttons .tile-picture").count() == len(LIT[kind]) * (
        kind in {"rests", "lost"}
    )
    for part in ("#question", ".prompt > .buttons button"):
        box = page.locator(part).first.bounding_box()
        assert box["y"] + box["height"] <= page.viewport_size["height"], (
            "the question and an answer are in sight"
        )
    places = [*lit.all(), *page.locator("#board .zone.target .zone-bed").all()]
    for place in places:
        at = place.bounding_box()
        assert at["y"] >= 0
        assert at["y"] + at["height"] <= page.locator("#dock").bounding_box()["y"] + 1, "it is not hidden"


def test_where_a_ball_lies_is_answered_by_a_tap_on_the_tile(visit, table):
    """The tapped tile is confirmed, and goes out as the answer; then the doubt is no longer drawn."""
    page = ask(visit, table, "rests")
    page.locator('#board .slot[data-slot="D3"] .hit').click()
    page.locator(".pick").get_by_role("button", name="D3", exact=True).click()
    sent = table.command()[1]["act"]
    assert (sent["do"], sent["choice"]) == ("answer", "D3")
    publish(table, last_roll=ROLL)
    table.show("p1", fake.view())
    expect(page.locator("#board .leg")).to_have_count(0)
    expect(page.locator("#board .slot.asked")).to_have_count(0)


def test_watchers_see_what_is_asked(visit, table):
    """The places in question are lit on every phone."""
    _prompt, roll = asked("zone")
    publish(table, rolling=True, last_roll=roll)
    page = visit()
    expect(page.locator('#board [data-zone="L"]')).to_have_class(re.compile("asked"))


# --- what effects do to tiles -----------------------------------------------------------------------------------


def changed(**slots):
    """Return the sample places with these tiles changed, as they lie when nobody rolls."""
    return fake.places(
        slots=tuple(
            fake.shown.PlaceView(
                place=f"slot.{name}",
                piece=fake.tile(i, *lies, **slots.get(name, {})),
                note=slots.get(name, {}).get("silenced", ""),
            )
            for i, (name, lies) in enumerate(fake.LAID.items())
        )
    )


def test_a_silenced_tile_and_a_turned_part_are_drawn_and_told(visit, table):
    """A crossed-out circle and a pointer on the tile; words for those who tap it or read the text."""
    publish(table, places=changed(B2={"silenced": "silenced by Switch"}, C2={"part": 2}))
    page = visit()
    expect(page.locator('#board .slot[data-slot="B2"] .silenced')).to_have_count(1)
    expect(page.locator('#board .slot[data-slot="C2"] .part')).to_have_attribute("transform", "rotate(120)")
    expect(page.locator("#board .silenced")).to_have_count(1)
    expect(page.get_by_label("B2: Bell, silenced by Switch")).to_have_count(1)
    page.locator('#board .slot[data-slot="C2"] .hit').click()
    expect(page.locator(".inspect")).to_contain_text("moving part turned 2/6")


def test_what_hands_have_to_do_is_said_and_marked(visit, table):
    """A ball to take off and a tile that moves: both messages stay, and both slots have an arrow."""
    publish(table)
    table.publish("info", replace(fake.info(), simulated=False))
    page = visit()
    table.publish(
        "event", fake.event(50, "Take the ball off C3.", kind="lift", slot="C3", clause="2.6.5"), retain=False
    )
    table.publish("event", fake.event(51, "Bell moves from B2 to A4.", kind="moved", slot="A4"), retain=False)
    expect(page.locator("#toast")).to_contain_text("Take the ball off C3.")
    expect(page.locator("#toast")).to_contain_text("Bell moves from B2 to A4.")
    expect(page.locator('#board .slot[data-slot="C3"] .ball-off')).to_have_count(1)
    expect(page.locator('#board .slot[data-slot="A4"] .moved-here')).to_have_count(1)
