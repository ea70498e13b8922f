"""Instruments: how many a board has, and the grammar of their names."""

import pytest
from helpers.strategies import boards_and_instruments
from hextraction.board.instruments import Instrument, Kind, coils, find_instrument, instruments, lamps
from hextraction.board.profile import load_board
from hypothesis import given

STANDARD = load_board("standard-22")


def count(board, which):
    """Return how many instruments of a set are digital and how many are linear."""
    found = instruments(board, which)
    return sum(not one.linear for one in found), sum(one.linear for one in found)


@pytest.mark.parametrize(
    ("which", "digital", "linear"), [("basic", 52, 24), ("lean", 80, 24), ("rich", 129, 24)]
)
def test_the_standard_board_has_the_published_counts(which, digital, linear):
    """The three sets of the 22-slot board need 52, 80 and 129 digital inputs and 24 analogue channels."""
    assert count(STANDARD, which) == (digital, linear)


@pytest.mark.parametrize(
    ("board", "basic", "lean", "rich"),
    [
        ("small-18", (41, 20), (68, 20), (107, 20)),
        ("fx-19", (45, 21), (70, 21), (112, 21)),
        ("large-27", (62, 29), (94, 29), (156, 29)),
        ("large-32", (72, 34), (108, 34), (183, 34)),
    ],
)
def test_the_other_boards_count_alike(board, basic, lean, rich):
    """Slots, ramps, zones and edges of the other boards give these counts."""
    assert [count(load_board(board), which) for which in ("basic", "lean", "rich")] == [basic, lean, rich]


def test_each_set_contains_the_smaller_one():
    """Whoever wires more edges loses nothing."""
    basic, lean, rich = (set(instruments(STANDARD, which)) for which in ("basic", "lean", "rich"))
    assert basic < lean < rich


def test_the_rich_set_is_the_default():
    """Asked without a set, every instrument the grammar knows is listed."""
    assert instruments(STANDARD) == instruments(STANDARD, "rich")


def test_a_set_that_does_not_exist_is_refused():
    """The refusal lists the sets."""
    with pytest.raises(ValueError, match="want one of starter, basic, lean, rich, found 'full'"):
        instruments(STANDARD, "full")


def test_lean_watches_only_edges_by_which_a_ball_leaves():
    """The edges of lean on the standard board: 22 off board and 6 end-zone outlets."""
    edges = [one for one in instruments(STANDARD, "lean") if one.kind is Kind.EDGE]
    assert len(edges) == 28
    assert {one.name for one in edges} >= {
        "edge.A1.1",
        "edge.A1.6",
        "edge.B5.3",
        "edge.B5.4",
        "edge.D5.5",
        "edge.E4.4",
    }
    assert "edge.B1.4" not in {one.name for one in edges}


def test_no_edge_sensor_sits_at_a_ramp():
    """A ramp's own beam sees the ball there."""
    names = {one.name for one in instruments(STANDARD)}
    assert "edge.B1.6" not in names
    assert "ramp.L1" in names


@given(board_and_one=boards_and_instruments())
def test_a_name_means_the_instrument_it_came_from(board_and_one):
    """Spelling an instrument and finding it again gives the same one, on every board."""
    board, one = board_and_one
    assert find_instrument(board, one.name) == one


@pytest.mark.parametrize("board", ["small-18", "fx-19", "standard-22", "large-27", "large-32"])
def test_names_are_unique(board):
    """No two instruments of a board share a name."""
    names = [one.name for one in instruments(load_board(board))]
    assert len(set(names)) == len(names)


def test_the_spelling_of_each_kind():
    """Kind, place and, for an edge, its number."""
    assert Instrument(Kind.TILE, "A1").name == "tile.A1"
    assert Instrument(Kind.REST, "L").name == "rest.L"
    assert Instrument(Kind.EDGE, "B1", 4).name == "edge.B1.4"
    assert find_instrument(STANDARD, "edge.B1.4") == Instrument(Kind.EDGE, "B1", 4)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "want a name that begins with tile, drain, ball, ramp, zone, rest, edge"),
        ("hall.A1", "want a name that begins with"),
        ("tile", "has no '' there; it has A1, A2"),
        ("tile.F1", "has no 'F1' there"),
        ("tile.a1", "has no 'a1' there"),
        ("tile.A1.4", "has no 'A1.4' there"),
        ("ramp.A1", "it has L1, L2, L3, R1, R2, R3"),
        ("zone.X", "it has L, R"),
        ("rest.A1", "it has L, R"),
        ("edge.F1.1", "has no 'F1' there"),
        ("edge.A1", "has no '' there"),
        ("edge.A1.7", "want edge.SLOT.N with an edge 1..6"),
        ("edge.A1.0", "want edge.SLOT.N with an edge 1..6"),
        ("edge.A1.²", "want edge.SLOT.N with an edge 1..6"),
        ("edge.B1.5", "named by the slot before it"),
        ("edge.B1.1", "is a ramp"),
    ],
)
def test_a_wrong_name_is_refused_with_what_was_expected(name, reason):
    """Names outside the grammar or the board say what is wrong with them."""
    with pytest.raises(ValueError, match=r".") as refusal:
        find_instrument(STANDARD, name)
    assert reason in str(refusal.value)
    assert repr(name) in str(refusal.value)


def test_each_ramp_has_a_gate_and_listed_slots_have_kickers():
    """Six gates always; kickers where asked for."""
    assert coils(STANDARD) == ("gate.L1", "gate.L2", "gate.L3", "gate.R1", "gate.R2", "gate.R3")
    assert coils(STANDARD, ("C3", "C1"))[6:] == ("kicker.C3", "kicker.C1")


def test_lamps_of_the_standard_board():
    """Three pixels a slot make 66; six at the ramps and four in each end zone make 80 in all."""
    by_sort = {"slot": 0, "ramp": 0, "zone": 0}
    for name, pixels in lamps(STANDARD):
        by_sort[name.partition(".")[0]] += pixels
    assert by_sort == {"slot": 66, "ramp": 6, "zone": 8}
    assert lamps(STANDARD)[0] == ("slot.A1", 3)
