"""Disputes, until the commit, about what the board counted or saw (2.1.1.1, R-14)."""

from collections.abc import Iterator
from typing import Final

from hextraction.board.facts import BallEntered, BallFell, BallInZone, BallOffBoard, Fact
from hextraction.controller.games.hextraction.roll.voiding import given_up, kill_roll
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state import record
from hextraction.controller.games.hextraction.state.agreeing import agreement, propose
from hextraction.controller.games.hextraction.state.deeds import OfEffect, acting
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import Stands
from hextraction.controller.games.hextraction.state.record import Arrival
from hextraction.controller.games.hextraction.state.state import Ask, Matter, Phase, Play, Roll, Waiting
from hextraction.controller.games.hextraction.turn import playing, triggers

__all__ = ["CONTEND", "CORRECT", "FLICK", "can_contend", "contend", "correct", "flick", "gone"]


_MOST: Final = 99
"""How many touches can be told at most; of a tile that is gone that is as many as there may have been."""


def correct(move: Move, seat: str, action: act.Correct) -> None:
    """Propose another count of touches."""
    roll = move.state.roll
    copy = _meant(roll, action) if roll is not None else 0
    if not copy:
        raise Refusal("No roll could have touched that tile.", "R-20")
    if not 0 <= action.touches <= _MOST:
        raise Refusal("Touches are counted from 0 to 99.", "R-14")
    tile = move.called(copy, action.slot)
    if move.laid_copy(copy) is None and action.touches >= triggers.times_set_off(move, copy):
        raise Refusal(f"{tile} is gone: that would change nothing.", "R-19")
    often = f"{action.touches} time{'' if action.touches == 1 else 's'}"
    text = f"{move.name(seat)} says {tile} was touched {often}. Agreed?"
    matter = Touched(copy=copy, slot=action.slot, touches=action.touches)
    propose(move, CORRECT, seat, text, "R-14", matter=matter, slots=(action.slot,))


def _meant(roll: Roll, action: act.Correct) -> int:
    """Return the tile that is meant: the one named, else the last that has lain in that slot in this roll."""
    lay = [layout[action.slot] for _since_us, layout in reversed(roll.layouts) if action.slot in layout]
    return next((copy for copy in lay if action.tile in {0, copy}), 0)


class Touched(Matter, frozen=True, kw_only=True):
    """How often a tile was touched, and the slot in which people saw that."""

    copy: int
    slot: str = ""
    touches: int


def gone(move: Move) -> Iterator[tuple[int, str, int]]:
    """Yield the tiles that are gone by now, but have been set off: each with its slot, and how often.

    Their counters are gone as well (R-30), but not what they have done to players (R-19).
    """
    roll = move.state.roll
    for copy, slot in {one.copy: one.slot for one in roll.done}.items() if roll is not None else ():
        often = triggers.times_set_off(move, copy)
        if often and move.laid_copy(copy) is None:
            yield copy, slot, often


def _corrected(move: Move, _ask: Ask, claim: Touched, agreed: bool) -> None:  # noqa: FBT001 - an outcome
    """Set the count, unless the tile is gone with it (R-30); what the touches set off follows from it."""
    copy, roll = claim.copy, move.state.roll
    if not agreed or roll is None:
        return
    laid, more = move.laid_copy(copy), -_MOST
    if laid is not None:
        more = claim.touches - roll.record.touches.get(copy, 0)
        _recount(move, roll, copy, more)
    called = move.called(copy, "" if laid is not None else claim.slot)
    move.say("correct", f"Agreed. Touches on {called}: {claim.touches}.", clause="R-14")
    if not roll.dead:
        _match_triggers(move, roll, copy, claim.touches, more)


def _recount(move: Move, roll: Roll, copy: int, more: int) -> None:
    """Correct a count. What balls do until the next quiet is counted anew then, and keeps what was agreed."""
    now = record.adjust(roll.record, {copy: more})
    if roll.astir or move.state.phase is Phase.ROLLING:
        adjusted = {**roll.adjusted, copy: roll.adjusted.get(copy, 0) + more}
        move.set_roll(record=now, adjusted=adjusted)
    else:
        move.set_roll(record=now, base=now)


