"""The archive: chronicles of finished games beside the journal, made once, and what phones may ask for.

``games.history/`` holds a chronicle for each game (``GAME.json.gz``) and all summaries (``summaries.json``).
It is made of the journal alone: whoever deletes it gets it again at the next start.
"""

import gzip
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from hextraction.controller.history.chronicle import FORMAT, Chronicle, Player, Summary
from hextraction.controller.history.ladder import Rung, climb
from hextraction.controller.history.statistics import PlayerStats, TileStats, players_of, tiles_of
from hextraction.controller.play.dates import believed_in_order
from hextraction.controller.play.journal import Journal, JournalError
from hextraction.settings.plain import UNREADABLE, check_packed, read_packed, read_plain, replace_plain

__all__ = ["Archive", "CaughtUp", "GameInShort", "Index", "Ladder", "index_of"]

_log = logging.getLogger(__name__)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_MOST_GAMES: Final = 200
_MOST_TILES: Final = 60
_MOST_KEPT: Final = 2000
"""The newest games are told again and counted, ten years of a club's evenings; the journal has the rest."""
_AT_ONCE: Final = 200
"""A long journal that nobody has told yet is told in several goes."""
_MOST_BYTES: Final = 8 * 1024 * 1024
"""Chronicles that are served at most, packed, the newest first; older ones `hextraction export` writes."""
_MOST_UNPACKED: Final = 32 * 1024 * 1024
_MOST_SUMMARIES: Final = 32 * 1024 * 1024
_SUMMARIES: Final = "summaries.json"

Teller = Callable[[Journal, str], Chronicle]
"""Tells one game of a journal again."""
Shown = Callable[[list[str]], Iterable[str]]
"""Yields the games that it is given."""


class _Summaries(msgspec.Struct):
    """All games that were told again, oldest first, and those that could not be."""

    games: list[Summary] = []
    failed: list[str] = []
    v: int = FORMAT


class GameInShort(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the list of games; ``wall``: when it began (ISO 8601), empty if the clock was not set."""

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


class CaughtUp(NamedTuple):
    """The summaries of the games that were told, oldest first; how many finished games are still to be told.

    ``unkept`` says why they could not be kept, so that the next one tells them again; empty if they were.
    """

    games: list[Summary]
    left: int = 0
    unkept: str = ""


class Archive:
    """The folder of one journal. What is in it is input like any other: somebody may have changed it."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self.folder = journal.parent / f"{journal.stem}.history"  # whatever is named, also a folder

    def catch_up(self, tell: Teller, at_once: int = _AT_ONCE, shown: Shown = iter) -> CaughtUp:
        """Tell again what has been finished since the last time, the newest first and at most so many games.

        ``shown`` is given the games to tell, and may show how far they are.

        Raises:
            JournalError: the journal cannot be read.
        """
        known = self._known()
        journal = Journal(self._journal, reading=True)
        unkept = ""
        try:
            over = [game for game, outcome in journal.games() if outcome is not None]
            order = {game: number for number, game in enumerate(over[-_MOST_KEPT:]) if _NAME.fullmatch(game)}
            done = {summary.game for summary in known.games} | set(known.failed)
            due = [game for game in reversed(order) if game not in done]
            for game in shown(due[:at_once]):
                unkept = self._tell(journal, game, tell, known) or unkept
        finally:
            journal.close()
        # Whatever is no more in the journal is no more told.
        known.games = [summary for summary in known.games if summary.game in order]
        known.games.sort(key=lambda summary: order[summary.game])
        known.failed = [game for game in known.failed if game in order]
        if due or not (self.folder / _SUMMARIES).exists():
            unkept = self._keep(self.folder / _SUMMARIES, _encoded(known)) or unkept
        return CaughtUp(known.games, max(0, len(due) - at_once), unkept)

    def _tell(self, journal: Journal, game: str, tell: Teller, known: _Summaries) -> str:
        """Tell a game and keep its chronicle; return why it could not be kept."""
        try:
            chronicle = tell(journal, game)
        except JournalError as error:
            _log.warning("game %s cannot be told again: %s", game, error)
            known.failed.append(game)
            return ""
        known.games.append(chronicle.summary)
        return self._keep(self._file(game), gzip.compress(msgspec.json.encode(chronicle), 6, mtime=0))

    def _keep(self, path: Path, data: bytes) -> str:
        """Write a file of the archive; return why it could not be written."""
        try:
            self.folder.mkdir(mode=0o750, exist_ok=True)
            replace_plain(path, data)
        except OSError as error:
            return f"{error.filename or path}: {error.strerror}"
        return ""

    def _known(self) -> _Summaries:
        try:
            text = read_plain(self.folder / _SUMMARIES, _MOST_SUMMARIES)
            known = msgspec.json.decode(text, type=_Summaries)
        except (OSError, *UNREADABLE):
            return _Summaries()
        return known if known.v == FORMAT else _Summaries()

    def read(self, game: str) -> Chronicle | None:
        """Return the chronicle of a game, if it is there."""
        try:
            text = read_packed(self._file(game), _MOST_BYTES, _MOST_UNPACKED)
            return msgspec.json.decode(text, type=Chronicle)
        except (OSError, *UNREADABLE):
            return None

    def _file(self, game: str) -> Path:
        return self.folder / f"{game}.json.gz"

    def shelf(self, games: list[Summary]) -> Mapping[str, bytes]:
        """Return what phones may ask for, by path, packed: the index, and the newest chronicles."""
        found: dict[str, bytes] = {}
        room = _MOST_BYTES
        for summary in reversed(games[-_MOST_GAMES:]):
            try:
                packed = read_plain(self._file(summary.game), _MOST_BYTES)
                check_packed(packed, _MOST_UNPACKED, self._file(summary.game))
            except OSError:
                continue
            room -= len(packed)
            if room < 0:
                break
            found[f"/history/{summary.game}.json"] = packed
        there = {path.removeprefix("/history/").removesuffix(".json") for path in found}
        index = msgspec.json.encode(index_of(games, there))
        return {"/history/index.json": gzip.compress(index, 6, mtime=0), **found}


def _encoded(known: _Summaries) -> bytes:
    """Return all summaries as they are kept: as many of the newest as will be read again."""
    text = msgspec.json.encode(known)
    while len(text) > _MOST_SUMMARIES and known.games:
        del known.games[: max(1, len(known.games) // 8)]
        text = msgspec.json.encode(known)
    return text


def index_of(games: list[Summary], there: Iterable[str] = ()) -> Index:
    """Return list, ladder and statistics of these games; ``there`` are those that can be watched again."""
    replays = set(there)
    dates = list(believed_in_order((summary.wall for summary in games), datetime.now(UTC)))
    shown = list(zip(games, dates, strict=True))[-_MOST_GAMES:]
    return Index(
        games=tuple(_in_short(summary, date, replays) for summary, date in reversed(shown)),
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


def _in_short(summary: Summary, date: str, replays: set[str]) -> GameInShort:
    return GameInShort(
        game=summary.game,
        kind=summary.kind,
        title=summary.title,
        wall=date,
        outcome=summary.outcome,
        players=summary.players,
        turns=summary.turns,
        minutes=summary.minutes,
        replay=summary.game in replays,
    )
