"""Printed parts as meshes where they stand on a board, circuit boards as boxes, and balls that move among them.

Parts are drawn once a process and read back from STL, as another program would. What boards look like comes from
their own tables, not from the drawings that are to hold them.
"""

import functools
import itertools
import math
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import manifold3d
import numpy as np
import pytest
import trimesh
from helpers.places import ROOT
from hextraction.board.design import load_design
from hextraction.board.profile import Board, Slot

from hardware.printed.table import LEG_UPHILL_MM, PARTS, foot_heights_mm, leg_height_mm
from hardware.table import load_board as circuit_board

__all__ = [
    "BY_NAME",
    "Placed",
    "Solids",
    "at_edge",
    "beam_board",
    "beam_places",
    "mesh",
    "standing",
    "tile",
    "turned_to",
]

BY_NAME = {part.name: part for part in PARTS}
_SHAPE = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))["beam_board"]
_PLUG_MM = (7.0, 9.0)
"""A plug in its connector with the bend of its wires: wide, and beyond the board's edge."""
_TILE_MM = 49.2
_SHARED_MM3 = 0.05

Placed = tuple[str, trimesh.Trimesh]
Point = tuple[float, float, float]


@functools.cache
def mesh(name: str, *values: float, left: bool = True) -> tuple[trimesh.Trimesh, float]:
    """Draw a part and read its STL; return it and build123d's volume. Feet and legs want tilt and height."""
    build123d = pytest.importorskip(
        "build123d", reason="printed parts are drawn by build123d: the extra `parts`"
    )
    wanted = values or ((15.0, 100.0) if name in {"foot", "leg"} else ())
    solid = BY_NAME[name].drawn(*wanted, **({"left": left} if name == "foot" else {}))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.stl"
        build123d.export_stl(solid, str(path), tolerance=0.05, angular_tolerance=0.3)
        return trimesh.load(path), solid.volume


def turned_to(part: trimesh.Trimesh, turn: np.ndarray, place: Sequence[float]) -> trimesh.Trimesh:
    """Return a body turned about its own origin, which is then put to a place."""
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = turn, place
    moved = part.copy()
    moved.apply_transform(frame)
    return moved


def _clockwise(degrees: float) -> np.ndarray:
    angle = math.radians(-degrees)
    return np.array(
        [[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]]
    )


def at_edge(edge: int, points: Sequence[Point]) -> np.ndarray:
    """Return points that are told along an edge, outward from its middle, and up, around its slot's middle."""
    return (np.asarray(points) + np.array((0, 25, 0))) @ _clockwise(60 * (edge - 1)).T


# --- circuit boards ---


def _box(x: Sequence[float], y: Sequence[float], z: Sequence[float]) -> trimesh.Trimesh:
    return trimesh.creation.box(bounds=list(zip(sorted(x), sorted(y), sorted(z), strict=True)))


@functools.cache
def beam_board() -> trimesh.Trimesh:
    """Return the beam board with its parts, legs and plug; x along the beam, y to the plug, the beam at (0, 0, 0)."""
    xs, ys = zip(*_SHAPE["outline_mm"], strict=True)
    half, bottom = (extent for extent in _SHAPE["notch_mm"])
    face, thick = -_SHAPE["beam_above_mm"], _SHAPE["thick_mm"]
    plate = (face - thick, face)
    bodies = [_box((min(xs), max(xs)), (bottom, max(ys)), plate)]
    bodies += [
        _box(sorted((side * half / 2, side * max(xs))), (min(ys), bottom + 0.1), plate) for side in (-1, 1)
    ]
    table = circuit_board("beam_board")
    for place in table.places:
        left, top, right, low = place.footprint.body
        corners = [place.on_board(x, y) for x, y in ((left, top), (right, low))]
        high = face + max(place.footprint.height_mm, 0.1)
        bodies.append(_box(*zip(*corners, strict=True), (face - 0.01, high)))
    for pad in table.pads():
        if pad.drill_mm:
            leg = (face - thick - _SHAPE["legs_mm"], face)
            reach = pad.half_x_mm
            bodies.append(
                _box((pad.x_mm - reach, pad.x_mm + reach), (pad.y_mm - reach, pad.y_mm + reach), leg)
            )
    plug = _SHAPE["connectors"]["J1"]["at_mm"][0]
    ends = (max(ys) - 1, max(ys) + _PLUG_MM[1])
    bodies.append(_box((plug - _PLUG_MM[0] / 2, plug + _PLUG_MM[0] / 2), ends, (face + 0.1, face + 3.5)))
    return trimesh.boolean.union(bodies, engine="manifold")


