"""What ``run`` and ``export`` do with a damaged journal: a clear word, a status by its kind, nothing overwritten."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from helpers.mistakes import in_journal
from helpers.simulated import begin, play
from hextraction.controller.app.command_line import main
from hextraction.controller.play.journal import Journal

pytestmark = pytest.mark.slow

OPENS, REFUSED, LATER = 0, 2, 75
"""The table opens and leaves the game alone; a person has to look; it may pass by itself."""
STEPS = 3000


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return the folder of a journal whose game was cut short: the file, its log, and what lies beside it."""
    folder = tmp_path_factory.mktemp("played")
    made = begin(1, journal=Journal(folder / "games.db", alone=True))
    made.host.journal.sync()
    with closing(sqlite3.connect(folder / "games.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entry").fetchone()  # so what follows stays in the log
        play(made, steps=STEPS, until=lambda _runtime: False)
        made.host.journal.sync()
        shutil.copytree(folder, folder / "at-a-kill")
    made.host.journal.close()
    return folder / "at-a-kill"


@pytest.fixture
def journal(played, tmp_path):
    """Return a copy of that journal, as a kill has left it."""
    shutil.copytree(played, tmp_path / "table")
    return tmp_path / "table" / "games.db"


@pytest.fixture
def opened(journal, capsys):
    """Return how ``run`` opens the journal: its status, and what it said."""

    def run():
        words = ["run", "--no-electronics", "--no-page", "--exit-when-ready", "--journal", str(journal)]
        status = main(words)
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return status, said.err

    return run


def settled(path):
    """Put the log into the file, as after a clean end, so that the file alone is the journal."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def cut(path, share):
    """Cut a file to a share of its bytes."""
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])


def cut_file(share):
    """Return a harm: the whole file, cut."""

    def harm(path):
        settled(path)
        cut(path, share)

    return harm


def flipped(share):
    """Return a harm: one page that begins with other bytes."""

    def harm(path):
        settled(path)
        data = bytearray(path.read_bytes())
        at = int(len(data) * share) // 4096 * 4096
        data[at : at + 16] = bytes(byte ^ 0xFF for byte in data[at : at + 16])
        path.write_bytes(data)

    return harm


def said_by(statement):
    """Return a harm: another program changes the journal."""
    return lambda path: in_journal(path, statement)


def emptied(path, *left):
    """Cut the file to nothing; of what lies beside it only this is left."""
    settled(path)
    for beside in path.parent.iterdir():
        if beside != path and beside.suffix not in left:
            beside.unlink()
    path.write_bytes(b"")


def foreign(path):
    """Put somebody else's database there."""
    for beside in path.parent.iterdir():
        beside.unlink()
    in_journal(path, "CREATE TABLE photo (name TEXT, taken TEXT)")


def text(path):
    """Put a letter there."""
    for beside in path.parent.iterdir():
        beside.unlink()
    path.write_text("Dear all,\n" * 500)


def in_a_circle(path):
    """Let a link lead to itself."""
    path.unlink()
    path.symlink_to(path)


DAMAGED = {
    "cut in the header": (cut_file(0.001), REFUSED, "keep a copy|is no journal|not a database"),
    "cut after a page": (cut_file(0.1), REFUSED, "keep a copy"),
    "cut in the middle": (cut_file(0.5), REFUSED, "keep a copy"),
    "cut near the end": (cut_file(0.85), REFUSED, "keep a copy"),
    "bytes changed in the first page": (flipped(0.0), REFUSED, "not a database"),
    "bytes changed in a page": (flipped(0.3), REFUSED, "keep a copy"),
    "bytes changed in another page": (flipped(0.7), REFUSED, "keep a copy"),
    "bytes changed in the last page": (flipped(0.99), REFUSED, "keep a copy"),
    "a column renamed": (said_by("ALTER TABLE entry RENAME COLUMN body TO text"), REFUSED, "table entry has no body"),
    "a column of games renamed": (
        said_by("ALTER TABLE game RENAME COLUMN header TO head"), REFUSED, "table game has no header",
    ),
    "a table renamed": (said_by("ALTER TABLE entry RENAME TO entries"), REFUSED, "it has no table entry"),
    "an unknown board": (
        said_by("""UPDATE game SET header = replace(header, 'standard-22', 'nowhere-9')"""),
        OPENS, "cannot go on: .*nowhere-9|cannot go on: .*has been changed",
    ),
    "an unknown game": (
        said_by("""UPDATE game SET header = replace(header, '"kind":"hextraction"', '"kind":"ludo"')"""),
        OPENS, "cannot go on: .*no game 'ludo' is installed",
    ),
    "a header that is none": (said_by("UPDATE game SET header = '{'"), OPENS, "cannot go on: .*want the header"),
    "an entry missing": (said_by("DELETE FROM entry WHERE seq = 20"), OPENS, "entry 20: it is missing"),
    "the first entry missing": (said_by("DELETE FROM entry WHERE seq = 1"), OPENS, "entry 1: it is missing"),
    "the last entries missing": (
        said_by("DELETE FROM entry WHERE seq > 30"), OPENS, r"cannot go on: .*entries 31 to \d+ are missing",
    ),
    "all entries missing": (said_by("DELETE FROM entry"), OPENS, r"entries 1 to \d+ are missing"),
    "the game missing": (said_by("DELETE FROM game"), REFUSED, "with its .* entries is gone"),
    "two entries swapped": (
        said_by("UPDATE entry SET body = (SELECT body FROM entry WHERE seq = 20) WHERE seq = 21"),
        OPENS, "entry 21: it or one before it has been changed",
    ),
    "an entry back-dated": (
        said_by("UPDATE entry SET body = json_set(body, '$.at_us', 5) WHERE seq = 25"),
        OPENS, "entry 25: it or one before it has been changed",
    ),
    "an entry that is none": (said_by("UPDATE entry SET body = '[]' WHERE seq = 7"), OPENS, "entry 7"),
    "an entry that is no text": (said_by("UPDATE entry SET body = x'ff00' WHERE seq = 7"), OPENS, "cannot go on"),
    "nothing left of it": (lambda path: emptied(path, ".last"), REFUSED, r"is empty, but games\.db\.last"),
    "nothing left but its copy": (
        lambda path: (shutil.copy(path, f"{path}.kept"), emptied(path, ".kept")),
        REFUSED, r"is empty, but games\.db\.kept",
    ),
    "its log cut": (lambda path: cut(path.with_name("games.db-wal"), 0.5), OPENS, r"entries \d+ to \d+ are missing"),
    "its log gone": (
        lambda path: path.with_name("games.db-wal").unlink(), OPENS, r"entries 1 to \d+ are missing",
    ),
    "somebody else's database": (foreign, REFUSED, "is no journal of games: it has no table game"),
    "a letter": (text, REFUSED, "not a database"),
    "a link to itself": (in_a_circle, REFUSED, "symbolic links"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), REFUSED, "directory"),
}  # fmt: skip


