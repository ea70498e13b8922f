"""Breaks and open votes, whose time counts against nobody (R-05); and a new player for a seat."""

import msgspec
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Ask, State
from hextraction.controller.games.hextraction.turn.cards import CardWanted
from hextraction.controller.games.protocol import Paused, Renamed

__all__ = ["freeze", "paused", "renamed", "shift"]


def paused(move: Move, event: Paused) -> None:
    """Begin or end a break; at its end every deadline of the game is as far away as before."""
    since_us = move.state.paused_us
    if event.on and since_us is None:
        move.set(paused_us=move.state.at_us)
    elif not event.on and since_us is not None:
        by_us = move.state.at_us - since_us
        move.set(paused_us=None, began_us=move.state.began_us + by_us, turn_us=move.state.turn_us + by_us)
        shift(move, by_us)
    else:
        move.ignore(f"{move.state.phase.value}/Paused")


def freeze(move: Move, before: State) -> None:
    """Stop all other time while a vote is open: that of questions, and of a tile being let go."""
    state = move.state
    if state.vote is before.vote and state.frozen_us is None:
        return
    if before.vote is None and state.vote is not None:
        move.set(frozen_us=state.at_us)
    elif state.vote is None and state.frozen_us is not None:
        by_us = state.at_us - state.frozen_us
        late_us = state.deadline_us
        move.set(frozen_us=None)
        shift(move, by_us)
        if late_us is not None and late_us != before.deadline_us:
            move.set(deadline_us=late_us)  # it started when the vote ended


def shift(move: Move, by_us: int) -> None:
    """Postpone every time that the game waits for."""
    state = move.state
    if state.deadline_us is not None:
        move.set(deadline_us=state.deadline_us + by_us)
    move.set(asks=tuple(_later(ask, by_us) for ask in state.asks))
    if state.roll is not None:
        move.set_roll(since_us=state.roll.since_us + by_us)


def _later(ask: Ask, by_us: int) -> Ask:
    if ask.deadline_us is None:
        return ask
    about = ask.about
    if isinstance(about, CardWanted):  # the next question shares the same deadline
        about = msgspec.structs.replace(about, until_us=about.until_us + by_us)
    return msgspec.structs.replace(ask, deadline_us=ask.deadline_us + by_us, about=about)


def renamed(move: Move, event: Renamed) -> None:
    """Give a seat the name of its new player, for everybody to see."""
    known = {player.seat: player.name for player in move.state.players}
    if event.seat not in known or known[event.seat] == event.name:
        move.ignore(f"{move.state.phase.value}/Renamed")
        return
    move.set_player(event.seat, name=event.name)
    move.say("seat", f"{event.name} plays on for {known[event.seat]}.", seat=event.seat)
