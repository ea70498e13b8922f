"""What can happen in a game of Extraction, by the kind of the event that tells of it, for whoever listens."""

from collections.abc import Mapping
from typing import Final, Literal

from hextraction.controller.games.hexagon.kinds import KINDS as OF_THE_BOARD
from hextraction.controller.games.protocol import Meaning

__all__ = ["KINDS", "Kind"]

Kind = Literal[
    "army", "attack", "bank", "buy", "cards", "city", "declined", "depleted", "disc", "discs", "first",
    "held", "kept", "left", "nothing", "offer", "out", "play", "produce", "road", "route", "settlement",
    "short", "swap", "taken", "throw", "tokens", "trade", "win", "withdrawn",
]  # fmt: skip
"""The kinds that :func:`.tell` takes."""

KINDS: Final[Mapping[str, Meaning]] = {
    "throw": Meaning("Dice are thrown, for whatever they decide.", "Red throws 3."),
    "first": Meaning("Who begins is known.", "Blue begins."),
    "discs": Meaning(
        "The number discs are to be laid, or to be laid by hand.", "Now the number discs, one each in turn."
    ),
    "disc": Meaning("A number disc is laid, or chance has laid all of them.", "Red lays the 3 on ore."),
    "tokens": Meaning("All number discs lie.", "All discs lie, and 18 tokens on the hexes."),
    "settlement": Meaning(
        "A settlement is built, or laid at the start; `slot` is its corner.", "Red settles at ore on the rim."
    ),
    "city": Meaning(
        "A settlement becomes a city; `slot` is its corner.", "Red builds a city at desert on the rim."
    ),
    "road": Meaning(
        "A road is built, or laid at the start; `slot` is its edge.", "Red places a road at ore on the rim."
    ),
    "produce": Meaning("A hex gives something; `slot` is which.", "Ore 8 gives Red 1; 1 left."),
    "depleted": Meaning(
        "A hex gives something for the last time.",
        "Ore 3 gives Red 1; that was the last: the hex is used up.",
    ),
    "short": Meaning("The bank cannot pay.", "The bank has too little ore: nobody gets any."),
    "nothing": Meaning("A throw gives nobody anything.", "No hex gives anything."),
    "cards": Meaning(
        "Somebody gets resource cards, at the start or by a card that is played.", "Red takes 1 ore."
    ),
    "swap": Meaning(
        "Two number discs change places, or cannot.", "Red swaps the 3 on ore and the 8 on wood."
    ),
    "bank": Meaning("Somebody trades with the bank.", "Red gives the bank 3 wool for 1 ore."),
    "offer": Meaning("Somebody offers a trade.", "Red offers Blue 1 wool for 1 ore."),
    "trade": Meaning("An offer is taken.", "Red and Blue trade 1 wool for 1 ore."),
    "declined": Meaning("An offer is not taken.", "Blue declines."),
    "withdrawn": Meaning("An offer is over before anybody took it.", "Red takes the offer back."),
    "buy": Meaning("Somebody buys a development card; which is not said.", "Red buys a development card."),
    "play": Meaning("A development card is played.", "Red plays Knight."),
    "attack": Meaning(
        "A building is attacked; `slot` is its corner.",
        "Blue stakes 1 card and attacks Red's settlement at desert on the rim.",
    ),
    "taken": Meaning(
        "An attack succeeds.", "The attack succeeds: Blue has a city in the place of Red's building."
    ),
    "held": Meaning("An attack fails.", "The attack fails: Red gets the stake, 1 ore."),
    "route": Meaning(
        "The Longest Route is taken or given back.", "Blue takes the Longest Route with 5 roads."
    ),
    "army": Meaning("The Largest Army is taken.", "Red takes the Largest Army with 3 knights."),
    "out": Meaning("Somebody is out.", "Blue has no moves left and is out. Buildings and points stay."),
    "kept": Meaning(
        "Somebody who could be out, or the game that could be over, goes on.", "The game goes on."
    ),
    "left": Meaning(
        "Somebody leaves the game.", "Blue leaves. The cards go to the bank, the buildings stay."
    ),
    "win": Meaning(
        "The game is over, and who has won.", "Nobody else is left. Blue wins with 1 points. (Blue 1)"
    ),
    **OF_THE_BOARD,
}
