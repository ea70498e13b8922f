"""Rolling: from the choice of a ramp until all balls rest, however launched (2.1, R-11 … R-18, R-22)."""

from collections.abc import Callable
from typing import Final

import msgspec
from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallOffBoard,
    BallReleased,
    Fact,
    Question,
    RollSettled,
)
from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.lay import ramps
from hextraction.controller.games.hextraction.roll import lost_balls
from hextraction.controller.games.hextraction.roll.looping import LOOP
from hextraction.controller.games.hextraction.roll.voiding import give_back
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state import record
from hextraction.controller.games.hextraction.state.glow import touch_glow
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import (
    Heir,
    QuestionKind,
    Stands,
    TileOut,
    Undo,
    kind_of,
)
from hextraction.controller.games.hextraction.state.record import Record, resting
from hextraction.controller.games.hextraction.state.state import Ask, Matter, Phase, Roll, Stage, State
from hextraction.controller.games.hextraction.turn.ball_supply import locked, take_from_supply, tell_supply
from hextraction.controller.games.hextraction.turn.triggers import queue_triggers, unheard
from hextraction.controller.games.protocol import Flash, OpenGate

__all__ = [
    "LAUNCHED",
    "WITNESS",
    "ask_launched",
    "begin_loose",
    "calm",
    "choose_ramp",
    "fact",
    "may_be_launched",
    "may_get_loose",
    "release",
    "release_of",
    "settled",
    "who_rolls",
]

# --- Launchers other than ramps (2.1.1.3) ---


def may_be_launched(move: Move, seen: Fact) -> bool:
    """Whether a ball that nobody released may have come from the launcher, whose turn it is to be used."""
    state = move.state
    if not state.config.launcher or not isinstance(seen, BallEntered | BallFell | BallInZone):
        return False
    ready = state.phase is Phase.RELEASING or (state.phase is Phase.CHOOSING and state.rolls_owed > 0)
    now = move.record()
    known = {*now.on, *now.zones, *(ball for ball, _place in state.adrift)}
    return ready and state.vote is None and not state.asks and seen.ball not in known


def release_of(seen: Fact) -> BallReleased:
    """Return the release implied by such a ball."""
    return BallReleased(at_us=seen.at_us, ball=seen.ball, ramp="")


def ask_launched(move: Move) -> None:
    """Ask whether the ball that appeared was a roll; it counts as begun until the answer."""
    choices = [("yes", "Yes"), ("no", "No, it was an accident")]
    LAUNCHED.ask(move, move.state.active, "Was that a roll?", "2.1.1.3", choices, Matter())


def _answer_launched(move: Move, _ask: Ask, _about: Matter, choice: str) -> None:
    """Let the roll go on, or treat it as an accident without any effect (2.11.1)."""
    roll = move.state.roll
    if choice == "yes" or roll is None:
        return
    give_back(move, roll)
    asks = tuple(ask for ask in move.state.asks if kind_of(ask).stands is not Stands.WHILE_A_ROLL)
    move.owe_again(roll)
    rest = msgspec.structs.replace(resting(roll.record), ramps=_still_on_ramps(move, roll.record))
    move.set(roll=None, rest=rest, asks=asks, phase=Phase.CHOOSING)
    move.say("accident", "That was no roll: what the ball did does not count.", clause="2.11.1")


LAUNCHED = QuestionKind(
    word="launched",
    about=Matter,
    hear=_answer_launched,
    stands=Stands.ANYHOW,
    undo=Undo.AS_BEFORE,
    heir=Heir.ANYBODY,
    answers=("yes", "no"),
)


def _still_on_ramps(move: Move, record: Record) -> dict[int, str]:
    """Return the balls that were on ramps and have not been seen anywhere else since."""
    gone = {*record.on, *record.zones, *record.trails, *record.fell, *(ball for ball, _copy in record.lost)}
    return {ball: ramp for ball, ramp in move.state.rest.ramps.items() if ball not in gone}


# --- The roll ---

_STIRRED = frozenset({Phase.RESOLVING, Phase.SETTLING, Phase.RELEASING})
_PLAYING = frozenset({Phase.PLACING, Phase.SEATING})
_CLOSED = frozenset({Phase.TIDYING, Phase.PLACING, Phase.SEATING})
_STABLE = frozenset({Phase.CHOOSING, Phase.RELEASING})
_TIDYING = Phase.TIDYING  # every fact needs it: in Python 3.11 looking up an enum member takes long


