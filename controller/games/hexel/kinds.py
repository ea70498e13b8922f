"""What can happen in a game of Hex'el, by the kind of the event that tells of it, for whoever listens."""

from collections.abc import Mapping
from typing import Final

from hextraction.controller.games.hexagon.kinds import KINDS as OF_THE_BOARD
from hextraction.controller.games.protocol import Meaning

__all__ = ["KINDS"]

KINDS: Final[Mapping[str, Meaning]] = {
    "shuffled": Meaning(
        "The three cards of the line are laid at the start.", "Blue shuffles and lays three cards in a line."
    ),
    "another": Meaning("The line is laid in another way.", "Red lays the three cards in another way."),
    "redrawn": Meaning(
        "Other cards are drawn for the line.",
        "Those three cards could not be laid in a line, so others are drawn.",
    ),
    "dealt": Meaning("A round begins.", "Round 1: everybody gets three cards."),
    "stake": Meaning("The stake of the round is set.", "Blue sets the stake: 3 chips an edge."),
    "hedge": Meaning("Chips go into a hedge.", "Blue puts 3 chips into the hedge."),
    "announce": Meaning("A card is shown to all before it is laid.", "Red shows a card: RBRBBB."),
    "placed": Meaning("A card is laid; `slot` is where, on a board.", "Blue lays a card on A1: Hexel."),
    "paid": Meaning("A player's insurance is paid out of the hedge.", "Blue pays 3 chips to Red."),
    "discarded": Meaning(
        "A card is thrown away, as none can be laid.", "Blue cannot lay a card and throws away YYYYYY."
    ),
    "out": Meaning("Somebody is out.", "Blue can neither match nor pay, and is out. Red gets 3 chips."),
    "hoxla": Meaning("There is a Hoxla.", "Hoxla! Three cards meet on A1 with the same symbol."),
    "won": Meaning("All hedges go to the winner.", "Blue takes all hedges: 15 chips."),
    "left": Meaning("Somebody leaves the game.", "Blue leaves. The hand is thrown away."),
    "win": Meaning("The game is won.", "Blue wins by a Hoxla."),
    "over": Meaning("The game is over, or its cards are.", "Everybody has left."),
    **OF_THE_BOARD,
}
