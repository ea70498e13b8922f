"""Attestation: people report what balls did where no electronics can (R-49, R-50)."""

from collections.abc import Iterator

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Fact,
    RollSettled,
)
from hextraction.controller.games.hextraction.roll import commit, looping, rolling, ways
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.record import Record, nowhere, number_of_next
from hextraction.controller.games.hextraction.state.state import Phase, Roll
from hextraction.controller.games.hextraction.talk import powering
from hextraction.controller.games.hextraction.turn import turns
from hextraction.controller.games.scene import Option

__all__ = ["MOVING", "about", "attest", "ends", "in_play", "meant", "tap", "taps"]

# --- What people report ---


def attest(move: Move, seat: str, action: act.Attest) -> None:
    """Apply a player's report of what everybody saw."""
    if not move.people_tell():
        raise Refusal("The board sees this itself. If it is wrong, look under “Something is wrong”.", "R-14")
    if action.saw == "ball":
        _speak_about(move, action.ball)
        return
    seen = _attested(move, action)
    if isinstance(seen, BallReleased):
        _released(move, seen)
        return
    if rolling.may_get_loose(move) and not isinstance(seen, RollSettled):
        rolling.begin_loose(move, seen.ball)
    if move.state.roll is None:
        raise Refusal("Nobody is rolling: what balls do now does not count.", "2.11.1")
    move.set_roll(told=True)
    looping.still_moving(move)
    powering.CONFIRM.drop(move)  # the account has changed
    if isinstance(seen, RollSettled):
        _all_lie_still(move, seat, move.state.roll, seen)
        return
    if isinstance(seen, BallInZone):
        move.set_roll(tapped=(*move.state.roll.tapped, seat))
    if isinstance(seen, BallEntered):
        _leave_others(move, seen)
    before = move.record()
    rolling.fact(move, seen)
    if isinstance(seen, BallInZone):
        ways.ask_if_no_way(move, seat, seen.ball, before)


def _all_lie_still(move: Move, seat: str, roll: Roll, seen: RollSettled) -> None:
    """Settle the roll as told; after the dark all others are asked first whether it is true (R-49)."""
    if not roll.account:
        for ball, ramp in _never_came(roll):
            rolling.fact(move, BallStuckOnRamp(at_us=seen.at_us, ball=ball, ramp=ramp))
        rolling.settled(move, seen)
        return
    if seen.missing:
        first = seen.missing[0]
        raise Refusal(f"Say first where ball {first.ball} went from {first.slot}.", "R-34")
    powering.confirm(move, seat, roll)


def _never_came(roll: Roll) -> list[tuple[int, str]]:
    """Return the balls of which nobody has said more than that they left their ramps, with those."""
    known = {ball for ball, _ramp in roll.record.stuck}
    return [(ball, ramp) for ball, ramp in roll.record.ramps.items() if ball not in known]


def in_play(move: Move) -> tuple[int, ...]:
    """Return the balls that a tap may be about: on tiles and ramps, in end zones, or nowhere yet."""
    now = move.record()
    return tuple(sorted({*now.on, *now.ramps, *now.zones, *nowhere(now)}))


def meant(move: Move) -> int:
    """Return the ball that an unspecific tap is about: the one agreed on, or the one released last."""
    roll, now = move.state.roll, move.record()
    if roll is not None and roll.about is not None and roll.about in in_play(move):
        return roll.about
    moving = [*now.ramps, *(ball for ball in now.on if ball in now.trails)]
    return max(moving) if moving else _latest(now)


def _speak_about(move: Move, ball: int | None) -> None:
    """Make taps refer to this ball from now on, if several are in play."""
    if move.state.roll is None and not rolling.may_get_loose(move):
        raise Refusal("Nobody is rolling: what balls do now does not count.", "2.11.1")
    if ball is None or ball not in in_play(move):
        raise Refusal(f"There is no ball {ball} in play.", "R-14")
    if move.state.roll is None:
        rolling.begin_loose(move, ball)
    move.set_roll(about=ball)


def _goes_on(move: Move) -> bool:
    """Whether a tile has been laid and the grace runs, at a board that sees nothing: a roll then ends it.

    Whoever rolls has no objection, and the others have seen the tile being laid by a hand.
    """
    state = move.state
    settles = state.phase is Phase.SETTLING and state.roll is None and not state.adrift
    return settles and state.rolls_owed > 0 and not state.config.sensors and not rolling.may_get_loose(move)


def _released(move: Move, seen: BallReleased) -> None:
    if _goes_on(move):
        commit.commit(move)
    if move.state.phase not in {Phase.CHOOSING, Phase.RELEASING, Phase.ROLLING, Phase.RESOLVING}:
        raise Refusal(turns.waits_for(move), "2.3.2")
    rolling.release(move, seen)
    if move.state.roll is not None:
        move.set_roll(told=True, about=None)


def _leave_others(move: Move, seen: BallEntered) -> None:
    """Let a ball leave the previous tile, as a tap on the next tile implies."""
    for slot in move.record().on.get(seen.ball, ()):
        rolling.fact(move, BallLeft(at_us=seen.at_us, ball=seen.ball, slot=slot))