def choose_ramp(move: Move, seat: str, action: act.ChooseRamp) -> None:
    """Choose a ramp for a player: its gate opens if it has one (2.1.1)."""
    roller, clause = who_rolls(move)
    if seat != roller:
        raise Refusal(f"It is {move.name(roller)}'s turn to roll.", clause)
    if move.state.demanded == 0 and move.state.rolls_owed < 1:
        raise Refusal("You have no roll left this turn.", "2.0.2")
    if action.ramp not in move.board.ramp_by_name:
        raise Refusal(f"This board has no ramp {action.ramp}.", "2.1.1.2")
    wanted = move.state.demanded_ramps if move.state.demanded else ()
    if wanted and action.ramp not in wanted:
        raise Refusal(f"This roll may only start from ramp {' or '.join(wanted)}.", "3.Rolling.2")
    legal = ramps.legal_ramps(move, wanted)
    if not legal and action.ramp in ramps.freeable_ramps(move, wanted):
        ramps.ignore_bans(move, seat, wanted, action.ramp)
    elif action.ramp not in legal:
        banning = " and ".join(map(move.called, ramps.banned_ramps(move)[action.ramp]))
        raise Refusal(f"Ramp {action.ramp} is banned by {banning}.", "2.1.2")
    if lost_balls.no_ball_came(move, action.ramp):
        lost_balls.ask_blocked(move, seat, action.ramp)
        return
    move.set(intent=(seat, action.ramp), phase=Phase.RELEASING)
    move.say("ramp", f"{move.name(seat)} takes ramp {action.ramp}.", seat=seat)
    tell_supply(move, seat)
    if move.state.config.gates and move.state.power:
        move.do(OpenGate(ramp=action.ramp))


def who_rolls(move: Move) -> tuple[str, str]:
    """Return who may release a ball now, and the clause that says so."""
    if move.state.demanded and move.state.intent is not None:
        return move.state.intent[0], "3.Rolling.2"
    return move.state.active, "2.1.1"


# --- facts --------------------------------------------------------------------------------------------------


def release(move: Move, seen: BallReleased) -> None:
    """Handle a ball leaving a ramp: a roll begins (3.Rolling.1), or goes on with one more ball (R-12)."""
    _no_longer_held(move)
    state = move.state
    nobody_owed_it = state.roll is not None and state.phase not in _CLOSED and not state.demanded
    if state.roll is not None and state.phase not in _CLOSED:
        roller = _release_again(move, seen, state.roll)
    elif state.roll is None and _may_begin(move, seen):
        roller = _begin(move, seen)
    elif state.roll is not None and state.phase in _PLAYING:
        _slip(move, seen, state.roll)
        return
    else:
        _accident(move, seen)
        return
    owed = state.demanded > 0 and not _is_open_to_it(move, seen.ramp)
    demanded = state.demanded if owed else max(0, state.demanded - 1)
    intent = (roller, "") if demanded else None
    dark = state.dark and not state.power  # what rolls in the light comes to rest in it
    move.set(phase=Phase.ROLLING, demanded=demanded, intent=intent, deadline_us=None, dark=dark)
    lost_balls.BLOCKED.drop(move)  # a ball has come after all
    take_from_supply(move)
    whence = f"ramp {seen.ramp}" if seen.ramp else "the launcher"
    said = f"{move.name(roller)} rolls from {whence}."
    if nobody_owed_it:  # it may be the same ball that has been up another ramp's mouth
        said = f"A ball comes from {whence}."
    if owed:
        said = f"A ball left {whence}, but this roll may not start there. Roll again."
    move.say("release", said, seat=roller, ball=seen.ball, clause="2.1.2" if owed else None)


def _may_begin(move: Move, seen: BallReleased) -> bool:
    state = move.state
    if not _is_open_to_it(move, seen.ramp):
        return False
    if state.demanded and state.phase is Phase.RELEASING:
        return True
    begun = state.phase is Phase.RELEASING and state.intent is not None and state.intent[1] == seen.ramp
    voting = state.vote is not None and not begun  # whoever had taken the ramp before may go on (0.5.1, R-05)
    stable = state.phase in _STABLE and not voting and not _disturbed(state)
    return stable and state.rolls_owed > 0


