"""Hextraction as a game: what is possible when, and ``step``, which goes on until somebody must act."""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import msgspec
from hextraction.board.facts import BallReleased, Fact, RollSettled
from hextraction.board.profile import STANDARD, Board
from hextraction.controller.games.hextraction.cards import face
from hextraction.controller.games.hextraction.cards.tilebook import shipped_files
from hextraction.controller.games.hextraction.cards.tiles import Catalogue
from hextraction.controller.games.hextraction.effects import asking_anew, effects, resolving
from hextraction.controller.games.hextraction.roll import commit, looping, lost_balls, rolling, ways
from hextraction.controller.games.hextraction.roll.replay import RollKeeper
from hextraction.controller.games.hextraction.setup.house import HouseRules, demo_house, own_of, read_house
from hextraction.controller.games.hextraction.setup.lobby import LobbyDetail
from hextraction.controller.games.hextraction.setup.preparation import Preparing
from hextraction.controller.games.hextraction.setup.random_setup import draw_setup
from hextraction.controller.games.hextraction.shown import options, views
from hextraction.controller.games.hextraction.shown.detail import Detail
from hextraction.controller.games.hextraction.shown.lamps import lamps
from hextraction.controller.games.hextraction.shown.strategy import HexStrategy
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.actions import (
    Action,
    Activate,
    Agree,
    Concede,
    read_action,
)
from hextraction.controller.games.hextraction.state.move import Move, Refusal, Rules
from hextraction.controller.games.hextraction.state.questions import Undo
from hextraction.controller.games.hextraction.state.state import Depth, Phase, Player, Roll, Setup, State
from hextraction.controller.games.hextraction.talk import (
    arranging,
    asking,
    correcting,
    leaving,
    light,
    overruling,
    powering,
    voting,
    whole_position,
)
from hextraction.controller.games.hextraction.turn import (
    cards,
    destroying,
    flagging,
    pausing,
    playing,
    preparing,
    seating,
    start,
    triggers,
    turns,
)
from hextraction.controller.games.protocol import (
    Acted,
    Awaited,
    Blinded,
    Ignored,
    Paused,
    Physical,
    PowerSet,
    Refused,
    Renamed,
    Seated,
    Standing,
    Step,
    TileSeen,
    Woke,
    WorldEvent,
)
from hextraction.controller.games.scene import Glow, PrivateView, Scene
from hextraction.controller.games.strategy import Luck, Strength
from hextraction.settings import Section
from msgspec.structs import replace

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ACTIONS", "ALWAYS", "MOST_ROUNDS", "Amid", "Hextraction", "Rule"]

# --- The transition table, which docs and tests read, too ---


class Amid(IntEnum):
    """Up to what an action is still heard while it goes on; each includes what stands before it."""

    CALM = 0
    """Nothing moves and nothing is asked."""
    ACCIDENT = 1
    """A ball moves by accident (2.3.1, R-62)."""
    QUESTION = 2
    """A question is open; all that is not heard then waits for its answer (2.3.2)."""
    VOTE = 3
    """A vote is open: then only leaving, voting, and reporting what balls do are left (0.5.1, R-05)."""


class Rule(NamedTuple):
    """One row: when an action is heard and by whom, what then becomes of taking back, and why not elsewhere.

    Without ``otherwise``, what is refused in a wrong phase is told what the game waits for (2.3.2). ``out``:
    players who have lost may do it as well (2.8.3). ``untap`` says at a table of few taps what becomes of
    taking back one's own last tap.
    """

    phases: frozenset[Phase]
    amid: Amid
    hear: Callable[[Move, str, Any], None]
    undo: Undo
    clause: str = "2.9.1"
    otherwise: str | None = "The game is over."
    out: bool = False
    untap: Undo = Undo.OVER


ALWAYS = frozenset(Phase) - {Phase.OVER}
_AT_CHOICE, _SEATED = frozenset({Phase.CHOOSING}), frozenset({Phase.SEATING})
_BALLS_MOVE = frozenset({Phase.RELEASING, Phase.ROLLING, Phase.RESOLVING, Phase.SETTLING})
_LAYING = frozenset({Phase.PLACING, Phase.SEATING})
_IN_A_ROLL = _BALLS_MOVE | _LAYING
"""An effect of a roll may have a tile laid while the roll still goes on (2.1.4)."""
_NOT_LAYING = "Nobody lays a tile now."

