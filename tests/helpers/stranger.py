"""Somebody who never saw the game: reads the first sentence of the page, and does what it says.

A stranger knows what a button is, what is bright, and that words in quotation marks are on a button. Nothing here
knows a game, a rule, a word of any language, or how a page is built beyond its headline, its main buttons, the cards
in one's hand and what is bright on the board.
"""

import contextlib
import random
import time

from playwright.sync_api import TimeoutError as NotInTimeError

__all__ = ["PHONE", "Stranger", "WithKeys", "WithoutSight", "strangers"]

PHONE = {"width": 390, "height": 844}

_BOARD = {
    "slot": "#board .slot.target .hit",
    "ramp": "#board .ramp.target",
    "zone": "#board .zone.target .zone-hit",
    "spot": "#board .spot.target .hit",
    "cell": "#tray .field-target",
}
"""What may be bright on the drawing."""
_TEXT = {"text ramp": "#text [data-ramp] button", "text place": "#text button:not(.quiet)"}
"""The same in the board as text."""
_LOOK = """([board, luck, ball, tired]) => {
  const beside = {
    "main button": "#tray .button.primary",
    answer: "#tray .prompt .buttons > .button, #tray .chooser .button, #tray .acts ul .button",
    card: "#tray .card[aria-pressed=false]",
  };
  const there = (one) => one.checkVisibility() && one.getClientRects().length > 0 && !one.disabled;
  const all = (way) => [...document.querySelectorAll(way)].filter(there);
  const words = (one) => (one.getAttribute("aria-label") ?? one.textContent).trim();
  const sentence = document.querySelector("#headline")?.textContent.trim() ?? "";
  const seen = (what, nodes) => ({ what, nodes: [...nodes].filter(Boolean) });

  function next() {
    const sheet = all("dialog[open] .button.primary");
    const close = all("dialog[open] [data-close]");
    if (close.length && (tired || !sheet.length)) return seen("the way out of a sheet", [close[0]]);
    if (sheet.length) return seen("the sheet's main button", [sheet[0]]);
    if (all("#join-name").length) return seen("a name", all("#join .button.primary"));
    if (!sentence || document.querySelector("#tray[aria-busy]")) return seen("", []);
    const buttons = all("button");
    for (const [, quoted] of sentence.matchAll(/[“„«»]([^“”„«»]+)[”“»«]/g)) {
      const named = buttons.filter((one) => words(one) === quoted); // a place in the text may be called like its answer
      if (named.length) return seen(quoted, named);
    }
    const answers = all(beside.answer);
    if (answers.length && document.querySelector("#board .tell")) return seen("answer", answers);
    if (document.querySelector("#board .tell")) {
      const told = { slot: "#board .slot.tell .hit", zone: board.zone, still: beside["main button"] };
      return seen(ball ? "the ball" : "", ball ? all(told[ball]) : []);
    }
    const offered = Object.entries(board).map(([what, way]) => seen(what, all(way)));
    const others = Object.entries(beside).map(([what, way]) => seen(what, all(way))).filter(({ nodes }) => nodes.length);
    const bright = [...offered.filter(({ nodes }) => nodes.length), ...others.slice(0, 1)];
    if (bright.length) return bright[Math.floor(luck[0] * bright.length)];
    return seen("the banner's main button", all("#pause .button.primary"));
  }

  /** Where a finger hits it: nowhere, if something else lies over it. */
  function at(node) {
    for (const scroll of [false, true]) {
      if (scroll) node.scrollIntoView({ block: "center", behavior: "instant" });
      const box = node.getBoundingClientRect();
      const y = node.matches(".zone-hit") ? box.bottom - 2 : box.y + box.height / 2;
      const hit = document.elementFromPoint(box.x + box.width / 2, y);
      if (hit && (node.closest("[data-spot]") ?? node).contains(hit)) return [box.x + box.width / 2, y];
    }
    return null;
  }

  const { what, nodes } = next();
  const node = nodes[Math.floor(luck[1] * nodes.length)];
  globalThis.wanted = node;
  const told = node?.closest("[data-slot], [data-ramp], [data-zone], [data-spot]");
  const name = node ? (node.matches("button") ? words(node) : Object.values(told?.dataset ?? {})[0] ?? "") : "";
  return { sentence, what: node ? what : "", name, point: node ? at(node) : null };
}"""
"""What a look at the page shows: the first sentence, what is to be done, and where a finger does it.

Of several bright things chance picks one; a quieter button is seen only where there is no main one. What a ball does on
a board without electronics is told by who watches it, once nothing is asked of them.
"""
_TIRED = 10
"""After so many taps on one sheet, opened by a slip of the finger, it is closed; one without a main button at once."""
_STILL_S = 1.0
"""A ball that has come to rest is not told of again at once: the next one has to be let go first."""
_LOOK_MS = 60
_SHORT_MS = 2_000
_MOST_TABS = 200
_SEATED_MS = 5_000
"""Who still stands then tries once more, as people do."""


