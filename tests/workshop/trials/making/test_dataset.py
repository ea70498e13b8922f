"""Labelled rolls: made, read, tracked, judged and drawn."""

import json
import lzma
import re
from itertools import pairwise

import pytest
from helpers.places import ROOT
from hextraction.board.facts import BallEntered, BallReleased
from hextraction.board.profile import load_board
from hextraction.controller.app import main
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.tracking.trace import TraceError
from hextraction.controller.workshop.trials.judging.evaluate import judge_board
from hextraction.controller.workshop.trials.labelled import read_labelled
from hextraction.controller.workshop.trials.making.dataset import Condition, one_board, read_recipe
from hextraction.controller.workshop.trials.making.layouts import LAYOUTS, layout_sensors, part_count
from hextraction.settings import SettingsError

pytestmark = pytest.mark.slow

TILES = load_tiles()
BOARD = load_board("standard-22")


@pytest.fixture(scope="module")
def made():
    """The rolls of one board, two balls each."""
    return one_board(Condition(balls=2, seed=5), 0)


def rolls(made):
    """Read rolls back from their lines."""
    return [roll for lines in made for roll in read_labelled(lines, TILES)]


def test_every_roll_has_its_balls_and_its_truth(made):
    """Two balls are released in each roll, after three seconds of rest."""
    for roll in rolls(made):
        released = [fact for fact in roll.truth.facts if isinstance(fact, BallReleased)]

        assert len(released) == 2
        assert released[0].at_us == 3_000_000


def test_balls_at_rest_stay_from_roll_to_roll_and_never_more_than_a_table_has():
    """Some roll begins with a ball that the one before left there, and none with more than twelve."""
    several = [roll for number in range(3) for roll in rolls(one_board(Condition(balls=4, seed=1), number))]

    assert any(roll.trace.balls for roll in several)
    assert max(len(roll.trace.balls) for roll in several) <= 12


def test_tiles_touched_three_times_are_replaced(made):
    """After a loop another tile, or the same kind anew, lies in the slot: the board is never emptier."""
    found = rolls(made)

    for before, after in pairwise(found):
        assert set(before.truth.tiles) == set(after.truth.tiles)


def test_every_truth_is_consistent(made):
    """Nobody enters a slot before being released or at rest, and nothing happens before the start."""
    for roll in rolls(made):
        known = set(roll.trace.balls)
        for fact in roll.truth.facts:
            assert fact.at_us >= 3_000_000 or not isinstance(fact, BallReleased)
            known |= {fact.ball} if isinstance(fact, BallReleased) else set()
            assert fact.ball in known


def test_unknown_tiles_are_hidden_from_the_tracker_only():
    """The first line calls every tile unknown, the truth does not."""
    roll = rolls(one_board(Condition(known=False), 1))[0]

    assert {laid.tile.name for laid in roll.trace.tiles.values()} == {"unknown"}
    assert "unknown" not in {name for name, _turns in roll.truth.tiles.values()}


def test_layouts_see_the_same_rolls():
    """The same seed under other sensors is the same truth: comparisons are paired."""
    truths = [
        [roll.truth for roll in rolls(one_board(Condition(layout=layout, noise="none"), 2))]
        for layout in LAYOUTS
    ]

    assert all(truth == truths[0] for truth in truths)


@pytest.mark.parametrize(
    ("layout", "sensors"),
    [("basic", 54), ("lean", 82), ("rich", 131), ("edges", 107), ("three-halls", 126)],
)
def test_layouts_have_so_many_parts_that_hear_balls(layout, sensors):
    """The counts of the sets without the 22 tile Halls, and three parts a slot for three Halls."""
    assert part_count(layout, BOARD) == sensors


def test_a_wiring_file_is_a_layout():
    """Whatever a build's wiring has is heard."""
    with pytest.raises(ValueError, match="wiring file"):
        layout_sensors("no-such-layout", BOARD)


def test_noise_misses_adds_and_repeats():
    """Heavy noise changes the edges and not the truth; the same condition gives the same lines."""
    clean, noisy = (one_board(Condition(noise=noise), 3) for noise in ("none", "heavy"))

    assert [roll.truth for roll in rolls(clean)] == [roll.truth for roll in rolls(noisy)]
    assert [roll.trace.edges for roll in rolls(clean)] != [roll.trace.edges for roll in rolls(noisy)]
    assert noisy == one_board(Condition(noise="heavy"), 3)


def test_without_noise_one_ball_is_nearly_always_told_rightly():
    """On perfect rich sensors most rolls of a board are exact, and each of them has been timed."""
    found = judge_board(Condition(noise="none"), 0)

    assert sum(roll.exact for roll in found.rolls) >= 6
    assert len(found.times.by_pulses) == len(found.rolls)
    assert len(found.times.live_us) > 40


