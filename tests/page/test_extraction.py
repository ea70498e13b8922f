"""Extraction's own parts of the page: what is offered and staked, by steps that a thumb can use."""

import pytest
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, expect, wrong_with
from helpers.tiers import first_by_day
from hextraction.controller.games.extraction.land.goods import CITY
from hextraction.controller.games.extraction.land.state import Player
from hextraction.controller.games.extraction.scenario.language import LANGUAGE
from hextraction.controller.games.protocol import Acted, Said
from hextraction.controller.games.scene import without_hands
from msgspec.structs import replace

pytestmark = NEEDS

PHONE = {"width": 390, "height": 844}
SEATS = (("p1", "Ada"), ("p2", "Bo"), ("p3", "Robin"))
COUNT_MOTION = """() => {
  const animate = Element.prototype.animate;
  globalThis.dieMoved = false;
  Element.prototype.animate = function (...how) {
    globalThis.dieMoved ||= this.matches('.die');
    return animate.apply(this, how);
  };
}"""
NOTE_SUMS = """() => {
  globalThis.sums = [];
  const shown = () => [...document.querySelectorAll('.score tbody tr')].map((row) => row.lastChild.textContent);
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(() => sums.push(shown().join(''))).observe(document.querySelector('main'), all);
}"""
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
    table.game, table.now = made.game, state
    show(table, made.game, state)
    return table


def show(table, game, state):
    """Show a state to everybody, and to each seat what only it sees."""
    table.seq = getattr(table, "seq", 39) + 1
    table.publish("state", fake.State(game="g1", seq=table.seq, at_us=41_000_000, view=game.scene(state)))
    for seat, _name in SEATS:
        seen = game.private(state, seat)
        given = {
            "options": seen.options,
            "prompts": seen.prompts,
            "hand": seen.hand,
            "headline": seen.headline,
        }
        table.show(seat, fake.view(seat, **given))


def test_a_trade_is_put_together_by_tapping_cards(visit, land):
    """One brick is one brick, in the hand and in an offer; a tap on what was chosen takes it back."""
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    expect(page.locator(".card-title")).to_have_text(["1 brick", "3 wool", "2 ore"])
    page.get_by_role("button", name="Trade…").click()
    sheet = page.get_by_role("dialog", name="Trade")
    offer = sheet.get_by_role("button", name="Offer it")
    expect(offer).to_be_disabled()
    sheet.get_by_role("button", name="Give one brick, 1 left").click()
    expect(sheet.get_by_role("button", name="Give one brick, 0 left")).to_be_disabled()
    sheet.get_by_role("button", name="Take one ore", exact=True).click()
    sheet.get_by_role("button", name="Take one ore", exact=True).click()
    sheet.get_by_role("button", name="2 ore: one less").click()
    assert wrong_with(page) == []
    offer.click()
    assert land.command()[1]["act"] == {"do": "offer", "give": {"brick": 1}, "want": {"ore": 1}}
    expect(sheet).to_be_hidden()


def test_what_a_card_brings_is_chosen_by_pictures(visit, table):
    """Two cards of the bank for Plenty, one resource for Monopoly: drawn, and called by their words."""
    (script,) = LANGUAGE.read(f"game extraction\n{MIDDLE}cards Red plenty monopoly\n", "x")
    made = LANGUAGE.table(script.case)
    table.publish("table", replace(fake.table(), kind="extraction"))
    show(table, made.game, seated(made.state))
    page = visit("p1", viewport={"width": 360, "height": 640}, bypass_csp=True, reduced_motion="reduce")
    page.locator(".card", has_text="Plenty").click()
    expect(page.locator("#tray .button.brings")).to_have_count(15)
    assert wrong_with(page) == []
    page.get_by_role("button", name="Plenty: wood and ore").click()
    assert table.command()[1]["act"] == {"do": "play", "card": "plenty", "take": {"wood": 1, "ore": 1}}
    page.locator(".card", has_text="Monopoly").click()
    page.get_by_role("button", name="Monopoly: all wool").click()
    assert table.command()[1]["act"] == {"do": "play", "card": "monopoly", "resource": "wool"}


