"""Hextraction as a game: ``step`` hears an event by the table, then goes on until somebody must act."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from hextraction.board.facts import BallReleased, Fact, RollSettled
from hextraction.board.profile import Board
from hextraction.board.tiles import Catalogue
from hextraction.controller.games.hextraction import (
    advising,
    asking,
    commit,
    leaving,
    looping,
    options,
    overruling,
    pausing,
    playing,
    powering,
    resolving,
    rolling,
    seating,
    setup,
    turns,
    views,
)
from hextraction.controller.games.hextraction.actions import (
    Action,
    Activate,
    Agree,
    Concede,
    Play,
    Roll,
    read_action,
)
from hextraction.controller.games.hextraction.move import Move, Refusal, Rules
from hextraction.controller.games.hextraction.state import Phase, State
from hextraction.controller.games.hextraction.table import ACTIONS, ASKED_OK, FROZEN_OK, OUT_OK
from hextraction.controller.games.hextraction.wanted import Setup
from hextraction.controller.games.protocol import (
    Acted,
    Ignored,
    Paused,
    PowerSet,
    PrivateView,
    PublicView,
    Refused,
    Renamed,
    Step,
    TileSeen,
    TileView,
    Woke,
    WorldEvent,
)

__all__ = ["Hextraction"]

# Every event asks for these: Python 3.11 takes longer to reach a member of an enum than to compare it.
_CHOOSING, _RELEASING, _ROLLING, _RESOLVING = Phase.CHOOSING, Phase.RELEASING, Phase.ROLLING, Phase.RESOLVING
_SETTLING, _TIDYING, _DISCARDING, _OVER = Phase.SETTLING, Phase.TIDYING, Phase.DISCARDING, Phase.OVER
_TIMED = (Phase.SETTLING, Phase.SEATING)
"""Phases that end by themselves when their time is over."""
_PLAYING = (Phase.PLACING, Phase.SEATING)


class Hextraction:
    """The rules, for one board and one catalogue of tiles. Holds no state of a game."""

    name = "hextraction"

    def __init__(self, board: Board, tiles: Catalogue) -> None:
        self.rules = Rules(board, tiles)

    def problems(self, wanted: Setup) -> list[tuple[str, str]]:
        """Return what speaks against a set-up, as (what, clause)."""
        return setup.check_setup(self.rules, wanted)

    def advice(self, wanted: Setup) -> list[tuple[str, str]]:
        """Return what the table should know before it starts, as (text, clause); nothing of it stops it."""
        return advising.advice(self.rules, wanted)

    def card(self, name: str) -> TileView:
        """Return the card of a kind of tile, to look it up; it is no rules card (0.3.1.4)."""
        return views.card(self.rules, name)

    def start(self, wanted: Setup) -> State:
        """Return the state of the first turn; the caller has checked :meth:`problems`."""
        return setup.start(self.rules, wanted)

    def step(self, state: State, event: WorldEvent) -> Step[State]:
        """Apply one event. Pure and total: never raises on any event in any phase."""
        if isinstance(event, Acted):
            return self._person(state, event)
        if state.phase is _OVER:
            return Step(state, (Ignored(reason=f"over/{type(event).__name__}"),))
        move = Move(self.rules, state)
        move.set(at_us=max(state.at_us, event.at_us))
        _world(move, event)
        pausing.freeze(move, state)
        _go_on(move)
        pausing.freeze(move, state)
        return Step(move.state, tuple(move.effects))

    def _person(self, state: State, event: Acted) -> Step[State]:
        move = Move(self.rules, state)
        move.set(at_us=max(state.at_us, event.at_us), chance=event.chance)
        try:
            _act(move, event)
        except Refusal as refusal:
            refused = Refused(
                seat=event.seat, reason=refusal.reason, clause=refusal.clause, also=refusal.also
            )
            return Step(state, (refused,))
        pausing.freeze(move, state)
        _go_on(move)
        pausing.freeze(move, state)
        return Step(move.state, tuple(move.effects))

    def public(self, state: State) -> PublicView:
        """Return what everybody may see."""
        return views.public(Move(self.rules, state))

    def private(self, state: State, seat: str) -> PrivateView:
        """Return what one seat may see and do."""
        return options.private(Move(self.rules, state), seat)

    def wake_at_us(self, state: State) -> int | None:
        """Return when the game wants a :class:`Woke`, if nothing happens before."""
        if state.vote is not None or state.paused_us is not None or state.phase is _OVER:
            return None
        times = [
            ask.deadline_us for ask in state.asks if ask.deadline_us is not None and ask.default is not None
        ]
        if state.phase in _TIMED and state.deadline_us is not None and not state.asks:
            times.append(state.deadline_us)
        if state.phase is _ROLLING and state.roll is not None and not state.asks:
            times.append(state.roll.since_us + state.config.loop_us)
        return min(times, default=None)


def _act(move: Move, event: Acted) -> None:
    try:
        action = read_action(event.act)
    except msgspec.ValidationError as error:
        raise Refusal(f"Not an action of this game: {error}", "2.0.1") from None
    player = next((one for one in move.state.players if one.seat == event.seat), None)
    if player is None:
        raise Refusal("Only players can do that.", "2.0.1")
    if move.state.paused_us is not None and not isinstance(action, Concede):
        raise Refusal("The game is paused: until it goes on only leaving is possible.", "0.0")
    rule = ACTIONS[type(action)]
    if move.state.vote is not None and type(action) not in FROZEN_OK:
        raise Refusal("A vote is open: until it is over only leaving is possible.", "0.5.1", "R-05")
    if move.state.phase not in rule.phases:
        raise Refusal(rule.otherwise, rule.clause, *_unstable(move, action))
    if player.out and type(action) not in OUT_OK:
        raise Refusal("You are out of the game.", "R-72")
    if move.state.asks and type(action) not in ASKED_OK:
        raise Refusal("A question is open: it comes first.", "2.3.2")
    before = move.state
    rule.hear(move, event.seat, action)
    overruling.remember(move, before, event.seat, action)
    if not isinstance(action, Agree) and move.state.agreed:
        move.set(agreed=())  # what they agreed to is no longer all there is


def _unstable(move: Move, action: Action) -> tuple[str, ...]:
    """Return what else keeps people from acting in this phase, beside the clause of the action itself."""
    if move.state.phase is Phase.OVER:
        return ("2.9.1",)
    playing_now = move.state.play is not None and isinstance(action, (Roll, Play, Activate))
    return ("2.3.2", "2.2.1.3") if playing_now else ("2.3.2",)


def _world(move: Move, event: Fact | RollSettled | TileSeen | PowerSet | Paused | Renamed | Woke) -> None:
    if not isinstance(event, (TileSeen, Paused, Woke)):
        overruling.forget(move)
    if powering.people_tell(move, event):
        move.ignore(f"{move.state.phase.value}/{type(event).__name__} while people tell")
        return
    _HEARD.get(type(event), rolling.fact)(move, event)


def _tile_seen(move: Move, event: TileSeen) -> None:
    seating.tile_seen(move, event.slot, present=event.present)


def _woke(move: Move, _event: Woke) -> None:
    if move.state.vote is not None or move.state.paused_us is not None:
        return
    asking.answer_defaults(move)
    state = move.state
    over = state.deadline_us is not None and state.at_us >= state.deadline_us and not state.asks
    if state.phase is _SETTLING and over:
        commit.commit(move)
    elif state.phase is Phase.SEATING and over:
        seating.let_go(move)
    elif state.phase is _ROLLING and _endless(state):
        looping.loop_watch(move)


_HEARD: Final[dict[type, Callable[[Move, Any], None]]] = {
    BallReleased: rolling.release,
    Paused: pausing.paused,
    PowerSet: powering.power_set,
    Renamed: pausing.renamed,
    RollSettled: rolling.settled,
    TileSeen: _tile_seen,
    Woke: _woke,
}
"""Who hears what the world does; all else is something that a ball did."""


def _endless(state: State) -> bool:
    """Whether balls have been moving for so long that somebody should be asked (R-31)."""
    return state.roll is not None and state.at_us >= state.roll.since_us + state.config.loop_us


def _go_on(move: Move) -> None:
    """Let the game run on by itself until it waits for a person, a ball or the clock."""
    before = None
    while (state := move.state) is not before and state.phase is not _OVER and state.vote is None:
        before = state
        if state.asks:
            asking.answer_defaults(move)
        if not move.state.asks:
            _advance(move)


def _advance(move: Move) -> None:
    state = move.state
    if state.phase is _RESOLVING:
        if _still_moves(state):
            move.set_roll(since_us=state.at_us)
            move.set(phase=Phase.ROLLING)
        elif state.demanded:
            move.set(phase=_RELEASING)
        elif not resolving.resolve_next(move):
            commit.become_stable(move)
    elif state.phase in _PLAYING:
        playing.drop_orphan(move)
    elif state.phase is _TIDYING:
        if not resolving.resolve_next(move):
            commit.go_on(move)
    elif _nobody_acts(state) and leaving.somebody_leaves(move):
        commit.commit(move)
    elif state.phase is _DISCARDING:
        turns.discard_to(move, state.active)


def _still_moves(state: State) -> bool:
    """Whether balls began to move while a tile was laid: they must lie still before anything (R-17)."""
    roll = state.roll
    return roll is not None and roll.astir and not (roll.told or roll.dead or state.demanded)


def _nobody_acts(state: State) -> bool:
    """Whether the game is stable: a ramp may be chosen, but nothing rolls yet (R-60)."""
    waits = state.phase is _RELEASING and state.roll is None and not state.demanded and state.play is None
    return waits or state.phase is _CHOOSING
