"""What every game at the hexagon tells of its board, by the kind of the event; each game adds its own.

``docs/payloads.md`` is made from these lists. Examples are sentences of scenarios.
"""

from collections.abc import Mapping
from typing import Final

from hextraction.controller.games.protocol import Meaning

__all__ = ["KINDS"]

KINDS: Final[Mapping[str, Meaning]] = {
    "board": Meaning(
        "Something was lifted or put down and nobody has said why, or sensors no longer count.",
        "From now on the sensors of C3 do not count.",
    ),
    "power": Meaning("The board is switched on or off.", "The board is off."),
}
