"""What people can tap in where no electronics sees it, as exact options (R-49, R-50)."""

from collections.abc import Iterator

from hextraction.controller.games.hextraction import attesting
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Phase
from hextraction.controller.games.protocol import Option

__all__ = ["taps"]

_MOVING = frozenset({Phase.ROLLING, Phase.RESOLVING, Phase.SETTLING})


def taps(move: Move) -> list[Option]:
    """Return what people can say of balls now; with several in play each tap names the ball it is about."""
    state = move.state
    may_roll = state.phase is Phase.CHOOSING and state.rolls_owed > 0
    if (may_roll or state.phase is Phase.RELEASING) and not state.asks:
        return list(_releases(move))
    if state.roll is None or state.phase not in _MOVING:
        return []
    balls = attesting.in_play(move)
    ball = attesting.meant(move) if len(balls) > 1 else None
    found = [*_on_tiles(move, ball), *_ends(move, state.roll.ramp, ball)]
    found += [_about(move, other) for other in balls if ball is not None and other != ball]
    if state.phase is Phase.ROLLING:
        found.append(_tap("Everything lies still", "still"))
    return found


def _tap(
    label: str,
    saw: str,
    place: str = "",
    *,
    at: str | None = None,
    ball: int | None = None,
    clause: str | None = None,
) -> Option:
    act: dict[str, object] = {"do": "attest", "saw": saw}
    if place:
        act["place"] = place
    if ball is not None:
        act["ball"] = ball
    return Option(group="attest", label=label, act=act, slot=at, clause=clause)


def _releases(move: Move) -> Iterator[Option]:
    intent = move.state.intent
    for ramp in move.board.ramps:
        if intent is None or intent[1] in {"", ramp.name}:
            act = {"do": "attest", "saw": "released", "place": ramp.name}
            label = f"The ball left ramp {ramp.name}"
            yield Option(group="attest", label=label, ramp=ramp.name, act=act, clause="R-50")


def _on_tiles(move: Move, ball: int | None) -> Iterator[Option]:
    layout = move.layout()
    for slot in move.board.slot_names:
        label, saw = ("It touched", "touched") if slot in layout else ("It fell through", "fell")
        yield _tap(f"{label} {slot}", saw, slot, at=slot, ball=ball, clause="R-50")


def _ends(move: Move, ramp: str, ball: int | None) -> Iterator[Option]:
    for zone in move.board.zones:
        yield _tap(f"It is in the {zone.title}", "zone", zone.name, ball=ball)
    yield _tap("It left over the side", "off", ball=ball)
    if ramp:  # a ball let go by another launcher sticks on no ramp (2.1.1.3)
        yield _tap(f"It sticks on ramp {ramp}", "stuck", ramp, ball=ball)


def _about(move: Move, ball: int) -> Option:
    """Offer to tell about another ball; they look alike, so it is named by where it is (1.1.3)."""
    now = move.record()
    ramp, zone = now.ramps.get(ball), now.zones.get(ball)
    where = (now.on.get(ball) or (f"ramp {ramp}" if ramp else f"the end zone {zone}",))[-1]
    act = {"do": "attest", "saw": "ball", "ball": ball}
    return Option(group="which", label=f"Tell about ball {ball}, now at {where}", act=act, clause="R-50")
