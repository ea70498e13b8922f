"""What a study counts while a game runs: what was laid, said and refused, and what failed."""

from collections import Counter
from collections.abc import Iterable

from hextraction.controller.games.hextraction import State
from hextraction.controller.games.protocol import Effect, Refused, Said

__all__ = ["Tally"]

_ENDS = frozenset({"win", "over"})


class Tally:
    """The counts of one game."""

    def __init__(self, laid: Iterable[str]) -> None:
        self.laid = Counter(laid)
        self.clauses: Counter[str] = Counter()
        self.rolls = 0
        self.refusals: list[str] = []
        self.failures: dict[int, str] = {}
        """The evidence for each event whose rule failed, by the event's number."""
        self.end: Said | None = None

    def count(self, before: State, after: State, effects: Iterable[Effect]) -> None:
        """Count what one event has led to."""
        if after.laid is not before.laid:
            known = {laid.copy for laid in before.laid}
            self.laid.update(after.copies[one.copy].name for one in after.laid if one.copy not in known)
        for effect in effects:
            if isinstance(effect, Said):
                self._hear(effect)
            elif isinstance(effect, Refused):
                self.refusals.append(f"{effect.reason} ({effect.clause})")

    def _hear(self, said: Said) -> None:
        self.clauses[said.clause or ""] += 1
        self.rolls += said.kind == "release"
        if said.kind in _ENDS:
            self.end = said
