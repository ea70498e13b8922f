"""Combos: splitting one tile into its parts, and making it whole again (2.4.6, 3.Combo, R-55, R-56).

A part on the board is a copy that knows its whole; the whole lies nowhere meanwhile. When one part leaves,
all do, and the whole goes where it is sent.
"""

from hextraction.board.tiles import Keyword
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Copy, Laid, Play

__all__ = ["installed_parts", "join", "split", "unlaid", "wholes", "with_mates"]


def split(move: Move, seat: str, copy: int) -> tuple[int, ...]:
    """Break a Combo apart; return the copies to place, or none if a counterpart is missing (3.Combo.2)."""
    tile = move.tile(copy)
    mates: list[int] = []
    for name in tile.counterparts:
        found = _counterpart(move, seat, name, mates)
        if not found:
            return ()
        mates.append(found)
    for found in mates:
        move.take(seat, found)
    move.take(seat, copy)
    owner = move.state.copies[copy].owner
    parts = {number: Copy(id=number, name=name, owner=owner, whole=copy)
             for name in tile.parts for number in (move.new_id(),)}  # fmt: skip
    move.set(copies={**move.state.copies, **parts})
    return (*parts, *mates)


def _counterpart(move: Move, seat: str, name: str, taken: list[int]) -> int:
    sources = (*move.state.virtual, *move.player(seat).hand, *move.state.pool)
    wanted = move.rules.named(name)
    return next((copy for copy in sources if copy not in taken and move.tile(copy) is wanted), 0)


def wholes(move: Move, copies: tuple[int, ...]) -> tuple[int, ...]:
    """Return each copy, a part being replaced by its whole, without repeats."""
    return tuple(dict.fromkeys(move.state.copies[copy].whole or copy for copy in copies))


def installed_parts(move: Move, whole: int) -> tuple[int, ...]:
    """Return the parts of a whole that are on the board."""
    return tuple(laid.copy for laid in move.state.laid if move.state.copies[laid.copy].whole == whole)


def join(
    copies: dict[int, Copy], laid: tuple[Laid, ...], parts: dict[str, tuple[str, ...]]
) -> dict[int, Copy]:
    """At set-up, give complete sets of installed parts of one owner their whole, a new copy."""
    joined = dict(copies)
    for whole, names in parts.items():
        while True:
            chosen = _complete_set(joined, laid, names)
            if not chosen:
                break
            number = max(joined) + 1
            owner = joined[chosen[0]].owner
            joined[number] = Copy(id=number, name=whole, owner=owner)
            for copy in chosen:
                joined[copy] = Copy(id=copy, name=joined[copy].name, owner=owner, whole=number)
    return joined


def _complete_set(copies: dict[int, Copy], laid: tuple[Laid, ...], names: tuple[str, ...]) -> tuple[int, ...]:
    loose = [copies[one.copy] for one in laid if not copies[one.copy].whole]
    for owner in dict.fromkeys(copy.owner for copy in loose):
        chosen = [
            next((copy.id for copy in loose if copy.owner == owner and copy.name == name), 0)
            for name in names
        ]
        if chosen and all(chosen):
            return tuple(chosen)
    return ()


def unlaid(move: Move, play: Play | None, whole: int) -> tuple[int, ...]:
    """Return the parts and counterparts of a half-laid Combo that lie nowhere yet."""
    begun = (
        play is not None
        and not play.seated
        and any(move.state.copies[copy].whole == whole for copy in play.done)
    )
    return (play.copy, *play.pieces) if play is not None and begun else ()


def with_mates(move: Move, copies: tuple[int, ...], ended: Play | None = None) -> tuple[int, ...]:
    """Add what leaves the board together with these copies (2.4.6, 3.Combo.4, 3.Combo.5).

    ``ended`` is the play that they were part of, if it has been ended already.
    """
    found = list(dict.fromkeys(copies))
    for copy in copies:
        whole = move.state.copies[copy].whole
        if whole:
            found += [part for part in installed_parts(move, whole) if part not in found]
            kinds = {move.tile(one).name for one in unlaid(move, ended or move.state.play, whole)}
            found += [
                mate for mate in _installed_counterparts(move, whole, found, kinds) if mate not in found
            ]
    return tuple(found)


def _installed_counterparts(move: Move, whole: int, found: list[int], unlaid_kinds: set[str]) -> list[int]:
    """Return one installed copy of each counterpart, whoever owns it; none where its own is not laid yet."""
    tile = move.tile(whole)
    if Keyword.VIRTUAL not in tile.keywords:
        return []
    mates = []
    for name in tile.counterparts:
        wanted = move.rules.named(name)
        if wanted.name in unlaid_kinds:
            continue
        candidates = [laid.copy for laid in move.state.laid if move.tile(laid.copy) is wanted]
        mates += [copy for copy in candidates if copy not in found][:1]
    return mates
