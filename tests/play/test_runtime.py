"""The runtime journals before it acts, and a mistake of ours costs one event, never the game."""

import pytest
from helpers.audience import Phones
from helpers.mistakes import FailingRules, FailingTracker, in_journal
from helpers.simulated import BOARD, TILES, begin, entries, game, now_us, play, replayed, state, table
from hextraction.board.facts import BallReleased, RollSettled
from hextraction.controller.games.hextraction import Hextraction, Phase
from hextraction.controller.games.protocol import Acted, Blinded, OpenGate, PowerSet, Woke
from hextraction.controller.play.journal import Broken, EdgeEntry, Journal, JournalLostError
from hextraction.controller.play.referee import replay
from hextraction.hal.ports import Edge

LATER_US = 40_000_000


def failing_on(table, kind, *, times=99):
    """Let the rules raise on events of a kind, so often."""
    table.host.runtime.referee.game = FailingRules(kind, times=times)


def failing_tracker(table, word, *, times=99):
    """Let the tracker raise, so often, when it is told something."""
    referee = table.host.runtime.referee
    referee.tracker = FailingTracker(referee.tracker, word, times=times)


def rolling(runtime):
    """Whether balls are on the board."""
    return runtime.referee.state.phase is Phase.ROLLING


class Heard:
    """What phones are told, by kind."""

    def __init__(self, table):
        self.table, self.host = table, table.host
        self.phones = self.host.audience = Phones()

    def kinds(self):
        self.host.refresh(now_us(self.table))
        return [event.kind for event in self.phones.events]


class Restless(Hextraction):
    """Rules that want to be woken now, and now, and now."""

    def wake_at_us(self, state):
        return state.at_us


class Witless(Hextraction):
    """Rules that cannot say when to wake them."""

    def wake_at_us(self, state):
        return 1 / 0


class Watched:
    """A performer whose effects are noted with whether the journal had what caused them."""

    def __init__(self, table):
        self.table, self.seen = table, []
        self.real = table.host.runtime.performer
        self.opened = self.real.opened

    def perform(self, effects):
        newest = entries(self.table)[-1]
        known = self.table.host.runtime.referee.seq <= newest.seq
        self.seen += [(type(effect), known) for effect in effects]
        self.real.perform(effects)

    def reflex(self, sensor):
        """Nobody waits for the journal with a lamp that decides nothing."""


def failed(table):
    """Return the entries that are marked as failed."""
    return [entry for entry in entries(table) if entry.failed is not None]


@pytest.mark.slow
def test_everything_is_in_the_journal_before_it_is_acted_on():
    """When a gate opens or a phone is told something, the journal already has what caused it."""
    table = begin(9)
    watched = table.host.runtime.performer = Watched(table)
    assert play(table)
    assert OpenGate in {kind for kind, _known in watched.seen}
    assert all(known for _kind, known in watched.seen)


def test_what_cannot_be_journalled_is_not_acted_on(tmp_path):
    """If the journal fails, the error comes out and the state stays."""
    table = begin(9, journal=Journal(tmp_path / "games.db"))
    before = state(table)
    in_journal(
        tmp_path / "games.db",
        "CREATE TRIGGER full BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'full'); END",
    )
    with pytest.raises(JournalLostError):
        table.host.power(False, 1_000_000)
    assert state(table) is before
    table.host.journal.close()


def test_a_refused_action_is_not_journalled():
    """What a rule refuses leaves neither a trace in the journal nor in the state."""
    table = begin(9)
    before, count = state(table), len(entries(table))
    refusal = table.host.runtime.act(Acted(at_us=1, seat="red", act={"do": "sneeze"}))
    assert refusal.seat == "red"
    assert (state(table), len(entries(table))) == (before, count)


@pytest.mark.slow
def test_an_action_that_makes_a_rule_fail_is_marked_and_the_table_told():
    """Our fault is confessed: the actor gets an answer, the journal the evidence, and the game goes on."""
    table = begin(9)
    heard, before = Heard(table), state(table)
    failing_on(table, Acted, times=1)
    act = {"do": "roll", "ramp": "L1"}
    refusal = table.host.runtime.act(Acted(at_us=1, seat=before.active, act=act))
    assert "Our fault" in refusal.reason
    assert heard.kinds() == ["fault"]
    (entry,) = failed(table)
    assert entry.what.act == act
    assert "ArithmeticError: a bug of ours" in entry.failed
    assert state(table) is before
    assert play(table)
    assert replayed(table).state == state(table)


@pytest.mark.slow
def test_a_fact_that_makes_a_rule_fail_is_skipped_here_and_in_replays():
    """A release that the rules choke on is marked; the game ends nevertheless, and its replay is the same."""
    table = begin(9)
    heard = Heard(table)
    failing_on(table, BallReleased, times=1)
    assert play(table)
    assert [type(entry.what) for entry in failed(table)] == [BallReleased]
    assert "fault" in heard.kinds()
    assert table.host.runtime.failures == 1
    assert replayed(table).state == state(table)


