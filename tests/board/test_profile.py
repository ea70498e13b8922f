"""Board profiles: the shipped boards add up, and a broken file is refused with all its mistakes."""

import textwrap

import pytest
from helpers.strategies import boards, boards_and_slots
from hextraction.board.grid import EDGES, opposite, step_mm
from hextraction.board.profile import Beyond, board_from_document, board_names, load_board, read_board
from hextraction.settings import Document, SettingsError
from hypothesis import given

SMALL = textwrap.dedent("""\
    title = "Two slots"
    pitch_mm = 50.0
    [[column]]
    slots = ["A1"]
    top_mm = 0.0
    [[column]]
    slots = ["B1"]
    top_mm = 25.0
    [ramps]
    r = "A1.1"
    [zones]
    Z = ["B1.4", "B1.3"]
    [edges]
    shared = 1
    ramps = 1
    zones = 2
    off_board = 7
    """)


def board_of(text):
    """Build a board from the text of a profile."""
    return board_from_document(Document.from_text(text, "mine.toml"), "mine")


def problems_of(text):
    """Return the complaints about a profile as people see them."""
    with pytest.raises(SettingsError) as refusal:
        board_of(text)
    return [str(problem) for problem in refusal.value.problems]


@pytest.mark.parametrize(
    ("name", "slots", "shared", "ramps", "zones", "off_board"),
    [
        ("small-18", 18, 39, 3, 6, 21),
        ("fx-19", 19, 42, 5, 10, 15),
        ("standard-22", 22, 49, 6, 6, 22),
        ("large-27", 27, 62, 6, 6, 26),
        ("large-32", 32, 75, 6, 6, 30),
    ],
)
def test_the_shipped_boards_have_these_edges(name, slots, shared, ramps, zones, off_board):
    """Every board has its published number of slots and of edges of each sort."""
    board = load_board(name)
    assert len(board.slots) == slots
    assert board.edge_counts() == {"shared": shared, "ramps": ramps, "zones": zones, "off_board": off_board}
    assert 6 * slots == 2 * shared + ramps + zones + off_board


def test_these_boards_ship():
    """Five profiles, the standard one by default."""
    assert board_names() == ("fx-19", "large-27", "large-32", "small-18", "standard-22")
    assert load_board().name == "standard-22"


def test_an_unknown_board_is_no_board():
    """The name that was asked for is in the error."""
    with pytest.raises(KeyError, match="standard-23"):
        load_board("standard-23")


@given(board_and_slot=boards_and_slots())
def test_neighbours_see_each_other(board_and_slot):
    """Whatever lies over an edge sees this slot over the opposite edge."""
    board, slot = board_and_slot
    for edge in EDGES:
        other = board.neighbour(slot, edge)
        if other is not None:
            assert board.neighbour(other, opposite(edge)) == slot
            across, down = step_mm(edge, board.pitch_mm)
            here, there = board.by_name[slot], board.by_name[other]
            assert (there.x_mm, there.y_mm) == pytest.approx((here.x_mm + across, here.y_mm + down), abs=0.01)


@given(board=boards())
def test_every_edge_of_every_slot_is_accounted_for(board):
    """Each slot's six edges are walked over exactly once, a shared one from one of its two sides."""
    walked = set()
    for slot, edge, beyond in board.edges():
        walked.add((slot, edge))
        if beyond.slot is not None:
            walked.add((beyond.slot, opposite(edge)))
    assert walked == {(slot, edge) for slot in board.slot_names for edge in EDGES}
    assert len(list(board.edges())) == sum(board.edge_counts().values())


@given(board=boards())
def test_ramps_and_zones_are_where_their_edges_say(board):
    """A ramp's edge comes from that ramp, an outlet's edge leads into that zone."""
    for ramp in board.ramps:
        assert board.beyond(ramp.slot, ramp.edge) == Beyond(ramp=ramp.name)
        assert ramp in board.ramps_to(ramp.slot)
        assert board.ramp_by_name[ramp.name] is ramp
    for zone in board.zones:
        assert {board.beyond(*outlet) for outlet in zone.outlets} == {Beyond(zone=zone.name)}


