"""Asking anew, as a tile has left the board or come back while an effect asks (2.4.3, 2.6.4)."""

from typing import Final

from hextraction.controller.games.hextraction.cards.tiles import Deed
from hextraction.controller.games.hextraction.effects import effects, play_deeds, tile_deeds
from hextraction.controller.games.hextraction.state.deeds import Doing, OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import kind_of
from hextraction.controller.games.hextraction.state.state import Ask, Play, State
from hextraction.controller.games.hextraction.turn import playing, turns

__all__ = ["ask_anew"]

_OF_THE_BOARD: Final = frozenset({
    Deed.BORROW_EFFECTS, Deed.DESTROY_CHOSEN, Deed.DESTROY_NEIGHBOUR, Deed.DESTROY_ONE, Deed.DESTROY_OTHER,
    Deed.DISCARD_OTHER, Deed.HAUNT, Deed.LOWER_NEIGHBOUR, Deed.PLAY_NEXT_TO, Deed.PUT_ANYWHERE,
    Deed.RELEASE_AT_EACH, Deed.REPLAY_OTHER, Deed.SEND_BALLS, Deed.SEND_OR_CREATE, Deed.SEND_TO_HIGHEST,
    Deed.STEP, Deed.TURN_NEIGHBOUR,
})  # fmt: skip
"""Deeds that do nothing before they ask, and ask about what lies on the board."""

_OF_THE_HAND: Final = (effects.Discarding, tile_deeds.Giving, play_deeds.NextTo, play_deeds.WhereFell)
"""What questions are about that offer the tiles of a hand."""


def ask_anew(move: Move, before: State) -> None:
    """Let the effects that asked about the board as it was ask about the board as it is.

    An order is asked for anew with what waits now: a last act, say, that came about under the question.
    """
    waiting = [str(one.id) for one in move.state.waiting]
    for ask in move.state.asks:
        if kind_of(ask).of_waiting and waiting != [word for word, _label in ask.choices]:
            move.set(asks=tuple(other for other in move.state.asks if other is not ask))
    old = {ask.id for ask in before.asks}
    asks = [ask for ask in move.state.asks if ask.id in old]
    _drop_what_never_fell(move, asks)
    if move.state.players is not before.players:
        hands = {player.seat: player.hand for player in before.players}
        for ask in asks:
            if move.player(ask.seat).hand != hands[ask.seat]:
                _ask_about_the_hand_anew(move, ask)
    if move.state.laid is before.laid:
        return
    for ask in asks:
        about = ask.about
        if ask not in move.state.asks or not isinstance(about, OfEffect):
            continue
        doing = effects.asked_by(move, ask, about)
        known = move.laid_copy(about.copy) is not None and not isinstance(about, tile_deeds.HowTurned)
        if known and doing.effect.deed in _OF_THE_BOARD:
            _ask_anew(move, ask, about, doing)


def _drop_what_never_fell(move: Move, asks: list[Ask]) -> None:
    """Lay no tile where a ball dropped through, if the table has agreed that it did not (R-14)."""
    for ask in asks:
        if isinstance(ask.about, play_deeds.WhereFell):
            doing = effects.asked_by(move, ask, ask.about)
            if not play_deeds.fell_through(move, doing.waiting):
                move.set(asks=tuple(other for other in move.state.asks if other is not ask))
                play_deeds.play_where_fell(move, doing)
    play = move.state.play
    if play is not None and not play.seated and _laid_where_none_fell(move, play):
        playing.end_order(move, play, "the ball has not dropped through an open slot", "R-14")


def _laid_where_none_fell(move: Move, play: Play) -> bool:
    """Whether an effect has a tile laid where a ball dropped through, though none has."""
    if effects.ordered_deed(move, play) is not Deed.PLAY_WHERE_FELL or not play.covers:
        return False
    return play.order is not None and not play_deeds.fell_through(move, play.order)


def _ask_about_the_hand_anew(move: Move, ask: Ask) -> None:
    """Ask again about a hand from which a tile has gone, or into which one has come (2.4.4, 0.0)."""
    about = ask.about
    if ask.kind == turns.DISCARD.word:
        turns.discard_anew(move)
    if not isinstance(about, _OF_THE_HAND):
        return
    move.set(asks=tuple(other for other in move.state.asks if other is not ask))
    doing = effects.asked_by(move, ask, about)
    match about:
        case effects.Discarding():
            effects.ask_discard(move, doing, about.left)
        case tile_deeds.Giving():
            tile_deeds.ask_giving(move, doing)
        case play_deeds.NextTo():
            play_deeds.play_next_to(move, doing)
        case play_deeds.WhereFell():
            play_deeds.play_where_fell(move, doing)


def _ask_anew(move: Move, ask: Ask, about: OfEffect, doing: Doing) -> None:
    """Ask again; if that is the same question, the one that is open stays."""
    asks = move.state.asks
    others = tuple(one for one in asks if one.id != ask.id)
    move.set(asks=others)
    if isinstance(about, tile_deeds.NamedSoFar):
        tile_deeds.ask_more(
            move, doing, tuple(slot for slot in about.named if move.laid_at(slot) is not None)
        )
    elif not effects.leaves(move, doing):
        effects.DEEDS[doing.effect.deed][0](move, doing)
    again = move.state.asks[len(others) :]
    if [(one.text, one.choices, one.about) for one in again] == [(ask.text, ask.choices, about)]:
        move.set(asks=asks)
