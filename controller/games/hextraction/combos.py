"""Combos: splitting a tile into parts, making it whole, and parts that leave (2.4.6, 3.Combo, R-55, R-56).

A part on the board is a copy that refers to its whole; the whole lies nowhere meanwhile. When one part
leaves, all do, and the whole goes where it is sent. :mod:`.playing` lays the parts, one after the other.
"""

from typing import NamedTuple

import msgspec
from hextraction.controller.games.hextraction import turns
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.questions import QuestionKind
from hextraction.controller.games.hextraction.record import Record, forget_tile
from hextraction.controller.games.hextraction.state import Ask, Copy, Laid, Matter, Phase, Play
from hextraction.controller.games.hextraction.tiles import Keyword

__all__ = [
    "MATES",
    "Broken",
    "ask_mates",
    "break_off",
    "installed_parts",
    "join",
    "owe_again",
    "split",
    "unlaid",
    "wholes",
    "with_mates",
]

# --- Splitting a tile into its parts, and making it whole again ---


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
    """Return one installed copy of each counterpart, whoever owns it, unless its own is not laid yet."""
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
    asks = tuple(ask for ask in move.state.asks if ask.kind != "mismatch")
    move.set(play=play.within, asks=asks, deadline_us=None)
    if move.state.phase in {Phase.PLACING, Phase.SEATING}:
        move.set(phase=Phase.RESOLVING)
    return broken


def owe_again(move: Move, broken: Broken | None) -> None:
    """Owe a play from the hand again, and draw a tile for what is gone; a play by an effect is just over."""
    if broken is None:
        return
    seat = broken.play.seat
    said = f"{move.title(broken.whole)} is not laid to the end"
    if broken.play.from_hand:
        move.say("effect", f"{said}: {move.name(seat)} plays again.", seat=seat, clause="2.4.6")
        if broken.whole not in move.player(seat).hand:  # it may have been sent there instead (2.4.4)
            turns.draw(move, seat)
    else:
        move.say("effect", f"{said}.", seat=seat, clause="2.4.6")


# --- Which part leaves too, if several of one owner would do (R-55) ---
#
# The one of the same whole has left already. Parts of one kind and owner are alike, so another choice swaps
# them: the chosen one is gone, and the first lies where it lay, with its touches and its balls.


def ask_mates(move: Move, before: Record, chosen: tuple[int, ...], gone: list[Laid]) -> None:
    """Ask whoever caused it about each part that left as well and has a double on the board.

    ``before`` is the record before the parts left; ``chosen`` are those that were meant to leave.
    """
    for laid in gone:
        others = [] if laid.copy in chosen else _doubles(move, laid)
        if not others:
            continue
        slot = laid.slots[0]
        title = move.title(laid.copy)
        choices = [(one.slots[0], f"{title} at {one.slots[0]}") for one in (laid, *others)]
        touches = before.touches.get(laid.copy, 0)
        balls = tuple(ball for ball, on in before.on.items() if slot in on)
        left = PartLeft(copy=laid.copy, slot=slot, turns=laid.turns, touches=touches, balls=balls)
        slots = tuple(word for word, _label in choices)
        MATES.ask(move, _causer(move), f"Which {title} goes along?", "R-55", choices, left, slots=slots)


class PartLeft(Matter, frozen=True, kw_only=True):
    """A part of a Combo that has left: how it lay, its touches, and the balls that were on it."""

    copy: int
    slot: str
    turns: int
    touches: int
    balls: tuple[int, ...]


def _doubles(move: Move, laid: Laid) -> list[Laid]:
    """Return installed parts of the same kind and owner that belong to another whole.

    A counterpart has no whole: any other of its kind would do, whoever owns it (3.Combo.5).
    """
    own = move.state.copies[laid.copy]
    if not own.whole:
        kind = move.tile(laid.copy)
        return [one for one in move.state.laid if move.tile(one.copy) is kind]
    return [
        one
        for one in move.state.laid
        if (other := move.state.copies[one.copy]).whole
        and (other.name, other.owner) == (own.name, own.owner)
        and other.whole != own.whole
    ]


def _causer(move: Move) -> str:
    if move.state.play is not None:
        return move.state.play.seat
    return move.state.roll.roller if move.state.roll is not None else move.state.active


def _answer_mates(move: Move, _ask: Ask, left: PartLeft, choice: str) -> None:
    """Keep the first part after all, and remove the chosen one."""
    copy, slot, turns = left.copy, left.slot, left.turns
    double = next((one for one in move.state.laid if choice in one.slots), None)
    if choice == slot or double is None or slot in move.layout():
        return
    stays = double.copy if move.state.copies[copy].whole else copy  # counterparts may have other owners
    _swap_record(move, left, double, stays)
    back = msgspec.structs.replace(double, copy=stays, slots=(slot,), turns=turns)
    virtual = tuple(double.copy if one == stays else one for one in move.state.virtual)
    lift = tuple(double.slots[0] if other == slot else other for other in move.state.to_lift)
    graves = tuple(
        msgspec.structs.replace(double, copy=copy if stays == double.copy else double.copy)
        if one.copy == copy
        else one
        for one in move.state.graves
    )
    waiting = tuple(one for one in move.state.waiting if one.copy != double.copy)
    move.set(to_lift=lift, graves=graves, waiting=waiting, virtual=virtual)
    move.set_laid(tuple(back if one is double else one for one in move.state.laid))
    said = f"{move.title(copy)} at {double.slots[0]} goes along, not the one at {slot}."
    move.say("destroy", said, slot=double.slots[0], clause="R-55")


MATES = QuestionKind(word="mates", about=PartLeft, hear=_answer_mates, answers=("SLOT",))


def _swap_record(move: Move, left: PartLeft, double: Laid, stays: int) -> None:
    """Let balls leave with the chosen part; restore touches and balls of the part that stays."""
    now = forget_tile(move.record(), double.copy, double.slots, balls_go=True)
    on = {**now.on, **{ball: (left.slot,) for ball in left.balls if ball not in now.on}}
    counted = {**now.touches, stays: left.touches} if left.touches else now.touches
    now = msgspec.structs.replace(now, on=on, touches=counted)
    move.set_record(now)
    move.set_roll(base=now)