@pytest.mark.slow
def test_a_wake_up_that_fails_is_not_tried_again_and_again():
    """A rule that raises on Woke is asked once in this state: the journal does not fill with failures."""
    table = begin(9)
    failing_on(table, Woke)
    play(table, until=lambda runtime: runtime.failures > 0)
    runtime = table.host.runtime
    for _second in range(20):
        runtime.advance(runtime.referee.at_us + 1_000_000)
    assert runtime.failures <= 2
    assert len(failed(table)) == runtime.failures


def test_a_game_that_never_tires_of_waking_is_left_asleep():
    """A wish to be woken now, and now, and now, ends after a bounded number of entries."""
    table = begin(9)
    table.host.runtime.referee.game = Restless(BOARD, TILES)
    count = len(entries(table))
    for _tick in range(5):
        table.host.runtime.advance(1_000_000)
    assert len(entries(table)) - count <= 200


def test_a_game_that_cannot_say_when_to_wake_it_goes_on():
    """An exception in the wish itself is logged once for the state and stops nothing."""
    table = begin(9)
    table.host.runtime.referee.game = Witless(BOARD, TILES)
    for _tick in range(5):
        table.host.runtime.advance(1_000_000)
    assert table.host.runtime.failures == 1


def test_one_failure_of_the_tracker_costs_one_edge():
    """An edge that the tracker chokes on is marked and skipped; the sensors are believed further."""
    table = begin(9)
    heard = Heard(table)
    failing_tracker(table, "feed", times=1)
    assert play(table, until=lambda runtime: runtime.failures == 1)
    assert [type(entry.what) for entry in failed(table)] == [EdgeEntry]
    assert heard.kinds().count("fault") == 1
    assert not table.host.runtime.referee.blind
    assert replayed(table).state == state(table)


def test_the_third_failure_of_the_tracker_hands_the_balls_to_the_people():
    """After three failed edges the table is told to tap in what balls do, and may; a replay knows it too."""
    table = begin(9)
    heard = Heard(table)
    failing_tracker(table, "feed")
    assert play(table, until=lambda runtime: runtime.referee.blind)
    assert len(failed(table)) == 3
    assert heard.kinds()[-1] == "blind"
    assert isinstance(entries(table)[-1].what, Blinded)
    assert not state(table).config.sensors
    assert replayed(table).state == state(table)
    assert replayed(table).blind


def test_a_blind_board_is_played_to_the_end_by_taps():
    """Without the tracker a roll is released, touched and won by what people say."""
    table = begin(9)
    wins_by_taps(table)
    assert table.host.runtime.over
    assert replayed(table).state == state(table)


def wins_by_taps(table):
    """Let the tracker fail, and win the game that has just begun by what people say."""
    failing_tracker(table, "feed")
    assert play(table, until=lambda runtime: runtime.referee.blind)
    runtime = table.host.runtime
    for act in ({"do": "roll", "ramp": "L1"}, saw("released", "L1"), saw("zone", "L"), saw("still")):
        acted = Acted(at_us=runtime.referee.at_us + 1, seat=state(table).active, act=act)
        refused = runtime.act(acted)
        assert refused is None or act["do"] == "roll", refused
    runtime.advance(runtime.referee.at_us + LATER_US)


class KilledAtTheEnd(Journal):
    """A program that is killed when a game's last entry is written and its end is not noted yet."""

    def finish(self, game, outcome):
        """Come to nothing."""
        raise KilledError


class KilledError(Exception):
    """The program is no more."""


def test_an_end_that_a_kill_kept_from_being_noted_is_noted_by_the_next_start(tmp_path):
    """Or the game would be taken up again at every start, and be over each time."""
    dying = begin(9, journal=KilledAtTheEnd(tmp_path / "games.db"))
    with pytest.raises(KilledError):
        wins_by_taps(dying)
    dying.host.journal.close()
    again = table(9, journal=Journal(tmp_path / "games.db"))
    name = again.host.journal.open_game()

    again.resume(name)

    assert again.host.journal.games() == [(name, state(again).outcome)]
    assert again.host.journal.open_game() is None
    again.host.journal.close()


def test_a_command_that_comes_again_after_a_restart_is_not_done_twice():
    """It was journalled, the program died before it answered, and the phone repeats it: yes, and nothing more."""
    table = begin(9)
    failing_tracker(table, "feed")
    assert play(table, until=lambda runtime: runtime.referee.blind)
    runtime = table.host.runtime
    runtime.act(
        Acted(at_us=runtime.referee.at_us + 1, seat=state(table).active, act={"do": "roll", "ramp": "L1"})
    )
    told = Acted(at_us=runtime.referee.at_us + 2, seat="red", act=saw("released", "L1"), command="n1")
    assert runtime.act(told) is None
    count = len(entries(table))
    table.host.recall(runtime.game)

    assert table.host.runtime.act(told) is None

    assert len(entries(table)) == count
    assert table.host.runtime.referee.state == replayed(table).state


def saw(what, place=None):
    """Return the tap that says what a ball did."""
    return {"do": "attest", "saw": what, **({"place": place} if place else {})}


