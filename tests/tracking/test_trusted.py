"""When a roll begins and ends, and what it may blame sensors for: gaps, gates, strays, broken sensors."""

import pytest
from helpers.trackbench import ALL_UNKNOWN, BOARD, STRAIGHT, Bench, check_books, touches, way
from hextraction.board.facts import BallEntered, Doubt
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.doubts import Doubts
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.settle import Account
from hextraction.controller.tracking.trust import Parts, Trust

MS = 1000
TILES = load_catalogue()
ALL_STRAIGHT = dict.fromkeys(ALL_UNKNOWN, Laid(STRAIGHT, 0))


def without(*slots):
    """Return unknown tiles in all slots but some."""
    return {slot: laid for slot, laid in ALL_UNKNOWN.items() if slot not in slots}


class TestBeginsAndEnds:
    """What belongs to a roll, and for how long it is waited."""

    def test_a_gate_that_is_told_late_has_opened_now(self):
        """A time before the last one counts as the last one: its ball has eight seconds from then."""
        bench = Bench()
        bench.pulse("drain.E1", 900_000)
        bench.tracker.expect("R1", 0)

        assert bench.tracker.wake_at_us == 908_022 * MS

    @pytest.mark.parametrize("idle", [False, True])
    def test_a_stray_in_a_roll_is_waited_for_however_much_was_thought_before(self, idle):
        """Quiet is two seconds without any edge: it may be the ball that rolls again."""
        bench = Bench()
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150), ("ball.B2", 1215))
        bench.take(bench.tracker.advance(2_000 * MS))
        while idle and bench.tracker.think_ahead():
            pass
        bench.on("edge.E3.4", 3_000)

        assert bench.tracker.wake_at_us == 5_000 * MS

    def test_any_edge_is_waited_for_even_of_a_ball_that_lies_where_it_lay(self):
        """Two strays began the roll; two seconds count from the last edge, whosever it was."""
        bench = Bench(balls={1: "A1"})
        bench.pulses(("ball.D3", 1000), ("ball.D4", 1150))
        assert bench.on("ball.A1", 3000) == ()

        assert bench.tracker.wake_at_us == 5_000 * MS

    def test_a_ball_that_rolls_from_one_open_slot_into_another_begins_a_roll(self):
        """Nothing is touched, so nothing is told at once; when all is quiet it has fallen."""
        bench = Bench("basic", tiles=without("C3", "C4"), balls={1: "C3"})
        assert bench.tracker.resync({"ball.C4": True}, 1_000 * MS) == ()
        assert bench.tracker.moving
        bench.off("ball.C4", 1030)

        assert way(bench.quiet().facts) == ["left C3", "fell C4"]

    def test_every_account_of_a_ball_that_lay_where_no_tile_is_begins_with_its_leaving(self):
        """That of each answer, and of each answer to what is asked then."""
        bench = Bench(tiles=without("E1"), balls={9: "E1"}, ask_below=0.95)
        for ramp in ("L2", "R2"):
            bench.tracker.expect(ramp, 920 * MS)
        bench.pulses(("ramp.L2", 1000), ("ramp.R2", 1000), ("ball.B1", 1085), ("ball.D1", 1085))
        bench.on("edge.B1.4", 1150)
        bench.pulses(("edge.D1.4", 1150), ("ball.D2", 1220), ("edge.D1.4", 1500), ("ball.D1", 1700))
        bench.pulse("edge.D1.4", 1900, length_ms=160)
        bench.pulse("edge.E1.4", 2000)
        bench.on("ball.E2", 2080)
        settled = bench.quiet()
        answers = settled.question.answers
        later = [more for answer in answers if answer.question for more in answer.question.answers]

        firsts = [
            way([fact for fact in told.facts if fact.ball == 9])[0] for told in (settled, *answers, *later)
        ]
        assert later
        assert set(firsts) == {"fell E1", "left E1"}

    def test_a_loss_is_told_though_nothing_was_told_at_once(self):
        """Its Hall went off and it is nowhere else: two strays elsewhere are no ball, and it is missing."""
        bench = Bench("basic", tiles=without("A4") | {"A4": Laid(STRAIGHT, 0)}, balls={2: "A4"})
        assert bench.tracker.cover("ball.A4")
        bench.off("ball.A4", 1000)
        bench.pulse("ball.E1", 1100, length_ms=10)
        bench.pulse("ball.B5", 1200, length_ms=10)

        assert bench.quiet().missing == (Doubt(ball=2, slot="A4"),)
        assert bench.live == []

    @pytest.mark.parametrize("which", ["basic", "lean", "rich"])
    def test_what_was_told_at_once_and_did_not_happen_is_taken_back(self, which):
        """A release was told, then a resting ball was seen where it lies: the roll settles with no fact."""
        bench = Bench(which, balls={4: "B1"})
        bench.on("ball.B1", 1)
        bench.pulse("ramp.R1", 1000)
        bench.off("ball.B1", 1100)
        bench.on("ball.B1", 1200)

        assert way(bench.live) == ["released R1"]
        assert bench.quiet().facts == ()

    def test_a_ball_that_came_to_lie_over_a_hall_hides_who_comes_by_in_the_next_roll(self):
        """That Hall is on all the time: who is seen below passed it, and no miss is needed for that."""
        bench = Bench()
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
        bench.on("ball.B2", 1215)
        bench.quiet()
        bench.pulses(("ramp.L2", 21_000), ("ball.B1", 21_085), ("edge.B2.4", 21_280))

        assert touches(bench.quiet().facts)["B3"] == 1

    def test_one_sensor_that_goes_on_twice_begins_no_roll(self):
        """A ball would be seen by two; this one errs."""
        bench = Bench()
        bench.pulses(("ball.D3", 1000), ("ball.D3", 1150), ("ball.D3", 1300))

        assert not bench.tracker.moving

    def test_no_ball_leaves_a_tile_before_it_came_there(self):
        """It covered the ramp's beam for long, and two Halls missed it: times are guessed, and agree all the same."""
        bench = Bench("basic")
        bench.tracker.expect("L2", 920 * MS)
        bench.pulse("ramp.L2", 1000, length_ms=200)
        bench.on("ball.B3", 1400)
        facts = bench.quiet().facts

        assert touches(facts) == {"B1": 1, "B2": 1, "B3": 1}
        assert check_books(facts, {}) == {1: ("slot", "B3")}


