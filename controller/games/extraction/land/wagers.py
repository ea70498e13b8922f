"""How an attack is decided by dice: the ways from which a table chooses, since the text has none (1.5).

A module of its own because what a turn offers rests on it as well as the attack itself.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["TESTS", "TOLD", "dice_of", "least_stake", "succeeds"]

TESTS: Final = (7, 8)
"""What attacker and defender need at least, if each is tested alone (`two_tests`)."""
TOLD: Final[Mapping[str, str]] = {
    "opposed_2d6": "both throw two dice, and the attacker must throw more: 44 of 100 attacks succeed, "
    "a building costs 1.25 cards",
    "two_more": "the milder one: stake at least two cards; both throw two dice, and the attacker "
    "must throw two more: 34 of 100 succeed, a building costs 4 cards, like a "
    "settlement",
    "opposed_1d6": "both throw one die, and the attacker must throw more: 42 of 100 succeed, a "
    "building costs 1.4 cards",
    "two_tests": "the attacker needs 7 or more, and the defender must miss 8: 34 of 100 succeed, a building"
    " costs 1.94 cards",
    "stake_bonus": "both throw two dice; each staked card after the first adds one for the attacker: 44, 56,"
    " 66, 76 of 100 succeed with one to four cards",
}
"""How attacks are decided, by the setting `attack`, and the odds; a stake is lost only with the attack."""


def dice_of(model: str) -> int:
    """Return how many dice each side throws."""
    return 1 if model == "opposed_1d6" else 2


def least_stake(model: str) -> int:
    """Return how many cards have to be staked at least."""
    return 2 if model == "two_more" else 1


def succeeds(model: str, attacker: int, defender: int, stake: int) -> bool:
    """Whether an attack with these totals succeeds; a tie holds for the defender."""
    if model == "two_tests":
        return attacker >= TESTS[0] and defender < TESTS[1]
    bonus = {"stake_bonus": stake - 1, "two_more": -1}.get(model, 0)
    return attacker + bonus > defender
