"""Combos: splitting a tile into parts, making it whole, and parts that leave (2.4.6, 3.Combo, R-55, R-56).

A part on the board is a copy that refers to its whole; the whole lies nowhere meanwhile. When one part
leaves, all do, and the whole goes where it is sent. :mod:`.playing` lays the parts, one after the other.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

import msgspec
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import kind_of
from hextraction.controller.games.hextraction.state.state import Copy, Laid, Parting, Phase, Play
from hextraction.controller.games.hextraction.turn import turns

__all__ = [
    "Broken",
    "Leaving",
    "break_off",
    "change_wholes",
    "doubles",
    "installed_parts",
    "is_complete",
    "join",
    "leaving",
    "owe_again",
    "sources_of_next",
    "split",
    "unlaid",
    "wholes",
    "with_mates",
]

# --- Splitting a tile into its parts, and making it whole again ---


def split(move: Move, seat: str, copy: int, sources: Sequence[str] = ()) -> tuple[int, ...]:
    """Break a Combo apart; return the copies to place, or none if a counterpart is missing (3.Combo.2).

    ``sources`` says of its counterparts, one after the other, where they come from.
    """
    tile, mates = move.tile(copy), _counterparts(move, seat, copy, sources)
    if mates is None:
        return ()
    for found in mates:
        move.take(seat, found)
    move.take(seat, copy)
    owner = move.state.copies[copy].owner
    parts = {number: Copy(id=number, name=name, owner=owner, whole=copy)
             for name in tile.parts for number in (move.new_id(),)}  # fmt: skip
    move.set(copies={**move.state.copies, **parts})
    return (*parts, *mates)


def is_complete(move: Move, seat: str, copy: int) -> bool:
    """Whether everything can be Created that has to be laid together with a tile (3.Combo.2)."""
    return _counterparts(move, seat, copy) is not None


def sources_of_next(move: Move, seat: str, copy: int, sources: Sequence[str]) -> list[str]:
    """Return where the next counterpart may come from, once those before come from ``sources`` (R-58)."""
    taken = _counterparts(move, seat, copy, sources, count=len(sources))
    if taken is None or len(taken) == len(move.tile(copy).counterparts):
        return []
    name = move.tile(copy).counterparts[len(taken)]
    return [source for source in move.sources(seat) if _counterpart(move, seat, name, taken, source)]


def _counterparts(
    move: Move, seat: str, copy: int, sources: Sequence[str] = (), count: int | None = None
) -> list[int] | None:
    mates: list[int] = []
    for name, source in zip_longest(move.tile(copy).counterparts[:count], sources):
        found = _counterpart(move, seat, name, mates, source)
        if not found:
            return None
        mates.append(found)
    return mates


def _counterpart(move: Move, seat: str, name: str, taken: list[int], source: str | None = None) -> int:
    sources = move.sources(seat)
    copies = [copy for place in sources if source in {None, place} for copy in sources[place]]
    wanted = move.rules.named(name)
    return next((copy for copy in copies if copy not in taken and move.tile(copy) is wanted), 0)


def wholes(move: Move, copies: tuple[int, ...]) -> tuple[int, ...]:
    """Return the copies with parts replaced by their wholes, without repeats."""
    return tuple(dict.fromkeys(move.state.copies[copy].whole or copy for copy in copies))


def installed_parts(move: Move, whole: int) -> tuple[int, ...]:
    """Return the parts of a whole that are on the board."""
    return tuple(laid.copy for laid in move.state.laid if move.state.copies[laid.copy].whole == whole)


def join(
    copies: dict[int, Copy], laid: tuple[Laid, ...], parts: dict[str, tuple[str, ...]]
) -> dict[int, Copy]:
    """At set-up, give each complete set of one owner's installed parts its whole, as a new copy."""
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
    """Add the copies that leave the board together with these (2.4.6, 3.Combo.4, 3.Combo.5).

    ``ended`` is the play that they were part of, if it has been ended already.
    """
    found = list(dict.fromkeys(copies))
    loose = [copy for copy in found if not move.state.copies[copy].whole]
    for whole in dict.fromkeys(move.state.copies[copy].whole for copy in copies):
        if whole:
            found += [part for part in installed_parts(move, whole) if part not in found]
            kinds = {move.tile(one).name for one in unlaid(move, ended or move.state.play, whole)}
            found += _installed_counterparts(move, whole, found, loose, kinds)
    return tuple(found)


def _installed_counterparts(
    move: Move, whole: int, found: list[int], loose: list[int], unlaid_kinds: set[str]
) -> list[int]:
    """Return one installed copy of each counterpart, whoever owns it, unless its own is not laid yet.

    One of the kind among ``loose``, which leave anyway, will do: it is taken out of these. One that has still
    to leave with another Combo will not.
    """
    tile = move.tile(whole)
    if not tile.virtual:
        return []
    mates: list[int] = []
    others = {*found, *(one.copy for one in move.state.parting)}
    for name in tile.counterparts:
        wanted = move.rules.named(name)
        leaving = next((copy for copy in loose if move.tile(copy) is wanted), None)
        if leaving is not None:
            loose.remove(leaving)
        elif wanted.name not in unlaid_kinds:
            candidates = [laid.copy for laid in move.state.laid if move.tile(laid.copy) is wanted]
            mates += [copy for copy in candidates if copy not in {*others, *mates}][:1]
    return mates


