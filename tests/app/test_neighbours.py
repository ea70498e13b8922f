"""What lies beside a journal is input: whatever it is, a start and every reading command answers at once, in words."""

import gzip
import os
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from helpers.mistakes import in_journal
from helpers.simulated import begin, entries, play
from hextraction.controller.app import main
from hextraction.controller.app.sharing import tell_again
from hextraction.controller.history.archive import Archive
from hextraction.controller.phones.page_files import Page
from hextraction.controller.play.journal import Journal, JournalError
from hextraction.settings.plain import NotPlainError, open_plain, read_packed, read_plain, replace_plain

pytestmark = pytest.mark.slow

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A journal with one finished game."""
    path = tmp_path_factory.mktemp("evening") / "games.db"
    made = begin(9)
    assert play(made)
    kept, runtime = Journal(path), made.host.runtime
    kept.begin(runtime.referee.header)
    kept.append(runtime.game, [entry.what for entry in entries(made)])
    kept.finish(runtime.game, runtime.standing.outcome)
    kept.close()
    return path


@pytest.fixture
def journal(played, tmp_path):
    """A copy of it in a folder of its own."""
    path = tmp_path / "games.db"
    path.write_bytes(played.read_bytes())
    return path


def pipe(path):
    """Put a pipe there, which nobody writes to."""
    os.mkfifo(path)


def endless(path):
    """Put a link to a device there that never ends."""
    path.symlink_to("/dev/zero")


def plugged(path):
    """Put a socket there; its name may be too long, so it is bound from its folder."""
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


KINDS = {"a pipe": pipe, "a device": endless, "a socket": plugged, "a directory": Path.mkdir}
STARTS = ["run", "--no-electronics", "--no-page", "--exit-when-ready", "--journal"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["games.db.last", "games.db-wal", "games.db-shm", "games.db-journal"])
def test_what_is_no_plain_file_beside_a_journal_is_named(journal, capsys, name, kind):
    """Nobody waits for a pipe or reads a device to its end, whoever opens the journal."""
    KINDS[kind](journal.with_name(name))

    for words in (STARTS, ["export", "--journal"], ["history", "--journal"]):
        assert main([*words, str(journal)]) == 2
        assert f"{name} beside it is {kind}; want a plain file" in capsys.readouterr().err


@pytest.mark.parametrize("kind", KINDS)
def test_a_lock_that_is_no_plain_file_is_named_and_nothing_behind_a_link_is_emptied(journal, capsys, kind):
    """A table writes its lock; a link there could lead to any file of ours."""
    lock, letter = journal.with_name("games.db.lock"), journal.with_name("letter")
    KINDS[kind](lock)
    assert main([*STARTS, str(journal)]) == 2
    assert "games.db.lock beside it is " in capsys.readouterr().err

    letter.write_text("Dear all")
    lock.rmdir() if lock.is_dir() and not lock.is_symlink() else lock.unlink()
    lock.symlink_to(letter)
    assert main([*STARTS, str(journal)]) == 2
    assert letter.read_text() == "Dear all"


@pytest.mark.parametrize("kind", KINDS)
def test_an_archive_of_pipes_and_devices_is_made_anew_or_done_without(journal, capsys, kind):
    """Summaries and chronicles are told again from the journal; where nothing can be kept, it says so."""
    archive = journal.with_suffix(".history")
    archive.mkdir()
    KINDS[kind](archive / "summaries.json")
    KINDS[kind](archive / "summaries.json.new")

    assert main(["history", "--journal", str(journal)]) == 0
    assert "1 game, the newest first" in capsys.readouterr().out


def test_a_chronicle_that_unpacks_to_gigabytes_is_neither_read_nor_served(journal):
    """Some megabytes of gzip may hold a thousand times as many zeros."""
    archive = Archive(journal)
    (game,) = archive.catch_up(tell_again).games
    archive.folder.joinpath(f"{game.game}.json.gz").write_bytes(gzip.compress(bytes(40_000_000)))

    assert archive.read(game.game) is None
    assert set(archive.shelf([game])) == {"/history/index.json"}


def test_summaries_that_are_nested_without_end_are_made_anew(journal):
    """What somebody has written there is no reason for a traceback."""
    archive = Archive(journal)
    first = archive.catch_up(tell_again)
    archive.folder.joinpath("summaries.json").write_bytes(b"[" * 200_000)

    assert archive.catch_up(tell_again).games == first.games


# ruff: noqa: S608 - statements of this file
STRANGE = {
    "a view": f"ALTER TABLE game RENAME TO old; CREATE VIEW game AS {ENDLESS} "
    "SELECT 'g' || x AS id, x AS number, '' AS header, 'o' AS outcome FROM c",
    "a view of entries": f"ALTER TABLE entry RENAME TO old; CREATE VIEW entry AS {ENDLESS} "
    "SELECT 'g' AS game, x AS seq, '' AS kind, '' AS body, '' AS failed, 0 AS sum FROM c",
    "a trigger": f"CREATE TRIGGER more AFTER INSERT ON game BEGIN INSERT INTO entry "
    f"SELECT 'g', x, '', '', '', 0 FROM ({ENDLESS} SELECT x FROM c); END",
    "a computed column": "ALTER TABLE game ADD COLUMN more TEXT AS (hex(zeroblob(400000000)))",
    "an index of ours": "CREATE INDEX quick ON game (hex(zeroblob(id)))",
}


@pytest.mark.parametrize("what", STRANGE)
def test_a_schema_that_runs_something_for_us_is_refused(journal, capsys, what):
    """Views, triggers, computed columns: a journal as we make it has none."""
    with closing(sqlite3.connect(journal)) as db:
        db.executescript(STRANGE[what])
        db.commit()

    for words in (STARTS, ["export", "--journal"], ["history", "--journal"]):
        assert main([*words, str(journal)]) == 2
        assert "was put there by somebody else" in capsys.readouterr().err


def test_a_journal_of_before_and_tables_of_others_are_read(journal):
    """Without checksums, or with what sqlite3's .recover leaves beside our tables."""
    with closing(sqlite3.connect(journal)) as db:
        db.executescript("ALTER TABLE entry DROP COLUMN sum; CREATE TABLE lost_and_found (x)")

    assert main(["export", "--journal", str(journal)]) == 0
    assert main([*STARTS, str(journal)]) == 0


