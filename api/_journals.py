"""Recorded games for the library: read from a journal or an export, replayed, and told in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
from hextraction.controller.games.marked_names import plain
from hextraction.controller.games.protocol import Game, Said, Standing
from hextraction.controller.play.journal import Entry, Header, Journal, JournalError
from hextraction.controller.play.journal_lines import game_lines, load_lines
from hextraction.controller.play.recorded_game import game_of_header, must_know_tiles
from hextraction.controller.play.referee import replay

__all__ = ["RecordedGame", "RecordedPlayer", "read_games"]

_SQLITE: Final = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedPlayer:
    """Somebody in a recorded game: the seat, the name as people type it, and whether they won.

    >>> from hextraction.api import RecordedPlayer, play_game
    >>> players = play_game(seed=7).players()
    >>> players[0]
    RecordedPlayer(seat='red', name='Red', won=False)
    >>> [one.name for one in players if one.won]
    ['Green']
    """

    seat: str
    name: str
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedGame:
    """A game as it was recorded: what it started from, and everything that was accepted, in order.

    ``rules`` is the game whose ``step`` made it, and ``events`` are what it was told, each with ``at_us``,
    and the edges of sensors between them (docs/journal.md).

    >>> from hextraction.api import play_game
    >>> game = play_game("hextris", players=2, seed=1)
    >>> game.kind, game.name
    ('hextris', 'hextris-1')
    """

    name: str
    rules: Game[Any, Any]
    _header: Header
    _entries: tuple[Entry, ...]

    @property
    def kind(self) -> str:
        """Which game it is, as :func:`game_kinds` lists them."""
        return self._header.kind

    @property
    def setup(self) -> Any:
        """The struct that the game started from."""
        return self._header.setup

    @property
    def events(self) -> tuple[Any, ...]:
        """Everything in the journal, in order; what made a rule fail, and is skipped, is left out."""
        return tuple(entry.what for entry in self._entries if entry.failed is None)

    def lines(self) -> Iterator[str]:
        """Yield it as JSON Lines, as `hextraction export` writes it and :func:`read_games` reads it."""
        return game_lines(self._header, self._entries)

    def replay(self) -> Any:
        """Play it again and return the state it ends in: the same journal always gives the same state.

        It is the game's own state, which differs from game to game and is not public. Names that people
        gave themselves stand in it between U+2068 and U+2069, which are not seen.
        """
        return replay(self.rules, self._header, self._entries).state

    def standing(self) -> Standing:
        """Return how it stands at its end; ``players`` are those of :meth:`players`."""
        return self._end()[0]

    def players(self) -> tuple[RecordedPlayer, ...]:
        """Return who played, in the order of their seats, and who won: nobody, unless the game is over."""
        return self._end()[1]

    def _end(self) -> tuple[Standing, tuple[RecordedPlayer, ...]]:
        """Return how it stands at its end, and who played: names and outcome without the marks of phones."""
        state = self.replay()
        standing, winners = self.rules.standing(state), self.rules.scene(state).winners
        players = tuple(
            RecordedPlayer(seat=one.seat, name=plain(one.name), won=one.seat in winners)
            for one in standing.players
        )
        outcome = None if standing.outcome is None else plain(standing.outcome)
        return msgspec.structs.replace(standing, players=players, outcome=outcome), players

    def story(self) -> tuple[tuple[float, str], ...]:
        """Return what was told at the table: seconds since the first event, and the sentence."""
        begun_us = self._entries[0].what.at_us if self._entries else 0
        told: list[tuple[float, str]] = []

        def hear(said: Said, _seq: int, at_us: int) -> None:
            told.append(((at_us - begun_us) / 1e6, plain(said.text)))

        replay(self.rules, self._header, self._entries, on_said=hear)
        return tuple(told)


def read_games(path: Path | str, own_tiles: Path | str | None = None) -> Iterator[RecordedGame]:
    r"""Yield the games of a journal, oldest first, or the one of a file that `hextraction export` wrote.

    A journal is only read, also while a table plays on it; a game that is not over has what there is of it.

    Args:
        path: a journal (``.db``) or a game as JSON Lines. A demo writes
            ``~/.local/state/hextraction/demo.db``, a table ``games.db`` in the same folder.
        own_tiles: a folder of the players' own tiles, if some were in the game.

    Raises:
        JournalError: it is neither, it is damaged, or the rules of today refuse a game of it.
        OSError: it cannot be opened.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from hextraction.api import play_game, read_games
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "game.jsonl"
    ...     written = file.write_text("\n".join(play_game(seed=7).lines()))
    ...     (game,) = read_games(file)
    >>> game.standing().outcome
    'Green wins with a ball in the end zone!'
    """
    path, own_tiles = Path(path), None if own_tiles is None else Path(own_tiles)
    with path.open("rb") as file:
        is_journal = file.read(len(_SQLITE)) == _SQLITE
    if is_journal:
        yield from _of_journal(path, own_tiles)
    else:
        yield recorded(*load_lines(_lines(path), str(path)), own_tiles, str(path))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise JournalError(f"{path}: want a journal or a game as JSON Lines: {error}") from None


def _of_journal(path: Path, own_tiles: Path | None) -> Iterator[RecordedGame]:
    journal = Journal(path, reading=True)
    try:
        for name, _outcome in journal.games():
            yield recorded(journal.header(name), list(journal.entries(name)), own_tiles, str(path))
    finally:
        journal.close()


def recorded(header: Header, entries: list[Entry], own_tiles: Path | None, source: str) -> RecordedGame:
    """Return a game with its rules, as they are today."""
    rules = game_of_header(header, own_tiles, source)
    must_know_tiles(rules, header, source)
    return RecordedGame(name=header.game, rules=rules, _header=header, _entries=tuple(entries))
