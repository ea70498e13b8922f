"""The benchmarks start, measure and print their tables. How fast anything is, is no test."""

import os
import signal
import subprocess
import sys

import pytest
from helpers.places import ROOT, TESTS
from helpers.tiers import nightly
from hextraction.controller.tracking.sureness import SHARES
from hextraction.simulator.variant import FIRST_JUDGE

from bench import calibrate, crowded, held_out, silent, tracking_report

pytestmark = pytest.mark.slow


def bench(*arguments, module="bench.run", limit_s=120):
    """Run the benchmarks and return what became of it; what takes too long is ended with all that it has started."""
    with subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        try:
            out, err = running.communicate(timeout=limit_s)
        except BaseException:
            os.killpg(running.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(running.args, running.returncode, out, err)


def test_our_side_of_the_edge_benchmarks_prints_its_tables():
    """Without the peer, the edge and rules tables come with headings, their own rows and no ratio."""
    done = bench("--quick", "--only", "edges-ours,rules-ours")

    assert done.returncode == 0, done.stderr
    assert "1. Debounced edge to light and gate" in done.stdout
    assert "2. Edge to provisional fact to rules" in done.stdout
    assert "MPF default: hit" not in done.stdout
    light = next(line for line in done.stdout.splitlines() if "ours: edge -> light" in line).split()
    assert int(light[-7]) > 0  # samples
    assert light[-3:] == ["-", "-", "-"]


@pytest.mark.firmware
def test_the_way_from_the_hub_is_measured():
    """Edges, the hub's clock on the emulated chip, and lamps, each with its aim."""
    pytest.importorskip("rp2040py", reason="rp2040py is not installed, so the firmware cannot be run")
    done = bench("--quick", "--only", "hub")

    assert done.returncode == 0, done.stderr
    assert "pseudo-terminal -> edge" in done.stdout
    clock = [line.split() for line in done.stdout.splitlines() if "us a second apart" in line]
    assert [words[1] for words in clock] == ["-50", "+0", "+50"]
    assert all(0 < float(words[-4]) <= 500 for words in clock)
    assert "100 lamps" in done.stdout


def test_an_unknown_benchmark_is_named_and_ends_with_status_two():
    """A misspelt name runs nothing and says which names there are."""
    done = bench("--only", "edgse")

    assert done.returncode == 2
    assert "no benchmark edgse" in done.stderr
    assert "startup" in done.stderr


def test_the_tracker_is_compared_with_others_on_the_same_rolls():
    """Each side has a row, and ours a second one with its questions answered; the last line names who is better."""
    few = ("--rolls", "2", "--balls", "1", "--without", "soup")
    done = bench(*few, module="bench.peers.compare")

    assert done.returncode == 0, done.stderr
    assert "rich-standard-1-known-unannounced, 2 rolls on 1 boards" in done.stdout
    *table, aims = done.stdout.splitlines()[5:]
    rows = [line[:22].strip() for line in table]
    assert rows == ["this tracker", "nearest ball", "integer programme", "this tracker, asked"]
    assert "the nearest ball" in aims


@pytest.mark.parametrize("name", tracking_report.BLOCKS)
def test_the_evaluation_has_a_place_for_each_table_that_the_report_writes(name):
    """Between its two marks, and once."""
    page = tracking_report.PAGE.read_text(encoding="utf-8")

    assert page.count(f"<!-- {name} -->") == page.count(f"<!-- end of {name} -->") == 1
    assert page.index(f"<!-- {name} -->") < page.index(f"<!-- end of {name} -->")


@nightly("every sensor of every set left out once", meanwhile="test_held_out_worlds_are_judged")
def test_the_pictures_of_the_evaluation_are_drawn(tmp_path):
    """One board a condition is enough for both pictures."""
    some = ("--rolls", "1", "--folder", str(tmp_path))
    done = bench(*some, module="bench.tracking_plots", limit_s=600)

    assert done.returncode == 0, done.stderr
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == {"tracking-sensors.svg", "tracking-growth.svg"}


def test_held_out_worlds_are_judged(capsys):
    """A table with every number of balls, announced and not, and one of what was said against what was right."""
    assert held_out.main(["--rolls", "2", "--worlds", "drawn-501,rails-501", "--balls", "1,2"]) == 0
    told = capsys.readouterr().out

    for line in ("1 ball, rails", "2 balls, drawn", "1 ball, unannounced, all"):
        assert line in told
    assert "announced   0.9" in told


def test_judges_are_not_worlds_for_tuning():
    """Worlds on rails only judge; those drawn in pymunk judge from their first number on."""
    numbers = [int(name.partition("-")[2]) for name in held_out.JUDGES]
    assert min(numbers) >= FIRST_JUDGE > max(int(name.partition("-")[2]) for name in held_out.TUNING)
    assert not any(name.startswith("rails") for name in held_out.TUNING)


@nightly(
    "kills and attacks on a real table",
    meanwhile="tests/whole/test_killed.py::test_kills_lose_nothing_of_any_other_game",
)
def test_a_table_stands_some_kills_and_some_nonsense():
    """A few of each: nothing is lost, nothing dies."""
    done = bench("--quick", "--only", "kills,fuzz", limit_s=600)

    assert done.returncode == 0, done.stderr
    assert "acts were acknowledged to phones; lost: 0." in done.stdout
    assert "Journals that could not be read: 0. Games: 1, played to their end afterwards: 1." in done.stdout
    assert "The program lives; tracebacks in its log: 0." in done.stdout


@nightly(
    "attacks on a real table",
    meanwhile="tests/whole/test_killed.py::test_kills_lose_nothing_of_any_other_game",
)
def test_attacks_and_soak_print_what_honest_people_notice():
    """A row for each attack and for each sixth of the time."""
    done = bench("--quick", "--minutes", "0.2", "--only", "attacks,soak", limit_s=600)

    assert done.returncode == 0, done.stderr
    assert "a seat's phone sends flat out" in done.stdout
    assert "acts of phones were acknowledged; tracebacks in the log: 0." in done.stdout


def test_a_crowded_board_is_measured(capsys):
    """Rows for one, two and four balls among many that lie about."""
    assert crowded.main(["--lying", "6", "--boards", "1"]) == 0

    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row.split()[:2] for row in rows] == [["0", "1"], ["6", "1"], ["6", "2"], ["6", "4"]]


def test_a_dead_sensor_is_found_in_an_evening(capsys):
    """Both kinds have a row; no sound sensor is blamed in these two evenings."""
    assert silent.main(["--evenings", "1", "--worlds", "drawn-1,drawn-3"]) == 0

    told = capsys.readouterr().out
    assert "silent ball Halls  found in 2 of 2 evenings" in told
    assert "sound sensors blamed: 0 in" in told


def test_how_sure_to_be_is_printed_as_tables_that_rise(capsys):
    """One for announced and one for unannounced releases; how they are fitted has tests of its own."""
    assert calibrate.main(["--rolls", "1", "--worlds", "drawn-1"]) == 0

    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("right, ")]
    tables = [[float(word) for word in row.split()[2:-1]] for row in rows]
    assert [row.split()[1] for row in rows] == ["announced", "unannounced"]
    assert all(len(table) == len(SHARES) and table == sorted(table) for table in tables)