# --- Which part leaves too, if several of one owner would do (2.4.6, R-55) ---
#
# Parts of one kind and owner are alike, so which whole they belong to is for us to say: if another part than
# the one of the same whole is to leave, the two change their wholes.


class Leaving(NamedTuple):
    """The copies that leave in any case, and those instead of which another one may leave."""

    sure: tuple[int, ...]
    unsure: tuple[int, ...]


def leaving(move: Move, copies: tuple[int, ...], ended: Play | None = None) -> Leaving:
    """Return what leaves the board with these copies: enough parts to make whole Combos (2.4.6)."""
    _be_those_awaited(move, copies)
    _match(move, copies)
    found = with_mates(move, copies, ended)
    unsure = tuple(copy for copy in found if copy not in copies and doubles(move, copy, found))
    return Leaving(tuple(copy for copy in found if copy not in unsure), unsure)


def doubles(move: Move, copy: int, besides: tuple[int, ...]) -> list[Laid]:
    """Return other installed tiles that could leave in place of a part or counterpart.

    A part of the same kind and owner, from another whole that is laid to the end; for a counterpart any of
    its kind, whoever owns it (3.Combo.5).
    """
    own, kind = move.state.copies[copy], move.tile(copy)
    others = [one for one in move.state.laid if one.copy != copy and one.copy not in besides]
    if not own.whole:
        return [one for one in others if move.tile(one.copy) is kind]
    if unlaid(move, move.state.play, own.whole):
        return []
    return [one for one in others if _alike(move, one.copy, own)]


def _alike(move: Move, copy: int, own: Copy) -> bool:
    other = move.state.copies[copy]
    same = (other.name, other.owner) == (own.name, own.owner) and other.whole not in {0, own.whole}
    return same and not unlaid(move, move.state.play, other.whole)


def change_wholes(move: Move, one: int, other: int) -> None:
    """Let two alike parts change the wholes that they belong to."""
    copies = move.state.copies
    first, second = copies[one], copies[other]
    if first.whole and second.whole:
        swapped = {
            one: msgspec.structs.replace(first, whole=second.whole),
            other: msgspec.structs.replace(second, whole=first.whole),
        }
        move.set(copies={**copies, **swapped})


def _be_those_awaited(move: Move, copies: tuple[int, ...]) -> None:
    """Let copies that leave be those that had still to leave, if they are alike: then enough have gone."""
    for one in move.state.parting:
        if one.copy not in copies and move.laid_copy(one.copy) is not None:
            _be_this_one(move, one, copies)


def _be_this_one(move: Move, one: Parting, copies: tuple[int, ...]) -> None:
    awaited = tuple(other.copy for other in move.state.parting)
    gone = next((laid.copy for laid in doubles(move, one.copy, awaited) if laid.copy in copies), 0)
    if gone:
        change_wholes(move, one.copy, gone)
        now = msgspec.structs.replace(one, copy=gone)
        move.set(parting=tuple(now if other is one else other for other in move.state.parting))


def _match(move: Move, copies: tuple[int, ...]) -> None:
    """Let parts that leave together make up as few wholes as they can."""
    kept: dict[tuple[str | None, str], list[int]] = {}
    for copy in dict.fromkeys(copies):
        part = move.state.copies[copy]
        if not part.whole or unlaid(move, move.state.play, part.whole):
            continue
        wholes_kept = kept.setdefault((part.owner, move.state.copies[part.whole].name), [])
        if part.whole in wholes_kept:
            continue
        mate = next((mate for whole in wholes_kept for mate in installed_parts(move, whole)
                     if mate not in copies and move.state.copies[mate].name == part.name), None)  # fmt: skip
        if mate is None:
            wholes_kept.append(part.whole)
        else:
            change_wholes(move, copy, mate)


# --- A part leaves before the last one is laid (2.4.6, 2.4.7, 3.Combo.4, R-55) ---
#
# What is still in the player's hands belongs to the same tile, so it leaves like the part did; the play was
# not completed, so it is owed, as after a tile that fits nowhere (2.2.4.3).


class Broken(NamedTuple):
    """A play that ended because part of its Combo left, and the pieces not yet laid."""

    play: Play
    whole: int
    unlaid: tuple[int, ...]


def break_off(move: Move, gone: list[Laid]) -> Broken | None:
    """End the play of a Combo if one of its parts is among those that have left."""
    play, parted = move.state.play, dict.fromkeys(move.state.copies[laid.copy].whole for laid in gone)
    whole = next((one for one in parted if one and unlaid(move, play, one)), 0)
    if play is None or not whole:
        return None
    broken = Broken(play, whole, unlaid(move, play, whole))
    asks = tuple(ask for ask in move.state.asks if not kind_of(ask).of_play)
    move.set(play=play.within, asks=asks, deadline_us=None)
    if move.state.phase in {Phase.PLACING, Phase.SEATING}:
        move.set(phase=Phase.RESOLVING)
    return broken


def owe_again(move: Move, broken: Broken | None) -> None:
    """Owe a play from the hand again, and draw a tile for what is gone; a play by an effect is just over."""
    if broken is None:
        return
    seat = broken.play.seat
    said = f"{move.title(broken.whole)} is not laid completely"
    if broken.play.from_hand:
        move.say("effect", f"{said}: {move.name(seat)} plays again.", seat=seat, clause="2.4.6")
        if broken.whole not in move.player(seat).hand:  # it may have been sent there instead (2.4.4)
            turns.draw(move, seat)
    else:
        move.say("effect", f"{said}.", seat=seat, clause="2.4.6")
