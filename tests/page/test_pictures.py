"""How the page looks: fourteen states of it, each on a phone and a large screen, light and dark, as pictures that are kept.

``make pictures`` renews them; whoever does looks at each. What is not to be seen in a small picture has its own tests.
"""

import importlib
import re
from functools import partial

import msgspec
import pytest
from helpers.hexagon.middles import MIDDLES
from helpers.page import pictures
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, expect
from helpers.simulated import begin, entries, game, play
from hextraction.controller.app.process import board_info
from hextraction.controller.history.archive import index_of
from hextraction.controller.history.chronicle import retell
from msgspec.structs import replace

pytestmark = NEEDS

SIZES = {
    "phone": {"width": 390, "height": 844},
    "desktop": DESKTOP,
    "720": {"width": 1280, "height": 720},
    "1080": {"width": 1920, "height": 1080},
}
SCHEMES = ("light", "dark")
AWAY = re.compile("WebSocket|503|ERR_|fetch|Failed to load")
"""What Chromium writes down when nobody answers: in one of the states that is how it should be."""
NAMES = {"p1": "Ada", "p2": "Bo", "p3": "Robin"}


def show_game(table, kind):
    """Show a game on the hexagon in the middle; it is Ada's turn."""
    where = f"{kind}.scenario.language" if kind == "extraction" else f"{kind}.scenario"
    language = importlib.import_module(f"hextraction.controller.games.{where}").LANGUAGE
    (script,) = language.read(f"game {kind}\n{MIDDLES[kind]}", "x")
    made = language.table(script.case)
    seats = list(NAMES.items())[: len(made.state.players)]
    players = [
        replace(one, seat=seat, name=name)
        for one, (seat, name) in zip(made.state.players, seats, strict=True)
    ]
    state = replace(made.state, players=tuple(players))
    chairs = fake.table().seats[: len(players)]
    table.publish("table", replace(fake.table(seats=chairs), kind=kind))
    table.publish("state", fake.State(game="g1", seq=40, at_us=40_000_000, view=made.game.scene(state)))
    seen = made.game.private(state, "p1")
    table.views["p1"] = fake.view(
        options=seen.options, prompts=seen.prompts, hand=seen.hand, headline=seen.headline
    )


def rest(table, seq=41, **more):
    """Show a table at rest."""
    table.publish("state", fake.state(seq, **{"rolling": False, "balls": (), **more}))


# --- the states ----------------------------------------------------------------------------------------------------


def joining(visit, table):
    """Somebody who came by the square code is asked for a name."""
    table.publish("table", fake.lobby())
    page = visit(hash_="#j=HEX")
    expect(page.get_by_label("Your name")).to_be_visible()
    return page


def lobby(visit, table):
    """Who sits, the choice of game, and the button that starts it."""
    table.publish("table", replace(fake.lobby(), can_start=True))
    page = visit("p1")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    return page


def how_to(visit, table):
    """The first of the six pictures that tell a newcomer the game."""
    table.publish("info", replace(fake.info(), simulated=False))
    table.publish("table", fake.table("lobby"))
    page = visit(newcomer=True)
    expect(page.locator("#howto")).to_contain_text("1 of 6")
    return page


def choosing(visit, table):
    """Our turn in Hextraction: a hand, bright ramps, what is owed."""
    rest(table)
    table.views["p1"] = fake.view(options=(*fake.ROLLS, *fake.PLAYS), owed=("a roll", "a play"))
    page = visit("p1")
    expect(page.locator("#board .ramp.target")).to_have_count(5)
    return page


def placing(visit, table):
    """A card of Hex'el on the cell that was tapped, with its turns and the button that lays it."""
    show_game(table, "hexel")
    page = visit("p1")
    page.locator(".card").last.click()
    page.locator("#board .slot.target .hit").first.click()
    expect(page.locator("#tray .pick")).to_be_visible()
    return page


def picking(visit, table):
    """Our turn in Hextris: the sizes in the hand, and our pieces that may move."""
    show_game(table, "hextris")
    page = visit("p1")
    expect(page.locator("#board .slot.target").first).to_be_attached()
    return page


def building(visit, table):
    """Our turn in Extraction: land, roads and settlements, resources, and all that may be done."""
    show_game(table, "extraction")
    page = visit("p1")
    expect(page.locator("#board .spot.full").first).to_be_attached()
    return page


def outcome(visit, table):
    """A ball has come to rest: the card on the board says what it did."""
    rest(table, last_roll=replace(fake.FELL, number=2))
    page = visit("p1")
    expect(page.locator("#board [data-slot]").first).to_be_visible()
    settling = {"phase": "settling", "headline": "Anything wrong?", "deadline_us": 900_000_000}
    rest(table, 42, last_roll=fake.FELL, **settling)
    expect(page.locator("#outcome")).to_be_visible()
    expect(page.locator("#headline")).to_have_text("Anything wrong?")
    return page


