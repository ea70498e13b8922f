"""What was played: the list, a game watched again with its balls, a link to any moment, one file, and statistics."""

import json
import re

import msgspec
import pytest
from helpers.page.browser import NEEDS, expect, too_small, too_wide, violations
from helpers.simulated import begin, entries, game, now_us, play
from hextraction.board.profile import load_board
from hextraction.controller.app.process import board_info
from hextraction.controller.app.simulation import Simulation, SimulationSettings
from hextraction.controller.games.hexel import Hexel
from hextraction.controller.games.protocol import Acted
from hextraction.controller.history.archive import index_of
from hextraction.controller.history.chronicle import retell
from hextraction.controller.play.journal import Journal
from hextraction.controller.table.lobby import SEATS, Lobby
from PIL import Image

pytestmark = NEEDS

PHONE = {"width": 390, "height": 844}
NO_SHARING = "() => Object.defineProperty(navigator, 'canShare', { value: undefined, configurable: true })"
SHARING = """() => {
  Object.defineProperty(navigator, 'canShare', { value: () => true, configurable: true });
  const share = async ({ files: [file] }) => { globalThis.handed = [file.name, file.type]; };
  Object.defineProperty(navigator, 'share', { value: share, configurable: true });
}"""


@pytest.fixture(scope="module")
def told():
    """Play a game, and tell it again."""
    made = begin(9)
    assert play(made)
    rules = game()
    info = board_info(rules.board, drawn=rules.drawn, electronics=True, simulated=True)
    header = made.host.journal.header(made.host.runtime.game)
    return retell(rules, header, entries(made), info)


@pytest.fixture
def opened(visit, table, told):
    """Return a way to open the page of what was played, with one game."""
    name = told.summary.game
    index = index_of([told.summary], [name])
    table.files["history/index.json"] = msgspec.json.encode(index).decode()
    table.files[f"history/{name}.json"] = msgspec.json.encode(told).decode()

    def open_it(hash_="", **more):
        return visit(path="history", hash_=hash_, **{"viewport": PHONE, "bypass_csp": True, **more})

    return open_it


