"""A table without sensors that wants few taps: each tap stands for all that it means (R-50, R-20).

*Light*: a tap on a slot lays the tile and lets it go, one on a ramp rolls, and one says where the ball ended.
Then the roll is over and, once nothing is owed, the turn. Nobody counts touches: only a tile that does
something when it is touched can be told of. *Score only*: who rolled and whether it was a goal, nothing of
tiles. In both, whoever tapped wrongly takes their own last tap back for a minute, and nobody has to agree;
whoever tapped after that takes theirs back first. So nothing waits for objections but the end of somebody's
game.

Such a table may still have a beam at each ramp and end zone: then a beam saves the tap that says the same.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from hextraction.board.facts import BallInZone, BallReleased
from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.roll import rolling
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import Undo
from hextraction.controller.games.hextraction.state.record import number_of_next
from hextraction.controller.games.hextraction.state.state import Depth, Phase, Roll, State
from hextraction.controller.games.hextraction.talk import overruling, powering, told
from hextraction.controller.games.hextraction.turn import pausing, playing, seating, triggers, turns
from hextraction.controller.games.scene import Option

__all__ = [
    "UNDO_US",
    "attest",
    "choose_ramp",
    "end_if_over",
    "forget",
    "may_untap",
    "place",
    "remember",
    "sensed",
    "taps",
    "undo",
]

UNDO_US: Final = 60_000_000
"""How long somebody may take their own last tap back."""
MOST_TAPS: Final = 20
"""How many taps are kept, one behind the other: some turns of quick hands."""

# --- What one tap stands for ---


def place(move: Move, seat: str, action: act.Place) -> None:
    """Lay a tile; where taps are few, whoever taps the slot has let it go (2.2.5)."""
    seating.place(move, seat, action)
    if move.state.depth is not Depth.FULL and move.state.phase is Phase.SEATING:
        playing.install(move)


def choose_ramp(move: Move, seat: str, action: act.ChooseRamp) -> None:
    """Choose a ramp; where taps are few, the ball is let go with it (3.Rolling.1)."""
    rolling.choose_ramp(move, seat, action)
    if move.state.depth is not Depth.FULL:
        told.attest(move, seat, act.Attest(saw="released", place=action.ramp))


_ENDS: Final = frozenset({"zone", "off", "fell", "stuck", "rests"})


def attest(move: Move, seat: str, action: act.Attest) -> None:
    """Hear what somebody saw; where taps are few, the roll is over once no ball is on its way any more."""
    depth = move.state.depth
    if depth is Depth.SCORE and move.state.phase is not Phase.ROLLING:
        _keep_score(move, seat, action)
        return
    if depth is not Depth.LIGHT:
        told.attest(move, seat, action)
        return
    for part in _parts(move, action):
        told.attest(move, seat, part)
    roll = move.state.roll
    if action.saw in _ENDS and roll is not None and move.state.phase is Phase.ROLLING:
        ball = action.ball if action.ball is not None else told.meant(move)
        if not _under_way(move, roll, ball if action.saw == "rests" else None):
            told.attest(move, seat, act.Attest(saw="still"))


def _parts(move: Move, action: act.Attest) -> Iterator[act.Attest]:
    """Return what a tap means in the words of a table where everything is told."""
    where = action.place
    if action.saw in {"rests", "off"} and where:
        ball = action.ball if action.ball is not None else told.meant(move)
        if where not in move.record().on.get(ball, ()):
            yield msgspec.structs.replace(action, saw="touched")
        if action.saw == "off":
            yield msgspec.structs.replace(action, place="")
        return
    yield action


def _under_way(move: Move, roll: Roll, resting: int | None) -> bool:
    """Whether a ball of this roll is still on its way, as far as people have told."""
    now = move.record()
    return bool(_untold(move, roll) or ({ball for ball in now.on if ball in now.trails} - {resting}))


def _untold(move: Move, roll: Roll) -> frozenset[int]:
    """Return the balls of this roll of which nobody has told anything since they were let go."""
    now = move.record()
    return frozenset(now.ramps.keys() - roll.base.ramps.keys() - {ball for ball, _ramp in now.stuck})


def end_if_over(move: Move) -> None:
    """End a turn by itself, where taps are few: nothing is owed or could still be used (2.0.1).

    Where only the score is kept, the roll is all of it: one that turned out to be no goal ends it, too.
    """
    state = move.state
    if state.depth is Depth.FULL or not state.rolled or state.asks:
        return
    if state.depth is Depth.SCORE:
        turns.finish_turn(move)
    elif not (turns.owed(move) or triggers.available(move) or triggers.nameable_effects(move)):
        turns.end_turn(move, state.active, act.End())


# --- Score only ---


def _keep_score(move: Move, seat: str, action: act.Attest) -> None:
    """Hear how somebody's roll ended, where nothing else is followed."""
    state = move.state
    if state.phase is not Phase.CHOOSING:
        raise Refusal(turns.waits_for(move), "2.3.2")
    if action.saw == "nothing":
        move.say("roll", f"{move.name(state.active)} rolls: no goal.", seat=state.active)
        turns.finish_turn(move)
        return
    if action.saw != "zone" or action.place not in {zone.name for zone in move.board.zones}:
        raise Refusal("This table only keeps score: tap whether it was a goal.", "R-50")
    ball = number_of_next(move.record())
    rolling.release(move, BallReleased(at_us=state.at_us, ball=ball, ramp=""))
    move.set_roll(told=True, tapped=(seat,))
    rolling.fact(move, BallInZone(at_us=state.at_us, ball=ball, zone=action.place))
    rolling.settled(move, powering.at_rest(move))


