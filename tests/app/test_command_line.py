"""Mistakes of users end with status 2 and a sentence; what goes well ends with 0."""

import errno
import gc
import signal
import socket
import sqlite3
import subprocess
import sys
import tomllib

import pytest
from helpers.places import ROOT
from hextraction.controller.app import main
from hextraction.controller.app.command_line import command_parser
from hextraction.controller.app.options.commands import GROUPS
from hextraction.controller.app.options.wrong_files import sort_of
from hextraction.controller.version import VERSION
from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.hub.port import HubNotFound

BENCH_DEMO = ROOT / "wiring" / "bench-demo.toml"


def run(capsys, *words):
    """Run a command; return its status, output and errors."""
    try:
        status = main(list(words))
    except SystemExit as stopped:
        status = stopped.code
    told = capsys.readouterr()
    return status, told.out, told.err


def test_help_names_every_command(capsys):
    """A stranger finds all commands and how to try one without hardware."""
    status, out, _err = run(capsys, "--help")
    assert status == 0
    for command in (
        "demo",
        "run",
        "record",
        "check",
        "scenario",
        "track",
        "export",
        "replay",
        "boards",
        "tiles",
    ):
        assert f"\n    {command} " in out
    assert "hextraction demo " in out


def test_each_command_is_in_one_of_three_groups():
    """Play, Build, Hack: a command that is in none would be in no help."""
    _parser, commands = command_parser()
    listed = [name for names in GROUPS.values() for name in names]

    assert sorted(listed) == sorted(commands.parsers)


def every_argument(parser):
    """Yield each command below a parser with each of its arguments."""
    for action in parser._actions:
        yield parser.prog, action
        if isinstance(action.choices, dict):
            for inner in action.choices.values():
                yield from every_argument(inner)


def test_every_argument_says_what_it_is():
    """Who reads a command's help finds no word that is left unexplained."""
    parser, _commands = command_parser()
    silent = [
        f"{prog} {'/'.join(action.option_strings) or action.dest}"
        for prog, action in every_argument(parser)
        if not action.help
    ]

    assert silent == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("dmeo",), "there is no command dmeo; did you mean demo?"),
        (("chek-board",), "there is no command chek-board; did you mean check-board"),
        (("xyz",), "there is no command xyz; `hextraction --help` lists them"),
        (("demo", "--spede", "3"), "want nothing of this: --spede 3; did you mean --speed"),
        (("run", "--no-electroncs"), "did you mean --no-electronics"),
        (("demo", "extra"), "hextraction demo: error: want nothing of this: extra"),
        (("--verzion",), "did you mean --version"),
        (("hub", "inof"), "did you mean info?"),
        (("demo", "--speed", "fast"), "argument --speed: want a number, found 'fast'"),
        (("demo", "--games", "1.5"), "argument --games: want a whole number, found '1.5'"),
        (
            ("hub", "flash", "--dsk", "x"),
            "hub flash: error: want nothing of this: --dsk; did you mean --disk",
        ),
        (("host", "plyers"), "did you mean players?"),
        (("hotspot", "statuss"), "did you mean status?"),
        (("demo", "--sensors", "leen"), "did you mean lean?"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else "",
)
def test_a_word_that_nobody_knows_is_asked_about(capsys, words, told):
    """The nearest commands or options are named, and nothing is done."""
    status, out, err = run(capsys, *words)

    assert (status, out) == (2, "")
    assert told in err


def test_the_version_is_told(capsys):
    """``--version`` prints name and number."""
    status, out, _err = run(capsys, "--version")
    assert (status, out.split()[0]) == (0, "hextraction")


def test_the_version_is_that_of_the_package():
    """It stands in the code, because asking the installed package's metadata is slow; both say the same."""
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


def test_loading_a_command_leaves_the_garbage_collector_on(capsys):
    """It rests while modules load, and only then."""
    run(capsys, "boards")
    assert gc.isenabled()