def _match_triggers(move: Move, roll: Roll, copy: int, touches: int, more: int) -> None:
    """Let a touch that was agreed on set the tile off (2.6.1), and one that was none no longer (R-16).

    What hands have done for it stands, and so does a switch as people have seen it: for that the table has
    its own way (0.0).
    """
    laid = move.laid_copy(copy)
    if more < 0 and not (touches and move.state.config.trigger_once_per_roll):
        _take_back(move, triggers.drop_triggers(move, roll, copy, touches, -more), touches)
    elif more > 0 and laid is not None:
        now = move.record()
        lying = [ball for ball, on in now.on.items() if set(on) & set(laid.slots)]
        missed = Arrival(ball=(lying or [*now.trails] or [0])[-1], copy=copy, slot=laid.slot)
        triggers.queue_triggers(move, (missed,) * more)
    if move.state.phase is Phase.SETTLING:
        move.set(phase=Phase.RESOLVING, deadline_us=None)


def _take_back(move: Move, effects: tuple[int, ...], touches: int) -> None:
    """Let effects that have been carried out ask for nothing more, and give and cost nobody anything.

    ``touches`` is how often their tile was touched, as the table has agreed.
    """
    now = move.state
    if now.roll is None or not effects:
        return
    left = tuple(one for one in now.roll.done if one.id not in effects)
    for one in now.roll.done:
        if one.id in effects:
            _stop(move, one, touches)
            _give_up(move, one, still=sum(other.copy == one.copy for other in left))
    move.set_roll(done=left)
    undone = given_up(now, move.state)
    if undone:
        move.say("dead", f"Undone: {'; '.join(undone)}.", seat=now.roll.roller, clause="R-14")


def _stop(move: Move, one: Waiting, touches: int) -> None:
    """End what an effect still asks for, orders or waits for."""
    state = move.state
    move.set(asks=tuple(ask for ask in state.asks if not _asked_by(ask, one)))
    if state.poised is not None and state.poised.id == one.id:
        move.set(poised=None, deadline_us=None)
    if state.demanded_by == one.copy:
        move.forget_demand()
    play = state.play
    if play is not None and not play.seated and _ordered_by(play, one):
        why = "was touched less often" if touches else "was not touched"
        playing.end_order(move, play, f"{move.called(one.copy, one.slot)} {why}", "R-14")


def _ordered_by(play: Play, one: Waiting) -> bool:
    order = play.order
    return order is not None and (order.copy, order.effect) == (one.copy, one.effect)


def _asked_by(ask: Ask, one: Waiting) -> bool:
    about = ask.about
    return isinstance(about, OfEffect) and (about.copy, about.effect) == (one.copy, one.effect)


def _give_up(move: Move, one: Waiting, still: int) -> None:
    """Let a player have no turn, roll or play more by an effect, nor lose, win or miss a turn by it.

    ``still`` is how many effects of that tile count as before.
    """
    effect = move.tile(one.copy).effects[one.effect]
    acting(effect).take_back(move, one, effect, still)


CORRECT = agreement("correct", Touched, _corrected, claim=True)


_OVER: Final = frozenset({Phase.TIDYING, Phase.DISCARDING, Phase.OVER})
"""When it is too late to say what became of a ball (R-20)."""


def contend(move: Move, seat: str, action: act.Contend) -> None:
    """Propose where a ball lies, or what became of it."""
    if not can_contend(move):
        if move.state.phase in _OVER:
            raise Refusal("That is final: nothing can change it now.", "R-20")
        raise Refusal("Wait until the balls lie still.", "R-14")
    balls = _in_play(move)
    if action.ball not in balls:
        raise Refusal(f"There is no ball {action.ball} in play.", "R-14")
    if _fate(move, action.ball, action.place) is None:
        raise Refusal(f"This board has no place {action.place!r}.", "R-70")
    where = {"off": "left over the side", "fell": "fell through"}.get(action.place, f"is in {action.place}")
    text = f"{move.name(seat)} says the ball {where}. Agreed?"
    if len(balls) > 1:
        text = f"{move.name(seat)} says ball {action.ball} {where}. Agreed?"
    matter = BallAt(ball=action.ball, place=action.place)
    propose(move, CONTEND, seat, text, "R-14", matter=matter, judges=_witnesses(move, seat, action.ball))


def _in_play(move: Move) -> set[int]:
    """Return the balls of which something can be said: those that lie somewhere, and those that have left."""
    now = move.record()
    return {*now.on, *now.zones, *now.ramps, *now.fell, *(ball for ball, _copy in now.lost)}