def _is_open_to_it(move: Move, ramp: str) -> bool:
    """Whether a ball from a ramp may be the roll that is owed: banned ramps are shut to it (2.1.2).

    So are all but the ramps that an effect names for the roll it orders.
    """
    wanted = move.state.demanded_ramps if move.state.demanded else ()
    if not ramp or not ramps.legal_ramps(move, wanted):
        return True
    return ramp not in ramps.banned_ramps(move) and (not wanted or ramp in wanted)


def _begin(move: Move, seen: BallReleased) -> str:
    """Begin a roll; return who rolls."""
    state, layout = move.state, move.layout()
    ordered = state.demanded > 0
    left = state.rolls_owed - (0 if ordered else 1)
    granted = state.grants[:1] if not ordered and state.rolls_owed <= len(state.grants) else ()
    roll = Roll(
        roller=who_rolls(move)[0],
        ramp=seen.ramp,
        since_us=seen.at_us,
        base=state.rest,
        record=record.add(record.begin(state.rest, layout), seen, layout),
        layouts=((0, layout),),
        due=not ordered,
        by=state.demanded_by if ordered else sum(granted),
        ramps=state.demanded_ramps if ordered else (),
        before=_before(state, left, state.grants[len(granted) :]),
    )
    move.set(roll=roll, rolls_owed=left, grants=state.grants[len(granted) :], adrift=())
    lost_balls.tell_old(move)
    return roll.roller


def may_get_loose(move: Move) -> bool:
    """Whether a ball that moves now begins a roll: an effect has moved the tiles under balls (2.1.4.1)."""
    state = move.state
    return bool(state.loose) and state.roll is None and state.phase is not _TIDYING


def begin_loose(move: Move, ball: int) -> None:
    """Begin a roll that nobody released: an effect has set a ball loose, which counts as rolled (2.1.4.1)."""
    state, layout = move.state, move.layout()
    roll = Roll(
        roller=state.loose,
        ramp="",
        since_us=state.at_us,
        base=state.rest,
        record=record.begin(state.rest, layout),
        layouts=((0, layout),),
        due=False,
        loose=True,
        before=msgspec.structs.replace(state, deadline_us=None, last=None, last_seat="", agreed_since=()),
    )
    move.set(roll=roll, adrift=())
    move.say("release", f"{move.name(roll.roller)} rolls: a ball got loose.", seat=roll.roller, ball=ball)


def _before(state: State, left: int, grants: tuple[int, ...]) -> State:
    """Return the game before a roll, without the release itself: what is left to roll then."""
    demanded = max(0, state.demanded - 1)
    return msgspec.structs.replace(
        state,
        rolls_owed=left,
        grants=grants,
        demanded=demanded,
        demanded_ramps=state.demanded_ramps if demanded else (),
        demanded_by=state.demanded_by if demanded else 0,
        intent=(state.intent[0], "") if demanded and state.intent is not None else None,
        deadline_us=None,
        last=None,
        last_seat="",
        agreed_since=(),
    )


def _release_again(move: Move, seen: BallReleased, roll: Roll) -> str:
    """Add a ball to the same roll: a new snapshot, counters from zero; earlier facts still belong to it.

    Returns:
        Who rolls it.
    """
    roller = who_rolls(move)[0] if move.state.demanded else roll.roller
    stage = Stage(roll.roller, roll.ramp, roll.record.entered_zone)
    stages = roll.stages if roller == roll.roller else (*roll.stages, stage)
    layout = move.layout()
    at_rest = move.state.phase in _STIRRED and not roll.astir
    move.set_roll(
        record=record.add(record.begin(roll.record, layout, keep=True), seen, layout),
        base=roll.record if at_rest else roll.base,
        astir=True,
        roller=roller,
        stages=stages,
        ramp=seen.ramp,
    )
    move.count_anew(seen.at_us)
    return roller


def _slip(move: Move, seen: BallReleased, roll: Roll) -> None:
    """Handle a ball leaving a ramp while an effect has a tile laid: no roll, but it moves in one (R-62)."""
    move.set_roll(record=record.add(roll.record, seen, move.layout()), astir=True)
    said = (
        f"A ball left ramp {seen.ramp} while a tile is being laid. That is no new roll, but "
        "what the ball does counts."
    )
    move.say("accident", said, ball=seen.ball, clause="2.1.4.1")


