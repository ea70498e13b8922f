"""How far a ball's centre is from the plastic, on a grid of a quarter of a millimetre.

Distances are exact (to the triangles) where a ball can touch, rough elsewhere. Outside the tile's hexagon
there are the straight round channels of the neighbouring slots before every mouth, and walls elsewhere.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import trimesh
from hextraction.board.grid import EDGES, edge_middle_mm
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt
from scipy.spatial import cKDTree

__all__ = ["BALL_MM", "CELL_MM", "FLOOR_MM", "PITCH_MM", "Space", "solid_cells", "windings"]

BALL_MM: Final = 5.0
CELL_MM: Final = 0.25
FLOOR_MM: Final = 0.6
"""How high the floor of a channel is in its mouth, by the tiles that were measured."""
PITCH_MM: Final = 50.0
_CHANNEL_MM: Final = 5.5
_SHELL_MM: Final = 0.8
_NEAREST: Final = 2
_SAMPLE_MM: Final = 0.7
_LOW_MM: Final = -3.0
_HIGH_MM: Final = 9.5
_BEYOND_MM: Final = 6.5
_DEEPEST_MM: Final = -5.5
_ABOVE: Final = 8
_TINY_MM: Final = 1.3e-4
_closest: Final[Any] = trimesh.triangles.closest_point
_AXES: Final = np.array([edge_middle_mm(edge, 2.0) for edge in EDGES])

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """The grid: ``low`` is its first corner, ``cells`` the distance and its direction, shape (x, y, z, 4)."""

    low: Floats
    cells: NDArray[np.float32]

    @classmethod
    def around(
        cls, triangles: Floats, solid: NDArray[np.bool_], low: Floats, mouths: Iterable[int] | None
    ) -> "Space":
        """Measure the space around triangles whose cells are ``solid``.

        ``mouths`` are the edges before which neighbours' channels go on; None if it is no tile.
        """
        first = round((_LOW_MM - low[2]) / CELL_MM)
        last = round((_HIGH_MM - low[2]) / CELL_MM) + 1
        # Plastic above or below the grid is no nearer than its last layers, or too far to be touched.
        rough = distance_transform_edt(~solid[:, :, : last + _ABOVE], sampling=CELL_MM)
        rough = rough[:, :, first:last].astype(np.float32)
        shape = rough.shape
        low = low + np.array([0.0, 0.0, first * CELL_MM])
        cells = np.zeros((*shape, 4), np.float32)
        cells[..., 0] = np.where(solid[:, :, first:last], -1.0, rough)
        near = np.abs(rough - BALL_MM) < _SHELL_MM
        if mouths is not None:
            outside, edge = _beyond(low, shape[:2])
            near &= ~outside[:, :, None]
        at = np.argwhere(near)
        if len(at):
            exact, normals = _exact(triangles, low + at * CELL_MM)
            cells[at[:, 0], at[:, 1], at[:, 2], 0] = exact
            cells[at[:, 0], at[:, 1], at[:, 2], 1:] = normals
        if mouths is not None:
            _go_on(cells, low, outside, edge)
        made = cls(low, cells)
        if mouths is not None:
            made.shut(set(EDGES) - set(mouths))
        return made

    def shut(self, edges: Iterable[int]) -> None:
        """Put walls beyond edges at which nothing goes on."""
        outside, edge = _beyond(self.low, self.cells.shape[:2])
        for number in edges:
            self.cells[outside & (edge == number)] = (-1.0, *-_AXES[number - 1], 0.0)

    def step(self, edges: Iterable[int], triangles: Floats) -> None:
        """Let balls feel that mouths are at another height than the channels before them, on both sides.

        Elsewhere the two go on into each other, though they be a little apart: neighbours are drawn alike.
        """
        x, y, z = (self.low[axis] + CELL_MM * np.arange(self.cells.shape[axis]) for axis in range(3))
        lower = np.minimum(z - (FLOOR_MM + _CHANNEL_MM), 0.0)
        for across, down in (_AXES[edge - 1] for edge in edges):
            beyond = x[:, None] * across + y[None, :] * down - PITCH_MM / 2
            aside = y[None, :] * across - x[:, None] * down
            near = (np.abs(beyond) < BALL_MM + _SHELL_MM) & (np.abs(aside) < _CHANNEL_MM)
            at = np.argwhere((near & (beyond > 0))[:, :, None] & (self.cells[..., 0] > 0))
            self._closer(at, *_exact(triangles, self.low + at * CELL_MM))
            at = np.argwhere((near & (beyond <= 0))[:, :, None] & (self.cells[..., 0] > 0))
            # The neighbour's end is flat, with its channel cut out: nearest is a point of the channel's rim.
            back, sideways = beyond[at[:, 0], at[:, 1]], aside[at[:, 0], at[:, 1]]
            off = np.hypot(sideways, lower[at[:, 2]])
            gap = np.maximum(_CHANNEL_MM - off, 0.0)
            to_rim = gap / np.maximum(off, 1e-6)
            away = np.stack(
                [
                    across * back + down * sideways * to_rim,
                    down * back - across * sideways * to_rim,
                    -lower[at[:, 2]] * to_rim,
                ],
                axis=1,
            )
            # On the axis all of the rim is equally near, and a ball there touches none of it.
            far = np.hypot(back, gap)
            self._closer(at, far, away / np.maximum(far, 1e-9)[:, None])

    def _closer(self, at: NDArray[np.int64], far: Floats, away: Floats) -> None:
        """Note distances and directions at cells, where they are less than what is known."""
        less = far < self.cells[at[:, 0], at[:, 1], at[:, 2], 0]
        columns, rows, heights = at[less].T
        self.cells[columns, rows, heights, 0] = far[less]
        self.cells[columns, rows, heights, 1:] = away[less]

    def at(self, places: Floats) -> tuple[Floats, Floats]:
        """Return the distance of each place (n, 3) from the plastic, and the direction away from it."""
        many = np.array(self.cells.shape[:3]) - 1
        grid = np.clip((places - self.low) / CELL_MM, 0.0, many - 1e-6)
        corner = grid.astype(np.int64)
        share = grid - corner
        _, side, height = self.cells.shape[:3]
        flat = self.cells.reshape(-1, 4)
        index = (corner[:, 0] * side + corner[:, 1]) * height + corner[:, 2]
        other = 1.0 - share
        found = np.zeros((len(places), 4))
        for dx in (0, 1):
            wx = share[:, 0] if dx else other[:, 0]
            for dy in (0, 1):
                wxy = wx * (share[:, 1] if dy else other[:, 1])
                line = index + (dx * side + dy) * height
                found += flat[line] * (wxy * other[:, 2])[:, None]
                found += flat[line + 1] * (wxy * share[:, 2])[:, None]
        away = found[:, 1:]
        away /= np.maximum(np.sqrt(np.einsum("ij,ij->i", away, away)), 1e-9)[:, None]
        return found[:, 0], away


def solid_cells(triangles: Floats) -> tuple[NDArray[np.bool_], Floats, float]:
    """Return which cells of a grid are plastic, shape (x, y, z), and more as :func:`windings`."""
    wound, low, astray = windings(triangles)
    return wound > 0, low, astray


def windings(triangles: Floats) -> tuple[NDArray[np.int16], Floats, float]:
    """Return in how many bodies each cell of a grid is, shape (x, y, z), and where its first corner is.

    The third is the share of vertical lines that go into a body and do not come out again, of those that
    meet one: zero for a closed surface.
    """
    flat = triangles.reshape(-1, 3)
    begin = np.floor((flat.min(axis=0) - _BEYOND_MM) / CELL_MM)
    begin[2] = min(begin[2], _DEEPEST_MM / CELL_MM)
    end = np.ceil((flat.max(axis=0) + _BEYOND_MM) / CELL_MM)
    end[2] = max(end[2], (_HIGH_MM + 1) / CELL_MM)
    many = (end - begin).astype(int) + 1
    # A column of cells is crossed by a vertical line that is a little aside, so as to meet no corner or side.
    crossings = np.zeros((many[0], many[1], many[2] + 1), np.int16)
    aside = np.array([_TINY_MM, _TINY_MM * math.pi / 2])
    for triangle in triangles:
        _cross(crossings, triangle - [*(begin[:2] * CELL_MM + aside), begin[2] * CELL_MM])
    met = crossings.any(axis=2)
    astray = met & (crossings.sum(axis=2) != 0)
    share = float(astray.sum()) / max(1, int(met.sum()))
    return np.cumsum(crossings, axis=2, dtype=np.int16)[:, :, :-1], begin * CELL_MM, share


def _cross(crossings: NDArray[np.int16], triangle: Floats) -> None:
    """Note where vertical lines go into (+1) or out of (-1) the body through a triangle."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle.tolist()
    double = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(double) < 1e-12:
        return
    x = np.arange(math.ceil(min(ax, bx, cx) / CELL_MM), math.floor(max(ax, bx, cx) / CELL_MM) + 1)
    y = np.arange(math.ceil(min(ay, by, cy) / CELL_MM), math.floor(max(ay, by, cy) / CELL_MM) + 1)
    if not (len(x) and len(y)):
        return
    px, py = x[:, None] * CELL_MM, y[None, :] * CELL_MM
    to_b = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / double
    to_c = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / double
    hit = (to_b >= 0) & (to_c >= 0) & (to_b + to_c <= 1)
    if not hit.any():
        return
    columns, rows = np.nonzero(hit)
    z = az + to_b[hit] * (bz - az) + to_c[hit] * (cz - az)
    level = np.clip(np.ceil(z / CELL_MM).astype(int), 0, crossings.shape[2] - 1)
    # Seen from below, the line goes in where the surface faces down.
    np.add.at(crossings, (x[columns], y[rows], level), -1 if double > 0 else 1)