def test_a_roll_without_truth_is_refused(made):
    """A trace alone cannot be judged."""
    with pytest.raises(TraceError, match="line 1: want one line of truth"):
        list(read_labelled(made[0][:-1], TILES))


HEAD = '{"trace":1,"board":"standard-22","tiles":{"B1":["x",0]}}\n'
EDGE = '{"at_us":5,"sensor":"ramp.L1","active":true}\n'
TRUTH = (
    '{"truth":{"facts":[{"fact":"BallReleased","at_us":5,"ball":1,"ramp":"L1"}],"tiles":{"B1":["x",0]}}}\n'
)
GOOD = HEAD + EDGE + TRUTH


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD * 2 + HEAD + "oops\n" + TRUTH, "line 8: "),
        (GOOD + HEAD + '{"at_us":7,"sensor":"x","truth":\n' + TRUTH, "line 5: "),
        (GOOD + HEAD + EDGE, "line 4: want one line of truth"),
        (GOOD + HEAD + TRUTH.replace("L1", "L9"), "line 5: truth.facts: standard-22 has no ramp 'L9'"),
        (GOOD + HEAD + TRUTH.replace('"B1"', '"ZZ"'), "line 5: truth.tiles: want a slot"),
        (GOOD + HEAD + TRUTH.replace('"x"', '"nope"'), "line 5: truth.tiles: no tile is called 'nope'"),
        (GOOD + HEAD + TRUTH.replace("}],", '},{"fact":"BallEntered","at_us":6,"ball":1,"slot":"ZZ"}],'),
         "line 5: truth.facts: standard-22 has no slot 'ZZ'"),
        ("", "line 1: want labelled rolls"),
        ("\n\n", "line 1: want labelled rolls"),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_told_by_file_and_line(text, said, jobs, tmp_path, capsys):
    """The line is counted from the beginning of the file, in this process or in several."""
    path = tmp_path / "set.jsonl"
    path.write_text(text, encoding="utf-8")
    assert main(["evaluate", str(path), "--jobs", jobs]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"{path}: {said}")


def test_bytes_that_are_no_text_cannot_be_judged(tmp_path, capsys):
    """They are refused with a sentence."""
    path = tmp_path / "set.jsonl"
    path.write_bytes(GOOD.encode() + b"\xff\xfe\n")
    assert main(["evaluate", str(path), "--jobs", "1"]) == 2
    assert f"{path}: this is not UTF-8 text" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (lambda: lzma.compress(b"\xff\xfe"), "this is not UTF-8 text (byte 0)"),
        (lambda: b"plain text", "damaged, or not packed by xz; pack the file again"),
        (lambda: lzma.compress(GOOD.encode())[:-20], "damaged, or not packed by xz; pack the file again"),
        (lambda: lzma.compress(bytes(1 + (64 << 20)), preset=0), "holds more than 64 MiB of text; split it"),
    ],
    ids=["bytes", "plain", "cut short", "without end"],
)
def test_a_packed_file_that_cannot_be_read_is_refused(held, said, tmp_path, capsys):
    """Whoever sent it, it costs a sentence and never all memory."""
    path = tmp_path / "set.jsonl.xz"
    path.write_bytes(held())
    assert main(["evaluate", str(path), "--jobs", "1"]) == 2
    assert f"{path}: {said}" in capsys.readouterr().err


