"""Whatever a browser denies, each page is whole: it connects, and a player sits down, lays a tile and rolls."""

import json
import shutil

import msgspec
import pytest
from helpers.end_to_end_table import Player
from helpers.page import samples as fake
from helpers.page.browser import ARGS, KNOWS_THE_GAME, NEEDS, PHONE, expect
from helpers.simulated import begin, entries, game, play
from hextraction.controller.app.process import board_info
from hextraction.controller.history.archive import index_of
from hextraction.controller.history.chronicle import retell

pytestmark = NEEDS

_THROWS = "get() { throw new DOMException('denied', 'SecurityError'); }"
_STORES = ("localStorage", "sessionStorage", "indexedDB", "caches", "cookieStore")


def _all(names, how):
    """Return a script that gives each of these names another property, as far as the browser has it."""
    return f"""for (const name of {json.dumps(names)}) {{
      const at = name.split('.');
      const last = at.pop();
      const owner = at.reduce((one, part) => one?.[part], globalThis);
      if (owner && last in owner) Object.defineProperty(owner, last, {{ configurable: true, {how} }});
    }}"""


_MISSING = (
    "crypto.randomUUID", "crypto.subtle", "WebAssembly", "SharedArrayBuffer", "BroadcastChannel", "Notification",
    "Worker", "SharedWorker", "AudioContext", "navigator.clipboard", "navigator.wakeLock", "navigator.vibrate",
    "navigator.serviceWorker", "navigator.locks", "navigator.storage", "navigator.share", "navigator.permissions",
    "navigator.userActivation", "navigator.connection",
)  # fmt: skip
DENIED = {
    "site data": _all(_STORES, _THROWS)
    + "Object.defineProperty(document, 'cookie', {get() { throw new DOMException('denied', 'SecurityError'); },"
    " set() { throw new DOMException('denied', 'SecurityError'); }});",
    "storage that is null": _all(_STORES, "value: null"),
    "storage that is full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    "what only some browsers have": _all(_MISSING, "value: undefined"),
}
DENIED["all of it"] = "".join(one for what, one in DENIED.items() if what != "storage that is null")


@pytest.fixture(scope="module")
def told():
    """Play a game, and tell it again."""
    made = begin(9)
    assert play(made)
    rules = game()
    info = board_info(rules.board, drawn=rules.drawn, electronics=True, simulated=True)
    return retell(rules, made.host.journal.header(made.host.runtime.game), entries(made), info)


@pytest.fixture(params=DENIED)
def denied(request, browser):
    """Open new phones that are denied something; return a way to open an address, which fails if anything was wrong."""
    wrong, contexts = [], []

    def opened(url, **more):
        context = browser.new_context(viewport=PHONE, **more)
        contexts.append(context)
        context.add_init_script(f"try {{ {KNOWS_THE_GAME} }} catch {{}}")
        context.add_init_script(DENIED[request.param])
        return watched(context.new_page(), url, wrong)

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def watched(page, url, wrong):
    """Open an address; whatever goes wrong is noted."""
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(url)
    return page


def sits_lays_and_rolls(page, table):
    """Join with the code of the address; lay a tile and roll, each with the taps of a player."""
    ada = Player(page)
    table.views["p1"] = fake.view(options=(*fake.PLACES, *fake.ROLLS, fake.END))
    ada.sit("Ada")
    assert table.asked_to_join() == {"code": "HEX", "name": "Ada"}
    table.publish("table", fake.table())
    expect(page.locator("#link")).to_have_attribute("data-state", "connected")
    ada.tap_slot("B5")
    page.get_by_role("button", name="Put it on B5", exact=True).click()
    assert table.command()[1]["act"]["do"] == "place"
    ada.tap_ramp("L2")
    assert table.command()[1]["act"] == {"do": "roll", "ramp": "L2"}


def test_a_player_sits_down_lays_and_rolls(denied, table):
    """The seat is only not kept for another visit: the key lasts as long as the page."""
    table.publish("table", fake.table("lobby"))
    sits_lays_and_rolls(denied(f"{table.url}#j=HEX"), table)


def test_a_phone_that_keeps_nothing_speaks_the_language_of_the_address(denied, table):
    """It chooses in the help: the address says it then, and the page is connected again."""
    page = denied(table.url)
    expect(page.locator("#link")).to_have_text("Connected")
    page.get_by_role("button", name="Help").click()
    page.get_by_label("Language").select_option("Deutsch")
    expect(page.locator("#link")).to_have_text("Verbunden")


def test_the_big_screen_shows_the_game(denied, table):
    """It is connected, and draws the board."""
    page = denied(f"{table.url}tv")
    expect(page.locator("#link")).to_have_attribute("data-state", "connected")
    expect(page.locator("#board .groove").first).to_be_attached()
    expect(page.locator("#headline")).to_have_text("Ada rolls on L2.")


def test_what_was_played_is_watched_and_saved(denied, table, told, tmp_path):
    """The list, a game, and the one file of it that is opened from the disk."""
    name = told.summary.game
    table.files["history/index.json"] = msgspec.json.encode(index_of([told.summary], [name])).decode()
    table.files[f"history/{name}.json"] = msgspec.json.encode(told).decode()
    page = denied(f"{table.url}history")
    page.locator("a.past-row").first.click()
    expect(page.locator("#board [data-slot]")).to_have_count(22)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as one file").click()
    file = tmp_path / "game.html"
    saved.value.save_as(file)
    alone = denied(f"file://{file}#{len(told.moments) - 1}", offline=True)
    expect(alone.locator("#board [data-slot]")).to_have_count(22)
    expect(alone.locator(".past-headline")).to_have_text(told.summary.outcome)


@pytest.mark.parametrize("path", ["", "tv", "history"])
def test_a_browser_that_blocks_all_site_data(path, browser, table, told, tmp_path):
    """Chromium itself, with the setting that people find in its menu, not with a script of ours."""
    table.files["history/index.json"] = msgspec.json.encode(
        index_of([told.summary], [told.summary.game])
    ).decode()
    profile = tmp_path / "profile" / "Default"
    profile.mkdir(parents=True)
    blocked = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (profile / "Preferences").write_text(json.dumps(blocked))
    wrong = []
    table.publish("table", fake.table("lobby"))
    context = browser.browser_type.launch_persistent_context(
        profile.parent, executable_path=shutil.which("chromium"), args=ARGS, viewport=PHONE
    )
    page = watched(context.new_page(), f"{table.url}{path}#j=HEX" if not path else table.url + path, wrong)
    denies = "() => { try { return Boolean(sessionStorage) && false; } catch { return true; } }"
    assert page.evaluate(denies), "this browser blocks nothing"
    if not path:
        sits_lays_and_rolls(page, table)
    elif path == "tv":
        expect(page.locator("#link")).to_have_attribute("data-state", "connected")
    else:
        expect(page.locator("a.past-row").first).to_be_visible()
    context.close()
    assert wrong == []
