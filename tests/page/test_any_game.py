"""Games that the page does not know: shown from their scene and options alone, or by a file of their own."""

from pathlib import Path

import pytest
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, PHONE, expect, open_table, wrong_with
from msgspec.structs import replace

pytestmark = NEEDS

HERDER = fake.shown.Piece(
    id=7, name="herder", title="Old Herder", owner="p2", turns=2, summary="Counts twice."
)
HAND = (
    fake.shown.Piece(id=51, name="ewe", title="Ewe", summary="Follows the next one."),
    fake.shown.Piece(id=52, name="ram", title="Ram"),
)
PLACES = (
    fake.shown.PlaceView(place="slot.B2", piece=HERDER, count=2, badge="★", note="2 sheep, starred"),
    fake.shown.PlaceView(place="slot.C3", owner="p1", label="LAKE", note="Ada's lake"),
    fake.shown.PlaceView(place="slot.D3", title="Meadow", balls=1),
    fake.shown.PlaceView(place="ramp.L1", wants="release"),
    fake.shown.PlaceView(place="ramp.R3", shut=True, note="frozen"),
    fake.shown.PlaceView(place="zone.L", title="Barn", owner="p2", balls=3),
    fake.shown.PlaceView(place="corner.C3.2", owner="p1", label="5", title="Gate"),
)
MARBLES = fake.shown.Scene(
    kind="marbles",
    headline="Ada leads the flock.",
    turn=3,
    active="p1",
    acting="p1",
    seats=(
        fake.shown.SeatView(seat="p1", name="Ada", colour="red", note="herds"),
        fake.shown.SeatView(
            seat="p2",
            name="Bo",
            colour="blue",
            counters=(fake.shown.Counter(label="sheep", one="sheep", count=4),),
        ),
    ),
    places=PLACES,
    balls=(fake.shown.BallView(ball=1, place="slot.D3", trail=("B2", "D3")),),
    counters=(fake.shown.Counter(label="sheep left", count=9),),
    detail={"game": "marbles", "wool": 3},
)


def option(group, label, **more):
    """Return something that may be done."""
    return fake.shown.Option(group=group, label=label, act={"do": group, "say": label}, **more)


OPTIONS = (
    option("whistle", "Whistle"),
    *(option("call_home", f"Call from {slot}", slot=slot) for slot in ("B2", "C3")),
    option("open_gate", "Open the gate", slot="corner.C3.2"),
    option("let_go", "Let one go on L1", ramp="L1"),
    option("shut_in", "Shut the barn", slot="zone.L"),
    option("lead", "Lead the Ewe to D3", slot="D3", tile=51, turns=(0, 3)),
    option("swap", "Swap the Ram", tile=52),
    fake.shown.Option(group="seen", label="It touched E2", act={"do": "seen"}, slot="E2", tells="touched E2"),
)
ASKED = fake.shown.Prompt(
    id="m1", seat="p1", kind="count", text="How many went in?", clause="4", default=0,
    options=(option("answer", "One"), option("answer", "Two")),
)  # fmt: skip
FILE = Path(__file__).with_name("marbles.js")


@pytest.fixture
def marbles(table):
    """Return the fake table where somebody else's game is played."""
    table.publish("table", replace(fake.table(), kind="marbles"))
    table.publish("state", fake.State(game="g1", seq=40, at_us=40_000_000, view=MARBLES))
    table.views["p1"] = fake.view(options=OPTIONS, hand=HAND, headline="Your flock")
    return table


