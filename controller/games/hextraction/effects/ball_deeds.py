"""Words about balls: taking them off the board, releasing them, kicking them (2.6.5, 3.Trigger.3, R-18)."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from hextraction.board.grid import turned
from hextraction.controller.games.hextraction.cards.tiles import Effect, When
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY, Deed
from hextraction.controller.games.hextraction.effects import play_deeds
from hextraction.controller.games.hextraction.state.deeds import Acting, Doing, OfEffect, acting
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.record import (
    begin,
    forget_ball,
    let_go_at,
    number_of_next,
)
from hextraction.controller.games.hextraction.state.state import Laid, Phase, Waiting
from hextraction.controller.games.hextraction.turn.ball_supply import locked, take_from_supply, tell_supply
from hextraction.controller.games.protocol import KickBalls

__all__ = [
    "dropped_through",
    "hands_away",
    "kicked",
]

_NOTHING: Final[Mapping[int, str]] = MappingProxyType({})

# --- Taking balls off the board, or releasing them ---


def _take_balls(move: Move, doing: Doing) -> None:
    """Return balls on every tile along the arrow to the supply; they do not count as off the board.

    A ball leaves the board by rolling (2.1.5.3, R-33); where one that hands lift out counts as gone, a ruling
    says so (R-31). So they cost no tile, and a tile that collects what leaves the board does not get them.
    """
    laid = move.laid_copy(doing.copy)
    slot = doing.slot
    while laid is not None and slot:
        slot = move.board.neighbour(slot, turned(doing.effect.edge, laid.turns)) or ""
        there = move.laid_at(slot) if slot else None
        if there is not None:
            _lift(move, there)


def _lift(move: Move, laid: Laid) -> None:
    """Take off all balls that lie on a tile, in whichever of its slots (R-45)."""
    for ball, on in list(move.record().on.items()):
        slot = next((one for one in on if one in laid.slots), None)
        if slot is not None:
            _take(move, ball)
            move.say("lift", f"Take the ball off {slot}.", slot=slot, ball=ball, clause="2.6.5")


def _take(move: Move, ball: int) -> None:
    move.set_record(forget_ball(move.record(), ball))
    roll = move.state.roll
    if roll is not None:
        move.set_roll(base=forget_ball(roll.base, ball))


def _named(move: Move, effect: Effect) -> list[Laid]:
    wanted = move.rules.named(effect.tile).name
    return [laid for laid in move.state.laid if move.tile(laid.copy).name == wanted]


def _send_balls(move: Move, doing: Doing) -> None:
    """Move the balls in the trigger area to a tile; if several would do, ``seat`` chooses."""
    _send_to(move, doing, _named(move, doing.effect))


def _send_to_highest(move: Move, doing: Doing) -> None:
    targets = _named(move, doing.effect)
    top_mm = min((_height_mm(move, laid) for laid in targets), default=0.0)
    _send_to(move, doing, [laid for laid in targets if _height_mm(move, laid) < top_mm + 1])


def _send_to(move: Move, doing: Doing, targets: list[Laid]) -> None:
    if not _in_area(move, doing.waiting):
        move.say(
            "effect",
            f"No ball is left in the trigger area of {move.called(doing.copy)}.",
            slot=doing.slot,
            clause="2.6.5",
        )
    elif not targets:
        title = move.rules.named(doing.effect.tile).title
        move.say("effect", f"There is no {title} on the board.", slot=doing.slot, clause="3.Installed")
    elif not locked(move):
        choices = [(laid.slot, f"At {laid.slot}") for laid in targets]
        doing.ask(move, "on which ramp do you let the balls go?", "3.Trigger.3", choices)


def _height_mm(move: Move, laid: Laid) -> float:
    return move.board.by_name[laid.slot].y_mm


def _in_area(move: Move, waiting: Waiting) -> list[int]:
    return [ball for ball, on in move.record().on.items() if waiting.slot in on]


def _answer_send(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Let the balls leave the trigger area and roll from the other tile."""
    there = _in_area(move, doing.waiting)
    if not there:
        acting(doing.effect).do(move, doing)  # the table has agreed meanwhile that they lie elsewhere
        return
    move.say("release", f"Balls roll from the ramp at {choice}.", slot=choice, clause="3.Rolling.2")
    _let_go(move, put=dict.fromkeys(there, choice))


def _release_here(move: Move, doing: Doing) -> None:
    """Release one more ball, or several, on the ramp of the tile itself."""
    if not locked(move) and not move.lacks_balls(doing.seat):
        number = _at_most(move, doing.effect.amount)
        balls = "one more ball" if number == 1 else f"{number} more balls"
        text = f"let {balls} go on the ramp at {doing.slot}."
        tell_supply(move, doing.seat)
        about = doing.about(OfEffect, let_go=_new_balls(move, [doing.slot] * number))
        doing.ask(move, text, "3.Rolling.2", [("done", "Done")], about)


def _new_balls(move: Move, slots: Sequence[str]) -> dict[int, str]:
    """Return numbers of balls that are let go in these slots."""
    return dict(enumerate(slots, start=number_of_next(move.record())))