ON_WINDOWS = """
import signal, sys
for name in ("fcntl", "termios", "pwd", "grp", "resource", "tty", "pty"):
    sys.modules[name] = None
for name in ("SIGHUP", "SIGQUIT", "SIGUSR1", "SIGALRM", "SIGKILL", "SIGPIPE", "SIGCHLD"):
    delattr(signal, name)
from hextraction.controller.app import main
from hextraction.controller.app.command_line import command_parser
from hextraction.controller.app.options.commands import GROUPS
from hextraction.controller.app.options.wrong_files import sort_of
for words in (["demo"], ["run"], ["check", "x"], ["doctor"], ["study"], ["history"], ["tiles"]):
    print(main(words))
sys.argv = ["hextraction", "--version"]
main()
"""


def test_on_windows_every_command_says_what_works_there():
    """Its Python has no fcntl, no termios and few signals: one sentence, status 2; help and version are there."""
    run = subprocess.run([sys.executable, "-c", ON_WINDOWS], capture_output=True, text=True, check=False)
    told = run.stderr.splitlines()
    assert run.stdout.split() == ["2"] * 7 + ["hextraction", VERSION]
    assert len(told) == 7
    assert all("On Windows, install WSL2" in line for line in told)


def test_nothing_at_all_gets_the_help_and_status_2(capsys):
    """Without a command there is nothing to do."""
    status, out, _err = run(capsys)
    assert (status, "COMMAND" in out) == (2, True)


def test_all_wrong_options_of_the_demo_are_told_at_once(capsys):
    """Seven wrong options make seven sentences."""
    words = [
        "demo",
        "--games",
        "-1",
        "--speed",
        "-2",
        "--noise",
        "0.9",
        "--players",
        "9",
        "--laid",
        "99",
        "--port",
        "70000",
        "--board",
        "nowhere",
    ]
    status, _out, err = run(capsys, *words, "--own-tiles", "/nowhere")
    assert (status, len(err.splitlines())) == (2, 8)
    assert all(line.startswith("hextraction demo: --") for line in err.splitlines())


@pytest.mark.parametrize(
    ("command", "game", "players", "words"),
    [
        ("demo", "extraction", "2", "--players: want 3 to 4 for Extraction, found 2"),
        ("demo", "hextris", "4", "--players: want 2 to 3 for Hextris, found 4"),
        ("demo", "hexel", "7", "--players: want 1 to 6 for Hex'el, found 7"),
        ("demo", "hextraction", "1", "--players: want 2 to 6 for Hextraction, found 1"),
        ("study", "extraction", "2-6", "--players: want 3 to 4 for Extraction, found 2-6"),
        ("study", "hextris", "3-2", "--players: want 2 to 3 for Hextris, the smaller first, found 3-2"),
    ],
)
def test_no_game_takes_other_numbers_of_players_in_silence(capsys, command, game, players, words):
    """Who asks for more or fewer than a game allows is told how many it takes."""
    status, _out, err = run(capsys, command, "--game", game, "--players", players)
    assert (status, err) == (2, f"hextraction {command}: {words}\n")


def test_a_table_needs_a_wiring_or_the_word_that_it_has_none(capsys):
    """``run`` alone says what is missing and how to play without."""
    status, _out, err = run(capsys, "run")
    assert status == 2
    assert "no wiring" in err
    assert "--no-electronics" in err


@pytest.mark.slow
def test_a_configuration_without_a_wiring_is_that_of_an_ordinary_board(capsys, tmp_path):
    """So a service needs no word on its command line to host a board without electronics."""
    (tmp_path / "table.toml").write_text(f'[table]\njournal = "{tmp_path / "games.db"}"\n')
    words = ("run", "--config", str(tmp_path / "table.toml"), "--no-page", "--exit-when-ready")
    assert run(capsys, *words)[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--no-electronics", "--port", "99999"),
        ("run", "--config", "/nowhere.toml"),
        ("record", "--rolls", "0", "out.jsonl"),
        ("record", "--board", "nowhere", "out.jsonl"),
        ("boards", "nowhere"),
        ("tiles", "nowhere"),
        ("replay", "/nowhere.jsonl"),
        ("export", "--journal", "/nowhere.db"),
        ("track", "/nowhere.jsonl"),
        ("check", "/nowhere.toml"),
        ("scenario", "/nowhere.scenario"),
        ("tiles", "--own-tiles", "/nowhere"),
    ],
    ids=" ".join,
)
def test_every_mistake_ends_with_status_2_and_a_sentence(capsys, words):
    """The error names what is wrong, and no traceback is shown."""
    status, out, err = run(capsys, *words)
    assert status == 2
    assert "nowhere" in out + err or "want" in err
    assert "Traceback" not in err


