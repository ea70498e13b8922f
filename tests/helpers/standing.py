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
from helpers.printed import mesh_of, prism
from helpers.prints import solid
from hextraction.board.design import load_design
from hextraction.board.profile import Board, Slot

from hardware.printed.table import LEG_UPHILL_MM, PARTS, foot_heights_mm, leg_height_mm
from hardware.table import load_board as circuit_board

__all__ = [
    "BY_NAME",
    "Placed",
    "Solids",
    "at_edge",
    "bar_magnet",
    "bar_places",
    "beam_board",
    "beam_places",
    "lamp_places",
    "mesh",
    "seat_of",
    "slot_bar",
    "standing",
    "tile",
    "turned_to",
]

BY_NAME = {part.name: part for part in PARTS}
_BOARDS = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))
_SHAPE, _BAR = _BOARDS["beam_board"], _BOARDS["slot_bar"]
_BAR_ELEMENT_MM = 0.65
"""The bar's underside above the element of its Hall."""
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


@functools.cache
def slot_bar() -> trimesh.Trimesh:
    """Return the slot bar with its parts, plugs and bends of wires; x along it, y uphill, its Hall's element at (0, 0, 0)."""
    under = _BAR_ELEMENT_MM
    outline = [(x, -y) for x, y in reversed(_BAR["outline_mm"])]
    bodies = [mesh_of(prism(outline, under, under + _BAR["thick_mm"]))]
    for place in circuit_board("slot_bar").places:
        left, top, right, low = place.footprint.body
        (x, y), (far_x, far_y) = (place.on_board(*corner) for corner in ((left, top), (right, low)))
        bodies.append(_box((x, far_x), (-y, -far_y), (under - place.footprint.height_mm, under + 0.01)))
        if place.part.ref.startswith("J"):  # its plug is narrower, by half a millimetre on each side
            x, far_x = min(x, far_x) + 0.5, max(x, far_x) - 0.5
            bodies.append(_box((x, far_x), (-y, -far_y), (under - _BAR["plug_room_mm"] + 0.01, under)))
    whole = trimesh.boolean.union(bodies, engine="manifold")
    pegs = [_peg(x, -y, wide) for x, y, wide in _BAR["holes_mm"]]
    return trimesh.boolean.difference([whole, *pegs], engine="manifold")


def _peg(x: float, y: float, wide: float) -> trimesh.Trimesh:
    hole = trimesh.creation.cylinder(radius=wide / 2, height=6, sections=48)
    hole.apply_translation((x, y, 0))
    return hole


def bar_magnet() -> trimesh.Trimesh:
    """Return the magnet of a slot bar where it belongs below the Hall's element."""
    hall = _BAR["hall"]
    made = trimesh.creation.cylinder(radius=hall["wide_mm"] / 2, height=hall["thick_mm"], sections=64)
    made.apply_translation((hall["aside_mm"], 0, -hall["deep_mm"]))
    return made


_STRAIGHT, _ROUND = np.eye(3), np.diag((-1.0, -1.0, 1.0))


def bar_places() -> dict[str, tuple[str, np.ndarray, np.ndarray]]:
    """Return where slot bars lie, by name: on which part, how they are turned, and where their Hall's element is.

    In slots and end zones that follows from where a ball lies; in a start zone no ball is seen, and what counts is that
    the bar is clear of the floor above it.
    """
    design = load_design()
    radius, below = design.ball.diameter_mm / 2, _BAR["hall"]["below_mm"]
    zone, ramp = design.printed.zone, design.printed.ramp
    rests = -design.beam_places.rest_down_mm
    clear = ramp.under_mm - 0.2 - _BAR["thick_mm"] - _BAR_ELEMENT_MM
    return {
        "slot": ("carrier", _STRAIGHT, np.array((0, 0, design.frame.floor_mm + radius - below))),
        "end zone": ("zone-seat", _ROUND, np.array((0, rests, zone.floor_mm + radius - below))),
        "start zone": ("ramp-seat", _STRAIGHT, np.array((0, design.printed.bar.start_up_mm, clear))),
    }


def seat_of(place: str) -> trimesh.Trimesh:
    """Return what a bar lies on, where it is around the slot's middle."""
    name, turn, at = bar_places()[place]
    return turned_to(mesh(name)[0], turn, (0, 0, 0) if name == "carrier" else (at[0], at[1], 0))


def lamp_places(place: str) -> np.ndarray:
    """Return the middles of a bar's three lamps, just above it, around the slot's middle."""
    _name, turn, at = bar_places()[place]
    windows = np.array([*circuit_board("slot_bar").windows()])
    above = _BAR_ELEMENT_MM + _BAR["thick_mm"] + 0.05
    lamps = [((x + far_x) / 2, -(y + far_y) / 2, above) for x, y, far_x, far_y in windows]
    return np.array(lamps) @ turn.T + at


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
        yield from _around(slot, "carrier", "funnel", boards=("drain",), bar="slot")
        yield f"tile {slot.name}", turned_to(tile(), np.eye(3), (slot.x_mm, -slot.y_mm, 0))
    for name, edge, beyond in board.edges():
        if beyond.off_board:
            yield from _at_the_rim(board.by_name[name], edge)
    for name in sorted({ramp.slot for ramp in board.ramps}):
        boards = [f"ramp {ramp.edge}" for ramp in board.ramps_to(name)]
        yield from _around(board.by_name[name], "ramp-block", boards=boards, bar="start zone")
    gate = load_design().gate
    for ramp in board.ramps:
        at = at_edge(ramp.edge, [(0, gate.bend_mm, 0)])[0] + _middle(board.by_name[ramp.slot])
        made = turned_to(
            mesh("gate-housing")[0], np.eye(3), at + np.array((0, gate.out_mm - gate.bend_mm, 0))
        )
        yield f"gate-housing {ramp.name}", made
    for zone in board.zones:
        boards = [f"outlet {edge}" for _slot, edge in zone.outlets]
        yield from _around(board.by_name[zone.outlets[0][0]], "zone-gutter", boards=boards, bar="end zone")
    if feet:
        yield from _on_the_table(board)


def _middle(slot: Slot) -> np.ndarray:
    return np.array((slot.x_mm, -slot.y_mm, 0))


def _around(slot: Slot, *names: str, boards: Sequence[str], bar: str) -> Iterator[Placed]:
    """Yield parts that are drawn around a slot's middle, beam boards in them, and a bar with what it lies on."""
    seat, turn, place = bar_places()[bar]
    yield f"bar of {bar} {slot.name}", turned_to(slot_bar(), turn, place + _middle(slot))
    if seat not in names:
        yield f"{seat} {slot.name}", turned_to(seat_of(bar), np.eye(3), _middle(slot))
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
        bodies = tuple(map(solid, meshes))
        return cls(names, bodies, np.array([one.bounds for one in meshes]))

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
