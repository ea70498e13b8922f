"""The tiles on the board, indexed in several ways.

Most events leave all tiles where they are, and most others lay or remove a single one: an index is kept as
long as the tiles lie as they do, and the next one is made from it. It is made from frozen values and looked
up by their identity, so it cannot be out of date.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import compress, count
from operator import is_not

from hextraction.controller.games.hextraction.cards.tiles import Effect, Tile, When
from hextraction.controller.games.hextraction.state.state import Copy, Laid

__all__ = ["Installed", "Occasions", "indexed"]

Occasions = dict[When, list[tuple[Laid, int, Effect]]]
"""Effects by their occasion, as (tile, number of the effect, effect)."""


def indexed(
    laid: tuple[Laid, ...], copies: Mapping[int, Copy], kind: Callable[[Copy], Tile], slots: tuple[str, ...]
) -> "Installed":
    """Return the index of tiles on a board with these slots."""
    return Installed(
        laid=laid,
        copies=copies,
        kind=kind,
        slots=slots,
        layout={slot: one.copy for one in laid for slot in one.slots},
        by_copy={one.copy: one for one in laid},
    )


@dataclass(slots=True, kw_only=True, eq=False)
class Installed:
    """The installed tiles. What is not always needed is worked out when it is first asked for."""

    laid: tuple[Laid, ...]
    copies: Mapping[int, Copy]
    kind: Callable[[Copy], Tile]
    slots: tuple[str, ...]
    layout: dict[str, int]
    """The copy that covers each slot, without open slots."""
    by_copy: dict[int, Laid]
    """Where each copy is installed."""
    _opened: tuple[str, ...] | None = None
    _effects: Occasions | None = None

    @property
    def opened(self) -> tuple[str, ...]:
        """The slots without a tile, in the order of the board."""
        if self._opened is None:
            layout = self.layout
            self._opened = tuple([slot for slot in self.slots if slot not in layout])
        return self._opened

    @property
    def effects(self) -> Occasions:
        """All effects by their occasion, in the order of laying."""
        if self._effects is None:
            found: Occasions = {}
            for laid in self.laid:
                for index, effect in enumerate(self._kind_of(laid).effects):
                    found.setdefault(effect.when, []).append((laid, index, effect))
            self._effects = found
        return self._effects

    def _kind_of(self, laid: Laid) -> Tile:
        return self.kind(self.copies[laid.copy])

    def changed(self, laid: tuple[Laid, ...], copies: Mapping[int, Copy]) -> "Installed":
        """Return the index of other tiles: no, one more or one fewer is worked out from this index."""
        lying = self.by_copy
        if copies is self.copies or [*map(copies.get, lying)] == [*map(self.copies.get, lying)]:
            if laid is self.laid:
                return replace(self, copies=copies)
            if laid[:-1] == self.laid:
                return self._with(laid, copies)
            gone = self._gone(laid)
            if gone is not None:
                return self._without(laid, copies, gone)
        return indexed(laid, copies, self.kind, self.slots)

    def _with(self, laid: tuple[Laid, ...], copies: Mapping[int, Copy]) -> "Installed":
        one, effects = laid[-1], None
        if self._effects is not None:
            effects = dict(self._effects)
            for index, effect in enumerate(self.kind(copies[one.copy]).effects):
                effects[effect.when] = [*effects.get(effect.when, ()), (one, index, effect)]
        layout = {**self.layout, **dict.fromkeys(one.slots, one.copy)}
        opened = self._opened
        if opened is not None:
            opened = tuple([slot for slot in opened if slot not in one.slots])
        return Installed(
            laid=laid,
            copies=copies,
            kind=self.kind,
            slots=self.slots,
            layout=layout,
            by_copy={**self.by_copy, one.copy: one},
            _opened=opened,
            _effects=effects,
        )

    def _gone(self, laid: tuple[Laid, ...]) -> Laid | None:
        """Return the one tile that is missing in ``laid``, if nothing else is different."""
        if len(laid) != len(self.laid) - 1:
            return None
        at = next(compress(count(), map(is_not, self.laid, laid)), len(laid))
        return self.laid[at] if self.laid[at + 1 :] == laid[at:] else None

    def _without(self, laid: tuple[Laid, ...], copies: Mapping[int, Copy], gone: Laid) -> "Installed":
        layout, by_copy = dict(self.layout), dict(self.by_copy)
        for slot in gone.slots:
            layout.pop(slot, None)
        by_copy.pop(gone.copy, None)
        effects = None
        if self._effects is not None:
            effects = dict(self._effects)
            for when in {effect.when for effect in self._kind_of(gone).effects}:
                effects[when] = [one for one in effects[when] if one[0] is not gone]
        alone = self._opened == () and len(gone.slots) == 1
        return Installed(
            laid=laid,
            copies=copies,
            kind=self.kind,
            slots=self.slots,
            layout=layout,
            by_copy=by_copy,
            _opened=gone.slots if alone else None,
            _effects=effects,
        )
