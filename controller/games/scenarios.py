"""Scenario files of any game: how a file says which game it is about, and what is wrong with one.

A file that begins with ``game KIND`` is read and played by that game; any other is Hextraction's.
"""

import re
from collections.abc import Iterable
from pathlib import Path

__all__ = ["ScenarioError", "game_of", "text_of"]


class ScenarioError(ValueError):
    """A scenario file that cannot be read; ``problems`` has each as ``file:line: what, want what``."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def text_of(path: Path) -> str:
    """Return a file's text.

    Raises:
        ScenarioError: there is no such file, or it is not text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ScenarioError([f"{path}: cannot be read: {reason}"]) from None


def game_of(text: str, otherwise: str) -> str:
    """Return the kind of game that a file names in its first line that is no comment.

    >>> game_of("game chess", "other"), game_of("DO quiet", "other")
    ('chess', 'other')
    """
    for raw in text.splitlines():
        line = re.sub(r"(^|\s)#.*", "", raw).strip()
        if line:
            word, _space, kind = line.partition(" ")
            return kind.strip() if word == "game" else otherwise
    return otherwise