def forgive(visit):
    """Forget the browser's own line about the file that is not there."""
    visit.wrong[:] = [line for line in visit.wrong if "404" not in line]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_an_unknown_game_is_shown_from_its_scene(visit, marbles, scheme, size):
    """Pieces, owners, labels, badges, counts, corners, balls, counters and words: all that a scene has."""
    page = visit("p1", viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    slot = lambda name: page.locator(f'#board [data-slot="{name}"]')  # noqa: E731
    expect(slot("B2").locator(".tile-title")).to_have_text("OldHerder")
    expect(slot("B2").locator(".badge.sign")).to_have_text("★")
    expect(slot("B2").locator(".pip.on")).to_have_count(2)
    expect(slot("B2").locator(".owner-ring")).to_have_attribute("data-paint", "blue")
    expect(slot("C3").locator(".place-label")).to_have_text("LAKE")
    expect(slot("C3").locator(".owner-ring")).to_have_attribute("data-paint", "red")
    expect(page.locator('#board [data-spot="corner.C3.2"]')).to_have_attribute(
        "aria-label", "Gate, 5. Open the gate"
    )
    expect(page.locator('#board [data-zone="L"] text')).to_have_text("Barn: 3")
    expect(page.locator("#board .ball")).to_have_count(1)
    expect(page.get_by_label("B2: Old Herder, 2 sheep, starred. Call from B2")).to_have_count(1)
    expect(page.locator("#headline")).to_have_text("Your flock")
    expect(page.locator("#facts li")).to_have_text(["9 sheep left"])
    expect(page.locator("#seats")).to_contain_text("4 sheep")
    expect(page.locator(".card-title")).to_have_text(["Ewe", "Ram"])
    expect(page.get_by_role("button", name="Reference")).to_have_count(0)
    assert wrong_with(page) == []
    page.get_by_role("button", name="Text view").click()
    expect(page.locator("#text")).to_contain_text("frozen")
    expect(page.locator("#text")).to_contain_text("Gate, 5")
    assert wrong_with(page) == []
    forgive(visit)


def test_an_unknown_game_is_played_by_its_options(visit, marbles):
    """On the board, by buttons, from the hand, and as the answer to a question: each act goes out as it came."""
    page = visit("p1")
    tray = page.locator("#tray")
    tray.get_by_role("button", name="Whistle", exact=True).click()
    page.locator('#board [data-ramp="L1"]').click()
    tray.get_by_role("button", name="Call from C3", exact=True).click()
    page.locator('#board [data-spot="corner.C3.2"] .hit').click()
    tray.locator(".pick").get_by_role("button", name="Open the gate").click()
    page.locator('[data-tile="52"]').click()
    tray.get_by_role("button", name="Swap the Ram").click()
    expect(page.locator(".card[aria-pressed=true]")).to_have_count(0)
    page.locator('#board [data-slot="D3"] .hit').click()
    page.get_by_role("button", name="Turn right").click()
    tray.get_by_role("button", name="Lead the Ewe to D3").click()
    page.locator('#board [data-slot="E2"] .hit').click()
    page.locator('#board [data-zone="L"]').dispatch_event("click")
    tray.locator(".pick").get_by_role("button", name="Shut the barn").click()
    acts = [marbles.command()[1]["act"] for _ in range(8)]
    assert [act.get("say", act["do"]) for act in acts] == [
        "Whistle", "Let one go on L1", "Call from C3", "Open the gate", "Swap the Ram", "Lead the Ewe to D3", "seen",
        "Shut the barn",
    ]  # fmt: skip
    assert acts[5]["turns"] == 3

    marbles.show("p1", fake.view(prompts=(ASKED,), hand=HAND))
    expect(page.locator(".silence")).to_have_text("If nobody answers: One.")
    tray.get_by_role("button", name="Two", exact=True).click()
    assert marbles.command()[1]["act"] == {"do": "answer", "say": "Two"}
    forgive(visit)


def test_a_game_brings_its_own_file(visit, marbles):
    """Its file from another package names the page, groups and counters, draws pieces, and has a sheet."""
    marbles.files |= {"games/marbles.js": FILE.read_text(), "games/marbles.css": ".fleece { fill: none; }"}
    page = visit("p1", bypass_csp=True, reduced_motion="reduce")
    expect(page).to_have_title("● Your turn · Marbles")
    expect(page.locator("#facts li")).to_have_text(["Wool 3"])
    expect(page.locator('#board [data-slot="B2"] .fleece')).to_have_count(1)
    assert (
        page.locator('#board [data-slot="B2"] .fleece').evaluate("(node) => getComputedStyle(node).fill")
        == "none"
    )
    page.get_by_role("button", name="Call home…").click()
    expect(page.locator("#tray")).to_contain_text("Whom? Tap the slot.")
    page.get_by_role("button", name="Never mind").click()
    page.get_by_role("button", name="Whistle", exact=True).click()
    page.get_by_role("button", name="Really? Whistle").click()
    assert marbles.command()[1]["act"]["do"] == "whistle"
    open_table(page)
    page.get_by_role("button", name="Count the wool…").click()
    expect(page.get_by_role("dialog", name="Wool")).to_contain_text("There are 3.")
    assert wrong_with(page) == []


def test_another_game_may_follow_at_the_same_table(visit, table):
    """The page changes with the table: words, counters and sheets of the one before are gone, and come back."""
    table.files["games/marbles.js"] = FILE.read_text().replace('style: "marbles.css",', "")
    page = visit()
    expect(page.locator("#facts")).to_contain_text("Pool 41")
    table.publish("table", replace(fake.table("lobby"), kind="marbles"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Marbles")
    expect(page.locator("#reference")).to_have_count(0)
    table.publish("table", replace(fake.table(), kind="marbles", game="g2"))
    table.publish("state", fake.State(game="g2", seq=41, at_us=41_000_000, view=MARBLES))
    expect(page.locator("#facts li")).to_have_text(["Wool 3"])
    table.publish("table", fake.table())
    table.publish("state", fake.state(42))
    expect(page.locator("#facts")).to_contain_text("Pool 41")
    expect(page.locator('#board [data-slot="B2"] .groove').first).to_be_attached()
    page.get_by_role("button", name="Reference", exact=True).click()
    expect(page.get_by_role("dialog", name="Reference")).to_be_visible()
