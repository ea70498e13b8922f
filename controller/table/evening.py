"""The evening at a table, for whoever comes late or looks from afar: what happened last, and who won what."""

from collections import deque
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from hextraction.controller.games.protocol import Said
from hextraction.controller.games.registry import title_of
from hextraction.controller.phones.payloads.messages import Evening, Event, PlayedGame
from hextraction.controller.play.journal import Header, Journal, JournalError

__all__ = ["Remembered", "told"]

_EVENTS: Final = 20
_GAMES: Final = 12
_ONE_EVENING: Final = timedelta(hours=18)
"""Games that began within this time before the newest are of the same evening."""


def told(said: Said, *, game: str, seq: int, at_us: int) -> Event:
    """Return what happened as everybody is told it."""
    return Event(
        game=game,
        seq=seq,
        at_us=at_us,
        kind=said.kind,
        text=said.text,
        seat=said.seat,
        slot=said.slot,
        ball=said.ball,
        clause=said.clause,
    )


class Remembered:
    """The last events, and the games of the evening with how they ended; both survive a restart.

    Games come from the journal; the events of a game that goes on are told again by its replay.
    """

    def __init__(self, journal: Journal) -> None:
        self._events: deque[Event] = deque(maxlen=_EVENTS)
        self._games: deque[PlayedGame] = deque(_played(journal), maxlen=_GAMES)

    def heard(self, event: Event) -> None:
        """Remember an event, and forget the oldest."""
        self._events.append(event)

    def before(self, events: Iterable[Event]) -> None:
        """Remember events of before the program was started, if none has been heard since."""
        if not self._events:
            self._events.extend(events)

    def over(self, header: Header, outcome: str) -> None:
        """Remember how a game ended."""
        if all(known.game != header.game for known in self._games):
            self._games.append(_as_played(header, outcome))

    @property
    def evening(self) -> Evening:
        """All of it, the oldest first."""
        return Evening(events=tuple(self._events), games=tuple(_of_one_evening(self._games)))


def _played(journal: Journal) -> Iterable[PlayedGame]:
    """Return the newest finished games of a journal; those that nobody can read any more are left out."""
    finished = [(game, outcome) for game, outcome in journal.games() if outcome is not None]
    for game, outcome in finished[-_GAMES:]:
        try:
            yield _as_played(journal.header(game), outcome)
        except JournalError:
            continue


def _as_played(header: Header, outcome: str) -> PlayedGame:
    players = tuple(seat.name for seat in header.setup.seats)
    return PlayedGame(
        game=header.game,
        kind=header.kind,
        title=title_of(header.kind),
        wall=header.wall,
        players=players,
        outcome=outcome,
    )


def _of_one_evening(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    """Return the games that were begun within some hours of the newest."""
    known = [(game, _began(game)) for game in games]
    newest = max((at for _game, at in known if at is not None), default=None)
    return [game for game, at in known if at is None or newest is None or newest - at <= _ONE_EVENING]


def _began(game: PlayedGame) -> datetime | None:
    try:
        return datetime.strptime(game.wall, "%Y-%m-%dT%H:%M:%S%z")
    except ValueError:
        return None
