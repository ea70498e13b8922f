"""A deck for ngspice that grows line by line from circuit boards' own files."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bench.hardware.board_files import Board

__all__ = ["Deck", "farads", "net_node", "node", "ohms"]

_OHMS: Final = {"R": 1.0, "k": 1e3}
_FARADS: Final = {"u": 1e-6, "n": 1e-9}


@dataclass(slots=True)
class Deck:
    """Lines of a deck; nodes are pins or nets with the board's name before them."""

    lines: list[str] = field(default_factory=list)

    def add(self, kind: str, *rest: object) -> None:
        """Add an element with a name of its own."""
        self.lines.append(f"{kind}{len(self.lines)} " + " ".join(map(str, rest)))

    def copper(self, owner: str, board: Board, nets: Iterable[str]) -> None:
        """Add the tracks of nets as resistors between pins."""
        for net in nets:
            for one, other, ohm in board.resistances(net):
                self.add("R", node(owner, one), node(owner, other), f"{ohm:.6g}")


def node(owner: str, pin: str) -> str:
    """Return the node of a board's pin."""
    return f"{owner}_" + re.sub(r"\W", "_", pin).lower()


def net_node(owner: str, net: str) -> str:
    """Return the node of a board's whole net, where its tracks do not matter."""
    return node(owner, "net." + net)


def ohms(value: str) -> float | None:
    """Return the ohms of a resistor such as 330R, 10k or 1k_1206; None for any other part."""
    written = re.fullmatch(r"(\d+)([Rk])(_\d{4})?", value)
    return None if written is None else float(written[1]) * _OHMS[written[2]]


def farads(value: str) -> float | None:
    """Return the farads of a capacitor such as 100n or 10u; None for any other part."""
    written = re.fullmatch(r"(\d+)([un])", value)
    return None if written is None else float(written[1]) * _FARADS[written[2]]
