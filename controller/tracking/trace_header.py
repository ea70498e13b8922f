"""The first line of a trace: how the board stood before the first edge (docs/trace.md)."""

import re
from reprlib import repr as brief
from typing import Any, Final

from hextraction.board.instruments import SETS, find_instrument, instruments
from hextraction.board.profile import Board, load_board
from hextraction.board.tiles import UNKNOWN, Catalogue
from hextraction.controller.tracking.graph import Laid
from hextraction.controller.tracking.trace_lines import LineError, read_line

__all__ = ["VERSION", "HeaderReader"]

VERSION: Final = 1
_KEYS: Final = {"trace", "board", "instruments", "tiles", "balls"}
_BALL: Final = re.compile(r"[1-9][0-9]{0,8}")
"""One way to write each number, and none too large for the facts about it."""
_LONGEST_NAME: Final = 30


class HeaderReader:
    """Reads the first line; complaints go to ``problems``, and ``board`` is None if that is not known."""

    def __init__(self, number: int, line: str, catalogue: Catalogue, problems: list[str]) -> None:
        self._number = number
        self._problems = problems
        self.board: Board | None = None
        self.sensors: tuple[str, ...] = ()
        self.which = ""
        self.tiles: dict[str, Laid] = {}
        self.balls: dict[int, str] = {}
        head = self._object(line)
        if head is None:
            return
        for key in sorted(head.keys() - _KEYS):
            self._complain(f"{_name(key)}: unknown key")
        version = head.get("trace")
        if isinstance(version, bool) or version != VERSION:
            self._complain(f"trace: want {VERSION}, found {brief(version)}")
        self.board = self._read_board(head.get("board"))
        if self.board is not None:
            self._read_instruments(self.board, head.get("instruments", "rich"))
            self._read_tiles(self.board, head.get("tiles", {}), catalogue)
            self._read_balls(self.board, head.get("balls", {}), head.get("tiles", {}))

    def _complain(self, what: str) -> None:
        self._problems.append(f"line {self._number}: {what}")

    def _object(self, line: str) -> dict[str, Any] | None:
        try:
            return read_line(line, dict[str, Any])
        except LineError as error:
            self._complain(f"want the header as a JSON object: {error}")
            return None

    def _read_board(self, name: object) -> Board | None:
        try:
            return load_board(name if isinstance(name, str) else "")
        except KeyError:
            self._complain(f"board: no board is called {brief(name)}")
            return None

    def _read_instruments(self, board: Board, found: object) -> None:
        if isinstance(found, str) and found in SETS:
            self.which = found
            self.sensors = tuple(instrument.name for instrument in instruments(board, found))
        elif isinstance(found, list):
            self.sensors = tuple(name for name in found if self._is_sensor(board, name))
            for name in sorted({name for name in self.sensors if self.sensors.count(name) > 1}):
                self._complain(f"instruments: want each sensor once, found {name!r} more often")
        else:
            self._complain(f"instruments: want {', '.join(SETS)} or a list of sensors, found {brief(found)}")

    def _is_sensor(self, board: Board, name: object) -> bool:
        if not isinstance(name, str):
            self._complain(f"instruments: want names of sensors, found {brief(name)}")
            return False
        try:
            find_instrument(board, name)
        except ValueError as error:
            self._complain(f"instruments: {error}")
            return False
        return True

    def _read_tiles(self, board: Board, found: object, catalogue: Catalogue) -> None:
        if not isinstance(found, dict):
            self._complain(f"tiles: want an object, found {brief(found)}")
            return
        for slot, laid in found.items():
            match laid:
                case [str(name), int(turns)] if slot in board.by_name and _is_turns(turns):
                    if name in catalogue or name == UNKNOWN.name:
                        self.tiles[slot] = Laid(catalogue.get(name, UNKNOWN), turns)
                    else:
                        self._complain(f"tiles.{slot}: no tile is called {brief(name)}")
                case _:
                    want = "want a slot: [tile, turns 0..5]"
                    self._complain(f"tiles.{_name(slot)}: {want}, found {brief(laid)}")

    def _read_balls(self, board: Board, found: object, tiles: object) -> None:
        if not isinstance(found, dict):
            self._complain(f"balls: want an object, found {brief(found)}")
            return
        for ball, slot in found.items():
            if not (_BALL.fullmatch(ball) and isinstance(slot, str) and slot in board.by_name):
                want = "want a number from 1 to 999999999 and a slot"
                self._complain(f"balls.{_name(ball)}: {want}, found {brief(slot)}")
            elif isinstance(tiles, dict) and slot not in tiles:
                self._complain(f"balls.{ball}: want a slot with a tile, found {slot}, which is open")
            else:
                self.balls[int(ball)] = slot


def _is_turns(found: int) -> bool:
    return found in range(6) and not isinstance(found, bool)


def _name(key: str) -> str:
    """Return a key as it can stand in one line of a message."""
    return key if len(key) <= _LONGEST_NAME and key.isprintable() else brief(key)
