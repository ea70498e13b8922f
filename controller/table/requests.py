"""Requests to the table other than the lobby's: set-up, opening hands, people's own tiles, broken sensors.

The words are ``broken`` and ``working`` (with ``sensor``), ``setup`` (``set``), ``hand`` (``tiles``) and
``tile`` (``tile``), described in ``docs/mqtt.md``. Each is carried out or refused with a reason.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hextraction.board.profile import Board
from hextraction.controller.games.hextraction import Hextraction, Setup
from hextraction.controller.games.hextraction.tiles import Catalogue
from hextraction.controller.phones.payloads.setup import Remark
from hextraction.controller.play.journal import Broken
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.brought import Brought, WordError
from hextraction.controller.table.lobby import Chair, Lobby, NotGranted
from hextraction.controller.table.own_tiles import OwnTileError, load_own, read_own
from msgspec.structs import replace

__all__ = ["TableRequests"]

_Hears = Callable[[str, Mapping[str, Any], Runtime | None, int], NotGranted | None]


class TableRequests:
    """The requests made at one table: the next game's set-up, people's own tiles, broken sensors.

    Args:
        board: the board that is played on.
        tiles: the known kinds of tiles; described ones are added to a copy, :attr:`tiles`.
        lobby: shows the requests to everybody.
        plan: makes a set-up from the taken seats.
        folder: where described tiles are stored; None keeps them for this run only.

    Raises:
        SettingsError: a tile kept in the folder cannot be read.
    """

    def __init__(
        self,
        board: Board,
        tiles: Catalogue,
        lobby: Lobby,
        plan: Callable[[Sequence[Chair], int], Setup],
        folder: Path | None,
    ) -> None:
        self.own = load_own(folder)
        self.tiles = {**tiles, **self.own}
        self.brought = Brought()
        self.broken: set[str] = set()
        self._board, self._lobby, self._plan, self._folder = board, lobby, plan, folder
        self._asked = False
        self.words: dict[str, _Hears] = {
            "broken": self._sensor,
            "working": self._sensor,
            "setup": self._setup,
            "hand": self._hand,
            "tile": self._tile,
        }
        self._show()

    def hear(
        self, seat: str, words: Mapping[str, Any], runtime: Runtime | None, at_us: int
    ) -> NotGranted | None:
        """Carry out one of :attr:`words`, or refuse it with a reason."""
        refusal = self.words[words["do"]](seat, words, runtime, at_us)
        self.look_again(at_us)
        return refusal

    def began(self, broken: Iterable[Broken] = ()) -> None:
        """Note that a game begins or resumes; ``broken`` is what its journal says about sensors."""
        self.broken = set()
        for told in broken:
            if told.lost:
                continue
            (self.broken.add if told.broken else self.broken.discard)(told.sensor)
        self._show()

    def look_again(self, at_us: int) -> None:
        """Check the set-up again after somebody came or went, if anybody has asked for one."""
        setup = None
        if self._asked and self._lobby.phase != "playing":
            wanted = self.brought.apply_openly(self._plan(self._lobby.players, at_us))
            setup = replace(
                self.brought.shown(),
                remarks=self._remarks(wanted),
                pool=sum(share.count for share in wanted.pool),
                hidden=not any(share.name for share in wanted.pool),
            )
        self._lobby.more["setup"] = setup
        self._show()

    def _remarks(self, wanted: Setup) -> tuple[Remark, ...]:
        game = Hextraction(self._board, self.tiles)
        against = [Remark(text=text, clause=clause, stops=True) for text, clause in game.problems(wanted)]
        hints = [Remark(text=text, clause=clause) for text, clause in game.advice(wanted)]
        return (*against, *hints)

    def _show(self) -> None:
        game = Hextraction(self._board, self.tiles)
        self._lobby.more["tiles"] = tuple(game.card(name) for name in sorted(self.own))
        self._lobby.more["broken"] = tuple(sorted(self.broken))

    # --- the words ------------------------------------------------------------------------------------------

    def _sensor(
        self, _seat: str, words: Mapping[str, Any], runtime: Runtime | None, at_us: int
    ) -> NotGranted | None:
        """Record that a seat says a sensor is broken, or works again."""
        sensor, broken = words.get("sensor"), words["do"] == "broken"
        if runtime is None or runtime.over:
            return NotGranted(reason="No game is on.")
        if not isinstance(sensor, str) or not runtime.declare(sensor, broken=broken, at_us=at_us):
            return NotGranted(reason=f"This board has no sensor {sensor!r}.")
        (self.broken.add if broken else self.broken.discard)(sensor)
        return None

    def _setup(
        self, _seat: str, words: Mapping[str, Any], _runtime: Runtime | None, _at_us: int
    ) -> NotGranted | None:
        if self._lobby.phase == "playing":
            return NotGranted(reason="A game is on: set up the next one when it is over.")
        given = words.get("set", {})
        if not isinstance(given, Mapping):
            return NotGranted(reason="Say what to set.")
        self._asked = True
        try:
            self.brought.tell(given, [chair.seat for chair in self._lobby.players])
        except WordError as error:
            return NotGranted(reason=str(error))
        return None

    def _hand(
        self, seat: str, words: Mapping[str, Any], _runtime: Runtime | None, _at_us: int
    ) -> NotGranted | None:
        if self._lobby.phase == "playing":
            return NotGranted(reason="Opening hands are picked before a game (1.0.6).")
        try:
            self.brought.pick(seat, words.get("tiles"), self.tiles)
        except WordError as error:
            return NotGranted(reason=str(error))
        return None

    def _tile(
        self, _seat: str, words: Mapping[str, Any], runtime: Runtime | None, _at_us: int
    ) -> NotGranted | None:
        """Add a tile that somebody describes. A name played before it was described stays unknown."""
        try:
            played = set() if runtime is None else {one.name for one in runtime.referee.state.copies.values()}
            tile = read_own(words.get("tile"), {**dict.fromkeys(played), **self.tiles}, self._folder)
        except OwnTileError as error:
            return NotGranted(reason=str(error))
        self.own[tile.name] = self.tiles[tile.name] = tile
        return None
