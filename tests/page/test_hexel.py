"""Hex'el's own parts of the page: the whole of a field without end, and the choices before a game."""

import pytest
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, PHONE, expect, wrong_with
from hextraction.board.profile import load_board
from hextraction.controller.games.hexel import Hexel
from hextraction.controller.games.hexel.cards import deck_named
from hextraction.controller.games.hexel.house import TELLS_DECK, TELLS_FIELD, LobbyDetail
from hextraction.controller.games.hexel.scenario import LANGUAGE
from hextraction.controller.games.hexel.state import Player, Setup
from hextraction.controller.games.protocol import Acted, Seated
from msgspec.structs import replace

pytestmark = NEEDS

SEATS = (Player(seat="p1", name="Ada"), Player(seat="p2", name="Bo"))
OPEN = """field open
line BBRRBR RBBRBB RRYRYY
e1 shows BBBBBB
e2 shows BBBBBB
extra BBBBBB BBBBBB
hand of Red RRRRRR BBBBBR
hand of Blue YYYYYY
hedge of Red 9
"""


@pytest.fixture
def cards(table):
    """Return the fake table in the middle of a game whose field has no end; it is Ada's turn."""
    (script,) = LANGUAGE.read(f"game hexel\n{OPEN}", "x")
    made = LANGUAGE.table(script.case)
    state = replace(made.state, players=SEATS)
    table.publish("table", replace(fake.table(), kind="hexel"))
    table.publish("state", fake.State(game="g1", seq=40, at_us=40_000_000, view=made.game.scene(state)))
    seen = made.game.private(state, "p1")
    table.views["p1"] = fake.view(options=seen.options, hand=seen.hand, headline=seen.headline)
    return table


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_card_can_be_laid_out_of_the_drawings_sight(visit, cards, scheme, size):
    """The board shows the cells around the last card; the whole field is in the tray, and its cells can be tapped."""
    page = visit("p1", viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    field = page.get_by_role("region", name="The whole field")
    expect(field.locator(".field-card")).to_have_count(5)
    expect(field.locator(".field-target")).to_have_count(0)
    page.locator(".card", has_text="6 red").click()
    expect(page.locator("#headline")).to_have_text("Tap a bright cell. Another tap turns the card.")
    expect(field.get_by_role("button")).to_have_count(2)
    assert wrong_with(page) == []
    field.get_by_role("button", name="Lay it on b1: Hexba").click()
    page.locator("#tray .pick").get_by_role("button", name="Lay it on b1: Hexba").click()
    assert cards.command()[1]["act"] == {"do": "place", "card": 1, "to": "b1", "turns": 0}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_newcomer_is_told_how_to_play_in_six_pictures(visit, cards, scheme):
    """Each has its picture, its words, and nothing that axe finds."""
    cards.publish("info", replace(fake.info(), simulated=False))
    page = visit(viewport=PHONE, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce", newcomer=True)
    sheet = page.get_by_role("dialog").filter(has=page.locator("#howto-count"))
    for number in range(1, 7):
        expect(page.locator("#howto-count")).to_have_text(f"How to play Hex'el · {number} of 6")
        expect(page.locator("#howto-picture svg *").first).to_be_attached()
        assert wrong_with(page) == []
        sheet.get_by_role("button", name="To the table" if number == 6 else "Next").click()
    expect(page.locator("#howto")).to_be_hidden()


def test_the_chips_of_everybody_are_in_sight(visit, cards):
    """Stock, hedge and hand of each stand in the strip of seats; the stake, and that the field has no end, below."""
    page = visit("p2", viewport=PHONE, bypass_csp=True)
    ada = page.locator("#seats .seat").first
    for words in ("30 in stock", "9 in the hedge", "2 cards"):
        expect(ada.get_by_role("img", name=words)).to_be_in_viewport()
    expect(page.locator("#facts")).to_contain_text("Stake 3 an edge")
    expect(page.locator("#facts")).to_contain_text("The field has no end")


def test_deck_field_and_chips_are_chosen_before_a_game(visit, table):
    """Each choice goes to the table as a word; the sheet is sound."""
    detail = LobbyDetail(
        deck="d46", decks=TELLS_DECK, field="slots19", fields=TELLS_FIELD, stock=30, kept={}, note="A board."
    )
    table.publish("table", replace(fake.table("lobby"), kind="hexel", detail=detail))
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    page.get_by_role("button", name="Deck, field and chips…").click()
    sheet = page.get_by_role("dialog", name="Deck, field and chips")
    expect(sheet).to_contain_text("A board.")
    assert wrong_with(page) == []
    sheet.get_by_role("radio", name="d36").check()
    sheet.get_by_role("radio", name="open").check()
    sheet.get_by_label("Chips for everybody").fill("12")
    sheet.get_by_label("Chips for everybody").blur()
    sheet.get_by_role("button", name="Keep the stocks of the last game").click()
    said = [table.command()[1]["table"] for _ in range(4)]
    assert said == [
        {"do": "deck", "deck": "d36"},
        {"do": "field", "field": "open"},
        {"do": "stock", "stock": 12},
        {"do": "stocks", "keep": True},
    ]


def test_a_card_is_shown_to_everybody_only_by_who_looks_for_it(visit, cards):
    """With a card chosen there is no button for it; *More* has one for each card, with its picture."""
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    page.locator(".card", has_text="6 red").click()
    expect(page.locator("#tray .hand [data-group=announce]")).to_have_count(0)
    show = page.locator("#tray button[data-group=announce]")
    expect(show.first).to_be_hidden()
    page.locator("#tray .more summary").click()
    expect(show).to_have_count(2)
    expect(show.first.get_by_role("img", name="6 red")).to_be_visible()
    assert wrong_with(page) == []
    show.first.click()
    assert cards.command()[1]["act"] == {"do": "announce", "card": 1}


def test_a_sentence_has_its_cards_drawn_in_it(visit, cards):
    """What happened tells of a card by its picture, which is called by its words; no letters stand there."""
    page = visit("p1", locale="de-DE")
    cards.publish(
        "event", fake.event(42, "Bo cannot lay a card and throws away RRRRYY.", seat="p2"), retain=False
    )
    line = page.locator("#log li").first
    expect(line.get_by_role("img", name="4 rot, 2 gelb")).to_be_attached()
    expect(line).not_to_contain_text("RRRRYY")
    expect(page.locator("main")).not_to_contain_text("RRRRRR")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_any_number_of_stakes_goes_into_the_hedge(visit, table, size):
    """Steps of a stake from none to all that there is; a number that is no multiple becomes the one below."""
    game = Hexel(load_board("fx-19"))
    people = (Seated("p1", "Ada"), Seated("p2", "Bo"))
    state = game.start(Setup(board="fx-19", seats=people, deck=deck_named("d46"), stocks=(31, 31)))
    for act in ({"do": "shuffle"}, {"do": "deal"}, {"do": "stake", "chips": 3}):
        state = game.step(state, Acted(at_us=1, seat=state.active.seat, act=act, chance=7)).state
    seat = state.active.seat
    table.publish("table", replace(fake.table(), kind="hexel"))
    table.publish("state", fake.State(game="g1", seq=40, at_us=40_000_000, view=game.scene(state)))
    seen = game.private(state, seat)
    table.views[seat] = fake.view(seat, options=seen.options, hand=seen.hand, headline=seen.headline)
    page = visit(seat, viewport=size, bypass_csp=True, reduced_motion="reduce")
    chips = page.get_by_label("How many: chips")
    expect(chips).to_have_value("6")
    chips.fill("17")
    chips.blur()
    expect(chips).to_have_value("15")
    page.get_by_role("button", name="chips: more").click()
    expect(chips).to_have_value("18")
    expect(page.locator("#tray")).to_contain_text("Pays for 6 missing edges.")
    page.get_by_role("button", name="9 chips", exact=True).click()
    expect(chips).to_have_value("9")
    page.get_by_role("button", name="chips: all").click()
    expect(chips).to_have_value("30")
    page.get_by_role("button", name="chips: fewer").click()
    assert wrong_with(page) == []
    page.get_by_role("button", name="Put this many into the hedge").click()
    assert table.command()[1]["act"] == {"do": "hedge", "chips": 27}