_DOWN = np.array([[-1, 0, 0], [0, 1, 0], [0, 0, -1]])
_UP = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
_OUTWARD = np.array([[-1, 0, 0], [0, 0, 1], [0, 1, 0]])


def beam_places() -> dict[str, tuple[str, np.ndarray, np.ndarray]]:
    """Return where beam boards lie, by name: in which part, how they are turned, and where their beam's middle is.

    Where the beam is follows from ball and board; a part that holds its board elsewhere does not fit it.
    """
    design = load_design()
    prints, radius, slot = design.printed, design.ball.diameter_mm / 2, design.printed.slot
    mouth = design.frame.under_mm - slot.carrier_mm - slot.collar_mm - slot.slope_mm - slot.throat_long_mm
    found = {
        "drain": (
            "funnel",
            _DOWN,
            np.array(
                (
                    0,
                    -design.beam_places.drain_down_mm,
                    mouth - _SHAPE["thick_mm"] - _SHAPE["beam_above_mm"],
                )
            ),
        ),
        "rim": (
            "rim-cup",
            _OUTWARD,
            np.array((0, prints.rim.beam_out_mm, design.frame.floor_mm + radius)),
        ),
    }
    for edge in (6, 1, 2):
        foot = at_edge(edge, [(0, design.gate.bend_mm, 0)])[0]
        out = prints.ramp.beam_out_mm - design.gate.bend_mm
        found[f"ramp {edge}"] = (
            "ramp-block",
            _UP,
            foot + np.array((0, out, prints.ramp.floor_mm + radius)),
        )
    for edge in (3, 4, 5):
        place = at_edge(edge, [(0, prints.rim.beam_out_mm, design.frame.floor_mm + radius)])[0]
        found[f"outlet {edge}"] = ("zone-gutter", _clockwise(60 * (edge - 1)) @ _OUTWARD, place)
    return found


# --- a whole board ---


def tile() -> trimesh.Trimesh:
    """Return a tile's body as a hexagon without its channels."""
    made = trimesh.creation.cylinder(radius=_TILE_MM / math.sqrt(3), height=10, sections=6)
    made.apply_translation((0, 0, 5))
    return made


def standing(board: Board, *, feet: bool = False) -> Iterator[Placed]:
    """Yield every part of a board where it stands, x to the right and y uphill, with circuit boards and tiles."""
    for slot in board.slots:
        yield from _around(slot, "carrier", "funnel", boards=("drain",))
        yield f"tile {slot.name}", turned_to(tile(), np.eye(3), (slot.x_mm, -slot.y_mm, 0))
    for name, edge, beyond in board.edges():
        if beyond.off_board:
            yield from _at_the_rim(board.by_name[name], edge)
    for name in sorted({ramp.slot for ramp in board.ramps}):
        boards = [f"ramp {ramp.edge}" for ramp in board.ramps_to(name)]
        yield from _around(board.by_name[name], "ramp-block", boards=boards)
    gate = load_design().gate
    for ramp in board.ramps:
        at = at_edge(ramp.edge, [(0, gate.bend_mm, 0)])[0] + _middle(board.by_name[ramp.slot])
        made = turned_to(
            mesh("gate-housing")[0], np.eye(3), at + np.array((0, gate.out_mm - gate.bend_mm, 0))
        )
        yield f"gate-housing {ramp.name}", made
    for zone in board.zones:
        boards = [f"outlet {edge}" for _slot, edge in zone.outlets]
        yield from _around(board.by_name[zone.outlets[0][0]], "zone-gutter", "magnet-cap", boards=boards)
    if feet:
        yield from _on_the_table(board)


def _middle(slot: Slot) -> np.ndarray:
    return np.array((slot.x_mm, -slot.y_mm, 0))


