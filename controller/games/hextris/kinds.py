"""What can happen in a game of Hextris, by the kind of the event that tells of it, for whoever listens."""

from collections.abc import Mapping
from typing import Final

from hextraction.controller.games.hexagon.kinds import KINDS as OF_THE_BOARD
from hextraction.controller.games.protocol import Meaning

__all__ = ["KINDS"]

KINDS: Final[Mapping[str, Meaning]] = {
    "drop": Meaning("A new piece is put on the board; `slot` is where.", "Blue drops a medium piece on E1."),
    "slide": Meaning("A piece slides; `slot` is where to.", "Blue slides a large piece from A1 to A2."),
    "swap": Meaning("Two pieces change places.", "Blue swaps the pieces on A3 and B3."),
    "five": Meaning("A group of five is there.", "Blue has five connected: group 1 of 3."),
    "skip": Meaning("Somebody cannot move.", "Green cannot move and loses the turn."),
    "draw": Meaning("A draw is offered, by a player or by the game.", "Blue offers a draw."),
    "take_back": Meaning(
        "Somebody wants the last move back, or it is taken back.", "The last move is taken back."
    ),
    "declined": Meaning("Somebody says no to either.", "Blue plays on."),
    "left": Meaning("Somebody leaves the game.", "Blue leaves and takes all pieces along."),
    "win": Meaning("The game is won.", "Blue wins: the third group of five is there."),
    "over": Meaning("The game is over, and nobody has won.", "The players agree to a draw."),
    **OF_THE_BOARD,
}
