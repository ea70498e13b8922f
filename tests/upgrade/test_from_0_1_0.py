"""What version 0.1.0 wrote on somebody's disk is read by the version of today; ``0.1.0/`` was written by it."""

import shutil
from pathlib import Path

import pytest
from helpers.places import TESTS
from hextraction.controller.app import main
from hextraction.controller.config import read_config
from hextraction.controller.play.journal import Journal
from hextraction.controller.play.journal_lines import export_lines
from hextraction.hal.wiring.file import read_wiring

KEPT = TESTS / "upgrade" / "0.1.0"
WINS = {
    "hextris": "Rosa wins: the third group of five is there.",
    "extraction": "No moves are left. Gren wins with 5 points.",
    "hexel": "The deck has run out: Gren laid the last card and wins.",
    "hextraction": "Gren wins with a ball in the end zone!",
}


@pytest.fixture
def kept(tmp_path):
    """The files as they lie on a disk: whoever reads them may write beside them."""
    return Path(shutil.copytree(KEPT, tmp_path / "0.1.0"))


def run(capsys, *words):
    """Run a command; return its status, output and errors."""
    status = main([str(word) for word in words])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_games_that_were_played_are_listed_with_their_ends(capsys, kept):
    """One of each kind, each with the sentence that ended it."""
    status, out, err = run(capsys, "export", "--journal", kept / "games.db")
    assert (status, err) == (0, "")
    assert [line.split("  ", 1)[1] for line in out.splitlines()] == list(WINS.values())


@pytest.mark.slow
def test_a_game_plays_again_to_the_same_end(capsys, kept, tmp_path):
    """Today's rules make of every entry what those of 0.1.0 made: same end, and no entry fails."""
    journal = Journal(kept / "games.db", reading=True)
    games = {journal.header(game).kind: list(export_lines(journal, game)) for game, _end in journal.games()}
    journal.close()
    assert games.keys() == WINS.keys()
    for kind, lines in games.items():
        file = tmp_path / f"{kind}.jsonl"
        file.write_text("".join(f"{line}\n" for line in lines))
        status, out, err = run(capsys, "replay", file)
        assert (status, err) == (0, "")
        assert "hextraction 0.1.0" in out
        assert f"outcome:  {WINS[kind]}" in out
        assert "fail" not in out


def test_an_exported_game_plays_again(capsys, kept):
    """A file that was handed on by 0.1.0 is as good as a journal of its own."""
    status, out, _err = run(capsys, "replay", kept / "exported.jsonl")
    assert (status, f"outcome:  {WINS['hextraction']}" in out) == (0, True)


@pytest.mark.slow
def test_an_unfinished_game_goes_on(capsys, kept):
    """An upgrade in the middle of an evening: the game that 0.1.0 began is played to its end in the same journal."""
    path = kept / "unfinished.db"
    status, out, _err = run(capsys, "demo", "--resume", "--games", 1, "--speed", 0, "--seed", 2, "--no-page",
                            "--journal", path)  # fmt: skip
    assert status == 0
    assert "Game demo-20261129-000241-38c7: " in out
    journal = Journal(path, reading=True)
    ((_game, end),) = journal.games()
    journal.close()
    assert end


def test_every_key_of_the_configuration_still_means_the_same(kept):
    """A file with every key that 0.1.0 had, and none is a mistake today."""
    config = read_config(kept / "every_key.toml")
    assert (config.table, config.page.code, config.broker.password) == ("kitchen", "K7PMWQ2X", "swordfish")
    assert (config.house.host, config.webhook.secret) == ("house.example", "swordfish")
    assert config.wiring == kept / "wiring" / "hub-lean.toml"
    assert set(config.house_rules) == {"hextraction", "hextris", "extraction", "hexel"}


def test_the_service_s_first_configuration_is_read(kept):
    """What the installer of 0.1.0 wrote to /etc/hextraction; it names a wiring beside it."""
    shutil.copy(kept / "wiring" / "hub-rich.toml", kept / "wiring.toml")
    config = read_config(kept / "service.toml")
    assert (config.table, config.page.port) == ("table", 8080)
    assert config.journal == Path("/var/lib/hextraction/games.db")


@pytest.mark.parametrize("path", sorted((KEPT / "wiring").glob("*.toml")), ids=lambda path: path.stem)
def test_a_wiring_is_read(capsys, path):
    """What was soldered for 0.1.0 need not be soldered again."""
    assert run(capsys, "check", path)[0] == 0
    assert read_wiring(path)


def test_own_tiles_are_read(capsys, kept):
    """A club's tile is in the list of tiles."""
    status, out, _err = run(capsys, "tiles", "my-own-bend", "--own-tiles", kept / "tiles")
    assert (status, "by A club" in out) == (0, True)
