"""The host: one table. It seats people and bots, starts games and rematches, and answers phones.

The host holds at most one :class:`~hextraction.controller.play.runtime.Runtime`. It is driven from outside
(``edge``, ``advance``, ``command``, ``refresh``), by the simulation or by the real clock. Nothing here waits.
:mod:`.showing` makes what it shows.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hextraction.board.profile import Board
from hextraction.controller.bots.players import Bot
from hextraction.controller.games.hextraction import Hextraction, Setup, State
from hextraction.controller.games.hextraction.tiles import Catalogue
from hextraction.controller.games.hextraction.views import layout_of
from hextraction.controller.games.protocol import Acted, Paused, PowerSet, Renamed, Said
from hextraction.controller.phones.payloads.messages import Command, Diag, Reply
from hextraction.controller.play.journal import Boot, Broken, Header, Journal, JournalError
from hextraction.controller.play.performer import Performer
from hextraction.controller.play.referee import Referee, replay
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.audience import Audience
from hextraction.controller.table.lobby import Chair, Lobby, NotGranted, Wish
from hextraction.controller.table.requests import TableRequests
from hextraction.controller.table.showing import Showing
from hextraction.hal.ports import Edge

__all__ = ["Audience", "Host", "Plan", "chairs_of", "fulfil", "rename"]

# --- Who plays which seat in a running game ---


def chairs_of(state: State, kind: Literal["bot", "person"]) -> list[Chair]:
    """Return who sat where when a game was interrupted."""
    return [Chair(seat=player.seat, kind=kind, name=player.name) for player in state.players]


def rename(runtime: Runtime, chairs: Iterable[Chair], at_us: int) -> None:
    """Rename the game's seats after whoever plays them now."""
    names = {chair.seat: chair.name for chair in chairs}
    for player in runtime.referee.state.players:
        name = names.get(player.seat, player.name)
        if name != player.name:
            runtime.handle(Renamed(at_us=max(at_us, runtime.referee.at_us), seat=player.seat, name=name))


def fulfil(runtime: Runtime, wish: Wish, at_us: int, chance: int) -> None:
    """Apply to the game what the lobby has granted: a break, its end, or a player leaving."""
    if wish.do == "leave":
        runtime.act(Acted(at_us=at_us, seat=wish.seat, act={"do": "concede"}, chance=chance))
    elif wish.do in {"pause", "resume"}:
        runtime.advance(at_us)
        runtime.handle(Paused(at_us=max(at_us, runtime.referee.at_us), on=wish.do == "pause"))


