"""A table as its people have it: the command line in a process of its own, and players at the page in a browser."""

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

from helpers.page.browser import expect

START = "import sys; from hextraction.controller.app import main; sys.exit(main())"
READY_S = 90
SLOW_MS = 60_000
WATCH = """(() => {
  const seen = { trail: 0, touches: 0, active: [], headlines: [], moved: 0, links: [] };
  globalThis.seen = seen;
  const last = (list, value) => value && list[list.length - 1] !== value && list.push(value);
  const look = () => {
    last(seen.headlines, document.querySelector('#headline')?.textContent);
    last(seen.links, document.querySelector('#link')?.textContent);
    last(seen.active, document.querySelector('.seat.active')?.dataset.seat);
    const trails = [...document.querySelectorAll('#board .trail')].map((path) => path.getAttribute('d'));
    for (const d of trails) seen.trail = Math.max(seen.trail, d.split('Q').length - 1);
    for (const slot of document.querySelectorAll('#board [data-touches]')) seen.touches = Math.max(seen.touches, Number(slot.dataset.touches));
    seen.moved = Math.max(seen.moved, document.querySelectorAll('#board .ball.moving').length);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})()"""
"""Remembers what the page has shown, however short: a ball at speed is gone before anybody could ask for it."""


class Process:
    """``hextraction`` as a child process: started, read, stopped or killed."""

    def __init__(self, command, *options):
        self.child = subprocess.Popen(
            [sys.executable, "-c", START, command, *map(str, options)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.said = []
        self.ready = threading.Event()
        self.readers = [
            threading.Thread(target=self._read, args=(stream,), daemon=True)
            for stream in (self.child.stdout, self.child.stderr)
        ]
        for reader in self.readers:
            reader.start()
        assert self.ready.wait(READY_S), self.words

    def _read(self, stream):
        for line in stream:
            self.said.append(line)
            if "Everybody may watch" in line:
                self.ready.set()
        self.ready.set()

    @property
    def words(self):
        """Everything that it has printed."""
        return "".join(self.said)

    @property
    def url(self):
        """The page's address, as it says."""
        return re.search(r"open at\s+(\S+)", self.words)[1]

    @property
    def code(self):
        """The code for new players, as it says."""
        return re.search(r"take a seat:\s+(\S+)", self.words)[1]

    @property
    def broker(self):
        """The process number of its Mosquitto."""
        own = self.child.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
        names = {int(pid): Path(f"/proc/{pid}/comm").read_text().strip() for pid in children}
        return next(pid for pid, name in names.items() if name == "mosquitto")

    def wait(self):
        """Wait until it ends by itself; return its status."""
        status = self.child.wait(SLOW_MS / 1000)
        self._close()
        return status

    def stop(self, number=signal.SIGTERM):
        """Stop it; return its status."""
        if self.child.poll() is None:
            self.child.send_signal(number)
        try:
            return self.wait()
        except subprocess.TimeoutExpired:
            self.child.kill()
            raise

    def _close(self):
        for reader in self.readers:
            reader.join(5)
        self.child.stdout.close()
        self.child.stderr.close()


@contextlib.contextmanager
def process(command, *options):
    """Run ``hextraction`` for as long as the block runs."""
    running = Process(command, *options)
    try:
        yield running
    finally:
        running.stop()
    assert "Traceback" not in running.words, running.words


def entries(journal):
    """Return how many entries a journal holds."""
    with contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as reader:
        return reader.execute("SELECT count(*) FROM entry").fetchone()[0]


class Player:
    """A person at the page."""

    def __init__(self, page):
        self.page = page

    def sit(self, name):
        """Take a seat with the code that was in the address."""
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Take a seat").click()
        expect(self.page.locator("#seats .you")).to_be_visible(timeout=SLOW_MS)

    @property
    def headline(self):
        """What the table waits for."""
        return self.page.locator("#headline")

    @property
    def tray(self):
        """What the player may do."""
        return self.page.locator("#tray")

    @property
    def cards(self):
        """The titles of the hand."""
        return self.page.locator(".card-title")

    def slot(self, name):
        """Return a slot on the drawing."""
        return self.page.locator(f'#board [data-slot="{name}"]')

    def tap_slot(self, name):
        """Tap a slot on the drawing."""
        self.slot(name).locator(".hit").click()

    def tap_ramp(self, name):
        """Tap a ramp on the drawing."""
        self.page.locator(f'#board [data-ramp="{name}"]').click()

    def tap_zone(self, name):
        """Tap an end zone on the drawing, at its lowest place."""
        basin = self.page.locator(f'#board [data-zone="{name}"] .zone-hit')
        box = basin.bounding_box()
        basin.click(position={"x": box["width"] / 2, "y": box["height"] - 2})

    def press(self, label):
        """Press a button of the tray."""
        self.tray.get_by_role("button", name=label, exact=True).click()

    def waits_for(self, words):
        """Wait until the tray says something."""
        expect(self.tray).to_contain_text(words, timeout=SLOW_MS)

    def happened(self, words):
        """Wait until the list of events says something."""
        expect(self.page.locator("#log")).to_contain_text(words, timeout=SLOW_MS)

    def key(self):
        """Return what this phone keeps: user and password of its seat."""
        return self.page.evaluate("() => JSON.parse(localStorage.getItem('hextraction.seat'))")

    def until(self, condition):
        """Wait until the page has shown something, see ``WATCH``."""
        self.page.wait_for_function(f"() => {condition}", timeout=600_000)


@contextlib.contextmanager
def phone(browser, address, **more):
    """Open the page on a new phone."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, **more)
    context.set_default_timeout(SLOW_MS)
    context.add_init_script(WATCH)
    page = context.new_page()
    try:
        page.goto(address)
        expect(page.locator("#link")).to_have_text("Connected", timeout=SLOW_MS)
        yield Player(page)
    finally:
        context.close()
