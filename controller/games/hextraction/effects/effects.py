"""Carrying effects out, whatever they do (2.6, 2.7, 2.8.4, R-60): each word says by itself what that is.

A word that needs a choice asks a question, and says how it continues.
"""

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import Effect, When, Who
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.deeds import Doing, OfEffect, acting
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import Heir, QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.state import Ask, Phase, Play, Waiting
from hextraction.controller.games.hextraction.turn import playing, turns

__all__ = [
    "EFFECT", "all_can_see", "asked_by", "concerned", "do_effect", "goes_without_saying", "leaves", "no_fit",
    "ordered_by", "reveal", "try_again",
]  # fmt: skip

# --- Carrying out ---


def do_effect(move: Move, waiting: Waiting) -> None:
    """Carry out one effect for everybody it concerns."""
    effect = move.tile(waiting.copy).effects[waiting.effect]
    seats = concerned(move, effect, waiting)
    if not seats and effect.who is Who.OWNER:
        stays = move.state.copies[waiting.copy].owner in move.staying()
        why = "no opponent of its owner has set it off" if stays else "its owner has left the game"
        nobody = Doing(effect=effect, waiting=waiting, seat=waiting.seat, question=EFFECT)
        nobody.come_to_nothing(move, why)
    for seat in seats:
        doing = Doing(effect=effect, waiting=waiting, seat=seat, question=EFFECT)
        if move.state.phase is not Phase.OVER and not leaves(move, doing):
            _note(move, effect, msgspec.structs.replace(waiting, seat=seat))
            acting(effect).do(move, doing)


def _note(move: Move, effect: Effect, waiting: Waiting) -> None:
    """Note what a touch has set off, at once or by a choice, in case that it was none (R-14)."""
    roll = move.state.roll
    if roll is None or effect.when not in {When.TRIGGER, When.PICKED}:
        return
    number = waiting.id or max((one.id for one in roll.done if one.copy == waiting.copy), default=0)
    move.set_roll(done=(*roll.done, msgspec.structs.replace(waiting, id=number)))


def leaves(move: Move, doing: Doing) -> bool:
    """Whether an effect comes to nothing, as the one whose hands it needs leaves the game (2.8.4)."""
    if not doing.effect.deed.needs_hands or not move.player(doing.asked or doing.seat).conceded:
        return False
    said = (
        f"{move.name(doing.asked or doing.seat)} leaves: {move.called(doing.copy, doing.slot)} does nothing."
    )
    move.say("effect", said, seat=doing.seat, slot=doing.slot or None, clause="2.8.4")
    return True


def all_can_see(move: Move, about: OfEffect) -> bool:
    """Whether anybody may answer a question for whoever leaves, as it is about what lies on the board."""
    return move.tile(about.copy).effects[about.effect].deed.all_can_see


def goes_without_saying(move: Move, about: OfEffect) -> int | None:
    """Return the number of the choice that nobody has to carry out; None if somebody has to."""
    return move.tile(about.copy).effects[about.effect].deed.goes_without_saying


def concerned(move: Move, effect: Effect, waiting: Waiting) -> tuple[str, ...]:
    """Return the seats that an effect concerns.

    What the next player has to do somebody else does if that one leaves; but nobody wins or loses in the
    place of a player who has conceded, as that one has not lost before the commit (2.8.1, R-60).
    """
    staying, seat = move.staying(), waiting.seat
    match effect.who:
        case Who.SELF:
            return (seat,)
        case Who.NEXT:
            return (move.next_seat(seat, staying=not effect.deed.decrees),)
        case Who.OTHERS:
            return tuple(other for other in staying if other != seat)
        case Who.ALL:
            return staying
        case Who.OWNER:
            owner = move.state.copies[waiting.copy].owner
            return (owner,) if owner != seat and owner in staying else ()


# --- Plays that effects order ---


def reveal(move: Move, seat: str, action: act.Play) -> None:
    """Reveal a tile; if it cannot lie where an effect wants it, another one of the hand is (3.Playing.B)."""
    play = move.state.play if move.is_nameless() else None
    playing.reveal(move, seat, action)
    if play is None or move.state.phase is not Phase.RESOLVING:
        return
    if _lays_from_hand(move, play):
        try_again(move, play)


def no_fit(move: Move, seat: str, action: act.NoFit) -> None:
    """Destroy a tile that bottoms out in no orientation; who plays it by an effect tries again (2.2.4.3)."""
    play = playing.own_play(move, seat)
    playing.no_fit(move, seat, action)
    whole = move.state.copies[play.copy].whole
    if _lays_from_hand(move, play) and whole not in move.player(seat).hand:
        turns.draw(move, seat)
    try_again(move, play)


def ordered_by(move: Move, play: Play) -> Effect | None:
    """Return the effect that has ordered a play."""
    order = play.order
    return move.tile(order.copy).effects[order.effect] if order is not None else None


def _lays_from_hand(move: Move, play: Play) -> bool:
    """Whether an effect has some tile of the hand laid, whichever it is."""
    effect = ordered_by(move, play)
    return effect is not None and effect.deed.lays_from_hand


def try_again(move: Move, play: Play) -> None:
    """Let an effect have another tile laid, as the one of this play cannot be (2.2.4.3, R-09)."""
    order, effect = play.order, ordered_by(move, play)
    if order is None or effect is None or move.state.phase is Phase.OVER:
        return
    if effect.deed.lays_another:
        acting(effect).do(move, Doing(effect=effect, waiting=order, seat=play.seat, question=EFFECT))


# --- Answers ---


def _answer_effect(move: Move, ask: Ask, about: OfEffect, choice: str) -> None:
    """Continue an effect whose choice has been made."""
    doing = asked_by(move, ask, about)
    answered = acting(doing.effect).answered
    if answered is not None and not leaves(move, doing):
        answered(move, doing, about, choice)


def asked_by(move: Move, ask: Ask, about: OfEffect) -> Doing:
    """Return the effect that has asked something, for the seat that it concerns."""
    effect, seat = move.tile(about.copy).effects[about.effect], about.seat or ask.seat
    waiting = Waiting(id=0, copy=about.copy, slot=about.slot, effect=about.effect, seat=seat, ball=about.ball)
    return Doing(effect=effect, waiting=waiting, seat=seat, question=EFFECT, asked=about.asked)


EFFECT = QuestionKind(
    word="effect",
    about=OfEffect,
    hear=_answer_effect,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.POSSIBLE,
    heir=Heir.ANYBODY_IF_SEEN,
    answers=(
        "done", "clear", "none", "on", "off", "hand", "pool", "virtual", "SLOT", "SLOT+", "SLOT-", "N",
        "KIND",
    ),
    ended_by=("break_loop",),
)  # fmt: skip
