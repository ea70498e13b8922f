"""The lobby: who sits where, and who may start, pause or leave. Pure: no clock, no network.

A seat is known by its colour. Its commands come as ``{"do": word, …}``; the answer is a :class:`Wish`, which
the runtime carries out, or :class:`NotGranted`.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from hextraction.controller.games.marked_names import marked
from hextraction.controller.games.names import clean, looks
from hextraction.controller.payloads.health import Notices
from hextraction.controller.payloads.messages import Table, TableSeat
from msgspec.structs import asdict

__all__ = ["MOST_LETTERS", "SEATS", "Chair", "Lobby", "NotGranted", "SeatTaken", "Wish"]

MOST_LETTERS: Final = 24
SEATS: Final = ("red", "blue", "green", "yellow", "violet", "white")
_COUNTS: Final = {1: "one player", 2: "two players", 3: "three players", 4: "four players"}
_BOT_NAMES: Final = {
    "red": "Rosa",
    "blue": "Blaise",
    "green": "Gren",
    "yellow": "Gilda",
    "violet": "Viola",
    "white": "Bianca",
}

Kind = Literal["open", "person", "bot"]
Phase = Literal["lobby", "playing", "over"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """A seat and who is in it."""

    seat: str
    kind: Kind = "open"
    name: str = ""

    @property
    def called(self) -> str:
        """The name as it stands in a sentence, see :func:`marked`."""
        return marked(self.name, self.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotGranted:
    """The command is refused; the reason is a sentence for people."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken:
    """Somebody took a seat; ``again`` if it was their own, whose phones are gone."""

    seat: str
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Something for the runtime to do, or ``changed``: only the table has to be shown again.

    ``do`` is ``changed``, ``start``, ``fresh`` (a new game against easy bots instead of the running one),
    ``pause``, ``resume``, ``guest`` (``seat`` is the newcomer's), ``leave`` (a running game) or ``removed``
    (``seat`` is whoever has to go).
    """

    do: str
    seat: str


class Lobby:
    """The seats of one table.

    Args:
        seats: their colours, in playing order.
        bots_fill: bots fill open seats at the start, up to ``wanted`` (as in the demo).
        wanted: with ``bots_fill``, the minimum number of players.
        bots: whether bots may be seated at all; at a real board they have no hands to lay tiles with.
        grace_s: how long a seat waits for its phone before somebody else may take it, unless somebody at the
            table frees it.
        least: how many players the game needs.
    """

    def __init__(
        self,
        seats: Iterable[str] = SEATS,
        *,
        bots_fill: bool = False,
        wanted: int = 3,
        bots: bool = True,
        grace_s: float = 300.0,
        least: int = 2,
    ) -> None:
        self.bots = bots
        self.chairs = tuple(Chair(seat=seat) for seat in seats)
        self.bots_fill = bots_fill
        self._asked = wanted
        self.wanted = min(wanted, len(self.chairs))
        self.phase: Phase = "lobby"
        self.game: str | None = None
        self.dealt: frozenset[str] = frozenset()
        self.paused = False
        self.say = ""
        self.grace_s = grace_s
        self.least = least
        self.freed: set[str] = set()
        """Seats whose owners are away, and which somebody at the table has set free."""
        self.guests: dict[str, str] = {}
        """Players who came without a phone, and the seat that has brought each: its phone plays for them."""
        self.with_own_phone: set[str] = set()
        """Those of them who got a phone of their own meanwhile."""
        self._asleep: frozenset[str] = frozenset()
        """Those of these whose own phone is away, but not for long: nobody sees their hand meanwhile."""
        self.whose_turn: Callable[[], str] = lambda: ""
        """Returns the seat whose turn it is in the running game; empty if none is on."""
        self._away: frozenset[str] = frozenset()
        """Players whom no phone plays for now."""
        self._removals: dict[str, set[str]] = {}
        """Who wants a seat to be removed, by that seat."""
        self.notices = Notices()

    @property
    def words(self) -> frozenset[str]:
        """The words that :meth:`hear` knows."""
        return frozenset(_WORDS)

    @property
    def players(self) -> tuple[Chair, ...]:
        """The taken seats, in playing order."""
        return tuple(chair for chair in self.chairs if chair.kind != "open")

    @property
    def can_start(self) -> bool:
        """Whether a game could start now."""
        return self.phase != "playing" and (len(self.players) >= self.least or self.bots_fill)

    def note_phones(self, here: Mapping[str, bool], away_s: Mapping[str, float]) -> None:
        """Note who has a phone here, which guests have their own, and whose is only asleep.

        Asleep is one that has gone less than ``grace_s`` ago, as long as nobody has freed the seat.
        """
        theirs = {seat for seat in self.guests if seat in self.with_own_phone or here.get(seat, False)}
        self.with_own_phone = theirs
        self._asleep = frozenset(
            seat
            for seat in theirs - self.freed
            if not here.get(seat, False) and away_s.get(seat, math.inf) < self.grace_s
        )
        self._away = frozenset(seat for seat, is_here in self.reached(here).items() if not is_here)

    def guests_of(self, seat: str, here: Mapping[str, bool]) -> tuple[str, ...]:
        """Return the players for whom a seat's phone plays: whom it has brought, and who have none here."""
        return tuple(one.seat for one in self.players if self._by(one, here) == seat)

    def _by(self, chair: Chair, here: Mapping[str, bool]) -> str:
        """Return the seat whose phone plays for somebody; empty if they have their own."""
        return "" if here.get(chair.seat, False) else self._bringer(chair.seat)

    def _bringer(self, seat: str) -> str:
        return "" if seat in self._asleep else self.guests.get(seat, "")

    def reached(self, here: Mapping[str, bool]) -> dict[str, bool]:
        """Return which seats have a phone that plays for them, their own or that of who has brought them."""
        seats = [chair.seat for chair in self.chairs]
        return {seat: here.get(seat, False) or here.get(self._bringer(seat), False) for seat in seats}

    def unreached_s(self, away_s: Mapping[str, float]) -> dict[str, float]:
        """Return for how long each seat has had no phone that plays for it."""
        seats = [chair.seat for chair in self.chairs]
        return {
            seat: min(away_s.get(seat, math.inf), away_s.get(self._bringer(seat), math.inf)) for seat in seats
        }

    def table(self, here: Mapping[str, bool]) -> Table:
        """Return the lobby as everybody sees it."""
        reached = self.reached(here)
        return Table(
            phase=self.phase,
            seats=tuple(
                TableSeat(
                    seat=chair.seat,
                    name=chair.name or chair.seat.capitalize(),
                    colour=chair.seat,
                    kind=chair.kind,
                    here=chair.kind == "bot" or (chair.kind == "person" and reached[chair.seat]),
                    joins_next=self._waits(chair),
                    by=self._by(chair, here) if chair.kind == "person" else "",
                )
                for chair in self.chairs
            ),
            game=self.game,
            can_start=self.can_start,
            paused=self.paused,
            say=self.say,
            **asdict(self.notices),
        )

    # --- coming and going -----------------------------------------------------------------------------------

    def join(self, name: str, seat: str | None, away_s: Mapping[str, float]) -> SeatTaken | NotGranted:
        """Give somebody the requested seat, or the first open one; in the demo, that of the bot who is next.

        A person's seat may be requested again when none of its phones has been connected for a while
        (``away_s``; an empty battery, a browser that forgot), or when somebody at the table has freed it. The
        table is told, and the old phone may take the seat back.
        """
        if seat is None:
            free = [chair for chair in self._from_next() if self._is_free(chair)]
            unseated = (chair for chair in self.chairs if self._is_free(chair))
            chair = next((chair for chair in free if chair.kind == "bot"), next(unseated, None))
            return self._sit(chair, name) if chair else NotGranted(reason="Every seat is taken.")
        wanted = self._chair(seat)
        if wanted is None:
            return NotGranted(reason="There is no such seat at this table.")
        if wanted.kind == "person":
            return self._sit_again(wanted, self.unreached_s(away_s)[seat])
        if wanted.kind == "bot" and not self.bots_fill:
            return NotGranted(reason="A bot sits there. Anybody at the table can free its seat.")
        return self._sit(wanted, name)

    def _from_next(self) -> tuple[Chair, ...]:
        """Return the seats in the order of their next turns.

        Last is the one whose turn it is now; in a break it is first, since its turn is yet to be played on.
        """
        seats = [chair.seat for chair in self.chairs]
        turn = self.whose_turn()
        first = seats.index(turn) + (not self.paused) if turn in seats else 0
        return self.chairs[first:] + self.chairs[:first]

    def _sit(self, chair: Chair, name: str) -> SeatTaken | NotGranted:
        if chair.kind == "open" and not self._is_free(chair):
            return NotGranted(reason="Whoever sat there has left this game. The seat is free when it ends.")
        shown = self._own_name(clean(name, MOST_LETTERS) or chair.seat.capitalize(), chair.seat)
        if isinstance(shown, NotGranted):
            return shown
        self._put(replace(chair, kind="person", name=shown))
        self.guests.pop(chair.seat, None)
        late = " and plays from the next game on" if self._waits(self._chair(chair.seat)) else ""
        self.say = f"{shown} sat down{late}."
        return SeatTaken(seat=chair.seat)

    def _is_free(self, chair: Chair) -> bool:
        """Whether a person who requests no seat may get this one; in the demo they may replace a bot.

        A seat whose player left the running game keeps that player's hand until the game is over.
        """
        if chair.kind == "bot":
            return self.bots_fill
        return chair.kind == "open" and not (self.phase == "playing" and chair.seat in self.dealt)

    def _waits(self, chair: Chair | None) -> bool:
        """Whether somebody came too late for the running game and plays in the next."""
        late = self.phase == "playing" and chair is not None and chair.seat not in self.dealt
        return late and chair is not None and chair.kind == "person"

    def _sit_again(self, chair: Chair, away_s: float) -> SeatTaken | NotGranted:
        if not away_s:
            return NotGranted(reason=f"{chair.called} sits there, and their phone is here.")
        if away_s < self.grace_s and chair.seat not in self.freed:
            minutes = max(1, round((self.grace_s - away_s) / 60))
            when = f"in {minutes} minute{'s' if minutes > 1 else ''}"
            return NotGranted(
                reason=f"{chair.called} sits there, and the phone is only asleep. The seat is free {when}, "
                "or as soon as somebody at the table frees it."
            )
        self.freed.discard(chair.seat)
        self.say = f"{chair.called} plays on a new phone now. The old one can take the seat back."
        return SeatTaken(seat=chair.seat, again=True)

    def _guest(self, chair: Chair, words: Mapping[str, Any]) -> Wish | NotGranted:
        """Seat somebody who has no phone: that of whoever brings them plays for them, too."""
        text = words.get("name")
        name = clean(text, MOST_LETTERS) if isinstance(text, str) else ""
        if not name:
            return NotGranted(reason="A name needs at least one letter that can be seen.")
        if chair.seat in self.guests:
            return NotGranted(reason="Whoever has brought you can add somebody.")
        taken = self.join(name, None, {})
        if isinstance(taken, NotGranted):
            return taken
        self.guests[taken.seat] = chair.seat
        self.say = f"{self._called(taken.seat)} plays on {chair.called}'s phone."
        return Wish(do="guest", seat=taken.seat)

    def _called(self, seat: str) -> str:
        chair = self._chair(seat)
        return chair.called if chair is not None else seat

    def given_back(self, seat: str) -> None:
        """Note that the phone that had a seat before has taken it back."""
        self.say = f"{self._called(seat)} has the seat back."

    def _own_name(self, name: str, seat: str) -> str | NotGranted:
        """Return the name, with the seat's colour added if another seat has the same one.

        One that only looks the same, with letters of another script or a digit, is refused.
        """
        others = [chair.name or chair.seat.capitalize() for chair in self.chairs if chair.seat != seat]
        if name.casefold() in {other.casefold() for other in others}:
            name = f"{name[: MOST_LETTERS - len(seat) - 3]} ({seat})"
        alike = next((other for other in others if looks(other) == looks(name)), None)
        if alike is not None:
            return NotGranted(
                reason=f"That name looks like {marked(alike)}, who sits here already. Choose another one."
            )
        return name

    # --- commands of a seat ---------------------------------------------------------------------------------

    def hear(self, seat: str, words: Mapping[str, Any]) -> Wish | NotGranted:
        """Carry out the lobby's part of a seat's command; return what the runtime has to do."""
        chair = self._chair(seat)
        if chair is None or chair.kind != "person":
            return NotGranted(reason="Nobody sits there.")
        do = words.get("do")
        handler = _WORDS.get(do) if isinstance(do, str) else None
        if handler is None:
            return NotGranted(reason=f"The lobby knows {', '.join(sorted(_WORDS))}.")
        return handler(self, chair, words)

    def start(self) -> Wish | NotGranted:
        """Let a game begin, as nobody's seat has asked for: the house did."""
        return self._begin("")

    def pause(self, *, on: bool | None = None) -> Wish | NotGranted:
        """Begin a break or end it (None: whichever is not), as nobody's seat has asked for: the house did."""
        return self._break("", "The house", not self.paused if on is None else on)

    def _start(self, chair: Chair, _words: Mapping[str, Any]) -> Wish | NotGranted:
        return self._begin(chair.seat)

    def _begin(self, seat: str) -> Wish | NotGranted:
        if self.phase == "playing":
            return NotGranted(reason="A game is on already.")
        if not self.can_start:
            return NotGranted(reason=f"You need at least {_COUNTS.get(self.least, self.least)}.")
        self.fill()
        return Wish(do="start", seat=seat)

    def _rematch(self, chair: Chair, _words: Mapping[str, Any]) -> Wish | NotGranted:
        """Gather for another game: people may come, go and choose before somebody starts it."""
        if self.phase != "over":
            return NotGranted(reason="There is no game to play again.")
        self._gather()
        self.say = f"{chair.called} wants a rematch. Who plays?"
        return Wish(do="changed", seat=chair.seat)

    def _gather(self) -> None:
        self.phase, self.game, self.dealt = "lobby", None, frozenset()

    def _fresh(self, chair: Chair, _words: Mapping[str, Any]) -> Wish | NotGranted:
        """Let somebody who came into a game of bots have one from its beginning."""
        if self.phase != "playing" or not self.bots_fill:
            return NotGranted(reason="No game of bots is on.")
        ours = {chair.seat, *(guest for guest, bringer in self.guests.items() if bringer == chair.seat)}
        if any(other.kind == "person" for other in self.players if other.seat not in ours):
            return NotGranted(reason="Somebody else plays in this game.")
        self.fill()
        return Wish(do="fresh", seat=chair.seat)

    def _pause(self, chair: Chair, words: Mapping[str, Any]) -> Wish | NotGranted:
        if self.phase == "playing" and self._waits(chair):
            return NotGranted(reason="You play from the next game on.")
        return self._break(chair.seat, chair.called, words["do"] == "pause")

    def _break(self, seat: str, called: str, wanted: bool) -> Wish | NotGranted:  # noqa: FBT001 - on or off
        if self.phase != "playing":
            return NotGranted(reason="No game is on.")
        if self.paused == wanted:
            return NotGranted(reason="The game is paused already." if wanted else "The game is not paused.")
        self.paused = wanted
        self.say = f"{called} {'paused' if wanted else 'resumed'} the game."
        return Wish(do="pause" if wanted else "resume", seat=seat)

    def _leave(self, chair: Chair, _words: Mapping[str, Any]) -> Wish:
        self.say = f"{chair.called} left."
        if self.phase == "playing" and self.bots_fill and not self._waits(chair):
            self._put(_bot(chair.seat))
            return Wish(do="changed", seat=chair.seat)
        if self.phase == "playing" and not self._waits(chair):
            return Wish(do="leave", seat=chair.seat)
        self._put(Chair(seat=chair.seat))
        return Wish(do="changed", seat=chair.seat)

    def _free(self, chair: Chair, words: Mapping[str, Any]) -> Wish | NotGranted:
        """Let somebody else take the seat of a person whose phone is away."""
        other = self._chair(str(words.get("seat")))
        if other is None or other.kind != "person" or other.seat == chair.seat:
            return NotGranted(reason="Nobody else sits there.")
        self.freed.add(other.seat)
        self.say = f"{chair.called} frees {other.called}'s seat for somebody else while that phone is away."
        return Wish(do="changed", seat=chair.seat)

    def _remove(self, chair: Chair, words: Mapping[str, Any]) -> Wish | NotGranted:
        """Count who wants a player to leave; the player has to go when more than half of the others do.

        One alone cannot: it takes two at least, so nobody is removed from a table of two. Each phone counts
        once, for however many it plays. In the turn of somebody whose phone is away one is enough,
        where a bot may go on for them.
        """
        other = self._chair(str(words.get("seat")))
        if other is None or other.kind != "person" or other.seat == chair.seat:
            return NotGranted(reason="Nobody else sits there.")
        if self._waits(chair):
            return NotGranted(reason="You play from the next game on.")
        if self._bot_may_go_on(other.seat):
            outcome = self.remove(other.seat)
            self.say = f"A bot plays for {other.called} until somebody takes over from it."
            return outcome
        people = {one.seat for one in self.players if one.kind == "person" and not self._waits(one)}
        others = people - self.guests.keys() - {other.seat, self.guests.get(other.seat, "")}
        votes = self._removals.setdefault(other.seat, set())
        votes.add(self.guests.get(chair.seat, chair.seat))
        votes &= others
        needed = max(2, len(others) // 2 + 1)
        if len(votes) < needed:
            self.say = f"{chair.called} wants {other.called} to leave: {len(votes)} of {needed} votes."
            return Wish(do="changed", seat=chair.seat)
        return self.remove(other.seat)

    def _bot_may_go_on(self, seat: str) -> bool:
        """Whether it is the turn of a player whose phone is away, at a table where bots fill seats."""
        return self.bots_fill and seat in self._away and self.whose_turn() == seat

    def remove(self, seat: str) -> Wish | NotGranted:
        """Make a player leave, as the table or its host has decided."""
        chair = self._chair(seat)
        if chair is None or chair.kind != "person":
            return NotGranted(reason="Nobody sits there.")
        self._removals.pop(seat, None)
        outcome = self._leave(chair, {})
        self.say = f"The table has taken {chair.called}'s seat back."
        return Wish(do="leave" if outcome.do == "leave" else "removed", seat=seat)

    def _name(self, chair: Chair, words: Mapping[str, Any]) -> Wish | NotGranted:
        text = words.get("name")
        name = clean(text, MOST_LETTERS) if isinstance(text, str) else ""
        if not name:
            return NotGranted(reason="A name needs at least one letter that can be seen.")
        if self.phase == "playing":
            return NotGranted(reason="You can change your name between two games.")
        shown = self._own_name(name, chair.seat)
        if isinstance(shown, NotGranted):
            return shown
        self._put(replace(chair, name=shown))
        return Wish(do="changed", seat=chair.seat)

    def _bot(self, chair: Chair, words: Mapping[str, Any]) -> Wish | NotGranted:
        """Seat a bot, or free a bot's seat."""
        other = self._chair(str(words.get("seat")))
        needed, then = ("open", "bot") if words["do"] == "bot" else ("bot", "open")
        if self.phase == "playing":
            return NotGranted(reason="You can change seats between two games.")
        if other is None or other.kind != needed:
            return NotGranted(reason=f"You need another seat here: {needed}.")
        if not self.bots:
            return NotGranted(reason="Bots have no hands to lay real tiles with.")
        self._put(_bot(other.seat) if then == "bot" else Chair(seat=other.seat))
        return Wish(do="changed", seat=chair.seat)

    def suit(self, seats: range) -> None:
        """Note how many may play the game of this table; bots that are too many get up."""
        self.least, most = seats[0], seats[-1]
        self.wanted = min(max(self._asked, self.least), most, len(self.chairs))
        if self.phase == "playing":
            return
        for chair in reversed(self.chairs):
            if chair.kind == "bot" and len(self.players) > most:
                self._put(Chair(seat=chair.seat))

    def chose(self, seat: str, title: str) -> None:
        """Note that somebody chose another game to be played next."""
        self._gather()
        self.say = f"{self._called(seat)} chose {marked(title)}."

    # --- calls from the runtime -----------------------------------------------------------------------------

    def fill(self) -> None:
        """Let bots take open seats, up to the wanted number."""
        for chair in self.chairs:
            if self.bots_fill and chair.kind == "open" and len(self.players) < self.wanted:
                self._put(_bot(chair.seat))

    def began(self, game: str) -> None:
        """Note that a game has begun."""
        self.phase, self.game, self.paused, self.say = "playing", game, False, "The game is on."
        self.dealt = frozenset(chair.seat for chair in self.players)

    def ended(self, say: str) -> None:
        """Note that the game is over, and how it ended."""
        self.phase, self.paused, self.say = "over", False, say

    def left(self, seat: str) -> None:
        """Free the seat of a player who left a game that is now over or goes on without them."""
        self._put(Chair(seat=seat))

    def restore(self, chairs: Iterable[Chair], game: str | None) -> None:
        """Seat everybody as recorded in a journal."""
        for chair in chairs:
            self._put(chair)
        if game is not None:
            self.began(game)

    def _chair(self, seat: str) -> Chair | None:
        return next((chair for chair in self.chairs if chair.seat == seat), None)

    def _put(self, new: Chair) -> None:
        if new.kind != "person":
            self.guests = {one: by for one, by in self.guests.items() if new.seat not in {one, by}}
            self.freed.discard(new.seat)
            self._removals.pop(new.seat, None)
            for votes in self._removals.values():
                votes.discard(new.seat)
        self.chairs = tuple(new if chair.seat == new.seat else chair for chair in self.chairs)


def _bot(seat: str) -> Chair:
    return Chair(seat=seat, kind="bot", name=_BOT_NAMES.get(seat, f"Bot {seat}"))


_WORDS: Final[Mapping[str, Callable[[Lobby, Chair, Mapping[str, Any]], Wish | NotGranted]]] = {
    "start": Lobby._start,  # noqa: SLF001  # the table of words belongs to the class
    "rematch": Lobby._rematch,  # noqa: SLF001
    "fresh": Lobby._fresh,  # noqa: SLF001
    "pause": Lobby._pause,  # noqa: SLF001
    "resume": Lobby._pause,  # noqa: SLF001
    "leave": Lobby._leave,  # noqa: SLF001
    "name": Lobby._name,  # noqa: SLF001
    "bot": Lobby._bot,  # noqa: SLF001
    "open": Lobby._bot,  # noqa: SLF001
    "free": Lobby._free,  # noqa: SLF001
    "guest": Lobby._guest,  # noqa: SLF001
    "remove": Lobby._remove,  # noqa: SLF001
}