def _around(slot: Slot, *names: str, boards: Sequence[str]) -> Iterator[Placed]:
    """Yield parts that are drawn around a slot's middle, and beam boards in them."""
    for name in names:
        yield f"{name} {slot.name}", turned_to(mesh(name)[0], np.eye(3), _middle(slot))
    for key in boards:
        _part, how, at = beam_places()[key]
        yield f"beam board {key} {slot.name}", turned_to(beam_board(), how, at + _middle(slot))


def _at_the_rim(slot: Slot, edge: int) -> Iterator[Placed]:
    turn, at = _clockwise(60 * (edge - 1)), at_edge(edge, [(0, 0, 0)])[0] + _middle(slot)
    yield f"rim-cup {slot.name}.{edge}", turned_to(mesh("rim-cup")[0], turn, at)
    _part, how, place = beam_places()["rim"]
    yield f"beam board rim {slot.name}.{edge}", turned_to(beam_board(), turn @ how, turn @ place + at)


def _on_the_table(board: Board) -> Iterator[Placed]:
    """Yield feet and legs, turned so that the board lies level as all else here."""
    prints, tilt = load_design().printed, board.tilt_deg
    back = trimesh.transformations.rotation_matrix(-math.radians(tilt), (1, 0, 0))[:3, :3]

    def leaned(part: trimesh.Trimesh, from_mm: Sequence[float], to_mm: Sequence[float]) -> trimesh.Trimesh:
        return turned_to(part, back, np.asarray(to_mm) - back @ from_mm)

    flange = load_design().frame.under_mm - prints.slot.carrier_mm - prints.slot.flange_mm
    for column, left in ((0, True), (max(slot.column for slot in board.slots), False)):
        slots = sorted((slot for slot in board.slots if slot.column == column), key=lambda slot: -slot.y_mm)
        for slot, high in zip((slots[0], slots[-1]), foot_heights_mm(board), strict=True):
            foot = mesh("foot", tilt, round(high, 3), left=left)[0]
            yield f"foot {slot.name}", leaned(foot, (0, 0, high), (slot.x_mm, -slot.y_mm, flange))
    high = leg_height_mm(board)
    for name in sorted({ramp.slot for ramp in board.ramps}):
        slot = board.by_name[name]
        for x in (-13.0, 13.0):
            to = (slot.x_mm + x, -slot.y_mm + LEG_UPHILL_MM, prints.ramp.under_mm)
            yield f"leg {name} {x:+g}", leaned(mesh("leg", tilt, round(high, 3))[0], (0, 0, high), to)


# --- balls ---


@dataclass(frozen=True, slots=True)
class Solids:
    """Bodies by name, ready to be asked which of them a ball would go through."""

    names: tuple[str, ...]
    bodies: tuple[manifold3d.Manifold, ...]
    bounds: np.ndarray

    @classmethod
    def of(cls, parts: Iterable[Placed]) -> "Solids":
        """Take meshes in."""
        names, meshes = zip(*parts, strict=True)
        bodies = [
            manifold3d.Manifold(
                manifold3d.Mesh(
                    vert_properties=np.asarray(one.vertices, dtype=np.float32),
                    tri_verts=np.asarray(one.faces, dtype=np.uint32),
                )
            )
            for one in meshes
        ]
        return cls(names, tuple(bodies), np.array([one.bounds for one in meshes]))

    def hit(self, points: np.ndarray, diameter_mm: float) -> set[str]:
        """Return the bodies that a ball goes through whose middle moves from point to point."""
        found = set()
        radius = diameter_mm / 2
        ball = manifold3d.Manifold.sphere(radius, 48)
        for one, other in itertools.pairwise(points):
            low, high = np.minimum(one, other) - radius, np.maximum(one, other) + radius
            near = (self.bounds[:, 0] < high).all(axis=1) & (self.bounds[:, 1] > low).all(axis=1)
            if not near.any():
                continue
            room = manifold3d.Manifold.batch_hull([ball.translate(tuple(one)), ball.translate(tuple(other))])
            found |= {
                self.names[index]
                for index in np.flatnonzero(near)
                if self.names[index] not in found and (room ^ self.bodies[index]).volume() > _SHARED_MM3
            }
        return found