HEADERS = {
    "null": "",
    "nested": "UPDATE game SET header = printf('%.200000c', '[')",
    "a number": "UPDATE game SET header = 7",
    "of an unknown board": "UPDATE game SET header = replace(header, 'standard-22', 'nowhere-9')",
    "of nobody": "UPDATE game SET header = json_set(header, '$.setup.seats', json('[]'))",
}


@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize("what", HEADERS)
def test_a_header_that_makes_no_game_is_told_in_words(journal, capsys, what, resumed):
    """A start leaves the game alone, a demo and a reader say why."""
    if what == "null":
        with closing(sqlite3.connect(journal)) as db:
            ours = db.execute("SELECT sql FROM sqlite_master WHERE name = 'game'").fetchone()[0]
            free = ours.replace("header TEXT NOT NULL", "header TEXT")
            db.executescript("PRAGMA writable_schema=ON")
            db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'game'", (free,))
            db.commit()
        in_journal(journal, "UPDATE game SET header = NULL")
        with closing(sqlite3.connect(journal)) as db:
            db.executescript("PRAGMA writable_schema=ON")
            db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'game'", (ours,))
            db.commit()
    else:
        in_journal(journal, HEADERS[what])
    in_journal(journal, "DELETE FROM entry")
    if resumed:
        in_journal(journal, "UPDATE game SET outcome = NULL")
        assert main([*STARTS, str(journal)]) in {0, 2}
        assert main(["demo", "--resume", "--no-page", "--speed", "0", "--journal", str(journal)]) == 2
    else:
        assert main(["history", "--journal", str(journal)]) == 0
        with closing(Journal(journal, reading=True)) as kept, pytest.raises(JournalError):
            tell_again(kept, kept.games()[0][0])
    assert "Traceback" not in capsys.readouterr().err.partition("the interrupted game cannot go on")[2]


