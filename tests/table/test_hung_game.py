"""A game whose rules never come back is named, and the next start goes on without what hung it."""

import contextlib
import os
import subprocess
import sys

import pytest
from helpers.installed_example import ROOM, somebodys_game
from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.games import registry
from hextraction.controller.games.protocol import Acted, Woke
from hextraction.controller.play.journal import Header, Journal, JournalError
from hextraction.controller.play.performer import Performer
from hextraction.controller.table.host import Host, Plan
from hextraction.controller.table.hung_game import HungGame
from hextraction.controller.table.lobby import Lobby

WAITING = """
import threading
from light_the_ring.game import LightTheRing
ENOUGH = threading.Event()
WHERE = set()

class Theirs(LightTheRing):
    kind, title = "odd", "Odd"

    def step(self, state, event):
        if type(event).__name__ in WHERE:
            ENOUGH.wait(60)
        return super().step(state, event)

    def scene(self, state):
        if "scene" in WHERE:
            ENOUGH.wait(60)
        return super().scene(state)

    def start(self, wanted):
        if "start" in WHERE:
            ENOUGH.wait(60)
        return super().start(wanted)
"""
ENDLESS = """
from light_the_ring.game import LightTheRing

class Theirs(LightTheRing):
    kind, title = "odd", "Odd"

    def step(self, state, event):
        while type(event).__name__ == "Woke":
            pass
        return super().step(state, event)
"""


class Luck:
    """Always the same."""

    def getrandbits(self, _k):
        return 1


def header(setup):
    """Return what a game begins with."""
    return Header(game="g1", boot="b", wall="", software="t", setup=setup, sensors=(), kind="odd")


def table(journal):
    """Return a table of two where the game of somebody else's is played."""
    lobby = Lobby(bots=False)
    for seat in ("red", "blue"):
        lobby.join(seat.capitalize(), seat, {})
    game = registry.open_game("odd", load_board(STANDARD))
    return Host(
        game=game,
        journal=journal,
        performer=Performer(None, None, None),
        lobby=lobby,
        plan=Plan(header=header, luck=Luck(), answer_for_after_s=20.0),
    )


@pytest.fixture
def theirs(tmp_path):
    """Let a game be installed that waits where it is told to; return its module."""
    with somebodys_game(tmp_path, "odd", WAITING):
        registry.game_type("odd")
        yield sys.modules["theirs_odd"]


@contextlib.contextmanager
def looked_at(host, theirs, *where):
    """Let the game hang there, until whoever looks at it wants to leave; return how often that was."""
    theirs.ENOUGH.clear()
    theirs.WHERE.update(where)
    left = []

    def leave():
        left.append(where)
        theirs.WHERE.clear()
        theirs.ENOUGH.set()

    looking = HungGame(host, leave, every_s=0.01, looks=3)
    looking.start()
    try:
        yield left
    finally:
        looking.close()


def act(host, command="c1"):
    """Let red light a slot."""
    option = host.game.private(host.runtime.referee.state, host.runtime.standing.active).options[0]
    seat = host.runtime.standing.active
    return host.runtime.act(Acted(at_us=10, seat=seat, act=option.act, chance=1, command=command))


def failed(journal):
    """Return the kinds of entries that are skipped from now on."""
    return [type(entry.what).__name__ for entry in journal.entries("g1") if entry.failed is not None]


def test_an_act_that_hangs_is_named_and_not_tried_again(theirs, caplog):
    """The log has game, package and place; the phone that sends it again after the restart is refused."""
    journal = Journal(":memory:")
    host = table(journal)
    host.start(0)
    with looked_at(host, theirs, "Acted") as left:
        act(host)

    assert left == [("Acted",)]
    assert "the game Odd (somebodys-game 0.1) hangs" in caplog.text
    assert "entry 1 of game g1 is marked as failed" in caplog.text
    assert "ENOUGH.wait" in caplog.text
    assert failed(journal) == ["Acted"]


