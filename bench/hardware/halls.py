"""What the linear Halls and the tiles' magnets must do, at every kind of place of the template."""

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from hextraction.board.design import Design, HallPlace
from hextraction.board.escapement import GRAVITY_MM_S2

from bench.hardware.claim import Chapter, Claim
from bench.hardware.magnetics import Magnet, ball_answer_mt, ball_force_mn, field_mt

__all__ = ["bias_magnet", "hall_claims", "signal_mv", "tile_magnets", "tile_shift_mv"]

_MODEL: Final = "magpylib, multipoles of the ball"
_MOST_SHIFT: Final = 0.4
_MOST_BRAKE: Final = 0.25
_TILT_DEG: Final = 15.0
_APOTHEM_MM: Final = 25.0
_DRAWS: Final = 30
_AT_BALL: Final = np.zeros(3)
_RUBS: Final = 0.4
"""Steel on printed plastic."""


def bias_magnet(
    place: HallPlace, *, aside_mm: float = 0.0, lower_mm: float = 0.0, share: float = 1.0
) -> Magnet:
    """Return a Hall's magnet, the ball's middle being the origin; out of place by so much, and stronger."""
    return Magnet(
        x_mm=place.aside_mm + aside_mm,
        y_mm=0.0,
        z_mm=-place.below_mm - place.deep_mm - lower_mm,
        wide_mm=place.wide_mm,
        thick_mm=place.thick_mm,
        tesla=place.tesla * share,
    )


def signal_mv(design: Design, place: HallPlace, magnet: Magnet, *, lower_mm: float = 0.0) -> float:
    """Return how far a ball above a Hall moves its value."""
    chip = np.array([0.0, 0.0, -place.below_mm - lower_mm])
    radius_mm = design.ball.diameter_mm / 2
    return abs(ball_answer_mt([magnet], _AT_BALL, chip, radius_mm)) * design.hall.mv_per_mt


def tile_magnets(design: Design, *, paired: bool = True, out: random.Random | None = None) -> list[Magnet]:
    """Return a tile's magnets, its middle below the origin; ``out``: out of place and grade by chance."""
    tile, hall = design.tile_magnet, design.hall
    found = []
    for turn, side in itertools.product(range(6), (1, -1) if paired else (1,)):
        angle = math.radians(60 * turn)
        move = [0.0] * 3 if out is None else [out.uniform(-1, 1) * hall.place_mm for _axis in range(3)]
        share = 1.0 if out is None else 1 + out.uniform(-1, 1) * hall.grade
        along, radial = side * tile.along_mm + move[0], tile.out_mm + move[1]
        found.append(
            Magnet(
                x_mm=along * math.cos(angle) - radial * math.sin(angle),
                y_mm=along * math.sin(angle) + radial * math.cos(angle),
                z_mm=-tile.below_mm + move[2],
                wide_mm=tile.wide_mm,
                thick_mm=tile.thick_mm,
                tesla=tile.tesla * side * share,
            )
        )
    return found


def tile_shift_mv(design: Design, magnets: Sequence[Magnet], chip_mm: tuple[float, float, float]) -> float:
    """Return by how much a tile's magnets move a Hall's value."""
    return abs(float(field_mt(magnets, np.array([chip_mm]))[0, 2])) * design.hall.mv_per_mt


def _worst_shift_mv(design: Design, chip_mm: tuple[float, float, float]) -> float:
    draws = random.Random(1)
    return max(tile_shift_mv(design, tile_magnets(design, out=draws), chip_mm) for _draw in range(_DRAWS))


def _brake(design: Design, place: HallPlace) -> float:
    """Return the largest force along the slope by the slope's own, on the worst ways past a magnet."""
    hall, ball = design.hall, design.ball
    strong = bias_magnet(place, lower_mm=-hall.place_mm, share=1 + hall.grade)
    slope_mn = ball.mass_g * GRAVITY_MM_S2 * 1e-3 * math.sin(math.radians(_TILT_DEG))
    ways = itertools.product((0.0, place.aside_mm / 2, place.aside_mm), (-6.5, -5.0, -3.5, -2.0))
    forces = (ball_force_mn([strong], np.array([x, y, 0.0]), ball.diameter_mm / 2, 1) for x, y in ways)
    return max(map(abs, forces)) / slope_mn


def hall_claims(design: Design) -> Iterator[Claim]:
    """Yield what Halls and magnets must do."""
    hall = design.hall
    places = {"under a tile": (hall.slot, (0.0, 0.0)), "in a wall": (hall.wall, (0.0, _APOTHEM_MM))}
    for name, (place, at_mm) in places.items():
        yield from _ball_claims(design, name, place)
        yield from _tile_claims(design, name, place, at_mm)
        yield from _neighbour_claims(design, name, place)
    yield from _falling_past(design)
    yield from _switch(design)


_claim: Final = Chapter("Halls and magnets", _MODEL).claim


