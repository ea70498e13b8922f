"""The smaller commands look up, check, export and replay."""

import json

import pytest
from helpers.installed_example import example_is_installed
from helpers.simulated import begin, play, state
from hextraction.api import play_game
from hextraction.controller.app import main
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.marked_names import plain
from hextraction.controller.play.journal import Journal

WIRING = """
[board]
profile = "standard-22"
instruments = "partial"

[gpio]
factory = "mock"

[[sensor]]
name = "ramp.L1"
pin = 17

[[sensor]]
name = "drain.Z9"
pin = 17

[[sensor]]
name = "zone.L"
pin = 99

[[solenoid]]
name = "gate.X1"
pin = 23
pulse_ms = 150
max_pulse_ms = 200
duty_percent = 5
pptc_ma = 300

[power]
coil_volts = 5
"""


def run(capsys, *words):
    """Run a command; return its status, output and errors."""
    status = main([str(word) for word in words])
    told = capsys.readouterr()
    return status, told.out, told.err


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return the path of a journal with a finished game, its name, and the state it ended in."""
    path = tmp_path_factory.mktemp("games") / "games.db"
    table = begin(9, journal=Journal(path))
    assert play(table)
    table.host.journal.close()
    return path, table.host.runtime.game, state(table)


@pytest.mark.slow
def test_a_game_is_listed_exported_checked_and_replayed(capsys, tmp_path, finished):
    """The way of a bug report: list the games, export one, check the file, replay it."""
    path, game, ended = finished
    out = tmp_path / "game.jsonl"
    assert run(capsys, "export", "--journal", path)[1] == f"{game}  {plain(ended.outcome)}\n"
    assert run(capsys, "export", game, "--journal", path, "--output", out)[0] == 0
    status, said, _err = run(capsys, "check", out)
    assert (status, "game" in said) == (0, True)
    status, said, _err = run(capsys, "replay", out)
    assert status == 0
    assert f"outcome:  {plain(ended.outcome)}" in said
    assert f"turn:     {ended.turn}" in said
    status, said, _err = run(capsys, "replay", out, "--state")
    assert json.loads(said[said.index("{") :])["outcome"] == plain(ended.outcome)
    status, said, _err = run(capsys, "replay", out, "--events")
    assert "rolls from ramp" in said


@pytest.mark.slow
def test_a_game_that_is_not_there_is_named(capsys, finished):
    """Exporting an unknown game is status 2 with its name."""
    status, _out, err = run(capsys, "export", "yesterday", "--journal", finished[0])
    assert (status, "holds no game 'yesterday'" in err) == (2, True)


def test_a_game_of_a_board_that_is_not_here_is_refused(capsys, tmp_path, finished):
    """A replay that cannot be played here says why, on line 1."""
    path, game, _ended = finished
    out = tmp_path / "game.jsonl"
    run(capsys, "export", game, "--journal", path, "--output", out)
    out.write_text(out.read_text(encoding="utf-8").replace("standard-22", "nowhere-9"), encoding="utf-8")
    status, _said, err = run(capsys, "replay", out)
    assert status == 2
    assert f"{out}: line 1: no board 'nowhere-9'" in err


@pytest.mark.slow
def test_a_game_with_tiles_of_ones_own_wants_them_to_be_replayed(capsys, tmp_path):
    """Without them it would be another game: they are named, with the option that reads them."""
    out = tmp_path / "game.jsonl"
    header, *events = play_game(seed=7).lines()
    out.write_text("\n".join([header.replace('"drip"', '"my-bell"'), *events]), "utf-8")
    status, said, err = run(capsys, "replay", out, "--events")
    assert (status, said) == (2, "")
    assert f"{out}: line 1: no such tile here: my-bell; " in err
    assert "--own-tiles FOLDER" in err

    (tmp_path / "own.toml").write_text('[[tile]]\nname = "my-bell"\ntitle = "Mine"\nchannels = [[1, 4]]\n')
    assert run(capsys, "replay", out, "--own-tiles", tmp_path)[0] == 0


def test_boards_and_tiles_are_listed_and_drawn(capsys):
    """Every profile has a line and a drawing; every tile a card."""
    _status, out, _err = run(capsys, "boards")
    assert "standard-22   22 slots" in out
    _status, drawn, _err = run(capsys, "boards", "standard-22")
    assert "49 shared" in drawn
    _status, out, _err = run(capsys, "tiles")
    assert "tiles, " in out.splitlines()[-1]
    _status, card, _err = run(capsys, "tiles", "x")
    assert "channels:" in card


def test_a_card_says_who_made_the_tile(capsys, tmp_path):
    """Its maker, or this project for one of its test tiles; one of people's own without a name is nobody's."""
    (tmp_path / "own.toml").write_text('[[tile]]\nname = "mine"\ntitle = "Mine"\nchannels = [[1, 4]]\n')
    assert "  by ZackFreedman  https://" in run(capsys, "tiles", "x")[1]
    assert "  by this project\n" in run(capsys, "tiles", "bell", "--all")[1]
    assert "  by " not in run(capsys, "tiles", "mine", "--own-tiles", tmp_path)[1]


def test_games_are_listed_with_whose_they_are(capsys, tmp_path):
    """Those that come with the board, what a table has to allow, and the package of an added one."""
    with example_is_installed(tmp_path):
        status, out, _err = run(capsys, "games")
    assert status == 0
    lines = {line.split()[0]: line for line in out.splitlines()}
    assert "2 to 6 players" in lines["hextraction"]
    assert "comes with the board" in lines["hextraction"]
    assert "[games] hexel = true" in lines["hexel"]
    assert lines["ring"].endswith("light-the-ring 0.1.0")


def test_a_game_that_cannot_be_loaded_is_listed_as_that(capsys, tmp_path, monkeypatch):
    """The others are there all the same, and the status says that something is wrong."""
    said = tmp_path / "broken-1.0.dist-info"
    said.mkdir()
    (said / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (said / "entry_points.txt").write_text("[hextraction.games]\nbroken = no_such_module:Game\n")
    monkeypatch.syspath_prepend(tmp_path)
    status, out, _err = run(capsys, "games")
    assert status == 1
    assert "of broken 1.0 cannot be played: it cannot be imported: ModuleNotFoundError" in out
    assert "Hextraction" in out


KINDS = {
    "config.toml": ('[page]\nport = "eighty"\n', 1),
    "wiring.toml": (WIRING, 1),
    "tiles.toml": ('[[tile]]\nname = "X Y"\n', 1),
    "profile.toml": ("[[column]]\nslots = 99\n", 1),
    "syntax.toml": ("[page\n", 1),
    "unknown.toml": ("[weather]\nrain = true\n", 1),
    "trace.jsonl": ('{"trace": 1, "board": "nowhere"}\n{"at_us": "soon"}\n', 1),
    "rules.scenario": ("SCENARIO odd\nSNEEZE\n", 1),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_file_is_checked(capsys, tmp_path, name):
    """A wrong file of any kind is status 2, and each line of what is told begins with the file."""
    text, at_least = KINDS[name]
    path = tmp_path / name
    path.write_text(text)
    status, out, err = run(capsys, "check", path)
    told = out.splitlines()
    assert status == 2
    assert len(told) >= at_least
    assert all(line.startswith(str(path)) for line in told), out
    assert f"{len(told)} problem" in err


def test_a_wiring_is_checked_against_its_board(capsys, tmp_path):
    """Names that the board does not have are told with their lines, once pins and types are right."""
    path = tmp_path / "wiring.toml"
    path.write_text(WIRING.replace("pin = 99", "pin = 22").replace('Z9"\npin = 17', 'Z9"\npin = 27'))
    _status, out, _err = run(capsys, "check", path)
    lines = path.read_text().splitlines()
    assert {line.split(":")[1] for line in out.splitlines()} == {
        str(lines.index('name = "drain.Z9"') + 1),
        str(lines.index('name = "gate.X1"') + 1),
    }


def test_a_pin_used_twice_is_told(capsys, tmp_path):
    """Two sensors on one pin are a mistake of the wiring file."""
    path = tmp_path / "wiring.toml"
    path.write_text(WIRING)
    _status, out, _err = run(capsys, "check", path)
    assert "17" in out
    assert "99" in out


def test_good_files_are_told_by_their_kind(capsys, tmp_path):
    """A good configuration is ok, and several files are checked in one go."""
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text("[page]\nport = 8081\n")
    bad.write_text("[page]\nport = 81000\n")
    status, out, err = run(capsys, "check", good, bad, tmp_path / "none.jsonl")
    assert status == 2
    assert f"{good}: ok (configuration)" in out
    assert "2 problems found" in err


@pytest.mark.slow
def test_simulated_rolls_are_recorded_and_tracked(capsys, tmp_path):
    """A recorded trace is a good trace, and tracking it tells of a release and a settlement."""
    path = tmp_path / "rolls.jsonl"
    status, out, _err = run(capsys, "record", path, "--rolls", 2, "--seed", 3)
    assert (status, "edges recorded" in out) == (0, True)
    assert run(capsys, "check", path)[0] == 0
    _status, out, _err = run(capsys, "track", path)
    facts = [json.loads(line)["fact"] for line in out.splitlines()]
    assert facts[0] == "BallReleased"
    assert facts.count("RollSettled") == 2


def test_a_set_of_sensors_is_wired_whole_or_says_what_it_lacks(capsys, tmp_path):
    """A wiring that claims a set names every sensor of it, or those it is without, and none of both."""
    wiring = tmp_path / "wiring.toml"
    lean = '[board]\nprofile = "standard-22"\ninstruments = "basic"\nwithout = ["ramp.L1", "edge.B1.4"]\n'
    wiring.write_text(lean + '[gpio]\n[[sensor]]\nname = "ramp.L1"\npin = 17\n', encoding="utf-8")
    status, told, _err = run(capsys, "check", wiring)
    assert status == 2
    assert "the set basic has 75 more sensors" in told
    assert "board.without: 'ramp.L1' is not left out: it is wired" in told
    assert "board.without: 'edge.B1.4' is no sensor of the set basic" in told


def trace_of(which):
    """Return the lines of a trace in which a ball comes to rest on B1."""
    return (
        f'{{"trace":1,"board":"standard-22","instruments":"{which}","tiles":{{"B1":["unknown",0]}}}}\n'
        '{"at_us":1000000,"sensor":"ramp.L2","active":true}\n'
        '{"at_us":1025000,"sensor":"ramp.L2","active":false}\n'
        '{"at_us":1085000,"sensor":"ball.B1","active":true}\n'
    )


def test_tracking_says_once_what_the_sensors_cannot_tell(capsys, tmp_path):
    """Traces of the same sensors have one line on standard error, those that see everything none."""
    path = tmp_path / "trace.jsonl"
    path.write_text(trace_of("lean") * 2 + trace_of("rich") + trace_of("basic"), encoding="utf-8")
    status, out, err = run(capsys, "track", path)
    told = err.splitlines()
    assert (status, out.count("RollSettled")) == (0, 4)
    assert [line.split(": ")[:3] for line in told] == [
        [str(path), "line 1", "with these sensors"],
        [str(path), "line 13", "with these sensors"],
    ]
    assert "A ball can leave over the side unseen" in told[1]


def test_characters_that_only_look_like_line_ends_do_not_shift_line_numbers(capsys, tmp_path):
    """A name may hold U+0085 or U+2028; the line after it is still the next one."""
    path = tmp_path / "trace.jsonl"
    odd = '{"at_us":5,"sensor":"a\u0085b\u2028c","active":true}\n'
    path.write_text(trace_of("rich").splitlines()[0] + "\n" + odd + '{"at_us":9}\n', encoding="utf-8")
    for command in ("track", "check"):
        status, out, err = run(capsys, command, path)
        assert status == 2
        assert (out + err).startswith(f"{path}: line 3: ")


@pytest.mark.parametrize("said", ["Piñata", "pinata", "PIÑATA", "Pin\u0303ata", "pi-nata"])
def test_a_tile_is_found_by_its_title_or_key_however_it_is_written(capsys, said):
    """With accents or without, in any case, composed or not."""
    assert main(["tiles", said]) == 0
    assert capsys.readouterr().out.startswith("Piñata\n")


@pytest.mark.slow
def test_every_real_tile_is_found_by_its_key_and_by_its_title(capsys):
    """Two tiles of one title are both shown."""
    for name, tile in load_tiles().items():
        if tile.creator:
            for said in (name, tile.title):
                assert main(["tiles", said]) == 0
                assert f"{tile.title}\n  by {tile.creator}" in capsys.readouterr().out


def test_test_tiles_are_shown_only_when_they_are_asked_for(capsys):
    """A card of our own invention is no answer to somebody who holds a real tile."""
    invented = [tile for tile in load_tiles().values() if not tile.creator]
    titles = {tile.title for tile in load_tiles().values() if tile.creator}
    own = next(tile for tile in invented if tile.title not in titles and tile.name not in titles)
    assert main(["tiles", own.name]) == 2
    assert f"{own.name} is a test tile, which --all shows" in capsys.readouterr().err
    assert main(["tiles", own.name, "--all"]) == 0


def test_a_misspelt_tile_gets_the_nearest_names(capsys):
    """By titles, too; something quite different gets none."""
    assert main(["tiles", "Pinatta"]) == 2
    assert "perhaps pinata" in capsys.readouterr().err
    assert main(["tiles", "qqqqqqqq"]) == 2
    assert capsys.readouterr().err == "hextraction tiles: no tile 'qqqqqqqq'\n"


def test_a_tile_of_ones_own_needs_no_creator(tmp_path, capsys):
    """It is listed and found like any other."""
    (tmp_path / "mine.toml").write_text('[[tile]]\nname = "mine"\ntitle = "Mine"\nchannels = [[1, 4]]\n')
    for words in (["tiles"], ["tiles", "mine"]):
        assert main([*words, "--own-tiles", str(tmp_path)]) == 0
        assert "mine" in capsys.readouterr().out.casefold()


def test_a_scenario_file_that_cannot_be_read_counts_as_failed(capsys, tmp_path):
    """The summary and the exit status say so, and all other files are played all the same."""
    fine, broken, shows = (tmp_path / f"{name}.scenario" for name in ("fine", "broken", "shows"))
    fine.write_text("SCENARIO x\nEXPECT no winner\n")
    broken.write_text("SCENARIO x\nDO Red jumps\n")
    shows.write_text("SCENARIO x\nSHOW\n")
    status, out, err = run(capsys, "scenario", broken, fine, tmp_path / "none.scenario")
    assert status == 2
    assert out.splitlines() == ["1 passed, 2 failed, of which 2 could not be read"]
    assert "broken.scenario:2" in err
    assert "none.scenario" in err
    status, out, _err = run(capsys, "scenario", shows)
    assert status == 0
    assert "red may: " in out
    assert out.splitlines()[-1] == "1 passed, 0 failed"


def test_a_strangers_journal_gives_no_orders_to_a_terminal(capsys, tmp_path, monkeypatch):
    """Escapes in how a game ended are shown as what they are, and a line break begins no line of ours."""
    journal = Journal(tmp_path / "theirs.db")
    monkeypatch.setattr(Journal, "games", lambda _self: [("g1", "\x1b[2JRed wins.\nchecked: all well")])
    journal.close()
    assert main(["export", "--journal", str(tmp_path / "theirs.db")]) == 0
    assert capsys.readouterr().out == "g1  \ufffd[2JRed wins. checked: all well\n"