# --- What a beam says ---


def sensed(move: Move, seen: object) -> bool:
    """Hear a beam as the tap that it saves; whoever rolls may take it back like a tap of their own.

    Return whether it was heard so: a board that follows balls, or people who tell everything, need no such
    reading. What a tap has told already, and what a hand does to a beam that nobody waits for, is nothing.
    """
    state = move.state
    if state.config.sensors or state.depth is Depth.FULL:
        return False
    if not isinstance(seen, BallReleased | BallInZone):
        return False
    roller = state.roll.roller if state.roll is not None else rolling.who_rolls(move)[0]
    tap = _released_tap(move, seen) if isinstance(seen, BallReleased) else _zone_tap(move, seen)
    if tap is None:
        move.ignore(f"{state.phase.value}/{type(seen).__name__} that nobody waits for")
        return True
    try:
        attest(move, roller, tap)
    except Refusal as refusal:
        move.state = state
        move.ignore(f"{state.phase.value}/{type(seen).__name__}: {refusal.reason}")
        return True
    remember(move, state, roller, Undo.POSSIBLE)
    return True


def _released_tap(move: Move, seen: BallReleased) -> act.Attest | None:
    """Return the tap that a ramp's beam saves: only while a roll is waited for, and of light tables."""
    state = move.state
    waits = state.phase is Phase.RELEASING or (state.phase is Phase.CHOOSING and state.rolls_owed > 0)
    if state.depth is not Depth.LIGHT or not waits or state.asks or state.vote is not None or state.adrift:
        return None
    return act.Attest(saw="released", place=seen.ramp)


def _zone_tap(move: Move, seen: BallInZone) -> act.Attest | None:
    """Return the tap that an end zone's beam saves: of a ball that is on its way, and not there already."""
    state = move.state
    if state.asks or state.vote is not None or state.adrift:
        return None
    if state.depth is Depth.SCORE and state.phase is Phase.CHOOSING:
        return act.Attest(saw="zone", place=seen.zone)
    if state.phase is not Phase.ROLLING or state.roll is None:
        return None
    ball = told.meant(move)
    return act.Attest(saw="zone", place=seen.zone, ball=ball) if _under_way(move, state.roll, None) else None


# --- What can be tapped ---


def taps(move: Move, seat: str) -> list[Option]:
    """Return what people can report about balls now, as closely as the table follows the game."""
    if move.state.depth is Depth.FULL:
        return told.taps(move)
    if move.state.depth is Depth.SCORE and move.state.phase is not Phase.ROLLING:
        return list(_results(move)) if _may_score(move.state, seat) else []
    if move.state.depth is Depth.LIGHT and move.state.roll is not None and move.state.phase in told.MOVING:
        return [] if move.state.phase is Phase.SETTLING else list(_where_it_ended(move))
    return told.taps(move)