def _answer_release(move: Move, doing: Doing, _about: OfEffect, _choice: str) -> None:
    """Let balls roll from the tile itself; they are new ones."""
    _release(move, [doing.slot] * doing.effect.amount)


def _answer_release_at_each(move: Move, doing: Doing, _about: OfEffect, _choice: str) -> None:
    _release(move, [laid.slot for laid in _named(move, doing.effect)])


def _release(move: Move, slots: list[str]) -> None:
    balls = _at_most(move, len(slots))
    take_from_supply(move, balls)
    _let_go(move, new=slots[:balls])


def _at_most(move: Move, wanted: int) -> int:
    """Return how many balls can be let go of those that an effect wants: as many as are left (R-40)."""
    return int(min(wanted, move.spare_balls()))


def _answer_send_or_create(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    """Let a ball roll from the exit, or create the exit from the source that its creator names."""
    if choice == "done":
        exits, ball = _named(move, doing.effect), doing.waiting.ball
        _let_go(move, put={ball: exits[0].slot} if exits and ball is not None else {})
    else:
        play_deeds.answer_create(move, doing, about, choice)


def _release_at_each(move: Move, doing: Doing) -> None:
    """Release one ball at each of the tiles; if there is none, roll one more ball."""
    targets = _named(move, doing.effect)
    if not targets:
        move.demand(doing.seat, 1, by=doing.copy)
    elif not locked(move) and not move.lacks_balls(doing.seat):
        slots, number = ", ".join(laid.slot for laid in targets), _at_most(move, len(targets))
        text = f"let a ball go at {slots}."
        if number == 1 and len(targets) > 1:
            text = f"let the only ball that is left go at one of {slots}."
        elif number < len(targets):
            text = f"let a ball go at {number} of {slots}; no more are left."
        tell_supply(move, doing.seat)
        about = doing.about(OfEffect, let_go=_new_balls(move, [laid.slot for laid in targets][:number]))
        doing.ask(move, text, "3.Rolling.2", [("done", "Done")], about)


def dropped_through(move: Move, doing: Doing) -> bool:
    """Whether the ball that set an effect off has dropped through the hole of its tile (R-74)."""
    now, ball = move.record(), doing.waiting.ball
    if ball in now.fell and now.holes.get(ball) == doing.copy:
        return True
    said = f"No ball has dropped through the hole of {move.called(doing.copy)}."
    move.say("effect", said, slot=doing.slot or None, clause="2.6.5")
    return False


def _send_or_create(move: Move, doing: Doing) -> None:
    """Let the ball that dropped through the hole come out of the exit; if there is no exit, create it."""
    targets = _named(move, doing.effect)
    if not dropped_through(move, doing):
        return
    if not targets:
        play_deeds.create(move, doing)
    elif not locked(move):
        text = f"roll the ball on the exit at {targets[0].slot}."
        ball = doing.waiting.ball
        about = doing.about(OfEffect, let_go={} if ball is None else {ball: targets[0].slot})
        doing.ask(move, text, "3.Rolling.2", [("done", "Done")], about)


def _let_go(move: Move, *, new: Sequence[str] = (), put: Mapping[int, str] = _NOTHING) -> None:
    """Release again inside the roll: a new snapshot, counters from zero, everything waits (R-12, R-17).

    ``new`` are the slots on whose ramps new balls are let go. Where no sensor shows them, people tell about
    them from now on (R-50). ``put`` are balls that hands have carried to the ramp of a tile: those have been
    in contact with that one last, and are live again if they had fallen (R-33, R-23).
    """
    roll = move.state.roll
    if roll is None or move.state.phase is not Phase.RESOLVING:
        return
    now, layout = begin(roll.record, move.layout(), keep=True), move.layout()
    for ball, slot in put.items():
        now = let_go_at(now, ball, slot, layout.get(slot))
    about = [*put]
    for slot in new if move.people_tell() else ():
        about.append(number_of_next(now))
        now = let_go_at(now, about[-1], slot, None)
    if about and move.people_tell():
        move.set_roll(about=about[0])
    move.set_roll(record=now, base=now)
    move.count_anew(move.state.at_us)
    move.set(phase=Phase.ROLLING)


# --- Kicking the balls in a trigger area (2.6.5, 3.Trigger.3, R-18, R-51) ---


def _kick(move: Move, doing: Doing) -> None:
    """Kick the balls that are in the trigger area at this moment (R-18); without a kicker people do it."""
    there = [ball for ball, on in move.record().on.items() if doing.slot in on]
    if not there:
        move.say(
            "effect",
            f"No ball is left in the trigger area of {move.called(doing.copy)}.",
            slot=doing.slot or None,
            clause="2.6.5",
        )
    elif doing.slot in move.state.config.kickers and move.state.power:
        _fire(move, doing)
    else:
        _ask_to_push(move, doing)


def _ask_to_push(move: Move, doing: Doing) -> None:
    about = doing.about(OfEffect, stir=(doing.slot,))
    doing.ask(move, f"Set every ball on {doing.slot} moving.", "R-18", [("done", "Done")], about)


def _fire(move: Move, doing: Doing) -> None:
    """Fire the coil, but not while hands take tiles out: then it waits until they are away (2.4.1)."""
    if not hands_away(move):
        move.set(poised=doing.waiting)
        said = f"The kicker at {doing.slot} waits until {_named_slots(move)} is clear and all hands are away."
        move.say("waits", said, slot=doing.slot, clause="2.4.1")
    elif move.state.graves and not move.state.config.tile_sensors and move.state.config.sensors:
        text = "are all hands away from the board? Then its kicker fires."
        doing.ask(move, text, "2.4.1", [("clear", "All hands are away")])
    else:
        move.do(KickBalls(slot=doing.slot))
        kicked(move)


def hands_away(move: Move) -> bool:
    """Whether no tile is still to be taken out, and some time has passed since the last one was."""
    state = move.state
    out = all(slot in state.blocked for slot in state.to_lift)
    return out and (state.deadline_us is None or state.at_us >= state.deadline_us)


def _named_slots(move: Move) -> str:
    return " and ".join(dict.fromkeys(slot for slot in move.state.to_lift if slot not in move.state.blocked))


def _answer_kick(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Continue after people have set the balls moving, or taken their hands away."""
    if choice == "clear" and not move.state.power:
        _ask_to_push(move, doing)  # switched off since it was asked: the coil does not act
        return
    if choice == "clear":
        move.do(KickBalls(slot=doing.slot))
    kicked(move)


def kicked(move: Move) -> None:
    """Note that the balls move: in a roll everything waits until they lie still again (R-17)."""
    if move.state.roll is not None and move.state.phase is Phase.RESOLVING:
        move.set_roll(base=move.state.roll.record, since_us=move.state.at_us)
        move.set(phase=Phase.ROLLING)


def _kicked_by_hand(move: Move, waiting: Waiting) -> bool:
    """Whether people set the balls moving, as no kicker can."""
    return waiting.slot not in move.state.config.kickers or not move.state.power


# --- What a tile does with balls as long as it lies ---


def _as_written(effect: Effect) -> float:
    return effect.amount


def _endless(_effect: Effect) -> float:
    return math.inf


# --- The words ---

VOCABULARY.enrol(
    Acting(
        word="kick",
        meaning="The slot's kicker sets every ball in the trigger area moving.",
        do=_kick,
        answered=_answer_kick,
        first_asks=_kicked_by_hand,
        moves_balls=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="take_balls",
        meaning="The balls on all tiles along `edge` are taken off the board.",
        needs=("edge",),
        do=_take_balls,
    )
)
VOCABULARY.enrol(
    Acting(
        word="send_balls",
        meaning="The balls in the trigger area go onto the ramp of an installed `tile` that `who` chooses.",
        keys=("who",),
        needs=("tile",),
        do=_send_balls,
        answered=_answer_send,
        lets_balls_go=True,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="send_to_highest",
        meaning="The balls in the trigger area go onto the ramp of the highest installed `tile`.",
        needs=("tile",),
        do=_send_to_highest,
        answered=_answer_send,
        lets_balls_go=True,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="send_or_create",
        meaning=(
            "The ball that fell through the hole is released on an installed `tile`; if none is, it "
            "is created."
        ),
        needs=("tile",),
        do=_send_or_create,
        answered=_answer_send_or_create,
        lets_balls_go=True,
        creates=True,
        needs_hands=True,
        acts_before_asking=True,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="release_here",
        meaning="`who` releases `amount` more balls on the ramp of this tile.",
        keys=("amount", "who"),
        do=_release_here,
        answered=_answer_release,
        lets_balls_go=True,
        needs_hands=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="release_at_each",
        meaning="`who` releases a ball at every installed `tile`; if there is none, one more ball is rolled.",
        keys=("who",),
        needs=("tile",),
        do=_release_at_each,
        answered=_answer_release_at_each,
        lets_balls_go=True,
        needs_hands=True,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Deed(
        word="pile_limit",
        meaning="Ongoing: `amount` balls make a pile on this tile, not three (2.1.5.5).",
        keys=("amount",),
        only=When.ONGOING,
        pile=_as_written,
    )
)
VOCABULARY.enrol(
    Deed(
        word="no_pile",
        meaning="Ongoing: balls on this tile never make a pile (2.1.5.5).",
        only=When.ONGOING,
        pile=_endless,
    )
)
VOCABULARY.enrol(
    Deed(
        word="collect",
        meaning="Ongoing: people put balls that leave the board in here; they are told when one does.",
        only=When.ONGOING,
        collects=True,
    )
)
VOCABULARY.enrol(
    Deed(
        word="supply",
        meaning="Ongoing: balls that are rolled are taken from its own; when none is left it is destroyed.",
        only=When.ONGOING,
        supplies=True,
    )
)
VOCABULARY.enrol(
    Deed(
        word="hole_costs_tile",
        meaning="A ball dropping through this tile's hole counts as gone over the side.",
        only=When.ONGOING,
        hole_is_side=True,
    )
)