def test_a_long_journal_is_told_in_several_goes(journal):
    """The newest games first, so many at once, and in the end all in the journal's order."""
    with closing(sqlite3.connect(journal)) as db:
        game, header = db.execute("SELECT id, header FROM game").fetchone()
        rows = [(f"g{n}", n + 2, header.replace(game, f"g{n}"), "over") for n in range(5)]
        db.executemany("INSERT INTO game VALUES (?, ?, ?, ?)", rows)
        db.commit()
    archive = Archive(journal)

    first = archive.catch_up(tell_again, at_once=2)
    assert ([one.game for one in first.games], first.left) == (["g3", "g4"], 4)
    archive.catch_up(tell_again, at_once=2)
    last = archive.catch_up(tell_again, at_once=2)
    assert ([one.game for one in last.games], last.left) == ([game, "g0", "g1", "g2", "g3", "g4"], 0)


def test_a_hundred_thousand_games_are_listed_in_seconds(journal, capsys):
    """What has to be told is bounded, whatever a journal holds."""
    with closing(sqlite3.connect(journal)) as db:
        header = '{"game": "g"}'
        rows = ((f"g{n}", n + 2, header, "over") for n in range(100_000))
        db.executemany("INSERT INTO game VALUES (?, ?, ?, ?)", rows)
        db.commit()

    assert main(["history", "--journal", str(journal)]) == 0
    assert "1800 earlier games are not in it yet" in capsys.readouterr().err


def test_a_page_folder_of_pipes_devices_and_circles_brings_only_its_files(tmp_path, caplog):
    """An added game's folder is walked at each start."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "mine.js").write_text("1")
    pipe(folder / "wait.js")
    endless(folder / "zero.js")
    (folder / "round").symlink_to(folder, target_is_directory=True)
    with (folder / "large.js").open("wb") as large:
        large.truncate(3_000_000_000)

    page = Page.installed([folder])

    assert page.find("/games/mine.js").plain == b"1"
    assert [page.find(f"/games/{name}") for name in ("wait.js", "zero.js", "large.js", "round/mine.js")] == [
        None
    ] * 4
    assert "wait.js is not served: is a pipe" in caplog.text


def test_only_plain_files_are_read_and_no_more_of_them_than_was_said(tmp_path):
    """Each refusal says what is there."""
    file, packed = tmp_path / "file", tmp_path / "packed.gz"
    file.write_bytes(b"12345")
    packed.write_bytes(gzip.compress(b"x" * 1000)[:-9])
    for kind, make in KINDS.items():
        make(tmp_path / kind)
        with pytest.raises(NotPlainError, match=kind):
            read_plain(tmp_path / kind, 10)

    assert read_plain(file, 5) == b"12345"
    with pytest.raises(NotPlainError, match="holds more than"):
        read_plain(file, 4)
    with pytest.raises(NotPlainError, match="is cut off"):
        read_packed(packed, 1000, 5000)
    with pytest.raises(NotPlainError, match="not packed by gzip"):
        read_packed(file, 1000, 5000)
    (tmp_path / "link").symlink_to(file)
    with pytest.raises(NotPlainError, match="is a link"):
        open_plain(tmp_path / "link", os.O_WRONLY)
    (tmp_path / "kept.new").symlink_to(file)
    replace_plain(tmp_path / "kept", b"new")
    assert (file.read_bytes(), (tmp_path / "kept").read_bytes()) == (b"12345", b"new")
