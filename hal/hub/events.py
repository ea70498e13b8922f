"""What a conversation with the sensor hub brings to light. Pure values."""

from dataclasses import dataclass

__all__ = ["Away", "CoilsAway", "CoilsHere", "Estop", "Here", "HubEvent", "RequestRefused", "Sample"]


@dataclass(frozen=True, slots=True)
class Sample:
    """What a sensor says at a time of the host's clock."""

    sensor: str
    active: bool
    at_us: int


@dataclass(frozen=True, slots=True)
class Away:
    """The hub does not serve any more, with everything on it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Here:
    """The hub serves; the samples that came before this are the levels of all its sensors."""


@dataclass(frozen=True, slots=True)
class CoilsAway:
    """The hub serves, but its coils cannot be armed."""

    reason: str


@dataclass(frozen=True, slots=True)
class CoilsHere:
    """Coils can be fired."""


@dataclass(frozen=True, slots=True)
class Estop:
    """The e-stop is released and the coils' supply there (``good``), or not."""

    good: bool


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """The hub refused or clamped what the host had thought fine."""

    text: str


HubEvent = Sample | Away | Here | CoilsAway | CoilsHere | Estop | RequestRefused