_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How games start at this table.

    ``setup`` makes a set-up from the taken seats, ``header`` wraps it with a new game's name; ``chance``
    returns a random number of 64 bits; ``bot`` makes a bot for a seat; ``own_tiles`` is the folder for tiles
    that people describe on their phones.
    """

    setup: Callable[[Sequence[Chair], int], Setup]
    header: Callable[[Setup], Header]
    chance: Callable[[], int]
    bot: Callable[[str], Bot] | None = None
    own_tiles: Path | None = None


class Host:
    """One table with its lobby, its journal and at most one running game."""

    def __init__(
        self,
        *,
        board: Board,
        tiles: Catalogue,
        journal: Journal,
        performer: Performer,
        lobby: Lobby,
        plan: Plan,
    ) -> None:
        self.board = board
        self.requests = TableRequests(board, tiles, lobby, plan.setup, plan.own_tiles)
        self.tiles = self.requests.tiles
        self.journal = journal
        self.performer = performer
        self.lobby = lobby
        self.plan = plan
        self.runtime: Runtime | None = None
        self.bots: dict[str, Bot] = {}
        self.at_us = 0
        self._showing = Showing(performer)
        self.narrowed = 0
        """How much of :attr:`Tracker.narrowed` has been logged."""

    @property
    def audience(self) -> Audience | None:
        """Whom the table is shown to; None for nobody."""
        return self._showing.audience

    @audience.setter
    def audience(self, audience: Audience | None) -> None:
        self._showing.audience = audience

    # --- what drives the host -------------------------------------------------------------------------------

    def edge(self, edge: Edge) -> None:
        """Handle a sensor change, even in a paused game: balls do not pause with people."""
        if self.runtime is not None and not self.runtime.over:
            self.runtime.edge(edge)

    def power(self, on: bool, at_us: int) -> None:  # noqa: FBT001 - the hal calls back like this
        """Handle the board's switch being flipped."""
        if self.runtime is not None and not self.runtime.over:
            self.runtime.advance(at_us)
            self.runtime.handle(PowerSet(at_us=max(at_us, self.runtime.referee.at_us), on=on))

    def advance(self, now_us: int) -> None:
        """Let time pass; in a break the game waits for nothing, but balls still come to rest."""
        self.at_us = max(self.at_us, now_us)
        if self.runtime is not None and not self.runtime.over:
            self.runtime.advance(self.at_us)

    def bots_act(self) -> None:
        """Let those bots act that have thought long enough."""
        runtime = self.runtime
        if runtime is None or runtime.over or self.lobby.paused:
            return
        for seat, bot in self.bots.items():
            view = self._showing.private(runtime, seat)
            if view is None:
                continue
            act = bot.think(view, lambda: layout_of(runtime.referee.state), self.at_us)
            if act is not None:
                refused = runtime.act(Acted(at_us=self.at_us, seat=seat, act=act, chance=self.plan.chance()))
                if refused is not None:
                    _log.warning("bot %s was refused %s: %s (%s)", seat, act, refused.reason, refused.clause)

    def refresh(self, *, blink: bool = False) -> None:
        """Light the board and show phones what has changed since the last refresh."""
        runtime = self.runtime
        if runtime is None:
            return
        if runtime.over and self.lobby.phase == "playing":
            self.lobby.ended(runtime.referee.state.outcome or "The game is over.")
            self.show_table()
        people = [chair.seat for chair in self.lobby.players if chair.kind == "person"]
        self._showing.refresh(runtime, people, blink=blink)

    # --- games ----------------------------------------------------------------------------------------------

    def start(self) -> list[tuple[str, str]]:
        """Start a game with the taken seats; return the objections to it, if any."""
        setup = self.requests.brought.apply(self.plan.setup(self.lobby.players, self.at_us))
        problems = Hextraction(self.board, self.tiles).problems(setup)
        if problems:
            return problems
        header = self.plan.header(setup)
        referee = Referee(self.board, self.tiles, header)
        self.runtime = Runtime(referee, self.journal, self.performer, self._said)
        self.runtime.begin()
        self.bots.clear()
        self._seat_bots()
        self.lobby.began(header.game)
        self.requests.began()
        self._showing.anew()
        self._said(Said(kind="start", text=f"A new game begins. {self._first()} goes first."), 0, self.at_us)
        self.show_table()
        return []

    def recall(self, game: str) -> None:
        """Load an interrupted game from the journal; :meth:`resume` must follow.

        An entry that makes a rule fail only now is marked, and skipped from then on.

        Raises:
            JournalError: there is no such game, it cannot be read, or it is played on another board.
        """
        header = self.journal.header(game)
        if header.setup.board != self.board.name:
            raise JournalError(f"game {game} is played on {header.setup.board}, this is {self.board.name}")

        def failed(seq: int, evidence: str) -> None:
            _log.error("entry %d makes a rule fail and is skipped:\n%s", seq, evidence)
            self.journal.mark_failed(game, seq, evidence)

        entries = list(self.journal.entries(game))
        self.requests.began(entry.what for entry in entries if isinstance(entry.what, Broken))
        referee = replay(self.board, self.tiles, header, entries, failed)
        self.at_us = max(self.at_us, referee.at_us)
        self.runtime = Runtime(referee, self.journal, self.performer, self._said)
        if not self.lobby.players:
            kind: Literal["bot", "person"] = "bot" if self.plan.bot is not None else "person"
            self.lobby.restore(chairs_of(referee.state, kind), game)
        self.lobby.began(game)
        self.lobby.paused = referee.state.paused_us is not None
        self._seat_bots()

    def resume(self, levels: dict[str, bool], now_us: int, *, boot: str) -> None:
        """Resume the recalled game; a new ``boot`` means that the machine was off in between (R-49)."""
        runtime = self.runtime
        if runtime is None:
            return
        boots = [runtime.referee.header.boot]
        boots += [
            entry.what.boot for entry in self.journal.entries(runtime.game) if isinstance(entry.what, Boot)
        ]
        self.at_us = max(self.at_us, now_us)
        runtime.resume(levels, self.at_us, boot=boot, same=boots[-1] == boot)

    def seats_changed(self) -> None:
        """Adapt to somebody joining, coming or going: bots play the bots' seats and no others."""
        if self.runtime is not None and not self.runtime.over:
            self._seat_bots()
            rename(self.runtime, self.lobby.players, self.at_us)
            self._showing.anew()
            self.runtime.changed = True
        self.requests.look_again(self.at_us)
        self.show_table()

    def _seat_bots(self) -> None:
        make = self.plan.bot
        players = self.lobby.players if make is not None else ()
        self.bots = {
            chair.seat: self.bots.get(chair.seat) or make(chair.seat)
            for chair in players
            if make is not None and chair.kind == "bot"
        }

    def _first(self) -> str:
        if self.runtime is None:
            return ""
        state = self.runtime.referee.state
        return next((one.name for one in state.players if one.seat == state.active), "")

    # --- phones ---------------------------------------------------------------------------------------------

    def command(self, seat: str, command: Command) -> None:
        """Handle a phone's command; it is always answered."""
        if self.audience is not None:
            self.audience.reply(seat, self._answer(seat, command))

    def _answer(self, seat: str, command: Command) -> Reply:
        if command.hello:
            return self._hello(seat, command)
        if command.table is not None:
            return self._table_word(seat, command, command.table)
        if command.act is None:
            return Reply(
                id=command.id, ok=False, code="invalid", reason="Say what to do: act, table or hello."
            )
        runtime = self.runtime
        if runtime is None or command.game != runtime.game:
            return Reply(id=command.id, ok=False, code="stale", reason="That game is no longer on.")
        acted = Acted(at_us=self.at_us, seat=seat, act=command.act, chance=self.plan.chance())
        refused = runtime.act(acted)
        if refused is None:
            return Reply(id=command.id, ok=True, code="ok")
        return Reply(id=command.id, ok=False, code="refused", reason=refused.reason, clause=refused.clause)

    def _hello(self, seat: str, command: Command) -> Reply:
        self._showing.anew(seat)
        if self.runtime is not None:
            self._showing.show_seat(self.runtime, seat)
        return Reply(id=command.id, ok=True, code="ok")

    def _table_word(self, seat: str, command: Command, words: dict[str, Any]) -> Reply:
        do = words.get("do")
        if isinstance(do, str) and do in self.requests.words:
            refusal = self.requests.hear(seat, words, self.runtime, self.at_us)
            self.show_table()
            reason = refusal.reason if refusal is not None else ""
            return Reply(id=command.id, ok=not reason, code="refused" if reason else "ok", reason=reason)
        wish = self.lobby.hear(seat, words)
        if isinstance(wish, NotGranted):
            return Reply(id=command.id, ok=False, code="refused", reason=wish.reason)
        problems = self.start() if wish.do in {"start", "rematch"} else []
        if self.runtime is not None:
            fulfil(self.runtime, wish, self.at_us, self.plan.chance())
        if wish.do == "leave":
            self.lobby.left(seat)
        if do == "leave" and self.audience is not None:
            self.audience.revoke(seat)
        self.seats_changed()
        if problems:
            reason = "; ".join(f"{what} ({clause})" for what, clause in problems)
            said = f"The game cannot start: {reason}."
            return Reply(id=command.id, ok=False, code="refused", reason=said, clause=problems[0][1])
        return Reply(id=command.id, ok=True, code="ok")

    def show_table(self) -> None:
        """Show everybody the lobby."""
        if self.audience is not None:
            self.audience.publish_table(self.lobby.table(self.audience.here))

    def diagnose(self, values: dict[str, Any]) -> None:
        """Show operators the diagnosis: sensors, coils, and what made a rule fail."""
        if self.audience is not None:
            runtime = self.runtime
            game: dict[str, Any] = {}
            if runtime is not None:
                game = {
                    "failures": runtime.failures,
                    "suspects": list(runtime.referee.tracker.suspects),
                    "ignored": dict(runtime.ignored),
                    "blind": runtime.referee.blind,
                    "narrowed": runtime.referee.tracker.narrowed,
                }
            coils = dict(self.performer.counters)
            self.audience.publish_diag(Diag(values={"at_us": self.at_us, **values, "coils": coils, **game}))

    def _said(self, said: Said, seq: int, at_us: int) -> None:
        game = self.runtime.game if self.runtime is not None else ""
        self._showing.tell(said, game=game, seq=seq, at_us=at_us)