def rolls(told):
    """Return the moments at which a roll came to rest."""
    return [number for number, moment in enumerate(told.moments) if moment.scene.get("last_roll")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_games_ladder_players_and_tiles_are_lists_for_thumbs(opened, told, scheme):
    """Each with its own tab; targets are large enough, nothing scrolls sideways, axe finds nothing."""
    page = opened(color_scheme=scheme)
    winner = next(one.name for one in told.summary.players if one.won)
    expect(page.locator(".past-row strong").first).to_have_text(f"{winner} won")
    for tab in ("Standings", "Players", "Tiles"):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        assert page.locator(".past-row").count() >= 3
        assert [*violations(page), *too_small(page)] == []
        assert too_wide(page) == 0


def test_a_game_is_watched_move_by_move(opened, told):
    """From the list; forward, back, by a tap on what happened; a roll is drawn with its balls before it counts."""
    page = opened(reduced_motion="reduce")
    page.locator("a.past-row").first.click()
    expect(page.locator("#board [data-slot]")).to_have_count(22)
    where, shown = page.get_by_label("Moment of the game"), page.locator(".past-headline")
    expect(where).to_have_value(str(rolls(told)[-1]))

    where.fill(str(rolls(told)[0]))
    assert page.locator("#board .leg").count() > 0
    expect(page.locator(".past-outcome .outcome-card")).to_have_count(1)
    expect(shown).not_to_have_text(told.summary.outcome)
    where.fill(str(rolls(told)[0] - 1))
    expect(page.locator("#board .leg")).to_have_count(0)
    expect(page.locator(".past-outcome .outcome-card")).to_have_count(0)

    last = len(told.moments) - 1
    page.locator(".past-line").last.click()
    expect(shown).to_have_text(told.summary.outcome)
    expect(where).to_have_value(str(last))
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_value(str(last - 1))
    assert [*violations(page), *too_small(page)] == []
    assert too_wide(page) == 0


def test_play_goes_on_by_itself_and_pauses(opened, told):
    """The balls roll; Pause stops where it is."""
    page = opened(f"#{told.summary.game}/{rolls(told)[0] - 1}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => document.querySelector('#board .leg-ball[visibility=visible]')")
    expect(page.locator(".past-headline")).to_contain_text("rolled")
    expect(page.locator(".past-outcome .outcome-card")).to_have_count(0)
    expect(page.locator(".past-outcome .outcome-card")).to_have_count(1)
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_link_opens_the_game_at_its_moment(opened, told):
    """What stands in the field is what another phone opens; a game that is not kept is told so."""
    page = opened(f"#{told.summary.game}/7")
    expect(page.get_by_label("Moment of the game")).to_have_value("7")
    link = page.get_by_label("Link to this moment").input_value()
    assert link.endswith(f"/history#{told.summary.game}/7")


def test_a_game_opens_where_it_was_won(opened, told):
    """The way of the winning ball stands there at once, with who won; one tap lets it run, and all is on one screen."""
    page = opened(f"#{told.summary.game}")
    expect(page.get_by_label("Moment of the game")).to_have_value(str(rolls(told)[-1]))
    expect(page.locator(".past-outcome .outcome-ball.won")).to_have_count(1)
    drawn = page.locator("#board .leg").count()
    assert drawn > 1
    assert page.locator("#board .leg.gone-over").count() == drawn
    play = page.locator(".past-controls .button.primary")
    for part in (page.locator("#board"), play, page.locator(".graph")):
        box = part.bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"]
    winner = page.locator(".past-players .won")
    expect(winner).to_contain_text("100 %")
    play.click()
    page.wait_for_function("() => document.querySelector('#board .leg-ball[visibility=visible]')")
    expect(winner).not_to_contain_text("100 %", timeout=1)  # it is told when the ball has got there
    page.wait_for_function("() => document.querySelectorAll('#board .leg:not(.gone-over)').length")


def test_one_file_opens_without_table_and_network(opened, told, browser, tmp_path):
    """Saved on the phone, opened from the disk: board, moments and the end, and nothing is asked of anybody."""
    page = opened(f"#{told.summary.game}")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as one file").click()
    file = tmp_path / "game.html"
    saved.value.save_as(file)
    assert saved.value.suggested_filename == f"{told.summary.game}.html"

    context = browser.new_context(viewport=PHONE, offline=True)
    alone, asked, wrong = context.new_page(), [], []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("pageerror", lambda error: wrong.append(str(error)))
    alone.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    alone.goto(f"file://{file}#{len(told.moments) - 1}")
    expect(alone.locator("#board [data-slot]")).to_have_count(22)
    expect(alone.locator(".past-headline")).to_have_text(told.summary.outcome)
    assert alone.locator("#board .groove, #board .tile-title").count() > 0
    assert [url for url in asked if not url.startswith("file://")] == []
    assert wrong == []
    context.close()


def test_a_table_where_nothing_was_played_says_so(visit, table):
    """An empty list is a sentence."""
    table.files["history/index.json"] = json.dumps({"games": [], "ladders": [], "players": [], "tiles": []})
    page = visit(path="history", viewport=PHONE)
    expect(page.locator("#past")).to_have_text("No game has been finished yet.")


def test_one_jumps_from_roll_to_roll_at_a_speed_of_ones_own(opened, told):
    """Forward to the first roll and the second, back again; the speed is chosen from four."""
    page = opened(f"#{told.summary.game}/0", reduced_motion="reduce")
    where = page.get_by_label("Moment of the game")
    expect(where).to_have_value("0")
    seen = []
    for name in ("Next roll", "Next roll", "Previous roll"):
        page.get_by_role("button", name=name).click()
        seen.append(int(where.input_value()))
    assert told.moments[seen[0]].scene["last_roll"]["number"] == 1
    assert seen[0] < seen[1]
    assert seen[2] == seen[0]
    page.get_by_label("Speed").select_option("4")
    assert [*violations(page), *too_small(page)] == []
    assert too_wide(page) == 0


def test_where_nothing_rolls_one_steps_from_turn_to_turn(visit, table, told):
    """A game of cards and dice has no ball to follow: forward to the second turn and the third, and back again."""
    scenes = [{key: value for key, value in one.scene.items() if key != "last_roll"} for one in told.moments]
    bare = msgspec.structs.replace(
        told,
        moments=tuple(
            msgspec.structs.replace(one, scene=scene) for one, scene in zip(told.moments, scenes, strict=True)
        ),
    )
    name = told.summary.game
    table.files["history/index.json"] = msgspec.json.encode(index_of([told.summary], [name])).decode()
    table.files[f"history/{name}.json"] = msgspec.json.encode(bare).decode()
    page = visit(path="history", hash_=f"#{name}/0", viewport=PHONE, bypass_csp=True)
    where, seen = page.get_by_label("Moment of the game"), []
    expect(where).to_have_value("0")
    for button in ("Next turn", "Next turn", "Previous turn"):
        page.get_by_role("button", name=button).click()
        seen.append(int(where.input_value()))
    assert [scenes[number].get("turn") for number in seen] == [2, 3, 2]


def test_a_moment_is_shared_by_the_phones_own_sheet(opened, told):
    """With its link and who won; where a browser has no such sheet, the link is copied and the button says so."""
    page = opened(f"#{told.summary.game}/0")
    page.evaluate(
        "() => Object.defineProperty(navigator, 'share', { value: async (what) => { globalThis.shared = what; }, configurable: true })"
    )
    page.get_by_role("button", name="Share this moment").click()
    shared = page.evaluate("() => shared")
    winner = next(one.name for one in told.summary.players if one.won)
    assert shared["title"] == f"{winner} won"
    assert shared["url"].endswith(f"#{told.summary.game}/0")
    page.evaluate("() => Object.defineProperty(navigator, 'share', { value: undefined })")
    page.get_by_role("button", name="Share this moment").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()


def test_a_graph_tells_who_was_likely_to_win_and_a_tap_on_it_goes_there(opened, told):
    """A line for each player; the shares of the moment in words; at its right end the winner has all."""
    page = opened(f"#{told.summary.game}")
    graph = page.locator(".graph")
    expect(graph.locator(".graph-line")).to_have_count(len(told.summary.players))
    box = graph.bounding_box()
    last = len(told.moments) - 1

    graph.click(position={"x": box["width"] / 2, "y": 30})
    expect(page.get_by_label("Moment of the game")).to_have_value(str(round(last / 2)))
    graph.click(position={"x": box["width"] - 1, "y": 20})
    expect(page.get_by_label("Moment of the game")).to_have_value(str(last))
    winner = next(one.name for one in told.summary.players if one.won)
    expect(page.locator(".past-players .won")).to_contain_text(f"{winner}100 %")
    assert [*violations(page), *too_small(page)] == []
    assert too_wide(page) == 0


def test_a_replay_tells_by_turns_and_what_everybody_had_then(opened, told):
    """A heading for each turn, the counters of each player at that moment, and one button that watches it all."""
    page = opened(f"#{told.summary.game}", reduced_motion="reduce")
    turns = page.get_by_role("heading", name=re.compile(r"^Turn \d+: \w+"))
    expect(turns.first).to_be_attached()
    numbers = [int(words.split()[1].rstrip(":")) for words in turns.all_inner_texts()]
    assert numbers == sorted(set(numbers))
    assert len(numbers) > 5
    page.get_by_label("Moment of the game").fill("0")
    seat = told.moments[0].scene["seats"][0]
    words = page.locator(".past-players .past-has").first
    for counter in seat["counters"]:
        expect(words).to_contain_text(str(counter.get("count", 0)))
    page.get_by_role("button", name="Watch from the start").click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.locator(".past-graph figcaption")).to_have_text("Who was likely to win")


