"""The hexagon of 19 cells, and where it lies on each board."""

from pathlib import Path

import pytest
from hextraction.board.grid import EDGES, opposite, step_mm
from hextraction.board.profile import board_from_document, board_names, load_board
from hextraction.controller.games.hexagon import cells
from hextraction.controller.games.hexagon.field import field_on
from hextraction.settings import Document, SettingsError

PROFILES = Path(__file__).parents[3] / "board" / "profiles"
WITH = ("fx-19", "large-27", "large-32")
WITHOUT = ("small-18", "standard-22")


def test_there_are_nineteen_cells_twelve_of_them_round_the_outside():
    """Names run down the columns, and the rim is the twelve cells that the rules of Hextris list."""
    assert len(cells.CELLS) == 19
    assert set(cells.RIM) == {"a1", "a2", "a3", "b1", "b4", "c1", "c5", "d1", "d4", "e1", "e2", "e3"}
    assert set(cells.INSIDE) == {"b2", "b3", "c2", "c3", "c4", "d2", "d3"}


def test_to_step_back_is_to_cross_the_opposite_edge():
    """Neighbours see each other over opposite edges, and there are 42 pairs of them."""
    pairs = 0
    for cell in cells.CELLS:
        for edge in EDGES:
            near = cells.step(cell, edge)
            if near is not None:
                pairs += 1
                assert cells.step(near, opposite(edge)) == cell
    assert pairs == 84


def test_a_line_goes_straight_on_to_the_rim():
    """From e1 the line towards the lower left passes the middle and ends at a3."""
    assert cells.line("e1", 5) == ("d2", "c3", "b3", "a3")
    assert cells.line("c1", 4) == ("c2", "c3", "c4", "c5")
    assert cells.line("a1", 1) == ()


def test_twelve_ways_to_turn_and_mirror_keep_neighbours():
    """Each symmetry is another one, moves every cell somewhere, and keeps who is beside whom."""
    assert len({tuple(one.values()) for one in cells.SYMMETRIES}) == 12
    for moved in cells.SYMMETRIES:
        assert set(moved.values()) == set(cells.CELLS)
        for cell in cells.CELLS:
            assert {moved[near] for near in cells.AROUND[cell]} == set(cells.AROUND[moved[cell]])


@pytest.mark.parametrize("name", WITH)
def test_a_hexagon_on_a_board_keeps_every_step(name):
    """A slot is over an edge of another exactly where its cell is, in millimetres too."""
    board = load_board(name)
    field = field_on(board)
    assert field.on_board
    assert len(set(field.slots.values())) == 19
    for cell in cells.CELLS:
        slot = board.by_name[field.slot(cell)]
        assert field.cells[slot.name] == cell
        for edge in EDGES:
            near = cells.step(cell, edge)
            drawn = field.drawn.neighbour(slot.name, edge)
            assert drawn == (None if near is None else field.slot(near))
            if near is not None:
                there, way = board.by_name[field.slot(near)], step_mm(edge, board.pitch_mm)
                assert (there.x_mm - slot.x_mm, there.y_mm - slot.y_mm) == pytest.approx(way, abs=0.01)


def test_the_middle_is_where_the_measured_boards_have_it():
    """The 27-slot board has one hexagon, round C3; of the two of the 32-slot board C3's is taken."""
    assert {name: field_on(load_board(name)).slot("c3") for name in WITH} == dict.fromkeys(WITH, "C3")
    assert field_on(load_board("large-27")).slot("a1") == "A2"
    assert sorted([*WITH, *WITHOUT]) == sorted(board_names())


@pytest.mark.parametrize("name", WITHOUT)
def test_a_board_without_a_hexagon_leaves_it_to_the_phones(name):
    """No slot has two whole rings round it; the phones draw 19 cells, and people are told in plain words."""
    board = load_board(name)
    assert not any(len(board.around(slot, 2)) == 19 for slot in board.slot_names)
    field = field_on(board)
    assert not field.on_board
    assert len(field.drawn.slots) == 19
    assert "Play on the phones" in field.note


@pytest.mark.parametrize(
    ("written", "told"), [("C2", "no 19 slots within two steps of C2"), ("Z9", "want the slot in its middle")]
)
def test_a_profile_with_a_wrong_hexagon_is_refused(written, told, tmp_path):
    """The middle must be a slot, and 19 slots must be there."""
    text = (PROFILES / "large-27.toml").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    path.write_text(text.replace('hexagon = "C3"', f'hexagon = "{written}"'), encoding="utf-8")
    with pytest.raises(SettingsError, match=told):
        board_from_document(Document.from_path(path), "own")