def test_three_equal_cards_go_to_the_bank(visit, land):
    """The same sheet trades with the bank, once the cards are three of a kind for one."""
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    page.get_by_role("button", name="Trade…").click()
    sheet = page.get_by_role("dialog", name="Trade")
    bank = sheet.get_by_role("button", name="Trade with the bank")
    sheet.get_by_role("button", name="Take one grain", exact=True).click()
    for left in (3, 2):
        sheet.get_by_role("button", name=f"Give one wool, {left} left").click()
    expect(bank).to_be_disabled()
    sheet.get_by_role("button", name="Give one wool, 1 left").click()
    bank.click()
    assert land.command()[1]["act"] == {"do": "bank", "give": {"wool": 3}, "want": {"grain": 1}}


@pytest.mark.parametrize("scheme", first_by_day(["light", "dark"], "each size and scheme"))
def test_everybody_sees_an_offer_and_who_is_asked_answers_it(visit, land, scheme):
    """Its cards are drawn for all; who is asked accepts or declines, and everybody's answer stands beside it."""
    made, state = land.game, land.now
    offered = {"do": "offer", "give": {"wool": 2}, "want": {"wood": 1}}
    for seat, act in (("p1", offered), ("p3", {"do": "answer", "prompt": "offer-1", "choice": "no"})):
        state = made.step(state, Acted(at_us=41_000_000, seat=seat, act=act)).state
    show(land, made, state)
    watching = visit("p1", viewport=PHONE, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    offers = watching.locator("#tray").get_by_role("list", name="Offers")
    expect(offers.get_by_role("img", name="2 wool")).to_be_visible()
    expect(offers.get_by_role("img", name="1 wood")).to_be_visible()
    expect(offers.locator(".answers")).to_have_text("Robin: noBo: …")
    assert wrong_with(watching) == []
    asked = visit("p2", viewport=PHONE, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    question = asked.locator("#tray .prompt")
    expect(question.get_by_role("img", name="2 wool")).to_be_visible()
    assert wrong_with(asked) == []
    question.get_by_role("button", name="Give 1 wood").click()
    assert land.command()[1]["act"] == {"do": "answer", "prompt": "offer-1", "choice": "yes"}


def test_who_is_asked_offers_something_else(visit, land):
    """The sheet begins with the offer as seen from the other side; sending says no to what was offered."""
    made, state = land.game, land.now
    offered = {"do": "offer", "give": {"wool": 2}, "want": {"wood": 1}}
    show(land, made, made.step(state, Acted(at_us=41_000_000, seat="p1", act=offered)).state)
    page = visit("p2", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    page.get_by_role("button", name="Offer something else…").click()
    sheet = page.get_by_role("dialog", name="Trade")
    sheet.get_by_role("button", name="Take one wool", exact=True).click()
    assert wrong_with(page) == []
    sheet.get_by_role("button", name="Offer it").click()
    assert land.command()[1]["act"] == {"do": "offer", "give": {"wood": 1}, "want": {"wool": 3}}
    assert land.command()[1]["act"] == {"do": "answer", "prompt": "offer-1", "choice": "no"}


def test_an_offer_that_nobody_wants_stays_in_sight_with_every_no(visit, land):
    """In the tray and on the sheet of trades, until another offer is made."""
    made, state = land.game, land.now
    act = {"do": "offer", "give": {"wool": 1}, "want": {"wood": 1}}
    no = {"do": "answer", "prompt": "offer-1", "choice": "no"}
    for seat, what in (("p1", act), ("p2", no), ("p3", no)):
        state = made.step(state, Acted(at_us=41_000_000, seat=seat, act=what)).state
    show(land, made, state)
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    refused = page.locator("#tray .offers li")
    expect(refused.locator(".answers")).to_have_text("Bo: noRobin: no")
    page.get_by_role("button", name="Trade…").click()
    sheet = page.get_by_role("dialog", name="Trade")
    expect(sheet.locator(".offers .answers")).to_have_text("Bo: noRobin: no")
    assert wrong_with(page) == []
    again = {"do": "offer", "give": {"brick": 1}, "want": {"wood": 1}}
    show(land, made, made.step(state, Acted(at_us=41_000_000, seat="p1", act=again)).state)
    expect(sheet.locator(".offers .answers")).to_have_text("Bo: …Robin: …")


@pytest.mark.parametrize("scheme", first_by_day(["light", "dark"], "each size and scheme"))
def test_who_cannot_pay_for_an_offer_is_told_so_and_may_say_no(visit, land, scheme):
    """Pale cards, a reason, one answer; the time that is left covers nothing, however much stands above it."""
    chairs = [replace(one, kind="bot") if one.seat != "p3" else one for one in fake.table().seats]
    land.publish("table", replace(fake.table(), kind="extraction", seats=tuple(chairs)))
    gains = ((2, 0, 1, 0, 1), (2, 1, 0, 2, 0), (0, 1, 0, 2, 2))
    offered = {"do": "offer", "give": {"wool": 2}, "want": {"wood": 1}}
    state = land.game.step(land.now, Acted(at_us=41_000_000, seat="p1", act=offered)).state
    show(land, land.game, replace(state, dice=(4, 4), gains=gains))
    page = visit("p3", viewport=PHONE, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    question = page.locator("#tray .prompt")
    expect(question.locator("[data-answer]")).to_have_text(["No, thanks"])
    expect(question).to_contain_text("You lack these cards.")
    expect(question.get_by_role("img", name="1 wood").locator(".lacking")).to_have_count(1)
    faster, left = (
        page.locator("#tray").locator(one).bounding_box() for one in ("text=Faster", ".countdown")
    )
    assert faster["y"] + faster["height"] <= left["y"]
    assert wrong_with(page) == []


def test_what_things_cost_is_one_tap_away(visit, land):
    """A row for each thing with its cards, pale where one lacks them, and with what is missing in words."""
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    page.get_by_role("button", name="Costs").click()
    rows = page.get_by_role("dialog", name="What things cost").get_by_role("listitem")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("You lack 1 wood")
    expect(rows.nth(3)).to_contain_text("You lack 1 grain")
    expect(rows.nth(3).locator(".lacking")).to_have_count(1)
    assert wrong_with(page) == []
    rich = tuple(replace(one, hand=(0, 0, 1, 1, 1)) for one in land.now.players)
    show(land, land.game, replace(land.now, players=rich))
    expect(rows.nth(3)).to_contain_text("You can pay that")


def test_a_disc_is_tapped_and_then_its_hex(visit, land):
    """All that are left lie there as discs, beside each how many; the chosen one is marked."""
    bare = tuple(replace(one, disc=0, tokens=0, start=0) if one.live else one for one in land.now.hexes)
    discs = replace(land.now, phase="discs", hexes=bare, unplaced=(2, 6, 6, 12))
    show(land, land.game, discs)
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    lying = page.get_by_role("list", name="Number discs").get_by_role("button")
    expect(lying).to_have_count(3)
    disc, count = (lying.nth(1).locator(way).bounding_box() for way in (".disc-picture", ".disc-count"))
    assert disc["x"] + disc["width"] <= count["x"]
    page.get_by_role("button", name="Disc 6").click()
    assert land.command()[1]["act"] == {"do": "pick", "disc": 6}
    show(land, land.game, replace(discs, picked="6"))
    expect(page.get_by_role("button", name="Disc 6")).to_have_attribute("aria-pressed", "true")
    assert wrong_with(page) == []
    page.locator("#board .slot.target .hit").first.click()
    act = land.command()[1]["act"]
    assert (act["do"], act["disc"]) == ("disc", 6)


def test_a_first_settlement_is_looked_at_before_it_is_settled(visit, land):
    """A tap on a corner shows a house there and the cards it gives; a second one settles, or Cancel does not."""
    begins = replace(land.now, phase="settlement", buildings=(-1,) * 54, roads=(-1,) * 72)
    show(land, land.game, begins)
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    option = next(
        one
        for one in land.game.private(begins, "p1").options
        if "ore 8" in one.label and "wood 3" in one.label
    )
    corner = page.locator(f'#board [data-spot="{option.slot}"]')
    corner.locator(".hit").click()
    expect(corner.locator(".building")).to_have_count(1)
    expect(page.locator("#headline")).to_contain_text("Tap “Settle here”")
    expect(page.locator("#tray .settling .good").nth(1)).to_be_visible()
    assert wrong_with(page) == []
    page.get_by_role("button", name="Cancel").click()
    expect(corner.locator(".building")).to_have_count(0)
    corner.locator(".hit").click()
    page.get_by_role("button", name="Settle here").click()
    assert land.command()[1]["act"] == option.act


def test_who_took_a_trade_is_told_to_the_one_who_offered(visit, land):
    """It stands in their own tray, too, until something else is told."""
    page = visit("p1", viewport=PHONE)
    took = "Bo takes the offer of Ada: 2 wood for 1 ore."
    land.publish("event", fake.event(60, took, kind="trade", seat="p2"), retain=False)
    expect(page.locator("#tray .done-last")).to_contain_text("Bo takes the offer of Ada")


def test_sentences_have_their_cards_and_hexes_drawn_in_them(visit, land):
    """Each is called by its words, in the phone's language."""
    page = visit("p1", viewport=PHONE, locale="de-DE", bypass_csp=True)
    said = "Bo builds a road between wood 6 and ore 8."
    land.publish("event", fake.event(60, said, kind="road", seat="p2"), retain=False)
    line = page.locator("#log li").first
    expect(line).to_contain_text("Bo baut eine Straße zwischen")
    for name in ("Holz 6", "Erz 8"):
        expect(line.get_by_role("img", name=name)).to_be_visible()
    land.publish("event", fake.event(61, "Bo starts with 2 wood and 1 ore.", kind="cards"), retain=False)
    expect(page.locator("#log li").first.get_by_role("img", name="2 Holz")).to_be_visible()


def test_what_happened_stays_at_its_newest_line(visit, land):
    """However quickly lines come; whoever has scrolled keeps their place."""
    page = visit("p1", viewport=DESKTOP, reduced_motion="no-preference")
    for number in range(60, 100):
        land.publish(
            "event", fake.event(number, f"Bo throws {number}.", kind="throw", seat="p2"), retain=False
        )
    log = page.locator(".log")
    expect(page.locator("#log li").first).to_contain_text("Bo throws 99.")
    assert log.evaluate("(box) => box.scrollHeight > box.clientHeight + 200 && box.scrollTop") == 0
    page.wait_for_function("() => !document.querySelector('#log').getAnimations().length")  # it has glided in
    log.evaluate("(box) => { box.scrollTop = 150; }")
    line = page.locator("#log li").nth(5)
    before = line.evaluate("(one) => one.getBoundingClientRect().top")
    land.publish("event", fake.event(100, "Bo throws 2.", kind="throw", seat="p2"), retain=False)
    expect(page.locator("#log li").first).to_contain_text("Bo throws 2.")
    after = page.locator("#log li").nth(6).evaluate("(one) => one.getBoundingClientRect().top")
    assert abs(after - before) <= 1


def test_points_add_up_before_everybodys_eyes(visit, land):
    """At the end the columns come one after the other, and what is seen of them is the sum; with less motion all at once."""
    moving = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="no-preference")
    resting = visit("p2", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    for page in (moving, resting):
        expect(page.get_by_role("table", name="Points")).to_be_visible()
        page.evaluate(NOTE_SUMS)
    buildings = list(land.now.buildings)
    buildings[buildings.index(1)] += CITY
    won = {"outcome": "The land is used up. Bo wins with 3 points.", "winners": ("p2",)}
    land.publish("table", replace(fake.table(), kind="extraction", phase="over"))
    show(land, land.game, replace(land.now, buildings=tuple(buildings), **won))
    for page, seen in ((moving, ["000", "111", "131"]), (resting, ["131"])):
        page.wait_for_function("sums.at(-1) === '131'")
        assert page.evaluate("[...new Set(sums)]")[-len(seen) :] == seen
    expect(moving.locator("#pause .score .coming")).to_have_count(0)
    expect(moving.locator(".score")).to_have_count(1)


def test_what_the_dice_gave_stands_beside_them(visit, land):
    """Who got which cards, drawn, and called by their words."""
    show(land, land.game, replace(land.now, dice=(4, 4), gains=((0, 0, 0, 0, 1), (2, 0, 0, 0, 0), (0,) * 5)))
    page = visit("p2", viewport=PHONE)
    gains = page.get_by_role("list", name="What the dice gave")
    expect(gains.get_by_role("listitem")).to_have_count(2)
    expect(gains.get_by_role("img", name="Ada: 1 ore")).to_be_visible()
    expect(gains.get_by_role("img", name="You: 2 wood")).to_be_visible()


def test_the_headline_goes_along_with_what_one_does(visit, land):
    """It names what there is to do; after a button it says where to tap; with a stake on the table, which button ends it."""
    page = visit("p1", viewport=PHONE, reduced_motion="reduce")
    headline = page.locator("#headline")
    expect(headline).to_have_text("Your turn: trade, attack, or end it")
    page.get_by_role("button", name="Attack…").click()
    expect(headline).to_have_text("Tap the building that you attack")
    page.locator('#board [data-spot^="corner."].target .hit').first.click()
    expect(headline).to_have_text("Which cards do you stake?")
    page.get_by_role("button", name="ore: more").click()
    expect(headline).to_contain_text("Tap “Attack")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Never mind").click()
    expect(headline).to_have_text("Your turn: trade, attack, or end it")
    rich = tuple(replace(one, hand=(1, 1, 0, 0, 0)) for one in land.now.players)
    show(land, land.game, replace(land.now, players=rich))
    page.get_by_role("button", name="Road…").click()
    expect(headline).to_have_text("Tap a bright edge for your road")


def test_what_hands_should_do_comes_before_what_the_game_waits_for(visit, land):
    """At a board that people serve; where its own hands lay and lift, the headline says just what the player does."""
    waits = replace(land.game.scene(land.now), hands="Turn over the hex on B3.")
    own, other = visit("p1", viewport=PHONE), visit("p2", viewport=PHONE)
    expect(own.locator("#headline")).to_have_text("Your turn: trade, attack, or end it")
    expect(other.locator("#headline")).to_have_text("Ada builds and trades.")
    land.publish("state", fake.State(game="g1", seq=60, at_us=41_000_000, view=waits))
    expect(own.locator("#headline")).to_have_text("Turn over the hex on B3.")
    expect(other.locator("#headline")).to_have_text("Turn over the hex on B3. Then: Ada builds and trades.")
    land.publish("state", fake.State(game="g1", seq=61, at_us=41_000_000, view=without_hands(waits)))
    expect(own.locator("#headline")).to_have_text("Your turn: trade, attack, or end it")
    expect(other.locator("#headline")).to_have_text("Ada builds and trades.")


def test_an_edge_is_as_large_as_a_thumb_and_the_nearest_one_is_meant(visit, land):
    """44 pixels on a phone; where two of them overlap, a tap means the one whose middle is nearer."""
    rich = tuple(replace(one, hand=(1, 1, 0, 0, 0)) for one in land.now.players)
    show(land, land.game, replace(land.now, players=rich))
    page = visit("p1", viewport=PHONE, reduced_motion="reduce")
    page.get_by_role("button", name="Road…").click()
    edges = page.locator("#board .spot.target")
    expect(edges.first).to_be_visible()
    boxes = [(one.get_attribute("data-spot"), one.locator(".hit").bounding_box()) for one in edges.all()]
    assert min(min(box["width"], box["height"]) for _name, box in boxes) >= 44
    middles = {name: (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for name, box in boxes}
    far, one, other = min(
        (((x - a) ** 2 + (y - b) ** 2) ** 0.5, first, second)
        for first, (x, y) in middles.items()
        for second, (a, b) in middles.items()
        if first != second
    )
    assert far < 44
    (x, y), (a, b) = middles[one], middles[other]
    page.mouse.click(x + 0.4 * (a - x), y + 0.4 * (b - y))
    page.get_by_role("button", name="Build the road").click()
    option = next(
        o for o in land.game.private(replace(land.now, players=rich), "p1").options if o.slot == one
    )
    assert land.command()[1]["act"] == option.act


def test_who_waits_for_a_bot_may_hurry_it(visit, land):
    """While it is a bot's turn one sees what it did last, and a button that lets it go on at once."""
    chairs = [replace(one, kind="bot") if one.seat == "p2" else one for one in fake.table().seats]
    land.publish("table", replace(fake.table(), kind="extraction", seats=tuple(chairs)))
    show(land, land.game, replace(land.now, mover=1))
    page = visit("p1", viewport=PHONE, bypass_csp=True)
    expect(page.get_by_role("button", name="Faster")).to_be_visible()
    bought = fake.event(60, "Bo buys a development card.", kind="buy", seat="p2")
    land.publish("event", bought, retain=False)
    expect(page.locator("#tray")).to_contain_text("Bo buys a development card.")
    assert wrong_with(page) == []
    page.get_by_role("button", name="Faster").click()
    assert land.command()[1]["table"] == {"do": "hurry"}
    show(land, land.game, land.now)
    expect(page.get_by_role("button", name="Faster")).to_be_hidden()


def test_a_bot_may_go_on_for_somebody_whose_phone_is_away(visit, land):
    """One tap of whoever waits; nobody is offered that while the phone is here, or for the own turn."""
    show(land, land.game, replace(land.now, mover=1))
    page = visit("p1", viewport=PHONE)
    lets = page.get_by_role("button", name="Let a bot play for Bo")
    expect(page.locator("#headline")).to_contain_text("Bo")
    expect(lets).to_be_hidden()
    chairs = [replace(one, here=one.seat != "p2") for one in fake.table().seats]
    land.publish("table", replace(fake.table(), kind="extraction", seats=tuple(chairs)))
    lets.click()
    assert land.command()[1]["table"] == {"do": "remove", "seat": "p2"}
    show(land, land.game, land.now)
    expect(lets).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, {"width": 360, "height": 640}], ids=["390", "360"])
def test_the_whole_hand_is_in_sight_whatever_can_be_built(visit, land, size):
    """All five kinds of card, a road, a city, a card, a trade, an attack, and the end of the turn: nothing lies over anything."""
    rich = (3, 3, 3, 3, 3)
    players = tuple(replace(one, hand=rich) if one.seat == "p1" else one for one in land.now.players)
    show(land, land.game, replace(land.now, players=players))
    page = visit("p1", viewport=size)
    expect(page.locator(".hand .card")).to_have_count(5)
    hand, tray = page.locator(".hand").bounding_box(), page.locator("#tray").bounding_box()
    assert hand["y"] + hand["height"] <= size["height"]
    for button in page.locator("#tray .acts .button").all():
        box = button.bounding_box()
        assert tray["y"] <= box["y"]
        assert box["y"] + box["height"] <= hand["y"] + 1


def test_signs_say_what_they_count(visit, land):
    """Each sign beside a name has its words, for whoever points at it or hears the page."""
    page = visit("p1", viewport=PHONE)
    ada = page.locator("#seats .seat").first
    for words in ("1 point", "6 cards", "0 development cards"):
        expect(ada.get_by_role("img", name=words)).to_have_attribute("title", words)


def test_the_sound_card_speaks_of_this_game(visit, land):
    """No ball rolls here, so none is promised; the sample is dice, a road, and the call to one's turn."""
    page = visit("p1", viewport=PHONE)
    expect(page.locator("#sounds-ask")).to_contain_text("You hear what happens on the board")
    expect(page.locator("#sounds-ask")).not_to_contain_text("ball")


def test_the_table_of_points_adds_up(visit, land):
    """Each source has its column, and they make the sum, which is what the strip of seats says."""
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    rows = page.get_by_role("table", name="Points").locator("tbody tr")
    expect(rows).to_have_count(3)
    for at, points in enumerate((1, 2, 1)):
        cells = [int(cell) for cell in rows.nth(at).locator("td").all_inner_texts()]
        assert sum(cells[:-1]) == cells[-1] == points
        words = f"{points} point{'' if points == 1 else 's'}"
        expect(page.locator("#seats .seat").nth(at).get_by_role("img", name=words)).to_be_visible()


def test_dice_roll_unless_less_motion_is_asked_for(visit, land):
    """A throw moves the dice for a moment, and their room was there before; who asks for rest sees them lie."""
    moving = visit("p1", viewport=PHONE, reduced_motion="no-preference")
    resting = visit("p2", viewport=PHONE, reduced_motion="reduce")
    for page in (moving, resting):
        expect(page.get_by_role("img", name="Nobody has thrown yet")).to_be_visible()
        page.evaluate(COUNT_MOTION)
    before = moving.locator("#tray .dice").bounding_box()["height"]
    show(land, land.game, replace(land.now, dice=(3, 5)))
    for page, moves in ((moving, True), (resting, False)):
        expect(page.get_by_role("img", name="Dice: 3 + 5")).to_have_text("= 8")
        assert page.evaluate("dieMoved") is moves
    assert moving.locator("#tray .dice").bounding_box()["height"] == before


def test_houses_and_roads_tell_their_owner_without_colour(visit, land):
    """A house has its owner's number, a road as many bars; a city is drawn otherwise than a settlement."""
    buildings = list(land.now.buildings)
    at = buildings.index(1)
    buildings[at] += CITY
    show(land, land.game, replace(land.now, buildings=tuple(buildings)))
    page = visit("p1", viewport=PHONE)
    bos = page.locator("#board .spot.full", has_text="2")
    expect(bos).to_have_count(2)
    shapes = [one.locator("path.building").get_attribute("d") for one in bos.all()]
    assert len(set(shapes)) == 2
    expect(page.locator("#board .spot.full .road-bar")).to_have_count(2)


@pytest.mark.parametrize("scheme", first_by_day(["light", "dark"], "each size and scheme"))
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


def test_the_big_screen_says_in_words_what_its_table_would_show(visit, land):
    """It has neither dice nor the table of points: the throw and who has which bonus stand among its counters."""
    show(land, land.game, replace(land.now, dice=(3, 5), route=1))
    page = visit(path="tv")
    facts = page.locator("#facts")
    expect(facts).to_contain_text("Dice: 3 + 5")
    expect(facts).to_contain_text("Longest Route: Bo · Largest Army: nobody")
    expect(visit("p1").locator("#facts")).not_to_contain_text("Longest Route")


def test_the_last_move_is_marked_where_it_was_made(visit, land):
    """A road at its edge, then a city at its corner: the mark goes from one to the other, and redrawing keeps it."""
    page = visit("p2", viewport=DESKTOP, reduced_motion="reduce")
    marked = page.locator("#board .last")
    rich = tuple(replace(one, hand=(9, 9, 9, 9, 9)) for one in land.now.players)
    state = replace(land.now, players=rich)
    for number, group in enumerate(("road", "city"), start=50):
        option = next(one for one in land.game.private(state, "p1").options if one.group == group)
        step = land.game.step(state, Acted(at_us=41_000_000, seat="p1", act=option.act))
        said = next(one for one in step.effects if isinstance(one, Said) and one.kind == group)
        land.publish(
            "event", fake.event(number, said.text, kind=said.kind, seat="p1", slot=said.slot), retain=False
        )
        state = step.state
        show(land, land.game, state)
        expect(page.locator(f'#board [data-spot="{option.slot}"].full')).to_be_visible()
        expect(marked).to_have_attribute("data-spot", option.slot)
        expect(marked).to_have_count(1)
