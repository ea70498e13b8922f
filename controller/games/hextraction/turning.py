"""Turning an installed tile to its next orientation (3.Notch, 3.Orientation)."""

import msgspec
from hextraction.board.tiles import Effect
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Waiting

__all__ = ["answer_turn", "ask_turn"]


def ask_turn(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """Ask which neighbouring tile is turned, and which way; with a single orientation it stays as it is."""
    choices = [("none", "Turn nothing")]
    around = move.board.neighbours(waiting.slot) if waiting.slot else ()
    for slot in dict.fromkeys(around):
        if move.laid_at(slot) is not None:
            choices += [(f"{slot}+", f"{slot} clockwise"), (f"{slot}-", f"{slot} anticlockwise")]
    move.ask_effect(waiting, seat, "turn a neighbouring tile one notch.", "3.Notch", choices)


def answer_turn(move: Move, choice: str) -> None:
    """Turn the chosen tile to its next legal orientation."""
    slot, direction = choice[:-1], 1 if choice.endswith("+") else -1
    laid = move.laid_at(slot)
    if laid is None:
        return
    legal = move.tile(laid.copy).turns
    candidates = [(laid.turns + direction * step) % 6 for step in range(1, 7)]
    now = next((candidate for candidate in candidates if candidate in legal), laid.turns)
    turned = msgspec.structs.replace(laid, turns=now)
    move.set_laid(tuple(turned if other.copy == laid.copy else other for other in move.state.laid))
    move.say("turned", f"{move.title(laid.copy)} at {slot} is turned one notch.", slot=slot, clause="3.Notch")
