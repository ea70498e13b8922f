"""Magnets, a steel ball and Hall chips: fields by magpylib, the ball by its multipoles.

A steel ball of high permeability in a field from outside: on its surface the radial field is taken apart
into spherical harmonics, and each order n answers as a multipole of strength a^(2n+1). The force on the ball
is the opposite of what its multipoles do to the poles of the magnet. Metres, tesla and newtons inside; places
are millimetres: x across, y along the slope, z up, from the ball's middle.
"""

import functools
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import sph_harm_y

__all__ = ["Magnet", "ball_answer_mt", "ball_force_mn", "field_mt"]

Points = NDArray[np.float64]
Waves = NDArray[np.complex128]
_MU0: Final = 4e-7 * np.pi
_ORDERS: Final = 8
_PERMEABILITY: Final = 100.0
_POLE_RINGS: Final = 6
_DIFFERENCE_M: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Magnet:
    """A disc, its axis vertical: middle, width and thickness in mm; remanence in T, negative: turned over."""

    x_mm: float
    y_mm: float
    z_mm: float
    wide_mm: float
    thick_mm: float
    tesla: float


def field_mt(magnets: Sequence[Magnet], at_mm: Points) -> Points:
    """Return the magnets' field at some points (n, 3), in mT."""
    magpylib: Any = importlib.import_module("magpylib")  # a development tool, which has no types

    found = magpylib.getB(
        [
            magpylib.magnet.Cylinder(
                polarization=(0, 0, one.tesla),
                dimension=(one.wide_mm * 1e-3, one.thick_mm * 1e-3),
                position=(one.x_mm * 1e-3, one.y_mm * 1e-3, one.z_mm * 1e-3),
            )
            for one in magnets
        ],
        at_mm * 1e-3,
        sumup=True,
    )
    return np.asarray(found.reshape(at_mm.shape) * 1e3, dtype=np.float64)


@functools.cache
def _sphere() -> tuple[Points, Points, Points]:
    """Return directions on a sphere as polar angle, azimuth and weight, for integrals without error."""
    heights, weights = np.polynomial.legendre.leggauss(2 * _ORDERS)
    turns = np.arange(4 * _ORDERS) * 2 * np.pi / (4 * _ORDERS)
    polar, azimuth = np.meshgrid(np.arccos(heights), turns, indexing="ij")
    weight = np.repeat(weights[:, None], len(turns), axis=1) * 2 * np.pi / len(turns)
    return polar.ravel(), azimuth.ravel(), weight.ravel()


_ORDER: Final = np.array([n for n in range(1, _ORDERS + 1) for m in range(-n, n + 1)])
_DEGREE: Final = np.array([m for n in range(1, _ORDERS + 1) for m in range(-n, n + 1)])


def _harmonics(polar: Points, azimuth: Points) -> Waves:
    """Return every Y in some directions: one row for each order and degree."""
    return np.asarray(sph_harm_y(_ORDER[:, None], _DEGREE[:, None], polar, azimuth), dtype=np.complex128)


@functools.cache
def _projection() -> Waves:
    """Return what takes a radial field on the sphere apart: one row for each order and degree."""
    polar, azimuth, weight = _sphere()
    return np.asarray(np.conj(_harmonics(polar, azimuth)) * weight, dtype=np.complex128)


def _multipoles(magnets: Sequence[Magnet], radius_mm: float) -> Waves:
    """Return what the ball answers with: the factor of each Y/r^(n+1) of the scalar potential, in A."""
    polar, azimuth, _weight = _sphere()
    out = np.stack([np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth), np.cos(polar)], axis=1)
    radial = (field_mt(magnets, out * radius_mm) * out).sum(axis=1) * 1e-3 / _MU0
    radius = radius_mm * 1e-3
    outside = -(_projection() @ radial) / (_ORDER * radius ** (_ORDER - 1.0))
    share = _ORDER * (_PERMEABILITY - 1) / (_ORDER * _PERMEABILITY + _ORDER + 1)
    return np.asarray(-outside * share * radius ** (2.0 * _ORDER + 1), dtype=np.complex128)


def _answer(poles: Waves, at_mm: Points, axis: int) -> Points:
    """Return the multipoles' field along an axis in T at points outside of the ball, by differences."""
    move = np.zeros(3)
    move[axis] = _DIFFERENCE_M
    at = at_mm * 1e-3
    return -_MU0 * (_potential(poles, at + move) - _potential(poles, at - move)) / (2 * _DIFFERENCE_M)


def _potential(poles: Waves, at: Points) -> Points:
    far = np.linalg.norm(at, axis=1)
    polar, azimuth = np.arccos(at[:, 2] / far), np.arctan2(at[:, 1], at[:, 0])
    each = poles[:, None] * _harmonics(polar, azimuth) / far ** (_ORDER[:, None] + 1.0)
    return np.asarray(each.real.sum(axis=0), dtype=np.float64)


def ball_answer_mt(magnets: Sequence[Magnet], ball_mm: Points, chip_mm: Points, radius_mm: float) -> float:
    """Return how much more vertical field a chip sees for the ball, in mT."""
    moved = [_moved(one, ball_mm) for one in magnets]
    answer = _answer(_multipoles(moved, radius_mm), (chip_mm - ball_mm).reshape(1, 3), 2)
    return float(answer[0] * 1e3)


def ball_force_mn(magnets: Sequence[Magnet], ball_mm: Points, radius_mm: float, axis: int) -> float:
    """Return the force on the ball along an axis (0: x, 1: y, 2: z), in mN."""
    moved = [_moved(one, ball_mm) for one in magnets]
    poles = _multipoles(moved, radius_mm)
    total = 0.0
    for one in moved:
        area = np.pi * (one.wide_mm * 1e-3 / 2) ** 2
        for side in (-1, 1):
            face = _face(one, side)
            charge = side * one.tesla / _MU0 * area / len(face)
            total -= charge * float(_answer(poles, face, axis).sum())
    return total * 1e3


def _face(one: Magnet, side: int) -> Points:
    """Return points of equal area on one of a disc's faces."""
    points: list[tuple[float, float]] = []
    for ring in range(_POLE_RINGS):
        radius = one.wide_mm / 2 * np.sqrt((ring + 0.5) / _POLE_RINGS)
        turns = np.arange(12) * np.pi / 6 + ring * 0.1
        points += [(one.x_mm + radius * np.cos(turn), one.y_mm + radius * np.sin(turn)) for turn in turns]
    flat = np.array(points)
    height = np.full((len(flat), 1), one.z_mm + side * one.thick_mm / 2)
    return np.hstack([flat, height])


def _moved(one: Magnet, ball_mm: Points) -> Magnet:
    return Magnet(
        x_mm=one.x_mm - float(ball_mm[0]),
        y_mm=one.y_mm - float(ball_mm[1]),
        z_mm=one.z_mm - float(ball_mm[2]),
        wide_mm=one.wide_mm,
        thick_mm=one.thick_mm,
        tesla=one.tesla,
    )