ACTIONS: dict[type[act.Action], Rule] = {
    act.ChooseRamp: Rule(
        frozenset({Phase.CHOOSING, Phase.RELEASING}), Amid.CALM, light.choose_ramp, Undo.POSSIBLE,
        "2.3.2", None, untap=Undo.POSSIBLE,
    ),
    act.Play: Rule(
        frozenset({Phase.CHOOSING, Phase.PLACING}), Amid.CALM, effects.reveal, Undo.POSSIBLE,
        "2.3.2", None, untap=Undo.POSSIBLE,
    ),
    act.Place: Rule(
        _LAYING, Amid.ACCIDENT, light.place, Undo.POSSIBLE, "2.2.4", _NOT_LAYING, untap=Undo.POSSIBLE
    ),
    act.LetGo: Rule(_SEATED, Amid.ACCIDENT, playing.seated, Undo.POSSIBLE, "2.2.4.1", _NOT_LAYING),
    act.NoFit: Rule(_SEATED, Amid.ACCIDENT, effects.no_fit, Undo.POSSIBLE, "2.2.4.3", _NOT_LAYING),
    act.Activate: Rule(
        _AT_CHOICE, Amid.CALM, triggers.activate, Undo.POSSIBLE, "2.7.4.5", None, untap=Undo.POSSIBLE,
    ),
    act.End: Rule(_AT_CHOICE, Amid.CALM, turns.end_turn, Undo.OVER, "2.3.2", None, untap=Undo.POSSIBLE),
    act.BreakLoop: Rule(
        _IN_A_ROLL, Amid.QUESTION, looping.break_loop, Undo.POSSIBLE,
        "2.1.4.3", "Nobody is rolling.", untap=Undo.POSSIBLE,
    ),
    act.CallVote: Rule(ALWAYS, Amid.QUESTION, voting.call_vote, Undo.OVER),
    act.Ballot: Rule(ALWAYS, Amid.VOTE, voting.cast, Undo.OVER),
    act.Concede: Rule(ALWAYS, Amid.VOTE, leaving.concede, Undo.OVER),
    act.Answer: Rule(ALWAYS, Amid.QUESTION, asking.answer, Undo.AS_BEFORE, untap=Undo.POSSIBLE),
    act.Attest: Rule(
        _IN_A_ROLL | {Phase.CHOOSING}, Amid.VOTE, light.attest, Undo.OVER,
        "2.11.1", "Nobody is rolling.", untap=Undo.POSSIBLE,
    ),
    act.Correct: Rule(
        _IN_A_ROLL, Amid.QUESTION, correcting.correct, Undo.AS_BEFORE,
        "R-20", "That is final: nothing can change it now.",
    ),
    act.Lifted: Rule(ALWAYS, Amid.VOTE, seating.lifted, Undo.OVER),
    act.Fallen: Rule(ALWAYS, Amid.QUESTION, seating.fallen, Undo.OVER),
    act.Contend: Rule(
        ALWAYS - {Phase.ROLLING}, Amid.QUESTION, correcting.contend, Undo.AS_BEFORE,
        "R-14", "Wait until the balls lie still.",
    ),
    act.Flick: Rule(
        _BALLS_MOVE, Amid.QUESTION, correcting.flick, Undo.AS_BEFORE,
        "2.1.1.1", "There is no roll to correct.",
    ),
    act.Overrule: Rule(ALWAYS, Amid.QUESTION, overruling.overrule, Undo.AS_BEFORE),
    act.Undo: Rule(ALWAYS, Amid.QUESTION, light.undo, Undo.AS_BEFORE, untap=Undo.AS_BEFORE),
    act.Flag: Rule(ALWAYS, Amid.QUESTION, flagging.flag, Undo.AS_BEFORE),
    act.Jammed: Rule(ALWAYS, Amid.QUESTION, flagging.jammed, Undo.AS_BEFORE),
    act.Rules: Rule(ALWAYS, Amid.QUESTION, cards.ask_rules, Undo.AS_BEFORE, untap=Undo.AS_BEFORE),
    act.Reclaim: Rule(
        _AT_CHOICE, Amid.CALM, leaving.reclaim, Undo.OVER,
        "R-61", "You can take things back only while the game is on and nothing moves.", out=True,
    ),
    act.Reenter: Rule(
        ALWAYS - {Phase.TIDYING}, Amid.QUESTION, whole_position.reenter, Undo.AS_BEFORE,
        "R-49", "Wait a moment: the board is not tidy yet.",
    ),
    act.Arrange: Rule(
        frozenset({Phase.CHOOSING, Phase.RESOLVING, Phase.SETTLING}), Amid.QUESTION,
        arranging.arrange, Undo.AS_BEFORE, "2.3.2", "Wait until nothing moves and nobody lays a tile.",
    ),
    act.Agree: Rule(
        frozenset({Phase.SETTLING}), Amid.CALM, commit.agree, Undo.AS_BEFORE,
        "R-20", "There is nothing to agree to now.", untap=Undo.AS_BEFORE,
    ),
    act.Object: Rule(
        frozenset({Phase.SETTLING}), Amid.CALM, commit.object_to, Undo.AS_BEFORE,
        "R-20", "There is nothing to object to now.", untap=Undo.AS_BEFORE,
    ),
    act.Adjust: Rule(ALWAYS, Amid.QUESTION, preparing.adjust, Undo.OVER),
}  # fmt: skip


