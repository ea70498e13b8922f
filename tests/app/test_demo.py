"""``hextraction demo`` and ``run`` as a user starts them: they end when they should, with a status that says how."""

import json
import re
import shlex
import signal
import subprocess
import sys

import pytest
from helpers.mistakes import in_journal
from helpers.receiver import receiver
from helpers.simulated import begin, entries, play
from hextraction.controller.games.marked_names import plain
from hextraction.controller.play.journal import Journal

pytestmark = pytest.mark.slow

PROGRAM = (sys.executable, "-c", "import sys; from hextraction.controller.app import main; sys.exit(main())")


def start(*words):
    """Start a command as a child process."""
    return subprocess.Popen(
        [*PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def ends(*words):
    """Run a command to its end; return status, output and errors."""
    child = start(*words)
    out, err = child.communicate(timeout=300)
    return child.returncode, out, err


def test_one_game_ends_with_status_0_and_tells_result_and_journal(tmp_path):
    """One game at two hundred times the speed of life: whatever the rules make of the seed, it takes some seconds."""
    path = tmp_path / "games.db"
    status, out, err = ends("demo", "--games", 1, "--speed", 200, "--seed", 7, "--no-page", "--journal", path)
    assert (status, err) == (0, "")
    assert re.search(r"^Game demo-\S+: .+ wins", out, re.MULTILINE)
    assert f"journal: {path}" in out
    assert re.search(r"\((1 turn|\d\d* turns), \d+ s of play\)", out)
    (watch,) = re.findall(r"watch it again, in one file: hextraction (.+)", out)
    status, said, err = ends(*shlex.split(watch), "--output", tmp_path / "game.html")
    assert (status, err, said) == (
        0,
        "",
        f"{tmp_path}/game.html: a whole game in one file; open it in any browser\n",
    )
    journal = Journal(path)
    ((_game, outcome),) = journal.games()
    journal.close()
    assert plain(outcome) in out


def test_whoever_is_named_in_a_configuration_hears_of_the_games(tmp_path):
    """A house can be tried without a board: what its webhook is posted is the start, the goal and the win."""
    with receiver() as (url, wait):
        path = tmp_path / "house.toml"
        (tmp_path / "secret").write_text("hush", encoding="utf-8")
        path.write_text(
            f'[page]\nmetrics = true\n[webhook]\nurl = "{url}"\nsecret_file = "secret"\n', encoding="utf-8"
        )
        status, out, err = ends("demo", "--config", path, "--games", 1, "--speed", 20, "--seed", 7, "--port", 0,
                                 "--journal", tmp_path / "games.db")  # fmt: skip
        posts = wait(3)
    assert (status, err) == (0, "")
    assert f"{path}: [page] is for `hextraction run`; a demo leaves it out.\n" in out
    assert [json.loads(body)["event_type"] for _headers, body in posts][:3] == ["start", "goal", "win"]


def test_a_wrong_configuration_is_told_before_anything_begins(tmp_path):
    """With its line, and status 2."""
    path = tmp_path / "house.toml"
    path.write_text("[webhook]\nurl = 7\n", encoding="utf-8")
    status, _out, err = ends("demo", "--config", path, "--games", 1, "--journal", tmp_path / "games.db")
    assert status == 2
    assert "house.toml:2" in err


def test_seconds_of_play_are_those_of_each_game(tmp_path):
    """The second game of an evening does not count the first, nor the break between them."""
    path = tmp_path / "games.db"
    status, out, _err = ends("demo", "--game", "hextris", "--games", 2, "--speed", 0, "--seed", 3, "--bots", "weak",
                             "--no-page", "--journal", path)  # fmt: skip
    assert status == 0
    told = [int(one) for one in re.findall(r"(\d+) s of play", out)]
    journal = Journal(path)
    lasted = []
    for game, _outcome in journal.games():
        entries = list(journal.entries(game))
        lasted.append((entries[-1].what.at_us - journal.header(game).setup.at_us) / 1e6)
    journal.close()
    assert len(told) == 2
    assert all(abs(one - other) <= 1 for one, other in zip(sorted(told), sorted(lasted), strict=True))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_demo_cleanly(tmp_path, number):
    """Asked to stop in the middle of a game, it says how to go on and ends with status 0."""
    child = start("demo", "--seed", 1, "--no-page", "--journal", tmp_path / "games.db")
    assert "Playing with seed 1" in child.stdout.readline()
    child.send_signal(number)
    out, err = child.communicate(timeout=300)
    assert (child.returncode, err) == (0, "")
    assert "--resume" in out


def test_a_game_goes_on_with_its_own_board_and_players(tmp_path):
    """A resumed game needs no options: its board and its seats come from the journal."""
    path = tmp_path / "games.db"
    child = start("demo", "--board", "small-18", "--players", 4, "--laid", 14, "--seed", 2, "--no-page", "--journal", path)  # fmt: skip
    line = child.stdout.readline()
    child.send_signal(signal.SIGTERM)
    _out, err = child.communicate(timeout=300)
    assert (child.returncode, err) == (0, ""), line
    status, out, err = ends(
        "demo", "--resume", "--games", 1, "--speed", 0, "--seed", 2, "--no-page", "--journal", path
    )
    assert (status, err) == (0, "")
    journal = Journal(path)
    ((game, outcome),) = journal.games()
    header = journal.header(game)
    journal.close()
    assert (header.setup.board, len(header.setup.seats)) == ("small-18", 4)
    assert plain(outcome) in out


def test_a_second_demo_beside_a_first_has_a_journal_of_its_own(tmp_path, monkeypatch):
    """It plays, says that its games end with it, and leaves nothing; a journal named by both is refused."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    usual = tmp_path / ".local/state/hextraction/demo.db"
    first = start("demo", "--seed", 1, "--no-page")
    assert "Playing" in first.stdout.readline()
    second = ("demo", "--games", 1, "--speed", 0, "--seed", 2, "--no-page")
    status, out, err = ends(*second)
    named = ends(*second, "--journal", usual)
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=300)
    assert (status, err) == (0, "")
    assert out.startswith(f"Another demo plays on {usual}: ")
    assert list(tmp_path.glob("hextraction-demo-*")) == []
    assert named[0] == 2
    assert "another table plays on this journal" in named[2]


CONFIG = """
[table]
wiring = "wiring.toml"
journal = "games.db"
"""


def table_at(folder, wiring):
    """Write a configuration beside a wiring; return its path."""
    (folder / "wiring.toml").write_text(wiring)
    (folder / "board.toml").write_text(CONFIG)
    return folder / "board.toml"


@pytest.fixture
def bench_demo(request):
    """Return the wiring of the bench demo, on pins made of nothing."""
    text = (request.config.rootpath / "wiring" / "bench-demo.toml").read_text(encoding="utf-8")
    return text.replace('factory = "lgpio"', 'factory = "mock"')


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_bench_demo_starts_and_stops(tmp_path, bench_demo, number):
    """With mock pins the real wiring comes up, says so, and ends cleanly on a signal."""
    child = start("run", "--config", table_at(tmp_path, bench_demo), "--no-page")
    assert child.stdout.readline() == "Ready.\n"
    child.send_signal(number)
    _out, err = child.communicate(timeout=300)
    assert child.returncode == 0
    assert "Traceback" not in err


def test_a_wiring_for_another_board_is_refused_with_its_line(tmp_path, bench_demo):
    """Names of the wrong board are told with file and line, status 2."""
    path = table_at(tmp_path, bench_demo.replace('"drain.A1"', '"drain.Z9"'))
    status, _out, err = ends("run", "--config", path, "--no-page")
    assert status == 2
    assert re.search(r"wiring\.toml:\d+: .*drain\.Z9", err)


def test_a_table_without_electronics_is_ready_at_once_and_light(tmp_path):
    """Ready without page and simulator: none of their libraries is loaded."""
    code = (
        "import sys\nfrom hextraction.controller.app import main\n"
        f"status = main(['run', '--no-electronics', '--no-page', '--exit-when-ready', '--journal', {str(tmp_path / 'g.db')!r}])\n"
        "heavy = {'websockets', 'paho', 'segno', 'pymunk', 'shapely', 'gpiozero', 'hextraction.simulator'}\n"
        "print(status, sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.splitlines() == ["Ready.", "0 []"]


def test_an_interrupted_real_game_is_taken_up_again(tmp_path):
    """A journal with an open game makes ``run`` go on with it; one that cannot be read does not keep the table shut."""
    path = tmp_path / "games.db"
    made = begin(1, journal=Journal(path))
    play(made, steps=200, until=lambda _runtime: False)
    count = len(entries(made))
    made.host.journal.close()
    words = ("run", "--no-electronics", "--no-page", "--exit-when-ready", "--journal", path)
    status, _out, err = ends(*words)
    assert (status, "resumed game" in err) == (0, True)
    journal = Journal(path)
    (game, _outcome) = journal.games()[0]
    assert len(list(journal.entries(game))) > count
    journal.close()
    in_journal(path, "UPDATE entry SET body = '{' WHERE seq = 3")
    status, out, err = ends(*words)
    assert (status, out) == (0, "Ready.\n")
    assert "cannot go on" in err
    assert "entry 3" in err
