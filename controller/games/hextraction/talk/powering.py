"""The board's power (3.Offline, R-48 … R-51): switched here, read by ``roll/commit.py``; a cut in a roll."""

from hextraction.board.facts import Doubt, RollSettled
from hextraction.controller.games.hextraction.roll import rolling
from hextraction.controller.games.hextraction.roll.looping import LOOP
from hextraction.controller.games.hextraction.roll.voiding import kill_roll
from hextraction.controller.games.hextraction.state.agreeing import agreement, propose
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import Heir, QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.record import nowhere
from hextraction.controller.games.hextraction.state.state import Ask, Matter, Phase, Roll
from hextraction.controller.games.protocol import Blinded, Paused, PowerSet, Renamed, TileSeen, Woke
from msgspec.structs import replace

__all__ = ["CONFIRM", "INTERRUPTED", "at_rest", "blinded", "confirm", "people_tell", "power_set"]


def power_set(move: Move, event: PowerSet) -> None:
    """Note a flipped switch, or the controller's return after a power cut; the commit acts on it."""
    if event.on != move.state.power:
        move.say("power", f"The board is switched {'on' if event.on else 'off'}.", clause="R-51")
    move.set(power=event.on, spell=move.state.spell or event.lost)
    _nobody_sees_what_moves(move)
    roll = move.state.roll
    if event.on and roll is not None and roll.told:
        move.set(attesting=True)  # the board has missed part of the roll
    asked = INTERRUPTED.is_open(move) or CONFIRM.is_open(move)
    if event.lost and roll is not None and move.state.phase is Phase.ROLLING and not asked:
        INTERRUPTED.ask(
            move,
            roll.roller,
            "The power went off during the roll. What happened? The others have to agree.",
            "R-49",
            [
                ("rest", "They stopped while the power was off: tap what happened"),
                ("moving", "They were still moving when the power came back: tap what happened"),
                ("again", "Nobody knows: the roll does not count, roll again"),
            ],
            Matter(),
        )


def blinded(move: Move, _event: Blinded) -> None:
    """Stop believing the sensors: from now on people say what balls do (R-50)."""
    move.set(config=replace(move.state.config, sensors=False))
    _nobody_sees_what_moves(move)


def _nobody_sees_what_moves(move: Move) -> None:
    """Wait for no ball that got loose any more: a grace that it has interrupted begins anew (R-20)."""
    if move.state.adrift and move.state.phase is Phase.SETTLING:
        move.set(deadline_us=move.state.at_us + move.state.config.grace_us)
    move.set(adrift=())


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


def _answer_interrupted(move: Move, _ask: Ask, _about: Matter, choice: str) -> None:
    """Have the rest of the roll told, which all must confirm then; or declare it void (R-49)."""
    roll = move.state.roll
    if roll is None or move.state.phase not in {Phase.ROLLING, Phase.RELEASING}:
        return
    if choice == "again":
        _void(move)
        return
    LOOP.drop(move)
    move.set_roll(told=True, account=not roll.dead)
    move.set(attesting=True, dark=choice == "rest", phase=Phase.ROLLING)


INTERRUPTED = QuestionKind(
    word="interrupted",
    about=Matter,
    hear=_answer_interrupted,
    stands=Stands.ANYHOW,
    undo=Undo.AS_BEFORE,
    heir=Heir.ANYBODY,
    answers=("rest", "moving", "again"),
)


def confirm(move: Move, seat: str, roll: Roll) -> None:
    """Ask all others whether the account of a roll that went on in the dark is true (R-49)."""
    others = tuple(other for other in move.staying() if other != seat)
    if not others:
        _confirmed(move, None, Matter(), agreed=True)
        return
    text = f"{move.name(seat)} says of the roll: {_told(move, roll)} Is that what happened?"
    propose(move, CONFIRM, seat, text, "R-49", matter=Matter(), judges=others, need="all")


def _told(move: Move, roll: Roll) -> str:
    """Describe what the balls of a roll did."""
    now, titles = roll.record, {zone.name: zone.title for zone in move.board.zones}
    said = []
    for ball in sorted({*now.trails, *now.ramps, *now.zones}):
        trail = now.trails.get(ball, ())
        over = f"ran over {', '.join(trail)}" if trail else "touched nothing"
        if ball in now.zones:
            end = f"is in the {titles.get(now.zones[ball], now.zones[ball])}"
        elif ball in now.fell:
            end = "fell through"
        elif now.on.get(ball):
            end = f"lies at {now.on[ball][-1]}"
        elif ball in now.ramps:
            end = f"is on ramp {now.ramps[ball]}"
        else:
            end = "left over the side"
        said.append(f"ball {ball} {over} and {end}.")
    counts = [f"{move.called(copy)} {count} times" for copy, count in now.touches.items() if count > 1]
    if counts:
        said.append(f"Touched: {'; '.join(counts)}.")
    return " ".join(said) or "no ball has moved."


def _confirmed(move: Move, _ask: Ask | None, _about: Matter, agreed: bool) -> None:  # noqa: FBT001
    """Settle the roll as told if all agree; otherwise it is void and is rolled again (R-49)."""
    if move.state.roll is None:
        return
    if not agreed:
        _void(move)
        return
    move.set_roll(account=False)
    rolling.settled(move, at_rest(move))


def at_rest(move: Move) -> RollSettled:
    """Return that all balls lie still; of those about which nobody has said where, it is asked (R-34)."""
    missing = tuple([Doubt(ball=ball, slot=slot) for ball, slot in nowhere(move.record()).items()])
    return RollSettled(at_us=move.state.at_us, facts=(), missing=missing)


CONFIRM = agreement("confirm", Matter, _confirmed, lasts=False, ended_by=("attest",))


def _void(move: Move) -> None:
    roll = move.state.roll
    if roll is not None:
        move.set(attesting=False, dark=False)
        kill_roll(move, roll)
        move.set(phase=Phase.RESOLVING)
