"""Tracker and game are one machine over journal entries: the same entries give the same state."""

import pytest
from helpers.mistakes import FailingTracker
from helpers.simulated import begin, entries, game, play, replayed, state
from hextraction.board.facts import BallReleased, RollSettled
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.protocol import Blinded, PowerSet, TileSeen, Woke
from hextraction.controller.play.journal import Boot, EdgeEntry, Entry
from hextraction.controller.play.referee import Referee, replay
from hextraction.controller.tracking import Laid
from msgspec.structs import replace


def rolling(runtime):
    """Whether balls are on the board."""
    return runtime.referee.state.phase is Phase.ROLLING


def header_of(table):
    """Return what the game started from."""
    return table.host.journal.header(table.host.runtime.game)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "players"), [(9, 3), (1, 2), (11, 4)])
def test_the_journal_alone_gives_the_state_after_a_whole_game(seed, players):
    """Replaying a game's entries gives the very state that it ended in, and no rule has failed."""
    table = begin(seed, players=players)
    assert play(table)
    assert replayed(table).state == state(table)
    assert table.host.runtime.failures == 0


def test_the_journal_gives_the_state_at_every_moment():
    """In the middle of a roll, too, the entries so far give the state so far."""
    table = begin(3)
    compared = 0
    while compared < 12 and play(table, steps=40, until=lambda _runtime: False) is False:
        assert replayed(table).state == state(table)
        compared += 1


def test_a_replayed_tracker_knows_the_same_balls_on_the_way():
    """After a replay in the middle of a roll the tracker waits for the same moment, with the same balls."""
    table = begin(9)
    assert play(table, until=lambda runtime: rolling(runtime) and runtime.referee.tracker.moving)
    play(table, steps=30)
    now, again = table.host.runtime.referee, replayed(table)
    assert again.tracker.wake_at_us == now.tracker.wake_at_us
    assert again.tracker.moving == now.tracker.moving
    assert dict(again.tracker.resting) == dict(now.tracker.resting)
    assert (again.seq, again.at_us, again.levels) == (now.seq, now.at_us, now.levels)


def test_another_boot_in_the_middle_of_a_roll_asks_what_the_balls_did():
    """The first thing that a dark spell makes is the question of ruling R-49."""
    table = begin(9)
    assert play(table, until=rolling)
    referee = table.host.runtime.referee
    heard = referee.hear(Boot(at_us=referee.at_us + 5, same=False, boot="other", levels={}))
    assert isinstance(heard[1], PowerSet)
    assert heard[1].lost
    for what in heard:
        referee.apply(what)
    assert [ask.kind for ask in referee.state.asks] == ["interrupted"]


def test_the_same_boot_asks_nothing():
    """If the machine stayed up, only the sensors are read again."""
    table = begin(9)
    assert play(table, until=rolling)
    referee = table.host.runtime.referee
    same = Boot(at_us=referee.at_us + 5, same=True, levels=dict(referee.levels))
    assert referee.hear(same) == [same]


def test_sensors_that_changed_in_a_gap_changed_just_now():
    """A tile Hall that says otherwise after a restart is a tile seen at the time of the restart."""
    table = begin(9)
    referee = table.host.runtime.referee
    at_us = referee.at_us + 1_000
    heard = referee.hear(Boot(at_us=at_us, same=True, levels={"tile.C1": True, "tile.C2": False}))
    assert heard[1:] == [TileSeen(at_us=at_us, slot="C1", present=True)]


def test_a_tracker_that_fails_over_a_change_of_the_game_leaves_the_state_to_the_game():
    """The state follows from the entries alone: the tracker's trouble is kept beside it."""
    table = begin(9)
    referee = table.host.runtime.referee
    referee.apply(PowerSet(at_us=referee.at_us + 1, on=False))
    referee.tracker = FailingTracker(referee.tracker, "resting")
    referee.apply(PowerSet(at_us=referee.at_us + 1, on=True))
    assert referee.state.power
    assert "a bug of ours" in referee.troubles[0]