@pytest.mark.parametrize("where", ["Woke", "scene"])
def test_what_hangs_a_game_is_skipped_by_the_next_start(theirs, where):
    """An event, or what is shown of the state after it; and the game is not woken for the same again."""
    journal = Journal(":memory:")
    host = table(journal)
    host.start(0)
    with looked_at(host, theirs, where) as left:
        host.advance(10**9)
        host.refresh(10**9)
    assert left == [(where,)]
    wakes = sum(isinstance(entry.what, Woke) for entry in journal.entries("g1"))

    again = table(journal)
    again.recall("g1")
    again.resume({}, 10**9, boot="b")
    again.refresh(10**9)
    assert failed(journal) == ["Woke"]
    assert sum(isinstance(entry.what, Woke) for entry in journal.entries("g1")) == wakes
    assert again.playing is not None


def test_an_event_that_hangs_while_it_is_played_again_is_skipped(theirs):
    """As a version of the game may hang on what an earlier one took."""
    journal = Journal(":memory:")
    host = table(journal)
    host.start(0)
    act(host)
    again = table(journal)
    with looked_at(again, theirs, "Acted") as left:
        again.recall("g1")

    assert left == [("Acted",)]
    assert failed(journal) == ["Acted"]


def test_a_game_that_hangs_before_its_first_event_is_given_up(theirs):
    """There is nothing to skip, and the table is free."""
    journal = Journal(":memory:")
    table(journal).start(0)
    again = table(journal)
    with looked_at(again, theirs, "start"):
        again.recall("g1")

    assert journal.open_game() is None


def test_a_game_that_takes_its_time_is_left_alone(theirs):
    """While the loop comes round, or the game goes on from event to event, nobody says that it hangs."""
    host = table(Journal(":memory:"))
    host.start(0)
    left = []
    looking = HungGame(host, lambda: left.append("left"), every_s=60, looks=2)
    theirs.ENOUGH.set()
    for _turn in range(5):
        looking.beat()
        assert not looking.look()
    act(host)

    assert not any(looking.look() for _turn in range(5))
    assert left == []


def test_an_interrupted_game_that_fails_at_once_leaves_the_table_free(theirs, monkeypatch):
    """Its rules raise before the first event: the table says so and plays another game."""
    journal = Journal(":memory:")
    table(journal).start(0)
    again = table(journal)
    monkeypatch.setattr(theirs.Theirs, "start", lambda *_: 1 / 0)

    with pytest.raises(JournalError, match="ZeroDivisionError"):
        again.recall("g1")
    assert again.runtime is None


@pytest.mark.slow
def test_the_program_ends_and_comes_back_without_what_hung_it(tmp_path):
    """The game spins in a rule as it is woken: status 1 and its name within seconds; then the table stays open."""
    with somebodys_game(tmp_path, "odd", ENDLESS):
        journal = Journal(tmp_path / "games.db", alone=True)
        table(journal).start(0)
        journal.close()
    config = tmp_path / "hextraction.toml"
    config.write_text('[table]\ngame = "odd"\njournal = "games.db"\n')
    words = ("run", "--config", str(config), "--no-electronics", "--no-page")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOM}", "PYTHONUNBUFFERED": "1"}
    program = [
        sys.executable,
        "-c",
        "import sys; from hextraction.controller.app import main; sys.exit(main())",
    ]

    def runs(limit_s):
        return subprocess.run(
            [*program, *words], env=environment, capture_output=True, text=True, timeout=limit_s, check=False
        )

    hung = runs(60)
    assert hung.returncode == 1
    assert "the game Odd (somebodys-game 0.1) hangs" in hung.stderr
    with pytest.raises(subprocess.TimeoutExpired) as stays:
        runs(12)
    assert "Ready." in stays.value.stdout.decode()
    assert "hangs" not in stays.value.stderr.decode()
