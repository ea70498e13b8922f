"""Somebody who never saw the game: reads the first sentence of the page, and does what it says.

A stranger knows what a button is, what is bright, and that words in quotation marks are on a button. Nothing here
knows a game, a rule, or how a page is built beyond its headline, its main button and what is bright on the board.
"""

import random
import re
import time

from playwright.sync_api import Error

__all__ = ["Stranger"]

_WAITING = re.compile(
    r"wait|watch|'s turn|is rolling|are being|not there|Paused|rolls|Looking", re.IGNORECASE
)
_TOLD = re.compile(r"(Your turn|Choose|Tap|Lay|Place|Put|Throw|Take|Give|Discard|Swap)\b")
_QUOTED = re.compile(r"“([^”]+)”")
_BRIGHT = (
    (r"\bbelow\b", "#tray .button.primary:visible"),
    (r"\bhand\b|\bcard\b", "#tray .card:not([aria-pressed=true])"),
    (r"\bramp\b", "#board [data-ramp].target"),
    (
        r"slot|place|cell|piece|where|board|hex|corner|edge|other",
        "#board [tabindex='0']:not([data-ramp] *):not([data-ramp])",
    ),
)
"""What a sentence may speak of, and where it is."""
_LOOK_MS = 150
_SEATED_MS = 5_000
"""Who still stands then tries once more, as people do."""
_HASTY_MS = 2_000
"""A thing that went away before it was tapped is looked for again."""


class Stranger:
    """A person at a phone. ``sentences`` is every first sentence that was read, in order."""

    def __init__(self, page, name, seed=1):
        self.page = page
        self.name = name
        self.luck = random.Random(seed)
        self.sentences = []
        self.taps = []
        self.began = time.monotonic()

    def until(self, done, *, patience_s=240):
        """Go on until something holds; fail with what was read and done if it never does."""
        until = time.monotonic() + patience_s
        while not done():
            told = f"lost after {self.sentences[-6:]}, having tapped {self.taps[-8:]}"
            assert time.monotonic() < until, told
            if not self.step():
                self.page.wait_for_timeout(_LOOK_MS)

    def step(self):
        """Do one thing; return whether there was anything to do."""
        try:
            return self._introduction() or self._seat() or self._game()
        except Error as gone:
            if "Timeout" in str(gone):
                return True
            raise

    def _tap(self, locator, what):
        self.taps.append(what)
        locator.click(timeout=_HASTY_MS)
        return True

    def _introduction(self):
        """Whatever opens over the page has a main button."""
        button = self.page.locator("dialog[open] .button.primary")
        return bool(button.count()) and self._tap(button.first, "the sheet's main button")

    def _seat(self):
        """Before one sits, the page asks for a name."""
        field = self.page.get_by_label("Your name")
        if not field.is_visible():
            return False
        field.fill(self.name)
        self._tap(self.page.locator("#join .button.primary"), "take a seat")
        self.page.locator("#seats .you").wait_for(timeout=_SEATED_MS)
        return True

    def _game(self):
        sentence = self.page.locator("#headline").inner_text().strip()
        if not self.sentences or self.sentences[-1] != sentence:
            self.sentences.append(sentence)
        return self._named(sentence) or self._bright(sentence) or self._main(sentence)

    def _named(self, sentence):
        """Words in quotation marks are on a button."""
        for words in _QUOTED.findall(sentence):
            button = self.page.get_by_role("button", name=words, exact=True)
            if button.count() and button.first.is_enabled():
                return self._tap(button.first, words)
        return False

    def _bright(self, sentence):
        """What the sentence speaks of, and is bright."""
        small = sentence.lower()
        if _WAITING.search(sentence) and "you" not in small:
            return False
        spoken = [(found.start(), way) for words, way in _BRIGHT if (found := re.search(words, small))]
        for _at, way in sorted(spoken):  # what is named first is what to do first
            found = self.page.locator(way)
            if count := found.count():
                return self._tap(found.nth(self.luck.randrange(count)), way)
        return False

    def _main(self, sentence):
        """The main button, or the first answer to a question."""
        ways = [
            "#tray .button.primary:visible",
            "#tray .prompt .button:visible",
            "#pause .button.primary:visible",
        ]
        if _TOLD.match(sentence):
            ways.append("#tray .button.plain:visible")
        for way in ways:
            button = self.page.locator(way)
            if button.count() and button.first.is_enabled():
                return self._tap(button.first, f"{way} after {sentence!r}")
        return False
