"""``hextraction study`` on the command line."""

import json
import sys

import pytest
from hextraction.controller.app.command_line import main
from hextraction.controller.study.engines import play_here

FEW = ["study", "--games", "2", "--seed", "3", "--laid", "22", "--tiles", "all"]


@pytest.mark.slow
def test_a_study_prints_tables_or_json(capsys):
    """Lengths, endings and shares are told, and the JSON holds the same games."""
    assert main(FEW) == 0
    told = capsys.readouterr().out
    assert "2 of 2 games" in told
    for word in ("turns", "ended by", "place", "refused: 0", "failed: 0", "stuck: 0"):
        assert word in told
    assert main([*FEW, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_study_is_drawn(tmp_path, ending):
    """A plot is written in either format."""
    pytest.importorskip("matplotlib")
    path = tmp_path / f"study.{ending}"
    assert main([*FEW, "--plot", str(path)]) == 0
    assert path.stat().st_size > 5_000


def test_without_matplotlib_the_message_says_what_to_install(capsys, monkeypatch, tmp_path):
    """The table is printed all the same."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main([*FEW, "--plot", str(tmp_path / "study.png")]) == 2
    told = capsys.readouterr()
    assert "2 of 2 games" in told.out
    assert "hextraction[study]" in told.err


def test_without_dask_the_message_says_what_to_install(capsys, monkeypatch):
    """Dask is an extra, too."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main([*FEW, "--engine", "dask"]) == 2
    assert "hextraction[dask]" in capsys.readouterr().err


def test_every_wrong_option_is_told_at_once(capsys, tmp_path):
    """Each problem is one line with what was wanted and found."""
    wrong = ["study", "--games", "0", "--players", "1-7", "--tiles", "nix", "--board", "round", "--laid", "99",
             "--jobs", "0", "--scheduler", "tcp://here:1", "--plot",
             str(tmp_path / "no" / "x.gif"), "--games-folder", str(tmp_path / "no")]  # fmt: skip
    assert main(wrong) == 2
    told = capsys.readouterr().err
    for option in ("--games:", "--players:", "--tiles:", "--board:", "--laid:", "--jobs:", "--scheduler:",
                   "--plot: want", "--plot: cannot", "--games-folder:"):  # fmt: skip
        assert option in told


def test_players_are_a_number_or_a_span(capsys):
    """Nonsense is refused with what was expected."""
    with pytest.raises(SystemExit) as ended:
        main(["study", "--players", "some"])
    assert ended.value.code == 2
    assert "as 2-6" in capsys.readouterr().err


def test_ctrl_c_prints_what_there_is(capsys):
    """An interrupted study reports the games that are over, and says by its status that it was stopped."""

    def interrupted(settings):
        games = play_here(settings)
        yield next(games)
        raise KeyboardInterrupt

    assert main(FEW, play=interrupted) == 130
    told = capsys.readouterr()
    assert "1 of 2 games" in told.out
    assert "Interrupted" in told.err


def test_a_game_that_goes_wrong_is_kept_for_replay(capsys, tmp_path):
    """Its journal is written, its number and the way to look at it are told, and the status is 1."""
    assert main([*FEW, "--laid", "0", "--most-events", "5", "--games-folder", str(tmp_path)]) == 1
    path = tmp_path / "study-game-0.jsonl"
    assert f"hextraction replay {path}" in capsys.readouterr().err
    assert main(["replay", str(path)]) == 0
    assert "unfinished" in capsys.readouterr().out
