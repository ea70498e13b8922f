"""The archive beside a journal: each finished game is told once, phones get what fits, and all can be made again."""

import gzip
import json
import os
import subprocess
import sys

import pytest
from helpers.mistakes import in_journal
from helpers.simulated import OWN_TILES, begin, entries, play, table
from hextraction.controller.app import main
from hextraction.controller.app.sharing import alone, tell_again
from hextraction.controller.games.marked_names import plain
from hextraction.controller.history.archive import Archive
from hextraction.controller.play.journal import Journal, JournalError, JournalLostError
from hextraction.controller.play.recorded_game import game_of_header
from msgspec.structs import replace

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """A journal with one finished game and one that goes on."""
    path = tmp_path_factory.mktemp("evening") / "games.db"
    made = begin(9)
    assert play(made)
    kept, runtime = Journal(path), made.host.runtime
    kept.begin(runtime.referee.header)
    kept.append(runtime.game, [entry.what for entry in entries(made)])
    kept.finish(runtime.game, runtime.standing.outcome)
    kept.begin(replace(runtime.referee.header, game="goes-on"))
    kept.close()
    return path


def finished(path):
    """Return the finished game of a journal and the one that is not."""
    kept = Journal(path)
    games = dict(kept.games())
    kept.close()
    return next(g for g, o in games.items() if o is not None), next(g for g, o in games.items() if o is None)


def test_a_game_is_told_with_the_tiles_that_it_was_played_with(tmp_path):
    """Whatever has become of them since: it ends as it ended, and its tiles are called what they were."""
    own, path = tmp_path / "own.toml", tmp_path / "games.db"
    own.write_text(OWN_TILES, "utf-8")
    made = begin(9, own=own, journal=Journal(path))
    assert play(made)
    own.unlink()
    chronicle = tell_again(made.host.journal, made.host.runtime.game)
    assert chronicle.summary.outcome == plain(made.host.runtime.standing.outcome)
    crossed = {one.tile for ball in chronicle.summary.balls for one in ball.crossed}
    assert {title for title in crossed if title.startswith("Mine ")}
    assert {"DC", "DIC", "Unknown tile"} & crossed == set()


def test_a_game_whose_own_tiles_are_none_is_refused():
    """Somebody has written there what is no tile: the line that is wrong is named."""
    header = begin(9).host.runtime.referee.header
    broken = replace(header, setup=replace(header.setup, own='[[tile]]\nname = "mine"\n'))
    with pytest.raises(JournalError, match=r"games: line 1: its own tiles:1: .*'title' is missing"):
        game_of_header(broken, None, "games")


def test_a_finished_game_is_told_once_and_kept(journal):
    """The second time nothing is told again; what was deleted is."""
    told = []

    def tell(kept, game):
        told.append(game)
        return tell_again(kept, game)

    archive, (over, _on) = Archive(journal), finished(journal)
    assert [summary.game for summary in archive.catch_up(tell).games] == [over]
    assert [summary.game for summary in archive.catch_up(tell).games] == [over]
    assert told == [over]
    for file in archive.folder.iterdir():
        file.unlink()
    archive.catch_up(tell)
    assert told == [over, over]


def test_phones_get_the_index_and_the_chronicle_packed(journal):
    """By exact path; the game that goes on is in neither."""
    archive, (over, on) = Archive(journal), finished(journal)
    shelf = archive.shelf(archive.catch_up(tell_again).games)
    assert set(shelf) == {"/history/index.json", f"/history/{over}.json"}
    index = json.loads(gzip.decompress(shelf["/history/index.json"]))
    assert [(one["game"], one["replay"]) for one in index["games"]] == [(over, True)]
    assert on not in gzip.decompress(b"".join(shelf.values())).decode()
    assert [len(ladder["rungs"]) for ladder in index["ladders"]] == [3]


def test_a_game_that_is_not_over_is_told_to_nobody(journal):
    """Hands stay secret until it is; the command says so."""
    _over, on = finished(journal)
    kept = Journal(journal)
    with pytest.raises(JournalError, match="is not over; hands stay secret"):
        tell_again(kept, on)
    with pytest.raises(JournalError, match="holds no game 'nobody'"):
        tell_again(kept, "nobody")
    kept.close()


def test_a_game_that_cannot_be_told_is_left_out_and_not_tried_again(journal, tmp_path):
    """Say, because its tiles are gone: one warning, and the list has the others."""
    tried = []

    def broken(_journal, game):
        tried.append(game)
        raise JournalError("no such tile")

    copy = tmp_path / "games.db"
    copy.write_bytes(journal.read_bytes())
    archive = Archive(copy)
    assert archive.catch_up(broken).games == []
    assert archive.catch_up(broken).games == []
    assert len(tried) == 1


def test_a_shared_game_is_one_file_that_fetches_nothing(journal):
    """The policy in it allows no address at all, and text of players cannot end the script."""
    kept, (over, _on) = Journal(journal), finished(journal)
    chronicle = tell_again(kept, over)
    kept.close()
    named = replace(chronicle, summary=replace(chronicle.summary, outcome="</script><b>x</b> @CHRONICLE@"))
    text = alone(named)
    assert "default-src 'none'" in text
    assert "</script><b>" not in text
    assert " src=" not in text.replace(" srcdoc", "")
    inside = text.split('id="chronicle">')[1].split("</script>")[0]
    assert json.loads(inside)["summary"]["outcome"] == "</script><b>x</b> @CHRONICLE@"


