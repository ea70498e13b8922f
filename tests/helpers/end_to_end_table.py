"""Players at the page in a browser, at a table of the program itself."""

import contextlib

from helpers.page.browser import KNOWS_THE_GAME, expect

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
        """Tap an end zone on the drawing, below its lowest edge."""
        self.page.locator(f'#board [data-zone="{name}"] .zone-hit').click()

    def press(self, label):
        """Press a button of the tray."""
        self.tray.get_by_role("button", name=label, exact=True).click()

    def waits_for(self, words):
        """Wait until the first sentence or the tray says something."""
        told = self.page.locator("#headline, #tray").filter(has_text=words)
        expect(told.first).to_be_visible(timeout=SLOW_MS)

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
    context.add_init_script(KNOWS_THE_GAME)
    page = context.new_page()
    try:
        page.goto(address)
        expect(page.locator("#link")).to_have_text("Connected", timeout=SLOW_MS)
        yield Player(page)
    finally:
        context.close()
