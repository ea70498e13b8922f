"""Route tables belong to a geometry, survive being written, and are refused when they are not what was made."""

import json
from dataclasses import replace

import pytest
from helpers.simtable import DC, FLIP_FLOP, TRAP, J, X, kind
from hextraction.board.routes import (
    IN_THE_DARK,
    OVER_HALL,
    ROUTES_FOLDER,
    TILTS_DEG,
    Ending,
    Passage,
    RouteRow,
    RoutesError,
    RouteTable,
    RouteTables,
    Start,
    geometry_digest,
    load_routes,
    read_routes,
    routes_files,
    states_of,
    write_routes,
)
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN


def passage(ending, edge=0, balls=1):
    """Return a passage whose other numbers do not matter."""
    return Passage(ending=ending, edge=edge, balls=balls, near=0, p10_ms=50, median_ms=80, p90_ms=120)


def table(tile=J):
    """Return a table of one row: upright, from edge 1, nine go out over 3 and one stays."""
    row = RouteRow(passages=(passage(Ending.OUT, 3, 9), passage(Ending.RESTS)))
    rows = {(turns, 0, Start.ROLLED_IN, 1): row for turns in range(6)}
    return RouteTable(tile=tile.name, digest=geometry_digest(tile), walls="w", states=1, rows=rows)


def written(path, *tables, settings="s"):
    """Write a file of tables and return its path."""
    write_routes(path, settings, tables)
    return path


class TestDigest:
    """What belongs to a geometry."""

    @pytest.mark.parametrize(
        "changed",
        [
            {"channels": ((1, 4),)},
            {"channels": None},
            {"holds": 1},
            {"alternates": (3,)},
            {"scatters": True},
            {"hole": True},
            {"holes": ((13.0, 0.0, 6.25),)},
            {"lines": ((1, (0.0, 0.0), 3),)},
        ],
    )
    def test_a_changed_tile_has_another_digest(self, changed):
        """Channels and how they run, pockets, flapper, pegs and holes all count."""
        assert geometry_digest(replace(J, **changed)) != geometry_digest(J)

    def test_a_name_is_no_geometry(self):
        """Two kinds with the same channels share a table, in whatever order the channels are written."""
        assert geometry_digest(DC) == geometry_digest(kind("mine", ((6, 4), (3, 1))))

    @pytest.mark.parametrize(("tile", "states"), [(X, 1), (TRAP, 2), (FLIP_FLOP, 2)])
    def test_only_tiles_with_something_inside_have_states(self, tile, states):
        """A pocket is empty or taken, a flapper points somewhere, a crossing has no state."""
        assert states_of(tile) == states


class TestRows:
    """Asking a table."""

    def test_shares_are_of_all_balls_of_the_row(self):
        """Nine in ten went out over edge 3, none over 5."""
        row = table().row(0, 1)
        assert (row.share(Ending.OUT, 3), row.share(Ending.RESTS), row.share(Ending.OUT, 5)) == (0.9, 0.1, 0)

    def test_a_laid_tile_turns_both_ways_in_and_out(self):
        """Turned by two sixths, what came over 1 comes over 3 and what left over 3 leaves over 5."""
        row = table().laid(2, 3)
        assert row.share(Ending.OUT, 5) == 0.9
        assert row.share(Ending.RESTS) == 0.1

    @pytest.mark.parametrize(("turns", "before"), [(0, 3), (2, 5), (4, 1)])
    def test_balls_that_lie_before_a_beam_turn_with_the_tile(self, turns, before):
        """Before edge 3, turned by two sixths, is before edge 5; over the Hall and in the dark stay what they are."""
        lies = ((OVER_HALL, 5), (3, 1), (IN_THE_DARK, 2))
        row = RouteRow(passages=(replace(passage(Ending.RESTS, balls=8), lies=lies),))

        (turned,) = row.turned(turns).passages
        assert turned.lies == ((OVER_HALL, 5), (before, 1), (IN_THE_DARK, 2))
        assert turned.edge == 0

    def test_an_edge_without_a_mouth_turns_every_ball_back(self):
        """A wall is a wall."""
        assert table().row(0, 2).share(Ending.SHUT) == 1.0

    @pytest.mark.parametrize(("turns", "edge", "state"), [(6, 1, 0), (0, 7, 0), (0, 1, 1)])
    def test_what_no_tile_can_be_is_an_error(self, turns, edge, state):
        """Seven edges, six turns and a state that the tile does not have."""
        with pytest.raises(KeyError):
            table().row(turns, edge, state=state)


class TestMissing:
    """Tiles without a table."""

    def test_a_changed_tile_has_no_table_and_says_so(self):
        """The sentence names the tile and the command that makes tables."""
        tables = RouteTables(settings="s", tables={geometry_digest(J): table()})
        changed = replace(J, channels=((1, 4),))
        assert tables.of(J) is not None
        assert tables.problem(J) == ""
        assert tables.of(changed) is None
        assert "'j'" in tables.problem(changed)
        assert "hextraction routes" in tables.problem(changed)