class TestLyingStill:
    """Balls that lie where they lay, though what sees them changes its mind."""

    def test_a_hall_that_flickers_begins_no_roll(self):
        """The ball over it lies where it lay."""
        bench = Bench(balls={4: "B1"})
        assert bench.tracker.cover("ball.B1")
        bench.off("ball.B1", 1000)
        bench.on("ball.B1", 1100)

        assert not bench.tracker.moving
        assert bench.tracker.resting == {4: "B1"}

    @pytest.mark.parametrize("which", ["basic", "lean", "rich"])
    @pytest.mark.parametrize("change", ["none", "flickers", "is declared broken"])
    def test_a_resting_ball_is_not_asked_about_because_another_one_rolls(self, which, change):
        """Its Hall is on at rest as before, or is not believed any more: neither says that the ball has gone."""
        bench = Bench(which, balls={4: "B1"})
        assert bench.tracker.cover("ball.B1")
        bench.tracker.expect("R2", 920 * MS)
        bench.pulse("ramp.R2", 1000)
        if change == "flickers":
            bench.off("ball.B1", 1100)
            bench.on("ball.B1", 1130)
        if change == "is declared broken":
            bench.tracker.declare_broken("ball.B1")
        bench.pulse("ball.D1", 1285)
        bench.pulses(*[("edge.D1.4", 1350)] if which == "rich" else [])
        bench.on("ball.D2", 1415)
        settled = bench.quiet()

        assert way(settled.facts) == ["released R2", "entered D1", "left D1", "entered D2"]
        assert settled.question is None
        assert bench.tracker.resting[4] == "B1"


class TestGaps:
    """Rolls during which nobody listened for a while."""

    def test_after_levels_were_read_at_rest_the_next_roll_is_as_sure_as_any(self):
        """The gap was before it."""
        bench = Bench(balls={1: "E1"})
        bench.tracker.resync({"ball.E1": True, "ball.D2": False}, 500 * MS)
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
        bench.on("ball.B2", 1215)

        assert bench.quiet().probability > 0.9

    def test_what_nobody_listened_to_is_not_called_silent(self):
        """The ball crossed that beam in the gap, in four rolls."""
        bench = Bench()
        for start_ms in range(1000, 81_000, 20_000):
            bench.pulses(("ramp.L2", start_ms), ("ball.B1", start_ms + 85))
            bench.take(bench.tracker.resync({"ball.B2": True}, (start_ms + 400) * MS))
            bench.off("ball.B2", start_ms + 500)
            assert touches(bench.quiet().facts) == {"B1": 1, "B2": 1}
            bench.tracker.put_balls({})

        assert bench.tracker.suspects == ()


