"""The table of words: everything that a seat may say to the table besides playing, as ``{"do": word, …}``.

One word has one hearer. The lobby, the sensors, the coils, a check of the board, the phones and the game's
own preparation each bring theirs; ``docs/mqtt.md`` describes them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Answer", "Asked", "Hears", "Words"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a seat has said, and when it arrived."""

    seat: str
    words: Mapping[str, Any]
    at_us: int

    @property
    def do(self) -> str:
        """The word itself."""
        return str(self.words.get("do", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the table answers: whether it was done, a sentence for people, and the clause behind it.

    ``address`` is something for another phone to open, and ``picture`` its QR code as SVG.
    """

    ok: bool = True
    reason: str = ""
    clause: str | None = None
    address: str = ""
    picture: str = ""

    @classmethod
    def no(cls, reason: str, clause: str | None = None) -> "Answer":
        """Return a refusal."""
        return cls(ok=False, reason=reason, clause=clause)


Hears = Callable[[Asked], Answer]


class Words:
    """Which word is heard by whom."""

    def __init__(self) -> None:
        self._hearers: dict[str, Hears] = {}

    def add(self, words: Iterable[str], hears: Hears) -> None:
        """Let these words be heard by this hearer from now on, instead of any earlier one."""
        self._hearers.update(dict.fromkeys(words, hears))

    def remove(self, words: Iterable[str]) -> None:
        """Let nobody hear these words any more."""
        for word in words:
            self._hearers.pop(word, None)

    def hear(self, asked: Asked) -> Answer:
        """Let a word be carried out, or refuse one that nobody knows."""
        hears = self._hearers.get(asked.do)
        if hears is None:
            return Answer.no(f"The table knows {', '.join(sorted(self._hearers))}.")
        return hears(asked)