@pytest.mark.parametrize("broken", ["tracker", "rules"])
def test_a_roll_that_cannot_be_settled_is_settled_by_people(broken):
    """If the settlement itself fails, nobody waits for ever: the sensors are given up at once."""
    table = begin(9)
    assert play(table, until=rolling)
    if broken == "tracker":
        failing_tracker(table, "advance")
    else:
        failing_on(table, RollSettled)
    assert play(table, until=lambda runtime: runtime.referee.blind)
    assert len(failed(table)) == 1
    assert replayed(table).state == state(table)


def test_a_tracker_that_chokes_on_a_gate_hands_the_balls_to_the_people():
    """If the tracker cannot be told of an opened gate, it is no longer believed; the game's state stands."""
    table = begin(9)
    failing_tracker(table, "expect")
    assert play(table, until=lambda runtime: runtime.referee.blind)
    assert failed(table) == []
    assert replayed(table).state == state(table)


@pytest.mark.slow
def test_thinking_ahead_ends_and_changes_nothing():
    """Idle time spent on the next edge leaves the game as it would be without."""
    journals = []
    for ahead in (0, 400):
        table = begin(9)
        play(table, steps=ahead, until=lambda runtime: not runtime.think_ahead() and rolling(runtime))
        thoughts = 0
        while ahead and table.host.runtime.think_ahead():
            thoughts += 1
        assert thoughts < 2_000
        assert play(table)
        journals.append([entry.what for entry in entries(table)])
    assert journals[0] == journals[1]


def test_thinking_ahead_never_stops_the_game():
    """A bug in the idle work is logged; without tracker or game there is nothing to think of."""
    table = begin(9)
    runtime = table.host.runtime
    assert runtime.think_ahead()
    failing_tracker(table, "think_ahead", times=1)
    assert runtime.think_ahead() is False
    assert runtime.think_ahead()
    runtime.referee.apply(Blinded(at_us=runtime.referee.at_us))
    assert runtime.think_ahead() is False


def test_an_unknown_sensor_is_counted_and_nothing_else():
    """A name that the board does not have is logged and counted, not journalled."""
    table = begin(9)
    before, count = state(table), len(entries(table))
    for _time in range(3):
        table.host.edge(Edge("drain.Z9", True, 5_000_000))
        table.host.edge(Edge("tile.Z9", False, 5_000_000))
    runtime = table.host.runtime
    assert dict(runtime.ignored) == {"drain.Z9": 3, "tile.Z9": 3}
    assert (state(table), len(entries(table))) == (before, count)


@pytest.mark.slow
def test_an_impossible_edge_is_counted_and_the_game_goes_on():
    """A sensor that goes on while it is on is counted; time that goes backwards is taken as now."""
    table = begin(9)
    runtime = table.host.runtime
    runtime.edge(Edge("drain.A1", True, 4_000_000))
    runtime.edge(Edge("drain.A1", True, 5_000_000))
    runtime.edge(Edge("drain.A1", False, 1_000_000))
    assert dict(runtime.ignored) == {"drain.A1": 1}
    assert runtime.referee.at_us >= 4_000_000
    assert play(table)
    assert replayed(table).state == state(table)


def test_people_may_declare_a_sensor_broken_and_whole_again():
    """Both words are journalled, and the tracker no longer believes the sensor in between."""
    table = begin(9)
    runtime = table.host.runtime
    assert runtime.declare("drain.A1", broken=True, at_us=7)
    assert runtime.declare("drain.A1", broken=False, at_us=8)
    assert not runtime.declare("drain.Z9", broken=True, at_us=9)
    words = [entry.what.broken for entry in entries(table) if isinstance(entry.what, Broken)]
    assert words == [True, False]


@pytest.mark.slow
def test_the_outcome_is_noted_once_and_a_finished_game_hears_no_more(tmp_path):
    """The journal has the outcome when the game is over, and edges after the end are no part of it."""
    table = begin(9, journal=Journal(tmp_path / "games.db"))
    assert play(table)
    game = table.host.runtime.game
    assert table.host.journal.games() == [(game, state(table).outcome)]
    count = len(entries(table))
    table.host.edge(Edge("drain.A1", True, 10**9))
    table.host.power(False, 10**9)
    assert len(entries(table)) == count
    table.host.journal.close()


def test_power_comes_after_what_was_due_before_it():
    """A switch that is flipped late does not overtake the deadline before it."""
    table = begin(9)
    assert play(table, until=lambda runtime: runtime.wake_at_us is not None)
    due_us = table.host.runtime.wake_at_us
    table.host.power(False, due_us + 1)
    kinds = [type(entry.what) for entry in entries(table)]
    assert kinds[-1] is PowerSet
    assert entries(table)[-2].what.at_us <= due_us


@pytest.mark.slow
def test_a_replay_with_other_tiles_laid_would_differ():
    """The comparison of states can fail: half a journal gives another state."""
    table = begin(9)
    assert play(table)
    half = entries(table)[: len(entries(table)) // 2]
    header = table.host.journal.header(table.host.runtime.game)
    assert replay(game(), header, half).state != state(table)
