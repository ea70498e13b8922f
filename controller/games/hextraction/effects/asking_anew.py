"""Asking anew, as a tile has left the board or come back while an effect asks (2.4.3, 2.6.4)."""

from typing import Final

import msgspec
from hextraction.controller.games.hextraction.effects import effects
from hextraction.controller.games.hextraction.state.deeds import Doing, OfEffect, acting
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import kind_of
from hextraction.controller.games.hextraction.state.state import Ask, State
from hextraction.controller.games.hextraction.turn import playing, turns

__all__ = ["ask_anew"]

_SEAT: Final = "seat."
"""A choice that is a player: this, and the seat."""


def ask_anew(move: Move, before: State) -> None:
    """Let the effects that asked about the board as it was ask about the board as it is.

    An order is asked for anew with what waits now: a last act, say, that came about under the question.
    """
    asks = _still_asked(move, before) if move.state.asks else []
    if asks or move.state.play is not None:
        _drop_what_is_moot(move, asks)
    if move.state.players is not before.players:
        _ask_players_anew(move, before, asks)
    if move.state.laid is before.laid:
        return
    for ask in asks:
        about = ask.about
        if ask not in move.state.asks or not isinstance(about, OfEffect):
            continue
        doing = effects.asked_by(move, ask, about)
        known = move.laid_copy(about.copy) is not None and about.about_board
        if known and doing.effect.deed.asks_about_board:
            _ask_anew(move, ask, about, doing)


def _still_asked(move: Move, before: State) -> list[Ask]:
    """Drop orders of what does not wait any more; return the other questions that were open before."""
    waiting = [str(one.id) for one in move.state.waiting]
    for ask in move.state.asks:
        if kind_of(ask).of_waiting and waiting != [word for word, _label in ask.choices]:
            move.set(asks=tuple(other for other in move.state.asks if other is not ask))
    old = {ask.id for ask in before.asks}
    return [ask for ask in move.state.asks if ask.id in old]


def _ask_players_anew(move: Move, before: State, asks: list[Ask]) -> None:
    """Ask again as somebody has left, or holds other tiles."""
    for ask in asks:
        _withdraw_who_left(move, ask)
    hands = {player.seat: player.hand for player in before.players}
    known = {ask.id for ask in asks}
    for ask in move.state.asks:
        if ask.id in known and move.player(ask.seat).hand != hands[ask.seat]:
            _ask_about_the_hand_anew(move, ask)


def _drop_what_is_moot(move: Move, asks: list[Ask]) -> None:
    """End what effects ask or order for no reason any more: a ball, say, is agreed to have gone elsewhere."""
    for ask in asks:
        if isinstance(ask.about, OfEffect):
            doing = effects.asked_by(move, ask, ask.about)
            moot = acting(doing.effect).moot
            why = moot(move, doing.waiting, ask.about) if moot is not None else ""
            if why:
                move.set(asks=tuple(other for other in move.state.asks if other is not ask))
                doing.come_to_nothing(move, why)
    play = move.state.play
    if play is None or play.seated or play.order is None or not play.covers:
        return
    effect = effects.ordered_by(move, play)
    moot = acting(effect).moot if effect is not None else None
    why = moot(move, play.order, None) if moot is not None else ""
    if why:
        playing.end_order(move, play, why, "R-14")


def _withdraw_who_left(move: Move, ask: Ask) -> None:
    """Withdraw the choices ``seat.NAME`` of whoever leaves; an effect without any choice left asks anew."""
    about, here = ask.about, move.staying()
    if not isinstance(about, OfEffect) or ask not in move.state.asks:
        return
    kept = tuple(one for one in ask.choices if not one[0].startswith(_SEAT) or one[0][len(_SEAT) :] in here)
    if len(kept) == len(ask.choices):
        return
    fewer = msgspec.structs.replace(ask, choices=kept)
    move.set(asks=tuple(fewer if one is ask else one for one in move.state.asks if kept or one is not ask))
    if not kept:
        _again(move, effects.asked_by(move, ask, about), about)


def _ask_about_the_hand_anew(move: Move, ask: Ask) -> None:
    """Ask again about a hand from which a tile has gone, or into which one has come (2.4.4, 0.0)."""
    about = ask.about
    if ask.kind == turns.DISCARD.word:
        turns.discard_anew(move)
    if isinstance(about, OfEffect) and about.about_hand:
        move.set(asks=tuple(other for other in move.state.asks if other is not ask))
        _again(move, effects.asked_by(move, ask, about), about)


def _again(move: Move, doing: Doing, about: OfEffect) -> None:
    """Let an effect ask again."""
    deed = acting(doing.effect)
    if deed.again is not None:
        deed.again(move, doing, about)
    else:
        deed.do(move, doing)


def _ask_anew(move: Move, ask: Ask, about: OfEffect, doing: Doing) -> None:
    """Ask again; if that is the same question, the one that is open stays."""
    asks = move.state.asks
    others = tuple(one for one in asks if one.id != ask.id)
    move.set(asks=others)
    if not effects.leaves(move, doing):
        _again(move, doing, about)
    again = move.state.asks[len(others) :]
    if [(one.text, one.choices, one.about) for one in again] == [(ask.text, ask.choices, about)]:
        move.set(asks=asks)