def test_the_middle_of_the_test_board_has_six_neighbours():
    """On the 19-slot board C3 has C2, D2, D3, C4, B3, B2, clockwise from the top."""
    board = load_board("fx-19")
    assert board.neighbours("C3") == ("C2", "D2", "D3", "C4", "B3", "B2")
    assert [board.neighbour("C3", edge) for edge in EDGES] == ["C2", "D2", "D3", "C4", "B3", "B2"]


def test_rows_and_zones_of_the_test_board():
    """One ramp to each column's top slot by edge 1; the end zones take the published edges."""
    board = load_board("fx-19")
    assert board.top_row == ("A1", "B1", "C1", "D1", "E1")
    assert board.bottom_row == ("A3", "B4", "C5", "D4", "E3")
    assert [(ramp.name, ramp.slot, ramp.edge) for ramp in board.ramps] == [
        ("a", "A1", 1), ("b", "B1", 1), ("c", "C1", 1), ("d", "D1", 1), ("e", "E1", 1),
    ]  # fmt: skip
    left, right = board.zones
    assert set(left.outlets) == {("A3", 4), ("A3", 5), ("B4", 4), ("B4", 5), ("C5", 5)}
    assert set(right.outlets) == {("E3", 3), ("E3", 4), ("D4", 3), ("D4", 4), ("C5", 3)}
    assert board.beyond("C5", 4).off_board


def test_the_standard_board_has_three_ramps_to_each_of_two_slots():
    """Edges 6, 1 and 2 of B1 and D1; nothing feeds the other columns."""
    board = load_board()
    assert [ramp.name for ramp in board.ramps_to("B1")] == ["L1", "L2", "L3"]
    assert [ramp.edge for ramp in board.ramps_to("D1")] == [6, 1, 2]
    assert board.ramps_to("C1") == ()
    assert board.neighbours("A1") == ("B1", "B2", "A2")


def test_off_board_is_what_is_nothing_else():
    """A slot, a ramp and a zone are not off board."""
    assert Beyond().off_board
    assert not any(beyond.off_board for beyond in (Beyond(slot="A1"), Beyond(ramp="L1"), Beyond(zone="L")))


def test_a_correct_profile_is_read(tmp_path):
    """A file becomes a board that is called like the file."""
    path = tmp_path / "my-table.toml"
    path.write_text(SMALL, encoding="utf-8")
    board = read_board(path)
    assert (board.name, board.title, board.tilt_deg) == ("my-table", "Two slots", 15.0)
    assert board.neighbour("A1", 3) == "B1"
    assert board.zones[0].title == "End zone Z"


def test_a_missing_profile_is_one_problem(tmp_path):
    """A path that leads nowhere is told with its name."""
    with pytest.raises(SettingsError, match=r"nowhere\.toml:1: cannot read this file: No such file"):
        read_board(tmp_path / "nowhere.toml")