class TestBlame:
    """Which sensors a roll may blame."""

    @pytest.mark.parametrize(("tile", "turns", "blamed"), [("xc", 4, ()), ("j", 5, ("edge.A1.6",))])
    def test_only_an_account_that_is_rather_sure_blames_a_silent_sensor(self, tile, turns, blamed):
        """On a tile where every other ball rests one that vanished may lie; where none does, the beam missed it."""
        laid = {"B1": Laid(TILES["asterisk"], 0), "A1": Laid(TILES[tile], turns), "A2": Laid(TILES["dic"], 0)}
        bench = Bench(tiles=laid)
        for start_ms in range(1000, 81_000, 20_000):
            bench.tracker.expect("L2", (start_ms - 80) * MS)
            bench.pulses(("ramp.L2", start_ms), ("ball.B1", start_ms + 85))
            bench.pulses(("edge.A1.2", start_ms + 170), ("ball.A1", start_ms + 240))
            assert way(bench.quiet().facts)[-1] == "off board A1"
            bench.tracker.put_balls({})

        assert bench.tracker.suspects == blamed

    def test_while_balls_are_on_their_way_no_sensor_is_called_stuck(self):
        """Two sensors missed the ball that lies over a Hall: whose it is shows when the roll settles."""
        bench = Bench(tiles=ALL_STRAIGHT)
        bench.tracker.expect("R1", 900 * MS)
        bench.tracker.expect("L2", 920 * MS)
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085))
        bench.on("ball.B3", 1350)
        assert bench.tracker.ignored["ball.B3"] == 1
        bench.take(bench.tracker.advance(7_000 * MS))
        assert bench.tracker.suspects == ()

        assert touches(bench.quiet().facts) == {"B1": 1, "B2": 1, "B3": 1}
        assert bench.tracker.suspects == ()

    def test_a_broken_sensor_that_stays_on_is_not_called_stuck_as_well(self):
        """Nobody listens to it."""
        bench = Bench()
        bench.tracker.declare_broken("ball.E2")
        bench.on("ball.E2", 900)
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
        bench.on("ball.B2", 1215)
        bench.quiet()
        bench.take(bench.tracker.advance(60_000 * MS))

        assert bench.tracker.suspects == ()

    def test_a_hall_that_a_resting_ball_covers_is_not_silent_as_others_pass(self):
        """It cannot go on a second time: it is on, and that is all it can say."""
        bench = Bench(tiles=ALL_STRAIGHT)
        column = [
            f"{kind}.B{row}{edge}" for row in range(1, 6) for kind, edge in (("ball", ""), ("edge", ".4"))
        ]
        for start_ms in range(1000, 81_000, 20_000):
            bench.tracker.put_balls({1: "B2"})
            assert bench.tracker.cover("ball.B2")
            bench.tracker.expect("L2", (start_ms - 80) * MS)
            bench.pulse("ramp.L2", start_ms)
            for number, sensor in enumerate(column, 1):
                if sensor != "ball.B2":
                    bench.pulse(sensor, start_ms + 20 + 65 * number)
            bench.pulse("zone.L", start_ms + 750)
            bench.pulse("rest.L", start_ms + 850)
            assert touches(bench.quiet().facts)["B3"] == 1

        assert bench.tracker.suspects == ()

    @pytest.mark.parametrize(("balls", "noisy"), [(1, True), (2, False)])
    def test_how_often_a_sensor_may_pulse_in_a_roll_depends_on_the_balls_that_moved(self, balls, noisy):
        """Six times in each of three rolls is noise with one ball, and nothing with two."""
        trust = Trust(Graph(BOARD, ["ball.B1"]))
        facts = tuple(BallEntered(at_us=0, ball=ball, slot="B1") for ball in range(balls))
        for _roll in range(3):
            trust.rolled(Account(facts, (), 1.0, {}, 9), {0: 6})

        assert trust.doubted == ({"ball.B1": "noisy"} if noisy else {})

    def test_of_several_faults_the_most_lasting_is_named(self):
        """Only people clear a noisy sensor; a stuck one has to go off, a silent one to say anything."""
        trust = Trust(Graph(BOARD, ["ball.A1", "ball.B1", "ball.C1"]))
        trust.doubts.silent = {0, 1, 2}
        trust.doubts.stuck = {1, 2}
        trust.doubts.noisy = {2}

        assert trust.doubted == {"ball.A1": "silent", "ball.B1": "stuck", "ball.C1": "noisy"}

    def test_of_a_sensor_with_parts_the_believed_ones_that_are_on_are_named(self):
        """All that are believed if none of them is on; what a broken part says changes nothing."""
        parts = Parts([("ball.B1", 0), ("ball.B1.2", 0), ("ball.B1.3", 0), ("ball.B2", 1)])
        assert 1 not in parts
        assert parts.believe(0, "ball.B1", working=False)
        assert not parts.level(0, "ball.B1", active=True)

        assert parts.named(0) == ("ball.B1.2", "ball.B1.3")
        assert parts.level(0, "ball.B1.3", active=True)
        assert parts.named(0) == ("ball.B1.3",)
        assert parts.believe(0, "ball.B1.2", working=False)
        assert not parts.believe(0, "ball.B1.3", working=False)
        assert parts.believe(0, "ball.B1", working=True)
        assert parts.named(0) == ("ball.B1",)