# --- The game ---

# Every event needs these: in Python 3.11 looking up an enum member takes longer than comparing it.
_CHOOSING, _RELEASING, _ROLLING = Phase.CHOOSING, Phase.RELEASING, Phase.ROLLING
_SETTLING, _OVER = Phase.SETTLING, Phase.OVER
_TIMED = (Phase.SETTLING, Phase.SEATING, Phase.RESOLVING, Phase.TIDYING)
"""Phases that end by themselves when their time is up."""
_WITHOUT_ACCIDENT = (Phase.SETTLING, Phase.RESOLVING)
"""Those that end only when no ball moves by accident."""
MOST_ROUNDS: Final = 1000
"""Of the loop after one event, before it counts as endless; random evenings need no more than a dozen."""


class Hextraction:
    """The rules, for one board and one catalogue of tiles. Holds no game state."""

    kind: ClassVar[str] = "hextraction"
    title: ClassVar[str] = "Hextraction"
    seats: ClassVar[range] = range(2, 7)
    usual_board: ClassVar[str] = STANDARD
    setup_type = Setup
    leaving: ClassVar[Mapping[str, Any]] = {"do": "concede"}
    details: ClassVar[Sequence[type[msgspec.Struct]]] = (Detail, LobbyDetail, face.TileView)

    def __init__(self, board: Board, tiles: Catalogue, house: HouseRules | None = None) -> None:
        self.board = board
        self.rules = Rules(board, tiles)
        self.house = house or HouseRules()
        self._lying = views.Lying(self.rules.tiles)

    @property
    def drawn(self) -> Board:
        """The board as phones draw it: all of it."""
        return self.board

    @classmethod
    def read_rules(cls, section: Section, folder: "Path") -> HouseRules:
        """Return the house rules that a table of ``hextraction.toml`` holds."""
        return read_house(section, folder)

    @classmethod
    def demo_rules(cls, laid: int | None, own: "Path | None" = None) -> HouseRules:
        """Return brisk house rules for a demonstration, with some path tiles on the board."""
        return demo_house(laid, own)

    @classmethod
    def on(cls, board: Board, rules: HouseRules | None = None) -> "Hextraction":
        """Return the game on a board, with the tiles that the house rules name."""
        house = rules or HouseRules()
        return cls(board, house.tiles(), house)

    def preparation(self, keep: "Path | None") -> Preparing:
        """Return what hears people before a game; tiles that they describe are kept in the folder."""
        return Preparing(self.rules, self.house, keep)

    def problems(self, wanted: Setup) -> list[tuple[str, str]]:
        """Return the objections to a set-up, as (what, clause)."""
        return start.check_setup(self.rules, start.with_marked_names(wanted))

    def unknown_tiles(self, wanted: Setup) -> tuple[str, ...]:
        """Return the names in a set-up that no tile here has, once each, in the order of the set-up."""
        return start.unknown_tiles(self.rules, wanted)

    def begun_with(self, wanted: Setup) -> "Hextraction":
        """Return this game with people's own tiles that it was begun with; raises as :func:`own_of`."""
        return Hextraction(self.board, {**self.rules.tiles, **own_of(wanted.own)}, self.house)

    def advice(self, wanted: Setup) -> list[tuple[str, str]]:
        """Return what the table should know before it starts, as (text, clause); none of it stops it."""
        return start.advice(self.rules, wanted)

    def card(self, name: str) -> face.TileView:
        """Return the card of a kind of tile, for reference; it is not a rules card (0.3.1.4)."""
        return face.card(self.rules.named(name))

    def start(self, wanted: Setup) -> State:
        """Return the state of the first turn; the caller has checked :meth:`problems`."""
        return start.start(self.rules, wanted)

    def step(self, state: State, event: WorldEvent) -> Step[State]:
        """Apply one event. Pure and total: never raises on any event in any phase."""
        if isinstance(event, Acted):
            return self._person(state, event)
        if state.phase is _OVER:
            return Step(state, (Ignored(reason=f"over/{type(event).__name__}"),))
        move = Move(self.rules, replace(state, at_us=max(state.at_us, event.at_us)))
        _world(move, event)
        return _outcome(move, state)

    def _person(self, state: State, event: Acted) -> Step[State]:
        now = replace(state, at_us=max(state.at_us, event.at_us), chance=event.chance)
        move = Move(self.rules, now)
        try:
            _act(move, event)
        except Refusal as refusal:
            refused = Refused(
                seat=event.seat, reason=refusal.reason, clause=refusal.clause, also=refusal.also
            )
            return Step(state, (refused,))
        return _outcome(move, state)

    def contact_us(self, wanted: Setup) -> int:
        """Return within how long the same sensor again is still the same contact (R-13)."""
        return wanted.config.leave_us

    def standing(self, state: State) -> Standing:
        """Return how the game stands."""
        return Standing(
            over=state.phase is _OVER,
            players=state.players,
            active=state.active,
            outcome=state.outcome,
            turn=state.turn,
            power=state.power,
            paused=state.paused_us is not None,
        )

    def physical(self, state: State) -> Physical:
        """Return what lies on the board by the rules."""
        return self._lying.physical(state)

    def awaited(self, state: State) -> Awaited:
        """Return whom and what the game waits for."""
        return views.waits_for(Move(self.rules, state))

    def roll_watcher(self) -> RollKeeper:
        """Return who keeps the last roll of one running game."""
        return RollKeeper()

    def scene(self, state: State) -> Scene:
        """Return what everybody may see."""
        return views.scene(Move(self.rules, state))

    def private(self, state: State, seat: str) -> PrivateView:
        """Return what one seat may see and do."""
        return options.private(Move(self.rules, state), seat)

    def lamps(self, scene: Scene) -> Mapping[str, Glow]:
        """Return how the lamps of each place shine."""
        return lamps(scene)

    @classmethod
    def files(cls) -> tuple[str, ...]:
        """Return the names of the catalogue's files of tiles."""
        return tuple(shipped_files())

    def draw(self, seats: Sequence[Seated], luck: Luck, files: Sequence[str], laid: int) -> Setup:
        """Return a set-up drawn at random, with ``laid`` tiles on the board at first."""
        return draw_setup(self.board, seats, luck, files, laid)

    def strategy(self, strength: Strength = "strong") -> HexStrategy:  # noqa: ARG002 - they know one way
        """Return how the game's bots choose."""
        return HexStrategy(self.rules.board, self.rules.tiles)

    def ending(self, state: State, clause: str) -> str:
        """Return in a word or two how a game ended."""
        return start.ending(state, clause)

    def wake_at_us(self, state: State) -> int | None:
        """Return when the next :class:`Woke` is due, if nothing happens before."""
        if state.vote is not None or state.paused_us is not None or state.phase is _OVER:
            return None
        times = [
            ask.deadline_us for ask in state.asks if ask.deadline_us is not None and ask.default is not None
        ]
        if state.adrift:
            times.append(state.adrift_us + state.config.loop_us)
        if state.tap is not None:
            times.append(state.tapped_us + light.UNDO_US)
        waits = state.phase in _TIMED and not (state.adrift and state.phase in _WITHOUT_ACCIDENT)
        if waits and state.deadline_us is not None and not state.asks:
            times.append(state.deadline_us)
        if state.phase is _ROLLING and not state.asks:
            endless_us = looping.endless_at_us(state)
            times += [endless_us] if endless_us is not None else []
        return min(times, default=None)


