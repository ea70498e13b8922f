"""Resolving effects: the queue of waiting ones, and what each deed does (2.6, 2.7, R-15 … R-19).

Nothing resolves while a ball moves. At rest the one who decides picks the next waiting effect; a single one
needs no picking. A deed that needs a choice puts a question and goes on in :func:`answer_effect`.
"""

from collections.abc import Callable

from hextraction.board.grid import turned
from hextraction.board.tiles import Deed, Effect, Trigger, When, Who
from hextraction.controller.games.hextraction import destroying, turns
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.record import Arrival
from hextraction.controller.games.hextraction.state import Ask, Laid, Phase, Waiting
from hextraction.controller.games.protocol import KickBalls

__all__ = ["answer_area", "answer_effect", "answer_order", "queue_effects", "queue_triggers", "resolve_next"]


def queue_triggers(move: Move, arrivals: tuple[Arrival, ...]) -> None:
    """Let each qualifying arrival set off the triggers of its tile (R-16); an area trigger asks first (R-15)."""
    roll = move.state.roll
    if roll is None or roll.dead:
        return
    fired: set[int] = {waiting.copy for waiting in move.state.waiting}
    for arrival in arrivals:
        laid = move.laid_copy(arrival.copy)
        if laid is None or (move.state.config.trigger_once_per_roll and arrival.copy in fired):
            continue
        fired.add(arrival.copy)
        if move.tile(arrival.copy).trigger is Trigger.AREA:
            _ask_area(move, laid, arrival, roll.roller)
        else:
            queue_effects(move, laid, When.TRIGGER, roll.roller, arrival.slot, arrival.ball)


def _ask_area(move: Move, laid: Laid, arrival: Arrival, roller: str) -> None:
    if not any(
        effect.when is When.TRIGGER and move.enabled(effect, laid) for effect in move.tile(laid.copy).effects
    ):
        return
    move.ask(
        "area",
        roller,
        f"Did the ball hit the trigger of {move.title(laid.copy)} at {arrival.slot}?",
        "R-15",
        [("yes", "Yes, it did"), ("no", "No")],
        slots=(arrival.slot,),
        default=0,
        deadline_us=move.state.at_us + move.state.config.attest_us,
        args=(laid.copy, arrival.slot, arrival.ball),
    )


def answer_area(move: Move, ask: Ask, choice: str) -> None:
    """The table has said whether the marked area was hit."""
    copy, slot, ball = ask.args
    laid = move.laid_copy(int(copy))
    if choice == "yes" and laid is not None:
        queue_effects(move, laid, When.TRIGGER, ask.seat, str(slot), int(ball))


def queue_effects(move: Move, laid: Laid, when: When, seat: str, slot: str, ball: int | None = None) -> None:
    """Put a tile's effects of one sort among the waiting ones, those that are enabled now."""
    for index, effect in enumerate(move.tile(laid.copy).effects):
        if effect.when is when and move.enabled(effect, laid):
            waiting = Waiting(id=move.new_id(), copy=laid.copy, slot=slot, effect=index, seat=seat, ball=ball)
            move.set(waiting=(*move.state.waiting, waiting))
            if when is When.TRIGGER:
                move.say(
                    "trigger",
                    f"{move.title(laid.copy)} at {slot} is triggered.",
                    slot=slot,
                    seat=seat,
                    ball=ball,
                )


def resolve_next(move: Move) -> bool:
    """Resolve a single waiting effect, or ask which of several is next. Return whether anything was waiting."""
    waiting = move.state.waiting
    if not waiting:
        return False
    if len(waiting) == 1 or len({(one.copy, one.effect) for one in waiting}) == 1:
        _resolve(move, waiting[0])
        return True
    move.ask(
        "order",
        waiting[0].seat,
        "Several effects wait. Which one is next?",
        "2.6.4" if move.state.roll is not None else "2.2.5.1",
        [(str(one.id), f"{move.title(one.copy)} at {one.slot}: {_text(move, one)}") for one in waiting],
        slots=tuple(one.slot for one in waiting),
    )
    return True


def answer_order(move: Move, _ask: Ask, choice: str) -> None:
    """The one who decides has picked the next effect."""
    for waiting in move.state.waiting:
        if str(waiting.id) == choice:
            _resolve(move, waiting)
            return


def _text(move: Move, waiting: Waiting) -> str:
    return move.tile(waiting.copy).effects[waiting.effect].text


def _resolve(move: Move, waiting: Waiting) -> None:
    move.set(waiting=tuple(other for other in move.state.waiting if other.id != waiting.id))
    effect = move.tile(waiting.copy).effects[waiting.effect]
    move.say(
        "effect",
        f"{move.title(waiting.copy)}: {effect.text}",
        slot=waiting.slot,
        seat=waiting.seat,
        ball=waiting.ball,
    )
    for seat in concerned(move, effect, waiting.seat):
        _DEEDS[effect.deed](move, effect, waiting, seat)