def fact(move: Move, seen: Fact) -> None:
    """Apply a provisional fact during a roll: all motion counts as the roller's (2.1.4.1)."""
    if move.state.config.launcher and may_be_launched(move, seen):
        awaited = move.state.phase is Phase.RELEASING
        release(move, release_of(seen))
        if not awaited:
            ask_launched(move)
    _no_longer_held(move)
    if may_get_loose(move):
        begin_loose(move, seen.ball)
    state = move.state
    roll = state.roll
    if roll is None or state.phase is _TIDYING:
        _accident(move, seen)
        return
    layout = roll.layouts[-1][1]
    before = roll.record
    after = record.add(before, seen, layout)
    if state.phase in _STIRRED:
        # A ball that moves during the roll makes the game unstable again, whatever set it off (2.1.4.1).
        base = roll.base if roll.astir else before
        stirred = msgspec.structs.replace(roll, base=base, record=after, since_us=seen.at_us, astir=True)
        move.set(roll=stirred, phase=Phase.ROLLING, deadline_us=None)
    else:
        move.set(roll=msgspec.structs.replace(roll, record=after, astir=True))
    lost_balls.STUCK.drop(move, lambda stuck: stuck.ball not in after.ramps)  # it has come off its ramp
    lost_balls.MISSING.drop(move, lambda missing: missing.ball == seen.ball)  # it is seen again
    _tell(move, seen, before, after)


def _tell(move: Move, seen: Fact, before: record.Record, after: record.Record) -> None:
    match seen:
        case BallEntered():
            copy = move.layout().get(seen.slot, 0)
            count = after.touches.get(copy, 0)
            if count != before.touches.get(copy, 0):
                said = f"{move.title(copy)} at {seen.slot}: touch {count}."
                move.do(Flash(place=f"slot.{seen.slot}", glow=touch_glow(count)))
                move.say("touch", said, slot=seen.slot, ball=seen.ball)
        case BallFell():
            said = f"The ball falls through {seen.slot}."
            move.say("fell", said, slot=seen.slot, ball=seen.ball, clause="2.1.5.1")
        case BallInZone():
            title = next((zone.title for zone in move.board.zones if zone.name == seen.zone), seen.zone)
            move.say("zone", f"A ball is in the {title}.", ball=seen.ball)
        case BallOffBoard():
            last = after.last.get(seen.ball, 0)
            where = f", last on {move.called(last)}" if move.laid_copy(last) is not None else ""
            move.say(
                "off", f"A ball left over the side{where}.", slot=seen.slot, ball=seen.ball, clause="2.1.5.3"
            )
        case _:
            pass


def settled(move: Move, seen: RollSettled) -> None:
    """Handle a settlement, when nothing moves: it replaces what was provisional, then effects are due (R-17).

    What people have said was never provisional, so then the record stays as it is.
    """
    roll = move.state.roll
    if roll is None or move.state.phase is Phase.TIDYING:
        for known in seen.facts:
            _move_by_accident(move, known)
        calm(move)
        return
    if seen.question is not None and not roll.told:
        _no_longer_held(move)
        _ask_witness(move, seen, seen.question)
        return
    now = roll.record
    if not roll.told:
        facts = _of_this_roll(move, seen.facts)
        now = record.fold(roll.base, facts, roll.layouts, fresh=roll.fresh, carried=roll.carried)
        now = record.adjust(now, roll.adjusted)
    for ball in _on_what_has_gone(move, roll, now):
        now = record.forget_ball(now, ball)
    if roll.dead:  # what was told to be taken off is told once
        now = record.off_ramps(now, {ball for ball, _ramp in roll.stuck})
    stuck = tuple(pair for pair in dict.fromkeys(now.stuck) if pair not in roll.stuck)
    LOOP.drop(move)
    rested = msgspec.structs.replace(
        roll, record=now, base=now, stuck=now.stuck, fresh=False, heard=len(now.arrivals), adjusted={},
        denied={}, told=False, astir=False, carried=(),
    )  # fmt: skip
    if move.state.phase in _PLAYING:
        move.set(roll=rested)
    else:
        move.set(roll=rested, phase=Phase.RESOLVING, deadline_us=None)
    move.say("still", "All balls are at rest.")
    _tell_ongoing(move)
    lifted = {ball for ball, _copy in now.lost}  # people know where those are
    for doubt in (one for one in seen.missing if one.ball not in lifted):
        lost_balls.ask_missing(move, doubt)
    for ball, ramp in stuck:
        lost_balls.ask_stuck(move, ball, ramp)
    queue_triggers(move, unheard(roll, now))