def _outcome(move: Move, before: State) -> Step[State]:
    """Let the game go on after an event was heard; return what came of both."""
    if move.state.asks:
        overruling.drop_stale(move)
        flagging.drop_freed(move)
        ways.drop_moot(move)
    pausing.freeze(move, before)
    asking_anew.ask_anew(move, before)
    lost_balls.ask_anew(move, before)
    heard = move.state
    _go_on(move)
    if move.state is not heard:
        pausing.freeze(move, before)
    return Step(move.state, tuple(move.effects))


def _act(move: Move, event: Acted) -> None:
    try:
        action = read_action(event.act)
    except msgspec.ValidationError as error:
        raise Refusal(f"That cannot be done in this game: {error}", "2.0.1") from None
    before, kind = move.state, type(action)
    for player in before.players:
        if player.seat == event.seat:
            break
    else:
        raise Refusal("Only players can do that.", "2.0.1")
    rule = ACTIONS[kind]
    _check(move, player, kind, rule)
    if action.tells:
        move.teller = event.seat
    rule.hear(move, event.seat, action)
    overruling.remember(move, before, event.seat, action, rule.undo)
    if before.depth is not Depth.FULL:
        light.remember(move, before, event.seat, rule.untap)
    if move.state.agreed and kind is not Agree:
        move.set(agreed=())  # they agreed before this happened


