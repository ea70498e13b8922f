"""Studies: whole games by bots, balls by chance, the same result wherever they are played."""

import random
import subprocess
import sys

import msgspec
import pytest
from helpers.tiers import nightly
from hextraction.board.facts import BallEntered, BallFell, BallOffBoard, BallReleased, BallStuckOnRamp
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.play.journal_lines import load_lines
from hextraction.controller.play.referee import replay
from hextraction.controller.study.balls import Balls
from hextraction.controller.study.engines import chunks, play_here, play_on_dask, play_on_processes
from hextraction.controller.study.game import play_game, study_table, temper_of
from hextraction.controller.study.report import make_report, report_text
from hextraction.controller.study.settings import StudySettings, share_interval

BOARD, TILES = load_board("standard-22"), load_tiles()
ALL = ("basic", "official", "community", "fixture")
SHORT = StudySettings(games=4, seed=3, files=ALL, laid=22)


def balls(seed=1):
    """Return the balls of a game."""
    return Balls(BOARD, random.Random(seed))


def run(layout, ramp="L1", seed=1):
    """Roll one ball over a layout and return what it did."""
    some = balls(seed)
    some.look(layout, {}, 0)
    seen = [some.release(1, ramp)]
    while (fact := some.step(hiding=False)) is not None:
        seen.append(fact)
    return some, seen


def test_a_ball_falls_through_an_open_slot():
    """On an empty board a ball enters the slot below its ramp and is gone."""
    some, seen = run({})
    slot = BOARD.ramp_by_name["L1"].slot
    assert [type(fact) for fact in seen] == [BallReleased, BallEntered, BallFell]
    assert seen[-1].slot == slot
    assert some.fates == {1: "fell"}


def test_a_ball_ends_somewhere_and_everything_is_in_the_account():
    """Whatever way it runs, it has one fate, and the settlement lists what was seen, once."""
    full = dict.fromkeys(BOARD.slot_names, (TILES["asterisk"], 0))
    for seed in range(20):
        some, seen = run(full, seed=seed)
        assert list(some.fates) == [1]
        assert some.settle().facts == tuple(seen)
        assert some.settle().facts == ()


def test_a_ball_may_stick_on_a_ramp_that_is_shut():
    """A tile without a way in under the ramp holds some balls back, not all."""
    shut = dict.fromkeys(BOARD.slot_names, (TILES["void"], 0))
    slot, edge = BOARD.ramp_by_name["L1"].slot, BOARD.ramp_by_name["L1"].edge
    turns = next(turns for turns in TILES["j"].turns if not TILES["j"].exits(turns, edge))
    shut[slot] = (TILES["j"], turns)
    ends = {type(run(shut, seed=seed)[1][1]) for seed in range(40)}
    assert ends == {BallStuckOnRamp, BallEntered}


def test_a_ball_whose_end_is_hidden_is_missing_from_the_account():
    """What a sensor misses is a doubt in the settlement, and those who watched still know."""
    hidden = 0
    for seed in range(200):
        some = balls(seed)
        some.look({}, {}, 0)
        some.release(1, "L1")
        while some.step(hiding=True) is not None:
            pass
        account = some.settle()
        assert some.fates == {1: "fell"}
        assert bool(account.missing) == (
            not any(isinstance(fact, (BallFell, BallOffBoard)) for fact in account.facts)
        )
        hidden += bool(account.missing)
    assert 0 < hidden < 30


def test_every_drawn_setup_can_be_played():
    """Nothing speaks against any table that a study sits down at."""
    for number in range(40):
        table = study_table(SHORT, number)
        assert table.game.problems(table.setup) == []
        assert 2 <= len(table.setup.seats) <= 6


