"""The command that studies a printable model."""

import tomllib

import pytest
from helpers import printed
from helpers.tiers import first_by_day, nightly
from hextraction.board.routes import read_routes
from hextraction.controller.app import main
from hextraction.controller.games.hextraction.cards.tilebook import read_tiles


@pytest.fixture
def crossing(tmp_path):
    """Return a file with a model of two curves that cross."""
    path = tmp_path / "My Crossing.stl"
    printed.tile([printed.arc(1, 5), printed.arc(4, 6)], notches=(1, 4)).export(path)
    return path


def study(path, folder, *options, balls=12):
    """Run the command on a model, with few balls; return its exit status."""
    return main(["routes", "--from", str(path), "--folder", str(folder), *options], balls=balls)


@pytest.mark.slow
def test_a_model_becomes_an_entry_a_table_and_a_picture(crossing, tmp_path, capsys):
    """The entry can be read as a tile file, the table as route tables under the model's digest."""
    assert study(crossing, tmp_path / "out") == 0
    out = capsys.readouterr().out
    assert "joined     1-4-5-6" in out
    tile = read_tiles([tmp_path / "out" / "my-crossing.toml"])["my-crossing"]
    assert (tile.channels, tile.lines, tile.turns) == (((1, 4, 5, 6),), ((1, 5), (4, 6)), (0, 3))
    (table,) = read_routes([tmp_path / "out" / "my-crossing-15.json"]).tables.values()
    assert table.digest in out
    assert len(table.rows) == 6 * (4 * 2 + 1)
    picture = (tmp_path / "out" / "my-crossing.svg").read_text()
    assert picture.startswith("<svg")
    assert "turned by 1 (fits no key)" in picture
    assert "from 1: 100% by 5" in picture
    assert "own edges and turn with it" in picture


@nightly("a studied model", meanwhile="test_a_model_upside_down_is_turned_over_and_that_is_told")
@pytest.mark.slow
def test_what_was_studied_turned_is_another_tile_and_nothing_is_overwritten(crossing, tmp_path, capsys):
    """The edges are turned by as much; a second run says what is in its way, and changes nothing."""
    assert study(crossing, tmp_path / "out", "--turned", "2", "--tilt", "20", balls=3) == 0
    draft = tmp_path / "out" / "my-crossing.toml"
    entry = tomllib.loads(draft.read_text())["tile"][0]
    assert (entry["channels"], entry["notches"]) == ([[1, 2, 3, 6]], [3, 6])
    assert (tmp_path / "out" / "my-crossing-20.json").exists()
    draft.write_text("mine\n")
    assert study(crossing, tmp_path / "out") == 2
    assert f"would overwrite {draft}" in capsys.readouterr().err
    assert draft.read_text() == "mine\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "name"),
    first_by_day(
        [("Ban Hammer", "tile-ban-hammer"), ("unknown", "tile-unknown"), ("Ähre", "ahre")],
        "a studied model each",
    ),
)
def test_the_draft_can_be_read_whatever_the_file_is_called(tmp_path, file, name):
    """Names that the product keeps to itself get another, letters lose their accents; the table has it, too."""
    printed.tile([printed.arc(1, 3)]).export(tmp_path / f"{file}.stl")
    assert study(tmp_path / f"{file}.stl", tmp_path / "out", balls=1) == 0
    assert list(read_tiles([tmp_path / "out"])) == [name]
    (table,) = read_routes([tmp_path / "out" / f"{name}-15.json"]).tables.values()
    assert table.tile == name


@pytest.mark.slow
def test_a_model_without_a_mouth_is_refused(tmp_path, capsys):
    """In a sentence, and nothing is written."""
    printed.tile([]).export(tmp_path / "shut.stl")
    assert study(tmp_path / "shut.stl", tmp_path / "out") == 2
    assert "shut.stl: no edge lets a ball in" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_model_upside_down_is_turned_over_and_that_is_told(tmp_path, capsys):
    """As a warning, in the draft, too."""
    mesh = printed.tile([printed.arc(1, 3)])
    mesh.apply_transform([[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]])
    mesh.export(tmp_path / "over.glb")
    assert study(tmp_path / "over.glb", tmp_path, balls=3) == 0
    assert "warning    it is drawn upside down" in capsys.readouterr().out
    assert "# Warning: it is drawn upside down; turned over." in (tmp_path / "over.toml").read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--turned", "6"], "--turned: want 0..5"),
        (["--tilt", "60"], "--tilt: want 3..45"),
        (["--part", "lid.stl"], "--part: want FILE@Z"),
        (["--part", "lid.stl@high"], "--part: want FILE@Z"),
        (["--part", "lid.stl@nan"], "--part: want FILE@Z"),
        (["--part", "lid.stl@3"], "--part: there is no file lid.stl"),
    ],
)
def test_options_that_mean_nothing_are_told(tmp_path, capsys, options, said):
    """Before anything is read."""
    (tmp_path / "tile.stl").write_text("")
    assert study(tmp_path / "tile.stl", tmp_path, *options) == 2
    assert said in capsys.readouterr().err


def test_a_model_that_is_not_there_is_told(tmp_path, capsys):
    """With the name that was given."""
    assert study(tmp_path / "none.stl", tmp_path) == 2
    assert "none.stl" in capsys.readouterr().err
