"""The tiles on the board seen from several sides: by slot, by copy, by the sort of their effects.

Most events leave all tiles where they are, so :class:`Rules` keeps the view of the board last asked for. It
is made from frozen values and found again by their identity: it cannot be out of date.
"""

from collections.abc import Callable, Mapping
from functools import cached_property

from hextraction.board.tiles import Effect, Tile, When
from hextraction.controller.games.hextraction.state import Copy, Laid

__all__ = ["Installed"]


class Installed:
    """What is installed; each side of it is worked out when it is first asked for."""

    def __init__(
        self, laid: tuple[Laid, ...], copies: Mapping[int, Copy], kind: Callable[[Copy], Tile]
    ) -> None:
        self.laid = laid
        self.copies = copies
        self._kind = kind

    @cached_property
    def layout(self) -> dict[str, int]:
        """Which copy covers each slot that is not open."""
        return {slot: laid.copy for laid in self.laid for slot in laid.slots}

    @cached_property
    def by_slot(self) -> dict[str, Laid]:
        """The installed tile that covers each slot that is not open."""
        return {slot: laid for laid in self.laid for slot in laid.slots}

    @cached_property
    def by_copy(self) -> dict[int, Laid]:
        """Where each copy is installed."""
        return {laid.copy: laid for laid in self.laid}

    @cached_property
    def effects(self) -> dict[When, list[tuple[Laid, int, Effect]]]:
        """All effects by their sort, in the order of laying, as (tile, number of the effect, effect)."""
        found: dict[When, list[tuple[Laid, int, Effect]]] = {}
        for laid in self.laid:
            for index, effect in enumerate(self._kind(self.copies[laid.copy]).effects):
                found.setdefault(effect.when, []).append((laid, index, effect))
        return found