def _of_this_roll(move: Move, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return the facts of a settlement without those of a roll that had ended before it settled (R-12, R-20).

    What moved by accident before the first release belongs to no roll, and stays.
    """
    ended_us = move.state.ended_us
    if not any(isinstance(fact, BallReleased) and fact.at_us < ended_us for fact in facts):
        return facts
    return tuple(fact for fact in facts if fact.at_us >= ended_us)


def _on_what_has_gone(move: Move, roll: Roll, now: record.Record) -> list[int]:
    """Return the balls at rest where a tile was destroyed as they rolled: they come away with it (R-36)."""
    layout = move.layout()
    gone = {slot for _since_us, before in roll.layouts for slot in before} - layout.keys()
    return [ball for ball, on in now.on.items() if on and gone.issuperset(on)]


def _tell_ongoing(move: Move) -> None:
    """Remind people of what a tile has them do, all the time, with balls that lie next to it."""
    lying = {slot for on in move.record().on.values() for slot in on}
    for laid, _index, effect in move.on_board(When.ONGOING):
        near = {other for slot in laid.slots for other in move.board.neighbours(slot)}
        told = effect.deed.in_words and move.enabled(effect, laid) and near & lying
        if told and not (effect.deed.lets_balls_go and locked(move)):
            said = f"{move.called(laid.copy)}: {effect.text}"
            move.say("effect", said, slot=laid.slot, clause="2.6.3")


_ASKING: Final[dict[str, Callable[[str], str]]] = {
    "third": lambda where: f"Was {where} touched three times or more?",
    "touches": lambda where: f"How often was {where} touched?",
    "rests": lambda where: f"Where does a ball lie: {where}?",
    "lost": lambda where: f"From which tile did a ball leave the board: {where}?",
    "zone": lambda where: f"Does a ball that rolled lie in the {where}?",
}


def _ask_witness(move: Move, seen: RollSettled, question: Question) -> None:
    """Ask what the tracker is unsure of, if a ruling depends on it; the settlement waits (R-14)."""
    move.set_roll(held=seen)
    choices = lost_balls.witness_choices(question)
    zones = {zone.name: zone.title for zone in move.board.zones} if question.kind == "zone" else {}
    WITNESS.ask(
        move,
        lost_balls.roller_of(move),
        _ASKING[question.kind](" or ".join(zones.get(place, place) for place in question.slots)),
        "R-14",
        choices,
        Matter(),
        slots=tuple(slot for slot in question.slots if slot in move.board.by_name),
        deadline_us=move.state.at_us + move.state.config.attest_us,
    )


def _answer_witness(move: Move, ask: Ask, _about: Matter, choice: str) -> None:
    """Apply the table's answer to the tracker's doubt: the account that agrees with it holds.

    What that account leaves open is asked in turn; but nobody who was silent is asked again.
    """
    held = move.state.roll.held if move.state.roll is not None else None
    if held is None or held.question is None:
        return
    words = [word for word, _label in lost_balls.witness_choices(held.question)]
    answer = held.question.answers[words.index(choice)]
    silent = ask.deadline_us is not None and move.state.at_us >= ask.deadline_us
    move.set_roll(held=None)
    settled(
        move,
        RollSettled(
            at_us=held.at_us,
            facts=answer.facts,
            missing=held.missing,
            probability=answer.probability,
            question=None if silent else answer.question,
        ),
    )


WITNESS = QuestionKind(
    word="witness",
    about=Matter,
    hear=_answer_witness,
    stands=Stands.WHILE_A_ROLL,
    undo=Undo.AS_BEFORE,
    heir=Heir.ANYBODY,
    default=0,
    answers=("yes", "no", "none", "N", "PLACE", "PLACE+…"),
    watched=True,
)


def _no_longer_held(move: Move) -> None:
    """Let the likeliest answer hold, as a ball moves before the table has answered."""
    held = move.state.roll.held if move.state.roll is not None else None
    if held is not None:
        WITNESS.drop(move)
        move.set_roll(held=None)
        settled(move, msgspec.structs.replace(held, question=None))


# --- Accidents: balls that move though nobody rolls (2.3.1, 2.11, R-22, R-62) ---


def _accident(move: Move, seen: Fact) -> None:
    """Handle a ball moving though nobody rolls: no touch, trigger, win or destruction (2.11.1, R-22, R-62).

    It stays where it comes to lie (2.11.2). Until all lie still the game is unstable: nobody rolls, plays,
    activates or ends the turn (2.3.1, 2.3.2).
    """
    was = _whereabouts(move, seen.ball)
    _move_by_accident(move, seen)
    if seen.ball not in [ball for ball, _place in move.state.adrift]:
        move.set(adrift=(*move.state.adrift, (seen.ball, was)))
        if isinstance(seen, BallReleased):
            why = "another ball was moving" if len(move.state.adrift) > 1 else "nobody is rolling"
            said = f"A ball left ramp {seen.ramp}, but {why}: it does not count."
        elif was:
            said = f"The ball at {was} came loose though nobody is rolling. Wait until it lies still."
        else:
            said = "A ball is moving though nobody is rolling. Wait until it lies still."
        slot = was if was in move.board.by_name else None
        move.say("accident", said, slot=slot, ball=seen.ball, clause="2.11.1")
    move.set(adrift_us=seen.at_us)
    if move.state.phase is Phase.SETTLING:
        move.set(deadline_us=None)


def _move_by_accident(move: Move, seen: Fact) -> None:
    if move.state.roll is None:
        move.set(rest=record.resting(record.add(move.state.rest, seen, {})))
    else:
        move.set_record(record.moved_by_hand(move.record(), seen))


def calm(move: Move) -> None:
    """Tell where balls lie that moved by accident; a commit that they have interrupted settles anew."""
    adrift = move.state.adrift
    if not adrift:
        return
    move.set(adrift=())
    ways: dict[tuple[str, str], list[int]] = {}
    for ball, was in adrift:
        ways.setdefault((was, _whereabouts(move, ball)), []).append(ball)
    for (was, now), balls in ways.items():
        slot = now if now in move.board.by_name else None
        move.say("accident", _told(was, now, len(balls)), slot=slot, ball=balls[0], clause="2.11.2")
    if move.state.phase is Phase.SETTLING:
        move.set(deadline_us=move.state.at_us + move.state.config.grace_us)


def _told(was: str, now: str, count: int) -> str:
    """Say where balls lie that moved by accident."""
    balls, lie, have = ("The ball", "lies", "has") if count == 1 else (f"{count} balls", "lie", "have")
    where = f"in {now}" if now.startswith("the ") else f"on {now}" if now.startswith("ramp ") else f"at {now}"
    if now == was:
        again = "That ball is gone." if count == 1 else f"{count} balls are gone."
        return f"{balls} {lie} {where} again." if now else again
    whose = f"{balls} from {was}" if was else "That ball" if count == 1 else balls
    if not now:
        return f"{whose} {'is' if count == 1 else 'are'} off the board now."
    return f"{whose} {lie} {where} now, and {have} set nothing off."


def _whereabouts(move: Move, ball: int) -> str:
    """Return where a ball is, for people: a slot, the title of a zone, or a ramp; empty if it is nowhere."""
    now = move.record()
    if now.on.get(ball):
        return now.on[ball][-1]
    titles = {zone.name: f"the {zone.title}" for zone in move.board.zones}
    zone, ramp = now.zones.get(ball), now.ramps.get(ball)
    return titles.get(zone, "") if zone else f"ramp {ramp}" if ramp else ""


def _disturbed(state: State) -> bool:
    """Whether a ball moves by accident or a hand lifts a tile, so that nobody may roll (2.3.1).

    A roll that was declared before that is rolled: then all that moves counts as rolled (2.1.4.1).
    """
    if state.phase is Phase.RELEASING:
        return False
    return bool(state.adrift) or any(isinstance(ask.about, TileOut) for ask in state.asks)