class TestForgiven:
    """A sensor that people declare working begins anew."""

    def test_strays_and_bursts_are_forgotten(self):
        """It takes as many as the first time until it is noisy again."""
        for report in ("unexplained", "pulsed"):
            doubts = Doubts()
            for _turn in range(2):
                for _pulse in range(25):
                    getattr(doubts, report)(3, 0)
                    assert doubts.noisy == set()
                getattr(doubts, report)(3, 0)
                assert doubts.noisy == {3}
                doubts.forgive(3)

    @pytest.mark.parametrize("report", ["unexplained", "pulsed"])
    def test_long_silence_is_no_licence_for_a_burst(self, report):
        """One pulse, an hour of quiet, and then 26 at once are noise as they are without that hour."""
        doubts = Doubts()
        for pulse in range(27):
            assert doubts.noisy == set()
            getattr(doubts, report)(3, 3_600_000_000 * (pulse > 0))

        assert doubts.noisy == {3}

    def test_restless_rolls_are_forgotten(self):
        """Three on end again."""
        doubts = Doubts()
        for _turn in range(2):
            for _roll in range(2):
                doubts.rolled({3: 6}, 1)
                assert doubts.noisy == set()
            doubts.rolled({3: 6}, 1)
            assert doubts.noisy == {3}
            doubts.forgive(3)

    def test_silence_is_forgotten(self):
        """Three balls over a beam again."""
        doubts = Doubts()
        for _turn in range(2):
            for _roll in range(2):
                doubts.passed({3: 3.5}, {})
                assert doubts.silent == set()
            doubts.passed({3: 3.5}, {})
            assert doubts.silent == {3}
            doubts.forgive(3)
            assert doubts.silent == set()

    def test_what_stays_on_counts_from_when_it_went_on_last(self):
        """Not from the end of the roll in which it did, nor from an earlier pulse."""
        doubts = Doubts()
        doubts.unexplained(3, 1_000_000)
        doubts.unexplained(3, 2_000_000)
        doubts.left_on(3, 4_000_000)

        assert doubts.wake_at_us == 7_000_000


class TestDeclaredBroken:
    """People say in the middle of a roll that a sensor is broken."""

    def test_what_it_has_told_before_still_counts(self):
        """Nothing else saw that ball go over the side."""
        bench = Bench("lean", balls={2: "A4"})
        bench.pulse("edge.A4.4", 1000)
        bench.tracker.declare_broken("edge.A4.4")

        assert way(bench.quiet().facts) == ["left A4", "off board A4"]

    @pytest.mark.slow
    @pytest.mark.mutants
    def test_nothing_waits_for_a_sensor_that_is_on_when_it_is_declared_broken(self):
        """It will never be told to go off: what comes after it is told with as many accounts as ever."""
        bench = Bench(balls={1: "B1"})
        bench.on("edge.E3.4", 1000)
        bench.tracker.declare_broken("edge.E3.4")
        for number in range(110):
            bench.pulse(("edge.B1.4", "ball.B2", "edge.B1.4", "ball.B1")[number % 4], 1100 + 150 * number)
            while bench.tracker.think_ahead():
                pass
        bench.quiet()

        assert bench.tracker.narrowed == 0

    def test_what_is_known_of_full_pockets_is_not_forgotten(self):
        """A sensor elsewhere has nothing to do with where the next ball goes."""
        told = []
        for broken in ([], ["edge.E3.4"]):
            bench = Bench(tiles=ALL_UNKNOWN | {"B2": Laid(TILES["triple-trap"], 0)}, balls={1: "B2"})
            for sensor in broken:
                bench.tracker.declare_broken(sensor)
            bench.tracker.expect("L2", 920 * MS)
            bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
            told.append(bench.quiet())

        assert told[0] == told[1]
