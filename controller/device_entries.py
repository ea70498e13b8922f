"""What devices bring into a journal: entries that are no events of the game, and change no rule's state."""

import msgspec

__all__ = ["Blinded", "Boot", "Broken", "CoilsHeld", "EdgeEntry"]


class Boot(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Boot"):
    """The controller started again on this game, and read its sensors.

    ``same`` if the machine has been up since the entry before; ``levels`` is what each sensor says now.
    """

    at_us: int
    same: bool
    boot: str = ""
    levels: dict[str, bool] = {}


class Broken(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Broken"):
    """A sensor was declared broken, or working again; ``lost``: its device stopped answering, or answers."""

    at_us: int
    sensor: str
    broken: bool
    lost: bool = False


class CoilsHeld(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="CoilsHeld"):
    """Coils are kept off from here on (``why``), or may fire again.

    They may because somebody said that all hands are clear: ``seat``, or the table's button if that is empty.
    """

    at_us: int
    held: bool
    why: str = ""
    seat: str = ""


class Blinded(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Blinded"):
    """From here on the game believes no sensor for balls: people say what balls do."""

    at_us: int


class EdgeEntry(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Edge", gc=False):
    """A clean change of a sensor, as the hal reported it."""

    at_us: int
    sensor: str
    active: bool
