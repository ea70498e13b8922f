"""The command that makes and checks route tables."""

import dataclasses

import pytest
from hextraction.board import routes as tables
from hextraction.controller.app import main
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.controller.workshop.routes import geometries
from hextraction.simulator import routing

pytestmark = pytest.mark.slow

J = Tile(name="j", title="J", channels=((1, 3),))
BEND = Tile(name="bend", title="Bend", channels=((1, 2),))
DEAD_END = Tile(name="dead-end", title="Dead end", channels=((1,),))


def kinds_of(*tiles):
    """Return the geometries of a catalogue that has only these basic tiles."""
    return {"basic": {tables.geometry_digest(tile): tile for tile in tiles}, "official": {}}


FEW = kinds_of(J, DEAD_END)


def run(folder, *options, kinds=FEW):
    """Run the command on a folder, with few geometries and balls to take little time; return its exit status."""
    return main(["routes", "--folder", str(folder), *options], kinds=kinds, balls=1)


class TestMaking:
    """Without --check."""

    def test_it_writes_a_file_for_each_collection_that_has_geometries(self, tmp_path, capsys):
        """And check finds nothing to say about them."""
        assert run(tmp_path) == 0
        names = {"basic-10.json", "basic-15.json", "basic-20.json"}
        assert {path.name for path in tmp_path.glob("*.json")} == names
        assert run(tmp_path, "--check") == 0
        assert "2 tables, 0 problems" in capsys.readouterr().out

    def test_what_is_good_is_not_made_again(self, tmp_path, capsys):
        """Unless one asks for it; the files are the same to the byte."""
        run(tmp_path)
        before = (tmp_path / "basic-15.json").read_bytes()
        capsys.readouterr()
        run(tmp_path)
        assert capsys.readouterr().out.count("0 tables made") == 3
        run(tmp_path, "--fresh")
        assert "2 tables made" in capsys.readouterr().out
        assert (tmp_path / "basic-15.json").read_bytes() == before


class TestChecking:
    """With --check."""

    def test_a_geometry_without_a_table_is_told(self, tmp_path, capsys):
        """By the tile's name, with status 2."""
        run(tmp_path)
        assert run(tmp_path, "--check", kinds=kinds_of(DEAD_END, BEND)) == 2
        out = capsys.readouterr().out
        assert "no tile has this geometry any more" in out
        assert "'bend'" in out

    def test_changed_walls_and_physics_are_told(self, tmp_path, capsys):
        """Each in a sentence of its own."""
        run(tmp_path)
        path = tmp_path / "basic-15.json"
        made = tables.read_routes([path]).tables.values()
        tables.write_routes(path, "older", [dataclasses.replace(table, walls="other") for table in made])
        assert run(tmp_path, "--check") == 2
        out = capsys.readouterr().out
        assert "tile 'j': its walls have changed" in out
        assert f"made with settings older, the physics now has {routing.settings_digest()}" in out
        assert "3 problems" in out

    def test_a_broken_file_is_a_sentence(self, tmp_path, capsys):
        """With status 2 and no traceback."""
        (tmp_path / "basic-15.json").write_text("{")
        assert run(tmp_path, "--check") == 2
        assert "basic-15.json" in capsys.readouterr().err

    def test_no_process_at_all_is_a_mistake(self, tmp_path, capsys):
        """At least one must roll."""
        assert run(tmp_path, "--jobs", "0") == 2
        assert "--jobs" in capsys.readouterr().err


def test_every_geometry_of_the_catalogue_is_in_one_collection():
    """None is missing, none is rolled twice."""
    found = [digest for tiles in geometries().values() for digest in tiles]
    assert len(found) == len(set(found))
    assert set(found) == {tables.geometry_digest(tile) for tile in load_tiles().values()}