@pytest.mark.slow
def test_a_replay_skips_what_failed_and_what_fails_only_now(monkeypatch):
    """Marked entries are skipped in silence; one that raises now is told by number, and the rest goes on."""
    table = begin(9)
    assert play(table)
    told = []
    all_entries = entries(table)
    doomed = next(entry.seq for entry in all_entries if isinstance(entry.what, BallReleased))
    step = Referee(game(), header_of(table)).game.__class__.step

    def failing(game, now, event):
        if type(event) is BallReleased:
            raise ArithmeticError("a bug")
        return step(game, now, event)

    monkeypatch.setattr("hextraction.controller.games.hextraction.game.Hextraction.step", failing)
    referee = replay(game(), header_of(table), all_entries, lambda seq, why: told.append((seq, why)))
    assert told[0][0] == doomed
    assert "a bug" in told[0][1]
    assert referee.seq == len(all_entries)
    marked = [Entry(seq=e.seq, what=e.what, failed="x" if e.seq in dict(told) else None) for e in all_entries]
    assert replay(game(), header_of(table), marked).state == referee.state


def test_a_blinded_board_hears_tiles_but_no_balls():
    """Once the sensors are not believed, a ball's edge means nothing and a tile's still does."""
    table = begin(9)
    referee = table.host.runtime.referee
    referee.apply(Blinded(at_us=referee.at_us))
    assert not referee.state.config.sensors
    ball = EdgeEntry(at_us=referee.at_us + 1, sensor="ramp.L1", active=True)
    tile = EdgeEntry(at_us=referee.at_us + 1, sensor="tile.C1", active=True)
    assert referee.hear(ball) == [ball]
    assert [type(what) for what in referee.hear(tile)] == [EdgeEntry, TileSeen]
    assert referee.tracker_wake_at_us is None


def test_a_board_with_some_sensors_only_never_settles_a_roll_by_itself():
    """Without a whole basic set people say when the balls lie still; a release is still seen."""
    table = begin(9)
    header = header_of(table)
    setup = replace(header.setup, config=replace(header.setup.config, sensors=False))
    referee = Referee(game(), replace(header, setup=setup, sensors=("ramp.L1", "drain.A1")))
    heard = referee.hear(EdgeEntry(at_us=1_000_000, sensor="ramp.L1", active=True))
    assert isinstance(heard[1], BallReleased)
    assert referee.tracker.moving
    assert not any(isinstance(what, RollSettled) for what in referee.hear(Woke(at_us=60_000_000)))
    assert not referee.tracker.moving


@pytest.mark.parametrize(("leave_us", "released"), [(80_000, 2), (300_000, 1)])
def test_how_long_a_gap_may_be_is_a_setting_that_the_tracker_follows(leave_us, released):
    """A beam that is free for 150 ms saw a second ball, unless the board is set to overlook such gaps (R-13)."""
    header = header_of(begin(9))
    config = replace(header.setup.config, leave_us=leave_us)
    referee = Referee(game(), replace(header, setup=replace(header.setup, config=config)))
    heard = []
    for at_us, active in ((1_000, True), (50_000, False), (200_000, True), (250_000, False)):
        heard += referee.hear(EdgeEntry(at_us=at_us, sensor="ramp.R1", active=active))
    assert sum(isinstance(what, BallReleased) for what in heard) == released


@pytest.mark.parametrize(("power", "told"), [(True, 0), (False, 1)])
def test_a_hand_in_a_ramps_beam_is_no_ball_while_gates_let_them_off(power, told):
    """With the coils' power off people let balls off themselves, and a ball may stay above a tile that is shut there."""
    referee = begin(9).host.runtime.referee
    referee.apply(PowerSet(at_us=referee.at_us, on=power, lost=False))
    referee.tracker.lay({"B1": Laid(load_tiles()["x"], 1)})
    at_us = referee.at_us + 1_000_000
    for entry in (
        EdgeEntry(at_us=at_us, sensor="ramp.L2", active=True),
        EdgeEntry(at_us=at_us + 15_000, sensor="ramp.L2", active=False),
    ):
        for what in referee.hear(entry):
            referee.apply(what)
    (settled,) = (
        what for what in referee.hear(Woke(at_us=at_us + 60_000_000)) if isinstance(what, RollSettled)
    )
    assert sum(isinstance(fact, BallReleased) for fact in settled.facts) == told
