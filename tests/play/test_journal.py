"""The journal remembers everything that was accepted, and says what is wrong with what it cannot read."""

import contextlib
import errno
import json
import os
import sqlite3
from pathlib import Path

import msgspec
import pytest
from helpers.mistakes import in_journal
from helpers.simulated import begin, entries, play
from helpers.tabletop import setup
from hextraction.board.facts import BallEntered, BallReleased, RollSettled
from hextraction.controller.games.protocol import Acted, Blinded, PowerSet, TileSeen, Woke
from hextraction.controller.play.journal import (
    Boot,
    Broken,
    CoilsHeld,
    EdgeEntry,
    Header,
    Journal,
    JournalError,
    JournalLostError,
)
from hextraction.controller.play.journal_lines import export_lines, load_lines
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ALL_KINDS = (
    EdgeEntry(at_us=1, sensor="ramp.L1", active=True),
    BallReleased(at_us=1, ball=1, ramp="L1"),
    BallEntered(at_us=2, ball=1, slot="B1"),
    RollSettled(at_us=3, facts=(BallEntered(at_us=2, ball=1, slot="B1"),), probability=0.75),
    TileSeen(at_us=4, slot="B1", present=False),
    PowerSet(at_us=5, on=False, lost=True),
    Woke(at_us=6),
    Acted(at_us=7, seat="red", act={"do": "roll", "ramp": "L1"}, chance=2**64 - 1),
    Boot(at_us=8, same=False, boot="b", levels={"ramp.L1": False}),
    Broken(at_us=9, sensor="ramp.L1", broken=True),
    Blinded(at_us=10),
    CoilsHeld(at_us=11, held=True, why="the emergency stop is pressed"),
    CoilsHeld(at_us=12, held=False, seat="red"),
)


def header(game="one"):
    """Return the header of a game."""
    return Header(game=game, boot="b", wall="w", software="s", setup=setup(), sensors=("ramp.L1",))


@pytest.fixture
def journal(tmp_path):
    """Return an open journal with a game called one."""
    made = Journal(tmp_path / "deep" / "games.db")
    made.begin(header())
    yield made
    made.close()


def exported(journal):
    """Return the lines of game one with an entry of every kind, the second one failed."""
    journal.append("one", ALL_KINDS)
    journal.mark_failed("one", 2, "it failed")
    return list(export_lines(journal, "one"))


def test_every_kind_of_entry_comes_back_equal_and_in_order(journal):
    """What was appended is read back as the same values, numbered from 1."""
    assert journal.append("one", ALL_KINDS) == len(ALL_KINDS)
    found = list(journal.entries("one"))
    assert tuple(entry.what for entry in found) == ALL_KINDS
    assert [entry.seq for entry in found] == list(range(1, len(ALL_KINDS) + 1))


def test_numbers_go_on_where_an_earlier_process_stopped(journal):
    """A journal that is opened again continues the numbers of a game."""
    journal.append("one", ALL_KINDS[:3])
    journal.close()
    again = Journal(journal.path)
    assert again.append("one", ALL_KINDS[3:4]) == 4
    again.close()


def test_several_entries_are_committed_all_or_none(journal):
    """If the second of two entries cannot be written, the first one is not there either."""
    journal.append("one", ALL_KINDS[:1])
    in_journal(
        journal.path,
        "CREATE TRIGGER full BEFORE INSERT ON entry WHEN NEW.seq = 3 BEGIN SELECT RAISE(ABORT, 'full'); END",
    )
    with pytest.raises(JournalLostError, match=r"games\.db: cannot be written any more: full"):
        journal.append("one", ALL_KINDS[1:3])
    assert [entry.seq for entry in journal.entries("one")] == [1]
    in_journal(journal.path, "DROP TRIGGER full")
    assert journal.append("one", ALL_KINDS[1:3]) == 3


def test_the_open_game_is_the_newest_unfinished_one(journal):
    """A game that was cut short is gone on with, also if a later one has been finished."""
    assert journal.open_game() == "one"
    journal.begin(header("two"))
    journal.finish("two", "red wins")
    assert journal.open_game() == "one"
    assert journal.games() == [("one", None), ("two", "red wins")]
    journal.finish("one", "given up")
    assert journal.open_game() is None


def test_a_game_that_is_not_there_is_named(journal):
    """Asking for an unknown game says which journal and which game."""
    with pytest.raises(JournalError, match=r"games\.db: holds no game 'three'"):
        journal.header("three")