def _ball_claims(design: Design, name: str, place: HallPlace) -> Iterator[Claim]:
    """What a ball above the Hall does to it, and its magnet to the ball, with all parts out of place."""
    hall = design.hall
    signals, biases = [], []
    out = itertools.product((-hall.place_mm, hall.place_mm), repeat=2)
    for (aside_mm, lower_mm), share in itertools.product(out, (1 - hall.grade, 1 + hall.grade)):
        magnet = bias_magnet(place, aside_mm=aside_mm, share=share)
        signals.append(signal_mv(design, place, magnet, lower_mm=lower_mm))
        chip = np.array([[0.0, 0.0, -place.below_mm - lower_mm]])
        biases.append(abs(float(field_mt([magnet], chip)[0, 2])))
    weakest_mv, least_mv = min(signals), hall.least_of_threshold * place.threshold_mv
    most_mt = max(biases) + max(signals) / hall.mv_per_mt
    text = f"signal of a ball {name}, parts out of place"
    yield _claim(text, weakest_mv, least_mv, "mV", at_least=True)
    yield _claim(f"field at the chip {name} without a ball", max(biases), hall.rest_mt, "mT")
    yield _claim(f"field at the chip {name} with a ball (saturation)", most_mt, hall.range_mt, "mT")
    brake_percent = _brake(design, place) * 100
    yield _claim(f"a ball is braked {name}, of the slope's force", brake_percent, _MOST_BRAKE * 100, "%")


def _tile_claims(design: Design, name: str, place: HallPlace, at_mm: tuple[float, float]) -> Iterator[Claim]:
    """What the magnets of the tile above, or of the two beside it, do to the Hall."""
    shift_mv = _worst_shift_mv(design, (*at_mm, -place.below_mm))
    limit_mv = _MOST_SHIFT * place.threshold_mv
    yield _claim(f"a tile's magnets shift the Hall {name} by", shift_mv, limit_mv, "mV")
    if place is design.hall.wall:
        yield _claim("two tiles' magnets shift the Hall between them by", 2 * shift_mv, limit_mv, "mV")


def _neighbour_claims(design: Design, name: str, place: HallPlace) -> Iterator[Claim]:
    """What the nearest other Hall's magnet, and a ball half a slot away, do to the Hall."""
    hall = design.hall
    away_mm = _APOTHEM_MM if place is hall.wall else 2 * _APOTHEM_MM
    apart = field_mt([bias_magnet(hall.slot)], np.array([[away_mm, 0.0, -place.below_mm]]))
    yield _claim(f"field of the nearest other Hall's magnet {name}", abs(float(apart[0, 2])), 1, "mT")
    chip, ball = np.array([0.0, 0.0, -place.below_mm]), np.array([0.0, _APOTHEM_MM, 0.0])
    passing = ball_answer_mt([bias_magnet(place)], ball, chip, design.ball.diameter_mm / 2)
    cross_mv, limit_mv = abs(passing) * hall.mv_per_mt, _MOST_SHIFT * place.threshold_mv
    yield _claim(f"a ball half a slot away moves the Hall {name} by", cross_mv, limit_mv, "mV")


def _switch(design: Design) -> Iterator[Claim]:
    """The Hall switch under a tile's magnet."""
    tile, hall = design.tile_magnet, design.hall
    weak = Magnet(
        x_mm=hall.place_mm,
        y_mm=hall.place_mm,
        z_mm=tile.thick_mm / 2 + tile.gap_mm + hall.place_mm,
        wide_mm=tile.wide_mm,
        thick_mm=tile.thick_mm,
        tesla=tile.tesla * (1 - hall.grade),
    )
    field = abs(float(field_mt([weak], np.zeros((1, 3)))[0, 2]))
    text = "field of a tile's magnet at the Hall switch (DRV5032FA)"
    yield _claim(text, field, 1.3 * tile.operate_mt, "mT", at_least=True)


def _falling_past(design: Design) -> Iterator[Claim]:
    """Balls fall past a bar's magnet, as near as the trough lets them: wall and magnet must hold none."""
    bar, radius_mm = design.printed.bar, design.ball.diameter_mm / 2
    magnet_z = design.frame.floor_mm + radius_mm - bar.chip_mm - bar.magnet_deep_mm
    beside_mm = design.printed.slot.trough_mm / 2 + radius_mm
    held = []
    for ball_z in np.arange(magnet_z - 20, magnet_z + 20, 1.0):
        magnet = Magnet(
            x_mm=0.0,
            y_mm=-beside_mm,
            z_mm=magnet_z - float(ball_z),
            wide_mm=bar.magnet_wide_mm,
            thick_mm=bar.magnet_thick_mm,
            tesla=design.hall.slot.tesla * (1 + design.hall.grade),
        )
        aside, upward = (ball_force_mn([magnet], _AT_BALL, radius_mm, axis) for axis in (1, 2))
        held.append(upward + _RUBS * abs(aside))
    weight_mn = design.ball.mass_g * GRAVITY_MM_S2 * 1e-3
    yield _claim(
        "a ball that falls past a bar's magnet is held, of its weight", 100 * max(held) / weight_mn, 25, "%"
    )
