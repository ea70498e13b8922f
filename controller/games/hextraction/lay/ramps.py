"""Ramps: which may be used, and which bans are ignored if effects ban them all (2.1.1.2, 2.1.2, R-38)."""

from itertools import combinations

from hextraction.controller.games.hextraction.cards.tiles import Effect, When
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Laid

__all__ = ["banned_ramps", "free_ramps_to", "freeable_ramps", "ignore_bans", "legal_ramps"]


def legal_ramps(move: Move, wanted: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the legal ramps: those that the effect allows and no ongoing effect bans.

    Empty if effects ban every ramp: then those of one are ignored (:func:`ignore_bans`).
    """
    banned = banned_ramps(move)
    if not banned and not wanted:
        return tuple(move.board.ramp_by_name)
    ramps = [ramp.name for ramp in move.board.ramps if not wanted or ramp.name in wanted]
    return tuple(ramp for ramp in ramps if ramp not in banned)


def banned_ramps(move: Move) -> dict[str, list[int]]:
    """Return the ramps that effects ban now, each with those tiles; ignored bans are left out."""
    found: dict[str, list[int]] = {}
    for laid, effect in _bans(move):
        for ramp in effect.ramps if laid.copy not in move.state.ignored_bans else ():
            found.setdefault(ramp, []).append(laid.copy)
    return found


def free_ramps_to(move: Move, slot: str) -> list[str]:
    """Return the ramps to a slot on which no ball sticks and that may be used (2.1.3.1).

    Bans do not count where every ramp of the board is banned, as then some are ignored (2.1.2).
    """
    stuck, banned = set(move.record().ramps.values()), banned_ramps(move) if legal_ramps(move) else {}
    return [
        ramp.name for ramp in move.board.ramps_to(slot) if ramp.name not in stuck and ramp.name not in banned
    ]


def _bans(move: Move) -> list[tuple[Laid, Effect]]:
    """Return the bans that are enabled now."""
    return [
        (laid, effect)
        for laid, _index, effect in move.on_board(When.ONGOING)
        if effect.deed.bans_ramps and move.enabled(effect, laid)
    ]


def ignore_bans(move: Move, seat: str, wanted: tuple[str, ...], ramp: str) -> None:
    """Ignore the bans that close a ramp, for this roll (2.1.2, R-38).

    Where a roll may use a ramp once as few bans as possible are ignored, these are the bans of that ramp:
    which of several such sets is ignored follows from the ramp that the player has chosen.
    """
    chosen = next(one for one, freed in _ways_out(move, wanted).items() if ramp in freed)
    move.set(ignored_bans=chosen)
    banning = " and ".join(map(move.called, chosen))
    move.say("ramp", f"{move.name(seat)} ignores {banning} for this roll.", clause="2.1.2")


def freeable_ramps(move: Move, wanted: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the ramps that a roll may use once as few bans as possible are ignored, where all are banned."""
    freed = {ramp for ramps in _ways_out(move, wanted).values() for ramp in ramps}
    return tuple(ramp.name for ramp in move.board.ramps if ramp.name in freed)


def _ways_out(move: Move, wanted: tuple[str, ...]) -> dict[tuple[int, ...], tuple[str, ...]]:
    """Return the smallest sets of bans to ignore that free a ramp, and the ramps that each frees (R-38)."""
    banning = tuple(dict.fromkeys(laid.copy for laid, _effect in _bans(move)))
    for size in range(1, len(banning) + 1):
        freed = {chosen: _freed(move, chosen, wanted) for chosen in combinations(banning, size)}
        if any(freed.values()):
            return {chosen: ramps for chosen, ramps in freed.items() if ramps}
    return {}


def _freed(move: Move, chosen: tuple[int, ...], wanted: tuple[str, ...]) -> tuple[str, ...]:
    trial = Move(move.rules, move.state)
    trial.set(ignored_bans=chosen)
    return legal_ramps(trial, wanted)
