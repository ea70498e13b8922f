"""What the hub board's poured ground carries: the copper that is plotted, as a sheet with holes, cell by cell."""

import numpy as np
import pytest

pytest.importorskip("gerbonara", reason="gerbonara is not installed: make .venv/.dev")
pytest.importorskip("shapely", reason="shapely is not installed")

import shapely
from helpers.gerbers import MIDDLE_MM, copper, opened
from scipy import sparse
from scipy.sparse.linalg import splu

from bench.hardware.board_files import read_board

pytestmark = pytest.mark.slow

HALF_MM = 50.0
CELL_MM = 0.25
SHEET_OHM = 0.000_5
"""Of copper 35 um thick, a square of it."""
MOST_A_MM = 2.9
"""What the board's widest track, 1.5 mm, has in each millimetre when it is 20 K warmer, by IPC-2221."""
CONVERTER_A, PI_A, TWELVE_A, COIL_A = 4.0, 0.6, 2.0, 1.0
RIBBONS = tuple(f"J{number}" for number in range(1, 6))
COILS = tuple(f"Q{number}" for number in range(1, 7))


class Ground:
    """Both sides of the board's ground as cells that conduct to their neighbours, joined by every leg and via."""

    def __init__(self, board, layers):
        count = round(2 * HALF_MM / CELL_MM)
        self.middles = MIDDLE_MM - HALF_MM + CELL_MM * (np.arange(count) + 0.5)
        self.board = board
        x, y = np.meshgrid(self.middles, self.middles)
        there = np.stack([shapely.contains_xy(layer, x, -y) for layer in layers])
        self.number = np.full(there.shape, -1)
        self.number[there] = np.arange(there.sum())
        self.across, self.down = self._pairs(2), self._pairs(1)
        through = [
            self._cells(pad.x_mm, pad.y_mm, pad.wide_mm / 2)
            for pad in board.pads
            if pad.net == "GND" and pad.drill_mm
        ]
        through += [
            self._cells(one.start[1], one.start[2], 0.3)
            for one in board.copper
            if one.net == "GND" and not one.width_mm
        ]
        joined = [(cells[0], other) for cells in through for other in cells[1:]]
        self._factor(np.array(joined))

    def _pairs(self, axis):
        one, other = (np.delete(self.number, end, axis) for end in (-1, 0))
        both = (one >= 0) & (other >= 0)
        return np.stack([one[both], other[both]])

    def _cells(self, x_mm, y_mm, reach_mm):
        near_x, near_y = (np.abs(self.middles - at) <= max(reach_mm, CELL_MM / 2) for at in (x_mm, y_mm))
        found = self.number[:, near_y][:, :, near_x]
        return found[found >= 0]

    def _factor(self, joined):
        pairs = np.concatenate([self.across, self.down, joined.T], axis=1)
        siemens = np.full(pairs.shape[1], 1 / SHEET_OHM)
        siemens[-len(joined) :] = 1e5
        rows, columns = np.concatenate([pairs, pairs[::-1]], axis=1)
        whole = sparse.coo_array((-np.tile(siemens, 2), (rows, columns))).tocsr()
        self.laplace = sparse.diags_array(-whole.sum(axis=1)) + whole
        _pieces, piece_of = sparse.csgraph.connected_components(self.laplace)
        main = np.bincount(piece_of).argmax()
        self.main = piece_of == main
        inner = np.flatnonzero(self.main)[1:]
        self.inner, self.solve = inner, splu(self.laplace[inner][:, inner].tocsc()).solve

    def cells_of(self, *pins):
        """Return the cells under the ground pads of parts or pins."""
        found = []
        for pad in self.board.pads:
            if pad.net == "GND" and (pad.pin in pins or pad.pin.split(".")[0] in pins):
                side = self.number if pad.drill_mm else self.number[:1]
                near_x = np.abs(self.middles - pad.x_mm) <= pad.wide_mm / 2
                near_y = np.abs(self.middles - pad.y_mm) <= pad.high_mm / 2
                cells = side[:, near_y][:, :, near_x]
                found += [one for one in cells[cells >= 0] if self.main[one]]
        return np.array(found)

    def volts(self, flows):
        """Return the volts of each cell with (amperes, pins in, pins out); those of a part share alike."""
        amperes = np.zeros(self.number.max() + 1)
        for many_a, into, out_of in flows:
            for pins, sign in ((into, 1), (out_of, -1)):
                cells = self.cells_of(*pins)
                amperes[cells] += sign * many_a / len(cells)
        found = np.zeros_like(amperes)
        found[self.inner] = self.solve(amperes[self.inner])
        return found

    def densest_a_mm(self, volts):
        """Return the most that flows through a millimetre anywhere."""
        squares = np.zeros_like(volts)
        for pairs in (self.across, self.down):
            flow = (volts[pairs[0]] - volts[pairs[1]]) / SHEET_OHM / CELL_MM
            mean = np.zeros_like(volts)
            for end in pairs:
                np.add.at(mean, end, flow / 2)
            squares += mean**2
        return float(np.sqrt(squares.max()))


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    """The hub board's ground."""
    stack = opened("hub_board", tmp_path_factory.mktemp("hub_board"))
    layers = [copper(stack.graphic_layers[side, "copper"])["GND"] for side in ("top", "bottom")]
    for layer in layers:
        shapely.prepare(layer)
    return Ground(read_board("hub_board"), layers)


def everything(coil):
    """Return the flows with the converter at its most, ribbons alike, and one coil on."""
    each_a = (CONVERTER_A - PI_A) / len(RIBBONS)
    return [
        *((each_a, (ribbon,), ("J8",)) for ribbon in RIBBONS),
        (PI_A, ("J9",), ("J8",)),
        (TWELVE_A, ("J7",), ("J6",)),
        (COIL_A, (coil,), ("J6",)),
    ]


def test_the_ground_is_one_piece(ground):
    """Legs, vias and areas of both sides hang together, all but crumbs."""
    assert ground.main.mean() > 0.995
    legs = [pad.pin for pad in ground.board.pads if pad.net == "GND"]
    assert all(len(ground.cells_of(pin)) for pin in legs)


@pytest.mark.parametrize("coil", COILS)
def test_the_ground_carries_everything_at_once(ground, coil):
    """Nowhere more in a millimetre than in the widest track, and what chips call ground differs by little."""
    volts = ground.volts(everything(coil))
    assert ground.densest_a_mm(volts) <= MOST_A_MM
    at = {ref: volts[ground.cells_of(ref)].mean() for ref in (*RIBBONS, "J18", "J19", "U2", "U4")}
    assert max(at.values()) - min(at.values()) < 0.01


def test_too_much_is_seen(ground):
    """With all of a short's current through one small part's legs the copper is too narrow."""
    assert ground.densest_a_mm(ground.volts([(12.0, ("C5",), ("J6",))])) > MOST_A_MM