class Stranger:
    """A person at a phone with a touch screen.

    ``sentences`` is every first sentence that was read, in order; ``taps`` is all that was tapped. ``ball`` is what
    balls do on a real board, one thing after the other, for who watches it: ``slot`` for one that is touched, ``zone``,
    and ``still`` at the end of each roll.
    """

    bright = _BOARD

    def __init__(self, page, name, seed=1, ball=()):
        self.page = page
        self.name = name
        self.luck = random.Random(seed)
        self.sentences = []
        self.taps = []
        self._ball = iter(ball)
        self._next = next(self._ball, "")
        self._lies_until = 0.0

    def until(self, done, *others, patience_s=600):
        """Go on until something holds, and the others with it; fail with what was read and done if it never does."""
        until = time.monotonic() + patience_s
        while not done():
            assert time.monotonic() < until, "\n".join(one.story() for one in (self, *others))
            did = [one.step() for one in (self, *others)]
            if not any(did):
                self.page.wait_for_timeout(_LOOK_MS)

    def story(self):
        """Return what was read and done last, for whoever wants to know where it got stuck."""
        return f"{self.name} is lost after {self.sentences[-6:]}, having tapped {self.taps[-8:]}"

    def step(self):
        """Do one thing; return whether there was anything to do."""
        tired = all(tap.startswith("the sheet") for tap in self.taps[-_TIRED:]) and len(self.taps) > _TIRED
        ball = self._next if time.monotonic() >= self._lies_until else ""
        seen = self.page.evaluate(_LOOK, [self.bright, [self.luck.random(), self.luck.random()], ball, tired])
        if [seen["sentence"]] != self.sentences[-1:]:
            self.sentences.append(seen["sentence"])
        if not seen["what"]:
            return False
        return self._does(seen)

    def _does(self, seen):
        if not self._reaches(seen):
            self.taps.append(f"{seen['what']} {seen['name']} (out of reach)")
            return False
        if seen["what"] == "the ball":
            self._lies_until = time.monotonic() + _STILL_S if self._next == "still" else 0.0
            self._next = next(self._ball, "")
        self.taps.append(f"{seen['what']} {seen['name']}")
        if seen["what"] == "a name":
            self._write(self.page.locator("#join-name"))
        self._tap(seen)
        self.page.wait_for_timeout(_LOOK_MS)
        if seen["what"] == "a name":
            with contextlib.suppress(NotInTimeError):
                self.page.locator("#seats .you").wait_for(timeout=_SEATED_MS)
        return True

    def _reaches(self, seen):
        return seen["point"] is not None

    def _write(self, field):
        field.fill(self.name)

    def _tap(self, seen):
        self.page.touchscreen.tap(*seen["point"])


class WithKeys(Stranger):
    """Somebody with a keyboard alone: Tab until it is there, then Enter. ``tabs`` is the most that one thing took."""

    tabs = 0

    def _go_to(self, wanted):
        for tabs in range(_MOST_TABS):
            if wanted.evaluate("(node) => node === document.activeElement"):
                self.tabs = max(self.tabs, tabs)
                return True
            self.page.keyboard.press("Tab")
        return False

    def _reaches(self, _seen):
        return True

    def _write(self, field):
        assert self._go_to(field)
        self.page.keyboard.type(self.name)

    def _tap(self, _seen):
        wanted = self.page.evaluate_handle("() => wanted").as_element()
        if wanted is not None and self._go_to(wanted):
            self.page.keyboard.press("Enter")


class WithoutSight(Stranger):
    """Somebody who reads the board as text: whatever is chosen is chosen in its tables, never on the drawing."""

    bright = _TEXT

    def step(self):
        """Do one thing, in the text view; return whether there was anything to do."""
        if not self.page.locator("dialog[open]").count() and not self.page.locator("#text").is_visible():
            with contextlib.suppress(NotInTimeError):  # a sheet may open at this moment
                self.page.locator("#text-toggle").tap(timeout=_SHORT_MS)
            return True
        assert self.page.locator("dialog[open]").count() or not self.page.locator("#board").is_visible()
        return super().step()


@contextlib.contextmanager
def strangers(browser, table, names, *, who=Stranger, languages=("en",), script="", ball=()):
    """Let strangers come to a table at once, each with a phone; no script may fail on any of them.

    ``who`` says what they are like; ``languages`` are those of their phones, in turn. The first one watches the balls of an ordinary board, see :class:`Stranger`.
    ``script`` runs on each page before its own ones do.
    """
    wrong, contexts, coming = [], [], []
    for number, name in enumerate(names, start=1):
        language = languages[(number - 1) % len(languages)]
        contexts.append(browser.new_context(viewport=PHONE, has_touch=True, locale=language))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        # A slip of the finger may open another page, and a browser hardly draws one that lies behind: people close it.
        page.on("popup", lambda other: other.close())
        page.add_init_script(script)
        page.goto(f"{table.url}#j={table.code}", wait_until="commit")
        coming.append(who(page, name, seed=number, ball=ball if number == 1 else ()))
    try:
        yield coming
    finally:
        for context in contexts:
            context.close()
    assert wrong == [], wrong
