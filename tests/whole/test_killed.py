"""A controller that is killed at any moment loses nothing: it goes on in the very state that its journal gives."""

import random
import sqlite3
import time
from pathlib import Path

import pytest
from helpers.simulated import game as rules
from helpers.tiers import first_by_day, nightly
from helpers.warm_start import WarmStart
from hextraction.board.profile import load_board
from hextraction.controller.games.registry import SHIPPED, STANDARD, open_game
from hextraction.controller.play.journal import Boot, EdgeEntry, Journal
from hextraction.controller.play.referee import replay

pytestmark = pytest.mark.slow

KILLS = 50
KILLS_A_GAME = 25


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return what starts the demo as a process."""
    with WarmStart(tmp_path_factory.mktemp("said")) as warm:
        yield warm


class Table:
    """The demo as a child process, and its journal as it lies on the disk."""

    def __init__(self, program: WarmStart, path: Path, seed: int, kind: str = STANDARD) -> None:
        self.program = program
        self.path = path
        self.seed = seed
        self.kind = kind

    def start(self, *, speed=25.0):
        words = ["demo", "--no-page", "--games", 1, "--laid", 18, "--seed", self.seed, "--game", self.kind]
        quick = ["--bots", "weak", "--speed", speed]  # who thinks longer is not killed otherwise
        return self.program.start(*words, *quick, "--journal", self.path, "--resume")

    def count(self):
        """Return how many entries the journal has, read as another program would."""
        if not self.path.exists():
            return 0
        db = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=5)
        try:
            return db.execute("SELECT COUNT(*) FROM entry").fetchone()[0]
        except sqlite3.OperationalError:
            return 0  # not even the tables are there yet
        finally:
            db.close()

    def rows(self):
        """Return every entry of every game, after asking SQLite whether the file is sound."""
        db = sqlite3.connect(self.path)
        try:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            return db.execute("SELECT game, seq, body FROM entry ORDER BY game, seq").fetchall()
        finally:
            db.close()

    def referee(self, upto=None):
        """Return the referee that the journal's newest game gives, and its entries."""
        journal = Journal(self.path)
        try:
            game = journal.games()[-1][0]
            entries = [entry for entry in journal.entries(game) if upto is None or entry.seq <= upto]
            header = journal.header(game)
            played = (
                rules() if header.kind == STANDARD else open_game(header.kind, load_board(header.setup.board))
            )
            return replay(played, header, entries), entries
        finally:
            journal.close()

    def finished(self):
        journal = Journal(self.path)
        try:
            games = journal.games()
            return bool(games) and games[-1][1] is not None
        finally:
            journal.close()

    def kill_soon(self, chance: random.Random):
        """Start, wait for news in the journal and a moment more, and kill; return whether it had ended before."""
        before = self.count()
        child = self.start()
        wanted = before + chance.randrange(1, 12)
        deadline = time.monotonic() + 20
        while not child.ends(0.02) and self.count() < wanted and time.monotonic() < deadline:
            pass
        ended = child.ends(chance.random() * 0.08)
        child.kill()
        assert "Traceback" not in child.words[1]
        return ended


@nightly("kills by the dozen", meanwhile="test_kills_lose_nothing_of_any_other_game")
def test_fifty_kills_lose_nothing_and_every_game_is_finished(tmp_path, program):
    """After each of 50 kills every entry is still there, the game goes on from its state, and it can be won."""
    chance = random.Random(20)
    kills, games, rolling = 0, 0, 0
    while kills < KILLS:
        games += 1
        table = Table(program, tmp_path / f"game{games}.db", seed=games)
        known = []
        for _kill in range(KILLS_A_GAME):
            if table.kill_soon(chance):
                break
            kills += 1
            rows = table.rows()
            assert_goes_on(known, rows)
            known = rows
            if rows:
                referee, entries = table.referee()
                rolling += referee.state.roll is not None
                assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        ends(table)
        assert_goes_on(known, table.rows())
    assert rolling >= 10, "too few kills came while balls were moving to prove anything"


@pytest.mark.parametrize(
    ("kind", "many"),
    first_by_day(
        [("hextris", 8), *((kind, 30) for kind in SHIPPED if kind != STANDARD)], "thirty kills of each game"
    ),
)
def test_kills_lose_nothing_of_any_other_game(tmp_path, program, kind, many):
    """After each kill every entry is there, and the games go on to their ends."""
    chance = random.Random(21)
    kills, games = 0, 0
    while kills < many:
        games += 1
        table = Table(program, tmp_path / f"game{games}.db", seed=games, kind=kind)
        known = []
        for _kill in range(KILLS_A_GAME):
            if table.kill_soon(chance):
                break
            kills += 1
            rows = table.rows()
            assert_goes_on(known, rows)
            known = rows
            if rows:
                referee, entries = table.referee()
                assert referee.game.kind == kind
                assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        ends(table)
        assert_goes_on(known, table.rows())


def assert_goes_on(known, rows):
    """Every known entry is there, and only later ones have come to its game; games are in no order."""
    for game in {game for game, _seq, _body in known}:
        was = [row for row in known if row[0] == game]
        assert [row for row in rows if row[0] == game][: len(was)] == was


def ends(table):
    """Let a game run to its end."""
    if table.finished():
        return
    last = table.start(speed=0)
    assert last.ends(240)
    out, err = last.words
    assert (last.status, err) == (0, "")
    assert "journal:" in out
    assert table.finished(), out
    referee, entries = table.referee()
    assert referee.state.outcome
    assert all(entry.failed is None for entry in entries)


def test_the_game_goes_on_from_the_very_state_that_its_journal_gives(tmp_path, program):
    """What a restart adds begins with its reading of the sensors, in the state that the entries before give."""
    table = Table(program, tmp_path / "games.db", seed=5)
    chance = random.Random(5)
    assert not table.kill_soon(chance)
    before, entries = table.referee()
    assert not table.kill_soon(chance)
    again, more = table.referee(upto=len(entries))
    assert again.state == before.state
    _whole, all_entries = table.referee()
    assert isinstance(all_entries[len(more)].what, Boot)
    assert any(isinstance(entry.what, EdgeEntry) for entry in all_entries)