def _check(move: Move, player: Player, kind: type[Action], rule: Rule) -> None:
    """Check whether this kind of action is possible now.

    Raises:
        Refusal: it is not.
    """
    before = move.state
    if before.paused_us is not None and kind is not Concede:
        raise Refusal("The game is paused. Until it goes on, you can only leave.", "0.0")
    if before.vote is not None and rule.amid < Amid.VOTE:
        raise Refusal("A vote is open: it comes first.", "0.5.1")
    if before.phase not in rule.phases:
        raise Refusal(*_not_now(move, rule, kind))
    if player.out and not rule.out:
        raise Refusal("You are out of the game.", "R-72")
    if before.asks and rule.amid < Amid.QUESTION:
        raise Refusal(turns.waits_for(move), "2.3.2")
    if before.adrift and rule.amid < Amid.ACCIDENT:
        raise Refusal(turns.waits_for(move), "2.3.2")


def _not_now(move: Move, rule: Rule, kind: type[Action]) -> tuple[str, ...]:
    """Return why an action is not possible in this phase, and the clauses that say so."""
    state = move.state
    if rule.otherwise is not None:
        return rule.otherwise, rule.clause
    why = turns.waits_for(move)
    if state.phase is _OVER:
        return why, "2.9.1"
    if state.play is None or state.play.seated or kind is act.End:
        return why, rule.clause
    return (why, "2.2.1.3") if kind is not Activate else (why, rule.clause, "2.2.1.3")


def _world(
    move: Move, event: Fact | RollSettled | TileSeen | PowerSet | Paused | Renamed | Blinded | Woke
) -> None:
    if type(event) not in _STILL:
        overruling.forget(move)
        light.forget(move)
    if powering.people_tell(move, event):
        move.ignore(f"{move.state.phase.value}/{type(event).__name__} while people tell")
        return
    if not light.sensed(move, event):
        _HEARD.get(type(event), rolling.fact)(move, event)


def _tile_seen(move: Move, event: TileSeen) -> None:
    seating.tile_seen(move, event.slot, present=event.present)


def _woke(move: Move, _event: Woke) -> None:
    if move.state.vote is not None or move.state.paused_us is not None:
        return
    asking.answer_defaults(move)
    if move.state.tap is not None and move.state.at_us >= move.state.tapped_us + light.UNDO_US:
        light.forget(move)
    state = move.state
    over = state.deadline_us is not None and state.at_us >= state.deadline_us and not state.asks
    if state.adrift and state.at_us >= state.adrift_us + state.config.loop_us:
        rolling.calm(move)  # no sensor has seen it come to rest
    elif state.phase is _SETTLING and over and not state.adrift:
        commit.commit(move)
    elif state.phase is Phase.SEATING and over:
        seating.let_go(move)
    elif state.phase in {Phase.RESOLVING, Phase.TIDYING} and over:
        move.set(deadline_us=None)  # what waited for its moment goes on
    elif state.phase is _ROLLING and looping.is_endless(state):
        looping.loop_watch(move)