def test_packed_rolls_are_judged_as_they_are(made, tmp_path, capsys):
    """A file and its packed copy, found in one folder, have the same line of results."""
    text = "".join(f"{line}\n" for lines in made for line in lines)
    (tmp_path / "plain.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "other.jsonl.xz").write_bytes(lzma.compress(text.encode()))
    assert main(["evaluate", str(tmp_path), "--jobs", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert set(told) == {"plain", "other"}
    assert told["plain"]["rolls"] == told["other"]["rolls"] == len(made)
    assert told["plain"]["after_asking"] == told["other"]["after_asking"]


def test_other_physics_are_other_rolls_on_the_same_board():
    """The balls of a variant do otherwise on the same tiles, its pulses end later, and its file says what it is."""
    ours, others = (Condition(variant=variant, seed=3) for variant in ("standard", "lively"))
    one, other = (rolls(one_board(each, 0))[0] for each in (ours, others))

    assert one.trace.tiles == other.trace.tiles
    assert one.truth.facts != other.truth.facts
    assert (ours.title, others.title) == ("rich-standard-1-known", "rich-standard-1-known-lively")


def test_any_number_of_jobs_makes_the_same_bytes(tmp_path):
    """One process or two: the same file."""
    files = [tmp_path / f"{jobs}.jsonl" for jobs in ("1", "2")]
    for file in files:
        assert main(["dataset", str(file), "--rolls", "30", "--jobs", file.stem]) == 0

    assert files[0].read_bytes() == files[1].read_bytes()


def test_gates_tell_of_each_release_unless_they_are_silent(made):
    """An announced roll has a line for each release, at its time; an unannounced one has the same edges."""
    silent = rolls(one_board(Condition(balls=2, seed=5, announced=False), 0))

    for roll, other in zip(rolls(made), silent, strict=True):
        gates = [fact.at_us for fact in roll.truth.facts if isinstance(fact, BallReleased)]
        assert [step.at_us for step in roll.trace.releases] == gates
        assert other.trace.releases == ()
        assert other.trace.edges == roll.trace.edges


def test_a_file_is_judged_with_or_without_its_announcements(tmp_path, capsys):
    """The name of the condition says which."""
    one = tmp_path / "one.jsonl"
    assert main(["dataset", str(one), "--rolls", "2", "--jobs", "1"]) == 0
    assert main(["dataset", str(tmp_path / "two.jsonl"), "--rolls", "2", "--jobs", "1", "--unannounced"]) == 0
    assert '"release"' in one.read_text()
    assert '"release"' not in (tmp_path / "two.jsonl").read_text()
    capsys.readouterr()
    assert main(["evaluate", str(one), "--unannounced", "--json", "--jobs", "1"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"one-unannounced"}


def test_rolls_say_on_which_board_they_were_played(made):
    """Rolls of one board share its number: intervals need it."""
    assert {roll.truth.table for roll in rolls(made)} == {0}


def test_the_commands_work_together(tmp_path, capsys):
    """A data set is made, checked, tracked, evaluated and drawn."""
    one = tmp_path / "one.jsonl"
    assert main(["dataset", str(one), "--rolls", "3", "--jobs", "1"]) == 0
    assert main(["check", str(one)]) == 0
    assert "3 traces" in capsys.readouterr().out
    assert main(["track", str(one)]) == 0
    assert capsys.readouterr().out.count('"RollSettled"') >= 3
    assert main(["evaluate", str(one), "--json", "--jobs", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["one"]["rolls"] == 3
    assert main(["plot", str(one), "--roll", "2", "--output", str(tmp_path / "roll.svg")]) == 0
    drawn = (tmp_path / "roll.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert re.search(r">\d+ % sure", drawn)


def test_a_recipe_is_checked_against_its_digests(tmp_path, capsys):
    """Nothing listed: a word of it. Listed once, made again: the same. Another digest: a sentence and status 1."""
    recipe, folder = tmp_path / "set.toml", tmp_path / "set"
    recipe.write_text("[[cell]]\nrolls = 3\n", encoding="utf-8")
    base = ["dataset", str(folder), "--recipe", str(recipe), "--jobs", "1"]
    assert main(base) == 0
    assert "--write makes one" in capsys.readouterr().err

    assert main([*base, "--write"]) == 0
    assert main(base) == 0
    (tmp_path / "set.sha256").write_text("0" * 64 + "  rich-standard-1-known.jsonl\n", encoding="utf-8")
    assert main(base) == 1
    assert "not the set" in capsys.readouterr().err


def test_the_fixed_set_has_rolls_enough():
    """At least 3,000 rolls a cell for one ball and 1,000 for more, each cell once."""
    cells = read_recipe(ROOT / "bench" / "tracking-set.toml")

    assert all(cell.rolls >= (3_000 if cell.balls == 1 else 1_000) for cell in cells)
    assert len({cell.title for cell in cells}) == len(cells)
    assert {cell.layout for cell in cells} == set(LAYOUTS)


def test_a_bad_recipe_is_told_by_line(tmp_path):
    """A noise that does not exist is a mistake with a line."""
    recipe = tmp_path / "set.toml"
    recipe.write_text('[[cell]]\nnoise = "loud"\n', encoding="utf-8")

    with pytest.raises(SettingsError, match="noise"):
        read_recipe(recipe)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dataset", "x.jsonl", "--balls", "0"], "--balls: want 1 to 12"),
        (["dataset", "x.jsonl", "--layout", "nothing"], "--layout: want"),
        (["dataset", "x.jsonl", "--tilt", "90"], "--tilt: want 5 to 45"),
        (["evaluate", "nowhere.jsonl"], "no file or folder nowhere.jsonl"),
        (["evaluate", "--plot", "x.doc"], "ends in .svg"),
        (["plot", "nowhere.jsonl"], "no file nowhere.jsonl"),
    ],
)
def test_mistakes_end_with_a_sentence_and_status_2(arguments, said, capsys):
    """What was found and what was expected, before any work is done."""
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_truth_counts_entries():
    """The facts of a truth are facts of the board, read back as such."""
    roll = rolls(one_board(Condition(noise="none"), 4))[0]

    assert all(fact.slot in BOARD.by_name for fact in roll.truth.facts if isinstance(fact, BallEntered))
