"""Break the Loop: early, forced, and when nothing can settle (2.1.4.3, 2.1.4.4, R-30 … R-32)."""

from hextraction.board.facts import BallOffBoard
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state import record
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import Heir, QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.record import nowhere
from hextraction.controller.games.hextraction.state.state import Ask, Depth, Matter, Phase, Roll, State
from hextraction.controller.games.hextraction.turn import destroying
from hextraction.controller.games.hextraction.turn.ball_supply import lets_go
from hextraction.controller.games.hextraction.turn.triggers import queue_triggers, unheard

__all__ = [
    "LOOP",
    "break_loop",
    "break_the_loop",
    "endless_at_us",
    "is_endless",
    "loop_candidates",
    "loop_watch",
    "still_moving",
]


def loop_candidates(move: Move) -> tuple[int, ...]:
    """Return the tiles touched three or more times since the latest release (3.BreakTheLoop.1)."""
    return tuple(copy for copy, count in move.record().touches.items() if count >= 3 and move.laid_copy(copy))


def break_loop(move: Move, seat: str, _action: act.BreakLoop) -> None:
    """Break the loop early, as the roller (2.1.4.3, R-30)."""
    roll = move.state.roll
    if roll is None or seat != roll.roller:
        raise Refusal("Only the player who is rolling can break the loop.", "2.1.4.3")
    if roll.dead:
        raise Refusal("This roll does not count: it destroys nothing.", "0.5.8")
    if roll.account:
        raise Refusal("First all the others must confirm what happened while the power was off.", "R-49")
    if not loop_candidates(move):
        raise Refusal("No tile has been touched three times this roll.", "2.1.4.3")
    break_the_loop(move)


def break_the_loop(move: Move) -> None:
    """Destroy every tile with three touches at once, and lock out new balls until the commit (R-32)."""
    doomed = loop_candidates(move)
    laid = [found for copy in doomed if (found := move.laid_copy(copy)) is not None]
    names = ", ".join(f"{move.title(one.copy)} at {one.slot}" for one in laid)
    move.say("loop", f"Break the Loop: {names or 'no tile is at three touches'}.", clause="3.BreakTheLoop.1")
    destroying.destroy_all(move, doomed, clause="3.BreakTheLoop.1")
    move.set_roll(locked=True)
    LOOP.drop(move)
    _call_off(move)


def _call_off(move: Move) -> None:
    """Call off every ball that somebody was to let go: none is owed later either (R-32)."""
    move.forget_demand()
    asks = tuple(ask for ask in move.state.asks if not lets_go(move, ask))
    if asks != move.state.asks:
        move.set(asks=asks)
        move.say("effect", "No new ball until all is quiet.", clause="3.BreakTheLoop.2")


def endless_at_us(state: State) -> int | None:
    """Return when balls will have been moving for so long that it should be asked (R-31); None for never.

    Of a roll that went on in the dark people tell what has been, however long that takes (R-49). Where
    people tell what balls do, their account is all there is: once by that every ball is gone, or lies where
    it lay before, none moves any more, and they have only not yet said that everything lies still. Where
    only results are told, nobody says that a ball has gone on: how long it rolls they see themselves.
    """
    roll = state.roll
    if (
        roll is None
        or roll.account
        or state.depth is not Depth.FULL
        or (state.people_tell and not _may_move(roll))
    ):
        return None
    return roll.since_us + state.config.loop_us


def is_endless(state: State) -> bool:
    """Whether balls have been moving for so long."""
    endless_us = endless_at_us(state)
    return endless_us is not None and state.at_us >= endless_us


def _may_move(roll: Roll) -> bool:
    """Whether by its account a ball of the roll may still be on its way: on a ramp, on or between tiles."""
    now = roll.record
    waits = [ball for ball, ramp in now.ramps.items() if (ball, ramp) not in now.stuck]
    before = roll.before.rest.ramps if roll.before is not None else {}
    return bool([ball for ball in waits if ball not in before] or _moved(roll) or nowhere(now))


def still_moving(move: Move) -> None:
    """Note that somebody has told where a ball is: nothing is asked before it is long ago (R-31)."""
    move.set_roll(since_us=move.state.at_us)
    LOOP.drop(move)


def loop_watch(move: Move) -> None:
    """Ask, after balls have moved for very long, whether they can settle at all (2.1.4.4, R-31)."""
    roll = move.state.roll
    if roll is not None and not LOOP.is_open(move):
        choices = [("wait", "Wait"), ("endless", "They will not stop")]
        text = "The balls still move. Will they stop by themselves?"
        LOOP.ask(move, roll.roller, text, "2.1.4.4", choices, Matter())


def _answer_loop(move: Move, _ask: Ask, _about: Matter, choice: str) -> None:
    """Act on the table's answer whether the roll can end by itself."""
    roll = move.state.roll
    if roll is None or move.state.phase is not Phase.ROLLING:
        return
    if choice == "endless" and not roll.dead and loop_candidates(move):
        break_the_loop(move)
    elif choice != "wait":
        _lift_out(move, choice)
        return
    move.set_roll(since_us=move.state.at_us)


LOOP = QuestionKind(
    word="loop",
    about=Matter,
    hear=_answer_loop,
    stands=Stands.WHILE_A_ROLL,
    undo=Undo.AS_BEFORE,
    heir=Heir.ANYBODY,
    answers=("wait", "endless", "ball.N"),
    ended_by=("attest", "break_loop"),
)


def _lift_out(move: Move, choice: str) -> None:
    """Have the ball lifted out that spins, as breaking the loop destroys nothing (R-31).

    It counts as gone over the side; other balls stay. If several have moved, the table says which one it is.
    """
    roll = move.state.roll
    if roll is None:
        return
    moved = _moved(roll)
    spins = moved[0] if len(moved) == 1 else next((ball for ball in moved if choice == f"ball.{ball}"), None)
    if spins is None and moved:
        _ask_which(move, roll, moved)
        return
    now = roll.record
    if spins is not None:
        gone = BallOffBoard(at_us=move.state.at_us, ball=spins, slot=now.on[spins][-1])
        now = record.add(now, gone, move.layout())
        said = f"Lift the ball out of {gone.slot}. It counts as gone over the side."
        move.say("loop", said, slot=gone.slot, ball=spins, clause="R-31")
    move.set_roll(record=now, base=now, heard=len(now.arrivals), adjusted={}, denied={})
    move.set_roll(told=True, locked=not roll.dead)
    if not roll.dead:
        _call_off(move)
    move.set(phase=Phase.RESOLVING)
    queue_triggers(move, unheard(roll, now))


def _moved(roll: Roll) -> list[int]:
    """Return the balls on tiles that have moved since all last lay still: one of these spins."""
    now, then = roll.record, roll.base
    came = {arrival.ball for arrival in now.arrivals[roll.heard :]}
    return [
        ball
        for ball, on in now.on.items()
        if on and (ball in came or on != then.on.get(ball) or now.trails.get(ball) != then.trails.get(ball))
    ]


def _ask_which(move: Move, roll: Roll, moved: list[int]) -> None:
    places = {ball: roll.record.on[ball][-1] for ball in moved}
    choices = [("wait", "Wait"), *((f"ball.{ball}", f"The ball at {slot}") for ball, slot in places.items())]
    text = "Which ball does not come to rest? You will lift it out."
    LOOP.ask(move, roll.roller, text, "R-31", choices, Matter(), slots=tuple(places.values()))