def test_a_damaged_entry_is_named(journal):
    """An entry that cannot be read is an error that says game and number."""
    journal.append("one", ALL_KINDS)
    in_journal(journal.path, "UPDATE entry SET body = '{' WHERE seq = 2")
    with pytest.raises(JournalError, match="game one, entry 2"):
        list(journal.entries("one"))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return the bytes of a journal with two games."""
    made = Journal(tmp_path_factory.mktemp("played") / "games.db")
    for game in ("one", "two"):
        made.begin(header(game))
        for _round in range(4):
            made.append(game, ALL_KINDS)
    made.close()
    return Path(made.path).read_bytes()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(data=st.data(), alone=st.booleans())
def test_a_damaged_journal_is_read_or_refused_in_a_sentence(played, tmp_path, data, alone):
    """Flipped bits and cut ends, opened for playing or for reading: never another error, nothing made up."""
    damaged = bytearray(played)
    for place in data.draw(st.lists(st.integers(0, len(played) - 1), max_size=5)):
        damaged[place] ^= 1 << data.draw(st.integers(0, 7))
    del damaged[data.draw(st.integers(0, len(played))) :]
    path = tmp_path / "damaged.db"
    for left in tmp_path.glob("damaged.db-*"):
        left.unlink()
    path.write_bytes(damaged)

    with contextlib.suppress(JournalError), contextlib.closing(Journal(path, alone=alone)) as found:
        for game, _outcome in found.games():
            found.header(game)
            assert [entry.seq for entry in found.entries(game)] in (list(range(1, n + 1)) for n in range(53))


def test_a_damaged_journal_is_not_written_to(played, tmp_path):
    """Whoever is to save it needs it as it is; the message says what to do."""
    path = tmp_path / "games.db"
    path.write_bytes(played[: len(played) // 2])

    with pytest.raises(JournalError, match="keep a copy, move it away to begin a new one"):
        Journal(path, alone=True)
    assert path.read_bytes() == played[: len(played) // 2]


def test_a_missing_entry_is_named(journal):
    """Playing on without it would be another game."""
    journal.append("one", ALL_KINDS)
    in_journal(journal.path, "DELETE FROM entry WHERE seq = 3")
    with pytest.raises(JournalError, match="game one, entry 3: it is missing"):
        list(journal.entries("one"))


@pytest.mark.parametrize(
    "harm",
    [
        """UPDATE entry SET body = replace(body, 'L1', 'L2') WHERE seq = 2""",
        "UPDATE entry SET body = (SELECT body FROM entry WHERE seq = 1) WHERE seq = 2",
        "UPDATE game SET header = replace(header, 'red', 'RED')",
        "UPDATE entry SET sum = sum + 1 WHERE seq = 2",
    ],
)
def test_an_entry_that_was_changed_is_noticed(journal, harm):
    """Each entry's checksum goes over all before it and the header: one that reads well is not enough."""
    journal.append("one", ALL_KINDS)
    in_journal(journal.path, harm)
    with pytest.raises(JournalError, match=r"game one, entry [12]: it or one before it has been changed"):
        list(journal.entries("one"))


def test_a_journal_of_before_has_no_checksums_and_goes_on_with_them(journal):
    """It is read as it is, opened for playing it gets the column, and from then on every entry has one."""
    journal.append("one", ALL_KINDS[:3])
    journal.close()
    in_journal(journal.path, "ALTER TABLE entry DROP COLUMN sum")
    with contextlib.closing(Journal(journal.path)) as reading:
        assert [entry.seq for entry in reading.entries("one")] == [1, 2, 3]
    with contextlib.closing(Journal(journal.path, alone=True)) as again:
        again.append("one", ALL_KINDS[3:])
        assert tuple(entry.what for entry in again.entries("one")) == ALL_KINDS
        in_journal(journal.path, "UPDATE entry SET body = replace(body, 'L1', 'L2') WHERE seq = 2")
        with pytest.raises(JournalError, match="entry 4: it or one before it has been changed"):
            list(again.entries("one"))


def test_an_entry_from_long_before_the_one_before_it_is_noticed(journal):
    """Clocks of devices lag a little; an hour is another game."""
    late = [Woke(at_us=3_600_000_000), Woke(at_us=3_599_900_000)]
    journal.append("one", late)
    assert len(list(journal.entries("one"))) == 2
    journal.append("one", [Woke(at_us=5)])
    with pytest.raises(JournalError, match="entry 3: it is from long before entry 2"):
        list(journal.entries("one"))


@pytest.fixture
def synced(tmp_path):
    """Return the file of a game of eleven entries, of which nine had been put onto the disk."""
    made = Journal(tmp_path / "games.db", alone=True)
    made.begin(header())
    made.append("one", ALL_KINDS[:9])
    made.sync()
    made.append("one", ALL_KINDS[9:11])
    made.close()
    return Path(made.path)


def test_what_a_cut_of_the_mains_may_take_is_not_missed(synced):
    """Entries after the last sync may be gone; the game goes on from those that are there."""
    in_journal(synced, "DELETE FROM entry WHERE seq > 9")
    with contextlib.closing(Journal(synced, alone=True)) as found:
        assert len(list(found.entries("one"))) == 9


