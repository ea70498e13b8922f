"""A phone speaks its own language: German for whoever's phone is German, and nothing stays in English."""

import pytest
from helpers.page import accents
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, PHONE, expect, wrong_with
from hextraction.controller.games.marked_names import marked
from msgspec.structs import replace

pytestmark = NEEDS

GERMAN = {"locale": "de-DE", "bypass_csp": True}
READ = """(part) => {
  const said = new Set();
  const walker = document.createTreeWalker(document.querySelector(part), NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    if (node instanceof Text) said.add(node.data.trim());
    else for (const name of ['aria-label', 'title', 'placeholder', 'alt']) said.add(node.getAttribute(name) ?? '');
  }
  return [...said];
}"""
"""Everything that is shown or read out in a part of the page, hidden or not."""
KINDS = ("hextraction", "hextris", "extraction", "hexel")


def plain(page, part):
    """Return the texts in a part of the page that have a word without accents."""
    return [text for text in page.evaluate(READ, part) if accents.plain_in(text)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_german_phone_is_spoken_to_in_german(visit, table, size, scheme):
    """Without any choice: the browser says which languages its owner reads. Nothing gets too wide or too small."""
    table.publish("table", fake.table(phase="lobby"))
    page = visit(viewport=size, color_scheme=scheme, **GERMAN)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name="Platz nehmen")).to_be_visible()
    expect(page.get_by_label("Dein Name")).to_be_visible()
    assert wrong_with(page) == []


def test_german_loads_no_more_than_its_words(visit):
    """An English phone loads no catalogue, a German one the page's and the game's."""
    assert not [name for name in visit().fetched if name.endswith("de.json")]
    page = visit(**GERMAN)
    expect(page.locator("#link")).to_have_text("Verbunden")
    expect(page.locator("#seats")).to_contain_text(
        "3 Kacheln"
    )  # in words of the game, so its catalogue has come
    assert [name for name in page.fetched if name == "de.json"] == ["de.json", "de.json"]


def test_a_phone_chooses_its_language(visit):
    """The choice is in the help, each language under its own name; it is kept on the phone."""
    page = visit()
    page.get_by_role("button", name="Help").click()
    page.get_by_label("Language").select_option("Deutsch")
    expect(page.locator("#link")).to_have_text("Verbunden")
    page.reload()
    expect(page.locator("#link")).to_have_text("Verbunden")
    page.get_by_role("button", name="Hilfe").click()
    page.get_by_label("Sprache").select_option("English")
    expect(page.locator("#link")).to_have_text("Connected")


def test_an_address_may_name_the_language(visit):
    """The big screen of a club has no phone's settings: `/tv?lang=de`."""
    page = visit(path="tv?lang=de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_text("Zuschauen oder mitspielen")).to_be_visible()


def test_a_name_is_never_translated(visit, table):
    """Somebody called like a word of the page keeps the name."""
    some = fake.table(phase="lobby")
    seats = tuple(replace(one, name="Leave") if one.kind == "person" else one for one in some.seats)
    table.publish("table", replace(some, seats=seats))
    page = visit(**GERMAN)
    expect(page.locator("#lobby-seats")).to_contain_text("Leave")


@pytest.mark.parametrize("name", ["Sam and Alex", "wood", "1 tile", "All fine", "rolls from", "עדה"])
def test_a_name_stays_whole_wherever_it_is_told(visit, table, name):
    """In the seat's chip, in what happened, in the headline and in what is asked: around it all is German."""
    some = fake.table()
    table.publish("table", replace(some, seats=(replace(some.seats[0], name=name), *some.seats[1:])))
    scene = fake.public(headline=f"{marked(name)} is asked a question")
    seats = (replace(scene.seats[0], name=marked(name)), *scene.seats[1:])
    table.publish("state", replace(fake.state(41), view=replace(scene, seats=seats)))
    page = visit(**GERMAN)
    expect(page.locator("#headline")).to_contain_text(name)
    expect(page.locator("#headline")).to_contain_text("wird etwas gefragt")
    expect(page.locator("#seats .seat-name").first).to_contain_text(name)
    rolls = fake.event(42, f"{marked(name)} rolls from ramp L2.", seat="p1")
    table.publish("event", rolls, retain=False)
    line = page.locator("#log li").first
    expect(line).to_contain_text("lässt eine Kugel von Rampe L2 rollen.")
    expect(line).to_contain_text(name)
    assert ("\u2068" in page.locator("main").inner_text()) is (name == "עדה")


@pytest.mark.parametrize("kind", KINDS)
def test_no_word_of_the_page_is_forgotten(visit, table, kind):
    """In a language of accents the help, the sheets, the lobby and how to play have no plain word left."""
    table.files |= accents.catalogues()
    table.publish("table", replace(fake.table(phase="lobby"), kind=kind))
    table.publish("info", replace(fake.info(), simulated=False))
    page = visit(newcomer=True, **GERMAN)
    sheet = page.locator("#howto")
    for number in range(1, 7):
        expect(sheet).to_contain_text(f"{number} ")
        assert [
            text for text in plain(page, "#howto") if "Hex" not in text and "Extraction" not in text
        ] == []
        sheet.locator(".button.primary").click()
    expect(sheet).to_be_hidden()
    for part in ("#help ul", "#join", "#sensors", "#another", "header .tools"):
        assert [text for text in plain(page, part) if text not in {"English", "Deutsch"}] == [], part


def test_a_tile_keeps_its_title_in_each_line(visit, table):
    """A line of it may be a word of the page: it is said as a whole, and a title is no sentence."""
    table.publish("state", fake.state())
    page = visit("p1", **GERMAN)
    expect(page.locator("#board .tile-title", has_text="Somebody's").first).to_be_attached()


def test_the_evening_is_told_in_german_before_any_game_is_known(visit, table):
    """Each game of the evening has its own words, and they are there before its line is."""
    table.evening = fake.TONIGHT
    page = visit(path="tv?lang=de")
    expect(page.locator("#tv-games")).to_contain_text("gewinnt mit einer Kugel in der Endzone")