@pytest.mark.slow
def test_game_i_depends_on_the_seed_and_i_alone():
    """The same game comes out the same by itself, in a study, and under another hash seed."""
    alone = play_game(SHORT, 2)
    assert list(play_here(msgspec.structs.replace(SHORT, games=3)))[2] == alone
    told = (
        "from hextraction.controller.study.game import play_game; from hextraction.controller.study.settings import *; "
        f"print(play_game(StudySettings(games=4, seed=3, files={ALL}, laid=22), 2).events)"
    )
    for hash_seed in ("1", "2"):
        again = subprocess.run([sys.executable, "-c", told], env={"PYTHONHASHSEED": hash_seed}, check=True,
                               capture_output=True, text=True)  # fmt: skip
        assert int(again.stdout) == alone.events


@pytest.mark.slow
def test_another_seed_is_another_game():
    """Two seeds differ in what happens."""
    assert play_game(SHORT, 0) != play_game(msgspec.structs.replace(SHORT, seed=4), 0)


def test_a_stuck_game_is_a_journal_that_replays():
    """A game cut short counts as stuck, and its lines lead to where it stood."""
    cut = msgspec.structs.replace(SHORT, most_events=40, laid=0)
    number = next(number for number in range(9) if play_game(cut, number).ending == "stuck")
    result = play_game(cut, number)
    assert result.problem.startswith("stuck (")
    header, entries = load_lines(result.journal, "a study")
    failing = []
    referee = replay(
        Hextraction(BOARD, TILES), header, entries, lambda seq, evidence: failing.append((seq, evidence))
    )
    table = study_table(cut, number)
    while len(table.events) < 40:
        table.go_on()
    assert referee.state == table.state
    assert failing == []


def test_an_event_that_fails_is_skipped_and_told(monkeypatch):
    """A mistake of a rule is counted and marked in the journal; the game goes on from the state before."""
    real, calls = Hextraction.step, []

    def step(game, state, event):
        calls.append(event)
        if len(calls) == 5:
            raise ValueError("a mistake of ours")
        return real(game, state, event)

    monkeypatch.setattr(Hextraction, "step", step)
    result = play_game(SHORT, 0)
    assert result.failed == 1
    assert "a mistake of ours" in result.problem
    assert sum('"failed"' in line for line in result.journal) == 1


@pytest.mark.slow
def test_the_report_sums_up_and_writes_the_same_bytes():
    """Counts add up, a joint win counts for each, and JSON and text depend on the results alone."""
    results = list(play_here(SHORT))
    report = make_report(SHORT, results)
    assert sum(report.endings.values()) == report.games == 4
    assert report.events == sum(one.events for one in results)
    assert sum(one.wins for one in report.shares) == sum(len(one.winners) for one in results)
    assert msgspec.json.encode(report) == msgspec.json.encode(make_report(SHORT, list(results)))
    assert "4 of 4 games" in report_text(report)
    assert "stuck: 0" in report_text(report)


def test_a_study_without_any_game_is_a_report_too():
    """An interruption before the first game's end prints an empty report."""
    assert "0 of 4 games" in report_text(make_report(SHORT, []))


def test_the_interval_of_a_share_is_wilsons():
    """Published values: 5 of 10 gives 0.237 to 0.763; nothing tried tells nothing."""
    assert share_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert share_interval(0, 0) == (0.0, 1.0)
    assert share_interval(0, 10)[0] == 0.0