def test_entries_that_had_been_put_onto_the_disk_are_missed(synced):
    """A file that ends before that has lost something since then."""
    in_journal(synced, "DELETE FROM entry WHERE seq > 6")
    with (
        contextlib.closing(Journal(synced, alone=True)) as found,
        pytest.raises(JournalError, match="game one: entries 7 to 9 are missing"),
    ):
        list(found.entries("one"))


def test_what_is_played_on_while_somebody_reads_is_not_missed(synced):
    """The reader sees the game as it was when it began to read, and that is whole."""
    with (
        contextlib.closing(Journal(synced, alone=True)) as playing,
        contextlib.closing(Journal(synced)) as read,
    ):
        reading = read.entries("one")
        first = next(reading)
        playing.append("one", ALL_KINDS[11:])
        playing.sync()
        assert [entry.seq for entry in (first, *reading)] == list(range(1, 12))


def test_a_file_that_was_emptied_is_no_new_journal(synced):
    """Nor is one from which the game is gone; whoever moves the file away begins a new one."""
    kept = synced.read_bytes()
    synced.write_bytes(b"")
    with pytest.raises(
        JournalError, match=r"is empty, but games\.db\.last beside it says that games were in it"
    ):
        Journal(synced, alone=True)
    synced.rename(synced.with_suffix(".away"))
    with contextlib.closing(Journal(synced, alone=True)) as new:
        assert new.games() == []
    assert kept


def test_the_file_is_copied_as_it_was_before_anything_is_written(synced):
    """Whoever finds later that something went wrong has the games as they were at the start."""
    with contextlib.closing(Journal(synced, alone=True)) as found:
        found.append("one", ALL_KINDS[11:])
    with contextlib.closing(Journal(f"{synced}.kept")) as copy:
        assert tuple(entry.what for entry in copy.entries("one")) == ALL_KINDS[:11]
    assert Path(f"{synced}.kept").stat().st_mode & 0o777 == 0o640


def test_what_is_no_journal_is_refused(tmp_path):
    """A text file and a folder cannot be used as a journal, and the message names them."""
    (tmp_path / "text.db").write_text("this is not SQLite, whatever its name says\n" * 40)
    for bad in (tmp_path / "text.db", tmp_path):
        with pytest.raises(JournalError, match=str(bad)):
            Journal(bad)


def test_export_and_load_are_inverse_with_every_kind_of_entry(journal):
    """Loading exported lines gives the same header and entries, failures included."""
    found, loaded = load_lines(exported(journal), "file")
    assert found == header()
    assert loaded == list(journal.entries("one"))
    assert loaded[1].failed == "it failed"


@pytest.mark.slow
def test_export_and_load_are_inverse_for_a_whole_game():
    """A game that bots have played comes back entry for entry."""
    table = begin(9)
    assert play(table)
    lines = list(export_lines(table.host.journal, table.host.runtime.game))
    assert load_lines(lines, "game")[1] == entries(table)
    assert all(json.loads(line) for line in lines)


BAD_LINES = {
    "not JSON": ("{", "malformed|truncated"),
    "no object": ("[1]", "Expected `object`"),
    "no number": ('{"event":"Woke","at_us":1}', "seq"),
    "a number in quotes": ('{"seq":"3","event":"Woke","at_us":1}', "Expected `int`"),
    "a fraction": ('{"seq":3.5,"event":"Woke","at_us":1}', "Expected `int`"),
    "an unknown event": ('{"seq":3,"event":"Sneezed","at_us":1}', "Invalid value 'Sneezed'"),
    "an unknown fact": ('{"seq":3,"fact":"BallAte","at_us":1}', "Invalid value 'BallAte'"),
    "no kind": ('{"seq":3,"at_us":1}', "event"),
    "a field missing": ('{"seq":3,"event":"Edge","at_us":1,"active":true}', "sensor"),
    "a wrong type": ('{"seq":3,"event":"Woke","at_us":"soon"}', "Expected `int`"),
    "a failure that is no text": ('{"seq":3,"event":"Woke","at_us":1,"failed":7}', "Expected `str"),
    "a number too early": ('{"seq":2,"event":"Woke","at_us":1}', "want entry 3, found entry 2"),
    "a line lost": ('{"seq":4,"event":"Woke","at_us":1}', "want entry 3, found entry 4"),
}


@pytest.mark.parametrize(("line", "said"), BAD_LINES.values(), ids=BAD_LINES)
def test_every_kind_of_bad_line_is_named(journal, line, said):
    """A line that is no entry is told with the file, its number and what is wrong."""
    lines = [*exported(journal)[:3], line]
    with pytest.raises(JournalError, match=rf"^file: line 4: (.|\n)*({said})"):
        load_lines(lines, "file")