def test_a_journal_that_is_none_is_told(capsys, tmp_path):
    """A text file given as a journal is named."""
    (tmp_path / "games.db").write_text("no database\n" * 100)
    status, _out, err = run(capsys, "export", "--journal", str(tmp_path / "games.db"))
    assert status == 2
    assert "games.db: cannot be used as a journal" in err


def test_an_address_that_is_not_there_yet_may_come(capsys):
    """Status 75, and what to change: at the start of a Pi its Wi-Fi often has no address yet."""
    status, _out, err = run(capsys, "demo", "--host", "203.0.113.9", "--port", "0")
    assert status == 75
    assert "has no address '203.0.113.9' now ([page] host and port" in err


def test_a_port_that_is_taken_may_become_free(capsys):
    """Status 75: the table that holds it may be about to end."""
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        status, _out, err = run(capsys, "demo", "--host", "127.0.0.1", "--port", str(port))
    assert status == 75
    assert f"port {port} is taken; choose another with --port" in err


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (sqlite3.OperationalError("disk I/O error"), 75),
        (OSError(errno.EROFS, "Read-only file system"), 75),
        (sqlite3.DatabaseError("file is not a database"), 2),
        (PermissionError(errno.EACCES, "Permission denied"), 2),
    ],
    ids=str,
)
def test_a_disk_that_fails_may_be_back(capsys, tmp_path, monkeypatch, fault, status):
    """What only a person can mend is 2, all else is worth another try."""

    def refuse(*_args, **_kwargs):
        raise fault

    (tmp_path / "games.db").touch()
    monkeypatch.setattr(sqlite3, "connect", refuse)
    found, _out, err = run(capsys, "export", "--journal", str(tmp_path / "games.db"))
    assert found == status
    assert "games.db: cannot be used as a journal" in err


def test_a_device_that_is_missing_is_no_mistake_of_a_person(capsys, tmp_path):
    """Status 1: systemd tries again what it would give up after status 2."""

    def broken(_wiring):
        raise BackendUnavailable("the arm pin cannot have GPIO17: busy")

    config = tmp_path / "board.toml"
    config.write_text(f'table = {{ wiring = "{BENCH_DEMO}" }}\n', "utf-8")
    status = main(["run", "--config", str(config)], opened=broken)
    assert (status, capsys.readouterr().err) == (1, "hextraction run: the arm pin cannot have GPIO17: busy\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["controller.app.command_line", "controller.app.options.play", "board.profile", "controller.app.demo"],
)
def test_ctrl_c_while_modules_load_ends_without_a_traceback(name):
    """Whoever changes their mind in the first half second sees nothing of our insides, whatever is loading."""
    script = (
        "import os, signal, sys\n"
        "from hextraction.controller.app import main\n"
        "class Impatient:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == 'hextraction.{name}':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "main(['demo'])\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ended.returncode == -signal.SIGINT
    assert ended.stderr == ""


WITHOUT_EXTRAS = """
import sys
for name in ("numpy", "pymunk", "shapely"):
    sys.modules[name] = None
from hextraction.controller.app import main
sys.exit(main(sys.argv[1:]))
"""


def without_extras(*words):
    """Run a command as where hextraction alone is installed; return its status and errors."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS, *words], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("words", [("demo", "--games", "1"), ("check-board", "--simulated")])
def test_a_command_whose_extra_is_not_installed_says_which(words):
    """No traceback: the missing module and what to install, and a user's status."""
    status, told = without_extras(*words)
    assert (status, told.count("\n")) == (2, 1)
    assert f"{sys.executable} -m pip install 'hextraction[sim]'" in told


def test_a_template_needs_no_simulator(tmp_path):
    """Whoever drills a board has installed hextraction alone; the template is drawn all the same."""
    drawing = tmp_path / "template.svg"
    assert without_extras("template", "standard-22", "--out", str(drawing)) == (0, "")
    assert drawing.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--starter", "--no-electronics"], "want one of --starter and --no-electronics, found both"),
        (["--starter", "--config", "x.toml"], "copy wiring/starter.toml"),
    ],
)
def test_the_starter_is_one_way_to_run_a_table(words, says, capsys):
    """Together with another it is a mistake, and the sentence says what to do instead."""
    assert main(["run", *words]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "check-board"])