def test_chunks_cover_every_game_once():
    """No game is left out or played twice, and no part is more than a fair share."""
    for games in (1, 2, 7, 8, 9, 40):
        for workers in (1, 2, 5):
            parts = chunks(games, workers)
            assert [number for part in parts for number in part] == list(range(games))
            assert max(map(len, parts)) <= max(1, -(-games // workers))


@nightly("forty games", meanwhile="test_a_whole_game_has_all_its_tokens")
@pytest.mark.slow
def test_forty_games_of_mixed_sizes_end():
    """Of forty games with all tiles, on all boards, none is stuck, no event fails, nobody is refused."""
    settings = StudySettings(games=40, seed=11, files=ALL, boards=("standard-22", "small-18", "large-27"))
    report = make_report(settings, list(play_here(settings)))
    assert report.wrong == {}
    assert (report.stuck, report.failed, report.refused) == ((), 0, 0)
    assert len(report.players) == 5
    assert len(report.endings) >= 3


@pytest.mark.slow
def test_processes_give_the_same_report_as_one():
    """However many play, the report has the same bytes."""
    here = msgspec.json.encode(make_report(SHORT, list(play_here(SHORT))))
    assert msgspec.json.encode(make_report(SHORT, list(play_on_processes(SHORT, 2)))) == here


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_gives_the_same_report():
    """A cluster of threads in this process plays the same games."""
    distributed = pytest.importorskip("distributed")

    cluster = distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address=None,
    )
    with cluster:
        here = msgspec.json.encode(make_report(SHORT, list(play_here(SHORT))))
        there = list(play_on_dask(SHORT, client=lambda: distributed.Client(cluster)))
        assert msgspec.json.encode(make_report(SHORT, there)) == here


class ManyWorkers:
    """A cluster of forty workers whose scheduler tells of five, as some releases do; it plays nothing."""

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.closed = True

    def scheduler_info(self):
        return {"workers": dict.fromkeys(range(5))}

    def nthreads(self):
        return dict.fromkeys(range(40), 2)

    def map(self, _play, _settings, pieces, **_how):
        self.pieces = pieces
        return []

    def cancel(self, _futures):
        pass


def test_every_thread_of_a_cluster_gets_games():
    """Chunks are sized by all that the cluster has, not by the part of it that is described."""
    cluster = ManyWorkers()
    list(play_on_dask(msgspec.structs.replace(SHORT, games=400), client=lambda: cluster))
    assert len(cluster.pieces) == 80
    assert sum(map(len, cluster.pieces)) == 400


def test_a_study_tells_among_how_much_bots_choose():
    """A first ply of Hextris is one of 36, and in the middle of a game there are many still."""
    wanted = StudySettings(game="hextris", boards=("fx-19",), bots=("weak",))
    result = play_game(wanted, 3)
    assert 5 <= result.choices <= 60
    (line,) = [one for one in make_report(wanted, [result]).lengths if one.measure == "choices"]
    assert (line.least, line.most) == (result.choices, result.choices)


@pytest.mark.slow
def test_a_study_tells_how_often_each_strength_won():
    """Wins go to the strength of the winner's seat; with bots of one strength there is nothing to compare."""
    wanted = StudySettings(
        games=3, game="hextris", boards=("fx-19",), players=(3, 3), bots=("weak", "strong")
    )
    played = [play_game(msgspec.structs.replace(wanted, bots=("weak",)), number) for number in range(3)]
    results = [
        msgspec.structs.replace(one, seats=seats) for one, seats in zip(played, [(1,), (0,), ()], strict=True)
    ]
    report = make_report(wanted, results)
    assert [(one.strength, one.seats, one.wins) for one in report.strengths] == [
        ("weak", 6, 1),
        ("strong", 3, 1),
    ]
    assert "strong      3     1  33.3%" in report_text(report)
    assert make_report(msgspec.structs.replace(wanted, bots=("weak",)), results).strengths == ()


def test_a_whole_game_has_all_its_tokens():
    """Extraction is short in demonstrations: only `full` games have as many tokens as dots."""
    wanted = StudySettings(game="extraction", boards=("fx-19",), players=(3, 3), bots=("weak",))
    short, whole = (study_table(one, 1).setup for one in (wanted, msgspec.structs.replace(wanted, full=True)))
    assert (short.most_tokens, whole.most_tokens) == (3, 5)


def test_bots_of_a_study_look_at_few_things_unless_asked():
    """Games of thousands are played quickly; on request bots think as they do at a table."""
    usual, asked = temper_of(StudySettings()), temper_of(StudySettings(looks_at=0, whim=0.0))
    assert (usual.looks_at > 0, usual.whim > 0) == (True, True)
    assert (asked.looks_at, asked.whim) == (0, 0.0)
    assert asked.talk == usual.talk