def test_all_bad_lines_are_told_at_once(journal):
    """Two bad lines and a bad header make three problems in one error."""
    lines = exported(journal)
    lines[0], lines[2], lines[5] = "{}", "nonsense", "{}"
    with pytest.raises(JournalError) as caught:
        load_lines(lines, "file")
    told = str(caught.value).splitlines()
    assert told[0].startswith("file: line 1: want the header of a game")
    assert [line.split(":")[1] for line in told if "want an entry of" in line] == [" line 3", " line 6"]


def test_a_flood_of_bad_lines_is_kept_short(journal):
    """Of a hundred bad lines twenty are told, and how many more there are."""
    with pytest.raises(JournalError) as caught:
        load_lines([exported(journal)[0], *["x"] * 100], "file")
    told = str(caught.value).splitlines()
    assert (len(told), told[-1]) == (21, "… and 80 more")


def test_an_empty_file_and_another_format_are_refused(journal):
    """Nothing at all, and a header of a later format, are told on line 1."""
    with pytest.raises(JournalError, match="file: the file is empty"):
        load_lines([], "file")
    later = msgspec.json.encode(msgspec.structs.replace(header(), journal=2)).decode()
    with pytest.raises(JournalError, match="file: line 1: written in format 2, this reads format 1"):
        load_lines([later], "file")


def test_a_header_that_names_no_game_holds_hextraction(journal):
    """Journals were written before the header said which game they hold."""
    lines = exported(journal)
    old = json.loads(lines[0])
    del old["kind"]

    read, _entries = load_lines([json.dumps(old), *lines[1:]], "old.jsonl")

    assert read == header()


def test_a_game_that_is_not_installed_is_named_with_those_that_are(journal):
    """Somebody else's journal may hold a game of their own."""
    lines = exported(journal)
    lines[0] = json.dumps({**json.loads(lines[0]), "kind": "ludo"})

    with pytest.raises(JournalError, match=r"line 1: no game 'ludo' is installed; there are hextraction"):
        load_lines(lines, "theirs.jsonl")


def test_a_process_that_only_reads_sees_every_entry_at_once(journal):
    """Another connection finds an entry as soon as append has returned: a kill can lose none."""
    reader = sqlite3.connect(journal.path)
    for number, what in enumerate(ALL_KINDS, start=1):
        journal.append("one", [what])
        assert reader.execute("SELECT COUNT(*) FROM entry").fetchone() == (number,)
    reader.close()


def test_two_tables_cannot_play_on_one_journal(tmp_path):
    """The second table is refused with a sentence; when the first has gone it may."""
    first = Journal(tmp_path / "games.db", alone=True)
    with pytest.raises(JournalError, match="another table plays on this journal"):
        Journal(tmp_path / "games.db", alone=True)
    first.close()

    Journal(tmp_path / "games.db", alone=True).close()


def test_a_link_to_a_journal_is_the_same_journal(tmp_path):
    """Else two tables would write into one game, each sure to be alone."""
    first = Journal(tmp_path / "games.db", alone=True)
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")

    with pytest.raises(JournalError, match="another table plays on this journal"):
        Journal(tmp_path / "link.db", alone=True)
    first.close()


def test_a_new_journal_is_nobody_elses_to_read(tmp_path):
    """Hands are in it."""
    journal = Journal(tmp_path / "games.db")
    journal.begin(header())

    assert {path.stat().st_mode & 0o007 for path in tmp_path.iterdir()} == {0}
    journal.close()


def test_what_is_synced_reaches_the_disk_though_somebody_reads_what_is_older(journal, monkeypatch):
    """A reader keeps SQLite from copying the log, and so from syncing it: the log itself is synced then."""
    synced = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_ino))
    journal.append("one", ALL_KINDS)
    journal.sync()
    reader = sqlite3.connect(journal.path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT COUNT(*) FROM entry").fetchone()
    assert synced == [], "SQLite has synced it with its own calls"

    journal.append("one", ALL_KINDS)
    journal.sync()

    assert synced == [Path(f"{journal.path}-wal").stat().st_ino]
    reader.close()


def test_a_disk_that_refuses_to_sync_stops_the_game_in_a_sentence(journal, monkeypatch):
    """Nothing may be acted on that the journal cannot keep."""

    def refuse(_file):
        raise OSError(errno.EIO, "Input/output error")

    reader = sqlite3.connect(journal.path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT COUNT(*) FROM entry").fetchone()
    journal.append("one", ALL_KINDS)
    monkeypatch.setattr(os, "fsync", refuse)

    with pytest.raises(JournalLostError, match="cannot be written any more"):
        journal.sync()
    reader.close()


def test_a_reader_that_stops_early_may_be_thrown_away_after_the_journal_is_closed(journal):
    """`export | head` ends in silence."""
    journal.append("one", ALL_KINDS)
    reading = journal.entries("one")
    next(reading)
    journal.close()
    reading.close()
