"""Chromium for tests: how it is started, and how a phone of the fake table is opened in it.

The fixtures ``browser``, ``table`` and ``visit`` in ``conftest.py`` are made of this. Playwright keeps an event
loop running in the thread that started it, so a browser lives for one module, never for the whole run.
"""

import contextlib
import json
import shutil

import page_fake as fake
from playwright.sync_api import expect, sync_playwright

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


@contextlib.contextmanager
def chromium():
    """Run Chromium for as long as the block runs."""
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        yield started
        started.close()


class Visits:
    """Phones at the fake table. What goes wrong in any of them is in ``wrong``."""

    def __init__(self, browser, table):
        self.browser, self.table = browser, table
        self.wrong, self.contexts = [], []

    def __call__(self, seat=None, *, host="127.0.0.1", hash_="", viewport=PHONE, **more):
        """Open the page: as a watcher, or with a seat's key. The page's ``fetched`` are the files it asked for."""
        context = self.browser.new_context(viewport=viewport, **more)
        self.contexts.append(context)
        if seat:
            key = {"seat": seat, "user": seat, "password": fake.USERS[seat], "prefix": fake.PREFIX}
            context.add_init_script(
                f"localStorage.setItem('hextraction.seat', {json.dumps(json.dumps(key))})"
            )
        page = context.new_page()
        self._listen(page, f"//{host}:{self.table.http}/")
        page.goto(f"http://{host}:{self.table.http}/{hash_}")
        expect(page.locator("#link")).to_have_text("Connected", timeout=15_000)
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