def test_the_starter_without_its_pico_says_what_to_plug_in(command, capsys):
    """No table or walk is opened that would wait for ever: the command ends, and may be given again."""

    def nothing_there(wanted):
        raise HubNotFound(f"no sensor hub found ({wanted})")

    assert main([command, "--starter"], find=nothing_there) == 1
    assert "no sensor hub found (auto)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "name", "body", "told"),
    [
        (("replay",), "notes.md", b"# Notes", "notes.md: this is no exported game, it is Markdown"),
        (("replay",), "t.jsonl", b'{"trace":1}', "t.jsonl: this is no exported game, it is a trace"),
        (("track",), "g.jsonl", b'{"game":"g1"}', "g.jsonl: this is no trace, it is an exported game"),
        (("track",), "g.db", b"SQLite format 3\0", "g.db: this is no trace, it is a journal"),
        (("export", "--journal"), "notes.md", b"# Notes", "this is no journal, it is Markdown"),
        (("history", "--config"), "p.toml", b"\x89PNG\r\n", "this is no TOML file, it is a picture"),
        (("scenario",), "w.toml", b"[wiring]", "this is no scenario, it is a TOML file"),
        (("wiring",), "page.toml", b"<!DOCTYPE html>", "this is no TOML file, it is a web page"),
    ],
    ids=lambda one: one if isinstance(one, str) and one.endswith(("md", "l", "db")) else "",
)
def test_a_file_that_is_something_else_is_called_by_its_name(capsys, tmp_path, words, name, body, told):
    """One line says what it is, instead of a complaint about each of its lines; the file stays as it was."""
    path = tmp_path / name
    path.write_bytes(body)
    status, _out, err = run(capsys, *words, str(path))

    assert (status, err.count("\n")) == (2, 1)
    assert told in err
    assert path.read_bytes() == body


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("history", "--journal", ""), "cannot be used as a journal: is a directory"),
        (("host", "players", "--journal", "/"), "no table is open at /"),
        (("replay", "x" * 300), "File name too long"),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else "",
)
def test_what_can_be_no_file_is_told_in_one_line(capsys, words, told):
    """An empty variable of a shell, a folder, a whole text instead of its name."""
    status, _out, err = run(capsys, *words)

    assert (status in {1, 2}, err.count("\n")) == (True, 1)
    assert told in err


def test_an_empty_or_unknown_file_is_for_whoever_reads_it(tmp_path):
    """Nothing is guessed: what may be right is read, and a new journal is an empty file."""
    (tmp_path / "empty.toml").write_bytes(b"")
    (tmp_path / "plain").write_text("balls 3")

    assert [sort_of(tmp_path / name) for name in ("empty.toml", "plain", "nowhere")] == ["", "", ""]


@pytest.mark.slow
def test_nothing_is_overwritten_unless_it_shall_be(capsys, tmp_path):
    """What is there stays, and the sentence says how to do it all the same."""
    kept = tmp_path / "rolls.jsonl"
    kept.write_text("an evening's work\n")
    words = ("record", "--rolls", "1", str(kept))
    refused, _out, err = run(capsys, *words)
    before = kept.read_text()
    done, _out, _err = run(capsys, *words, "--force")

    assert (refused, before) == (2, "an evening's work\n")
    assert f"{kept}: there is such a file already; name another one, or overwrite it with --force" in err
    assert (done, kept.read_text().startswith('{"trace"')) == (0, True)
