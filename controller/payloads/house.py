"""What the house is told besides the public topics, and the three things that it may ask of the table.

======================  ============  =============================================================
topic                   payload       delivery
======================  ============  =============================================================
``house/event``         News          not retained: a start, a goal, a win, a fault, as it happens
``house/brightness``    Brightness    from the house: how bright the lamps may be
``house/start``         Start         from the house: start a game with whoever sits there
``house/pause``         Pause         from the house: a break, or its end
======================  ============  =============================================================

They exist only at a house's broker whose copy has ``discovery = true``. What is asked there is read by
:func:`read_order` and by nothing else.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_args

import msgspec
from hextraction.controller.payloads.messages import VERSION
from hextraction.settings.plain import UNREADABLE
from msgspec import Meta

__all__ = [
    "EVENT",
    "MOST_ORDER",
    "ORDERS",
    "Brightness",
    "Happening",
    "News",
    "Order",
    "Pause",
    "Start",
    "happenings",
    "read_order",
]

EVENT: Final = "house/event"
MOST_ORDER: Final = 64
"""Bytes of the longest thing that a house may ask."""

Happening = Literal["start", "goal", "win", "fault"]


def happenings() -> tuple[Happening, ...]:
    """Return everything that a house can be told to have happened."""
    return get_args(Happening)


class News(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a house may act upon at once.

    ``goal``: the sensors have just seen a ball go into the end zone ``zone``; it counts when the roll
    is over. ``at_us`` is the board's time of it, ``game`` and ``seq`` the game and its journal's number.
    ``text`` is for people.
    """

    event_type: Happening
    game: str
    seq: int
    at_us: int
    text: str = ""
    seat: str = ""
    zone: str = ""
    v: int = VERSION


class Brightness(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How bright the lamps may be, in percent; what their supply can give is the limit all the same."""

    percent: Annotated[int, Meta(ge=0, le=100)]


class Start(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game shall begin, with whoever sits there."""

    do: Literal["start"]


class Pause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game shall make a break, or go on after one; without ``on`` whichever it is not doing."""

    do: Literal["pause"]
    on: bool | None = None


Order = Brightness | Start | Pause

ORDERS: Final[Mapping[str, type[Order]]] = {
    "house/brightness": Brightness,
    "house/start": Start,
    "house/pause": Pause,
}
"""What each topic of the house may say."""


def read_order(leaf: str, body: bytes) -> Order | None:
    """Return what a house asks for; None if it is not exactly one of the three.

    >>> read_order("house/brightness", b'{"percent": 40}')
    Brightness(percent=40)
    >>> read_order("house/start", b'{"do": "pause"}') is None
    True
    """
    kind = ORDERS.get(leaf)
    if kind is None or len(body) > MOST_ORDER:
        return None
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE:
        return None