class TestFiles:
    """Writing and reading."""

    def test_what_was_written_is_read(self, tmp_path):
        """Every number comes back, from two files as from one."""
        first = written(tmp_path / "a.json", table())
        second = written(tmp_path / "b.json", table(X))
        read = read_routes([first, second])
        assert read.settings == "s"
        assert read.of(J) == table()
        assert read.of(X) == table(X)

    def test_where_balls_lie_is_written_and_read(self, tmp_path):
        """Over the Hall, before a beam, in the dark, with how many; one that says nothing of it reads so, too."""
        lies = ((OVER_HALL, 5), (3, 1), (IN_THE_DARK, 2))
        resting = replace(passage(Ending.RESTS, balls=8), lies=lies)
        row = RouteRow(passages=(passage(Ending.OUT, 3, 9), resting, passage(Ending.FELL)))
        told = replace(table(), rows={(0, 0, Start.ROLLED_IN, 1): row})
        read = read_routes([written(tmp_path / "a.json", told)]).of(J)

        assert read == told
        assert [one.lies for one in read.row(0, 1).passages] == [(), lies, ()]

    def test_the_same_tables_give_the_same_bytes(self, tmp_path):
        """So that a diff shows what changed."""
        one, other = (written(tmp_path / name, table()) for name in ("a.json", "b.json"))
        assert one.read_bytes() == other.read_bytes()

    def test_a_file_changed_by_hand_is_refused(self, tmp_path):
        """Its own digest tells, and the message says which file and what to do."""
        path = written(tmp_path / "a.json", table())
        path.write_text(path.read_text().replace("3 9 0", "3 8 0"))
        with pytest.raises(RoutesError, match=r"a\.json.*hextraction routes"):
            read_routes([path])

    @pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({"format": 1, "digest": "x"})])
    def test_a_file_of_something_else_is_refused(self, tmp_path, text):
        """Not with a traceback of the reader."""
        path = tmp_path / "a.json"
        path.write_text(text)
        with pytest.raises(RoutesError, match=r"a\.json"):
            read_routes([path])

    def test_files_made_with_other_settings_do_not_mix(self, tmp_path):
        """One half made anew is not enough."""
        first = written(tmp_path / "a.json", table())
        second = written(tmp_path / "b.json", table(X), settings="t")
        with pytest.raises(RoutesError, match=r"b\.json.*settings"):
            read_routes([first, second])


class TestShipped:
    """The tables that come with the catalogue."""

    def test_every_tile_of_the_catalogue_has_a_table(self):
        """And so has the tile that nobody knows."""
        tables = load_routes()
        problems = [tables.problem(tile) for tile in (*load_tiles().values(), UNKNOWN)]
        assert [problem for problem in problems if problem] == []

    def test_they_are_small(self):
        """Less than 150 kB for each tilt, which is what a board reads."""
        for tilt_deg in TILTS_DEG:
            assert 0 < sum(path.stat().st_size for path in routes_files(ROUTES_FOLDER, tilt_deg)) < 150_000

    def test_balls_run_along_the_channels(self):
        """Down a straight one nearly always; through a J that leads down, to its other end."""
        tiles, tables = load_tiles(), load_routes()
        assert tables.of(tiles["clone"]).row(0, 1).share(Ending.OUT, 4) >= 0.95
        assert tables.of(tiles["j"]).row(0, 1).share(Ending.OUT, 3) >= 0.95

    def test_a_pocket_keeps_a_ball_until_it_is_taken(self):
        """The first ball stays in a double trap, later ones pass."""
        made = load_routes().of(load_tiles()["double-trap"])
        empty, taken = (made.row(0, 1, state=state) for state in (0, 1))
        assert empty.share(Ending.RESTS) >= 0.7
        assert taken.share(Ending.OUT, 3) >= 0.7

    def test_a_flip_flop_leads_where_it_points(self):
        """To edge 3 first, to edge 5 once a ball has passed."""
        made = load_routes().of(load_tiles()["flip-flop"])
        assert made.row(0, 1, state=0).share(Ending.OUT, 3) >= 0.95
        assert made.row(0, 1, state=1).share(Ending.OUT, 5) >= 0.95

    def test_balls_that_rest_lie_somewhere(self):
        """In every row: as many as rest, at places that there are; in a double trap nearly all over the Hall."""
        for made in load_routes().tables.values():
            for row in made.rows.values():
                for one in row.passages:
                    assert sum(balls for _at, balls in one.lies) == (
                        one.balls if one.ending is Ending.RESTS else 0
                    )
                    assert {at for at, _balls in one.lies} <= set(range(8))
        trap = load_routes().of(load_tiles()["double-trap"]).row(0, 1)
        lies = next(dict(one.lies) for one in trap.passages if one.ending is Ending.RESTS)
        assert lies[OVER_HALL] >= 0.9 * sum(lies.values())

    def test_a_ball_turned_back_at_its_lowest_mouth_stays(self):
        """Gravity holds it there."""
        made = load_routes().of(load_tiles()["asterisk"])
        assert made.row(0, 4, Start.TURNED).share(Ending.RESTS) == 1.0