def vote(visit, table):
    """A question to us, with the tile it is about and its answers."""
    rest(table)
    table.views["p1"] = fake.view(prompts=(fake.KEEP,), hand=())
    page = visit("p1")
    expect(page.locator("#question")).to_be_visible()
    return page


def lost(visit, table):
    """Not connected: the banner, its button, and the dimmed board."""
    rest(table)
    page = visit("p1")
    table.closed = "Phones cannot join now: the table's message broker does not run."
    table.stop_broker()
    expect(page.locator("#trouble")).to_contain_text(table.closed)
    return page


def winner(visit, table):
    """The game is over: who won, and what comes next."""
    words = "Bo wins with a ball in the end zone!"
    rest(table, 60, outcome=words, headline=words, winners=("p2",))
    table.publish("table", fake.table("over"))
    page = visit("p1")
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    return page


def screen(visit, table):
    """The big screen: code and address, board, outcome, what happened, the games of the evening."""
    table.evening, table.address = fake.TONIGHT, fake.TONIGHT.address
    rest(table, last_roll=fake.FELL)
    page = visit(path="tv", hash_="#j=HEXAGONS")
    expect(page.locator("#log li")).to_have_count(20)
    expect(page.locator("#tv-code")).not_to_be_empty()
    return page


def past(visit, table):
    """A game of long ago, watched again in the middle."""
    made = begin(9)
    assert play(made)
    rules = game()
    info = board_info(rules.board, drawn=rules.drawn, electronics=True, simulated=True)
    header = made.host.journal.header(made.host.runtime.game)
    told = retell(rules, replace(header, game="g1", wall="2026-11-23T19:05:00+0100"), entries(made), info)
    table.files["history/index.json"] = msgspec.json.encode(index_of([told.summary], ["g1"])).decode()
    table.files["history/g1.json"] = msgspec.json.encode(told).decode()
    page = visit(path="history")
    page.locator("a.past-row").first.click()
    expect(page.locator("#board [data-slot]")).to_have_count(22)
    page.get_by_label("Moment of the game").fill(str(len(told.moments) // 2))
    return page


def text(visit, table):
    """The board in words."""
    table.views["p1"] = fake.view(options=fake.ROLLS)
    page = visit("p1")
    page.get_by_role("button", name="Text view").click()
    expect(page.locator("#text table").first).to_be_visible()
    return page


STATES = {
    made.__name__.replace("_", "-"): made
    for made in (joining, lobby, how_to, choosing, placing, picking, building, outcome, vote, lost, winner, screen, past, text)
}  # fmt: skip


@pytest.fixture
def look(visit, table):
    """Return a way to bring a page into a state; nothing moves on it any more."""

    def come(state):
        page = STATES[state](partial(visit, bypass_csp=True, reduced_motion="reduce"), table)
        page.add_style_tag(content=pictures.STILL)
        return page

    yield come
    visit.close()  # no more is written down
    visit.contexts.clear()
    visit.wrong[:] = [words for words in visit.wrong if not AWAY.search(words)]


def at(page, size, scheme):
    """Return the picture in a size and a scheme, once the page has come to rest in it."""
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate("() => document.fonts.ready.then(() => scrollTo(0, 0))")
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    return pictures.taken(page)


@pytest.mark.parametrize("state", STATES)
def test_a_state_looks_as_it_is_kept(look, state, update_golden):
    """On a phone and on a large screen, light and dark."""
    page, wrong = look(state), []
    for size in ("720", "1080") if state == "screen" else ("phone", "desktop"):
        for scheme in SCHEMES:
            name, picture = f"{state}-{size}-{scheme}", at(page, size, scheme)
            if update_golden:
                pictures.keep(picture, name)
            wrong.append(pictures.wrong_with(picture, name))
    assert [one for one in wrong if one] == []


PARTS = (
    "#headline", ".seat .you", "#tray .card >> nth=1", "#board .ramp.target >> nth=0", "#board [data-slot=C3] .tile",
    "#help-open svg",
)  # fmt: skip


def test_a_part_that_is_missing_is_seen(look):
    """Each part of a phone's page by itself, down to a small badge; with all of them the picture is the kept one."""
    page = look("choosing")
    for part in PARTS:
        page.locator(part).evaluate("(node) => node.style.setProperty('visibility', 'hidden', 'important')")
        assert pictures.wrong_with(at(page, "phone", "light"), "choosing-phone-light"), part
        page.locator(part).evaluate("(node) => node.style.removeProperty('visibility')")
        assert not pictures.wrong_with(at(page, "phone", "light"), "choosing-phone-light"), part


def test_letters_that_are_smoothed_otherwise_are_no_difference(look):
    """Unfitted to the pixels, and the board half a pixel further: all is drawn of other greys, and shows the same."""
    page = look("choosing")
    page.add_style_tag(
        content="* { text-rendering: geometricPrecision; } #board { transform: translate(0.4px, 0.3px); }"
    )
    picture, kept = at(page, "phone", "light"), pictures.kept("choosing-phone-light")
    assert picture.tobytes() != kept.tobytes()
    assert not pictures.wrong_with(picture, "choosing-phone-light")