@pytest.mark.parametrize(
    ("good", "bad", "complaint"),
    [
        ('title = "Two slots"\n', "", "mine.toml:1: the key 'title' is missing"),
        ("pitch_mm = 50.0", "pitch_mm = 5", "mine.toml:2: pitch_mm: want a number 20..100, found 5"),
        ("pitch_mm", "pich_mm", "mine.toml:2: pich_mm: unknown key; did you mean 'pitch_mm'?"),
        (
            'slots = ["A1"]', 'slots = ["A1", "A.2"]',
            "mine.toml:4: column[1].slots: want names of letters, digits and underscores, found 'A.2'",
        ),
        ("top_mm = 25.0", "top_mm = 20.0", "mine.toml:8: column[2].top_mm: slots A1 and B1 overlap"),
        (
            'r = "A1.1"', 'r = "A9.1"',
            "mine.toml:10: ramps.r: want SLOT.EDGE with a slot of this board and an edge 1..6, found 'A9.1'",
        ),
        (
            'r = "A1.1"', 'r = "A1.7"',
            "mine.toml:10: ramps.r: want SLOT.EDGE with a slot of this board and an edge 1..6, found 'A1.7'",
        ),
        ('r = "A1.1"', "r = 11", 'mine.toml:10: ramps.r: want "SLOT.EDGE", found 11'),
        ('r = "A1.1"', 'r = ""', "mine.toml:10: ramps.r: want \"SLOT.EDGE\", found ''"),
        ('r = "A1.1"', '"r/1" = "A1.1"', "mine.toml:10: ramps.r/1: want a name of letters, digits and underscores"),
        ('r = "A1.1"', 'r = "A1.3"', "mine.toml:10: ramps.r: edge A1.3 leads to slot B1"),
        ('r = "A1.1"', 'r = "B1.4"', "mine.toml:12: zones.Z: edge B1.4 is already taken by r"),
        ('Z = ["B1.4"', 'Z = ["B1.6"', "mine.toml:12: zones.Z: edge B1.6 leads to slot A1"),
        ('Z = ["B1.4", "B1.3"]', "Z = 4", "mine.toml:12: zones.Z: want a list of texts, found 4"),
        ('Z = ["B1.4"', 'Z = [""', "mine.toml:12: zones.Z: want SLOT.EDGE with a slot of this board and an edge 1..6, found ''"),
        ("[edges]", '[zone_titles]\nY = "far"\n[edges]', "mine.toml:14: zone_titles.Y: unknown key; known here: Z"),
        ("off_board = 7", "off_board = 8", "mine.toml:17: edges.off_board: says 8, but these slots, ramps and zones make 7"),
        ("shared = 1", "shared = 2", "mine.toml:14: edges.shared: says 2, but these slots, ramps and zones make 1"),
        ("off_board = 7", "", "mine.toml:13: edges: the key 'off_board' is missing"),
        ('[zones]\nZ = ["B1.4", "B1.3"]\n', "", "mine.toml:1: the key 'zones' is missing"),
    ],
)  # fmt: skip
def test_a_broken_profile_is_refused_where_it_is_broken(good, bad, complaint):
    """Each single mistake is told once, with the line it is on."""
    assert good in SMALL
    assert problems_of(SMALL.replace(good, bad, 1)) == [complaint]


@pytest.mark.parametrize(
    ("slots", "complaint"),
    [
        ('"A1"', "mine.toml:4: column[1].slots: want a list of texts, found 'A1'"),
        ('["A1", 2]', "mine.toml:4: column[1].slots: want a list of texts, found ['A1', 2]"),
        ('["A1", "B1"]', "mine.toml:7: column[2].slots: slot 'B1' is there twice"),
    ],
)
def test_broken_slot_names_are_told_first(slots, complaint):
    """Whatever else follows from it, the wrong list of slots is in the report."""
    assert complaint in problems_of(SMALL.replace('["A1"]', slots, 1))


def test_a_profile_without_columns_is_refused():
    """A board has at least one column of slots."""
    text = 'title = "None"\n[ramps]\n[zones]\n[edges]\nshared = 0\nramps = 0\nzones = 0\noff_board = 0\n'
    assert problems_of(text) == ["mine.toml:1: want at least one [[column]]"]


def test_all_mistakes_of_a_profile_are_told_at_once():
    """Whoever writes a profile mends it in one go."""
    text = (
        SMALL.replace("pitch_mm = 50.0", "pitch_mm = true")
        .replace('r = "A1.1"', 'r = "A1"')
        .replace("shared = 1", "shard = 1")
    )
    assert problems_of(text) == [
        "mine.toml:2: pitch_mm: want a number 20..100, found true",
        "mine.toml:10: ramps.r: want SLOT.EDGE with a slot of this board and an edge 1..6, found 'A1'",
        "mine.toml:13: edges: the key 'shared' is missing",
        "mine.toml:14: edges.shard: unknown key; did you mean 'shared'?",
    ]