_HEARD: Final[dict[type, Callable[[Move, Any], None]]] = {
    BallReleased: rolling.release,
    Blinded: powering.blinded,
    Paused: pausing.paused,
    PowerSet: powering.power_set,
    Renamed: pausing.renamed,
    RollSettled: rolling.settled,
    TileSeen: _tile_seen,
    Woke: _woke,
}
"""The handlers of world events; all other events are facts about balls."""

_STILL: Final = frozenset({TileSeen, Paused, Blinded, Woke})
"""World events after which the last action can still be undone."""


def _go_on(move: Move) -> None:
    """Run the game until it waits for a person, a ball or the clock.

    Raises:
        RuntimeError: an effect owes itself anew for ever; the caller leaves the event out.
    """
    for _round in range(MOST_ROUNDS):
        before = move.state
        if not _goes_on(move) or move.state is before:
            return
    raise RuntimeError(f"the game does not come to rest: {MOST_ROUNDS} rounds after one event")


def _goes_on(move: Move) -> bool:
    """Carry out the next of what is owed; return whether to look for more."""
    if move.state.vote is not None:
        return False
    if move.state.in_hand:
        seating.miss(move)
    state = move.state
    if state.asks:
        return state.phase is not _OVER and asking.answer_defaults(move)
    if state.parting:
        destroying.ask_parting(move)
        return True
    by_itself = _BY_ITSELF.get(state.phase)
    if by_itself is not None:
        by_itself(move)
    return by_itself is not None


def _rolling(move: Move) -> None:
    """End a roll that nobody is left to tell: whatever it did, all lose at its end (2.8.4, R-27, R-60)."""
    if move.state.people_tell and not move.staying():
        commit.commit(move)


def _resolving(move: Move) -> None:
    state = move.state
    if state.adrift and state.roll is None:
        return  # nothing is resolved while a ball moves
    if state.roll is not None and _still_moves(state, state.roll):
        move.set(roll=replace(state.roll, since_us=state.at_us), phase=_ROLLING)
    elif state.demanded and (state.roll is None or not state.roll.dead):
        if move.awaits_release():
            move.set(phase=_RELEASING)
    elif not resolving.resolve_next(move):
        commit.become_stable(move)


def _tidying(move: Move) -> None:
    if not resolving.resolve_next(move):
        commit.go_on(move)


def _settling(move: Move) -> None:
    """Resolve what Break the Loop has set off under the grace: nothing is stable before that (R-20)."""
    state = move.state
    if state.waiting and (state.roll is None or not state.roll.dead):
        move.set(phase=Phase.RESOLVING, deadline_us=None)


def _stable(move: Move) -> None:
    if move.state.adrift or not _nobody_acts(move.state):
        return
    if leaving.somebody_leaves(move):
        commit.commit(move)
    elif commit.is_unsettled(move):
        move.set(phase=Phase.RESOLVING, intent=None)
    elif move.state.phase is _CHOOSING:
        light.end_if_over(move)


_BY_ITSELF: Final[dict[Phase, Callable[[Move], object]]] = {
    Phase.CHOOSING: _stable,
    Phase.RELEASING: _stable,
    Phase.ROLLING: _rolling,
    Phase.RESOLVING: _resolving,
    Phase.SETTLING: _settling,
    Phase.PLACING: playing.drop_jammed,
    Phase.SEATING: playing.drop_orphan,
    Phase.TIDYING: _tidying,
    Phase.DISCARDING: lambda move: turns.discard_to(move, move.state.active),
}
"""What the game does by itself in each phase; in all others it waits, or is over."""


def _still_moves(state: State, roll: Roll) -> bool:
    """Whether balls began to move while a tile was laid: they must lie still before anything else (R-17)."""
    return roll.astir and not (roll.told or roll.dead or state.demanded)


def _nobody_acts(state: State) -> bool:
    """Whether the game is stable: a ramp may be chosen, but nothing rolls yet (R-60)."""
    waits = state.phase is _RELEASING and state.roll is None and not state.demanded and state.play is None
    return waits or state.phase is _CHOOSING
