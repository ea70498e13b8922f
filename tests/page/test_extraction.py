"""Extraction's own parts of the page: what is offered and staked, by steps that a thumb can use."""

import pytest
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, expect, wrong_with
from hextraction.controller.games.extraction.land.state import Player
from hextraction.controller.games.extraction.scenario import LANGUAGE
from msgspec.structs import replace

pytestmark = NEEDS

PHONE = {"width": 390, "height": 844}
SEATS = (("p1", "Ada"), ("p2", "Bo"), ("p3", "Robin"))
MIDDLE = """hex c3 ore 8 5
hex d2 wood 3 2
settlement Red a1.61
settlement Blue c3.12 c3.56
settlement Green e3.34
roads Red c3:2 c3:5
hand Red 1 brick 3 wool 2 ore
hand Blue 1 wood
"""


def seated(state):
    """Return a state whose players sit on the fake table's seats."""
    players = (
        Player(
            **{**{name: getattr(one, name) for name in one.__struct_fields__}, "seat": seat, "name": name_}
        )
        for one, (seat, name_) in zip(state.players, SEATS, strict=True)
    )
    return replace(state, players=tuple(players))


@pytest.fixture
def land(table):
    """Return the fake table in the middle of a game; it is Ada's turn, and two buildings of Bo's can be attacked."""
    (script,) = LANGUAGE.read(f"game extraction\n{MIDDLE}", "x")
    made = LANGUAGE.table(script.case)
    state = seated(made.state)
    table.publish("table", replace(fake.table(), kind="extraction"))
    table.publish("state", fake.State(game="g1", seq=40, at_us=40_000_000, view=made.game.scene(state)))
    seen = made.game.private(state, "p1")
    table.views["p1"] = fake.view(options=seen.options, hand=seen.hand, headline=seen.headline)
    return table


def test_a_resource_held_exactly_once_can_be_offered(visit, land):
    """One brick is one brick, in the hand and in an offer."""
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    expect(page.locator(".card-title")).to_have_text(["1 brick", "3 wool", "2 ore"])
    page.get_by_role("button", name="Offer a trade…").click()
    sheet = page.get_by_role("dialog", name="Offer a trade")
    expect(sheet).to_contain_text("brick (you have 1)")
    sheet.get_by_role("button", name="give one brick more").click()
    sheet.get_by_role("button", name="want one ore more").click()
    assert wrong_with(page) == []
    sheet.get_by_role("button", name="Offer it").click()
    assert land.command()[1]["act"] == {"do": "offer", "give": {"brick": 1}, "want": {"ore": 1}}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_any_cards_can_be_staked(visit, land, scheme, size):
    """A tap on the building, then steps for each kind in hand; the attack waits until something is staked."""
    page = visit("p1", viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page.get_by_role("button", name="Attack…").click()
    page.locator('#board [data-spot^="corner."] .hit').first.click()
    pick = page.locator("#tray .pick")
    expect(pick.get_by_role("heading")).to_contain_text("Bo's settlement at")
    attack = pick.get_by_role("button", name="with this stake")
    expect(attack).to_be_disabled()
    expect(pick).to_contain_text("At least 1 in all.")
    pick.get_by_role("button", name="wool: all").click()
    pick.get_by_role("button", name="wool: fewer").click()
    pick.get_by_label("How many: ore").fill("7")
    pick.get_by_label("How many: ore").blur()
    expect(pick.get_by_label("How many: ore")).to_have_value("2")
    expect(pick.get_by_role("button", name="ore: more")).to_be_disabled()
    assert wrong_with(page) == []
    attack.click()
    said = land.command()[1]["act"]
    assert (said["do"], said["stake"]) == ("attack", {"brick": 0, "wool": 2, "ore": 2})
