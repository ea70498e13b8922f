"""Events that the hub link reports. Pure values."""

from dataclasses import dataclass

__all__ = ["Away", "CoilsAway", "CoilsHere", "Estop", "Here", "HubEvent", "RequestRefused", "Sample"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A sensor's level at a time of the host's clock."""

    sensor: str
    active: bool
    at_us: int


@dataclass(frozen=True, slots=True)
class Away:
    """The hub has gone, with everything on it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Here:
    """The hub is ready; the samples reported before this are the levels of all its sensors."""


@dataclass(frozen=True, slots=True)
class CoilsAway:
    """The hub is ready, but its coils cannot be armed."""

    reason: str


@dataclass(frozen=True, slots=True)
class CoilsHere:
    """The coils can be fired."""


@dataclass(frozen=True, slots=True)
class Estop:
    """The e-stop is released and the coils' supply is there (``good``), or not."""

    good: bool


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """The hub refused or clamped a pulse that the host had allowed."""

    text: str


HubEvent = Sample | Away | Here | CoilsAway | CoilsHere | Estop | RequestRefused
