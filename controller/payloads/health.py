"""The parts of the lobby's payload besides seats: games, sensors in trouble, held coils, a check."""

from typing import Any, Literal

import msgspec
from hextraction.controller.games.scene import sent

__all__ = ["Ailment", "CheckView", "CoilsView", "GameChoice", "Notices", "SensorTrouble"]


Ailment = Literal["silent", "stuck", "noisy", "implausible", "muted", "lost", "broken"]
"""What a sensor, or a coil, may suffer from."""


class SensorTrouble(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sensor that is not well.

    ``why`` says what was seen of it, ``does`` what the controller does about it. Both are for people.
    """

    sensor: str
    state: Ailment
    why: str = ""
    does: str = ""


class CoilsView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why no coil is fired now.

    ``state`` is ``stopped`` (the emergency stop is pressed, or their supply is gone), ``asks`` (it is back,
    and a person has to say that all hands are clear) or ``off`` (a fault: until the next start). ``say``
    tells it to people; ``says`` are the words that may be told now: ``clear``, or none.
    """

    state: Literal["stopped", "asks", "off"]
    say: str
    says: tuple[str, ...] = ()


class CheckView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a guided check of the board stands.

    ``number`` of ``steps`` is under way (``number`` is ``steps`` when all are done); ``ask`` says what to do
    or to look at, ``hint`` what was noticed meanwhile. ``says`` are the words that may be told now: ``yes``,
    ``no``, ``fire``, ``again``, ``back``, ``skip``, ``stop``. ``place`` is where on the board: ``slot.A1``,
    ``edge.B1.4``, ``ramp.L1`` or ``zone.L``; empty if that is not known.
    ``last`` is what came of the step before, ``good`` whether that is well; ``report`` is there at the end.
    """

    number: int
    steps: int
    name: str = ""
    ask: str = ""
    hint: str = ""
    says: tuple[str, ...] = ()
    place: str = ""
    last: str = ""
    good: bool = sent(True)  # noqa: FBT003 - a default
    report: tuple[str, ...] = ()


class GameChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A game that the table may choose: its kind, and what people call it."""

    kind: str
    title: str


class Notices(msgspec.Struct, frozen=True, kw_only=True):
    """What the lobby shows besides who sits there.

    ``kind`` is the game of this table, ``games`` are those that it may choose from, ``detail`` what only that
    game shows before it begins. ``broken`` are
    the sensors that people declared broken, ``health`` all that are not well. ``coils`` is there while no
    coil may fire, ``check`` while the board is being checked. ``brightness`` is that of the lamps in percent.
    ``next_s`` counts down to the game that begins by itself, in seconds; null if none does.
    """

    kind: str = ""
    games: tuple[GameChoice, ...] = ()
    detail: Any = None
    broken: tuple[str, ...] = ()
    health: tuple[SensorTrouble, ...] = ()
    coils: CoilsView | None = None
    check: CheckView | None = None
    brightness: int | None = None
    next_s: int | None = None
