"""The measures and parts of a board, read from ``design.toml``: what drawings, simulator and tests share.

All in millimetres for a pitch of 50 mm unless a name says otherwise. Another pitch moves places, never sizes.
"""

import functools
import math
import tomllib
from pathlib import Path
from typing import Final

import msgspec
from hextraction.board.prints import BeamPlaces, FrameMeasures, Prints

__all__ = [
    "BallMeasures",
    "BeamCircuit",
    "CoilRail",
    "Design",
    "GateCoil",
    "GateMeasures",
    "HallMeasures",
    "HallPlace",
    "TileMagnet",
    "load_design",
]

# A file path, because board/ is a namespace on purpose and importlib.resources cannot follow an editable one.
_COPPER_PER_K: Final = 0.00393
_E12: Final = (1.0, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2, 10.0)
_RATED_MA: Final = 20.0
"""The current at which an emitter's intensity is given."""
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
    """The coils' supply with e-stop, P-MOSFET, pump and sense; ``volts`` are its lowest and highest."""

    volts: tuple[float, float]
    series_ohm: float
    brick_ohm: float
    brick_uh: float
    bulk_uf: float
    rail_uf: float
    bleeder_kohm: float
    pump_uf: float
    pump_kohm: float
    gate_kohm: float
    gate_series_kohm: float
    gate_nf: float
    sense_kohm: float
    sense_nf: float
    sense_v: float
    estop_contacts: int
    data_ohm: float

    def upper_kohm(self, coil_volts: float) -> float:
        """Return the upper resistor of the e-stop divider for a supply: the nearest of the E12 series."""
        wanted = self.sense_kohm * (coil_volts / self.sense_v - 1)
        series = [value * 10.0**power for power in range(2) for value in _E12]
        return min(series, key=lambda value: abs(math.log(value / wanted)))


class BeamCircuit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A light beam: what its emitter gives, what its receiver makes of it, and the resistors of both.

    ``worst_emitter`` and ``worst_receiver`` are the poorest grades as shares of the typical ones. Up to
    ``pair_mm`` two emitters share ``pair_ohm``; beyond, each has ``alone_ohm``.
    """

    emitter_mw_sr: float
    worst_emitter: float
    receiver_ma_cm2_mw: float
    worst_receiver: float
    forward_v: float
    pair_ohm: float
    alone_ohm: float
    pair_mm: float
    pull_up_kohm: float
    leak_ua: float

    def emitter_ma(self, way_mm: float, five_volts: float = 5.0) -> float:
        """Return the current of an emitter whose beam is so long."""
        many, ohm = (1, self.alone_ohm) if way_mm > self.pair_mm else (2, self.pair_ohm)
        return (five_volts - many * self.forward_v) / ohm * 1_000

    def received_ua(self, way_mm: float, *, worst: bool = True) -> float:
        """Return the photocurrent of a clear beam."""
        grades = self.worst_emitter * self.worst_receiver if worst else 1.0
        mw_sr = self.emitter_mw_sr * self.emitter_ma(way_mm) / _RATED_MA
        return mw_sr / (way_mm / 10) ** 2 * self.receiver_ma_cm2_mw * grades * 1_000


class GateMeasures(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The escapement of a ramp: two forks ``apart_mm`` from each other, the lower ``out_mm`` from the slot.

    Distances are along the ramp, which is straight above ``bend_mm``: there two ramps that come from both
    sides of one column turn uphill, as their gates would meet otherwise.

    A fork is two pins of ``pin_mm``, each ``aside_mm`` from the midline; ``up_mm`` and ``down_mm`` are how
    high it stands and how deep it sinks. ``tilt_deg`` are the least and the steepest slope, ``queue`` the
    most balls that wait.
    """

    out_mm: float
    bend_mm: float
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


_HALF_SUPPLY_V: Final = 3.3 / 2


class HallPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A linear Hall and its bias magnet: chip ``below_mm`` a ball's middle, magnet beside and deeper."""

    below_mm: float
    aside_mm: float
    deep_mm: float
    wide_mm: float
    thick_mm: float
    tesla: float
    grade: str
    threshold_mv: float


class HallMeasures(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The linear Halls: what the chip gives, how exactly parts are placed, and the two kinds of places."""

    mv_per_mt: float
    range_mt: float
    rest_mt: float
    least_of_threshold: float
    place_mm: float
    grade: float
    slot: HallPlace
    wall: HallPlace

    @property
    def rest_v(self) -> tuple[float, float]:
        """Between which volts one rests beside its magnet, at 3.3 V."""
        away = self.rest_mt * self.mv_per_mt / 1_000
        return _HALF_SUPPLY_V - away, _HALF_SUPPLY_V + away

    @property
    def ball_mv(self) -> float:
        """The least by which a ball over a slot moves one."""
        return self.least_of_threshold * self.slot.threshold_mv


class TileMagnet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The magnets of a tile: a pair beside each notch, ``along_mm`` on both sides of the edge's middle.

    ``below_mm`` is a magnet's middle below that of a ball, ``gap_mm`` from its face to the Hall switch, which
    has surely switched at ``operate_mt``.
    """

    along_mm: float
    out_mm: float
    below_mm: float
    wide_mm: float
    thick_mm: float
    tesla: float
    grade: str
    gap_mm: float
    operate_mt: float


class Design(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole table."""

    ball: BallMeasures
    gate: GateMeasures
    coil_supply: CoilRail
    beam: BeamCircuit
    hall: HallMeasures
    tile_magnet: TileMagnet
    frame: FrameMeasures
    beam_places: BeamPlaces
    printed: Prints


@functools.cache
def load_design() -> Design:
    """Return the shipped table.

    Raises:
        msgspec.ValidationError: the shipped file is broken, which is our bug.
    """
    return msgspec.convert(tomllib.loads(_FILE.read_text(encoding="utf-8")), Design)
