"""The scenario files of a game on the hexagon: what they say, and whether its document says it, too."""

import re

from helpers.places import ROOT, TESTS
from hextraction.controller.app.tools import play_scenarios

__all__ = ["Stories"]


class Stories:
    """All scenarios of a game in its ``language``, a module with ``SENTENCES``, ``play`` and ``read``."""

    def __init__(self, kind, language):
        self.kind, self.language = kind, language
        self.files = sorted((TESTS / "scenarios" / kind).glob("*.scenario"))
        self.cases = [
            (path, case)
            for path in self.files
            for case in language.read(path.read_text(encoding="utf-8"), path.name)
        ]

    @property
    def ids(self):
        """The names of the cases for pytest."""
        return [f"{path.stem}:{case.line}" for path, case in self.cases]

    def named(self, pattern):
        """Return the ids of the specification that scenarios are named after."""
        return {found for _path, case in self.cases for found in re.findall(pattern, case.name)}

    def unused(self):
        """Return the sentences of the language that no scenario uses."""
        text = "\n".join(path.read_text(encoding="utf-8") for path in self.files)
        lines = [re.sub(r"^(DO|EXPECT|REFUSED [^:]+:) ?", "", line) for line in text.splitlines()]
        said = [part.strip() for line in lines for part in line.split(";")]
        return [
            one.template
            for one in self.language.SENTENCES
            if not any(re.fullmatch(one.pattern, part) for part in said)
        ]

    def unexplained(self):
        """Return the sentences that the game's document does not list with their meaning."""
        text = (ROOT / "docs" / f"{self.kind}.md").read_text(encoding="utf-8")
        return [
            one.template
            for one in self.language.SENTENCES
            if f"| `{one.template}` | {one.meaning} |" not in text
        ]

    def failure(self, text):
        """Play a text with one scenario; return what did not come true."""
        (case,) = self.language.read(f"game {self.kind}\n{text}", "x.scenario")
        return self.language.play(case, "x.scenario")

    def played_by_command(self):
        """Return what `hextraction scenario` says of the first file: passed, and failures."""
        return play_scenarios(self.files[0])