def _may_score(state: State, seat: str) -> bool:
    """Everybody may tap for whoever rolls: one phone may do for a family."""
    return state.phase is Phase.CHOOSING and not state.asks and any(one.seat == seat for one in state.players)


def _results(move: Move) -> Iterator[Option]:
    yield told.tap("No goal", "nothing", clause="2.0.1")
    for zone in move.board.zones:
        yield told.tap(f"Goal in the {zone.title}", "zone", zone.name, clause="2.9.1.1")


def _where_it_ended(move: Move) -> Iterator[Option]:
    """Offer each end of a ball's way, and the tiles that do something when they are touched."""
    state, layout, rim = move.state, move.layout(), set(move.board.rim)
    balls = told.in_play(move)
    ball = told.meant(move) if len(balls) > 1 else None
    for slot in move.board.slot_names:
        if slot not in layout:
            yield told.tap(f"It fell through {slot}", "fell", slot, at=slot, ball=ball, clause="2.1.5.1")
            continue
        yield told.tap(f"It stopped on {slot}", "rests", slot, at=slot, ball=ball, clause="R-50")
        if slot in rim:
            yield told.tap(
                f"It left over the side at {slot}", "off", slot, at=slot, ball=ball, clause="2.1.5.3"
            )
        if move.tile(layout[slot]).effects_when(When.TRIGGER):
            yield told.tap(f"It touched {slot}", "touched", slot, at=slot, ball=ball, clause="2.6")
    ramp = state.roll.ramp if state.roll is not None else ""
    yield from (one for one in told.ends(move, ramp, ball) if one.act["saw"] != "off")
    yield from (told.about(move, other) for other in balls if ball is not None and other != ball)
    roll = state.roll  # that all lies still would leave a ball of which nothing is told stuck on its ramp
    if len(balls) > 1 and state.phase is Phase.ROLLING and roll is not None and not _untold(move, roll):
        yield told.tap("All balls have stopped", "still")


# --- Taking back one's own last tap ---


def remember(move: Move, before: State, seat: str, untap: Undo) -> None:
    """Keep the state before a tap of few that its owner may take back; what else changes the game ends that.

    Taps before it are kept with it, as long as they are fresh: the last one is taken back first.
    """
    if untap is Undo.POSSIBLE:
        kept = msgspec.structs.replace(_fresh(before, move.state.at_us), last=None, agreed_since=())
        move.set(tap=kept, tap_seat=seat)
    elif untap is Undo.OVER:
        forget(move)


def _fresh(state: State, at_us: int, most: int = MOST_TAPS) -> State:
    """Return a state with so many of the taps before it as may still be taken back."""
    if state.tap is None:
        return state
    if most <= 0 or at_us >= state.tapped_us + UNDO_US:
        return msgspec.structs.replace(state, tap=None, tap_seat="")
    return msgspec.structs.replace(state, tap=_fresh(state.tap, at_us, most - 1))


def forget(move: Move) -> None:
    """Let no tap be taken back from now on."""
    if move.state.tap is not None:
        move.set(tap=None, tap_seat="")


def may_untap(state: State, seat: str) -> bool:
    """Whether a seat may take its last tap back."""
    return state.tap is not None and state.tap_seat == seat and state.at_us < state.tapped_us + UNDO_US


def undo(move: Move, seat: str, action: act.Undo) -> None:
    """Take one's own last tap back at once; where everything is told, the table must agree (0.0)."""
    now = move.state
    if now.depth is Depth.FULL:
        overruling.undo(move, seat, action)
        return
    if now.tap is None or not may_untap(now, seat):
        raise Refusal("Your last tap can no longer be taken back.", "0.0")
    move.state = msgspec.structs.replace(
        now.tap, at_us=now.at_us, chance=now.chance, next_id=max(now.next_id, now.tap.next_id)
    )
    pausing.shift(move, now.at_us - now.tap.at_us)
    move.say("undo", f"{move.name(seat)} takes the last tap back.", seat=seat, clause="0.0")
