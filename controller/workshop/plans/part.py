"""One line of a shopping list, made from ``parts.toml``, the one place for prices, packages and joints.

A module of its own because lists of parts for soldering and for kits are both made of such lines.
"""

import functools
import tomllib
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import msgspec

__all__ = ["Part", "part_line"]


class _Kind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    what: str
    package: str
    euro: float
    joints: int = 0
    plugged: int = 0
    spare: float = 0.0
    maker: str = ""
    reichelt: str = ""
    mouser: str = ""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: dict[str, _Kind]


@functools.cache
def _kinds() -> dict[str, _Kind]:
    """Return every kind of part by its key."""
    text = (Path(__file__).parent / "parts.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _Table).parts


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the shopping list; ``euro`` is an estimated unit price, ``buy`` the count with spares.

    ``joints`` are the solder joints of one piece, ``plugged`` those beside a breadboard; ``maker``
    what its makers call it, ``orders`` the numbers at two sellers; empty if unknown.
    """

    count: int
    what: str
    use: str
    euro: float
    buy: int
    package: str
    joints: int
    plugged: int
    maker: str
    orders: tuple[str, str]


def part_line(count: int, key: str, use: str, value: str = "") -> Part:
    """Return a line of the list: so many of a kind of part, with its spares; ``value`` fills its name in."""
    kind = _kinds()[key]
    return Part(
        count=count,
        what=kind.what.format(value=value),
        use=use,
        euro=kind.euro,
        buy=count + ceil(count * kind.spare),
        package=kind.package,
        joints=kind.joints,
        plugged=kind.plugged,
        maker=kind.maker,
        orders=(kind.reichelt, kind.mouser),
    )