def test_the_commands_list_games_and_write_one_file(journal, tmp_path, capsys):
    """`history` prints games, ladder and luck; `export --html` writes the file and says so."""
    over, on = finished(journal)
    assert main(["history", "--journal", str(journal)]) == 0
    told = capsys.readouterr().out
    assert over in told
    assert "The ladder of Hextraction (Glicko-2" in told
    assert main(["history", "--journal", str(journal), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"][0]["game"] == over
    output = tmp_path / "game.html"
    assert main(["export", over, "--html", "--journal", str(journal), "--output", str(output)]) == 0
    assert output.read_text().startswith("<!doctype html>")
    assert main(["export", on, "--html", "--journal", str(journal)]) == 2
    assert "is not over" in capsys.readouterr().err


def test_a_shared_game_may_be_in_another_language(journal, tmp_path, capsys):
    """Its words are in the file; a language that the page does not speak is refused with those that it does."""
    over, _on = finished(journal)
    output = tmp_path / "spiel.html"
    command = [
        "export",
        over,
        "--html",
        "--journal",
        str(journal),
        "--output",
        str(output),
        "--force",
        "--language",
    ]
    assert main([*command, "de"]) == 0
    text = output.read_text()
    assert '<html lang="de">' in text
    assert "@WORDS@" not in text
    words = json.loads(text.split('id="words">')[1].split("</script>")[0])
    assert words["{name} rolls from {whence}."] == "{name} lässt eine Kugel von {whence} rollen."
    assert main([*command, "tlh"]) == 2
    assert "want one of en, de, found 'tlh'" in capsys.readouterr().err


@pytest.mark.parametrize("nonsense", [b'{"failed": ["\xff"]}', b"[" * 2000, b"\xff" * 9])
def test_what_is_damaged_in_the_archive_is_made_again(journal, nonsense):
    """A flipped bit makes text that is no UTF-8, which no list of games may fail on."""
    archive, (over, _on) = Archive(journal), finished(journal)
    archive.catch_up(tell_again)
    (archive.folder / "summaries.json").write_bytes(nonsense)
    (archive.folder / f"{over}.json.gz").write_bytes(gzip.compress(nonsense))
    assert archive.read(over) is None
    assert [summary.game for summary in archive.catch_up(tell_again).games] == [over]
    assert archive.read(over) is not None


def test_the_table_in_memory_has_no_archive():
    """Nothing lies beside a journal that is no file."""
    assert table(9).host.journal.path == ":memory:"


def test_a_journal_is_read_where_nothing_can_be_written(journal, tmp_path, capsys):
    """Nothing is made beside it, and the list says that it is told for this once."""
    folder = tmp_path / "card"
    folder.mkdir()
    copy = folder / "games.db"
    copy.write_bytes(journal.read_bytes())
    copy.chmod(0o440)
    archive = folder / "games.history"
    archive.write_text("no folder can be made here")
    over, _on = finished(journal)

    for words in (["export"], ["export", over], ["history"]):
        assert main([*words, "--journal", str(copy)]) == 0
        assert over in capsys.readouterr().out
    assert sorted(path.name for path in folder.iterdir()) == ["games.db", "games.history"]


def test_a_journal_that_is_played_on_is_read_with_its_newest_entries(journal, tmp_path):
    """Its log has what is not in the file yet."""
    made = begin(3, journal=Journal(tmp_path / "games.db", alone=True))
    play(made, steps=200, until=lambda _runtime: False)
    reading = Journal(tmp_path / "games.db", reading=True)

    assert len(list(reading.entries(made.host.runtime.game))) == len(entries(made))
    with pytest.raises(JournalLostError):
        reading.begin(made.host.runtime.referee.header)
    reading.close()
    made.host.journal.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_who_may_not_read_a_journal_hears_whose_it_is(journal, tmp_path):
    """Another user without rights, and one of its group: the first is told what to do, the second reads."""
    folder = tmp_path / "table"
    folder.mkdir()
    copy = folder / "games.db"
    copy.write_bytes(journal.read_bytes())
    os.chown(folder, 0, 1)
    os.chown(copy, 0, 1)
    folder.chmod(0o750)
    copy.chmod(0o640)
    for above in (tmp_path, *tmp_path.parents[:-1]):
        above.chmod(above.stat().st_mode | 0o011)

    def reader(*groups):
        script = (
            "import os, sys\n"
            "from pathlib import Path\n"
            "from hextraction.controller.play.journal import Journal, JournalError\n"
            f"os.setgroups({list(groups)}); os.setgid(65534); os.setuid(65534)\n"
            "try:\n"
            f"    print(Journal({str(copy)!r}, reading=True).games())\n"
            "except JournalError as error:\n"
            "    print(error)\n"
        )
        return subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout

    assert f"you may not read {folder}, it belongs to root and the group daemon" in reader()
    assert finished(journal)[0] in reader(1)


def test_the_list_says_that_a_date_is_unknown(journal, tmp_path, capsys):
    """Rather than 1970: the clock of a Raspberry Pi may not have been set."""
    copy = tmp_path / "games.db"
    copy.write_bytes(journal.read_bytes())
    over, _on = finished(copy)
    in_journal(copy, "UPDATE game SET header = json_set(header, '$.wall', '1970-01-01T00:01:00+0000')")
    in_journal(copy, "UPDATE entry SET sum = NULL")

    assert main(["history", "--journal", str(copy)]) == 0
    told = capsys.readouterr().out
    assert f"  date unknown      {over}" in told
    assert "1970" not in told
    kept = Journal(copy, reading=True)
    assert tell_again(kept, over).summary.dated is False
    kept.close()