def _attested(move: Move, action: act.Attest) -> Fact | RollSettled:
    at_us, now, place = move.state.at_us, move.record(), action.place
    slots, ramps = move.board.by_name, move.board.ramp_by_name
    if action.saw == "still":
        return powering.at_rest(move)
    if action.saw == "released" and place in ramps:
        number = action.ball if action.ball is not None else number_of_next(now)
        return BallReleased(at_us=at_us, ball=number, ramp=place)
    ball = action.ball if action.ball is not None else meant(move)
    match action.saw:
        case "touched" if place in slots:
            return BallEntered(at_us=at_us, ball=ball, slot=place)
        case "left" if place in slots:
            return BallLeft(at_us=at_us, ball=ball, slot=place)
        case "fell" if place in slots:
            return BallFell(at_us=at_us, ball=ball, slot=place)
        case "zone" if any(zone.name == place for zone in move.board.zones):
            return BallInZone(at_us=at_us, ball=ball, zone=place)
        case "off":
            return BallOffBoard(at_us=at_us, ball=ball, slot=now.on.get(ball, (None,))[-1])
        case "stuck" if place in ramps:
            return BallStuckOnRamp(at_us=at_us, ball=ball, ramp=place)
    raise Refusal(f"This board has no place {place!r} for {action.saw!r}.", "R-70")


def _latest(now: Record) -> int:
    return max(now.trails.keys() | now.ramps.keys(), default=max((*now.on, *now.zones), default=0))


# --- What they can tap, as exact options ---

MOVING = frozenset({Phase.ROLLING, Phase.RESOLVING, Phase.SETTLING})


def taps(move: Move) -> list[Option]:
    """Return what people can report about balls now; with several in play each tap names its ball."""
    state = move.state
    may_roll = state.phase is Phase.CHOOSING and state.rolls_owed > 0 and not state.asks
    may_roll = may_roll or (_goes_on(move) and not state.asks)
    if may_roll or state.phase is Phase.RELEASING:  # a ball that is held may be let go whatever is asked
        return list(_releases(move))
    balls, loose = in_play(move), rolling.may_get_loose(move)
    if state.phase not in MOVING or (state.roll is None and not (loose and balls)):
        return []
    ball, ramp = meant(move) if len(balls) > 1 else None, state.roll.ramp if state.roll is not None else ""
    found = [*_on_tiles(move, ball), *ends(move, ramp, ball)]
    found += [about(move, other) for other in balls if ball is not None and other != ball]
    if state.phase is Phase.ROLLING:
        found.append(tap("All balls have stopped", "still"))
    return found


def tap(
    label: str,
    saw: str,
    place: str = "",
    *,
    at: str | None = None,
    ball: int | None = None,
    clause: str | None = None,
) -> Option:
    """Return what a tap reports, as an option."""
    act: dict[str, object] = {"do": "attest", "saw": saw}
    if place:
        act["place"] = place
    if ball is not None:
        act["ball"] = ball
    tells = f"{saw} {place}".strip()
    return Option(group="attest", label=label, act=act, slot=at, clause=clause, tells=tells)


def _releases(move: Move) -> Iterator[Option]:
    intent = move.state.intent
    for ramp in move.board.ramps:
        if intent is None or intent[1] in {"", ramp.name}:
            act = {"do": "attest", "saw": "released", "place": ramp.name}
            label = f"The ball left ramp {ramp.name}"
            yield Option(
                group="attest",
                label=label,
                ramp=ramp.name,
                act=act,
                clause="R-50",
                tells=f"released {ramp.name}",
            )


def _on_tiles(move: Move, ball: int | None) -> Iterator[Option]:
    layout = move.layout()
    for slot in move.board.slot_names:
        label, saw = ("It touched", "touched") if slot in layout else ("It fell through", "fell")
        yield tap(f"{label} {slot}", saw, slot, at=slot, ball=ball, clause="R-50")


def ends(move: Move, ramp: str, ball: int | None) -> Iterator[Option]:
    """Offer where else than on tiles a ball may have ended that came from a ramp (empty for none)."""
    for zone in move.board.zones:
        yield tap(f"It is in the {zone.title}", "zone", zone.name, ball=ball)
    yield tap("It left over the side", "off", ball=ball)
    if ramp:  # a ball from another launcher cannot stick on a ramp (2.1.1.3)
        yield tap(f"It sticks on ramp {ramp}", "stuck", ramp, ball=ball)


def about(move: Move, ball: int) -> Option:
    """Offer to report about another ball, identified by its place, as all look alike (1.1.3)."""
    now = move.record()
    ramp, zone = now.ramps.get(ball), now.zones.get(ball)
    where = (now.on.get(ball) or (f"ramp {ramp}" if ramp else f"the end zone {zone}",))[-1]
    label = f"Go on with ball {ball}, now at {where}"
    if ball in (gone := nowhere(now)):
        label = f"Go on with ball {ball}, gone from {gone[ball]}"
    act = {"do": "attest", "saw": "ball", "ball": ball}
    return Option(group="which", label=label, act=act, clause="R-50")
