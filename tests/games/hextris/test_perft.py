"""The rules count as two independent programs do: the table of golden numbers, the fixtures, all symmetries."""

import json

import msgspec
import pytest
from helpers.tiers import nightly
from hextraction.controller.app import main
from hextraction.controller.games.hexagon.cells import SYMMETRIES
from hextraction.controller.games.hextris.position import READINGS, bit_of, cells_of, legal, new, perft
from hextraction.controller.games.hextris.written import (
    FIXTURES,
    WrittenPositionError,
    fixture,
    read_position,
    written,
)

GOLDEN = {
    ("R0", 2): (36, 1_188, 42_228, 1_392_936),
    ("R0", 3): (36, 1_188, 35_640, 1_150_092),
    ("R1", 2): (36, 1_188, 42_300, 1_400_214),
    ("R1", 3): (36, 1_188, 35_640, 1_154_412),
    ("R2", 2): (36, 1_188, 42_300, 1_404_534),
    ("R2", 3): (36, 1_188, 35_784, 1_163_844),
    ("R3", 2): (36, 1_188, 42_156, 1_385_802),
    ("R3", 3): (36, 1_188, 35_640, 1_145_772),
    ("R4", 2): (36, 1_188, 42_156, 1_385_802),
    ("R4", 3): (36, 1_188, 35_640, 1_145_772),
}
DEEP = {2: 48_822_948, 3: 34_230_096}
"""R0, five plies deep."""
FROM_FIXTURES = {
    "F1": {"R0": (52, 2_300, 97_851), "R1": (52, 2_371, 102_307), "R2": (52, 2_467, 107_938)},
    "F2": {"R0": (38, 1_177, 38_603), "R1": (40, 1_293, 44_808), "R2": (43, 1_505, 56_712)},
    "F3": {"R0": (46, 2_255, 97_416), "R1": (48, 2_466, 113_030), "R2": (50, 2_680, 129_478)},
    "F4": {"R0": (43, 1_765, 72_366), "R1": (44, 1_902, 84_840), "R2": (47, 2_250, 109_640)},
    "F5": {"R0": (18, 244, 3_390), "R1": (19, 276, 3_990), "R2": (23, 413, 7_236)},
    "F6": {"R0": (1, 24, 507), "R1": (1, 25, 578), "R2": (11, 304, 8_496)},
    "F7": {"R0": (39, 1_424, 55_767), "R1": (41, 1_574, 64_861), "R2": (45, 1_753, 77_243)},
}


@pytest.mark.parametrize(("reading", "players"), GOLDEN)
def test_the_empty_board_counts_as_the_table_says(reading, players):
    """One to three plies of every reading, for two and three players."""
    counts = tuple(perft(new(players), reading, depth) for depth in (1, 2, 3))
    assert counts == GOLDEN[reading, players][:3]


@pytest.mark.slow
@pytest.mark.parametrize(("reading", "players"), GOLDEN)
def test_four_plies_count_as_the_table_says(reading, players):
    """A fourth ply tells the readings apart once more."""
    assert perft(new(players), reading, 4) == GOLDEN[reading, players][3]


@nightly("tens of millions of lines", meanwhile="test_four_plies_count_as_the_table_says")
@pytest.mark.parametrize("players", DEEP)
def test_five_plies_count_as_the_table_says(players):
    """Tens of millions of lines, by the usual reading."""
    assert perft(new(players), "R0", 5) == DEEP[players]


@pytest.mark.parametrize(
    ("name", "reading"), [(name, reading) for name, known in FROM_FIXTURES.items() for reading in known]
)
def test_positions_with_groups_count_as_the_table_says(name, reading):
    """From the fixtures, where fives are made, forbidden sixes are near, and turns are lost."""
    counts = tuple(perft(fixture(name), reading, depth) for depth in (1, 2, 3))
    assert counts == FROM_FIXTURES[name][reading]


def moved(position, symmetry):
    """Return a position turned or mirrored."""

    def bits(cells):
        return sum(bit_of(symmetry[cell]) for cell in cells_of(cells))

    return position._replace(
        own=tuple(bits(one) for one in position.own), sizes=tuple(bits(one) for one in position.sizes)
    )


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("name", FIXTURES)
def test_turned_and_mirrored_it_is_the_same_game(name, number):
    """The legal plies move along with the board, and two plies deep there are as many lines."""
    symmetry = SYMMETRIES[number]
    before, after = fixture(name), moved(fixture(name), symmetry)
    for reading in READINGS:
        assert perft(after, reading, 2) == perft(before, reading, 2)
        turned = {named(ply, symmetry) for ply in legal(before, reading)}
        assert {named(ply) for ply in legal(after, reading)} == turned


def named(ply, symmetry=None):
    """Return a ply so that a swap is the same from both sides."""
    at, to = ((symmetry or {}).get(cell, cell) for cell in (ply.at, ply.to))
    return (ply.kind, ply.size, frozenset((at, to))) if ply.kind == "swap" else (ply.kind, ply.size, at, to)


# --- the command ---


def test_the_command_prints_one_count_a_line(capsys):
    """From one ply on, as many lines as plies were asked for."""
    assert main(["perft", "hextris", "--players", "3", "--reading", "R2", "--depth", "3"]) == 0
    assert capsys.readouterr().out.split() == ["36", "1188", "35784"]
    assert main(["perft", "hextris", "--fixture", "F2", "--depth", "2"]) == 0
    assert capsys.readouterr().out.split() == ["38", "1177"]


def test_the_command_reads_a_position(tmp_path, capsys):
    """A position goes out as JSON and comes in again as the same one."""
    path = tmp_path / "position.json"
    path.write_bytes(msgspec.json.encode(written(fixture("F4"))))
    assert read_position(path.read_bytes()) == fixture("F4")
    assert main(["perft", "hextris", "--position", str(path), "--depth", "2"]) == 0
    assert capsys.readouterr().out.split() == ["43", "1765"]


def test_a_position_that_cannot_be_is_refused_with_all_that_is_wrong(tmp_path, capsys):
    """Cells, owners, sizes, players to move and counts: each mistake has its line."""
    path = tmp_path / "position.json"
    path.write_text(json.dumps({"mover": 5, "pieces": {"c9": "0L", "c3": "7X"}, "home": [0, 3]}))
    assert main(["perft", "hextris", "--position", str(path)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 4
    assert "mover: want 0 to 1, found 5" in told[0]
    with pytest.raises(WrittenPositionError, match="has 14 pieces"):
        read_position('{"hands": [[5, 5, 4], [5, 5, 5]]}')
    with pytest.raises(WrittenPositionError, match="5 connected pieces"):
        read_position('{"pieces": {"c1": "0S", "c2": "0S", "c3": "0S", "c4": "0S", "c5": "0S"}}')


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--players", "4"], "--players: want 2 or 3"),
        (["--reading", "R9"], "--reading: want R0, R1, R2, R3, R4"),
        (["--fixture", "F9"], "want one of F1, F2"),
        (["--depth", "0"], "--depth: want 1 to 8"),
    ],
)
def test_wrong_options_are_told(options, told, capsys):
    """What was expected and what was found, with status 2."""
    assert main(["perft", "hextris", *options]) == 2
    assert told in capsys.readouterr().err


def test_a_game_without_plies_is_told(capsys):
    """Nobody can count lines of a game of chance."""
    assert main(["perft", "hextraction"]) == 2
    assert "nobody can count its plies" in capsys.readouterr().err