def concerned(move: Move, effect: Effect, seat: str) -> tuple[str, ...]:
    """Return the seats an effect is about."""
    playing = move.playing()
    match effect.who:
        case Who.SELF:
            return (seat,)
        case Who.NEXT:
            return (move.next_seat(seat),)
        case Who.OTHERS:
            return tuple(other for other in playing if other != seat)
        case Who.ALL:
            return playing


# --- deeds --------------------------------------------------------------------------------------------------


def _attested(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    move.ask(
        "effect",
        seat,
        f"{move.title(waiting.copy)}: {effect.text}",
        "2.6.3",
        [("done", "Done")],
        slots=(waiting.slot,),
        args=(waiting.copy, waiting.effect, waiting.slot),
    )


def _chime(move: Move, effect: Effect, waiting: Waiting, _seat: str) -> None:
    move.set(chime=move.state.chime + effect.amount)
    move.say("chime", f"Chime! That makes {move.state.chime}.", slot=waiting.slot)


def _destroy_other(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    _ask_tile(
        move,
        waiting,
        seat,
        [laid for laid in move.state.laid if laid.copy != waiting.copy],
        "Destroy which tile?",
    )


def _ask_tile(move: Move, waiting: Waiting, seat: str, candidates: list[Laid], text: str) -> None:
    if candidates:
        move.ask(
            "effect",
            seat,
            f"{move.title(waiting.copy)}: {text}",
            "2.6.4",
            [(laid.slots[0], f"{move.title(laid.copy)} at {laid.slots[0]}") for laid in candidates],
            slots=tuple(laid.slots[0] for laid in candidates),
            args=(waiting.copy, waiting.effect, waiting.slot),
        )


def _destroy_this(move: Move, _effect: Effect, waiting: Waiting, _seat: str) -> None:
    if move.laid_copy(waiting.copy) is not None:
        destroying.destroy(move, waiting.copy)


def _destroy_neighbours(move: Move, _effect: Effect, waiting: Waiting, _seat: str) -> None:
    layout = move.layout()
    around = dict.fromkeys(layout[slot] for slot in move.board.neighbours(waiting.slot) if slot in layout)
    destroying.destroy_all(move, tuple(copy for copy in around if copy != waiting.copy))


def _destroy_under_balls(move: Move, _effect: Effect, _waiting: Waiting, _seat: str) -> None:
    layout = move.layout()
    slots = [slot for on in move.record().on.values() for slot in on]
    destroying.destroy_all(move, tuple(dict.fromkeys(layout[slot] for slot in slots if slot in layout)))


def _lose(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    move.set_player(seat, losing=True)
    move.say(
        "lose", f"{move.name(seat)} loses when this settles.", seat=seat, slot=waiting.slot, clause="2.8.1.1"
    )


def _win(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    move.set_player(seat, winning=True)
    move.say(
        "effect", f"{move.name(seat)} wins when this settles.", seat=seat, slot=waiting.slot, clause="2.9.1.2"
    )


def _no_win(move: Move, _effect: Effect, _waiting: Waiting, seat: str) -> None:
    move.set_player(seat, cannot_win=True)


def _roll_now(move: Move, effect: Effect, _waiting: Waiting, seat: str) -> None:
    _demand(move, seat, effect.amount, effect.ramps)


def _roll_again_here(move: Move, effect: Effect, _waiting: Waiting, seat: str) -> None:
    ramp = move.state.roll.ramp if move.state.roll is not None else ""
    _demand(move, seat, effect.amount, (ramp,) if ramp else ())


def _demand(move: Move, seat: str, count: int, ramps: tuple[str, ...]) -> None:
    """Order a release inside the present roll or effect, unless Break the Loop forbids new balls (R-32)."""
    if move.state.roll is not None and move.state.roll.locked:
        move.say("effect", "No new ball until the game is stable.", clause="3.BreakTheLoop.2")
        return
    move.set(demanded=move.state.demanded + count, demanded_ramps=ramps, intent=(seat, ""))


def _extra_roll(move: Move, effect: Effect, _waiting: Waiting, seat: str) -> None:
    if seat == move.state.active:
        move.set(rolls_owed=move.state.rolls_owed + effect.amount)


def _extra_play(move: Move, effect: Effect, _waiting: Waiting, seat: str) -> None:
    if seat == move.state.active:
        move.set(plays_owed=move.state.plays_owed + effect.amount)


def _extra_turn(move: Move, effect: Effect, _waiting: Waiting, seat: str) -> None:
    move.set_player(seat, extra_turns=move.player(seat).extra_turns + effect.amount)


def _skip_turn(move: Move, _effect: Effect, _waiting: Waiting, seat: str) -> None:
    move.set_player(seat, skips=1)


def _draw(move: Move, effect: Effect, _waiting: Waiting, seat: str) -> None:
    if move.state.phase is not Phase.OVER:
        turns.draw(move, seat, effect.amount)


def _discard(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    hand = move.player(seat).hand
    if hand and effect.amount:
        move.ask(
            "effect",
            seat,
            f"{move.title(waiting.copy)}: discard a tile.",
            "3.Discard",
            [(str(copy), move.title(copy) if move.state.copies[copy].name else "a tile") for copy in hand],
            args=(waiting.copy, waiting.effect, waiting.slot),
        )


def _discard_hand(move: Move, _effect: Effect, _waiting: Waiting, seat: str) -> None:
    for copy in move.player(seat).hand:
        turns.discard_copy(move, seat, copy)


def _kick(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """Membership in the trigger area is read once, now (R-18); without a kicker people do it."""
    there = [ball for ball, on in move.record().on.items() if waiting.slot in on]
    if not there:
        move.say("effect", "No ball is in the trigger area any more.", slot=waiting.slot, clause="2.6.5")
    elif waiting.slot in move.state.config.kickers and move.state.power:
        move.do(KickBalls(slot=waiting.slot))
        move.set(phase=Phase.ROLLING if move.state.roll is not None else move.state.phase)
    else:
        move.ask(
            "effect",
            seat,
            f"Set every ball on {waiting.slot} moving.",
            "R-18",
            [("done", "Done")],
            slots=(waiting.slot,),
            args=(waiting.copy, waiting.effect, waiting.slot),
        )


def _turn_neighbour(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    layout = move.layout()
    choices = [("none", "Turn nothing")]
    for slot in dict.fromkeys(move.board.neighbours(waiting.slot)):
        laid = move.laid_at(slot)
        if slot in layout and laid is not None and len(move.tile(laid.copy).turns) > 1:
            choices += [(f"{slot}+", f"{slot} clockwise"), (f"{slot}-", f"{slot} anticlockwise")]
    move.ask(
        "effect",
        seat,
        f"{move.title(waiting.copy)}: turn a neighbouring tile one notch.",
        "3.Notch",
        choices,
        args=(waiting.copy, waiting.effect, waiting.slot),
    )


def _create(move: Move, effect: Effect, _waiting: Waiting, seat: str) -> None:
    from hextraction.controller.games.hextraction import playing  # noqa: PLC0415 - playing resolves effects too

    playing.create(move, seat, effect.tile)


def _nothing(_move: Move, _effect: Effect, _waiting: Waiting, _seat: str) -> None:
    """Ongoing effects and Limits are read where they matter; they do nothing by themselves."""


_DEEDS: dict[Deed, Callable[[Move, Effect, Waiting, str], None]] = {
    **dict.fromkeys(Deed, _nothing),
    Deed.ATTESTED: _attested,
    Deed.CHIME: _chime,
    Deed.DESTROY_OTHER: _destroy_other,
    Deed.DESTROY_THIS: _destroy_this,
    Deed.DESTROY_NEIGHBOURS: _destroy_neighbours,
    Deed.DESTROY_UNDER_BALLS: _destroy_under_balls,
    Deed.LOSE: _lose,
    Deed.WIN: _win,
    Deed.NO_WIN: _no_win,
    Deed.ROLL_NOW: _roll_now,
    Deed.ROLL_AGAIN_HERE: _roll_again_here,
    Deed.EXTRA_ROLL: _extra_roll,
    Deed.EXTRA_PLAY: _extra_play,
    Deed.EXTRA_TURN: _extra_turn,
    Deed.SKIP_TURN: _skip_turn,
    Deed.DRAW: _draw,
    Deed.DISCARD: _discard,
    Deed.DISCARD_HAND: _discard_hand,
    Deed.KICK: _kick,
    Deed.TURN_NEIGHBOUR: _turn_neighbour,
    Deed.CREATE: _create,
}


def answer_effect(move: Move, ask: Ask, choice: str) -> None:
    """Go on with an effect whose choice has been made."""
    copy, index = int(ask.args[0]), int(ask.args[1])
    effect = move.tile(copy).effects[index]
    match effect.deed:
        case Deed.DESTROY_OTHER:
            laid = move.laid_at(choice)
            if laid is not None:
                destroying.destroy(move, laid.copy)
        case Deed.DISCARD:
            turns.discard_copy(move, ask.seat, int(choice))
        case Deed.TURN_NEIGHBOUR if choice != "none":
            _turn(move, choice[:-1], 1 if choice.endswith("+") else -1)
        case Deed.KICK if move.state.roll is not None:
            move.set(phase=Phase.ROLLING)
        case _:
            pass


def _turn(move: Move, slot: str, direction: int) -> None:
    """Turn a tile to its next legal orientation (3.Notch)."""
    laid = move.laid_at(slot)
    if laid is None:
        return
    legal = move.tile(laid.copy).turns
    turns_now = laid.turns
    for step in range(1, 7):
        candidate = turned(turns_now + 1, direction * step) - 1
        if candidate in legal:
            turns_now = candidate
            break
    move.set(
        laid=tuple(
            Laid(copy=other.copy, slots=other.slots, turns=turns_now, silenced=other.silenced)
            if other.copy == laid.copy
            else other
            for other in move.state.laid
        )
    )
    move.say("turned", f"{move.title(laid.copy)} at {slot} is turned one notch.", slot=slot, clause="3.Notch")
