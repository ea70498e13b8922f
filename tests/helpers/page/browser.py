"""Chromium for tests: how it is started, and how a phone of the fake table is opened in it.

The fixtures ``browser``, ``table`` and ``visit`` in ``conftest.py`` are made of this. Playwright keeps an event
loop running in the thread that started it, so a browser lives for one module, never for the whole run.
"""

import contextlib
import json
import shutil

import pytest
from helpers.page import fake as page_fake
from helpers.places import TESTS

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect
expect.set_options(timeout=60_000)  # what never comes takes a minute to fail; a busy machine fails nothing
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The browser without a window, where the system has it: the same engine, and a page is there in half the time."""
NEEDS = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.broker,
    *(
        pytest.mark.skipif(shutil.which(program) is None, reason=f"needs {program}")
        for program in ("chromium", "mosquitto")
    ),
]
"""Marks of every module with tests in the browser."""

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP raspberrypi.local 127.0.0.1",
]
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
KNOWS_THE_GAME = "localStorage.setItem('hextraction.howto', 'all')"
AXE = TESTS / "vendor" / "axe.min.js"
SMALL = """(selector) => [...document.querySelectorAll(selector)]
  .map((node) => [node, /checkbox|radio/.test(node.type) ? node.closest("label") ?? node : node])
  .map(([node, tapped]) => [node.outerHTML.slice(0, 90), tapped.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 43.5 || box.height < 43.5))
  .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""
ALL_RULES = """(part) => axe.run(part, {
  resultTypes: ["violations"], rules: {"label-content-name-mismatch": {enabled: true}},
})"""
TARGETS = "button, summary, input, select, textarea, .knob"


def violations(page, part="html"):
    """Return all that axe finds in a part of the page, which was opened with ``bypass_csp``.

    Its rules for good practice count as well, and the one about labels that hide what is seen, which axe
    still calls an experiment.
    """
    if not page.evaluate("() => 'axe' in globalThis"):
        page.add_script_tag(path=AXE)
    found = page.evaluate(ALL_RULES, part)["violations"]
    return [
        (one["id"], one["nodes"][0]["html"][:160], one["nodes"][0].get("failureSummary", "")[:200])
        for one in found
    ]


def too_small(page, targets=TARGETS):
    """Return the targets that a thumb misses: visible and less than 44 by 44."""
    return page.evaluate(SMALL, targets)


def too_wide(page):
    """Return how many pixels the page scrolls sideways."""
    return page.evaluate("() => Math.max(0, document.documentElement.scrollWidth - innerWidth)")


def wrong_with(page):
    """Return what axe finds, targets that are too small, and how far the page scrolls sideways."""
    wide = too_wide(page)
    return [*violations(page), *too_small(page), *([f"{wide} px too wide"] if wide else [])]


def finds_nothing(page, script):
    """Wait until a script finds nothing wrong: what is measured while the page is still being drawn says nothing."""
    with contextlib.suppress(playwright.TimeoutError):
        page.wait_for_function(f"() => !({script})().length", timeout=60_000)
    return page.evaluate(script) == []


def open_table(page, phase="playing"):
    """Open the card *Table*, which folds by itself when a game is on: first it folds, then it is opened."""
    expect(page.locator("#lobby")).to_have_attribute("data-phase", phase)
    if page.locator("#lobby").get_attribute("open") is None:
        page.get_by_text("Table", exact=True).click()


@contextlib.contextmanager
def chromium():
    """Run Chromium for as long as the block runs."""
    with playwright.sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield started
        started.close()


class Visits:
    """Phones at the fake table. What goes wrong in any of them is in ``wrong``."""

    def __init__(self, browser, table):
        self.browser, self.table = browser, table
        self.wrong, self.contexts = [], []

    def __call__(
        self, seat=None, *, host="127.0.0.1", hash_="", path="", viewport=PHONE, newcomer=False, **more
    ):
        """Open the page, or the one at ``path``: as a watcher, or with a seat's key.

        A newcomer is first told how to play. The page's ``fetched`` are the files it asked for.
        """
        context = self.browser.new_context(viewport=viewport, **more)
        self.contexts.append(context)
        if not newcomer:
            context.add_init_script(KNOWS_THE_GAME)
        if seat:
            key = {"seat": seat, "user": seat, "password": page_fake.USERS[seat], "prefix": page_fake.PREFIX}
            context.add_init_script(
                f"localStorage.setItem('hextraction.seat', {json.dumps(json.dumps(key))})"
            )
        page = context.new_page()
        self._listen(page, f"//{host}:{self.table.http}/")
        page.goto(f"http://{host}:{self.table.http}/{path}{hash_}")
        if not path:
            expect(page.locator("#link")).to_have_attribute("data-state", "connected")
        return page

    def _listen(self, page, ours):
        wrong = self.wrong
        page.fetched = []
        page.on(
            "console", lambda line: wrong.append(line.text) if line.type in {"error", "warning"} else None
        )
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: page.fetched.append(request.url.rpartition("/")[2]))
        page.on("request", lambda request: None if ours in request.url else wrong.append(request.url))
        page.on("websocket", lambda ws: None if ours in ws.url else wrong.append(ws.url))

    def close(self):
        """Close every phone."""
        for context in self.contexts:
            context.close()
