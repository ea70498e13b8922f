"""The archive: chronicles of finished games beside the journal, made once, and what phones may ask for.

``games.history/`` holds a chronicle for each game (``GAME.json.gz``) and all summaries (``summaries.json``).
It is made of the journal alone: whoever deletes it gets it again at the next start.
"""

import gzip
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from hextraction.controller.history.chronicle import FORMAT, Chronicle, Player, Summary
from hextraction.controller.history.ladder import Rung, climb
from hextraction.controller.history.statistics import PlayerStats, TileStats, players_of, tiles_of
from hextraction.controller.play.journal import Journal, JournalError

__all__ = ["Archive", "GameInShort", "Index", "Ladder", "index_of"]

_log = logging.getLogger(__name__)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_MOST_GAMES: Final = 200
_MOST_TILES: Final = 60
_MOST_BYTES: Final = 8 * 1024 * 1024
"""Chronicles that are served at most, packed, the newest first; older ones `hextraction export` writes."""

Teller = Callable[[Journal, str], Chronicle]
"""Tells one game of a journal again."""


class _Summaries(msgspec.Struct):
    """All games that were told again, oldest first, and those that could not be."""

    games: list[Summary] = []
    failed: list[str] = []
    v: int = FORMAT


class GameInShort(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the list of games."""

    game: str
    kind: str
    title: str
    wall: str
    outcome: str
    players: tuple[Player, ...]
    turns: int
    minutes: float
    replay: bool = True


class Ladder(msgspec.Struct, frozen=True, kw_only=True):
    """The ladder of one kind of game."""

    kind: str
    title: str
    rungs: tuple[Rung, ...]


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """``GET /history/index.json``: games, newest first, a ladder for each kind, players and tiles."""

    games: tuple[GameInShort, ...]
    ladders: tuple[Ladder, ...]
    players: tuple[PlayerStats, ...]
    tiles: tuple[TileStats, ...]
    v: int = FORMAT


class Archive:
    """The folder of one journal."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self.folder = journal.with_suffix(".history")

    def catch_up(self, tell: Teller) -> list[Summary]:
        """Tell again what has been finished since the last time; return the summaries of all games.

        Raises:
            JournalError: the journal cannot be read.
            OSError: the folder cannot be written.
        """
        known = self._known()
        done = {summary.game for summary in known.games} | set(known.failed)
        journal = Journal(self._journal)
        try:
            finished = [game for game, outcome in journal.games() if outcome is not None]
            new = [game for game in finished if game not in done and _NAME.fullmatch(game)]
            for game in new:
                self._tell(journal, game, tell, known)
            # Whatever is no more in the journal is no more told.
            known.games = [summary for summary in known.games if summary.game in finished]
        finally:
            journal.close()
        if new or not (self.folder / "summaries.json").exists():
            _write(self.folder / "summaries.json", msgspec.json.encode(known))
        return known.games

    def _tell(self, journal: Journal, game: str, tell: Teller, known: _Summaries) -> None:
        try:
            chronicle = tell(journal, game)
        except JournalError as error:
            _log.warning("game %s cannot be told again: %s", game, error)
            known.failed.append(game)
            return
        self.folder.mkdir(mode=0o750, exist_ok=True)
        _write(self._file(game), gzip.compress(msgspec.json.encode(chronicle), 6, mtime=0))
        known.games.append(chronicle.summary)

    def _known(self) -> _Summaries:
        try:
            known = msgspec.json.decode((self.folder / "summaries.json").read_bytes(), type=_Summaries)
        except (OSError, msgspec.DecodeError):
            return _Summaries()
        return known if known.v == FORMAT else _Summaries()

    def read(self, game: str) -> Chronicle | None:
        """Return the chronicle of a game, if it is there."""
        try:
            return msgspec.json.decode(gzip.decompress(self._file(game).read_bytes()), type=Chronicle)
        except (OSError, EOFError, msgspec.DecodeError):
            return None

    def _file(self, game: str) -> Path:
        return self.folder / f"{game}.json.gz"

    def shelf(self, games: list[Summary]) -> Mapping[str, bytes]:
        """Return what phones may ask for, by path, packed: the index, and the newest chronicles."""
        found: dict[str, bytes] = {}
        room = _MOST_BYTES
        for summary in reversed(games[-_MOST_GAMES:]):
            try:
                packed = self._file(summary.game).read_bytes()
            except OSError:
                continue
            room -= len(packed)
            if room < 0:
                break
            found[f"/history/{summary.game}.json"] = packed
        there = {path.removeprefix("/history/").removesuffix(".json") for path in found}
        index = msgspec.json.encode(index_of(games, there))
        return {"/history/index.json": gzip.compress(index, 6, mtime=0), **found}


def index_of(games: list[Summary], there: Iterable[str] = ()) -> Index:
    """Return list, ladder and statistics of these games; ``there`` are those that can be watched again."""
    replays = set(there)
    return Index(
        games=tuple(_in_short(summary, replays) for summary in reversed(games[-_MOST_GAMES:])),
        ladders=tuple(_ladders(games)),
        players=tuple(players_of(games)),
        tiles=tuple(tiles_of(ball for summary in games for ball in summary.balls)[:_MOST_TILES]),
    )


def _ladders(games: list[Summary]) -> Iterable[Ladder]:
    """Return the ladders, that of the game played most first."""
    counts = Counter(game.kind for game in games)
    for kind, _count in counts.most_common():
        some = [game for game in games if game.kind == kind]
        yield Ladder(kind=kind, title=some[0].title, rungs=tuple(climb(some)))


def _in_short(summary: Summary, replays: set[str]) -> GameInShort:
    return GameInShort(
        game=summary.game,
        kind=summary.kind,
        title=summary.title,
        wall=summary.wall,
        outcome=summary.outcome,
        players=summary.players,
        turns=summary.turns,
        minutes=summary.minutes,
        replay=summary.game in replays,
    )


def _write(path: Path, data: bytes) -> None:
    """Write a file so that it is whole or not there."""
    path.parent.mkdir(mode=0o750, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(data)
    new.replace(path)
