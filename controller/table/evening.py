"""The evening at a table, for whoever comes late or looks from afar: what happened last, and who won what."""

from collections import deque
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

from hextraction.controller.games.protocol import Meaning, Said
from hextraction.controller.games.registry import title_of
from hextraction.controller.payloads.messages import Evening, Event, PlayedGame
from hextraction.controller.play.dates import believed_in_order, instant
from hextraction.controller.play.journal import Header, Journal, JournalError
from msgspec.structs import replace

__all__ = ["KINDS", "Remembered", "told"]

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


KINDS: Final[Mapping[str, Meaning]] = {
    "start": Meaning("A game begins.", "A new game begins. Red goes first."),
    "proxy": Meaning(
        "Somebody answers for a player whose phone is away.", "Red answers for Blue: Nobody objects."
    ),
    "sensor": Meaning(
        "A sensor, or a device with several, counts no more, does not answer, or is back.",
        "Sensor drain.C3 does not count from now on.",
    ),
    "coils": Meaning(
        "Coils may not fire, may fire again, or something is wrong with one.",
        "Red says that all hands are clear. Gates open again.",
    ),
    "blind": Meaning(
        "The board follows no ball any more in this game.",
        "The board cannot follow the balls any longer. From now on, tap on a phone what they do.",
    ),
    "fault": Meaning(
        "Something in the program has failed; the game goes on.",
        "The board made a mistake and skips what just happened. The log says more.",
    ),
    "resumed": Meaning(
        "The program is back after a break in which it did not run.", "The board is back. The game goes on."
    ),
}
"""What the table itself tells, whichever game is on, by the kind of the event."""


class Remembered:
    """The last events, and the games of the evening with how they ended; both survive a restart.

    Games come from the journal; the events of a game that goes on are told again by its replay.
    """

    def __init__(self, journal: Journal) -> None:
        self._events: deque[Event] = deque(maxlen=_EVENTS)
        headers = list(_played(journal))
        self._games: deque[PlayedGame] = deque((_as_played(*one) for one in headers), maxlen=_GAMES)
        self._boots = {header.game: header.boot for header, _outcome in headers}

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
            self._boots[header.game] = header.boot

    @property
    def evening(self) -> Evening:
        """All of it, the oldest first."""
        return Evening(events=tuple(self._events), games=tuple(_of_one_evening(self._games, self._boots)))


def _played(journal: Journal) -> Iterable[tuple[Header, str]]:
    """Yield the newest finished games of a journal; those that nobody can read any more are left out."""
    finished = [(game, outcome) for game, outcome in journal.games() if outcome is not None]
    for game, outcome in finished[-_GAMES:]:
        try:
            yield journal.header(game), outcome
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


def _of_one_evening(games: Iterable[PlayedGame], boots: Mapping[str, str]) -> list[PlayedGame]:
    """Return the newest games of one evening, in the journal's order, without dates that cannot be true.

    Those that a clock dates began within some hours of the newest; between others the machine was not off.
    """
    known = list(games)
    walls = believed_in_order(game.wall for game in known)
    found: list[PlayedGame] = []
    newest: datetime | None = None
    for game, wall in reversed(list(zip(known, walls, strict=True))):
        at = instant(wall)
        if at is not None and newest is not None:
            same = newest - at <= _ONE_EVENING
        else:
            same = not found or boots.get(game.game) == boots.get(found[-1].game)
        if not same:
            break
        newest = newest or at
        found.append(replace(game, wall=wall))
    return found[::-1]
