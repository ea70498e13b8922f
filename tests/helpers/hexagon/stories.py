"""The scenario files of a game on the hexagon: what they say, and whether its document says it, too."""

import re
from pathlib import Path

from helpers.places import ROOT, TESTS
from hextraction.controller.app.tools import play_scenarios

from docs.game_pages import words_table

__all__ = ["Stories"]


class Stories:
    """All scenarios of a game in its language."""

    def __init__(self, kind, language):
        self.kind, self.language = kind, language
        self.files = sorted((TESTS / "scenarios" / kind).glob("*.scenario"))
        self.cases = [case for path in self.files for case in language.read_file(path)]

    @property
    def ids(self):
        """The names of the cases for pytest."""
        return [f"{Path(case.source).stem}:{case.line}" for case in self.cases]

    def named(self, pattern):
        """Return the ids of the specification that scenarios are named after."""
        return {found for case in self.cases for found in re.findall(pattern, case.name)}

    def unused(self):
        """Return the sentences of the language that no scenario uses."""
        used = {id(line.sentence) for case in self.cases for line in (*case.set_up, *case.steps)}
        return [
            one.template
            for sentences in self.language.sentences.values()
            for one in sentences
            if id(one) not in used
        ]

    def unexplained(self):
        """Return the sentences that the game's document does not list with their meaning."""
        text = (ROOT / "docs" / f"{self.kind}.md").read_text(encoding="utf-8")
        return [row for row in words_table(self.language).splitlines() if row not in text]

    def failure(self, text):
        """Play a text with one scenario; return what did not come true."""
        (case,) = self.language.read(f"game {self.kind}\n{text}", "x.scenario")
        return self.language.play(case)

    def played_by_command(self):
        """Return what `hextraction scenario` says of the first file: passed, and failures."""
        return play_scenarios(self.files[0])