def content(path):
    """Return what a file or link holds, and the rows of the game that was there, if they can be read."""
    if path.is_symlink() or path.is_dir():
        return path.is_symlink() and path.readlink()
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        try:
            return db.execute("SELECT game, seq, body FROM entry").fetchall(), db.execute(
                "SELECT * FROM game"
            ).fetchall()
        except (sqlite3.Error, UnicodeDecodeError):
            return path.read_bytes()


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_journal_is_told_apart_and_left_as_it_is(journal, opened, damage):
    """Which kind it is decides whether a table opens beside it, or a person has to look first."""
    harm, status, words = DAMAGED[damage]
    harm(journal)
    before = content(journal)

    came, said = opened()

    assert came == status, said
    assert re.search(words, said, re.DOTALL), said
    assert content(journal) == before
    assert opened()[0] == status, "asked again it says the same"


def test_a_link_leads_to_the_journal(journal, opened):
    """Games may lie on another disk; the game goes on there, and the link stays one."""
    elsewhere = journal.parent.with_name("elsewhere")
    shutil.copytree(journal.parent, elsewhere)
    for path in journal.parent.iterdir():
        path.unlink()
    journal.symlink_to(elsewhere / "games.db")
    count = len(content(elsewhere / "games.db")[0])

    status, said = opened()

    assert (status, "resumed game" in said) == (OPENS, True)
    assert journal.is_symlink()
    assert len(content(elsewhere / "games.db")[0]) > count


def test_an_empty_file_alone_is_a_new_journal(tmp_path, journal, opened):
    """Somebody has made it for us: nothing says that anything was ever in it."""
    emptied(journal)

    assert opened()[0] == OPENS
    assert Path(f"{journal}.lock").exists()
