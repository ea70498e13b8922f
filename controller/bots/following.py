"""People follow what bots do: none goes on before they have seen what it did, and answered what it asks."""

from collections.abc import Callable

__all__ = ["Following"]


class Following:
    """Whether people at a table still look at what a bot did last."""

    def __init__(self) -> None:
        self._until_us = 0
        self._asks = False
        self._hurried = False
        """Whether somebody wants no waiting until their own turn."""

    def look(self, now_us: int, seen_us: int, *, asks: bool) -> bool:
        """Let people look for so long, if it ``asks`` them something at most until they have answered.

        Return whether anything else waits for that.
        """
        if not self._hurried:
            self._until_us, self._asks = now_us + seen_us, asks
        return now_us < self._until_us

    def hurry(self) -> None:
        """Let nobody wait from now on."""
        self._hurried, self._until_us = True, 0

    def acted(self, *, in_turn: bool) -> None:
        """Hear that somebody acted: in their own turn, all that follows is looked at again."""
        self._hurried = self._hurried and not in_turn

    def still(self, now_us: int, asked: Callable[[], object]) -> bool:
        """Return whether they look on; ``asked`` says what any of them is asked."""
        return now_us < self._until_us and not (self._asks and not asked())
