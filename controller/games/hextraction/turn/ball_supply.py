"""Where the balls of a roll come from, and when no new one may come (R-32, R-37)."""

from hextraction.controller.games.hextraction.cards.tiles import Effect, When
from hextraction.controller.games.hextraction.state.deeds import OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Ask, Laid
from msgspec.structs import replace

__all__ = ["lets_go", "locked", "release_anew", "take_from_supply", "tell_supply"]

# --- Tiles whose own balls are to be used for every roll and every further ball ---


def _supplies(move: Move) -> list[tuple[Laid, Effect]]:
    """Return the tiles that still have such balls."""
    return [
        (laid, effect)
        for laid, _index, effect in move.on_board(When.ONGOING)
        if effect.deed.supplies and move.captive(laid) > 0 and move.enabled(effect, laid)
    ]


def tell_supply(move: Move, seat: str) -> None:
    """Tell who is to let a ball go from which tile it comes, if from any."""
    for laid, effect in _supplies(move)[:1]:
        said = f"{move.called(laid.copy)}: {effect.text}"
        move.say("effect", said, seat=seat, slot=laid.slot, clause="2.6.3")


def take_from_supply(move: Move, balls: int = 1) -> None:
    """Count balls that were let go as taken from the tile whose own balls are to be used."""
    for _ball in range(balls):
        for used, _effect in _supplies(move)[:1]:
            _count_taken(move, used, 1)


def release_anew(move: Move) -> None:
    """Do not count a ball twice that is taken off its ramp, to be released again (R-37)."""
    used = [laid for laid in move.state.laid if move.supplies(laid) and laid.part > 0]
    for last in used[-1:]:
        _count_taken(move, last, -1)


def _count_taken(move: Move, used: Laid, balls: int) -> None:
    now = replace(used, part=used.part + balls)
    move.set_laid(tuple(now if laid.copy == used.copy else laid for laid in move.state.laid))


# --- Break the Loop ---


def locked(move: Move) -> bool:
    """Whether Break the Loop keeps new balls off tiles and ramps until the commit (R-32)."""
    kept_off = move.state.roll is not None and move.state.roll.locked
    if kept_off:
        move.say("effect", "No new ball until all is quiet.", clause="3.BreakTheLoop.2")
    return kept_off


def lets_go(move: Move, ask: Ask) -> bool:
    """Whether a question has somebody put a ball on a tile or ramp, which Break the Loop forbids (R-32)."""
    if not isinstance(ask.about, OfEffect):
        return False
    deed = move.tile(ask.about.copy).effects[ask.about.effect].deed
    creates = deed.creates and ask.choices[0][0] != "done"
    return deed.lets_balls_go and not creates