def _witnesses(move: Move, seat: str, ball: int) -> tuple[str, ...]:
    """Return who judges a claim about a ball that only the roller's own tap has put into an end zone.

    Whoever else has seen it, before the roller; empty if it is another ball, for the usual judges (R-14).
    """
    roll = move.state.roll
    if roll is None or not _own_tap(roll, ball) or seat == roll.roller_of(ball):
        return ()
    roller = roll.roller_of(ball)
    others = tuple(other for other in move.staying() if other not in {seat, roller})
    return others or (roller,)


def _own_tap(roll: Roll, ball: int) -> bool:
    return ball in roll.record.zones and set(roll.tapped) == {roll.roller_of(ball)}


class BallAt(Matter, frozen=True, kw_only=True):
    """Where a ball is: a slot, a zone, ``off`` or ``fell``."""

    ball: int
    place: str


def can_contend(move: Move) -> bool:
    """Whether balls lie still, so that an agreement about them holds."""
    roll = move.state.roll
    astir = roll is not None and roll.astir and not (roll.told or roll.dead)
    return not astir and move.state.phase not in {Phase.ROLLING, *_OVER}


def _fate(move: Move, ball: int, place: str) -> Fact | None:
    at_us = move.state.at_us
    if place == "off":
        return BallOffBoard(at_us=at_us, ball=ball)
    if place == "fell":
        return BallFell(at_us=at_us, ball=ball, slot=next(iter(move.record().on.get(ball, ())), ""))
    if place in move.board.by_name:
        lies = move.laid_at(place) is not None  # through an open slot it drops (2.1.5.1)
        return (BallEntered if lies else BallFell)(at_us=at_us, ball=ball, slot=place)
    if place in {zone.name for zone in move.board.zones}:
        return BallInZone(at_us=at_us, ball=ball, zone=place)
    return None


def _went(move: Move, fate: Fact, place: str) -> str:
    zone = next((zone.title for zone in move.board.zones if zone.name == place), "")
    known = {BallOffBoard: "left over the side", BallFell: "fell through a slot"}
    return known.get(type(fate), f"is in the {zone}" if zone else f"is on {place}")


def _contended(move: Move, ask: Ask, claim: BallAt, agreed: bool) -> None:  # noqa: FBT001
    """Put the ball where the table says; outside a roll that has no consequence (2.11.1).

    If only the roller stands by the tap by which the roller would win, the roll is void (R-14, R-49).
    """
    ball, place, roll = claim.ball, claim.place, move.state.roll
    if not agreed and roll is not None and ask.seat == roll.roller_of(ball) and _own_tap(roll, ball):
        said = f"Only {move.name(ask.seat)} says that the ball is there: nobody wins by that."
        move.say("correct", said, ball=ball, clause="R-14")
        kill_roll(move, roll)
        return
    fate = _fate(move, ball, place)
    if not agreed or fate is None or not can_contend(move):
        return
    now = record.relocated(move.record(), fate, move.layout())
    move.set_record(now if move.state.roll is not None else record.resting(now))
    move.set_roll(base=now)
    went = _went(move, fate, place)
    said = f"Agreed: ball {ball} {went}." if len(_in_play(move)) > 1 else f"Agreed: the ball {went}."
    move.say("correct", said, ball=ball, clause="R-14")


CONTEND = agreement("contend", BallAt, _contended, claim=True)


def flick(move: Move, seat: str, _action: act.Flick) -> None:
    """Propose that the ball was pushed: somebody besides the roller must agree (2.1.1.1)."""
    roll = move.state.roll
    if roll is None or roll.dead:
        raise Refusal("There is no roll to correct.", "2.1.1.1")
    if roll.loose:
        raise Refusal("Nobody let a ball go: an effect has set it loose.", "2.1.1.1")
    judges = tuple(other for other in move.playing() if other not in {seat, roll.roller})
    text = f"{move.name(seat)} says the ball was pushed, not let go. Agreed?"
    propose(move, FLICK, seat, text, "2.1.1.1", matter=Matter(), judges=judges)


def _flicked(move: Move, _ask: Ask, _about: Matter, agreed: bool) -> None:  # noqa: FBT001
    """Void the roll of a pushed ball; it is rolled again (R-06)."""
    if agreed and move.state.roll is not None and not move.state.roll.dead:
        move.say("correct", "The ball was pushed: gravity alone may move it.", clause="2.1.1.1")
        kill_roll(move, move.state.roll)


FLICK = agreement("flick", Matter, _flicked, stands=Stands.WHILE_IT_COUNTS)