def _exact(triangles: Floats, places: Floats) -> tuple[Floats, Floats]:
    """Return the distances to the nearest triangles, and the directions away from them."""
    samples, owners = _sampled(triangles)
    tree = cKDTree(samples, balanced_tree=False, compact_nodes=False)
    _, found = tree.query(places, k=_NEAREST)
    best = np.full(len(places), np.inf)
    nearest = np.zeros_like(places)
    for column in found.T:
        points = np.asarray(_closest(triangles[owners[column]], places))
        far = np.linalg.norm(places - points, axis=1)
        closer = far < best
        best[closer], nearest[closer] = far[closer], points[closer]
    return best, (places - nearest) / np.maximum(best, 1e-9)[:, None]


def _sampled(triangles: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Return points spread over triangles, no further apart than a sample, and whose they are."""
    pieces, owners = triangles, np.arange(len(triangles))
    points, whose = [], []
    while len(pieces):
        sides = np.linalg.norm(pieces - np.roll(pieces, -1, axis=1), axis=2)
        longest = sides.argmax(axis=1)
        small = sides.max(axis=1) <= _SAMPLE_MM
        points += [pieces[small].mean(axis=1)]
        whose += [owners[small]]
        pieces, owners, longest = pieces[~small], owners[~small], longest[~small]
        # The longest side is cut in half: long thin triangles become many small ones, not very many.
        row = np.arange(len(pieces))
        first, second, third = (pieces[row, (longest + step) % 3] for step in range(3))
        middle = (first + second) / 2
        halves = (np.stack([first, middle, third], axis=1), np.stack([middle, second, third], axis=1))
        pieces, owners = np.concatenate(halves), np.concatenate([owners, owners])
    return np.concatenate(points), np.concatenate(whose)


def _beyond(low: Floats, many: tuple[int, ...]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return which columns of a grid are outside the tile's hexagon, and the edge that each is nearest to."""
    x, y = (low[axis] + CELL_MM * np.arange(many[axis]) for axis in (0, 1))
    towards = np.stack([x[:, None] * across + y[None, :] * down for across, down in _AXES], axis=-1)
    return towards.max(axis=-1) > PITCH_MM / 2, towards.argmax(axis=-1) + 1


def _go_on(
    cells: NDArray[np.float32], low: Floats, outside: NDArray[np.bool_], edge: NDArray[np.int64]
) -> None:
    """Put the straight channels of neighbouring slots beyond all edges."""
    x, y, z = (low[axis] + CELL_MM * np.arange(cells.shape[axis]) for axis in range(3))
    lower = np.minimum(z - (FLOOR_MM + _CHANNEL_MM), 0.0)
    for number, (across, down) in enumerate(_AXES, 1):
        columns, rows = np.nonzero(outside & (edge == number))
        aside = y[rows] * across - x[columns] * down
        far = np.hypot(aside[:, None], lower[None, :])
        cells[columns, rows, :, 0] = _CHANNEL_MM - far
        scale = -1.0 / np.maximum(far, 1e-6)
        cells[columns, rows, :, 1] = scale * aside[:, None] * -down
        cells[columns, rows, :, 2] = scale * aside[:, None] * across
        cells[columns, rows, :, 3] = scale * lower[None, :]
