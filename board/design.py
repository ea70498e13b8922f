"""The measures and parts of a board, read from ``design.toml``: what drawings, simulator and tests share.

All in millimetres for a pitch of 50 mm unless a name says otherwise. Another pitch moves places, never sizes.
"""

import functools
import tomllib
from pathlib import Path
from typing import Final

import msgspec

__all__ = ["BallMeasures", "CoilRail", "Design", "GateCoil", "GateMeasures", "load_design"]

# A file path, because board/ is a namespace on purpose and importlib.resources cannot follow an editable one.
_COPPER_PER_K: Final = 0.00393
_FILE: Final = Path(__file__).parent / "design.toml"


class BallMeasures(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A steel ball; it keeps rolling on a slope whose sine is ``rolling_resistance``."""

    diameter_mm: float
    mass_g: float
    rolling_resistance: float


class GateCoil(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A gate's solenoid with what it moves.

    ``pulse_ms`` and ``max_pulse_ms`` are what a wiring file should give it.
    Force, N: half of ``pull_h_mm`` (H mm, so 1e-3 H m) times the square of current over gap, at most
    ``most_force_n``; inductance: ``stray_mh`` and what that force implies.
    """

    pulse_ms: int
    max_pulse_ms: int
    resistance_ohm: float
    pull_h_mm: float
    residual_mm: float
    most_force_n: float
    stray_mh: float
    moved_g: float
    spring_n: float
    spring_n_per_mm: float
    warm_k: float
    diode_v: float

    def ohms(self, warmer_k: float = 0.0) -> float:
        """Return the winding's resistance when it is so much warmer than 20 C."""
        return self.resistance_ohm * (1 + _COPPER_PER_K * warmer_k)


class CoilRail(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The coils' supply: lowest and highest voltage, and what stands in a coil's way."""

    volts: tuple[float, float]
    series_ohm: float


class GateMeasures(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The escapement of a ramp: two forks ``apart_mm`` from each other, the lower ``out_mm`` from the slot.

    A fork is two pins of ``pin_mm``, each ``aside_mm`` from the midline; ``up_mm`` and ``down_mm`` are how
    high it stands and how deep it sinks. ``tilt_deg`` are the least and the steepest slope, ``queue`` the
    most balls that wait.
    """

    out_mm: float
    apart_mm: float
    pin_mm: float
    aside_mm: float
    up_mm: float
    down_mm: float
    tilt_deg: tuple[float, float]
    queue: int
    coil: GateCoil

    @property
    def travel_mm(self) -> float:
        """How far a fork moves."""
        return self.up_mm + self.down_mm


class Design(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole table."""

    ball: BallMeasures
    gate: GateMeasures
    coil_supply: CoilRail


@functools.cache
def load_design() -> Design:
    """Return the shipped table.

    Raises:
        msgspec.ValidationError: the shipped file is broken, which is our bug.
    """
    return msgspec.convert(tomllib.loads(_FILE.read_text(encoding="utf-8")), Design)
