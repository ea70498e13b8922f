"""The host: one table. It seats people and bots, starts games and rematches, and shows each phone what it may see.

The host holds at most one :class:`~hextraction.controller.runtime.Runtime`. It is driven from outside (``edge``,
``advance``, ``command``, ``refresh``): by the simulation's steps or by the real clock. Nothing here waits.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hextraction.board.profile import Board
from hextraction.board.tiles import Catalogue
from hextraction.controller.games.hextraction import Setup
from hextraction.controller.games.hextraction import State as GameState
from hextraction.controller.games.hextraction.physical import layout_of
from hextraction.controller.games.protocol import Acted, PowerSet, PrivateView, PublicView, Said
from hextraction.controller.journal import Boot, Header, Journal
from hextraction.controller.lobby import Chair, Lobby, Refusal
from hextraction.controller.messages import Command, Diag, Event, Reply, State, Table, View
from hextraction.controller.performer import Performer
from hextraction.controller.players import Bot
from hextraction.controller.referee import Referee, replay
from hextraction.controller.runtime import Runtime
from hextraction.hal.ports import Edge

__all__ = ["Audience", "Host", "Plan"]

_log = logging.getLogger(__name__)


class Audience(Protocol):
    """Whom the host shows things to: the companion, or nobody."""

    @property
    def here(self) -> Mapping[str, bool]:
        """Whether a phone of each seat is there."""
        ...

    def publish_state(self, state: State) -> None:
        """Show everybody the public snapshot."""
        ...

    def publish_event(self, event: Event) -> None:
        """Tell everybody what happened."""
        ...

    def publish_view(self, seat: str, view: View) -> None:
        """Show one seat what only it may see."""
        ...

    def publish_table(self, table: Table) -> None:
        """Show everybody the lobby."""
        ...

    def publish_diag(self, diag: Diag) -> None:
        """Show operators how things are."""
        ...

    def reply(self, seat: str, reply: Reply) -> None:
        """Answer a command."""
        ...

    def revoke(self, seat: str) -> None:
        """Take a seat's phones their rights."""
        ...


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How games at this table start.

    ``setup`` makes a set-up from the taken seats, ``header`` wraps it with a new game's name; ``chance`` gives a
    random number of 64 bits; ``bot`` makes a player for a seat.
    """

    setup: Callable[[Sequence[Chair], int], Setup]
    header: Callable[[Setup], Header]
    chance: Callable[[], int]
    bot: Callable[[str], Bot] | None = None


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
        self.tiles = tiles
        self.journal = journal
        self.performer = performer
        self.lobby = lobby
        self.plan = plan
        self.audience: Audience | None = None
        self.runtime: Runtime | None = None
        self.bots: dict[str, Bot] = {}
        self.at_us = 0
        self._shown: dict[str, PrivateView] = {}
        self._view: PublicView | None = None
        self._made: dict[str, tuple[GameState, PrivateView]] = {}
        self._heard: list[Event] = []

    # --- what drives the host -------------------------------------------------------------------------------

    def edge(self, edge: Edge) -> None:
        """A sensor changed."""
        if self.runtime is not None and not self.lobby.paused:
            self.runtime.edge(edge)

    def power(self, on: bool, at_us: int) -> None:  # noqa: FBT001 - the hal calls back like this
        """The board's switch was flipped."""
        if self.runtime is not None:
            self.runtime.handle(PowerSet(at_us=at_us, on=on))

    def advance(self, now_us: int) -> None:
        """Time has passed."""
        self.at_us = max(self.at_us, now_us)
        if self.runtime is not None and not self.runtime.over and not self.lobby.paused:
            self.runtime.advance(self.at_us)

    def bots_act(self) -> None:
        """Let bots do what they have thought about long enough."""
        runtime = self.runtime
        if runtime is None or runtime.over or self.lobby.paused:
            return
        for seat, bot in self.bots.items():
            act = bot.think(
                self._private(runtime, seat), lambda: layout_of(runtime.referee.state), self.at_us
            )
            if act is not None:
                refused = runtime.act(Acted(at_us=self.at_us, seat=seat, act=act, chance=self.plan.chance()))
                if refused is not None:
                    _log.warning("bot %s was refused %s: %s (%s)", seat, act, refused.reason, refused.clause)

    def refresh(self, *, blink: bool = False) -> None:
        """Light the board and show phones what has changed since the last time."""
        runtime = self.runtime
        if runtime is None:
            return
        if runtime.over and self.lobby.phase == "playing":
            self.lobby.ended(runtime.referee.state.outcome or "The game is over.")
            self.show_table()
        if runtime.changed or self._view is None:
            self._view = runtime.public()
        view = self._view
        self.performer.show(view, blink=blink)
        if self.audience is None or not runtime.changed:
            runtime.changed = False
            return
        runtime.changed = False
        self.audience.publish_state(
            State(game=runtime.game, seq=runtime.referee.seq, at_us=runtime.referee.at_us, view=view)
        )
        for event in self._heard:
            self.audience.publish_event(event)
        self._heard.clear()
        for chair in self.lobby.players:
            if chair.kind == "person":
                self._show_seat(runtime, chair.seat)

    # --- games ----------------------------------------------------------------------------------------------

    def start(self) -> list[tuple[str, str]]:
        """Start a game with the taken seats; return what speaks against it, if anything."""
        setup = self.plan.setup(self.lobby.players, self.at_us)
        header = self.plan.header(setup)
        referee = Referee(self.board, self.tiles, header)
        problems = referee.game.problems(setup)
        if problems:
            return problems
        self.runtime = Runtime(referee, self.journal, self.performer, self._said)
        self.runtime.begin()
        self.bots.clear()
        self._seat_bots()
        self.lobby.began(header.game)
        self._shown.clear()
        self._said(Said(kind="start", text=f"A new game begins. {self._first()} goes first."), 0, self.at_us)
        self.show_table()
        return []

    def resume(self, game: str, levels: dict[str, bool], now_us: int, *, boot: str) -> None:
        """Go on with an interrupted game, as the journal tells it; another ``boot`` means a dark spell (R-49)."""
        header = self.journal.header(game)
        entries = list(self.journal.entries(game))
        boots = [header.boot, *(entry.what.boot for entry in entries if isinstance(entry.what, Boot))]
        referee = replay(self.board, self.tiles, header, entries)
        self.at_us = max(now_us, referee.at_us)
        self.runtime = Runtime(referee, self.journal, self.performer, self._said)
        if not self.lobby.players:
            kind = "bot" if self.plan.bot is not None else "person"
            chairs = [Chair(seat=seat.seat, kind=kind, name=seat.name) for seat in header.setup.seats]
            self.lobby.restore(chairs, game)
        self._seat_bots()
        self.runtime.resume(levels, self.at_us, boot=boot, same=boots[-1] == boot)

    def seats_changed(self) -> None:
        """Somebody joined, came or went: bots play for the seats that are a bot's, and for no other."""
        if self.runtime is not None and not self.runtime.over:
            self._seat_bots()
            self._shown.clear()
            self.runtime.changed = True
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
        state = self.runtime.referee.state if self.runtime is not None else None
        return (
            next((one.name for one in state.players if one.seat == state.active), "")
            if state is not None
            else ""
        )

    # --- phones ---------------------------------------------------------------------------------------------

    def command(self, seat: str, command: Command) -> None:
        """A phone asked for something; it is always answered."""
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
        if self.lobby.paused:
            return Reply(id=command.id, ok=False, code="refused", reason="The game is paused.")
        acted = Acted(at_us=self.at_us, seat=seat, act=command.act, chance=self.plan.chance())
        refused = runtime.act(acted)
        if refused is None:
            return Reply(id=command.id, ok=True, code="ok")
        return Reply(id=command.id, ok=False, code="refused", reason=refused.reason, clause=refused.clause)

    def _hello(self, seat: str, command: Command) -> Reply:
        self._shown.pop(seat, None)
        if self.runtime is not None:
            self._show_seat(self.runtime, seat)
        return Reply(id=command.id, ok=True, code="ok")

    def _table_word(self, seat: str, command: Command, words: dict[str, Any]) -> Reply:
        wish = self.lobby.hear(seat, words)
        if isinstance(wish, Refusal):
            return Reply(id=command.id, ok=False, code="refused", reason=wish.reason)
        reason = ""
        if wish.do in {"start", "rematch"}:
            problems = self.start()
            reason = "; ".join(f"{what} ({clause})" for what, clause in problems)
        elif wish.do == "leave" and self.runtime is not None:
            leaving = Acted(at_us=self.at_us, seat=seat, act={"do": "concede"}, chance=self.plan.chance())
            self.runtime.act(leaving)
            self.lobby.left(seat)
        if words.get("do") == "leave" and self.audience is not None:
            self.audience.revoke(seat)
        self.seats_changed()
        if reason:
            return Reply(id=command.id, ok=False, code="refused", reason=f"The game cannot start: {reason}.")
        return Reply(id=command.id, ok=True, code="ok")

    def show_table(self) -> None:
        """Show everybody the lobby."""
        if self.audience is not None:
            self.audience.publish_table(self.lobby.table(self.audience.here))

    def diagnose(self, values: dict[str, Any]) -> None:
        """Show operators how things are: sensors, coils, and what made a rule of ours fail."""
        if self.audience is not None:
            runtime = self.runtime
            game = (
                {"failures": runtime.failures, "suspects": list(runtime.referee.tracker.suspects)}
                if runtime
                else {}
            )
            coils = dict(self.performer.counters)
            self.audience.publish_diag(Diag(values={"at_us": self.at_us, **values, "coils": coils, **game}))

    def _show_seat(self, runtime: Runtime, seat: str) -> None:
        if self.audience is None or seat not in {player.seat for player in runtime.referee.state.players}:
            return
        view = self._private(runtime, seat)
        if self._shown.get(seat) != view:
            self._shown[seat] = view
            self.audience.publish_view(seat, View(game=runtime.game, seq=runtime.referee.seq, view=view))

    def _private(self, runtime: Runtime, seat: str) -> PrivateView:
        """Return a seat's view; it is a function of the state, so it is made once for each."""
        state = runtime.referee.state
        known = self._made.get(seat)
        if known is None or known[0] is not state:
            known = self._made[seat] = (state, runtime.referee.game.private(state, seat))
        return known[1]

    def _said(self, said: Said, seq: int, at_us: int) -> None:
        game = self.runtime.game if self.runtime is not None else ""
        self._heard.append(
            Event(game=game, seq=seq, at_us=at_us, kind=said.kind, text=said.text, seat=said.seat, slot=said.slot,
                  ball=said.ball, clause=said.clause)
        )  # fmt: skip
        _log.info("%s", said.text, extra={"kind": said.kind, "at_us": at_us, "seq": seq})
        if self.audience is None:
            self._heard.clear()
