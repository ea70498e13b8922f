"""Which ramps may be rolled on, and what happens when effects ban them all (2.1.1.2, 2.1.2, R-38)."""

from itertools import combinations

from hextraction.board.tiles import Deed, Effect, When
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Ask, Laid

__all__ = ["answer_ban", "ask_bans", "banned_ramps", "legal_ramps"]


def legal_ramps(move: Move, wanted: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the ramps that may be rolled on: those that the effect allows and no ongoing effect bans.

    It is empty if effects ban every ramp: then :func:`ask_bans` asks which of them to ignore.
    """
    banned = banned_ramps(move)
    ramps = [ramp.name for ramp in move.board.ramps if not wanted or ramp.name in wanted]
    return tuple(ramp for ramp in ramps if ramp not in banned)


def banned_ramps(move: Move) -> frozenset[str]:
    """Return the ramps that ongoing effects ban now, without those being ignored for this roll."""
    return frozenset(
        ramp
        for laid, effect in _bans(move)
        if laid.copy not in move.state.ignored_bans
        for ramp in effect.ramps
    )


def _bans(move: Move) -> list[tuple[Laid, Effect]]:
    """Return the bans that are enabled now."""
    return [
        (laid, effect)
        for laid, _index, effect in move.on_board(When.ONGOING)
        if effect.deed is Deed.BAN_RAMPS and move.enabled(effect, laid)
    ]


def ask_bans(move: Move, seat: str, wanted: tuple[str, ...]) -> None:
    """Ask which of the smallest sets of bans to ignore for this roll; each frees at least one ramp."""
    banning = tuple(dict.fromkeys(laid.copy for laid, _effect in _bans(move)))
    for size in range(1, len(banning) + 1):
        sets = [chosen for chosen in combinations(banning, size) if _frees_a_ramp(move, chosen, wanted)]
        if sets:
            _ask(move, seat, sets)
            return


def _ask(move: Move, seat: str, sets: list[tuple[int, ...]]) -> None:
    choices = [
        (",".join(map(str, chosen)), " and ".join(move.title(copy) for copy in chosen)) for chosen in sets
    ]
    move.ask("ban", seat, "Effects ban every ramp. Ignore which for this roll?", "2.1.2", choices)


def _frees_a_ramp(move: Move, chosen: tuple[int, ...], wanted: tuple[str, ...]) -> bool:
    trial = Move(move.rules, move.state)
    trial.set(ignored_bans=chosen)
    return bool(legal_ramps(trial, wanted))


def answer_ban(move: Move, _ask: Ask, choice: str) -> None:
    """The player has chosen which bans to ignore for this roll."""
    move.set(ignored_bans=tuple(int(copy) for copy in choice.split(",")))
