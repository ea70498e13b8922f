"""What waits to be resolved: triggers that balls set off, and a tile's own effects (2.6, R-15, R-16)."""

from hextraction.board.tiles import Trigger, When
from hextraction.controller.games.hextraction.flagging import tell_struck
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.record import Arrival
from hextraction.controller.games.hextraction.state import Ask, Laid, Waiting

__all__ = ["answer_area", "queue_effects", "queue_triggers"]


def queue_triggers(move: Move, arrivals: tuple[Arrival, ...], heard: tuple[Arrival, ...] = ()) -> None:
    """Let each qualifying arrival set off its tile's triggers (2.6.1, R-16); an area one asks first (R-15).

    ``heard`` are the arrivals of this roll that have had their turn.
    """
    roll = move.state.roll
    if roll is None or roll.dead:
        return
    fired = {arrival.copy for arrival in heard}
    for arrival in arrivals:
        laid = move.laid_copy(arrival.copy)
        if laid is None or (move.state.config.trigger_once_per_roll and arrival.copy in fired):
            continue
        fired.add(arrival.copy)
        if move.tile(arrival.copy).trigger is Trigger.AREA:
            _ask_area(move, laid, arrival, roll.roller)
        else:
            queue_effects(move, laid, When.TRIGGER, roll.roller, arrival.slot, ball=arrival.ball)


def _ask_area(move: Move, laid: Laid, arrival: Arrival, roller: str) -> None:
    triggers = move.tile(laid.copy).effects_when(When.TRIGGER)
    if any(move.enabled(effect, laid) for effect in triggers):
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
    roll = move.state.roll
    if choice == "yes" and laid is not None and roll is not None and not roll.dead:
        queue_effects(move, laid, When.TRIGGER, roll.roller, str(slot), ball=int(ball))


def queue_effects(
    move: Move, laid: Laid, when: When, seat: str, slot: str, *, ball: int | None = None
) -> None:
    """Put a tile's effects of one sort among the waiting ones, those that are enabled now."""
    if move.state.marks:
        tell_struck(move, laid.copy, when, slot)
    for index, effect in enumerate(move.tile(laid.copy).effects):
        spent = effect.once_per_turn and (laid.copy, index) in move.state.used
        if effect.when is when and not spent and move.enabled(effect, laid):
            if effect.once_per_turn:
                move.set(used=(*move.state.used, (laid.copy, index)))
            waiting = Waiting(id=move.new_id(), copy=laid.copy, slot=slot, effect=index, seat=seat, ball=ball)
            move.set(waiting=(*move.state.waiting, waiting))
            if when is When.TRIGGER:
                said = f"{move.title(laid.copy)} at {slot} is triggered."
                move.say("trigger", said, slot=slot, seat=seat, ball=ball)
