"""The board's power (3.Offline, R-48 … R-51): read only at a commit; what a power cut means for a roll."""

from hextraction.controller.games.hextraction.agreeing import agreement, propose
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.questions import Heir, QuestionKind
from hextraction.controller.games.hextraction.state import Ask, Matter, Phase
from hextraction.controller.games.hextraction.voiding import kill_roll
from hextraction.controller.games.protocol import Blinded, Paused, PowerSet, Renamed, TileSeen, Woke
from msgspec.structs import replace

__all__ = ["CONFIRM", "INTERRUPTED", "blinded", "people_tell", "power_set"]


def power_set(move: Move, event: PowerSet) -> None:
    """Note a flipped switch, or the controller's return after a power cut; the commit acts on it."""
    if event.on != move.state.power:
        move.say("power", f"The board is switched {'on' if event.on else 'off'}.", clause="R-51")
    move.set(power=event.on, spell=move.state.spell or event.lost, adrift=())
    roll = move.state.roll
    if event.on and roll is not None and roll.told:
        move.set(attesting=True)  # the board has missed part of the roll
    asked = INTERRUPTED.is_open(move) or CONFIRM.is_open(move)
    if event.lost and roll is not None and move.state.phase is Phase.ROLLING and not asked:
        INTERRUPTED.ask(
            move,
            roll.roller,
            "Power was lost during the roll. Does everybody agree on what the balls did?",
            "R-49",
            [
                ("rest", "Yes, and they came to rest while it was dark: tap in what happened"),
                ("moving", "Yes, but they were still moving when power came back: tap in what happened"),
                ("again", "No: the roll is void and is rolled again"),
            ],
            Matter(),
        )


def blinded(move: Move, _event: Blinded) -> None:
    """Stop believing the sensors: from now on people say what balls do (R-50)."""
    move.set(config=replace(move.state.config, sensors=False), adrift=())


def people_tell(move: Move, event: object) -> bool:
    """Whether people report this, not sensors: nothing counts twice, no tile falls out unpowered (R-50)."""
    dark = not move.state.power
    if not dark and not move.state.attesting:
        return False
    if isinstance(event, TileSeen):
        return dark
    return not isinstance(event, (PowerSet, Paused, Renamed, Blinded, Woke)) and (
        dark or move.state.attesting
    )


def _answer_interrupted(move: Move, ask: Ask, _about: Matter, choice: str) -> None:
    """Finish the roll by attestation if everybody confirms, or declare it dead (R-49)."""
    roll = move.state.roll
    if roll is None or move.state.phase not in {Phase.ROLLING, Phase.RELEASING}:
        return
    if choice == "again":
        _void(move)
        return
    move.set_roll(told=True)
    move.set(attesting=True, dark=choice == "rest", phase=Phase.ROLLING)
    others = tuple(seat for seat in move.playing() if seat != ask.seat)
    if others:
        text = f"{move.name(ask.seat)}: {dict(ask.choices)[choice]}. Do you agree?"
        propose(move, CONFIRM, ask.seat, text, "R-49", matter=Matter(), judges=others, need="all")


INTERRUPTED = QuestionKind(
    word="interrupted",
    about=Matter,
    hear=_answer_interrupted,
    heir=Heir.ANYBODY,
    answers=("rest", "moving", "again"),
)


def _confirmed(move: Move, _ask: Ask, _about: Matter, agreed: bool) -> None:  # noqa: FBT001 - an outcome
    """Void the roll and have it rolled again, unless all agree (R-49)."""
    if not agreed:
        _void(move)


CONFIRM = agreement("confirm", Matter, _confirmed, lasts=False)


def _void(move: Move) -> None:
    roll = move.state.roll
    if roll is not None:
        move.set(attesting=False, dark=False)
        kill_roll(move, roll)
        move.set(phase=Phase.RESOLVING)