def test_the_winning_roll_is_a_picture(opened, told, tmp_path):
    """A PNG with the drawn board, saved where there is no share sheet for files, and handed to it where there is."""
    page = opened(f"#{told.summary.game}", bypass_csp=False)
    page.evaluate(NO_SHARING)
    name = "Picture of the winning roll"
    with page.expect_download() as saved:
        page.get_by_role("button", name=name).click()
    file = tmp_path / "won.png"
    saved.value.save_as(file)
    assert saved.value.suggested_filename == f"{told.summary.game}.png"
    picture = Image.open(file).convert("RGB")
    assert picture.width == 1080
    assert picture.height > 1080
    colours = picture.getcolors(1 << 24)
    assert max(count for count, _colour in colours) < 0.6 * picture.width * picture.height
    assert page.locator(".board.aside").count() == 0

    page.evaluate(SHARING)
    page.get_by_role("button", name=name).click()
    page.wait_for_function("() => globalThis.handed")
    assert page.evaluate("() => handed") == [f"{told.summary.game}.png", "image/png"]


def test_a_game_without_balls_has_neither_graph_nor_picture(opened, table, told):
    """What there is not is not shown."""
    plain = msgspec.json.decode(msgspec.json.encode(told))
    for moment in plain["moments"]:
        moment.pop("chances", None)
        moment.get("scene", {}).pop("last_roll", None)
    name = told.summary.game
    page = opened(f"#{name}")
    expect(page.locator(".graph")).to_have_count(1)
    table.files[f"history/{name}.json"] = json.dumps(plain)
    page.reload()
    expect(page.locator(".past-line").first).to_be_attached()
    expect(page.locator(".graph")).to_have_count(0)
    expect(page.get_by_role("button", name="Picture of the winning roll")).to_be_hidden()


