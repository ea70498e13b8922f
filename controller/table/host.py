"""The host: one table. It seats people and bots, starts games and rematches, and answers phones.

The host holds at most one :class:`~hextraction.controller.play.runtime.Runtime` and knows its game only as
the protocol has it. It is driven from outside, by the simulation or by the real clock, and every input brings
its time. Nothing here waits. :mod:`.showing` makes what it shows.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from hextraction.board.facts import BallInZone
from hextraction.controller.bots.players import Bot, Following
from hextraction.controller.games.marked_names import plain
from hextraction.controller.games.protocol import (
    Acted,
    Game,
    Occasion,
    Preparation,
    Said,
    Seated,
    Senses,
    Told,
)
from hextraction.controller.games.registry import title_of
from hextraction.controller.games.strategy import Knows, Luck, Sight, answers_to
from hextraction.controller.payloads.health import GameChoice, Notices
from hextraction.controller.payloads.house import Brightness, Happening, News, Order, Start
from hextraction.controller.payloads.messages import Command, Diag, Evening, Event, Reply
from hextraction.controller.play.journal import Entry, Header, Journal, JournalError, JournalLostError
from hextraction.controller.play.performer import Performer
from hextraction.controller.play.referee import Referee, replay
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.audience import Audience
from hextraction.controller.table.evening import Remembered, told
from hextraction.controller.table.granted import GOES, STARTS, Starts, fulfil, gone, rename
from hextraction.controller.table.lobby import Chair, Lobby, NotGranted, Wish
from hextraction.controller.table.proxies import spoken_for, with_phones_away
from hextraction.controller.table.showing import SHOW_EVERY_US, Showing, reply
from hextraction.controller.table.words import Answer, Asked, Words
from hextraction.hal.ports import Edge
from msgspec.structs import replace

__all__ = ["Audience", "Host", "Plan"]

_log = logging.getLogger(__name__)
_HAPPENS: Final[Mapping[str, Happening]] = {"start": "start", "win": "win", "fault": "fault"}
"""What of all that is told a house may act upon."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How games start at this table.

    ``header`` wraps a set-up with a new game's name; ``luck`` draws what is left to chance; ``senses`` is
    what the board sees and does by itself. ``bot`` makes a bot for a seat, ``easy_bot`` one for beginners.
    ``keep`` is the folder for what people make on their phones. ``answer_for_after_s`` is how long the phone
    of a seat has to be away before others may answer for it. ``no_games`` says why none can start now, if
    that is so. ``games`` makes each game that this table may play, by its kind; without any it plays only
    the one it opened with. ``own_hands``: the table's own hands lay and lift whatever the game waits for, as
    at a simulated board; then nobody is asked to.
    """

    header: Callable[[Any], Header]
    luck: Luck
    answer_for_after_s: float
    senses: Senses = field(default=Senses())
    bot: Callable[[str], Bot] | None = None
    easy_bot: Callable[[str], Bot] | None = None
    own_hands: bool = False
    keep: Path | None = None
    no_games: str = ""
    games: Mapping[str, Callable[[], Game[Any, Any]]] = field(default_factory=dict)


class Host:
    """One table with its lobby, its journal and at most one running game.

    Raises:
        SettingsError: what people made for this game cannot be read.
    """

    def __init__(
        self, *, game: Game[Any, Any], journal: Journal, performer: Performer, lobby: Lobby, plan: Plan
    ) -> None:
        self.game = game
        self.journal = journal
        self.performer = performer
        self.lobby = lobby
        self.plan = plan
        self.runtime: Runtime | None = None
        self.bots: dict[str, Bot] = {}
        self._easy = False
        """Whether the bots of the running game are those for beginners."""
        self._following = Following()
        self._hurried = False
        """Whether somebody wants no bot to wait until they have followed it, until their own turn."""
        self.preparation: Preparation = game.preparation(plan.keep)
        self._starts = Starts()
        self.words = Words()
        self.words.add(lobby.words, self._lobby_word)
        self.words.add(("broken", "working"), self._sensor)
        self.words.add(("hurry",), self._hurry)
        self.words.add(self.preparation.words, self._game_word)
        if len(plan.games) > 1:
            self.words.add(("game",), self._choose)
        self._showing = Showing(performer, Remembered(journal), self._guests, own_hands=plan.own_hands)
        self.replaying: tuple[str, int] | None = None
        """The game that is being recalled, and the number of the entry that it is at."""
        self.narrowed = 0
        """How much of :attr:`Tracker.narrowed` has been logged."""
        self.on_input: Callable[[], None] = lambda: None
        """Called after each input: whoever drives the host looks what is due next."""
        self.on_edge: Callable[[Edge], None] | None = None
        """Called with each change of a sensor; nobody counts them by default."""
        self.on_game: Callable[[], None] = lambda: None
        """Called when the table will play another game from now on."""
        self.on_news: Callable[[News], None] = lambda _news: None
        """Called at once, before anything is shown, with what a house may act upon."""
        lobby.suit(game.seats)
        lobby.whose_turn = lambda: "" if self.playing is None else self.playing.standing.active
        self.look_again(0)

    @property
    def audience(self) -> Audience | None:
        """Whom the table is shown to; None for nobody."""
        return self._showing.audience

    @audience.setter
    def audience(self, audience: Audience | None) -> None:
        self._showing.audience = audience

    @property
    def playing(self) -> Runtime | None:
        """The game that is on, or None."""
        return self.runtime if self.runtime is not None and not self.runtime.over else None

    @property
    def seated(self) -> bool:
        """Whether any person sits at the table."""
        return bool(self._people)

    @property
    def attended(self) -> bool:
        """Whether the phone of anybody who sits at the table is there."""
        return self.audience is not None and any(self.audience.here.get(seat) for seat in self._people)

    @property
    def evening(self) -> Evening:
        """What happened last at this table, and the games of the evening."""
        return self._showing.remembered.evening

    def remember(self, events: Iterable[Event]) -> None:
        """Remember what was told before this start, unless something has been told since."""
        self._showing.remembered.before(events)

    @property
    def broken(self) -> frozenset[str]:
        """The sensors that people have declared broken in this game."""
        return frozenset() if self.runtime is None else frozenset(self.runtime.referee.broken)

    # --- what drives the host -------------------------------------------------------------------------------

    def edge(self, edge: Edge) -> None:
        """Handle a sensor change, even in a paused game: balls do not pause with people."""
        if self.on_edge is not None:
            self.on_edge(edge)
        if self.playing is not None:
            self.playing.edge(edge)
            self.on_input()

    def power(self, on: bool, at_us: int) -> None:  # noqa: FBT001 - the hal calls back like this
        """Handle the board's switch being flipped."""
        if self.playing is not None:
            self.playing.switch(at_us, on=on)
            self.on_input()

    def advance(self, now_us: int) -> None:
        """Let time pass; in a break the game waits for nothing, but balls still come to rest."""
        if self.playing is not None:
            self.playing.advance(now_us)

    def bots_act(self, now_us: int) -> None:
        """Let those bots act that have thought long enough, once people have seen what a bot did before."""
        runtime = self.playing
        if runtime is None or self.lobby.paused:
            return
        if self._following.still(now_us, lambda: self._showing.asked(runtime, self.bots)):
            return
        sight = Sight(lambda: runtime.referee.lies.tiles, runtime.scene)
        for seat, bot in self.bots.items():
            view = self._showing.private(runtime, seat)
            if view is None:
                continue
            act = bot.think(view, sight, now_us)
            if act is not None:
                acted = Acted(at_us=now_us, seat=seat, act=act, chance=self.plan.luck.getrandbits(64))
                refused = runtime.act(acted)
                if refused is not None:
                    _log.warning("bot %s was refused %s: %s (%s)", seat, act, refused.reason, refused.clause)
                elif self._people and not self._hurried:
                    asks = self.attended and bool(self._showing.asked(runtime, self.bots))
                    if self._following.look(now_us, bot.seen_us(act, asks=asks), asks=asks):
                        return

    def witness(self, now_us: int, knows: Knows) -> None:
        """Answer what people are asked and only the simulator can know or do: there are no real balls."""
        runtime = self.playing
        if runtime is None or self.lobby.paused:
            return
        for prompt in [one for one in self._showing.asked(runtime, self.bots) if one.watched]:
            said, chance = self.plan.luck.choice(answers_to(prompt, knows)), self.plan.luck.getrandbits(64)
            runtime.act(Acted(at_us=now_us, seat=prompt.seat, act=said.act, chance=chance))

    def show_at_us(self, every_us: int = SHOW_EVERY_US) -> int | None:
        """Return when :meth:`refresh` is due: at once after a change, at most this often; None: no news."""
        return None if self.runtime is None else self._showing.due_us(self.runtime, every_us)

    def refresh(self, now_us: int, *, blink: bool = False) -> None:
        """Light the board and show phones what has changed since the last refresh."""
        runtime = self.runtime
        if runtime is None:
            return
        if runtime.over and self.lobby.phase == "playing":
            outcome = runtime.standing.outcome or "The game is over."
            self.lobby.ended(outcome)
            self._showing.remembered.over(runtime.referee.header, outcome)
            self.show_table()
        self._showing.refresh(runtime, self._people, self._away, now_us, blink=blink)

    @property
    def _people(self) -> list[str]:
        return [chair.seat for chair in self.lobby.players if chair.kind == "person"]

    def _away(self) -> frozenset[str]:
        """The seats for which others may answer now."""
        if self.audience is None:
            return frozenset()
        here, away_s = self.lobby.reached(self.audience.here), self.lobby.unreached_s(self.audience.away_s)
        return with_phones_away(self._people, here, away_s, self.plan.answer_for_after_s)

    def _guests(self, seat: str) -> tuple[str, ...]:
        """Return the players without a phone for whom that of a seat plays now."""
        return self.lobby.guests_of(seat, {} if self.audience is None else self.audience.here)

    # --- games ----------------------------------------------------------------------------------------------

    def start(self, at_us: int, *, easy: bool = False) -> list[tuple[str, str]]:
        """Start a game with the taken seats, with ``easy`` bots; return the objections, as (text, clause)."""
        setup = self.preparation.set_up(self._occasion(at_us))
        problems = list(self.game.problems(setup))
        if problems:
            return problems
        if self.playing is not None:
            self.journal.finish(self.playing.game, "A new game has started instead.")
        header = replace(self.plan.header(setup), kind=self.game.kind)
        referee = Referee(self.game, header)
        self.runtime = Runtime(referee, self.journal, self.performer, self._said, self._goal)
        self.runtime.begin()
        self.bots.clear()
        self._easy = easy
        self._seat_bots()
        self.lobby.began(header.game)
        self._showing.anew()
        self._said(Said(kind="start", text=f"A new game begins. {self._first()} goes first."), 0, at_us)
        self._note(broken=())
        self.show_table()
        return []

    def recall(self, game: str) -> None:
        """Load an interrupted game from the journal; :meth:`resume` must follow.

        It goes on with the pieces that it was begun with, whatever has become of their files since.
        An entry that makes a rule fail only now is marked, and skipped from then on.

        Raises:
            JournalError: there is no such game, it cannot be read, or it is another game or on another board.
        """
        header = self.journal.header(game)
        if header.kind != self.game.kind and header.kind in self.plan.games:
            try:
                self._play(header.kind)
            except Exception as error:
                raise JournalError(f"game {game}: {header.kind} cannot be played: {error!r}") from error
        if header.kind != self.game.kind:
            raise JournalError(f"game {game} is one of {header.kind}, this table plays {self.game.kind}")
        if header.setup.board != self.game.board.name:
            raise JournalError(
                f"game {game} is played on {header.setup.board}, this is {self.game.board.name}"
            )

        def failed(seq: int, evidence: str) -> None:
            _log.error("entry %d makes a rule fail and is skipped:\n%s", seq, evidence)
            self.journal.mark_failed(game, seq, evidence)

        def said(what: Said, seq: int, at_us: int) -> None:
            self._showing.remembered.heard(told(what, game=game, seq=seq, at_us=at_us))

        entries = list(self.journal.entries(game))
        self.replaying = (game, 0)
        try:
            begun = self.game.begun_with(header.setup)
            referee = replay(begun, header, self._telling(game, entries), failed, said)
            begun.scene(referee.state)
        except (JournalError, JournalLostError):
            raise
        except Exception as error:  # whatever the rules of today make of what somebody has written there
            _log.debug("game %s cannot be played on", game, exc_info=True)
            raise JournalError(f"game {game} cannot be played on: {type(error).__name__}: {error}") from error
        finally:
            self.replaying = None
        self.runtime = Runtime(referee, self.journal, self.performer, self._said, self._goal)
        if not self.lobby.players:
            kind: Literal["bot", "person"] = "bot" if self.plan.bot is not None else "person"
            sat = self.runtime.standing.players
            chairs = [Chair(seat=one.seat, kind=kind, name=plain(one.name)) for one in sat]
            self.lobby.restore(chairs, game)
        self.lobby.began(game)
        self.lobby.paused = self.runtime.standing.paused
        self._note(broken=tuple(sorted(self.broken)))
        self._seat_bots()

    def _telling(self, game: str, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Hand on entries, and tell which is being played again: its rules may never come back."""
        for entry in entries:
            self.replaying = (game, entry.seq)
            yield entry

    def resume(self, levels: Mapping[str, bool], now_us: int, *, boot: str) -> None:
        """Resume the recalled game; a new ``boot`` means that the machine was off in between (R-49)."""
        if self.runtime is not None:
            self.runtime.resume(levels, now_us, boot=boot)

    def _choose(self, asked: Asked) -> Answer:
        """Play another game from now on, as somebody at the table has chosen."""
        kind = asked.words.get("kind")
        if self.lobby.phase == "playing":
            return Answer.no("You can choose another game when this one is over.")
        if not isinstance(kind, str) or kind not in self.plan.games:
            return Answer.no(f"This table can play {', '.join(self.plan.games)}.")
        if kind != self.game.kind:
            try:
                self._play(kind)
            except Exception:  # noqa: BLE001 - logged whole; a game of somebody else's may do anything
                _log.exception("the game %r cannot be played", kind)
                return Answer.no(
                    f"{title_of(kind)} cannot be played here: its package is broken. The log says more."
                )
            self.lobby.chose(asked.seat, self.game.title)
            self.look_again(asked.at_us)
            self.on_game()
        return Answer()

    def _play(self, kind: str) -> None:
        """Put another game on the table; what was prepared for the one before is forgotten."""
        game = self.plan.games[kind]()
        preparation = game.preparation(self.plan.keep)
        preparation.shown(None)  # what is broken in it fails before anything has changed
        self.game, self.runtime = game, None
        self.words.remove(self.preparation.words)
        self.preparation = preparation
        self.words.add(self.preparation.words, self._game_word)
        self.bots.clear()
        self._showing.forget()
        self.lobby.suit(self.game.seats)

    def seats_changed(self, at_us: int) -> None:
        """Adapt to somebody joining, coming or going: bots play the bots' seats and no others."""
        if self.audience is not None:
            self.lobby.note_phones(self.audience.here, self.audience.away_s)
        if self.playing is not None:
            self._seat_bots()
            rename(self.playing, self.lobby, at_us)
            self._showing.anew()
            self.playing.changed = True
        self.look_again(at_us)
        self.show_table()
        self.on_input()

    def look_again(self, at_us: int) -> None:
        """Note anew what the lobby shows of the next game, after somebody came, went or said something."""
        occasion = None if self.lobby.phase == "playing" else self._occasion(at_us)
        try:
            detail = self.preparation.shown(occasion)
        except Exception:  # noqa: BLE001 - logged whole; the table is there for other games
            _log.exception("what comes before the game %s cannot be shown", self.game.kind)
            detail = None
        self._note(detail=detail)

    def _occasion(self, at_us: int) -> Occasion:
        seats = tuple(Seated(chair.seat, chair.name) for chair in self.lobby.players)
        state = None if self.runtime is None else self.runtime.referee.state
        return Occasion(seats, self.plan.senses, self.plan.luck, at_us, state)

    def _seat_bots(self) -> None:
        make = (self.plan.easy_bot if self._easy else None) or self.plan.bot
        self.bots = {
            chair.seat: self.bots.get(chair.seat) or make(chair.seat)
            for chair in self.lobby.players
            if make is not None and chair.kind == "bot"
        }

    def _first(self) -> str:
        if self.runtime is None:
            return ""
        standing = self.runtime.standing
        return next((one.name for one in standing.players if one.seat == standing.active), "")

    # --- phones ---------------------------------------------------------------------------------------------

    def command(self, seat: str, command: Command, at_us: int) -> None:
        """Handle a phone's command that arrived just now; it is always answered."""
        if self.audience is not None:
            self.audience.reply(seat, self._answer(seat, command, at_us))
        self.on_input()

    def _answer(self, phone: str, command: Command, at_us: int) -> Reply:
        """Carry out what the phone of a seat says, for that seat or for a player whom it has brought."""
        if command.hello:
            return self._hello(phone, command)
        seat = command.seat or phone
        if seat != phone and seat not in self._guests(phone):
            return reply(command.id, Answer.no(f"This phone does not play for {self._name(seat)}."))
        if command.table is not None:
            said = self.words.hear(Asked(seat=seat, words=command.table, at_us=at_us))
            self.show_table()
            return reply(command.id, said)
        if command.act is None:
            return reply(command.id, Answer.no("Say what to do: act, table or hello."), "invalid")
        runtime = self.runtime
        if runtime is None or command.game != runtime.game:
            return reply(command.id, Answer.no("That game is no longer on."), "stale")
        return reply(command.id, self._acted(runtime, seat, command, at_us))

    def _acted(self, runtime: Runtime, seat: str, command: Command, at_us: int) -> Answer:
        """Let a seat act in the running game."""
        act = command.act or {}
        view = self._showing.private(runtime, seat)
        whose, says = (view and spoken_for(view, act)) or ("", "")
        if whose and whose not in self._away():
            name = self._name(whose)
            return Answer.no(f"{name}'s phone is here: you cannot answer for {name}.")
        chance = self.plan.luck.getrandbits(64)
        refused = runtime.act(Acted(at_us=at_us, seat=seat, act=act, chance=chance, command=command.id))
        if refused is not None:
            return Answer.no(refused.reason, refused.clause)
        self._hurried = self._hurried and seat != runtime.standing.active
        if whose:
            text = f"{self._name(seat)} answers for {self._name(whose)}: {says}."
            self._said(Said(kind="proxy", text=text, seat=seat), runtime.referee.seq, at_us)
        return Answer()

    def _hello(self, seat: str, command: Command) -> Reply:
        self._showing.anew(seat)
        if self.runtime is not None:
            self._showing.show_seat(self.runtime, seat, self._away)
        return reply(command.id, Answer())

    def _name(self, seat: str) -> str:
        return next((chair.called for chair in self.lobby.players if chair.seat == seat), "") or seat

    # --- words to the table ---------------------------------------------------------------------------------

    def _lobby_word(self, asked: Asked) -> Answer:
        if asked.do in STARTS and (why_not := self.plan.no_games or self._starts.too_many(asked.at_us)):
            return Answer.no(why_not)
        brought = self._brought()
        wish = self.lobby.hear(asked.seat, asked.words)
        if isinstance(wish, NotGranted):
            return Answer.no(wish.reason)
        answer = self._done(gone(wish) if asked.do == "leave" else wish, brought, asked.at_us)
        if answer.ok and asked.do in STARTS:
            self._starts.note(asked.at_us)
        return answer

    def remove(self, seat: str, at_us: int) -> Answer:
        """Make a player leave, as whoever hosts the table has decided at the terminal."""
        brought = self._brought()
        wish = self.lobby.remove(seat)
        return self._done(wish, brought, at_us) if isinstance(wish, Wish) else Answer.no(wish.reason)

    def order(self, order: Order, at_us: int) -> Answer:
        """Carry out what the house asks for, as if somebody at the table had, whose seat nobody knows."""
        if isinstance(order, Brightness):
            self.performer.dim(order.percent / 100)
            self._note()
            self.show_table()
            return Answer() if self.notices.brightness is not None else Answer.no("This board has no lamps.")
        if self.plan.no_games and isinstance(order, Start):
            return Answer.no(self.plan.no_games)
        wish = self.lobby.start() if isinstance(order, Start) else self.lobby.pause(on=order.on)
        return self._fulfilled(wish, at_us) if isinstance(wish, Wish) else Answer.no(wish.reason)

    def _brought(self) -> dict[str, tuple[str, ...]]:
        """Return for which players without a phone that of each person plays now."""
        return {seat: self._guests(seat) for seat in self._people}

    def _done(self, wish: Wish, brought: Mapping[str, tuple[str, ...]], at_us: int) -> Answer:
        """Do what the lobby has granted; with whoever goes those leave whom they have ``brought``."""
        answer = self._fulfilled(wish, at_us)
        for guest in brought.get(wish.seat, ()) if wish.do in GOES else ():
            theirs = self.lobby.hear(guest, {"do": "leave"})
            if isinstance(theirs, Wish):
                self._fulfilled(gone(theirs), at_us)
        return answer

    def _fulfilled(self, wish: Wish, at_us: int) -> Answer:
        """Do what the lobby has granted."""
        easy = wish.do == "fresh"
        problems = self.start(at_us, easy=easy) if easy or wish.do == "start" else []
        if self.runtime is not None:
            fulfil(self.runtime, wish, at_us, self.plan.luck.getrandbits(64))
        if wish.do == "leave":
            self.lobby.left(wish.seat)
        if wish.do in GOES | {"guest"} and self.audience is not None:
            self.audience.revoke(wish.seat)
        self.seats_changed(at_us)
        if not problems:
            return Answer()
        reason = "; ".join(f"{what} ({clause})" for what, clause in problems)
        return Answer.no(f"The game cannot start: {reason}.", problems[0][1])

    def _game_word(self, asked: Asked) -> Answer:
        """Let the game's own preparation hear a word."""
        seats = tuple(chair.seat for chair in self.lobby.players)
        state = None if self.runtime is None else self.runtime.referee.state
        playing = self.lobby.phase == "playing"
        why_not = self.preparation.words[asked.do](Told(asked.seat, asked.words, seats, playing, state))
        self.look_again(asked.at_us)
        return Answer.no(why_not) if why_not else Answer()

    def _sensor(self, asked: Asked) -> Answer:
        """Record that a seat says a sensor is broken, or works again."""
        sensor, broken = asked.words.get("sensor"), asked.do == "broken"
        if self.playing is None:
            return Answer.no("No game is on.")
        if not isinstance(sensor, str) or not self.playing.declare(sensor, asked.at_us, broken=broken):
            return Answer.no(f"This board has no sensor {sensor!r}.")
        self._note(broken=tuple(sorted(self.broken)))
        return Answer()

    def _hurry(self, asked: Asked) -> Answer:  # noqa: ARG002 - whoever wants it
        """Let bots act at once, however little of it people see, until somebody has had their own turn."""
        self._hurried, self._following = True, Following()
        return Answer()

    # --- what the table shows -------------------------------------------------------------------------------

    @property
    def notices(self) -> Notices:
        """What the table shows besides who sits there."""
        return self.lobby.notices

    def notify(self, **changed: Any) -> None:
        """Change some of :attr:`notices`, and show the table if that is news."""
        before = self.lobby.notices
        self._note(**changed)
        if self.lobby.notices != before:
            self.show_table()

    def _note(self, **changed: Any) -> None:
        games = tuple(GameChoice(kind=kind, title=title_of(kind)) for kind in self.plan.games)
        bright = self.performer.brightness
        self.lobby.notices = replace(
            self.lobby.notices,
            kind=self.game.kind,
            games=games,
            brightness=None if bright is None else round(100 * bright),
            **changed,
        )

    def show_table(self) -> None:
        """Show everybody the lobby."""
        if self.audience is not None:
            self.audience.publish_table(self.lobby.table(self.audience.here))

    def diagnose(self, values: Mapping[str, Any], at_us: int) -> None:
        """Show operators the diagnosis: sensors, coils, and what made a rule fail."""
        if self.audience is not None:
            game = {} if self.runtime is None else self.runtime.diagnosis
            coils = dict(self.performer.counters)
            self.audience.publish_diag(Diag(values={"at_us": at_us, **values, "coils": coils, **game}))

    def _said(self, said: Said, seq: int, at_us: int) -> None:
        game = self.runtime.game if self.runtime is not None else ""
        kind = _HAPPENS.get(said.kind)
        if kind is not None:
            text, seat = plain(said.text), said.seat or ""
            self.on_news(News(event_type=kind, game=game, seq=seq, at_us=at_us, text=text, seat=seat))
        self._showing.tell(said, game=game, seq=seq, at_us=at_us)

    def _goal(self, seen: BallInZone, seq: int) -> None:
        title = next((zone.title for zone in self.game.board.zones if zone.name == seen.zone), seen.zone)
        text, game = f"A ball is in the {title}.", self.runtime.game if self.runtime is not None else ""
        self.on_news(News(event_type="goal", game=game, seq=seq, at_us=seen.at_us, text=text, zone=seen.zone))