def test_cards_are_drawn_in_the_sentences_of_a_replay(opened, table):
    """In the list and beside the board, as in a running game: no letters stand for a card's symbols."""
    lobby = Lobby(SEATS[:3], bots_fill=True, wanted=3)
    settings = SimulationSettings(seed=3, speed=0)
    made = Simulation(Hexel(load_board("fx-19")), Journal(":memory:"), lobby, settings)
    lobby.fill()
    assert made.begin() == []
    host, rules = made.host, made.host.game

    def shows():
        views = [rules.private(host.runtime.referee.state, seat) for seat in host.bots]
        return [(view.seat, one.act) for view in views for one in view.options if one.group == "announce"]

    assert play(made, until=lambda _runtime: bool(shows()))
    seat, act = shows()[0]
    assert host.runtime.act(Acted(at_us=now_us(made), seat=seat, act=act)) is None
    info = board_info(rules.board, drawn=rules.drawn, electronics=True, simulated=True)
    told = retell(rules, host.journal.header(host.runtime.game), entries(made), info)
    name = told.summary.game
    table.files["history/index.json"] = msgspec.json.encode(index_of([told.summary], [name])).decode()
    table.files[f"history/{name}.json"] = msgspec.json.encode(told).decode()
    page = opened(f"#{name}/{len(told.moments) - 1}")
    for place in (".past-line", ".past-headline"):
        said = page.locator(place).filter(has_text="shows a card").last
        expect(said.locator("svg.card-in-line")).to_have_count(1)


@pytest.mark.parametrize("size", [(700, 900), (1280, 800), (1920, 1080)], ids=["tablet", "desktop", "large"])
def test_on_wide_screens_no_part_of_a_replay_lies_over_another(opened, told, size):
    """Board, controls with the graph, list and sharing are apart."""
    page = opened(f"#{told.summary.game}", viewport={"width": size[0], "height": size[1]})
    expect(page.locator(".past-story li").first).to_be_visible()
    boxes = [
        page.locator(one).bounding_box() for one in (".past-board", ".past-now", ".past-story", ".past-share")
    ]
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            beside = one["x"] + one["width"] <= other["x"] + 1
            above = one["y"] + one["height"] <= other["y"] + 1
            assert beside or above, (one, other)
    assert too_wide(page) == 0
